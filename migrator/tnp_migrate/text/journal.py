"""What a migration that is not finished has started from: the texts that its files had, kept outside of the project.

A run that was killed, or that was given some of the files, leaves a project of which a part is translated. What
becomes of the rest is decided by the project as it was: a translated function returns the array that it wrote to, and
no longer shows that its caller's array has to follow. So each run notes what it replaces before it does, and the next
one analyses those texts, until nothing is left to do or somebody has changed a translated file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tnp_migrate.text.writing import write_atomically


@dataclass(frozen=True)
class Entry:
    """One file: its bytes before the migration (None: it was not there), and the digest of those after it."""

    before: bytes | None
    after: str

    def fits(self, data: bytes | None) -> bool:
        """Whether a file is as it was before the migration, or as the migration left it."""
        return data == self.before or (data is not None and digest(data) == self.after)


Entries = dict[Path, Entry]


def digest(data: bytes) -> str:
    """A short name of some bytes, which no others have."""
    return hashlib.sha256(data).hexdigest()


def read_entries(root: Path) -> Entries:
    """What the unfinished migration of a project has replaced; nothing where none is known of."""
    try:
        found = json.loads(_place(root).read_bytes())
        return {
            Path(path): Entry(None if before is None else before.encode("latin-1"), after)
            for path, (before, after) in found["files"].items()
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError):  # none, or one that cannot be understood
        return {}


def write_entries(root: Path, entries: Mapping[Path, Entry]) -> None:
    """Note what a project's unfinished migration replaces; `OSError` where that is not possible."""
    files = {
        str(path): (None if one.before is None else one.before.decode("latin-1"), one.after)
        for path, one in sorted(entries.items())
    }
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    write_atomically(_place(root), json.dumps({"root": str(root), "files": files}).encode())


def forget(root: Path) -> None:
    """Drop what is known of a project's migration: it is finished, or somebody has gone on by hand."""
    with contextlib.suppress(OSError):
        _place(root).unlink(missing_ok=True)


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Keep other runs from reading and writing files while this one does, on systems that can; else go on without."""
    try:
        import fcntl  # noqa: PLC0415  # Windows has none

        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(folder() / "lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except (ImportError, OSError, RuntimeError):
        yield
        return
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _place(root: Path) -> Path:
    return folder() / f"{digest(os.fsencode(root))[:32]}.json"


def folder() -> Path:
    """The user's folder for what programs may keep."""
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache and Path(cache).is_absolute() else Path("~/.cache").expanduser()) / "tnp-migrate"
