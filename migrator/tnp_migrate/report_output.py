"""What the commands that give a report share: its formats, where it goes, and how a command is stopped with 2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from tnp_migrate import reports

if TYPE_CHECKING:
    from tnp_migrate.diagnostics.ledger import Report
    from tnp_migrate.reports.summary import Evidence

FILE = click.Path(path_type=Path)
OF_VERIFY = [*reports.FORMATS]
FORMATS = [one for one in OF_VERIFY if one != "junit"]  # which has a test for each function that was replayed


class Stop(click.ClickException):
    """What ends a command with 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message; names of files in it need not be text."""
        click.echo(f"error: {self.format_message()}".encode("utf-8", "backslashreplace").decode(), err=True, file=file)


def format_and_file(known: list[str]) -> Callable[[click.Context, click.Parameter, tuple[str, ...]], Any]:
    """Take `FORMAT=FILE` apart, once for each further report."""

    def taken(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> list[tuple[str, Path]]:
        found = [value.partition("=") for value in values]
        wrong = next((format_ for format_, _, file in found if format_ not in known or not file), None)
        if wrong is not None:
            raise click.BadParameter(f"{wrong!r} is not FORMAT=FILE, the format one of {', '.join(known)}")
        return [(format_, Path(file)) for format_, _, file in found]

    return taken


def print_report(
    report: Report, options: dict[str, Any], evidence: Evidence | None = None, *, err: bool = False
) -> None:
    """Write a report to where `--report`, `--output` and `--format` say, or print it."""
    for format_, file in options["report"]:
        _write(reports.render(report, format_, evidence), file)
    text = reports.render(report, options["format_"], evidence)
    if options["output"] is not None:
        _write(text, options["output"])
    else:
        click.echo(text, nl=False, err=err)


def _write(text: str, file: Path) -> None:
    try:
        file.write_bytes(text.encode("utf-8", "backslashreplace"))  # names of files need not be text
    except OSError as error:
        raise Stop(f"{file}: the report cannot be written: {error.strerror}") from None
