"""The command line: parse, call, print, exit code. 0 nothing left to look at, 1 findings remain, 2 input errors."""

from __future__ import annotations

import gc
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tnp_migrate import __version__

if TYPE_CHECKING:
    from tnp_migrate.config import Config
    from tnp_migrate.ledger import Report
    from tnp_migrate.project import Project

FORMATS = ["text", "json", "sarif", "github", "gitlab", "markdown", "html"]


class _DefaultMigrate(click.Group):
    """`tnp-migrate src/` is `tnp-migrate migrate src/`."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands:
            args = ["migrate", *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "--version", "-h"):
            args = ["migrate", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_DefaultMigrate, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tnp-migrate")
def main() -> None:
    """Move NumPy code to TensorFlow's NumPy API (tensorflow.experimental.numpy).

    `tnp-migrate src/` rewrites the code under src/ in place.
    """


def _shared(command: Any) -> Any:
    for option in reversed(
        [
            click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True)),
            click.option("--format", "format_", type=click.Choice(FORMATS), default="text", help="Format of the report."),
            click.option("--output", type=click.Path(path_type=Path), help="Write the report to a file."),
            click.option("--select", multiple=True, metavar="CODES", help="Report only these codes (prefixes do)."),
            click.option("--ignore", multiple=True, metavar="CODES", help="Leave these codes out of the report."),
            click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave files out (git's patterns)."),
            click.option("--no-tensor-methods", is_flag=True, help="Do not give tensors the array methods they lack."),
            click.option("--jobs", type=click.IntRange(min=1), default=None, help="Processes to read files with."),
        ]
    ):
        command = option(command)
    return command


@main.command()
@_shared
@click.option("--diff", is_flag=True, help="Print what would change as a unified diff; write nothing.")
@click.option("--check", "check_only", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
@click.option("--out-dir", type=click.Path(path_type=Path, file_okay=False), help="Write a complete copy there.")
@click.option("--stage", type=click.Choice(["backend"]), default="backend", help="How far to go.")
@click.option("--random", type=click.Choice(["numpy"]), default="numpy", help="Whose random stream to draw from.")
@click.option("--allow-dirty", is_flag=True, help="Rewrite files that have uncommitted changes.")
def migrate(paths: tuple[Path, ...], **options: Any) -> None:
    """Rewrite the NumPy code in files and folders (`-` reads standard input)."""
    if [str(path) for path in paths] == ["-"]:
        _standard_input(options)
        return
    config = _config(paths, options)
    project, missing = _run(paths, config, rewrite=True)
    if options["diff"]:
        _print_diff(project)
    elif not options["check_only"]:
        _write(project, paths, config, options)
    _finish(project, options, missing, changed_is_finding=options["check_only"])


@main.command()
@_shared
def check(paths: tuple[Path, ...], **options: Any) -> None:
    """Report on NumPy code in files and folders; change nothing."""
    config = _config(paths, options)
    project, missing = _run(paths, config, rewrite=False)
    _finish(project, options, missing)


@main.command()
@click.argument("name")
def rule(name: str) -> None:
    """Explain a diagnostic (TNP203), or show how a NumPy name is translated (np.median)."""
    from tnp_migrate.translations import explain_name  # noqa: PLC0415

    if name.upper().startswith("TNP") and name[3:].isdigit():
        from tnp_migrate.explain import explain  # noqa: PLC0415

        try:
            click.echo(explain(name.upper()))
        except KeyError:
            raise click.UsageError(f"there is no diagnostic {name.upper()}") from None
        return
    found = explain_name(name)
    if found is None:
        raise click.UsageError(f"NumPy has no public name {name}")
    click.echo(found)


def _config(paths: tuple[Path, ...], options: dict[str, Any]) -> Config:
    from tnp_migrate.config import ConfigError, read_config  # noqa: PLC0415

    try:
        config = read_config(paths[0] if str(paths[0]) != "-" else Path())
    except ConfigError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
    split = {key: tuple(code for one in options[key] for code in one.split(",")) for key in ("select", "ignore")}
    return replace(
        config,
        select=split["select"] or config.select,
        ignore=(*config.ignore, *split["ignore"]),
        exclude=(*config.exclude, *options["exclude"]),
        tensor_methods=config.tensor_methods and not options["no_tensor_methods"],
        jobs=options["jobs"] or config.jobs,
    )


def _run(paths: tuple[Path, ...], config: Config, *, rewrite: bool) -> tuple[Project, list[Path]]:
    from tnp_migrate.discovery import discover  # noqa: PLC0415
    from tnp_migrate.project import migrate as run  # noqa: PLC0415

    gc.disable()  # syntax trees are all alive until the end: looking for garbage among them takes most of the time
    missing = [path for path in paths if not path.exists()]
    found = list(discover([path for path in paths if path.exists()], config.exclude))
    if sys.stderr.isatty() and len(found) > 20:  # noqa: PLR2004  # a few files need no bar
        with click.progressbar(length=1000, label="Translating", file=sys.stderr) as bar:
            done = 0

            def progress(position: int, total: int) -> None:
                nonlocal done
                step = position * 1000 // total - done
                done += step
                bar.update(step)

            return run(found, config, rewrite=rewrite, progress=progress), missing
    return run(found, config, rewrite=rewrite), missing


def _write(project: Project, paths: tuple[Path, ...], config: Config, options: dict[str, Any]) -> None:
    from tnp_migrate.copying import copy_project  # noqa: PLC0415
    from tnp_migrate.writing import uncommitted, write_atomically  # noqa: PLC0415

    outputs = project.outputs
    if options["out_dir"] is not None:
        outputs = copy_project(paths, config.exclude, options["out_dir"], outputs)
    elif not options["allow_dirty"]:
        dirty = uncommitted(outputs)
        if dirty:
            names = ", ".join(str(path) for path in dirty[:5]) + (", ..." if len(dirty) > 5 else "")  # noqa: PLR2004
            click.echo(f"error: uncommitted changes in {names}: commit them, or pass --allow-dirty", err=True)
            sys.exit(2)
    for path, data in sorted(outputs.items()):
        try:
            write_atomically(path, data)
        except OSError as error:
            project.unwritten(path, error)


def _print_diff(project: Project) -> None:
    import difflib  # noqa: PLC0415

    for path, data in sorted(project.outputs.items()):
        shown = project.shown(path)
        before = path.read_bytes() if path.exists() else b""
        lines = difflib.unified_diff(
            before.decode(errors="replace").splitlines(keepends=True),
            data.decode(errors="replace").splitlines(keepends=True),
            f"a/{shown}" if path.exists() else "/dev/null",
            f"b/{shown}",
        )
        for line in lines:
            click.echo(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n", nl=False)


def _standard_input(options: dict[str, Any]) -> None:
    from tnp_migrate.project import migrate_text  # noqa: PLC0415

    data = click.get_binary_stream("stdin").read()
    project = migrate_text(data, _config((Path("-"),), options))
    after = next(iter(project.reports)).after if project.reports else data
    click.get_binary_stream("stdout").write(after)
    options["to_stderr"] = True
    _finish(project, options, [])


def _finish(project: Project, options: dict[str, Any], missing: list[Path], *, changed_is_finding: bool = False) -> None:
    from tnp_migrate.project import has_errors, needs_attention, report_of  # noqa: PLC0415

    report = report_of(project)
    _print_report(report, options)
    for path in missing:
        click.echo(f"error: {path}: no such file or folder", err=True)
    if missing or has_errors(report):
        sys.exit(2)
    sys.exit(1 if needs_attention(report) or (changed_is_finding and project.outputs) else 0)


def _print_report(report: Report, options: dict[str, Any]) -> None:
    from tnp_migrate.reports import render  # noqa: PLC0415

    text = render(report, options["format_"])
    if options["output"] is not None:
        options["output"].write_text(text, encoding="utf-8")
    else:
        click.echo(text, nl=False, err=bool(options.get("to_stderr") or options.get("diff")))


if __name__ == "__main__":
    main()
