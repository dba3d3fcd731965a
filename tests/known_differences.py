"""Where a translated call is known not to do as NumPy, exactly: the calls that are not judged, and why.

Each entry has calls that show it: their test fails as soon as one of them does as NumPy, and the entry has to shrink.
`known_dtypes` has those that go by the dtypes of a call.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Any

import numpy as np
from generated_programs import Call, Text
from known_dtypes import COMPLEX, DTYPES, FLOATING, Difference, has_dtype, names_of, operands

from tnp_migrate.facts import UFUNCS_AT

_TRUTHS = """logical_and logical_and.accumulate logical_and.at logical_and.outer logical_and.reduce logical_not
    logical_not.at logical_or logical_or.accumulate logical_or.at logical_or.outer logical_or.reduce logical_xor
    logical_xor.at logical_xor.outer logical_xor.reduce all any ndarray.all ndarray.any"""


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


def _does_not_broadcast(call: Call) -> bool:
    """Whether the shapes of the operands do not fit."""
    try:
        np.broadcast_shapes(*map(np.shape, call.args))
    except ValueError:
        return True
    return False


def _points(call: Call) -> int:
    """The number of points of `linspace`."""
    return int(call.args[2] if len(call.args) > 2 else call.kwargs.get("num", 50))


def _has_more_conditions(call: Call) -> bool:
    """Whether `compress` has more conditions than there are elements along its axis."""
    condition, array = call.args[:2] if call.name == "numpy.compress" else call.args[1::-1]
    axis = call.args[2] if len(call.args) > 2 else call.kwargs.get("axis")
    sizes = np.shape(array) if axis is None else np.shape(array)[axis % max(np.ndim(array), 1) :][:1]
    return len(condition) > prod(sizes)


_ONES = np.ones(2)
_MEMBERS_OF_NOTHING = """all any argmax argmin argsort cumprod cumsum max min prod squeeze sum"""
_ON_NOTHING = f"""add.reduce amax amin bitwise_and.reduce bitwise_or.reduce bitwise_xor.reduce count_nonzero fmax.reduce
    fmin.reduce gcd.reduce hypot.reduce lcm.reduce logaddexp.reduce logical_and.reduce logical_or.reduce
    logical_xor.reduce maximum.reduce minimum.reduce multiply.reduce nanargmax nanargmin nanmax nanmean nanmin nanprod
    nanstd nansum nanvar ptp {_MEMBERS_OF_NOTHING}
    {" ".join(f"ndarray.{one}" for one in _MEMBERS_OF_NOTHING.split())}"""
_AT = " ".join(f"{one}.at" for one in FLOATING.split() if one in UFUNCS_AT[1])
_WRAPPING = "divide true_divide add bitwise_and bitwise_or bitwise_xor maximum minimum multiply subtract"
_BY_KERNELS = """arctan2 atan2 bitwise_left_shift bitwise_right_shift copysign divmod floor_divide fmax fmin fmod
    heaviside hypot ldexp left_shift logaddexp2 nextafter right_shift"""
_MOVED = "flip fliplr flipud moveaxis swapaxes ndarray.swapaxes"


def _at(name: str, dtype: str, *more: Any) -> Call:
    return Call(f"numpy.{name}", (np.array([5, 3], dtype), [0, 1, 1], *more))


KNOWN: tuple[Difference, ...] = (
    *DTYPES,
    Difference(
        "NumPy takes axis 0 or -1 of an array without axes; TensorFlow raises",
        names_of(_ON_NOTHING),
        lambda call: call.shape == () and (len(call.args) > 1 or "axis" in call.kwargs or _has_axis(call.name)),
        tuple(
            Call(name, (np.array(1.0),), {"axis": 0})
            for name in sorted(names_of(_ON_NOTHING))
            if not name.startswith("numpy.bitwise") and "gcd" not in name and "lcm" not in name
        ),
    ),
    Difference(
        "arrays without axes have no positions in TensorFlow",
        names_of("argwhere take ndarray.take"),
        lambda call: call.shape == (),
        (Call("numpy.argwhere", (np.array(1.0),)), Call("numpy.take", (np.array(1.0), [0]), {"axis": 0})),
    ),
    Difference(
        "tnp gives a Python list the dtype of the array beside it",
        names_of("append gcd lcm"),
        lambda call: any(isinstance(one, list) for one in call.args),
        (
            *(Call(f"numpy.{name}", (np.ones(2, "int32"), [1, 2])) for name in ("gcd", "lcm")),
            Call("numpy.append", ([1.0, 1.0], np.zeros(0, "float32")), {"axis": 0}),
        ),
    ),
    Difference(
        "TensorFlow looks at the real part of complex numbers only",
        names_of(_TRUTHS),
        has_dtype(COMPLEX),
        tuple(
            Call(name, (np.array([1j, 1j]), *([np.array([0j, 1])] if operands(name) == 2 else [])))
            for name in sorted(names_of(_TRUTHS))
            if not name.endswith((".at", ".reduce", ".all", ".any"))
        ),
    ),
    Difference(
        "a Python integer that the dtype of the array cannot hold wraps: NumPy raises, and divides in floats",
        names_of(f"{_WRAPPING} full full_like"),
        _outside,
        (*(Call(f"numpy.{name}", (np.ones(2, "uint8"), -1)) for name in [*_WRAPPING.split(), "full_like"]),),
    ),
    Difference(
        "an integer divided by zero: NumPy warns and gives some number, TensorFlow another, or raises",
        names_of("mod reciprocal remainder remainder.at remainder.outer"),
        lambda call: not call.dtypes & {"float16", "float32", "float64"} and _holds(call.args[-1], 0),
        (
            Call("numpy.mod", (np.ones(2, "int64"), np.array([0, 1]))),
            Call("numpy.reciprocal", (np.array([1, 0]),)),
            _at("remainder.at", "int64", np.array(0)),
        ),
    ),
    Difference(
        "a complex zero to a power: TensorFlow gives NaN for 0j ** 0",
        names_of("pow power power.at power.outer float_power float_power.at float_power.outer emath.power"),
        lambda call: _holds(call.args[0], 0) and (bool(has_dtype(COMPLEX)(call)) or call.name == "numpy.emath.power"),
        (
            Call("numpy.power", (np.array([0j]), np.array([0.0]))),
            Call("numpy.emath.power", (np.array([0.0, -1.0]), -1.0)),
        ),
    ),
    Difference(
        "a complex infinity has another imaginary part",
        names_of("emath.log emath.log2 emath.log10 emath.logn"),
        lambda call: any(_holds(one, 0) for one in call.args),
        (Call("numpy.emath.log2", (np.array([-1.0, -0.0]),)),),
    ),
    Difference(
        "a complex number divided by zero is NaN: NumPy has infinities",
        names_of("divide divide.at divide.outer reciprocal reciprocal.at true_divide"),
        lambda call: bool(has_dtype(COMPLEX)(call)) and _holds(call.args[-1], 0),
        (Call("numpy.divide", (np.full((3, 3), -1 + 0.5j), np.array([0.0]))),),
    ),
    Difference(
        "a floating function in place on integers: NumPy computes in the narrowest float and casts back",
        names_of(
            f"{_AT} arctan2.at copysign.at divide.at float_power.at heaviside.at hypot.at logaddexp.at nextafter.at "
            "reciprocal.at"
        ),
        lambda call: call.args[0].dtype.kind in "biu",
        (_at("exp.at", "int8"), _at("sinh.at", "int8")),
    ),
    Difference(
        "a power of integers whose exponent is negative: TensorFlow's error is its own",
        names_of("power.at power.outer"),
        lambda call: (
            not call.dtypes & {"float16", "float32", "float64"} and bool(np.any(np.asarray(call.args[-1]) < 0))
        ),
        (_at("power.at", "int64", np.array(-1)), Call("numpy.power.outer", (np.array([1]), np.array([-1])))),
    ),
    Difference(
        "a tensor is turned although it has too few axes, or not the one that is named: NumPy raises",
        names_of(_MOVED),
        lambda call: len(call.shape) < (2 if call.name == "numpy.fliplr" else 1) or _refused_axis(call),
        (Call("numpy.flipud", (np.array(1.0),)), Call("numpy.swapaxes", (_ONES, -2, 0))),
    ),
    Difference(
        "plain tnp, chosen for a proven dtype, wants two axes",
        names_of("tril triu"),
        lambda call: call.proven and len(call.shape) < 2,
        (Call("numpy.tril", (_ONES,), proven=True), Call("numpy.triu", (_ONES,), proven=True)),
    ),
    Difference(
        "tnp wants as many conditions as there are elements, NumPy at most",
        names_of("compress ndarray.compress"),
        _has_more_conditions,
        (Call("numpy.compress", (np.array([True, False, False]), np.array([[1]]))),),
    ),
    Difference(
        "the bits of nothing are not folded: the call raises",
        names_of("bitwise_and.reduce bitwise_or.reduce bitwise_xor.reduce"),
        lambda call: 0 in call.shape,
        (Call("numpy.bitwise_or.reduce", (np.ones(0, "int64"),)),),
    ),
    Difference(
        "the step between no points is float32",
        names_of("linspace"),
        lambda call: (call.kwargs.get("retstep") is True or call.args[4:5] == (True,)) and _points(call) < 2,
        (Call("numpy.linspace", (1, 1), {"num": 0, "retstep": True}),),
    ),
    Difference(
        "the largest of nothing: NumPy raises where an axis without elements is not the only one",
        names_of("linalg.norm linalg.vector_norm"),
        lambda call: 0 in call.shape,
        (Call("numpy.linalg.norm", (np.ones((0, 0)),), {"ord": -np.inf, "axis": 0}),),
    ),
    Difference(
        "a mask of another shape: NumPy raises ValueError, TensorFlow its own error",
        names_of("copyto"),
        lambda call: np.shape(call.kwargs.get("where", True))[-1:] not in ((), (1,), call.shape[-1:]),
        (Call("numpy.copyto", (_ONES, 0.0), {"where": np.array([True, False, True])}),),
    ),
    Difference(
        "no axes to turn: an empty tuple is one of floats",
        names_of("permute_dims transpose ndarray.transpose"),
        lambda call: call.shape == (),
        (Call("numpy.permute_dims", (np.array(1.0),), {"axes": ()}),),
    ),
    Difference(
        "a list of which no axis moves is given back as it is",
        names_of("moveaxis"),
        lambda call: isinstance(call.args[0], list),
        (Call("numpy.moveaxis", ([1.0, 1.0], 0, 0)),),
    ),
    Difference(
        "shapes that do not broadcast: NumPy raises ValueError, TensorFlow's kernel its own error",
        names_of(_BY_KERNELS),
        _does_not_broadcast,
        tuple(Call(name, (np.ones(2, int), np.ones(4, int))) for name in sorted(names_of(_BY_KERNELS))),
    ),
    Difference(
        "the outer form promotes small integers before it makes floats of them",
        names_of("arctan2.outer copysign.outer heaviside.outer hypot.outer logaddexp.outer logaddexp2.outer"),
        lambda call: len(call.dtypes & {"bool", "int8", "uint8", "int16", "uint16"}) > 1,
        (Call("numpy.hypot.outer", (np.ones(2, "int8"), np.ones(2, "uint8"))),),
    ),
    Difference(
        "a place in nothing, wrapped: NumPy raises IndexError, TensorFlow's kernel its own error",
        names_of("take ndarray.take"),
        lambda call: 0 in call.shape,
        (Call("numpy.take", (np.ones(0), [0]), {"axis": 0, "mode": "wrap"}),),
    ),
    Difference(
        "the largest of bools and an integer to start with is an integer",
        names_of("maximum.reduce minimum.reduce"),
        lambda call: "bool" in call.dtypes and "initial" in call.kwargs,
        (Call("numpy.maximum.reduce", (np.ones(3, bool),), {"axis": None, "initial": 0}),),
    ),
    Difference(
        "bits packed along an axis that is not there: TensorFlow's own error",
        names_of("packbits unpackbits"),
        _refused_axis,
        (Call("numpy.packbits", (np.ones(1, "uint8"),), {"axis": 1}),),
    ),
    Difference(
        "a reduction with `initial` over an axis that is not there raises TensorFlow's own error",
        names_of("amax amin max min ndarray.max ndarray.min"),
        lambda call: "initial" in call.kwargs and _refused_axis(call),
        (Call("numpy.max", (_ONES,), {"axis": 1, "initial": 0.0}),),
    ),
    Difference(
        "a grid that ends before it begins: NumPy raises for more than one axis",
        names_of("mgrid ogrid"),
        lambda call: len(call.args) > 1,
        (Call("numpy.mgrid", (Text("1:0"), Text("1:0"))),),
    ),
    Difference(
        "whole numbers of fractional steps: NumPy rounds the step, the rule the numbers",
        names_of("arange"),
        lambda call: (
            any(isinstance(one, float) for one in (*call.args, *call.kwargs.values())) and "dtype" in call.kwargs
        ),
        (Call("numpy.arange", (0, 5, 0.5), {"dtype": Text("np.int64")}),),
    ),
    Difference(
        "no counts, with weights: NumPy gives integers",
        names_of("bincount"),
        lambda call: call.shape == (0,),
        (Call("numpy.bincount", (np.ones(0, "int64"),), {"weights": np.ones(0)}),),
    ),
    Difference(
        "the range of nothing is -inf: NumPy raises",
        names_of("ptp"),
        lambda call: 0 in call.shape,
        (Call("numpy.ptp", (np.ones(0),)),),
    ),
    Difference(
        "a complex mean of nothing is 0 and not NaN",
        names_of("mean ndarray.mean"),
        lambda call: 0 in call.shape and ("complex" in str(call.kwargs.get("dtype")) or bool(has_dtype(COMPLEX)(call))),
        (Call("numpy.mean", (np.ones(0),), {"dtype": Text("np.complex128")}),),
    ),
    Difference(
        "a tensor's own ravel has no `order`",
        names_of("ndarray.ravel"),
        lambda call: "order" in call.kwargs or len(call.args) > 1,
        (Call("numpy.ndarray.ravel", (_ONES,), {"order": "C"}),),
    ),
    Difference(
        "whether the result is complex is decided by the values, which a trace does not have: it is",
        names_of("""emath.arccos emath.arcsin emath.arctanh emath.log emath.log10 emath.log2 emath.logn emath.power
            emath.sqrt linalg.eigvals real_if_close polynomial.polynomial.polyroots"""),
        lambda call: True,
        (
            *(Call(f"numpy.emath.{name}", (np.array([0.5]),)) for name in "arccos arcsin arctanh log sqrt".split()),
            Call("numpy.real_if_close", (np.array([1 + 0j]),)),
            Call("numpy.polynomial.polynomial.polyroots", (np.array([-2.0, 1.0, 1.0]),)),
        ),
        traced=True,
    ),
    Difference(
        "a trace takes the last coefficient not to be zero",
        names_of("""polydiv polynomial.polynomial.polydiv polynomial.polynomial.polypow
            polynomial.polynomial.polycompanion"""),
        lambda call: any(_holds(one, 0) for one in call.args),
        (Call("numpy.polynomial.polynomial.polycompanion", (np.array([1.0, 2.0, 0.0]),)),),
        traced=True,
    ),
    Difference(
        "a trace cannot look for places of nothing",
        names_of("digitize searchsorted ndarray.searchsorted"),
        lambda call: 0 in call.shape,
        (Call("numpy.digitize", (np.ones((2, 0), int), np.ones(1, int))),),
        traced=True,
    ),
    Difference(
        "TensorFlow's graph optimiser multiplies the bin's width in another order: a value on an edge changes its bin",
        names_of("histogram histogram2d histogramdd"),
        lambda call: not any(isinstance(one, list | np.ndarray) for one in [*call.args[2:3], call.kwargs.get("bins")]),
        (Call("numpy.histogram2d", (np.ones(4), np.array([1, 1, 3, -2]))),),
        traced=True,
    ),
    Difference(
        "a trace has no numbers to make a list of",
        names_of("ndarray.tolist"),
        lambda call: True,
        (Call("numpy.ndarray.tolist", (_ONES,)),),
        traced=True,
    ),
    Difference(
        "TensorFlow tiles no array of 16 bit or unsigned integers",
        names_of("resize tile"),
        has_dtype("uint16 uint32 uint64"),
        (Call("numpy.resize", (np.ones(2, "uint16"), (3,))),),
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
