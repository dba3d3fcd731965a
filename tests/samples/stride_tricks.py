"""Samples of sliding windows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

_CUBE = np.arange(60.0).reshape(3, 4, 5)


@samples_of("numpy.lib.stride_tricks.sliding_window_view")
def sliding_window_view() -> Iterator[Sample]:
    yield call(np.arange(6), 3)
    yield call(np.arange(6.0), (6,))
    yield call([1.5, 2.5, 3.5], window_shape=2)
    yield call(_CUBE, (2, 3, 1))
    yield call(_CUBE, 2, 1)
    yield call(_CUBE, (2,), axis=-1)
    yield call(_CUBE, (2, 3), axis=(0, 2))
    yield call(_CUBE, (3, 2), (-1, 0))
    yield call(_CUBE, (2, 3), (1, 1))
    yield call(np.array([True, False, True]), 2)
    yield call(_CUBE.astype(np.complex64), 4, axis=1)
    yield call(np.zeros((0, 4)), 2, axis=1)
    yield call(np.arange(4), 0)
    yield call(_CUBE, 2)
    yield call(np.arange(3), 4)
    yield call(np.arange(3), -1)
    yield call(_CUBE, 2, 3)
