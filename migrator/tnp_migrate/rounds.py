"""Rounds of a run: all files analysed together, the functional stage, and again what has come out of it."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable
from dataclasses import dataclass

from tnp_migrate.analysis.arrays import infer_arrays
from tnp_migrate.analysis.effects import find_effects
from tnp_migrate.analysis.places_given import note_places_given
from tnp_migrate.analysis.shared_names import shared_names
from tnp_migrate.analysis.unknown_holders import Unknown, unknown_holders
from tnp_migrate.analysis.veto import Veto, veto_of
from tnp_migrate.functional.unit import Refused
from tnp_migrate.islands.kept_functions import Islands, Reason, find_islands
from tnp_migrate.islands.ndarray_needs import find_needs
from tnp_migrate.program.array_use import is_concerned
from tnp_migrate.program.config import Config
from tnp_migrate.program.failed_files import failure_of
from tnp_migrate.program.index import Function, Index, Module, build_index
from tnp_migrate.program.names import Exports, bind_names
from tnp_migrate.program.nesting_depth import excess_of
from tnp_migrate.program.references import find_references
from tnp_migrate.program.scopes import Scopes, collect_scopes
from tnp_migrate.program.taken_names import taken_names
from tnp_migrate.rewriting.files import File, Translated
from tnp_migrate.rewriting.functional_files import (
    Refusals,
    Unparsable,
    finding_at,
    functionalise_files,
    refused_bodies,
    refused_by,
    restore,
)
from tnp_migrate.rewriting.functional_output import finish
from tnp_migrate.rewriting.notebook_files import names_left
from tnp_migrate.rewriting.outlined_files import outline_files
from tnp_migrate.rewriting.translated_file import Analysis, Summaries, translate
from tnp_migrate.rewriting.unfolded_files import Unfolded, Unfolding
from tnp_migrate.state import Project
from tnp_migrate.text.source import Source, SourceError

_TRIES_OUTLINING = 3
_TRIES = 4
ByTexts = dict[tuple[Source, ...], tuple[Analysis, list[Module | None]]]


@dataclass(frozen=True)
class WorkedOut:
    """A project that was analysed; `files` are those in which there is something to say."""

    config: Config
    files: list[File]
    analysis: Analysis
    refusals: Refusals
    taken: dict[str, set[str]]
    first: tuple[Analysis, Veto] | None = None  # of the texts as the user wrote them, kept for who asks why

    def translated(self, file: File, *, rewrite: bool) -> Translated:
        """Translate one file: its report, and its new text where that is asked for."""
        names = self.taken.get(file.name, set()) | names_left(file)
        if self.config.stage == "functional":
            return finish(file, self.refusals, names, rewrite=rewrite)
        return translate(file, self.analysis, names, self.config, rewrite=rewrite)


class _Failed(Exception):
    """An analysis has failed on some files; the others are to be worked out without them."""

    def __init__(self, errors: dict[Module, SourceError]) -> None:
        super().__init__("; ".join(f"{module.name}: {error}" for module, error in errors.items()))
        self.errors = errors


def work_out(project: Project, *, keep_first: bool = False) -> WorkedOut:
    """Analyse a project, and what the functional stage makes of it: without the files on which that fails."""
    while True:
        try:
            return _worked_out(project, keep_first=keep_first)
        except _Failed as failed:
            if not _leave_out(project, failed.errors):
                raise


def _leave_out(project: Project, errors: dict[Module, SourceError]) -> bool:
    """Put the user's own texts back, and leave out the files of some modules; say whether there was one."""
    failed = {file: errors[file.module] for file in project.files if file.module in errors}
    restore([(file, None) for file in project.files])
    for file in project.files:
        file.outlined, file.is_left_out = (), file.is_left_out or file in failed
    for file, error in failed.items():
        project.failed(file.found.shown, file.as_shown, error)
    return bool(failed)


def _worked_out(project: Project, *, keep_first: bool) -> WorkedOut:
    first = _analysed(project)
    veto = veto_of(first.index, first.summaries)
    _go_on_without(first.index.failed)
    kept = (first, veto) if keep_first else None
    unknown = unknown_holders(veto.regions)
    analysis, refusals = _functionalised(project, first, veto)
    del first, veto  # which are large
    if project.config.compile and project.config.stage != "functional":
        analysis = _outlined(project, analysis, refusals)
    files = [one for one in project.files if one.module is not None]
    _say_unknown(files, unknown, analysis.islands)
    return WorkedOut(project.config, files, analysis, refusals, _taken_names(project), kept)


def _say_unknown(files: list[File], unknown: list[Unknown], islands: Islands) -> None:
    """Say in files what the veto could not follow, in functions that do not stay on NumPy."""
    kept = {(one.module.name, one.place) for one in islands.functions} | {(one.name, "") for one in islands.modules}
    by_name: dict[str, list[Unknown]] = {}
    for one in unknown:
        if one.key not in kept:
            by_name.setdefault(one.key[0], []).append(one)
    for file in files:
        source = file.as_read
        file.unknown = tuple(
            finding_at(source, "TNP319", source.span(one.node), one.message, ast.unparse(one.node))
            for one in by_name.get(file.name, ())
        )


def _outlined(project: Project, analysis: Analysis, refusals: Refusals) -> Analysis:
    """Make functions of loops and blocks that can be compiled; not in functions where that makes an island."""
    before = [(file, file.source, file.module, file.first) for file in project.files]
    known = {(one.module.name, one.name) for one in analysis.islands.functions}
    left: set[tuple[str, str]] = set()
    for _ in range(_TRIES_OUTLINING):
        made = outline_files(project.files, analysis, _taken_names(project), left)
        if not made:
            break
        after = _analysed(project, refusals)
        after.islands.wrote.update(analysis.islands.wrote)
        islands = {(one.module.name, one.name) for one in after.islands.functions} - known
        if not islands:
            return after
        left |= {(name, made.get((name, function), function)) for name, function in islands}
        for file, source, module, first in before:
            file.source, file.module, file.first, file.outlined = source, module, first, ()
    return analysis


def _functionalised(project: Project, analysis: Analysis, veto: Veto) -> tuple[Analysis, Refusals]:
    """Run the functional stage, and again without functions that stay on NumPy for what it made of others."""
    refusals, shared = refused_by(veto.objections()), shared_names(veto.regions.solution)
    refusals |= _sharing(veto, refusals)
    modules = [(file, file.module) for file in project.files]
    wrote = _written_parameters(analysis)
    first, unfolding, tries = analysis, Unfolding(), 0
    unfolded: ByTexts = {}
    settled: ByTexts = {}
    while tries < _TRIES:
        known = dict(refusals)
        try:
            changed = functionalise_files(project.files, analysis, _taken_names(project), refusals, unfolding, shared)
        except Unfolded:
            analysis = _unfolded(project, unfolded)
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
        if not changed and not refusals and not analysis.islands.functions:
            return analysis, refusals
        after = _settled(project, refusals, settled)
        after.islands.wrote.update(wrote)
        lost = {(one.module.name, one.place): one for one in after.islands.functions}
        sharing = _sharing(veto, lost)
        again = [key for key in lost if key in changed]
        if not again and not sharing:
            return after, refusals
        restore(modules)
        unfolding.start_anew()
        analysis, tries = first, tries - 1 if sharing else tries
        refusals |= _refused_as(first, {key: after.islands.functions[lost[key]] for key in again}) | sharing
    unfolding.over = True
    try:
        functionalise_files(project.files, analysis, _taken_names(project), refusals, unfolding, shared)
    except Unparsable:
        restore(modules)  # what writes is an island then
    after = _settled(project, refusals, settled)
    after.islands.wrote.update(wrote)
    return after, refusals


def _sharing(veto: Veto, islands: Iterable[tuple[str, str]]) -> Refusals:
    """The functions that share memory with islands, with those that are islands for that, and so on."""
    known = dict.fromkeys(islands)
    found: Refusals = {}
    around = list(known)
    while around:
        shared = refused_by(veto.around_islands(around))
        around = [key for key in shared if key not in known]
        known |= dict.fromkeys(around)
        found |= {key: shared[key] for key in around}
    return found


def _refused_as(analysis: Analysis, reasons: dict[tuple[str, str], Reason]) -> Refusals:
    """Refusals of functions that stay on NumPy, though the functional stage has changed them."""
    nodes = {(one.module.name, one.place): one.node for one in analysis.index.functions()}
    return {key: Refused(nodes[key], reason.text, because=reason.because) for key, reason in reasons.items()}


def _written_parameters(analysis: Analysis) -> dict[tuple[str, str], list[str]]:
    """The parameters that functions write to, as the user wrote them."""
    return {
        (one.module.name, one.name): summary.mutated_parameters()
        for one, summary in analysis.summaries.items()
        if isinstance(one, Function) and summary.mutated
    }


def _unfolded(project: Project, known: ByTexts) -> Analysis:
    """Analyse files in which statements have become several ones: once for the same texts, which restarts lead to."""
    found = _known(project, known)
    return found if found is not None else _noted(project, _analysed(project), known)


def _settled(project: Project, refusals: Refusals, known: ByTexts) -> Analysis:
    """Analyse what the stage has made of files; of the texts of the last time nothing but islands is found anew."""
    before = _known(project, known)
    if before is not None:
        return _with_islands(project, before.index, before.summaries, refusals)
    known.clear()  # what is none of the last is large
    return _noted(project, _analysed(project, refusals), known)


def _noted(project: Project, analysis: Analysis, known: ByTexts) -> Analysis:
    known[tuple(one.source for one in project.files)] = analysis, [one.module for one in project.files]
    return analysis


def _known(project: Project, known: ByTexts) -> Analysis | None:
    """What has been found of the texts that files have now, whose modules they get."""
    found = known.get(tuple(one.source for one in project.files))
    if found is None:
        return None
    for file, module in zip(project.files, found[1], strict=True):
        file.module = module
    return found[0]


def _analysed(project: Project, refusals: Refusals | None = None) -> Analysis:
    """Analyse all files together."""
    modules = [one.module for one in _resolved_files(project) if one.module is not None]
    index = build_index(modules)
    index.seen, index.assumed = project.seen, project.assumed
    infer_arrays(index)
    note_places_given(index)
    summaries = find_effects(index, settled=refusals is not None)
    _go_on_without(index.failed)
    return _with_islands(project, index, summaries, refusals or {})


def _with_islands(project: Project, index: Index, summaries: Summaries, refusals: Refusals) -> Analysis:
    """What is known of files with the functions that stay on NumPy."""
    needs = find_needs(index, project.config.rulebook if index.modules else None)
    refused = refused_bodies(index, refusals)
    return Analysis(index, find_islands(index, summaries, needs, refused), summaries)


def _go_on_without(errors: dict[Module, SourceError]) -> None:
    if errors:
        raise _Failed(errors)


def _resolved_files(project: Project) -> list[File]:
    """Resolve the names of every file that NumPy may reach, through other modules too."""
    exports: dict[str, Exports] = {}
    files = [one for one in project.files if not one.is_left_out]
    pending = [one for one in files if is_concerned(one.as_shown, project.config.own_rules.roots)]
    done: list[File] = []
    waiting = [one for one in files if one not in pending]
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
        scopes, own = known.names.scopes if known else _scopes(project, file), project.config.own_rules
        names = bind_names(scopes, file.name, exports, is_package=is_package, apart=file.apart, taught=own)
        if whole:
            find_references(file.source, names)
    except Exception as error:  # noqa: BLE001  # a mistake of ours must not take the user's other files with it
        project.failed(file.found.shown, file.as_shown, failure_of(error))
        return
    if file.first is not None:
        names.helpers = file.first.helpers
    file.module = Module(file.name, file.source, names)


def _scopes(project: Project, file: File) -> Scopes:
    if file.source not in project.scopes:
        excess = excess_of(file.source.tree)
        if excess is not None:
            raise SourceError("TNP908", excess)
        project.scopes[file.source] = collect_scopes(file.source.tree)
    return project.scopes[file.source]


def _taken_names(project: Project) -> dict[str, set[str]]:
    return taken_names(one.module for one in project.files if one.module is not None)
