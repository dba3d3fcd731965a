"""Which files a run works on: given paths, folders searched, git's and the user's patterns respected."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from errno import ELOOP
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tnp_migrate.text.file_kinds import is_foreign

if TYPE_CHECKING:
    import pathspec

# Neither looked into nor copied: what tools keep for themselves.
SKIPPED = frozenset(
    """.git .hg .svn __pycache__ .venv venv node_modules .tox .nox .mypy_cache .ruff_cache .pytest_cache .direnv .eggs
    .pixi .ipynb_checkpoints __pypackages__ site-packages dist-packages""".split()
)
_NOTEBOOK = ".ipynb"
_PYTHON = frozenset({".py", ".pyw", ".pyi", _NOTEBOOK})
OnError = Callable[[Path, OSError], None]
OnLink = Callable[[Path], None]


@dataclass(frozen=True)
class Found:
    """A file to look at: where it is, its name in the report, the given path that it was found under."""

    location: Path
    shown: str
    root: Path

    @property
    def is_python(self) -> bool:
        """Whether it is Python source, in a notebook perhaps."""
        return self.location.suffix in _PYTHON

    @property
    def is_notebook(self) -> bool:
        """Whether it is a notebook."""
        return self.location.suffix == _NOTEBOOK


@dataclass(frozen=True)
class Excluded:
    """The user's `exclude` patterns. They count from `folder`, for paths elsewhere from the path that was given.

    With `force` they hold for files given by name too: pre-commit gives names that no user chose.
    """

    patterns: tuple[str, ...] = ()
    folder: Path | None = None
    force: bool = False

    def hides(self, path: Path, root: Path, *, folder: bool) -> bool:
        """Whether a pattern matches a path or a folder above it."""
        if not self.patterns:
            return False
        base = self.folder or Path.cwd()
        name = path.relative_to(base if base in path.parents else root).as_posix()
        return match(self.patterns, name + "/" if folder else name)


NOTHING = Excluded()


def is_left_out(folder: Path) -> bool:
    """Whether a folder is an environment, or holds what was built: not the user's own code, within git or not."""
    if folder.name in SKIPPED or is_environment(folder):
        return True
    return folder.name == "build" and not os.path.isfile(folder / "__init__.py")  # noqa: PTH113  # no package


def is_environment(folder: Path) -> bool:
    """Whether a folder is a Python environment, whatever its name."""
    return os.path.isfile(folder / "pyvenv.cfg") or os.path.isdir(folder / "conda-meta")  # noqa: PTH112, PTH113


@dataclass(eq=False)
class _Ignores:
    """The patterns of one tree: `.gitignore` files on the way down, and the user's `exclude`."""

    exclude: Excluded
    files: dict[Path, pathspec.GitIgnoreSpec] = field(default_factory=dict)

    def enter(self, folder: Path) -> None:
        try:
            text = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace")
        except OSError:  # there is none, or the folder is closed to us
            return
        self.files[folder] = _compiled(tuple(text.splitlines()))

    def hides_given(self, path: Path) -> bool:
        """Whether git's patterns above a given folder would hide the folder itself."""
        return self._ignored(path, folder=True)

    def hides(self, path: Path, root: Path, *, folder: bool) -> bool:
        return self.exclude.hides(path, root, folder=folder) or self._ignored(path, folder=folder)

    def _ignored(self, path: Path, *, folder: bool) -> bool:
        """Ask the nearest `.gitignore` that has a word on the path: it may take back what one above it says."""
        for place in path.parents:
            patterns = self.files.get(place)
            if patterns is not None:
                said = patterns.check_file(path.relative_to(place).as_posix() + ("/" if folder else "")).include
                if said is not None:
                    return said
        return False


def match(patterns: tuple[str, ...], name: str) -> bool:
    """Whether one of some git-style patterns matches a path written with slashes."""
    return bool(_compiled(patterns).match_file(name))


@cache
def _compiled(patterns: tuple[str, ...]) -> pathspec.GitIgnoreSpec:
    import pathspec  # noqa: PLC0415  # only where there are patterns: it costs 15 ms to load

    return pathspec.GitIgnoreSpec.from_lines(patterns)


@dataclass(frozen=True)
class _Search:
    """One search: where it may look, and whom it tells of what it leaves out."""

    exclude: Excluded
    inside: frozenset[Path]  # what was given, without links: links that lead elsewhere are not followed
    on_error: OnError | None
    on_link: OnLink | None
    seen: set[Path] = field(default_factory=set)

    def leads_out(self, link: Path) -> bool:
        """Whether a link leads to none of the given places."""
        real = link.resolve()
        return self.inside.isdisjoint((real, *real.parents))

    def failed(self, path: Path, error: OSError) -> None:
        if self.on_error is not None:
            self.on_error(path, error)


def discover(
    paths: Iterable[Path],
    exclude: Excluded = NOTHING,
    on_error: OnError | None = None,
    on_link: OnLink | None = None,
) -> list[Found]:
    """Find the files under some paths, in order of their names, each file once.

    Of several names of one file the real one stands. Links out of what is given are not followed: `on_link` is told
    them. What is given by name is looked at even where git ignores it, and where it is a link.
    """
    here = Path.cwd()
    found: dict[Path, Found] = {}
    given = [Path(os.path.abspath(one)) for one in paths]  # noqa: PTH100  # links are kept as the user wrote them
    search = _Search(exclude, frozenset(one.resolve() for one in given), on_error, on_link)
    for path in given:
        if os.path.isfile(path):  # noqa: PTH113  # no error for what cannot be looked at
            if not (exclude.force and exclude.hides(path, path.parent, folder=False)):
                found.setdefault(path, Found(path, _shown(path, here), path.parent))
            continue
        ignores = _Ignores(exclude)
        for place in _inside_repository(path):
            ignores.enter(place)
        if ignores.hides_given(path):  # what the user names is looked at, wherever it is
            ignores = _Ignores(exclude)
        for location in _walk(path, path, ignores, search):
            found.setdefault(location, Found(location, _shown(location, here), path))
    return _each_once(list(found.values()))


def _each_once(found: list[Found]) -> list[Found]:
    """Leave out links to files that are there under their own name, and second links to one file."""
    links = [one for one in found if one.location.is_symlink()]
    if not links:
        return found
    taken = {one.location.resolve() for one in found if not one.location.is_symlink()}
    dropped = set()
    for one in links:
        real = one.location.resolve()
        if real in taken:
            dropped.add(one.location)
        taken.add(real)
    return [one for one in found if one.location not in dropped]


def hidden_below(root: Path, path: Path, exclude: Excluded) -> bool:
    """Whether a search of `root` would not come to a path below it."""
    ignores = _Ignores(exclude)
    for place in reversed([path, *path.parents]):
        if root in place.parents:
            folder = place != path or place.is_dir()
            if (folder and is_left_out(place)) or ignores.hides(place, root, folder=folder):
                return True
        if place == root or root in place.parents:
            ignores.enter(place)
    return False


def _inside_repository(path: Path) -> list[Path]:
    """The folders above a path up to the repository's root, the root first; none where the path is the root."""
    if os.path.exists(path / ".git"):  # noqa: PTH110  # no error for closed folders, here and below
        return []
    above = list(path.parents)
    roots = [position for position, place in enumerate(above) if os.path.exists(place / ".git")]  # noqa: PTH110
    return list(reversed(above[: roots[0] + 1])) if roots else []


def _walk(folder: Path, root: Path, ignores: _Ignores, search: _Search) -> Iterator[Path]:
    real = folder.resolve()
    if real in search.seen:
        return
    search.seen.add(real)
    ignores.enter(folder)
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        search.failed(folder, error)
        return
    for entry in entries:
        path = folder / entry.name
        if _is_folder(entry):
            if is_left_out(path) or ignores.hides(path, root, folder=True):
                continue
            if not entry.is_symlink():
                yield from _walk(path, root, ignores, search)
            elif search.leads_out(path) and search.on_link is not None:
                search.on_link(path)
        elif _is_source(path) and not ignores.hides(path, root, folder=False) and _is_file(entry, search):
            if not entry.is_symlink() or not search.leads_out(path):
                yield path
            elif search.on_link is not None:
                search.on_link(path)


def _is_source(path: Path) -> bool:
    return path.suffix in _PYTHON or is_foreign(path.name)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself, which is no file either
        return False


def _is_file(entry: os.DirEntry[str], search: _Search) -> bool:
    """Whether it is a file: pipes would block, and editors leave links that lead nowhere."""
    try:
        return entry.is_file()
    except OSError as error:
        search.failed(Path(entry.path), error)
        return False


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
    while os.path.isfile(folder / "__init__.py"):  # noqa: PTH113  # no error for closed folders
        parts.insert(0, folder.name)
        top = folder
        folder = folder.parent
    return ".".join(parts) or location.stem, top


def unusable(paths: Sequence[Path]) -> list[tuple[Path, str, str]]:
    """Given paths that are neither files nor folders, with the code and the words that say why."""
    found = []
    for path in paths:
        try:
            os.stat(path)  # noqa: PTH116  # its error tells a loop from what is not there
        except OSError as error:
            loop = error.errno == ELOOP
            found.append((path, "TNP907", "symbolic links form a loop") if loop else (path, "TNP906", "does not exist"))
            continue
        if not path.is_file() and not path.is_dir():
            found.append((path, "TNP903", "cannot be read: it is neither a file nor a folder"))
    return found
