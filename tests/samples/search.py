"""Samples of searches and of choices by index or condition."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

NAN = np.nan
SORTED = np.array([-1.5, 0.0, 0.0, 2.0, 7.5])
MATRIX = np.array([[0, 3, -1], [2, 0, 0]])


@samples_of("numpy.searchsorted", "numpy.ndarray.searchsorted")
def searchsorted() -> Iterator[Sample]:
    yield call(SORTED, 0.0)
    yield call(SORTED, 0.0, "right")
    yield call(SORTED, np.array([[1.0, -9.0], [NAN, np.inf]]))
    yield call(np.array([0.0, 1.0, NAN]), np.array([NAN, 5.0, -0.0]), side="right")
    yield call(np.array([3, 1, 2]), np.array([2, 3, 0]), sorter=np.array([1, 2, 0]))
    yield call(np.array([3, 1, 2]), [2, 3, 0], "left", [1, 2, 0])
    yield call(np.array([1, 2, 3]), 2.5)
    yield call(np.array([1, 2], np.float32), np.array([1.5], np.float64))
    yield call(np.array([0.1, 0.2], np.float32), [0.1, 0.2])
    yield call(np.array([1, 200], np.uint8), np.array([-1, 250]))
    yield call(np.array([1, 2**63 + 5], np.uint64), np.array([2**63 + 1], np.uint64))
    yield call(np.array([False, True]), np.array([True]))
    yield call(np.array([1.5], np.float16), np.array([[1.0]], np.float16))
    yield call(np.zeros((0,)), SORTED)
    yield call(SORTED, np.zeros((2, 0)))
    yield call(MATRIX, 1)
    yield call(SORTED, 1.0, side="middle")


@samples_of("numpy.searchsorted")
def searchsorted_in_a_list() -> Iterator[Sample]:
    yield call([1, 2, 3], [2, 9])


@samples_of("numpy.digitize")
def digitize() -> Iterator[Sample]:
    x = np.array([[0.0, 2.0], [-5.0, NAN]])
    yield call(x, SORTED)
    yield call(x, SORTED, True)
    yield call(x, SORTED[::-1].copy())
    yield call(x, SORTED[::-1].copy(), right=True)
    yield call(np.array([1, 5, 3]), [1, 3, 5])
    yield call(1.5, [1, 2])
    yield call(x, np.array([True, False]))
    yield call(x, np.zeros(0))
    yield call(x, np.array([1.0]))
    yield call(x, np.array([1.0, 1.0]))
    yield call(x, np.array([1.0, 3.0, 2.0]))
    yield call(np.array([1j]), SORTED)


@samples_of("numpy.nonzero", "numpy.ndarray.nonzero")
def nonzero() -> Iterator[Sample]:
    yield call(MATRIX)
    yield call(np.array([0.0, NAN, -0.0, 1e-300]))
    yield call(np.array([1 + 2j, -0.5j, 0]))
    yield call(np.array([True, False]))
    yield call(np.array([0, 2], np.float16))
    yield call(np.array([0, 2], np.uint16))
    yield call(np.zeros((0, 2)))
    yield call(np.array(5))


@samples_of("numpy.where")
def where() -> Iterator[Sample]:
    yield call(MATRIX > 0)
    yield call(np.array([1j, 0]))
    yield call(MATRIX)
    yield call([0.0, 1.5])
    yield call(MATRIX > 0, MATRIX, 0.5)
    yield call(MATRIX > 0, np.array([0.5, 1.5, np.inf]), np.array([[2.5], [3.5]]))
    yield call(np.array([True, False]), np.array([1.0, 2.0], np.float32), np.nan)
    yield call(np.array([True, False]), np.array([1, 2], np.uint8), np.array([[3], [4]], np.int8))


@samples_of("numpy.argwhere")
def argwhere() -> Iterator[Sample]:
    yield call(MATRIX)
    yield call(MATRIX > 0)
    yield call(np.array([0.0, NAN, 2.0], np.float32))
    yield call(np.zeros((0,)))


@samples_of("numpy.flatnonzero")
def flatnonzero() -> Iterator[Sample]:
    yield call(MATRIX)
    yield call([0, 1, 1])
    yield call(np.array([[1j, 0]]))


@samples_of("numpy.extract")
def extract() -> Iterator[Sample]:
    yield call(MATRIX > 0, MATRIX)
    yield call(np.array([0, 2, 1]), np.array([1.5, 2.5, 3.5]))
    yield call([True, False], [1.5, 2.5, 3.5])
    yield call(arr=np.array([[1.0, 2.0]], np.float32), condition=np.array([[False, True]]))


@samples_of("numpy.choose", "numpy.ndarray.choose")
def choose() -> Iterator[Sample]:
    index = np.array([[0, 1], [2, 0]])
    yield call(index, [np.array([1, 2]), np.array([[3], [4]]), 5])
    yield call(index, [np.array([1, 2], np.int32), 2.5, 5])
    yield call(index, np.arange(12.0).reshape(3, 2, 2))
    yield call(index + 2, [10, 20, 30], mode="wrap")
    yield call(index - 1, [10, 20, 30], mode="clip")
    yield call(index - 5, [10, 20, 30], mode="wrap")
    yield call(np.array([True, False]), (np.array([1.5, 2.5]), -1.0))
    yield call(np.array([0]), (1000, np.array([1], np.uint16)))
    yield call(np.array([0]), [1.0, np.array([3], np.float32)])
    yield call(np.array([3]), [1, 2])
    yield call(np.array([-1]), [1, 2])
    yield call(np.array([1.0]), [1, 2])


@samples_of("numpy.piecewise")
def piecewise() -> Iterator[Sample]:
    x = np.array([-2.0, -0.5, 0.0, 1.5, 3.0])
    yield call(x, [x < 0, x >= 0], [-1, 1])
    yield call(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v * v])
    yield call(x, [x < 0], [lambda v: -v, 7])
    yield call(x, [x < 2, x < 0], [1.0, lambda v: v])
    yield call(x, x < 0, [lambda v, k, shift=0: v * k + shift, 0.0], 3, shift=1)
    yield call(np.arange(4), [np.arange(4) > 1], [2.75])
    yield call(x.reshape(5, 1), [x.reshape(5, 1) > 0], [lambda v: v + 1, lambda v: v - 1])
    yield call(np.array(2.5), [True, False], [1.5, 3.0])
    yield call([1.0, 2.0], [[True, False]], [5.0])
    yield call(x, [x < 0], [1, 2, 3])
