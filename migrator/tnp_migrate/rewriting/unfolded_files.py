"""Files in which statements become several ones before the functional stage can go on with them."""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass, field

from tnp_migrate.functional.stage import Functionalised
from tnp_migrate.functional.unit import Refused
from tnp_migrate.program.index import Function, Module
from tnp_migrate.rewriting.between_stages import functional_source
from tnp_migrate.rewriting.files import File
from tnp_migrate.rewriting.rewrite import Overlap
from tnp_migrate.text.source import Source, SourceError

ROUNDS = 12
RESTARTS = 3


class Unfolded(Exception):
    """Files have a new text: they are to be analysed again."""


@dataclass(eq=False)
class Unfolding:
    """The functions, by module and name, in which statements have become several ones, and those that stay whole."""

    names: set[tuple[str, str]] = field(default_factory=set)
    whole: set[tuple[str, str]] = field(default_factory=set)
    rounds: int = 0
    restarts: int = 0
    over: bool = False

    def __contains__(self, name: object) -> bool:
        """Whether a function's statements stay whole."""
        return self.over or self.rounds >= ROUNDS or name in self.whole

    def unfold(self, files: list[File], made: dict[Module, Functionalised]) -> None:
        """Give files their new texts, where the stage asks for some, and raise `Unfolded` then."""
        again = False
        for file in files:
            found = made.get(file.module) if file.module is not None else None
            if found is None or file.module is None or not found.unfoldings:
                continue
            again = True
            bodies = {(file.name, one.place if isinstance(one, Function) else "") for one in found.unfoldings}
            decisions = [one for some in found.unfoldings.values() for one in some]
            try:
                source = functional_source(file.source, decisions)
            except (SourceError, Overlap, ValueError):
                self.whole |= bodies
                continue
            file.written = file.written or file.module
            file.source, file.module = source, None
            self.names |= bodies
        self.rounds += again
        if again:
            raise Unfolded

    def in_vain(self, refused: set[tuple[str, str]]) -> bool:
        """Note functions that were refused nonetheless, whose statements stay whole: all has to start anew then."""
        stale = self.names & refused
        if stale:
            self.start_anew()
            self.whole |= stale
            self.restarts += 1
            self.over = self.restarts > RESTARTS
        return bool(stale)

    def start_anew(self) -> None:
        """Forget what was done."""
        self.names.clear()
        self.rounds = 0


def as_written(refusal: Refused, source: Source) -> Refused:
    """A refusal with places of the user's text."""
    if source.origin is None:
        return refusal
    other = _moved(refusal.other, source) if refusal.other is not None else None
    node, attribute, because = _moved(refusal.node, source), refusal.attribute, refusal.because
    return Refused(node, refusal.message, other, attribute=attribute, because=because)


def _moved(node: ast.AST, source: Source) -> ast.AST:
    if source.origin is None or not isinstance(node, ast.expr | ast.stmt | ast.arg | ast.keyword):
        return node
    found = copy.copy(node)
    first = source.origin.source
    span = source.span(node)
    start, end = (_place(first, source.origin.back(offset)) for offset in (span.start, span.end))
    found.lineno, found.col_offset = start
    found.end_lineno, found.end_col_offset = max(start, end)
    return found


def _place(source: Source, offset: int) -> tuple[int, int]:
    line, _ = source.place(offset)
    return line, offset - source.line_starts[line - 1]
