"""Whether two forms of a function give the same: exactly, but for the rounding that the function itself amplifies."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_inside import tensor_of
from tnp_rules.runtime import map_leaves

# Of the largest element: what another order of sums and fused operations do to a few hundred steps.
_ROUNDING = {2: 1e-3, 4: 1e-5, 8: 1e-11}
_MOST = {2: 1e-2, 4: 1e-3, 8: 1e-7}  # however sensitive the function is
_AMPLIFIED = 16.0
_AT_ONCE = 65536  # elements: what is computed of them stays in the processor's cache


def leaves_of(value: Any) -> list[Any]:
    """List what stands in nested containers."""
    found: list[Any] = []
    map_leaves(found.append, value)
    return found


def structure_of(value: Any) -> Any:
    """Give the containers of a value, and of which kind their leaves are."""
    return repr(map_leaves(lambda leaf: "tensor" if isinstance(leaf, tf.Tensor) else type(leaf).__name__, value))


def as_numbers(value: Any) -> Any:
    """Give a result with NumPy's numbers for Python's, which the trips of a loop may mix."""
    return map_leaves(
        lambda leaf: tf.constant(np.asarray(leaf)) if type(leaf) in (int, float, complex) else leaf, value
    )


def moved(arrays: Any) -> list[Any]:
    """Move each float by one unit in the last place, up and down in turn."""
    return [_moved(array) for array in arrays]


def _moved(array: Any) -> Any:
    values = np.array(array)
    if values.dtype.kind not in "fc" or not values.size:
        return array
    flat = values.reshape(-1).view({"c": f"f{values.itemsize // 2}"}.get(values.dtype.kind, values.dtype))
    towards = np.tile(np.array([-np.inf, np.inf], flat.dtype), _AT_ONCE // 2)
    for (block,) in _blocks(flat):
        # zeros stay: their neighbours are denormal numbers
        near = np.nextafter(block, towards[: block.size])
        np.copyto(block, near, where=(block != 0) & np.isfinite(block))
    return tensor_of(values) if isinstance(array, tf.Tensor) else values


def _blocks(*arrays: Any) -> Iterator[list[Any]]:
    """Go through arrays of one shape in blocks, so that what is computed of them takes no memory of their size."""
    flat = [array.reshape(-1) for array in arrays]
    for start in range(0, flat[0].size, _AT_ONCE):
        yield [one[start : start + _AT_ONCE] for one in flat]


def difference(wanted: Any, given: Any, sensitive: Any = None) -> str:
    """Say in what two results differ; empty where they agree. `sensitive` is what moved arguments gave."""
    if structure_of(wanted) != structure_of(given):
        return f"gives {structure_of(given)} for {structure_of(wanted)}"
    others = leaves_of(sensitive) if structure_of(sensitive) == structure_of(wanted) else leaves_of(wanted)
    for one, other, shaken in zip(leaves_of(wanted), leaves_of(given), others):
        found = _difference(np.asarray(one), np.asarray(other), np.asarray(shaken))
        if found:
            return found
    return ""


def _difference(wanted: Any, given: Any, shaken: Any) -> str:
    if wanted.dtype != given.dtype or wanted.shape != given.shape:
        return f"gives {given.dtype}{list(given.shape)} for {wanted.dtype}{list(wanted.shape)}"
    if wanted.dtype.kind not in "fc":
        return "" if np.array_equal(wanted, given) else "other integers, truths or texts"
    return _numbers_differ(wanted, given, shaken)


def _numbers_differ(wanted: Any, given: Any, shaken: Any) -> str:
    is_known = shaken.shape == wanted.shape
    largest = error = amplified = 0.0
    for one, other, third in _blocks(wanted, given, shaken if is_known else wanted):
        finite = np.isfinite(one)
        if not np.array_equal(finite, np.isfinite(other)):
            return "other places are not finite"
        if not np.array_equal(one[~finite], other[~finite], equal_nan=True):
            return "other infinities or NaNs"
        is_known = is_known and np.array_equal(finite, np.isfinite(third))
        largest = builtins.max(largest, _largest_of(one[finite]))
        error = builtins.max(error, _largest_of(one[finite] - other[finite]))
        amplified = builtins.max(amplified, _largest_of(one[finite] - third[finite]) if is_known else 0.0)
    size = wanted.dtype.itemsize // (2 if wanted.dtype.kind == "c" else 1)
    allowed = _ROUNDING.get(size, 1e-11) * largest
    if is_known:
        allowed = builtins.max(allowed, builtins.min(_AMPLIFIED * amplified, _MOST.get(size, 1e-7) * largest))
    return "" if error <= allowed else f"other numbers: {error / builtins.max(largest, 5e-324):.1e} of the largest"


def _largest_of(values: Any) -> float:
    return float(np.max(np.abs(values), initial=0.0))
