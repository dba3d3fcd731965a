"""Only what is new: a file of known findings, lines that changed since a revision, and what both leave to show.

The file of known findings has one line for each, sorted, with neither line numbers nor messages: it changes where
findings come and go, and nowhere else.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from tnp_migrate.diagnostics.findings import CODES, Finding
from tnp_migrate.diagnostics.ledger import FileReport, Gone, Report
from tnp_migrate.program.config import Config, ConfigError
from tnp_migrate.reports.changed_lines import Changes, changes_since
from tnp_migrate.reports.selection import is_selected
from tnp_migrate.text.roots import roots_of
from tnp_migrate.text.writing import write_atomically

SCHEMA = 1
Entries = Counter[Gone]


class BaselineError(ConfigError):
    """A baseline that cannot be used; the message says which, why, and what to do."""


@dataclass(frozen=True)
class OnlyNew:
    """What the user asked for. `entries` of a baseline, `changes` since a revision, the file to `write`.

    `given` are the paths of the command line: what lies elsewhere was not looked at and is not gone.
    """

    given: tuple[Path, ...]
    entries: Entries | None = None
    changes: Changes | None = None
    write: Path | None = None


def read_only_new(given: Sequence[Path], baseline: Path | None, revision: str | None, write: Path | None) -> OnlyNew:
    """Read what is needed before anything is rewritten; raises `BaselineError` and `RevisionError`."""
    entries = None if baseline is None else read_baseline(baseline)
    changes = None if revision is None else changes_since(revision, given)
    places = tuple(Path(os.path.abspath(one)) for one in given)  # noqa: PTH100  # as discovery names places
    return OnlyNew(places, entries, changes, write)


def only_new(report: Report, asked: OnlyNew, config: Config) -> Report:
    """Move the findings that are known out of sight, and write the baseline where that is asked for.

    What is written just now is known, unless another baseline is given to compare with. Input errors are never known.
    """
    entries = asked.entries
    if asked.write is not None:
        found = entries_of(report)
        entries = found if entries is None else entries
        try:
            write_atomically(asked.write, baseline_text(found).encode())
        except OSError as error:
            raise BaselineError(f"{asked.write}: the baseline cannot be written: {error.strerror}") from None
    left = Counter(entries) if entries is not None else Counter()
    files = tuple(_without_known(file, None if entries is None else left, asked.changes) for file in report.files)
    gone = sorted((+left).elements(), key=_order)
    looked_at = _Scope(asked.given, config)
    return replace(report, files=files, only_new=True, gone=tuple(one for one in gone if looked_at.covers(one)))


def _without_known(file: FileReport, left: Entries | None, changes: Changes | None) -> FileReport:
    """Part the findings of a file; an entry of the baseline stands for one finding, and is taken from `left`."""
    shown: list[Finding] = []
    known: list[Finding] = []
    for finding in file.findings:
        entry = Gone(file.repository_path, finding.code, finding.fingerprint)
        is_known = left is not None and left[entry] > 0
        if left is not None and is_known:
            left[entry] -= 1
        elif changes is not None:
            line, _, end_line, _ = finding.in_file
            is_known = not changes.touch(Path.cwd() / file.path, line, max(line, end_line))
        hidden = is_known and finding.suppressed is None and not finding.code.startswith("TNP9")
        (known if hidden else shown).append(finding)
    return replace(file, findings=tuple(shown), known=tuple(known))


class _Scope:
    """What a run can say is gone: of files under the given paths or no longer there, by codes that were selected."""

    def __init__(self, given: tuple[Path, ...], config: Config) -> None:
        folders = {path: path if path.is_dir() else path.parent for path in given}
        roots = roots_of(folders.values())
        self.config = config
        self.given = [(path, roots[folder] or folder) for path, folder in folders.items()]

    def covers(self, entry: Gone) -> bool:
        places = [(path, root / PurePosixPath(entry.path)) for path, root in self.given]
        under = [location for path, location in places if path in (location, *location.parents)]
        if not under and not any(location.exists() for _, location in places):
            under = [location for _, location in places]
        return any(is_selected(entry.code, location, self.config) for location in under)


def entries_of(report: Report) -> Entries:
    """Return what a baseline of a report holds: all findings that are neither suppressed nor input errors."""
    return Counter(
        Gone(file.repository_path, finding.code, finding.fingerprint)
        for file in report.files
        for finding in (*file.findings, *file.known)
        if finding.suppressed is None and not finding.code.startswith("TNP9")
    )


def baseline_text(entries: Entries) -> str:
    """Write a baseline: fingerprints by code by path, all in order."""
    files: dict[str, dict[str, list[str]]] = {}
    for one in sorted(entries.elements(), key=_order):
        files.setdefault(one.path, {}).setdefault(one.code, []).append(one.fingerprint)
    return json.dumps({"schema": SCHEMA, "tool": "tnp-migrate", "findings": files}, indent=1) + "\n"


def _order(one: Gone) -> tuple[str, str, str]:
    return one.path, one.code, one.fingerprint


def read_baseline(file: Path) -> Entries:
    """Read a baseline that `baseline_text` wrote; `BaselineError` says what is wrong with another file."""
    try:
        document = json.loads(file.read_bytes())
    except OSError as error:
        advice = f"; --write-baseline {file} makes one" if isinstance(error, FileNotFoundError) else ""
        raise BaselineError(f"{file}: the baseline cannot be read: {error.strerror}{advice}") from None
    except ValueError as error:
        raise _broken(file, f"it is not JSON ({error})") from None
    except RecursionError:
        raise _broken(file, "it is nested too deeply") from None
    if not isinstance(document, dict) or document.get("tool") != "tnp-migrate" or "schema" not in document:
        raise _broken(file, "tnp-migrate did not write it")
    if document["schema"] != SCHEMA:
        raise _broken(file, f"its schema is {document['schema']!r}, this version knows {SCHEMA}")
    return _entries(file, document.get("findings"))


def _entries(file: Path, findings: Any) -> Entries:
    entries: Entries = Counter()
    for path, codes in _items(file, findings):
        for code, fingerprints in _items(file, codes):
            if code not in CODES:
                raise _broken(file, f"this version knows no {code}")
            if not isinstance(fingerprints, list) or not all(isinstance(one, str) for one in fingerprints):
                raise _broken(file, f"{path}, {code}: no list of fingerprints")
            entries.update(Gone(path, code, one) for one in fingerprints)
    return entries


def _items(file: Path, table: Any) -> list[tuple[str, Any]]:
    if not isinstance(table, dict):
        raise _broken(file, "findings are not listed by path and code")
    return list(table.items())


def _broken(file: Path, why: str) -> BaselineError:
    return BaselineError(f"{file} is no baseline that can be used: {why}. Write it anew: --write-baseline {file}")
