"""Samples of functions and methods that NumPy 2 has removed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy1 import NUMPY1
from rule_samples import Sample, call, samples_of

A = np.array([[3.0, -1.0, np.nan], [0.5, 4.0, 2.0]])


@samples_of("numpy.asfarray")
def asfarray() -> Iterator[Sample]:
    yield call(np.array([1, 2], np.int8))
    yield call([1, 2.5])
    yield call(A.astype(np.float32))
    yield call(A, np.float32)
    yield call(A)
    yield call(a=[True], dtype=int)
    yield call(np.array([1, 2]), dtype=np.complex64)
    yield call([1, 2], "f2")


@samples_of("numpy.asscalar")
def asscalar() -> Iterator[Sample]:
    for array in (np.array([24]), np.array(1.5), np.array([[True]]), np.array([1, 2])):
        yield call(array).not_in_graph("a Python number is on the host")


@samples_of("numpy.msort")
def msort() -> Iterator[Sample]:
    yield call(A)
    yield call(a=np.array([3, 1, 2], np.uint8))


@samples_of("numpy.alen")
def alen() -> Iterator[Sample]:
    yield call(A)
    yield call([1, 2, 3])
    yield call(5)
    yield call(np.zeros((0, 2)))


@samples_of("numpy.fastCopyAndTranspose")
def transposed() -> Iterator[Sample]:
    yield call(A)
    yield call(np.array([1, 2]))


@samples_of("numpy.find_common_type")
def common() -> Iterator[Sample]:
    yield call([], [np.int64, np.float32, complex])
    yield call([np.int64, np.float32], [])
    yield call(["f4", "i4"], ["f8"])
    yield call([np.int32, "u2"], ["c8"])
    yield call(array_types=[np.bool_], scalar_types=[np.int8, np.int16])
    yield call([], [])


@samples_of("numpy.issubclass_")
def issubclass_() -> Iterator[Sample]:
    yield call(np.int32, np.integer)
    yield call(np.float64, np.integer)
    yield call("float64", np.floating)


@samples_of("numpy.issctype", "numpy.obj2sctype")
def scalar_types() -> Iterator[Sample]:
    yield call(np.int32)
    yield call(np.dtype("f4"))
    yield call(float)
    yield call(object)
    yield call(dict)
    yield call(1.1)


@samples_of("numpy.obj2sctype")
def types_of_arrays() -> Iterator[Sample]:
    yield call("f4")
    yield call(A)
    yield call("nosuch", default=np.float64)


@samples_of("numpy.sctype2char")
def characters() -> Iterator[Sample]:
    yield call(np.float64)
    yield call("i4")
    yield call(np.dtype(np.complex64))
    yield call(sctype=A)
    yield call("nosuch")


@samples_of("numpy.ndarray.ptp", reference=NUMPY1["numpy.ndarray.ptp"])
def spread() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 0)
    yield call(np.arange(24).reshape(2, 3, 4), axis=1, keepdims=True)


@samples_of("numpy.ndarray.tostring", reference=NUMPY1["numpy.ndarray.tostring"])
def text_of_bytes() -> Iterator[Sample]:
    yield call(A).not_in_graph("bytes are on the host")
