"""The text between the two stages: NumPy code in which writes are values, and where each byte of it came from."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator

from tnp_migrate.diagnostics.decisions import Decision
from tnp_migrate.rewriting.rewrite import joined, pieces_of
from tnp_migrate.text.source import Edit, Origin, Source, Span


def functional_source(source: Source, decisions: Iterable[Decision], edits: Iterable[Edit] = ()) -> Source:
    """Apply decisions of the functional stage. The new text knows its place in the user's, not in one of ours.

    The same decisions give the same object again, whose tree is known by then. A text that is no Python raises
    `SourceError`.
    """
    edits = sorted(edits, key=lambda one: -_indent(one.text))  # what ends first comes first, at the same place
    pieces = tuple(one for one in pieces_of(source, decisions, edits) if one != "" and not _is_empty(one))
    if pieces not in source.made:
        made = joined_source(source, pieces)
        made.tree  # noqa: B018  # a cached property, which raises
        source.made[pieces] = made
    return source.made[pieces]


def joined_source(source: Source, pieces: tuple[str | Span, ...]) -> Source:
    """Give the text that new texts and spans of a source make, in their order; it knows where each byte stood."""
    starts: list[int] = []
    kept: list[Span] = []
    reached = 0
    for one in pieces:
        if isinstance(one, str):
            reached += len(one.encode())
            continue
        for old in [one] if source.origin is None else _before(source.origin, one):
            if isinstance(old, Span):
                starts.append(reached)
                kept.append(old)
            reached += old if isinstance(old, int) else old.end - old.start
    origin = Origin(source.first, tuple(starts), tuple(kept))
    return Source(source.path, source.encode(joined(source, pieces)), source.location, origin)


def _before(origin: Origin, span: Span) -> Iterator[Span | int]:
    """What a span was in the text before: spans of it, and how many bytes are new."""
    reached = span.start
    position = max(bisect.bisect_right(origin.starts, span.start) - 1, 0)
    for start, old in zip(origin.starts[position:], origin.kept[position:], strict=True):
        left, right = max(start, reached), min(start + old.end - old.start, span.end)
        if start >= span.end:
            break
        if left >= right:
            continue
        if left > reached:
            yield left - reached
        yield Span(old.start + left - start, old.start + right - start)
        reached = right
    if reached < span.end:
        yield span.end - reached


def _is_empty(piece: str | Span) -> bool:
    return isinstance(piece, Span) and piece.start == piece.end


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
