"""Samples of series in orthogonal polynomials."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

X = np.array([-0.75, -0.25, 0.0, 0.5, 0.75, 1.0])
Y = np.array([1.0, 2.5, 2.0, 5.0, -1.0, 0.25])
SERIES = np.array([2.0, -3.0, 0.5, 1.0, 0.25])
FAMILIES = {"chebyshev": "cheb", "legendre": "leg", "hermite": "herm", "hermite_e": "herme", "laguerre": "lag"}


def named(suffix: str) -> list[str]:
    return [f"numpy.polynomial.{module}.{prefix}{suffix}" for module, prefix in FAMILIES.items()]


@samples_of(*named("val"))
def values() -> Iterator[Sample]:
    for length in range(1, 6):
        yield call(X, SERIES[:length])
    yield call(2.0, SERIES)
    yield call(0.5, SERIES.astype(np.float32))
    yield call(X.reshape(2, 3), c=SERIES.astype(np.float32))
    yield call(X.astype(np.float32), SERIES.astype(np.float32))
    yield call(X[:3], np.arange(12.0).reshape(4, 3))
    yield call(X[:3], np.arange(12.0).reshape(4, 3), tensor=False)
    yield call([1, 2], [1, 2, 3])
    yield call(X * 1j, SERIES)
    yield call(np.array([np.nan, np.inf]), SERIES[:2])


@samples_of("numpy.polynomial.polynomial.polyval")
def value_at_a_number() -> Iterator[Sample]:
    yield call(2.0, SERIES.astype(np.float32))
    yield call(2, SERIES.astype(np.float32))


@samples_of(*named("vander"))
def matrices() -> Iterator[Sample]:
    for degree in range(4):
        yield call(X, degree)
    yield call(X.reshape(2, 3).astype(np.float32), deg=3)
    yield call(np.array([1, 2]), 3)
    yield call(2.0, 2)
    yield call(X * 1j, 2)
    yield call(X, -1)


@samples_of(*named("fit"))
def fits() -> Iterator[Sample]:
    plane = np.stack([Y, X * Y], 1)
    yield call(X, Y, 2)
    yield call(X, plane, 1)
    yield call(X, Y, [0, 2])
    yield call(X, plane, deg=2, w=np.arange(1.0, 7.0))
    yield call(X, Y, 1, full=True)
    yield call(X.astype(np.float32), Y.astype(np.float32), 1)
    yield call(X.astype(np.float32), Y.astype(np.float32), 1, w=np.arange(1.0, 7.0))
    yield call(X, Y, 2, 0.1)
    yield call(X, Y, -1)
    yield call(X, Y[:2], 1)


@samples_of(*named("weight"))
def weights() -> Iterator[Sample]:
    yield call(X)
    yield call(X.astype(np.float32))
    yield call(np.array([0, 1]))
    yield call(x=np.array([[0.25]]))
    yield call(np.array([0, 1], np.int16))


@samples_of("numpy.polynomial.hermite_e.hermegauss", "numpy.polynomial.chebyshev.chebpts1")
def from_a_number() -> Iterator[Sample]:
    yield call(1)
    yield call(5)
    yield call(0)


@samples_of("numpy.polynomial.chebyshev.chebpts2")
def from_two_on() -> Iterator[Sample]:
    yield call(2)
    yield call(npts=5)
    yield call(1)


_WEIGHTS = "hermite.hermweight hermite_e.hermeweight laguerre.lagweight"


@samples_of(*(f"numpy.polynomial.{name}" for name in _WEIGHTS.split()))
def weights_of_unsigned() -> Iterator[Sample]:
    yield call(np.array([0, 1, 2], np.uint8))


@samples_of("numpy.polynomial.hermite.hermweight", "numpy.polynomial.hermite_e.hermeweight")
def weights_of_bools() -> Iterator[Sample]:
    yield call(np.array([True, False]))
