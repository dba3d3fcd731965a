"""CPU time and memory of the tool on trees, each in a process of its own, beside what any such tool has to pay.

`ast.parse` of every file, in a process too, is the unit; the other yardsticks are LibCST with scopes and qualified
names, and `--mypy`, which has `mypy --strict` check the tree cold and warm. `--again` checks a copy of the tree with a
warm cache, and again with one file changed. `lost` counts the files, or parts, that could not be worked on. `--beside`
measures another checkout in the same run, of an earlier revision say: `git worktree add ../before REVISION`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tool import ENVIRONMENT, TOOL

AST = """
import ast, pathlib, sys, warnings
warnings.simplefilter("ignore")
for path in sys.stdin.read().split("\\0"):
    try:
        ast.parse(pathlib.Path(path).read_bytes())
    except (SyntaxError, ValueError, RecursionError):
        pass
"""
LIBCST = """
import pathlib, sys
from libcst import MetadataWrapper, ParserSyntaxError, parse_module
from libcst.metadata import QualifiedNameProvider, ScopeProvider
for path in sys.stdin.read().split("\\0"):
    try:
        wrapper = MetadataWrapper(parse_module(pathlib.Path(path).read_bytes()), unsafe_skip_copy=True)
        wrapper.resolve_many([ScopeProvider, QualifiedNameProvider])
    except (ParserSyntaxError, UnicodeDecodeError, RecursionError):
        pass
"""


@dataclass(frozen=True)
class Cost:
    """What one process used."""

    cpu: float
    wall: float
    megabytes: float
    code: int


def cost_of(command: list[str | Path], given: str = "", environment: dict[str, str] = ENVIRONMENT) -> Cost:
    """Run a process and ask the system what it used."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as source, Path(os.devnull).open("wb") as nowhere:
        source.write(given.encode())
        source.seek(0)
        process = subprocess.Popen(command, stdin=source, stdout=nowhere, stderr=nowhere, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, process.returncode)


def least(command: list[str | Path], given: str, repeat: int, environment: dict[str, str] = ENVIRONMENT) -> Cost:
    """Take the run with the least CPU time; the others were disturbed."""
    return min((cost_of(command, given, environment) for _ in range(repeat)), key=lambda cost: cost.cpu)


def python_files(paths: list[Path]) -> list[Path]:
    """All .py files below the paths."""
    return sorted(file for path in paths for file in ([path] if path.is_file() else path.rglob("*.py")))


@dataclass(frozen=True)
class Run:
    """One run of the tool on a tree: what it cost, the references in its report, the files that it could not do."""

    cost: Cost
    references: int
    lost: int


def run(tree: Path, mode: str, repeat: int, checkout: Path | None = None) -> Run:
    """Check or migrate a tree, in a process of its own; the output goes nowhere. `checkout` is of another revision."""
    with tempfile.TemporaryDirectory() as scratch:
        ledger = Path(scratch) / "report.json"
        into = ["--out-dir", Path(scratch) / "out"] if mode == "migrate" else []
        command = [*TOOL, mode, tree, *into, "--format", "json", "--output", ledger, "--jobs", "1"]
        if checkout is None:
            cost = least([*command, "--no-cache"], "", repeat)
        else:  # which may be older than the cache
            places = os.pathsep.join([str(checkout / "migrator"), str(checkout / "rules")])
            cost = least(command, "", repeat, {**ENVIRONMENT, "PYTHONPATH": places, "XDG_CACHE_HOME": scratch})
        if not ledger.exists():
            sys.exit(f"{mode} of {tree} failed with exit code {cost.code}")
        report = json.loads(ledger.read_text())
    lost = sum(one["code"].startswith("TNP9") for one in report["findings"])
    return Run(cost, report["ledger"]["references"], lost)


def run_again(tree: Path, repeat: int) -> list[Cost]:
    """Check a copy of a tree that has been checked before, and with one of its files changed since."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "tree" / tree.name
        shutil.copytree(tree, copy)
        command: list[str | Path] = [
            *TOOL,
            "check",
            copy,
            "--format",
            "json",
            "--output",
            Path(scratch) / "report.json",
            "--jobs",
            "1",
        ]
        environment = {**ENVIRONMENT, "XDG_CACHE_HOME": scratch}
        cost_of(command, "", environment)
        warm = least(command, "", repeat, environment)
        files = python_files([copy])
        with files[len(files) // 2].open("a") as file:
            file.write("\n\nCHANGED = True\n")
        return [warm, cost_of(command, "", environment)]


def run_mypy(tree: Path, repeat: int) -> list[Cost]:
    """Have mypy check a tree by itself, without what it imports: with an empty cache, and again."""
    with tempfile.TemporaryDirectory() as scratch:
        command: list[str | Path] = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=skip"]
        command += ["--ignore-missing-imports", "--explicit-package-bases", "--cache-dir", scratch, tree]
        return [cost_of(command), least(command, "", repeat)]


def main() -> None:
    """Measure each tree and print a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path, help="folders of Python files, a line for each")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each program; the fastest counts")
    parser.add_argument("--rewrite", action="store_true", help="`migrate --out-dir` as well")
    parser.add_argument("--again", action="store_true", help="a warm cache, and one file changed, as well")
    parser.add_argument("--mypy", action="store_true", help="`mypy --strict`, cold and warm, as well")
    parser.add_argument("--libcst", action="store_true", help="LibCST with scopes and qualified names as well")
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT", help="`check` of another checkout of ours as well")
    arguments = parser.parse_args()
    start_up = least([*TOOL, "--version"], "", arguments.repeat)
    print(f"start-up: {start_up.cpu:.3f} s CPU, {start_up.megabytes:.0f} MB")
    columns = [
        *(["before"] if arguments.beside else []),
        "check",
        *(["rewrite"] if arguments.rewrite else []),
        *(["warm", "changed"] if arguments.again else []),
        *(["mypy", "again"] if arguments.mypy else []),
        *(["libcst"] if arguments.libcst else []),
    ]
    print(
        f"{'tree':<18}{'lines':>8}{'files':>6}{'refs':>6}{'lost':>5}",
        *([f"{'':>9}"] if arguments.beside else []),
        *(f"{title + ' s':>10}{'x ast':>7}{'MB':>6}" for title in columns),
    )
    for tree in arguments.trees:
        files = python_files([tree])
        lines = sum(file.read_bytes().count(b"\n") for file in files)
        names = "\0".join(map(str, files))
        unit = least([sys.executable, "-c", AST], names, arguments.repeat).cpu
        checked = run(tree, "check", arguments.repeat)
        before = [run(tree, "check", arguments.repeat, arguments.beside)] if arguments.beside else []
        costs = [*(one.cost for one in before), checked.cost]
        costs += [run(tree, "migrate", arguments.repeat).cost] if arguments.rewrite else []
        costs += run_again(tree, arguments.repeat) if arguments.again else []
        costs += run_mypy(tree, arguments.repeat) if arguments.mypy else []
        costs += [least([sys.executable, "-c", LIBCST], names, arguments.repeat)] if arguments.libcst else []
        print(
            f"{tree.name:<18}{lines:>8}{len(files):>6}{checked.references:>6}{checked.lost:>5}",
            *(f"{f'{one.lost} lost' if one.lost else '':>9}" for one in before),
            *(f"{one.cpu:>10.2f}{one.cpu / unit:>7.0f}{one.megabytes:>6.0f}" for one in costs),
            flush=True,
        )


if __name__ == "__main__":
    main()
