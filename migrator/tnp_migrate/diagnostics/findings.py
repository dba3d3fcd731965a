"""What the tool says: a stable code, where, and what to do. The registry has one entry for each code."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace

from tnp_migrate.diagnostics.codes.done import DONE
from tnp_migrate.diagnostics.codes.entry import Applicability, Code, Effort, Severity
from tnp_migrate.diagnostics.codes.incompatible import INCOMPATIBLE
from tnp_migrate.diagnostics.codes.input import INPUT
from tnp_migrate.diagnostics.codes.left import LEFT
from tnp_migrate.diagnostics.codes.mutation import MUTATION
from tnp_migrate.diagnostics.codes.native import NATIVE
from tnp_migrate.diagnostics.codes.performance import PERFORMANCE
from tnp_migrate.diagnostics.codes.proof import PROOF
from tnp_migrate.diagnostics.codes.risks import RISKS

__all__ = [
    "CODES",
    "Applicability",
    "Code",
    "Effort",
    "Finding",
    "InCell",
    "Severity",
    "shortened",
    "with_fingerprints",
]


_LONGEST = 1000  # characters of a message
_DIRECTIVE = re.compile(r"(?:#|//|/\*)\s*tnp:\s*ignore.*")


Range = tuple[int, int, int, int]  # line and column of the beginning and of the end


@dataclass(frozen=True)
class InCell:
    """A place in a notebook: the cell's number, the range in its source, and the range in the file."""

    cell: int
    range: Range
    file: Range


@dataclass(frozen=True)
class Finding:
    """A diagnostic at a place: lines from 1, columns from 1 in characters, `path` relative and with slashes.

    `end_column` is the column after the last character, as in SARIF. Of a notebook the lines are those of its code
    cells one after the other, as reports show them; `in_cell` is the place that the user knows.
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
    in_cell: InCell | None = None

    @property
    def where(self) -> str:
        """Line and column as a person looks for them: `12:5`, `cell 3:12:5` in a notebook."""
        if self.in_cell is None:
            return f"{self.line}:{self.column}"
        line, column, _, _ = self.in_cell.range
        return f"cell {self.in_cell.cell}:{line}:{column}"

    @property
    def in_file(self) -> Range:
        """Beginning and end in the file as it is on disk, for what annotates files."""
        if self.in_cell is not None:
            return self.in_cell.file
        return self.line, self.column, self.end_line, self.end_column

    @property
    def told(self) -> str:
        """The message, with the cell before it where a reader sees only the place in the file."""
        return self.message if self.in_cell is None else f"{self.where}: {self.message}"


CODES: dict[str, Code] = {
    code.number: code
    for code in sorted(
        (*DONE, *LEFT, *RISKS, *MUTATION, *INCOMPATIBLE, *NATIVE, *PERFORMANCE, *PROOF, *INPUT),
        key=lambda code: code.number,
    )
}

# Described, so that their numbers are taken, and reported by no part of the tool yet.
NOT_REPORTED = frozenset(
    f"TNP{number}"
    for number in (
        *(103, 105, 106, 107, 109, 112, 311),
        *(425, 426, 502, 503, 504, 505),
    )
)


def shortened(message: str) -> str:
    """Cut what a message quotes, and the message, to what a person reads: a line of code may have a million columns."""
    quoted = re.sub(r"`([^`]{200,})`", lambda found: f"`{found[1][:120]} ... {found[1][-40:]}`", message)
    return quoted if len(quoted) <= _LONGEST else f"{quoted[: _LONGEST - 4]} ..."


def with_fingerprints(findings: list[Finding], path: str, lines: list[str]) -> list[Finding]:
    """Give each finding of one file an identity that survives moved lines: code, path, line text and its occurrence.

    `path` counts from the root of the repository, so that the working folder does not matter. Blanks and suppression
    comments in a line do not matter either: a comment for one code makes no other finding of its line a new one.

    Messages are cut to a readable length on the way.
    """
    seen: dict[str, int] = {}
    marked = []
    for finding in findings:
        line = lines[finding.line - 1] if 0 < finding.line <= len(lines) else ""
        text = " ".join(_DIRECTIVE.sub("", line).split())
        key = f"{finding.code}\0{path}\0{text}\0{finding.symbol}"
        seen[key] = seen.get(key, 0) + 1
        digest = hashlib.sha256(f"{key}\0{seen[key]}".encode("utf-8", "surrogateescape")).hexdigest()[:16]
        marked.append(replace(finding, message=shortened(finding.message), fingerprint=digest))
    return marked
