"""Samples of polynomials: arithmetic, roots, fits, series and quadrature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from rule_samples import Sample, call, samples_of

CUBIC = np.array([2.0, -3.0, 0.5, 1.0])
LINE = np.array([1.0, -2.0])
X = np.array([0.0, 1.0, 2.0, 3.0, 4.5, 6.0])
Y = np.array([1.0, 2.5, 2.0, 5.0, -1.0, 0.25])
COMPLEX_WHEN_TRACED = "the dtype depends on the values"


@samples_of("numpy.polyadd", "numpy.polysub", "numpy.polymul")
def arithmetic() -> Iterator[Sample]:
    yield call(CUBIC, LINE)
    yield call(LINE, CUBIC)
    yield call(LINE, a2=LINE)
    yield call(CUBIC.astype(np.float32), LINE.astype(np.float32))
    yield call(np.array([1, 2]), np.array([3.5]))
    yield call(np.array([0, 0, 1, 2]), np.array([0, 3]))
    yield call(np.array([0.0, 0.0]), CUBIC)
    yield call([1, 2], 3)
    yield call(CUBIC * 1j, LINE)
    yield call(np.array([True, False]), np.array([True]))
    yield call(np.array([np.nan, 1.0]), np.array([np.inf, 1.0]))


@samples_of("numpy.polyval")
def polyval() -> Iterator[Sample]:
    yield call(CUBIC, X)
    yield call(np.poly1d(CUBIC), X)
    yield call(CUBIC, x=2.0)
    yield call(CUBIC.astype(np.float32), X.astype(np.float32))
    yield call(CUBIC.astype(np.float32), 2)
    yield call([1, 2, 3], np.array([[1, 2], [3, 4]]))
    yield call(np.array([1, 2], np.uint8), np.array([100, 200], np.uint8))
    yield call(CUBIC, X * 1j)
    yield call(np.array([]), X)
    yield call(2.0, X)


@samples_of("numpy.polydiv")
def polydiv() -> Iterator[Sample]:
    yield call(CUBIC, LINE)
    yield call(np.array([1.0, -3.0, 2.0]), np.array([1.0, -1.0]))
    yield call(LINE, CUBIC)
    yield call(np.array([1, 5, 2]), np.array([2]))
    yield call(CUBIC.astype(np.float32), LINE.astype(np.float32))
    yield call(u=CUBIC * 1j, v=LINE)
    yield call(3.0, [2.0])
    yield call(np.array([1.0, np.nan, 3.0]), LINE)


@samples_of("numpy.polyder", "numpy.polyint")
def calculus() -> Iterator[Sample]:
    for m in (0, 1, 2, 3):
        yield call(CUBIC, m)
    yield call(CUBIC, m=6)
    yield call(CUBIC.astype(np.float32))
    yield call(np.array([1, 2, 3]))
    yield call([1, 2, 3], 2)
    yield call(CUBIC * 1j)
    yield call(np.array([5.0]))
    yield call(CUBIC, -1)


@samples_of("numpy.polyint")
def constants() -> Iterator[Sample]:
    yield call(CUBIC, 2, 3)
    yield call(CUBIC, 2, k=np.array([1.0, 2.0]))
    yield call(CUBIC, 1, k=1j)
    yield call(CUBIC, 3, k=[1, 2])


def same_set(args: tuple[Any, ...], expected: Any, actual: Any) -> None:
    """Compare roots, whose order no library promises."""
    assert args
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    np.testing.assert_allclose(np.sort_complex(actual), np.sort_complex(expected), rtol=1e-6, atol=1e-9)


@samples_of("numpy.roots")
def roots() -> Iterator[Sample]:
    yield call(np.array([1.0, 0.0, 4.0])).compared_by(same_set)
    yield call(np.array([1.0, -2.0, 3.0, -4.0, 5.0])).compared_by(same_set)
    yield call(np.array([1, 0, 1])).compared_by(same_set)
    yield call(np.array([0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0])).compared_by(same_set)
    yield call(np.array([1j, 2.0, 1.0])).compared_by(same_set)
    yield call(np.array([1.0, 0.0, 4.0])).not_in_graph(COMPLEX_WHEN_TRACED)
    yield call(CUBIC).compared_by(same_set).not_in_graph(COMPLEX_WHEN_TRACED)
    yield call([1, -3, 2]).compared_by(same_set).not_in_graph(COMPLEX_WHEN_TRACED)
    yield call(np.array([2.0]))
    yield call([0, 0])
    yield call(np.array([1.0, np.nan, 2.0]))
    yield call(np.array([1.0, -3.0, 2.0], np.float32)).compared_by(same_set).not_in_graph(COMPLEX_WHEN_TRACED)
    yield call(np.array([1.0, 0.0, 0.0])).not_in_graph(COMPLEX_WHEN_TRACED)
    yield call(np.array([]))
    yield call(np.ones((2, 2)))


@samples_of("numpy.poly")
def poly() -> Iterator[Sample]:
    yield call(np.array([1.0, -2.0, 0.5]))
    yield call(np.array([1.0, -2.0], np.float32))
    yield call([1, 2, 3])
    yield call([2.0])
    yield call(np.array([[1.0, 2.0], [-3.0, 0.5]]))
    yield call(np.array([[1, 2, 0], [2, 0, 5], [0, 5, 1]]))
    yield call(np.array([1j, -1j, 2.0])).not_in_graph(COMPLEX_WHEN_TRACED)
    yield call(np.array([1j, 1.0]))
    yield call(np.array([np.nan, 1.0]))
    yield call([])
    yield call(np.ones((2, 3)))


def same_polynomial(args: tuple[Any, ...], expected: Any, actual: Any) -> None:
    """Compare objects of the two classes."""
    assert args
    assert str(actual) == str(expected)
    assert repr(actual) == repr(expected)
    assert actual.order == expected.order
    assert actual.variable == expected.variable


@samples_of("numpy.poly1d")
def poly1d() -> Iterator[Sample]:
    for sample in (
        call(CUBIC),
        call(np.array([0, 0, 1, -2])),
        call([1, 2, 3], variable="z"),
        call([1.0, 2.0], True),
        call([0.0]),
        call(np.array([])),
        call(5),
        call([1j, 2]),
    ):
        yield sample.compared_by(same_polynomial).not_in_graph("an object, not a tensor; test_poly1d.py traces it")
    yield call(np.ones((2, 2)))


@samples_of("numpy.polyfit")
def polyfit() -> Iterator[Sample]:
    plane = np.stack([Y, X * Y], 1)
    yield call(X, Y, 1)
    yield call(X, Y, 3)
    yield call(x=X, y=Y, deg=0)
    yield call(X, Y, 5).within(1e-7)
    yield call(X, plane, 2)
    yield call(X.astype(np.float32), Y.astype(np.float32), 2)
    yield call(np.array([0, 1, 2, 3]), np.array([1, 4, 9, 17]), 2)
    yield call(X, Y, 2, w=np.arange(1.0, 7.0))
    yield call(X, plane, 2, w=np.arange(1, 7))
    yield call(X, Y, 1, full=True)
    yield call(X.astype(np.float32), Y, 1, None, True)
    yield call(X, Y, 5, full=True).within(1e-7, 1e-9)
    yield call(np.array([1.0, 1.0, 1.0]), np.array([1.0, 2.0, 3.0]), 1, full=True)
    yield call(X, Y, 3, rcond=0.1, full=True)
    yield call(X, Y, 2, cov=True)
    yield call(X, Y, 2, cov="unscaled")
    yield call(X, plane, 1, cov=True)
    yield call(X, Y * 1j + 1, 2)
    yield call(X, Y, -1)
    yield call(X, Y[:3], 1)
    yield call(plane, Y, 1)
    yield call(np.array([]), np.array([]), 1)
    yield call(X, Y, 5, cov=True)
    yield call(X, Y, 1, w=np.ones((2, 2)))


@samples_of("numpy.polynomial.polynomial.polyfit")
def series_fit() -> Iterator[Sample]:
    plane = np.stack([Y, X * Y], 1)
    yield call(X, Y, 2)
    yield call(X, plane, 1)
    yield call(X, Y, [0, 2])
    yield call(X, plane, [3, 1], w=np.arange(1.0, 7.0))
    yield call(X, Y, 1, full=True)
    yield call(X.astype(np.float32), Y.astype(np.float32), 1, full=True)
    yield call(X.astype(np.float32), Y.astype(np.float32), 1, w=np.arange(1.0, 7.0))
    yield call(X, Y * 1j + 1, 2)
    yield call(X, Y, 2, 0.1)
    yield call(X, Y, -1)
    yield call(X, Y, 1.5)
    yield call(X, Y[:2], 1)


@samples_of("numpy.polynomial.polynomial.polyval")
def series_values() -> Iterator[Sample]:
    yield call(X, CUBIC)
    yield call(2.0, CUBIC)
    yield call(X.reshape(2, 3), CUBIC.astype(np.float32))
    yield call(X[:3], np.arange(6.0).reshape(2, 3))
    yield call(X[:3], np.arange(6.0).reshape(2, 3), tensor=False)
    yield call([1, 2], [1, 2, 3])
    yield call(np.array([np.inf, np.nan, 1j]), CUBIC)


@samples_of("numpy.polynomial.polynomial.polyval2d", "numpy.polynomial.polynomial.polygrid2d")
def series_of_two_variables() -> Iterator[Sample]:
    yield call(X, Y, np.arange(6.0).reshape(2, 3))
    yield call(X.reshape(2, 3), Y.reshape(2, 3), np.arange(6.0).reshape(2, 3))
    yield call(2.0, 3.0, np.arange(6).reshape(3, 2))


@samples_of("numpy.polynomial.polynomial.polyval2d")
def two_variables_of_other_shapes() -> Iterator[Sample]:
    yield call(X, Y[:3], np.arange(6.0).reshape(2, 3))


@samples_of(
    "numpy.polynomial.polynomial.polyadd",
    "numpy.polynomial.polynomial.polysub",
    "numpy.polynomial.polynomial.polymul",
)
def series_arithmetic() -> Iterator[Sample]:
    yield call(CUBIC, LINE)
    yield call(LINE, CUBIC)
    yield call(CUBIC, CUBIC)
    yield call(np.array([1, 2, 0, 0]), np.array([3, 0]))
    yield call(np.array([0.0, 0.0]), np.array([0.0, 0.0, 0.0]))
    yield call(CUBIC.astype(np.float32), LINE.astype(np.float32))
    yield call([1, 2], 3)
    yield call(np.array([]), LINE)
    yield call(np.ones((2, 2)), LINE)


@samples_of("numpy.polynomial.polynomial.polyder", "numpy.polynomial.polynomial.polyint")
def series_calculus() -> Iterator[Sample]:
    for m in (0, 1, 2, 6):
        yield call(CUBIC, m)
    yield call(CUBIC, m=2, scl=0.5)
    yield call(np.arange(12.0).reshape(3, 4), axis=1)
    yield call(np.arange(12).reshape(3, 4), axis=-2)
    yield call(CUBIC.astype(np.float32))
    yield call([1, 2, 3])
    yield call(np.array([0.0]))
    yield call(CUBIC, -1)
    yield call(CUBIC, axis=1)


@samples_of("numpy.polynomial.polynomial.polyint")
def series_constants() -> Iterator[Sample]:
    yield call(CUBIC, 2, [1, 2.5])
    yield call(CUBIC, 1, 4, 2.0)
    yield call(CUBIC, 2, k=np.array([3.0]), lbnd=-1, scl=2)
    yield call(np.array([0.0]), 1, 3)
    yield call(CUBIC, 1, [1, 2])


@samples_of("numpy.polynomial.polynomial.polyvander")
def series_vander() -> Iterator[Sample]:
    yield call(X, 3)
    yield call(X.reshape(2, 3), deg=2)
    yield call(np.array([1, 2]), 0)
    yield call(X.astype(np.float32), 2)
    yield call(2.0, 2)
    yield call(X, -1)


@samples_of("numpy.polynomial.polynomial.polyroots")
def series_roots() -> Iterator[Sample]:
    yield call(np.array([-6.0, 11.0, -6.0, 1.0])).not_in_graph(COMPLEX_WHEN_TRACED)
    yield call(np.array([1.0, 2.0, 3.0, 4.0]))
    yield call([1, 0, 1])
    yield call(np.array([3.0, 2.0])).not_in_graph(COMPLEX_WHEN_TRACED)
    yield call([3.0])
    yield call(np.array([-2.0, 1.0, 1.0, 0.0])).not_in_graph(COMPLEX_WHEN_TRACED)


@samples_of("numpy.polynomial.polynomial.polyfromroots")
def series_from_roots() -> Iterator[Sample]:
    yield call(np.array([3.0, -1.0, 2.0]))
    yield call([1, 2])
    yield call(np.array([1j, -1j]))
    yield call(np.array([1.0, 2.0], np.float32))
    yield call([])


@samples_of(
    "numpy.polynomial.legendre.leggauss",
    "numpy.polynomial.hermite.hermgauss",
    "numpy.polynomial.chebyshev.chebgauss",
    "numpy.polynomial.laguerre.laggauss",
)
def quadrature() -> Iterator[Sample]:
    yield call(1)
    yield call(deg=5)
    yield call(0)
