"""One run over files and folders: what is given, the project around it, and in place what is written."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from errno import ELOOP
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from tnp_migrate.program.config import Config
from tnp_migrate.project import migrate
from tnp_migrate.rewriting.helpers import FILE_NAME
from tnp_migrate.state import Progress, Project
from tnp_migrate.text import journal
from tnp_migrate.text.copying import copy_project
from tnp_migrate.text.discovery import Excluded, Found, discover, unusable
from tnp_migrate.text.journal import Entries, Entry, digest
from tnp_migrate.text.surroundings import Surroundings, surroundings
from tnp_migrate.text.writing import Change, remove_leftovers, uncommitted, write_atomically, write_changes

if TYPE_CHECKING:
    from tnp_migrate.proof.recording import Recording
    from tnp_migrate.rounds import WorkedOut

Say = Callable[[str], None]


@dataclass(frozen=True)
class Run:
    """A run: the project as it was analysed, where that is, and the texts that an unfinished migration started from.

    `stale` are notes of such a migration with which somebody has gone on by hand.
    """

    project: Project
    around: Surroundings
    originals: Mapping[Path, bytes]
    stale: Entries


def run_over(
    paths: Iterable[Path],
    config: Config,
    *,
    rewrite: bool,
    force_exclude: bool = False,
    out: Path | None = None,
    edited: Mapping[Path, bytes] = MappingProxyType({}),
    evidence: Recording | None = None,
    progress: Progress | None = None,
    say: Say = print,
    study: Callable[[WorkedOut], None] | None = None,
    cached: bool = False,
) -> Run:
    """Look at files and folders and analyse the project around them; nothing is written.

    What cannot be looked at, and what is left alone, stands in the project's reports; `say` is told what no report
    holds. `out` is a folder to which an earlier run may have copied the project. `edited` are texts that stand in an
    editor, in the place of those on disk, `evidence` is a recording of the project by which parameters are known.
    `study` is shown what was found out, where there is something to say. Where `cached`, what an earlier run with the
    same inputs has found is taken, and what this one finds is kept; a run with evidence has more inputs than those.
    """
    paths = list(paths)
    problems = unusable(paths)
    given = [path for path in paths if path not in {problem[0] for problem in problems}]
    links: list[Path] = []

    def unread(path: Path, error: OSError) -> None:
        loop = "symbolic links form a loop"
        other = (path, "TNP903", f"cannot be read: {error.strerror}")
        problems.append((path, "TNP907", loop) if error.errno == ELOOP else other)

    exclude = Excluded(config.exclude, config.folder, force_exclude)
    around = surroundings(given, discover(given, exclude, unread, links.append), exclude)
    if out is not None:
        around = replace(around, files=tuple(one for one in around.files if out not in one.location.parents))
    known = {one.location for one in around.files}
    readers = [one for one in discover(around.places) if one.location not in known] if config.exclude else []
    with journal.locked():
        texts = _texts(around.files, progress) | dict(edited)
        originals, stale = _originals(around, texts, say)
    asked = partial(migrate, around.files, config, readers, texts=texts, originals=originals, progress=progress)
    if evidence is not None and given:
        from tnp_migrate.evidence import chosen, note_evidence  # noqa: PLC0415  # most runs have none

        made = chosen(evidence, around.files, texts | originals, given[0], asked)
        project = asked(given=around.given, seen=made.seen, rewrite=rewrite)
        note_evidence(project, made, say)
    else:
        project = asked(given=around.given, rewrite=rewrite, study=study, cached=cached)
    for path, code, message in problems:
        project.fail(path, code, message)
    for link in links:
        project.note(link, "TNP150", f"leads to {link.resolve()}, which was not given: left alone")
    return Run(project, around, originals, stale)


def _texts(files: Sequence[Found], progress: Progress | None) -> dict[Path, bytes]:
    """What stands in files now; those that cannot be read are left to the one who reports them."""
    found = {}
    for position, one in enumerate(files):
        with contextlib.suppress(OSError):
            found[one.location] = one.location.read_bytes()
        if progress is not None:
            progress("reading", position + 1, len(files))
    return found


def _originals(around: Surroundings, texts: Mapping[Path, bytes], say: Say) -> tuple[dict[Path, bytes], Entries]:
    """The texts that files had before a migration that is not finished; its notes, if somebody has gone on by hand."""
    found: dict[Path, bytes] = {}
    stale: Entries = {}
    for root in around.roots:
        entries = journal.read_entries(root)
        strange = sorted(path for path, entry in entries.items() if path in texts and not entry.fits(texts[path]))
        if strange:
            words = "was edited after a migration that is not finished: all files are taken as they are now"
            say(f"note: {strange[0]} {words}")
            stale |= entries
            continue
        found |= {path: entry.before for path, entry in entries.items() if path in texts and entry.before is not None}
    return found, stale


def write_in_place(run: Run, say: Say) -> None:
    """Write what a run has made of the given files, the helper modules first; failures are noted in its reports."""
    project = run.project
    changes = [
        Change(path, project.before(path), after, needed=path.name == FILE_NAME)
        for path, after in project.outputs.items()
    ]
    with journal.locked():
        noted = {root: _noted(root, run, changes) for root in run.around.roots}
        for entries in noted.values():
            remove_leftovers(entries)
        _note(noted, say)
        written = set(write_changes(changes, project.unwritten))
        left = {change.path for change in changes} - written
        for root, entries in noted.items():
            waiting = {path for path in project.waiting if root in path.parents and not _is_done(path, entries)}
            if not waiting and not any(root in path.parents for path in left):
                journal.forget(root)
    project.leave(left)
    if left and not written:
        say("error: nothing was written")


class Uncommitted(Exception):
    """Files would be rewritten in place that have uncommitted changes: `paths`. Nothing was written."""

    def __init__(self, paths: Sequence[Path]) -> None:
        names = ", ".join(str(path) for path in paths[:5]) + (", ..." if len(paths) > 5 else "")
        super().__init__(f"TNP912 uncommitted changes in {names}; nothing was written")
        self.paths = tuple(paths)


def refuse_uncommitted(run: Run) -> None:
    """Raise `Uncommitted` where a run would write over changes that git has not, `UnknownState` where it cannot say."""
    dirty = uncommitted(run.project.outputs)
    if dirty:
        raise Uncommitted(dirty)


def write_copy(run: Run, paths: Iterable[Path], out: Path, say: Say) -> None:
    """Copy what was given and write what a run has made into the copy; failures are noted in its reports."""
    project = run.project
    outputs = copy_project([path for path in paths if path.exists()], out, project.outputs, project.unwritten)
    for path in sorted(outputs, key=lambda path: (path.name != FILE_NAME, path)):  # first what the others import
        try:
            write_atomically(path, outputs[path])
        except OSError as error:
            project.unwritten(path, error)
            if path.name == FILE_NAME:
                say("error: nothing was translated in the copy")
                return


def _noted(root: Path, run: Run, changes: Iterable[Change]) -> Entries:
    """What the unfinished migration of a project has replaced, and what this run is about to replace."""
    noted = journal.read_entries(root)  # by other runs too, since this one has read the files
    known = {path: entry for path, entry in noted.items() if run.stale.get(path) != entry}
    return known | {
        one.path: Entry(run.originals.get(one.path, one.before), digest(one.after))
        for one in changes
        if root in one.path.parents
    }


def _note(noted: Mapping[Path, Entries], say: Say) -> None:
    for root, entries in noted.items():
        if not entries:
            continue
        try:
            journal.write_entries(root, entries)
        except OSError as error:
            say(f"note: {journal.folder()}: {error.strerror}; a run that is killed cannot be gone on with")


def _is_done(path: Path, entries: Entries) -> bool:
    """Whether another run has migrated a file in the meantime."""
    try:
        return path in entries and digest(path.read_bytes()) == entries[path].after
    except OSError:
        return False


def absolute(path: Path) -> Path:
    """A path in full, as discovery names places: links stay as they were written."""
    return Path(os.path.abspath(path))  # noqa: PTH100
