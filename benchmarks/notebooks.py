"""Translate published notebooks, run them before and after, and compare cell by cell.

    python benchmarks/notebooks.py FOLDER [--python PYTHON] [--jobs 2] [--only TEXT] [--most N]

Every notebook below FOLDER that names NumPy is copied with what lies beside it, run, translated, and run again in a
shell of PYTHON, which needs IPython, Matplotlib, NumPy and TensorFlow. Where something differs the original is run a
second time, and what differs then as well is not compared. A cell is *equal* where value, dtype and shape of all
variables and of its last expression are NumPy's, and what it prints, but for rounding; *said* where they are not, or it
raises, and the report has a finding of the cell, of one whose function it calls, or of the first one that is not equal;
*wrong* or *raises* where it has none; *not run* where the original raises as well. Below a notebook stands its first
cell that is not equal. Notebooks that do not name NumPy are translated all together, and must keep their bytes. FILE
gets all of it as JSON, with each cell that is not equal.
"""

from __future__ import annotations

import argparse
import json
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from tool import ENVIRONMENT, TOOL

STATES = ("equal", "said", "wrong", "raises", "not run")
_SHOWS_TEXT = re.compile(r"^\s*[!%]|\bhelp\(|\?$", re.MULTILINE)  # folders, variables' types, pages of functions
_LEAVES_OPEN = re.compile(r"\bempty(_like)?\(")  # what the memory happens to hold
_NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")


@dataclass
class Result:
    """What became of one notebook: its cells by state, the ledger, and the cells that are not equal."""

    name: str
    cells: Counter[str] = field(default_factory=Counter)
    ledger: dict[str, int] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)
    trouble: str = ""


def main() -> None:
    """Run all, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default=sys.executable, help="with IPython and Matplotlib (this one)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="a part of the path of those to run")
    parser.add_argument("--most", type=int, default=0, help="how many (all)")
    parser.add_argument("--seconds", type=int, default=300, help="for one run of a notebook")
    parser.add_argument("--output", type=Path, help="a file that gets the results as JSON")
    given = parser.parse_args()
    every = [path for path in sorted(given.folder.rglob("*.ipynb")) if ".ipynb_checkpoints" not in path.parts]
    every = [path for path in every if given.only in str(path)]
    paths = [path for path in every if _names_numpy(path)][: given.most or None]
    results = []
    here = threading.local()

    def measured(path: Path) -> Result:
        here.runner = getattr(here, "runner", None) or _Runner(given.python, given.seconds)
        return _measure(path, given.folder, here.runner)

    with ThreadPoolExecutor(given.jobs) as pool:
        for result in pool.map(measured, paths):
            results.append(result)
            _print(result)
            _write(given.output, results)
    total = _total(results)
    print(f"\n{len(results)} notebooks: " + ", ".join(f"{total[state]} {state}" for state in STATES))
    others = [path for path in every if not _names_numpy(path)]
    kept = _kept(others)
    print(f"{kept} of {len(others)} notebooks without NumPy keep their bytes")
    _write(given.output, results, [kept, len(others)])


def _total(results: list[Result]) -> Counter[str]:
    return sum((one.cells for one in results), Counter[str]())


def _write(output: Path | None, results: list[Result], untouched: list[int] | None = None) -> None:
    """Write what is known so far: a run over many notebooks takes an hour, and may be ended."""
    if output is not None:
        document = {"notebooks": [vars(one) for one in results], "total": _total(results), "untouched": untouched}
        output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def _kept(paths: list[Path]) -> int:
    """How many notebooks are the same, byte for byte, after a run over all of them."""
    with tempfile.TemporaryDirectory() as scratch:
        copies = {path: Path(scratch) / f"{number}.ipynb" for number, path in enumerate(paths)}
        for path, copied in copies.items():
            shutil.copy2(path, copied)
        command = [*TOOL, "migrate", scratch, "--allow-dirty"]
        subprocess.run(command, capture_output=True, env=ENVIRONMENT, check=False)
        return sum(path.read_bytes() == copied.read_bytes() for path, copied in copies.items())


def _names_numpy(path: Path) -> bool:
    return b"numpy" in path.read_bytes()


def _print(result: Result) -> None:
    counts = " ".join(f"{result.cells[state]:4}" for state in STATES)
    print(f"{counts}  island {result.ledger.get('island', 0):3}  {result.name}", flush=True)
    if result.differences or result.trouble:
        print(f"      {result.trouble or result.differences[0]}", flush=True)


def _measure(path: Path, folder: Path, runner: _Runner) -> Result:
    result = Result(str(path.relative_to(folder)))
    with tempfile.TemporaryDirectory() as scratch:
        places = [Path(scratch) / name for name in ("before", "again", "after")]
        for place in places:
            _copy(path.parent, place)
        try:
            findings = _translate(places[2] / path.name, result)
            before, after = (runner.run(place / path.name) for place in (places[0], places[2]))
            again = before if _alike(before, after) else runner.run(places[1] / path.name)
            _leave_out(path, again)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            result.trouble = str(error).strip().split("\n")[-1][:200]
            return result
    _compare(result, [before, again, after], {one["cell"] for one in findings})
    return result


def _leave_out(path: Path, run: dict[int, dict[str, Any]]) -> None:
    """Take out what cells print that is not computed: a folder's files, the types of variables, the page of a name."""
    for number, cell in enumerate(json.loads(path.read_bytes())["cells"], 1):
        for pattern, name in ((_SHOWS_TEXT, "what the cell prints"), (_LEAVES_OPEN, "the cell's value")):
            if number in run and pattern.search("".join(cell["source"])):
                run[number]["values"].pop(name, None)


def _copy(source: Path, target: Path) -> None:
    """Copy the files beside a notebook, and small folders: data and modules that it reads."""
    target.mkdir()
    for entry in source.iterdir():
        if entry.is_file() and entry.stat().st_size < 20_000_000:
            shutil.copy2(entry, target)
        elif entry.is_dir() and entry.name in ("data", "images", "figures", "resources"):
            shutil.copytree(entry, target / entry.name, ignore=shutil.ignore_patterns("*.ipynb"))


def _translate(path: Path, result: Result) -> list[dict[str, Any]]:
    """Translate a notebook in place; gives what a user has to look at. A second run must change nothing."""
    command = [*TOOL, "migrate", str(path), "--allow-dirty", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=False, timeout=600)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"not translated: {done.stdout[-300:]} {done.stderr[-300:]}")
    report = json.loads(done.stdout)
    result.ledger = report["ledger"]
    written = path.read_bytes()
    subprocess.run(command, capture_output=True, env=ENVIRONMENT, check=False, timeout=600)
    if path.read_bytes() != written:
        result.trouble = "a second run changes it"
    return [one for one in report["findings"] if one["code"][3] in "234" and "cell" in one and not one["suppressed"]]


class _Runner:
    """A process that runs notebooks, one after the other."""

    def __init__(self, python: str, seconds: int) -> None:
        self.seconds = seconds
        environment = ENVIRONMENT | {"MPLBACKEND": "agg", "CUDA_VISIBLE_DEVICES": ""}
        command = [python, str(Path(__file__).with_name("notebooks_probe.py"))]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )

    def run(self, path: Path) -> dict[int, dict[str, Any]]:
        """What each cell has left behind."""
        out = path.parent / "cells-seen"
        out.mkdir()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{path}\t{out}\t{self.seconds}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if answer != "done":
            raise RuntimeError(f"not run: {answer or 'the process has ended'}")
        return {int(one.stem): pickle.loads(one.read_bytes()) for one in out.iterdir()}  # noqa: S301  # written just now


def _alike(before: dict[int, dict[str, Any]], after: dict[int, dict[str, Any]]) -> bool:
    return all(_same(run["values"], after.get(number, {}).get("values")) for number, run in before.items())


def _compare(result: Result, runs: list[dict[int, dict[str, Any]]], said: set[int]) -> None:
    before, again, after = runs
    blamed: set[str] = set()  # names that differ because a cell above was said, or is wrong
    for number in sorted(before):
        old, new = before[number], after.get(number)
        if old["error"] is not None:
            result.cells["not run"] += 1
            continue
        new = new or {"error": "the notebook has ended before", "raised in": [], "values": {}}
        steady = {name for name, value in old["values"].items() if _same(value, again[number]["values"].get(name))}
        differ = {name for name in steady if not _same(old["values"][name], new["values"].get(name))}
        fresh = differ - blamed
        blamed |= differ
        state = "equal" if not fresh and new["error"] is None else "raises" if new["error"] else "wrong"
        what = new["error"] or ", ".join(f"{one}: {_shown(old, one)} / {_shown(new, one)}" for one in sorted(fresh))
        named = said & {number, *new["raised in"]}
        if state != "equal" and (
            named or (result.cells["said"] and not result.cells["wrong"] + result.cells["raises"])
        ):
            state = "said"
        if state != "equal":
            result.differences.append(f"cell {number} {state}: {what}")
        result.cells[state] += 1


def _shown(run: dict[str, Any], name: str) -> str:
    value = run["values"].get(name)
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)} {np.array2string(value, threshold=6, edgeitems=2)[:60]}".replace(
            "\n", " "
        )
    return repr(value)[:80]


def _same(one: Any, other: Any) -> bool:
    """Whether two values are equal in kind, dtype, shape and, but for rounding, in what they hold."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        if one.dtype != other.dtype or one.shape != other.shape:
            return False
        if one.dtype.kind in "fc":
            near = 1e-4 if one.dtype.itemsize // (2 if one.dtype.kind == "c" else 1) < 8 else 1e-9
            scale = np.max(np.abs(one), initial=0, where=np.isfinite(one))
            return bool(np.allclose(one, other, rtol=near, atol=near * float(scale), equal_nan=True))
        return bool(np.array_equal(one, other))
    if isinstance(one, str):
        return one == other or _same_text(one, other)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    return bool(one == other)


def _same_text(one: str, other: str) -> bool:
    """Whether two texts differ in the last digits of their numbers only, and in space."""
    texts = [_NUMBER.sub("0", text).split() for text in (one, other)]
    numbers = [[float(number) for number in _NUMBER.findall(text)] for text in (one, other)]
    return texts[0] == texts[1] and bool(np.allclose(*numbers, rtol=1e-4, atol=1e-7))


if __name__ == "__main__":
    main()
