"""NumPy's own tests as judge of the rules.

For each file of tests that NumPy installs (`lib/test_function_base`, `linalg/test_linalg`, ...) the tests are run as
they are, and again with every function that the rulebook covers bound to what the translator would write: the
arguments become tensors, the rule or plain tnp computes, the result goes back to the test as NumPy values. A call with
a parameter that the translator flags stays on NumPy, as it says. No expectation is edited. Each call is also compared
with NumPy's own result, which tells why a test fails.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from importlib import metadata, util
from pathlib import Path
from typing import Any

from numpy_tests_classes import CLASSES, GROUPS, class_of
from tool import ENVIRONMENT

FILES = """
    _core/test_numeric _core/test_umath _core/test_ufunc _core/test_multiarray _core/test_shape_base _core/test_einsum
    _core/test_function_base _core/test_item_selection _core/test_indexing _core/test_nep50_promotions
    _core/test_umath_complex _core/test_half _core/test_umath_accuracy _core/test_regression
    lib/test_arraypad lib/test_arraysetops lib/test_function_base lib/test_histograms lib/test_index_tricks
    lib/test_nanfunctions lib/test_packbits lib/test_polynomial lib/test_regression lib/test_shape_base
    lib/test_stride_tricks lib/test_twodim_base lib/test_type_check lib/test_ufunclike
    linalg/test_linalg linalg/test_regression fft/test_helper fft/test_pocketfft
""".split()
Line = dict[str, Any]


@dataclass
class Result:
    """One file: its tests by name with NumPy and with the rules."""

    file: str
    plain: dict[str, Line] = field(default_factory=dict)
    ruled: dict[str, Line] = field(default_factory=dict)

    @property
    def passed(self) -> list[str]:
        """Tests that pass with NumPy."""
        return [name for name, line in self.plain.items() if line["outcome"] == "passed"]

    @property
    def judging(self) -> list[Line]:
        """Those of them that reach a rule; what did not even run, or died, is judged as well."""
        lines = [self.ruled.get(name, {"outcome": "failed", "error": "not collected"}) for name in self.passed]
        return [line for line in lines if line.get("calls") or line["outcome"] != "passed"]

    @property
    def failures(self) -> dict[str, list[Line]]:
        """Tests that the rules fail, by class."""
        found: dict[str, list[Line]] = {}
        for line in self.judging:
            if line["outcome"] != "passed":
                found.setdefault(class_of(line), []).append(line)
        return found


def test_file(name: str) -> Path:
    """Find `lib/test_histograms` where NumPy is installed."""
    spec = util.find_spec("numpy")
    assert spec is not None
    assert spec.origin is not None
    folder, _, file = name.removesuffix(".py").rpartition("/")
    return Path(spec.origin).parent / folder / "tests" / f"{file}.py"


def run(path: Path, out: Path, limit: int, *, rules: bool, only: str = "") -> dict[str, Line]:
    """Run one file in its own process, and in another where that died, until each test has its line."""
    while True:
        died = _process(path, out, limit, rules=rules, only=only)
        lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] if out.exists() else []
        if not died:
            return {line["test"]: line for line in lines}
        now = Path(f"{out}.now")
        if not now.exists() or any(line["test"] == now.read_text(encoding="utf-8") for line in lines):
            print(died, file=sys.stderr)
            return {line["test"]: line for line in lines}
        crashed = {"test": now.read_text(encoding="utf-8"), "outcome": "failed", "error": died, "calls": 1}
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(crashed) + "\n")


def _process(path: Path, out: Path, limit: int, *, rules: bool, only: str) -> str:
    """Give why the process died, nothing when it came to its end."""
    environment = {**ENVIRONMENT, "NUMPY_TESTS_OUT": str(out), "NUMPY_TESTS_RULES": str(int(rules))}
    environment["PYTHONPATH"] += os.pathsep + str(Path(__file__).parent)
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
    command += ["-p", "no:xdist", "-p", "numpy_tests_plugin", f"--timeout={limit}", "-m", "not slow", "-c", os.devnull]
    command += ["--rootdir", str(path.parent), str(path), *(["-k", only] if only else [])]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, cwd=out.parent, stdin=subprocess.DEVNULL
    )
    if done.returncode in (0, 1, 5):
        return ""
    return f"the process ended with {done.returncode}: {(done.stderr + done.stdout)[-300:]}"


def table(results: list[Result]) -> str:
    """The Markdown table: a row for each file, a column for each group of classes of failures."""
    head = ["file", "tests", "NumPy passes", "reach a rule", "rules pass", "share", "left on NumPy", *GROUPS]
    lines = [head, ["---", *["---:"] * (len(head) - 1)]]
    rows = [_row(one) for one in results]
    if len(rows) > 1:
        total = [sum(int(row[place]) for row in rows) for place in (1, 2, 3, 4, *range(6, len(head)))]
        rows.append(["total", *map(str, total[:4]), _share(total[3], total[2]), *map(str, total[4:])])
    return "\n".join(f"| {' | '.join(line)} |" for line in [*lines, *rows])


def _row(one: Result) -> list[str]:
    judging = one.judging
    passed = sum(line["outcome"] == "passed" for line in judging)
    left = sum(bool(line.get("left")) for line in judging)
    counts = [len(one.plain), len(one.passed), len(judging), passed]
    failures = one.failures
    failed = [str(sum(len(failures.get(name, ())) for name in names)) for names in GROUPS.values()]
    return [one.file, *map(str, counts), _share(passed, len(judging)), str(left), *failed]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"


def counts(results: list[Result]) -> str:
    """How many tests fail in each class."""
    found = {name: sum(len(one.failures.get(name, ())) for one in results) for name in CLASSES}
    return "\n".join(f"* {count} {name}" for name, count in found.items() if count)


def details(results: list[Result], classes: list[str]) -> str:
    """The functions at fault by class, most tests first, with one test each."""
    parts = []
    for name in classes:
        blamed: Counter[str] = Counter()
        example: dict[str, str] = {}
        for one in results:
            for line in one.failures.get(name, ()):
                function, text = blame(line, name)
                blamed[function] += 1
                example.setdefault(function, f"{one.file}::{line['test']}: {text}")
        if blamed:
            parts.append(f"\n## {name}\n")
            parts += [f"* {count} {function}: {example[function]}" for function, count in blamed.most_common()]
    return "\n".join(parts)


def blame(line: Line, name: str) -> tuple[str, str]:
    """The function that a failure is laid at, and what was seen."""
    for function, kind, detail in line.get("events", ()):
        if CLASSES[name].holds(kind, detail):
            return function, f"{kind}: {detail}"
    return "-", line.get("error", "").replace("\n", " ")[:200]


def main() -> None:
    """Run the files named, print the table and what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", default=FILES, help="lib/test_histograms; default: all")
    parser.add_argument("--limit", type=int, default=30, help="seconds for each test (30)")
    parser.add_argument("--only", default="", help="an expression that chooses tests, as pytest's -k")
    parser.add_argument("--details", nargs="*", choices=list(CLASSES), help="functions at fault in these classes")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the outcomes; what is there is not run again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (given.keep or Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        results = []
        for name in given.files or FILES:
            began = time.monotonic()
            stem = name.replace("/", "_")
            outs = [folder / f"{stem}.{kind}.jsonl" for kind in ("numpy", "rules")]
            lines = [
                run(test_file(name), out, given.limit, rules=rules, only=given.only)
                for out, rules in zip(outs, (False, True), strict=True)
            ]
            results.append(Result(name, *lines))
            print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    versions = " ".join(f"{one} {metadata.version(one)}" for one in ("numpy", "tensorflow"))
    print(f"{versions}, Python {sys.version.split()[0]}\n\n{table(results)}\n\n{counts(results)}")
    print(details(results, list(CLASSES) if given.details == [] else given.details or []))


if __name__ == "__main__":
    main()
