"""What a body puts into which places, and where it has that from.

A place is what leads to an array: an attribute, a variable, an item of a container, what an object was made with, what
a function or a method that is kept is bound to. Which instruction fills it does not matter: one rule takes assignments,
displays, joined containers and calls that keep or hold what they get.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from tnp_migrate.analysis.assigned_attributes import Assigned, behind, binds_what_it_had
from tnp_migrate.analysis.graphs import Call, Graph
from tnp_migrate.analysis.heap import (
    ARRAY,
    LIKELY,
    OBJECT,
    OF,
    PAIR,
    SHARED,
    STORED,
    Node,
    find,
    is_array_or_unknown,
    parts_of,
    reachable,
)
from tnp_migrate.analysis.lasting_defaults import lasting_defaults
from tnp_migrate.analysis.object_writes import written_by_objects
from tnp_migrate.analysis.placements import Origin, Placement
from tnp_migrate.analysis.stored_parameters import given_for
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness

_MAKERS = frozenset({"operator", "call", "display"})
_SURROUNDINGS = frozenset({"global", "cell", "parameter"})
REMOVING = frozenset({"pop", "popleft", "popitem", "heappop"})
_LEADS = frozenset({"copy", "phi", "augmented", "either", "item", "attribute", "unpack", "next", "iterate"})


@dataclass(eq=False)
class Placing:
    """What a body puts where, and where it has that from."""

    graph: Graph
    cells_last: bool
    gives: bool = False  # whether what the body gives counts as what callers reach
    _inside: dict[Node, dict[Node, None]] = field(default_factory=dict)
    _origins: dict[tuple[int, Node], Origin] = field(default_factory=dict)

    @cached_property
    def outside(self) -> dict[Node, None]:
        """What callers reach."""
        return reachable([*self.graph.parameters.values(), *(self.graph.results if self.gives else ())])

    @cached_property
    def users(self) -> dict[int, list[Instruction]]:
        """By registers the instructions that use them."""
        found: dict[int, list[Instruction]] = {}
        for one in self.graph.body.instructions:
            for register in one.operands:
                found.setdefault(register, []).append(one)
        return found

    @cached_property
    def called(self) -> set[int]:
        """The registers that are called and nothing else."""
        return {
            register
            for register, using in self.users.items()
            if all(one.operation == "call" and one.operands[0] == register for one in using)
        }

    @cached_property
    def names(self) -> dict[int, set[object]]:
        """By the registers that names are bound to, behind copies, those names."""
        found: dict[int, set[object]] = {}
        for one in self.graph.body.instructions:
            if one.operation == "copy":
                found.setdefault(self.graph.body.behind_copies(one.result).result, set()).add(one.detail)
        return found

    @cached_property
    def made(self) -> frozenset[int]:
        """The registers with what calls of libraries and operators give."""
        return frozenset(self.graph.made)

    @cached_property
    def filled(self) -> dict[object, list[int]]:
        """What the body binds variables to that outlive it or functions in it use, and what comprehensions collect."""
        found: dict[object, list[int]] = {}
        for one in self.graph.body.instructions:
            if one.operation in ("set_global", "set_cell"):
                found.setdefault((one.operation.removeprefix("set_"), one.detail), []).extend(one.operands)
            elif one.operation == "append":
                found.setdefault(one.operands[0], []).append(one.operands[1])
        return found

    @cached_property
    def assigned(self) -> Assigned:
        """The attributes that the body binds."""
        return Assigned(self.graph)

    def node(self, register: int) -> Node:
        """What a register has."""
        return find(self.graph.registers[register])

    @cached_property
    def written_by_objects(self) -> dict[Node, list[Instruction]]:
        """Where what an object holds is written to by it."""
        return written_by_objects(self.graph)

    def lasts(self, node: Node) -> bool:
        """Whether callers reach an object, or it outlives the call."""
        return node in self.outside or bool(node.flags & SHARED)

    def counts(self, node: Node, filled: Instruction) -> bool:
        """Whether an object lasts, or what it is given is written to later by an object that has it."""
        if self.lasts(node):
            return True
        writes = self.written_by_objects.get(node, ())
        return any(one is not filled and self.live.may_follow(filled, one) for one in writes)

    @cached_property
    def live(self) -> Liveness:
        """What follows what in the body."""
        return Liveness(self.graph.body)

    def leads(self, register: int, node: Node) -> bool:
        """Whether a register has a node, or what it has leads to it."""
        root = self.node(register)
        if root not in self._inside:
            self._inside[root] = reachable([root])
        return node in self._inside[root]

    def held(self, node: Node) -> list[Node]:
        """The arrays that a container holds."""
        return [one for one in dict.fromkeys(map(find, node.fields.values())) if is_array_or_unknown(one)]

    @cached_property
    def written(self) -> dict[Node, list[Instruction]]:
        """By arrays, and what they are parts of, where the body writes to them, or what it calls does."""
        found: dict[Node, list[Instruction]] = {}
        for instruction, nodes, _ in self.graph.all_writes():
            for part in dict.fromkeys(part for node in nodes for part in parts_of(node)):
                found.setdefault(part, []).append(instruction)
        return found

    def first_write(self, node: Node, after: Instruction) -> Instruction | None:
        """A write to an array that may follow an instruction."""
        return next((one for one in self.written.get(node, ()) if self.live.may_follow(after, one)), None)

    def has_default(self, register: int) -> bool:
        """Whether a parameter has a default that all calls share."""
        name = self.graph.body.instructions[register].detail
        return name in lasting_defaults(self.graph.module, self.graph.body.node)

    def placements(self) -> Iterator[Placement]:
        """The instructions that put arrays into places that last."""
        graph = self.graph
        put = {store.result: find(node) for store, node in graph.stores}
        kept: dict[int, list[tuple[Node, list[int] | None]]] = {}
        for store, node in (*graph.stores, *graph.kept):
            if store.operation == "call":
                kept.setdefault(store.result, []).append((find(node), None))
        for call in graph.calls:
            kept.setdefault(call.instruction.result, []).extend(self._kept_by(call))
        for one in graph.body.instructions:
            if one.operation == "set_attribute":
                yield from self._assigned(one)
            elif one.operation == "set_item" and one.result in put and not binds_what_it_had(graph, one):
                # an array copies what is stored into it
                into = self.node(one.operands[0])
                holder = find(into.fields.get(OF, into))
                yield from self._given(one, one.operands[2:], holder, is_unseen=holder is not into)
            elif one.operation == "append":
                yield from self._given(one, one.operands[1:], self.node(one.operands[0]))
            elif self._binds_lasting(one):
                yield from self._bound(one)
            elif one.operation == "function":
                yield from (
                    Placement(one, each, node, (one.result, each))
                    for each in one.operands
                    if is_array_or_unknown(node := self.node(each)) and self.counts(node, one)
                )
            elif one.fills and (one.operation != "item" or self.node(one.result).flags & OBJECT):
                yield from self._given(one, one.operands, self.node(one.result))
            elif one.operation == "attribute" and one.result not in self.called:
                yield from self._of_method(one)
            elif one.operation == "call":
                yield from self._of_call(one, kept.get(one.result, []))

    def _binds_lasting(self, one: Instruction) -> bool:
        """Whether a variable is bound that outlives the call; a module's own statements do so once."""
        if one.operation == "set_cell":
            assert isinstance(one.detail, tuple)
            return self.cells_last or one.detail[0] is not self.graph.body.scope
        return one.operation == "set_global" and not isinstance(self.graph.body.node, ast.Module)

    def _assigned(self, one: Instruction) -> Iterator[Placement]:
        holder, value = one.operands
        if binds_what_it_had(self.graph, one):
            return
        node = self.node(value)
        if self.counts(self.node(holder), one) and is_array_or_unknown(node):
            root = self.graph.body.behind_copies(holder)
            yield Placement(one, value, node, ("attribute", root.result, one.detail), root.result)

    def _bound(self, one: Instruction) -> Iterator[Placement]:
        node = self.node(one.operands[0])
        if is_array_or_unknown(node):
            is_cell = one.operation == "set_cell"  # of which no text of the body says who reads it
            yield Placement(one, one.operands[0], node, (one.operation, one.detail), is_unseen=is_cell)

    def _given(
        self, one: Instruction, registers: tuple[int, ...], into: Node, *, is_unseen: bool = False
    ) -> Iterator[Placement]:
        """What goes into an object that lasts: what it is given, or what that holds."""
        made = [into, *self._rows_made(registers, into)]
        if not any(self.counts(each, one) for each in made):
            return
        held = {find(node) for each in made for node in each.fields.values()} - {into}
        is_many = one.operation == "operator" and one.detail == "Mult"
        rows: set[tuple[int, object] | None] = set()
        for position, register in enumerate(registers):
            given = self.node(register)
            if given is into:
                continue
            row = self._row(register)
            direct = one.operation in ("display", "call") and (row is None or row in rows)
            rows.add(row)
            inside = [given, *map(find, given.fields.values())]
            pairs = [each for each in inside if each.flags & PAIR] if one.operation == "call" else []  # of a dict
            inside += [find(part) for pair in pairs for part in pair.fields.values()]
            for node in dict.fromkeys(inside):
                if node in held and is_array_or_unknown(node):
                    known = direct and node is given and node.flags & (ARRAY | LIKELY)
                    place = (one.result, position) if known else one.result
                    yield Placement(one, register, node, place, is_many=is_many, is_unseen=is_unseen)

    def _rows_made(self, registers: tuple[int, ...], into: Node) -> list[Node]:
        """The containers in an object that are made with it, as the pairs of `zip` and `enumerate` are."""
        held = (row for row in map(find, into.fields.values()) if row.flags & OBJECT and row is not into)
        return [row for row in held if not any(self.leads(each, row) for each in registers)]

    def _row(self, register: int) -> tuple[int, object] | None:
        """The array and the place in it of what a register has, `x[0]`: other rows are apart from it."""
        one = self.graph.body.behind_copies(register)
        if one.operation != "item" or self.node(one.operands[0]) is not self.node(register):
            return None
        base, index = (self.graph.body.behind_copies(operand) for operand in one.operands)
        return (base.result, index.detail) if index.operation == "constant" else None

    def _of_method(self, one: Instruction) -> Iterator[Placement]:
        """A method as a value has what it is read from."""
        node, method = self.node(one.operands[0]), self.node(one.result)
        bound = method.fields.get("self")
        if bound is not None and find(bound) is node and self.counts(method, one) and is_array_or_unknown(node):
            yield Placement(one, one.operands[0], node, one.result, is_unseen=True)

    def _of_call(self, one: Instruction, kept: list[tuple[Node, list[int] | None]]) -> Iterator[Placement]:
        given = self._given_to(one)
        if len(given) == len(one.operands):  # of a method, maybe of what the body has made for itself
            into, made_by = self.node(given[0]), self.graph.body.behind_copies(given[0]).operation
            if made_by in ("display", "phi") and not self.counts(into, one):
                kept = [(node, by) for node, by in kept if node not in map(find, into.fields.values())]
        is_unseen = any(each.instruction is one for each in self.graph.unseen)
        places = dict.fromkeys(
            (node, each, by.count(each) if by else 1) for node, by in kept for each in (given if by is None else by)
        )
        for node, each, count in sorted(places, key=lambda place: place[1:]):
            if self.counts(node, one) and is_array_or_unknown(node) and self.leads(each, node):
                itself = self.node(each) is node  # what an object holds a call may have bound anew
                yield Placement(one, each, node, one.result, is_many=count > 1, is_unseen=is_unseen and itself)
        if one.result in self.made and self.node(one.result).flags & OBJECT:
            yield from self._given(one, given, self.node(one.result), is_unseen=True)

    def _given_to(self, one: Instruction) -> tuple[int, ...]:
        """What a call gets, and what a method is called on; nothing where no text names the call."""
        if not one.operands:
            return ()
        method = self.graph.body.instructions[one.operands[0]]
        return (*(method.operands if method.operation == "attribute" else ()), *one.operands[1:])

    def _kept_by(self, call: Call) -> Iterator[tuple[Node, list[int] | None]]:
        """What a body of the project puts into something that lasts; its own methods are none of that.

        With the registers that it has that from, where these are known.

        Where calls go in a circle the nodes of both are the same: only what is passed itself counts, then.
        """
        rebound = call.callee.rebound
        stored = [(there, find(one)) for there, one in call.flagged(STORED) if there not in rebound]
        if not stored:
            return
        passed = {self.node(register) for register in self._given_to(call.instruction)}
        holders: dict[Node, list[Node]] | None = None  # by what they hold, those that last
        named = call.callee.stored_parameters
        by: dict[Node, list[int] | None] = {}
        for there, one in stored:
            here = given_for(self.graph, call, named[there]) if there in named else None
            known = by.get(one, [])
            by[one] = None if here is None or known is None else [*known, *here]
        lasting = dict.fromkeys(call.here(call.callee.lasting_puts))
        for node in dict.fromkeys(one for there, one in stored if there is not one or one in passed):
            if node not in lasting and not self.lasts(node):
                continue
            if not node.flags & SHARED:
                holders = self._lasting_holders(call) if holders is None else holders
                own = {find(one) for one in node.fields.values()}
                if all(one in own for one in holders.get(node, ())):
                    continue
            yield node, by[node]

    def _lasting_holders(self, call: Call) -> dict[Node, list[Node]]:
        """By nodes what holds them of that which a call has to do with and which lasts."""
        found: dict[Node, list[Node]] = {}
        for one in dict.fromkeys(find(here) for _, here in call.mapping):
            if one.fields and self.counts(one, call.instruction):
                for held in one.fields.values():
                    found.setdefault(find(held), []).append(one)
        return found

    def origin(self, register: int, node: Node) -> Origin:
        """What has made what a register has or leads to, or that it is a view of; or what had it before."""
        if (register, node) not in self._origins:
            self._origins[register, node] = self._origin(register, node)
        return self._origins[register, node]

    def _origin(self, register: int, node: Node) -> Origin:
        instructions = self.graph.body.instructions
        found = Origin()
        seen, pending = {register}, [register]
        while pending:
            one = instructions[pending.pop()]
            given = one.operands if one.operation != "call" else (*one.operands[:1], *self._given_to(one))
            given = (*given, *self.filled.get((one.operation, one.detail), ()), *self.filled.get(one.result, ()))
            given = (*given, *self.assigned.before(one))
            before = [each for each in given if self.leads(each, node)]
            is_new = self._is_part(node, self.node(one.result)) and (
                one.result in self.graph.fresh or one.result in self.graph.copied or one.operation == "operator"
            )
            if one.operation in _MAKERS and (is_new or not before):
                found.makers.add(one.result)
                continue
            if not before and one.operation in _SURROUNDINGS:  # the caller knows what it passes
                found.surroundings.add(one.result if one.operation == "parameter" else (one.operation, one.detail))
                found.is_variable |= one.operation != "parameter" and self.node(one.result) is node
                found.in_variable |= one.operation != "parameter" and not isinstance(self.graph.body.node, ast.Module)
                found.is_had |= one.operation != "parameter" or self.node(one.result) is not node
                if one.operation == "parameter" and self._is_part(node, self.node(one.result)):
                    found.passed.add(one.result)
            if found.taken_by is None and self._takes_out(one, node, before):
                found.taken_by = one
            if one.operation in _LEADS or one.operation in _MAKERS or one.operation in _SURROUNDINGS:
                new = [each for each in before if each not in seen]
                seen.update(new)
                pending += new
        return found

    def whole(self, node: Node, register: int) -> Node:
        """The array that a register has, if a node is a part of that; else the node."""
        whole = self.node(register)
        return whole if self._is_part(node, whole) else node

    def _is_part(self, node: Node, whole: Node) -> bool:
        """Whether an array is what is passed, or a part of it; items of what may be a list are none."""
        is_array = bool(whole.flags & (ARRAY | LIKELY)) and not whole.flags & OBJECT
        return node in parts_of(whole, with_items=is_array)

    def _takes_out(self, one: Instruction, node: Node, before: list[int]) -> bool:
        """Whether a call or a loop takes an array, or what holds it, out of something and leaves it there."""
        if not before or any(self.node(each) is node for each in before):
            return False
        if one.operation != "call":
            return one.operation == "next"
        name = getattr(getattr(one.node, "func", None), "attr", getattr(getattr(one.node, "func", None), "id", ""))
        return one.result in self.made and name not in REMOVING

    def repeats(self, one: Placement, maker: int) -> bool:
        """Whether an instruction puts what was made once into another place each time that it runs."""
        instructions, start = self.graph.body.instructions, one.instruction.block
        seen = behind(self.graph.body, start, {instructions[maker].block})
        return (
            start in seen
            and (one.holder < 0 or instructions[one.holder].block in seen)
            and (one.instruction.operation not in ("set_global", "set_cell"))
        )
