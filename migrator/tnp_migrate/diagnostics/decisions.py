"""What a pass says: which bytes become what, in which stage, and where each NumPy reference ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.ledger import Bin
from tnp_migrate.text.source import Span

Stage = Literal["functional", "backend"]
Part = str | Span


@dataclass(frozen=True)
class Decision:
    """Put `parts` where `span` is: texts as they are, spans as the source's text with its own decisions applied."""

    span: Span
    parts: tuple[Part, ...]
    stage: Stage = "backend"
    rule: str = ""


@dataclass(frozen=True)
class Outcome:
    """The end of one NumPy reference, with the decisions, findings and helpers that it takes."""

    reference: Span
    bin: Bin
    decisions: tuple[Decision, ...] = ()
    findings: tuple[Finding, ...] = ()
    helpers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Extra:
    """A change at a place that names nothing of NumPy, such as a method call on an array."""

    decisions: tuple[Decision, ...] = ()
    findings: tuple[Finding, ...] = ()
    helpers: frozenset[str] = frozenset()
