"""Run one NPBench kernel as written and as translated, and print what they gave as one line of JSON.

`npbench.py` calls this once for each kernel, so that a crash or a kernel without end costs one kernel only.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import inspect
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from npbench_files import inputs_of, leaves, load


def timed(function: Callable[..., Any], make: Callable[[], list[Any]], repeat: int) -> float:
    """Return the median time of a call after a first one; arguments are fresh each time."""
    times = []
    for _ in range(repeat):
        arguments = make()
        start = time.perf_counter()
        for leaf in leaves(function(*arguments)):
            np.asarray(leaf)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def error_of(expected: Any, actual: Any) -> float:
    """Return the relative difference in the Euclidean norm; infinite where shape or dtype differ."""
    left, right = np.asarray(expected), np.asarray(actual)
    if left.shape != right.shape or left.dtype != right.dtype:
        return float("inf")
    left, right = np.nan_to_num(left), np.nan_to_num(right)
    norm = float(np.linalg.norm(left.ravel().astype(np.complex128)))
    return float(np.linalg.norm((left.ravel() - right.ravel()).astype(np.complex128))) / (norm or 1.0)


def same(left: Any, right: Any) -> bool:
    """Whether an argument kept its values."""
    return not isinstance(left, np.ndarray) or bool(np.array_equal(left, right, equal_nan=left.dtype.kind in "fc"))


def compare(info: dict[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """Run both, compare what they return and what they change, and time them.

    All arrays are passed as tensors. What a kernel changes it returns as well (`--returns`, from TNP310); where it
    stays on NumPy, such an argument is passed as an ndarray, as the translation asks of callers (TNP302).
    """
    original = getattr(load(arguments.before), info["func_name"])
    inputs = inputs_of(info, arguments.folder, arguments.preset)
    order = [name for name in inspect.signature(original).parameters if name in inputs] or list(inputs)
    changed = copy.deepcopy(inputs)
    result_of_original = original(*changed.values())
    expected = leaves(copy.deepcopy(result_of_original))
    written = [name for name in order if not same(inputs[name], changed[name])]
    returned = [name for name in arguments.returns.split(",") if name]
    written = [name for name in written if name not in returned]
    in_result = any(changed[name] is leaf for name in written for leaf in leaves(result_of_original))
    if in_result and "tnh.island" not in arguments.after.read_text(encoding="utf-8"):
        written = []  # it has always returned what it changes
    expected += [changed[name] for name in (returned or written)]
    result: dict[str, Any] = {"numpy": timed(original, lambda: copy.deepcopy(list(inputs.values())), arguments.repeat)}

    import tensorflow.experimental.numpy as tnp

    importlib.import_module("_tnp_helpers")  # as whoever makes tensors in a translated project does
    translated = getattr(load(arguments.after), info["func_name"])

    def given() -> dict[str, Any]:
        return {
            name: tnp.asarray(value) if isinstance(value, np.ndarray) and name not in written else copy.deepcopy(value)
            for name, value in inputs.items()
        }

    passed = given()
    actual = leaves(translated(*passed.values())) + [passed[name] for name in written]
    if len(actual) != len(expected):
        result["trouble"] = f"{len(actual)} results, {len(expected)} expected"
        return result
    result["error"] = max((error_of(*pair) for pair in zip(expected, actual, strict=True)), default=0.0)
    result["limit"] = info.get("norm_error", 0.0)  # what NPBench allows this kernel, where it says so
    result["dtypes"] = [str(np.asarray(leaf).dtype) for leaf in expected]
    result["tensorflow"] = timed(translated, lambda: list(given().values()), arguments.repeat)
    return result


def main() -> None:
    """Parse the command line and print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("info", type=Path, help="the kernel's file in bench_info")
    parser.add_argument("folder", type=Path, help="the kernel's folder, where its inputs are made")
    parser.add_argument("before", type=Path, help="the kernel as written")
    parser.add_argument("after", type=Path, help="the kernel as translated")
    parser.add_argument("--preset", default="S", choices=["S", "M", "L", "paper"])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--returns", default="", help="parameters that the translation returns, by commas")
    arguments = parser.parse_args()
    info = json.loads(arguments.info.read_text(encoding="utf-8"))["benchmark"]
    sys.path[:0] = [str(arguments.after.parent), str(arguments.folder)]
    try:
        result = compare(info, arguments)
    except Exception as error:  # noqa: BLE001 - whatever a kernel raises is its result
        result = {"trouble": f"{type(error).__name__}: {error}".split("\n")[0][:200]}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
