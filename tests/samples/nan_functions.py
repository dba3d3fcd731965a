"""Samples of the reductions and scans that skip NaN."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

GAPS = np.array([[3.0, np.nan, 2.0, 8.0], [np.nan, 4.0, -2.0, np.nan], [1.0, 1.0, np.nan, -3.0]])
HOLE = np.array([[3.0, np.nan], [np.nan, np.nan], [1.0, -np.inf]])
CUBE = np.where(np.arange(24).reshape(2, 3, 4) % 5, np.arange(24.0).reshape(2, 3, 4) % 7 - 1.5, np.nan)


@samples_of("numpy.nanmax", "numpy.nanmin")
def extremes() -> Iterator[Sample]:
    for a in (GAPS, HOLE, CUBE, GAPS.astype(np.float32)):
        yield call(a)
        yield call(a, 0)
        yield call(a, axis=-1, keepdims=True)
    yield call(CUBE, (0, 2))
    yield call(CUBE, keepdims=True)
    yield call(HOLE, 1, initial=-5.0)
    yield call(HOLE, axis=1, initial=5, where=np.array([[True, False]]))
    yield call(np.array([3, -1, 7]))
    yield call(np.array([3, 200], np.uint8), initial=100)
    yield call(np.array([[True, False], [False, False]]), 1)
    yield call(2.5)
    yield call([np.nan, 1.0])
    yield call(np.array([]))
    yield call(np.zeros((0, 3)), axis=0)
    yield call(np.zeros((0, 3)), axis=1)
    yield call(np.array([]), initial=1.0)
    yield call(GAPS, where=np.array([True, False, True, True]))
    yield call(GAPS, 2)


@samples_of("numpy.nanargmax", "numpy.nanargmin")
def indices_of_extremes() -> Iterator[Sample]:
    for a in (GAPS, CUBE, GAPS.astype(np.float32)):
        yield call(a)
        yield call(a, 0)
        yield call(a, axis=-1, keepdims=True)
        yield call(a, keepdims=True)
    yield call(np.array([3, -1, 7, 7]))
    yield call(np.array([True, False]))
    yield call(np.array([np.nan, -np.inf, -np.inf]))
    yield call(HOLE, 1)
    yield call(np.array([np.nan, np.nan]))
    yield call(np.array([]))
    yield call(GAPS, 2)


@samples_of("numpy.nancumsum", "numpy.nancumprod")
def scans() -> Iterator[Sample]:
    yield call(GAPS)
    yield call(GAPS, 0)
    yield call(GAPS, axis=-1)
    yield call(GAPS.astype(np.float32), 1)
    yield call(GAPS.astype(np.float32), dtype=np.float64)
    yield call(np.array([3, 1, 2], np.int8))
    yield call(np.array([3, 1, 2], np.uint8))
    yield call(np.array([3, 1, 2]), dtype=float)
    yield call(np.array([True, True, False]))
    yield call(np.array([1j, np.nan, 2.0]))
    yield call(np.array([]))
    yield call(3.0)
    yield call(3.0, axis=0)
    yield call(GAPS, 2)


@samples_of("numpy.nanvar", "numpy.nanstd")
def spreads() -> Iterator[Sample]:
    for a in (GAPS, HOLE[:, :1], CUBE, GAPS.astype(np.float32)):
        yield call(a)
        yield call(a, 0)
        yield call(a, axis=-1, keepdims=True, ddof=1)
        yield call(a, axis=1, correction=1)
    yield call(CUBE, (0, 2), None, ddof=0.5)
    yield call(GAPS.astype(np.float32), dtype=np.float64)
    yield call(GAPS, 1, where=np.array([True, True, False, True]))
    yield call(GAPS, 1, mean=np.array([[4.0], [1.0], [0.0]]))
    yield call(np.array([[1, 2, 4], [3, 9, 1]]), 1, ddof=1)
    yield call(np.array([1, 2]), ddof=2)
    yield call(np.array([1.0, 2.0]), ddof=2)
    yield call(np.array([1.0, 2.0]), ddof=1, correction=1)
    yield call(np.array([1 + 2j, np.nan, 3.0]))
    yield call(np.array([True, False, True]))
    yield call(np.array([]))
    yield call(2.0)
    yield call(GAPS, 2)
    yield call(GAPS, dtype=int)


@samples_of("numpy.nanmax", "numpy.nanmin", "numpy.nanargmax", "numpy.nanargmin")
def complex_extremes() -> Iterator[Sample]:
    yield call(np.array([1 + 2j, 1 - 2j, complex(np.nan, 1), -1j]))
    yield call(np.array([[1 + 2j, complex(np.nan, 1)], [2 - 1j, 1j]], np.complex64), 1)
    yield call(np.array([[complex(np.nan, 1)], [2 - 1j]]), 1)


@samples_of("numpy.nanmax", "numpy.nanmin", "numpy.nanvar", "numpy.nanstd")
def axis_of_no_axes() -> Iterator[Sample]:
    yield call(np.array(1.5), axis=0)
    yield call(np.array(1.5), axis=-1)
    yield call(np.array(1.5), axis=1)


@samples_of("numpy.nanmax", "numpy.nanmin", "numpy.max", "numpy.min")
def mask_of_another_shape() -> Iterator[Sample]:
    yield call(np.ones(2), initial=1.0, where=np.ones(4, bool))


@samples_of("numpy.nanvar", "numpy.nanstd")
def deviations_in_single_precision() -> Iterator[Sample]:
    yield call(np.array([100.1, 99.7, np.nan, 101.3], np.float32), dtype=float)
