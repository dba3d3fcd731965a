"""Variables that have the array of an object's slot while a call writes to it: the slot is bound anew, they are not.

Where a method is called by its name on a variable, the functional stage binds what has been read from that variable
anew after the call: `m = s.m`, `s.step()`. Of other calls, and of what has been read in other ways, it knows nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator

from tnp_migrate.analysis.frames import as_numpy
from tnp_migrate.analysis.graphs import Call, Graph, Having
from tnp_migrate.analysis.heap import (
    OBJECT,
    PART,
    SHARED,
    Node,
    find,
    is_array_or_unknown,
    is_mixed,
    is_of_project,
    parts_of,
    reachable,
)
from tnp_migrate.analysis.reachability import and_contained, contained_in, holders_of, leading
from tnp_migrate.analysis.read_again import SAME, paths_hold, stands_in_statement
from tnp_migrate.analysis.stores import by_node
from tnp_migrate.analysis.suspended import read_later
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness
from tnp_migrate.numpy_facts import traits

_READING = frozenset(("next", "iterate", "unpack", "enter", "unknown"))  # the last by a pattern
_MAKING = frozenset(("call", "item", "operator"))
_BINDS = frozenset(("set_cell", "set_global"))  # variables, which functions inside bind anew for all of them


def note_slot_holders(graph: Graph, live: Liveness, having: Having) -> None:
    """Hold what a call writes to by a slot while a variable has it, or a container that is read later."""
    writing = [(call, slots) for call in graph.calls if (slots := _slots(graph, call))]
    if not writing:
        return
    holders = _Holders(graph, live, having)
    for call, slots in writing:
        inside = set(call.here([*call.callee.hidden_writes, *call.callee.rotated]))
        is_followed = is_shown_by_text(graph, call.instruction, holders.unshown) and not call.callee.body.is_suspended
        for node in slots:
            is_shown = is_followed and node not in inside
            if not graph.is_held(node) and (
                holders.are_besides(call.instruction, node, is_shown=is_shown) or holders.are_apart(call, node)
            ):
                graph.hold(node, call.instruction, call.instruction)


def is_shown_by_text(graph: Graph, write: Instruction, unshown: Container[Instruction]) -> bool:
    """Whether a text names what a call runs, and a name what that writes to: not in `s.step().step()`."""
    if write in unshown or not stands_in_statement(graph, write):  # so is all that is no call
        return False
    of = graph.body.instructions[graph.body.receiver(write)]
    return of.operation != "call" or _is_super(of)


class _Holders:
    """Who has what a call writes to by a slot: one instruction may run many bodies, and registers be asked for each."""

    def __init__(self, graph: Graph, live: Liveness, having: Having) -> None:
        self.unshown = graph.unshown()
        self._graph, self._live, self._having = graph, live, having
        self._leading, self._holding = leading(graph), holders_of(graph.registers)
        by_calls = [*_kept_by_calls(graph)]
        own = (pair for pair in graph.stores if pair[0].operation not in _BINDS)
        self._stored = by_node([*own, *by_calls])
        self._displays = by_node(_displayed(graph))
        self._made = by_node(_made_of(graph))
        self._later = read_later(graph)
        self._hidden, self._bound = by_node([*graph.hidden_stores, *by_calls]), _bound(graph)
        self._shared = _shared_variables(graph) if self._bound else {}
        self._objects: dict[Instruction, set[object]] = {}
        self._reached: dict[Call, dict[Node, None]] = {}
        self._sources: dict[int, object] = {}
        self._same: dict[Node, dict[Node, None]] = {}
        self._read: dict[tuple[int, Instruction], bool] = {}
        self._known: dict[tuple[Instruction, Node, bool], bool] = {}

    def are_besides(self, write: Instruction, node: Node, *, is_shown: bool) -> bool:
        """Whether something has an array that a call writes to which is not bound anew; `is_shown` says a text does."""
        key = write, node, is_shown
        if key not in self._known:
            self._known[key] = self._have(write, node, is_shown=is_shown)
        return self._known[key]

    def _have(self, write: Instruction, node: Node, *, is_shown: bool) -> bool:
        objects = self._objects_of(write)
        if any(self._have_put(write, one, objects if is_shown else None) for one in self._memory(node)):
            return True
        graph = self._graph
        others = self._having.get(node, ())
        later = (graph.body.instructions[made] for each in others for made in self._later.get(each, ()))
        if any(self._is_reached_after(made, write) for made in later):
            return True
        if any(
            each != write.result
            and self._is_read_after(each, write)
            and not (is_shown and self._is_bound_anew(each, write, objects) and not self._is_captured(each))
            for each in others
        ):
            return True
        # What a hidden store put into an object a variable may have, too: what was made before it, or holds that. What
        # is read from the object itself is bound anew.
        return any(
            self._live.may_follow(each, write) for one in self._memory(node) for each in self._hidden.get(one, ())
        ) and any(
            self._is_read_after(each, write) and self._behind(each) not in objects and _is_apart(graph, each, part)
            for part in self._memory(node)
            for each in self._leading.get(part, ())
        )

    def _variable(self, one: Instruction) -> object:
        """The variable that an instruction binds: of a function, or of the module."""
        return one.detail if one.operation == "set_cell" else (self._graph.module.name, one.detail)

    def _is_bound_anew(self, register: int, write: Instruction, objects: set[object]) -> bool:
        """Whether the functional stage reads what a register has again, by the path that its text was read by."""
        return _is_followed(self._graph, register, objects) and paths_hold(self._graph, register, write)

    def _have_put(self, write: Instruction, node: Node, objects: Container[object] | None) -> bool:
        """Whether what something else has is put where another finds it, before a write."""
        graph, follows = self._graph, self._live.may_follow
        return (
            any(
                each is not write and follows(each, write) and _puts_what_it_read(graph, each, node, objects)
                for each in self._stored.get(node, ())
            )
            or any(
                follows(each, write)
                and _puts_what_it_read(graph, each, node, objects)
                and self._is_reached_after(each, write)
                for each in self._displays.get(node, ())
            )
            or any(follows(each, write) and self._is_reached_after(each, write) for each in self._made.get(node, ()))
        )

    def _memory(self, node: Node) -> dict[Node, None]:
        """The nodes of what may be one array: what a node may be a view or an item of, and the parts of that."""
        if node not in self._same:
            whole = [node]
            for one in whole:  # which grows meanwhile
                whole += [each for each in self._holding.get(one, ()) if each not in whole and one in parts_of(each)]
            self._same[node] = dict.fromkeys(part for one in whole for part in parts_of(one))
        return self._same[node]

    def are_apart(self, call: Call, node: Node) -> bool:
        """Whether an object or a container has an array which the call does not come by, and is read after it."""
        same = self._memory(node)
        holders = dict.fromkeys(each for one in same for each in self._holding.get(one, ()))
        others = [one for one in holders if one is not node and not one.flags & SHARED]
        reached = self._reached_by(call) if others else {}
        apart = [one for one in others if one not in reached]
        having = dict.fromkeys(each for one in apart for each in self._leading.get(one, ()))
        return any(each != call.instruction.result and self._is_read_after(each, call.instruction) for each in having)

    def _reached_by(self, call: Call) -> dict[Node, None]:
        """What a call leads to by what it is given, by variables, and by those that it goes on with."""
        if call not in self._reached:
            roots = [*call.callee.parameters.values(), *call.callee.variables("cell", "global")]
            roots += call.callee.results if call.callee.body.is_suspended else ()
            self._reached[call] = reachable(call.here(roots))
        return self._reached[call]

    def _is_reached_after(self, made: Instruction, write: Instruction) -> bool:
        """Whether something that leads to a container is read after a write, or an object has been given it."""
        registers = self._graph.registers
        having = [each for each in self._leading.get(find(registers[made.result]), ()) if each != write.result]
        return any(find(registers[each]) in self._stored or self._is_read_after(each, write) for each in having)

    def _is_captured(self, register: int) -> bool:
        """Whether a pattern binds a register to a variable that functions read."""
        return any(isinstance(one.node, ast.pattern) for one in self._bound.get(register, ()))

    def _objects_of(self, write: Instruction) -> set[object]:
        if write not in self._objects:
            self._objects[write] = set() if write in self.unshown else {*_objects(self._graph, write)}
        return self._objects[write]

    def _behind(self, register: int) -> object:
        if register not in self._sources:
            self._sources[register] = _behind(self._graph, register)
        return self._sources[register]

    def _is_read_after(self, register: int, write: Instruction) -> bool:
        """Whether a register is read after a write; functions read what it is bound to that they share with the body.

        Those that the call itself runs do so before it is over.
        """
        key = register, write
        if key not in self._read:
            own = self._shared.get(write, ())
            bound = (one for one in self._bound.get(register, ()) if self._variable(one) not in own)
            follows = (self._live.may_follow(one, write) for one in bound)
            self._read[key] = self._live.is_live_after(register, write) or any(follows)
        return self._read[key]


def _shared_variables(graph: Graph) -> dict[Instruction, set[object]]:
    """By calls the variables that what they run, and what that calls, shares with the bodies around it."""
    found: dict[Instruction, set[object]] = {}
    for call in graph.calls:
        found.setdefault(call.instruction, set()).update(_cells_reached(call.callee))
    return found


def _cells_reached(graph: Graph) -> frozenset[object]:
    """The variables that a body, and all that it calls, shares with those around it: found once a body."""
    if graph.cells_reached is None:
        cells: set[object] = set()
        pending, seen = [graph], {graph}
        while pending:
            one = pending.pop()
            if one.cells_reached is not None:
                cells |= one.cells_reached
                continue
            cells.update(each.detail for each in one.body.instructions if each.operation == "cell")
            name = one.module.name
            cells.update((name, each.detail) for each in one.body.instructions if each.operation == "global")
            new = {each.callee for each in one.calls} - seen
            seen |= new
            pending += new
        graph.cells_reached = frozenset(cells)
    return graph.cells_reached


def hidden_writes(graph: Graph) -> Iterator[Node]:
    """What is written to by calls, of the body or of what it calls, that no text shows to do so."""
    unshown = graph.unshown()
    for call in graph.calls:
        yield from call.written if call.instruction in unshown else call.here(call.callee.hidden_writes)


def _displayed(graph: Graph) -> Iterator[tuple[Instruction, Node]]:
    """The displays of a body, with what is put into containers by them: `[s.m, 1]`."""
    for one in graph.body.instructions:
        for register in one.operands if one.operation == "display" else ():
            yield one, find(graph.registers[register])


def _is_super(call: Instruction) -> bool:
    """Whether a call gives the object that a method is called on, under another class."""
    return isinstance(call.node, ast.Call) and getattr(call.node.func, "id", "") == "super"


def _kept_by_calls(graph: Graph) -> Iterator[tuple[Instruction, Node]]:
    """What calls put into objects of what they are given."""
    for call in graph.calls:
        given = contained_in([graph.registers[register] for register in call.instruction.operands])
        inside = contained_in(call.kept_behind)
        yield from ((call.instruction, node) for node in inside if node in given)


def _made_of(graph: Graph) -> Iterator[tuple[Instruction, Node]]:
    """What makes an object that holds what it is given, or items of it: `deque([s.m])`, `rows[1:]`, `[*rows]`."""
    known = set(graph.made)
    for one in graph.body.instructions:
        made = find(graph.registers[one.result])
        if not (one.operation in _MAKING or _unpacks(one)) or not made.flags & OBJECT or _is_super(one):
            continue
        if one.result not in known and is_of_project(made):
            continue
        behind = (graph.body.receiver(one),) if one.operation == "call" else ()
        given = reachable([graph.registers[each] for each in (*one.operands, *behind)])
        if one.result not in known and made in given and not _is_slice_in(given, made):
            continue
        rows = [find(held) for label, held in made.fields.items() if label[0] == "["]
        items = [held for row in rows for label, held in row.fields.items() if label[0] == "["]  # as `zip` gives
        held = dict.fromkeys(map(find, (*made.fields.values(), *items)))
        yield from ((one, node) for node in held if node in given)


def _unpacks(one: Instruction) -> bool:
    """Whether an instruction makes a list of the items of another: `[*rows]`, and `*rest` of an assignment."""
    return one.operation == "display" and isinstance(one.detail, tuple) and "*" in one.detail[1]


def _is_slice_in(nodes: Iterable[Node], part: Node) -> bool:
    """Whether something is what slices of one of some nodes give, which is another list each time."""
    return any(PART in node.fields and find(node.fields[PART]) is part for node in nodes)


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
    found: dict[int, list[Instruction]] = {}
    for one in graph.body.instructions:
        if one.operation in _BINDS:
            found.setdefault(one.operands[0], []).append(one)
    return found


def _slots(graph: Graph, call: Call) -> list[Node]:
    """The arrays that a call writes to, is not passed itself, and does not make."""
    written = call.written
    if not written:
        return []
    passed = {find(graph.registers[register]) for register in call.instruction.given}
    slots = [node for node in written if node not in passed]
    return [node for node in slots if is_array_or_unknown(node) and not is_mixed(node)]


def _objects(graph: Graph, call: Instruction) -> Iterator[object]:
    """The variables of what a call is given and of what its method is called on."""
    for register in call.operands:
        one = graph.body.instructions[register]
        named = one.operands[0] if one.operation == "attribute" and register == call.operands[0] else register
        yield _behind(graph, named)


def _is_followed(graph: Graph, register: int, objects: Container[object]) -> bool:
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
        by_pattern = isinstance(one.node, ast.pattern)
        if by_pattern or one.operation in _READING or (one.operation == "call" and passes_unseen(graph, one)):
            return False
        if one.operation not in (*SAME, "item", "attribute", "call"):
            continue
        onward = one.operands[:1] if one.operation in ("item", "attribute") else one.operands
        if one.operation == "call":  # a view of what it is given, or of what its method is called on
            node, given = find(graph.registers[one.result]), (*one.operands[1:], graph.body.receiver(one))
            onward = tuple(each for each in given if find(graph.registers[each]) is node)
        pending += [operand for operand in onward if operand not in seen]
        seen.update(onward)
    return True


def passes_unseen(graph: Graph, call: Instruction) -> bool:
    """Whether a call gives an array that it is given, or a view of it, and is no function of NumPy's that does so.

    Or a library's reads it from an object: `getattr(x, "y")`.
    """
    node, given = find(graph.registers[call.result]), [graph.registers[each] for each in call.operands[1:]]
    is_given = any(find(one) is node for one in given) or (call.result in graph.made and node in reachable(given))
    if not isinstance(call.node, ast.Call) or not is_given:
        return False
    name = graph.module.names.of(call.node.func, graph.body.scope) or ""
    return as_numpy(name) not in traits.VIEW_FUNCTIONS


def _behind(graph: Graph, register: int) -> object:
    """The object that attributes are read from, one behind the other: the `s` of `s.inner.grid`."""
    one = graph.body.instructions[register]
    seen = {register}
    while (one.operation in SAME or one.operation == "attribute") and one.operands[0] not in seen:
        seen.add(one.operands[0])
        one = graph.body.instructions[one.operands[0]]
    return one.detail if one.operation in ("global", "cell") else one.result
