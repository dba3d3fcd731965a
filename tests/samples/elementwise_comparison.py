"""Samples of comparisons."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

BIG = np.array([2**53, 2**53 + 1, 2**63 - 1, 5])


@samples_of("numpy.equal", "numpy.not_equal", "numpy.less", "numpy.less_equal", "numpy.greater", "numpy.greater_equal")
def comparisons() -> Iterator[Sample]:
    small = np.array([0, 7, 255], np.uint8)
    yield call(small, -1)
    yield call(small, 256)
    yield call(-1, small)
    yield call(np.array([-128, 127], np.int8), -(10**30))
    yield call(BIG.astype(np.uint64) + np.uint64(1), BIG)
    yield call(BIG, BIG.astype(np.uint64) - np.uint64(1))
    yield call(np.array([-1, 0, 3]), np.array([2**64 - 1, 0, 3], np.uint64))
    yield call(BIG, BIG[::-1])
    yield call(np.array([0.5, np.nan, 3.0]), np.array([0.5, np.nan, -np.inf]))
    yield call(np.array([1.5, 2.0], np.float32), 1.5)
    yield call([[1], [2]], [1, 2.5])
    yield call(np.array([True, False]), np.array([False, False]))
    yield call(np.array([True, False]), 2)
    yield call(np.zeros((0, 2)), 1)
    yield call(np.arange(3), np.arange(2))


@samples_of("numpy.equal", "numpy.not_equal")
def equalities() -> Iterator[Sample]:
    yield call(np.array([1 + 2j, 2.0]), np.array([1 + 2j, 3j]))


ORDERED = np.array([1 + 2j, 1 - 2j, -1j, complex(np.nan, 1), 2 + 0j])


@samples_of("numpy.less", "numpy.less_equal", "numpy.greater", "numpy.greater_equal", "numpy.fmax", "numpy.fmin",
            *(f"numpy.{name}.outer" for name in "less less_equal greater greater_equal maximum minimum".split()),
            "numpy.fmax.outer", "numpy.fmin.outer")  # fmt: skip
def complex_order() -> Iterator[Sample]:
    yield call(ORDERED, ORDERED[::-1])
    yield call(ORDERED.astype(np.complex64), ORDERED.astype(np.complex64)[0])


@samples_of("numpy.max", "numpy.amax", "numpy.min", "numpy.amin", "numpy.argmax", "numpy.argmin", "numpy.ptp",
            *(f"numpy.{name}.reduce" for name in "maximum minimum fmax fmin".split()),
            *(f"numpy.{name}.accumulate" for name in "maximum minimum fmax fmin".split()),
            "numpy.ndarray.max", "numpy.ndarray.min", "numpy.ndarray.argmax", "numpy.ndarray.argmin")  # fmt: skip
def complex_extremes() -> Iterator[Sample]:
    yield call(ORDERED)
    yield call(ORDERED[:3])
    yield call(np.array([[1 + 2j, 1 - 2j], [1 + 1j, 3 - 2j]], np.complex64), 1)


@samples_of("numpy.maximum.accumulate", "numpy.minimum.accumulate")
def extremes_of_bools() -> Iterator[Sample]:
    yield call(np.array([False, True, False]))


@samples_of("numpy.max", "numpy.min")
def complex_extremes_from() -> Iterator[Sample]:
    yield call(ORDERED[:3], initial=1 + 0j)
