"""Translate published libraries and run their own tests before and after.

For each NAME[==VERSION] the source distribution is downloaded, its tests are run, its package (without the tests) is
translated, and the same tests are run again. The table tells what passed before and after, how many functions are
islands, how many seconds the tests took, and where the references of the ledger went; below it stands each test that
was lost. With `--stage functional` the translation is still NumPy, its writes in place bound again, and no test may be
lost.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path

from library_table import LIBRARIES, Library
from tool import ENVIRONMENT, TOOL

TEST_LIKE = ("tests", "test", "test_*.py", "*_test.py", "conftest.py")


@dataclass
class Outcome:
    """Results by test id: "" for passed, else the first line of what was raised."""

    tests: dict[str, str] = field(default_factory=dict)
    trouble: str = ""
    seconds: float = 0.0

    @property
    def passed(self) -> set[str]:
        """Ids of the tests that passed."""
        return {name for name, error in self.tests.items() if not error}


@dataclass
class Result:
    """One row of the table."""

    library: Library
    before: Outcome
    after: Outcome = field(default_factory=Outcome)
    ledger: dict[str, int] = field(default_factory=dict)
    islands: int = 0

    @property
    def lost(self) -> dict[str, str]:
        """Tests that passed before and do not pass after, with the reason."""
        return {
            name: self.after.tests.get(name, self.after.trouble or "not run") or "not run"
            for name in sorted(self.before.passed - self.after.passed)
        }


def environment(folder: Path, requirements: list[str]) -> Path:
    """Make an environment that also sees this one's packages (TensorFlow above all); return its Python."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        site = subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        (Path(site) / "development.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    if requirements:
        import numpy as np

        constraint = folder / "constraints.txt"
        constraint.write_text(f"numpy=={np.__version__}\n", encoding="utf-8")
        install: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--constraint", constraint]
        subprocess.run([*install, *requirements], check=True)
    return python


def download(wanted: str, python: Path, downloads: Path) -> bool:
    """Download a source distribution; say whether that went well."""
    command: list[str | Path] = [python, "-m", "pip", "download", "--quiet", "--no-binary", ":all:"]
    return not subprocess.run([*command, "--no-deps", "--dest", downloads, wanted], check=False).returncode


def clone(library: Library, downloads: Path) -> bool:
    """Archive one tag of a repository; say whether that went well."""
    name = f"{library.name}-{library.version}"
    with tempfile.TemporaryDirectory() as scratch:
        command: list[str | Path] = ["git", "clone", "--quiet", "--depth", "1", "--branch", library.tag]
        if subprocess.run([*command, library.repository, Path(scratch) / name], check=False).returncode:
            return False
        shutil.make_archive(str(downloads / name), "gztar", scratch, name)
    return True


def unpack(library: Library, python: Path, cache: Path) -> Path:
    """Download the source distribution once, and unpack it to a fresh folder."""
    wanted = f"{library.name}=={library.version}" if library.version else library.name
    downloads = cache / "sdists" / wanted
    if not downloads.exists():
        downloads.mkdir(parents=True)
        if not (clone(library, downloads) if library.repository else download(wanted, python, downloads)):
            shutil.rmtree(downloads)
            sys.exit(f"{wanted} cannot be downloaded: put an archive of its sources into {downloads}")
    archive = next(downloads.iterdir())
    target = cache / "trees" / wanted
    shutil.rmtree(target, ignore_errors=True)
    if archive.suffix == ".zip":
        shutil.unpack_archive(archive, target)
    else:
        shutil.unpack_archive(archive, target, filter="data")
    return next(path for path in target.iterdir() if path.is_dir())


def run_tests(library: Library, tree: Path, python: Path, arguments: argparse.Namespace) -> Outcome:
    """Run the library's tests in `tree`."""
    report = tree.parent / f"{tree.name}.xml"
    report.unlink(missing_ok=True)
    command: list[str | Path]
    options = [
        "-q",
        "-o",
        "addopts=",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        ".",
        "--timeout",
        f"{arguments.test_limit}",
    ]
    command = [python, "-m", "pytest", *options]
    command += [*library.pytest_options, f"--junitxml={report}", *library.tests]
    surroundings = {**os.environ, "PYTHONPATH": ".", "MPLBACKEND": "Agg", "TF_CPP_MIN_LOG_LEVEL": "3"}
    try:
        done = subprocess.run(
            command, cwd=tree, env=surroundings, capture_output=True, text=True, check=False, timeout=arguments.limit
        )
    except subprocess.TimeoutExpired:
        return Outcome(trouble=f"the run took longer than {arguments.limit} s")
    if not report.exists():
        return Outcome(trouble=(done.stdout + done.stderr).strip().rpartition("\n")[2])
    return read_report(report)


def read_report(report: Path) -> Outcome:
    """Read pytest's XML report."""
    outcome = Outcome()
    for case in ET.parse(report).getroot().iter("testcase"):  # noqa: S314 - pytest has just written it
        name = f"{case.get('classname')}::{case.get('name')}"
        if case.find("skipped") is not None:
            continue
        outcome.seconds += float(case.get("time") or 0)
        problem = case.find("failure") if case.find("failure") is not None else case.find("error")
        message = "" if problem is None else (problem.get("message") or problem.text or "error")
        outcome.tests[name] = message.strip().split("\n")[0][:160]
        if problem is not None and name.startswith("::"):
            outcome.trouble = message.strip().split("\n")[-1][:160]
    return outcome


def translate(library: Library, tree: Path, result: Result, stage: str) -> Path:
    """Translate the package in a copy of the tree; note ledger and islands.

    Its tests stay as they are, and are named as code that uses the results: tensors get the members that they take.
    """
    after = tree.with_name(f"{tree.name}-after")
    shutil.copytree(tree, after)
    ledger = tree.parent / "ledger.json"
    left_out = [word for pattern in TEST_LIKE for word in ("--exclude", pattern)]
    beside = sorted({Path(one).parts[0] for one in library.tests} - {library.package})
    given = [after / one for one in (library.package, *beside)]
    command: list[str | Path] = [*TOOL, "migrate", *given, "--allow-dirty", *left_out]
    command += ["--stage", stage, "--format", "json", "--output", ledger]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=after, env=ENVIRONMENT)
    if done.returncode not in {0, 1} or not ledger.exists():
        result.after.trouble = f"exit code {done.returncode}: {done.stderr.strip().rpartition(chr(10))[2]}"
        return tree
    report = json.loads(ledger.read_text(encoding="utf-8"))
    result.ledger = report["ledger"]
    result.islands = sum(len(file.get("islands", ())) for file in report["files"])
    return after


def measure(library: Library, arguments: argparse.Namespace, python: Path) -> Result:
    """Run one library through."""
    tree = unpack(library, python, arguments.cache)
    result = Result(library, run_tests(library, tree, python, arguments))
    if arguments.before_only:
        result.after = result.before
        return result
    after = translate(library, tree, result, arguments.stage)
    if not result.after.trouble:
        result.after = run_tests(library, after, python, arguments)
    return result


def print_row(result: Result) -> None:
    """Print one library's line of the table, as soon as it is known."""
    bins = ("references", "renamed", "rewritten", "helper", "kept", "island", "flagged", "suppressed")
    name = f"{result.library.name} {result.library.version}"
    ledger = "  ".join(f"{part} {result.ledger[part]}" for part in bins if result.ledger.get(part))
    print(
        f"{name:<32}{len(result.before.tests):>6}{len(result.before.passed):>8}{len(result.after.passed):>7}"
        f"{len(result.lost):>6}{result.islands:>9}{result.before.seconds:>8.1f}{result.after.seconds:>8.1f}  {ledger}",
        flush=True,
    )


def print_lost(results: list[Result]) -> None:
    """Print what went wrong as a whole, then each lost test with the first line of its error."""
    for result in results:
        for title, outcome in (("before", result.before), ("after", result.after)):
            if outcome.trouble:
                print(f"\n{result.library.name}, {title}: {outcome.trouble}")
        if result.lost:
            print(f"\n{result.library.name}: {len(result.lost)} tests lost")
        if not result.after.trouble:
            for name, error in result.lost.items():
                print(f"  {name}: {error}")


def chosen(names: list[str]) -> list[Library]:
    """Find the libraries asked for; all where none is named."""
    libraries = []
    for wanted in names or LIBRARIES:
        name, _, version = wanted.partition("==")
        if name not in LIBRARIES:
            sys.exit(f"{name} is not in library_table.py: {', '.join(LIBRARIES)}")
        known = LIBRARIES[name]
        fields = {**vars(known), "version": version or known.version}
        libraries.append(Library(**fields))
    return libraries


def main() -> None:
    """Parse the command line, run each library and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", metavar="NAME[==VERSION]", help="libraries of library_table.py; default all"
    )
    cache = Path.home() / ".cache" / "tnp-migrate" / "libraries"
    parser.add_argument("--cache", type=Path, default=cache, help="where sdists and trees go")
    parser.add_argument("--limit", type=int, default=1800, help="seconds for one run of a library's tests")
    parser.add_argument("--test-limit", type=int, default=120, help="seconds for one test; eager tensors are slow")
    parser.add_argument("--stage", choices=["functional", "backend"], default="backend", help="where to stop")
    parser.add_argument("--before-only", action="store_true", help="only run the tests of the originals")
    arguments = parser.parse_args()
    arguments.cache = arguments.cache.resolve()
    libraries = chosen(arguments.names)
    requirements = sorted({requirement for library in libraries for requirement in library.requirements})
    python = environment(arguments.cache / "venv", requirements)
    results = []
    print(
        f"{'library':<32}{'tests':>6}{'before':>8}{'after':>7}{'lost':>6}{'islands':>9}{'s':>8}{'s after':>8}  ledger",
        flush=True,
    )
    for library in libraries:
        results.append(measure(library, arguments, python))
        print_row(results[-1])
    print_lost(results)
    sys.exit(1 if any(result.lost for result in results) else 0)


if __name__ == "__main__":
    main()
