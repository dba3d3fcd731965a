"""The text between the two stages: NumPy code in which writes are values, and where each byte of it came from."""

from __future__ import annotations

from tnp_migrate.functional.stage import Functionalised
from tnp_migrate.rewrite import pieces_of, text_of
from tnp_migrate.source import Origin, Source, Span


def functional_source(source: Source, made: Functionalised) -> Source:
    """Apply the decisions of the functional stage."""
    edits = sorted(made.edits, key=lambda one: -_indent(one.text))  # what ends first comes first, at the same place
    pieces = [one for one in pieces_of(source, made.decisions, edits) if one != "" and not _is_empty(one)]
    body = text_of(source, pieces)
    starts: list[int] = []
    kept: list[Span] = []
    reached = 0
    for one in pieces:
        if isinstance(one, Span):
            starts.append(reached)
            kept.append(one)
            reached += one.end - one.start
        else:
            reached += len(one.encode())
    return Source(source.path, source.encode(body), source.location, Origin(source, tuple(starts), tuple(kept)))


def _is_empty(piece: str | Span) -> bool:
    return isinstance(piece, Span) and piece.start == piece.end


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
