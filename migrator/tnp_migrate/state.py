"""What a run knows of its project: files, reports, new contents; and the report of it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.ledger import FileReport, Ledger, Report
from tnp_migrate.program.config import Config
from tnp_migrate.program.seen import Evidence, Parameter
from tnp_migrate.reports.reporting import report_from
from tnp_migrate.rewriting.files import File, failure
from tnp_migrate.rewriting.notebook_files import located
from tnp_migrate.text.source import Source, SourceError

if TYPE_CHECKING:
    from tnp_migrate.program.scopes import Scopes

Progress = Callable[[str, int, int], None]  # a phase, how many files of it are done, and of how many


@dataclass(eq=False)
class Project:
    """The analysed project. `outputs` are new contents by path; `members` array members used anywhere in it.

    `given` are the files that are reported and written (None: all); the others are analysed with them: `silent` are
    their names, `waiting` those that a run over all would change. `on_disk` has what stood in the files when they were
    read, `helpers` the functions that the files of a folder call, `called_from` the folders in which given files do.
    """

    config: Config
    given: Collection[Path] | None = None
    files: list[File] = field(default_factory=list)
    reports: list[FileReport] = field(default_factory=list)
    outputs: dict[Path, bytes] = field(default_factory=dict)
    helpers: dict[Path, set[str]] = field(default_factory=dict)
    called_from: set[Path] = field(default_factory=set)
    readers: list[bytes] = field(default_factory=list)  # the texts of files that use the others' results
    on_disk: dict[Path, bytes] = field(default_factory=dict)
    waiting: set[Path] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)
    seen: Evidence = field(default_factory=dict)  # by a recorded run, of parameters
    assumed: set[Parameter] = field(default_factory=set)
    by_evidence: int | None = None  # references that are native by it; None without a recorded run
    scopes: dict[Source, Scopes] = field(default_factory=dict)  # of texts, those between the stages among them

    def is_given(self, path: Path) -> bool:
        """Whether a file is to be reported and written."""
        return self.given is None or path in self.given

    def shown(self, path: Path) -> str:
        """The path of an output as the report names it."""
        known = next((one.found.shown for one in self.files if one.found.location == path), None)
        return known or (path.relative_to(Path.cwd()) if Path.cwd() in path.parents else path).as_posix()

    def before(self, path: Path) -> bytes | None:
        """The text that an output takes the place of; None where there is none."""
        return self.on_disk.get(path)

    def failed(self, shown: str, data: bytes, error: SourceError) -> None:
        """Note a failure in the place of what was said of the file, of an earlier round too."""
        self.reports = [one for one in self.reports if one.path != shown]
        self.reports.append(failure(shown, data, error))

    def fail(self, path: Path, code: str, message: str) -> None:
        """Note that a path could not be worked on, in the place of what was said of it."""
        self.failed(self.shown(path), self.before(path) or b"", SourceError(code, message))

    def unwritten(self, path: Path, error: OSError) -> None:
        """Note that an output could not be written; the old file is whole."""
        self.fail(path, "TNP904", f"cannot be written: {error.strerror or error}")

    def leave(self, paths: Collection[Path]) -> None:
        """Note that some outputs were not written: the files are as they were."""
        shown = {self.shown(path) for path in paths}
        self.reports = [
            replace(one, status="unchanged", after=one.before) if one.path in shown and one.status != "error" else one
            for one in self.reports
        ]
        self.outputs = {path: data for path, data in self.outputs.items() if path not in paths}

    def note(self, path: Path, code: str, message: str) -> None:
        """Say something of a path that was left as it was, and is no failure."""
        shown = self.shown(path)
        self.reports.append(FileReport(shown, "unchanged", Ledger(), (Finding(code, shown, 1, 1, 1, 1, message),)))


def report_of(project: Project) -> Report:
    """The report of a run, with the user's selection of codes applied."""
    cells = {one.found.shown: one.cells for one in project.files if one.cells is not None}
    told = [one for one in project.reports if one.path not in project.silent]
    told = [located(one, cells[one.path]) if one.path in cells else one for one in told]
    report = report_from(told, project.config, (one.found.root for one in project.files))
    return replace(report, by_evidence=project.by_evidence)
