"""Samples of covariance, counts and running totals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

ROWS = np.array([[1.0, 2.0, 4.0, 3.0], [3.0, 5.0, 9.0, -1.0]])
WAVE = np.array([0.5, -1.0, 2.0, 7.0])


@samples_of("numpy.cov", "numpy.corrcoef")
def matrices() -> Iterator[Sample]:
    yield call(ROWS)
    yield call(ROWS, rowvar=False)
    yield call(ROWS, WAVE)
    yield call(ROWS, ROWS * ROWS - 2)
    yield call(ROWS.T, np.array([[1.0, 5.0], [2.0, 2.0], [3.0, -4.0], [0.5, 3.0]]), rowvar=False)
    yield call(ROWS.T, WAVE, False)
    yield call(ROWS[0])
    yield call(ROWS[0], WAVE)
    yield call(ROWS.astype(np.float32))
    yield call(ROWS.astype(np.float32), dtype=np.float32)
    yield call(ROWS.astype(np.int64))
    yield call(ROWS + 1j * ROWS[::-1])
    yield call(np.array([[1.0, np.nan, 2.0], [3.0, 4.0, 5.0]]))
    yield call(np.array([[1.0], [3.0]]))
    yield call(np.zeros((0, 0)))
    yield call([[1, 2, 3], [1, 2, 4]])
    yield call(np.zeros((2, 2, 2)))


@samples_of("numpy.cov")
def weighted_covariance() -> Iterator[Sample]:
    counts = np.array([1, 2, 0, 3])
    yield call(ROWS, None, True, True)
    yield call(ROWS, ddof=2)
    yield call(ROWS, ddof=5)
    yield call(ROWS, fweights=counts)
    yield call(ROWS, fweights=counts, ddof=0)
    yield call(ROWS, aweights=np.array([0.5, 1.0, 2.0, 0.1]))
    yield call(ROWS, WAVE, fweights=counts, aweights=np.array([0.5, 1.0, 2.0, 0.1]))
    yield call(ROWS, aweights=np.array([0.5, 1.0, 2.0, 0.1]), bias=True)
    yield call(ROWS, fweights=np.array([0.5, 1.0, 2.0, 1.0]))
    yield call(ROWS, fweights=-counts)
    yield call(ROWS, aweights=np.array([1.0, 2.0]))
    yield call(ROWS, aweights=np.ones((2, 4)))
    yield call(ROWS, ddof=0.5)


@samples_of("numpy.cumulative_sum", "numpy.cumulative_prod")
def running_totals() -> Iterator[Sample]:
    yield call(WAVE)
    yield call(WAVE, include_initial=True)
    yield call(ROWS, axis=0, include_initial=True)
    yield call(ROWS, axis=-1, include_initial=True)
    yield call(ROWS.astype(np.float32), axis=1)
    yield call(np.array([3, 1, 2], np.int8))
    yield call(np.array([3, 1, 2], np.uint8), include_initial=True)
    yield call(np.array([3, 1, 2]), dtype=float)
    yield call(np.array([True, True]))
    yield call(np.array([1j, 2.0]), include_initial=True)
    yield call(np.array([]), include_initial=True)
    yield call(3)
    yield call(ROWS)
    yield call(ROWS, axis=2)


@samples_of("numpy.bincount")
def bincount() -> Iterator[Sample]:
    x = np.array([3, 1, 1, 0, 7])
    yield call(x)
    yield call(x, None, 10)
    yield call(x, minlength=2)
    yield call(x, np.array([0.5, 1.0, 2.0, -1.0, np.nan]))
    yield call(x, weights=np.array([1, 2, 3, 4, 5]), minlength=9)
    yield call(x, [0.5, 1.0, 2.0, -1.0, 3.0])
    yield call(x.astype(np.uint8))
    yield call(np.array([True, False, True]))
    yield call([0, 2])
    yield call(np.array([], np.int64))
    yield call(np.array([], np.int64), minlength=3)
    yield call(np.array([-1, 2]))
    yield call(np.array([1.0, 2.0]))
    yield call(np.array([[1, 2]]))
    yield call(x, np.array([1.0, 2.0]))
    yield call(x, minlength=-1)


@samples_of("numpy.bincount")
def weights_of_nothing() -> Iterator[Sample]:
    yield call(np.ones(0, int), weights=np.ones(0))
    yield call(np.ones(0, int), weights=np.ones(0), minlength=3)
