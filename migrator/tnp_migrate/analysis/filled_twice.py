"""One array that several instructions put into one container, or one of them from two things that have it.

`xs = [z]` and `xs.append(z)`, `xs += xs`, `d = {**e, "a": z}`. What displays and assignments to items put into a
container of a name the functional stage follows by the text; what anything else puts there it takes for arrays that are
apart from all others in it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from tnp_migrate.analysis.assigned_attributes import binds_what_it_had
from tnp_migrate.analysis.displayed_twice import Twice, same_array
from tnp_migrate.analysis.heap import ARRAY, OBJECT, STORED, Node, find, is_array_or_unknown
from tnp_migrate.analysis.library_functions import LIBRARY
from tnp_migrate.analysis.placing import REMOVING, Placing
from tnp_migrate.ir.instructions import Instruction

_TAKING = frozenset({"item", "next", "iterate", "unpack", "attribute", "call"})


@dataclass(frozen=True)
class _Put:
    """That an instruction puts an array, which a register has or leads to, into a container."""

    instruction: Instruction
    register: int
    node: Node
    is_shown: bool  # by text that the functional stage follows


@dataclass
class _Sources:
    """What tells where the arrays of one node in a container are from."""

    keys: set[Hashable] = field(default_factory=set)
    rows: set[Hashable] = field(default_factory=set)  # of what rows are in it

    def add(self, keys: set[Hashable]) -> bool:
        """Add those of one more array; say whether it may be one that is there, or one a row of the other."""
        rows = {key[1] for key in keys if isinstance(key, tuple) and key[0] == "item"}
        is_again = bool(keys & self.keys or keys & self.rows or rows & self.keys or rows & keys)
        self.keys |= keys
        self.rows |= rows
        return is_again


def filled_twice(placing: Placing) -> Iterator[Twice]:
    """What is in one container twice, with the instruction that puts it there once more."""
    all_shown: dict[Node, bool] = {}
    known: dict[tuple[Node, Node], _Sources] = {}  # by containers and arrays in them
    for into, put in _puts(placing):
        all_shown[into] = all_shown.get(into, True) and put.is_shown
        before = known.get((placing.node(put.register), put.node))
        keys = _keys(placing, put) if before is None else {*before.keys}
        is_again = known.setdefault((into, put.node), _Sources()).add(keys) or _is_doubled(placing, put, into)
        if is_again and not all_shown[into]:
            yield Twice(put.node, put.instruction, into)


def _puts(placing: Placing) -> Iterator[tuple[Node, _Put]]:
    """What is put where, in the order of the text."""
    kept: dict[int, set[Node]] = {}  # by calls what they put into something
    stored = [(store.result, find(value)) for store, value in placing.graph.stores]
    stored += [(one.instruction.result, find(here)) for one in placing.graph.calls for _, here in one.flagged(STORED)]
    for result, value in stored:
        kept.setdefault(result, set()).update({value, *_held(value)})
    inside_of: dict[Node, dict[Node, None]] = {}  # of containers that many instructions fill
    for one in placing.graph.body.instructions if placing.graph.module.name != LIBRARY else ():
        for into, given, is_shown in _containers(placing, one):
            if into not in inside_of:
                inside_of[into] = _held(into) if into.flags & OBJECT and not into.flags & ARRAY else {}
            held = inside_of[into]
            if one.operation == "call" and into is not placing.node(one.result):
                held = {each: None for each in held if each in kept.get(one.result, ())}
            for register in given if held else ():
                node = placing.node(register)
                inside = _held(node) if node.flags & OBJECT else {node: None}
                yield from ((into, _Put(one, register, each, is_shown)) for each in inside if each in held)


def _containers(placing: Placing, one: Instruction) -> Iterator[tuple[Node, tuple[int, ...], bool]]:
    """The containers that an instruction makes or fills, the registers of what it puts there, and if text says so."""
    if one.operation == "set_item" and not binds_what_it_had(placing.graph, one):
        is_slice = placing.graph.body.behind_copies(one.operands[1]).operation == "slice"
        is_shown = not is_slice and _is_followed(placing, one.operands[0], one.operands[2])
        yield placing.node(one.operands[0]), one.operands[2:], is_shown
    elif one.operation == "append":
        yield placing.node(one.operands[0]), one.operands[1:], False
    elif one.operation == "augmented":
        yield placing.node(one.operands[0]), one.operands[one.detail != "Mult" :][:1], False
    elif one.operation in ("display", "operator") and _is_kept(placing, one):
        is_shown = isinstance(one.detail, tuple) and not {"*", "**"}.intersection(one.detail[1])
        yield placing.node(one.result), one.operands, is_shown
    elif one.operation == "call":
        yield from _of_call(placing, one)


def _of_call(placing: Placing, call: Instruction) -> Iterator[tuple[Node, tuple[int, ...], bool]]:
    receiver, given = placing.graph.body.receiver(call), call.operands[1:]
    called = placing.graph.body.instructions[call.operands[0]]
    is_shown = called.detail == "append" and len(given) == 1 and _is_followed(placing, receiver, given[0])
    for register in dict.fromkeys((receiver, *given)):
        into = placing.node(register)
        others = given if register == receiver else (receiver, *given)
        yield into, tuple(each for each in others if register == receiver or placing.node(each) is not into), is_shown
    if call.result in placing.made and _is_kept(placing, call):
        yield placing.node(call.result), given, False


def _is_followed(placing: Placing, holder: int, value: int) -> bool:
    """Whether a container is written out and has one name, by which it gets what none of its own methods has given."""
    made, given = (placing.graph.body.behind_copies(register) for register in (holder, value))
    is_own = given.operation == "call" and placing.node(placing.graph.body.receiver(given)) is placing.node(holder)
    return made.operation == "display" and len(placing.names.get(made.result, ())) == 1 and not is_own


def _is_kept(placing: Placing, made: Instruction) -> bool:
    """Whether what an instruction makes is not merely gone through."""
    return any(one.operation != "iterate" for one in placing.users.get(made.result, ()))


def _held(container: Node) -> dict[Node, None]:
    """The arrays in a container, and in the pairs and rows in it."""
    found = dict.fromkeys(map(find, container.fields.values()))
    rows = [one for one in found if one.flags & OBJECT and not (one.classes or one.bodies)]
    inside = (find(held) for row in rows for held in row.fields.values())
    return {one: None for one in (*found, *inside) if _is_array(one)}


def _is_array(node: Node) -> bool:
    return is_array_or_unknown(node) and not node.flags & OBJECT


def _keys(placing: Placing, put: _Put) -> set[Hashable]:
    """What is equal for two registers that may have, or lead to, one array."""
    same = same_array(placing, put.register)
    if isinstance(same, tuple) and same[0] == "item":
        return {same}
    origin = placing.origin(put.register, put.node)
    return {same, *origin.makers, *origin.passed}


def _is_doubled(placing: Placing, put: _Put, into: Node) -> bool:
    """Whether what is put into a container has been taken from it and left there, or is all that it holds."""
    one = placing.graph.body.behind_copies(put.register)
    while placing.node(one.result) is not into:
        if one.operation not in _TAKING or not one.operands or _removes(one):
            return False
        before = placing.graph.body.receiver(one) if one.operation == "call" else one.operands[0]
        one, last = placing.graph.body.behind_copies(before), one
        if one is last:
            return False
    return True


def _removes(call: Instruction) -> bool:
    return getattr(getattr(call.node, "func", None), "attr", "") in REMOVING
