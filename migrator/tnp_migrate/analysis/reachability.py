"""What nodes lead to, remembered while nothing is unified; and what leads to them."""

from __future__ import annotations

from collections.abc import Iterable

from tnp_migrate.analysis.heap import Node, find, reachable


class Reachable:
    """What can be reached from nodes, remembered: while it is asked, nothing is unified."""

    def __init__(self) -> None:
        self._known: dict[frozenset[Node], dict[Node, None]] = {}

    def of(self, roots: Iterable[Node]) -> dict[Node, None]:
        """The nodes that can be reached from some, themselves among them."""
        key = frozenset(map(find, roots))
        if key not in self._known:
            self._known[key] = reachable([*roots])
        return self._known[key]


def holders_of(roots: Iterable[Node]) -> dict[Node, list[Node]]:
    """By a node what holds it."""
    found: dict[Node, list[Node]] = {}
    for node in reachable([*roots]):
        for held in node.fields.values():
            found.setdefault(find(held), []).append(node)
    return found
