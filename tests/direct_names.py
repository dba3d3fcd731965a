"""Functions that tnp has as NumPy has them: what stands for them in translated code, and a few calls of each."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from rule_samples import Sample, call

from tnp_migrate.reports.coverage import rows

A = np.array([[-1.5, 0.25, 2.5], [0.75, -0.5, 1.25]])
B = np.array([0.5, -2.0, 1.75])
CUBE = np.linspace(-2.0, 3.0, 24).reshape(2, 3, 4)
COMPLEX = np.array([[0.5 + 1j, -1.5 - 0.25j], [2.0 - 1.5j, 0.75j]])
HOLES = np.array([[1.5, np.nan, -0.5], [2.0, 0.25, np.nan]])
WHOLE = np.array([[12, 7, 3], [5, 8, 30]])
_ONE = [call(A), call(A[0] / 3), call(np.abs(A) + 1), call(COMPLEX), call(A.astype(np.float32)), call(WHOLE)]
_TWO = [
    call(A, B),
    call(np.abs(A), np.array(1.5)),
    call(COMPLEX, COMPLEX[0]),
    call(A.astype(np.float32), np.float32(2)),
    call(WHOLE, np.array([4, 6, 9])),
]
_ORDERED = [one for one in _TWO if one.args[0] is not COMPLEX]  # tnp orders no complex numbers
_JOINED = [call([A, A * 2]), call((B, B + 1)), call([WHOLE, A])]
_REDUCED = [call(A), call(A, 0), call(CUBE, axis=(0, 2), keepdims=True), call(WHOLE, 1)]


def _same_items(_: Any, expected: Any, actual: Any) -> None:
    """A list is as good as a tuple."""
    for wanted, got in zip(expected, actual, strict=True):
        np.testing.assert_array_equal(got, wanted)


_BESIDES: dict[str, list[Sample]] = {
    "append": [call(A, B), call(A, A * 2, 0), call(WHOLE, A, axis=1)],
    "array": [call(A), call([A, A + 1]), call([[1, 2.5], [3, 4]]), call(B, ndmin=3), call(WHOLE, np.float64)],
    "atleast_1d": [call(np.array(1.5)), call(A)],
    "atleast_2d": [call(np.array(1.5)), call(B), call(A)],
    "atleast_3d": [call(np.array(1.5)), call(B), call(A)],
    "broadcast_arrays": [
        call(A, B).compared_by(_same_items),
        call(np.array([[1.0], [2.0]]), B).compared_by(_same_items),
    ],
    "isfinite": [one for one in _ONE if one.args[0] is not COMPLEX],  # tnp takes no complex numbers
    "isnan": [one for one in _ONE if one.args[0] is not COMPLEX],
    "broadcast_to": [call(B, (2, 3)), call(np.array(1.5), shape=(2, 2))],
    "compress": [call([True, False], A, 0), call([0, 1, 1], CUBE, axis=1), call(np.array([True, False, True]), B)],
    "diag": [call(B), call(CUBE[0], 1), call(B, k=-1)],
    "diagflat": [call(A), call(B, 1)],
    "diagonal": [call(A), call(CUBE, 1, 0, 2), call(CUBE, offset=-1, axis1=1, axis2=2)],
    "fliplr": [call(A), call(CUBE)],
    "full": [call((2, 3), np.array(1.5)), call((2, 3), B), call(2, 7)],
    "ndarray.T": [call(CUBE)],
    "ndarray.flatten": [call(A), call(A, "F")],
    "ndarray.ravel": [call(A)],
    "ndarray.reshape": [call(CUBE, 4, 6), call(A, (3, -1))],
    "maximum": [*_ORDERED, call(A, HOLES)],
    "minimum": [*_ORDERED, call(A, HOLES)],
    "power": [*_TWO, call(np.array([0.0, 0.0]), np.array([0.0, 3.0]))],
    "identity": [call(3), call(2, np.float32)],
    "moveaxis": [call(CUBE, 0, -1), call(CUBE, [0, 1], [-1, -2])],
    "nanmean": [call(HOLES), call(HOLES, 0), call(A, axis=1, keepdims=True)],
    "ones": [call((2, 3)), call(2, np.float32)],
    "zeros": [call((2, 3)), call(2, np.float32)],
    "empty_like": [],  # the values are arbitrary
    "empty": [],
    "repeat": [call(B, 2), call(A, [1, 0, 2], axis=1), call(A, 2, 0)],
    "reshape": [call(CUBE, (4, 6)), call(A, -1), call(A, (3, -1), order="F")],
    "rot90": [call(A), call(CUBE, 2, (1, 2)), call(A, k=-1)],
    "select": [call([A > 1, A > 0], [A, A * 2], 0.5), call([B > 0], [B], default=np.array(1.5))],
    "squeeze": [call(A[:, np.newaxis]), call(CUBE[:1], axis=0)],
    "swapaxes": [call(CUBE, 0, 2), call(CUBE, -1, 1)],
    "tile": [call(B, 2), call(A, (2, 1, 2))],
    "tri": [call(3), call(2, 4, 1), call(3, k=-1, dtype=np.float32)],
    "finfo": [],  # about dtypes, not arrays
    "promote_types": [],
    "iscomplexobj": [],
    "isrealobj": [],
    "ndim": [],
}


def _by_parameters(name: str, parameters: tuple[str, ...]) -> list[Sample]:
    """Give the calls that suit the names of the parameters."""
    if parameters[:2] == ("x1", "x2"):
        return _TWO
    if parameters[:1] == ("tup",):
        return _JOINED
    if "keepdims" in parameters:
        return [*_REDUCED, *([call(HOLES, 0)] if name.startswith(("nan", "ptp")) else [])]
    return _ONE if len(parameters) in (1, 2) else []


@cache
def direct_samples() -> dict[str, list[Sample]]:
    """Return samples by the NumPy names that are direct; constants, dtypes and questions about dtypes have none."""
    found = {}
    for answer in (row.answer for row in rows() if row.answer.kind == "direct"):
        name = answer.target.removeprefix("numpy.")
        if name in _BESIDES:
            found[answer.target] = _BESIDES[name]
        elif callable(getattr(np, name, None)) and not isinstance(getattr(np, name), type):
            found[answer.target] = _by_parameters(name, answer.supported)
    return {target: samples for target, samples in sorted(found.items()) if samples}


def direct_body(target: str) -> Callable[..., Any]:
    """Return the function of tnp, or a call of the tensor's own method."""
    import tensorflow.experimental.numpy as tnp

    *_, owner, name = target.split(".")
    return _member(name) if owner == "ndarray" else getattr(tnp, name)


def _member(name: str) -> Callable[..., Any]:
    def of_receiver(a: Any, *args: Any, **kwargs: Any) -> Any:
        found = getattr(a, name)
        return found(*args, **kwargs) if callable(found) else found

    return of_receiver
