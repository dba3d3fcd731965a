"""Samples of polynomials with the lowest power first: division, powers, several variables; sums of any series."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

from samples.polynomial_bases import named

CUBIC = np.array([2.0, -3.0, 0.5, 1.0])
LINE = np.array([1.0, -2.0])
TRAILING = np.array([1.0, 2.0, 0.0, 0.0])
X = np.array([0.0, 1.0, 2.0, 3.0, 4.5, 6.0])
Y = np.array([1.0, 2.5, 2.0, 5.0, -1.0, 0.25])
LAST_IS_ZERO = "traced, the last coefficient must not be zero"
P = "numpy.polynomial.polynomial."


@samples_of(*named("add"), *named("sub"))
def sums() -> Iterator[Sample]:
    yield call(CUBIC, LINE)
    yield call(LINE, c2=CUBIC)
    yield call(CUBIC, CUBIC)
    yield call([1, 2], np.array([3.0, 0.0], np.float32))


@samples_of(
    f"{P}polyline",
    *(f"numpy.polynomial.{name}" for name in ("chebyshev.chebline", "legendre.legline", "hermite_e.hermeline")),
)
def lines() -> Iterator[Sample]:
    yield call(1, 2)
    yield call(1.5, scl=2)
    yield call(3, 0)
    yield call(np.array(1.5), np.array(-2.0))


@samples_of(f"{P}polymulx")
def times_x() -> Iterator[Sample]:
    yield call(CUBIC)
    yield call([1, 2])
    yield call(TRAILING)
    yield call(c=np.array([0.0], np.float32))


@samples_of(f"{P}polydiv")
def quotients() -> Iterator[Sample]:
    yield call(CUBIC, LINE)
    yield call(LINE, CUBIC)
    yield call(CUBIC, CUBIC)
    yield call(CUBIC, [2])
    yield call(np.array([1, 5, 2]), np.array([2, 1]))
    yield call(c1=CUBIC.astype(np.float32), c2=LINE.astype(np.float32))
    yield call(CUBIC * 1j, LINE)
    yield call(TRAILING, np.array([1.0, 1.0, 0.0])).not_in_graph(LAST_IS_ZERO)
    yield call(CUBIC, [0.0])


@samples_of(f"{P}polypow")
def powers() -> Iterator[Sample]:
    for power in range(4):
        yield call(LINE, power)
    yield call(c=[1, 2, 3], pow=2.0)
    yield call(CUBIC.astype(np.float32), 3, maxpower=4)
    yield call(TRAILING, 2).not_in_graph(LAST_IS_ZERO)
    yield call(LINE, 5, 4)
    yield call(LINE, 1.5)
    yield call(LINE, -1)


@samples_of(f"{P}polytrim", *named("trim"), "numpy.polynomial.polyutils.trimcoef")
def trimmed() -> Iterator[Sample]:
    yield call(TRAILING)
    yield call(np.array([0.0, 1e-3, 1.0, 1e-4]), 1e-3)
    yield call(np.array([1e-4, -1e-5], np.float32), tol=1e-2)
    yield call([0, 0])
    yield call(np.array([1j, 0]))
    yield call(CUBIC, -1)


@samples_of(f"{P}polyvalfromroots")
def values_from_roots() -> Iterator[Sample]:
    yield call(X, np.array([1.0, 2.0]))
    yield call(2.0, [1, 2])
    yield call(X.reshape(2, 3), np.arange(4.0).reshape(2, 2))
    yield call(X[:2], np.arange(4.0).reshape(2, 2), tensor=False)
    yield call(X.astype(np.float32), np.array([0.5], np.float32))
    yield call(X, [1.0], False)


@samples_of(f"{P}polycompanion")
def companions() -> Iterator[Sample]:
    yield call(CUBIC)
    yield call([1, 2])
    yield call(CUBIC[:3].astype(np.float32))
    yield call([3.0])
    yield call(TRAILING).not_in_graph(LAST_IS_ZERO)


@samples_of(f"{P}polyval3d", f"{P}polygrid3d")
def three_variables() -> Iterator[Sample]:
    yield call(X, Y, X - 1, np.arange(24.0).reshape(2, 3, 4))
    yield call(2.0, 3.0, 1.0, np.arange(8).reshape(2, 2, 2))


@samples_of(f"{P}polyval3d")
def three_variables_of_other_shapes() -> Iterator[Sample]:
    yield call(X, Y, X[:2], np.arange(24.0).reshape(2, 3, 4))


@samples_of(f"{P}polyvander2d")
def matrix_of_two() -> Iterator[Sample]:
    yield call(X, Y, [1, 2])
    yield call(X.reshape(2, 3), Y.reshape(2, 3), deg=(0, 1))
    yield call(X.astype(np.float32), np.arange(6, dtype=np.int8), [1, 1])
    yield call(2.0, 3.0, [1, 2])
    yield call(X, Y, [1])


@samples_of(f"{P}polyvander3d")
def matrix_of_three() -> Iterator[Sample]:
    yield call(X, Y, X - 1, [1, 2, 1])
    yield call(X.reshape(2, 3), Y.reshape(2, 3), X.reshape(2, 3), deg=[0, 0, 2])
