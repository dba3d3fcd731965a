"""The commands `record` and `verify`: parse, call, print, exit code."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tnp_migrate.proof.recording import Recording

_FILE = click.Path(path_type=Path)
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


class Stop(click.ClickException):
    """What ends a command with 2, said as the other commands say it."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message."""
        click.echo(f"error: {self.format_message()}".encode("utf-8", "backslashreplace").decode(), err=True, file=file)


def _size(_context: click.Context, _option: click.Parameter, value: str) -> int:
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
@click.argument("path", type=_FILE)
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--output", type=_FILE, help="The folder to record to (else .tnp-migrate/record).")
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
