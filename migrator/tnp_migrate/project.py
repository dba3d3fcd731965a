"""A whole run: files in, one analysis over all of them, each file planned and rewritten, reports out."""

from __future__ import annotations

import ast
import codecs
import contextlib
import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from tnp_migrate.analysis.arrays import infer_arrays
from tnp_migrate.analysis.effects import find_effects
from tnp_migrate.analysis.veto import veto_of
from tnp_migrate.compiled.numpy_forms import PREFIX, is_numpy_form
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.ledger import FileReport, Ledger
from tnp_migrate.diagnostics.suppressions import apply, find_suppressions
from tnp_migrate.functional.unit import Refused
from tnp_migrate.islands.kept_functions import find_islands
from tnp_migrate.islands.ndarray_needs import find_needs, takes_arrays
from tnp_migrate.numpy_facts.rulebook import read_rulebook
from tnp_migrate.parts import unmigrated_neighbours
from tnp_migrate.program.config import Config
from tnp_migrate.program.foreign import scan
from tnp_migrate.program.index import Function, Module, build_index
from tnp_migrate.program.names import Exports, bind_names
from tnp_migrate.program.nesting_depth import TOO_DEEP, excess_of, recursion_allowed
from tnp_migrate.program.references import find_references
from tnp_migrate.program.scopes import Scopes, collect_scopes
from tnp_migrate.rewriting.functional_files import (
    Refusals,
    Unparsable,
    functionalise_files,
    refused_bodies,
    refused_by,
    restore,
)
from tnp_migrate.rewriting.functional_output import finish
from tnp_migrate.rewriting.helper_modules import HelperModule, NotOurs, helper_modules
from tnp_migrate.rewriting.helpers import FILE_NAME, members_in
from tnp_migrate.rewriting.import_roots import name_apart, settle_modules
from tnp_migrate.rewriting.processes import in_order, processes_for
from tnp_migrate.rewriting.translated_file import Analysis, File, Translated, translate
from tnp_migrate.rewriting.unfolded_files import Unfolded, Unfolding
from tnp_migrate.state import Progress, Project, report_of
from tnp_migrate.text.discovery import Found, module_name
from tnp_migrate.text.file_kinds import is_foreign
from tnp_migrate.text.source import Source, SourceError

__all__ = ["Project", "migrate", "migrate_text", "report_of"]

_HELPERS = FILE_NAME.removesuffix(".py").encode()
_LIBRARIES = (b"numpy", b"cupy", b"pylab")
_TRIES = 4


def migrate_text(data: bytes, config: Config, *, rewrite: bool = True) -> Project:
    """Translate the text of one file, as read from standard input."""
    project = Project(config, on_disk={Path("-"): data})
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
    given: Collection[Path] | None = None,
    texts: Mapping[Path, bytes] = MappingProxyType({}),
    originals: Mapping[Path, bytes] = MappingProxyType({}),
    rewrite: bool = True,
    progress: Progress | None = None,
) -> Project:
    """Analyse files and, where `rewrite`, give new contents of those `given` (all). Nothing is written to disk here.

    `readers` are files that stay as they are, tests say, but use the others' results: tensors get the array members
    that they take. `texts` are files that have been read already, `originals` the texts that an unfinished migration of
    the project has started from.
    """
    project = Project(config, given)
    for one in readers:
        if one.is_python:
            with contextlib.suppress(OSError):
                project.members |= members_in(one.location.read_bytes())
    found = [one for one in found if one.location.name != FILE_NAME and not is_numpy_form(one.location, texts)]
    for one in found:
        _read(project, one, texts.get(one.location), originals.get(one.location))
    _analyse(project, rewrite=rewrite, progress=progress)
    if rewrite:
        _write_helper_modules(project)
    return project


def _analyse(project: Project, *, rewrite: bool, progress: Progress | None) -> None:
    with recursion_allowed():
        _analyse_deeply(project, rewrite=rewrite, progress=progress)


def _analyse_deeply(project: Project, *, rewrite: bool, progress: Progress | None) -> None:
    if progress is not None:
        progress("analysing", 0, len(project.files))
    project.files.sort(key=lambda one: one.found.location)  # which facts come first hangs on the order
    settle_modules(project.files)
    name_apart(project.files)
    analysis = _analysis(project)
    analysis, refusals = _functionalised(project, analysis)
    analysed = [one for one in project.files if one.module is not None]
    imported = _imported_names(project)
    processes = processes_for(project.config.jobs, sum(one.source.data.count(b"\n") for one in analysed))

    def translated(position: int) -> Translated:
        file = analysed[position]
        location = file.found.location
        begun = location in project.on_disk or _HELPERS in file.source.data  # then it is the text that tells a change
        whole = rewrite and (begun or project.is_given(location))
        if project.config.stage == "functional":
            return finish(file, refusals, imported.get(file.name, set()), rewrite=whole)
        return translate(file, analysis, imported.get(file.name, set()), project.config, rewrite=whole)

    made: dict[Path, Translated] = {}
    for position, one in enumerate(in_order(translated, len(analysed), processes)):
        made[analysed[position].found.location] = one
        _take(project, analysed[position], one)
        if progress is not None:
            progress("translating", position + 1, len(analysed))
    if rewrite:
        _name_neighbours(project, made)


def _take(project: Project, file: File, made: Translated) -> None:
    """Enter what one file has become: a given one is reported and written, of the others it is known that they wait."""
    location = file.found.location
    changed = made.report.status == "translated" and made.report.after == made.report.before  # not rewritten
    changed = changed or made.report.after != project.on_disk.get(location, made.report.before)
    if made.helpers is not None:
        project.helpers.setdefault(file.top, set()).update(made.helpers)
    if not project.is_given(location):
        project.waiting |= {location} if changed and made.report.status != "error" else set()
        return
    project.reports.append(made.report)
    if made.helpers is not None:
        project.called_from.add(file.top)
    if made.report.after != project.on_disk.get(location, made.report.before):
        project.outputs[location] = made.report.after
        if made.numpy_form is not None:
            project.outputs[location.with_name(PREFIX + location.name)] = made.numpy_form


def _name_neighbours(project: Project, made: Mapping[Path, Translated]) -> None:
    """Say of each given file with which others it has to be migrated that were not given."""
    if not project.waiting:
        return
    users = {location for location, one in made.items() if one.helpers is not None and project.is_given(location)}
    for location, finding in unmigrated_neighbours(project.files, users, project.waiting).items():
        report = made[location].report
        project.reports.remove(report)
        project.reports.append(replace(report, findings=(finding, *report.findings)))


def _functionalised(project: Project, analysis: Analysis) -> tuple[Analysis, Refusals]:
    """Run the functional stage, and again without functions that stay on NumPy for what it made of others."""
    veto = veto_of(analysis.index)
    refusals: Refusals = refused_by(veto.objections())
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
        sharing = {key: one for key, one in refused_by(veto.around_islands(lost)).items() if key not in lost}
        if sharing:
            restore(modules)
            unfolding.start_anew()
            analysis, tries = first, tries - 1
            refusals |= sharing
            continue
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
    """Analyse all files together; those in which recursion comes to no end are left out, and named."""
    resolved = _resolve(project)
    while True:
        modules = [one.module for one in resolved if one.module is not None]
        index = build_index(modules)
        infer_arrays(index)
        summaries = find_effects(index, settled=refusals is not None)
        if not index.too_deep:
            break
        for file in [one for one in resolved if one.module in index.too_deep]:
            resolved.remove(file)
            _leave_out(project, file)
    needs = find_needs(index, read_rulebook(project.config.tensorflow, project.config.numpy) if modules else None)
    refused = refused_bodies(index, refusals or {})
    return Analysis(index, find_islands(index, summaries, needs, refused), summaries)


def _leave_out(project: Project, file: File) -> None:
    file.module = None
    _fail(project, file.found.shown, file.source.data, SourceError("TNP908", TOO_DEEP))


def _read(project: Project, found: Found, data: bytes | None, original: bytes | None) -> None:
    if not project.is_given(found.location):
        project.silent.add(found.shown)
    try:
        data = found.location.read_bytes() if data is None else data
    except OSError as error:
        _fail(project, found.shown, b"", SourceError("TNP903", f"cannot be read: {error.strerror}"))
        return
    if original is not None or project.is_given(found.location):
        project.on_disk[found.location] = data
    data = data if original is None else original
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
    project.failed(path, data, error)


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
        names = {os.fsencode(one.name.rpartition(".")[2]) for one in done}  # what they give may be or hold arrays
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
        scopes = known.names.scopes if known else _scopes(file)
        names = bind_names(scopes, file.name, exports, is_package=is_package, apart=file.apart)
        if whole:
            find_references(file.source, names)
    except (SourceError, RecursionError) as error:
        wrong = error if isinstance(error, SourceError) else SourceError("TNP908", TOO_DEEP)
        _fail(project, file.found.shown, file.source.data, wrong)
        return
    if file.first is not None:
        names.helpers = file.first.helpers
    file.module = Module(file.name, file.source, names)


def _scopes(file: File) -> Scopes:
    excess = excess_of(file.source.tree)
    if excess is not None:
        raise SourceError("TNP908", excess)
    return collect_scopes(file.source.tree)


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
    """Add the helper modules of the folders that given files are in: for the whole project, whatever was given."""
    try:
        for made in helper_modules(project.helpers, project.called_from, project.members, project.config):
            _add_helper_module(project, made)
    except NotOurs as error:
        project.outputs.clear()
        project.fail(error.path, "TNP921", error.message)


def _add_helper_module(project: Project, made: HelperModule) -> None:
    if made.before is not None:
        project.on_disk[made.path] = made.before
    if made.by_hand:
        shown = project.shown(made.path)
        message = "the helper module was changed by hand: it is kept, what is missing is added at its end"
        finding = Finding("TNP108", shown, 1, 1, 1, 1, message)
        project.reports.append(FileReport(shown, "unchanged", Ledger(), (finding,), (), made.before or b"", made.after))
    if made.after != made.before:
        project.outputs[made.path] = made.after
