"""The shape of one registry entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["info", "warning", "error"]
Applicability = Literal["safe", "likely", "manual"]
Effort = Literal["low", "medium", "high"]


@dataclass(frozen=True)
class Code:
    """One diagnostic as documented: `number` is `TNPnnn` and is never reused."""

    number: str
    title: str
    severity: Severity
    applicability: Applicability
    effort: Effort
    meaning: str
    why: str
    before: str
    after: str
    advice: str
