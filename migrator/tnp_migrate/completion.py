"""The command `completion`: what shells read to complete the others."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes a SHELL complete commands, options and paths.

    bash: eval "$(tnp-migrate completion bash)" in ~/.bashrc; zsh: the same in ~/.zshrc; fish: tnp-migrate completion
    fish > ~/.config/fish/completions/tnp-migrate.fish
    """
    found = get_completion_class(shell)
    assert found is not None
    click.echo(
        found(click.get_current_context().find_root().command, {}, "tnp-migrate", "_TNP_MIGRATE_COMPLETE").source()
    )
