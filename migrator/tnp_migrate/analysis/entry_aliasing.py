"""Objects that a body comes by in two ways and that its callers make one: `f(net, net)`, `self.target = self.net`.

What is written to by the one way is bound anew to the object's attribute. What the body has read by the other way it
still has, as it was: it cannot tell that both are one memory. So those that call it are asked.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from tnp_migrate.analysis.graphs import Effect, Graph
from tnp_migrate.analysis.heap import OBJECT, VIEWS, Node, find, is_array_or_unknown, is_mixed, parts_of, reachable
from tnp_migrate.analysis.reachability import callers_of, contained_in, methods_by_family, name_of_field, reached_aside
from tnp_migrate.analysis.read_again import SAME, paths_hold
from tnp_migrate.analysis.slot_holders import is_shown_by_text, passes_unseen
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness

_LASTING = frozenset(("parameter", "global", "cell"))


def note_held_across(graph: Graph, live: Liveness, writes: list[Effect]) -> None:
    """Note the arrays of what a body comes by that it has read and still uses when it writes to others of them."""
    given = _at_entry(graph)
    arrays = {node for node in given if is_array_or_unknown(node) and not is_mixed(node)}
    writing = [(one, written) for one, nodes, _ in writes if (written := [node for node in nodes if node in arrays])]
    if not writing:
        return
    arrays -= {find(one) for one in graph.parameters.values()}
    holders, unshown = _holders(given), graph.unshown()
    calls = {one.instruction for one in graph.calls}
    for instruction, written in writing:
        is_shown = instruction in calls and is_shown_by_text(graph, instruction, unshown)
        direct = contained_in(graph.registers[one] for one in instruction.operands)
        had = {again: _Having(graph, live, instruction, reads_again=again) for again in {is_shown, False}}
        for one in written:
            having = had[is_shown and one not in direct]
            for node in arrays if having.roots else ():
                for label, first, other in _where_alike(holders, node, one):
                    if not _are_one(node, one) and having.has_aside(node, label, first):
                        graph.held_across.setdefault((first, other, one), instruction)


class _Having:
    """What a body has when it writes to an array, and uses behind that; but for what it then reads again."""

    def __init__(self, graph: Graph, live: Liveness, write: Instruction, *, reads_again: bool) -> None:
        registers = [
            one.result
            for one in graph.body.instructions
            if one.operation not in _LASTING
            and one is not write
            and live.is_live_after(one.result, write)
            and not (reads_again and _is_read_again(graph, one.result, write))
        ]
        self.roots = [*dict.fromkeys(find(graph.registers[one]) for one in registers)]
        self._aside: dict[tuple[str, Node], dict[Node, None]] = {}

    def has_aside(self, node: Node, label: str, holder: Node) -> bool:
        """Whether it has an array as it was: not by a field of a holder alone, which is bound anew."""
        if (label, holder) not in self._aside:
            self._aside[label, holder] = reached_aside(self.roots, holder, label)
        return node in self._aside[label, holder]


def _holders(nodes: Collection[Node]) -> dict[Node, list[tuple[str, Node]]]:
    """By nodes what holds them, with the field that leads to them: items are all alike."""
    found: dict[Node, list[tuple[str, Node]]] = {}
    for holder in nodes:
        for label, held in holder.fields.items():
            found.setdefault(find(held), []).append((name_of_field(label), holder))
    return found


def _where_alike(
    holders: Mapping[Node, list[tuple[str, Node]]], some: Node, other: Node
) -> Iterator[tuple[str, Node, Node]]:
    """The objects that would have to be one for two arrays to be, behind the name under which both have them."""
    others = _held_by(holders, other)
    for label, holder in _held_by(holders, some):
        yield from ((label, holder, its) for named, its in others if named == label and its is not holder)


def _held_by(holders: Mapping[Node, list[tuple[str, Node]]], array: Node) -> list[tuple[str, Node]]:
    """What holds an array, or the array that it may be a view or an item of."""
    found, seen = [*holders.get(array, ())], {array}
    for label, holder in found:  # which grows meanwhile
        if (label == "[" or label in VIEWS) and holder not in seen and not holder.flags & OBJECT:
            seen.add(holder)
            found += holders.get(holder, ())
    return found


def _is_read_again(graph: Graph, register: int, write: Instruction) -> bool:
    """Whether the functional stage reads what a register has again behind a call, whichever object that writes to.

    It has to be read by dots and slices alone.
    """
    pending, seen = [register], {register}
    while pending:
        one = graph.body.instructions[pending.pop()]
        node, onward = find(graph.registers[one.result]), one.operands
        if one.operation in ("attribute", "item"):
            is_view = find(graph.registers[one.operands[0]]) is node
            if one.operation == "item" and not is_view:
                return False
            onward = one.operands[:1] if is_view else ()
        elif one.operation == "call":  # `np.ravel(x)`, `x.reshape(-1)`
            given = (*one.operands[1:], graph.body.receiver(one))
            onward = tuple(each for each in given if find(graph.registers[each]) is node)
            if not onward or passes_unseen(graph, one):
                return False
        elif one.operation not in SAME or isinstance(one.node, ast.pattern):
            return False
        pending += [operand for operand in onward if operand not in seen]
        seen.update(onward)
    return paths_hold(graph, register, write)


def hold_aliased(graphs: Collection[Graph]) -> None:
    """Hold what callers, or methods of the same object, have made one memory of."""
    _ask_callers(graphs)
    families = methods_by_family(graphs)
    for graph in graphs:
        family = families.get(graph.function.owner.family, []) if graph.function and graph.function.owner else []
        ways = _ways(graph) if graph.held_across else {}
        for (first, other, written), instruction in graph.held_across.items():
            both = ways.get(find(first)), ways.get(find(other))
            if _are_one(first, other) or any(_lead_to_one(one, *both) for one in family):
                graph.hold(written, instruction, instruction)


def _ask_callers(graphs: Collection[Graph]) -> None:
    """Give callers what bodies have read and still use when they write, as it is for them."""
    callers, pending = callers_of(graphs), [graph for graph in graphs if graph.held_across]
    entries: dict[Graph, dict[Node, None]] = {}
    while pending:
        callee = pending.pop()
        for caller, call in callers.get(callee, ()):
            known = len(caller.held_across)
            if caller not in entries:
                entries[caller] = _at_entry(caller)
            here = {find(there): find(one) for there, one in call.mapping}
            for key in [*callee.held_across]:
                first, other, written = (here.get(find(one), find(one)) for one in key)
                if (first in entries[caller] and other in entries[caller]) or _are_one(first, other):
                    caller.held_across.setdefault((first, other, written), call.instruction)
            if len(caller.held_across) > known:
                pending.append(caller)


def _ways(graph: Graph) -> dict[Node, tuple[str, ...]]:
    """By what a method reaches by its object the fields that lead to it."""
    found: dict[Node, tuple[str, ...]] = {} if graph.itself is None else {find(graph.itself): ()}
    pending = [*found]
    for node in pending:  # which grows meanwhile
        for label, one in node.fields.items():
            held = find(one)
            if held not in found and label[0] in ".[":
                found[held] = (*found[node], label)
                pending.append(held)
    return found


def _lead_to_one(graph: Graph, first: tuple[str, ...] | None, other: tuple[str, ...] | None) -> bool:
    """Whether two ways from a method's object lead to one object."""
    if first is None or other is None:
        return False
    one = _at(graph, first)
    return one is not None and one is _at(graph, other)


def _at(graph: Graph, way: tuple[str, ...]) -> Node | None:
    node = graph.itself
    for label in way:
        held = find(node).fields.get(label) if node is not None else None
        node = None if held is None else find(held)
    return None if node is None else find(node)


def _at_entry(graph: Graph) -> dict[Node, None]:
    """What a body comes by: by its parameters and by variables of others."""
    return reachable([*graph.parameters.values(), *graph.variables("cell", "global")])


def _are_one(some: Node, other: Node) -> bool:
    """Whether one of two arrays may be the other, or a part of it."""
    parts = parts_of(other)
    return find(some) in parts or any(one in parts for one in parts_of(some))
