"""Which bodies hold on to memory that calls have handed out, or write to it.

A getter, a cache or a pool gives its caller memory that something else has as well. That is as good as a copy to who
only reads it at once. It is a *hold* where the caller writes to it, where it keeps it while it is written to, and
where it puts it into an object: then NumPy has one memory in two places, and a value that is bound anew has not.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import chain

from tnp_migrate.analysis.blind_writes import note_blind
from tnp_migrate.analysis.callbacks import note_around, note_called_back
from tnp_migrate.analysis.congruence import note_second_names
from tnp_migrate.analysis.entry_aliasing import note_held_across
from tnp_migrate.analysis.graphs import Call, Effect, Graph, Having, Hold
from tnp_migrate.analysis.heap import (
    OBJECT,
    PASSED,
    SHARED,
    WRITTEN,
    Node,
    arrays_held,
    find,
    is_array_or_unknown,
    is_mixed,
    is_of_known_origin,
    is_of_project,
    parts_of,
    reachable,
)
from tnp_migrate.analysis.interrupted import note_interrupted
from tnp_migrate.analysis.left_behind import hidden_stores, note_left_behind
from tnp_migrate.analysis.passed_twice import note_passed_twice
from tnp_migrate.analysis.rotated import note_rotated
from tnp_migrate.analysis.slot_holders import note_slot_holders
from tnp_migrate.analysis.stores import filled_by
from tnp_migrate.analysis.unseen import note_unseen
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness

# What gives the same memory as an operand, a part of it, or an object that holds it.
_PASSED_ON = frozenset(
    "copy phi either await item attribute unpack next iterate enter display call augmented unknown".split()
)


def find_holds(graph: Graph, live: Liveness, having: Having) -> None:
    """Note the holds of a body, and mark their nodes."""
    _note_copied(graph)
    writes = [*graph.all_writes()]
    note_blind(graph, live, having)
    _note_stored(graph, live, writes)
    _note_put(graph)
    _note_caught(graph)
    _note_of_classes(graph, writes)
    _note_constructed(graph, writes)
    _note_at_end(graph, writes)
    note_unseen(graph, live)
    graph.hidden_stores = [*hidden_stores(graph)]
    note_slot_holders(graph, live, having)
    note_passed_twice(graph)
    note_rotated(graph, live, having)
    note_interrupted(graph, live, having)
    note_left_behind(graph, live, writes, having)
    note_called_back(graph)
    note_around(graph, live, writes, having)
    note_second_names(graph, live, writes, having)
    note_held_across(graph, live, writes)
    if not graph.handed:
        return
    held = _registers(graph)
    for node, call, conflict in _conflicts(graph, held, live, writes):
        graph.hold(node, call, conflict)


def _note_copied(graph: Graph) -> None:
    """Note that shallow copies of objects, which the body or a call makes, have the arrays of those objects."""
    for call in graph.calls:
        copied = call.here([node for _, node in call.callee.copied_objects])
        graph.copied_objects += [(call.instruction.result, node) for node in copied]
    for register, node in graph.copied_objects:
        graph.handed.setdefault(register, []).extend(arrays_held(find(node), likely=True))


def _note_put(graph: Graph) -> None:
    """Note what calls read from an object and put into a container, as has turned out here."""
    for one in graph.put:
        if one.read and one.instruction.operation == "call" and is_array_or_unknown(find(one.value)):
            graph.hold(one.value, one.instruction, one.instruction)


def _note_caught(graph: Graph) -> None:
    """What a caught exception holds was handed out by whatever has raised it."""
    for one in graph.body.instructions:
        if one.operation == "exception":
            inside = reachable([graph.registers[one.result]])
            graph.handed[one.result] = [node for node in inside if is_array_or_unknown(node)]


def _note_of_classes(graph: Graph, writes: list[Effect]) -> None:
    """What is written to by an object is bound anew for it alone: its class, and what else has that, keep what was."""
    for instruction, nodes, by in writes if graph.of_classes else ():
        for register in by:
            if find(graph.registers[register]) in nodes:
                for one in graph.of_classes.intersection(_same_memory(graph, register)):
                    graph.hold(graph.registers[one], instruction, instruction)
                    graph.hold(graph.registers[register], instruction, instruction)


def _same_memory(graph: Graph, register: int) -> dict[int, None]:
    """The registers from which another comes: by other names, and by what gives a part or a view of what it gets."""
    found = {register: None}
    pending = [register]
    for each in pending:  # which grows meanwhile
        node = find(graph.registers[each])
        for one in graph.body.instructions[each].operands:
            if one not in found and node in parts_of(find(graph.registers[one])):
                found[one] = None
                pending.append(one)
    return found


def _note_constructed(graph: Graph, writes: list[Effect]) -> None:
    """What a new object is given, and is written to by what a constructor runs that no text shows, others may have."""
    for instruction, nodes, _ in writes if graph.constructing else ():
        if instruction in graph.constructing:
            given = [one for one in instruction.operands[1:] if one not in graph.fresh]
            inside = reachable([graph.registers[one] for one in given])
            for node in [one for one in nodes if one in inside and is_array_or_unknown(one)]:
                graph.hold(node, instruction, instruction)


def _note_at_end(graph: Graph, writes: list[Effect]) -> None:
    """What `__del__` writes to is written to at a time that no text shows."""
    if graph.function is not None and graph.function.owner is not None and graph.function.node.name == "__del__":
        for instruction, nodes, _ in writes:
            for node in [one for one in nodes if is_array_or_unknown(one)]:
                graph.hold(node, instruction, instruction)


def note_unfollowed(graph: Graph) -> None:
    """Note writes to what nothing says where it comes from: it may be any array that has been handed on unseen.

    What variables of modules and closures hold is known when all bodies have been evaluated.
    """
    own = [(write.instruction, [*filter(_is_unfollowed, map(find, write.nodes))]) for write in graph.writes]
    passed = {one: _unfollowed(graph, one) for one in dict.fromkeys(call.instruction for call in graph.calls)}
    called = [(one.instruction, _written_of(one, passed[one.instruction])) for one in graph.calls]
    for instruction, nodes in chain(own, called):
        for node in nodes:
            graph.unfollowed[node] = None
            graph.holds.append(Hold(node, instruction, instruction))


def _is_unfollowed(node: Node) -> bool:
    return not is_of_known_origin(node) and not is_of_project(node)


def _unfollowed(graph: Graph, call: Instruction) -> set[Node]:
    """What a call is passed of which nothing says where it comes from."""
    instructions = graph.body.instructions
    operands = (*call.operands, *([graph.body.receiver(call)] if call.operation == "call" else []))
    given = [one for one in operands if instructions[one].operation != "constant"]
    inside = dict.fromkeys(find(graph.registers[register]) for register in given)
    pending = list(inside)
    while pending:
        one = pending.pop()
        held = map(find, one.fields.values()) if one.flags & OBJECT or _is_unfollowed(one) else ()
        new = [each for each in held if each not in inside]
        inside |= dict.fromkeys(new)
        pending += new
    return {one for one in inside if _is_unfollowed(one)}


def _written_of(call: Call, nodes: Container[Node]) -> Iterable[Node]:
    """Of some nodes those that a call writes to."""
    wanted = WRITTEN | PASSED
    written = [(find(there), here) for there, one in call.mapping if (here := find(one)) in nodes] if nodes else []
    return dict.fromkeys(here for there, here in written if there.flags & wanted == wanted and not is_mixed(there))


def _note_stored(graph: Graph, live: Liveness, writes: list[Effect]) -> None:
    """Note what is read from one object of the body's surroundings and put into a container: two hold it then.

    A container of the body's own is none while nothing is written to what it holds: it ends with the body.
    """
    given = {find(one) for one in graph.parameters.values()}
    inside = reachable(list(graph.parameters.values()))
    for instruction, one in graph.stores:
        node = find(one)
        held = (node in inside and node not in given) or node.flags & SHARED
        if not held or instruction.operation not in ("call", "append", "set_item") or node.flags & OBJECT:
            continue
        if not any(find(graph.registers[r]) is node and is_read(graph, r) for r in instruction.operands):
            continue
        if not _ends_with_body(graph, instruction, node, live, writes):
            graph.hold(node, instruction, instruction)


def _ends_with_body(graph: Graph, store: Instruction, node: Node, live: Liveness, writes: list[Effect]) -> bool:
    """Whether what a store puts into is reached by nothing after the body, nor while `node` is written to."""
    place = find(graph.registers[filled_by(graph, store)])
    outer = graph.parameters.values()  # whether what it gives is had when something is written to callers know
    kept = reachable([*outer, *(one for call in graph.calls for one in call.kept)])
    if place is node or place in kept or place.flags & SHARED or node not in reachable([place]):
        return False
    through = [register for register, one in enumerate(graph.registers) if place in reachable([one])]
    return not any(
        node in nodes and any(live.is_live_after(register, instruction) for register in through)
        for instruction, nodes, _ in writes
    )


def is_read(graph: Graph, register: int) -> bool:
    """Whether a register has what an object held before, and nothing that was computed."""
    pending, seen = [register], {register}
    while pending:
        one = graph.body.instructions[pending.pop()]
        if one.operation in ("attribute", "item", "global", "cell", "next", "unpack"):
            return True
        if one.operation in ("copy", "phi", "either"):
            pending += [operand for operand in one.operands if operand not in seen]
            seen.update(one.operands)
    return False


def _registers(graph: Graph) -> dict[int, dict[Node, Instruction]]:
    """For registers with handed out memory, or an object that has it, the nodes of it and the calls they come from."""
    instructions = graph.body.instructions
    held: dict[int, dict[Node, Instruction]] = {}
    for register, nodes in graph.handed.items():
        held[register] = dict.fromkeys((find(one) for one in nodes), instructions[register])
    passing = [(one, _sources(graph, one)) for one in instructions if one.operation in _PASSED_ON]
    parts: dict[Node, list[Node]] = {}
    missing: dict[int, set[Node]] = {}  # by register what it does not lead to
    grown = set(held)
    while grown:
        before, grown = grown, set()
        for one, sources in passing:
            if before.isdisjoint(sources) and grown.isdisjoint(sources):
                continue
            given = {node: call for source in sources if source in held for node, call in held[source].items()}
            known, others = held.get(one.result, {}), missing.setdefault(one.result, set())
            left = [node for node in given if node not in known and node not in others]
            if not left:
                continue
            inside = reachable([graph.registers[one.result]])
            parts |= {node: parts_of(node) for node in left if node not in parts}
            new = {node: given[node] for node in left if any(part in inside for part in parts[node])}
            others.update(node for node in left if node not in new)
            if new:
                held[one.result] = known | new
                grown.add(one.result)
    return held


def _sources(graph: Graph, one: Instruction) -> tuple[int, ...]:
    """The registers that an instruction passes on what they have: the object of a method that it calls as well."""
    first = graph.body.instructions[one.operands[0]] if one.operation == "call" else None
    return one.operands if first is None or first.operation != "attribute" else (*one.operands, *first.operands)


def _conflicts(
    graph: Graph, held: dict[int, dict[Node, Instruction]], live: Liveness, writes: list[Effect]
) -> Iterator[tuple[Node, Instruction, Instruction]]:
    order = {register: position for position, register in enumerate(held)}
    holding: dict[Node, list[int]] = {}
    whole: dict[Node, set[Node]] = {}
    for register, given in held.items():
        for node in given:
            for part in parts_of(node):
                holding.setdefault(part, []).append(register)
                whole.setdefault(part, set()).add(node)
    seen: dict[tuple[int, tuple[int, ...]], set[Node]] = {}  # a call may run many bodies, which write to the same
    for instruction, written, by in writes:
        before = seen.setdefault((instruction.result, by), set())
        nodes = {part for one in written if one not in before for part in parts_of(one)}
        before |= nodes
        of_whole = {one for node in nodes for one in whole.get(node, ()) if not graph.is_held(one)}
        meeting = {register for node in nodes for register in holding.get(node, ())} if of_whole else set()
        for register in sorted(meeting - {instruction.result}, key=order.__getitem__):  # a call writes, then hands out
            meant = [node for node in held[register] if node in of_whole]
            if meant and (register in by or live.is_live_after(register, instruction)):
                of_whole.difference_update(meant)
                yield from ((node, held[register][node], instruction) for node in meant)
    insides: dict[Node, dict[Node, None]] = {}
    for instruction, place in dict.fromkeys(_stored(graph, held)):
        if place not in insides:
            insides[place] = reachable([place])
        inside = insides[place]
        for register in {*instruction.operands}:
            for node, call in held.get(register, {}).items():
                if node in inside and not graph.is_held(node):
                    yield node, call, instruction


def _stored(graph: Graph, held: Container[int]) -> Iterator[tuple[Instruction, Node]]:
    """What is put into objects by instructions that take what calls have handed out."""
    for instruction, node in graph.stores:
        if any(one in held for one in instruction.operands):
            yield instruction, find(node)
    for call in graph.calls:
        if any(one in held for one in call.instruction.operands):
            yield from ((call.instruction, node) for node in call.kept)
