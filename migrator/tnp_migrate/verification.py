"""Verify a project: translate it into scratch copies, and have its recorded calls replayed there; or own rules."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tnp_migrate.diagnostics.findings import CODES, Finding
from tnp_migrate.diagnostics.ledger import Report
from tnp_migrate.program.config import Config, read_config
from tnp_migrate.project import report_of
from tnp_migrate.proof.functions import Defined, functions_of
from tnp_migrate.proof.inside.settings import Settings
from tnp_migrate.proof.processes import Replays
from tnp_migrate.proof.recording import Recording, read_recordings
from tnp_migrate.proof.rule_tests import Tested, run_tests
from tnp_migrate.proof.scratch import copy_of, project_of, python_files
from tnp_migrate.proof.users_command import run_on_copies
from tnp_migrate.proof.verdicts import FunctionProof, Verification
from tnp_migrate.proof.verify import Proof, Trees, verify
from tnp_migrate.reports.proof_text import sentence
from tnp_migrate.rewriting.helpers import FILE_NAME as HELPERS
from tnp_migrate.rewriting.helpers import members_in, write_helpers
from tnp_migrate.run import run_over
from tnp_migrate.state import Progress, Project

_RETURNS = re.compile(
    r"`\w+` (?P<how>also returns|returns) (?P<names>`\w+`(?: and `\w+`)*), which[\w ]+(?P<before>, as before)?"
)


@dataclass(frozen=True)
class Asked:
    """What is to be verified: a path, by which recordings, in which forms; all of it or what is `touched`.

    `translated` is a folder that holds the translation already, as `--out-dir` writes it for the path; `command` is run
    on a copy of the original and on one of the translation. `functions` are patterns of qualified names, none for all.
    `evidence` is the recording that the translation is made by, if there is one.
    """

    path: Path
    recordings: tuple[Path, ...]
    forms: tuple[str, ...]
    replays: Replays
    translated: Path | None = None
    touched: Callable[[Path, int, int], bool] | None = None
    command: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    evidence: Recording | None = None


def verify_project(asked: Asked, config: Config, progress: Progress) -> tuple[Report, Verification]:
    """Translate, replay and judge; the report of the translation and the proof. Raises `BadRecording`."""
    began = time.monotonic()
    root = Path(os.path.realpath(asked.path))
    base = project_of(root)
    recording = read_recordings(asked.recordings)
    run = run_over([root], config, rewrite=True, evidence=asked.evidence, progress=progress)
    functional = run_over([root], replace(config, stage="functional"), rewrite=True, progress=progress)
    with tempfile.TemporaryDirectory(prefix="tnp-migrate-") as folder:
        place = Path(folder)
        outputs = run.project.outputs if asked.translated is None else _files_of(asked.translated, root)
        trees = Trees(
            copy_of(base, place / "original", {}),
            copy_of(base, place / "functional", functional.project.outputs),
            copy_of(base, place / "translated", outputs),
            place / "fresh",
        )
        settings = Settings(str(base), (str(root),), "")
        proof = Proof(recording, trees, asked.replays, conventions_of(report_of(run.project), base), progress)
        made = verify(
            proof,
            functions_of(base, [one for one in python_files(root) if settings.covers(str(one))]),
            asked.forms,
            _touched(asked, base),
        )
        if asked.command:
            changed = [one for one in outputs if settings.covers(str(one)) and one.name != HELPERS]
            covered = [one.relative_to(base).as_posix() for one in changed if _differs(one, outputs[one])]
            copies, limit = (trees.original, trees.translated), asked.replays.total
            made = replace(made, command=run_on_copies(asked.command, base, copies, recording.path, covered, limit))
    made = replace(made, functions=tuple(_with_islands(run.project, made, base)))
    _add_findings(run.project, made, base)
    return report_of(run.project), replace(made, seconds=time.monotonic() - began)


def _differs(path: Path, after: bytes) -> bool:
    return not path.is_file() or path.read_bytes() != after


def _with_islands(project: Project, made: Verification, base: Path) -> Iterator[FunctionProof]:
    """The functions, those marked that stay on NumPy."""
    islands = {
        (os.path.abspath(one.path), name)  # noqa: PTH100
        for one in project.reports
        for name in one.islands
    }
    for one in made.functions:
        yield replace(one, island=(str(base / one.path), one.name.partition(" ")[0]) in islands)


def _add_findings(project: Project, made: Verification, base: Path) -> None:
    """Report the functions that do not do as NumPy does (TNP601, TNP602), each at its `def`.

    What the translation has said of the line at which results part is said again: it may be the cause.
    """
    places = {os.path.abspath(one.path): place for place, one in enumerate(project.reports)}  # noqa: PTH100
    for one in made.functions:
        code = {"differs": "TNP601", "raises": "TNP602"}.get(one.verdict)
        place = places.get(str(base / one.path))
        if code is not None and place is not None:
            file = project.reports[place]
            causes = {f.code: f.message for f in file.findings if f.line == one.diverges and _may_change_results(f)}
            said = "".join(f"; {number} stands at that line: {text}" for number, text in causes.items())
            finding = Finding(code, file.path, one.line, 1, one.line, 2, sentence(one) + said, one.name)
            project.reports[place] = replace(file, findings=(*file.findings, finding))


def _may_change_results(finding: Finding) -> bool:
    return finding.code not in ("TNP601", "TNP602") and CODES[finding.code].severity != "info"


def _touched(asked: Asked, base: Path) -> Callable[[Defined], bool]:
    touched = asked.touched

    def is_asked_for(one: Defined) -> bool:
        named = not asked.functions or any(fnmatchcase(one.key[1], pattern) for pattern in asked.functions)
        return named and (touched is None or touched(base / one.key[0], one.first, one.last))

    return is_asked_for


def _files_of(translated: Path, root: Path) -> dict[Path, bytes]:
    """The files of a translation that was written elsewhere, in the places of those of the path."""
    if root.is_file():
        return {root: (translated / root.name if translated.is_dir() else translated).read_bytes()}
    return {root / one.relative_to(translated): one.read_bytes() for one in python_files(translated)}


def conventions_of(report: Report, base: Path) -> dict[str, Any]:
    """The functions that give back what they write to, by what the report says of them (TNP310)."""
    lines = {}
    for finding in report.findings:
        found = _RETURNS.search(finding.message) if finding.code == "TNP310" else None
        if found is not None:
            names = re.findall(r"`(\w+)`", found["names"])
            convention = {"names": names, "behind_result": found["how"] == "also returns"}
            convention["is_result"] = found["before"] is not None
            lines[os.path.abspath(finding.path), finding.line] = convention  # noqa: PTH100
    conventions = {}
    for one in functions_of(base, _named(lines)):
        given = lines.get((str(base / one.key[0]), one.line))
        if given is not None:
            conventions[f"{one.key[0]}:{one.key[1]}"] = given
    return conventions


def _named(lines: Iterable[tuple[str, int]]) -> Sequence[Path]:
    return sorted({Path(path) for path, _ in lines})


def verify_rules(file: Path, python: str) -> list[Tested]:
    """Compare the user's rules of a file with what they stand for, as they would be vendored.

    Raises `ConfigError` for a file that cannot be used, `CannotTest` where the process that runs them fails.
    """
    settings = replace(read_config([file]), rules=(str(file.resolve()),))
    own = settings.own_rules
    rules = [(target, rule.name) for target, rule in own.rules.items()]
    helpers = write_helpers(settings.rulebook, {name for _, name in rules}, members_in(file.read_bytes()))
    effects = own.effects.items()
    said = [(target, one.name, {"writes": [*one.writes], "shares": [*one.shares]}) for target, one in effects]
    return run_tests(file, helpers, rules, said, python)
