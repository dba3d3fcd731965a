"""Samples of joining, splitting, editing, moving and mapping."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

NAN = np.nan
VECTOR = np.array([1.5, -2.0, 3.0, 0.0, 7.0, 2.5])
MATRIX = np.arange(12).reshape(3, 4)
CUBE = np.arange(24.0).reshape(2, 3, 4)


@samples_of("numpy.column_stack")
def column_stack() -> Iterator[Sample]:
    yield call((VECTOR, VECTOR))
    yield call([VECTOR, [1, 2, 3, 4, 5, 6]])
    yield call([np.arange(3), MATRIX])
    yield call([np.float64(1.0), 2])
    yield call([np.array([1.0], np.float32), [2.5]])
    yield call(MATRIX)
    yield call([VECTOR, VECTOR[:2]])
    yield call([])


@samples_of("numpy.block")
def block() -> Iterator[Sample]:
    two, three = np.eye(2), np.full((2, 3), 7)
    yield call([[two, three], [three, two]])
    yield call([VECTOR, 5, [1.0]][:2])
    yield call([1, 2, np.float32(3)])
    yield call([[1, 2], [3, 4]])
    yield call([[np.array([1, 2])], [np.array([3, 4])]])
    yield call([CUBE, CUBE])
    yield call([[[CUBE]], [[CUBE]]])
    yield call(MATRIX)
    yield call(3)
    yield call([[two, three], [two]])
    yield call([two, [three]])
    yield call([])
    yield call((two, two))


@samples_of("numpy.array_split")
def array_split() -> Iterator[Sample]:
    yield call(VECTOR, 4)
    yield call(MATRIX, 3, 1)
    yield call(MATRIX, 5)
    yield call(CUBE, 3, axis=-1)
    yield call(VECTOR, [2, 3])
    yield call(VECTOR, np.array([1, 5]))
    yield call(VECTOR, np.int64(4))
    yield call(VECTOR, 0)


@samples_of("numpy.split")
def split() -> Iterator[Sample]:
    yield call(VECTOR, 3)
    yield call(VECTOR, np.int64(2))
    yield call(MATRIX, 2, 1)
    yield call(MATRIX, [1, 3], axis=1)
    yield call(VECTOR, (2, 9))
    yield call(VECTOR, [-1])
    yield call(VECTOR, [4, 2])
    yield call(VECTOR, [])
    yield call(VECTOR, 4)
    yield call(MATRIX, 2, 5)


@samples_of("numpy.hsplit")
def hsplit() -> Iterator[Sample]:
    yield call(VECTOR, 2)
    yield call(MATRIX, 2)
    yield call(CUBE, [1])
    yield call(MATRIX, [-1])
    yield call(MATRIX, 3)
    yield call(np.array(1), 1)


@samples_of("numpy.vsplit")
def vsplit() -> Iterator[Sample]:
    yield call(MATRIX, 3)
    yield call(MATRIX, [-1])
    yield call(CUBE, 2)
    yield call(MATRIX, 2)
    yield call(VECTOR, 2)


@samples_of("numpy.transpose")
def transpose() -> Iterator[Sample]:
    yield call(CUBE)
    yield call(CUBE, None)
    yield call(CUBE, (2, 0, 1))
    yield call(CUBE, axes=[-1, 0, -2])
    yield call(CUBE.astype("int8"), (-1, 0, 1))
    yield call([1, 2, 3], (-1,))
    yield call([[1, 2], [3, 4]])
    yield call(CUBE, (0, 1, 3))
    yield call(CUBE, (0, 1, 1))


@samples_of("numpy.dsplit")
def dsplit() -> Iterator[Sample]:
    yield call(CUBE, 2)
    yield call(CUBE, [-1])
    yield call(CUBE, 3)
    yield call(MATRIX, 2)


@samples_of("numpy.delete")
def delete() -> Iterator[Sample]:
    yield call(VECTOR, 1)
    yield call(VECTOR, -1)
    yield call(MATRIX, 1, 0)
    yield call(MATRIX, 5)
    yield call(MATRIX, [0, 2, 2], axis=1)
    yield call(VECTOR, (1, 2))
    yield call(VECTOR, (0, -1))
    yield call(VECTOR, [[0, 2]])
    yield call(MATRIX, slice(None, None, 2), 1)
    yield call(VECTOR, np.s_[3:0:-1])
    yield call(VECTOR, [])
    yield call(VECTOR, VECTOR > 2)
    yield call(VECTOR, np.array([1, -1]))
    yield call(VECTOR, [2, 1])
    yield call(MATRIX, slice(1, 3), 1)
    yield call(VECTOR, np.array([0], np.uint8))
    yield call(CUBE, np.array([1]), -1)
    yield call([1, 2, 3], 0)
    yield call(VECTOR, slice(3, 1))
    yield call(VECTOR, slice(-2, None))
    yield call(VECTOR, 6)
    yield call(VECTOR, -7)
    yield call(VECTOR, [1, 9])
    yield call(VECTOR, [4, 5, 5])
    yield call(MATRIX, 0, 2)
    yield call(VECTOR, [True, False])


@samples_of("numpy.insert")
def insert() -> Iterator[Sample]:
    yield call(VECTOR, 1, 9.5)
    yield call(VECTOR, -1, [8, 9])
    yield call(VECTOR, 6, 1)
    yield call(np.arange(3), 1, 2.75)
    yield call(MATRIX, 1, 5)
    yield call(MATRIX, 1, 5, 1)
    yield call(MATRIX, 1, [1, 2, 3], axis=1)
    yield call(MATRIX, [1], [[1], [2], [3]], axis=1)
    yield call(MATRIX, 2, np.array([[1, 2, 3, 4], [5, 6, 7, 8]]), 0)
    yield call(VECTOR, [2, 2], [5, 6])
    yield call(VECTOR, [4, 0, 2], [1, 2, 3])
    yield call(VECTOR, np.array([2, -2]), 0.5)
    yield call(MATRIX, [0, 3], 99, axis=0)
    yield call(VECTOR, slice(2, 4), [7, 8])
    yield call(VECTOR, VECTOR > 2, 0)
    yield call(VECTOR, [], [])
    yield call(CUBE, [1, 1], CUBE[:, :1], 1)
    yield call(np.array([1.0, 2.0], np.float32), 0, 0.1)
    yield call(VECTOR, 7, 1)
    yield call(VECTOR, [1, 9], 1)
    yield call(MATRIX, 0, 1, 2)
    yield call(MATRIX, 0, [1, 2, 3], 0)
    yield call(VECTOR, [0, 1], [1, 2, 3])
    yield call(VECTOR, [1], [[7]])
    yield call(VECTOR, 1, [[7, 8]])
    yield call(VECTOR, [[0, 1]], 1)
    yield call(VECTOR, 1.5, 1)


@samples_of("numpy.resize")
def resize() -> Iterator[Sample]:
    yield call(MATRIX, (2, 3))
    yield call(VECTOR, 8)
    yield call([1, 2, 3], (2, 4))
    yield call(np.zeros((0,), np.float32), (2, 2))
    yield call(VECTOR, ())
    yield call(VECTOR, (0, 3))
    yield call(VECTOR, (-1, 2))


@samples_of("numpy.trim_zeros")
def trim_zeros() -> Iterator[Sample]:
    padded = np.array([0, 0, 1.5, 0, NAN, 0])
    yield call(padded)
    yield call(padded, "f")
    yield call(padded, trim="B")
    yield call([0, 1, 2, 0])
    yield call(np.zeros(3))
    yield call(np.zeros(3), "f")
    yield call(np.zeros(3, int), "b")
    yield call(np.pad(MATRIX, 2))
    yield call(np.pad(MATRIX, 2), axis=-1)
    yield call(np.pad(MATRIX, 2), "f", (0,))
    yield call(padded, "x")


@samples_of("numpy.rollaxis")
def rollaxis() -> Iterator[Sample]:
    yield call(CUBE, 2)
    yield call(CUBE, 0, 3)
    yield call(CUBE, -1, 1)
    yield call(CUBE, 1, start=-1)
    yield call(CUBE, 1, 1)
    yield call(CUBE, 3)
    yield call(CUBE, 0, 4)


@samples_of("numpy.flip")
def flip() -> Iterator[Sample]:
    yield call(MATRIX)
    yield call(MATRIX, 0)
    yield call(MATRIX, axis=1)
    yield call(MATRIX, -1)
    yield call(CUBE, (0, 2))
    yield call(CUBE, axis=2)
    yield call([1.5, 2.5], 0)


@samples_of("numpy.roll")
def roll() -> Iterator[Sample]:
    yield call(MATRIX, 1)
    yield call(MATRIX, -5, 1)
    yield call(MATRIX, 1, axis=(0, 1))
    yield call(MATRIX, (1, 2), axis=(0, 1))
    yield call(MATRIX, 2, -1)
    yield call(CUBE, 1, 2)
    yield call(CUBE, (1, 2), 2)
    yield call([1.5, 2.5], 1, 0)


@samples_of("numpy.take_along_axis")
def take_along_axis() -> Iterator[Sample]:
    order = np.argsort(-MATRIX, axis=1)
    yield call(MATRIX, order)
    yield call(MATRIX, order, 1)
    yield call(CUBE, np.array([[[0], [2], [-1]]]), 2)
    yield call(MATRIX, np.array([[-1, 0, 1, 1]]), axis=0)
    yield call(MATRIX, np.array([3, 0]), axis=None)


@samples_of("numpy.array_equal")
def array_equal() -> Iterator[Sample]:
    gap = np.array([1.0, NAN])
    yield call(VECTOR, VECTOR)
    yield call(VECTOR, VECTOR[:2])
    yield call(gap, gap)
    yield call(gap, gap, True)
    yield call(gap, gap[::-1].copy(), equal_nan=True)
    yield call(gap, np.array([1.0]), equal_nan=True)
    yield call(MATRIX, MATRIX, equal_nan=True)
    yield call(np.array([complex(NAN, 1)]), np.array([complex(0, NAN)]), equal_nan=True)
    yield call([1, 2], (1, 2))


@samples_of("numpy.array_equiv")
def array_equiv() -> Iterator[Sample]:
    yield call([1, 2], [[1, 2], [1, 2]])
    yield call(MATRIX, MATRIX[0])
    yield call(VECTOR, VECTOR[:2])
    yield call(2, [2, 2])


@samples_of("numpy.require")
def require() -> Iterator[Sample]:
    yield call(MATRIX)
    yield call(VECTOR)
    yield call(MATRIX, np.float32, ["C", "ALIGNED"])
    yield call([1, 2], float, "W")
    yield call(MATRIX, requirements=["nothing"])


@samples_of("numpy.asarray_chkfinite")
def asarray_chkfinite() -> Iterator[Sample]:
    yield call(VECTOR)
    yield call([1, 2], float)
    yield call(MATRIX, dtype=np.float32)
    yield call(np.array([1j]))
    yield call(np.array([1.0, NAN]))
    yield call(np.array([1.0, complex(0, np.inf)]))


@samples_of("numpy.resize")
def resize_of_unsigned() -> Iterator[Sample]:
    yield call(np.arange(2, dtype=np.uint16), (3,))


@samples_of("numpy.transpose")
def transpose_without_axes() -> Iterator[Sample]:
    yield call(np.array(1.0), ())
