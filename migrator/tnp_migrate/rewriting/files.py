"""The files of a project on their way, each with the module that it is and what the functional stage made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.ledger import FileReport, Ledger
from tnp_migrate.text.discovery import Found
from tnp_migrate.text.source import Source, SourceError, Span

if TYPE_CHECKING:
    from tnp_migrate.program.index import Module
    from tnp_migrate.text.cells import Cells


@dataclass(eq=False)
class File:
    """A Python file on its way: its module and the place of its helper module."""

    found: Found
    source: Source
    module: Module | None = None
    top: Path = Path()
    name: str = ""
    apart: Mapping[str, str] = field(default_factory=dict)  # modules beside it that have namesakes, as it imports them
    runs_alone: bool = False  # in a package, and run or imported as if there were none
    first: Functional | None = None
    written: Module | None = None  # as the user wrote it, where some statements have become several ones
    outlined: tuple[str, ...] = ()  # the loops that became functions, as the user wrote them
    is_left_out: bool = False  # of what is analysed, since that has failed on it
    cells: Cells | None = None  # of a notebook, of which the source is the module
    unknown: tuple[Finding, ...] = ()  # what the analysis could not follow, where that matters

    @property
    def is_stub(self) -> bool:
        """Whether it only says of which types things are: it is never run."""
        return self.found.location.suffix == ".pyi"

    @property
    def as_shown(self) -> bytes:
        """The text as the user knows it, magics and what else stays included."""
        return self.source.data if self.cells is None else self.cells.shown

    @property
    def said(self) -> tuple[Finding, ...]:
        """What there is to say of the file before it is planned, on the user's lines."""
        return (*self.unknown, *(self.first.findings if self.first is not None else ()))

    @property
    def as_read(self) -> Source:
        """The source as the user wrote it."""
        if self.first is not None:
            return self.first.source
        return self.written.source if self.written is not None else self.source


@dataclass(frozen=True, eq=False)
class Functional:
    """What the functional stage has made of a file: the file as read, its references, and what to say of the stage."""

    source: Source
    references: tuple[Span, ...]
    findings: tuple[Finding, ...]
    helpers: str  # the name of the helper module in the text between the stages


@dataclass(frozen=True)
class Translated:
    """One file done: its report, and the helpers it calls (None where it needs no helper module).

    `contents` are the file's bytes before and after, where these are not the texts of the report.
    """

    report: FileReport
    helpers: frozenset[str] | None = None
    contents: tuple[bytes, bytes] | None = None
    numpy_form: bytes | None = None  # of a file with compiled functions, to be kept beside it


def failure(path: str, data: bytes, error: SourceError) -> FileReport:
    """Report that a file was left as it was, and why."""
    finding = Finding(error.code, path, error.line, error.column, error.line, error.column, error.message)
    return FileReport(path, "error", Ledger(), (finding,), (), data, data)
