"""Which arrays have been given a second holder: those that are stored while something else has them as well.

What a body has made and puts into two places, as in `self.x = self.best = np.ones(2)`, is held by both of them.

What has just been computed and is stored once has one holder, the slot. `self.w += 1` may bind that slot anew whatever
`w` is. A parameter that is stored once is the business of the caller, who knows what else holds it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import AGAIN, SHARED, STORED, Node, find, mark, reachable
from tnp_migrate.ir.instructions import Instruction

_MAKERS = frozenset({"operator", "call", "display"})
_VALUE = {"set_attribute": 1, "set_item": 2, "append": 1}  # the operand that is stored
PUTTING = frozenset((*_VALUE, "display", "set_global"))
_WHOLE = frozenset({"copy", "phi", "augmented", "either"})  # what gives one of its operands, or its first


def note_second_holders(graph: Graph) -> None:
    """Mark what a body stores that is not its slot's alone from then on."""
    events = [(store, graph.body.behind_copies(register)) for store, register in _stored(graph)]
    times = Counter(root.result for _, root in events)
    for store, root in events:
        if times[root.result] > 1 or not (_is_new(graph, root, store) or _stays(graph, root, store)):
            mark(graph.registers[root.result], AGAIN)


def note_two_places(graph: Graph) -> None:
    """Hold what a body makes and puts into two places that outlive it: what is written to by one the other has."""
    places: dict[int, dict[tuple[object, ...], Instruction]] = {}
    for store, register in _lasting(graph):
        into = graph.body.behind_copies(store.operands[0]).result if store.operands else -1
        place = (store.operation, into, store.detail) if store.operation == "set_attribute" else (store.result,)
        for maker in _makers(graph, register):
            places.setdefault(maker, {}).setdefault(place, store)
    for maker, stores in places.items():
        first, *others = stores.values()
        for other in others[:1]:
            graph.hold(graph.registers[maker], first, other)


def _lasting(graph: Graph) -> Iterator[tuple[Instruction, int]]:
    """The stores of a body into what callers pass, or what outlives calls; what a result holds is another matter."""
    outside = reachable([*graph.parameters.values()])
    put = {store.result for store, _ in graph.stores}  # an array copies what is stored into it
    for store, register in _stored(graph):
        holder = find(graph.registers[_holder(graph, store, register)])
        if (holder in outside or holder.flags & SHARED) and (store.operation != "set_item" or store.result in put):
            yield store, register
    if not isinstance(graph.body.node, ast.Module):
        yield from ((one, one.operands[0]) for one in graph.body.instructions if one.operation == "set_global")


def _holder(graph: Graph, store: Instruction, register: int) -> int:
    """What a store puts into; for a call that is not of a method what it puts, which is held by something then."""
    if store.operation == "display":
        return store.result
    if store.operation != "call":
        return store.operands[0]
    method = graph.body.instructions[store.operands[0]]
    return method.operands[0] if method.operation == "attribute" else register


def _makers(graph: Graph, register: int) -> set[int]:
    """The instructions that have made what a register has, or what it is a view of."""
    instructions, node = graph.body.instructions, find(graph.registers[register])
    found: set[int] = set()
    seen, pending = {register}, [register]
    while pending:
        one = instructions[pending.pop()]
        behind = instructions[one.operands[0]].operands if one.operation == "call" else ()  # what a method is called on
        given = [each for each in (*one.operands, *behind) if find(graph.registers[each]) is node]
        is_new = one.result in graph.fresh or one.operation == "operator" or not given
        if one.operation in _MAKERS and is_new:
            found.add(one.result)
        elif one.operation in _WHOLE or one.operation in (*_MAKERS, "item", "attribute"):
            new = [each for each in given if each not in seen]
            seen.update(new)
            pending += new
    return found


def _stored(graph: Graph) -> Iterator[tuple[Instruction, int]]:
    """The stores of a body, and what it calls puts into objects: the instruction, and the register of the value."""
    for one in graph.body.instructions:
        if one.operation == "display":
            yield from ((one, register) for register in one.operands)
        elif one.operation in _VALUE:
            value = one.operands[_VALUE[one.operation]]
            if one.node is not None or graph.body.instructions[value].operation != "augmented":  # binds the same slot
                yield one, value
    kept = [(one, node) for one, node in graph.stores if one.operation == "call"]
    kept += [(call.instruction, here) for call in graph.calls for there, here in call.mapping if _is_kept(there)]
    found = [(one, register) for one, node in kept for register in one.operands if _has(graph, register, node)]
    yield from dict.fromkeys(found)


def _has(graph: Graph, register: int, node: Node) -> bool:
    return find(graph.registers[register]) is find(node)


def _is_kept(node: Node) -> bool:
    return bool(find(node).flags & STORED)


def _stays(graph: Graph, root: Instruction, store: Instruction) -> bool:
    """Whether a slot gets what it had: `self.w = np.asarray(self.w)`."""
    given = [graph.body.behind_copies(one) for one in root.operands] if root.operation == "call" else [root]
    node, body = find(graph.registers[root.result]), graph.body
    had = [one for one in given if find(graph.registers[one.result]) is node]
    return (
        store.operation == "set_attribute"
        and bool(had)
        and all(
            one.operation == "attribute"
            and one.detail == store.detail
            and body.behind_copies(one.operands[0]) is body.behind_copies(store.operands[0])
            for one in had
        )
    )


def _is_new(graph: Graph, root: Instruction, store: Instruction) -> bool:
    """Whether a value has been made for this store, each time that it runs; or is the caller's to answer for."""
    if root.operation == "parameter":
        return True
    instructions, node = graph.body.instructions, find(graph.registers[root.result])
    if root.operation not in _MAKERS or root.block != store.block:
        return False
    given = [*root.operands, *(one for each in root.operands for one in instructions[each].operands)]
    if any(find(graph.registers[one]) is node for one in given):
        return False
    return not any(find(one) is node for one in graph.handed.get(root.result, ()))
