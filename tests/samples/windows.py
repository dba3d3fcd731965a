"""Samples of the window functions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of


@samples_of("numpy.hamming", "numpy.hanning", "numpy.blackman", "numpy.bartlett")
def windows() -> Iterator[Sample]:
    for size in (0, 1, 2, 3, 8, 51):
        yield call(size)
    yield call(np.int64(6))
    yield call(M=7)


@samples_of("numpy.kaiser")
def kaiser() -> Iterator[Sample]:
    for size in (0, 1, 2, 3, 8, 51):
        yield call(size, 8.6)
    yield call(12, 14)
    yield call(M=7, beta=0)
    yield call(9, np.array(5.5))
