"""Time of every rule over NumPy's at 10^3 and 10^6 elements, eagerly on the CPU: docs/speed.md.

    python benchmarks/rules_speed.py --output docs/speed.md

Arguments are the first samples of the rule's tests that hold arrays, with the largest of these tiled to the size; what
cannot be tiled (matrices, coefficients) has arguments in `rules_speed_arguments.py`. Rules and NumPy take turns in one
process.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rules_speed_arguments import MADE, NOT_BY_SIZE

ROOT = Path(__file__).parent.parent
SIZES = (1_000, 1_000_000)
LIMIT = 20.0  # times NumPy's at 10^6 elements, beyond which a note has to say why
PATIENCE = 0.2  # seconds: a call that takes longer is made twice and no more
ROUNDS = 3
TRIES = 3  # samples of a rule
ALLOWED = 3.0  # seconds for a rule at a size
NAMESPACES = ("numpy", "numpy.linalg", "numpy.fft")
SEVERAL = "several TensorFlow operations where NumPy has one loop"
_CALLS = "a few calls of TensorFlow, some 20 microseconds each whatever the size"
_SHORT = "NumPy's dot of two short vectors; here each shifted product is an array"
_MEMORY = "NumPy runs at the speed of memory; here NaN is asked for first, and replaced where there is one"
_REASONS = {
    "NumPy's result is a view, a tensor is copied": """array_split split hsplit vsplit dsplit flip fliplr flipud rot90
        einsum transpose matrix_transpose linalg.matrix_transpose linalg.diagonal unstack broadcast_to broadcast_arrays
        squeeze ravel reshape diagonal real imag rollaxis frombuffer take""",
    "a Python function is called for each slice, and each call of TensorFlow costs some 20 microseconds": """
        apply_along_axis apply_over_axes vectorize""",
    "NumPy stops at the first true element": "any",
    "NumPy stops at the first false element": "all",
    _SHORT: "convolve correlate",
    _CALLS: "diag_indices diag_indices_from ix_ einsum_path",
    _MEMORY: "argmax argmin nanmax nanmin asarray_chkfinite",
    "NumPy's minimum and maximum run at the speed of memory": "histogram_bin_edges",
    "tf.math.log and a look at whole powers of the base, which NumPy's hits by itself": "log2 log10",
    "NumPy has one instruction; TensorFlow rounds both ways and selects": "fix trunc",
    "NumPy asks the C library; here the bits are taken apart in a dozen operations": "frexp",
    "a search, three gathers and a test for NaN": "interp",
    "tnp multiplies, adds and joins the last value, each an array": "linspace logspace",
    "NumPy fills one array; here each axis is an array, and they are stacked": "indices",
    "three parts are joined": "insert delete",
    "NumPy packs 64 bits at a time; here eight are weighed and added": "packbits unpackbits",
    "one root is multiplied in after the other, each a call of TensorFlow": "poly",
    "TensorFlow sorts through its top-k kernel, NumPy with vector instructions": "sort msort partition argpartition",
    "the sign is read from the bits, and two arrays are selected from": "copysign",
}
NOTES = {f"numpy.{name}": reason for reason, names in _REASONS.items() for name in names.split()}


@dataclass(frozen=True)
class Timing:
    """Seconds of NumPy and of a rule for one call at a size."""

    numpy: float
    rule: float

    @property
    def ratio(self) -> float:
        """How many times NumPy's time the rule takes."""
        return self.rule / self.numpy


def enlarged(args: tuple[Any, ...], size: int) -> tuple[Any, ...] | None:
    """Arguments with their arrays of the largest shape tiled along the first axis; None without such an array."""
    arrays = [one for one in args if isinstance(one, np.ndarray) and one.ndim and one.size and one.dtype.kind in "fiu"]
    if not arrays:
        return None
    shape = max((one.shape for one in arrays), key=np.prod)
    times = max(size // int(np.prod(shape)), 1)
    return tuple(
        np.tile(one, (times, *[1] * (len(shape) - 1))) if isinstance(one, np.ndarray) and one.shape == shape else one
        for one in args
    )


def seconds(run: Callable[[], Any]) -> float:
    """The best of some rounds, each of as many calls as four milliseconds hold."""
    start = time.perf_counter()
    run()
    once = time.perf_counter() - start
    if once > PATIENCE:
        return once
    calls = max(int(0.004 / max(once, 1e-7)), 1)
    best = once
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(calls):
            run()
        best = min(best, (time.perf_counter() - start) / calls)
    return best


def timing(target: str, body: Any, sample: Any, size: int) -> Timing | None:
    """Time one sample at a size; None where it cannot be enlarged or either side refuses it then."""
    args = enlarged(sample.args, size)
    return None if args is None else timing_of(target, body, args, sample.kwargs)


def as_tensors(value: Any) -> Any:
    """Turn arrays into tensors, those in lists and tuples too."""
    import tensorflow as tf

    if isinstance(value, (list, tuple)):
        return type(value)(as_tensors(one) for one in value)
    return tf.constant(value) if isinstance(value, np.ndarray) else value


def timing_of(target: str, body: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Timing | None:
    """Time one call; None where either side refuses it."""
    from rule_samples import as_function, numpy_result

    tensors = as_tensors(args)
    function = as_function(target, body)
    signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, ALLOWED)
    try:
        expected, actual = numpy_result(target, args, kwargs), function(*tensors, **kwargs)
        if isinstance(expected, np.ndarray) and (expected.shape != np.shape(actual) or expected.size > 4 * max(SIZES)):
            return None
        return Timing(
            seconds(lambda: numpy_result(target, args, kwargs)), seconds(lambda: function(*tensors, **kwargs))
        )
    except Exception:  # noqa: BLE001  # the larger arrays do not fit this sample, or it takes too long
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _stop(*_: object) -> None:
    raise TimeoutError


def measure(names: list[str]) -> tuple[dict[str, list[Timing]], list[str]]:
    """The timings by rule, and the rules of which no sample can be enlarged."""
    sys.path.insert(0, str(ROOT / "tests"))
    import tensorflow.experimental.numpy as tnp
    from rule_samples import all_samples

    from tnp_rules.forms import load_rules

    tnp.experimental_enable_numpy_behavior()
    samples, rules = all_samples(), load_rules()
    found: dict[str, list[Timing]] = {}
    left = []
    for target in names or sorted(one for one in rules if one.rpartition(".")[0] in NAMESPACES):
        timings = timings_of(target, rules[target].body, samples[target][:TRIES])
        if timings:
            found[target] = timings
        else:
            left.append(target)
        print(target, *(f"{one.ratio:.1f}" for one in found.get(target, [])), file=sys.stderr, flush=True)
    return found, left


def timings_of(target: str, body: Any, samples: list[Any]) -> list[Timing]:
    """Time one rule at each size, with arguments made for it or with the first sample that can be enlarged."""
    if target in NOT_BY_SIZE:
        return []
    if target in MADE:
        ways = [[timing_of(target, body, MADE[target](size), {}) for size in SIZES]]
    else:
        ways = ([timing(target, body, sample, size) for size in SIZES] for sample in samples)
    for way in ways:
        timings = [one for one in way if one is not None]
        if len(timings) == len(SIZES):
            return timings
    return []


def page(found: dict[str, list[Timing]], left: list[str]) -> str:
    """The table, the slowest first."""
    import tensorflow as tf

    slow = [name for name in found if found[name][1].ratio > LIMIT]
    means = [np.exp(np.mean([np.log(one[place].ratio) for one in found.values()])) for place in range(len(SIZES))]
    lines = [
        "# Speed of the rules",
        "",
        "<!-- Measured: run `python benchmarks/rules_speed.py`. -->",
        "",
        "Time of each rule over NumPy's for the same call, eagerly, on the CPU, both in one run:",
        f"TensorFlow {tf.__version__}, NumPy {np.__version__}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}.",
        "TensorFlow computes on all cores, so that other work on the machine costs it more than NumPy. At 10^3",
        "elements what counts is the cost of calling TensorFlow; `tf.function` and larger arrays take it away.",
        "",
        f"{len(found)} rules; geometric mean {means[0]:.1f} at 10^3 and {means[1]:.2f} at 10^6 elements;",
        f"{len(slow)} take more than {LIMIT:.0f} times NumPy's time at 10^6.",
        "",
        "Methods of arrays and of ufuncs, `emath` and `polynomial` are left out: they call the same functions.",
        f"So are questions about dtypes and shapes: {_listed(sorted(NOT_BY_SIZE))}.",
        f"Longer than {ALLOWED:.0f} s, or refused at this size: {_listed(sorted(set(left) - NOT_BY_SIZE))}.",
        "",
        "| rule | 10^3 | 10^6 | note |",
        "|---|---:|---:|---|",
    ]
    for name in sorted(found, key=lambda one: -found[one][1].ratio):
        small, large = found[name]
        note = NOTES.get(name, SEVERAL) if large.ratio > LIMIT else ""
        lines.append(f"| `{name[6:]}` | {small.ratio:.1f} | {large.ratio:.1f} | {note} |")
    return "\n".join(lines) + "\n"


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name[6:]}`" for name in names)


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "speed.md")
    parser.add_argument("names", nargs="*", help="only these rules, as in numpy.median")
    options = parser.parse_args()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    warnings.simplefilter("ignore")
    with np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        found, left = measure(options.names)
    options.output.write_text(page(found, left), encoding="utf-8")


if __name__ == "__main__":
    main()
