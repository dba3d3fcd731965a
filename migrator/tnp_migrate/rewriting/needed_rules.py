"""Which definitions of the rules some helpers need, themselves among them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tnp_migrate.numpy_facts.rulebook import Definition, Rulebook


def needed_definitions(rulebook: Rulebook, names: Iterable[str]) -> list[Definition]:
    """The definitions that some helpers need, in an order that the set alone decides: what is used comes first."""
    wanted: set[str] = set()
    pending = [name for name in names if name in rulebook.definitions]
    while pending:
        name = pending.pop()
        if name not in wanted:
            wanted.add(name)
            pending += _uses(rulebook, name)
    ordered: dict[str, Definition] = {}
    for name in sorted(wanted):
        _place(rulebook, name, ordered, set())
    return list(ordered.values())


def _place(rulebook: Rulebook, name: str, ordered: dict[str, Definition], above: set[str]) -> None:
    """Put a definition after what it uses; functions that use each other keep the order of their names."""
    if name in ordered or name in above:
        return
    for other in sorted(_uses(rulebook, name)):
        _place(rulebook, other, ordered, above | {name})
    ordered[name] = rulebook.definitions[name]


def _uses(rulebook: Rulebook, name: str) -> list[str]:
    return [
        other
        for other in free_names(rulebook.definitions[name].node)
        if other != name and other in rulebook.definitions
    ]


@cache
def free_names(node: ast.stmt) -> frozenset[str]:
    """The names that a definition takes from its module, those of its decorators left out."""
    from tnp_migrate.program.scopes import collect_scopes  # noqa: PLC0415  # only where helpers are written

    scopes = collect_scopes(ast.Module([node], []))
    return frozenset(
        name
        for name, uses in scopes.uses.items()
        if any(use.scope.owner(name) in (None, scopes.module) for use in uses)
    )
