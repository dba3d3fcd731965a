"""Notebooks on their way: a file whose source is the module of its cells, and what that becomes put back into cells.

Input the `Translated` of the module, output the same with the notebook's bytes and the findings that only a notebook
has. The stages between know nothing of cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tnp_migrate.diagnostics.findings import Finding, InCell
from tnp_migrate.diagnostics.ledger import FileReport
from tnp_migrate.diagnostics.suppressions import UNUSED, apply, find_suppressions
from tnp_migrate.rewriting.files import File, Translated, failure
from tnp_migrate.text.discovery import Found, module_name
from tnp_migrate.text.source import Source, SourceError

if TYPE_CHECKING:
    from tnp_migrate.text.cells import Cells, Part
    from tnp_migrate.text.magics import Kept

_LIBRARY = re.compile(r"\b(?:np|numpy|pylab)\b")
_COMMENTED = re.compile(rb"^[ \t]*#[ \t]?([%!](?!%[ \t\[\r\n]).*)", re.MULTILINE)
_WORD = re.compile(r"[^\W\d]\w*")
_LINES = re.compile(r"\b(lines?) (\d+)(?: and (\d+))?\b")


def file_of(found: Found, data: bytes) -> File:
    """The file of some bytes; of a notebook its module. Raises `SourceError` for what is no notebook.

    Nothing imports a notebook, and it is run in its own folder, where its helper module has to be.
    """
    name, top = module_name(found.location)
    if not found.is_notebook:
        return File(found, Source(found.shown, data, found.location), None, top, name)
    from tnp_migrate.text.cells import read_cells  # noqa: PLC0415  # only where there is a notebook
    from tnp_migrate.text.notebooks import read_notebook  # noqa: PLC0415

    cells = read_cells(read_notebook(data))
    source = Source(found.shown, cells.body, found.location)
    return File(found, source, None, found.location.parent, f"{found.location.stem}-notebook", cells=cells)


def names_left(file: File) -> set[str]:
    """The names that are read where nothing is translated: in magics, which a script in cells has as comments."""
    if file.cells is not None:
        return file.cells.names_kept()
    from tnp_migrate.text.cells import has_cells  # noqa: PLC0415

    magics = _COMMENTED.findall(file.source.body) if has_cells(file.source.body) else []
    return {name for text in magics for name in _WORD.findall(text.decode())}


def in_cells(cells: Cells, made: Translated, *, clear_outputs: bool) -> Translated:
    """Put the new text of a module back into its notebook, and say what was left there."""
    report = made.report
    before = cells.notebook.text.encode()
    if report.status == "error":
        return replace(made, contents=(before, before))
    after, shown, timed = before, cells.shown, set[int]()
    if report.after != report.before:
        try:
            sources, timed = cells.sources(report.after)
        except SourceError as error:
            return Translated(failure(report.path, report.before, error), contents=(before, before))
        after = cells.notebook.with_sources(sources, clear_outputs=clear_outputs)
        shown = cells.shown_after(sources)
    findings = _suppressed(cells, report.findings, [*_own_findings(cells, report.path, timed)])
    findings.sort(key=lambda one: (one.line, one.column, one.code, one.message))
    status = "unchanged" if report.after != report.before and after == before else report.status
    report = replace(report, status=status, findings=tuple(findings), before=cells.shown, after=shown)
    return replace(made, report=report, contents=(before, after))


def located(report: FileReport, cells: Cells) -> FileReport:
    """Give the findings of a notebook their cells; lines that messages name are those of cells then too."""
    return replace(report, findings=tuple(_located(one, cells) for one in report.findings))


def _located(finding: Finding, cells: Cells) -> Finding:
    if not cells.parts:
        return finding
    start, end = cells.place(finding.line, finding.column), cells.place(finding.end_line, finding.end_column)
    inside = InCell(
        start.cell,
        (start.line, start.column, end.line, end.column),
        (start.file_line, start.file_column, end.file_line, end.file_column),
    )

    def in_cell(found: re.Match[str]) -> str:
        places = [cells.place(int(number), 1) for number in found.groups()[1:] if number]
        if len({one.cell for one in places}) == 1:
            return f"{found[1]} {' and '.join(str(one.line) for one in places)} of cell {places[0].cell}"
        return " and ".join(f"line {one.line} of cell {one.cell}" for one in places)

    quoted = re.split(r"(`[^`]*`)", finding.message)  # what the user wrote stays
    message = "".join(one if one.startswith("`") else _LINES.sub(in_cell, one) for one in quoted)
    return replace(finding, message=message, in_cell=inside)


def _own_findings(cells: Cells, path: str, timed: set[int]) -> Iterator[Finding]:
    """What only a notebook has: what is left as it is, because Python cannot read it or because it is timed."""
    for part in cells.parts:
        if part.left is not None:
            if not part.left.foreign or _LIBRARY.search(part.cell.source):
                yield _finding("TNP213", path, part, part.left.line, f"{part.left}: it is left as it is")
            continue
        for line, kept in _kept_lines(part):
            if not kept.harmless and _LIBRARY.search(kept.text):
                yield _finding("TNP215", path, part, line, f"`{kept.text}` names NumPy and is left as it is")
        if part.cell.number in timed:
            message = "timed code writes to an array of the notebook, which only an assignment outside can do: left"
            yield _finding("TNP215", path, part, 1, message)


def _kept_lines(part: Part) -> Iterator[tuple[int, Kept]]:
    for kept in part.masked.kept:
        yield part.masked.text.count("\n", 0, part.masked.text.index(kept.standin)) + 1, kept


def _finding(code: str, path: str, part: Part, line: int, message: str) -> Finding:
    row = part.start + line
    width = len(part.cell.source.split("\n")[line - 1]) if line <= part.cell.source.count("\n") + 1 else 0
    return Finding(code, path, row, 1, row, width + 1, message)


def _suppressed(cells: Cells, findings: Sequence[Finding], own: Sequence[Finding]) -> list[Finding]:
    """Honour the user's comments for the findings of notebooks; one that the others found idle may be for these."""
    suppressions = find_suppressions(cells.body.decode())
    marked, _ = apply([*own], suppressions, "")
    used = {(by.line, by.column) for by in suppressions for one in own if by.silences(one)}
    return [one for one in findings if one.code != UNUSED or (one.line, one.column) not in used] + marked
