"""Samples of unique values and set operations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

NAN = np.nan
FLOATS = np.array([3.0, -0.0, NAN, 1.5, 0.0, NAN, np.inf, -np.inf, 1.5])
COMPLEX = np.array([1 + 2j, 1 - 1j, complex(NAN, 1), 0, 1 + 2j, complex(2, NAN), complex(NAN, NAN), 1 - 1j])
INTS = np.array([[5, 2, 5], [2, 9, -7]])
ROWS = np.array([[1, 2], [0, 5], [1, 2], [0, 4], [1, 0]], np.int32)


@samples_of("numpy.unique")
def unique() -> Iterator[Sample]:
    yield call(INTS)
    yield call([3, 1, 3])
    yield call([0.1, 0.3, 0.1])
    yield call(FLOATS)
    yield call(FLOATS.astype(np.float32), equal_nan=False)
    yield call(FLOATS, True, True, True)
    yield call(FLOATS, return_inverse=True, equal_nan=False)
    yield call(INTS, return_index=True)
    yield call(INTS, return_counts=True, return_inverse=True)
    yield call(np.array([True, False, True]), return_counts=True)
    yield call(np.array([200, 3, 200], np.uint8), True)
    yield call(np.array([2**63 + 1, 3, 2**63 - 1], np.uint64), True)
    yield call(np.array([-(2**63), 3, 2**63 - 1]), sorted=True)
    yield call(np.array([1.5, -2.0, 1.5], np.float16), return_inverse=True)
    yield call(COMPLEX, return_index=True)
    yield call(np.array([1j, 1 + 0j, 1j], np.complex64), return_counts=True)
    yield call(np.zeros((0,)), True, True, True)
    yield call(np.zeros((2, 0)), return_inverse=True)
    yield call(4.5, return_counts=True)


@samples_of("numpy.unique")
def unique_along_an_axis() -> Iterator[Sample]:
    yield call(ROWS, axis=0)
    yield call(ROWS, True, True, True, 0)
    yield call(ROWS, axis=1, return_index=True)
    yield call(ROWS, axis=-1, return_counts=True)
    yield call(np.array([[1.5, NAN], [1.5, NAN], [-0.0, 2.0], [0.0, 2.0]]), axis=0, return_counts=True)
    yield call(np.array([[True, False], [True, False]]), axis=0)
    yield call(ROWS.reshape(5, 2, 1).repeat(2, 2), axis=0, return_inverse=True)
    yield call(np.array([[1j, 2], [1j, 2], [0, 3j]]), axis=0)
    yield call(np.array([[2 - 1j, 4 - 1j], [2 - 1j, 3 + 9j], [-3 + 1j, 0], [2 - 2j, 9]]), axis=0, return_inverse=True)
    yield call(np.array([3, 1, 3]), axis=0, return_inverse=True)
    yield call(ROWS, axis=2)


def _sets_are_equal(args: tuple[object, ...], expected: np.ndarray, actual: np.ndarray) -> None:
    del args
    assert actual.dtype == expected.dtype
    np.testing.assert_array_equal(actual, np.sort(expected))


@samples_of("numpy.unique_values")
def unique_values() -> Iterator[Sample]:
    yield call(INTS).compared_by(_sets_are_equal)
    yield call(FLOATS).compared_by(_sets_are_equal)
    yield call(np.array([True, True])).compared_by(_sets_are_equal)


@samples_of("numpy.unique_counts", "numpy.unique_inverse", "numpy.unique_all")
def unique_named() -> Iterator[Sample]:
    yield call(INTS)
    yield call(FLOATS)
    yield call([2, 1, 2])


@samples_of("numpy.isin")
def isin() -> Iterator[Sample]:
    yield call(INTS, [5, 9])
    yield call(INTS, np.array([5, 9]), invert=True)
    yield call(INTS, 5)
    yield call(3, [1, 2])
    yield call(INTS, np.arange(4, 40), False, True)
    yield call(np.arange(30), np.arange(4, 40), assume_unique=True)
    yield call(FLOATS, FLOATS)
    yield call(FLOATS, np.tile(FLOATS, 3))
    yield call(FLOATS.astype(np.float32), [0.1, 1.5])
    yield call(COMPLEX, np.tile(COMPLEX, 3))
    yield call(np.array([True, False]), [True])
    yield call(np.array([1, 250], np.uint8), np.array([1, -6], np.int8))
    yield call(INTS, np.zeros((0,)))
    yield call(np.zeros((0,)), INTS)


@samples_of("numpy.in1d")
def in1d() -> Iterator[Sample]:
    yield call(INTS, [5, 9])
    yield call(np.array([1.5, 2.0]), np.array([2.0]), invert=True)
    yield call(np.array([1, 2]), np.array([2]), True)


@samples_of("numpy.intersect1d")
def intersect1d() -> Iterator[Sample]:
    yield call(INTS, np.array([9, 2, 2, 4]))
    yield call(INTS, [9, 2, 2, 4], return_indices=True)
    yield call(np.array([3, 1]), np.array([1, 4, 3]), True)
    yield call(np.array([3, 1]), np.array([1, 4, 3]), True, True)
    yield call(FLOATS, FLOATS)
    yield call(np.array([1, 2], np.int32), np.array([2.0, 5.0], np.float32))
    yield call(COMPLEX, COMPLEX[:3])
    yield call(np.zeros((0,)), FLOATS, return_indices=True)


@samples_of("numpy.setdiff1d")
def setdiff1d() -> Iterator[Sample]:
    yield call(INTS, np.array([9, 2]))
    yield call(INTS, [2.5, 9.0])
    yield call(np.array([5, 1, 3]), np.array([1]), assume_unique=True)
    yield call(FLOATS, np.array([1.5]))
    yield call(np.arange(50), np.arange(10, 45))
    yield call(np.zeros((0,), np.int32), INTS)


@samples_of("numpy.union1d")
def union1d() -> Iterator[Sample]:
    yield call(INTS, [9, 100])
    yield call(np.array([2.5, 1.5, 1.0]), np.array([0.5, 2.0]))
    yield call(np.array([1, 2], np.int32), np.array([2.5], np.float32))
    yield call(FLOATS, FLOATS)
    yield call([True], [2])


@samples_of("numpy.setxor1d")
def setxor1d() -> Iterator[Sample]:
    yield call(INTS, [9, 100])
    yield call(np.array([1, 2]), np.array([2, 3]), assume_unique=True)
    yield call(FLOATS, np.array([NAN, 1.5, 7.0]))
    yield call(np.array([1, 2], np.int8), np.array([2.0], np.float32))
    yield call(np.zeros((0,)), np.zeros((0,)))
