"""Which files a run works on: given paths, folders searched, git's and the user's patterns respected."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pathspec

from tnp_migrate.foreign import is_foreign

_SKIPPED = frozenset({".git", ".hg", ".svn", "__pycache__", ".venv", "venv", "node_modules", ".tox", ".nox", ".mypy_cache"})
_PYTHON = frozenset({".py", ".pyw", ".pyi"})


@dataclass(frozen=True)
class Found:
    """A file to look at: where it is, its name in the report, the given path that it was found under."""

    location: Path
    shown: str
    root: Path

    @property
    def is_python(self) -> bool:
        """Whether it is Python source."""
        return self.location.suffix in _PYTHON


@dataclass(eq=False)
class _Ignores:
    """The patterns of one tree: `.gitignore` files on the way down, and the user's `exclude`."""

    exclude: pathspec.PathSpec
    files: dict[Path, pathspec.PathSpec] = field(default_factory=dict)

    def enter(self, folder: Path) -> None:
        file = folder / ".gitignore"
        if file.is_file():
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
            self.files[folder] = pathspec.PathSpec.from_lines("gitwildmatch", lines)

    def hides_given(self, path: Path) -> bool:
        """Whether the patterns above a given folder would hide the folder itself."""
        return any(
            place in path.parents and patterns.match_file(path.relative_to(place).as_posix() + "/")
            for place, patterns in self.files.items()
        )

    def hides(self, path: Path, root: Path, *, folder: bool) -> bool:
        tail = "/" if folder else ""
        if self.exclude.match_file(path.relative_to(root).as_posix() + tail):
            return True
        for place, patterns in self.files.items():
            if place in path.parents and patterns.match_file(path.relative_to(place).as_posix() + tail):
                return True
        return False


def discover(paths: list[Path], exclude: tuple[str, ...], *, everything: bool = False) -> Iterator[Found]:
    """Find the files under some paths, in order of their names. `everything` gives files of every kind."""
    patterns = pathspec.PathSpec.from_lines("gitwildmatch", exclude)
    here = Path.cwd()
    seen: set[Path] = set()
    for given in paths:
        path = Path(os.path.abspath(given))  # noqa: PTH100  # links are kept as the user wrote them
        if path.is_file():
            yield Found(path, _shown(path, here), path.parent)
            continue
        ignores = _Ignores(patterns)
        for place in _inside_repository(path):
            ignores.enter(place)
        if ignores.hides_given(path):  # what the user names is looked at, wherever it is
            ignores = _Ignores(patterns)
        yield from _walk(path, path, ignores, seen, here, everything=everything)


def _inside_repository(path: Path) -> list[Path]:
    """The folders above a path up to the repository's root, the root first."""
    above = list(path.parents)
    roots = [position for position, place in enumerate(above) if (place / ".git").exists()]
    return list(reversed(above[: roots[0] + 1])) if roots else []


def _walk(folder: Path, root: Path, ignores: _Ignores, seen: set[Path], here: Path, *, everything: bool) -> Iterator[Found]:
    real = folder.resolve()
    if real in seen:  # a link back up the tree
        return
    seen.add(real)
    ignores.enter(folder)
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        path = folder / entry.name
        try:
            is_folder = entry.is_dir()
        except OSError:
            continue
        if is_folder:
            if entry.name not in _SKIPPED and not ignores.hides(path, root, folder=True):
                yield from _walk(path, root, ignores, seen, here, everything=everything)
        elif (everything or path.suffix in _PYTHON or is_foreign(path.name)) and not ignores.hides(path, root, folder=False):
            yield Found(path, _shown(path, here), root)


def _shown(path: Path, here: Path) -> str:
    try:
        return path.relative_to(here).as_posix()
    except ValueError:
        return path.as_posix()


def module_name(location: Path) -> tuple[str, Path]:
    """The dotted name of a module and the folder its helper module goes to: that of its topmost package."""
    folder = location.parent
    parts = [] if location.stem == "__init__" else [location.stem]
    top = folder
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        top = folder
        folder = folder.parent
    return ".".join(parts) or location.stem, top
