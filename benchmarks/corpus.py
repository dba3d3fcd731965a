"""Translate big source trees and check what has to hold for any input.

Nothing crashes, no file is left out but for syntax of another Python, each output parses, the ledger adds up, and
translating the output again changes nothing. Prints the ledger, the names that are flagged most, and the share of
islands. Exit code 1 if a check fails.

With `--each` every path is a project of its own and gets a row; what fails is named below it. Unpacked wheels will do:

    pip download --no-deps --dest wheels control networkx mdtraj pymoo librosa trimesh scikit-image statsmodels
    for wheel in wheels/*; do unzip -qd trees/$(basename $wheel | cut -d- -f1) $wheel; done
    python benchmarks/corpus.py --each trees/*
"""

from __future__ import annotations

import argparse
import ast
import json
import resource
import shutil
import subprocess
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tool import ENVIRONMENT, ROOT, TOOL

BINS = ("renamed", "rewritten", "helper", "kept", "island", "flagged", "suppressed")
OTHER_PYTHON = {"TNP901", "TNP909"}  # a file that does not parse, or is Python 2


@dataclass
class Run:
    """One call of the tool."""

    report: dict[str, Any] = field(default_factory=dict)
    trouble: str = ""
    wall: float = 0.0
    cpu: float = 0.0


def translate(paths: list[Path], output: Path, jobs: int) -> Run:
    """Translate into `output` and read the report."""
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    report = output.with_suffix(".json")
    report.unlink(missing_ok=True)
    command: list[str | Path] = [*TOOL, "migrate", *paths]
    command += ["--out-dir", output, "--format", "json", "--output", report, "--jobs", str(jobs)]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT)
    run = Run(wall=time.perf_counter() - start)
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    run.cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    if "Traceback" in done.stderr or not report.exists():
        run.trouble = done.stderr.strip()[-2000:] or f"exit code {done.returncode} and no report"
    else:
        run.report = json.loads(report.read_text(encoding="utf-8"))
    return run


def unbalanced(report: dict[str, Any]) -> list[str]:
    """Name the ledgers whose bins do not add up, and a total that is not the sum of the files."""
    wrong = [
        file["path"]
        for file in report["files"]
        if file["ledger"]["references"] != sum(file["ledger"][name] for name in BINS)
    ]
    return wrong + [
        f"the total of {name}"
        for name in ("references", *BINS)
        if report["ledger"][name] != sum(file["ledger"][name] for file in report["files"])
    ]


def unparsable(report: dict[str, Any], output: Path) -> list[str]:
    """Name the translated files that Python cannot parse."""
    failed = {file["path"] for file in report["files"] if file["status"] == "error"}
    wrong = []
    for path in sorted(output.rglob("*.py")):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(path.read_bytes())
        except (SyntaxError, ValueError, RecursionError) as error:
            relative = path.relative_to(output).as_posix()
            if not any(name.endswith(relative) for name in failed):
                wrong.append(f"{relative}: {error}")
    return wrong


def changed(once: Path, twice: Path) -> list[str]:
    """Name the files that the second run wrote differently."""
    return [
        path.relative_to(twice).as_posix()
        for path in sorted(twice.rglob("*"))
        if path.is_file()
        and (not (first := once / path.relative_to(twice)).is_file() or first.read_bytes() != path.read_bytes())
    ]


def print_summary(run: Run) -> None:
    """Print ledger, statuses and the most flagged names."""
    report = run.report
    ledger = report["ledger"]
    total = max(ledger["references"], 1)
    print(f"{len(report['files'])} files, {ledger['references']} references, {run.wall:.1f} s ({run.cpu:.1f} s CPU)")
    for name in BINS:
        print(f"  {name:<12}{ledger[name]:>9}{100 * ledger[name] / total:>7.1f} %")
    statuses = Counter(file["status"] for file in report["files"])
    print("  " + ", ".join(f"{count} {status}" for status, count in statuses.most_common()))
    print(f"  {sum(len(file.get('islands', ())) for file in report['files'])} islands")
    print("findings by code")
    for code, count in Counter(finding["code"] for finding in report["findings"]).most_common(25):
        print(f"  {code}{count:>9}")
    print("most flagged names")
    flagged = [finding for finding in report["findings"] if finding["code"][3] in "24"]
    names = Counter((finding["code"], finding["symbol"]) for finding in flagged)
    for (code, name), count in names.most_common(40):
        print(f"  {count:>6}  {code}  {name}")


def left_out(report: dict[str, Any]) -> list[str]:
    """Name what the tool could not process, syntax of another Python apart."""
    return [
        f"{one['path']}:{one['line']}: {one['code']} {one['message']}"
        for one in report["findings"]
        if one["code"].startswith("TNP9") and one["code"] not in OTHER_PYTHON
    ]


def check(paths: list[Path], work: Path, jobs: int) -> tuple[Run, dict[str, list[str]]]:
    """Translate, check, translate the result, check again; what is wrong stands under the name of each check."""
    # a package keeps its name, by which its modules import each other
    name = paths[0].resolve().name if len(paths) == 1 else "."
    once, twice = work / "once" / name, work / "twice" / name
    first = translate(paths, once, jobs)
    if first.trouble:
        return first, {"crashed": [first.trouble]}
    second = translate([once], twice, jobs)
    return first, {
        "left out": left_out(first.report),
        "ledgers that do not add up": unbalanced(first.report),
        "outputs that do not parse": unparsable(first.report, once),
        "crashed on its own output": [second.trouble] if second.trouble else [],
        "changed by a second run": changed(once, twice),
    }


def print_problems(problems: dict[str, list[str]], *, even_none: bool = True) -> None:
    """Print how much each check found, and the first of it."""
    for title, names in problems.items():
        if names or even_none:
            print(f"{title}: {len(names)}")
        for name in names[:20]:
            print(f"  {name}")


def print_row(name: str, run: Run, problems: dict[str, list[str]]) -> None:
    """Print one project's line: what came out, and how much each check found."""
    ledger = run.report.get("ledger", dict.fromkeys(("references", *BINS), 0))
    translated = ledger["renamed"] + ledger["rewritten"] + ledger["helper"]
    native = 100 * translated / max(ledger["references"] - ledger["kept"], 1)
    files = run.report.get("files", ())
    other = len({one["path"] for one in run.report.get("findings", ()) if one["code"] in OTHER_PYTHON})
    found = [len(problems.get(title, ())) for title in ("left out", "ledgers that do not add up")]
    found += [len(problems.get("changed by a second run", ()))]
    found += [sum(map(len, problems.values())) - sum(found)]
    print(
        f"{name:<24}{len(files):>6}{ledger['references']:>8}{native:>9.1f}{other:>8}"
        f"{found[0]:>10}{found[1]:>8}{found[2]:>9}{found[3]:>7}{run.cpu:>8.1f}",
        flush=True,
    )
    print_problems(problems, even_none=False)


def main() -> None:
    """Check the paths as one tree, or each as a project."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, help="folders with Python code")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "corpus", help="where the outputs go")
    parser.add_argument("--jobs", type=int, default=1, help="processes of the tool")
    parser.add_argument("--each", action="store_true", help="each path is a project: a table with a row for each")
    arguments = parser.parse_args()
    if arguments.each:
        print(
            f"{'project':<24}{'files':>6}{'refs':>8}{'native %':>9}{'syntax':>8}{'left out':>10}{'ledger':>8}"
            f"{'2nd run':>9}{'other':>7}{'s CPU':>8}"
        )
        failed = False
        for path in arguments.paths:
            run, problems = check([path], arguments.work / path.resolve().name, arguments.jobs)
            print_row(path.resolve().name, run, problems)
            failed = failed or any(problems.values())
        sys.exit(failed)
    run, problems = check(arguments.paths, arguments.work, arguments.jobs)
    if not run.trouble:
        print_summary(run)
    print_problems(problems)
    sys.exit(any(problems.values()))


if __name__ == "__main__":
    main()
