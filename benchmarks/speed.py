"""CPU time of the tool beside what any tool of its kind has to pay, on one tree in one run.

`ast.parse` of every file is the unit. The other yardstick is LibCST with its scope and qualified name providers. The
budgets: `check` at most 3 units and `migrate` at most 4, and `tnp-migrate --version` at most 0.08 s.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import warnings
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


def cost_of(command: list[str | Path], given: str = "") -> Cost:
    """Run a process and ask the system what it used."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as source, Path(os.devnull).open("wb") as nowhere:
        source.write(given.encode())
        source.seek(0)
        process = subprocess.Popen(command, stdin=source, stdout=nowhere, stderr=nowhere, env=ENVIRONMENT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, process.returncode)


def least(command: list[str | Path], given: str, repeat: int) -> Cost:
    """Take the run with the least CPU time; the others were disturbed."""
    return min((cost_of(command, given) for _ in range(repeat)), key=lambda cost: cost.cpu)


def python_files(paths: list[Path]) -> list[Path]:
    """All .py files below the paths."""
    return sorted(file for path in paths for file in ([path] if path.is_file() else path.rglob("*.py")))


def main() -> None:
    """Measure and print one line a program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, help="a tree of Python files")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each program; the fastest counts")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    files = python_files(arguments.paths)
    lines = sum(file.read_bytes().count(b"\n") for file in files)
    names = "\0".join(map(str, files))
    print(f"{len(files)} files, {lines} lines")
    start_up = least([*TOOL, "--version"], "", arguments.repeat)
    with tempfile.TemporaryDirectory() as scratch:
        output, ledger = Path(scratch) / "out", Path(scratch) / "report.json"
        report: list[str | Path] = ["--format", "json", "--output", ledger, "--jobs", "1"]
        programs: dict[str, list[str | Path]] = {
            "ast.parse": [sys.executable, "-c", AST],
            "libcst + scopes": [sys.executable, "-c", LIBCST],
            "tnp-migrate check": [*TOOL, "check", *arguments.paths, *report],
            "tnp-migrate migrate": [*TOOL, "migrate", *arguments.paths, "--out-dir", output, *report],
        }
        unit = 0.0
        print(f"{'program':<22}{'CPU s':>8}{'wall s':>8}{'lines/s':>10}{'x ast':>8}{'MB':>7}")
        for title, command in programs.items():
            cost = least(command, names, arguments.repeat)
            unit = unit or cost.cpu
            if title.startswith("tnp-migrate") and not ledger.exists():
                sys.exit(f"{title} failed with exit code {cost.code}")
            ledger.unlink(missing_ok=True)
            failed = "  exit code 2: some input was not worked on" if cost.code > 1 else ""
            print(
                f"{title:<22}{cost.cpu:>8.2f}{cost.wall:>8.2f}{lines / cost.cpu:>10.0f}{cost.cpu / unit:>8.2f}"
                f"{cost.megabytes:>7.0f}{failed}"
            )
    print(f"start-up: {start_up.cpu:.3f} s CPU, {start_up.megabytes:.0f} MB")


if __name__ == "__main__":
    main()
