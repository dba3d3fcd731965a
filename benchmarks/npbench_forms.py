"""Time the forms of NPBench's kernels, translated with `--compile`, side by side with NumPy.

Takes a checkout of NPBench. All kernels run in this process, the forms of one in turn with NumPy's own function, on
tensors; the least time of each counts. Prints for each kernel the time over NumPy's of each form, what is chosen, the
seconds that tracing and compiling took, and why other forms are none; then geometric means.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import json
import math
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from npbench_files import inputs_of, kernels, leaves, load, translate
from tool import ROOT

FORMS = ("numpy", "eager", "graph", "xla")


def seconds_of_numpy(original: Any, inputs: dict[str, Any]) -> float:
    """Time NumPy's own function once, on arguments of its own."""
    arguments = copy.deepcopy(list(inputs.values()))
    start = time.perf_counter()
    original(*arguments)
    return time.perf_counter() - start


def seconds_of_form(run: Any, arrays: list[Any]) -> float:
    """Time a form once, until its numbers are there."""
    start = time.perf_counter()
    for leaf in leaves(run(arrays)):
        np.asarray(leaf)
    return time.perf_counter() - start


def runs_of(helpers: Any, function: Any, given: list[Any], forms: list[str]) -> tuple[dict[str, Any], Any, list[Any]]:
    """Give what runs each form that agrees with NumPy's, what was found out, and the arrays."""
    arrays: list[Any] = []
    state = getattr(function, "compiled_state", None)
    if state is None:
        found = helpers.Measured() if hasattr(helpers, "Measured") else None
        return {"eager": lambda _: function(*given)}, found, arrays
    bound = state.signature.bind(*given)
    bound.apply_defaults()
    key = state.key_of(bound.args, arrays)
    plan = state.begin(key, bound.args, arrays)
    asked = [form for form in forms if form not in ("numpy", plan.name)]
    runs = {plan.name: plan.reference}
    wanted, sensitive = plan.reference(arrays), plan.reference(helpers.moved(arrays))
    for form in asked:
        start = time.perf_counter()
        try:
            run = helpers.make_form(plan.call, form, plan.specs)
            run.adopt(wanted)
            reason = helpers.difference(wanted, run(arrays), sensitive)
        except Exception as error:  # noqa: BLE001 - the reason is what is printed
            reason = f"{type(error).__name__}: {str(error).strip().splitlines()[-1][:90] if str(error) else ''}"
        plan.found.compile_seconds += time.perf_counter() - start
        if reason:
            plan.found.reasons[form] = reason
        else:
            runs[form] = run
    return runs, plan.found, arrays


def measure(
    helpers: Any, name: str, place: tuple[Path, Path], work: Path, arguments: argparse.Namespace
) -> dict[str, Any]:
    """Measure the forms of one kernel."""
    import tensorflow as tf

    info = json.loads(place[0].read_text(encoding="utf-8"))["benchmark"]
    inputs = inputs_of(info, place[1], arguments.preset)
    original = getattr(load(work / "before" / f"{name}_numpy.py"), info["func_name"])
    function = getattr(load(work / "after" / f"{name}_numpy.py"), info["func_name"])
    given = [tf.constant(one) if isinstance(one, np.ndarray) else one for one in inputs.values()]
    runs, found, arrays = runs_of(helpers, function, given, arguments.forms.split(","))
    times: dict[str, float] = {"NumPy": seconds_of_numpy(original, inputs)}
    end = time.perf_counter() + arguments.seconds
    trips = 0
    while trips < 2 or (time.perf_counter() < end and trips < arguments.repeat):
        trips += 1
        times["NumPy"] = min(times["NumPy"], seconds_of_numpy(original, inputs))
        for form, run in runs.items():
            if trips > 1 and times[form] > 30 * times["NumPy"]:
                continue
            times[form] = min(times.get(form, math.inf), seconds_of_form(run, arrays))
    ratios = {form: seconds / times["NumPy"] for form, seconds in times.items() if form != "NumPy"}
    reference = "numpy" if "numpy" in ratios else "eager"
    best = min(ratios, key=lambda form: ratios[form])
    chosen = best if ratios[best] < 0.95 * ratios[reference] else reference
    return {
        "numpy seconds": times["NumPy"],
        "ratios": ratios,
        "chosen": chosen,
        "marked": hasattr(function, "compiled_state"),
        "compile seconds": found.compile_seconds if found else 0.0,
        "reasons": found.reasons if found else {},
    }


def print_row(name: str, result: dict[str, Any]) -> None:
    """Print one kernel."""
    shown = "".join(f"{result['ratios'].get(form, math.nan):>9.3f}" for form in FORMS)
    marks = "" if result["marked"] else " (not marked)"
    why = "; ".join(f"not {form}: {reason}" for form, reason in result["reasons"].items())
    print(f"{name:<27}{1e3 * result['numpy seconds']:>9.2f}{shown}  {result['chosen'] + marks:<20}", end="")
    print(f"{result['compile seconds']:>6.1f}  {why}")
    sys.stdout.flush()


def mean_of(ratios: list[float]) -> str:
    """Show a geometric mean, and of how many."""
    return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f} ({len(ratios)})" if ratios else "-"


def main() -> None:
    """Translate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="a checkout of NPBench")
    parser.add_argument("kernels", nargs="*", help="names of kernels, such as jacobi_2d; default all")
    parser.add_argument("--preset", default="S", choices=["S", "M", "L", "paper"])
    parser.add_argument("--forms", default="xla,graph", help="beside NumPy's: xla, graph, eager")
    parser.add_argument("--repeat", type=int, default=20, help="timed calls of each form, at most")
    parser.add_argument("--seconds", type=float, default=2.0, help="for the timed calls of one kernel")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "npbench_forms")
    arguments = parser.parse_args()
    found = kernels(arguments.checkout.resolve(), arguments.kernels)
    work = arguments.work.resolve()
    translate(found, work, more=("--compile",))
    os.environ["TNP_COMPILED_CHOICES"] = str(work / "choices.json")
    sys.path.insert(0, str(work / "after"))
    helpers = importlib.import_module("_tnp_helpers")
    print(f"{'kernel':<27}{'NumPy ms':>9}{''.join(f'{form:>9}' for form in FORMS)}  {'chosen':<20}{'made s':>6}")
    results = {}
    for name, place in found.items():
        sys.path.insert(0, str(place[1]))
        try:
            results[name] = measure(helpers, name, place, work, arguments)
        except Exception as error:  # noqa: BLE001 - whatever a kernel raises is its result
            print(f"{name:<27}FAILED {type(error).__name__}: {str(error)[:150]}")
            continue
        finally:
            sys.path.remove(str(place[1]))
        print_row(name, results[name])
    rows = results.values()
    for form in FORMS:
        print(f"{form}: {mean_of([one['ratios'][form] for one in rows if form in one['ratios']])}")
    print(f"chosen: {mean_of([one['ratios'][one['chosen']] for one in rows])}")
    print(f"chosen, of those marked: {mean_of([one['ratios'][one['chosen']] for one in rows if one['marked']])}")


if __name__ == "__main__":
    main()
