"""Files are replaced whole or not at all: a temporary file beside them, synced, then renamed over them.

Of a set of files the temporary ones are all there before the first is renamed, so that a full disk loses nothing.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

_AT_ONCE = 500  # file names in one call of git: systems limit the length of a command
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS})  # what no other file would escape
OnError = Callable[[Path, OSError], None]


class UnknownState(Exception):
    """Git is there but cannot say what is committed; the message is its own."""


@dataclass(frozen=True)
class Change:
    """A file to be written: its bytes when it was read (None: it was not there), and the new ones.

    One that is `needed` by the others, a helper module, is written before them; where it fails nothing else is.
    """

    path: Path
    before: bytes | None
    after: bytes
    needed: bool = False


def write_changes(changes: Iterable[Change], on_error: OnError) -> list[Path]:
    """Write a set of files and give those written; `on_error` is told each one that was left as it was, and why.

    Where a needed one cannot be written, or the disk is full, nothing is. A file that has changed since it was read is
    left.
    """
    ordered = sorted(changes, key=lambda one: (not one.needed, one.path))
    staged: dict[Change, Path] = {}
    try:
        for change in ordered:
            try:
                staged[change] = _stage(change.path, change.after)
            except OSError as error:
                on_error(change.path, error)
                if change.needed or error.errno in _FULL:
                    return []
        return _rename(staged, on_error)
    finally:
        for temporary in staged.values():
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _rename(staged: dict[Change, Path], on_error: OnError) -> list[Path]:
    written = []
    for change, temporary in staged.items():
        try:
            _check_unchanged(change)
            temporary.replace(change.path.resolve())
        except OSError as error:
            on_error(change.path, error)
            if change.needed:
                break
            continue
        written.append(change.path)
    return written


def _check_unchanged(change: Change) -> None:
    """Raise `OSError` where somebody has changed a file since it was read; another run may have written the same."""
    try:
        now: bytes | None = change.path.read_bytes()
    except FileNotFoundError:
        now = None
    if now not in (change.before, change.after):
        raise OSError(errno.EBUSY, "it was changed while this ran; run again")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file; links are followed, mode and owner kept. Raises `OSError`, and then the old file is whole."""
    temporary = _stage(path, data)
    try:
        temporary.replace(path.resolve())
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def temporary_name(path: Path) -> Path:
    """Where the new content of a file stands before it is renamed: one name a file, so that a later run knows it."""
    target = path.resolve()
    return target.with_name(f".tnp-migrate-{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]}")


def remove_leftovers(paths: Iterable[Path]) -> None:
    """Remove the temporary files that a killed run has left beside some files."""
    for path in paths:
        with contextlib.suppress(OSError):
            temporary_name(path).unlink(missing_ok=True)


def _stage(path: Path, data: bytes) -> Path:
    """Write the temporary file of a file, with its mode and owner."""
    target, temporary = path.resolve(), temporary_name(path)
    old = target.stat() if target.exists() else None
    if old is not None and not (old.st_mode & 0o222 and os.access(target, os.W_OK)):  # root may write all the same
        raise PermissionError(errno.EACCES, "the file is read-only", str(path))
    temporary.unlink(missing_ok=True)
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _take_over(temporary, target, old)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    return temporary


def _take_over(new: Path, target: Path, old: os.stat_result | None) -> None:
    """Give the new file the mode and the owner of the old one, or those of a file that a program makes."""
    if old is None:
        mask = os.umask(0)
        os.umask(mask)
        new.chmod(0o666 & ~mask)
        return
    import shutil  # noqa: PLC0415  # which imports all kinds of archives

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
    import subprocess  # noqa: PLC0415  # only to write in place

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
