"""Samples of numpy.emath: real numbers inside and outside the domain, where the values decide the dtype."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

DECIDED_BY_VALUES = "the dtype depends on the values"
POSITIVE = np.array([[0.0, 0.25, 1.0], [2.0, 1e3, np.inf]])
MIXED = np.array([-4.0, 0.25, 0.5, 1.0, 9.0])
BEYOND = np.array([-3.0, -1.0, -0.25, 0.0, 0.5, 2.0])


@samples_of("numpy.emath.sqrt", "numpy.emath.log", "numpy.emath.log2", "numpy.emath.log10")
def of_negatives() -> Iterator[Sample]:
    yield call(MIXED)
    yield call(MIXED.astype(np.float32))
    yield call(np.array([-4, 9]))
    yield call(np.array([-4, 9], np.int8))
    yield call(np.array([-4, 9], np.float16))
    yield call(x=MIXED * 1j + 1)
    yield call(-1.0)
    yield call([-1, 2])
    for inside in (POSITIVE, POSITIVE.astype(np.float32), np.array([1, 4], np.int8), np.zeros((0, 2))):
        yield call(inside).not_in_graph(DECIDED_BY_VALUES)
    yield call(np.array([1, 4], np.uint16))
    yield call(np.array([True]))
    yield call(np.array([np.nan, 2.0])).not_in_graph(DECIDED_BY_VALUES)
    yield call(4.0)


@samples_of("numpy.emath.sqrt", "numpy.emath.log")
def of_zero() -> Iterator[Sample]:
    yield call(np.array([-4.0, 0.0, -0.0]))


@samples_of("numpy.emath.logn")
def any_base() -> Iterator[Sample]:
    yield call(2, np.array([-4.0, 8.0]))
    yield call(-2.0, np.array([-4.0, 8.0]))
    yield call(n=np.array([2.0, 4.0], np.float32), x=np.array([-8.0, 8.0], np.float32))
    yield call(2, POSITIVE[0]).not_in_graph(DECIDED_BY_VALUES)


@samples_of("numpy.emath.power")
def powers() -> Iterator[Sample]:
    yield call(np.array([-2.0, 0.0, 3.0]), 2)
    yield call(np.array([-2, 0, 3]), 0)
    yield call(np.array([-2.0, 4.0]), np.array([0.5, -0.5]))
    yield call(np.array([-2, 4], np.int8), p=np.array([2, 1], np.int8)).not_in_graph(DECIDED_BY_VALUES)
    yield call(np.array([-2.0, 4.0], np.float32), np.array([2.0, 0.5], np.float32))
    yield call(np.array([1j, 2.0]), 2)
    yield call([2, 4], -1)
    yield call(np.array([2, 4]), np.array([-1, 2])).not_in_graph(DECIDED_BY_VALUES)
    yield call(np.array([2, 4]), 2).not_in_graph(DECIDED_BY_VALUES)
    yield call(np.array([2.0, 4.0]), 0.5).not_in_graph(DECIDED_BY_VALUES)


@samples_of("numpy.emath.arccos", "numpy.emath.arcsin", "numpy.emath.arctanh")
def beyond_one() -> Iterator[Sample]:
    yield call(BEYOND)
    yield call(BEYOND.astype(np.float32))
    yield call(np.array([0, 2]))
    yield call(np.array([0, 2], np.uint8))
    yield call(BEYOND * 1j + 0.5)
    yield call(2.0)
    yield call(np.array([-0.5, 0.0, 0.75])).not_in_graph(DECIDED_BY_VALUES)
    yield call(np.array([0, 1], np.int16)).not_in_graph(DECIDED_BY_VALUES)
    yield call(np.array([False]))
    yield call([0.5])


@samples_of("numpy.emath.log2", "numpy.emath.log10")
def infinite_logarithms() -> Iterator[Sample]:
    yield call(np.array([-1.0, -0.0]))


@samples_of("numpy.emath.power")
def negative_power_of_zero() -> Iterator[Sample]:
    yield call(np.array([0.0, -1.0]), -1.0)
