"""`functools.partial`: an object that holds a function and what it is given, and that runs it where it is called."""

from __future__ import annotations

import ast

from tnp_migrate.analysis.calls import Argument
from tnp_migrate.analysis.common_methods import makes_instances
from tnp_migrate.analysis.graphs import Deferred
from tnp_migrate.analysis.heap import MADE, OBJECT, Node, container_of, field, find, mark, unify
from tnp_migrate.analysis.stores import keep_beside

_FUNCTION, _STARRED = "(of)", "(*)"  # fields of what `partial` gives, beside one for each argument
_DEEPEST = 8  # `f = partial(f, x)` in a loop has no end


def hold_partial(call: ast.Call, nodes: list[Node], words: list[Node], result: Node) -> None:
    """Let what `partial(f, ...)` gives hold the function, and its arguments by position and name."""
    mark(result, OBJECT | MADE)
    unify(field(result, _FUNCTION), nodes[0])
    positional, shown, named = 0, field(result, ".args"), field(result, ".keywords")
    mark(shown, OBJECT)
    mark(named, OBJECT)
    for part, node in zip(call.args[1:], nodes[1:], strict=True):
        keep_beside(node)
        starred = isinstance(part, ast.Starred)
        unify(field(result, _STARRED if starred else f"({positional})"), node)
        unify(field(shown, "[]"), field(node, "[]") if starred else node)
        positional += not starred
    for word, node in zip(call.keywords, words, strict=True):
        keep_beside(node)
        unify(field(result, _STARRED if word.arg is None else f"({word.arg}=)"), node)
        unify(field(named, "[]"), field(node, "[]") if word.arg is None else node)
    field(result, f"(#{positional})")  # that a call's own arguments stand behind so many
    is_class = any(map(makes_instances, find(nodes[0]).bodies))
    for node in [*nodes[1:], *words] if not is_class else ():  # `partial(next, xs)` gives the items
        unify(field(result, "()"), field(node, "[]"))


def hold_first(function: Node, first: Node, result: Node) -> None:
    """Let a result be what `partial(function, first)` gives."""
    mark(result, OBJECT | MADE)
    unify(field(result, _FUNCTION), function)
    unify(field(result, "(0)"), first)
    field(result, "(#1)")


def is_partial(node: Node) -> bool:
    """Whether something may be what `partial` gives."""
    return _FUNCTION in find(node).fields


def function_of(partial: Node) -> Node:
    """The function that `partial` has been given."""
    return field(partial, _FUNCTION)


def labels_of(partial: Node) -> frozenset[str]:
    """The fields that say how many arguments `partial` has been given, and which."""
    return frozenset(label for label in find(partial).fields if label[0] == "(" and label not in (_FUNCTION, "()"))


def waits_for_more(call: Deferred) -> bool:
    """Whether a call of what has turned out to be a partial has not been told so in time."""
    return is_partial(call.function) and not _counts(find(call.function)) <= call.followed


def _counts(partial: Node) -> set[str]:
    """The fields that say how many arguments `partial` has been given."""
    return {label for label in partial.fields if label[:2] == "(#"}


def arguments_of(partial: Node) -> list[Node]:
    """What `partial` has been given beside the function."""
    fields = find(partial).fields.items()
    return [held for label, held in fields if label[0] == "(" and label != _FUNCTION and label[1] not in "#)"]


def partial_calls(one: Deferred) -> list[Deferred]:
    """The calls that a call of what `partial` gives comes to, each time that more is known of it."""
    node = find(one.function)
    if one.method is not None or one.depth >= _DEEPEST or not is_partial(node):
        return []
    counts = _counts(node) - one.followed
    if not counts:
        return []
    one.followed |= counts
    function = field(node, _FUNCTION)
    found = [_arguments(node, one, int(label[2:-1])) for label in sorted(counts)]
    if function is node:  # what is known only as one of many that hold each other: it ends where nothing is new
        found = [given for given in found if len(given) > len(dict.fromkeys(_places(one.arguments)))]
    return [
        Deferred(
            function,
            given,
            one.result,
            one.instruction,
            depth=one.depth + 1,
            conflicts=one.conflicts,
            elsewhere=one.elsewhere,
            is_written=one.is_written,
        )
        for given in found
    ]


def _places(arguments: list[Argument]) -> list[Argument]:
    return [(place, find(given)) for place, given in arguments]


def _arguments(node: Node, one: Deferred, count: int) -> list[Argument]:
    bound: list[Argument] = [(place, field(node, f"({place})")) for place in range(count)]
    bound += [(label[1:-2], field(node, label)) for label in list(node.fields) if label[-2:] == "=)"]
    own = [(place + count if isinstance(place, int) else place, given) for place, given in one.arguments]
    if _STARRED in node.fields:  # the places of what comes behind are not known
        bound = [(None, field(node, _STARRED)), *((place, given) for place, given in bound if isinstance(place, str))]
        bound += [(None, container_of(field(node, f"({place})"))) for place in range(count)]
        own = [(None, container_of(given)) if isinstance(place, int) else (place, given) for place, given in own]
    return [*dict.fromkeys(_places([*bound, *own]))]
