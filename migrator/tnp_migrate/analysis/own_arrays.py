"""Arrays that a body makes and has given to nothing yet: nobody sees what it writes to them.

`out = np.zeros(3)`, `out[0] = 1`, `return out`: the heap may take `out` for one with what its callers keep since other
calls, but the write comes before any of them has it. It is none of a caller's business, and what a call gives whose
body does no more than that is as good as made by the call.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from functools import cached_property, lru_cache

from tnp_migrate.analysis.array_stores import is_bound_by_class
from tnp_migrate.analysis.delegation import ways_of
from tnp_migrate.analysis.graphs import Call, Deferred, Graph, Write
from tnp_migrate.analysis.heap import (
    ARRAY,
    CELL,
    SHARED,
    STORED,
    STORED_INTO,
    WRITTEN,
    Node,
    find,
    mark,
    reachable,
)
from tnp_migrate.analysis.implicit_calls import UNNAMED, are_run
from tnp_migrate.analysis.implicit_looks import implicit_looks
from tnp_migrate.analysis.own_slots import OwnSlots, attributes_named
from tnp_migrate.analysis.passing_on import gives_something_new, is_builtin
from tnp_migrate.analysis.slots import Slots
from tnp_migrate.analysis.sources import sources_of
from tnp_migrate.ir.instructions import Body, Instruction
from tnp_migrate.ir.liveness import Liveness
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.decorators import runs_as_written
from tnp_migrate.program.index import Index
from tnp_migrate.program.names import is_numpy

# What gives a part of an array, or the array under another name.
_ALIASES = frozenset("copy phi either attribute item augmented await iterate next unpack".split())
# Methods of arrays, and of generators of random numbers: no namespace is filled with functions of these names.
_OF_ARRAYS = frozenset({*traits.ARRAY_METHODS, *traits.VIEW_METHODS, *traits.ONLY_GENERATORS_HAVE})
_LASTING = STORED | SHARED | CELL  # what says of an array that a body is passed that it may have another holder
_OVERRIDING = frozenset({"__array_function__", "__array_ufunc__", "__array_wrap__", "__array_finalize__"})
_BY_TEXT = frozenset("eval exec locals vars globals".split())  # which reach variables that no text names


def note_own(graph: Graph, slots: Slots) -> None:
    """Mark what a body writes to that something else may have, and note whether all that it gives is its own."""
    _note_stored_attributes(graph, slots)
    unnamed = set() if _overrides_numpy(slots.index) else {one for one in graph.deferred if one.method in UNNAMED}
    waiting: dict[Instruction, list[Deferred]] = {}
    unnamed_at: set[Instruction] = set()
    for one in graph.deferred:
        if may_run(graph, slots, one):
            for place in graph.places(one):
                if one in unnamed:
                    unnamed_at.add(place)
                else:
                    waiting.setdefault(place, []).append(one)
    run: dict[Instruction, list[Graph]] = {}
    of_unnamed = {call for one in unnamed for call in one.calls}
    for call in graph.calls:
        if call not in of_unnamed:
            run.setdefault(call.instruction, []).append(call.callee)
    graph.running = frozenset((*run, *waiting))
    graph.waiting = frozenset(waiting)
    graph.implicit = dict.fromkeys(unnamed_at, implicit_looks(slots.index) if unnamed_at else None)
    graph.asking = graph.waiting | unnamed_at | {call.instruction for call in graph.calls}
    graph.attributes_named = attributes_named(graph)
    graph.given_own = {
        one.result for one, callees in run.items() if _gives_own(graph, slots, one, callees, waiting.get(one, []))
    }
    graph.fresh |= graph.given_own
    graph.fresh |= {one for one in graph.numeric if graph.body.instructions[one] not in graph.running}
    own = OwnArrays(graph)
    for write in graph.writes:
        write.is_own = own.has_no_other_holder(write.target, write.instruction)
        if not write.is_own and own.is_in_slot_alone(write.target, write.instruction):
            graph.own_writes.add(write.instruction)
        elif not write.is_own:
            for node in write.nodes:
                mark(node, WRITTEN)
    _note_written_by_calls(graph, own)
    graph.gives_own = _may_give_own(graph, slots) and own.are_given_away()
    graph.private = frozenset(one for one in (*graph.made, *graph.given_own) if own.is_private(one))


def _note_written_by_calls(graph: Graph, own: OwnArrays) -> None:
    """Mark the arguments that calls write to, but for arrays of their caller's own that nothing else has."""
    for call in graph.calls:
        for node in [one for one in dict.fromkeys(map(find, call.lent)) if not one.flags & WRITTEN]:
            if own.lends(call, node):
                graph.own_writes.add(call.instruction)
            else:
                mark(node, WRITTEN)


def _overrides_numpy(index: Index) -> bool:
    """Whether NumPy hands what it is given on to methods of the project that it runs without their being named."""
    return not index.methods.keys().isdisjoint(_OVERRIDING)


def _note_stored_attributes(graph: Graph, slots: Slots) -> None:
    """Note writes by `x.real = v` and `x.shape = s` to what is an array, though no text shows it.

    The first can be one to nothing else, where no class binds the attribute.
    """
    for one in graph.stored_attributes:
        holder = graph.registers[one.operands[0]]
        value = graph.module.value(one.node.value) if isinstance(one.node, ast.Attribute) else None
        is_part = one.detail in traits.STORED_PARTS and not is_bound_by_class(slots.index, str(one.detail))
        if is_part or find(holder).flags & ARRAY or (value is not None and value.is_array):
            mark(holder, STORED_INTO)
            graph.writes.append(Write(one, [holder], one.operands[0]))
            graph.blind += [one] if value is None or value.kind == "unknown" else []


def _gives_own(graph: Graph, slots: Slots, call: Instruction, callees: list[Graph], waiting: list[Deferred]) -> bool:
    """Whether all bodies that a call may run give arrays that they have made and that nothing else has."""
    if call.operation != "call" or not all(one.gives_own for one in callees):
        return False
    known = {one.body for one in callees}
    # What they call in their turn they have taken into account.
    named = [one for one in waiting if _calls_what_it_names(graph, one, call)]
    asked = [find(one.function) for one in named if not _is_one_of(slots, one, known)]
    if any(one.flags & SHARED or "()" in one.fields for one in asked):  # later calls may run others, or keep what it is
        return False
    outside = reachable([*graph.parameters.values(), *graph.results, graph.raised]) if asked else {}
    return not any(one in outside for one in asked)


def _calls_what_it_names(graph: Graph, waiting: Deferred, call: Instruction) -> bool:
    """Whether what is not known yet is the function that a call names, and not one that it is passed."""
    is_it = waiting.instruction is call and waiting.method is None and call.operation == "call"
    return is_it and find(waiting.function) is find(graph.registers[call.operands[0]])


def _is_one_of(slots: Slots, waiting: Deferred, bodies: Collection[Body]) -> bool:
    """Whether a method runs one of some bodies, whatever it is called on: no other has its name."""
    func = getattr(waiting.instruction.node, "func", None)
    if not isinstance(func, ast.Attribute) or slots.names is None:
        return False
    methods = slots.index.methods.get(func.attr, ())
    return func.attr not in slots.names and all(slots.bodies.get(one.node) in bodies for one in methods)


def _may_give_own(graph: Graph, slots: Slots) -> bool:
    """Whether a body gives what it returns to its callers alone, and to each of them once."""
    if graph.function is None or not runs_as_written(graph.function):
        return False
    is_plain = isinstance(graph.body.node, ast.FunctionDef) and not graph.body.yields
    return is_plain and graph.body not in slots.keeping and graph.body not in slots.cached


def may_run(graph: Graph, slots: Slots, waiting: Deferred) -> bool:
    """Whether a call of what is not known yet may run a body of the project, by whatever may be called so."""
    graph, waiting = waiting.origin or (graph, waiting)
    call, name = waiting.instruction, waiting.method
    if name is None:
        func = call.node.func if isinstance(call.node, ast.Call) else None
        if func is None or not _calls_what_it_names(graph, waiting, call):
            return True
        if is_numpy(graph.module.names.of(func, graph.body.scope) or ""):
            return False
        if find(waiting.function).flags & SHARED:
            return True
        if isinstance(func, ast.Name):
            return not is_builtin(graph, func)
        if not isinstance(func, ast.Attribute):
            return True
        name = func.attr
    if name in UNNAMED:
        return are_run(slots.index, name)
    names = slots.names_bound if name in _OF_ARRAYS and _makes_up_none(slots.index) else slots.names
    return names is None or name in names or name in slots.index.methods or not name.isidentifier()


@lru_cache(maxsize=1)
def _makes_up_none(index: Index) -> bool:
    """Whether objects that are asked for what they do not have hand that on, and make up no methods."""
    special = [one for name in ("__getattr__", "__getattribute__") for one in index.methods.get(name, ())]
    return all(ways_of(one) is not None for one in special)


def _is_none(one: Instruction) -> bool:
    return one.operation == "constant" and one.detail is None


def _kept(callee: Graph) -> dict[Node, None]:
    """What a call of a body gives or raises, and what is held by that or by what it is given."""
    held = [one for each in reachable([*callee.parameters.values()]) for one in each.fields.values()]
    return reachable([*callee.results, callee.raised, *held])


def _is_number(one: Instruction) -> bool:
    return one.operation == "constant" and isinstance(one.detail, int | float | complex)


class OwnArrays:
    """What the arrays that a body makes are used for."""

    def __init__(self, graph: Graph) -> None:
        """Look at nothing until something is asked."""
        self.graph = graph
        self.slots = OwnSlots(graph)
        self._used: dict[tuple[frozenset[int], str], tuple[set[int], list[Instruction]]] = {}

    @cached_property
    def _live(self) -> Liveness:
        return Liveness(self.graph.body)

    @cached_property
    def _made(self) -> set[int]:
        """The registers with what is made here, whatever it holds."""
        graph = self.graph
        made = graph.fresh | graph.copied
        own = (one for one in graph.body.instructions if one.operation == "operator" or one.result in made)
        return graph.given_own | {one.result for one in own if one not in graph.running or self._has_own_data(one)}

    def _has_own_data(self, one: Instruction) -> bool:
        """Whether NumPy makes an array by a shape or by numbers, whatever the methods of these give that it asks."""
        func = one.node.func if isinstance(one.node, ast.Call) else None
        return func is not None and self.graph.module.names.of(func, self.graph.body.scope) in traits.OWN_DATA

    @cached_property
    def _reads_by_text(self) -> bool:
        names = (getattr(one.node, "func", None) for one in self.graph.body.instructions if one.operation == "call")
        return any(isinstance(one, ast.Name) and one.id in _BY_TEXT for one in names)

    def has_no_other_holder(self, register: int, before: Instruction) -> bool:
        """Whether a register has an array that is made here, and that is given to nothing before an instruction."""
        sources = sources_of(self.graph, register, self._made) if register >= 0 else None
        if sources is None or not all(map(self._is_own, sources)) or self._reads_by_text:
            return False
        names, using = self._uses(sources)
        return not any(
            one is not before and self._gives_away(one, names) and self._comes_before(one, before, sources)
            for one in using
        )

    def is_in_slot_alone(self, register: int, before: Instruction) -> bool:
        """Whether an attribute has an array that is made here, which nothing else has when it is written to or later.

        The attribute is one of an object that nothing has looked at since the array was made.
        """
        sources = sources_of(self.graph, register, self._made, self.slots.values) if register >= 0 else None
        if sources is None or self._reads_by_text:
            return False
        made = {one for one in sources if not _is_none(self.graph.body.instructions[one])}
        if not made or not all(map(self._is_own, made)):
            return False
        names, using = self._uses(made, inside="slots")
        stores = [one for one in using if one.operation == "set_attribute" and one.operands[1] in names]
        slots = {self.slots.slot(one) for one in stores}
        if len(slots) != 1 or not all(one in self.slots.stores.get(self.slots.slot(one), ()) for one in stores):
            return False
        seen = [one for one in using if one is not before and one not in stores and self._gives_away(one, names)]
        seen += self.slots.lookers(*slots)
        if any(one is before or self._comes_before(one, before, made) for one in seen):
            return False
        return not any(self._live.is_live_after(one, before) for one in names - {before.result})

    def lends(self, call: Call, node: Node) -> bool:
        """Whether a call has an array by arguments alone that are made here, and that nothing else has."""
        one = call.instruction
        if one.operation != "call" or node.flags & SHARED:
            return False
        leading = self.slots.leading(one, node)
        return bool(leading) and all(
            find(self.graph.registers[register]) is node
            and (self.has_no_other_holder(register, one) or self.is_in_slot_alone(register, one))
            for register in leading
        )

    def _is_own(self, register: int) -> bool:
        """Whether a register has what is made here, or a number, of which an operator in place makes something."""
        return register in self._made or _is_number(self.graph.body.instructions[register])

    def _comes_before(self, one: Instruction, other: Instruction, sources: Iterable[int]) -> bool:
        """Whether an instruction may run before another, and an array not be made anew between them."""
        return any(self._live.may_follow_with(each, one, other) for each in sources)

    def are_given_away(self) -> bool:
        """Whether what the body returns are arrays that are made here and given to nothing else, or nothing at all."""
        found: set[int] = set()
        returned = [one for one in self.graph.body.instructions if one.operation == "return"]
        for register in dict.fromkeys(each for one in returned for each in one.operands):
            sources = sources_of(self.graph, register, self._made)
            if sources is None:
                return False
            found |= {each for each in sources if self.graph.body.instructions[each].operation != "constant"}
        if not returned or not found <= self._made or self._reads_by_text:
            return False
        names, using = self._uses(found)
        return not any(one.operation != "return" and self._gives_away(one, names) for one in using)

    def is_private(self, register: int) -> bool:
        """Whether nothing gets what a register has, nor writes to it, but callers who have it for themselves."""
        if register not in self._made:  # a view, of which a translation may make a copy
            return False
        harmless = {"display", "return"} if self.graph.gives_own else {"display"}
        names, using = self._uses([register], inside="displays")
        return not self._reads_by_text and not any(
            one.operation == "return" or self._gives_away(one, names) or self._is_written_by(one, names)
            for one in using
            if one.operation not in harmless
        )

    def _uses(self, sources: Iterable[int], *, inside: str = "") -> tuple[set[int], list[Instruction]]:
        """The registers that have some arrays or parts of them, and the instructions that use these: found once.

        Among the first are, `inside` of "slots", those of what is read from attributes that are bound to them, or of
        "displays" of what holds them for a while.
        """
        key = (frozenset(sources), inside)
        if key not in self._used:
            names, size = {*key[0]}, 0
            stores = [one for each in self.slots.stores.values() for one in each] if inside == "slots" else []
            aliases = self._aliases + (self._displays if inside == "displays" else [])
            while size != len(names):
                size = len(names)
                names |= {one.result for one in aliases if not names.isdisjoint(one.operands)}
                names.update(read for one in stores if one.operands[1] in names for read in self.slots.readers(one))
            using = [one for one in self.graph.body.instructions if not names.isdisjoint(one.operands)]
            self._used[key] = names, using
        return self._used[key]

    @cached_property
    def _aliases(self) -> list[Instruction]:
        return [one for one in self.graph.body.instructions if one.operation in _ALIASES or self._is_view(one)]

    @cached_property
    def _displays(self) -> list[Instruction]:
        return [one for one in self.graph.body.instructions if one.operation == "display"]

    def _is_view(self, one: Instruction) -> bool:
        """Whether a call of NumPy, or of a method, may give a part of what it is given."""
        return one.operation == "call" and one.result not in self.graph.fresh and one not in self.graph.running

    def _gives_away(self, one: Instruction, names: set[int]) -> bool:
        """Whether an instruction may let something else have what some registers have."""
        if one in self.graph.running:
            return one in self.graph.waiting or self._is_kept_by(one, names)
        if one.operation in _ALIASES or one.operation == "return":
            return False
        if one.operation == "set_item":
            return one.operands[2] in names
        if one.operation == "operator":
            return one.result not in self.graph.fresh and one.result not in self.graph.numeric
        return one.operation != "call" or (not names.isdisjoint(one.operands[1:]) and not self._keeps_nothing(one))

    def _is_kept_by(self, one: Instruction, names: set[int]) -> bool:
        """Whether a body that an instruction runs may keep what some registers have, or give it back."""
        for call in self.slots.calls.get(one, ()):
            passed = self._passed(call, names)
            kept = _kept(call.callee) if passed else {}
            if any(there.flags & _LASTING or there in kept for there in passed):
                return True
        return one.operation != "call"

    def _is_written_by(self, one: Instruction, names: set[int]) -> bool:
        """Whether a body that an instruction runs writes to what some registers have."""
        calls = self.slots.calls.get(one, ())
        return any(there.flags & WRITTEN for call in calls for there in self._passed(call, names))

    def _passed(self, call: Call, names: set[int]) -> list[Node]:
        """What a callee has of what some registers have."""
        given = {find(self.graph.registers[register]) for register in names}
        return [find(there) for there, here in call.mapping if find(here) in given]

    @cached_property
    def _keeping(self) -> set[Instruction]:
        """The calls that keep what they are given, `np.ndenumerate(x)` among NumPy's."""
        return {one for one, _ in self.graph.kept}

    def _keeps_nothing(self, call: Instruction) -> bool:
        """Whether a call keeps none of its arguments, but for what it gives: all of NumPy."""
        func = call.node.func if isinstance(call.node, ast.Call) else None
        if func is None or call in self._keeping:
            return False
        return is_numpy(self.graph.module.names.of(func, self.graph.body.scope) or "") or gives_something_new(
            self.graph, call
        )
