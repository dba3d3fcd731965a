"""What a run over a part of a project leaves undone: files that were not given and have to be migrated with the part.

Input `use.py`, which calls `lib.normalize(x)` for its effect, output a finding in `use.py` that names `lib.py`: the
translated call takes the array from the result, and `lib.py` as it stands gives none.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from pathlib import Path

from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.rewriting.files import File

_NAMED = 3


def unmigrated_neighbours(
    files: Iterable[File], migrated: Collection[Path], waiting: Collection[Path]
) -> dict[Path, Finding]:
    """Give a finding for each migrated file that imports a waiting one, or is imported by one."""
    files = list(files)
    home = {file.name: file.found.location for file in files}
    links: dict[Path, set[Path]] = {}
    for file in files:
        here = file.found.location
        for there in {home[name] for name in _imported(file) if name in home} - {here}:
            links.setdefault(here, set()).add(there)
            links.setdefault(there, set()).add(here)
    shown = {file.found.location: file.found.shown for file in files}
    found = {}
    for place in sorted(migrated):
        others = sorted(shown[one] for one in links.get(place, set()) & set(waiting))
        if others:
            found[place] = _finding(shown[place], others)
    return found


def _imported(file: File) -> set[str]:
    """The modules that a file's imports may mean."""
    found: set[str] = set()
    if file.module is None:
        return found
    for node, _ in file.module.names.scopes.imports:
        base = file.module.names.absolute(node) if isinstance(node, ast.ImportFrom) else ""
        found |= {base} | {f"{base}.{alias.name}".lstrip(".") for alias in node.names}
    return found


def _finding(path: str, others: list[str]) -> Finding:
    more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
    names = ", ".join(others[:_NAMED]) + more
    message = f"has to be migrated together with {names}, which exchange arrays with it: give them as well"
    return Finding("TNP330", path, 1, 1, 1, 1, message)
