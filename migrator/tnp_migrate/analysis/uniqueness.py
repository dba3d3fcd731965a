"""Which arrays have been given a second holder: those that are stored while something else has them as well.

What has just been computed and is stored once has one holder, the slot. `self.w += 1` may bind that slot anew whatever
`w` is. A parameter that is stored once is the business of the caller, who knows what else holds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tnp_migrate.analysis.assigned_attributes import binds_what_it_had
from tnp_migrate.analysis.graphs import Graph, Having
from tnp_migrate.analysis.heap import AGAIN, Node, find, mark
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness

_MAKERS = frozenset({"operator", "call", "display"})
_SAME = frozenset({"copy", "phi", "either", "augmented"})
_VALUE = {"set_attribute": 1, "set_item": 2, "append": 1}  # the operand that is stored


def note_second_holders(graph: Graph, live: Liveness, having: Having) -> None:
    """Mark what a body stores that is not its slot's alone from then on."""
    events = [(store, graph.body.behind_copies(register)) for store, register in _stored(graph)]
    times = Counter(root.result for _, root in events)
    for store, root in events:
        is_alone = _is_new(graph, root, store) or binds_what_it_had(graph, store)
        if times[root.result] > 1 or not (is_alone or _moves(graph, root, store, live, having)):
            mark(graph.registers[root.result], AGAIN)


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
    kept += [(call.instruction, node) for call in graph.calls for node in call.kept]
    pairs = dict.fromkeys((one, find(node)) for one, node in kept)
    found = [(one, each) for one, node in pairs for each in one.operands if find(graph.registers[each]) is node]
    yield from dict.fromkeys(found)


def _moves(graph: Graph, root: Instruction, store: Instruction, live: Liveness, having: Having) -> bool:
    """Whether a store gets what the body has made before, or was given, and nothing here has that after the store."""
    node = find(graph.registers[root.result])
    pending, seen = [root.result], {root.result}
    while pending:
        one = graph.body.instructions[pending.pop()]
        is_made = one.operation in ("constant", "parameter") or _is_made_apart(graph, one, node)
        onward = one.operands[:1] if one.operation == "augmented" else one.operands
        if one.operation in _SAME:
            pending += [each for each in onward if each not in seen]
            seen.update(onward)
        elif not is_made:
            return False
    return not any(each != store.result and live.is_live_after(each, store) for each in having.get(node, ()))


def _is_new(graph: Graph, root: Instruction, store: Instruction) -> bool:
    """Whether a value has been made for this store, each time that it runs; or is the caller's to answer for."""
    if root.operation == "parameter":
        return True
    return root.block == store.block and _is_made_apart(graph, root, find(graph.registers[root.result]))


def _is_made_apart(graph: Graph, root: Instruction, node: Node) -> bool:
    """Whether an instruction makes something that is none of what it is given."""
    instructions = graph.body.instructions
    if root.operation not in _MAKERS:
        return False
    given = [*root.operands, *(one for each in root.operands for one in instructions[each].operands)]
    if any(find(graph.registers[one]) is node for one in given):
        return False
    return not any(find(one) is node for one in graph.handed.get(root.result, ()))
