"""Samples of the methods of an ndarray, reductions and order left out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

A = np.array([[3.0, -1.5, 2.0], [0.5, 4.0, -2.0]])
I = np.array([3, -1, 2, 7])  # noqa: E741 (short beside A)
C = np.array([1 + 2j, 3.0, -1j])
CUBE = np.arange(24.0).reshape(2, 3, 4)
HOST = "a value read on the host"


@samples_of("numpy.ndarray.astype")
def astype() -> Iterator[Sample]:
    for dtype in (float, int, bool, complex, "f4", "int8", np.float32, np.dtype("int16")):
        yield call(A, dtype)
        yield call(I, dtype)
    yield call(np.array([True, False]), int)
    yield call(C, float)
    yield call(A, dtype=np.float32, copy=False)
    yield call(np.zeros((0, 2)), int)
    yield call(np.array([300, -1]), np.uint8)


@samples_of("numpy.ndarray.view")
def view() -> Iterator[Sample]:
    yield call(A)
    yield call(A, np.int64)
    yield call(I, float)
    yield call(I, "u8")
    yield call(np.array([1, 0], np.uint8), bool)
    yield call(np.array([True, False]), np.int8)
    yield call(np.array([1.5], np.float32), "i4")


@samples_of("numpy.ndarray.copy")
def copy() -> Iterator[Sample]:
    yield call(A)
    yield call(np.array(True))
    yield call(np.zeros((0, 2), np.int8))


@samples_of("numpy.ndarray.conj", "numpy.ndarray.conjugate")
def conj() -> Iterator[Sample]:
    yield call(C)
    yield call(C.astype(np.complex64))
    yield call(A)
    yield call(I)


@samples_of("numpy.ndarray.clip")
def clip() -> Iterator[Sample]:
    a = np.array([[-1.5, 0.0], [2.5, np.nan]])
    yield call(a, 0, 1)
    yield call(a, None, 1)
    yield call(a, 0)
    yield call(a, min=0.5)
    yield call(a, max=1, min=0)
    yield call(a, a.T, 2.0)
    yield call(I, 0, 3)
    yield call(I, min=np.array([1, 2, 3, 4]))
    yield call(a.astype(np.float32), 0, 1)
    yield call(np.array([3, 200], np.uint8), -1, 100)


@samples_of("numpy.ndarray.take")
def take() -> Iterator[Sample]:
    yield call(I, [0, -1])
    yield call(A, np.array([[0, 4], [-6, 5]]))
    yield call(A, [1, -1], 1)
    yield call(A, indices=0, axis=0)
    yield call(A, [5, -7], axis=-1, mode="wrap")
    yield call(A, [5, -7], axis=-1, mode="clip")
    yield call(I, [4])


@samples_of("numpy.ndarray.round")
def round_() -> Iterator[Sample]:
    a = np.array([0.5, 1.5, -2.567, np.nan, np.inf])
    yield call(a)
    yield call(a, 1)
    yield call(a, decimals=2)
    yield call(np.array([15, 25, -149]), -1)
    yield call(np.array([15, 25, -149], np.int32), decimals=-2)
    yield call(I, 2)
    yield call(C * 1.234, 1)
    yield call(a.astype(np.float32), 1)


@samples_of("numpy.ndarray.repeat")
def repeat() -> Iterator[Sample]:
    yield call(A, 2)
    yield call(A, 2, 0)
    yield call(A, 2, axis=-1)
    yield call(I, np.array([1, 0, 2, 1])).not_in_graph("the shape of the result is data")
    yield call(A, [1, 2], axis=0)
    yield call(A, repeats=3)


@samples_of("numpy.ndarray.compress")
def compress() -> Iterator[Sample]:
    yield call(I, [True, False, True, False])
    yield call(A, np.array([False, True]), axis=0)
    yield call(A, [True, False, True], 1)
    yield call(A, condition=[False, True])


@samples_of("numpy.ndarray.diagonal")
def diagonal() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 1)
    yield call(A, offset=-1)
    yield call(CUBE, 0, 1, 2)
    yield call(CUBE, axis1=-1, axis2=0)


@samples_of("numpy.ndarray.dot")
def dot() -> Iterator[Sample]:
    yield call(A, A.T.copy())
    yield call(A, np.array([1.0, 2.0, 3.0]))
    yield call(I, I)
    yield call(A, 2.0)
    yield call(CUBE, CUBE[0].T.copy())
    yield call(C, C)


@samples_of("numpy.ndarray.squeeze")
def squeeze() -> Iterator[Sample]:
    a = np.ones((1, 2, 1))
    yield call(a)
    yield call(a, 0)
    yield call(a, axis=-1)
    yield call(a, (0, 2))


@samples_of("numpy.ndarray.swapaxes")
def swapaxes() -> Iterator[Sample]:
    yield call(A, 0, 1)
    yield call(CUBE, 0, -1)
    yield call(CUBE, -2, 0)


@samples_of("numpy.ndarray.transpose")
def transpose() -> Iterator[Sample]:
    yield call(CUBE)
    yield call(CUBE, 0, 2, 1)
    yield call(CUBE, -1, 0, 1)
    yield call(CUBE, (2, 0, 1))
    yield call(CUBE, [2, 0, 1])
    yield call(A, None)
    yield call(I, 0)
    yield call(np.array(1.0))


@samples_of("numpy.ndarray.item")
def item() -> Iterator[Sample]:
    yield call(np.array(2.5)).not_in_graph(HOST)
    yield call(np.array([[7]])).not_in_graph(HOST)
    yield call(A, 4).not_in_graph(HOST)
    yield call(A, 1, -1).not_in_graph(HOST)
    yield call(A, (0, 2)).not_in_graph(HOST)
    yield call(np.array([True]), 0).not_in_graph(HOST)
    yield call(C, 0).not_in_graph(HOST)
    yield call(A)
    yield call(I, 9)


@samples_of("numpy.ndarray.tobytes")
def tobytes() -> Iterator[Sample]:
    yield call(A).not_in_graph(HOST)
    yield call(I.astype(np.int8)).not_in_graph(HOST)


@samples_of("numpy.ndarray.round")
def round_bools() -> Iterator[Sample]:
    yield call(np.array([True, False]))
