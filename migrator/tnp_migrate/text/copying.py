"""`--out-dir`: a complete, runnable copy of what was given, other files too, with the outputs in their places."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tnp_migrate.text.discovery import SKIPPED, is_environment, module_name

OnError = Callable[[Path, OSError], None]


@dataclass(frozen=True)
class _Copy:
    """One copy: from `base` to `out`. `rewritten` are the files whose new text comes later."""

    base: Path
    out: Path
    rewritten: frozenset[Path]
    on_error: OnError

    def target(self, path: Path) -> Path:
        return self.out / path.relative_to(self.base)

    def run(self, path: Path) -> None:
        """Copy a file, or a folder with all that is below it; what cannot be copied is told and left out."""
        try:
            if path.is_symlink() and self._link(path):
                return
            if not path.is_dir():
                self._file(path)
                return
            self.target(path).mkdir(parents=True, exist_ok=True)
            names = sorted(os.listdir(path))  # noqa: PTH208  # names are all that is wanted
        except OSError as error:
            self.on_error(path, error)
            return
        for name in names:
            if name not in SKIPPED and path / name != self.out and not is_environment(path / name):
                self.run(path / name)

    def _file(self, path: Path) -> None:
        target = self.target(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() or path.is_symlink():  # and no pipe or socket, which would block
            target.unlink(missing_ok=True)  # what stands there may be a link to somewhere else
            import shutil  # noqa: PLC0415  # which imports all kinds of archives

            shutil.copy2(path, target)

    def _link(self, path: Path) -> bool:
        """Copy a link as a link, unless what it leads to is outside and was translated: then that is copied."""
        real = path.resolve()
        base = self.base.resolve()
        if real.exists() and real != base and base not in real.parents:
            if path in self.rewritten or any(path in one.parents for one in self.rewritten):
                return False
            text = os.fspath(real)
        elif os.readlink(path).startswith(os.sep) and base in real.parents:  # noqa: PTH115  # its text, not a path
            text = os.path.relpath(real, path.parent.resolve())
        else:
            text = os.readlink(path)  # noqa: PTH115
        target = self.target(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_symlink() or target.is_file():
            target.unlink()
        target.symlink_to(text)
        return True


def copy_project(
    paths: Sequence[Path], out: Path, outputs: Mapping[Path, bytes], on_error: OnError
) -> dict[Path, bytes]:
    """Copy every file, what git ignores too (but no caches and environments), and give the outputs by their new paths.

    One folder is copied as it is: `src/a.py` becomes `out/a.py`. Of several paths each keeps its name below `out`,
    parts of a package their place in it, because they import its helper module from there.
    Links stay links and lead to the same place of the copy; those that lead out of the tree lead there still.
    """
    moved: dict[Path, bytes] = {}
    remaining = dict(outputs)
    for path, base in bases(paths):
        _Copy(base, Path(os.path.abspath(out)), frozenset(outputs), on_error).run(path)  # noqa: PTH100
        for location in [one for one in remaining if base == one.parent or base in one.parents]:
            moved[out / location.relative_to(base)] = remaining.pop(location)
    assert not remaining, remaining
    return moved


def bases(paths: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Each given path in full, with the folder that becomes `out`: its package's, where it is a part of one."""
    for given in paths:
        path = Path(os.path.abspath(given))  # noqa: PTH100  # as discovery names it
        base = path if path.is_dir() and len(paths) == 1 else path.parent
        top = module_name(path / "__init__.py" if path.is_dir() else path)[1]
        yield path, top if top in base.parents else base
