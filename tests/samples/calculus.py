"""Samples of differences and interpolation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

WAVE = np.array([1.0, 2.0, 4.5, 7.0, 11.5, 16.0])
GRID = np.sin(np.arange(24.0)).reshape(4, 6)
POINTS = np.array([0.0, 1.0, 1.5, 3.5, 4.0, 6.0])


@samples_of("numpy.ediff1d")
def ediff1d() -> Iterator[Sample]:
    yield call(WAVE)
    yield call(GRID)
    yield call(WAVE, 9.0, np.array([-1.0, 2.0]))
    yield call(WAVE, to_begin=[[1.0, 2.0]], to_end=np.array([3, 4]))
    yield call(np.array([1, 5, 2]), to_end=7)
    yield call(np.array([1, 5, 2], np.uint8))
    yield call(np.array([1j, 2.0]))
    yield call([1, 2, 4])
    yield call(np.array([1.0]))
    yield call(np.array([]), to_begin=1.0)
    yield call(np.array([1, 5, 2]), to_end=7.5)
    yield call(np.array([True, False]))


@samples_of("numpy.gradient")
def gradient() -> Iterator[Sample]:
    yield call(WAVE)
    yield call(WAVE, 2.0)
    yield call(WAVE, 2)
    yield call(WAVE, POINTS)
    yield call(WAVE, edge_order=2)
    yield call(WAVE, POINTS, edge_order=2)
    yield call(WAVE, np.arange(6), edge_order=2)
    yield call(GRID)
    yield call(GRID, 0.5)
    yield call(GRID, 0.5, POINTS)
    yield call(GRID, np.array([0.0, 1.0, 4.0, 5.0]), 2.0, edge_order=2)
    yield call(GRID, axis=0)
    yield call(GRID, POINTS, axis=1)
    yield call(GRID, 2.0, POINTS, axis=(0, -1))
    yield call(GRID.reshape(2, 3, 4), axis=(2, 1))
    yield call(GRID.reshape(2, 3, 4))
    yield call(GRID.astype(np.float32), 0.1)
    yield call(WAVE.astype(np.float32), POINTS)
    yield call(WAVE.astype(np.int64), 3)
    yield call(np.array([1, 2, 250, 4], np.uint8))
    yield call(WAVE * 1j + WAVE**2)
    yield call([1.0, np.nan, 4.0, np.inf])
    yield call(np.array([1.0, 3.0]))
    yield call(np.array([1.0]))
    yield call(np.array([1.0, 2.0]), edge_order=2)
    yield call(WAVE, edge_order=3)
    yield call(WAVE, 1.0, 2.0)
    yield call(WAVE, POINTS[:3])
    yield call(WAVE, GRID)
    yield call(WAVE, axis=1)
    yield call(np.array([True, False, True]))


@samples_of("numpy.interp")
def interp() -> Iterator[Sample]:
    x = np.array([-1.0, 0.0, 0.3, 1.0, 2.0, 5.9, 6.0, 7.0, np.nan])
    yield call(x, POINTS, WAVE)
    yield call(np.array([0.0, 1.0, 1.5, 2.0]), np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0]))
    yield call(x, POINTS, WAVE, -10.0, 20)
    yield call(x, POINTS, fp=WAVE, right=np.nan)
    yield call(2.5, POINTS, WAVE)
    yield call(GRID, POINTS, WAVE, left=0.5)
    yield call(x, POINTS, WAVE * 1j + 1)
    yield call(x, POINTS, WAVE * 1j + 1, left=1j)
    yield call(x[:-1], POINTS, WAVE, period=7)
    yield call(np.array([-180, -170, -185, 185, -10, -5, 0, 365]), np.array([190, -190, 350, -350]),
               np.array([5, 10, 3, 4]), period=360)  # fmt: skip
    yield call(x, np.array([0.0, 1.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0, 4.0]))
    yield call(np.array([0.5, 1.0, 1.5, 2.0]), np.array([0.0, 1.0, 2.0, 2.0]), np.array([np.inf, 2.0, 3.0, np.nan]))
    yield call(np.array([0.5, 1.5]), np.array([0.0, 1.0, 2.0]), np.array([-np.inf, np.inf, np.inf]))
    yield call(x, np.array([0.0, 1.0, np.nan]), np.array([1.0, 2.0, 3.0]))
    yield call(x, np.array([np.nan, 1.0]), np.array([0.0, 10.0]))
    yield call(x, np.array([-np.inf, 1.0, np.inf]), np.array([1.0, 2.0, 2.0]))
    yield call(x, np.array([0.0, 1.0, 2.0]), np.array([1.0 + 1j, complex(np.inf, 2.0), complex(3.0, -np.inf)]))
    yield call(x, np.array([1.0]), np.array([4.0 + 1j]))
    yield call(x.astype(np.float32), POINTS.astype(np.float32), WAVE.astype(np.float32))
    yield call(np.array([1, 2]), np.array([0, 4]), np.array([3, 9]))
    yield call([0, 1, 1.5, 3], [1], [5])
    yield call(np.array([]), POINTS, WAVE)
    yield call(1.0, [], [])
    yield call(x, POINTS, WAVE[:3])
    yield call(x, GRID, WAVE)
    yield call(x, POINTS, WAVE, period=0)
