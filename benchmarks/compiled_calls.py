"""What a call of a compiled function costs over the form that it runs: microseconds, each the least of many, in turn.

`bare` is the form itself, given its arrays; `call` is the function as its user calls it, which has to tell what it is
called with; `more` is the difference. The numbers are small enough that nothing but the call costs time.
"""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tool import ENVIRONMENT, ROOT, TOOL

PROGRAM = """import numpy as np

LIMIT = 0.5


def one(x):
    return np.sum(np.sqrt(np.exp(np.sin(np.cos(x))))) * LIMIT


def scaled(x):
    return one(x) + np.cumsum(np.sort(x))


def six(a, b, c, d, e, f, order, name="plain"):
    return np.dot(a, b) + np.dot(c, d) + np.dot(e, f) + np.sort(a) * order


def layers(parts, x):
    for one in parts:
        x = np.tanh(np.dot(one["w"], x) + one["b"])
    return x


class Filter:
    def __init__(self, a, b):
        self.a, self.b, self.gain = a, b, 0.25

    def step(self, x):
        return np.dot(self.a, x) + np.sort(self.b) * self.gain + np.cumsum(x)
"""
FORMS = ("numpy", "eager", "graph", "xla")


def translated(work: Path) -> Any:
    """Translate the program and import it."""
    shutil.rmtree(work, ignore_errors=True)
    (work / "before").mkdir(parents=True, exist_ok=True)
    (work / "before" / "calls.py").write_text(PROGRAM, encoding="utf-8")
    command: list[str | Path] = [*TOOL, "migrate", work / "before", "--compile", "--out-dir", work / "after", "--force"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if not (work / "after" / "calls.py").exists():
        sys.exit(f"tnp-migrate failed with {done.returncode}: {done.stderr.strip()[-2000:]}")
    sys.path.insert(0, str(work / "after"))
    return importlib.import_module("calls")


def cases(module: Any) -> dict[str, tuple[Any, list[Any]]]:
    """Give functions with arguments: few and many arrays, containers, attributes of an object."""
    import tensorflow as tf

    def vector(size: int = 8) -> Any:
        return tf.linspace(tf.constant(0.0, tf.float64), 1.0, size)

    matrix = tf.ones([8, 8], tf.float64)
    parts = [{"w": matrix, "b": vector()} for _ in range(3)]
    return {
        "1 array": (module.scaled, [vector()]),
        "6 arrays, 2 plain": (module.six, [*[vector() for _ in range(6)], 3, "plain"]),
        "list of dicts, 7 arrays": (module.layers, [parts, vector()]),
        "method, 2 attributes": (module.Filter.step, [module.Filter(matrix, vector()), vector()]),
    }


def measured(state: Any, function: Any, given: list[Any], seconds: float) -> tuple[float, float]:
    """Time a form and the call that runs it, in turn: the least microseconds of each."""
    arrays: list[Any] = []
    plan = state.plans[state.key_of(given, arrays)]
    least = [float("inf"), float("inf")]
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for place, (run, arguments) in enumerate(((plan.run, (arrays,)), (function, given))):
            start = time.perf_counter()
            for _ in range(10):
                run(*arguments)
            least[place] = min(least[place], (time.perf_counter() - start) / 10)
    return least[0] * 1e6, least[1] * 1e6


def main() -> None:
    """Translate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each form of each function")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "compiled_calls", help="where the program goes")
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    os.environ["TNP_COMPILED_CHOICES"] = str(work / "choices.json")
    module = translated(work)
    print(f"{'called with':<28}{'form':<8}{'bare, us':>10}{'call, us':>10}{'more, us':>10}")
    for name, (function, given) in cases(module).items():
        state = function.compiled_state
        for form in FORMS:
            os.environ["TNP_COMPILED"] = form
            state.plans.clear()
            for _ in range(70):  # until it is compared with NumPy no more
                function(*given)
            bare, call = measured(state, function, given, arguments.seconds)
            print(f"{name:<28}{form:<8}{bare:>10.1f}{call:>10.1f}{call - bare:>10.1f}", flush=True)


if __name__ == "__main__":
    main()
