"""Which parameter of which NumPy function is of which kind.

`BY_NAME` has what a parameter's name alone says, `SPECIAL` and `POLYNOMIAL` what a function wants of its own, and
`NOT_GENERATED` the names that nothing is drawn for, with the reason.
"""

from __future__ import annotations

import call_arguments as own
import call_strategies as kinds
import numpy as np
from call_strategies import FLOATS, INEXACT, INTEGERS, NUMERIC, REAL, Kind, array, count, finite, vector, words
from generated_programs import Text

numbers = kinds.operand()
flag = kinds.flag


def _each(kind: Kind, names: str) -> dict[str, Kind]:
    return dict.fromkeys(names.split(), kind)


# The kind of a parameter by its name alone.
BY_NAME: dict[str, Kind] = {
    **_each(numbers, "a x m v z val f arr ary array A element object ar y p filt prototype"),
    **_each(kinds.second(), "b x2 a2 B other values"),
    **_each(
        flag,
        "keepdims equal_nan endpoint retstep right density increasing full_matrices include_initial assume_unique "
        "invert return_index return_inverse return_counts sorted returned full tensor sparse deg bias rowvar "
        "return_indices overwrite_input copy",
    ),
    "axis": kinds.axis,
    "dtype": kinds.dtype,
    "where": kinds.where,
    "initial": kinds.initial,
    "shape": kinds.shape,
    **_each(count(0, 2), "ddof correction decimals ndmin"),
    **_each(count(-2, 2), "k offset"),
    "kind": words(None, "stable", "mergesort"),
    "side": words("left", "right"),
    "order": words("C"),
    "norm": words(None, "ortho", "forward", "backward"),
    "bins": kinds.bins,
    "range": kinds.limits,
    "repeats": kinds.repeats,
    "indices_or_sections": kinds.sections,
    "q": kinds.q,
    **_each(words(1e-5, 1e-2, 0.0), "rtol"),
    **_each(words(1e-8, 0.5, 0.0), "atol"),
    **_each(kinds.like_shaped(), "arrays tup"),
    "method": words(
        "linear", "lower", "higher", "midpoint", "nearest", "hazen", "weibull", "median_unbiased", "normal_unbiased",
        "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf",
    ),
    "stable": flag,
    "indexing": words("ij", "xy"),
    "UPLO": words("L", "U"),
    "bitorder": words("big", "little"),
    "trim": words("fb", "f", "b"),
    "slices": own.slices,
    "value": words(0, 2, 1.5),
}  # fmt: skip

_SORTED = {"kind": words("stable"), "stable": words(None)}
_COEFFICIENTS = _each(own.polynomial, "a1 a2 c1 c2 c p u v")
_LIKE = {"fill_value": words(2, 2.5, -1, 0)}
_STRETCH = {
    **_each(words(1, 2.5, 0, -3, 10), "start stop"), "num": count(0, 6), "base": words(2, 10.0), "dtype": kinds.dtype,
}  # fmt: skip
_HISTOGRAM = {"a": array(REAL[:12], 1, 2, special=False), "weights": own.weights_of_all}
_SET = {**_each(vector(NUMERIC, 0, 5), "ar1 ar2"), "assume_unique": words(False)}
_NAN_REDUCED = kinds.operand(REAL)
_PRODUCT = {**_each(own.product_first, "a x1"), **_each(own.product_operand, "b x2")}
_CLIP = _each(own.bounds, "a_min a_max")
_AXES = {"axis": kinds.axes}
_FFT = {"n": count(1, 6), "axes": own.some_axes, "s": own.fft_lengths}
_REDUCED = "all any sum prod mean std var max min amax amin ptp count_nonzero product alltrue sometrue median average"

_ORDERED = tuple(one for one in REAL if one != "bool")

SPECIAL: dict[str, dict[str, Kind]] = {
    **dict.fromkeys(_REDUCED.split(), _AXES),
    **{name: {"a": _NAN_REDUCED, **_AXES} for name in "nanmax nanmin nansum nanprod nanmean nanstd nanvar".split()},
    "nanmedian": {"a": array(REAL, 1), **_AXES},
    **{name: {"a": array(_ORDERED, 1), **_AXES} for name in "quantile percentile nanquantile nanpercentile".split()},
    "median": {"a": array(REAL, 0), **_AXES},
    "average": {"a": finite(NUMERIC), "weights": own.weights, **_AXES},
    **{name: {"axis": kinds.axis_or_none} for name in "argmax argmin nanargmax nanargmin cumsum cumprod".split()},
    **{name: {"axis": kinds.axis_or_none} for name in "nancumsum nancumprod take repeat append delete".split()},
    **{name: {"axis": kinds.axis_or_none, **_SORTED} for name in "sort".split()},
    "argsort": {"a": array(NUMERIC), "kind": words("stable"), "stable": words(None), "axis": kinds.axis_or_none},
    "flip": {"m": numbers, **_AXES},
    "expand_dims": {"axis": kinds.axes},
    "squeeze": {"a": lambda d: kinds.filled(d, [d.one_of(1, 2, 1) for _ in range(d.number(0, 3))], "float64")},
    **{name: {"a": own.padded, "b": kinds.second(("float64", "int64", "float32"))} for name in ("allclose", "isclose")},
    "append": {"values": own.same_but_axis, "axis": kinds.axis},
    "apply_along_axis": {"func1d": own.row_function, "arr": finite(("float64", "int64"))},
    "apply_over_axes": {
        "func": lambda d: Text(d.one_of("np.sum", "np.max")), "a": finite(("float64", "int64")), "axes": own.some_axes,
    },
    "arange": {**_each(words(0, 1, 5, -2, 2.5), "start stop"), "step": words(1, 2, 0.5, -1)},
    "array": {"object": numbers, "copy": words(True)},
    **{f"atleast_{n}d": {"arys": lambda d: [numbers(d) for _ in range(d.number(1, 2))]} for n in (1, 2, 3)},
    "asarray_chkfinite": {"a": array(NUMERIC)},
    **{name: {"M": count(0, 8), "beta": words(0.0, 2.5, 14)} for name in "bartlett blackman hamming hanning".split()},
    "kaiser": {"M": count(0, 8), "beta": words(0.0, 2.5, 14)},
    "bincount": {"x": own.counted, "weights": own.weights_of_all, "minlength": count(0, 6)},
    "block": {"arrays": own.blocks},
    "broadcast_arrays": {"args": lambda d: (numbers(d), kinds.second()(d))[: d.number(1, 2)]},
    "broadcast_shapes": {"args": lambda d: [(2, 1), d.one_of((3,), (2, 3), (2,), 3)][: d.number(1, 2)]},
    "broadcast_to": {"array": array(NUMERIC, 0, 2), "shape": kinds.broader},
    "can_cast": {**_each(kinds.dtype, "from_ to"), "casting": words("safe", "same_kind", "unsafe", "no", "equiv")},
    "choose": {"a": own.choose_from, "choices": own.choices, "mode": words("raise", "wrap", "clip")},
    "clip": {"a": array(REAL), **_CLIP},
    "compress": {"condition": vector(("bool",), 1, 3), "axis": kinds.axis_or_none},
    **{name: {**_each(vector(NUMERIC, 1, 5, special=False), "a v"), "mode": words("full", "same", "valid")}
       for name in ("convolve", "correlate")},
    "copyto": {"dst": array(NUMERIC), "src": kinds.second()},
    **{name: {"m": own.observations, "x": own.observations, "y": lambda d: kinds.filled(d, d.first.shape, "float64",
       special=False), "fweights": own.columns_of, "aweights": own.columns_of} for name in ("cov", "corrcoef")},
    "cross": {**_each(own.vector_pair, "a b"), **_each(words(-1), "axis axisa axisb axisc")},
    "delete": {"obj": own.positions, "axis": kinds.axis_or_none, "arr": array(NUMERIC, 1)},
    **{name: {"m": kinds.array(NUMERIC, 1), "v": kinds.array(NUMERIC, 1, 2)} for name in ("diag", "diagflat")},
    "diag_indices": {"n": count(0, 4), "ndim": count(1, 3)},
    "diag_indices_from": {"arr": lambda d: kinds.filled(d, (d.number(1, 3),) * d.number(2, 3), "float64")},
    **{name: {"a": array(NUMERIC, 2), "axis1": words(0), "axis2": words(1, -1)} for name in ("diagonal", "trace")},
    "diff": {"n": count(0, 3), "prepend": words(0, 1.5), "append": words(0, 2)},
    "digitize": {"x": array(REAL), "bins": own.sorted_array},
    **dict.fromkeys("dot inner matmul vecdot vdot matvec vecmat".split(), _PRODUCT),
    "vecdot": {**_PRODUCT, "axis": words(-1)},
    "matvec": {"x1": kinds.matrix, "x2": own.product_operand},
    "vecmat": {"x1": vector(NUMERIC[:14], 1, 3, special=False), "x2": own.product_operand},
    "vdot": _each(vector(NUMERIC, 3, 3, special=False), "a b"),
    "outer": {**_each(finite(NUMERIC, 0), "a b x1 x2")},
    "kron": {**_each(finite(NUMERIC, 0, 2), "a b")},
    "tensordot": {**_each(own.tensordot_operand, "a b x1 x2"), "axes": own.tensordot_axes},
    "einsum": {"operands": own.einsum},
    "dsplit": {"ary": array(NUMERIC, 3)},
    "hsplit": {"ary": array(NUMERIC, 1)},
    "vsplit": {"ary": array(NUMERIC, 2)},
    **{name: {"ary": array(NUMERIC, 1), "axis": kinds.axis} for name in ("split", "array_split")},
    **{name: {name_: kinds.like_shaped(1) for name_ in ("tup", "arrays")} for name in ("hstack", "concatenate")},
    **{name: {name_: kinds.like_shaped(1, along=False) for name_ in ("tup", "arrays")}
       for name in ("stack", "dstack", "column_stack", "vstack")},
    "ediff1d": {"ary": array(NUMERIC), **_each(words(1, [2, 3], 0), "to_end to_begin")},
    "empty_like": {"prototype": numbers},
    "extract": {"condition": array(("bool", "int64"), 1, 1), "arr": vector(NUMERIC, 5, 6)},
    **{name: {"N": count(0, 4), "n": count(0, 4), "M": count(0, 4)} for name in ("eye", "identity", "tri")},
    "fill_diagonal": {"a": lambda d: kinds.filled(d, (d.number(1, 4), d.number(1, 3)), d.one_of(*NUMERIC)),
                      "val": words(1, 0, [2, 3]), "wrap": flag},
    "frexp": {"x": array(FLOATS)},
    **{name: {"dtype": words(Text("np.float32"), Text("float")), **_AXES} for name in "mean std var".split()},
    **{name: {"a": _NAN_REDUCED, "dtype": words(Text("np.float32"), Text("float")), **_AXES}
       for name in "nanstd nanvar".split()},
    "fromfunction": {"function": lambda d: Text(d.one_of("lambda i, j: i + j", "lambda i, j: i == j")),
                     "shape": lambda d: (d.number(1, 3), d.number(1, 3)), "dtype": words(Text("int"), Text("float"))},
    "full": _LIKE, "full_like": _LIKE,
    "geomspace": {**_STRETCH, **_each(words(1, 2.5, 0.5, 1000), "start stop"), "dtype": words(Text("float"))},
    "linspace": _STRETCH, "logspace": _STRETCH,
    "gradient": {"f": own.gradient_array, "varargs": own.spacing, "edge_order": words(1, 2)},
    "histogram": _HISTOGRAM, "histogram_bin_edges": _HISTOGRAM,
    "histogram2d": {**_each(vector(("float64", "int64"), 4, 4, special=False), "x y"), "bins": words(3, [2, 3]),
                    "range": words([(0, 2), (-1.0, 3.0)]), "weights": own.weights_of_all},
    "histogramdd": {"sample": own.points, "bins": words(3, [2, 3]), "range": words([(0, 2), (-1.0, 3.0)])},
    "indices": {"dimensions": lambda d: tuple(d.number(0, 3) for _ in range(d.number(1, 3))),
                "dtype": words(Text("int"), Text("np.float32"))},
    "insert": {"arr": array(NUMERIC, 1), "obj": own.positions, "values": words(0, 2), "axis": kinds.axis_or_none},
    "interp": {"x": array(("float64", "float64", "float32", "int64"), special=False), "xp": own.knots,
               "fp": own.knot_values, **_each(words(0.0, 9.5), "left right"), "period": words(3.0)},
    **dict.fromkeys("intersect1d setdiff1d setxor1d union1d in1d".split(), _SET),
    "isin": {"element": array(NUMERIC), "test_elements": vector(NUMERIC, 0, 4), "kind": words(None, "sort"),
             "assume_unique": words(False)},
    "ix_": {"args": lambda d: [vector(("int64", "int64", "bool"), 1, 3)(d) for _ in range(d.number(1, 3))]},
    "ldexp": {"x2": own.exponents},
    **{name: {"x2": lambda d: np.abs(kinds.filled(d, d.first.shape, d.one_of(*INTEGERS), special=False)) % 8}
       for name in ("left_shift", "right_shift")},
    "lexsort": {"keys": own.lexsort_keys},
    "mask_indices": {"n": count(1, 4), "mask_func": lambda d: Text(d.one_of("np.triu", "np.tril"))},
    "matrix_transpose": {"x": array(NUMERIC, 2)},
    "meshgrid": {"xi": lambda d: [vector(NUMERIC, 1, 3)(d) for _ in range(d.number(1, 3))], "copy": words(True)},
    "moveaxis": {**_each(kinds.axis, "source destination")},
    "nan_to_num": {**_each(words(0.0, 1.5, -2), "nan posinf neginf"), "copy": words(True)},
    "nanmean": {**_AXES, "a": kinds.operand(INEXACT), "dtype": words(Text("np.float32"), Text("float"))},
    "packbits": {"a": own.bytes_of}, "unpackbits": {"a": own.bytes_of, "count": words(None, 3, 8, -2)},
    "pad": {"array": own.padded, "pad_width": own.widths, "mode": own.pad_words, "kwargs": own.pad_options},
    "sort_complex": {"a": array(NUMERIC, 1)},
    "piecewise": {"x": array(("float64", "float32", "int64"), 1, 2), "condlist": lambda d: [d.first < 0, d.first >= 2],
                  "funclist": words([1, 2], [1, 2, 3], [Text("lambda x: -x"), Text("lambda x: x * 2")])},
    "place": {"arr": vector(NUMERIC, 4, 4), "mask": vector(("bool",), 4, 4), "vals": vector(NUMERIC, 1, 3)},
    "putmask": {"a": vector(NUMERIC, 4, 4), "mask": vector(("bool",), 4, 4), "values": vector(NUMERIC, 1, 4)},
    "put": {"a": array(NUMERIC, 1, empty=False), "ind": kinds.indices, "indices": kinds.indices,
            "v": vector(NUMERIC, 1, 3), "values": vector(NUMERIC, 1, 3), "mode": words("raise", "wrap", "clip")},
    "put_along_axis": {"arr": array(NUMERIC, 1, empty=False), "indices": kinds.positions_along,
                       "values": words(1, 0, 2),
                       "axis": kinds.axis},
    **dict.fromkeys("polyadd polysub polymul".split(), _COEFFICIENTS),
    "poly": {"seq_of_zeros": vector(("float64", "int64"), 0, 4, special=False)},
    "polyval": {"p": own.polynomial, "c": own.polynomial, "x": array(INEXACT, 0, 2, special=False)},
    "polyder": {**_COEFFICIENTS, "m": count(0, 3), "scl": words(2), "axis": words(0)},
    "polyint": {"p": own.nonzero_polynomial, "c": own.nonzero_polynomial, "m": count(0, 3), "k": words(None, 1),
                "scl": words(2)},
    "polydiv": {**_each(own.polynomial, "u c1"), **_each(own.nonzero_polynomial, "v c2")},
    "polyfit": {"x": own.fitted, "y": lambda d: kinds.filled(d, d.first.shape, d.first.dtype.name, special=False),
                "deg": count(0, 3), "w": lambda d: np.ones(d.first.shape) * d.one_of(1, 2), "full": words(False),
                "cov": words(False)},
    "promote_types": _each(kinds.dtype, "type1 type2"),
    "find_common_type": _each(lambda d: [kinds.dtype(d)], "array_types scalar_types"),
    "ravel_multi_index": {"multi_index": own.multi_index, "dims": own.shape_of_two, "mode": words("raise", "wrap")},
    "unravel_index": {"indices": own.flat_index, "shape": own.shape_of_two},
    "real_if_close": {"a": array(("complex128", "complex64", "float64"))},
    "reshape": {"shape": kinds.shape_of_size}, "resize": {"new_shape": kinds.shape, "a": array(NUMERIC)},
    "result_type": {"arrays_and_dtypes": lambda d: [kinds.dtype(d), d.one_of(numbers(d), kinds.dtype(d))]},
    "roll": {"shift": count(-4, 5), "axis": kinds.axis},
    "rollaxis": {"a": array(NUMERIC), "axis": kinds.axis, "start": count(0, 2)},
    "rot90": {"m": array(NUMERIC, 2), "k": count(-2, 5), "axes": own.two_axes},
    "searchsorted": {"a": own.sorted_array, "v": kinds.second(REAL[:12])},
    "select": {"condlist": own.conditions, "choicelist": own.chosen_values, "default": words(0, 7, 1.5)},
    "swapaxes": _each(kinds.axis, "axis1 axis2"),
    "take": {"a": array(NUMERIC), "indices": kinds.indices, "axis": kinds.axis, "mode": words("wrap", "clip", "raise")},
    "take_along_axis": {"arr": array(NUMERIC, 1, empty=False), "indices": kinds.positions_along, "axis": kinds.axis},
    "tile": {"reps": own.times},
    "transpose": {"axes": own.permuted_axes},
    **{name: {"y": finite(REAL[:12]), "x": lambda d: np.arange(float(d.length(d.given.get("axis", -1)))) * 2,
              "dx": words(1.0, 0.5, 2)} for name in ("trapezoid", "trapz")},
    **{name: {"n": count(0, 4), "m": array(NUMERIC, 1), "arr": array(NUMERIC, 2, 2)}
       for name in "tril triu tril_indices triu_indices tril_indices_from triu_indices_from".split()},
    "tril_indices": {"n": count(0, 4), "m": count(0, 4)}, "triu_indices": {"n": count(0, 4), "m": count(0, 4)},
    "trim_zeros": {"filt": own.trimmed},
    "unstack": {"x": array(NUMERIC, 1, empty=False)},
    "unique": {"ar": array(NUMERIC), "axis": kinds.axis_or_none, "sorted": words(True)},  # else in any order
    "unwrap": {"p": array(REAL[:12], 1, special=False), "period": words(4.0), "discont": words(2.0)},
    "vander": {"x": vector(NUMERIC, 1, 4, special=False), "N": count(0, 4)},
    "where": {"condition": array(("bool", "bool", "int64")), "x": kinds.second(NUMERIC), "y": kinds.second(NUMERIC)},
    "power": {"x1": array(NUMERIC, special=False), "x2": kinds.second(("float64", "int64", "int32", "float32"))},
    "float_power": {"x1": array(NUMERIC, special=False), "x2": kinds.second(("float64", "int64", "float32"))},
    "ndindex": {"shape": lambda d: [d.number(0, 3) for _ in range(d.number(1, 2))]},
    "astype": {"dtype": kinds.dtype, "x": array(REAL, special=False), "a": array(REAL, special=False)},
    "issubdtype": {"arg1": kinds.dtype, "arg2": lambda d: Text(d.one_of("np.floating", "np.integer", "np.float64"))},
    "round": {"a": array(INEXACT), "decimals": count(-1, 3)}, "around": {"a": array(INEXACT), "decimals": count(-1, 3)},
    "count_nonzero": {"a": numbers, **_AXES},
    "size": {"a": numbers, "axis": kinds.axis},
    "cumulative_sum": {"x": array(NUMERIC, 1)}, "cumulative_prod": {"x": array(NUMERIC, 1)},
    "array_equal": {"a1": numbers, "a2": lambda d: d.first.copy() if d.rarely(2) else kinds.second()(d)},
    "array_equiv": {"a1": numbers, "a2": lambda d: d.first.copy() if d.rarely(2) else kinds.second()(d)},
    "sliding_window_view": {"x": array(NUMERIC, 1, 2, empty=False), "window_shape": own.window},
    **{f"linalg.{name}": {"a": kinds.square, "x": kinds.square, "A": kinds.square}
       for name in "inv det slogdet eigvals matrix_rank pinv".split()},
    "linalg.cholesky": {"a": kinds.symmetric, "upper": flag},
    "linalg.eigvalsh": {"a": kinds.symmetric}, "linalg.eigh": {"a": kinds.symmetric},
    "linalg.cond": {"x": kinds.square, "p": words(None, 2, -2, 1, -1, "fro", np.inf)},
    "linalg.svdvals": {"x": kinds.square},
    "linalg.svd": {"a": kinds.symmetric, "full_matrices": flag, "compute_uv": flag},
    "linalg.qr": {"a": kinds.square, "mode": words("reduced", "complete", "r")},
    "linalg.solve": {"a": kinds.square, "b": kinds.right_hand_side},
    "linalg.lstsq": {"a": lambda d: kinds.square(d).reshape((-1, 1))[:6] if d.rarely(4) else kinds.square(d)[...],
                     "b": lambda d: kinds.filled(d, (d.first.shape[0],), "float64", special=False),
                     "rcond": words(None)},
    "linalg.matrix_power": {"a": kinds.square, "n": count(-2, 4)},
    "linalg.multi_dot": {"arrays": own.chain},
    "linalg.norm": {"x": array(INEXACT, 1, 3, special=False), "ord": words(None, 1, 2, np.inf, -np.inf, 0, 3),
                    "axis": kinds.axis},
    "linalg.vector_norm": {"x": array(INEXACT, 1, 3, special=False), "ord": words(2, 1, np.inf, 0, 3.5), **_AXES},
    "linalg.matrix_norm": {"x": kinds.matrix, "ord": words("fro", "nuc", 1, 2, np.inf, -1)},
    "linalg.tensorinv": {"a": lambda d: np.eye(6).reshape(6, 3, 2) * d.number(1, 3), "ind": words(1)},
    "linalg.tensorsolve": {"a": lambda d: np.eye(6).reshape(6, 3, 2) * d.number(1, 3),
                           "b": vector(("float64",), 6, 6, special=False)},
    **{f"linalg.{name}": {"x": array(NUMERIC, 2)} for name in ("diagonal", "trace", "matrix_transpose")},
    "linalg.cross": {**_each(own.vector_pair, "x1 x2"), "axis": words(-1)},
    "linalg.outer": _each(vector(NUMERIC, 1, 4, special=False), "x1 x2"),
    **{f"fft.{name}": {"a": own.spectrum(1), **_FFT} for name in "fft ifft hfft fftn ifftn irfft irfftn".split()},
    **{f"fft.{name}": {"a": own.real_spectrum(1), **_FFT} for name in "rfft rfftn ihfft".split()},
    **{f"fft.{name}": {"a": own.spectrum(2), **_FFT, "axes": own.two_axes} for name in "fft2 ifft2 irfft2".split()},
    "fft.rfft2": {"a": own.real_spectrum(2), **_FFT, "axes": own.two_axes},
    **{f"fft.{name}": {"n": count(1, 6), "d": words(1.0, 0.5)} for name in ("fftfreq", "rfftfreq")},
    **{f"fft.{name}": {"axes": kinds.axes} for name in ("fftshift", "ifftshift")},
    "emath.logn": {"n": words(2, 10.0), "x": array(("float64", "int64", "complex128"), special=False)},
    "emath.power": {"x": array(("float64", "int64"), special=False), "p": words(2, 0.5, -1.0)},
}  # fmt: skip

POLYNOMIAL: dict[str, Kind] = {
    **_COEFFICIENTS,
    "x": array(INEXACT, 0, 2, special=False),
    **_each(lambda d: kinds.filled(d, d.first.shape, "float64", special=False), "y z"),
    "deg": count(0, 3),
    "m": count(0, 2),
    "roots": vector(("float64", "int64"), 1, 4, special=False),
    "r": vector(("float64",), 1, 4, special=False),
    **_each(words(1, 2.5, 0), "off scl lbnd tol k"),
    "pow": count(0, 4),
    "npts": count(1, 5),
    "tensor": flag,
}
POLYNOMIAL_SPECIAL: dict[str, dict[str, Kind]] = {
    "polydiv": {"c1": own.polynomial, "c2": own.nonzero_polynomial},
    **{name: {"c": own.nonzero_polynomial} for name in "polyroots polycompanion polypow polyint polyder".split()},
    "polyfit": SPECIAL["polyfit"],
    **{name: {"x": finite(FLOATS, 1, 1), "c": finite(FLOATS, 2, 2)} for name in "polyval2d polygrid2d".split()},
    **{name: {"x": finite(FLOATS, 1, 1), "c": finite(FLOATS, 3, 3)} for name in "polyval3d polygrid3d".split()},
    "polyvander2d": {"x": finite(FLOATS), "deg": lambda d: [d.number(0, 2) for _ in range(2)]},
    "polyvander3d": {"x": finite(FLOATS), "deg": lambda d: [d.number(0, 2) for _ in range(3)]},
    **{f"{family}fit": SPECIAL["polyfit"] for family in "cheb herm herme lag leg".split()},
    **{f"{family}gauss": {"deg": count(1, 5)} for family in "cheb herm herme lag leg".split()},
    "chebpts2": {"npts": count(2, 5)},
}  # fmt: skip

_ANY_ORDER = "elements beside the chosen one may stand in any order: written samples compare what is promised"
_HOST = "reads text, bytes or an iterator: written samples have what it reads"
_CONSTANT = "a constant, a type or Python's own: nothing to call"
NOT_GENERATED: dict[str, str] = {
    **dict.fromkeys("partition argpartition ndarray.partition ndarray.argpartition".split(), _ANY_ORDER),
    **dict.fromkeys("frombuffer fromstring fromiter".split(), _HOST),
    **dict.fromkeys(
        "bool_ complex128 complex64 e finfo float16 float32 float64 iinfo inexact inf int16 int32 int64 int8 int_ "
        "newaxis "
        "pi uint16 uint32 uint64 uint8 NINF NZERO PZERO complex float int object str unicode Inf Infinity PINF cfloat "
        "complex_ float_ infty singlecomplex".split(),
        _CONSTANT,
    ),
    **dict.fromkeys("poly1d vectorize".split(), "gives an object: tests/test_poly1d.py and samples/mapping.py"),
    **dict.fromkeys("ndenumerate ndindex".split(), "gives an iterator: written samples go through it"),
    "linalg.eig": "eigenvectors have any length and phase: written samples compare A @ v with w * v",
    "roots": "a set in any order: written samples compare it sorted",
    "random.shuffle": "random: tests/test_random_draws.py",
    "require": "asks for flags of memory, which tensors do not have",
    "isscalar": "a tensor without dimensions stands for NumPy's scalars and for its 0-d arrays: TNP312",
    **dict.fromkeys(
        "issctype issubclass_ issubsctype obj2sctype sctype2char find_common_type asscalar asfarray alen in1d msort "
        "product cumproduct sometrue alltrue round_ trapz fastCopyAndTranspose rank".split(),
        "not in NumPy 2: written samples compare with NumPy 1's answers",
    ),
    "row_stack": "deprecated: it is vstack",
    "iterable": "asks for a method of Python's, not for numbers",
    **dict.fromkeys("ndarray.view ndarray.tobytes ndarray.tostring ndarray.item".split(),
                    "the bytes of memory: samples/array_methods.py"),
    "ndarray.dtype": "a dtype object: tests/test_dtype_attributes.py",
    "ndarray.ptp": "not in NumPy 2: written samples compare with NumPy 1's answers",
    **dict.fromkeys("ndarray.resize ndarray.flat".split(), "an iterator or a buffer: samples/array_methods.py"),
}  # fmt: skip
