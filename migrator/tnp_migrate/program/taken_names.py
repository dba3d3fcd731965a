"""Which names of each module of a project others take: `from compat import np`, `compat.np`, and what stars hand on.

Input `from .shapes import *` in `a.py`, where `np` is read, output `{"shapes": {"np"}}`: an import of `np` that
`shapes.py` itself has no more use for has to stay there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tnp_migrate.program.index import Module
from tnp_migrate.program.names import Names


def taken_names(modules: Iterable[Module]) -> dict[str, set[str]]:
    """For each module, by its name, the names that other modules read of it."""
    modules = list(modules)
    found: dict[str, set[str]] = {}
    for module in modules:
        for given, name in [*_imported(module.names), *_read_by_star(module.names)]:
            found.setdefault(given, set()).add(name)
    starred = {module.name: [one for one in module.names.starred if one in module.names.exports] for module in modules}
    pending = list(found)
    while pending:  # what is taken of a module that has it by a star is taken of where it comes from
        giver = pending.pop()
        for source in starred.get(giver, ()):
            known = found.setdefault(source, set())
            if not found[giver] <= known:
                known |= found[giver]
                pending.append(source)
    return found


def _imported(names: Names) -> Iterator[tuple[str, str]]:
    for node, scope in names.scopes.imports:
        if isinstance(node, ast.ImportFrom):
            yield from ((names.absolute(node), alias.name) for alias in node.names)
        for alias in node.names:  # `from pkg import compat` and `compat.np` read a name of `pkg.compat`
            bound = alias.asname or alias.name.split(".")[0]
            root = names.root(bound, scope)
            for use in names.scopes.uses.get(bound, ()) if root else ():
                chain = [str(root), *use.attributes]
                yield from ((".".join(chain[:length]), chain[length]) for length in range(1, len(chain)))


def _read_by_star(names: Names) -> Iterator[tuple[str, str]]:
    """The names that nothing here binds, of each module of the project that gives its names by a star."""
    given = [one for one in names.starred if one in names.exports]
    if not given:
        return
    for name, uses in names.scopes.uses.items():
        if any(use.scope.owner(name) is None for use in uses):
            yield from ((one, name) for one in given)
