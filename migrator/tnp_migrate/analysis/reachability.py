"""What nodes lead to, remembered while nothing is unified; what they contain; and what leads to them."""

from __future__ import annotations

from collections.abc import Iterable

from tnp_migrate.analysis.graphs import Call, Graph
from tnp_migrate.analysis.heap import FRAME, OBJECT, Node, find, reachable


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


def callers_of(graphs: Iterable[Graph]) -> dict[Graph, list[tuple[Graph, Call]]]:
    """By a body those that call it, with their calls."""
    found: dict[Graph, list[tuple[Graph, Call]]] = {}
    for graph in graphs:
        for call in graph.calls:
            found.setdefault(call.callee, []).append((graph, call))
    return found


def methods_by_family(graphs: Iterable[Graph]) -> dict[str, list[Graph]]:
    """The methods that are called on objects, by the family of their class."""
    found: dict[str, list[Graph]] = {}
    for graph in graphs:
        if graph.itself is not None and graph.function is not None and graph.function.owner is not None:
            found.setdefault(graph.function.owner.family, []).append(graph)
    return found


def leading(graph: Graph) -> dict[Node, list[int]]:
    """The registers that have each node, or a container that it is in."""
    found: dict[Node, list[int]] = {}
    inside: dict[Node, dict[Node, None]] = {}
    for register, one in enumerate(graph.registers):
        root = find(one)
        if root not in inside:
            inside[root] = and_contained(root)
        for node in inside[root]:
            found.setdefault(node, []).append(register)
    return found


def name_of_field(label: str) -> str:
    """The name of a field; items are all alike."""
    return "[" if label[0] == "[" else label


def reached_aside(roots: Iterable[Node], holder: Node, name: str) -> dict[Node, None]:
    """What some nodes lead to, themselves among them, by other ways than the fields of a holder under a name."""
    found = dict.fromkeys(map(find, roots))
    pending = [*found]
    while pending:
        one = pending.pop()
        for label, held in one.fields.items():
            node = find(held)
            if node not in found and not (one is holder and name_of_field(label) == name):
                found[node] = None
                pending.append(node)
    return found


def and_contained(node: Node) -> dict[Node, None]:
    """A node, and what it holds if it is a container, a partial or bound to that: no instance of a class."""
    return contained_in([node])


def contained_in(nodes: Iterable[Node]) -> dict[Node, None]:
    """Some nodes, with what those of them hold that are containers, partials or bound to such."""
    found = dict.fromkeys(map(find, nodes))
    pending = [*found]
    while pending:
        holder = pending.pop()
        if not holder.flags & OBJECT:
            continue
        is_own = bool(holder.bodies or holder.classes)
        for label, held in holder.fields.items():
            one = held if held.up is None else find(held)
            if one not in found and (_is_bound(label, one) if is_own else _is_inside(label)):
                found[one] = None
                pending.append(one)
    return found


def _is_bound(label: str, held: Node) -> bool:
    """Whether a field of an object of the project leads to what it is bound to, if that is none itself."""
    return label == "self" and not (held.bodies or held.classes)


def _is_inside(label: str) -> bool:
    """Whether a field of a container, or of a partial, leads to what it holds."""
    return label[0] in "[." or label == "self" or label.startswith(FRAME) or (label[0] == "(" and label[1] not in ")#")
