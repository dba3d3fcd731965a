"""Which arrays have been given a second holder: those that are stored while something else has them as well.

What has just been computed and is stored once has one holder, the slot. `self.w += 1` may bind that slot anew whatever
`w` is. A parameter that is stored once is the business of the caller, who knows what else holds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import AGAIN, find, mark
from tnp_migrate.ir.instructions import Instruction

_MAKERS = frozenset({"operator", "call", "display"})
_VALUE = {"set_attribute": 1, "set_item": 2, "append": 1}  # the operand that is stored


def note_second_holders(graph: Graph) -> None:
    """Mark what a body stores that is not its slot's alone from then on."""
    events = [(store, graph.body.behind_copies(register)) for store, register in _stored(graph)]
    times = Counter(root.result for _, root in events)
    for store, root in events:
        if times[root.result] > 1 or not (_is_new(graph, root, store) or _stays(graph, root, store)):
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
