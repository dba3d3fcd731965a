"""Arrays that a comprehension or a loop collects again and again: all items of the list or dict are one memory then.

The functional stage follows what the text puts into a container once. `[z for name in names]` puts one array into as
many items as there are names, and `[x[i : i + 3] for i in range(n)]` slices that overlap.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tnp_migrate.analysis.assigned_attributes import behind
from tnp_migrate.analysis.heap import OBJECT, Node, find, is_array_or_unknown
from tnp_migrate.analysis.placements import Placement
from tnp_migrate.analysis.placing import Placing
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.program.nodes import turns_of


def collected_again(placing: Placing) -> Iterator[tuple[Node, Instruction]]:
    """What is put into several items at once, and what does so."""
    for one in _collected(placing):
        origin = placing.origin(one.register, one.node)
        makers = [*origin.makers, *origin.passed]
        is_again = any(placing.repeats(one, maker) for maker in makers)
        if is_again and not _Loops(placing, one.instruction, one.node).vary(one.register):
            yield one.node, one.instruction


def _collected(placing: Placing) -> Iterator[Placement]:
    """What comprehensions collect, and what is added to a list, or given to its methods."""
    kept: dict[int, list[Node]] = {}  # by calls what they put into something
    for store, value in placing.graph.stores:
        if store.operation == "call":
            kept.setdefault(store.result, []).append(find(value))
    for one in placing.graph.body.instructions:
        is_grown = one.operation == "augmented" and bool(placing.node(one.result).flags & OBJECT)
        if (one.operation == "append" and not _is_written_out(placing, one)) or is_grown or one.result in kept:
            for register in one.operands[1:]:
                node = placing.node(register)
                inside = [node] if is_array_or_unknown(node) else placing.held(node)
                put = kept.get(one.result, inside)
                yield from (Placement(one, register, each, one.result) for each in inside if each in put)


def _is_written_out(placing: Placing, append: Instruction) -> bool:
    """Whether a comprehension is as good as a list that is written out: each item is followed by its text.

    A variable as the item is not: it may be bound to what a call gives back of the array, `x = scaled(x)`.
    """
    node = placing.graph.body.instructions[append.operands[0]].node
    return isinstance(node, ast.ListComp) and turns_of(node) > 0 and not isinstance(node.elt, ast.Name | ast.IfExp)


@dataclass(eq=False)
class _Loops:
    """What is another array each time that an instruction in loops runs."""

    placing: Placing
    put: Instruction
    node: Node

    def vary(self, register: int) -> bool:
        """Whether a register has another array each time: a row of its own, or of an object that is another one."""
        one = self.placing.graph.body.behind_copies(register)
        if one.operation == "next":
            return self._go_on(one)
        if one.operation == "item" and any(self._counts(part) for part in self._parts(one.operands[1])):
            return True
        if one.operation in ("item", "attribute", "unpack"):
            return self.vary(one.operands[0])
        if one.operation == "display":
            return all(self.vary(each) for each in one.operands if self.placing.leads(each, self.node))
        if one.operation != "call":
            return False
        node, given = self.placing.node(one.result), (*one.operands[1:], self.placing.graph.body.receiver(one))
        return any(self.placing.node(each) is node and self.vary(each) for each in given if each != one.result)

    def _parts(self, index: int) -> tuple[int, ...]:
        one = self.placing.graph.body.behind_copies(index)
        return one.operands if one.operation == "display" else (one.result,)

    def _counts(self, index: int) -> bool:
        """Whether an index is the number that a loop counts up."""
        behind_copies = self.placing.graph.body.behind_copies
        one = behind_copies(index)
        is_first = one.operation == "unpack" and one.detail == 0
        taken = behind_copies(one.operands[0]) if is_first else one
        if taken.operation != "next" or not self._go_on(taken):
            return False
        made = behind_copies(self.placing.graph.body.instructions[taken.operands[0]].operands[0])
        return getattr(getattr(made.node, "func", None), "id", "") == ("enumerate" if is_first else "range")

    def _go_on(self, taken: Instruction) -> bool:
        """Whether a loop goes on between any two runs, and does not begin anew with what it has gone through."""
        body, start = self.placing.graph.body, self.put.block
        if start in behind(body, start, {taken.block}):
            return False
        iterated = body.instructions[taken.operands[0]]
        return iterated.block not in behind(body, start, ()) or self.vary(iterated.operands[0])
