"""Statements as the user wrote them, of those that the functional stage has made of them."""

from __future__ import annotations

import ast
from itertools import pairwise

from tnp_migrate.text.source import Source, Span

Loop = ast.For | ast.While


def loop_as_written(source: Source, loop: Loop) -> Loop | None:
    """The loop in the user's own text that a loop comes from."""
    if source.origin is None:
        return loop
    first = source.origin.source
    head = source.offset(loop.lineno, loop.col_offset)
    was = source.origin.was(Span(head, head + len("for")))
    for node in ast.walk(first.tree) if was is not None else ():
        if isinstance(node, ast.For | ast.While) and first.offset(node.lineno, node.col_offset) == was.start:  # type: ignore[union-attr]
            return node
    return None


def block_as_written(source: Source, body: tuple[ast.stmt, ...]) -> tuple[ast.stmt, ...] | None:
    """The statements of the user's own text that some statements in a row come from; None where others have a part."""
    origin = source.origin
    if origin is None:
        return body
    first = origin.source
    start, end = source.span(body[0]).start, source.span(body[-1]).end
    inside, outside = _kept(source, start, end)
    if not inside:
        return None
    low, high = min(one.start for one in inside), max(one.end for one in inside)
    found = _statements(first, first.tree.body, low, high)
    if not found:
        return None
    whole = Span(first.span(found[0]).start, first.span(found[-1]).end)
    taken = any(one.start < whole.end and whole.start < one.end for one in outside)
    return None if taken or low < whole.start or high > whole.end else tuple(found)


def _kept(source: Source, start: int, end: int) -> tuple[list[Span], list[Span]]:
    """What a span of a text was before, without spaces at its ends, and what the rest was."""
    assert source.origin is not None
    inside: list[Span] = []
    outside: list[Span] = []
    for at, old in zip(source.origin.starts, source.origin.kept, strict=True):
        cuts = sorted(
            {at, at + old.end - old.start, *(cut for cut in (start, end) if at < cut < at + old.end - old.start)}
        )
        for left, right in pairwise(cuts):
            text = source.body[left:right]
            bare = Span(left + len(text) - len(text.lstrip()), right - len(text) + len(text.rstrip()))
            if text.strip():
                was = Span(bare.start - at + old.start, bare.end - at + old.start)
                (inside if start <= left and right <= end else outside).append(was)
    return inside, outside


def _statements(source: Source, body: list[ast.stmt], low: int, high: int) -> list[ast.stmt]:
    """The fewest statements in a row, in the innermost block, that some bytes belong to."""
    found = [one for one in body if source.span(one).start < high and low < source.span(one).end]
    for one in found if len(found) == 1 else ():
        for name in ("body", "orelse", "finalbody"):
            inner: list[ast.stmt] = getattr(one, name, [])
            if inner and source.span(inner[0]).start <= low and high <= source.span(inner[-1]).end:
                return _statements(source, inner, low, high)
    return found
