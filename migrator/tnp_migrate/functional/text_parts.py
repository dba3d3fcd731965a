"""Pieces of new text: strings, and spans of the source that are taken over as they are."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tnp_migrate.text.source import Span

Parts = tuple["str | Span", ...]


def written_slices(index: ast.expr, show: Callable[[ast.expr], str | Span]) -> Parts:
    """An index with its slices written out: `(slice(1, None), i)`."""
    if isinstance(index, ast.Tuple):
        inner = [flat(", " if position else "", written_slices(one, show)) for position, one in enumerate(index.elts)]
        return flat("(", *inner, ")")
    if not isinstance(index, ast.Slice):
        return (show(index),)
    ends = [index.lower, index.upper, index.step]
    while ends[1:] and ends[-1] is None and (len(ends) == 3 or ends == [None, None]):
        ends.pop()
    given = ["None" if one is None else show(one) for one in ends]
    return flat("slice(", *(flat(", " if position else "", one) for position, one in enumerate(given)), ")")


def flat(*parts: str | Span | Parts) -> Parts:
    """Join texts, spans and parts."""
    found: list[str | Span] = []
    for part in parts:
        if isinstance(part, tuple) and not isinstance(part, Span):
            found += part
        else:
            found.append(part)
    return tuple(found)
