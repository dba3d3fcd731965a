"""The command `explain`: parse, call, print, exit code."""

from __future__ import annotations

import click

from tnp_migrate.report_output import Stop


@click.command()
@click.argument("address", metavar="FILE:LINE")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="Of the explanation.")
def explain(address: str, format_: str) -> None:
    """Say what is known of a line, and why it becomes what it becomes (`filters.py:12`, `book.ipynb:cell 3:2`).

    The function around it and why that stays on NumPy; each variable, who else may have its memory and what writes
    to it; the line in the new text. The project around the file is analysed with it; nothing is written.

    Exit codes: 0, or 2 where there is no such line or the file cannot be used.
    """
    from tnp_migrate.explanation.address import NoSuchLine, read_address  # noqa: PLC0415
    from tnp_migrate.explanation.answer import explain_line  # noqa: PLC0415
    from tnp_migrate.explanation.text import as_json, as_text  # noqa: PLC0415
    from tnp_migrate.program.config import ConfigError, read_config  # noqa: PLC0415

    try:
        asked = read_address(address)
        found = explain_line(asked, read_config([asked.path]))
    except (NoSuchLine, ConfigError) as error:
        raise Stop(str(error)) from None
    click.echo(as_json(found) if format_ == "json" else as_text(found))
