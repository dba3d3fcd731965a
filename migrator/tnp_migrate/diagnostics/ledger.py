"""The ledger: every NumPy reference of the input is in exactly one bin, and the sum is checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tnp_migrate.diagnostics.findings import Finding

Bin = Literal["renamed", "rewritten", "helper", "kept", "island", "flagged", "suppressed"]
BINS: tuple[Bin, ...] = ("renamed", "rewritten", "helper", "kept", "island", "flagged", "suppressed")
Status = Literal["translated", "unchanged", "island", "error"]


@dataclass(frozen=True)
class Ledger:
    """How many NumPy references were found and in which bin each of them ended."""

    references: int = 0
    renamed: int = 0
    rewritten: int = 0
    helper: int = 0
    kept: int = 0
    island: int = 0
    flagged: int = 0
    suppressed: int = 0

    def balanced(self) -> bool:
        """Whether every reference is accounted for."""
        return self.references == sum(self.counts()[1:])

    def __add__(self, other: Ledger) -> Ledger:
        return Ledger(*(mine + theirs for mine, theirs in zip(self.counts(), other.counts(), strict=True)))

    def counts(self) -> tuple[int, ...]:
        """The number of references, then the bins in the order of `BINS`."""
        return (self.references, *(getattr(self, name) for name in BINS))


def tally(references: int, bins: Iterable[Bin]) -> Ledger:
    """Count bins into a ledger of `references` references."""
    counted = Counter(bins)
    return Ledger(references, **{name: counted[name] for name in BINS})


@dataclass(frozen=True)
class FileReport:
    """What happened to one file. `before` and `after` are its text, `islands` the names of its island functions.

    `known` are findings that are not shown, because a baseline has them or their lines did not change. `place` is the
    path from the root of the file's repository, empty where it is `path`; `root` is that root's position in the report.
    """

    path: str
    status: Status
    ledger: Ledger
    findings: tuple[Finding, ...]
    islands: tuple[str, ...] = ()
    before: bytes = b""
    after: bytes = b""
    known: tuple[Finding, ...] = ()
    place: str = ""
    root: int = 0

    @property
    def repository_path(self) -> str:
        """The path from the root of the file's repository."""
        return self.place or self.path


@dataclass(frozen=True)
class Gone:
    """A finding of a baseline that this run did not find any more."""

    path: str
    code: str
    fingerprint: str


@dataclass(frozen=True)
class Report:
    """What happened to a project: its files in path order, the helper module's files among them.

    `roots` are the names of the repositories that the files are in. Where only new findings are shown (`only_new`),
    `gone` are those of the baseline that no longer arise. `by_evidence` is how many references of the whole project are
    native because of what a recorded run has seen; None where no recording was given.
    """

    version: str
    files: tuple[FileReport, ...]
    roots: tuple[str, ...] = ()
    only_new: bool = False
    gone: tuple[Gone, ...] = ()
    by_evidence: int | None = None

    @property
    def ledger(self) -> Ledger:
        """The sum over the files."""
        return sum((file.ledger for file in self.files), Ledger())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings in path, line, column order."""
        return tuple(finding for file in self.files for finding in file.findings)

    @property
    def known(self) -> tuple[Finding, ...]:
        """All findings that are not shown because they are known."""
        return tuple(finding for file in self.files for finding in file.known)

    @property
    def needs_attention(self) -> bool:
        """Whether findings of 2xx to 4xx remain; known ones do not count."""
        return any(one.code[3] in "234" and one.suppressed is None for one in self.findings)

    @property
    def has_errors(self) -> bool:
        """Whether some input could not be worked on."""
        return any(file.status == "error" for file in self.files)
