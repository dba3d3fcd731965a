"""The command line as users and scripts meet it: what is written where, what is printed, how it ends."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tnp_migrate.cli import FORMATS, main

GOLDEN = Path(__file__).parent / "golden" / "help"
CLEAN = "import numpy as np\n\n\ndef norm(x):\n    return np.cumprod(np.exp(x))\n"
LEFT = "import numpy as np\n\n\ndef look(x):\n    return np.lib.stride_tricks.as_strided(x, (2, 2))\n"


def run(*arguments: str | Path, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments], input=stdin, catch_exceptions=False)


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def tree(folder: Path) -> dict[str, bytes]:
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with a clean module, one with a finding, one without NumPy, and data; the current folder is above."""
    folder = tmp_path / "src"
    (folder / "pkg").mkdir(parents=True)
    files = {"__init__.py": "", "clean.py": CLEAN, "left.py": LEFT, "plain.py": "x = 1\n", "data.csv": "1,2\n"}
    for name, text in files.items():
        (folder / "pkg" / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return folder


def test_migrate_rewrites_in_place_and_adds_the_helper_module(project: Path) -> None:
    assert run("migrate", "src").exit_code == 1
    assert "tnp.exp(" in (project / "pkg/clean.py").read_text()
    assert (project / "pkg/_tnp_helpers.py").is_file()
    assert (project / "pkg/plain.py").read_text() == "x = 1\n"


def test_migrate_is_the_default_command(project: Path) -> None:
    assert run("src/pkg/clean.py").exit_code == 0
    assert "tnp.exp(" in (project / "pkg/clean.py").read_text()
    assert run("--check", "src/pkg/clean.py").exit_code == 0


@pytest.mark.parametrize("flags", [["--diff"], ["--check"], ["--diff", "--check"]])
def test_diff_and_check_write_nothing(project: Path, flags: list[str]) -> None:
    before = tree(project)
    run("migrate", *flags, "src")
    assert tree(project) == before


def test_diff_applied_by_git_is_what_in_place_writes(project: Path, tmp_path: Path) -> None:
    (project / "pkg/latin.py").write_bytes(
        b"# coding: latin-1\r\nimport numpy as np\r\nx = '\xe9'\r\ny = lambda a: np.exp(a)"
    )
    diff = run("migrate", "--diff", "src").stdout_bytes
    shutil.copytree("src", "elsewhere/src")
    subprocess.run(["git", "apply", "-"], input=diff, cwd="elsewhere", check=True)
    run("migrate", "src")
    assert tree(tmp_path / "elsewhere/src") == tree(project)


def test_diff_keeps_the_report_out_of_the_way(project: Path) -> None:
    result = run("migrate", "--diff", "src")
    assert result.stdout.startswith("--- ")
    assert "references" not in result.stdout
    assert "references" in result.stderr


def test_check_fails_while_files_would_change(project: Path) -> None:
    assert run("migrate", "--check", "src/pkg/clean.py").exit_code == 1
    assert run("migrate", "src/pkg/clean.py").exit_code == 0
    assert run("migrate", "--check", "src/pkg/clean.py").exit_code == 0


def test_exit_codes_tell_clean_findings_and_errors_apart(project: Path) -> None:
    assert run("check", "src/pkg/clean.py").exit_code == 0
    assert run("check", "src/pkg/left.py").exit_code == 1
    (project / "broken.py").write_text("import numpy as np\nx = (\n")
    assert run("check", "src").exit_code == 2
    assert run("check", "src/nowhere.py").exit_code == 2


def test_check_changes_nothing(project: Path) -> None:
    before = tree(project)
    result = run("check", "src")
    assert "left.py:5:" in result.stdout
    assert tree(project) == before


def test_internal_error_ends_with_2_and_writes_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree(project)

    def broken(*arguments: object) -> None:
        raise ValueError("a mistake of ours")

    monkeypatch.setattr("tnp_migrate.rounds.build_index", broken)
    result = run("migrate", "src")
    assert result.exit_code == 2
    assert "error: internal error, please report it: ValueError: a mistake of ours" in result.stderr
    assert tree(project) == before


def test_out_dir_is_a_complete_copy_with_modes_and_links(project: Path, tmp_path: Path) -> None:
    tool = project / "tool.sh"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    (project / "pkg/clean.py").chmod(0o640)
    (project / ".gitignore").write_text("_version.py\n")
    (project / "pkg/_version.py").write_text("version = '1'\n")
    (project / "pkg/same.py").symlink_to("clean.py")
    (project / "pkg/absolute.csv").symlink_to(project / "pkg/data.csv")
    (project / "alias").symlink_to("pkg", target_is_directory=True)
    (project / "broken").symlink_to("nowhere")
    outside = tmp_path / "outside.csv"
    outside.write_text("3\n")
    (project / "far.csv").symlink_to("../outside.csv")
    before = tree(project)
    assert run("migrate", "src", "--out-dir", "out").exit_code == 1
    out = tmp_path / "out"
    assert tree(project) == before
    assert set(tree(out)) == {*before, "pkg/_tnp_helpers.py"}
    assert (out / "tool.sh").stat().st_mode & 0o777 == 0o755
    assert (out / "pkg/clean.py").stat().st_mode & 0o777 == 0o640
    assert (out / "pkg/clean.py").read_text() != CLEAN
    assert {name: str((out / name).readlink()) for name in ("pkg/same.py", "pkg/absolute.csv", "alias", "broken")} == {
        "pkg/same.py": "clean.py",
        "pkg/absolute.csv": "data.csv",
        "alias": "pkg",
        "broken": "nowhere",
    }
    assert str((out / "far.csv").readlink()) == str(outside)


def test_out_dir_twice_gives_the_same_and_never_touches_the_input(project: Path, tmp_path: Path) -> None:
    before = tree(project)
    run("migrate", "src", "--out-dir", "src/out")
    first = tree(project / "out")
    assert "src/out holds other files" in run("migrate", "src", "--out-dir", "src/out").stderr
    assert run("migrate", "src", "--out-dir", "src/out", "--force").exit_code == 1
    assert tree(project / "out") == first
    assert "out/pkg/clean.py" not in first
    assert {name: data for name, data in tree(project).items() if not name.startswith("out/")} == before
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/clean.py").symlink_to(project / "pkg/clean.py")
    run("migrate", "src/pkg/clean.py", "--out-dir", "linked", "--force")
    assert (project / "pkg/clean.py").read_text() == CLEAN
    assert "tnp." in (tmp_path / "linked/clean.py").read_text()


def test_out_dir_leaves_environments_and_caches_out(project: Path, tmp_path: Path) -> None:
    for name in ("env/pyvenv.cfg", "env/lib/a.py", "node_modules/b.py", "pkg/__pycache__/c.pyc", "build/d.txt"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("")
    run("migrate", "src", "--out-dir", "out")
    assert set(tree(tmp_path / "out")) - {f"pkg/{one}" for one in tree(project / "pkg")} == {
        "build/d.txt",
        "pkg/_tnp_helpers.py",
    }


def test_out_dir_that_is_empty_or_new_needs_no_force(project: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run("migrate", "src/pkg/clean.py", "--out-dir", "empty").exit_code == 0
    before = tree(tmp_path / "empty")
    (tmp_path / "empty/notes.txt").write_text("mine")
    assert run("migrate", "src", "--out-dir", "empty").exit_code == 2
    assert tree(tmp_path / "empty") == {**before, "notes.txt": b"mine"}


def test_out_dir_keeps_the_place_of_a_part_of_a_package(project: Path, tmp_path: Path) -> None:
    sub = project / "pkg/sub"
    sub.mkdir()
    (sub / "__init__.py").touch()
    (sub / "deep.py").write_text("import numpy as np\n\n\ndef f(x):\n    return np.median(x)\n")
    assert run("migrate", "src/pkg/sub", "--out-dir", "out").exit_code == 0
    assert set(tree(tmp_path / "out")) == {"sub/__init__.py", "sub/deep.py", "_tnp_helpers.py"}
    assert "from .. import _tnp_helpers" in (tmp_path / "out/sub/deep.py").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["migrate", "src", "--out-dir", "src"], "--out-dir is what is to be copied"),
        (["migrate", "src", "--out-dir", "out", "--check"], "--out-dir writes a copy"),
        (["migrate", "-", "--out-dir", "out"], "--out-dir takes files and folders"),
        (["migrate", "-", "src"], "goes with no other path"),
        (["check", "src", "-"], "goes with no other path"),
        (["check", "src", "--select", "E501"], "there is no code `E501`"),
        (["check", "src", "--ignore", "TNP203,TNP777"], "there is no code `TNP777`"),
        (["check", "src", "--jobs", "0"], "0 is not in the range x>=1"),
        (["check", "src", "--format", "xml"], "'xml' is not one of"),
        (["check", "src", "--output", "nowhere/report.txt"], "the report cannot be written"),
        (["check", "src", "--report", "json=nowhere/r"], "nowhere/r: the report cannot be written"),
        (["check"], "Missing argument 'PATHS...'"),
        (["rule", "TNP999"], "no diagnostic 'TNP999'"),
        (["rule", "np.nosuch"], "NumPy has no public name np.nosuch"),
    ],
)
def test_mistaken_call_is_explained_and_ends_with_2(project: Path, arguments: list[str], message: str) -> None:
    before = tree(project)
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert tree(project) == before


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_is_written_to_stdout_or_a_file(project: Path, format_: str) -> None:
    printed = run("check", "src", "--format", format_)
    written = run("check", "src", "--format", format_, "--output", "report")
    assert written.stdout == ""
    assert Path("report").read_text() == printed.stdout
    assert "TNP408" in printed.stdout
    assert "left.py" in printed.stdout
    assert printed.exit_code == written.exit_code == 1


def test_several_reports_are_written_from_one_run(project: Path) -> None:
    expected = {format_: run("check", "src", "--format", format_).stdout for format_ in ("text", "json", "sarif")}
    result = run("check", "src", "--report", "json=r.json", "--report", "sarif=r.sarif", "--report", "json=again.json")
    assert result.stdout == expected["text"]
    assert Path("r.json").read_text() == Path("again.json").read_text() == expected["json"]
    assert Path("r.sarif").read_text() == expected["sarif"]


@pytest.mark.parametrize("value", ["json", "json=", "xml=r.xml", "=r", ""])
def test_report_that_names_no_format_or_no_file_is_refused(project: Path, value: str) -> None:
    before = tree(project)
    result = run("migrate", "src", "--report", value)
    assert result.exit_code == 2
    assert "is not FORMAT=FILE, the format one of text, json, sarif" in result.stderr
    assert tree(project) == before


def test_json_ledger_is_balanced(project: Path) -> None:
    report = json.loads(run("check", "src", "--format", "json").stdout)
    ledger = report["ledger"]
    assert ledger.pop("references") == sum(ledger.values()) > 0


def test_standard_input_is_translated_to_standard_output() -> None:
    result = run("-", stdin=CLEAN.encode())
    assert b"tnp.exp(" in result.stdout_bytes
    assert b"references" not in result.stdout_bytes
    assert "references" in result.stderr
    assert result.exit_code == 0


def test_standard_input_is_checked_and_compared() -> None:
    assert run("check", "-", stdin=LEFT.encode()).stdout.startswith("<stdin>:5:")
    check = run("migrate", "--check", "-", stdin=CLEAN.encode())
    assert (check.exit_code, "def norm" in check.stdout) == (1, False)
    assert "-    return np.cumprod" in run("migrate", "--diff", "-", stdin=CLEAN.encode()).stdout


def test_standard_input_that_does_not_parse_comes_out_as_it_went_in() -> None:
    result = run("-", stdin=b"import numpy as np\r\nx = (\r\n")
    assert result.stdout_bytes == b"import numpy as np\r\nx = (\r\n"
    assert result.exit_code == 2
    assert "TNP901" in result.stderr


def test_several_paths_are_one_run(project: Path) -> None:
    result = run("check", "src/pkg/clean.py", "src/pkg/left.py", "src", "--format", "json")
    assert [one["path"] for one in json.loads(result.stdout)["files"]] == ["src/pkg/clean.py", "src/pkg/left.py"]


def test_select_and_ignore_take_codes_and_prefixes(project: Path) -> None:
    assert run("check", "src", "--select", "TNP1").exit_code == 0
    assert run("check", "src", "--ignore", "tnp408,TNP3").exit_code == 0
    assert run("check", "src", "--select", "TNP4").exit_code == 1
    (project / "broken.py").write_text("import numpy as np\nx = (\n")
    assert run("check", "src", "--select", "TNP1").exit_code == 2


def test_in_place_refuses_uncommitted_changes(project: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "src")
    git(tmp_path, "commit", "-qm", "start")
    (project / "pkg/clean.py").write_text(CLEAN + "# more\n")
    before = tree(project)
    result = run("migrate", "src")
    assert result.exit_code == 2
    assert "TNP912 uncommitted changes in" in result.stderr
    assert "clean.py" in result.stderr
    assert tree(project) == before
    assert run("migrate", "src", "--out-dir", "out").exit_code == 1
    assert run("migrate", "src", "--allow-dirty").exit_code == 1
    assert tree(project) != before


def test_uncommitted_changes_elsewhere_do_not_matter(project: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "src")
    git(tmp_path, "commit", "-qm", "start")
    (project / "pkg/plain.py").write_text("x = 2\n")
    assert run("migrate", "src").exit_code == 1
    assert "tnp." in (project / "pkg/clean.py").read_text()


def test_second_run_changes_nothing(project: Path) -> None:
    run("migrate", "src")
    once = tree(project)
    result = run("migrate", "src", "--check")
    assert tree(project) == once
    assert "0 translated" in result.stdout


def test_two_runs_give_the_same_bytes(project: Path, tmp_path: Path) -> None:
    reports = []
    for seed in ("1", "2"):
        command = [
            sys.executable,
            "-m",
            "tnp_migrate",
            "migrate",
            "src",
            "--no-cache",
            "--out-dir",
            f"out{seed}",
            "--format",
            "json",
        ]
        path = os.pathsep.join(one for one in sys.path if one)
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        reports.append(subprocess.run(command, env=environment, capture_output=True, check=False).stdout)
    assert reports[0] == reports[1] != b""
    assert tree(tmp_path / "out1") == tree(tmp_path / "out2")


def test_jobs_give_what_one_process_gives(project: Path, tmp_path: Path) -> None:
    for number in range(30):
        (project / f"pkg/m{number}.py").write_text(
            f"import numpy as np\n\n\ndef f{number}(x):\n    return np.median(x)\n"
        )
    command = ("migrate", "src", "--no-cache")
    reports = [run(*command, "--out-dir", f"out{jobs}", "--jobs", str(jobs)).stdout for jobs in (1, 3)]
    assert reports[0] == reports[1]
    assert tree(tmp_path / "out1") == tree(tmp_path / "out3")


def test_pipe_gets_neither_progress_nor_colour(project: Path) -> None:
    for number in range(30):
        (project / f"m{number}.py").write_text(CLEAN)
    result = run("check", "src")
    assert result.stderr == ""
    assert "\x1b" not in result.stdout
    assert "\r" not in result.stdout


@pytest.mark.parametrize("command", ["", "migrate", "check", "rule", "coverage", "record", "verify", "explain"])
def test_help_is_the_golden_one(command: str, request: pytest.FixtureRequest) -> None:
    shown = CliRunner().invoke(main, [*command.split(), "--help"], prog_name="tnp-migrate", terminal_width=100).stdout
    golden = GOLDEN / f"{command or 'main'}.txt"
    if request.config.getoption("--accept"):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(shown)
    assert shown == golden.read_text()


def test_module_is_the_command() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "tnp_migrate", "--version"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("tnp-migrate, version ")


@pytest.mark.parametrize("arguments", [["--version"], ["check", "src/pkg/plain.py"]])
def test_start_loads_nothing_heavy(project: Path, arguments: list[str]) -> None:
    code = (
        "import sys\nfrom tnp_migrate.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit as end:\n    assert not end.code\n"
        "print({'libcst', 'numpy', 'tensorflow', 'rich', 'multiprocessing', 'pathspec'} & set(sys.modules))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "set()"
