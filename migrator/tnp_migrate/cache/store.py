"""The folder of entries, which is the user's own: read, written whole, and kept small.

Runs at the same time do each other no harm: an entry is renamed into its place, and one that is gone is a miss.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from tnp_migrate.text import journal
from tnp_migrate.text.writing import write_atomically

MOST_BYTES = 200 << 20
MOST_ENTRIES = 200


def read(key: str) -> bytes | None:
    """The bytes of an entry; None where there is none, or where it is not the user's own."""
    try:
        place = _folder() / key
        found = place.lstat()
        if not stat.S_ISREG(found.st_mode) or (hasattr(os, "getuid") and found.st_uid != os.getuid()):
            return None
        data = place.read_bytes()
        os.utime(place)  # what is asked for stays
    except (OSError, RuntimeError):
        return None
    return data


def write(key: str, data: bytes) -> None:
    """Keep an entry, and drop the oldest where there are too many; where that is not possible nothing is kept."""
    with contextlib.suppress(OSError, RuntimeError):
        folder = _folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if len(data) <= MOST_BYTES // 2:
            write_atomically(folder / key, data)
        _drop_oldest(folder)


def drop(key: str) -> None:
    """Take an entry away that cannot be read."""
    with contextlib.suppress(OSError, RuntimeError):
        (_folder() / key).unlink(missing_ok=True)


def _drop_oldest(folder: Path) -> None:
    entries = []
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # another run has dropped it
            found = path.stat()
            entries.append((found.st_mtime_ns, found.st_size, path))
    entries.sort(reverse=True)
    size = 0
    for position, (_, bytes_, path) in enumerate(entries):
        size += bytes_
        if size > MOST_BYTES or position >= MOST_ENTRIES:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def _folder() -> Path:
    return journal.folder() / "runs"
