"""Writes by operators and items to what no text shows to be an array: the functional stage leaves them as they are.

`x += 1` and `xs[0] += 1` bind a variable or an item anew then, where NumPy would have written to an array.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from tnp_migrate.analysis.graphs import Call, Graph, Having, Write
from tnp_migrate.analysis.heap import (
    ARRAY,
    ASKED,
    BLIND,
    HELD,
    OBJECT,
    OPAQUE,
    SHARED,
    STORED,
    Node,
    find,
    mark,
    reachable,
)
from tnp_migrate.analysis.passing_on import passed_on
from tnp_migrate.ir.instructions import CallShape, Instruction
from tnp_migrate.ir.liveness import Liveness

_TAKING = frozenset(("attribute", "item", "next", "unpack"))
_STORES = frozenset({"set_item", "set_attribute", "call"})
_MOST_LOOKED_AT = 20_000  # registers of one body: what is written to by the calls after that is taken to be held


def note_blind(graph: Graph, live: Liveness, having: Having) -> None:
    """Note writes that bind a name or a slot anew, and what else sees that NumPy would have written to an array."""
    blind = {one.result for one in graph.blind}
    blind |= {one.result for one in graph.bound_anew if _is_taken(graph, one.operands[0])}
    looked_at = 0
    outside = reachable(list(graph.parameters.values())) if blind else {}
    variables = {find(one) for one in graph.variables("cell", "global")}
    for write in graph.writes:
        stores = write.instruction.operation in _STORES  # which no tensor takes
        if write.instruction.result not in blind:
            continue
        if stores and _is_followed(graph, write):
            mark(write.nodes[0], ASKED if _is_parameter(graph, write.target) else 0)
            continue
        if not stores and _adds_array_to_parameter(graph, write.instruction):
            continue
        target, node = getattr(write.instruction.node, "target", None), find(write.nodes[0])
        if not isinstance(target, ast.Subscript):  # of items it turns out whether a container has them
            mark(node, BLIND)
        held = stores or (not isinstance(target, ast.Attribute | ast.Subscript) and _is_held(graph, node, outside))
        held |= isinstance(target, ast.Subscript) and _is_in_copy(graph, write, outside, live)
        if held or _is_live_besides(graph, having.get(node, []), write.instruction, write.target, live):
            at = _written(graph, write.instruction)
            graph.hold(node, at, at)
    unshown = {one.call for one in graph.unseen}
    for call in graph.calls:
        noted = call.flagged(BLIND | ASKED)
        asked = [here for there, here in noted if there.flags & ASKED]
        for node in asked if call in unshown else _passed_unknown(graph, call, asked):
            graph.hold(node, call.instruction, call.instruction)
        written = dict.fromkeys(find(here) for there, here in noted if there.flags & BLIND)
        for node in [one for one in written if not one.flags & HELD]:
            looked_at += len(having.get(node, []))
            held = node in variables or looked_at > _MOST_LOOKED_AT
            if held or _is_live_besides(graph, having.get(node, []), call.instruction, -1, live):
                graph.hold(node, call.instruction, call.instruction)


def _is_taken(graph: Graph, register: int) -> bool:
    """Whether an array was taken out of an object or a container, and not made where the body has it from."""
    pending, seen = [register], {register}
    while pending:
        one = graph.body.instructions[pending.pop()]
        node = find(graph.registers[one.result])
        if one.result in graph.fresh or one.result in graph.copied:
            continue
        if one.operation in _TAKING and not _is_part(find(graph.registers[one.operands[0]]), node):
            return True
        leading = _leading(graph, one, node)
        pending += [each for each in leading if each not in seen]
        seen.update(leading)
    return False


def _is_part(whole: Node, node: Node) -> bool:
    """Whether an array is a view or a row of another one, or picked out of it."""
    return whole is node or whole.flags & (ARRAY | OBJECT) == ARRAY


def _leading(graph: Graph, one: Instruction, node: Node) -> tuple[int, ...]:
    """The registers that an instruction has an array from: those of which it gives a view, or that they have."""
    if one.operation in ("copy", "phi", "either"):
        return one.operands
    if one.operation in (*_TAKING, "augmented"):
        return one.operands[:1]
    if one.operation != "call":
        return ()
    given = (*one.operands[1:], graph.body.receiver(one))
    return tuple(each for each in given if each != one.result and find(graph.registers[each]) is node)


def _written(graph: Graph, write: Instruction) -> Instruction:
    """A write as it stands in the text: of `x[k] += v` the operator, which is before the store."""
    return write if write.node is not None else graph.body.instructions[write.operands[-1]]


def _is_followed(graph: Graph, write: Write) -> bool:
    """Whether what is stored into is a parameter, which the functional stage asks the callers about.

    Or a part of an object of another library, which takes what is stored in its own way: a table, or no array.
    """
    register = write.target
    one = graph.body.instructions[register]
    if _is_parameter(graph, register):
        return True
    if write.instruction.operation == "set_attribute":
        return False
    part = one.operation in ("attribute", "item") and find(graph.registers[one.operands[0]]).flags & OPAQUE
    value = graph.module.value(one.node) if part and one.node is not None else None
    is_table = value is not None and value.library is not None
    if not part or (find(graph.registers[register]).flags & ARRAY and not is_table):
        return False
    return not passed_on(graph, register)


def _adds_array_to_parameter(graph: Graph, one: Instruction) -> bool:
    """Whether an array is added to a parameter: the functional stage takes that for an array, and gives it back."""
    node = one.node
    if not isinstance(node, ast.AugAssign) or not isinstance(node.target, ast.Name):
        return False
    added = graph.module.value(node.value)
    if added is None or not added.may_have_axes:
        return False
    pending, seen = [one.operands[0]], {one.operands[0]}
    while pending:
        each = graph.body.instructions[pending.pop()]
        if each.operation in ("copy", "phi", "augmented"):
            leading = each.operands[:1] if each.operation == "augmented" else each.operands
            pending += [operand for operand in leading if operand not in seen]
            seen.update(leading)
        elif each.operation != "parameter" or each.detail != node.target.id:
            return False
    return True


def _is_parameter(graph: Graph, register: int) -> bool:
    return graph.body.behind_copies(register).operation == "parameter"


def _passed_unknown(graph: Graph, call: Call, nodes: list[Node]) -> Iterator[Node]:
    """What is passed for parameters that are stored into, for `nodes`, where no text shows that it is an array."""
    asked = dict.fromkeys(map(find, nodes))
    passed = {find(graph.registers[register]) for register in call.instruction.given} if asked else set()
    shape = call.instruction.detail
    if isinstance(shape, CallShape) and shape.unpacked:
        yield from (one for one in asked if one not in passed)  # an item of what is unpacked
    for register in call.instruction.operands if asked else ():
        place = graph.body.instructions[register].node
        value = graph.module.value(place) if place is not None else None
        is_asked = find(graph.registers[register]) in asked and not _is_parameter(graph, register)
        if is_asked and (value is None or value.kind == "unknown"):
            yield graph.registers[register]


def _is_live_besides(graph: Graph, having: list[int], write: Instruction, target: int, live: Liveness) -> bool:
    """Whether another register of those that have a node is read after a write to it."""
    return any(
        register not in (target, write.result)
        and graph.body.instructions[register].operands != (write.result,)
        and live.is_live_after(register, write)
        for register in having
    )


def _is_in_copy(graph: Graph, write: Write, outside: Container[Node], live: Liveness) -> bool:
    """Whether what an item is bound anew for, as in `xs[0] += 1`, another container has as well, which `xs` copies."""
    item = graph.body.behind_copies(write.target)
    if item.operation != "item":
        return False
    node, own = find(write.nodes[0]), find(graph.registers[item.operands[0]])
    others = [(register, other) for register, one in enumerate(graph.registers) if (other := find(one)) is not own]
    return any(
        (other in outside or other.flags & SHARED or live.is_live_after(register, write.instruction))
        and not other.flags & ARRAY
        and any(find(held) is node for held in other.fields.values())
        for register, other in others
    )


def _is_held(graph: Graph, node: Node, outside: Container[Node]) -> bool:
    """Whether what a name is bound anew for, as in `x += 1`, has a holder outside of the body, or an object."""
    return node in outside or bool(node.flags & (SHARED | STORED)) or any(find(one) is node for one in graph.gives)
