"""Calls that a body leaves open, for it does not know what they run: its callers take them over, and may know.

Callees that have a copy together, and those that call each other in a circle, hand on the same many times: it is one
call then, which stands in more places than one.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace

from tnp_migrate.analysis.graphs import Call, Deferred, Graph, Unseen
from tnp_migrate.analysis.heap import ARRAY, CELL, SHARED, STORED, Node, find, is_anything, unify
from tnp_migrate.analysis.implicit_calls import OF_NUMBER, UNNAMED
from tnp_migrate.analysis.library_functions import LIBRARY
from tnp_migrate.analysis.summary_nodes import Summary
from tnp_migrate.ir.instructions import Instruction

_LARGEST_CIRCLE = 6  # bodies that hand their open calls around, to each from all others
_MOST_ALIKE = 8  # calls of one place that ask the same of one object, each with a result to itself
_MANY_TAKEN_OVER = 300  # calls that a body has taken over, from which on one is enough, whatever is given
_TOO_MANY = 1000  # calls of a body, from which on what callees have handed on is one call wherever it stands


def open_calls_of(callee: Graph, *, done: bool) -> list[Deferred]:
    """The calls of a callee that its callers may resolve: of one that is evaluated those that are closed stay so.

    But for what outlives calls, which may turn out not to, where the cells of a function end with it.
    """
    if done and callee.open_calls is None:
        together = callee.circle or [callee]
        left = [one for each in together for one in _left_open(each, is_alone=not callee.circle)]
        once = _once_asked(callee, left)
        for each in together:
            each.open_calls = once
    found = []
    for one in callee.deferred if callee.open_calls is None else callee.open_calls:
        function = one.function if one.function.up is None else find(one.function)
        lasts = function.flags & (SHARED | CELL) == SHARED
        if not lasts and (done or one.method not in UNNAMED) and _has_methods(one, function):
            found.append(one)
    return found


def _left_open(graph: Graph, *, is_alone: bool) -> Iterator[Deferred]:
    """The calls that a body leaves open; where others of its circle hand them on, they say where they stand."""
    for one in graph.deferred:
        if _has_methods(one, find(one.function)):
            is_told = is_alone or one.origin is not None or graph.module.name == LIBRARY
            yield one if is_told else replace(one, origin=(graph, one))


def _once_asked(callee: Graph, calls: Iterable[Deferred]) -> list[Deferred]:
    """Some calls, a single one of those that have turned out to run the same with the same.

    Those that run unnamed methods of one object are the same wherever that is. So are those of one name that stand in
    several bodies of a large circle.
    """
    found: dict[object, Deferred] = {}
    for one in calls:
        is_unnamed = one.method in UNNAMED
        if is_unnamed:
            key: object = (find(one.function), one.method)
        elif callee.circle:
            key = _named(one), _runs(one, None, one.nodes)
        else:
            key = _runs(one, one.origin or (callee, one), one.nodes)
        known = found.setdefault(key, one)
        if known is not one and not is_unnamed:
            _add(known, one)
    return [*found.values()]


def _named(one: Deferred) -> tuple[str, str | None]:
    """How the text that a call stands in names what it calls."""
    place = (one.origin[1] if one.origin else one).instruction
    func = getattr(place.node, "func", None)
    return place.operation, func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", None)


def _runs(one: Deferred, origin: tuple[Graph, Deferred] | None, nodes: Iterable[Node]) -> object:
    """What a call says: where it has been handed on from, what it runs and with what, or some of that."""
    first = origin and (origin[0], origin[1].instruction)
    return (first, one.method, one.iterates, one.followed, *map(find, nodes), *(place for place, _ in one.arguments))


def _stands_in(graph: Graph, one: Deferred) -> bool:
    """Whether a body of the project has a call itself, and not one of a library's that is in its circle."""
    place, instructions = one.instruction.result, graph.body.instructions
    return graph.module.name != LIBRARY and place < len(instructions) and instructions[place] is one.instruction


def _add(one: Deferred, other: Deferred, copies: Mapping[Node, Node] | None = None) -> None:
    """Let a call stand for another that runs the same with the same."""
    one.conflicts.add(other.conflicts if copies is None else other.conflicts.copied(copies))
    one.is_written = one.is_written and other.is_written
    one.others |= other.others
    one.run_again(other.done)


def _has_methods(one: Deferred, function: Node) -> bool:
    """Whether callers may say what a call runs; what is an array has no methods of the project, but what gives one."""
    if one.method is None:
        return True
    return one.method == "__array__" or not function.flags & ARRAY


def take_over(
    caller: Graph, callee: Graph, calls: list[Deferred], summary: Summary, instruction: Instruction, depth: int
) -> list[Deferred]:
    """Let a caller have the calls that its callee could not resolve.

    Those that one place of the text has asked the same of very often are one call from then on: objects that hold each
    other, and call each other's methods, would lead to more of them without an end.
    """
    found = []
    copies, taken = summary.copies, summary.taken
    pairs: list[tuple[Node, Node]] = []  # which are one from now on
    for one in calls:
        if one in taken:  # by another call that has the same copy
            found += stand_here([taken[one]], instruction)
            continue
        origin = one.origin or ((callee, one) if _stands_in(callee, one) else None)
        function, result = _here(one.function, copies), _here(one.result, copies)
        given = [(place, _here(node, copies)) for place, node in one.arguments]
        asked = [function, *(node for _, node in given)]
        # What numbers and arrays are made of by NumPy is the same each time.
        key = _runs(one, origin, [function] if one.method in OF_NUMBER else [result, *asked])
        known = _standing(caller.taken_over[key]) if key in caller.taken_over else None
        is_vague = function.flags & SHARED and is_anything(function)
        is_crowded = is_vague or len(caller.deferred) >= _MANY_TAKEN_OVER
        alike = caller.alike.setdefault(
            _runs(one, None if is_vague else origin, [function] if is_crowded else asked), []
        )
        if known is None and len(alike) >= (1 if is_crowded else _MOST_ALIKE):
            known = caller.taken_over[key] = _standing(alike[-1])
        if known is not None:  # callees in a circle, and those that have copies together, hand on the same many times
            taken[one] = known
            found += stand_here([known], instruction)
            _add(known, one, copies)
            known.others |= {origin: None} if is_vague and origin is not None else {}
            pairs += _pairs(known, result, given)
            continue
        caller.taken_over[key] = taken[one] = new = Deferred(
            function,
            given,
            result,
            instruction,
            {*one.done},
            one.method,
            max(one.depth, depth) + 1,
            one.followed,
            conflicts=one.conflicts.copied(copies),
            origin=origin,
            others={**one.others},
            iterates=one.iterates,
            is_written=one.is_written,
        )
        caller.deferred.append(new)
        alike.append(new)
        found.append(new)
    for own, here in pairs:
        unify(own, here)
    return found


def stand_here(calls: list[Deferred], instruction: Instruction) -> list[Deferred]:
    """Let an instruction run calls that another has taken over already; those that stand for them by now are given."""
    found = [*map(_standing, calls)]
    for one in found:
        one.stand_at({instruction.result})
    return found


def _here(node: Node, copies: Mapping[Node, Node]) -> Node:
    """What a node of a callee is for its caller; what outlives calls may have become one with another by now."""
    root = find(node)
    return find(copies.get(root, root))


def join_alike(graph: Graph) -> bool:
    """Let what callees have handed on be one call where it asks the same of one object, in a body that has too many.

    Objects that hold each other would lead to more of them without an end. Say whether there was any such call.
    """
    if len(graph.deferred) < _TOO_MANY:
        return False
    known: dict[object, Deferred] = {}
    pairs: list[tuple[Node, Node]] = []
    for one in [each for each in graph.deferred if each.depth]:
        first = known.setdefault(_runs(one, None, [one.function]), one)
        if first is not one:
            first.stand_at({one.instruction.result, *one.elsewhere})
            _add(first, one)
            first.others |= {one.origin: None} if one.origin is not None else {}
            first.calls += one.calls
            one.into = first
            pairs += _pairs(first, one.result, one.arguments)
    for own, other in pairs:
        unify(own, other)
    if pairs:
        graph.deferred = [one for one in graph.deferred if one.into is None]
    return bool(pairs)


def _standing(one: Deferred) -> Deferred:
    """A call, or the one that stands for it."""
    while one.into is not None:
        one = one.into
    return one


def _pairs(one: Deferred, result: Node, given: list[tuple[str | int | None, Node]]) -> list[tuple[Node, Node]]:
    """What a call gives and is given, with what another has in its place."""
    return [(one.result, result), *((own, here) for (_, own), (_, here) in zip(one.arguments, given, strict=True))]


def hand_around(graphs: list[Graph]) -> None:
    """Let bodies that call each other in a circle have the calls that any of them leaves open, where they go around.

    Each has those of all others then. In large circles that is more than can be followed: only who calls into them has.
    """
    if len(graphs) == 1:
        return
    if len(graphs) > _LARGEST_CIRCLE:
        for one in graphs:
            one.circle = graphs
        return
    left = {one: open_calls_of(one, done=True) for one in graphs}
    for one in graphs:
        places = dict.fromkeys(call.instruction for call in one.calls if call.callee in left)
        for other, calls in left.items():
            if other is not one and calls and places:
                for taken in take_over(one, other, calls, Summary({}), next(iter(places)), 0):
                    taken.stand_at({each.result for each in places})
    for one in graphs:
        one.open_calls = None


def repeat_calls(graph: Graph) -> None:
    """Note what calls that stand in more places than one have turned out to run at each of them."""
    if not any(one.elsewhere for one in graph.deferred):
        return
    _spread_places(graph)
    waiting = [one for one in graph.deferred if one.elsewhere and one.calls]
    unseen = {one.call: one for one in graph.unseen if one.call is not None}
    known = {_said(call, call.instruction, unseen) for call in graph.calls}
    kept: dict[Instruction, list[Node]] = {}
    for place, node in graph.kept:
        kept.setdefault(place, []).append(node)
    handed: dict[tuple[int, int], None] = {}
    for call, register in [(call, each) for one in waiting for call in one.calls for each in one.elsewhere]:
        place = graph.body.instructions[register]
        said = _said(call, place, unseen)
        if said in known:
            continue
        known.add(said)
        made = Call(place, call.callee, call.mapping, call.passed)
        graph.calls.append(made)
        graph.kept |= {(place, node): None for node in kept.get(call.instruction, ())}
        handed[call.instruction.result, register] = None
        if call in unseen:
            graph.unseen.append(Unseen(place, unseen[call].result, unseen[call].given, made))
    for first, register in handed:
        if first in graph.handed:
            graph.handed[register] = [*dict.fromkeys((*graph.handed.get(register, ()), *graph.handed[first]))]


def _said(call: Call, place: Instruction, unseen: Container[Call]) -> tuple[object, ...]:
    """What a call says at a place: what does nothing to what it is given says no more the second time."""
    callee = call.callee
    if callee.is_done and not callee.has_effects and call not in unseen and not call.flagged(STORED):
        return place, callee
    return place, callee, id(call.mapping)


def _spread_places(graph: Graph) -> None:
    """Let what calls have taken over stand wherever the calls do; what a call comes to has its places with it.

    Sets of places are numbers here, of which each bit is a place: in a circle of calls there are very many.
    """
    together: dict[int, list[Deferred]] = {}
    for one in graph.deferred:
        together.setdefault(id(one.elsewhere), []).append(one)
    at = {key: _bits({some[0].instruction.result, *some[0].elsewhere}) for key, some in together.items()}
    pending = dict.fromkeys(key for key, some in together.items() if some[0].elsewhere)
    inner: dict[int, list[int]] = {}
    while pending:
        key, _ = pending.popitem()
        if key not in inner:
            calls = (call for each in together[key] for call in each.calls)
            inner[key] = [*dict.fromkeys(id(_standing(each).elsewhere) for call in calls for each in call.waiting)]
        here = at[key]
        for each in inner[key]:
            if here | at[each] != at[each]:
                at[each] |= here
                pending[each] = None
    for key, bits in at.items():
        one = together[key][0]
        if bits.bit_count() > len(one.elsewhere) + 1:
            one.stand_at({place for place in range(bits.bit_length()) if bits >> place & 1})


def _bits(places: set[int]) -> int:
    bits = 0
    for place in places:
        bits |= 1 << place
    return bits
