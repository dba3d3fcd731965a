"""Files are replaced whole or not at all; git is asked what is not committed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tnp_migrate.text import writing
from tnp_migrate.text.writing import UnknownState, uncommitted, write_atomically


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
