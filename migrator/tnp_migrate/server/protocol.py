"""Findings and changes in the words of the protocol: lines and columns from 0, severities, edits by document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types
from pygls import uris

from tnp_migrate.diagnostics.explain import explain
from tnp_migrate.diagnostics.findings import CODES, Finding
from tnp_migrate.server.answers import Answer, Change
from tnp_migrate.server.edits import becomes, parts_at, suppression
from tnp_migrate.server.positions import Columns

SOURCE = "tnp-migrate"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


@dataclass(frozen=True)
class Client:
    """What an editor has said that it can: how it counts columns, and what it may be sent."""

    columns: Columns = field(default_factory=Columns)
    shows_disabled: bool = False
    creates_files: bool = False
    asks_for_edits: bool = False

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities, encoding: str | None) -> Client:
        """What its capabilities say, and the encoding of columns that was agreed on."""
        document, workspace = capabilities.text_document, capabilities.workspace
        actions = document.code_action if document is not None else None
        edits = workspace.workspace_edit if workspace is not None else None
        operations = (edits.resource_operations if edits is not None else None) or ()
        later = actions.resolve_support if actions is not None else None
        return cls(
            Columns(encoding or types.PositionEncodingKind.Utf16),
            actions is not None and bool(actions.disabled_support),
            types.ResourceOperationKind.Create in operations,
            later is not None and "edit" in later.properties and bool(actions is not None and actions.data_support),
        )

    def takes(self, action: types.CodeAction, only: Sequence[str] | None) -> bool:
        """Whether it wants to be sent an action, where it has asked for some kinds `only`."""
        if action.disabled is not None and not self.shows_disabled:
            return False
        kind = (action.kind or "") + "."
        return only is None or any(not one or kind.startswith(one + ".") for one in only)


def diagnostics_of(findings: Sequence[Finding], lines: Sequence[str], columns: Columns) -> list[types.Diagnostic]:
    """What an editor shows of findings; not those that a comment suppresses."""
    return [
        types.Diagnostic(
            range=range_of(one, lines, columns),
            message=one.message,
            severity=_SEVERITIES.get(CODES[one.code].severity, types.DiagnosticSeverity.Information),
            code=one.code,
            source=SOURCE,
        )
        for one in findings
        if one.suppressed is None
    ]


def range_of(finding: Finding, lines: Sequence[str], columns: Columns) -> types.Range:
    """Where a finding stands, to the end of its first line: a function is not underlined as a whole."""
    last = finding.end_column if finding.end_line == finding.line else len(_line(lines, finding.line)) + 1
    text, number = _line(lines, finding.line), max(finding.line - 1, 0)
    start, end = (columns.width(text[: column - 1]) for column in (finding.column, max(last, finding.column)))
    return types.Range(types.Position(number, start), types.Position(number, end))


def _line(lines: Sequence[str], line: int) -> str:
    return lines[line - 1] if 0 < line <= len(lines) else ""


def hover_at(answer: Answer, line: int) -> types.Hover | None:
    """What a line becomes, then the pages of the codes that are reported of it; `line` counts from 1."""
    new = becomes(answer, line)
    parts = [f"On TensorFlow this becomes\n\n```python\n{new.rstrip()}\n```"] if new else []
    shown = {one.code: one for one in answer.findings if one.line == line and one.suppressed is None}
    parts += [f"**{code}** {one.message}\n\n{_page(code)}" for code, one in shown.items()]
    if not parts:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(parts)))


def _page(code: str) -> str:
    """A code's page without its title's sign, for a small window."""
    return explain(code).replace("\n## ", "\n#### ").removeprefix("# ")


def actions_at(uri: str, answer: Answer, first: int, last: int, client: Client) -> Iterator[types.CodeAction]:
    """What may be done at some lines, from 1: rewrite the statement, the function, the file; suppress what is said."""
    kind = types.CodeActionKind.RefactorRewrite
    for part in parts_at(answer, first):
        title = f"tnp-migrate: rewrite {part.name}"
        if part.refused:
            refusal = types.CodeActionDisabled(part.refused)
            yield types.CodeAction(title, kind=kind, disabled=refusal)
        else:
            yield types.CodeAction(title, kind=kind, edit=_edit(uri, part.changes, answer.others, client))
    if answer.changes:
        edit = _edit(uri, answer.changes, answer.others, client)
        yield types.CodeAction("tnp-migrate: rewrite this file", kind=kind, edit=edit)
    for finding in answer.findings:
        change = suppression(answer, finding) if first <= finding.line <= last else None
        if change is not None:
            yield types.CodeAction(
                f"tnp-migrate: suppress {finding.code} here",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=diagnostics_of([finding], answer.lines, client.columns),
                edit=_edit(uri, [change], {}, client),
            )


def without_edit(action: types.CodeAction, asked: types.CodeActionParams) -> types.CodeAction:
    """An action as a list has it: a rewrite brings the helper module along, which is sent when it is chosen."""
    if action.edit is None or action.kind != types.CodeActionKind.RefactorRewrite:
        return action
    where = f"{asked.range.start.line + 1} {asked.range.end.line + 1} {asked.text_document.uri}"
    return types.CodeAction(action.title, kind=action.kind, data=where)


def _edit(uri: str, changes: Sequence[Change], others: Mapping[Path, str], client: Client) -> types.WorkspaceEdit:
    """Changes of a document, and the helper module in full: it is made where it is not there.

    An editor that makes no files by themselves makes them by an edit.
    """
    made: list[types.TextDocumentEdit | types.CreateFile] = []
    for path, text in others.items():
        other = uris.from_fs_path(str(path)) or ""
        if client.creates_files:
            made.append(types.CreateFile(other, options=types.CreateFileOptions(ignore_if_exists=True)))
        length = path.read_bytes().count(b"\n") + 1 if path.is_file() else 0
        whole = types.Range(types.Position(0, 0), types.Position(length, 0))
        made.append(_document(other, [types.TextEdit(whole, text)]))
    made.append(_document(uri, [_text_edit(one) for one in changes]))
    return types.WorkspaceEdit(document_changes=made)


def _document(uri: str, edits: list[types.TextEdit]) -> types.TextDocumentEdit:
    return types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri), list(edits))


def _text_edit(change: Change) -> types.TextEdit:
    span = types.Range(types.Position(change.first - 1, 0), types.Position(change.last - 1, 0))
    return types.TextEdit(span, "".join(change.lines))
