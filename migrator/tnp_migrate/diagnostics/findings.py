"""What the tool says: a stable code, where, and what to do. The registry has one entry for each code."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from tnp_migrate.diagnostics.codes.done import DONE
from tnp_migrate.diagnostics.codes.entry import Applicability, Code, Effort, Severity
from tnp_migrate.diagnostics.codes.incompatible import INCOMPATIBLE
from tnp_migrate.diagnostics.codes.input import INPUT
from tnp_migrate.diagnostics.codes.left import LEFT
from tnp_migrate.diagnostics.codes.mutation import MUTATION
from tnp_migrate.diagnostics.codes.native import NATIVE
from tnp_migrate.diagnostics.codes.performance import PERFORMANCE
from tnp_migrate.diagnostics.codes.risks import RISKS

__all__ = ["CODES", "Applicability", "Code", "Effort", "Finding", "Severity", "with_fingerprints"]


@dataclass(frozen=True)
class Finding:
    """A diagnostic at a place: lines from 1, columns from 1 in characters, `path` relative and with slashes.

    `end_column` is the column after the last character, as in SARIF.
    """

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


CODES: dict[str, Code] = {
    code.number: code
    for code in sorted(
        (*DONE, *LEFT, *RISKS, *MUTATION, *INCOMPATIBLE, *NATIVE, *PERFORMANCE, *INPUT), key=lambda code: code.number
    )
}

# Described, so that their numbers are taken, and reported by no part of the tool yet.
NOT_REPORTED = frozenset(
    f"TNP{number}"
    for number in (
        *(103, 105, 106, 107, 109, 112, 213, 307, 311),
        *(425, 426, 502, 503, 504, 505),
    )
)


def with_fingerprints(findings: list[Finding], lines: dict[str, list[str]]) -> list[Finding]:
    """Give each finding an identity that survives moved lines: code, path, line text and its occurrence."""
    seen: dict[str, int] = {}
    marked = []
    for finding in findings:
        text = lines.get(finding.path, [])
        line = text[finding.line - 1].strip() if 0 < finding.line <= len(text) else ""
        key = f"{finding.code}\0{finding.path}\0{line}\0{finding.symbol}"
        seen[key] = seen.get(key, 0) + 1
        digest = hashlib.sha256(f"{key}\0{seen[key]}".encode("utf-8", "surrogateescape")).hexdigest()[:16]
        marked.append(replace(finding, fingerprint=digest))
    return marked
