"""Decisions become bytes. Outside the decided spans nothing changes; the result is parsed before it is believed."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable

from tnp_migrate.diagnostics.decisions import Decision
from tnp_migrate.text.source import Edit, Source, SourceError, Span


class Overlap(Exception):
    """Two decisions that claim bytes of each other: a mistake in the passes."""


def apply_decisions(source: Source, decisions: Iterable[Decision], edits: Iterable[Edit] = ()) -> bytes:
    """Give the new body. `edits` are whole-line insertions and changes of import statements."""
    body = joined(source, pieces_of(source, decisions, edits))
    _check(body)
    return body


def joined(source: Source, pieces: Iterable[str | Span]) -> bytes:
    """Join texts and spans of the source."""
    return b"".join(one.encode() if isinstance(one, str) else source.body[one.start : one.end] for one in pieces)


def pieces_of(source: Source, decisions: Iterable[Decision], edits: Iterable[Edit] = ()) -> list[str | Span]:
    """Give the new body as new texts and spans of the old one."""
    ordered = sorted(set(decisions), key=lambda one: (one.span.start, -one.span.end, one.parts))
    changes: list[tuple[Span, list[str | Span]]] = [(edit.span, [edit.text]) for edit in edits]
    position = 0
    while position < len(ordered):
        span, pieces, position = _render(ordered, position)
        changes.append((span, pieces))
    found: list[str | Span] = []
    reached = 0
    for span, pieces in sorted(changes, key=lambda change: change[0]):
        if span.start < reached:
            raise ValueError(f"edits overlap at byte {span.start}")
        found += [Span(reached, span.start), *pieces]
        reached = span.end
    return [*found, Span(reached, len(source.body))]


def _render(ordered: list[Decision], position: int) -> tuple[Span, list[str | Span], int]:
    """Render one decision with those inside its holes; give the position of the next that is outside it."""
    decision = ordered[position]
    end = position + 1
    while end < len(ordered) and ordered[end].span.start < decision.span.end:
        if ordered[end].span.end > decision.span.end:
            raise Overlap(f"{decision} and {ordered[end]}")
        end += 1
    pieces: list[str | Span] = []
    for part in decision.parts:
        pieces += [part] if isinstance(part, str) else _fill(ordered, position + 1, end, part)
    return decision.span, pieces, end


def _fill(ordered: list[Decision], first: int, last: int, hole: Span) -> list[str | Span]:
    """The pieces of a hole, with the decisions inside it applied."""
    pieces: list[str | Span] = []
    reached, position = hole.start, first
    while position < last:
        inner = ordered[position]
        if not (hole.start <= inner.span.start and inner.span.end <= hole.end):
            position += 1
            continue
        span, rendered, position = _render(ordered, position)
        pieces += [Span(reached, span.start), *rendered]
        reached = span.end
    return [*pieces, Span(reached, hole.end)]


def _check(body: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(body.decode())
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None) or 1
            raise SourceError("TNP905", f"the rewritten text does not parse: {error}", line) from error
