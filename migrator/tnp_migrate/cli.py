"""The command line: parse, call, print, exit code. 0 nothing left to look at, 1 findings remain, 2 input errors."""

from __future__ import annotations

import gc
import os
import re
import sys
from dataclasses import replace
from errno import ELOOP
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from tnp_migrate import __version__

if TYPE_CHECKING:
    from tnp_migrate.diagnostics.ledger import Report
    from tnp_migrate.program.config import Config
    from tnp_migrate.project import Project
    from tnp_migrate.reports.baseline import OnlyNew
    from tnp_migrate.text.discovery import Found

FORMATS = ["text", "json", "sarif", "github", "gitlab", "markdown", "html"]
_FILE = click.Path(path_type=Path)


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
            _stop("interrupted: files that were not yet written are as they were")
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as error:  # noqa: BLE001  # a mistake of ours is no finding in the user's code
            import traceback  # noqa: PLC0415

            click.echo(traceback.format_exc(), err=True)
            _stop(f"internal error, please report it: {type(error).__name__}: {error}")
        finally:
            gc.enable()


def _stop(message: str) -> NoReturn:
    click.echo(f"error: {message}".encode("utf-8", "backslashreplace").decode(), err=True)
    sys.exit(2)


@click.group(cls=_DefaultMigrate, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tnp-migrate")
def main() -> None:
    """Move NumPy code to TensorFlow's NumPy API (tensorflow.experimental.numpy).

    `tnp-migrate src/` rewrites the code under src/ in place.

    Exit codes: 0 nothing is left to look at, 1 findings of TNP2xx to TNP4xx remain (or --check would change files),
    2 some input could not be worked on.
    """


def _shared(command: Any) -> Any:
    for option in reversed(
        [
            click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path)),
            click.option("--format", "format_", type=click.Choice(FORMATS), default="text", help="Of the report."),
            click.option("--output", type=click.Path(path_type=Path), help="Write the report to a file."),
            click.option("--select", multiple=True, metavar="CODES", help="Report only these codes (prefixes do)."),
            click.option("--ignore", multiple=True, metavar="CODES", help="Leave these codes out of the report."),
            click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave files out (git's patterns)."),
            click.option("--force-exclude", is_flag=True, help="Leave files out even where they are given by name."),
            click.option("--baseline", type=_FILE, metavar="FILE", help="Report only what FILE does not list."),
            click.option("--write-baseline", type=_FILE, metavar="FILE", help="List what is found in FILE, as known."),
            click.option("--changed-since", metavar="REV", help="Report only lines changed since a git revision."),
            click.option("--random", type=click.Choice(["numpy", "tensorflow"]), help="Who draws (else NumPy)."),
            click.option("--no-tensor-methods", is_flag=True, help="Do not give tensors the array methods they lack."),
            click.option("--tensorflow", metavar="VERSION", help="The oldest TensorFlow to run with."),
            click.option("--numpy", metavar="VERSION", help="The oldest NumPy to run with."),
            click.option("--jobs", type=click.IntRange(min=1), help="Processes (else one below 20,000 lines)."),
        ]
    ):
        command = option(command)
    return command


@main.command()
@_shared
@click.option("--diff", is_flag=True, help="Print what would change as a unified diff; write nothing.")
@click.option("--check", "check_only", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
@click.option("--out-dir", type=click.Path(path_type=Path, file_okay=False), help="Write a complete copy there.")
@click.option("--stage", type=click.Choice(["functional", "backend"]), help="Stop after this stage (else the last).")
@click.option("--allow-dirty", is_flag=True, help="Rewrite files that have uncommitted changes.")
def migrate(paths: tuple[Path, ...], **options: Any) -> None:
    """Rewrite the NumPy code in files and folders (`-` reads standard input)."""
    if options["out_dir"] is not None and (options["diff"] or options["check_only"]):
        raise click.UsageError("--out-dir writes a copy, --diff and --check write nothing")
    config = _config(paths, options)
    if _is_stdin(paths):
        _translate_stdin(config, options)
        return
    project = _run(paths, config, options, rewrite=True)
    if options["diff"]:
        _print_diff(project)
    elif not options["check_only"]:
        _write(project, paths, options)
    _finish(project, options, changed_is_finding=options["check_only"])


@main.command()
@_shared
def check(paths: tuple[Path, ...], **options: Any) -> None:
    """Report on NumPy code in files and folders; change nothing."""
    config = _config(paths, options)
    if _is_stdin(paths):
        from tnp_migrate.project import migrate_text  # noqa: PLC0415

        project = migrate_text(sys.stdin.buffer.read(), config, rewrite=False)
    else:
        project = _run(paths, config, options, rewrite=False)
    _finish(project, options)


@main.command()
@click.argument("name")
def rule(name: str) -> None:
    """Explain a diagnostic (TNP203), or show how a NumPy name is translated (np.median)."""
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
        random=options["random"] or config.random,
        select=selected or config.select,
        ignore=(*config.ignore, *ignored),
        exclude=(*config.exclude, *options["exclude"]),
        tensor_methods=config.tensor_methods and not options["no_tensor_methods"],
        jobs=options["jobs"] or config.jobs,
        tensorflow=versions.get("tensorflow", config.tensorflow),
        numpy=versions.get("numpy", config.numpy),
    )


def _run(paths: tuple[Path, ...], config: Config, options: dict[str, Any], *, rewrite: bool) -> Project:
    from tnp_migrate.text.discovery import Excluded, discover, unusable  # noqa: PLC0415

    problems = unusable(paths)
    given = [path for path in paths if path not in {problem[0] for problem in problems}]

    def unread(path: Path, error: OSError) -> None:
        loop = "symbolic links form a loop"
        other = (path, "TNP903", f"cannot be read: {error.strerror}")
        problems.append((path, "TNP907", loop) if error.errno == ELOOP else other)

    found = discover(given, Excluded(config.exclude, config.folder, options["force_exclude"]), unread)
    out = options.get("out_dir")
    if out is not None:
        out = Path(os.path.abspath(out))  # noqa: PTH100  # as discovery names places
        if any(out == Path(os.path.abspath(path)) for path in given):  # noqa: PTH100
            raise click.UsageError("--out-dir is what is to be copied; without it files are rewritten in place")
        found = [one for one in found if out not in one.location.parents]  # the copy of an earlier run
    known = {one.location for one in found}
    readers = [one for one in discover(given) if one.location not in known] if config.exclude else []
    project = _migrate(found, config, readers, rewrite=rewrite)
    for path, code, message in problems:
        project.fail(path, code, message)
    return project


def _migrate(found: list[Found], config: Config, readers: list[Found], *, rewrite: bool) -> Project:
    from tnp_migrate.project import migrate as run  # noqa: PLC0415

    if not sys.stderr.isatty() or len(found) <= 20:  # a few files need no bar
        return run(found, config, readers, rewrite=rewrite)
    with click.progressbar(length=1000, label="Translating", file=sys.stderr) as bar:
        done = 0

        def progress(position: int, total: int) -> None:
            nonlocal done
            step = position * 1000 // total - done
            done += step
            bar.update(step)

        return run(found, config, readers, rewrite=rewrite, progress=progress)


def _write(project: Project, paths: tuple[Path, ...], options: dict[str, Any]) -> None:
    from tnp_migrate.rewriting.helpers import FILE_NAME  # noqa: PLC0415
    from tnp_migrate.text.copying import copy_project  # noqa: PLC0415
    from tnp_migrate.text.writing import write_atomically  # noqa: PLC0415

    outputs = project.outputs
    if options["out_dir"] is not None:
        given = [path for path in paths if path.exists()]
        outputs = copy_project(given, options["out_dir"], outputs, project.unwritten)
    elif not options["allow_dirty"]:
        _refuse_uncommitted(outputs)
    for path in sorted(outputs, key=lambda path: (path.name != FILE_NAME, path)):  # first what the others import
        try:
            write_atomically(path, outputs[path])
        except OSError as error:
            project.unwritten(path, error)


def _refuse_uncommitted(outputs: dict[Path, bytes]) -> None:
    from tnp_migrate.text.writing import UnknownState, uncommitted  # noqa: PLC0415

    try:
        dirty = uncommitted(outputs)
    except UnknownState as error:
        _stop(f"git does not say what is committed ({error}); nothing was written. --allow-dirty goes ahead without")
    if dirty:
        names = ", ".join(str(path) for path in dirty[:5]) + (", ..." if len(dirty) > 5 else "")
        _stop(f"TNP912 uncommitted changes in {names}; nothing was written. Commit them, or pass --allow-dirty")


def _print_diff(project: Project) -> None:
    from difflib import diff_bytes, unified_diff  # noqa: PLC0415

    out = sys.stdout.buffer
    for path, data in sorted(project.outputs.items()):
        before, shown = project.before(path), os.fsencode(project.shown(path))
        old, new = (re.findall(rb"[^\n]*\n|[^\n]+", text) for text in (before or b"", data))
        origin = b"/dev/null" if before is None else b"a/" + shown
        for line in diff_bytes(unified_diff, old, new, origin, b"b/" + shown):
            out.write(line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n")
    out.flush()


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
    _print_report(report, options)
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


def _print_report(report: Report, options: dict[str, Any]) -> None:
    from tnp_migrate.reports import render  # noqa: PLC0415

    text = render(report, options["format_"])
    if options["output"] is None:
        click.echo(text, nl=False, err=bool(options.get("to_stderr") or options.get("diff")))
        return
    try:
        options["output"].write_text(text, encoding="utf-8")
    except OSError as error:
        _stop(f"{options['output']}: the report cannot be written: {error.strerror}")
