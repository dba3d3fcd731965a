"""Whether two results are the same, and by how much numbers differ.

Bit for bit between NumPy and NumPy. Between NumPy and TensorFlow kinds may be what a tensor has for them (a number may
be an array without axes; two places that were one object may be two tensors), dtype and shape are NumPy's, integers are
equal, and floats are within 64 units in the last place of the largest, or what rounding inside of the function moves
them by (see `rounding`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tnp_migrate.proof.inside.leaves import Leaf

UNITS = 64
MOST = 1000  # integers of one result that rounding is looked at for


@dataclass
class Compared:
    """The outcome: differences as (path, what is different, text), and the largest errors of what was compared.

    `unsure` are those of numbers that rounding may explain: by path the error and what is allowed, or the integers.
    """

    differences: list[tuple[str, str, str]] = field(default_factory=list)
    unsure: dict[str, Any] = field(default_factory=dict)
    absolute: float = 0.0
    units: float = 0.0


def compare(expected: Mapping[str, Leaf], got: Mapping[str, Leaf], *, exact: bool, identity: bool = True) -> Compared:
    """Compare leaves. Exactly, which places hold one object is compared too, unless `identity` says not to."""
    outcome = Compared()
    missing: list[str] = []
    for path in (*expected, *(path for path in got if path not in expected)):
        if any(path.startswith((above + ".", above + "[")) for above in missing):
            continue
        if path not in expected or path not in got:
            what = "is not there" if path in expected else "is there, and is not with NumPy"
            outcome.differences.append((path, "missing", what))
            missing.append(path)
            continue
        found = _compare_leaf(path, expected, got, exact=exact, identity=identity, outcome=outcome)
        if found is not None:
            outcome.differences.append((path, *found))
            missing.append(path)
    return outcome


def _compare_leaf(
    path: str, expected: Mapping[str, Leaf], got: Mapping[str, Leaf], *, exact: bool, identity: bool, outcome: Compared
) -> tuple[str, str] | None:
    one, other = expected[path], got[path]
    if "same" in (one.kind, other.kind) and (one.kind, one.value) != (other.kind, other.value):
        if exact and identity:
            return "identity", f"{_identity(one)} with NumPy, {_identity(other)} here"
        one, other = _behind(one, expected), _behind(other, got)
    if one.kind == "same":
        return None
    if one.kind == "other" or other.kind == "other":
        same = one.kind == other.kind and bool(one.value == other.value)
        return None if same else ("kind", f"{_shown(one)} with NumPy, {_shown(other)} here")
    if exact and (one.kind, type(one.value)) != (other.kind, type(other.value)):
        return "kind", f"{_shown(one)} with NumPy, {_shown(other)} here"
    x, y = np.asarray(one.value), np.asarray(other.value)
    if one.kind == "array" and other.kind == "number" and x.shape:
        return "kind", f"{_shown(one)} with NumPy, {_shown(other)} here"
    if x.dtype != y.dtype and not _is_large_integer(x):
        return "dtype", f"{x.dtype} with NumPy, {y.dtype} here"
    if x.shape != y.shape:
        return "shape", f"{x.shape} with NumPy, {y.shape} here"
    if x.tobytes() == y.tobytes():
        return None
    return ("value", "not bit for bit the same") if exact else _compare_numbers(path, x, y, outcome)


def _compare_numbers(path: str, x: Any, y: Any, outcome: Compared) -> tuple[str, str] | None:
    if x.dtype.kind not in "fc":
        if np.array_equal(x, y):
            return None
        if x.dtype.kind in "iub" and x.size <= MOST:
            outcome.unsure[path] = {"values": y.astype(np.int64).reshape(-1).tolist()}
        return "value", f"{_first(x, x != y)} with NumPy, {_first(y, x != y)} here"
    finite = np.isfinite(x) & np.isfinite(y)
    with np.errstate(all="ignore"):
        error = np.where(finite, np.abs(np.where(finite, x, 0) - np.where(finite, y, 0)), 0)
        alike = finite | (x == y) | (np.isnan(x) & np.isnan(y))
    scale = float(np.max(np.abs(x[finite]), initial=0.0))
    largest = float(np.max(error, initial=0.0))
    epsilon = float(np.finfo(x.dtype).eps)
    allowed = max(UNITS * epsilon * scale, float(np.finfo(x.dtype).tiny))
    outcome.absolute = max(outcome.absolute, largest)
    outcome.units = max(outcome.units, largest / (epsilon * scale) if scale else 0.0)
    if not alike.all():
        outcome.unsure[path] = {"error": math.inf, "allowed": allowed}
        return "value", f"{_first(x, ~alike)} with NumPy, {_first(y, ~alike)} here"
    if largest <= allowed:
        return None
    outcome.unsure[path] = {"error": largest, "allowed": allowed}
    worst = error == largest
    return "value", f"{_first(x, worst)} with NumPy, {_first(y, worst)} here; differs by {largest:.3g} of {scale:.3g}"


def _is_large_integer(x: Any) -> bool:
    return bool(x.dtype == object)  # a Python integer of more than 64 bits


def _behind(leaf: Leaf, leaves: Mapping[str, Leaf]) -> Leaf:
    """What stands at the place that a leaf is the same as."""
    return leaves.get(leaf.value, leaf) if leaf.kind == "same" else leaf


def _first(values: Any, where: Any) -> str:
    chosen = np.broadcast_to(values, np.shape(where))[where] if np.ndim(where) else np.asarray(values).reshape(-1)
    value = chosen.reshape(-1)[0] if chosen.size else math.nan
    return f"{value:.17g}" if isinstance(value, (float, np.floating)) else str(value)


def _shown(leaf: Leaf) -> str:
    if leaf.kind == "array":
        return f"an array {leaf.value.dtype}{list(leaf.value.shape)}"
    return f"a number of type {type(leaf.value).__name__}" if leaf.kind == "number" else str(leaf.value)[:80]


def _identity(leaf: Leaf) -> str:
    return f"the same object as `{leaf.value}`" if leaf.kind == "same" else "an object of its own"
