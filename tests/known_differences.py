"""Where a translated call is known not to do as NumPy, exactly: the calls that are not judged, and why.

The reasons and their names are those of the coverage page, `tnp_migrate.numpy_facts.limits`. Each has calls that show
it: their test fails as soon as one of them does as NumPy, and the entry has to shrink. `known_dtypes` has those by
dtype.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from generated_programs import Call, Text
from known_dtypes import DTYPES, Difference, has_dtype, operands

from tnp_migrate.numpy_facts.limits import COMPLEX, LIMITS, REAL_PARTS, TRUTHS, WRAPPING, bare_names


def _has_axis(name: str) -> bool:
    """Whether the default is an axis and not all of them."""
    return name.endswith((".reduce", "argsort"))


def _outside(call: Call) -> bool:
    """Whether a Python integer does not fit the integers beside it."""
    kinds = [np.dtype(name) for name in call.dtypes if name.startswith(("int", "uint"))]
    numbers = [one for one in (*call.args, *call.kwargs.values()) if type(one) is int]
    named = [
        np.dtype(str(one)[3:])
        for one in (*call.args, *call.kwargs.values())
        if str(one).startswith(("np.int", "np.uint"))
    ]
    return any(not np.iinfo(one).min <= n <= np.iinfo(one).max for one in (*kinds, *named) for n in numbers)


def _holds(array: Any, value: float) -> bool:
    return isinstance(array, np.ndarray | list | int | float) and bool(np.any(np.asarray(array) == value))


def _refused_axis(call: Call) -> bool:
    """Whether an axis is given that the array lacks."""
    rank = len(call.shape)
    given = [one for one in (*call.args[1:], *call.kwargs.values()) if isinstance(one, int | tuple)]
    return any(not -rank <= one < rank for several in given for one in np.ravel(several))


def _overflows(call: Call) -> bool:
    """Whether a power of complex numbers is not finite; in place it is taken again and again."""
    if not has_dtype(COMPLEX)(call):
        return False
    with np.errstate(all="ignore"):
        return call.name.endswith(".at") or not np.all(np.isfinite(np.power.outer(call.args[0], call.args[-1])))


def _points(call: Call) -> int:
    """The number of points of `linspace`."""
    return int(call.args[2] if len(call.args) > 2 else call.kwargs.get("num", 50))


_ONES = np.ones(2)


KNOWN: tuple[Difference, ...] = (
    *DTYPES,
    Difference(
        REAL_PARTS,
        has_dtype(COMPLEX),
        tuple(
            Call(name, (np.array([1j, 1j]), *([np.array([0j, 1])] if operands(name) == 2 else [])))
            for name in sorted(bare_names(TRUTHS))
            if not name.startswith("numpy.ndarray.")
        ),
    ),
    Difference(
        "a Python integer that the dtype of the array cannot hold wraps: NumPy raises, and divides in floats",
        _outside,
        tuple(Call(f"numpy.{name}", (np.ones(2, "uint8"), -1)) for name in ["divide", *WRAPPING.split(), "full_like"]),
    ),
    Difference(
        "0j ** 0 is NaN",
        lambda call: bool(has_dtype(COMPLEX)(call)) and _holds(call.args[0], 0),
        (Call("numpy.power", (np.array([0j]), np.array([0.0]))),),
    ),
    Difference(
        "a complex power that overflows has other infinite parts",
        _overflows,
        (Call("numpy.float_power", (np.array([1e300j]), 2.0)), Call("numpy.power", (np.array([1e300j]), 2.0))),
    ),
    Difference(
        "a complex number divided by zero is NaN: NumPy has infinities",
        lambda call: bool(has_dtype(COMPLEX)(call)) and _holds(call.args[-1], 0),
        (Call("numpy.divide", (np.full((3, 3), -1 + 0.5j), np.array([0.0]))),),
    ),
    Difference(
        "an axis that is too far below zero, or of an array that lacks it, is taken for another: NumPy raises",
        lambda call: len(call.shape) < (2 if call.name == "numpy.fliplr" else 1) or _refused_axis(call),
        (Call("numpy.flipud", (np.array(1.0),)), Call("numpy.swapaxes", (_ONES, -2, 0))),
    ),
    Difference(
        "the step between no points or one is float32",
        lambda call: (call.kwargs.get("retstep") is True or call.args[4:5] == (True,)) and _points(call) < 2,
        (Call("numpy.linspace", (1, 1), {"num": 0, "retstep": True}),),
    ),
    Difference(
        "steps are not rounded to an integer `dtype` that only the run knows",
        lambda call: str(call.kwargs.get("dtype")) == "type(1)",
        (Call("numpy.arange", (0, 5, 0.5), {"dtype": Text("type(1)")}),),
    ),
    Difference(
        "the mean of nothing is 0 where it is complex: NumPy gives NaN",
        lambda call: 0 in call.shape and ("complex" in str(call.kwargs.get("dtype")) or bool(has_dtype(COMPLEX)(call))),
        (Call("numpy.mean", (np.ones(0),), {"dtype": Text("np.complex128")}),),
    ),
    Difference(
        "a list of which no axis moves is given back as it is",
        lambda call: isinstance(call.args[0], list),
        (Call("numpy.moveaxis", ([1.0, 1.0], 0, 0)),),
    ),
    Difference(
        "along an axis, a list that is not written in the call gets the dtype of the array beside it",
        lambda call: str(call.args[0]).startswith("list("),
        (Call("numpy.append", (Text("list((1.0, 1.0))"), np.zeros(0, "float32")), {"axis": 0}),),
    ),
    Difference(
        "axis 0 or -1 of an array without axes: the call raises",
        lambda call: call.shape == () and (len(call.args) > 1 or "axis" in call.kwargs or _has_axis(call.name)),
        tuple(
            Call(name, (np.array(1.0),), {"axis": 0})
            for name in sorted(bare_names(LIMITS["axis 0 or -1 of an array without axes: the call raises"]))
            if not name.startswith("numpy.bitwise") and "gcd" not in name and "lcm" not in name
        ),
    ),
    Difference(
        "an array without axes has no positions: the call raises",
        lambda call: call.shape == (),
        (Call("numpy.argwhere", (np.array(1.0),)),),
    ),
    Difference(
        "traced, the result is complex: whether it is, is decided by values",
        lambda call: True,
        (
            *(Call(f"numpy.emath.{name}", (np.array([0.5]),)) for name in "arccos arcsin arctanh log sqrt".split()),
            Call("numpy.real_if_close", (np.array([1 + 0j]),)),
            Call("numpy.polynomial.polynomial.polyroots", (np.array([-2.0, 1.0, 1.0]),)),
        ),
    ),
    Difference(
        "traced, the last coefficient is taken not to be zero",
        lambda call: any(_holds(one, 0) for one in call.args),
        (Call("numpy.polynomial.polynomial.polycompanion", (np.array([1.0, 2.0, 0.0]),)),),
    ),
    Difference(
        "traced, places of nothing cannot be looked for",
        lambda call: 0 in call.shape,
        (Call("numpy.digitize", (np.ones((2, 0), int), np.ones(1, int))),),
    ),
    Difference(
        "traced, a value on an edge may change its bin: the graph multiplies the width in another order",
        lambda call: not any(isinstance(one, list | np.ndarray) for one in [*call.args[2:3], call.kwargs.get("bins")]),
        (Call("numpy.histogram2d", (np.ones(4), np.array([1, 1, 3, -2]))),),
    ),
    Difference(
        "traced, there are no numbers to make a list of",
        lambda call: True,
        (Call("numpy.ndarray.tolist", (_ONES,)),),
    ),
)


@cache
def _by_name() -> dict[str, list[Difference]]:
    found: dict[str, list[Difference]] = {}
    for one in KNOWN:
        for name in one.names:
            found.setdefault(name, []).append(one)
    return found


def known_difference(call: Call, *, traced: bool) -> Difference | None:
    """The entry that a call falls under, None if it is to do as NumPy."""
    return next((one for one in _by_name().get(call.name, ()) if one.traced <= traced and one.when(call)), None)
