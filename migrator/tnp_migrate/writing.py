"""Files are replaced whole or not at all: a temporary file beside them, synced, then renamed over them."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file; links are followed, mode bits kept. Raises `OSError`, and then the old file is whole."""
    target = path.resolve()
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(13, "the file is read-only", str(path))
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, name)
        else:
            mask = os.umask(0)
            os.umask(mask)
            Path(name).chmod(0o666 & ~mask)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def uncommitted(paths: Iterable[Path]) -> list[Path]:
    """Those of some files that git has changes of which are not committed. Outside a repository there are none."""
    by_folder: dict[Path, list[Path]] = {}
    for path in paths:
        by_folder.setdefault(path.resolve().parent, []).append(path)
    dirty: list[Path] = []
    for folder, files in by_folder.items():
        if not folder.is_dir():
            continue
        names = [file.name for file in files]
        try:
            done = subprocess.run(  # noqa: S603
                ["git", "status", "--porcelain", "-z", "--", *names],  # noqa: S607
                cwd=folder, capture_output=True, check=False,
            )  # fmt: skip
        except FileNotFoundError:
            return []
        if done.returncode:
            continue
        changed = {entry[3:].decode(errors="surrogateescape") for entry in done.stdout.split(b"\0") if len(entry) > 3}
        dirty += [file for file in files if any(one.endswith(file.name) for one in changed) and file.exists()]
    return dirty
