"""A whole run: files in, one analysis over all of them, each file planned and rewritten, reports out."""

from __future__ import annotations

import codecs
import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from tnp_migrate.compiled.numpy_forms import PREFIX, is_numpy_form
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.ledger import FileReport, Ledger
from tnp_migrate.diagnostics.suppressions import apply, find_suppressions
from tnp_migrate.parts import unmigrated_neighbours
from tnp_migrate.program.array_use import is_concerned
from tnp_migrate.program.config import Config
from tnp_migrate.program.foreign import scan
from tnp_migrate.program.nesting_depth import recursion_allowed
from tnp_migrate.program.seen import Evidence
from tnp_migrate.rewriting.files import File, Translated
from tnp_migrate.rewriting.helper_modules import HelperModule, NotOurs, helper_modules
from tnp_migrate.rewriting.helpers import FILE_NAME, members_in
from tnp_migrate.rewriting.import_roots import name_apart, settle_modules
from tnp_migrate.rewriting.notebook_files import file_of, in_cells
from tnp_migrate.rewriting.processes import in_order, processes_for
from tnp_migrate.state import Progress, Project, report_of
from tnp_migrate.text.discovery import Found
from tnp_migrate.text.file_kinds import is_foreign
from tnp_migrate.text.source import Source, SourceError

if TYPE_CHECKING:
    from tnp_migrate.cache.kept import Kept
    from tnp_migrate.rounds import WorkedOut

__all__ = ["Project", "migrate", "migrate_text", "report_of"]


def migrate_text(data: bytes, config: Config, *, rewrite: bool = True) -> Project:
    """Translate the text of one file, as read from standard input."""
    project = Project(config, on_disk={Path("-"): data})
    found = Found(Path("-"), "<stdin>", Path())
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
    seen: Evidence = MappingProxyType({}),
    rewrite: bool = True,
    helpers: bool = True,
    progress: Progress | None = None,
    study: Callable[[WorkedOut], None] | None = None,
    cached: bool = False,
) -> Project:
    """Analyse files and, where `rewrite`, give new contents of those `given` (all), and with `helpers` helper modules.

    Nothing is written to disk here.

    `readers` are files that stay as they are, tests say, but use the others' results: tensors get the array members
    that they take. `texts` are files that have been read already, `originals` the texts that an unfinished migration of
    the project has started from, `seen` what a recorded run has seen of parameters. `study` is shown what was found
    out, the first analysis with it; not where there is nothing to say of any file. Where `cached`, what an earlier run
    with the same inputs has found is taken.
    """
    project = Project(config, given, seen=seen)
    for one in readers:
        if one.is_python:
            with contextlib.suppress(OSError, SourceError):
                project.readers.append(file_of(one, one.location.read_bytes()).source.data)
    found = [one for one in found if one.location.name != FILE_NAME and not is_numpy_form(one.location, texts)]
    for one in found:
        _read(project, one, texts.get(one.location), originals.get(one.location))
    _analyse(project, rewrite=rewrite, progress=progress, study=study, cached=cached)
    if rewrite and helpers:
        _write_helper_modules(project)
    return project


def _analyse(
    project: Project,
    *,
    rewrite: bool,
    progress: Progress | None,
    study: Callable[[WorkedOut], None] | None = None,
    cached: bool = False,
) -> None:
    if progress is not None:
        progress("analysing", 0, len(project.files))
    project.files.sort(key=lambda one: one.found.location)  # which facts come first hangs on the order
    settle_modules(project.files)
    name_apart(project.files)
    if not any(is_concerned(one.as_shown, project.config.own_roots) for one in project.files):
        return
    kept = _kept(project, rewrite=rewrite) if cached and study is None else None
    results = kept.results() if kept is not None else None
    if results is not None:
        project.reports += results.failed
        _take_all(project, results.made)
        _name_neighbours(project, results.made, results.neighbours)
        return
    before = len(project.reports)
    with recursion_allowed():
        made = _made(project, rewrite=rewrite, progress=progress, study=study)
        failed = tuple(project.reports[before:])
        _take_all(project, made)
        neighbours = _neighbours(project, made) if rewrite else {}
    _name_neighbours(project, made, neighbours)
    if kept is not None:
        from tnp_migrate.cache.results import Results  # noqa: PLC0415

        kept.keep(Results(made, failed, neighbours))


def _kept(project: Project, *, rewrite: bool) -> Kept | None:
    """Where the results of the run are kept."""
    from tnp_migrate.cache.kept import kept_for  # noqa: PLC0415  # for nothing where no file names NumPy

    return kept_for(project.files, project.on_disk, project.config, project.is_given, rewrite=rewrite)


def _made(
    project: Project, *, rewrite: bool, progress: Progress | None, study: Callable[[WorkedOut], None] | None
) -> dict[Path, Translated]:
    """Analyse all files together, and work out what each becomes."""
    from tnp_migrate.rounds import work_out  # noqa: PLC0415  # most of what is imported, for nothing where that is all

    worked_out = work_out(project, keep_first=study is not None)
    files = worked_out.files
    processes = processes_for(project.config.jobs, sum(one.source.data.count(b"\n") for one in files))

    def translated_at(position: int) -> Translated:
        file = files[position]
        made = worked_out.translated(file, rewrite=rewrite)
        return made if file.cells is None else in_cells(file.cells, made, clear_outputs=project.config.clear_outputs)

    made: dict[Path, Translated] = {}
    for position, one in enumerate(in_order(translated_at, len(files), processes)):
        made[files[position].found.location] = one
        if progress is not None:
            progress("translating", position + 1, len(files))
    if study is not None:
        study(worked_out)
    return made


def _take_all(project: Project, made: Mapping[Path, Translated]) -> None:
    files = {one.found.location: one for one in project.files}
    for location, one in made.items():
        _take(project, files[location], one)


def _take(project: Project, file: File, made: Translated) -> None:
    """Enter what one file has become: a given one is reported and written, of the others it is known that they wait."""
    location = file.found.location
    before, after = made.contents or (made.report.before, made.report.after)
    changed = made.report.status == "translated" and after == before  # not rewritten
    changed = changed or after != project.on_disk.get(location, before)
    if made.helpers is not None:
        project.helpers.setdefault(file.top, set()).update(made.helpers)
    if not project.is_given(location):
        project.waiting |= {location} if changed and made.report.status != "error" else set()
        return
    project.reports.append(made.report)
    if made.helpers is not None:
        project.called_from.add(file.top)
    if after != project.on_disk.get(location, before):
        project.outputs[location] = after
        if made.numpy_form is not None:
            project.outputs[location.with_name(PREFIX + location.name)] = made.numpy_form


def _neighbours(project: Project, made: Mapping[Path, Translated]) -> dict[Path, Finding]:
    """What to say of each given file with which others it has to be migrated that were not given."""
    if not project.waiting:
        return {}
    users = {location for location, one in made.items() if one.helpers is not None and project.is_given(location)}
    return unmigrated_neighbours(project.files, users, project.waiting)


def _name_neighbours(project: Project, made: Mapping[Path, Translated], found: Mapping[Path, Finding]) -> None:
    for location, finding in found.items():
        report = made[location].report
        project.reports.remove(report)
        project.reports.append(replace(report, findings=(finding, *report.findings)))


def _read(project: Project, found: Found, data: bytes | None, original: bytes | None) -> None:
    if not project.is_given(found.location):
        project.silent.add(found.shown)
    try:
        data = found.location.read_bytes() if data is None else data
    except OSError as error:
        project.failed(found.shown, b"", SourceError("TNP903", f"cannot be read: {error.strerror}"))
        return
    if original is not None or project.is_given(found.location):
        project.on_disk[found.location] = data
    data = data if original is None else original
    if not found.is_python and is_foreign(found.location.name):
        _foreign(project, found, data)
        return
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # in which no name would be found
        project.failed(found.shown, data, SourceError("TNP902", "cannot be decoded: it is UTF-16, which Python is not"))
        return
    try:
        file = file_of(found, data)
    except SourceError as error:
        if is_concerned(data, project.config.own_roots):
            project.failed(found.shown, data, error)
        return
    project.files.append(file)


def _foreign(project: Project, found: Found, data: bytes) -> None:
    findings = scan(found.shown, data)
    text = data.decode("utf-8", errors="replace")
    suppressions = find_suppressions(text, c_comments=True)
    marked, idle = apply(findings, suppressions, found.shown) if suppressions else (findings, [])
    quiet = sum(one.suppressed is not None for one in marked)
    ledger = Ledger(references=len(marked), flagged=len(marked) - quiet, suppressed=quiet)
    if marked:
        project.reports.append(FileReport(found.shown, "unchanged", ledger, (*marked, *idle), (), data, data))


def _write_helper_modules(project: Project) -> None:
    """Add the helper modules of the folders that given files are in: for the whole project, whatever was given."""
    alone = {file.top for file in project.files if file.runs_alone or file.cells is not None}
    texts = [*project.readers, *(file.source.data for file in project.files)] if project.called_from else []
    members = {name for text in texts for name in members_in(text)}
    try:
        for made in helper_modules(project.helpers, project.called_from, members, project.config, alone):
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
