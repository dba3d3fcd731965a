"""One array twice in a list, tuple or dict that is written out, and that something else is made of at once.

What `xs = [z, z]` has the functional stage follows by the text. What `list((z, z))`, `[z] + [z]` or `deque([z, z])`
gives it takes for items that are apart.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from tnp_migrate.analysis.heap import OBJECT, Node, is_array_or_unknown, reachable
from tnp_migrate.analysis.library_functions import LIBRARY
from tnp_migrate.analysis.placing import Placing
from tnp_migrate.ir.instructions import Instruction

_MAKING = frozenset({"call", "operator", "item", "display", "augmented"})
_EITHER = frozenset({"either", "phi"})
_MOST = 64  # items of a display that are looked at


@dataclass(frozen=True)
class Twice:
    """An array that `made` puts into a container twice."""

    node: Node
    instruction: Instruction
    into: Node


def displayed_twice(placing: Placing) -> Iterator[Twice]:
    """The arrays that are twice in what something else than a variable is made of."""
    shown = {call.instruction for call in placing.graph.calls if call.callee.module.name != LIBRARY}
    for one in placing.graph.body.instructions:
        if one.operation == "iterate":
            yield from (Twice(node, one, node) for node in _repeated(placing, one, one.operands))
        elif one.operation in _EITHER:
            for each in dict.fromkeys(one.operands):
                yield from _of(placing, one, [each])
        elif one.operation in _MAKING and one not in shown:
            receiver = [placing.graph.body.receiver(one)] if one.operation == "call" else []
            yield from _of(placing, one, [*one.operands, *receiver])


def _of(placing: Placing, one: Instruction, given: list[int]) -> Iterator[Twice]:
    for node in _repeated(placing, one, given):
        yield from _put(placing, one, node)


def _repeated(placing: Placing, one: Instruction, given: Sequence[int]) -> Iterator[Node]:
    """The arrays that are twice in the displays which an instruction is given."""
    items = [item for register in given for item in _items(placing, register)]
    if not items:
        return
    wholes = {same_array(placing, register) for register in given} if one.operation == "operator" else set()
    seen: set[Hashable] = set()
    for register in items:
        same = same_array(placing, register)
        is_of_whole = isinstance(same, tuple) and same[0] == "item" and same[1] in wholes
        if same in seen or is_of_whole:
            yield placing.node(register)
        seen.add(same)


def _put(placing: Placing, one: Instruction, node: Node) -> Iterator[Twice]:
    """The containers that an instruction makes or fills which hold an array."""
    filled = [one.result, *([placing.graph.body.receiver(one)] if one.operation == "call" else [])]
    for into in dict.fromkeys(map(placing.node, filled)):
        is_made = placing.graph.body.instructions[filled[-1]].operation != "display" or into is placing.node(one.result)
        if into.flags & OBJECT and is_made and is_array_or_unknown(node) and node in reachable([into]):
            yield Twice(node, one, into)


def _items(placing: Placing, register: int) -> Iterator[int]:
    """The registers of what is in a display, and in displays in that."""
    one = placing.graph.body.behind_copies(register)
    is_of_name = one.result != register and placing.graph.body.instructions[register].operation == "copy"
    if one.operation == "display" and not is_of_name and len(one.operands) <= _MOST:
        for each in one.operands:
            if placing.graph.body.behind_copies(each).operation == "display":
                yield from _items(placing, each)
            else:
                yield each


def same_array(placing: Placing, register: int) -> Hashable:
    """What is equal for two registers that surely have one array, or views of one; rows by other numbers are apart."""
    one = placing.graph.body.behind_copies(register)
    if one.operation == "constant":
        return ("constant", type(one.detail).__name__, repr(one.detail))
    first = one.operands[0] if one.operands else -1
    base = placing.graph.body.receiver(one) if one.operation == "call" else first
    if one.operation == "item":
        index = same_array(placing, one.operands[1])
        is_view = placing.node(first) is placing.node(register)
        if is_view and not (isinstance(index, tuple) and index[0] == "constant"):
            return same_array(placing, first)
        return ("item", same_array(placing, first), index)
    is_new = one.result in placing.graph.fresh or one.result in placing.graph.copied
    if one.operation in ("attribute", "call") and base not in (-1, one.result):
        if placing.node(base) is placing.node(register) and not is_new:  # a view
            return same_array(placing, base)
        if one.operation == "attribute":
            return ("attribute", same_array(placing, base), one.detail)
    return one.result
