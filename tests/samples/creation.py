"""Samples of making and joining arrays, padding, and questions about dtypes and shapes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

A = np.array([[1.5, -2.0, 0.0], [3.25, 4.0, -1.0]])
WHOLE = np.array([[3, -1, 2], [0, 5, -4]])
MASK = np.array([[True, False, True], [False, True, True]])
CUBE = np.arange(24.0).reshape(2, 3, 4)


@samples_of("numpy.arange")
def arange() -> Iterator[Sample]:
    yield call(5)
    yield call(2, 7)
    yield call(0, 1, 0.1).exactly()
    yield call(0.1, 0.4, 0.1).exactly()
    yield call(7, 1, -2, np.int32)
    yield call(3, dtype=float)
    yield call(1, stop=4, dtype="f4")
    yield call(5, 2)
    yield call(5.5)
    yield call(1, 4, dtype=A.dtype)
    yield call(3, dtype=WHOLE.dtype)
    yield call(2, step=0.5)
    yield call(5, None, 2)


@samples_of("numpy.linspace")
def linspace() -> Iterator[Sample]:
    yield call(0, 1)
    yield call(-2.0, 5, 4)
    yield call(0, 1, 5, False)
    yield call(0, 1, num=3, retstep=True)
    yield call(0, 10, 5, dtype=int)
    yield call(-5, 5, 4, dtype=np.int32)
    yield call(0, 1, 3, dtype="float32")
    yield call(0, 10, 5, retstep=True, dtype=int)
    yield call(0, 1, 1)
    yield call(0, 1, 0)
    yield call(0, 1, 3, dtype=A.dtype)
    yield call(-1, 1, 4, retstep=True, dtype=WHOLE.dtype)


@samples_of("numpy.linspace")
def linspace_of_arrays() -> Iterator[Sample]:
    yield call(np.array([0.0, 1.0]), np.array([2.0, 3.0]), 3, axis=1)
    reason = "NumPy counts the values of a dtype that is asked for"
    yield call(np.array([0.0, 1.0]), 3.0, 3, axis=1, dtype=np.float32).not_in_graph(reason)
    yield call(0, 3, 4, False, dtype="f4")


@samples_of("numpy.logspace")
def logspace() -> Iterator[Sample]:
    yield call(0, 2)
    yield call(0, 3, 4, base=2.0, endpoint=False)
    yield call(0, 2, 3, dtype=int)
    yield call(0, 1, 5, dtype=np.float32)
    yield call(0, 1, 5, dtype=A.dtype)
    yield call(np.array([0.0, 0.5]), np.array(2.0), 3, axis=-1)


@samples_of("numpy.geomspace")
def geomspace() -> Iterator[Sample]:
    yield call(1, 1000, 4).exactly()
    yield call(1, 1000, 4, dtype=int)
    yield call(-1.0, -100, num=3, endpoint=False)
    yield call(1, 256, 9, dtype="f4")
    yield call(np.array([1.0, 0.5]), np.array(2.0), 3, axis=-1).not_in_graph("NumPy computes the values")
    yield call(1, 256, 9, dtype=WHOLE.dtype)
    yield call(0, 10, 3)


@samples_of("numpy.eye")
def eye() -> Iterator[Sample]:
    yield call(3)
    yield call(3, 0)
    yield call(2, 4, 1)
    yield call(3, k=-1, dtype=int)
    yield call(2, M=0, dtype=bool)
    yield call(2, dtype=WHOLE.dtype)
    yield call(2, 0, dtype=WHOLE.dtype)


@samples_of("numpy.zeros_like", "numpy.ones_like")
def like() -> Iterator[Sample]:
    yield call(A)
    yield call(WHOLE, dtype=float)
    yield call(A.astype(np.float32), shape=(4,))
    yield call(WHOLE, np.int8, shape=(2, 1))
    yield call(WHOLE, A.dtype, shape=(2, 1))
    yield call(WHOLE, A.dtype)
    yield call([1, 2])


@samples_of("numpy.full_like")
def full_like() -> Iterator[Sample]:
    yield call(A, 2)
    yield call(A, np.array([0.5, 1.5, 2.5]))
    yield call(WHOLE, 2.7)
    yield call(WHOLE, 2.5, float)
    yield call(A.astype(np.float32), 3, shape=(2, 2))
    yield call(A, fill_value=1, dtype=int, shape=3)
    yield call(A, 1, WHOLE.dtype)


@samples_of("numpy.diag_indices")
def diag_indices() -> Iterator[Sample]:
    yield call(3)
    yield call(2, ndim=3)


@samples_of("numpy.expand_dims")
def expand_dims() -> Iterator[Sample]:
    yield call(A, 0)
    yield call(A, axis=1)
    yield call(A, 2)
    yield call(A, -1)
    yield call(A, -2)
    yield call(A, (0, 2))
    yield call(WHOLE, (-1, -3))
    yield call(A, axis=-3)


@samples_of("numpy.meshgrid")
def meshgrid() -> Iterator[Sample]:
    x, y, z = np.array([1, 2, 3], np.int32), np.array([0.5, 1.5], np.float32), np.array([1.0])
    yield call(x, y)
    yield call(x, y, indexing="ij")
    yield call(x, y, z)
    yield call(x, y, sparse=True)
    yield call(x, y, z, indexing="ij", sparse=True)
    yield call([1, 2], 3)
    yield call(x)
    yield call(x, y, indexing="zz")


@samples_of("numpy.vander")
def vander() -> Iterator[Sample]:
    yield call(np.array([1.0, 2.0, 3.0]))
    yield call(np.array([1, 2], np.int32), 3)
    yield call(np.array([0.0, 2.0], np.float32), N=4, increasing=True)
    yield call(np.array([0.0, -0.5]), 5)
    yield call(np.array([1.0, 2.0]), 0)
    yield call(np.array([1j, 0]), np.int64(3))
    yield call(np.array([True, False]))
    yield call(A)


@samples_of("numpy.tril", "numpy.triu")
def triangles() -> Iterator[Sample]:
    yield call(A)
    yield call(CUBE, -1)
    yield call(MASK, k=1)
    yield call(np.array([1, 2, 3]))


@samples_of("numpy.concatenate")
def concatenate() -> Iterator[Sample]:
    yield call([A, A])
    yield call((A, WHOLE), 1)
    yield call([A, np.array([1, 2])], axis=None)
    yield call([A.astype(np.float32), WHOLE.astype(np.int8)], axis=-1)
    yield call(CUBE)
    yield call(CUBE, axis=1)
    yield call([[1, 2], [3.5]])
    yield call([A, A], dtype=np.float32)
    yield call([WHOLE, WHOLE], dtype=A.dtype)
    yield call([A, np.zeros((0, 3))])
    yield call([])
    yield call([A, np.zeros((3,))])
    yield call([A, np.zeros((2, 2))])
    yield call([np.float64(1), np.float64(2)])
    yield call([A, A], 2)


@samples_of("numpy.hstack")
def hstack() -> Iterator[Sample]:
    yield call([A, A])
    yield call((np.arange(3.0), 4.0, np.float32(2)))
    yield call(CUBE)
    yield call([WHOLE, A])
    yield call([np.zeros((0, 2)), np.ones((0, 1))])
    yield call([A, A], dtype="f4")
    yield call([])
    yield call(())
    yield call([A, np.zeros(3)])
    yield call([np.zeros((1, 2)), np.zeros((2, 2))])


@samples_of("numpy.stack")
def stack() -> Iterator[Sample]:
    yield call([A, A])
    yield call((A, WHOLE), axis=-1)
    yield call(CUBE, axis=2)
    yield call([1.0, np.float32(2)])
    yield call([A, A], 1, dtype="f4")
    yield call([])
    yield call([A, np.zeros((2, 2))])
    yield call([A, A], 4)


@samples_of("numpy.pad")
def pad() -> Iterator[Sample]:
    for mode in (
        "constant",
        "edge",
        "reflect",
        "symmetric",
        "wrap",
        "linear_ramp",
        "maximum",
        "mean",
        "median",
        "minimum",
    ):
        yield call(A, 1, mode)
        yield call(np.array([1.0, 2.5, 4.0, 1.0]), (7, 9), mode=mode)
        yield call(WHOLE, ((1, 2), (0, 2)), mode=mode)
    yield call(A, 2)
    yield call(A, [1, 2], constant_values=5)
    yield call(A, ((1, 2), (3, 4)), constant_values=((5, 6), (7, 8)))
    yield call(A, 2, "linear_ramp", end_values=((5, -4), (1, 2)))
    yield call(np.array([1, 5, 9]), (3, 2), "linear_ramp", end_values=(-4, 2))
    yield call(np.arange(6.0), 3, "maximum", stat_length=2)
    yield call(np.arange(6), 3, "mean", stat_length=((2, 3),))
    yield call(np.arange(4.0), (6, 7), "reflect", reflect_type="odd")
    yield call(np.arange(4.0) ** 2, (6, 7), "symmetric", reflect_type="odd")
    yield call(A.astype(np.float32), ((0, 0), (2, 1)), "edge")
    yield call(MASK, 1)
    yield call(np.array([3.0]), 2, "reflect")
    yield call(A, 1, "bogus")
    yield call(A, -1)
    yield call(np.zeros((0,)), 1, "edge")
    yield call(pad_width=1, array=[1, 2, 3])
    yield call(A, {-1: (1, 2)}, "edge")
    yield call(A, {0: 2}, constant_values=3)
    yield call(A, 1.0)
    yield call(A, np.uint8(1))
    yield call(A, 1, "edge", constant_values=1)
    yield call(A, 1, "constant", reflect_type="odd")
    yield call(A, 1, "mean", stat_length=-2)
    yield call(A, 1, "mean", stat_length=0)
    yield call(A, 1, "maximum", stat_length=0)
    yield call(np.zeros((0, 2)), ((1, 0), (0, 0)), "mean")
    yield call(np.zeros((0, 2)), ((0, 0), (1, 0)), "reflect", reflect_type="odd")


@samples_of("numpy.issubdtype")
def issubdtype() -> Iterator[Sample]:
    yield call(np.float32, np.floating)
    yield call("int8", np.floating)
    yield call(A.dtype, float)


@samples_of("numpy.iinfo")
def iinfo() -> Iterator[Sample]:
    def same_limits(args: tuple[object, ...], expected: np.iinfo, actual: np.iinfo) -> None:
        assert (actual.min, actual.max) == (expected.min, expected.max), args

    for dtype in (np.int8, "u4", int, WHOLE.dtype):
        yield call(dtype).compared_by(same_limits)
    yield call(float)


@samples_of("numpy.result_type")
def result_type() -> Iterator[Sample]:
    yield call(A, np.float32)
    yield call(WHOLE.astype(np.int8), 1.5)
    yield call("i4", np.uint32)


@samples_of("numpy.can_cast")
def can_cast() -> Iterator[Sample]:
    yield call(np.int32, np.float32)
    yield call(A.dtype, "f4", "same_kind")


@samples_of("numpy.isscalar")
def isscalar() -> Iterator[Sample]:
    yield call(A)
    yield call(3)
    yield call(np.float32(3))
    yield call("text")
    yield call(None)


@samples_of("numpy.iterable")
def iterable() -> Iterator[Sample]:
    yield call(A)
    yield call(np.array(3.0))
    yield call([1])
    yield call(3)


@samples_of("numpy.shape")
def shape() -> Iterator[Sample]:
    yield call(A)
    yield call(np.array(1))
    yield call([[1, 2]])


@samples_of("numpy.size")
def size() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 1)
    yield call([1, 2], axis=0)
