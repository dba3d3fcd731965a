"""Calls of bodies of the project: arguments bound to parameters, and the callee's summary taken over.

The part of a callee's graph that its parameters and its result lead to is copied for each call, so that calls do not
mix (Data Structure Analysis, bottom up). Nodes that outlive calls are not copied: all bodies share them.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from tnp_migrate.analysis.computed_arrays import computed_inside
from tnp_migrate.analysis.graphs import Call, Deferred, Graph, ItemStore
from tnp_migrate.analysis.heap import (
    CELL,
    HELD,
    OBJECT,
    SHARED,
    STORED,
    Node,
    field,
    find,
    is_array_or_unknown,
    label_of,
    mark,
    may_become_array,
    reachable,
    unify,
)
from tnp_migrate.analysis.implicit_calls import UNNAMED
from tnp_migrate.analysis.members import is_member_of, reach_holders
from tnp_migrate.analysis.open_calls import open_calls_of, stand_here, take_over
from tnp_migrate.analysis.summary_nodes import BY_MAKER, Summary, copied
from tnp_migrate.ir.instructions import Instruction

Argument = tuple[int | str | None, Node]  # its position, its name; None for `*x` and "**" for `**x`
_LARGEST = 400  # nodes of a summary that each call copies
_SMALL = 20  # nodes of a summary that costs nothing
_MOST_DEFERRED = 200  # calls of one body that are not known yet
_DEEPEST = 3


def call_body(
    caller: Graph,
    callee: Graph,
    arguments: list[Argument],
    result: Node,
    instruction: Instruction,
    *,
    done: bool,
    depth: int = 0,
) -> tuple[Call, bool]:
    """Take a callee's summary over. `done` says whether it is complete, and so may be copied.

    `depth` is that of the call which has turned out to be one of this callee: where calls that are found so lead to
    more of them without an end, they have one copy together. Given is the call, and whether it is news: one without a
    copy to itself may have been made already, by another way to it.
    """
    if not done:
        callee.join_results()
    bound = list(bind(callee, arguments))  # which gives `*x` and `**x` the places that the copies have to have
    results = callee.results
    inside = reachable([*callee.parameters.values(), *results, callee.raised])
    if done and callee.circle and not callee.has_its_own:
        _leave_out(callee, inside)
    open_calls = _reached(open_calls_of(callee, done=done), inside)
    item_stores = [one for one in callee.item_stores if find(one.holder) in inside]
    reachable([one.value for one in item_stores], inside)
    reach_holders(inside, callee.results)
    caller.shared_writes.update(callee.shared_writes)
    joint = _joint_summary(caller, callee, inside, open_calls, done=done, depth=depth)
    summary = _copied(callee, inside, open_calls) if joint is None else joint
    copies = summary.copies
    here = [(copies.get(find(parameter), parameter), given) for parameter, given in bound]
    given_back = [*((copies[find(one)], result) for one in results), (copies[find(callee.raised)], caller.raised)]
    before = caller.joined.get((instruction, callee)) if joint is not None else None
    made = before if joint is not None and before is not None and before.mapping is joint.mapping else None
    if (
        made is not None
        and not item_stores
        and not callee.paired
        and _binds_all(bound, arguments)
        and all(find(one) is find(other) for one, other in (*here, *given_back))
    ):
        return made, False
    _take_stores(caller, callee, item_stores, copies, instruction)
    # A parameter that is left out is `None`, or has a default, which outlives calls; a generator keeps what it makes.
    mapping = summary.mapping
    passes_all = not done or callee.body.yields
    passed = mapping if passes_all else _passed(mapping, bound)
    if done and made is None:
        _take_notes(caller, callee, inside, copies, instruction)
    for own, given in (*here, *given_back):
        unify(own, given)
    if made is not None:
        made.passed = passed if passes_all else [*dict.fromkeys((*made.passed, *passed))]
    else:
        # What is asked of what is given is known by that: calls that ask the same of one object are one.
        taken = take_over(caller, callee, open_calls, summary, instruction, depth) if done else []
        made = Call(instruction, callee, mapping, passed, taken, summary.lent)
        caller.calls.append(made)
    if joint is not None:
        caller.joined[instruction, callee] = made
    handed = _handed(callee, copies, inside if passes_all else dict(made.passed)) if done and callee.gives else []
    if handed:
        known = caller.handed.setdefault(instruction.result, [])
        known += [one for one in dict.fromkeys(map(find, handed)) if one not in known]
    return made, True


def call_again(caller: Graph, before: Call, instruction: Instruction) -> Call:
    """Call once more, with the same arguments, what gives nothing to anybody: nothing new is made then.

    What it calls in turn and is not known yet has what is done around it now.
    """
    waiting = [one for one in before.waiting if one.method not in UNNAMED]
    here = stand_here(waiting, instruction)
    made = Call(instruction, before.callee, before.mapping, before.passed, here, before.lent)
    caller.calls.append(made)
    return made


def _take_stores(
    caller: Graph, callee: Graph, stores: list[ItemStore], copies: dict[Node, Node], instruction: Instruction
) -> None:
    """Let a caller have the stores of its callee that may put or copy, and what may be pairs."""
    for store in stores:
        holder, value = copies[find(store.holder)], copies[find(store.value)]
        key = (holder, store.label, value)
        if key not in caller.asked_to_put:  # where nothing is copied, calls in a circle would take over their own again
            caller.asked_to_put.add(key)
            taken = ItemStore(instruction, holder, store.label, value, store.read, store.again, store.blind)
            caller.item_stores.append(taken)
    pairs = [(find(into), find(item)) for into, item in callee.paired]
    caller.paired |= {(copies[into], copies[item]): None for into, item in pairs if into in copies and item in copies}


def _leave_out(callee: Graph, inside: dict[Node, None]) -> None:
    """Leave out of what a large circle of calls leaves open what a body of it does not lead to, and cannot come to.

    Only what outlives calls goes on growing when they are evaluated, and what is a member of something.
    """
    open_calls_of(callee, done=True)  # finds those of the circle, where nobody has asked for them
    waiting, growing = callee.open_calls or [], []
    for one in waiting:
        function = find(one.function)
        if function.flags & (SHARED | CELL) or function.members:
            growing.append(one)
    reached = reachable([node for one in growing for node in one.nodes], {**inside})
    kept = {*growing, *_reached(waiting, reached)}
    callee.open_calls = [one for one in waiting if one in kept]
    callee.has_its_own = True


def _reached(waiting: list[Deferred], inside: dict[Node, None]) -> list[Deferred]:
    """The open calls of what a summary leads to, or of what one of them gives; with all that they lead to themselves.

    So are those of variables of a function around the callee: it may hand them on when it ends.
    """
    found: dict[Deferred, None] = {}
    rest, before = waiting, -1
    while rest and len(inside) > before:
        before = len(inside)
        for one in rest:
            function = one.function if one.function.up is None else find(one.function)
            if function in inside or function.flags & CELL or (function.members and is_member_of(function, inside)):
                found[one] = None
                new = [node for node in one.nodes if (node if node.up is None else find(node)) not in inside]
                if new:
                    reachable(new, inside)
        rest = [one for one in rest if one not in found]
    return [*found]


def _take_notes(
    caller: Graph, callee: Graph, inside: dict[Node, None], copies: dict[Node, Node], instruction: Instruction
) -> None:
    """Let a caller have what its callee has noted of nodes: what it keeps, and what it has computed of what."""
    kept = [find(node) for _, node in callee.kept]
    caller.kept |= {(instruction, copies[one]): None for one in kept if one in inside and is_array_or_unknown(one)}
    if callee.computed:
        caller.computed += [(copies[one], _copies_of(given, copies)) for one, given in computed_inside(callee, inside)]


def _joint_summary(
    caller: Graph, callee: Graph, inside: dict[Node, None], open_calls: list[Deferred], *, done: bool, depth: int
) -> Summary | None:
    """The summary that a call takes over together with others; None if it has a copy to itself.

    What is not evaluated yet has no copy. Too many calls of one body, or too large ones, have a copy together.
    """
    if not done:
        nodes = [*inside]
        if callee.summed_up is None or [*callee.summed_up.copies] != nodes:
            callee.summed_up = Summary(dict(zip(nodes, nodes, strict=True)))
        return callee.summed_up
    is_small = not open_calls and len(inside) <= _SMALL
    is_crowded = depth >= _DEEPEST or len(caller.deferred) >= _MOST_DEFERRED
    if len(inside) <= _LARGEST and (is_small or not is_crowded):
        return None
    known = caller.copies_of.get(callee)
    if known is None:
        known = caller.copies_of[callee] = _copied(callee, inside, open_calls)
    known.cover(inside)
    return known


def _copied(callee: Graph, inside: dict[Node, None], open_calls: list[Deferred]) -> Summary:
    """What a call has to itself of a summary.

    What is written to only while it runs it may be lent, unless something else has that, or it is in conflict there.
    """
    given = [] if callee.body.is_suspended else [find(one) for one in callee.parameters.values()]
    lent = {one for one in given if not one.flags & (HELD | STORED | CELL)}
    return copied(inside, _lasting(callee, inside, open_calls), lent)


def _lasting(callee: Graph, inside: dict[Node, None], open_calls: list[Deferred]) -> Container[Node]:
    """What may have been written to while others had it: what is given to a callee, or by it to what is not known yet.

    Or all of it, where the callee goes on when it has given something, or nothing says that it has written.
    """
    if callee.body.is_suspended or not any(one.flags & BY_MAKER for one in inside):
        return inside
    handed_on = [node for one in open_calls for node in one.nodes]
    return reachable([*callee.parameters.values(), *handed_on])


def _binds_all(bound: list[tuple[Node, Node]], arguments: list[Argument]) -> bool:
    """Whether each argument of a call has been bound to one parameter, and nothing makes a node where it is bound."""
    return len(bound) == len(arguments) and not any(place is None or place == "**" for place, _ in arguments)


def _handed(callee: Graph, copies: dict[Node, Node], passed: Container[Node]) -> list[Node]:
    """What the result of a call leads to and something else does as well, with what the call itself has gathered."""
    gathered = {find(one) for one in callee.gathered}
    outside = reachable([*callee.parameters.values()])
    found = []
    for one in map(find, callee.gives):
        if one in outside and one not in passed and one not in gathered and not one.flags & SHARED:
            continue  # it is what an argument may have been, that this call leaves out
        here = copies.get(one, one)
        given = reachable([*find(here).fields.values()]) if one in gathered else [here]
        found += [node for node in given if may_become_array(find(node))]
    return found


def _copies_of(nodes: list[Node], copies: dict[Node, Node]) -> list[Node]:
    return [copies.get(one, one) for one in nodes]


def _passed(mapping: list[tuple[Node, Node]], bound: list[tuple[Node, Node]]) -> list[tuple[Node, Node]]:
    inside = reachable([one for one, _ in bound])
    return [pair for pair in mapping if pair[0] in inside or pair[0].flags & SHARED]


def bind(callee: Graph, arguments: list[Argument]) -> Iterator[tuple[Node, Node]]:
    """The parameters of a callee with what a call gives for them; `*x` and `**x` give what no other argument does."""
    positional, named, vararg, kwarg = callee.signature
    rest = callee.parameters[vararg] if vararg else None
    words = callee.parameters[kwarg] if kwarg else None
    given_names = {place for place, _ in arguments if isinstance(place, str)}
    count = sum(isinstance(place, int) for place, _ in arguments)
    for place, given in arguments:
        if isinstance(place, int) and place < len(positional):
            yield callee.parameters[positional[place]], given
        elif isinstance(place, int) and rest is not None:
            yield _held(rest, place - len(positional)), given
        elif place == "**":
            for one in sorted(named - given_names - {*positional[:count]}):
                yield callee.parameters[one], field(given, label_of(one))
            if words is not None:
                yield words, given
        elif place in named:
            yield callee.parameters[str(place)], given
        elif isinstance(place, str) and words is not None:
            yield _held(words, place), given
    stars = [given for place, given in arguments if place is None]
    open_names = [one for one in positional[count:] if one not in given_names] if stars else []
    for given in stars:
        for position, one in enumerate(open_names):
            yield callee.parameters[one], field(given, label_of(position if len(stars) == 1 else None))
        if rest is not None:
            yield (rest, given) if not open_names else (_held(rest, None), field(given, "[]"))


def _held(container: Node, key: int | str | None) -> Node:
    mark(container, OBJECT)
    return field(container, label_of(key))
