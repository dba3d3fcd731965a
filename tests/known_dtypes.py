"""Known differences that go by the dtypes of a call: no kernel, or another width. Each is shown for each dtype."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from generated_programs import Call

_SMALL = "bool int8 uint8 int16 uint16"
_UNSIGNED = "uint8 uint16 uint32 uint64"
COMPLEX = "complex64 complex128"

# TensorFlow has no kernel for these dtypes and says so: the call raises.
NO_KERNEL: dict[str, str] = {
    COMPLEX: """
        amax amin argmax argmin fmax fmax.accumulate fmax.at fmax.outer fmax.reduce fmin fmin.accumulate fmin.at
        fmin.outer fmin.reduce greater greater.outer greater_equal greater_equal.outer isfinite isnan less
        less.outer less_equal less_equal.outer max maximum maximum.accumulate maximum.at maximum.outer
        maximum.reduce maximum.reduceat median min minimum minimum.accumulate minimum.at minimum.outer
        minimum.reduce minimum.reduceat nanargmax nanargmin nanmax nanmean nanmedian nanmin nanprod nansum
        ndarray.argmax ndarray.argmin ndarray.max ndarray.min ptp
    """,
    _UNSIGNED: """
        abs absolute absolute.at dot gcd gcd.at gcd.outer gcd.reduce inner lcm lcm.at lcm.outer lcm.reduce
        matmul matvec ndarray.dot negative negative.at polynomial.hermite.hermweight
        polynomial.laguerre.lagweight pow power power.at power.outer sign sign.at tensordot vdot vecmat
    """,
    "bool": """
        clip ndarray.clip
        abs absolute absolute.at add.at conj conjugate conjugate.at dot histogram2d histogramdd inner
        matmul matvec maximum.accumulate maximum.reduceat minimum.accumulate minimum.reduceat ndarray.conj
        ndarray.conjugate ndarray.dot ndarray.real ndarray.round nextafter nextafter.outer
        polynomial.hermite.hermweight polynomial.hermite_e.hermeweight pow power power.at power.outer real spacing
        square square.at tensordot trapezoid vdot vecdot vecmat
    """,
    "int8 int16": "dot inner matmul ndarray.dot tensordot vdot",
    "int8 uint8 float16": "nextafter nextafter.at nextafter.outer spacing",
    "int8": "matvec vecmat",
    "float16": "argwhere flatnonzero",
}
FLOATING = """
    acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh cbrt cos cosh deg2rad degrees
    exp exp2 expm1 log log1p rad2deg radians sin sinh sqrt tan tanh
"""
# NumPy computes small integers in float16 and float32, and divides them in float64; tnp does the opposite.
NARROW: dict[str, str] = {
    _SMALL: FLOATING,
    "int8 uint8 int16 uint16": "divide divide.outer true_divide",
}


@dataclass(frozen=True)
class Difference:
    """What is different, for which names, in which of their calls, and calls that show it."""

    reason: str
    names: frozenset[str]
    when: Callable[[Call], bool]
    shown_by: tuple[Call, ...]
    traced: bool = False  # only under `tf.function`


def names_of(text: str) -> frozenset[str]:
    return frozenset(f"numpy.{name}" for name in text.split())


def has_dtype(dtypes: str) -> Callable[[Call], bool]:
    wanted = frozenset(dtypes.split())
    return lambda call: bool(call.dtypes & wanted)


def _simple(name: str, dtype: str) -> Call:
    """A call of a name on ones of a dtype."""
    ones, method = np.ones(2, dtype), name.rpartition(".")[2]
    if method in ("at", "reduceat"):
        binary = method == "at" and getattr(np, name.split(".")[-2]).nin == 2
        return Call(name, (ones, [0], *([ones[:1]] if binary else [])))
    if name.removeprefix("numpy.") in _ON_MATRICES:
        return Call(name, (np.ones((2, 2), dtype), np.ones((2, 2), dtype)))
    return Call(name, (ones, *[ones] * (operands(name) - 1), *_MORE.get(name.removeprefix("numpy."), ())))


_ON_MATRICES = frozenset("dot inner matmul linalg.matmul tensordot linalg.tensordot ndarray.dot matvec vecmat".split())
_MORE: dict[str, tuple[Any, ...]] = {
    "histogram2d": (np.array([True, False]),),
    **dict.fromkeys(("clip", "ndarray.clip"), (True, True)),
}


def operands(name: str) -> int:
    function, _, method = name.removeprefix("numpy.").rpartition(".")
    if method == "outer" or method in ("vdot", "vecdot"):
        return 2
    return getattr(getattr(np, method, None), "nin", 1) if not function else 1


def by_dtypes(table: dict[str, str], reason: str) -> list[Difference]:
    return [
        Difference(f"{reason}: {dtypes}", names_of(names), has_dtype(dtypes),
                   tuple(_simple(name, dtype) for name in sorted(names_of(names)) for dtype in dtypes.split()))
        for dtypes, names in table.items()
    ]  # fmt: skip


DTYPES: tuple[Difference, ...] = (*by_dtypes(NO_KERNEL, "no kernel"), *by_dtypes(NARROW, "another width"))
