"""What a project's own imports say of files that are run as scripts, or imported otherwise than their packages say.

Input `lab/fit/line.py` with `if __name__ == "__main__":`, output its own folder for its helper module: Python puts that
on its path and knows no package then. After `from fit.line import slope` its name is `fit.line`, not `lab.fit.line`.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tnp_migrate.rewriting.files import File

_GUARD = re.compile(rb"^if\s+__name__\s*==", re.MULTILINE)
_RELATIVE = re.compile(rb"^[ \t]*from[ \t]*\.(?!\.*[ \t]*import[ \t]+_tnp_helpers\b)", re.MULTILINE)
_IMPORT = re.compile(
    rb"^[ \t]*(?:import[ \t]+([\w.]+)|from[ \t]+([\w.]+)[ \t]+import[ \t]*\(?([\w \t,]*))", re.MULTILINE
)
_DEEPEST = 8


def settle_modules(files: Iterable[File]) -> None:
    """Set how files import the helper module, and the names that other files import them by."""
    files = [file for file in files if file.name and not file.is_stub]
    imported = {file.found.location.parent: set[str]() for file in files}
    for file in files:
        imported[file.found.location.parent] |= _imported(file.source.data)
    everywhere = set().union(*imported.values())
    files = [file for file in files if file.cells is None]  # nothing imports notebooks
    relative = {file.top for file in files if _RELATIVE.search(file.source.data)}
    known = {file.name for file in files}
    claims = Counter(name for file in files for name in _names(file))
    for file in files:
        folder, package = file.found.location.parent, (file.top / "__init__.py").is_file()
        others = [name for name in _names(file) if name in everywhere and name not in known and claims[name] == 1]
        if package and _RELATIVE.search(file.source.data) is None:
            plain = {file.found.location.stem} - sys.stdlib_module_names
            file.runs_alone = not plain.isdisjoint(imported[folder]) or _GUARD.search(file.source.data) is not None
            if file.runs_alone or others:
                file.top = folder
        if others and file.name not in everywhere and file.top not in relative:
            file.name = others[-1]


def name_apart(files: Iterable[File]) -> None:
    """Give each file a name of its own, and files that stand beside each other the names they import each other by.

    Scripts and packages in different folders may have one name: the first keeps it. Stub files give types and have no
    bodies to analyse, so none of them stands for a module.
    """
    owners: dict[str, dict[Path, None]] = {}
    ordered = sorted(files, key=lambda one: (one.is_stub, one.found.location.parts))
    for file in ordered:
        owners.setdefault(file.name.partition(".")[0], {})[_base(file)] = None
    apart: dict[Path, dict[str, str]] = {}
    for top, bases in owners.items():
        for position, base in enumerate(bases):
            if position:
                apart.setdefault(base, {})[top] = f"@{position}.{top}"
    taken: set[str] = set()
    for file in ordered:
        file.apart = apart.get(_base(file), {})
        top, dot, rest = file.name.partition(".")
        file.name = file.apart.get(top, top) + dot + rest
        if file.is_stub:
            file.name += ".__init__-stub" if file.found.location.stem == "__init__" else "-stub"
        while file.name in taken:  # `a.py` beside `a.pyw` or `a/__init__.py`
            file.name += "-"
        taken.add(file.name)


def _base(file: File) -> Path:
    """The folder that a file's name counts from."""
    depth = file.name.count(".") + (file.found.location.stem == "__init__")
    above = [*file.found.location.parents]
    return above[min(depth, len(above) - 1)]


def _imported(data: bytes) -> set[str]:
    """The modules that a file names in imports, and what it takes from them, which may be modules as well."""
    found = set()
    for whole, module, names in (match.groups(b"") for match in _IMPORT.finditer(data)):
        found.add((whole or module).decode())
        if module:
            found |= {f"{module.decode()}.{name.decode()}" for name in re.findall(rb"\w+", names)}
    return found


def _names(file: File) -> list[str]:
    """The dotted names that a file may be imported by: `b.c` and `a.b.c` of `a/b/c.py`."""
    parts = file.found.location.resolve().with_suffix("").parts[1:]
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return [".".join(parts[-count:]) for count in range(2, min(len(parts), _DEEPEST) + 1)]
