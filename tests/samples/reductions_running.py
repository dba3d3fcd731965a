"""Samples of running sums, differences and what is built on them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

A = np.array([[1.5, -2.0, 0.0], [3.25, 4.0, -1.0]])
WHOLE = np.array([[3, -1, 2], [0, 5, -4]])
MASK = np.array([[True, False, True], [False, True, True]])
CUBE = np.arange(24.0).reshape(2, 3, 4)


@samples_of("numpy.cumsum", "numpy.cumprod")
def running() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 0)
    yield call(np.array([1.5, -2.0, 0.5]))
    yield call(A, axis=-1, dtype=np.float32)
    yield call(A.astype(np.float32))
    yield call(WHOLE.astype(np.int8), 1)
    yield call(MASK)
    yield call(np.array([200, 3], np.uint8))
    yield call(np.array([2, 3], np.uint64))
    yield call(WHOLE, None, float)
    yield call(WHOLE, dtype=A.dtype)
    yield call(np.array(3))
    yield call([1, 2, 3])
    yield call(A * 1j, 1)
    yield call(A, 2)


@samples_of("numpy.diff")
def diff() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 2)
    yield call(A, axis=0, n=1)
    yield call(A, 0)
    yield call([1.5, 2.0, 4.0], 0)
    yield call(A, prepend=0)
    yield call(A, append=np.array([[1.0], [2.0]]), axis=1)
    yield call(WHOLE, 1, 0, np.zeros((1, 3), int), 9)
    yield call(WHOLE, prepend=0.5)
    yield call(MASK)
    yield call(np.array([1, 4, 2], np.uint8))
    yield call(np.array(3.0))
    yield call(A, -1)


@samples_of("numpy.trapezoid")
def trapezoid() -> Iterator[Sample]:
    yield call(A)
    yield call(A, dx=0.5, axis=0)
    yield call(A, np.array([0.0, 1.0, 3.0]))
    yield call(WHOLE, WHOLE * 2, axis=0)
    yield call(A.astype(np.float32), dx=2)
    yield call(CUBE, x=np.array([0.0, 1.0, 4.0]), axis=1)
    yield call([1, 2, 3])
    yield call(A * 1j)


@samples_of("numpy.unwrap")
def unwrap() -> Iterator[Sample]:
    yield call(np.array([0.0, 0.78, 5.49, 6.28, 12.6, -3.0]))
    yield call(np.array([[0.0, 3.0, 9.0], [1.0, -5.0, 20.0]]), axis=0)
    yield call(np.array([0, 1, 2, -1, 0]), period=4)
    yield call(np.array([2, 3, 4, 5, 2, 3, 4, 5]), period=5)
    yield call(np.array([0.0, 5.0, 10.0]), discont=6.0)
    yield call(np.array([0.0, 200.0, 350.0, 10.0], np.float32), period=360)
    yield call(np.array([0, 3, 6]))
