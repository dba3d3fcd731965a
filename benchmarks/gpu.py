"""What a GPU changes: measured beside NumPy in one process, as JSON, a line a measurement.

* `trips`: what a trip of a loop costs in each form: an element stored, a stencil over a million numbers;
* `sizes`: from which size on a GPU overtakes NumPy, with arrays on the device and with arrays in the machine's memory;
* `island`: what it costs to take an array to NumPy and back;
* `repeats`: whether a form gives the same bits each time;
* `compiling`: how long XLA takes for functions, here and, in a process of its own, without autotuning;
* `digits`: what products of float32 lose where TensorFlow may use TF32.

`python benchmarks/gpu.py [PART ...]`. Without a GPU it says so and measures nothing.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from tool import ENVIRONMENT, TOOL

PROGRAM = """import numpy as np


def recurrence(a):
    for i in range(1, a.shape[0]):
        a[i] = a[i - 1] * 0.5 + a[i]
    return a


def stencil(a, steps):
    for _ in range(steps):
        a[1:-1] = 0.25 * (a[:-2] + 2.0 * a[1:-1] + a[2:])
    return a


def rows(a):
    for i in range(1, a.shape[0]):
        a[i] = np.tanh(a[i - 1]) + a[i]
    return a
"""
FORMS = ("eager", "graph", "xla", "xla on the CPU")
WITHOUT_TUNING = "--xla_gpu_autotune_level=0"


def say(part: str, **values: Any) -> None:
    """Print a measurement."""
    print(json.dumps({"part": part, **values}), flush=True)


def seconds_of(run: Callable[[], Any], *, least: float = 0.2, most: int = 200) -> float:
    """The least time of a call, in seconds, until the device is done; the first call is not counted."""
    run()
    best, end, trips = math.inf, time.perf_counter() + least, 0
    while trips < 3 or (trips < most and time.perf_counter() < end):
        start = time.perf_counter()
        run()
        tf.test.experimental.sync_devices()
        best = min(best, time.perf_counter() - start)
        trips += 1
    return best


def translated() -> Any:
    """Translate the program with `--compile` and import it, the helper module beside it."""
    work = Path(tempfile.mkdtemp())
    (work / "before").mkdir()
    (work / "before" / "loops_of_gpu.py").write_text(PROGRAM, encoding="utf-8")
    command = [*TOOL, "migrate", str(work / "before"), "--compile", "--out-dir", str(work / "after")]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    sys.path.insert(0, str(work / "after"))
    os.environ["TNP_COMPILED_CHOICES"] = str(work / "choices.json")
    return importlib.import_module("loops_of_gpu")


def trips() -> None:
    """What a trip costs, in microseconds, over the number of trips; NumPy's beside."""
    module = translated()
    original: dict[str, Any] = {}
    exec(PROGRAM, original)  # noqa: S102 - our own text
    cases: list[tuple[str, int, tuple[Any, ...]]] = [
        ("recurrence", 2000, (np.ones(2001),)),
        ("rows", 500, (np.ones((501, 10000)),)),
        ("stencil", 200, (np.random.default_rng(0).random(1_000_000), 200)),
    ]
    for name, count, given in cases:
        _trips_of(name, count, given, original[name], getattr(module, name).compiled_state)


def _trips_of(name: str, count: int, given: tuple[Any, ...], original: Any, state: Any) -> None:
    helpers = importlib.import_module("_tnp_helpers")
    reference = seconds_of(lambda: original(given[0].copy(), *given[1:]))
    say("trips", program=name, form="NumPy", microseconds=1e6 * reference / count)
    wanted = original(given[0].copy(), *given[1:])
    arrays: list[Any] = []
    tensors = [tf.constant(one) if isinstance(one, np.ndarray) else one for one in given]
    plan = state.begin(state.key_of(tensors, arrays), tensors, arrays)
    for form in FORMS:
        try:
            run = partial(helpers.make_form(plan.call, form, plan.specs), arrays)
            (found,) = helpers.leaves_of(run())
            error = float(np.max(np.abs(np.asarray(found) - wanted)))
            taken = seconds_of(run, least=0.5, most=20)
            say("trips", program=name, form=form, microseconds=1e6 * taken / count, error=error)
        except Exception as error:  # noqa: BLE001 - that it cannot be done is the result
            say("trips", program=name, form=form, failed=str(error)[-200:])


def on_each(name: str, size: int, given: tuple[Any, ...], numpy_run: Any, run: Any) -> None:
    """One function of arrays at one size: NumPy, the GPU with arrays there, the GPU with arrays brought and taken."""
    there = [tf.constant(one) for one in given]
    compiled = tf.function(run, jit_compile=True)
    say(
        "sizes",
        function=name,
        size=size,
        dtype=str(given[0].dtype),
        numpy=1e6 * seconds_of(lambda: numpy_run(*given)),
        eager=1e6 * seconds_of(lambda: run(*there)),
        xla=1e6 * seconds_of(lambda: compiled(*there)),
        brought=1e6 * seconds_of(lambda: run(*[tf.constant(one) for one in given]).numpy()),
    )


def sizes() -> None:
    """Microseconds of a sigmoid, a product of matrices and a Fourier transform by size."""
    random = np.random.default_rng(0)
    for dtype in ("float64", "float32"):
        for power in (3, 4, 5, 6, 7):
            x = random.random(10**power).astype(dtype)
            on_each("sigmoid", x.size, (x,), lambda x: 1 / (1 + np.exp(-x)), lambda x: 1 / (1 + tf.exp(-x)))
        for side in (32, 128, 512, 1024, 2048):
            a, b = random.random((2, side, side)).astype(dtype)
            on_each("product", side, (a, b), np.matmul, tf.matmul)
    for power in (8, 12, 16, 20, 22):
        z = random.random(2**power).astype("complex128")
        on_each("fft", z.size, (z,), np.fft.fft, tf.signal.fft)


def island() -> None:
    """Microseconds to take an array to NumPy, and to take it there and back, by bytes."""
    for power in range(2, 9):
        array = np.random.default_rng(0).random(10**power // 8)
        there = tf.constant(array) + 0
        out = seconds_of(there.numpy)
        both = seconds_of(lambda one=there: tf.constant(one.numpy()))
        say("island", bytes=array.nbytes, out=1e6 * out, both=1e6 * both)


def repeats() -> None:
    """Different results of 20 runs, by form and dtype, and the same with TensorFlow's deterministic operations."""
    random = np.random.default_rng(0)
    where = random.integers(0, 1000, 1_000_000)
    matrix = random.random((700, 700))
    programs: dict[str, Any] = {
        "sum": tf.reduce_sum,
        "cumsum": tf.cumsum,
        "softmax": tf.nn.softmax,
        "add at repeated places": lambda x: tf.tensor_scatter_nd_add(tf.zeros(1000, x.dtype), where[:, None], x),
        "segment_sum": lambda x: tf.math.unsorted_segment_sum(x, where, 1000),
        "product": lambda x: tf.matmul(tf.cast(matrix, x.dtype), tf.reshape(x[:490000], (700, 700))),
    }
    for deterministic in (False, True):
        if deterministic:
            tf.keras.utils.set_random_seed(0)
            tf.config.experimental.enable_op_determinism()
        for dtype in ("float64", "float32"):
            x = tf.constant(random.random(1_000_000).astype(dtype))
            for name, run in programs.items():
                for form in ("eager", "xla"):
                    made = tf.function(run, jit_compile=True) if form == "xla" else run
                    try:
                        found = [made(x).numpy() for _ in range(20)]
                    except Exception as error:  # noqa: BLE001 - that it cannot be done is the result
                        say("repeats", program=name, form=form, dtype=dtype, failed=str(error)[:200])
                        continue
                    spread = float(np.max([np.max(np.abs(one - found[0])) for one in found]) / np.max(np.abs(found[0])))
                    different = len({one.tobytes() for one in found})
                    say(
                        "repeats", program=name, form=form, dtype=dtype, deterministic=deterministic,
                        different=different, spread=spread,
                    )  # fmt: skip


def _made_in(run: Callable[..., Any], *given: Any) -> float:
    compiled = tf.function(run, jit_compile=True)
    tensors = [tf.constant(one) for one in given]
    start = time.perf_counter()
    compiled(*tensors)
    tf.test.experimental.sync_devices()
    return time.perf_counter() - start


def _layers(x: Any, *weights: Any) -> Any:
    for one in weights:
        x = tf.nn.relu(tf.matmul(x, one))
    return x


def compiling() -> None:
    """Seconds until a function has run compiled for the first time."""
    random = np.random.default_rng(0)
    squares = [random.random((300 + 20 * k, 300 + 20 * (k + 1))).astype("float32") for k in range(6)]
    tuned = WITHOUT_TUNING not in os.environ.get("XLA_FLAGS", "")
    _made_in(lambda x: x + 1.0, np.ones(3))
    for name, run, given in (
        ("element-wise", lambda x: tf.tanh(tf.exp(x) * 2.0 + tf.sin(x)), (random.random(1000),)),
        ("reductions", lambda x: tf.reduce_sum(x / tf.reduce_max(x, 1, True), 0), (random.random((300, 400)),)),
        ("six products", _layers, (random.random((256, 300)).astype("float32"), *squares)),
        ("fft", lambda x: tf.signal.ifft(tf.signal.fft(x) * x), (random.random(4096).astype("complex128"),)),
    ):
        say("compiling", program=name, autotuning=tuned, seconds=_made_in(run, *given))
    if tuned:
        flags = f"{os.environ.get('XLA_FLAGS', '')} {WITHOUT_TUNING}"
        subprocess.run([sys.executable, __file__, "compiling"], env={**os.environ, "XLA_FLAGS": flags}, check=False)


def digits() -> None:
    """The largest error of a product of float32, over its largest number, with and without TF32."""
    a, b = np.random.default_rng(0).standard_normal((2, 500, 500)).astype("float32")
    wanted = a.astype("float64") @ b.astype("float64")
    say("digits", form="NumPy", error=_off(a @ b, wanted))
    for allowed in (True, False):
        tf.config.experimental.enable_tensor_float_32_execution(allowed)
        for form, run in {
            "matmul": tf.matmul,
            "xla matmul": tf.function(tf.matmul, jit_compile=True),
            "einsum": lambda a, b: tf.einsum("ij,jk->ik", a, b),
            "tensordot": lambda a, b: tf.tensordot(a, b, 1),
        }.items():
            say("digits", form=form, tf32=allowed, error=_off(run(tf.constant(a), tf.constant(b)).numpy(), wanted))


def _off(found: Any, wanted: Any) -> float:
    return float(np.max(np.abs(found - wanted)) / np.max(np.abs(wanted)))


PARTS = {one.__name__: one for one in (trips, sizes, island, compiling, digits, repeats)}  # the last one sets a switch


def main() -> None:
    """Measure."""
    devices = tf.config.list_physical_devices("GPU")
    if not devices:
        raise SystemExit("not checked: TensorFlow sees no GPU")
    if sys.argv[1:] != ["compiling"]:
        details = tf.config.experimental.get_device_details(devices[0])
        say("machine", gpu=details.get("device_name"), tensorflow=tf.__version__, numpy=np.__version__)
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()
