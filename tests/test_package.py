"""What goes to the index: both archives as hatchling builds them, and what else names the version."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from click.testing import CliRunner

from tnp_migrate import __version__
from tnp_migrate.cli import main

ROOT = Path(__file__).parent.parent
TOOLS = Path(sys.executable).parent


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source archive and the wheel."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", folder], cwd=ROOT, check=True, capture_output=True
    )
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return source, wheel


@pytest.fixture(scope="module")
def metadata(archives: tuple[Path, Path]) -> Message:
    """The wheel's metadata."""
    with zipfile.ZipFile(archives[1]) as wheel:
        return message_from_bytes(wheel.read(f"tnp_migrate-{__version__}.dist-info/METADATA"))


def test_wheel_has_two_packages_with_types_and_data_and_nothing_else(archives: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(archives[1]) as wheel:
        names = set(wheel.namelist())
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"tnp_migrate", "tnp_rules", f"tnp_migrate-{__version__}.dist-info"}
    assert {"tnp_migrate/py.typed", "tnp_rules/py.typed", "tnp_migrate/numpy_facts/data/signatures.json"} <= names
    assert not [name for name in names if "__pycache__" in name or "/tests/" in name]


def test_metadata_say_what_the_index_shows(metadata: Message) -> None:
    assert metadata["Version"] == __version__
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata["Summary"]
    versions = {one for one in metadata.get_all("Classifier", []) if re.search(r"3\.\d+$", one)}
    assert {one.rpartition(" ")[2] for one in versions} == {"3.10", "3.11", "3.12", "3.13"}
    assert "Typing :: Typed" in metadata.get_all("Classifier", [])


def test_classifiers_are_the_indexs_own(metadata: Message) -> None:
    from trove_classifiers import classifiers

    assert set(metadata.get_all("Classifier", [])) <= classifiers


def test_source_archive_builds_and_has_no_tests(archives: tuple[Path, Path]) -> None:
    with tarfile.open(archives[0]) as source:
        names = {name.split("/", 1)[1] for name in source.getnames() if "/" in name}
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "migrator/tnp_migrate/cli.py"} <= names
    assert not [name for name in names if name.startswith(("tests/", "fixtures/", "benchmarks/"))]


@pytest.mark.parametrize("command", [["twine", "check", "--strict"], ["check-wheel-contents"]], ids=lambda one: one[0])
def test_tools_of_the_index_find_nothing(archives: tuple[Path, Path], command: list[str]) -> None:
    if not (TOOLS / command[0]).is_file():
        pytest.skip(f"{command[0]} is not installed beside this Python")
    arguments = archives if command[0] == "twine" else archives[1:]
    done = subprocess.run(
        [TOOLS / command[0], *command[1:], *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_citation_names_the_version() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_version_says_what_it_stands_on() -> None:
    lines = CliRunner().invoke(main, ["--version"]).stdout.splitlines()
    assert lines[0] == f"tnp-migrate, version {__version__}"
    assert [line.split()[0] for line in lines[1:]] == ["python", "click", "libcst", "pathspec", "tensorflow", "numpy"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_a_script_of_the_shell(shell: str) -> None:
    done = CliRunner().invoke(main, ["completion", shell])
    assert done.exit_code == 0
    assert f"_TNP_MIGRATE_COMPLETE={shell}_complete" in done.stdout
    assert "tnp-migrate" in done.stdout


@pytest.mark.parametrize(
    ("words", "found"),
    [("tnp-migrate cov", "coverage"), ("tnp-migrate check --form", "--format"), ("tnp-migrate completion z", "zsh")],
)
def test_completion_answers_with_commands_options_and_values(words: str, found: str) -> None:
    code = "from tnp_migrate.__main__ import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={
            "PYTHONPATH": f"{ROOT / 'migrator'}:{ROOT / 'rules'}",
            "_TNP_MIGRATE_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(words.count(" ")),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"plain,{found}" in done.stdout.split(), done


@pytest.mark.parametrize(("line", "code"), [("np.degrees(2.0)", 0), ("np.ma.masked_where(True, 1)", 1)])
def test_process_ends_when_all_is_written(tmp_path: Path, line: str, code: int) -> None:
    (tmp_path / "given.py").write_text(f"import numpy as np\n\nx = {line}\n")
    text = (
        "import gc\nfrom tnp_migrate.__main__ import run\n"
        "gc.callbacks.append(lambda *said: print('what was found out is looked through'))\nrun()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", text, "check", "given.py", "--no-cache"],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{ROOT / 'migrator'}:{ROOT / 'rules'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done
    assert "verdict: " in done.stdout
    assert "looked through" not in done.stdout
