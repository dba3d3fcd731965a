"""Where a call as it is translated is known not to do as NumPy: the reason, and the names that it holds for.

`tnp-migrate coverage` shows the reasons beside the names, the passes go by them where a dtype is proven, and the tests
demand that each name still needs its reason. Bare names are those of `numpy`.
"""

from __future__ import annotations

from functools import cache

FLOATING = """
    acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh cbrt cos cosh deg2rad degrees
    exp exp2 expm1 log log1p rad2deg radians sin sinh sqrt tan tanh
"""
SMALL = "bool int8 uint8 int16 uint16"
COMPLEX = "complex64 complex128"
TRUTHS = "logical_and logical_not logical_or logical_xor all any ndarray.all ndarray.any"
TRUTHS_REDUCED = "logical_and.reduce logical_or.reduce"
WRAPPING = "add bitwise_and bitwise_or bitwise_xor maximum minimum multiply subtract"

# By dtype: TensorFlow has no kernel for what the operands promote to, and says so.
NO_KERNEL: dict[str, str] = {
    COMPLEX: "isfinite isnan maximum maximum.reduceat median minimum minimum.reduceat nanmean nanmedian nanprod nansum",
    "uint8 uint16 uint32 uint64": """
        abs absolute absolute.at dot inner matmul negative negative.at pow power sign sign.at tensordot vdot
    """,
    "bool": """
        abs absolute absolute.at add.at conj conjugate conjugate.at dot inner matmul ndarray.conj ndarray.conjugate
        ndarray.real pow power real square square.at tensordot vdot
    """,
    "int8 int16": "dot inner matmul tensordot vdot",
    "float16": "argwhere flatnonzero",
}
# By dtype, without a word.
FLOATED = "bool and 8 and 16 bit integers become float64: NumPy computes them in float16 and float32"
DIVIDED = "8 and 16 bit integers become float32: NumPy divides them in float64"
REAL_PARTS = "TensorFlow looks at the real part of complex numbers only"


def no_kernel(dtypes: str) -> str:
    """The reason for dtypes that TensorFlow has no kernel for."""
    return f"no kernel for {', '.join(dtypes.split())}: the call raises"


_MEMBERS_OF_NOTHING = "all any argmax argmin argsort cumprod cumsum prod squeeze sum"
# The reasons: by dtype, by the values, the shapes, or how an argument is written, and in a trace.
LIMITS: dict[str, str] = {
    **{no_kernel(dtypes): names for dtypes, names in NO_KERNEL.items()},
    FLOATED: FLOATING,
    DIVIDED: "divide true_divide",
    REAL_PARTS: f"{TRUTHS} {TRUTHS_REDUCED}",
    "a Python integer that the dtype of the array cannot hold wraps: NumPy raises, and divides in floats": f"""
        divide true_divide full full_like {WRAPPING}""",
    "0j ** 0 is NaN": "pow power",
    "a complex power that overflows has other infinite parts": """
        pow power power.at power.outer float_power float_power.at float_power.outer""",
    "a complex number divided by zero is NaN: NumPy has infinities": "divide true_divide",
    "an axis that is too far below zero, or of an array that lacks it, is taken for another: NumPy raises": """
        flip fliplr flipud moveaxis swapaxes ndarray.swapaxes""",
    "the step between no points or one is float32": "linspace",
    "steps are not rounded to an integer `dtype` that only the run knows": "arange",
    "the mean of nothing is 0 where it is complex: NumPy gives NaN": "mean ndarray.mean",
    "a list of which no axis moves is given back as it is": "moveaxis",
    "along an axis, a list that is not written in the call gets the dtype of the array beside it": "append",
    "axis 0 or -1 of an array without axes: the call raises": f"""
        add.reduce count_nonzero logical_and.reduce logical_or.reduce multiply.reduce nanargmax nanargmin nanmean
        nanprod nansum {_MEMBERS_OF_NOTHING} {" ".join(f"ndarray.{one}" for one in _MEMBERS_OF_NOTHING.split())}""",
    "an array without axes has no positions: the call raises": "argwhere",
    "traced, the result is complex: whether it is, is decided by values": """
        emath.arccos emath.arcsin emath.arctanh emath.log emath.log10 emath.log2 emath.logn emath.power emath.sqrt
        linalg.eigvals real_if_close polynomial.polynomial.polyroots""",
    "traced, the last coefficient is taken not to be zero": """
        polydiv polynomial.polynomial.polydiv polynomial.polynomial.polypow polynomial.polynomial.polycompanion""",
    "traced, places of nothing cannot be looked for": "digitize searchsorted ndarray.searchsorted",
    "traced, a value on an edge may change its bin: the graph multiplies the width in another order": """
        histogram histogram2d histogramdd""",
    "traced, there are no numbers to make a list of": "ndarray.tolist",
}


@cache
def limits_of(name: str) -> tuple[str, ...]:
    """The reasons that hold for a qualified name."""
    bare = name.removeprefix("numpy.")
    return tuple(reason for reason, names in LIMITS.items() if bare in names.split())


@cache
def lacking_kernel(name: str) -> frozenset[str]:
    """The dtypes that TensorFlow has no kernel for in what a qualified name becomes."""
    bare = name.removeprefix("numpy.")
    return frozenset(one for dtypes, names in NO_KERNEL.items() if bare in names.split() for one in dtypes.split())


def bare_names(text: str) -> frozenset[str]:
    """Qualified names of bare ones."""
    return frozenset(f"numpy.{name}" for name in text.split())
