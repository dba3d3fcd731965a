"""What NumPy functions and ndarray methods do: kind of result, view or copy, arguments they mutate.

Source: NumPy 2 reference documentation. A function that is not named here gives a fresh array.
"""

from __future__ import annotations

from typing import Literal

Kind = Literal["array", "scalar", "shape", "tuple", "list", "none", "dtype", "rng", "unknown", "str", "file"]


def _table(kind: Kind, names: str) -> dict[str, Kind]:
    return dict.fromkeys([f"numpy.{name}" for name in names.split()], kind)


RESULTS: dict[str, Kind] = {
    **_table("shape", "shape broadcast_shapes"),
    **_table("scalar", "ndim size isscalar iscomplexobj isrealobj iterable issubdtype can_cast may_share_memory"),
    **_table("scalar", "shares_memory isfortran get_include alen asscalar issubclass_ issctype"),
    **_table("str", "array2string array_repr array_str format_float_positional format_float_scientific base_repr"),
    **_table("str", "sctype2char"),
    **_table("dtype", "dtype result_type promote_types common_type min_scalar_type finfo iinfo find_common_type"),
    **_table("rng", "random.default_rng random.RandomState random.Generator"),
    **_table("none", "save savez savez_compressed savetxt copyto put place putmask fill_diagonal put_along_axis"),
    **_table("none", "random.seed random.shuffle set_printoptions seterr"),
    **_table("list", "meshgrid split array_split hsplit vsplit dsplit broadcast_arrays unstack"),
    **_table("tuple", "nonzero divmod modf frexp histogram histogram2d histogramdd ix_ unravel_index diag_indices"),
    **_table("tuple", "tril_indices triu_indices diag_indices_from tril_indices_from triu_indices_from"),
    **_table("tuple", "linalg.eig linalg.eigh linalg.slogdet linalg.lstsq linalg.qr linalg.svd unique_all"),
    **_table("unknown", "load vectorize poly1d matrix asmatrix bmat recarray memmap errstate printoptions ndenumerate"),
    **_table("unknown", "asfarray obj2sctype"),
    **_table("unknown", "ndindex nditer frompyfunc datetime64 timedelta64 dtype.newbyteorder linalg.LinAlgError"),
}

# Objects that make something of an index: new arrays, and the index itself.
INDEXED_ARRAYS = frozenset({"numpy.r_", "numpy.c_", "numpy.mgrid", "numpy.ogrid"})
INDEXED_SLICES = frozenset({"numpy.s_", "numpy.index_exp"})

# Functions that take an element at a time and keep the shape; True where the result is real floating for floats.
FLOATING = frozenset(
    f"numpy.{name}"
    for name in "sqrt exp log log2 log10 log1p expm1 exp2 sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh "
    "arccosh arctanh degrees radians deg2rad rad2deg cbrt sinc i0 hypot arctan2 logaddexp".split()
)
ELEMENTWISE = FLOATING | frozenset(
    f"numpy.{name}"
    for name in "abs absolute negative positive square sign floor ceil rint trunc fix round around clip conj conjugate "
    "add subtract multiply divide true_divide floor_divide mod remainder power maximum minimum fmax fmin copysign "
    "isnan isinf isfinite logical_and logical_or logical_not logical_xor greater less equal not_equal greater_equal "
    "less_equal where real imag angle nan_to_num bitwise_and bitwise_or bitwise_xor".split()
)
BOOLEAN = frozenset(
    f"numpy.{name}"
    for name in "isnan isinf isfinite logical_and logical_or logical_not logical_xor greater less equal not_equal "
    "greater_equal less_equal isclose isin in1d all any isneginf isposinf".split()
)
REDUCTIONS = frozenset(
    f"numpy.{name}"
    for name in "sum mean std var max min amax amin prod any all ptp median nansum nanmean nanmax nanmin nanstd nanvar "
    "argmax argmin average nanmedian count_nonzero linalg.norm trace percentile quantile".split()
)
# Elementwise functions whose dtype for integers depends on NumPy's version or on the width.
ROUNDING = frozenset(f"numpy.{name}" for name in "floor ceil trunc fix angle sinc i0".split())
CLOSED_ON_BOOL = frozenset(
    f"numpy.{name}"
    for name in "add multiply maximum minimum bitwise_and bitwise_or bitwise_xor where real imag abs absolute".split()
)
RUNNING = frozenset(f"numpy.{name}" for name in "cumsum cumprod nancumsum nancumprod".split())
# Functions that join arrays; those whose results have one axis at least; methods that keep the shape.
JOINING = frozenset(f"numpy.{name}" for name in "concatenate hstack vstack stack dstack column_stack append".split())
STACKING = JOINING | {"numpy.row_stack", "numpy.block"}
SHAPE_KEEPING = frozenset("copy clip conj conjugate round".split())
CREATION = frozenset(f"numpy.{name}" for name in "zeros ones empty full".split())
# What makes an array by a shape or by numbers, whatever runs meanwhile.
OWN_DATA = CREATION | frozenset(f"numpy.{name}" for name in "arange linspace eye identity".split())
LIKE = frozenset(f"numpy.{name}" for name in "zeros_like ones_like empty_like full_like copy".split())
CONVERSIONS = frozenset(f"numpy.{name}" for name in "array asarray asanyarray ascontiguousarray asfarray".split())

# What may share memory with its first argument.
VIEW_FUNCTIONS = frozenset(
    f"numpy.{name}"
    for name in "asarray asanyarray ascontiguousarray asfortranarray reshape ravel transpose swapaxes moveaxis "
    "rollaxis squeeze expand_dims atleast_1d atleast_2d atleast_3d broadcast_to broadcast_arrays diagonal diag real "
    "imag split array_split hsplit vsplit dsplit flip fliplr flipud rot90 require unstack matrix_transpose "
    "permute_dims trim_zeros lib.stride_tricks.as_strided lib.stride_tricks.sliding_window_view linalg.diagonal "
    "linalg.matrix_transpose asarray_chkfinite "
    "real_if_close asmatrix frombuffer nan_to_num array copy".split()
) - {"numpy.copy", "numpy.array", "numpy.nan_to_num"}
# Of these, those that leave as many axes as they find.
TURNED = frozenset(
    f"numpy.{name}"
    for name in "transpose swapaxes moveaxis rollaxis flip fliplr flipud rot90 matrix_transpose permute_dims".split()
)
# These share memory only when `copy` is given as something other than True.
COPY_FUNCTIONS = frozenset({"numpy.array", "numpy.nan_to_num"})
VIEW_METHODS = frozenset("reshape ravel transpose swapaxes squeeze view diagonal newbyteorder __array__".split())
VIEW_ATTRIBUTES = frozenset("T mT real imag flat base data".split())
COPIED_ATTRIBUTES = frozenset({"mT", "real", "imag"})  # of these, those of which tensors have no member

_IN_PLACE_OPERATORS = "iadd iand ifloordiv ilshift imatmul imod imul ior ipow irshift isub itruediv ixor".split()
IN_PLACE_FUNCTIONS = frozenset(f"operator.{name}" for name in _IN_PLACE_OPERATORS)  # which give what they write to
# Position and name of the argument a function writes to.
MUTATED_ARGUMENT: dict[str, tuple[int, str]] = {
    "numpy.copyto": (0, "dst"),
    "numpy.put": (0, "a"),
    "numpy.place": (0, "arr"),
    "numpy.putmask": (0, "a"),
    "numpy.fill_diagonal": (0, "a"),
    "numpy.put_along_axis": (0, "arr"),
    "numpy.random.shuffle": (0, "x"),
    "numpy.nditer": (0, "op"),
    "random.shuffle": (0, "x"),
    **dict.fromkeys(IN_PLACE_FUNCTIONS, (0, "a")),
    "operator.setitem": (0, "a"),
}
# Functions of one result whose `.at` and `where=` are done by the translated function itself, by their operands.
UFUNCS_AT: dict[int, tuple[str, ...]] = {
    1: tuple(
        "abs absolute arccos arccosh arcsin arcsinh arctan arctanh bitwise_not cbrt ceil conj conjugate cos cosh "
        "deg2rad degrees exp exp2 expm1 fabs floor invert log log10 log1p log2 logical_not negative positive rad2deg "
        "radians reciprocal rint sign sin sinh sqrt square tan tanh trunc".split()
    ),
    2: tuple(
        "add arctan2 bitwise_and bitwise_or bitwise_xor copysign divide float_power floor_divide fmax fmin fmod gcd "
        "heaviside hypot lcm left_shift logaddexp logaddexp2 logical_and logical_or logical_xor maximum minimum mod "
        "multiply nextafter power remainder right_shift subtract true_divide".split()
    ),
}
# Helpers that take an array and give it back with something stored in it.
UPDATES = frozenset(
    "index_update index_updates view_update index_add index_subtract index_multiply index_divide index_operate "
    "index_swap in_place add_at subtract_at "
    "diagonal_update flat_update mask_update place_update along_axis_update copy_update ufunc_update ufunc_at "
    "real_update imag_update flat_index_update flat_fill resized shuffled".split()
)
# Helpers that stand in NumPy code between the stages: those, what a loop stores, and what was drawn for a loop.
BETWEEN = UPDATES | {"Stores", "drawn"}
PASSING = frozenset({"received", "written"})  # helpers of islands that give what they are given
MUTATING_METHODS = frozenset("sort fill put partition resize itemset setflags setfield __setitem__".split()) | {
    f"__{name}__" for name in _IN_PLACE_OPERATORS
}
CONTAINER_MODULES = frozenset({"collections", "heapq", "itertools", "queue", "types"})
ITEM_GIVERS = frozenset(
    "functools.reduce random.choice random.choices random.sample"
    " contextlib.nullcontext contextlib.closing contextlib.aclosing".split()
)  # and context managers that give what they are made with
# methods of containers and queues that keep what they are given, with how many arguments they take at most; a set,
# which takes any number to update itself with, has no arrays
KEEPING_METHODS = {
    "append": 1, "insert": 2, "add": 1, "extend": 1, "setdefault": 2, "update": 1, "appendleft": 1, "extendleft": 1,
    "put": 3, "put_nowait": 1, "push": 1, "set": 1, "set_result": 1,
}  # fmt: skip
RNG_MUTATING_METHODS = frozenset({"shuffle"})
STORED_PARTS = frozenset({"real", "imag", "flat"})  # which nothing but an array lets be assigned
STORED_ATTRIBUTES = frozenset({"shape", "dtype", "strides"}) | STORED_PARTS

ARRAY_ATTRIBUTES: dict[str, Kind] = {
    "shape": "shape", "size": "scalar", "ndim": "scalar", "itemsize": "scalar", "nbytes": "scalar", "dtype": "dtype",
    "strides": "shape", "flags": "unknown", "base": "unknown", "data": "unknown", "ctypes": "unknown",
}  # fmt: skip
ARRAY_METHODS: dict[str, Kind] = {
    **dict.fromkeys(
        "all any argmax argmin argpartition argsort astype choose clip compress conj conjugate copy cumprod cumsum "
        "diagonal dot flatten max mean min prod ptp ravel repeat reshape round searchsorted squeeze std sum swapaxes "
        "take trace transpose var view byteswap newbyteorder".split(),
        "array",
    ),
    **dict.fromkeys("fill sort put partition resize itemset setflags setfield tofile dump".split(), "none"),
    "item": "scalar", "tolist": "list", "nonzero": "tuple",
    "tobytes": "unknown", "dumps": "unknown", "tostring": "unknown",
}  # fmt: skip
# Members that lists, dicts, texts and numbers lack, and most other objects too.
ONLY_ARRAYS_HAVE = frozenset(
    "shape ndim dtype size T mT itemsize nbytes strides all any argmax argmin argsort astype clip cumprod cumsum "
    "diagonal dot flatten max mean min prod ptp ravel reshape squeeze std sum swapaxes trace transpose var".split()
)
# Members that nothing but an ndarray has, and no tensor can have.
ONLY_NDARRAYS_HAVE = frozenset(
    "strides ctypes __array_interface__ __array_struct__ setflags getfield setfield byteswap newbyteorder "
    "itemset".split()
)
RNG_ARRAY_METHODS = frozenset(
    "rand randn random random_sample uniform normal standard_normal integers randint choice permutation permuted beta "
    "binomial poisson exponential gamma multivariate_normal lognormal laplace chisquare dirichlet multinomial".split()
)
# Of these and others, the methods that nothing but a generator of random numbers has.
ONLY_GENERATORS_HAVE = frozenset(
    "rand randn random_sample standard_normal standard_gamma standard_exponential multivariate_normal dirichlet".split()
)

DTYPE_BY_NAME: dict[str, str] = {
    "float": "float64", "int": "int64", "bool": "bool", "complex": "complex128", "d": "float64", "f": "float32",
    "i": "int32", "f4": "float32", "f8": "float64", "i4": "int32", "i8": "int64", "u1": "uint8", "c16": "complex128",
    "double": "float64", "single": "float32", "half": "float16", "intp": "int64", "int_": "int64", "float_": "float64",
    "bool_": "bool", "complex_": "complex128", "b": "int8", "?": "bool", "D": "complex128", "F": "complex64",
}  # fmt: skip
DTYPES = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
)
PROOFS: dict[str, frozenset[str]] = {
    "float": frozenset({"float32", "float64"}),
    "inexact": frozenset({"float32", "float64", "complex64", "complex128"}),
    **dict.fromkeys(
        ("wide", "matrix"), frozenset("float32 float64 int32 int64 uint32 uint64 complex64 complex128".split())
    ),
}


def dtype_named(name: str) -> str | None:
    """Give the NumPy dtype that a spelling such as `float`, `"f4"` or `numpy.float32` means, if it is numeric."""
    bare = name.removeprefix("numpy.").lstrip("<>=|")
    return bare if bare in DTYPES else DTYPE_BY_NAME.get(bare)
