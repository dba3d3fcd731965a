"""The project around given files: all of it is analysed, so that a file has one text whichever files are given.

Input `pkg/use.py`, output every file of the repository that it stands in: `pkg/lib.py`, whose function writes to what
`use.py` passes to it, decides what becomes of the call.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tnp_migrate.text.discovery import NOTHING, Excluded, Found, discover, hidden_below, module_name

_SETUP = ("pyproject.toml", "setup.cfg", "setup.py")
_INSTALLED = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class Surroundings:
    """The folders that given files belong to, the outermost ones, and every file of them in the order of paths.

    `places` are the folders and files that were searched for them, `given` those of `files` that are to be reported and
    written.
    """

    roots: tuple[Path, ...]
    places: tuple[Path, ...]
    files: tuple[Found, ...]
    given: frozenset[Path]


def surroundings(paths: Sequence[Path], given: Iterable[Found], exclude: Excluded = NOTHING) -> Surroundings:
    """Find the projects that some paths are in, and all their files beside those given.

    A project is the outermost repository that does not ignore the path, else the outermost folder with a
    `pyproject.toml`, `setup.cfg` or `setup.py`, else the packages and scripts of the folder that a file would be
    imported from. Home folders, the file system's root and the like are no projects, whatever they hold. A given folder
    without any of these is one itself.
    """
    asked = {one.location: one for one in given}
    if not asked:
        return Surroundings((), (), (), frozenset())
    whole = {Path(os.path.abspath(path)) for path in paths}  # noqa: PTH100  # links stay as the user wrote them
    places: dict[Path, Path] = {}
    for path in whole:
        places |= _places(path, exclude)
    searched = _outermost(places)
    forced = Excluded(exclude.patterns, exclude.folder, force=True)
    found = asked.values() if places.keys() <= whole else discover(searched, forced)
    around = {one.location: one for one in found if one.is_python}
    linked = {location.resolve(): location for location in asked if location not in around}
    for name in [one for one in around if linked and one not in asked and one.resolve() in linked]:
        asked[name] = around[name]  # given by a link: it is the file itself that is meant
        asked.pop(linked[name.resolve()])
    files = sorted((around | asked).values(), key=lambda one: one.location.parts)
    return Surroundings(_outermost(places.values()), searched, tuple(files), frozenset(asked))


def _outermost(places: Iterable[Path]) -> tuple[Path, ...]:
    """The places that are in no other one of them."""
    every = set(places)
    return tuple(sorted(one for one in every if every.isdisjoint(one.parents)))


def _places(path: Path, exclude: Excluded) -> dict[Path, Path]:
    """The folders and files of the project that a path is in, each with the project's root."""
    root = project_root(path, exclude)
    if root is not None:
        return {root: root}
    folder = path.is_dir()
    top = module_name(path / "__init__.py" if folder else path)[1]
    if folder and top == path:  # no package, or a topmost one
        if not (path / "__init__.py").is_file():
            return {path: path}
        top = path
    base = top.parent if (top / "__init__.py").is_file() else top
    if base != top and _is_no_project(base):
        return {top: top}
    return {path: base} | dict.fromkeys(_importable(base), base)


def _importable(base: Path) -> Iterator[Path]:
    """The scripts that stand directly in a folder, and its packages unless the folder is everybody's."""
    try:
        entries = sorted(os.scandir(base), key=lambda entry: entry.name)
    except OSError:
        return
    packages = not _is_no_project(base)
    for entry in entries:
        place = base / entry.name
        marker = place if place.suffix in (".py", ".pyw", ".pyi", ".ipynb") else place / "__init__.py"
        if os.path.isfile(marker) and (packages or marker == place):  # noqa: PTH113  # no error for closed folders
            yield place


def project_root(path: Path, exclude: Excluded = NOTHING) -> Path | None:
    """The folder of the project that a file or folder is in; None where no mark tells.

    A folder that would not look into the path, because git's or the user's patterns hide it or because it is in an
    environment, is not the path's project.
    """
    above = [*([path] if path.is_dir() else []), *path.parents]
    for marks in ((".git",), _SETUP):
        for place in reversed(above):
            if not _is_no_project(place) and _has(place, marks) and not hidden_below(place, path, exclude):
                return place
    return None


@cache
def _has(folder: Path, names: tuple[str, ...]) -> bool:
    return any(os.path.exists(folder / name) for name in names)  # noqa: PTH110  # no error for closed ones


@cache
def _is_no_project(folder: Path) -> bool:
    """Whether a folder holds what has nothing to do with each other: never walked because of one file in it."""
    try:
        home = Path.home()
    except RuntimeError:  # a user without one
        home = Path("/")
    temporary = {"/tmp", "/var/tmp", *(os.environ.get(name, "/tmp") for name in ("TMPDIR", "TEMP", "TMP"))}  # noqa: S108
    shared = {home, *home.parents, *map(Path, temporary)}
    return folder in shared or folder == folder.parent or folder.name in _INSTALLED
