"""Samples of the reductions: sums, extremes, moments, order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

A = np.array([[1.5, -2.0, 0.0], [3.25, 4.0, -1.0]])
WHOLE = np.array([[3, -1, 2], [0, 5, -4]])
MASK = np.array([[True, False, True], [False, True, True]])
Z = np.array([[1 + 2j, -0.5j, 2.0], [-1.5 + 0.25j, 3j, -1 - 1j]])
CUBE = np.arange(24.0).reshape(2, 3, 4)
WITH_NAN = np.array([[np.nan, 2.0, 1.0, np.inf], [0.0, -np.inf, np.nan, np.nan], [3.0, 1.0, 2.0, 1.0]])


@samples_of("numpy.sum", "numpy.prod")
def sums() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 0)
    yield call(A, axis=(0, 1), keepdims=True)
    yield call(WHOLE.astype(np.int8), -1)
    yield call(WHOLE.astype(np.int32))
    yield call(np.array([200, 3], np.uint8))
    yield call(MASK, axis=1)
    yield call(WHOLE, dtype=float)
    yield call(WHOLE, dtype=A.dtype)
    yield call(A, where=MASK)
    yield call(A.astype(np.float32), where=MASK, axis=0)
    yield call(WHOLE.astype(np.int32), axis=1, where=MASK)
    yield call(WHOLE, where=np.array([True, False, True]), keepdims=True)
    yield call(np.zeros((0, 3)), 0)
    yield call(Z)


@samples_of("numpy.max", "numpy.amax", "numpy.min", "numpy.amin")
def extremes() -> Iterator[Sample]:
    yield call(np.array([1.0, 2.0]), where=np.array([True, False]))
    yield call(A)
    yield call(A, 0)
    yield call(A, axis=-1, keepdims=True)
    yield call(CUBE, (0, 2))
    yield call(WITH_NAN, axis=0)
    yield call(A, initial=2.0)
    yield call(A.astype(np.float32), axis=1, initial=0)
    yield call(np.zeros((0,)), initial=-7.0)
    yield call(A, 1, where=MASK, initial=-1.0)
    yield call(WHOLE, axis=0, where=MASK, initial=0)
    yield call(np.array([200, 3], np.uint8))


@samples_of("numpy.all", "numpy.any")
def truth() -> Iterator[Sample]:
    yield call(A)
    yield call(MASK, 0)
    yield call(WHOLE, axis=(0, 1))
    yield call(A, axis=1, keepdims=True)
    yield call(MASK, where=np.array([[True], [False]]))
    yield call(A, axis=1, where=MASK)
    yield call(np.zeros((0,)))


@samples_of("numpy.count_nonzero")
def count_nonzero() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 0)
    yield call(MASK, axis=1, keepdims=True)
    yield call([0, 1, 2])


@samples_of("numpy.trace")
def trace() -> Iterator[Sample]:
    yield call(A)
    yield call(WHOLE, 1)
    yield call(np.array([[100, 2], [3, 100]], np.int8))
    yield call(WHOLE.astype(np.int32), offset=-1)
    yield call(CUBE, 0, 2, 1)
    yield call(CUBE, axis1=0, axis2=2, dtype=np.float32)
    yield call(MASK)


@samples_of("numpy.var", "numpy.std")
def spread() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 0)
    yield call(A, axis=1, ddof=1, keepdims=True)
    yield call(CUBE, (0, 2), None, ddof=1)
    yield call(CUBE, axis=(0, 2), ddof=1)
    yield call(WHOLE)
    yield call(WHOLE.astype(np.int8), 0, ddof=1)
    yield call(A.astype(np.float32), 1)
    yield call(A.astype(np.float32), dtype=np.float64)
    yield call(A, dtype="f4")
    yield call(WHOLE, dtype=A.dtype)
    yield call(A, 0, np.float32)
    yield call(Z)
    yield call(Z, 0, ddof=1)
    yield call(A, correction=1)
    yield call(A, ddof=1, correction=1)
    yield call(np.array([1.0]), ddof=1)
    yield call([1, 2, 4.5])
    yield call(np.zeros((0,)))
    yield call(A, 2)


@samples_of("numpy.average")
def average() -> Iterator[Sample]:
    yield call(A)
    yield call(CUBE, axis=(0, 1))
    yield call(WHOLE, 0)
    yield call(A, weights=np.abs(WHOLE))
    yield call(A, axis=1, weights=np.array([3, 1, 2]))
    yield call(A, 0, np.array([3.0, 1.0]), True)
    yield call(WHOLE, axis=1, weights=[1, 0, 2], returned=True, keepdims=True)
    yield call(A.astype(np.float32), axis=0, returned=True)
    yield call(A, axis=1, weights=[1.0, -1.0, 0.0])
    yield call(A, weights=[1.0, 2.0, 3.0])
    yield call(A, axis=0, weights=[1.0, 2.0, 3.0])
    yield call(CUBE, axis=(1, 0), weights=np.arange(6.0).reshape(3, 2))
    yield call(Z, axis=0, weights=[1, 2])


@samples_of("numpy.argmax", "numpy.argmin")
def positions() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 1)
    yield call(WITH_NAN)
    yield call(WITH_NAN, axis=0)
    yield call(WITH_NAN.astype(np.float32), axis=-1, keepdims=True)
    yield call(A, keepdims=True)
    yield call(WHOLE, 0)
    yield call(np.array([1, 1, 0, 0]))
    yield call(MASK, 1)
    yield call(np.array([7, 200, 3], np.uint8))
    yield call([3, 9, 2])
    yield call(np.zeros((0,)))
    yield call(A, 2)


@samples_of("numpy.sort")
def sort() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 0)
    yield call(A, axis=None)
    yield call(WITH_NAN)
    yield call(WITH_NAN.astype(np.float32), 0, "stable")
    yield call(WHOLE, kind="mergesort")
    yield call(WHOLE, axis=1, stable=True)
    yield call(MASK)
    yield call(np.array([7, 200, 3], np.uint8))
    yield call(np.array([np.iinfo(np.int64).min, np.iinfo(np.int64).max, 0]))
    yield call(np.append(Z, Z[0]))
    yield call(Z, 0)
    yield call([3, 1.5, 2])
    yield call(np.zeros((0,)))
    yield call(A, kind="quick")
    yield call(A, kind="Heap")
    yield call(A, kind="bogus")
    yield call(
        np.array([complex(np.nan, 2), 1, complex(0, np.nan), 2 - 1j, complex(np.nan, np.nan), complex(np.nan, 1)])
    )


@samples_of("numpy.argsort")
def argsort() -> Iterator[Sample]:
    yield call(
        np.array([complex(np.nan, 2), 1, complex(0, np.nan), 2 - 1j, complex(np.nan, np.nan), complex(np.nan, 1)])
    )
    yield call(A, kind="merge")
    yield call(A)
    yield call(A, 0)
    yield call(A, axis=None)
    yield call(WITH_NAN, kind="stable")
    yield call(WITH_NAN.astype(np.float32), 0, "stable")
    yield call(np.array([1.0, 0.0, -0.0, np.inf, np.nan, np.inf, -1.0]), stable=True)
    yield call(np.array([1, 0] * 20), kind="stable")
    yield call(WHOLE, axis=1, kind="mergesort")
    yield call(MASK, stable=True)
    yield call(np.array([7, 200, 3], np.uint8))
    yield call(Z.ravel())
    yield call(np.zeros((0,)))


@samples_of("numpy.ptp")
def ptp() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 0)
    yield call(A, axis=1, keepdims=True)
    yield call([3, 1, 2])
    yield call(np.array([[1.0, np.nan], [2.0, 3.0]]), 0)
    yield call(np.ones(0))
    yield call(np.ones((0, 2)), 1)


_OF_BITS = "bitwise_and bitwise_or bitwise_xor gcd lcm"


@samples_of("numpy.max", "numpy.min", "numpy.amax", "numpy.amin", "numpy.ptp", "numpy.ndarray.max", "numpy.ndarray.min",
            *(f"numpy.{name}.reduce" for name in "maximum minimum fmax fmin hypot logaddexp logical_xor".split()),
            *(f"numpy.{name}.reduce" for name in _OF_BITS.split()))  # fmt: skip
def axis_of_no_axes() -> Iterator[Sample]:
    yield call(np.array(3), axis=0)
    yield call(np.array(3), axis=-1)
