"""What the nodes of a graph have, themselves or by all that they lead to: each node and each edge is looked at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)
Fact = TypeVar("Fact", bound=Hashable)


@dataclass(eq=False)
class Closure(Generic[Node, Fact]):
    """The facts of nodes with those of what they lead to: Tarjan's strongly connected components, from the last on.

    What `following` and `own` say of a node must not change: they are asked once.
    """

    following: Callable[[Node], Iterable[Node]]
    own: Callable[[Node], Iterable[Fact]]
    _found: dict[Node, frozenset[Fact]] = field(default_factory=dict)

    def of(self, nodes: Iterable[Node]) -> frozenset[Fact]:
        """The facts of some nodes."""
        return _union(self.of_one(one) for one in nodes)

    def of_one(self, node: Node) -> frozenset[Fact]:
        """The facts of a node."""
        if node not in self._found:
            self._search(node)
        return self._found[node]

    def _search(self, start: Node) -> None:
        entered, lowest = dict[Node, int](), dict[Node, int]()  # how many were entered before a node; before its least
        component: list[Node] = []
        pending: list[tuple[Node, list[Node], int]] = [(start, list(self.following(start)), 0)]
        while pending:
            node, after, position = pending.pop()
            if position == 0:
                entered[node] = lowest[node] = len(entered)
                component.append(node)
            else:
                lowest[node] = min(lowest[node], lowest.get(after[position - 1], lowest[node]))
            while position < len(after) and (after[position] in self._found or after[position] in entered):
                if after[position] not in self._found:  # it leads back
                    lowest[node] = min(lowest[node], entered[after[position]])
                position += 1
            if position < len(after):
                pending += [(node, after, position + 1), (after[position], list(self.following(after[position])), 0)]
            elif lowest[node] == entered[node]:
                self._close(component, node)

    def _close(self, component: list[Node], first: Node) -> None:
        """Give the nodes entered since one of them, which all lead to each other, their facts."""
        start = component.index(first)
        ones = component[start:]
        del component[start:]
        beyond = (self._found[after] for one in ones for after in self.following(one) if after in self._found)
        found = _union([*beyond, frozenset(fact for one in ones for fact in self.own(one))])
        self._found |= dict.fromkeys(ones, found)


def _union(sets: Iterable[frozenset[Fact]]) -> frozenset[Fact]:
    """All of some sets; the largest itself, where it has all."""
    different = sorted({id(one): one for one in sets if one}.values(), key=len, reverse=True)
    if not different or all(one <= different[0] for one in different[1:]):
        return different[0] if different else frozenset()
    return frozenset().union(*different)
