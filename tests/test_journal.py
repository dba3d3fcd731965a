"""What an unfinished migration started from: noted before anything is replaced, forgotten when it is finished."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tnp_migrate.cli import main
from tnp_migrate.program.config import Config
from tnp_migrate.run import run_over, write_in_place
from tnp_migrate.text import journal
from tnp_migrate.text.journal import Entry, digest, forget, read_entries, write_entries

GOOD = "import numpy as np\n\n\ndef f(x):\n    return np.exp(x)\n"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two files that need each other."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").touch()
    for name in ("a.py", "b.py"):
        (project / name).write_text(GOOD)
    return project


def test_project_that_was_never_migrated_has_none(folder: Path) -> None:
    assert read_entries(folder) == {}
    run("check", folder)
    run("migrate", "--diff", folder)
    assert read_entries(folder) == {}


def test_entries_come_back_as_they_were_written(folder: Path) -> None:
    entries = {
        folder / "a.py": Entry(b"\xff\x00\n", digest(b"x")),
        folder / "odd\udcff.py": Entry(b"", digest(b"y")),
        folder / "_tnp_helpers.py": Entry(None, digest(b"z")),
    }
    write_entries(folder, entries)
    assert read_entries(folder) == entries
    assert read_entries(folder / "sub") == {}
    forget(folder)
    assert read_entries(folder) == {}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"files": 3}', '{"files": {"a": 1}}', '{"files": {"a": [1, 2]}}'])
def test_notes_that_cannot_be_understood_are_none(folder: Path, text: str) -> None:
    write_entries(folder, {})
    journal._place(folder).write_text(text)
    assert read_entries(folder) == {}


def test_finished_migration_leaves_no_notes(folder: Path) -> None:
    run("migrate", folder)
    assert read_entries(folder) == {}
    assert "tnp." in (folder / "a.py").read_text()


def test_notes_are_kept_until_every_file_is_migrated(folder: Path) -> None:
    run("migrate", folder / "a.py")
    kept = read_entries(folder)
    assert {path.name for path in kept} == {"_tnp_helpers.py", "a.py"}
    assert kept[folder / "a.py"].before == GOOD.encode()
    run("migrate", folder / "b.py")
    assert read_entries(folder) == {}


def test_runs_that_overlap_keep_each_others_notes(folder: Path) -> None:
    (folder / "c.py").write_text(GOOD)
    first = run_over([folder / "a.py"], Config(), rewrite=True, say=pytest.fail)
    run("migrate", folder / "b.py")
    write_in_place(first, pytest.fail)
    assert {path.name for path in read_entries(folder)} == {"_tnp_helpers.py", "a.py", "b.py"}
    last = run_over([folder / "c.py"], Config(), rewrite=True, say=pytest.fail)
    assert set(last.originals) == {folder / "a.py", folder / "b.py"}
    write_in_place(last, pytest.fail)
    assert read_entries(folder) == {}


def test_run_that_ends_last_forgets_what_the_others_have_finished(folder: Path) -> None:
    first = run_over([folder / "a.py"], Config(), rewrite=True, say=pytest.fail)
    run("migrate", folder / "b.py")
    write_in_place(first, pytest.fail)
    assert read_entries(folder) == {}


def test_notes_with_which_somebody_has_gone_on_by_hand_are_dropped(folder: Path) -> None:
    run("migrate", folder / "a.py")
    (folder / "a.py").write_text((folder / "a.py").read_text() + "MINE = 1\n")
    (folder / "c.py").write_text(GOOD)
    result = run("migrate", folder / "b.py")
    assert (
        "a.py was edited after a migration that is not finished: all files are taken as they are now" in result.stderr
    )
    assert folder / "a.py" not in read_entries(folder)


def test_files_put_back_by_the_user_are_migrated_again(folder: Path) -> None:
    run("migrate", folder / "a.py")
    (folder / "a.py").write_text(GOOD)
    (folder / "_tnp_helpers.py").unlink()
    result = run("migrate", folder / "a.py")
    assert "note" not in result.stderr
    assert "tnp." in (folder / "a.py").read_text()
    assert (folder / "_tnp_helpers.py").is_file()


def test_folder_that_cannot_be_written_is_said_and_the_run_goes_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    result = run("migrate", folder)
    words = "Not a directory; a run that is killed cannot be gone on with"
    assert f"note: {tmp_path}/file/tnp-migrate: {words}" in result.stderr
    assert "tnp." in (folder / "a.py").read_text()
    assert result.exit_code == 0
