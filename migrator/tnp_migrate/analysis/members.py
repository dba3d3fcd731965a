"""Members that a computed name gives, and functions of methods: what they run is known where they are called.

What `getattr(x, name)` gives is most often a number or an array, which neither holds `x` nor leads to it.
"""

from __future__ import annotations

import ast
from collections.abc import Container
from dataclasses import replace
from itertools import islice

from tnp_migrate.analysis.common_methods import BY_PATTERN
from tnp_migrate.analysis.graphs import Deferred
from tnp_migrate.analysis.heap import (
    ARRAY,
    DELETER,
    GETTER,
    OBJECT,
    SETTER,
    SHARED,
    Node,
    field,
    find,
    give_bodies,
    mark,
    reachable,
    unify,
)
from tnp_migrate.analysis.library_functions import LIBRARY
from tnp_migrate.ir.instructions import Body

_METHOD = "method"  # the field of a function for the bound method whose function it is
_PARTS = {"__self__": "self", "__get__": GETTER, "fget": GETTER, "fset": SETTER, "fdel": DELETER, "func": "(of)"}


def hold_member(holder: Node, result: Node, asks: object, pattern: str) -> None:
    """Let a result be any member of an object, of the names that a pattern fits, for what asks for that."""
    node, member = find(result), (pattern, asks)
    if member in node.members:
        unify(node.members[member], holder)
    else:
        node.members = {**node.members, member: holder}


def reach_holders(found: dict[Node, None], results: list[Node]) -> None:
    """Add to the nodes of a summary all that is reached from what they may be members of for callers."""
    pending = [one for one in found if one.members]
    given = [*map(find, results)] if pending else []
    while pending:
        before = len(found)
        reachable([holder for one in pending for holder in _holders_of(one, is_given=one in given)], found)
        pending = [one for one in islice(found, before, None) if one.members]


def is_member_of(node: Node, inside: Container[Node]) -> bool:
    """Whether a node is one of some, or any member of one, or of a member of one."""
    pending = [node]
    for one in pending:  # which grows meanwhile
        if one in inside:
            return True
        pending += [holder for each in one.members.values() if (holder := find(each)) not in pending]
    return False


def share_holders(registers: list[Node]) -> None:
    """Let what outlives calls with one of its members do so."""
    while True:
        lasting = [one for one in reachable(registers) if one.members and one.flags & SHARED]
        new = [holder for one in lasting for holder in _holders_of(one, is_given=False) if not holder.flags & SHARED]
        if not new:
            return
        for one in new:
            mark(one, SHARED)


def _holders_of(node: Node, *, is_given: bool) -> list[Node]:
    """What something may be a member of in other bodies than that which asks for it."""
    return [find(holder) for (_, asks), holder in node.members.items() if _leads_on(node, asks, is_given=is_given)]


def _leads_on(node: Node, asks: object, *, is_given: bool) -> bool:
    """Whether other bodies than that which asks for a member may call it: as what a call gives, or what is no array."""
    if asks == LIBRARY:
        return True
    is_one = isinstance(asks, ast.Call) and getattr(asks.func, "id", "") == "getattr"
    return is_one and (is_given or not node.flags & ARRAY)


def give_of_function(name: str, holder: Node, result: Node, *, is_called: bool) -> None:
    """Give what an attribute of a function, a method or a property is: another function, or what it is bound to."""
    if name == "__wrapped__" or (name == "__call__" and not is_called):
        unify(result, holder)
    elif name == "__func__":
        unify(field(result, _METHOD), holder)
    elif _PARTS.get(name) in find(holder).fields:
        unify(result, field(holder, _PARTS[name]))
    elif name == "fget":  # of a property that a class defines, which is known as its function
        unify(result, holder)


def member_calls(one: Deferred, around: Body) -> list[Deferred]:
    """The calls that a call of a member, or of a method's function, comes to, each time that more is known of it.

    Several that ask for one member come to one call.
    """
    found = waiting_calls(one, around)
    one.followed |= {*found}
    return [*{(find(call.function), call.method): call for call in found.values()}.values()]


def waiting_calls(one: Deferred, around: Body) -> dict[object, Deferred]:
    """The same, by what each has been found by, without noting that they are made."""
    function = find(one.function)
    if one.method is not None or not (function.members or _METHOD in function.fields):
        return {}
    found: dict[object, Deferred] = {}
    for (pattern, asks), holder in function.members.items():
        if _is_followed(one, around, asks):
            for way, each in _with_attributes(find(holder), by_path=asks == LIBRARY).items():
                found[pattern, asks, way] = _of(one, each, f"{BY_PATTERN}{pattern}")
    if _METHOD in function.fields:
        method = find(function.fields[_METHOD])
        made = Node(OBJECT)
        give_bodies(made, method.bodies)
        found[_METHOD, len(method.bodies)] = _of(one, made, None)
    return {way: call for way, call in found.items() if way not in one.followed}


def _is_followed(one: Deferred, around: Body, asks: object) -> bool:
    """Whether a call of what may be a member runs it: near what asks for that, or elsewhere where it may lead to."""
    if asks in around.registers or asks == LIBRARY:
        return True
    made = _made(one, around)
    return made is not None and _leads_on(find(one.function), asks, is_given=made == "call")


def _made(one: Deferred, around: Body) -> str | None:
    """The operation that gives what is called: a call, or a variable of other bodies; None for an attribute.

    That has a name, and is one with all that is bound to it.
    """
    while one.origin is not None:  # what callers have been handed on
        around, one = one.origin[0].body, one.origin[1]
    func = getattr(one.instruction.node, "func", None)
    pending = [around.registers[func]] if func in around.registers else []
    for register in pending:  # which grows meanwhile
        made = around.behind_copies(register)
        if made.operation in ("call", "cell", "global"):
            return made.operation
        pending += [each for each in made.operands if made.operation in ("phi", "item") and each not in pending]
    return None


def _with_attributes(held: Node, *, by_path: bool) -> dict[str, Node]:
    """An object, and what it may be itself: the objects that another holds, by `getattr(getattr(x, name), other)`.

    `by_path` says that a name may be of an attribute of an attribute: `attrgetter("model.step")`.
    """
    fields = [item for holder in held.members.values() for item in find(holder).fields.items()]
    fields += held.fields.items() if by_path else []
    return {"": held, **{name: one for name, node in fields if name[0] == "." and (one := find(node)).classes}}


def _of(one: Deferred, function: Node, method: str | None) -> Deferred:
    return replace(one, function=function, method=method, done=set(), calls=[], followed=frozenset(), seen_as=None)
