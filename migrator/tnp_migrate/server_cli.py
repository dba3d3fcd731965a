"""The command `server`: a language server on standard input and output."""

from __future__ import annotations

import click

from tnp_migrate.report_output import Stop


@click.command()
def server() -> None:
    """Run a language server for editors, on standard input and output (docs/editor.md says how to set them up).

    It needs pygls: pip install "tnp-migrate[server]".
    """
    try:
        from tnp_migrate.server.session import make_server  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise Stop('the server needs pygls, which is not installed: pip install "tnp-migrate[server]"') from None
    make_server().start_io()
