"""The functional stage as the last one: a file's text, which still runs on NumPy, and what to say of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.imports import edit_imports
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.ledger import Bin, FileReport, tally
from tnp_migrate.diagnostics.suppressions import apply, find_suppressions
from tnp_migrate.functional.unit import Refused
from tnp_migrate.program.bound_names import check_names
from tnp_migrate.program.failed_files import failure_of
from tnp_migrate.program.references import resolve_names
from tnp_migrate.program.scopes import collect_scopes
from tnp_migrate.rewriting.files import File, Translated, failure
from tnp_migrate.rewriting.functional_files import Refusals, finding_at, why
from tnp_migrate.rewriting.translated_file import helper_import, helpers_in_use
from tnp_migrate.text.source import Source, Span, splice


def finish(file: File, refusals: Refusals, imported: set[str], *, rewrite: bool) -> Translated:
    """Give one file as the functional stage leaves it. `imported` are the names other modules take from it."""
    assert file.module is not None
    source = file.as_read
    try:
        after = _text(file, imported) if file.first is not None and rewrite else source.data
    except Exception as error:  # noqa: BLE001  # a mistake of ours must not take the user's other files with it
        return Translated(failure(source.path, source.data, failure_of(error)))
    references = _bins(file)
    findings = _suppressed(source, [*_changes(file), *_refused(source, file.name, refusals)])
    changed = after != source.data or (not rewrite and file.first is not None)
    report = FileReport(
        source.path,
        "translated" if changed else "unchanged",
        tally(len(references), references),
        tuple(sorted(findings, key=lambda one: (one.line, one.column, one.code, one.message))),
        (),
        source.data,
        after,
    )
    return Translated(report, frozenset(helpers_in_use(file.module.names)) or None)


def _text(file: File, imported: set[str]) -> bytes:
    """The text between the stages with the import of the helper module; imports of what it no longer reads go."""
    assert file.first is not None
    assert file.module is not None
    names, alias = file.module.names, file.first.helpers
    needed = alias in names.scopes.uses and alias not in names.scopes.module.bound
    added = helper_import(file, alias, used=True) if needed else []
    first, is_package = file.first.source, file.found.location.name == "__init__.py"
    scopes = collect_scopes(first.tree)
    before = resolve_names(first, scopes, file.name, names.exports, is_package=is_package, apart=file.apart)
    edits = edit_imports(file.source, names, added, exported=imported, before=before)
    made = file.source.encode(splice(file.source.body, edits))
    check_names(first, before.scopes, Source(first.path, made))
    return made


def _bins(file: File) -> list[Bin]:
    """The ends of the user's references: rewritten where the stage did away with one, kept else."""
    assert file.module is not None
    now = dict.fromkeys(one.span for one in file.module.names.references)
    if file.first is None:
        return ["kept" for _ in now]
    origin = file.source.origin
    assert origin is not None
    left = {origin.was(span) for span in now}
    return ["kept" if span in left else "rewritten" for span in file.first.references]


def _changes(file: File) -> Iterator[Finding]:
    """What the stage says of functions whose results change; what stores cost is the next stage's concern."""
    for one in file.said:
        if one.code.startswith("TNP3"):
            yield one


def _refused(source: Source, module: str, refusals: Refusals) -> Iterator[Finding]:
    for (home, name), refusal in refusals.items():
        if home != module:
            continue
        subject = f"`{name}` is" if name else "the module's own statements are"
        message = f"{subject} left with writes in place: {why(refusal)}"
        yield finding_at(source, "TNP301", _place(source, refusal), message, name or module)


def _place(source: Source, refusal: Refused) -> Span:
    node = refusal.node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        start = source.offset(node.lineno, node.col_offset)
        return Span(start, source.offset(node.lineno, node.col_offset + len(f"def {node.name}")))
    return source.span(node) if isinstance(node, ast.expr | ast.stmt | ast.arg | ast.keyword) else Span(0, 0)


def _suppressed(source: Source, findings: list[Finding]) -> list[Finding]:
    """Honour the user's comments. One that silences nothing yet may be for the next stage."""
    suppressions = find_suppressions(source.body.decode()) if b"tnp:" in source.body else []
    return apply(findings, suppressions, source.path)[0] if suppressions else findings
