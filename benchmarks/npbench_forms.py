"""Time the forms of NPBench's kernels, translated with `--compile`, side by side with NumPy.

Takes a checkout of NPBench. All kernels run in this process, the forms of one in turn with NumPy's own function, on
tensors; the least time of each counts. What a form gives is compared with what NumPy's own function gives. With
`--ports jax,numba` the checkout's ports, written by hand, run beside them where those packages are installed. Results
are written to a file as they come; kernels that stand in it are not run again. `--table` prints the file as a page.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import importlib
import json
import math
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from npbench_files import inputs_of, kernels, leaves, load, translate
from npbench_ports import port_of
from npbench_table import FORMS, machine, print_row, table
from tool import ROOT


class TooLong(Exception):
    """A form took longer than it may."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooLong in what runs longer; what does not come back to Python is stopped when it does."""

    def stop(*_: Any) -> None:
        raise TooLong(f"longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


_AT_ONCE = 65536  # numbers that are compared: arrays of gigabytes are not copied for that
CLOCKS: dict[str, Any] = {"wall": time.perf_counter, "cpu": time.process_time}


def timed(run: Any, clock: Any) -> float:
    """Time a call, until its numbers are there."""
    start = clock()
    for leaf in leaves(run()):
        np.asarray(leaf)
    return float(clock() - start)


def begin_with_one_thread() -> None:
    """Begin this program anew with one thread for each library: they read how many there are when they are loaded."""
    names = ("OPENBLAS", "OMP", "NUMBA")
    one = {f"{name}_NUM_THREADS": "1" for name in names} | {"TF_NUM_INTRAOP_THREADS": "1", "NPROC": "1"}
    if any(os.environ.get(name) != count for name, count in one.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **one})  # noqa: S606 - ourselves


class Kernel:
    """One kernel: NumPy's own function and ours, their arguments, and the runs of the forms."""

    def __init__(self, helpers: Any, name: str, place: tuple[Path, Path], work: Path, preset: str) -> None:
        info = json.loads(place[0].read_text(encoding="utf-8"))["benchmark"]
        self.helpers, self.name, self.folder, self.info = helpers, name, place[1], info
        self.inputs = inputs_of(info, place[1], preset)
        self.original = getattr(load(work / "before" / f"{name}_numpy.py"), info["func_name"])
        self.function = getattr(load(work / "after" / f"{name}_numpy.py"), info["func_name"])
        tensor = helpers.tensors_outwards
        self.given = [tensor(one, {}) if isinstance(one, np.ndarray) else one for one in self.inputs.values()]
        self.state = getattr(self.function, "compiled_state", None)
        self.arrays: list[Any] = []
        self.plan: Any = None
        self.runs: dict[str, Any] = {}
        self.reasons: dict[str, str] = {}
        self.made = 0.0
        if self.state is not None:
            bound = self.state.signature.bind(*self.given)
            bound.apply_defaults()
            key = self.state.key_of(bound.args, self.arrays)
            self.plan = self.state.begin(key, bound.args, self.arrays)

    def numpy_seconds(self, clock: Any) -> float:
        """Time NumPy's own function once, on arguments of its own."""
        arguments = copy.deepcopy(list(self.inputs.values()))
        return timed(lambda: self.original(*arguments), clock)

    def expected(self) -> Any:
        """Give what NumPy's own function gives, with what it has written to."""
        arguments = copy.deepcopy(list(self.inputs.values()))
        result = self.original(*arguments)
        named = dict(zip(self.state.names if self.state is not None else self.inputs, arguments, strict=False))
        if self.state is not None:
            changed = [named[name] for name in self.state.writes]
        else:
            changed = [now for now, was in zip(arguments, self.inputs.values(), strict=True) if not _same(now, was)]
        return [copy.deepcopy(one) for one in leaves(result)], changed

    def prepare(self, form: str, wanted: Any, sensitive: Any) -> None:
        """Make a form, and keep it where it agrees."""
        start = time.perf_counter()
        if form == "eager":
            run = self._eager
        elif form == self.plan.name:
            run = self.plan.reference
        else:
            run = self.helpers.make_form(self.plan.call, form, self.plan.specs)
        given = run(self.arrays)
        if form not in {"eager", "numpy"}:
            self.made += time.perf_counter() - start
        reason = self.helpers.difference(wanted, given, sensitive) if wanted is not None else ""
        reason = reason or self.unlike_numpy(given)
        if reason:
            self.reasons[form] = reason
        else:
            self.runs[form] = lambda: run(self.arrays)

    def _eager(self, arrays: Any) -> Any:
        if self.plan is not None:
            return self.helpers.eager_form(self.plan.call)(arrays)
        return self.function(*self.given)

    def unlike_numpy(self, given: Any) -> str:
        """Compare a result with that of NumPy's own function, within what NPBench allows."""
        result, changed = self.numbers
        actual = leaves(given)
        wanted = [*result, *changed] if len(actual) == len(result) + len(changed) else result or changed
        if len(wanted) != len(actual):
            return f"{len(actual)} results, {len(wanted)} expected"
        for one, other in zip(wanted, actual, strict=True):
            reason = _unlike(np.asarray(one), np.asarray(other), float(self.info.get("norm_error", 0.0)))
            if reason:
                return reason
        return ""

    numbers: Any = None


def _same(left: Any, right: Any) -> bool:
    return not isinstance(left, np.ndarray) or bool(np.array_equal(left, right, equal_nan=left.dtype.kind in "fc"))


def _unlike(wanted: Any, given: Any, allowed: float) -> str:
    if wanted.shape != given.shape or wanted.dtype != given.dtype:
        return f"gives {given.dtype}{list(given.shape)} for {wanted.dtype}{list(wanted.shape)}"
    if wanted.dtype.kind not in "fc":
        return "" if np.array_equal(wanted, given) else "other integers"
    single = wanted.dtype.char in "fFe"
    size = error = 0.0
    wanted, given = wanted.reshape(-1), given.reshape(-1)
    for start in range(0, wanted.size, _AT_ONCE):
        one, other = (np.nan_to_num(each[start : start + _AT_ONCE]).astype(np.complex128) for each in (wanted, given))
        size += float(np.vdot(one, one).real)
        error += float(np.vdot(one - other, one - other).real)
    error = math.sqrt(error / (size or 1.0))
    limit = max(1e-4 if single else 1e-9, allowed)
    return "" if error <= limit else f"differs from NumPy by {error:.1e}"


def prepared(kernel: Kernel, forms: list[str], arguments: argparse.Namespace) -> None:
    """Make the forms of a kernel that agree."""
    kernel.numbers = kernel.expected()
    wanted = sensitive = None
    if kernel.plan is not None:
        wanted = kernel.plan.reference(kernel.arrays)
        sensitive = kernel.plan.reference(kernel.helpers.moved(kernel.arrays))
    for form in forms if kernel.plan is not None else ["eager"]:
        if form == "numpy" and kernel.plan.name != "numpy":
            kernel.reasons[form] = kernel.plan.found.reasons.get("numpy", "")
            continue
        try:
            with at_most(arguments.limit if form != "eager" else arguments.limit / 4):
                kernel.prepare(form, wanted, sensitive)
        except Exception as error:  # noqa: BLE001 - the reason is what is written down
            text = str(error).strip().splitlines()
            kernel.reasons[form] = f"{type(error).__name__}: {text[-1][:120] if text else ''}"
    for port in arguments.ports.split(",") if arguments.ports else []:
        try:
            with at_most(arguments.limit):
                run = port_of(port, kernel.name, kernel.folder, kernel.info["func_name"], kernel.inputs)
                run()
                kernel.runs[port] = run
        except (FileNotFoundError, StopIteration):
            kernel.reasons[port] = "there is no port"
        except Exception as error:  # noqa: BLE001 - the reason is what is written down
            kernel.reasons[port] = f"{type(error).__name__}: {str(error)[:100]}"


def race(kernel: Kernel, arguments: argparse.Namespace) -> dict[str, float]:
    """Time all forms in turn with NumPy's own function; the least time of each."""
    clock = CLOCKS[arguments.clock]
    times = {"NumPy": kernel.numpy_seconds(clock)}
    end = time.perf_counter() + arguments.seconds
    trips = 0
    while trips < 4 or (time.perf_counter() < end and trips < arguments.repeat):
        trips += 1
        times["NumPy"] = min(times["NumPy"], kernel.numpy_seconds(clock))
        for form, run in kernel.runs.items():
            if trips > 1 and times.get(form, 0.0) > 5 * times["NumPy"]:
                continue
            with contextlib.suppress(TooLong), at_most(arguments.limit):
                times[form] = min(times.get(form, math.inf), timed(run, clock))
    return times


def measure(kernel: Kernel, arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure the forms of one kernel, and what a call costs over the form that it runs."""
    prepared(kernel, arguments.forms.split(","), arguments)
    kernel.numbers = None  # of the size of the results
    times = race(kernel, arguments)
    ours = {form: times[form] for form in FORMS if form in times}
    eligible = {form: seconds for form, seconds in ours.items() if form != "eager" or kernel.plan is None}
    reference = "numpy" if "numpy" in eligible else "eager"
    best = min(eligible, key=lambda form: eligible[form]) if eligible else "none"
    if eligible and best != reference and reference in eligible and eligible[best] > 0.95 * eligible[reference]:
        best = reference
    return {
        "numpy seconds": times["NumPy"],
        "ratios": {form: seconds / times["NumPy"] for form, seconds in times.items() if form != "NumPy"},
        "chosen": best,
        "marked": kernel.plan is not None,
        "compile seconds": kernel.made,
        "reasons": kernel.reasons,
    }


def main() -> None:
    """Translate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="a checkout of NPBench")
    parser.add_argument("kernels", nargs="*", help="names of kernels, such as jacobi_2d; default all")
    parser.add_argument("--preset", default="S", choices=["S", "M", "L", "paper"])
    parser.add_argument("--forms", default="numpy,xla,graph,eager")
    parser.add_argument("--ports", default="", help="ports of NPBench's own to run beside: jax, numba")
    parser.add_argument(
        "--clock",
        default="cpu",
        choices=CLOCKS,
        help="seconds of a processor, one thread each, which other work on the machine does not add to; or of the wall",
    )
    parser.add_argument("--repeat", type=int, default=20, help="timed calls of each form, at most")
    parser.add_argument("--seconds", type=float, default=2.0, help="for the timed calls of one kernel")
    parser.add_argument("--limit", type=float, default=30.0, help="seconds that a form of a kernel may take")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "npbench_forms")
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results" / "npbench_forms.json")
    parser.add_argument("--table", action="store_true", help="print the results as a page, and run nothing")
    arguments = parser.parse_args()
    results: dict[str, Any] = json.loads(arguments.results.read_text()) if arguments.results.exists() else {}
    if arguments.table:
        print(table(results), end="")
        return
    if arguments.clock == "cpu":
        begin_with_one_thread()
    found = kernels(arguments.checkout.resolve(), arguments.kernels)
    work = arguments.work.resolve()
    translate(found, work, more=("--compile",))
    os.environ["TNP_COMPILED_CHOICES"] = str(work / "choices.json")
    sys.path.insert(0, str(work / "after"))
    helpers = importlib.import_module("_tnp_helpers")
    results["machine"] = machine()
    rows = results.setdefault(arguments.preset, {})
    for name, place in found.items():
        if name in rows:
            continue
        sys.path.insert(0, str(place[1]))
        try:
            rows[name] = measure(Kernel(helpers, name, place, work, arguments.preset), arguments)
        except Exception as error:  # noqa: BLE001 - whatever a kernel raises is its result
            print(f"{name:<27}FAILED {type(error).__name__}: {str(error)[:150]}")
            continue
        finally:
            sys.path.remove(str(place[1]))
        print_row(name, rows[name])
        arguments.results.parent.mkdir(parents=True, exist_ok=True)
        arguments.results.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
