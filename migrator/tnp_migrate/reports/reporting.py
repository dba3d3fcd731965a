"""From what happened to each file to the report of a run: selected findings, fingerprints, paths from the root."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from tnp_migrate import __version__
from tnp_migrate.diagnostics.findings import with_fingerprints
from tnp_migrate.diagnostics.ledger import FileReport, Report
from tnp_migrate.program.config import Config
from tnp_migrate.reports.selection import is_selected
from tnp_migrate.text.roots import roots_of

_STDIN = "<stdin>"


def report_from(reports: Iterable[FileReport], config: Config, given: Iterable[Path]) -> Report:
    """Put the reports of files in order, with the user's selection of codes applied.

    `given` are the paths of the command line: they are the roots of files that are neither in a repository nor in a
    project with a mark.
    """
    ordered = sorted(reports, key=lambda report: report.path)
    locations = [Path(os.path.abspath(report.path)) for report in ordered]  # noqa: PTH100  # as discovery names places
    marked = roots_of(location.parent for location in locations)
    folders = sorted(set(given))
    roots = [
        marked[one.parent] or next((folder for folder in folders if folder in one.parents), one.parent)
        for one in locations
    ]
    known = sorted(set(roots), key=lambda root: (root not in (Path.cwd(), *Path.cwd().parents), root))
    files = tuple(
        replace(_selected(report, location, root, config), root=known.index(root))
        for report, location, root in zip(ordered, locations, roots, strict=True)
    )
    return Report(__version__, files, tuple(root.name for root in known))


def _selected(report: FileReport, location: Path, root: Path, config: Config) -> FileReport:
    kept = [one for one in report.findings if is_selected(one.code, location, config)]
    lines = re.split("\r\n|\r|\n", report.before.decode("utf-8", errors="replace"))
    place = report.path if report.path == _STDIN else location.relative_to(root).as_posix()
    return replace(report, findings=tuple(with_fingerprints(kept, place, lines)), place=place)
