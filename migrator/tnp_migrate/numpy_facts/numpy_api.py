"""NumPy's own vocabulary: what a star import brings, submodules, and old or private spellings of a name."""

from __future__ import annotations

NUMPY_MODULES = frozenset(
    """numpy.char numpy.core numpy._core numpy.ctypeslib numpy.distutils numpy.dtypes numpy.emath numpy.exceptions
    numpy.f2py numpy.fft numpy.lib numpy.lib.array_utils numpy.lib.format numpy.lib.introspect numpy.lib.mixins
    numpy.lib.npyio numpy.lib.recfunctions numpy.lib.scimath numpy.lib.stride_tricks numpy.lib.user_array numpy.linalg
    numpy.ma numpy.ma.core numpy.ma.extras numpy.ma.mrecords numpy.matlib numpy.matrixlib numpy.polynomial
    numpy.polynomial.chebyshev numpy.polynomial.hermite numpy.polynomial.hermite_e numpy.polynomial.laguerre
    numpy.polynomial.legendre numpy.polynomial.polynomial numpy.polynomial.polyutils numpy.random
    numpy.random.bit_generator numpy.random.mtrand numpy.rec numpy.strings numpy.testing numpy.testing.overrides
    numpy.typing numpy.version""".split()
)

# What `from numpy import *` binds in NumPy 2.
_STAR_OF_NUMPY = frozenset(
    """
    False_ ScalarType True_ __array_namespace_info__ __version__ abs absolute acos acosh add all allclose amax amin
    angle any append apply_along_axis apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh
    argmax argmin argpartition argsort argwhere around array array2string array_equal array_equiv array_repr
    array_split array_str asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray asin asinh asmatrix
    astype atan atan2 atanh atleast_1d atleast_2d atleast_3d average bartlett base_repr binary_repr bincount
    bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor
    blackman block bmat bool bool_ broadcast broadcast_arrays broadcast_shapes broadcast_to busday_count busday_offset
    busdaycalendar byte bytes_ c_ can_cast cbrt cdouble ceil char character choose clip clongdouble column_stack
    common_type complex128 complex256 complex64 complexfloating compress concat concatenate conj conjugate convolve
    copy copysign copyto core corrcoef correlate cos cosh count_nonzero cov cross csingle ctypeslib cumprod cumsum
    cumulative_prod cumulative_sum datetime64 datetime_as_string datetime_data deg2rad degrees delete diag
    diag_indices diag_indices_from diagflat diagonal diff digitize divide divmod dot double dsplit dstack dtype dtypes
    e ediff1d einsum einsum_path emath empty empty_like equal errstate euler_gamma exceptions exp exp2 expand_dims
    expm1 extract eye f2py fabs fft fill_diagonal finfo fix flatiter flatnonzero flexible flip fliplr flipud float128
    float16 float32 float64 float_power floating floor floor_divide fmax fmin fmod format_float_positional
    format_float_scientific frexp from_dlpack frombuffer fromfile fromfunction fromiter frompyfunc fromregex
    fromstring full full_like gcd generic genfromtxt geomspace get_include get_printoptions getbufsize geterr
    geterrcall gradient greater greater_equal half hamming hanning heaviside histogram histogram2d histogram_bin_edges
    histogramdd hsplit hstack hypot i0 identity iinfo imag index_exp indices inexact inf info inner insert int16 int32
    int64 int8 int_ intc integer interp intersect1d intp invert is_busday isclose iscomplex iscomplexobj isdtype
    isfinite isfortran isin isinf isnan isnat isneginf isposinf isreal isrealobj isscalar issubdtype iterable ix_
    kaiser kron lcm ldexp left_shift less less_equal lexsort lib linalg linspace little_endian load loadtxt log log10
    log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logspace long longdouble longlong
    ma mask_indices matmul matrix matrix_transpose matvec max maximum may_share_memory mean median memmap meshgrid
    mgrid min min_scalar_type minimum mintypecode mod modf moveaxis multiply nan nan_to_num nanargmax nanargmin
    nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar
    ndarray ndenumerate ndim ndindex nditer negative nested_iters newaxis nextafter nonzero not_equal number object_
    ogrid ones ones_like outer packbits pad partition percentile permute_dims pi piecewise place poly poly1d polyadd
    polyder polydiv polyfit polyint polymul polynomial polysub polyval positive pow power printoptions prod
    promote_types ptp put put_along_axis putmask quantile r_ rad2deg radians random ravel ravel_multi_index real
    real_if_close rec recarray reciprocal record remainder repeat require reshape resize result_type right_shift rint
    roll rollaxis roots rot90 round row_stack s_ save savetxt savez savez_compressed sctypeDict searchsorted select
    set_printoptions setbufsize setdiff1d seterr seterrcall setxor1d shape shares_memory short show_config
    show_runtime sign signbit signedinteger sin sinc single sinh size sort sort_complex spacing split sqrt square
    squeeze stack std str_ strings subtract sum swapaxes take take_along_axis tan tanh tensordot test testing tile
    timedelta64 trace transpose trapezoid tri tril tril_indices tril_indices_from trim_zeros triu triu_indices
    triu_indices_from true_divide trunc typecodes typename typing ubyte ufunc uint uint16 uint32 uint64 uint8 uintc
    uintp ulong ulonglong union1d unique unique_all unique_counts unique_inverse unique_values unpackbits
    unravel_index unsignedinteger unstack unwrap ushort vander var vdot vecdot vecmat vectorize void vsplit vstack
    where zeros zeros_like
    """.split()
)
# What `from MODULE import *` binds, for the modules that programs do it with.
STAR_NAMES: dict[str, frozenset[str]] = {
    "numpy": _STAR_OF_NUMPY,
    "numpy.linalg": frozenset(
        """
        LinAlgError cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm matrix_power
        matrix_rank matrix_transpose multi_dot norm outer pinv qr slogdet solve svd svdvals tensordot tensorinv
        tensorsolve trace vecdot vector_norm
        """.split()
    ),
    "numpy.fft": frozenset(
        """
        fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2 rfftfreq
        rfftn
        """.split()
    ),
    "numpy.random": frozenset(
        """
        BitGenerator Generator MT19937 PCG64 PCG64DXSM Philox RandomState SFC64 SeedSequence beta binomial bytes
        chisquare choice default_rng dirichlet exponential f gamma geometric get_state gumbel hypergeometric laplace
        logistic lognormal logseries multinomial multivariate_normal negative_binomial noncentral_chisquare noncentral_f
        normal pareto permutation poisson power rand randint randn random random_integers random_sample ranf rayleigh
        sample seed set_state shuffle standard_cauchy standard_exponential standard_gamma standard_normal standard_t
        triangular uniform vonmises wald weibull zipf
        """.split()
    ),
}

# Names that NumPy 2 (or 1.24) removed, and what they were. "builtins." marks Python's own types.
RENAMED_IN_NUMPY2: dict[str, str] = {
    "numpy.AxisError": "numpy.exceptions.AxisError",
    "numpy.ComplexWarning": "numpy.exceptions.ComplexWarning",
    "numpy.DataSource": "numpy.lib.npyio.DataSource",
    "numpy.Inf": "numpy.inf",
    "numpy.Infinity": "numpy.inf",
    "numpy.ModuleDeprecationWarning": "numpy.exceptions.ModuleDeprecationWarning",
    "numpy.NAN": "numpy.nan",
    "numpy.NaN": "numpy.nan",
    "numpy.PINF": "numpy.inf",
    "numpy.RankWarning": "numpy.exceptions.RankWarning",
    "numpy.TooHardError": "numpy.exceptions.TooHardError",
    "numpy.VisibleDeprecationWarning": "numpy.exceptions.VisibleDeprecationWarning",
    "numpy.add_docstring": "numpy.lib.add_docstring",
    "numpy.add_newdoc": "numpy.lib.add_newdoc",
    "numpy.alltrue": "numpy.all",
    "numpy.byte_bounds": "numpy.lib.array_utils.byte_bounds",
    "numpy.cfloat": "numpy.complex128",
    "numpy.chararray": "numpy.char.chararray",
    "numpy.clongfloat": "numpy.clongdouble",
    "numpy.complex": "builtins.complex",
    "numpy.complex_": "numpy.complex128",
    "numpy.cumproduct": "numpy.cumprod",
    "numpy.float": "builtins.float",
    "numpy.float_": "numpy.float64",
    "numpy.infty": "numpy.inf",
    "numpy.int": "builtins.int",
    "numpy.int0": "numpy.intp",
    "numpy.issubsctype": "numpy.issubdtype",
    "numpy.longcomplex": "numpy.clongdouble",
    "numpy.longfloat": "numpy.longdouble",
    "numpy.mat": "numpy.asmatrix",
    "numpy.ndfromtxt": "numpy.genfromtxt",
    "numpy.object": "builtins.object",
    "numpy.object0": "numpy.object_",
    "numpy.product": "numpy.prod",
    "numpy.rank": "numpy.ndim",
    "numpy.round_": "numpy.round",
    "numpy.row_stack": "numpy.vstack",
    "numpy.singlecomplex": "numpy.complex64",
    "numpy.sometrue": "numpy.any",
    "numpy.str": "builtins.str",
    "numpy.str0": "numpy.str_",
    "numpy.bytes0": "numpy.bytes_",
    "numpy.void0": "numpy.void",
    "numpy.string_": "numpy.bytes_",
    "numpy.trapz": "numpy.trapezoid",
    "numpy.tracemalloc_domain": "numpy.lib.tracemalloc_domain",
    "numpy.typeDict": "numpy.sctypeDict",
    "numpy.uint0": "numpy.uintp",
    "numpy.unicode": "builtins.str",
    "numpy.unicode_": "numpy.str_",
}

# Removed constants that no longer have a name: the Python expression with their value.
REMOVED_CONSTANTS: dict[str, str] = {"numpy.NINF": "-numpy.inf", "numpy.PZERO": "0.0", "numpy.NZERO": "-0.0"}

# Second names of one function, added for the array API standard and kept from NumPy's beginnings.
ALIASES: dict[str, str] = {
    "numpy.acos": "numpy.arccos",
    "numpy.acosh": "numpy.arccosh",
    "numpy.asin": "numpy.arcsin",
    "numpy.asinh": "numpy.arcsinh",
    "numpy.atan": "numpy.arctan",
    "numpy.atan2": "numpy.arctan2",
    "numpy.atanh": "numpy.arctanh",
    "numpy.bitwise_invert": "numpy.bitwise_not",
    "numpy.bitwise_left_shift": "numpy.left_shift",
    "numpy.bitwise_right_shift": "numpy.right_shift",
    "numpy.concat": "numpy.concatenate",
    "numpy.invert": "numpy.bitwise_not",
    "numpy.permute_dims": "numpy.transpose",
    "numpy.pow": "numpy.power",
}

# Where a public name is also found: NumPy's private and pre-2.0 modules, longest first.
_HOMES: tuple[tuple[str, str], ...] = (
    ("numpy.core.defchararray.", "numpy.char."),
    ("numpy._core.defchararray.", "numpy.char."),
    ("numpy.core.records.", "numpy.rec."),
    ("numpy._core.records.", "numpy.rec."),
    ("numpy.lib.index_tricks.", "numpy."),
    ("numpy.lib.function_base.", "numpy."),
    ("numpy.lib.twodim_base.", "numpy."),
    ("numpy.lib.shape_base.", "numpy."),
    ("numpy.lib.type_check.", "numpy."),
    ("numpy.lib.arraysetops.", "numpy."),
    ("numpy.lib.nanfunctions.", "numpy."),
    ("numpy.lib.polynomial.", "numpy."),
    ("numpy.lib.ufunclike.", "numpy."),
    ("numpy.lib.arraypad.", "numpy."),
    ("numpy.lib.histograms.", "numpy."),
    ("numpy.lib.scimath.", "numpy.emath."),
    ("numpy.matrixlib.defmatrix.", "numpy."),
    ("numpy.matrixlib.", "numpy."),
    ("numpy.random.mtrand.", "numpy.random."),
    ("numpy.random.bit_generator.", "numpy.random."),
    ("numpy.linalg.linalg.", "numpy.linalg."),
    ("numpy.fft.fftpack.", "numpy.fft."),
    ("numpy.fft.pocketfft.", "numpy.fft."),
    ("numpy.fft.helper.", "numpy.fft."),
    ("numpy.ma.core.", "numpy.ma."),
    ("numpy.ma.extras.", "numpy.ma."),
)
_CORE_MODULES = frozenset(
    "arrayprint einsumfunc fromnumeric function_base getlimits multiarray numeric numerictypes shape_base umath".split()
)


def canonical(name: str) -> str:
    """Give the public qualified name of what a private, pre-2.0 or second spelling names."""
    for old, new in _HOMES:
        if name.startswith(old):
            name = new + name[len(old) :]
            break
    for core in ("numpy.core.", "numpy._core."):
        if name.startswith(core):
            name = _out_of_core(name, core)
    name = RENAMED_IN_NUMPY2.get(name, name)
    return ALIASES.get(name, name)


def _out_of_core(name: str, core: str) -> str:
    module, _, rest = name[len(core) :].partition(".")
    if rest:
        return f"numpy.{rest}" if module in _CORE_MODULES else name
    return f"numpy.{module}" if module in _STAR_OF_NUMPY else name
