"""Samples of the order statistics, with and without NaN."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

TABLE = np.array([[3.0, -1.5, 2.0, 8.0], [0.5, 4.0, -2.0, 7.25], [1.0, 1.0, 9.0, -3.0]])
GAPS = np.array([[3.0, np.nan, 2.0, 8.0], [np.nan, 4.0, -2.0, np.nan], [1.0, 1.0, np.nan, -3.0]])
CUBE = np.arange(24.0).reshape(2, 3, 4) % 7 - 1.5
METHODS = [
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull",
    "linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest",
]  # fmt: skip


@samples_of("numpy.median", "numpy.nanmedian")
def medians() -> Iterator[Sample]:
    for a in (TABLE, TABLE[:, :3], GAPS, CUBE):
        yield call(a)
        yield call(a, 0)
        yield call(a, axis=-1, keepdims=True)
        yield call(a, keepdims=True)
    yield call(CUBE, (0, 2))
    yield call(CUBE, (0, -3))
    yield call(CUBE, axis=(2, 1), keepdims=True)
    yield call(CUBE.astype(np.float32), 1, overwrite_input=True)
    yield call(np.array([7, -3, 5, 2]))
    yield call(np.array([7, 250, 5, 251], np.uint8))
    yield call(np.array([[True, False, True]]), 1)
    yield call(np.array([np.inf, 1.0, -np.inf, np.inf]))
    yield call(np.array([np.nan, 1.0, 2.0], np.float32))
    yield call(np.array([np.nan, np.nan]))
    yield call(np.zeros((0, 2)))
    yield call(np.zeros((2, 0)), 1)
    yield call(np.zeros((0, 2)), 1)
    yield call([3, 1, 2])
    yield call(5.0)
    yield call(TABLE, 2)


@samples_of("numpy.quantile", "numpy.nanquantile")
def quantiles() -> Iterator[Sample]:
    for method in METHODS:
        yield call(TABLE, np.array([0.0, 0.1, 0.25, 0.5, 0.77, 1.0]), method=method)
        yield call(GAPS, 0.4, 1, method=method)
        yield call(np.array([1, 5, 2, 8, 3]), 0.3, method=method)
    yield call(TABLE, 0.3)
    yield call(TABLE, 0.3, 0, keepdims=True)
    yield call(TABLE, [0.3, 0.6], axis=1, keepdims=True)
    yield call(TABLE, np.array([[0.3, 0.6], [0.0, 1.0]]), axis=1)
    yield call(CUBE, [0.1, 0.9], (0, 2))
    yield call(CUBE, 0.9, axis=(0, 2), keepdims=True, overwrite_input=True)
    yield call(TABLE.astype(np.float32), 0.3)
    yield call(TABLE.astype(np.float32), np.array([0.3]))
    yield call(TABLE.astype(np.float32), np.array([0.3, 0.5], np.float32), 1)
    yield call(np.array([1, 2, 4]), 0)
    yield call(np.array([1, 2, 4]), [0, 1])
    yield call(np.array([1.0, 2.0, 4.0]), 1)
    yield call(np.array([-100, 100], np.int8), 0.5)
    yield call(np.array([1, 200, 30], np.uint8), [0.2, 0.8])
    yield call(np.array([True, False]), 0.5, method="lower")
    yield call(np.array([True, False]), 0.5)
    yield call(np.array([1.0, np.inf, 2.0]), 0.25)
    yield call(np.array([np.nan, np.nan]), [0.25, 0.5])
    yield call(TABLE, 1.5)
    yield call(TABLE, [0.5, -0.1])
    yield call(TABLE, 0.5, method="median")
    yield call(TABLE, 0.5, axis=2)
    yield call(np.array([1j, 2.0]), 0.5)
    yield call(np.zeros((0, 2)), 0.5, axis=1)
    yield call([3, 1, 2], 0.5)


@samples_of("numpy.quantile")
def empty_quantiles() -> Iterator[Sample]:
    yield call(np.array([]), 0.5)
    yield call(np.zeros((2, 0)), [0.5], axis=1)


@samples_of("numpy.nanquantile")
def empty_nan_quantiles() -> Iterator[Sample]:
    yield call(np.array([]), [0.5, 0.6])
    yield call(np.zeros((2, 0)), 0.5, axis=1, keepdims=True)


@samples_of("numpy.percentile", "numpy.nanpercentile")
def percentiles() -> Iterator[Sample]:
    for method in METHODS:
        yield call(TABLE, [0, 10, 25, 50, 77, 100], method=method)
        yield call(np.arange(101.0), 37, method=method)
    yield call(TABLE, 30)
    yield call(TABLE, 30.5, 0, keepdims=True)
    yield call(GAPS, np.array([30, 60]), axis=1, keepdims=True)
    yield call(CUBE, (10, 90), (0, 2))
    yield call(TABLE.astype(np.float32), 30)
    yield call(TABLE.astype(np.float32), [30])
    yield call(np.array([1, 2, 4]), 0)
    yield call(np.array([1, 2, 4]), [25, 75], overwrite_input=True)
    yield call(TABLE, 101)
    yield call(TABLE, np.array([50.0, -1.0]))


@samples_of("numpy.quantile", "numpy.percentile", "numpy.nanquantile", "numpy.nanpercentile")
def many_samples() -> Iterator[Sample]:
    wave = np.sin(np.arange(400.0)).reshape(20, 20)
    yield call(wave, np.linspace(0, 1, 30))
    yield call(wave, np.linspace(0, 1, 30), axis=1)
    yield call(np.where(wave > 0.9, np.nan, wave), np.linspace(0, 1, 30), axis=0)
    yield call(np.where(wave > 0.9, np.nan, wave), np.float32(0.5))
    yield call(wave.astype(np.float16), np.array([0.25], np.float16), axis=0)
    yield call(np.arange(5), np.array(1))
    yield call((wave * 100).astype(np.int32), np.float32([0.3, 0.4]))
    yield call((wave * 100).astype(np.int64) > 3, 0.4, method="nearest")
