"""Loops that fill an array: one store a step, all stores done at once behind it, and no loop where that is proven.

Each program is translated, with a step in its ranges, which keeps the loops, and without; `each` runs the translation
with a `Stores` that updates the array at once, as element loops that read the array still do. Times are over NumPy's,
the best of some calls, eagerly and inside tf.function (traced before; Python's loops are unrolled there). Results must
be NumPy's.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from npbench_files import load
from tool import ENVIRONMENT, ROOT, TOOL

PROGRAM = """
import numpy as np


def numbers(x, n):
    out = np.zeros(n)
    for i in range(0, n{step}):
        out[i] = i * 0.5
    return out


def elements(x, n):
    out = np.zeros(n)
    for i in range(0, n{step}):
        out[i] = x[i] * x[i]
    return out


def differences(x, n):
    out = np.zeros(n)
    for i in range(1, n - 1{step}):
        out[i] = x[i + 1] - x[i - 1]
    return out


def windows(x, n):
    out = np.zeros(n)
    for i in range(0, n{step}):
        out[i] = np.mean(x[i : i + 8])
    return out


def rows(x, n):
    out = np.empty((n, 16))
    for i in range(0, n{step}):
        out[i] = x[i : i + 16]
    return out


def columns(x, n):
    out = np.empty((16, n))
    for i in range(0, n{step}):
        out[:, i] = x[i : i + 16]
    return out


def pairs(x, n):
    m = int(n**0.5)
    out = np.eye(m)
    for i in range(0, m{step}):
        for j in range(0, i{step}):
            out[i, j] = out[j, i] = x[i] * x[j]
    return out


def waves(x, n):
    m = x.shape[0]
    out = np.zeros(m)
    for i in range(0, m{step}):
        out[i] = np.exp(-x[i] * x[i]) * np.cos(3.0 * x[i])
    return out


def run():
    x = np.linspace(0.0, 1.0, 20)
    return numbers(x, 4), elements(x, 4), differences(x, 4), waves(x, 4)
"""
NAMES = ("numbers", "elements", "differences", "windows", "rows", "columns", "pairs", "waves")


class OneByOne:
    """Keeps nothing: each store gives a new array."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __setitem__(self, index: Any, value: Any) -> None:
        self.x = sys.modules["_tnp_helpers"].index_update(self.x, index, value)


def translated(work: Path) -> tuple[Any, Any, Any]:
    """Load the program, its translation with loops, and the one without those that it can do without."""
    shutil.rmtree(work, ignore_errors=True)
    (work / "before").mkdir(parents=True)
    for name, step in (("loops", ", 1"), ("whole", "")):
        (work / "before" / f"{name}.py").write_text(PROGRAM.replace("{step}", step), encoding="utf-8")
    command: list[str | Path] = [*TOOL, "migrate", work / "before", "--out-dir", work / "after"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if not (work / "after" / "loops.py").exists():
        sys.exit(f"tnp-migrate failed with {done.returncode}: {done.stderr.strip()[-2000:]}")
    sys.path.insert(0, str(work / "after"))
    after = work / "after"
    return load(work / "before" / "loops.py"), load(after / "loops.py"), load(after / "whole.py")


def best_of(call: Callable[[], Any], seconds: float = 0.5) -> float:
    """The shortest time of a call, in seconds; the first, which traces, is left out."""
    call()
    times: list[float] = []
    start = time.perf_counter()
    while len(times) < 3 or time.perf_counter() - start < seconds:
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def times_of(function: Any, x: Any, n: int, expected: Any) -> tuple[float, float]:
    """Seconds eagerly and traced; the result is compared on the way."""
    import tensorflow as tf

    traced = tf.function(lambda x: function(x, n), autograph=False)
    for given in (function(x, n), traced(x)):
        np.testing.assert_allclose(given.numpy(), expected, rtol=1e-12)
    return best_of(lambda: function(x, n).numpy()), best_of(lambda: traced(x).numpy())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1000, help="steps of each loop")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "element_loops", help="where the program goes")
    arguments = parser.parse_args()
    n = arguments.size
    before, after, whole = translated(arguments.work.resolve())
    import tensorflow as tf

    helpers = sys.modules["_tnp_helpers"]
    forms = {"each": (OneByOne, lambda _, stores: stores.x), "once": (helpers.Stores, helpers.index_updates)}
    x = np.random.default_rng(0).normal(size=n + 16)
    heads = "".join(f"{title:>16}{'once':>9}{'whole':>9}" for title in ("eager: each", "traced: each"))
    print(f"n = {n}; times over NumPy's{heads}")
    for name in NAMES:
        expected = getattr(before, name)(x, n)
        own = best_of(lambda name=name: getattr(before, name)(x, n))
        found = []
        for stores, updates in forms.values():
            helpers.Stores, helpers.index_updates = stores, updates
            found.append(times_of(getattr(after, name), tf.constant(x), n, expected))
        found.append(times_of(getattr(whole, name), tf.constant(x), n, expected))
        times = zip(*found, strict=True)
        shown = "".join(f"{each / own:>16.1f}{once / own:>9.2f}{new / own:>9.2f}" for each, once, new in times)
        print(f"{name:<12} {own * 1e3:9.3f} ms{shown}", flush=True)


if __name__ == "__main__":
    main()
