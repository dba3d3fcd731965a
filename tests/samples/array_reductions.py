"""Samples of the reducing and ordering methods of an ndarray."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

A = np.array([[3.0, -1.5, 2.0], [0.5, 4.0, -2.0]])
I = np.array([[3, -1, 2], [7, 0, 5]])  # noqa: E741 (short beside A)
B = np.array([[True, False, True], [True, True, True]])
CUBE = np.arange(24.0).reshape(2, 3, 4)
SOME = np.array([True, False, True])


@samples_of("numpy.ndarray.sum", "numpy.ndarray.prod", "numpy.ndarray.mean", "numpy.ndarray.var", "numpy.ndarray.std")
def totals() -> Iterator[Sample]:
    for a in (A, I, A.astype(np.float32), B, I.astype(np.int8)):
        yield call(a)
        yield call(a, 0)
        yield call(a, axis=1, keepdims=True)
    yield call(CUBE, (0, 2))
    yield call(CUBE, axis=-1)
    yield call(I, dtype=np.float32)
    yield call(A, None, np.float64)
    yield call(np.array([1.0, np.nan]))
    yield call(np.array(3.5))


@samples_of("numpy.ndarray.sum", "numpy.ndarray.prod", "numpy.ndarray.mean")
def totals_where() -> Iterator[Sample]:
    yield call(A, where=SOME)
    yield call(A, 1, where=SOME)
    yield call(I, 0, where=SOME, keepdims=True)


@samples_of("numpy.ndarray.sum", "numpy.ndarray.prod")
def totals_of_nothing() -> Iterator[Sample]:
    yield call(np.zeros((0, 3)), 0)
    yield call(I.astype(np.uint8))
    yield call(np.array([1 + 2j, 3.0]))


@samples_of("numpy.ndarray.var", "numpy.ndarray.std")
def spreads() -> Iterator[Sample]:
    yield call(A, ddof=1)
    yield call(A, 0, None, ddof=1)
    yield call(A, axis=0, ddof=1, keepdims=True)
    yield call(CUBE, (0, 1), np.float32, ddof=2)
    yield call(np.array([1 + 2j, 3.0, 1j]))


@samples_of("numpy.ndarray.max", "numpy.ndarray.min")
def extremes() -> Iterator[Sample]:
    for a in (A, I, A.astype(np.float32), I.astype(np.uint8)):
        yield call(a)
        yield call(a, 0)
        yield call(a, axis=(0, 1), keepdims=True)
    yield call(np.array([1.0, np.nan]))
    yield call(A, initial=1.0)
    yield call(A, axis=1, initial=-9.0, where=SOME)
    yield call(np.zeros((0, 3)), axis=0, initial=0.0)


@samples_of("numpy.ndarray.all", "numpy.ndarray.any")
def tests() -> Iterator[Sample]:
    for a in (A, I, B):
        yield call(a)
        yield call(a, 0)
        yield call(a, axis=-1, keepdims=True)
    yield call(B, where=SOME)
    yield call(np.zeros((0,), bool))
    yield call(np.array([np.nan, 0.0]))


@samples_of("numpy.ndarray.trace")
def trace() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 1)
    yield call(np.array([[100, 2], [3, 100]], np.int8))
    yield call(CUBE, axis1=1, axis2=2)
    yield call(I, 0, 0, 1, np.float32)


@samples_of("numpy.ndarray.cumsum", "numpy.ndarray.cumprod")
def running() -> Iterator[Sample]:
    for a in (A, I, B, I.astype(np.uint8), A.astype(np.float32)):
        yield call(a)
        yield call(a, 1)
        yield call(a, axis=0)
    yield call(I, dtype=np.float32)


@samples_of("numpy.ndarray.argmax", "numpy.ndarray.argmin")
def positions() -> Iterator[Sample]:
    for a in (A, I, B):
        yield call(a)
        yield call(a, 0)
        yield call(a, axis=-1, keepdims=True)
    yield call(np.array([1.0, np.nan, 3.0, np.nan]))
    yield call(np.zeros((0,)))


@samples_of("numpy.ndarray.argsort")
def order() -> Iterator[Sample]:
    for a in (A, I, B):
        yield call(a, kind="stable")
        yield call(a, 0, stable=True)
        yield call(a, axis=None, kind="stable")
    yield call(np.array([np.nan, 2.0, 1.0, np.nan]), kind="stable")
