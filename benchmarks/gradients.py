"""Differentiate translated kernels of NPBench, and compare with finite differences of the NumPy originals.

Takes a checkout of NPBench. Each kernel runs in float64 at a size where that is affordable. The loss is a fixed random
weighting of all results; tf.GradientTape's derivative in a random direction of all arrays at once must be the central
difference of the original, and the kernel under tf.function must give what it gives eagerly, gradient included. Times
are over NumPy's, at the same small size: they say what an operation costs, not what a large array does.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from npbench_files import inputs_of, kernels, leaves, load, returned_parameters, translate
from tool import ROOT

STEP = 1e-5
LIMIT = 1e-6  # of the derivative, relative: finite differences have about nine digits
ROUNDING = 1e-12
Row = dict[str, Any]
SIZES: dict[str, dict[str, Any]] = {
    "adi": {"TSTEPS": 2, "N": 7},
    "azimint_naive": {"N": 40, "npt": 4},
    "cavity_flow": {"ny": 7, "nx": 7, "nt": 2, "nit": 2, "rho": 1.0, "nu": 0.1},
    "cholesky": {"N": 6},
    "conv2d": {"N": 1, "C_in": 2, "C_out": 2, "K": 2, "H": 4, "W": 4},
    "correlation": {"M": 5, "N": 7},
    "covariance": {"M": 5, "N": 7},
    "deriche": {"W": 5, "H": 4},
    "durbin": {"N": 7},
    "fdtd_2d": {"TMAX": 3, "NX": 6, "NY": 7},
    "gemver": {"N": 8},
    "gramschmidt": {"M": 6, "N": 5},
    "hdiff": {"I": 4, "J": 4, "K": 3},
    "heat_3d": {"TSTEPS": 3, "N": 5},
    "jacobi_1d": {"TSTEPS": 4, "N": 9},
    "jacobi_2d": {"TSTEPS": 4, "N": 6},
    "lenet": {"N": 1, "H": 16, "W": 16},
    "lu": {"N": 6},
    "ludcmp": {"N": 6},
    "mlp": {"C_in": 3, "N": 2, "S0": 6, "S1": 5, "S2": 4},
    "mvt": {"N": 8},
    "nbody": {"N": 4, "tEnd": 0.2, "dt": 0.05, "softening": 0.1, "G": 1.0},
    "resnet": {"N": 1, "W": 4, "H": 4, "C1": 4, "C2": 2},
    "seidel_2d": {"TSTEPS": 2, "N": 6},
    "softmax": {"N": 2, "H": 2, "SM": 4},
    "stockham_fft": {"R": 2, "K": 3},
    "symm": {"M": 5, "N": 6},
    "syr2k": {"M": 5, "N": 6},
    "syrk": {"M": 5, "N": 6},
    "trisolv": {"N": 7},
    "trmm": {"M": 5, "N": 6},
    "vadv": {"I": 3, "J": 3, "K": 5},
}


@dataclass(frozen=True)
class Kernel:
    """One kernel as two functions of its arrays in double precision, and fixed weights for the loss."""

    inputs: dict[str, Any]
    arrays: list[str]
    original: Callable[..., list[Any]]
    translated: Callable[..., list[Any]]
    weights: list[np.ndarray[Any, Any]]


def sources_in_double(found: dict[str, tuple[Path, Path]], work: Path) -> dict[str, tuple[Path, Path]]:
    """Copy kernels and what makes their inputs, with float32 written as float64: differences need its digits."""
    shutil.rmtree(work, ignore_errors=True)
    copies = {}
    for name, (info, folder) in found.items():
        (work / name).mkdir(parents=True)
        for path in (folder / f"{name}_numpy.py", folder / f"{name}.py"):
            text = path.read_text(encoding="utf-8").replace("np.float32", "np.float64")
            (work / name / path.name).write_text(text, encoding="utf-8")
        copies[name] = (info, work / name)
    return copies


def in_double(value: Any) -> Any:
    """Give floating arrays and numbers double precision."""
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "fc":
        return value.astype(np.complex128 if value.dtype.kind == "c" else np.float64)
    return value


def random_like(value: Any, random: np.random.Generator) -> np.ndarray[Any, Any]:
    """Draw normal numbers of an array's shape, complex ones for a complex array."""
    real = random.normal(size=np.shape(value))
    return real + 1j * random.normal(size=np.shape(value)) if np.iscomplexobj(value) else real


def floating(values: list[Any]) -> list[Any]:
    """Keep the results that a derivative can be taken of."""
    return [value for value in values if hasattr(value, "dtype") and value.dtype.name.startswith(("float", "complex"))]


def prepare(place: tuple[Path, Path], work: Path, name: str, returned: list[str]) -> Kernel:
    """Load a kernel before and after, and its inputs."""
    info = json.loads(place[0].read_text(encoding="utf-8"))["benchmark"]
    inputs = {key: in_double(value) for key, value in inputs_of(info, place[1], SIZES[name]).items()}
    arrays = [key for key, value in inputs.items() if isinstance(value, np.ndarray) and value.dtype.kind in "fc"]
    before = getattr(load(work / "before" / f"{name}_numpy.py"), info["func_name"])
    after = getattr(load(work / "after" / f"{name}_numpy.py"), info["func_name"])

    def original(*values: Any) -> list[Any]:
        passed = {**inputs, **{key: value.copy() for key, value in zip(arrays, values, strict=True)}}
        results = leaves(before(*passed.values()))
        return floating([np.asarray(value) for value in [*results, *(passed[key] for key in returned)]])

    def translated(*values: Any) -> list[Any]:
        passed = {**inputs, **dict(zip(arrays, values, strict=True))}
        return floating(leaves(after(*passed.values())))

    random = np.random.default_rng(7)
    weights = [random_like(leaf, random) for leaf in original(*(inputs[key] for key in arrays))]
    return Kernel(inputs, arrays, original, translated, weights)


def difference_quotient(kernel: Kernel, point: list[Any], direction: list[Any]) -> float:
    """Take the central difference of fourth order of the original's loss."""

    def loss(step: float) -> float:
        results = kernel.original(*(value + step * part for value, part in zip(point, direction, strict=True)))
        return float(sum(np.sum(weight * leaf).real for weight, leaf in zip(kernel.weights, results, strict=True)))

    return (8 * (loss(STEP) - loss(-STEP)) - (loss(2 * STEP) - loss(-2 * STEP))) / (12 * STEP)


def differentiated(kernel: Kernel) -> Callable[..., tuple[list[Any], list[Any]]]:
    """Give the translated kernel's results and the gradient of the loss with respect to its arrays."""
    import tensorflow as tf

    def run(*values: Any) -> tuple[list[Any], list[Any]]:
        with tf.GradientTape() as tape:
            tape.watch(values)
            results = kernel.translated(*values)
            parts = [
                tf.math.real(tf.reduce_sum(tf.cast(weight, leaf.dtype) * leaf))
                for weight, leaf in zip(kernel.weights, results, strict=True)
            ]
            loss = tf.add_n([tf.cast(part, tf.float64) for part in parts])
        gradient = tape.gradient(loss, values, unconnected_gradients=tf.UnconnectedGradients.ZERO)
        return results, gradient

    return run


def gap(expected: Any, actual: Any) -> float:
    """Return the relative difference in the Euclidean norm."""
    left, right = np.concatenate([np.ravel(one) for one in expected]), np.concatenate([np.ravel(one) for one in actual])
    return float(np.linalg.norm(left - right) / (np.linalg.norm(left) or 1.0))


def timed(function: Callable[..., Any], values: list[Any], repeat: int) -> float:
    """Return the shortest time of a call: others may use the machine."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        for leaf in leaves(function(*values)):
            np.asarray(leaf)
        times.append(time.perf_counter() - start)
    return min(times)


def measure(kernel: Kernel, repeat: int) -> Row:
    """Compare derivatives and both ways to run, and time them."""
    import tensorflow as tf

    point = [kernel.inputs[key] for key in kernel.arrays]
    random = np.random.default_rng(11)
    direction = [random_like(value, random) for value in point]
    tensors = [tf.constant(value) for value in point]
    run = differentiated(kernel)
    results, gradient = run(*tensors)
    slope = sum(
        float(np.sum(np.conj(part) * way).real)
        for part, way in zip((tf.convert_to_tensor(one).numpy() for one in gradient), direction, strict=True)
    )
    quotient = difference_quotient(kernel, point, direction)
    base = timed(kernel.original, point, max(repeat, 5))
    row: Row = {
        "slope": quotient,
        "gap": abs(slope - quotient) / (abs(quotient) or 1.0),
        "numbers": gap(kernel.original(*point), results),
        "eager time": timed(kernel.translated, tensors, repeat) / base,
    }
    try:
        traced_results, traced_gradient = tf.function(run)(*tensors)
        traced = tf.function(kernel.translated)
        row["traced"] = max(gap(results, traced_results), gap(results, traced(*tensors)))
        row["traced"] = max(row["traced"], gap(gradient, traced_gradient))
        row["traced time"] = timed(traced, tensors, repeat) / base
    except Exception as error:  # noqa: BLE001 - whatever stops AutoGraph is the result
        row["trouble"] = f"{type(error).__name__}: {error}".replace("\n", " ")[:250]
    return row


def good(row: Row) -> bool:
    """Whether the derivative is the original's, and tracing changes nothing."""
    rounding = max(row["numbers"], row.get("traced", math.inf))
    return row["gap"] <= LIMIT and row["slope"] != 0 and rounding <= ROUNDING


def print_row(name: str, row: Row) -> None:
    """Print one kernel."""
    equal = "no" if "trouble" in row else "equal" if row["traced"] <= ROUNDING else "DIFFERS"
    numbers = f"{row['slope']:>12.4g}{row['gap']:>10.1e}{row['numbers']:>10.1e}"
    times = f"{row['eager time']:>9.1f}{row.get('traced time', math.nan):>9.1f}"
    print(
        f"{name:<16}{numbers}  {equal:<8}{times}{'' if good(row) else '  ' + row.get('trouble', 'WRONG')}", flush=True
    )


def main() -> None:
    """Translate, run and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="a checkout of NPBench")
    parser.add_argument("kernels", nargs="*", help=f"some of {', '.join(SIZES)}; default all")
    parser.add_argument("--repeat", type=int, default=3, help="timed calls; the shortest counts")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "gradients", help="where the copies go")
    arguments = parser.parse_args()
    found = kernels(arguments.checkout.resolve(), arguments.kernels or list(SIZES))
    if not found or not set(arguments.kernels) <= set(SIZES):
        sys.exit("no kernel found: is this a checkout of NPBench, and are the names those of --help?")
    found = sources_in_double(found, arguments.work.resolve() / "double")
    work = arguments.work.resolve() / "run"
    returned = returned_parameters(translate(found, work))
    sys.path[:0] = [str(work / "after")]
    import tensorflow.experimental.numpy as tnp

    tnp.experimental_enable_numpy_behavior()
    print(f"{'kernel':<16}{'derivative':>12}{'gap':>10}{'numbers':>10}  {'traced':<8}{'eager':>9}{'traced':>9}")
    passed = 0
    for name, place in found.items():
        sys.path.insert(0, str(place[1]))
        try:
            row = measure(prepare(place, work, name, returned.get(name, [])), arguments.repeat)
        except Exception as error:  # noqa: BLE001 - whatever a kernel raises is its result
            print(f"{name:<16}FAILED  {type(error).__name__}: {str(error)[:150]!r}", flush=True)
            continue
        finally:
            sys.path.remove(str(place[1]))
        passed += good(row)
        print_row(name, row)
    print(f"{len(found)} kernels, {passed} with the derivative of finite differences and equal under tf.function")
    sys.exit(0 if passed == len(found) else 1)


if __name__ == "__main__":
    main()
