"""What the tool says: a stable code, where, and what to do. The registry of codes has one entry each."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
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


@dataclass(frozen=True)
class Finding:
    """A diagnostic at a place: lines from 1, columns from 1 in characters, `path` relative and with slashes."""

    code: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    symbol: str = ""
    suppressed: str | None = None  # the reason the user gave, "" when none, None when not suppressed
    fingerprint: str = ""


CODES: dict[str, Code] = {}


def with_fingerprints(findings: list[Finding], lines: dict[str, list[str]]) -> list[Finding]:
    """Give each finding an identity that survives moved lines: code, path, line text and its occurrence."""
    seen: dict[str, int] = {}
    marked = []
    for finding in findings:
        text = lines.get(finding.path, [])
        line = text[finding.line - 1].strip() if 0 < finding.line <= len(text) else ""
        key = f"{finding.code}\0{finding.path}\0{line}\0{finding.symbol}"
        seen[key] = seen.get(key, 0) + 1
        digest = hashlib.sha256(f"{key}\0{seen[key]}".encode()).hexdigest()[:16]
        marked.append(replace(finding, fingerprint=digest))
    return marked
