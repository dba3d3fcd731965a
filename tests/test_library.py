"""The tool as a library: what it gives is what the command says, and it leaves no trace that was not asked for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import tnp_migrate
from tnp_migrate import Config, ConfigError, Uncommitted, check, migrate, migrate_text
from tnp_migrate.cli import main

CODE = (
    "import numpy as np\n\n\ndef middle(x):\n    x[0] = np.median(x)\n    return np.lib.stride_tricks.as_strided(x)\n"
)
PLAIN = "import numpy as np\n\n\ndef grow(x):\n    return np.exp(x)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.tnp-migrate]\nignore = ['TNP310']\n")
    (tmp_path / "a.py").write_text(CODE)
    (tmp_path / "b.py").write_text(PLAIN)
    return tmp_path


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.suffix == ".py"}


def test_check_says_what_the_command_says_and_prints_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = check(folder)
    assert capsys.readouterr() == ("", "")
    said = json.loads(CliRunner().invoke(main, ["check", str(folder), "--format", "json"]).stdout)
    assert [(one.code, one.path, one.line) for one in result.findings] == [
        (one["code"], one["path"], one["line"]) for one in said["findings"]
    ]
    assert result.ledger.references == said["ledger"]["references"] > 0
    assert result.texts == {}


def test_migrate_gives_texts_and_writes_only_when_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = texts(folder)
    result = migrate([folder / "b.py"])
    assert texts(folder) == before
    assert {path.name for path in result.texts} == {"b.py", "_tnp_helpers.py"}
    assert b"tnp.exp(x)" in result.texts[folder / "b.py"]
    written = migrate(str(folder / "b.py"), write=True)
    assert written.texts == result.texts
    assert (folder / "b.py").read_bytes() == result.texts[folder / "b.py"]
    assert (folder / "a.py").read_text() == CODE
    assert migrate([folder / "b.py"]).texts == {}
    assert capsys.readouterr() == ("", "")


def test_migrate_writes_a_copy(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    before, out = texts(folder), tmp_path_factory.mktemp("out") / "copy"
    result = migrate([folder], out_dir=out)
    assert texts(folder) == before
    assert (out / "b.py").read_bytes() == result.texts[folder / "b.py"]
    assert (out / "_tnp_helpers.py").is_file()
    with pytest.raises(ValueError, match="one of them"):
        migrate([folder], out_dir=out, write=True)


def test_migrate_refuses_uncommitted_changes(folder: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    with pytest.raises(Uncommitted, match=r"b\.py") as caught:
        migrate([folder / "b.py"], write=True)
    assert caught.value.paths == (folder / "b.py",)
    assert texts(folder)["b.py"] == PLAIN
    migrate([folder / "b.py"], write=True, allow_dirty=True)
    assert texts(folder)["b.py"] != PLAIN


def test_settings_are_the_projects_or_those_given(folder: Path) -> None:
    codes = {one.code for one in check(folder).findings}
    assert "TNP310" not in codes
    assert "TNP408" in codes
    assert {one.code for one in check(folder, Config(select=("TNP408",))).findings} == {"TNP408"}
    (folder / "pyproject.toml").write_text("[tool.tnp-migrate]\ncolour = true\n")
    with pytest.raises(ConfigError, match="colour"):
        check(folder)


def test_a_text_is_translated_without_a_file() -> None:
    result = migrate_text(PLAIN)
    assert b"tnp.exp(x)" in result.texts[Path("-")]
    assert migrate_text("x = 1\n").texts == {}
    assert migrate_text("import numpy\nx = (\n").report.has_errors


def test_runs_leave_nothing_behind(folder: Path) -> None:
    limit, modules = sys.getrecursionlimit(), Path.cwd()
    assert check(folder) == check(folder)
    assert migrate(folder) == migrate(folder)
    assert (sys.getrecursionlimit(), Path.cwd()) == (limit, modules)


def test_importing_the_package_loads_nothing_else() -> None:
    code = "import sys, tnp_migrate; print([name for name in sys.modules if name.startswith('tnp_migrate.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert set(dir(tnp_migrate)) == set(tnp_migrate.__all__)
    assert all(hasattr(tnp_migrate, name) for name in tnp_migrate.__all__)
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        _ = tnp_migrate.colour
