"""Files are replaced whole or not at all: a temporary file beside them, synced, then renamed over them."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

_AT_ONCE = 500  # file names in one call of git: systems limit the length of a command


class UnknownState(Exception):
    """Git is there but cannot say what is committed; the message is its own."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file; links are followed, mode and owner kept. Raises `OSError`, and then the old file is whole."""
    target = path.resolve()
    old = target.stat() if target.exists() else None
    if old is not None and not (old.st_mode & 0o222 and os.access(target, os.W_OK)):  # root may write all the same
        raise PermissionError(13, "the file is read-only", str(path))
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:200]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _take_over(Path(name), target, old)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _take_over(new: Path, target: Path, old: os.stat_result | None) -> None:
    """Give the new file the mode and the owner of the old one, or those of a file that a program makes."""
    if old is None:
        mask = os.umask(0)
        os.umask(mask)
        new.chmod(0o666 & ~mask)
        return
    made = new.stat()
    if (made.st_uid, made.st_gid) != (old.st_uid, old.st_gid):
        with contextlib.suppress(OSError):  # only root may give files away
            shutil.chown(new, old.st_uid, old.st_gid)
    shutil.copymode(target, new)


def uncommitted(paths: Iterable[Path]) -> list[Path]:
    """Those of some files that git has changes of which are not committed. Outside a repository there are none."""
    by_root: dict[Path, list[Path]] = {}
    for path in paths:
        real = path.resolve()
        root = next((place for place in real.parents if (place / ".git").exists()), None)
        if root is not None and real.is_file():
            by_root.setdefault(root, []).append(path)
    dirty: list[Path] = []
    for root, files in by_root.items():
        for start in range(0, len(files), _AT_ONCE):
            dirty += _changed(root, files[start : start + _AT_ONCE])
    return sorted(dirty)


def _changed(root: Path, files: Sequence[Path]) -> list[Path]:
    names = {os.fsencode(path.resolve().relative_to(root)): path for path in files}
    command = ["git", "--literal-pathspecs", "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames"]
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}  # a hook sets GIT_DIR
    try:
        done = subprocess.run([*command, "--", *names], cwd=root, capture_output=True, check=False, env=own)  # noqa: S603
    except FileNotFoundError:
        raise UnknownState("git is not installed") from None
    if done.returncode:
        raise UnknownState(done.stderr.decode(errors="replace").strip() or f"git status ended with {done.returncode}")
    return [names[entry[3:]] for entry in done.stdout.split(b"\0") if entry[3:] in names]
