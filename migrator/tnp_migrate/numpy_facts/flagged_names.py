"""Which NumPy names and array members have no equivalent: the diagnostic's code and what a person can do."""

from __future__ import annotations

_BUILD = (
    "TNP405",
    "The extension that needs NumPy's headers stays on NumPy; call it inside tf.numpy_function or rewrite it.",
)
_CTYPES = ("TNP406", "Give C code a host copy, np.ascontiguousarray(x.numpy()), and copy its result back.")
_ORDER = ("TNP407", "Tensors are always row-major: drop the call; keep it where compiled code takes the array.")
_STRIDES = ("TNP408", "A tensor has no strides or shared memory: build windows with tf.signal.frame or tf.gather.")
_SHARED = ("TNP408", "No write to a tensor is seen through another: drop the test. Between ndarrays it is what it was.")
_RECORD = ("TNP410", "Keep one tensor for each field, in a dict or a dataclass.")
_TEXT = ("TNP411", "Use tf.string tensors with tf.strings.*, or keep the text in NumPy and move only its codes.")
_TIME = ("TNP412", "Keep dates in NumPy or pandas, and pass x.astype('int64') or a float offset to TensorFlow.")
_MATRIX = ("TNP413", "Use two-dimensional arrays: @ for products, tf.linalg.inv(x) for x.I, x.T for transposes.")
_MASKED = ("TNP414", "Carry the mask as a boolean tensor beside the data and use tf.where or tf.boolean_mask.")
_MEMMAP = ("TNP415", "Keep the memory map in NumPy and convert the slices in use, or read with tf.data.")
_EXTENDED = (
    "TNP418",
    "TensorFlow has no extended precision: use float64 or complex128, or keep the function on NumPy.",
)
_BUFFER = ("TNP423", "The array shares memory with the buffer: use tf.io.decode_raw, or wrap a copy in tnp.asarray.")
_ITERATOR = ("TNP424", "Loop over indices, or vectorize: a buffered, writable iterator over a tensor does not exist.")
_POLYNOMIAL = (
    "TNP201",
    "Fit and evaluate with the fit, val and vander functions, which are translated for every basis.",
)
_SERIES_CLASS = (
    "TNP201",
    "Keep the coefficients in a tensor: the module's functions fit, val, add and others take them.",
)
_CALLBACK = ("TNP201", "A Python function for each element: write it with array operations, or use tf.map_fn.")
_REMOVED = ("TNP201", "NumPy 2 has removed this name: see NumPy's migration guide, then translate again.")
_INTERNAL = ("TNP201", "NumPy's internals have no counterpart: use a public name.")

_GROUPS: dict[tuple[str, str], str] = {
    _BUILD: "get_include",
    _ORDER: "asfortranarray isfortran",
    _STRIDES: "lib.stride_tricks.as_strided lib.stride_tricks.DummyArray lib.array_utils.byte_bounds byte_bounds",
    _SHARED: "may_share_memory shares_memory",
    _RECORD: "recarray record void recfromcsv recfromtxt",
    _TEXT: "str_ bytes_ chararray compare_chararrays",
    _TIME: """datetime64 timedelta64 busday_count busday_offset busdaycalendar is_busday datetime_as_string
        datetime_data isnat""",
    _MATRIX: "matrix asmatrix mat bmat",
    _MEMMAP: "memmap lib.format.open_memmap",
    _EXTENDED: """float128 float96 longdouble longfloat clongdouble clongfloat longcomplex complex256 complex192""",
    _BUFFER: "getbuffer",
    _ITERATOR: "nditer nested_iters flatiter broadcast lib.Arrayterator",
    ("TNP422", "Use tf.experimental.dlpack.from_dlpack, or go through the host."): "from_dlpack",
    _CALLBACK: "frompyfunc",
    ("TNP409", "Object arrays hold Python objects: use lists, or numeric arrays padded to one shape."): "object_",
    ("TNP201", "Derive from tf.experimental.ExtensionType, or write the operators out."): (
        "lib.mixins.NDArrayOperatorsMixin lib.user_array.container"
    ),
    _SERIES_CLASS: """polynomial.Polynomial polynomial.Chebyshev polynomial.Legendre polynomial.Hermite
        polynomial.HermiteE polynomial.Laguerre polynomial.polynomial.Polynomial polynomial.chebyshev.Chebyshev
        polynomial.legendre.Legendre polynomial.hermite.Hermite polynomial.hermite_e.HermiteE
        polynomial.laguerre.Laguerre""",
    _REMOVED: """cast deprecate deprecate_with_doc disp geterrobj seterrobj lookfor mafromtxt maximum_sctype
        nbytes safe_eval sctypes set_numeric_ops set_string_function source typeNA who oldnumeric loads rollback
        compat""",
}

FLAGGED: dict[str, tuple[str, str]] = {
    f"numpy.{name}": code for code, names in _GROUPS.items() for name in names.split()
}

FLAGGED_PREFIXES: dict[str, tuple[str, str]] = {
    "numpy.distutils": _BUILD,
    "numpy.f2py": _BUILD,
    "numpy.ctypeslib": _CTYPES,
    "numpy.rec": _RECORD,
    "numpy.lib.recfunctions": _RECORD,
    "numpy.char": _TEXT,
    "numpy.strings": _TEXT,
    "numpy.matlib": _MATRIX,
    "numpy.ma": _MASKED,
    "numpy.polynomial": _POLYNOMIAL,
    "numpy.lib.stride_tricks": _STRIDES,
    "numpy.core": _INTERNAL,
    "numpy._core": _INTERNAL,
    "numpy.lib": _INTERNAL,
    "numpy.compat": _REMOVED,
}

# Members of an array (not of just any object) that a tensor cannot have, however the helper module extends it.
MEMBERS: dict[str, str] = {
    name: code
    for code, names in {
        "TNP201": """newbyteorder dump dumps itemset tofile device to_device __setstate__ __array_finalize__
            __array_wrap__""",
        "TNP406": "ctypes __array_interface__ __array_struct__",
        "TNP408": "strides flags base data setflags",
        "TNP410": "getfield setfield",
        "TNP423": "view byteswap",
    }.items()
    for name in names.split()
}

# Members that tensors have themselves once NumPy behaviour is on, and NumPy's parameters that they lack though the
# helper module mends them.
TENSOR_MEMBERS: dict[str, frozenset[str]] = {
    "T": frozenset(),
    "dtype": frozenset(),
    "flatten": frozenset(),
    "ndim": frozenset(),
    "ravel": frozenset(),
    "reshape": frozenset(),
    "shape": frozenset(),
    "tolist": frozenset(),
}
