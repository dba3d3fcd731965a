"""What XLA cannot compile and what TensorFlow's gradients get wrong, by reason; measured on the CPU.

A limit forgives only the failures whose text has its pattern, and each has to be met: what works now has no place here.
`python tests/rule_limits.py` writes them to docs/gradients.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rule_samples import Sample

PAGE = Path(__file__).parent.parent / "docs" / "gradients.md"
_INTRODUCTION = """\
# Compiled code and gradients

<!-- Generated: run `python tests/rule_limits.py`. -->

Each rule, and each function that tnp has as NumPy has it, is compiled by XLA (`tf.function(jit_compile=True)`) on
samples, and its gradient is compared with finite differences of the NumPy function, on the CPU. These are the calls
that are known to fail; the tests demand that they still do.
"""


@dataclass(frozen=True)
class Limit:
    """Why some calls of some names fail, how the failure reads, and whether a call is one of those."""

    reason: str
    pattern: str
    targets: frozenset[str]
    concerns: Callable[[Sample], bool]


def _limit(reason: str, pattern: str, names: str, concerns: Callable[[Sample], bool] = lambda _: True) -> Limit:
    return Limit(reason, pattern, frozenset(f"numpy.{name}" for name in names.split()), concerns)


def _arrays(sample: Sample) -> list[Any]:
    return [value for value in [*sample.args, *sample.kwargs.values()] if isinstance(value, np.ndarray)]


def _complex(sample: Sample) -> bool:
    return any(array.dtype.kind == "c" for array in _arrays(sample))


def _unsigned_or_complex(sample: Sample) -> bool:
    return any(array.dtype.kind in "uc" for array in _arrays(sample))


def _empty(sample: Sample) -> bool:
    return any(array.size == 0 for array in _arrays(sample))


def _with_covariance(sample: Sample) -> bool:
    return "cov" in sample.kwargs


def _with_nan(sample: Sample) -> bool:
    return any(np.isnan(array).any() for array in _arrays(sample))


def _without(kernel: str) -> str:
    return f"No registered '{kernel}' OpKernel"


_RUNNING = "ndarray.{0} {0} nan{0} cumulative_{1}"
_FITS = (
    "polyfit polynomial.polynomial.polyfit polynomial.chebyshev.chebfit polynomial.hermite.hermfit "
    "polynomial.hermite_e.hermefit polynomial.laguerre.lagfit polynomial.legendre.legfit"
)

NOT_COMPILED = (
    _limit("XLA has no determinant", _without("MatrixDeterminant"), "linalg.det"),
    _limit("XLA has no determinant", _without("LogMatrixDeterminant"), "linalg.slogdet linalg.cond"),
    _limit("XLA has no inverse of a complex matrix", _without("MatrixInverse"), "linalg.inv", _complex),
    _limit("XLA solves no complex equations", _without("MatrixSolve"), "linalg.solve", _complex),
    _limit(
        "XLA has no singular values of a complex matrix",
        _without("Svd"),
        "linalg.cond linalg.lstsq linalg.matrix_norm linalg.matrix_rank linalg.norm linalg.pinv linalg.svd "
        "linalg.svdvals polyfit polynomial.polynomial.polyfit",
        _complex,
    ),
    _limit(
        "XLA has no singular values of an empty matrix",
        "Slice dim size 1 greater than dynamic slice dimension: 0",
        "linalg.lstsq linalg.matrix_rank linalg.norm linalg.pinv linalg.svd linalg.svdvals",
        _empty,
    ),
    _limit(
        "XLA's singular values and vectors have an error of 1e-8",
        "Not equal to tolerance",
        f"linalg.lstsq linalg.pinv linalg.svd {_FITS}",
    ),
    _limit(
        "NumPy computes the eigenvalues of a general matrix on the host, as TensorFlow does",
        _without("PyFuncStateless"),
        "linalg.eig linalg.eigvals poly polynomial.polynomial.polyroots roots",
    ),
    _limit("NumPy chooses the number of bins on the host", _without("PyFunc"), "histogram histogram_bin_edges"),
    _limit("XLA has no Bessel functions", _without("BesselI0"), "i0 kaiser"),
    _limit(
        "XLA has no running sum of unsigned integers and of complex128",
        _without("Cumsum"),
        _RUNNING.format("cumsum", "sum"),
        _unsigned_or_complex,
    ),
    _limit(
        "XLA has no running product of unsigned integers and of complex128",
        _without("Cumprod"),
        _RUNNING.format("cumprod", "prod"),
        _unsigned_or_complex,
    ),
    _limit(
        "XLA has no ragged ranges: how long the runs are depends on values",
        _without("RaggedRange"),
        "add.reduceat multiply.reduceat maximum.reduceat minimum.reduceat",
    ),
    _limit("how much a mask inserts depends on values", "must be a compile-time constant", "insert"),
    _limit("XLA's empty result of unknown size is 0-d", r"shape \(\) instead of \(0,\)", "intersect1d", _empty),
    _limit("XLA broadcasts no size that depends on values", "dynamism mismatch", "polyfit", _with_covariance),
    _limit(
        "on the CPU XLA drops NaN, unless XLA_FLAGS has `--xla_cpu_enable_fast_min_max=false`",
        "nan location mismatch",
        "max min ptp maximum minimum ndarray.max ndarray.min ndarray.ptp maximum.accumulate minimum.accumulate "
        "linalg.norm",
        _with_nan,
    ),
)

NO_GRADIENT = (
    _limit(
        "TensorFlow's gradient of a running product is 0 for a factor 0", ": 0.0, not", "cumprod multiply.accumulate"
    ),
    _limit(
        "TensorFlow's gradient of a running product does not conjugate",
        "of complex128 argument",
        "cumprod cumulative_prod nancumprod",
        _complex,
    ),
    _limit(
        "TensorFlow's gradient of acos and asin below -1 is that of the other side of the cut",
        "gradient of float64 argument 0: ",
        "emath.arccos emath.arcsin",
    ),
    _limit(
        "TensorFlow's gradient inverts the matrix, which may be singular",
        "Input is not invertible",
        "linalg.det linalg.slogdet",
    ),
    _limit(
        "TensorFlow's gradient does not conjugate the determinant", "of complex128 argument", "linalg.det", _complex
    ),
    _limit(
        "TensorFlow's gradient leaves out the phase of the determinant",
        "of complex128 argument",
        "linalg.slogdet",
        _complex,
    ),
    _limit("TensorFlow's gradient of 0 ** 0 is NaN", "float64 argument 0: nan, not 0.0", "power float_power"),
    _limit("TensorFlow has no gradient of the complete form", "QrGrad not implemented", "linalg.qr"),
    _limit("TensorFlow has no gradient of the complete form", "svd gradient is not implemented", "linalg.svd"),
    _limit(
        "singular values that the call drops as small are taken for zeros",
        "gradient of float64 argument 0: ",
        "linalg.lstsq linalg.pinv polyfit polynomial.polynomial.polyfit polynomial.laguerre.lagfit",
    ),
    _limit(
        "the square root of 0 has no derivative: the gradient at equal values is NaN",
        ": nan, not 0.0",
        "nanstd ndarray.std",
    ),
    _limit("of equal elements one is taken, and NumPy does not say which", "not 0.0", "intersect1d"),
    _limit("which of the other elements stands where is open", "gradient of complex128 argument 0: ", "partition"),
    _limit("zeros at the end give roots that are constants", "no gradient of", "roots"),
    _limit("the results come one after the other, as an iterator gives them", "zip", "ndenumerate"),
    _limit("NumPy computes the values", "no gradient of", "geomspace"),
    _limit("NumPy chooses the number of bins on the host", "no gradient of", "histogram histogram_bin_edges"),
)

_OUTER_COMPARISONS = (
    "equal.outer not_equal.outer greater.outer greater_equal.outer less.outer less_equal.outer logical_and.outer "
    "logical_or.outer logical_xor.outer"
)
_NO_SLOPE = {
    "the results are bools": f"""
        all allclose any array_equal array_equiv can_cast equal greater greater_equal in1d isclose isin isinf isneginf
        iscomplex isfinite isnan isposinf isreal isscalar issctype issubclass_ issubdtype iterable less less_equal
        logical_and logical_not logical_or logical_xor not_equal signbit
        logical_and.accumulate logical_and.reduce logical_or.accumulate logical_or.reduce logical_xor.reduce
        ndarray.all ndarray.any {_OUTER_COMPARISONS}
    """,
    "the results are integers: counts, positions, sizes": """
        alen argmax argmin argpartition argsort argwhere count_nonzero diag_indices diag_indices_from digitize
        flatnonzero indices ix_ lexsort linalg.matrix_rank mask_indices nanargmax nanargmin ndarray.argmax
        ndarray.argmin
        ndarray.argpartition ndarray.argsort ndarray.itemsize ndarray.nbytes ndarray.nonzero ndarray.searchsorted
        ndarray.size nonzero ogrid mgrid ravel_multi_index searchsorted shape size tril_indices tril_indices_from
        triu_indices triu_indices_from unravel_index broadcast_shapes
    """,
    "the arguments are integers": """
        bitwise_and bitwise_and.outer bitwise_and.reduce bitwise_count bitwise_not bitwise_or bitwise_or.outer
        bitwise_or.reduce bitwise_xor bitwise_xor.outer bitwise_xor.reduce gcd gcd.outer gcd.reduce lcm lcm.outer
        lcm.reduce left_shift left_shift.outer packbits right_shift
        right_shift.outer unpackbits
    """,
    "the results are dtypes, bytes or Python objects": """
        asscalar find_common_type iinfo ndarray.item ndarray.tobytes ndarray.tostring ndindex obj2sctype result_type
        sctype2char
    """,
    "the results are objects with methods: not compared here": "ndarray.flat poly1d vectorize",
    "the arguments are numbers, texts or buffers": """
        arange bartlett blackman eye fft.fftfreq fft.rfftfreq frombuffer fromiter fromstring hamming hanning identity
        ones tri zeros
        polynomial.chebyshev.chebgauss polynomial.chebyshev.chebpts1 polynomial.chebyshev.chebpts2
        polynomial.hermite.hermgauss polynomial.hermite_e.hermegauss polynomial.laguerre.laggauss
        polynomial.legendre.leggauss
    """,
    "it is constant between its jumps": """
        around ceil fix floor floor_divide floor_divide.outer ndarray.round ones_like polynomial.legendre.legweight rint
        round spacing trunc zeros_like
    """,
}
NO_SLOPE = {f"numpy.{name}": reason for reason, names in _NO_SLOPE.items() for name in names.split()}


def check_within(
    limits: Iterable[Limit],
    target: str,
    check: Callable[[Sample], bool],
    samples: list[Sample],
    *,
    first: int,
    strict: bool = True,
) -> bool:
    """Run a check on the first samples, and on more until each limit of the target is met; return whether any says so.

    A failure of the first that no limit explains is raised, and so is, if `strict`, a limit that no sample meets.
    """
    known = [limit for limit in limits if target in limit.targets]
    unmet, found = list(known), False
    for number, sample in enumerate(samples):
        if number >= first and not (strict and any(limit.concerns(sample) for limit in unmet)):
            continue
        try:
            found |= check(sample)
        except AssertionError as error:
            met = [limit for limit in known if limit.concerns(sample) and re.search(limit.pattern, str(error))]
            if not met:
                raise AssertionError(f"{target}{sample.args} {sample.kwargs}: {error}") from error
            unmet = [limit for limit in unmet if limit not in met]
            found = True
    assert not (unmet and strict), f"{target} is no longer limited: {[limit.reason for limit in unmet]}"
    return found


def page() -> str:
    """Write the limits as Markdown."""
    sections = {"What XLA does not compile, or compiles to other numbers": NOT_COMPILED, "Gradients": NO_GRADIENT}
    lines = [_INTRODUCTION]
    for title, limits in sections.items():
        lines += [f"## {title}\n", "| names | some of their calls fail because |", "|---|---|"]
        lines += [f"| {_shown(limit.targets)} | {limit.reason} |" for limit in limits]
        lines.append("")
    lines += ["## Names whose gradient is not asked for\n", "| because | names |", "|---|---|"]
    for reason in sorted(set(NO_SLOPE.values())):
        lines.append(f"| {reason} | {_shown(name for name, why in NO_SLOPE.items() if why == reason)} |")
    return "\n".join(lines) + "\n"


def _shown(targets: Iterable[str]) -> str:
    return ", ".join(f"`{target.removeprefix('numpy.')}`" for target in sorted(targets))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
