"""Samples of histograms."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

VALUES = np.array([0.1, 2.5, 2.5, 0.7, 5.0, 1.0, 3.25, 0.1, 4.999])
EDGES = np.array([0.0, 1.0, 2.5, 5.0])
PLANE = np.stack([VALUES, VALUES[::-1] * 2 - 1], 1)


@samples_of("numpy.histogram", "numpy.histogram_bin_edges")
def histograms() -> Iterator[Sample]:
    yield call(VALUES)
    yield call(VALUES, 4)
    yield call(VALUES, bins=np.int64(4))
    yield call(VALUES, EDGES)
    yield call(VALUES, [0, 1, 3])
    yield call(VALUES, 5, (0, 3))
    yield call(VALUES, 5, range=(0.5, 10.5))
    yield call(VALUES.reshape(3, 3), 3)
    yield call(VALUES.astype(np.float32))
    yield call(VALUES.astype(np.float32), 7, (0.1, 0.9))
    yield call(VALUES.astype(np.float32), 7, (np.float64(0.1), np.float64(0.9)))
    yield call(np.array([1, 2, 2, 9]))
    yield call(np.array([1, 2, 2, 255], np.uint8), 5)
    yield call(np.array([-128, 2, 2, 127], np.int8), 5)
    yield call(np.array([1, 2, 2, 9]), np.array([1, 2, 3, 9]))
    yield call(np.array([True, False, True]), 2)
    yield call(np.array([3.0, 3.0]), 4)
    yield call(np.array([]), 3)
    yield call(5, 3)
    yield call(VALUES, np.array([0.0, 1.0, 1.0, 2.5, 2.5]))
    yield call(VALUES, "auto")
    yield call(VALUES, "fd")
    yield call(VALUES, "sturges", (0, 4))
    yield call(np.array([1, 2, np.inf]), [0, 1, np.inf])
    yield call(np.array([1.0, 2.0, np.nan]), [0, 1, 3])
    yield call(np.array([1.0, 2.0, np.nan]), 3)
    yield call(VALUES, 0)
    yield call(VALUES, 2.5)
    yield call(VALUES, [3, 1])
    yield call(VALUES, np.ones((2, 2)))
    yield call(VALUES, 3, (2, 1))
    yield call(VALUES, 3, (0, np.inf))
    yield call(VALUES, "best")


@samples_of("numpy.histogram")
def weighted_histograms() -> Iterator[Sample]:
    weights = np.arange(9.0) / 4
    yield call(VALUES, 4, None, True)
    yield call(VALUES, EDGES, density=True)
    yield call(VALUES, 4, density=False, weights=weights)
    yield call(VALUES, EDGES, weights=weights)
    yield call(VALUES, EDGES, density=True, weights=weights)
    yield call(VALUES, 4, weights=weights.astype(np.float32))
    yield call(VALUES, 4, weights=np.arange(9))
    yield call(VALUES, 4, weights=weights * 1j)
    yield call(VALUES.reshape(3, 3), 4, weights=weights.reshape(3, 3))
    yield call(VALUES, 4, weights=weights[:3])
    yield call(VALUES, "auto", weights=weights)
    yield call(np.linspace(0.0, 1.0, 31), 10)
    yield call(np.arange(1000) / 7 % 1.0, 33, (0, 1))
    yield call(np.float32(0.1) * np.arange(300, dtype=np.float32), 30, (0, 30))


@samples_of("numpy.histogram_bin_edges")
def weighted_edges() -> Iterator[Sample]:
    yield call(VALUES, 3, weights=VALUES)


@samples_of("numpy.histogramdd")
def histogramdd() -> Iterator[Sample]:
    yield call(PLANE)
    yield call(PLANE, 3)
    yield call(PLANE, (2, 4))
    yield call(PLANE, [EDGES, 4])
    yield call(PLANE, bins=[EDGES, np.array([-1.0, 4.0, 9.0])], density=True)
    yield call(PLANE, 3, [(0, 3), None])
    yield call(PLANE, 3, ((0, 3), (-1.0, 4.0)), True, np.arange(9.0))
    yield call(PLANE.astype(np.float32), 2)
    yield call([VALUES, VALUES * 2, VALUES % 1.5], 2)
    yield call(np.array([[1, 2], [3, 5], [2, 2]]), 2)
    yield call(np.zeros((0, 2)), 2)
    yield call(PLANE, (2, 3, 4))
    yield call(PLANE, 3, [(0, 3)])
    yield call(PLANE, (0, 2))
    yield call(PLANE, [[3, 1], 2])


@samples_of("numpy.histogram2d")
def histogram2d() -> Iterator[Sample]:
    x, y = PLANE[:, 0], PLANE[:, 1]
    yield call(x, y)
    yield call(x, y, 3)
    yield call(x, y, EDGES)
    yield call(x, y, [3, EDGES], [(0, 4), (0, 4)])
    yield call(x, y, bins=(2, 3), range=[[0, 4], [0, 5]], density=True, weights=np.arange(9.0))
    yield call(x, y, [EDGES, EDGES])
    yield call(x, y[:3])
    yield call(x.astype(np.float32), y.astype(np.float32), 2)


@samples_of("numpy.histogram2d")
def histogram_of_bools() -> Iterator[Sample]:
    yield call(np.array([True, False]), np.array([True, True]), 2)
