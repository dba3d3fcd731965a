"""Samples of the attributes of an ndarray."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

MATRICES = (np.arange(6.0).reshape(2, 3), np.arange(24, dtype=np.int8).reshape(2, 3, 4), np.zeros((2, 0)))
SMALL = (np.array(2.5), np.array([1, 2], np.int16), np.array([True, False]))


@samples_of("numpy.ndarray.mT")
def matrix_transposed() -> Iterator[Sample]:
    for a in MATRICES:
        yield call(a)
    yield call(np.array([1.0]))


@samples_of("numpy.ndarray.real", "numpy.ndarray.imag")
def parts() -> Iterator[Sample]:
    yield call(np.array([1 + 2j, np.nan, 3 - 1j]))
    yield call(np.array([[1 + 2j]], np.complex64))
    yield call(np.array([1.5, -2.0]))
    yield call(np.array([1, 2], np.int16))


@samples_of("numpy.ndarray.flat")
def flat() -> Iterator[Sample]:
    for a in (*MATRICES, *SMALL):
        yield call(a).compared_by(_same_elements)


def _same_elements(args: tuple[object, ...], expected: np.flatiter[np.ndarray], actual: object) -> None:
    assert args
    np.testing.assert_array_equal(expected.copy(), actual)


@samples_of("numpy.ndarray.itemsize", "numpy.ndarray.size", "numpy.ndarray.nbytes")
def sizes() -> Iterator[Sample]:
    for a in (*MATRICES, *SMALL, np.array([1j])):
        yield call(a)
