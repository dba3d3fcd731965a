"""Time programs as their authors wrote them: NumPy's own code, the translation eagerly, and what `--compile` chooses.

Takes a folder of checkouts, named as on GitHub with a plus (`pmocz+nbody-python`); programs whose checkout is not there
are left out. What draws or shows pictures is replaced by what does nothing. Each program runs in a process of its own,
its three versions there in turn, on arrays or tensors as it makes them itself; seconds are those of a processor with
one thread, the least of some runs, of the chosen form after it has been chosen. Results have to be NumPy's.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from compiled_projects_table import print_rows
from npbench_files import leaves
from npbench_forms import TooLong, at_most
from tool import ENVIRONMENT, ROOT, TOOL


@dataclasses.dataclass(frozen=True)
class Program:
    """A program: where its files are, what is replaced in them, the module, and what is called there."""

    checkout: str
    files: str
    module: str
    call: Callable[[Any, Any], Any]
    replaced: tuple[tuple[str, str], ...] = ()


_EAGER_SECONDS = 60.0  # on the wall: what takes longer eagerly is only said to

SHOWN = (
    *("matplotlib", "matplotlib.pyplot", "matplotlib.cm", "matplotlib.colors", "mpl_toolkits", "mpl_toolkits.mplot3d"),
    *(
        "PIL",
        "sklearn",
        "sklearn.datasets",
        "progressbar",
        "pandas",
        "cvxopt",
        "terminaltables",
        "scipy",
        "scipy.stats",
    ),
)
GUIDE = """import numpy as np


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def step(W1, b1, W2, b2, X, y, rate):
    hidden = np.tanh(X @ W1 + b1)
    out = hidden @ W2 + b2
    error = (out - y) / X.shape[0]
    back = (error @ W2.T) * (1.0 - hidden**2)
    return W1 - rate * X.T @ back, b1 - rate * back.sum(0), W2 - rate * hidden.T @ error, b2 - rate * error.sum(0)


def per_example(W, X, y):
    grads = np.zeros((X.shape[0], W.shape[0]))
    for i in range(X.shape[0]):
        error = np.tanh(X[i] @ W) - y[i]
        grads[i] = 2.0 * error * (1.0 - np.tanh(X[i] @ W) ** 2) * X[i]
    return grads
"""


def record(size: int) -> Any:
    """Give a signal."""
    t = np.arange(size) / 100.0
    return np.sin(2 * np.pi * 7.3 * t) + 0.3 * np.cos(2 * np.pi * 21.0 * t) + 0.2 * t


def seeded(*shapes: Any) -> list[Any]:
    """Give arrays of some shapes, always the same numbers."""
    draw = np.random.default_rng(5)
    return [draw.normal(size=shape) for shape in shapes]


def drawn(call: Callable[[], Any]) -> Any:
    """Give what a call gives that draws random numbers, always the same."""
    np.random.seed(17)  # noqa: NPY002 - the programs draw from it
    return call()


def traced_rays(module: Any, make: Any) -> Any:
    """Give the colours of a small picture."""
    x = make(np.tile(np.linspace(-1, 1, 80), 60))
    y = make(np.repeat(np.linspace(1.0, -0.5, 60), 80))
    return module.raytrace(module.E, (module.vec3(x, y, 0) - module.E).norm(), module.scene).components()


def mlp(module: Any, make: Any, sizes: tuple[int, int, int]) -> Any:
    """Take a step of a network of two layers."""
    rows, inner, outer = sizes
    shapes = ((inner, inner), (inner,), (inner, outer), (outer,), (rows, inner), (rows, outer))
    return module.step(*[make(one) for one in seeded(*shapes)], 0.1)


def particles(module: Any) -> Any:
    """Take a step of a filter of a hundred particles that sees four marks."""
    marks = [[7.0, 10.0, 0.0], [11.0, 10.0, 10.0], [15.0, 0.0, 15.0], [21.0, -5.0, 20.0]]
    given = (np.zeros((4, 100)), np.full((1, 100), 0.01), np.array(marks), np.array([[1.0], [0.1]]))
    return module.pf_localization(*given)


PROGRAMS = {
    "demo: simulate, 300 steps": Program("", "demo", "signal_study.simulation", lambda m, _: m.simulate(steps=300)),
    "demo: dominant_frequency 256": Program(
        "", "demo", "signal_study.spectral", lambda m, make: m.dominant_frequency(make(record(256)), 100.0)
    ),
    "demo: welch 4096": Program(
        "", "demo", "signal_study.spectral", lambda m, make: m.welch(make(record(4096)), 100.0)
    ),
    "demo: envelope 131,072": Program(
        "", "demo", "signal_study.spectral", lambda m, make: m.envelope(make(record(131072)))
    ),
    "guide: sigmoid 1,024": Program("", "guide", "guide", lambda m, make: m.sigmoid(make(seeded(1024)[0]))),
    "guide: sigmoid 1,048,576": Program("", "guide", "guide", lambda m, make: m.sigmoid(make(seeded(2**20)[0]))),
    "guide: step of a network, 64": Program("", "guide", "guide", lambda m, make: mlp(m, make, (64, 32, 64))),
    "guide: step of a network, 1,024": Program("", "guide", "guide", lambda m, make: mlp(m, make, (1024, 128, 256))),
    "guide: gradient of each example, 500": Program(
        "",
        "guide",
        "guide",
        lambda m, make: m.per_example(*[make(one) for one in seeded((16,), (500, 16), (500,))]),
    ),
    "N bodies (pmocz)": Program(
        "pmocz+nbody-python",
        "nbody.py",
        "nbody",
        lambda m, make: drawn(
            lambda: m.getAcc(*[make(one) for one in seeded((300, 3))], make(np.ones((300, 1))), 1.0, 0.1)
        ),
    ),
    "N bodies, the program, 100 steps": Program(
        "pmocz+nbody-python",
        "nbody.py",
        "nbody",
        lambda m, _: drawn(m.main),
        (("tEnd      = 10.0", "tEnd      = 1.0"), ("\treturn 0", "\treturn pos, vel, KE_save")),
    ),
    "Lattice Boltzmann, 40 steps": Program(
        "pmocz+latticeboltzmann-python",
        "latticeboltzmann.py",
        "latticeboltzmann",
        lambda m, _: drawn(m.main),
        (("Nt = 4000", "Nt = 40"), ("return 0", "return rho, F"), ("plotRealTime = True", "plotRealTime = False")),
    ),
    "CFD step 9, Laplace": Program(
        "barbagroup+CFDPython",
        "lessons/12_Step_9.ipynb",
        "step",
        lambda m, make: m.laplace2d(make(np.zeros((31, 31))), make(np.linspace(0, 1, 31)), 2 / 30, 1 / 30, 1e-4),
    ),
    "CFD step 11, cavity": Program(
        "barbagroup+CFDPython",
        "lessons/14_Step_11.ipynb",
        "step",
        lambda m, make: m.cavity_flow(
            100, *[make(np.zeros((41, 41))) for _ in "uv"], 0.001, 0.05, 0.05, make(np.zeros((41, 41))), 1, 0.1
        ),
    ),
    "Ray tracer, 80 x 60": Program(
        "jamesbowman+raytrace",
        "rt3.py",
        "rt3",
        traced_rays,
        (
            ("(w, h) = (400, 300)", "(w, h) = (8, 6)"),
            ("rgb = [Image", "pictures = [Image"),
            ('"RGB", rgb)', '"RGB", pictures)'),
        ),
    ),
    "Particle filter, a step (PythonRobotics)": Program(
        "AtsushiSakai+PythonRobotics",
        "Localization/particle_filter/particle_filter.py",
        "particle_filter",
        lambda m, _: drawn(lambda: particles(m)),
        (("from utils.angle import rot_mat_2d", "rot_mat_2d = None  # turns what is shown"),),
    ),
    "k means (ML-From-Scratch)": Program(
        "eriklindernoren+ML-From-Scratch",
        "mlfromscratch",
        "mlfromscratch.unsupervised_learning.k_means",
        lambda m, make: drawn(lambda: m.KMeans(3, 20).predict(make(seeded((200, 2))[0]))),
    ),
    "logistic regression (ML-From-Scratch)": Program(
        "eriklindernoren+ML-From-Scratch",
        "mlfromscratch",
        "mlfromscratch.supervised_learning.logistic_regression",
        lambda m, make: drawn(lambda: fitted(m.LogisticRegression(), make)),
    ),
}


def fitted(model: Any, make: Any) -> Any:
    """Fit a model and give its parameters."""
    x, noise = seeded((200, 5), (200,))
    model.fit(make(x), make((x[:, 0] + noise > 0) * 1.0), 300)
    return model.param


def write_before(program: Program, checkouts: Path, folder: Path) -> bool:
    """Copy the files of a program, with what is replaced in them; False where they are not to be had."""
    source = (
        ROOT / "fixtures" / "demo" / "before"
        if program.files == "demo"
        else checkouts / program.checkout / program.files
    )
    folder.mkdir(parents=True)
    if program.files == "guide":
        (folder / "guide.py").write_text(GUIDE, encoding="utf-8")
    elif not source.exists():
        return False
    elif source.suffix == ".ipynb":
        cells = json.loads(source.read_text(encoding="utf-8"))["cells"]
        texts = ["".join(one["source"]) for one in cells if one["cell_type"] == "code"]
        lines = [line for text in texts for line in text.splitlines() if not line.startswith("%")]
        kept = "\n\n".join(_definitions("\n".join(lines)))
        (folder / f"{program.module}.py").write_text(f"{kept}\n", encoding="utf-8")
    elif source.is_dir():
        shutil.copytree(source, folder / source.name if program.files != "demo" else folder, dirs_exist_ok=True)
    else:
        text = source.read_text(encoding="utf-8")
        for old, new in program.replaced:
            text = text.replace(old, new)
        (folder / source.name).write_text(text, encoding="utf-8")
    return True


def _definitions(text: str) -> list[str]:
    """Give imports and functions of a notebook: the last definition of each function counts."""
    import ast

    found: dict[str, str] = {}
    for node in ast.parse(text).body:
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef)):
            found[getattr(node, "name", "") or ast.unparse(node)] = ast.get_source_segment(text, node) or ""
    plain = "nt = 100\nnit = 50\nnx = ny = 41\n"  # what the functions read of the cells around them
    return [plain, *found.values()]


def least(run: Callable[[], Any], seconds: float, most: int = 20) -> float:
    """Give the least time of some runs."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while not times or (time.perf_counter() < end and len(times) < most):
        start = time.process_time()
        for leaf in leaves(run()):
            np.asarray(leaf)
        times.append(time.process_time() - start)
    return min(times)


def measure(program: Program, work: Path, seconds: float) -> dict[str, Any]:
    """Time one program in this process."""
    for name in SHOWN:
        sys.modules[name] = mock.MagicMock(__name__=name, __path__=[], __spec__=None)
    import tensorflow as tf

    before = _imported(work / "before", program.module)
    expected = leaves(program.call(before, np.array))
    after = _imported(work / "after", program.module)

    def own() -> Any:
        return program.call(before, np.array)

    def ours() -> Any:
        return program.call(after, tf.constant)

    row: dict[str, Any] = {"numpy seconds": least(own, seconds)}
    os.environ["TNP_COMPILED"] = "eager"
    row["equal"] = True
    try:
        with at_most(_EAGER_SECONDS):
            row["eager"] = least(ours, seconds, 3)
            row["equal"] = _are_equal(expected, leaves(ours()))
    except TooLong:
        row["eager"] = None
    del os.environ["TNP_COMPILED"]
    states = _states(after)
    for state in states:
        state.plans.clear()
    row["marked"] = len(states)
    end = time.perf_counter() + 60 * seconds
    while time.perf_counter() < end and not _all_chosen(states):
        ours()
        plans = [plan for state in states for plan in state.plans.values()]
        while time.perf_counter() < end and [plan for plan in plans if plan.waiting and not plan.settled]:
            time.sleep(0.1)
    row["chosen"] = least(ours, seconds)
    row["equal"] = row["equal"] and _are_equal(expected, leaves(ours()))
    row["numpy seconds"] = min(row["numpy seconds"], least(own, seconds))
    plans = [plan for state in states for plan in state.plans.values()]
    forms = [plan.form for plan in plans]  # NumPy's own until it has cost enough for a choice
    row["forms"] = ", ".join(f"{forms.count(form)} {form}" for form in sorted(set(forms))) or "calls nothing compiled"
    return row


def _all_chosen(states: list[Any]) -> bool:
    plans = [plan for state in states for plan in state.plans.values()]
    return bool(plans) and all(plan.settled for plan in plans)


def _states(module: Any) -> list[Any]:
    package = module.__name__.partition(".")[0]
    names = {name for name in sys.modules if name.partition(".")[0] == package}
    found = {}
    for name in names:
        for value in list(vars(sys.modules[name]).values()):
            for one in [value, *(vars(value).values() if isinstance(value, type) else ())]:
                state = getattr(one, "compiled_state", None)
                if state is not None:
                    found[id(state)] = state
    return list(found.values())


def _imported(folder: Path, name: str) -> Any:
    packages = {name.partition(".")[0], "_tnp_helpers"}
    for loaded in [one for one in sys.modules if one.partition(".")[0] in packages]:
        del sys.modules[loaded]
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))


def _are_equal(expected: list[Any], given: list[Any]) -> bool:
    """Compare results; behind them a translated function gives what it has written to (TNP310)."""
    if len(expected) > len(given):
        return False
    given = given[: len(expected)]
    pairs = [(np.asarray(one), np.asarray(other)) for one, other in zip(expected, given, strict=True)]
    return all(
        one.shape == other.shape and np.allclose(one, other, rtol=1e-7, atol=1e-9, equal_nan=True)
        for one, other in pairs
    )


def main() -> None:
    """Parse the command line; measure each program in a process of its own; print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path, help="a folder of checkouts")
    parser.add_argument("names", nargs="*", help="parts of names of programs; default all")
    parser.add_argument("--seconds", type=float, default=3.0, help="for the timed runs of one version")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for one program")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "compiled_projects")
    parser.add_argument("--one", help="measure this one program, translated before, in this process")
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    if arguments.one:
        print(json.dumps(measure(PROGRAMS[arguments.one], work, arguments.seconds)))
        return
    shutil.rmtree(work, ignore_errors=True)
    rows = {}
    for number, (name, program) in enumerate(PROGRAMS.items()):
        if arguments.names and not any(part in name for part in arguments.names):
            continue
        folder = work / str(number)
        if not write_before(program, arguments.checkouts.resolve(), folder / "before"):
            continue
        rows[name] = _measured(name, folder, arguments)
        print(name, rows[name], file=sys.stderr, flush=True)
    print_rows(rows)


def _measured(name: str, folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    command: list[str | Path] = [*TOOL, "migrate", folder / "before", "--out-dir", folder / "after", "--compile"]
    subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=False)
    one = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "TF_INTRAOP")}
    environment = {**ENVIRONMENT, **one, "TF_NUM_INTRAOP_THREADS": "1"}
    environment["TNP_COMPILED_CHOICES"] = str(folder / "choices.json")
    again: list[str | Path] = [sys.executable, __file__, arguments.checkouts, "--one", name, "--work", folder]
    again += ["--seconds", str(arguments.seconds)]
    try:
        done = subprocess.run(
            again, env=environment, capture_output=True, text=True, check=False, timeout=arguments.limit
        )
    except subprocess.TimeoutExpired:
        return {"trouble": f"longer than {arguments.limit:g} s"}
    line = done.stdout.strip().rpartition("\n")[2]
    if line.startswith("{"):
        return dict(json.loads(line))
    return {"trouble": (done.stderr.strip().splitlines() or ["nothing was printed"])[-1][:150]}


if __name__ == "__main__":
    main()
