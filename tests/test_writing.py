"""Files are replaced whole or not at all; git is asked what is not committed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tnp_migrate.text import writing
from tnp_migrate.text.writing import (
    Change,
    UnknownState,
    remove_leftovers,
    temporary_name,
    uncommitted,
    write_atomically,
    write_changes,
)


def test_new_file_gets_the_usual_mode(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write_atomically(tmp_path / "new.py", b"x")
    finally:
        os.umask(mask)
    assert (tmp_path / "new.py").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("mode", [0o600, 0o755, 0o664])
def test_mode_stays(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"old")
    file.chmod(mode)
    write_atomically(file, b"new")
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == mode
    assert [one.name for one in tmp_path.iterdir()] == ["a.py"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_owner_stays(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"old")
    os.chown(file, 1234, 2345)
    write_atomically(file, b"new")
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 2345)


def test_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_bytes(b"old")
    (tmp_path / "link.py").symlink_to("real.py")
    write_atomically(tmp_path / "link.py", b"new")
    assert (tmp_path / "link.py").is_symlink()
    assert (tmp_path / "real.py").read_bytes() == b"new"


def test_name_of_full_length_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / ("n" * 252 + ".py")
    write_atomically(file, b"new")
    assert file.read_bytes() == b"new"


def test_read_only_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"old")
    file.chmod(0o444)
    with pytest.raises(PermissionError, match="the file is read-only"):
        write_atomically(file, b"new")
    assert file.read_bytes() == b"old"


def change(path: Path, *, needed: bool = False) -> Change:
    return Change(path, path.read_bytes() if path.exists() else None, b"new", needed)


def failures(changes: list[Change]) -> tuple[list[str], dict[str, str]]:
    """The names of the files written, and of those that were not with the reason."""
    said: dict[str, str] = {}
    written = write_changes(changes, lambda path, error: said.update({path.name: str(error.strerror)}))
    return [path.name for path in written], said


def test_nothing_is_written_for_no_changes(tmp_path: Path) -> None:
    assert failures([]) == ([], {})


def test_needed_files_are_written_first(tmp_path: Path) -> None:
    changes = [change(tmp_path / "a.py"), change(tmp_path / "z.py", needed=True)]
    assert failures(changes) == (["z.py", "a.py"], {})
    assert {one.name for one in tmp_path.iterdir()} == {"a.py", "z.py"}


def test_file_that_cannot_be_written_costs_the_others_nothing_unless_it_is_needed(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_bytes(b"old")
    (tmp_path / "b.py").chmod(0o444)
    needed = [change(tmp_path / "a.py"), change(tmp_path / "b.py", needed=True)]
    assert failures(needed) == ([], {"b.py": "the file is read-only"})
    assert failures([change(tmp_path / "a.py"), change(tmp_path / "b.py")]) == (
        ["a.py"],
        {"b.py": "the file is read-only"},
    )


def test_file_that_is_no_longer_what_was_read_is_left(tmp_path: Path) -> None:
    names = ("changed.py", "gone.py", "made.py", "same.py")
    changes = []
    for name in names:
        (tmp_path / name).write_bytes(b"old")
        changes.append(Change(tmp_path / name, None if name == "made.py" else b"old", b"new"))
    (tmp_path / "changed.py").write_bytes(b"mine")
    (tmp_path / "gone.py").unlink()
    (tmp_path / "same.py").write_bytes(b"new")  # by another run
    written, said = failures(changes)
    assert written == ["same.py"]
    assert said == dict.fromkeys(names[:3], "it was changed while this ran; run again")
    assert (tmp_path / "changed.py").read_bytes() == b"mine"
    assert not (tmp_path / "gone.py").exists()


def test_leftovers_of_a_killed_run_are_removed(tmp_path: Path) -> None:
    temporary_name(tmp_path / "a.py").write_bytes(b"half")
    temporary_name(tmp_path / "b.py").write_bytes(b"half")
    remove_leftovers([tmp_path / "a.py", tmp_path / "c.py"])
    write_atomically(tmp_path / "b.py", b"new")
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {"b.py": b"new"}


def test_temporary_name_leads_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_bytes(b"mine")
    temporary_name(tmp_path / "a.py").symlink_to(tmp_path / "mine.txt")
    write_atomically(tmp_path / "a.py", b"new")
    assert (tmp_path / "mine.txt").read_bytes() == b"mine"
    assert (tmp_path / "a.py").read_bytes() == b"new"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with committed files, odd names among them."""
    folder = tmp_path / "repository"
    (folder / "sub").mkdir(parents=True)
    for name in ("a.py", "ba.py", "sub/a.py", "sub/[x]*.py", "sub/ö \n.py"):
        (folder / name).write_text("x = 1\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "start")
    return folder


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments], cwd=folder, check=True)


def files(folder: Path) -> list[Path]:
    return sorted(one for one in folder.rglob("*.py") if one.is_file())


def test_committed_files_are_clean(repository: Path) -> None:
    assert uncommitted(files(repository)) == []


@pytest.mark.parametrize("name", ["a.py", "ba.py", "sub/a.py", "sub/[x]*.py", "sub/ö \n.py"])
@pytest.mark.parametrize("staged", [False, True])
def test_changed_file_alone_is_uncommitted(repository: Path, name: str, staged: bool) -> None:
    (repository / name).write_text("x = 2\n")
    if staged:
        git(repository, "add", ".")
    assert uncommitted(files(repository)) == [repository / name]


def test_untracked_file_is_uncommitted(repository: Path) -> None:
    (repository / "new").mkdir()
    (repository / "new/n.py").write_text("")
    assert uncommitted(files(repository)) == [repository / "new/n.py"]


def test_file_behind_a_link_is_asked_for(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "link.py").symlink_to(repository / "a.py")
    assert uncommitted([tmp_path / "link.py"]) == []
    (repository / "a.py").write_text("x = 2\n")
    assert uncommitted([tmp_path / "link.py"]) == [tmp_path / "link.py"]


def test_outside_a_repository_and_new_files_are_clean(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "free.py").write_text("")
    assert uncommitted([tmp_path / "free.py", repository / "not_yet.py"]) == []


def test_many_files_are_asked_for_in_parts(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_AT_ONCE", 2)
    (repository / "a.py").write_text("x = 2\n")
    (repository / "sub/a.py").write_text("x = 2\n")
    assert uncommitted(files(repository)) == [repository / "a.py", repository / "sub/a.py"]


def test_variables_of_a_hook_do_not_mislead(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    assert uncommitted(files(repository)) == []


def test_git_that_cannot_tell_is_no_yes(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / ".git/HEAD").write_text("broken")
    with pytest.raises(UnknownState, match="not a git repository"):
        uncommitted(files(repository))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UnknownState, match="git is not installed"):
        uncommitted(files(repository))
