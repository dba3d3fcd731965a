"""Views of what nothing says to be a container: they are one memory with what they are views of.

While a body is evaluated, `x[1:]` is apart from an `x` of which nothing is known: a call or a store may yet show that
`x` is a list, whose slice is another list. What is still not known when the body ends is taken for an array.
"""

from __future__ import annotations

from collections.abc import Iterable

from tnp_migrate.analysis.heap import (
    OBJECT,
    PART,
    Node,
    find,
    is_array_or_unknown,
    is_mixed,
    parts_of,
    reachable,
    unify,
)

# `.base` and `.data` are left out: they are as likely attributes of classes.
_JOINED = frozenset({PART, ".T", ".mT", ".real", ".imag", ".flat"})


def array_parts(node: Node) -> list[Node]:
    """The rows and views of what may be an array that may be arrays themselves."""
    return [part for part in parts_of(node)[1:] if is_array_or_unknown(part) and not is_mixed(part)]


def join_views(roots: Iterable[Node]) -> None:
    """Make views one with what they are views of, where nothing that leads to them says that this is a container."""
    for node in reachable(roots):
        while True:
            whole = find(node)
            views = [] if whole.flags & OBJECT else [label for label in whole.fields if label in _JOINED]
            if not views:
                break
            unify(whole, whole.fields.pop(views[0]))
