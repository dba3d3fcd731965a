"""Samples of arrays of indices and of what builds arrays by subscripting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from rule_samples import Sample, call, samples_of

SQUARE = np.arange(9.0).reshape(3, 3)


@samples_of("numpy.indices")
def indices() -> Iterator[Sample]:
    yield call((2, 3))
    yield call([2], float)
    yield call((2, 0, 3), dtype=np.uint8)
    yield call((2, 3), int, True)
    yield call((2, 3), np.float32, sparse=True)
    yield call(())


@samples_of("numpy.fromfunction")
def fromfunction() -> Iterator[Sample]:
    yield call(lambda i, j: i * 10 + j, (2, 3))
    yield call(lambda i, j: i == j, (3, 3), dtype=int)
    yield call(lambda i, scale: i * scale, (4,), dtype=np.float32, scale=2)
    yield call(lambda i, scale: i * scale, (4,), scale=np.array(1.5))


@samples_of("numpy.diag_indices_from")
def diag_indices_from() -> Iterator[Sample]:
    yield call(SQUARE)
    yield call(np.zeros((2, 2, 2)))
    yield call(np.zeros((2, 3)))
    yield call(np.zeros(3))


@samples_of("numpy.tril_indices", "numpy.triu_indices")
def triangle_indices() -> Iterator[Sample]:
    yield call(3)
    yield call(3, -1)
    yield call(3, k=1, m=2)
    yield call(2, 0, 4)
    yield call(0)


@samples_of("numpy.tril_indices_from", "numpy.triu_indices_from")
def triangle_indices_from() -> Iterator[Sample]:
    yield call(SQUARE)
    yield call(SQUARE[:2], -1)
    yield call(SQUARE, k=1)
    yield call(np.zeros(3))


@samples_of("numpy.mask_indices")
def mask_indices() -> Iterator[Sample]:
    yield call(3, lambda m, k: m * np.tri(3, k=k), 1)
    yield call(2, lambda m, k: m > k)


@samples_of("numpy.unravel_index")
def unravel_index() -> Iterator[Sample]:
    yield call(5, (2, 3))
    yield call(np.array([5, 0, 3]), (2, 3))
    yield call(np.array([[22, 41], [37, 0]], np.int32), [7, 6])
    yield call(np.array([4], np.uint8), 5)
    yield call(indices=[1621], shape=(6, 7, 8, 9))
    yield call(np.array([6]), (2, 3))
    yield call(np.array([-1]), (2, 3))
    yield call(np.array([1.0]), (2, 3))


@samples_of("numpy.ravel_multi_index")
def ravel_multi_index() -> Iterator[Sample]:
    position = np.array([[3, 6, 6], [4, 5, 1]])
    yield call(position, (7, 6))
    yield call((position[0], position[1]), (7, 6))
    yield call((3, 1, 4), (6, 7, 8))
    yield call((np.array([1, 2], np.int8), 0), (3, 2))
    yield call(position, (4, 4), "wrap")
    yield call(position, (4, 4), mode="clip")
    yield call(position - 9, (4, 4), mode=("clip", "wrap"))
    yield call(position, (4, 4))
    yield call(-position, (7, 6))
    yield call((np.array([1.0]), np.array([0])), (2, 2))
    yield call((1, 2, 3), (4, 4))


@samples_of("numpy.ix_")
def ix_() -> Iterator[Sample]:
    yield call([0, 2], [1, 3, 4])
    yield call(np.array([0, 2]), np.array([True, False, True]))
    yield call([True, True], [2])
    yield call([])
    yield call(np.array([1, 2], np.int32))
    yield call(np.zeros(0, np.float32), range(0))
    yield call(np.zeros((2, 2)))


@samples_of("numpy.broadcast_shapes")
def broadcast_shapes() -> Iterator[Sample]:
    yield call((2, 1), (3,))
    yield call((2, 1), 4)
    yield call()
    yield call((2,), (3,))


@samples_of("numpy.ndindex", reference=lambda *shape: list(np.ndindex(*shape)))
def ndindex() -> Iterator[Sample]:
    yield call(2, 3).compared_by(_same_items)
    yield call((2, 1)).compared_by(_same_items)
    yield call().compared_by(_same_items)


@samples_of("numpy.ndenumerate", reference=lambda arr: list(np.ndenumerate(arr)))
def ndenumerate() -> Iterator[Sample]:
    reason = "an iterator of tensors cannot leave the graph"
    yield call(SQUARE).compared_by(_same_items).not_in_graph(reason)
    yield call(np.array(3)).compared_by(_same_items).not_in_graph(reason)
    yield call([[1, 2]]).compared_by(_same_items).not_in_graph(reason)


def _same_items(args: tuple[object, ...], expected: list[object], actual: Iterator[object]) -> None:
    del args
    assert list(actual) == expected


def _array_of_r(*key: Any) -> np.ndarray:
    return np.asarray(np.r_[key[0] if len(key) == 1 else key])  # "r" and "c" give a np.matrix


@samples_of("numpy.r_", reference=_array_of_r)
def r_() -> Iterator[Sample]:
    a = np.array([1.0, 2.0])
    yield call(np.s_[1:4, 0, 5])
    yield call(np.s_[1:4])
    yield call(np.s_[a, 0, 0, a])
    yield call(np.s_[-1:1:6j, [0] * 3, 5, 6])
    yield call(np.s_[0 : 36 : np.complex64(10j)])
    yield call(np.s_[0:1:0.1])
    yield call(np.s_[:3, 2.5])
    yield call(np.s_[a.astype(np.float32), 2.5])
    yield call(np.s_[a.astype(np.float32), np.float64(2.5), 1])
    yield call(np.s_[np.array([1], np.int8), 3])
    yield call(np.s_["-1", SQUARE, SQUARE])
    yield call(np.s_["0,2", [1, 2, 3], [4, 5, 6]])
    yield call(np.s_["1,2,0", [1, 2, 3], [4, 5, 6]])
    yield call(np.s_["0,2,0", [1, 2, 3], [4, 5, 6]])
    yield call(np.s_["0,3,-1", SQUARE, SQUARE])
    yield call(np.s_[True, a])
    yield call(np.s_[1j, a])
    yield call(np.s_[SQUARE, SQUARE[:1]])
    yield call(np.s_[7])
    yield call(np.s_[a])
    yield call(np.s_[SQUARE, a])
    yield call(np.s_["wrong", a])
    yield call(np.s_[a, "r"])
    yield call(np.s_["r", np.array([1, 2]), [3]])
    yield call(np.s_["c", np.array([1, 2]), [3]])
    yield call(np.s_["c", SQUARE])


@samples_of("numpy.c_")
def c_() -> Iterator[Sample]:
    a = np.array([1.0, 2.0])
    yield call(np.s_[a, a])
    yield call(np.s_[[1, 2, 3], [4, 5, 6]])
    yield call(np.s_[SQUARE, [1, 2, 3]])
    yield call(np.s_[0:3, 3:6])
    yield call(np.s_[0:1:3j])
    yield call(np.s_[np.array([[1, 2, 3]]), 0, 0, np.array([[4, 5, 6]])])
    yield call(np.s_[np.zeros((2, 3, 4)), np.zeros((2, 3, 1))])


@samples_of("numpy.mgrid")
def mgrid() -> Iterator[Sample]:
    yield call(np.s_[0:3, 0:2])
    yield call(np.s_[0:5])
    yield call(np.s_[-1:1:5j])
    yield call(np.s_[0:1:3j, 2:3])
    yield call(np.s_[0:1:0.25, 0:2, :3])
    yield call((slice(0, 2),))


@samples_of("numpy.ogrid")
def ogrid() -> Iterator[Sample]:
    yield call(np.s_[0:3, 0:2])
    yield call(np.s_[0:5:2])
    yield call(np.s_[-1:1:5j, 0:3:2j])
    yield call(np.s_[:3:0.5, 1:2])


@samples_of("numpy.mgrid")
def grids_that_end_before_they_begin() -> Iterator[Sample]:
    yield call(slice(1, 0))
    yield call(slice(1, 1), slice(0, 2))
    yield call(slice(1, 0), slice(1, 0))
