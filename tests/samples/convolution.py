"""Samples of `convolve` and `correlate`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

WAVE = np.array([1.0, -2.0, 3.5, 0.25, 4.0])
LONG = np.sin(np.arange(700.0))
KERNEL = np.cos(np.arange(150.0))


@samples_of("numpy.convolve", "numpy.correlate")
def sequences() -> Iterator[Sample]:
    for mode in ("full", "same", "valid"):
        for v in (np.array([0.5, -1.0, 2.0]), np.array([1.0, 2.0]), np.array([3.0])):
            yield call(WAVE, v, mode)
            yield call(v, WAVE, mode=mode)
        yield call(LONG, KERNEL, mode)
        yield call(KERNEL, LONG, mode)
        yield call(WAVE * 1j + 2, np.array([1j, 2.0 - 1j]), mode)
        yield call(np.array([1j, 2.0 - 1j]), WAVE, mode)
        yield call(LONG + 1j * LONG[::-1], KERNEL * 1j, mode)
        yield call(np.array([1, 2, 3]), np.array([0, 1, 5, -2]), mode)
    yield call(WAVE, WAVE[:2])
    yield call(a=WAVE, v=WAVE)
    yield call(WAVE.astype(np.float32), WAVE[:2].astype(np.float32))
    yield call(LONG.astype(np.float32), KERNEL.astype(np.float32))
    yield call(WAVE.astype(np.float32), WAVE[:3])
    yield call(np.array([100, 27], np.int8), np.array([3, 2], np.int8))
    yield call(np.array([200, 27], np.uint8), np.array([3, 2], np.uint8))
    yield call(np.array([2**62, 3]), np.array([3, 2**61 + 1]))
    yield call(np.array([True, False, True]), np.array([True, True]), "full")
    yield call(np.array([1, 2]), np.array([0.5]))
    yield call([1, 2, 3], [0, 1, 0.5])
    yield call(2, 3)
    yield call(np.array([1.0, 2.0]), np.array([np.inf, 1.0]), "full")
    yield call(LONG, np.where(KERNEL > 0.9, np.nan, KERNEL), "full")
    yield call(LONG, np.where(KERNEL > 0.99, np.inf, KERNEL), "full")
    yield call(np.array([]), WAVE)
    yield call(WAVE, np.array([]))
    yield call(WAVE, WAVE, "middle")
    yield call(np.ones((2, 2)), WAVE)
