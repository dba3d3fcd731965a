"""Variables that have the array of an object's slot while a call writes to it: the slot is bound anew, they are not.

Where a method is called by its name on a variable, the functional stage binds what has been read from that variable
anew after the call: `m = s.m`, `s.step()`. Of other calls, and of what has been read in other ways, it knows nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator

from tnp_migrate.analysis.frames import as_numpy
from tnp_migrate.analysis.graphs import Call, Graph, Having, by_node
from tnp_migrate.analysis.heap import (
    WRITTEN,
    Node,
    and_contained,
    find,
    is_array_or_unknown,
    is_mixed,
    is_slot,
    parts_of,
    reachable,
)
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness
from tnp_migrate.numpy_facts import traits

_SAME = frozenset(("copy", "phi", "either", "await"))
_READING = frozenset(("next", "iterate", "unpack", "rest"))
_BINDS = frozenset(("set_cell", "set_global"))  # variables, which functions inside bind anew for all of them


def note_slot_holders(graph: Graph, live: Liveness, having: Having) -> None:
    """Hold what a call writes to by a slot while a variable has it, or a container that is read later."""
    writing = [(call, slots) for call in graph.calls if (slots := _slots(graph, call))]
    if not writing:
        return
    unshown, leading = graph.unshown(), _leading(graph)
    stored = by_node(pair for pair in graph.stores if pair[0].operation not in _BINDS)
    hidden, bound = by_node(graph.hidden_stores), _bound(graph)
    shared = _shared_variables(graph) if bound else {}
    for call, slots in writing:
        one, own = call.instruction, shared.get(call.instruction, ())
        binding = {each: [put for put in puts if put.detail not in own] for each, puts in bound.items()}
        is_named = one not in unshown
        objects: set[object] = set(_objects(graph, one)) if is_named else set()
        inside = set(call.here(call.callee.hidden_writes))
        for node in slots:
            is_shown = is_named and node not in inside
            within = [each for part in parts_of(node) for each in leading.get(part, ())]
            others = having.get(node, ()) if is_shown else within
            read = [
                each for each in others if each != one.result and _is_read_after(live, each, one, binding.get(each, ()))
            ]
            known = objects if is_shown else None
            is_held = any(
                each is not one and live.may_follow(each, one) and _puts_what_it_read(graph, each, node, known)
                for each in stored.get(node, ())
            )
            is_held = is_held or any(not (is_shown and _is_followed(graph, each, objects)) for each in read)
            apart = [each for each in within if _behind(graph, each) not in objects]
            if is_held or any(_has_since(graph, live, apart, node, each, one) for each in hidden.get(node, ())):
                graph.hold(node, one, one)


def _shared_variables(graph: Graph) -> dict[Instruction, set[object]]:
    """By calls the variables that what they run, and what that calls, shares with the bodies around it."""
    found: dict[Instruction, set[object]] = {}
    for call in graph.calls:
        pending, seen = [call.callee], {call.callee}
        while pending:
            one = pending.pop()
            cells = {each.detail for each in one.body.instructions if each.operation == "cell"}
            found.setdefault(call.instruction, set()).update(cells)
            new = {each.callee for each in one.calls} - seen
            seen |= new
            pending += new
    return found


def hidden_writes(graph: Graph) -> Iterator[Node]:
    """What is written to by calls, of the body or of what it calls, that no text shows to do so."""
    unshown = graph.unshown()
    for call in graph.calls:
        yield from call.written if call.instruction in unshown else call.here(call.callee.hidden_writes)


def note_passed_twice(graph: Graph) -> None:
    """Hold what a call writes to by a slot of an argument while another argument is that array: `f(s, s.m)`."""
    for call in graph.calls:
        parameters = {find(one) for one in call.callee.parameters.values()}
        slots = [held for one in parameters for label, held in one.fields.items() if is_slot(label)]
        inside = reachable([held for held in slots if find(held) not in parameters])
        places: dict[Node, list[Node]] = {}
        for there, here in call.mapping:
            places.setdefault(find(here), []).append(find(there))
        for node, known in places.items():
            written = [one for one in known if one.flags & WRITTEN and one in inside and one not in parameters]
            others = [one for one in known if one in parameters and one not in written]
            if written and others and len(set(known)) > 1 and is_array_or_unknown(node) and not is_mixed(node):
                graph.hold(node, call.instruction, call.instruction)


def _has_since(
    graph: Graph, live: Liveness, leading: Iterable[int], node: Node, put: Instruction, write: Instruction
) -> bool:
    """Whether what a hidden store has put into an object is had by a variable, too, that is read after the write.

    That is what has been made before it, or holds that; what is read from the object itself is bound anew.
    """
    after = live.may_follow(put, write)
    return after and any(live.is_live_after(one, write) and _is_apart(graph, one, node) for one in leading)


def _is_apart(graph: Graph, register: int, node: Node) -> bool:
    """Whether what a register has, or holds, is what was made or passed, and not what was read from an object."""
    pending, seen = [register], {register}
    while pending:
        one = graph.body.instructions[pending.pop()]
        is_view = one.operation in ("attribute", "item") and find(graph.registers[one.operands[0]]) is node
        if one.operation in (*_READING, "attribute", "item") and not is_view:
            continue
        method = graph.body.instructions[one.operands[0]] if one.operation == "call" else one
        given = (*one.operands, *method.operands) if method.operation == "attribute" else one.operands
        before = [each for each in given if node in and_contained(graph.registers[each])]
        if not before and not any(node in reachable([graph.registers[each]]) for each in given):
            return True
        pending += [each for each in before if each not in seen]
        seen.update(before)
    return False


def _puts_what_it_read(graph: Graph, store: Instruction, node: Node, objects: Container[object] | None) -> bool:
    """Whether a store gives another holder what an object has, and not what was made for this one.

    What is read from one of some objects by dots is followed where the text shows the store.
    """
    for each in store.operands:
        one = graph.body.behind_copies(each)
        if find(graph.registers[each]) is node and one.operation in ("attribute", "item", "next", "unpack"):
            is_default = store.operation == "function"
            if objects is None or is_default or _behind(graph, each) not in objects:
                return True
    return False


def _bound(graph: Graph) -> dict[int, list[Instruction]]:
    """By registers what binds them to variables that functions share with the body, or with a module."""
    binds = ("set_global", "set_cell") if isinstance(graph.body.node, ast.Module) else ("set_cell",)
    found: dict[int, list[Instruction]] = {}
    for one in graph.body.instructions:
        if one.operation in binds:
            found.setdefault(one.operands[0], []).append(one)
    return found


def _is_read_after(live: Liveness, register: int, write: Instruction, bound: Iterable[Instruction]) -> bool:
    """Whether a register is read after a write; functions read what it is `bound` to that they share with the body."""
    return live.is_live_after(register, write) or any(live.may_follow(one, write) for one in bound)


def _slots(graph: Graph, call: Call) -> list[Node]:
    """The arrays that a call writes to, is not passed itself, and does not make."""
    if not call.written:
        return []
    passed = {find(graph.registers[register]) for register in call.instruction.operands}
    given = reachable([*call.callee.parameters.values()])
    written = [find(here) for there, here in call.mapping if find(there).flags & WRITTEN and find(there) in given]
    written += [find(one) for one in call.callee.shared_writes]
    slots = [node for node in dict.fromkeys(written) if node not in passed]
    return [node for node in slots if is_array_or_unknown(node) and not is_mixed(node)]


def _objects(graph: Graph, call: Instruction) -> Iterator[object]:
    """The variables of what a call is given and of what its method is called on."""
    for register in call.operands:
        one = graph.body.instructions[register]
        named = one.operands[0] if one.operation == "attribute" and register == call.operands[0] else register
        yield _behind(graph, named)


def _is_followed(graph: Graph, register: int, objects: set[object]) -> bool:
    """Whether a register has been read from one of some objects, by dots and slices alone, or from none at all."""
    pending, seen = [register], {register}
    while pending:
        one = graph.body.instructions[pending.pop()]
        before = find(graph.registers[one.operands[0]]) if one.operation in ("attribute", "item") else None
        is_view = before is find(graph.registers[one.result])
        if one.operation in ("item", "attribute") and not is_view:
            if _behind(graph, one.operands[0]) not in objects:
                return False
            continue
        if one.operation in _READING or (one.operation == "call" and _passes_unseen(graph, one)):
            return False
        if one.operation not in (*_SAME, "item", "attribute"):
            continue
        onward = one.operands[:1] if one.operation in ("item", "attribute") else one.operands
        pending += [operand for operand in onward if operand not in seen]
        seen.update(onward)
    return True


def _passes_unseen(graph: Graph, call: Instruction) -> bool:
    """Whether a call gives an array that it is given, or a view of it, and is no function of NumPy's that does so."""
    node = find(graph.registers[call.result])
    if not isinstance(call.node, ast.Call) or not any(
        find(graph.registers[each]) is node for each in call.operands[1:]
    ):
        return False
    name = graph.module.names.of(call.node.func, graph.body.scope) or ""
    return as_numpy(name) not in traits.VIEW_FUNCTIONS


def _behind(graph: Graph, register: int) -> object:
    """The object that attributes are read from, one behind the other: the `s` of `s.inner.grid`."""
    one = graph.body.instructions[register]
    seen = {register}
    while (one.operation in _SAME or one.operation == "attribute") and one.operands[0] not in seen:
        seen.add(one.operands[0])
        one = graph.body.instructions[one.operands[0]]
    return one.detail if one.operation in ("global", "cell") else one.result


def _leading(graph: Graph) -> dict[Node, list[int]]:
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
