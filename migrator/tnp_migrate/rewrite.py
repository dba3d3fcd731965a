"""Decisions become bytes. Outside the decided spans nothing changes; the result is parsed before it is believed."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable

from tnp_migrate.decisions import Decision
from tnp_migrate.source import Edit, Source, SourceError, Span, splice


class Overlap(Exception):
    """Two decisions that claim bytes of each other: a mistake in the passes."""


def apply_decisions(source: Source, decisions: Iterable[Decision], edits: Iterable[Edit] = ()) -> bytes:
    """Give the new body. `edits` are whole-line insertions and changes of import statements."""
    ordered = sorted(set(decisions), key=lambda one: (one.span.start, -one.span.end, one.parts))
    outermost: list[Edit] = []
    position = 0
    while position < len(ordered):
        edit, position = _render(source, ordered, position)
        outermost.append(edit)
    body = splice(source.body, [*outermost, *edits])
    _check(body)
    return body


def _render(source: Source, ordered: list[Decision], position: int) -> tuple[Edit, int]:
    """Render one decision with those inside its holes; give the position of the next that is outside it."""
    decision = ordered[position]
    end = position + 1
    while end < len(ordered) and ordered[end].span.start < decision.span.end:
        if ordered[end].span.end > decision.span.end:
            raise Overlap(f"{decision} and {ordered[end]}")
        end += 1
    pieces = [
        part if isinstance(part, str) else _fill(source, ordered, position + 1, end, part) for part in decision.parts
    ]
    return Edit(decision.span, "".join(pieces)), end


def _fill(source: Source, ordered: list[Decision], first: int, last: int, hole: Span) -> str:
    """The text of a hole, with the decisions inside it applied."""
    pieces, reached, position = [], hole.start, first
    while position < last:
        inner = ordered[position]
        if not (hole.start <= inner.span.start and inner.span.end <= hole.end):
            position += 1
            continue
        rendered, position = _render(source, ordered, position)
        pieces += [source.text(Span(reached, inner.span.start)), rendered.text]
        reached = inner.span.end
    return "".join([*pieces, source.text(Span(reached, hole.end))])


def _check(body: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(body.decode())
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None) or 1
            raise SourceError("TNP905", f"the rewritten text does not parse: {error}", line) from error
