"""The command line: parse, call, print, exit code. 0 nothing left to look at, 1 findings remain, 2 input errors."""

from __future__ import annotations

import contextlib
import gc
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from tnp_migrate.completion import completion
from tnp_migrate.explain_cli import explain
from tnp_migrate.proof_cli import read_evidence, record, verify
from tnp_migrate.report_output import FILE, FORMATS, Stop, format_and_file, print_report
from tnp_migrate.server_cli import server

if TYPE_CHECKING:
    from tnp_migrate.diagnostics.ledger import Report
    from tnp_migrate.program.config import Config
    from tnp_migrate.reports.baseline import OnlyNew
    from tnp_migrate.run import Run
    from tnp_migrate.state import Project
    from tnp_migrate.text.progress import Progress


class _DefaultMigrate(click.Group):
    """`tnp-migrate src/` is `tnp-migrate migrate src/`; whatever goes wrong ends with 2, not with the 1 of findings."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "--version", "-h"):
            args = ["migrate", *args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        gc.disable()  # a third of the time went into looking through syntax trees, which hold no cycles, for cycles
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            _stop("interrupted: files that were not yet written are as they were; the same command goes on from here")
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as error:  # noqa: BLE001  # a mistake of ours is no finding in the user's code
            import traceback  # noqa: PLC0415

            click.echo(traceback.format_exc(), err=True)
            _stop(f"internal error, please report it: {type(error).__name__}: {error}")
        finally:
            gc.enable()


def _say(message: str) -> None:
    click.echo(message.encode("utf-8", "backslashreplace").decode(), err=True)


def _stop(message: str) -> NoReturn:
    raise Stop(message) from None


def _version(context: click.Context, _option: click.Parameter, asked: bool) -> None:  # noqa: FBT001  # as click calls it
    """Say which versions of what this stands on are here: the tool's own needs, then what translated code needs."""
    if not asked or context.resilient_parsing:
        return
    from tnp_migrate.reports.versions import versions  # noqa: PLC0415

    click.echo(versions())
    context.exit()


@click.group(cls=_DefaultMigrate, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show versions.")
def main() -> None:
    """Move NumPy code to TensorFlow's NumPy API (tensorflow.experimental.numpy).

    `tnp-migrate src/` rewrites the code under src/ in place.

    Exit codes: 0 nothing is left to look at, 1 findings of TNP2xx to TNP4xx remain (or --check would change files),
    2 some input could not be worked on.
    """


_SHARED = [
    click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path)),
    click.option("--format", "format_", type=click.Choice(FORMATS), default="text", help="Of the report."),
    click.option("--output", type=click.Path(path_type=Path), help="Write the report to a file."),
    click.option(
        "--report", multiple=True, metavar="FORMAT=FILE", callback=format_and_file(FORMATS), help="A further report."
    ),
    click.option("--select", multiple=True, metavar="CODES", help="Report only these codes (prefixes do)."),
    click.option("--ignore", multiple=True, metavar="CODES", help="Leave these codes out of the report."),
    click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave files out (git's patterns)."),
    click.option("--force-exclude", is_flag=True, help="Leave files out even where they are given by name."),
    click.option("--baseline", type=FILE, metavar="FILE", help="Report only what FILE does not list."),
    click.option("--write-baseline", type=FILE, metavar="FILE", help="List what is found in FILE, as known."),
    click.option("--changed-since", metavar="REV", help="Report only lines changed since a git revision."),
    click.option("--evidence", type=FILE, metavar="DIR", help="Use what a recording has seen of parameters."),
    click.option("--compile", is_flag=True, help="Compile functions that are worth it, chosen by measurement."),
    click.option("--random", type=click.Choice(["numpy", "tensorflow"]), help="Who draws (else NumPy)."),
    click.option("--helpers", type=click.Choice(["vendored", "installed"]), help="A copy (else), or imports."),
    click.option("--no-tensor-methods", is_flag=True, help="Do not give tensors the array methods they lack."),
    click.option("--tensorflow", metavar="VERSION", help="The oldest TensorFlow to run with."),
    click.option("--numpy", metavar="VERSION", help="The oldest NumPy to run with."),
    click.option("--no-cache", is_flag=True, help="Neither take nor keep what runs with the same inputs find."),
    click.option("--jobs", type=click.IntRange(min=1), help="Processes (else one below 20,000 lines)."),
]


def _shared(command: Any) -> Any:
    for option in reversed(_SHARED):
        command = option(command)
    return command


@main.command()
@_shared
@click.option("--diff", is_flag=True, help="Print what would change as a unified diff; write nothing.")
@click.option("--check", "check_only", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
@click.option("--out-dir", type=click.Path(path_type=Path, file_okay=False), help="Write a complete copy there.")
@click.option("--force", is_flag=True, help="Let --out-dir write into a folder that holds other files.")
@click.option("--stage", type=click.Choice(["functional", "backend"]), help="Stop after this stage (else the last).")
@click.option("--clear-outputs", is_flag=True, help="Drop the outputs of notebooks whose cells change.")
@click.option("--allow-dirty", is_flag=True, help="Rewrite files that have uncommitted changes.")
def migrate(paths: tuple[Path, ...], **options: Any) -> None:
    """Rewrite the NumPy code in files and folders (`-` reads standard input).

    The project around them is analysed with them, so that a file gets the same text whichever files are given.
    """
    if options["out_dir"] is not None and (options["diff"] or options["check_only"]):
        raise click.UsageError("--out-dir writes a copy, --diff and --check write nothing")
    if _is_stdin(paths):
        _translate_stdin(_config(paths, options), options)
        return
    _check_paths(paths)
    _check_out_dir(paths, options)
    config = _config(paths, options)
    with _progress() as progress:
        run = _run(paths, config, options, progress, rewrite=True)
        if not options["diff"] and not options["check_only"]:
            progress("writing", 0, len(run.project.outputs))
            _write(run, paths, options)
    if options["diff"]:
        _print_diff(run.project)
    _finish(run.project, options, changed_is_finding=options["check_only"])


@main.command()
@_shared
def check(paths: tuple[Path, ...], **options: Any) -> None:
    """Report on NumPy code in files and folders; change nothing."""
    if _is_stdin(paths):
        from tnp_migrate.project import migrate_text  # noqa: PLC0415

        project = migrate_text(sys.stdin.buffer.read(), _config(paths, options), rewrite=False)
    else:
        _check_paths(paths)
        with _progress() as progress:
            project = _run(paths, _config(paths, options), options, progress, rewrite=False).project
    _finish(project, options)


@main.command()
@click.argument("name", required=False)
@click.option("--test", "tested", type=FILE, metavar="FILE", help="Compare the rules of a file with what they are for.")
@click.option("--python", default=sys.executable, help="The Python in which --test runs, which has the libraries.")
def rule(name: str | None, tested: Path | None, python: str) -> None:
    """Explain a diagnostic (TNP203), or show how a NumPy name is translated (np.median); or test your own rules.

    Exit codes of --test: 0 all rules give what the originals do, 1 some do not, 2 the file cannot be used.
    """
    if (name is None) == (tested is None):
        raise click.UsageError("give a code, a name, or --test FILE")
    if tested is not None:
        sys.exit(_test_rules(tested, python))
    assert name is not None
    from tnp_migrate.reports.translations import explain_name  # noqa: PLC0415

    if re.fullmatch(r"TNP\d+", name, re.IGNORECASE):
        from tnp_migrate.diagnostics.explain import explain  # noqa: PLC0415

        try:
            click.echo(explain(name), nl=False)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        return
    found = explain_name(name)
    if found is None:
        raise click.UsageError(f"NumPy has no public name {name}")
    click.echo(found.rstrip())


def _test_rules(file: Path, python: str) -> int:
    """Test a file of rules, and print what came of it; the exit code."""
    from tnp_migrate.program.config import ConfigError  # noqa: PLC0415
    from tnp_migrate.proof.rule_tests import CannotTest  # noqa: PLC0415
    from tnp_migrate.verification import verify_rules  # noqa: PLC0415

    try:
        found = verify_rules(file, python)
    except (ConfigError, CannotTest) as error:
        _stop(str(error))
    for one in found:
        click.echo("\n".join(one.lines()))
    if not found:
        _stop(f"{file}: holds no rule and no declaration")
    return int(any(one.problems for one in found))


@main.command()
@click.argument("namespace", required=False)
@click.option("--format", "format_", type=click.Choice(["text", "markdown", "json"]), default="text")
def coverage(namespace: str | None, format_: str) -> None:
    """Show what becomes of NumPy's public names, or of those in one NAMESPACE.

    A namespace is linalg, random, ndarray, ufunc and so on; "numpy 1" is what NumPy 2 has removed.
    """
    from tnp_migrate.reports.coverage import render, rows  # noqa: PLC0415

    try:
        found = rows(namespace)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    click.echo(render(found, format_), nl=False)


main.add_command(completion)
main.add_command(explain)
main.add_command(record)
main.add_command(verify)
main.add_command(server)


def _is_stdin(paths: tuple[Path, ...]) -> bool:
    if Path("-") in paths and len(paths) > 1:
        raise click.UsageError("`-`, standard input, goes with no other path")
    return paths == (Path("-"),)


def _config(paths: tuple[Path, ...], options: dict[str, Any]) -> Config:
    from tnp_migrate.program.config import ConfigError, check_codes, check_version, read_config  # noqa: PLC0415

    split = {key: [code for one in options[key] for code in one.split(",")] for key in ("select", "ignore")}
    try:
        config = read_config(paths)
        selected, ignored = (check_codes(codes, f"--{key}") for key, codes in split.items())
        given = [key for key in ("tensorflow", "numpy") if options[key]]
        versions = {key: check_version(key, options[key], f"--{key}") for key in given}
        options["only_new"] = _asked_for_new(paths, options)
    except ConfigError as error:
        _stop(str(error))
    return replace(
        config,
        stage=options.get("stage") or config.stage,
        compile=options["compile"] or config.compile,
        random=options["random"] or config.random,
        helpers=options["helpers"] or config.helpers,
        select=selected or config.select,
        ignore=(*config.ignore, *ignored),
        exclude=(*config.exclude, *options["exclude"]),
        clear_outputs=config.clear_outputs or options.get("clear_outputs", False),
        tensor_methods=config.tensor_methods and not options["no_tensor_methods"],
        jobs=options["jobs"] or config.jobs,
        tensorflow=versions.get("tensorflow", config.tensorflow),
        numpy=versions.get("numpy", config.numpy),
    )


def _check_paths(paths: tuple[Path, ...]) -> None:
    """Stop before anything is done where a word is neither a command nor a path."""
    for path in paths:
        if not os.path.lexists(path):
            _stop(f"{path}: is neither a command nor an existing path{_meant(str(path))}; nothing was done")


def _meant(word: str) -> str:
    """The command that a word may be, misspelt or in the wrong place."""
    from difflib import get_close_matches  # noqa: PLC0415

    nearest = get_close_matches(word, main.commands, 1)
    return f" (did you mean `tnp-migrate {nearest[0]} ...`?)" if nearest else ""


def _check_out_dir(paths: tuple[Path, ...], options: dict[str, Any]) -> None:
    out = options["out_dir"]
    if out is None:
        return
    if any(os.path.abspath(out) == os.path.abspath(path) for path in paths):  # noqa: PTH100  # as discovery names places
        raise click.UsageError("--out-dir is what is to be copied; without it files are rewritten in place")
    if not options["force"] and os.path.isdir(out) and os.listdir(out):  # noqa: PTH112, PTH208
        _stop(f"{out} holds other files; nothing was done. --force writes the copy over them, or name a new folder")


@contextlib.contextmanager
def _progress() -> Iterator[Progress]:
    from tnp_migrate.text.progress import Progress, ticking  # noqa: PLC0415

    with ticking(Progress(sys.stderr)) as progress:
        yield progress


def _run(paths: tuple[Path, ...], config: Config, options: dict[str, Any], progress: Progress, *, rewrite: bool) -> Run:
    from tnp_migrate.run import absolute, run_over  # noqa: PLC0415

    out = options.get("out_dir")
    return run_over(
        paths,
        config,
        rewrite=rewrite,
        force_exclude=options["force_exclude"],
        out=None if out is None else absolute(out),
        evidence=None if options["evidence"] is None else read_evidence(options["evidence"], config),
        progress=progress,
        say=_say,
        cached=not options["no_cache"],
    )


def _write(run: Run, paths: tuple[Path, ...], options: dict[str, Any]) -> None:
    from tnp_migrate.run import Uncommitted, refuse_uncommitted, write_copy, write_in_place  # noqa: PLC0415
    from tnp_migrate.text.writing import UnknownState  # noqa: PLC0415

    if options["out_dir"] is not None:
        write_copy(run, paths, options["out_dir"], _say)
        return
    try:
        if not options["allow_dirty"]:
            refuse_uncommitted(run)
    except UnknownState as error:
        _stop(f"git does not say what is committed ({error}); nothing was written. --allow-dirty goes ahead without")
    except Uncommitted as error:
        _stop(f"{error}. Commit them, or pass --allow-dirty")
    write_in_place(run, _say)


def _print_diff(project: Project) -> None:
    from tnp_migrate.reports.diffs import patch, view, wants_colour  # noqa: PLC0415

    if sys.stdout.isatty():
        for line in view(project, colour=wants_colour()):
            click.echo(line, color=True)
        return
    sys.stdout.buffer.writelines(patch(project))
    sys.stdout.buffer.flush()


def _translate_stdin(config: Config, options: dict[str, Any]) -> None:
    from tnp_migrate.project import migrate_text  # noqa: PLC0415

    if options["out_dir"] is not None:
        raise click.UsageError("--out-dir takes files and folders; standard input is translated to standard output")
    data = sys.stdin.buffer.read()
    project = migrate_text(data, config)
    if options["diff"]:
        _print_diff(project)
    elif not options["check_only"]:
        sys.stdout.buffer.write(project.outputs.get(Path("-"), data))
    options["to_stderr"] = not options["check_only"]
    _finish(project, options, changed_is_finding=options["check_only"])


def _finish(project: Project, options: dict[str, Any], *, changed_is_finding: bool = False) -> None:
    from tnp_migrate.project import report_of  # noqa: PLC0415

    report = _only_new(report_of(project), project.config, options)
    print_report(report, options, err=bool(options.get("to_stderr") or options.get("diff")))
    if report.has_errors:
        sys.exit(2)
    sys.exit(1 if report.needs_attention or (changed_is_finding and project.outputs) else 0)


def _asked_for_new(paths: tuple[Path, ...], options: dict[str, Any]) -> OnlyNew | None:
    """Read the baseline and what changed, before anything is rewritten."""
    asked = [options[key] for key in ("baseline", "changed_since", "write_baseline")]
    if asked == [None, None, None]:
        return None
    from tnp_migrate.reports.baseline import read_only_new  # noqa: PLC0415

    return read_only_new(paths, *asked)


def _only_new(report: Report, config: Config, options: dict[str, Any]) -> Report:
    asked = options["only_new"]
    if asked is None:
        return report
    from tnp_migrate.reports.baseline import BaselineError, only_new  # noqa: PLC0415

    try:
        report = only_new(report, asked, config)
    except BaselineError as error:
        _stop(str(error))
    if options["format_"] == "gitlab":  # a list of issues, with no room for a word
        from tnp_migrate.reports.summary import notes  # noqa: PLC0415

        click.echo("".join(f"{note}\n" for note in notes(report)), nl=False, err=True)
    return report
