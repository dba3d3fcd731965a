"""Which NumPy names stay on NumPy on purpose, why, and which of their results become tensors again."""

from __future__ import annotations

from typing import Literal

Result = Literal["always", "if size", "sometimes", "never"]

_FILES = "files are read and written by NumPy; arrays that are read become tensors"
_TEXT = "formatting happens on the host"
_ERRORS = "the floating point error state of what still runs on NumPy"
_TESTING = "a comparison in a test reads values on the host"
_RANDOM = "NumPy's stream, so that a seed still gives the same numbers"
_DTYPE = "a dtype object or a question about dtypes, understood by TensorFlow as it is"
_ABSTRACT = "a scalar type, used in type tests and as a dtype"
_CONSTANT = "a Python or NumPy constant"
_SERIES = "a constant array, which TensorFlow reads as it is"
_EXCEPTION = "an exception or warning class that user code catches by name"
_VERSION = "describes the installed NumPy"
_TYPING = "an annotation, without effect at run time"
_LOOKUP = "works on shapes, indices or types on the host"
_DOCS = "belongs to NumPy's own documentation or build"

_GROUPS: dict[str, str] = {
    _FILES: """load save savez savez_compressed loadtxt savetxt genfromtxt fromfile fromregex DataSource
        lib.npyio.DataSource lib.npyio.NpzFile lib.format.descr_to_dtype lib.format.dtype_to_descr
        lib.format.header_data_from_array_1_0 lib.format.isfileobj lib.format.magic lib.format.read_array
        lib.format.read_array_header_1_0 lib.format.read_array_header_2_0 lib.format.read_magic lib.format.write_array
        lib.format.write_array_header_1_0 lib.format.write_array_header_2_0""",
    _TEXT: """array2string array_repr array_str set_printoptions get_printoptions printoptions format_float_positional
        format_float_scientific base_repr binary_repr polynomial.set_default_printstyle""",
    _ERRORS: "errstate seterr geterr seterrcall geterrcall setbufsize getbufsize",
    _DTYPE: """dtype finfo min_scalar_type mintypecode common_type isdtype typename sctypeDict typecodes
        ScalarType""",
    _ABSTRACT: """generic number integer signedinteger unsignedinteger inexact floating complexfloating flexible
        character bool bool_ byte short intc int_ long longlong intp ubyte ushort uintc uint ulong ulonglong uintp half
        single double csingle cdouble""",
    _CONSTANT: "nan euler_gamma True_ False_ little_endian s_ index_exp",
    _SERIES: """polynomial.polydomain polynomial.polyzero polynomial.polyone polynomial.polyx chebyshev.chebdomain
        chebyshev.chebzero chebyshev.chebone chebyshev.chebx legendre.legdomain legendre.legzero legendre.legone
        legendre.legx hermite.hermdomain hermite.hermzero hermite.hermone hermite.hermx hermite_e.hermedomain
        hermite_e.hermezero hermite_e.hermeone hermite_e.hermex laguerre.lagdomain laguerre.lagzero laguerre.lagone
        laguerre.lagx""",
    _EXCEPTION: """linalg.LinAlgError AxisError ComplexWarning VisibleDeprecationWarning ModuleDeprecationWarning
        RankWarning TooHardError DTypePromotionError""",
    _VERSION: """__version__ version show_config show_runtime __config__ info lib.NumpyVersion
        lib.introspect.opt_func_info __array_namespace_info__""",
    _LOOKUP: """einsum_path ufunc lib.array_utils.normalize_axis_index
        lib.array_utils.normalize_axis_tuple""",
    _DOCS: "test lib.add_docstring lib.add_newdoc lib.tracemalloc_domain random.test linalg.test fft.test",
}

KEPT: dict[str, str] = {
    f"numpy.polynomial.{name}" if reason is _SERIES else f"numpy.{name}": reason
    for reason, names in _GROUPS.items()
    for name in names.split()
}

# Everything below these, whatever NumPy adds there.
KEPT_PREFIXES: dict[str, str] = {
    "numpy.testing": _TESTING,
    "numpy.random": _RANDOM,
    "numpy.typing": _TYPING,
    "numpy.exceptions": _EXCEPTION,
    "numpy.dtypes": _DTYPE,
    "numpy.version": _VERSION,
    "numpy.__config__": _VERSION,
    "numpy.lib.npyio": _FILES,
    "numpy.lib.format": _FILES,
    "numpy.lib.introspect": _VERSION,
}

# The position of `size` (of the dimensions themselves for rand and randn) in a draw that gives a Python or NumPy scalar
# without it. With an array among its other arguments such a draw is an array without `size` too.
SIZE_POSITION: dict[str, int] = {
    name: position
    for position, names in {
        0: """random random_sample ranf sample rand randn standard_normal standard_cauchy standard_exponential
            tomaxint""",
        1: """choice chisquare exponential geometric logseries pareto poisson power rayleigh standard_gamma standard_t
            weibull zipf""",
        2: """beta binomial f gamma gumbel integers laplace logistic lognormal negative_binomial noncentral_chisquare
            normal randint random_integers uniform vonmises wald""",
        3: "hypergeometric noncentral_f triangular",
    }.items()
    for name in names.split()
}

# Draws that are arrays whatever the arguments.
_ALWAYS_ARRAYS = frozenset(
    "dirichlet multinomial multivariate_hypergeometric multivariate_normal permutation permuted".split()
)

_READ_ARRAYS: dict[str, Result] = {
    "numpy.loadtxt": "always",
    "numpy.genfromtxt": "always",
    "numpy.fromfile": "always",
    "numpy.load": "sometimes",  # an .npz file gives an NpzFile, a pickle gives any object
    "numpy.lib.format.read_array": "sometimes",  # object arrays
    "numpy.fromregex": "never",  # always a structured array, which no tensor can hold
}

# Kept calls that reject or misread a tensor: their arrays have to be given as `np.asarray(x)`. All other kept calls
# read a tensor through `__array__`.
NEEDS_NDARRAY = frozenset(
    {
        "numpy.array_repr",
        "numpy.common_type",
        "numpy.testing.assert_equal",
        "numpy.testing.assert_almost_equal",
        "numpy.random.default_rng",
        "numpy.random.shuffle",
        "numpy.random.Generator.shuffle",
        "numpy.random.RandomState.shuffle",
    }
)

# Kept calls that reject `x.dtype` of a tensor: they need `x.dtype.as_numpy_dtype`.
NEEDS_NUMPY_DTYPE = frozenset({"numpy.dtype", "numpy.finfo"})


def result_of(name: str) -> Result:
    """Whether the result of the kept call is an array that translated code needs as a tensor.

    "sometimes" is decided at run time only: wrap what is an ndarray.
    """
    if name in _READ_ARRAYS:
        return _READ_ARRAYS[name]
    if not name.startswith("numpy.random."):
        return "never"
    draw = name.rpartition(".")[2]
    if draw in _ALWAYS_ARRAYS:
        return "always"
    return "if size" if draw in SIZE_POSITION else "never"
