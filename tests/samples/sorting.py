"""Samples of partial, lexicographic and complex sorting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from rule_samples import Sample, call, samples_of

NAN = np.nan
FLOATS = np.array([[3.0, NAN, -0.0, 1.5, 0.0], [NAN, -np.inf, np.inf, NAN, 2.0]])
COMPLEX = np.array([complex(NAN, 2), 2 - 1j, complex(1, NAN), 2 - 3j, complex(NAN, NAN), 1, complex(NAN, 1)])


@samples_of("numpy.lexsort")
def lexsort() -> Iterator[Sample]:
    yield call((np.array([1, 2, 1, 0]), np.array([3.0, 1.0, 3.0, 1.0])))
    yield call([[9, 4, 0, 4], [1, 5, 1, 4]])
    yield call(np.array([[1, 2, 1], [0, 0, 0]]))
    yield call((FLOATS, FLOATS), 0)
    yield call((FLOATS,), axis=-1)
    yield call((COMPLEX, np.ones(7)))
    yield call((np.array([True, False]), np.array([1, 1], np.uint8)))
    yield call((np.array(3), np.array(2)))
    yield call((np.zeros(0),))
    yield call((FLOATS,), 2)
    yield call(())


def is_partition(args: tuple[Any, ...], expected: Any, actual: Any) -> None:
    """What NumPy promises: the kth element in its place, smaller ones before and larger ones behind."""
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    np.testing.assert_array_equal(np.sort(actual), np.sort(expected))
    for kth in np.ravel(args[1]):
        np.testing.assert_array_equal(actual[..., kth], expected[..., kth])


def is_argpartition(args: tuple[Any, ...], expected: Any, actual: Any) -> None:
    """The values at the positions are partitioned."""
    assert actual.dtype == expected.dtype
    values = np.asarray(args[0])
    is_partition(args, *[np.take_along_axis(values, at, -1) for at in (expected, actual)])


@samples_of("numpy.partition")
def partition() -> Iterator[Sample]:
    yield call(FLOATS, 2).compared_by(is_partition)
    yield call(FLOATS.astype(np.float32), (0, -1)).compared_by(is_partition)
    yield call(np.array([5, 1, 4, 1]), 1).compared_by(is_partition)
    yield call(np.array([5, 1, 250, 1], np.uint8), [3, 0]).compared_by(is_partition)
    yield call(COMPLEX, 3).compared_by(is_partition)
    yield call([4.5, 2.0, 3.0], 1).compared_by(is_partition)
    yield call(np.array([[3, 1], [2, 5]]), 1, 0)
    yield call(np.array([[3, 1], [2, 5]]), 3, axis=None).compared_by(is_partition)
    yield call(np.array([2.5, -1.0, 0.5]), 1)
    yield call(np.array([1, 2]), 2)
    yield call(np.array([1, 2]), 0, 1)
    yield call(np.zeros((2, 0)), 3)


@samples_of("numpy.argpartition", "numpy.ndarray.argpartition")
def argpartition() -> Iterator[Sample]:
    yield call(FLOATS, 2).compared_by(is_argpartition)
    yield call(np.array([5, 1, 4, 2]), -2).compared_by(is_argpartition)
    yield call(np.array([True, False, True]), 1).compared_by(is_argpartition)
    yield call(np.array([[3, 1], [2, 5]]), 1, 0)
    yield call(np.array([[3, 4], [2, 1]]), 0, axis=None).compared_by(lambda args, wanted, got: _first_is(3, got))
    yield call(np.array([1, 2]), -3)


def _first_is(position: int, actual: Any) -> None:
    assert actual.dtype == np.int64
    assert actual[0] == position


@samples_of("numpy.sort_complex")
def sort_complex() -> Iterator[Sample]:
    yield call(COMPLEX)
    yield call(COMPLEX.astype(np.complex64))
    yield call([5, 3, 6])
    yield call(np.array([[3.0, 1.0], [2.0, NAN]], np.float32))
    yield call(np.array([3, 1], np.int16))
    yield call(np.array([3, 1], np.uint8))
