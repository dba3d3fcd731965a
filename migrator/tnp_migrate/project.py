"""A whole run: files in, one analysis over all of them, each file planned and rewritten, reports out."""

from __future__ import annotations

import ast
import codecs
import contextlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from tnp_migrate import __version__
from tnp_migrate.analysis.arrays import infer_arrays
from tnp_migrate.analysis.effects import find_effects
from tnp_migrate.diagnostics.findings import Finding, with_fingerprints
from tnp_migrate.diagnostics.ledger import FileReport, Ledger, Report
from tnp_migrate.diagnostics.suppressions import apply, find_suppressions
from tnp_migrate.functional.unit import Refused
from tnp_migrate.islands.kept_functions import find_islands
from tnp_migrate.islands.ndarray_needs import find_needs, takes_arrays
from tnp_migrate.numpy_facts.rulebook import Rulebook, read_numpy_stage, read_rulebook
from tnp_migrate.program.config import Config
from tnp_migrate.program.foreign import scan
from tnp_migrate.program.index import Function, Module, build_index
from tnp_migrate.program.names import Exports, bind_names, find_references
from tnp_migrate.program.scopes import collect_scopes
from tnp_migrate.rewriting.functional_files import Refusals, Unparsable, functionalise_files, refused_bodies, restore
from tnp_migrate.rewriting.functional_output import finish
from tnp_migrate.rewriting.helpers import (
    FILE_NAME,
    complete_by_hand,
    contents,
    is_for_numpy,
    is_unchanged,
    members_in,
    shared_between_folders,
    without_numpy_helpers,
    write_helpers,
    write_numpy_helpers,
)
from tnp_migrate.rewriting.import_roots import settle_modules
from tnp_migrate.rewriting.processes import in_order, processes_for
from tnp_migrate.rewriting.translated_file import TOO_DEEP, Analysis, File, Translated, failure, translate
from tnp_migrate.rewriting.unfolded_files import Unfolded, Unfolding
from tnp_migrate.text.discovery import Found, match, module_name
from tnp_migrate.text.file_kinds import is_foreign
from tnp_migrate.text.source import Source, SourceError

_LIBRARIES = (b"numpy", b"cupy", b"pylab")
_TRIES = 4
Progress = Callable[[int, int], None]


@dataclass(eq=False)
class Project:
    """The analysed project. `outputs` are new contents by path; `members` array members used anywhere in it."""

    config: Config
    files: list[File] = field(default_factory=list)
    reports: list[FileReport] = field(default_factory=list)
    outputs: dict[Path, bytes] = field(default_factory=dict)
    helpers: dict[Path, set[str]] = field(default_factory=dict)
    members: set[str] = field(default_factory=set)

    def shown(self, path: Path) -> str:
        """The path of an output as the report names it."""
        known = next((one.found.shown for one in self.files if one.found.location == path), None)
        return known or (path.relative_to(Path.cwd()) if Path.cwd() in path.parents else path).as_posix()

    def before(self, path: Path) -> bytes | None:
        """The text that an output takes the place of; None where there is none."""
        known = next((one.as_read.data for one in self.files if one.found.location == path), None)
        return known if known is not None or not path.is_file() else path.read_bytes()

    def fail(self, path: Path, code: str, message: str) -> None:
        """Note that a path could not be worked on, in the place of what was said of it."""
        _fail(self, self.shown(path), self.before(path) or b"", SourceError(code, message))

    def unwritten(self, path: Path, error: OSError) -> None:
        """Note that an output could not be written; the old file is whole."""
        self.fail(path, "TNP904", f"cannot be written: {error.strerror or error}")


def migrate_text(data: bytes, config: Config, *, rewrite: bool = True) -> Project:
    """Translate the text of one file, as read from standard input."""
    project = Project(config)
    found = Found(Path("-"), "<stdin>", Path())
    project.members = members_in(data)
    project.files.append(File(found, Source("<stdin>", data), None, Path(), "stdin"))
    _analyse(project, rewrite=rewrite, progress=None)
    if not project.reports:
        project.reports.append(FileReport("<stdin>", "unchanged", Ledger(), (), (), data, data))
    return project


def migrate(
    found: Iterable[Found],
    config: Config,
    readers: Iterable[Found] = (),
    *,
    rewrite: bool = True,
    progress: Progress | None = None,
) -> Project:
    """Analyse files and, where `rewrite`, give their new contents. Nothing is written to disk here.

    `readers` are files that stay as they are, tests say, but use the others' results: tensors get the array members
    that they take.
    """
    project = Project(config)
    for one in readers:
        if one.is_python:
            with contextlib.suppress(OSError):
                project.members |= members_in(one.location.read_bytes())
    for one in found:
        if one.location.name != FILE_NAME:
            _read(project, one)
    _analyse(project, rewrite=rewrite, progress=progress)
    if rewrite:
        _write_helper_modules(project)
    return project


def _analyse(project: Project, *, rewrite: bool, progress: Progress | None) -> None:
    settle_modules(project.files)
    analysis = _analysis(project)
    analysis, refusals = _functionalised(project, analysis)
    analysed = [one for one in project.files if one.module is not None]
    imported = _imported_names(project)
    processes = processes_for(project.config.jobs, sum(one.source.data.count(b"\n") for one in analysed))

    def translated(position: int) -> Translated:
        file = analysed[position]
        if project.config.stage == "functional":
            return finish(file, refusals, imported.get(file.name, set()), rewrite=rewrite)
        return translate(file, analysis, imported.get(file.name, set()), project.config, rewrite=rewrite)

    for position, made in enumerate(in_order(translated, len(analysed), processes)):
        file = analysed[position]
        project.reports.append(made.report)
        if made.report.after != made.report.before:
            project.outputs[file.found.location] = made.report.after
        if made.helpers is not None:
            project.helpers.setdefault(file.top, set()).update(made.helpers)
        if progress is not None:
            progress(position + 1, len(analysed))


def _functionalised(project: Project, analysis: Analysis) -> tuple[Analysis, Refusals]:
    """Run the functional stage, and again without functions that stay on NumPy for what it made of others."""
    refusals: Refusals = {}
    modules = [(file, file.module) for file in project.files]
    wrote = {
        (one.module.name, one.name): summary.mutated_parameters()
        for one, summary in analysis.summaries.items()
        if isinstance(one, Function) and summary.mutated
    }
    first, unfolding, tries = analysis, Unfolding(), 0
    while tries < _TRIES:
        known = dict(refusals)
        try:
            changed = functionalise_files(project.files, analysis, _imported_names(project), refusals, unfolding)
        except Unfolded:
            analysis = _analysis(project)
            continue
        except Unparsable:
            restore(modules)
            unfolding.start_anew()
            analysis, tries = first, tries + 1
            continue
        if unfolding.in_vain(refusals.keys() - known.keys()):
            restore(modules)
            analysis, refusals = first, known
            continue
        tries += 1
        if not changed and not refusals:
            return analysis, refusals
        after = _analysis(project, refusals)
        after.islands.wrote.update(wrote)
        lost = {(one.module.name, one.place): one for one in after.islands.functions}
        again = [key for key in lost if key in changed]
        if not again:
            return after, refusals
        reasons = {key: after.islands.functions[lost[key]].text for key in again}
        restore(modules)
        unfolding.start_anew()
        analysis = first
        nodes = {(one.module.name, one.place): one.node for one in analysis.index.functions()}
        refusals |= {key: Refused(nodes[key], reason) for key, reason in reasons.items()}
    unfolding.over = True
    try:
        functionalise_files(project.files, analysis, _imported_names(project), refusals, unfolding)
    except Unparsable:
        restore(modules)  # what writes is an island then
    after = _analysis(project, refusals)
    after.islands.wrote.update(wrote)
    return after, refusals


def _analysis(project: Project, refusals: Refusals | None = None) -> Analysis:
    """Analyse all files together. Recursion stops at a file that is nested too deeply: it is left out."""
    resolved = _resolve(project)
    while True:
        modules = [one.module for one in resolved if one.module is not None]
        try:
            index = build_index(modules)
            infer_arrays(index)
            summaries = find_effects(index, settled=refusals is not None)
            needs = find_needs(
                index, read_rulebook(project.config.tensorflow, project.config.numpy) if modules else None
            )
            refused = refused_bodies(index, refusals or {})
            return Analysis(index, find_islands(index, summaries, needs, refused), summaries)
        except RecursionError:
            deepest = max(resolved, key=lambda one: _depth(one.source.tree))
            resolved.remove(deepest)
            deepest.module = None
            _fail(project, deepest.found.shown, deepest.source.data, SourceError("TNP908", TOO_DEEP))


def _depth(tree: ast.AST) -> int:
    """How deeply nodes are nested, found without recursion."""
    depth, level = 0, [tree]
    while level:
        depth, level = depth + 1, [child for node in level for child in ast.iter_child_nodes(node)]
    return depth


def report_of(project: Project) -> Report:
    """The report of a run, with the user's selection of codes applied."""
    ordered = sorted(project.reports, key=lambda report: report.path)
    files = tuple(_selected(report, project.config) for report in ordered)
    return Report(__version__, files)


def _selected(report: FileReport, config: Config) -> FileReport:
    ignored = [*config.ignore]
    if config.per_file_ignores:
        path = Path.cwd() / report.path
        folder = config.folder or Path.cwd()
        name = path.relative_to(folder).as_posix() if folder in path.parents else report.path
        ignored += [code for pattern, codes in config.per_file_ignores if match((pattern,), name) for code in codes]
    kept = [
        one
        for one in report.findings
        if one.code.startswith("TNP9")  # what could not be worked on is never left unsaid
        or (one.code.startswith(config.select or ("TNP",)) and not one.code.startswith(tuple(ignored)))
    ]
    lines = report.before.decode("utf-8", errors="replace").splitlines()
    marked = with_fingerprints(kept, {report.path: lines})
    return replace(report, findings=tuple(marked))


def _read(project: Project, found: Found) -> None:
    try:
        data = found.location.read_bytes()
    except OSError as error:
        _fail(project, found.shown, b"", SourceError("TNP903", f"cannot be read: {error.strerror}"))
        return
    if not found.is_python and is_foreign(found.location.name):
        _foreign(project, found, data)
        return
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # in which no name would be found
        _fail(project, found.shown, data, SourceError("TNP902", "cannot be decoded: it is UTF-16, which Python is not"))
        return
    project.members |= members_in(data)
    name, top = module_name(found.location)
    project.files.append(File(found, Source(found.shown, data, found.location), None, top, name))


def _foreign(project: Project, found: Found, data: bytes) -> None:
    try:
        findings = scan(found.shown, data)
    except SourceError as error:
        _fail(project, found.shown, data, error)
        return
    text = data.decode("utf-8", errors="replace")
    suppressions = find_suppressions(text, c_comments=True)
    marked, idle = apply(findings, suppressions, found.shown) if suppressions else (findings, [])
    quiet = sum(one.suppressed is not None for one in marked)
    ledger = Ledger(references=len(marked), flagged=len(marked) - quiet, suppressed=quiet)
    if marked:
        project.reports.append(FileReport(found.shown, "unchanged", ledger, (*marked, *idle), (), data, data))


def _fail(project: Project, path: str, data: bytes, error: SourceError) -> None:
    """Note the failure in the place of what was said of the file, of an earlier round too."""
    project.reports = [one for one in project.reports if one.path != path]
    project.reports.append(failure(path, data, error))


def _resolve(project: Project) -> list[File]:
    """Resolve the names of every file that NumPy may reach, through other modules too."""
    exports: dict[str, Exports] = {}
    pending = [
        one
        for one in project.files
        if any(library in one.source.data for library in _LIBRARIES) or takes_arrays(one.source.data)
    ]
    done: list[File] = []
    waiting = [one for one in project.files if one not in pending]
    while pending:
        for file in pending:
            _resolve_one(project, file, exports, whole=False)
            if file.module is not None:
                done.append(file)
                exports[file.name] = file.module.names.exported()
        names = {os.fsencode(module.rpartition(".")[2]) for module, gives in exports.items() if gives.numpy}
        importing = [one for one in waiting if b"import" in one.source.data]
        wanted = _imported_modules(done)  # they may write to arrays that they are passed
        pending = [one for one in importing if any(name in one.source.data for name in names)]
        pending += [one for one in waiting if one.name in wanted and one not in pending]
        waiting = [one for one in waiting if one not in pending]
    for file in done:  # now that every export is known
        _resolve_one(project, file, exports, whole=True)
    return done


def _imported_modules(files: list[File]) -> set[str]:
    found: set[str] = set()
    for file in files:
        if file.module is None:
            continue
        for node, _ in file.module.names.scopes.imports:
            base = file.module.names.absolute(node) if isinstance(node, ast.ImportFrom) else ""
            found |= {base} | {f"{base}.{alias.name}".lstrip(".") for alias in node.names}
    return found


def _resolve_one(project: Project, file: File, exports: dict[str, Exports], *, whole: bool) -> None:
    is_package = file.found.location.name == "__init__.py"
    known, file.module = file.module, None
    try:
        scopes = known.names.scopes if known else collect_scopes(file.source.tree)
        names = bind_names(scopes, file.name, exports, is_package=is_package)
        if whole:
            find_references(file.source, names)
    except (SourceError, RecursionError) as error:
        wrong = error if isinstance(error, SourceError) else SourceError("TNP908", TOO_DEEP)
        _fail(project, file.found.shown, file.source.data, wrong)
        return
    if file.first is not None:
        names.helpers = file.first.helpers
    file.module = Module(file.name, file.source, names)


def _imported_names(project: Project) -> dict[str, set[str]]:
    """For each module of the project, the names that other modules import from it."""
    found: dict[str, set[str]] = {}
    for file in project.files:
        if file.module is None:
            continue
        names = file.module.names
        for node, scope in names.scopes.imports:
            if isinstance(node, ast.ImportFrom):
                found.setdefault(names.absolute(node), set()).update(alias.name for alias in node.names)
            for alias in node.names:  # `from pkg import compat` and `compat.np` read a name of `pkg.compat`
                bound = alias.asname or alias.name.split(".")[0]
                root = names.root(bound, scope)
                for use in names.scopes.uses.get(bound, ()) if root else ():
                    chain = [str(root), *use.attributes]
                    for length in range(1, len(chain)):
                        found.setdefault(".".join(chain[:length]), set()).add(chain[length])
    return found


def _write_helper_modules(project: Project) -> None:
    for top, names in sorted(shared_between_folders(project.helpers).items()):
        book: Rulebook = read_rulebook(project.config.tensorflow, project.config.numpy)
        path = top / FILE_NAME
        members = project.members if project.config.tensor_methods else set()
        present = path.read_text(encoding="utf-8") if path.is_file() else ""
        known, had = contents(present)
        if project.config.stage == "functional" and is_for_numpy(present):
            book, members = read_numpy_stage(), set()
            text = write_numpy_helpers(book, names | known)
        else:
            wanted = names | (known & set(book.definitions))
            text = write_helpers(book, wanted, members | had, prefer_float32=project.config.prefer_float32)
        if present:
            if not is_unchanged(present):
                if project.config.stage != "functional" and is_for_numpy(present):
                    present = without_numpy_helpers(present, read_numpy_stage())
                text = complete_by_hand(present, book, names, members)
                shown = path.as_posix()
                message = "the helper module was changed by hand: it is kept, what is missing is added at its end"
                finding = Finding("TNP108", shown, 1, 1, 1, 1, message)
                before = present.encode()
                project.reports.append(FileReport(shown, "unchanged", Ledger(), (finding,), (), before, text.encode()))
            if text == present:
                continue
        project.outputs[path] = text.encode()
