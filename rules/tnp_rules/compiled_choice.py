"""Which form of a function is the fastest that agrees: measured on the arguments that it is called with."""

from __future__ import annotations

import builtins
import functools
import json
import os
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_agreement import difference, leaves_of, moved, structure_of
from tnp_rules.compiled_forms import Faulty, eager_form, traced_form
from tnp_rules.compiled_memory import check_comparison_fits
from tnp_rules.compiled_tracing import NotCompiled

_ROUNDS = 5
_RACE_SECONDS = 2.0
_HOPELESS = 30  # times the time of the reference: not measured further
_TIE = 0.95  # of the reference's time is no reason to leave it


class Measured:
    """What was found out about the forms for one kind of call: their times in seconds, and why others are none."""

    def __init__(self) -> None:
        self.times: dict[str, float] = {}
        self.reasons: dict[str, str] = {}
        self.chosen = ""
        self.compile_seconds = 0.0


def seconds_of(run: Any, arrays: Any) -> tuple[float, Any]:
    """Time one call, until its numbers are there."""
    start = time.perf_counter()
    result = run(arrays)
    for leaf in leaves_of(result):
        if isinstance(leaf, tf.Tensor):
            np.asarray(leaf)
    return time.perf_counter() - start, result


def candidates() -> list[str]:
    """List the forms to be tried beside the reference; with a GPU also what XLA makes for the CPU of the machine."""
    return ["xla", "graph", *(["xla on the CPU"] if tf.config.list_logical_devices("GPU") else [])]


def make_form(call: Any, form: str, specs: Any, *, forced: bool = False) -> Any:
    """Make a form by its name; `forced` if it runs whatever it cannot do."""
    if form == "eager":
        return eager_form(call)
    if form != "xla on the CPU":
        return traced_form(call, form, specs, forced=forced)
    made = traced_form(call, "xla", specs, forced=forced)

    def on_cpu(arrays: Any) -> Any:
        with tf.device("CPU:0"):
            return made(arrays)

    return on_cpu


def measure(call: Any, specs: Any, reference: Any, name: str, arrays: Any, forms: list[str], taped: Any) -> Any:
    """Try forms against a reference on some arguments; give what was found out, and the chosen form."""
    found = Measured()
    runs = {name: reference, **_agreeing(call, specs, reference, name, arrays, forms, taped, found)}
    timed = runs if taped is None else {form: functools.partial(gradients_of, run) for form, run in runs.items()}
    _race(timed, arrays, found.times)
    best = builtins.min(found.times, key=lambda form: found.times[form])
    found.chosen = best if found.times[best] < _TIE * found.times[name] else name
    return found, runs[found.chosen]


def _agreeing(
    call: Any, specs: Any, reference: Any, name: str, arrays: Any, forms: list[str], taped: Any, found: Measured
) -> dict[str, Any]:
    """Make forms, and give those that agree; what they are compared with is not kept when they are timed."""
    first, wanted = seconds_of(reference, arrays)
    results = leaves_of(wanted)
    try:
        check_comparison_fits([*arrays, *results, *results])  # moved arguments, what they give, what a form gives
    except NotCompiled as error:
        found.reasons.update(dict.fromkeys(forms, str(error)))
        return {}
    sensitive = _sensitive(reference, arrays)
    runs = {}
    for form in forms:
        if form == name:
            continue
        start = time.perf_counter()
        try:
            run = make_form(call, form, specs)
            reason = _why_not(run, reference, arrays, wanted, sensitive, taped)
            trial = 0.0 if reason else seconds_of(run, arrays)[0]
            reason = reason if trial < _HOPELESS * first else f"{trial / first:.0f} times the time of {name}"
        except Faulty:
            reason = "it meets what NumPy raises for, or a decision that hangs on rounding"
        except Exception as error:  # noqa: BLE001 - whatever tracing raises is the reason
            reason = _in_short(error)
        found.compile_seconds += time.perf_counter() - start
        if reason:
            found.reasons[form] = reason
        else:
            runs[form] = run
    return runs


def _why_not(run: Any, reference: Any, arrays: Any, wanted: Any, sensitive: Any, taped: Any) -> str:
    """Say in what a form does not agree."""
    reason = difference(wanted, run(arrays), sensitive)
    return reason or ("" if taped is None else taped(run, reference, arrays))


def _race(runs: dict[str, Any], arrays: Any, times: dict[str, float]) -> None:
    """Time all forms in turn, so that what else the machine does hits all of them."""
    end = time.perf_counter() + _RACE_SECONDS
    for trip in range(_ROUNDS):
        if trip > 1 and time.perf_counter() > end:
            return
        for form, run in runs.items():
            times[form] = builtins.min(times.get(form, float("inf")), seconds_of(run, arrays)[0])


def _sensitive(reference: Any, arrays: Any) -> Any:
    try:
        return reference(moved(arrays))
    except Exception:  # noqa: BLE001 - then nothing is known of it
        return None


def _in_short(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).strip().splitlines() if line.strip()]
    plain = [line for line in lines if not line.startswith(("File ", "in user code", "*", "^"))]
    return f"{type(error).__name__}: {(plain or lines or [''])[-1][:160]}"


def gradients_of(run: Any, arrays: Any) -> list[Any]:
    """Give the gradients of a form with respect to all floats: of the sum of what it gives."""
    inputs = [tf.constant(array) for array in arrays]
    watched = [one for one in inputs if one.dtype.is_floating or one.dtype.is_complex]
    with tf.GradientTape() as tape:
        tape.watch(watched)
        leaves = [leaf for leaf in leaves_of(run(inputs)) if isinstance(leaf, tf.Tensor)]
        inexact = [leaf for leaf in leaves if leaf.dtype.is_floating]
        total = tf.add_n([tf.cast(tf.reduce_sum(leaf), tf.float64) for leaf in inexact]) if inexact else None
    gradients = tape.gradient(total, watched) if total is not None and watched else []
    return [one if one is None else tf.convert_to_tensor(one) for one in gradients]


def gradients_differ(run: Any, reference: Any, arrays: Any) -> str:
    """Compare gradients of two forms: a form that a tape watches has to have them."""
    reason = difference(gradients_of(reference, arrays), gradients_of(run, arrays))
    return f"its gradient {reason}" if reason else ""


def choices_file() -> Path:
    """Give the file in which choices are kept: TNP_COMPILED_CHOICES, else one in the user's cache."""
    given = os.environ.get("TNP_COMPILED_CHOICES")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(given) if given else cache / "tnp-migrate" / "choices.json"


_file_lock = threading.Lock()


def load_choices() -> dict[str, Any]:
    """Read the choices of earlier processes; none where the file is not there or is damaged."""
    try:
        found = json.loads(choices_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def save_choice(function: str, kind: str, found: Measured) -> None:
    """Keep a choice with its times and reasons; what cannot be written is not kept."""
    entry = {
        "form": found.chosen,
        "seconds": {form: float(f"{seconds:.3g}") for form, seconds in found.times.items()},
        "not": found.reasons,
        "compile seconds": builtins.round(found.compile_seconds, 2),
    }
    path = choices_file()
    with _file_lock:
        choices = load_choices()
        choices.setdefault(function, {})[kind] = entry
        part = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps(choices, indent=1, sort_keys=True) + "\n", encoding="utf-8")
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)


def same_structure(one: Any, other: Any) -> bool:
    """Say whether two results have the same containers and kinds."""
    return bool(structure_of(one) == structure_of(other))
