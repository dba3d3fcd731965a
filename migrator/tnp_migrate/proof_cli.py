"""The commands `record` and `verify`: parse, call, print, exit code."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tnp_migrate.report_output import FILE, OF_VERIFY, Stop, format_and_file, print_report

if TYPE_CHECKING:
    from tnp_migrate.program.config import Config
    from tnp_migrate.proof.recording import Recording
    from tnp_migrate.verification import Asked

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def read_evidence(folder: Path, config: Config) -> Recording:
    """The recording that `--evidence` names; anything else than one ends the run before anything is done."""
    from tnp_migrate.proof.inside.refusals import BadRecording  # noqa: PLC0415
    from tnp_migrate.proof.recording import read_recordings  # noqa: PLC0415

    if config.stage == "functional":
        raise Stop("--evidence goes with the whole translation: the functional stage checks nothing when it runs")
    try:
        return read_recordings([folder])
    except BadRecording as error:
        raise Stop(str(error)) from None


def _size(_context: click.Context, _option: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    found = re.fullmatch(r"(\d+)([KMG]?)B?", value.upper())
    if found is None:
        raise click.BadParameter(f"{value!r} is no size, such as 200M")
    return int(found[1]) * _UNITS[found[2]]


def _existing(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    for path in paths:
        if not os.path.lexists(path):
            raise Stop(f"{path}: is no existing path; nothing was done. The command to run comes after `--`")
    return paths


@click.command(context_settings={"ignore_unknown_options": False})
@click.argument("path", type=FILE)
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--output", type=FILE, help="The folder to record to (else .tnp-migrate/record).")
@click.option("--add", is_flag=True, help="Add to the recording that is there (else it is replaced).")
@click.option("--show", is_flag=True, help="Print what the recording holds, function by function; run nothing.")
@click.option("--keep", type=click.IntRange(min=1), default=8, show_default=True, help="Calls kept of a function.")
@click.option("--budget", type=click.FloatRange(min=0), default=0.3, show_default=True, help="Share of the run's time.")
@click.option("--max-size", callback=_size, default="200M", show_default=True, help="Bytes that one process may write.")
def record(path: Path, command: tuple[str, ...], **options: Any) -> None:
    """Run a command, and keep what the functions of PATH are called with.

    `tnp-migrate record src/ -- pytest -q` runs the tests as they are, and ends with their exit code. PATH is the folder
    that the modules are imported from. Recorded values are data of yours: the folder keeps itself out of git.
    """
    from tnp_migrate.proof.inside.refusals import BadRecording  # noqa: PLC0415
    from tnp_migrate.proof.record import DEFAULT, CannotRecord, summary, table  # noqa: PLC0415
    from tnp_migrate.proof.recording import read_recordings  # noqa: PLC0415

    folder: Path = options["output"] or DEFAULT
    _existing((path,))
    if options["show"]:
        if command:
            raise click.UsageError("--show runs nothing; leave the command out")
        try:
            found = read_recordings([folder])
        except BadRecording as error:
            raise Stop(str(error)) from None
        click.echo("\n".join([*table(found), *summary(found)]))
        return
    if not command:
        raise click.UsageError("the command to run is missing: tnp-migrate record src/ -- pytest -q")
    try:
        code, made = _record(path, command, folder, options)
    except (CannotRecord, BadRecording) as error:
        raise Stop(str(error)) from None
    for line in summary(made):
        click.echo(f"tnp-migrate: {line}", err=True)
    raise SystemExit(code)


def _record(path: Path, command: tuple[str, ...], folder: Path, options: dict[str, Any]) -> tuple[int, Recording]:
    from tnp_migrate.proof.inside.settings import Settings  # noqa: PLC0415
    from tnp_migrate.proof.record import begin, run_command  # noqa: PLC0415
    from tnp_migrate.proof.recording import read_recordings  # noqa: PLC0415
    from tnp_migrate.proof.scratch import project_of, python_files  # noqa: PLC0415

    root = Path(os.path.realpath(path))
    settings = Settings(
        str(project_of(root)),
        (str(root),),
        os.path.abspath(folder),  # noqa: PTH100
        keep=options["keep"],
        budget=options["budget"],
        total_bytes=options["max_size"],
    )
    begin(settings, python_files(root), command, add=options["add"])
    code = run_command(settings, command)
    return code, read_recordings([folder], settings.keep)


@click.command()
@click.argument("path", type=FILE)
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--record", "records", type=FILE, multiple=True, metavar="DIR", help="A recording (else the default one)."
)
@click.option("--evidence", type=FILE, metavar="DIR", help="The recording that PATH is translated by.")
@click.option("--translated", type=FILE, metavar="DIR", help="A translation of PATH, from --out-dir (else it is made).")
@click.option("--device", type=click.Choice(["cpu", "gpu"]), multiple=True, default=("cpu",), show_default=True)
@click.option("--changed-since", metavar="REV", help="Only functions that changed since a git revision.")
@click.option(
    "--function", "functions", multiple=True, metavar="NAME", help="Only these functions: `Filter.update`, `*`."
)
@click.option("--limit", type=click.FloatRange(min=1), default=20, show_default=True, help="Seconds for one call.")
@click.option("--share", type=click.FloatRange(min=1), default=30, show_default=True, help="Seconds for a function.")
@click.option("--total", type=click.FloatRange(min=1), default=600, show_default=True, help="Seconds for one form.")
@click.option("--memory", callback=_size, metavar="SIZE", help="Bytes that a replay may hold (else 3/4 of all).")
@click.option("--python", default=sys.executable, help="The Python that has the project's environment.")
@click.option("--format", "format_", type=click.Choice(OF_VERIFY), default="text", help="Of the report.")
@click.option("--output", type=FILE, help="Write the report to a file.")
@click.option(
    "--report",
    multiple=True,
    metavar="FORMAT=FILE",
    callback=format_and_file(OF_VERIFY),
    help="Write a further report.",
)
def verify(path: Path, command: tuple[str, ...], **options: Any) -> None:
    """Replay a recording on the code of PATH and on its translation, and say what is the same.

    Nothing of yours is written to: all of it runs in scratch copies. `-- COMMAND` is run there as well, on the original
    and on the translation. What "verified" means stands in docs/verification.md.

    Exit codes: 0 nothing differs, 1 some function differs or raises, 2 some input could not be worked on.
    """
    from tnp_migrate.program.config import ConfigError, read_config  # noqa: PLC0415
    from tnp_migrate.proof.inside.refusals import BadRecording  # noqa: PLC0415
    from tnp_migrate.reports.summary import evidence_of  # noqa: PLC0415
    from tnp_migrate.text.progress import Progress, ticking  # noqa: PLC0415
    from tnp_migrate.verification import verify_project  # noqa: PLC0415

    _existing((path,))
    try:
        config = read_config((path,))
        asked = _asked(path, command, options)
        if options["evidence"] is not None:
            asked = replace(asked, evidence=read_evidence(options["evidence"], config))
        with ticking(Progress(sys.stderr)) as progress:
            report, made = verify_project(asked, config, progress)
    except (BadRecording, ConfigError) as error:
        raise Stop(str(error)) from None
    print_report(report, options, evidence_of(made))
    counts = made.counts()
    if report.has_errors:
        raise SystemExit(2)
    failed = made.command is not None and made.command.failed
    raise SystemExit(1 if counts["differs"] or counts["raises"] or failed else 0)


def _asked(path: Path, command: tuple[str, ...], options: dict[str, Any]) -> Asked:
    from tnp_migrate.proof.inside.form_names import PROOFS  # noqa: PLC0415
    from tnp_migrate.proof.processes import Replays  # noqa: PLC0415
    from tnp_migrate.proof.record import DEFAULT  # noqa: PLC0415
    from tnp_migrate.verification import Asked  # noqa: PLC0415

    touched = None
    if options["changed_since"]:
        from tnp_migrate.reports.changed_lines import changes_since  # noqa: PLC0415

        touched = changes_since(options["changed_since"], [path]).touch
    devices = set(options["device"])
    return Asked(
        path,
        options["records"] or (DEFAULT,),
        tuple(form.name for form in PROOFS if form.device in devices),
        Replays(options["python"], options["limit"], options["share"], options["total"], options["memory"]),
        options["translated"],
        touched,
        command,
        options["functions"],
    )
