"""The tool as a library: paths and settings in, findings, ledger and new texts out. Nothing is printed.

    from tnp_migrate import Config, check, migrate

    result = migrate(["src"], Config(random="tensorflow"))
    for finding in result.findings:
        print(finding.path, finding.where, finding.code, finding.message)
    new = result.texts  # written by `migrate(["src"], write=True)` only

`tnp_migrate` hands all of this out, and imports it when it is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.ledger import Ledger, Report
from tnp_migrate.program.config import Config, ConfigError, read_config, with_rules
from tnp_migrate.project import migrate_text as translate_text
from tnp_migrate.project import report_of
from tnp_migrate.run import Run, Uncommitted, absolute, refuse_uncommitted, run_over, write_copy, write_in_place
from tnp_migrate.text.writing import UnknownState

__all__ = [
    "Config",
    "ConfigError",
    "Finding",
    "Ledger",
    "Report",
    "Result",
    "Uncommitted",
    "UnknownState",
    "check",
    "migrate",
    "migrate_text",
    "read_config",
]
AnyPath = str | os.PathLike[str]


@dataclass(frozen=True)
class Result:
    """What a run found, and what it made.

    `texts` are the new bytes of the files that change, by their paths in full, with the helper modules that have to
    stand beside them; none of a check. `notes` are sentences about the run itself, which are no findings.
    """

    report: Report
    texts: Mapping[Path, bytes]
    notes: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What there is to say, in the order of paths and lines; what a comment suppresses is among it, and marked."""
        return self.report.findings

    @property
    def ledger(self) -> Ledger:
        """How many references to NumPy there are, and what became of them."""
        return self.report.ledger


def check(paths: AnyPath | Iterable[AnyPath], config: Config | None = None) -> Result:
    """Look at files and folders as `tnp-migrate check` does; nothing is changed.

    Without `config` the settings are those of the nearest pyproject.toml; raises `ConfigError` where they are wrong.
    What cannot be read or parsed is a finding (TNP9xx).
    """
    _, result = _run(_paths(paths), config, rewrite=False)
    return result


def migrate(
    paths: AnyPath | Iterable[AnyPath],
    config: Config | None = None,
    *,
    write: bool = False,
    out_dir: AnyPath | None = None,
    allow_dirty: bool = False,
) -> Result:
    """Translate files and folders as `tnp-migrate migrate` does, and give the new texts.

    They are written in place with `write`, into a complete copy of what was given with `out_dir`, over
    what stands there; else nothing is.
    Raises `Uncommitted` before anything is written in place over changes that git has not (not with `allow_dirty`),
    `UnknownState` where git cannot say, `ValueError` for both ways to write at once, and `ConfigError`.
    """
    if write and out_dir is not None:
        raise ValueError("write=True writes in place, out_dir writes a copy: give one of them")
    given = _paths(paths)
    out = None if out_dir is None else absolute(Path(out_dir))
    run, result = _run(given, config, rewrite=True, out=out)
    if not write and out is None:
        return result
    notes = [*result.notes]
    if out is not None:
        write_copy(run, given, out, notes.append)
    else:
        if not allow_dirty:
            refuse_uncommitted(run)
        write_in_place(run, notes.append)
    return Result(report_of(run.project), dict(run.project.outputs), tuple(notes))


def migrate_text(text: str, config: Config | None = None) -> Result:
    """Translate the text of one module that stands in no file, with the settings given, else the defaults.

    The new text is that of the path `-` in `texts`, nothing where it stays. Helpers that it imports are in no text.
    """
    project = translate_text(text.encode(), config or Config())
    return Result(report_of(project), dict(project.outputs))


def _paths(paths: AnyPath | Iterable[AnyPath]) -> Sequence[Path]:
    return [Path(paths)] if isinstance(paths, (str, os.PathLike)) else [Path(one) for one in paths]


def _run(paths: Sequence[Path], config: Config | None, *, rewrite: bool, out: Path | None = None) -> tuple[Run, Result]:
    notes: list[str] = []
    settings = with_rules(read_config(paths) if config is None else config)
    run = run_over(paths, settings, rewrite=rewrite, out=out, say=notes.append)
    texts = dict(run.project.outputs) if rewrite else {}
    return run, Result(report_of(run.project), texts, tuple(notes))
