"""Closure cells: the variables of a function that functions inside it read or bind."""

from __future__ import annotations

from tnp_migrate.program.scopes import Scope, Scopes

Cell = tuple[Scope, str]


def find_cells(scopes: Scopes) -> frozenset[Cell]:
    """The variables, by the scope that owns them, that are used in another function than the one that they are of."""
    found: set[Cell] = set()
    for name, uses in scopes.uses.items():
        for use in uses:
            owner = use.scope.owner(name)
            if owner is not None and owner.kind != "module" and body_scope(use.scope) is not body_scope(owner):
                found.add((owner, name))
    for scope in scopes.of.values():
        for name in scope.nonlocals:
            owner = scope.owner_above(name)
            if owner is not None:
                found.add((owner, name))
    return frozenset(found)


def body_scope(scope: Scope) -> Scope:
    """The scope of the function, or of the module, whose statements run the code of a scope."""
    while scope.kind in ("comprehension", "class") and scope.parent is not None:
        scope = scope.parent
    return scope
