"""Objects that a body comes by in two ways and that its callers make one: `f(net, net)`, `self.target = self.net`.

What is written to by the one way is bound anew to the object's attribute. What the body has read by the other way it
still has, as it was: it cannot tell that both are one memory. So those that call it are asked.
"""

from __future__ import annotations

from collections.abc import Iterable

from tnp_migrate.analysis.graphs import Call, Effect, Graph
from tnp_migrate.analysis.heap import Node, find, is_array_or_unknown, is_mixed, parts_of, reachable
from tnp_migrate.analysis.reachability import leading
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
    passed = {find(one) for one in graph.parameters.values()}
    held = {
        node: registers
        for node, every in leading(graph).items()
        if node in arrays and node not in passed and (registers := [one for one in every if _is_read(graph, one)])
    }
    for instruction, written in writing:
        same = {part for node in written for part in parts_of(node)}
        for node, registers in held.items():
            if node not in same and any(_is_live(live, one, instruction) for one in registers):
                for one in written:
                    graph.held_across.setdefault((node, one), instruction)


def hold_aliased(graphs: Iterable[Graph]) -> None:
    """Hold what callers have made one memory of, of what bodies have read and still use when they write."""
    callers: dict[Graph, list[tuple[Graph, Call]]] = {}
    pending = []
    for graph in graphs:
        for call in graph.calls:
            callers.setdefault(call.callee, []).append((graph, call))
        pending += [graph] if graph.held_across else []
    entries: dict[Graph, dict[Node, None]] = {}
    while pending:
        callee = pending.pop()
        for caller, call in callers.get(callee, ()):
            known = len(caller.held_across)
            if caller not in entries:
                entries[caller] = _at_entry(caller)
            here = {find(there): find(one) for there, one in call.mapping}
            for held, written in callee.held_across:
                pair = (here.get(find(held), find(held)), here.get(find(written), find(written)))
                if all(one in entries[caller] for one in pair) or _is_same(*pair):
                    caller.held_across.setdefault(pair, call.instruction)
            if len(caller.held_across) > known:
                pending.append(caller)
    for graph in {one for pairs in callers.values() for one, _ in pairs} | set(entries):
        _hold(graph)


def _hold(graph: Graph) -> None:
    for (held, written), instruction in graph.held_across.items():
        if _is_same(held, written):
            graph.hold(held, instruction, instruction)


def _at_entry(graph: Graph) -> dict[Node, None]:
    """What a body comes by: by its parameters and by variables of others."""
    return reachable([*graph.parameters.values(), *graph.variables("cell", "global")])


def _is_same(held: Node, written: Node) -> bool:
    parts = parts_of(written)
    return any(one in parts for one in parts_of(held))


def _is_read(graph: Graph, register: int) -> bool:
    return graph.body.instructions[register].operation not in _LASTING


def _is_live(live: Liveness, register: int, write: Instruction) -> bool:
    return register != write.result and live.is_live_after(register, write)
