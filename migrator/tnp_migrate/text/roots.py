"""The root of a file: its repository, else its project; paths from there mean the same wherever a run is started."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_MARKS = ("pyproject.toml", "setup.cfg", "setup.py")


def repository_of(path: Path) -> Path | None:
    """Return the root of the git repository that a file or folder is in; None outside of one."""
    return next((place for place in (path, *path.parents) if (place / ".git").exists()), None)


def roots_of(folders: Iterable[Path]) -> dict[Path, Path | None]:
    """Return for each folder its repository, else the nearest folder that is marked as a project, else None."""
    return {folder: repository_of(folder) or _project_of(folder) for folder in set(folders)}


def _project_of(folder: Path) -> Path | None:
    places = (folder, *folder.parents)
    return next((place for place in places if any((place / mark).is_file() for mark in _MARKS)), None)
