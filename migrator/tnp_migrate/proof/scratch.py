"""Scratch copies of the project: what is replayed runs there, and the user's own files stay as they are."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from tnp_migrate.text.discovery import SKIPPED, is_environment
from tnp_migrate.text.surroundings import project_root

LEFT_OUT = SKIPPED | {".tnp-migrate"}


def project_of(path: Path) -> Path:
    """The folder of the project that a path is in, from which the paths of a recording count."""
    found = project_root(path)
    if found is not None:
        return found
    folder = path if path.is_dir() else path.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def python_files(root: Path) -> list[Path]:
    """The Python files below a path, in order, without those of environments and caches."""
    return [root] if root.is_file() else sorted(one for one in _walk(root) if one.suffix == ".py")


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        here = Path(place)
        folders[:] = [one for one in folders if one not in LEFT_OUT and not is_environment(here / one)]
        yield from (here / name for name in files)


def copy_of(base: Path, target: Path, outputs: Mapping[Path, bytes]) -> Path:
    """Copy a project, with some files' new contents in their places; the folder of the copy."""
    for path in _walk(base):
        place = target / path.relative_to(base)
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():  # no pipe, no socket, and a link as what it leads to
            shutil.copy2(path, place)
    for path, data in outputs.items():
        place = target / path.relative_to(base)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return target
