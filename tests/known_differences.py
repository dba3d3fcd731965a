"""Where a translated call is known not to do as NumPy, exactly: the calls that are not judged, and why.

Each entry has calls that show it: their test fails as soon as one of them does as NumPy, and the entry has to shrink.
`NO_KERNEL` and `NARROW` go by the dtypes of a call; `KNOWN` has the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from generated_programs import Call, Text

_SMALL = "bool int8 uint8 int16 uint16"
_UNSIGNED = "uint8 uint16 uint32 uint64"
_COMPLEX = "complex64 complex128"

# TensorFlow has no kernel for these dtypes and says so: the call raises.
NO_KERNEL: dict[str, str] = {
    _COMPLEX: """amax amin argmax argmin fmax fmax.accumulate fmax.at fmax.outer fmax.reduce fmin fmin.accumulate
        fmin.at fmin.outer fmin.reduce greater greater.outer greater_equal greater_equal.outer histogram
        histogram_bin_edges isfinite isnan less less.outer less_equal less_equal.outer max maximum maximum.accumulate
        maximum.at maximum.outer maximum.reduce maximum.reduceat min minimum minimum.accumulate minimum.at
        minimum.outer minimum.reduce minimum.reduceat nanargmax nanargmin nanmax nanmean nanmin nanprod nansum ptp
        median nanmedian ndarray.argmax ndarray.argmin ndarray.max ndarray.min""",
    _UNSIGNED: """abs absolute absolute.at gcd gcd.at gcd.outer gcd.reduce lcm lcm.at lcm.outer lcm.reduce
        logaddexp logaddexp.at negative negative.at pow power power.at power.outer sign sign.at
        polynomial.hermite.hermweight polynomial.laguerre.lagweight dot inner matmul tensordot vdot matvec vecmat
        ndarray.dot""",
    "bool": """abs absolute conj conjugate dot inner logaddexp matmul matvec polynomial.hermite.hermweight polynomial.hermite_e.hermeweight pow power power.outer real square
        tensordot trapezoid vdot vecdot vecmat maximum.accumulate minimum.accumulate maximum.reduceat
        minimum.reduceat nextafter nextafter.outer spacing histogram2d histogramdd""",
    "int8 int16": "dot inner matmul tensordot vdot ndarray.dot",
    "int8 uint8 float16": "nextafter nextafter.at nextafter.outer spacing",
    "int8": "matvec vecmat",
    "float16": "argwhere flatnonzero",
}
_FLOATING = """acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh cbrt cos cosh deg2rad degrees
    exp exp2 expm1 log log1p rad2deg radians sin sinh sqrt tan tanh"""
# NumPy computes small integers in float16 and float32, and divides them in float64; tnp does the opposite.
NARROW: dict[str, str] = {
    _SMALL: _FLOATING,
    "int8 uint8 int16 uint16": "divide divide.outer true_divide",
    "int8 int16": "logaddexp",
}


_LISTS = "atleast_1d atleast_2d atleast_3d broadcast_arrays"
_LIST_OPERANDS = "gcd lcm"
_TRUTHS = """logical_and logical_and.accumulate logical_and.at logical_and.outer logical_and.reduce logical_not
    logical_not.at logical_or logical_or.accumulate logical_or.at logical_or.outer logical_or.reduce logical_xor
    logical_xor.at logical_xor.outer logical_xor.reduce all any ndarray.all ndarray.any"""


@dataclass(frozen=True)
class Difference:
    """What is different, for which names, in which of their calls, and calls that show it."""

    reason: str
    names: frozenset[str]
    when: Callable[[Call], bool]
    shown_by: tuple[Call, ...]


def _names(text: str) -> frozenset[str]:
    return frozenset(f"numpy.{name}" for name in text.split())


def _has(dtypes: str) -> Callable[[Call], bool]:
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
    return Call(name, (ones, *[ones] * (_operands(name) - 1), *_MORE.get(name.removeprefix("numpy."), ())))


_ON_MATRICES = frozenset("dot inner matmul linalg.matmul tensordot linalg.tensordot ndarray.dot matvec vecmat".split())
_MORE: dict[str, tuple[Any, ...]] = {
    "histogram2d": (np.array([True, False]),),
}


def _operands(name: str) -> int:
    function, _, method = name.removeprefix("numpy.").rpartition(".")
    if method == "outer" or method in ("vdot", "vecdot"):
        return 2
    return getattr(getattr(np, method, None), "nin", 1) if not function else 1


def _has_axis(name: str) -> bool:
    """Whether the default is an axis and not all of them."""
    return name.endswith((".reduce", "argsort"))


def _by_dtypes(table: dict[str, str], reason: str) -> list[Difference]:
    return [
        Difference(f"{reason}: {dtypes}", _names(names), _has(dtypes),
                   tuple(_simple(name, dtype) for name in sorted(_names(names)) for dtype in dtypes.split()))
        for dtypes, names in table.items()
    ]  # fmt: skip


KNOWN: tuple[Difference, ...] = (
    *_by_dtypes(NO_KERNEL, "no kernel"),
    *_by_dtypes(NARROW, "another width"),
    Difference(
        "NumPy takes axis 0 or -1 of an array without axes; TensorFlow raises",
        _names("""add.reduce all amax amin any argsort bitwise_and.reduce bitwise_or.reduce bitwise_xor.reduce
            count_nonzero cumprod cumsum fmax.reduce fmin.reduce gcd.reduce hypot.reduce lcm.reduce
            logaddexp.reduce logical_and.reduce logical_or.reduce logical_xor.reduce max maximum.reduce min
            minimum.reduce multiply.reduce nanmax nanmin nanprod nansum prod squeeze sum ndarray.all ndarray.any
            ndarray.argsort ndarray.cumprod ndarray.cumsum ndarray.max ndarray.min ndarray.prod ndarray.squeeze
            ndarray.sum"""),
        lambda call: call.shape == () and (len(call.args) > 1 or "axis" in call.kwargs or _has_axis(call.name)),
        (),
    ),
    Difference(
        "tnp gives a list where NumPy gives a tuple",
        _names("atleast_1d atleast_2d atleast_3d broadcast_arrays"),
        lambda call: len(call.args) > 1,
        tuple(Call(f"numpy.{name}", (np.ones(2), np.ones(2))) for name in _LISTS.split()),
    ),
    Difference(
        "tnp gives a Python list or number the dtype of the array beside it",
        _names(_LIST_OPERANDS),
        lambda call: any(isinstance(one, list) for one in call.args) and any(isinstance(one, np.ndarray) for one in call.args),
        tuple(Call(f"numpy.{name}", (np.ones(2, "int32"), [1, 2])) for name in _LIST_OPERANDS.split()),
    ),
    Difference(
        "tnp looks at the real part of complex numbers only",
        _names(_TRUTHS),
        _has(_COMPLEX),
        (),
    ),
)


@cache
def _by_name() -> dict[str, list[Difference]]:
    found: dict[str, list[Difference]] = {}
    for one in KNOWN:
        for name in one.names:
            found.setdefault(name, []).append(one)
    return found


def known_difference(call: Call) -> Difference | None:
    """The entry that a call falls under, None if it is to do as NumPy."""
    return next((one for one in _by_name().get(call.name, ()) if one.when(call)), None)
