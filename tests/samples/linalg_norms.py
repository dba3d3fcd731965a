"""Samples of norms, condition numbers, rank, pseudoinverse and least squares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from rule_samples import Sample, call, samples_of

_RNG = np.random.default_rng(7)
_VECTOR = np.array([3.0, 0.0, -4.0, 0.5])
_MATRIX = _RNG.standard_normal((3, 4))
_CUBE = _RNG.standard_normal((2, 3, 4))
_COMPLEX = _MATRIX + 1j * _CUBE[0]
_INTEGERS = np.array([[3, -1, 2], [0, 5, -4]])
_DEFICIENT = np.outer([1.0, 2.0, 3.0, 4.0], [1.0, -1.0])
_VECTOR_ORDERS = (None, np.inf, -np.inf, 0, 1, 2, -1, -2, 3, 0.5, 2.5)
_MATRIX_ORDERS = (None, "fro", "nuc", np.inf, -np.inf, 1, -1, 2, -2)


@samples_of("numpy.linalg.norm")
def norm() -> Iterator[Sample]:
    for order in _VECTOR_ORDERS:
        yield call(_VECTOR, order)
        yield call(_CUBE, order, 1)
        yield call(_COMPLEX, ord=order, axis=-1, keepdims=True)
        yield call(_INTEGERS.astype(np.int8), order, (0,))
        yield call(_VECTOR.astype(np.float32), order)
    for order in _MATRIX_ORDERS:
        yield call(_MATRIX, order)
        yield call(_CUBE, order, (2, 0))
        yield call(_CUBE, ord=order, axis=(-2, -1), keepdims=True)
        yield call(_COMPLEX, order, keepdims=True)
        yield call(_INTEGERS, order)
        yield call(_MATRIX.astype(np.float32), order, (0, 1))
    yield call(_CUBE)
    yield call(_CUBE, keepdims=True)
    yield call(3)
    yield call([3, 4])
    yield call([[1.0, 2.0], [3.0, 4.0]], axis=1)
    yield call([3 + 4j, 1])
    yield call(np.array([True, True, False]))
    yield call(_VECTOR.astype(np.float16))
    yield call(_MATRIX.astype(np.float16), 1)
    yield call(np.array([np.nan, 1.0]), np.inf)
    yield call(np.array([np.inf, 1.0]))
    for order in (None, np.inf, 0, 1, 2, 3):
        yield call(np.zeros(0), order)
        yield call(np.zeros((3, 0)), order, 1)
    for order in ("fro", "nuc", 1, -1, 2, np.inf):
        yield call(np.zeros((0, 3)), order)
    yield call(np.zeros(0), -np.inf)
    yield call(np.zeros((0, 3)), -2)
    yield call(3, 2)
    yield call(_CUBE, 1)
    yield call(_MATRIX, 3)
    yield call(_MATRIX, "unknown")
    yield call(_VECTOR, "fro")
    yield call(_CUBE, None, (0, 0))
    yield call(_CUBE, None, (0, 1, 2))
    yield call(_CUBE, None, 3)
    yield call(_MATRIX.astype(np.float16), "nuc")


@samples_of("numpy.linalg.vector_norm")
def vector_norm() -> Iterator[Sample]:
    for order in _VECTOR_ORDERS:
        yield call(_CUBE, ord=order)
        yield call(_CUBE, axis=(0, 2), ord=order, keepdims=True)
        yield call(_COMPLEX, axis=1, ord=order)
        yield call(_INTEGERS, axis=None, keepdims=True, ord=order)
    yield call(3.0)
    yield call([1.0, 2.0])
    yield call(_CUBE.astype(np.float32), axis=-1)
    yield call(_CUBE, axis=(1, 1))
    yield call(_CUBE, ord="fro")


@samples_of("numpy.linalg.matrix_norm")
def matrix_norm() -> Iterator[Sample]:
    for order in _MATRIX_ORDERS:
        yield call(_CUBE, ord=order)
        yield call(_COMPLEX, ord=order, keepdims=True)
    yield call(_INTEGERS)
    yield call(_MATRIX.astype(np.float32))
    yield call(_VECTOR)
    yield call(_MATRIX, ord=3)


@samples_of("numpy.linalg.cond")
def cond() -> Iterator[Sample]:
    square = _RNG.standard_normal((2, 3, 3))
    for order in (None, 2, -2, 1, -1, np.inf, -np.inf, "fro"):
        yield call(square, order)
        yield call(square[0].astype(np.float32), p=order)
        yield call(square[0] + 1j * square[1], order)
        yield call(np.stack([np.eye(2), np.zeros((2, 2))]), order)
        yield call(np.array([[2, 1], [1, 3]]), order)
    yield call(np.zeros((2, 2)))
    yield call(_MATRIX)
    yield call(np.array([[1.0, 2.0], [2.0, 4.0]]), "fro")
    yield call(np.array([[np.nan, 2.0], [2.0, 4.0]]))
    yield call(np.zeros((0, 0)))
    yield call(_MATRIX, 1)
    yield call(_VECTOR)


@samples_of("numpy.linalg.matrix_rank")
def matrix_rank() -> Iterator[Sample]:
    for a in (_MATRIX, _DEFICIENT, _CUBE, _COMPLEX, _INTEGERS, np.zeros((2, 3)), _DEFICIENT.astype(np.float32)):
        yield call(a)
    yield call([[1.0, 2.0], [2.0, 4.0]])
    yield call(_VECTOR)
    yield call(np.zeros(3))
    yield call(0)
    yield call(5.0)
    yield call(np.zeros((0, 3)))
    yield call(np.diag([1.0, 0.1, 1e-3]), 0.05)
    yield call(np.diag([2.0, 0.1, 1e-3]), tol=0.05, hermitian=True)
    yield call(np.stack([np.diag([2.0, 0.1, 1e-3])] * 2), rtol=np.array([0.01, 0.1]))
    yield call(np.stack([np.diag([2.0, 0.1, 1e-3])] * 2), np.array([0.01, 1.0]))
    yield call(np.diag([1.0, -2.0, 0.0]), hermitian=True)
    yield call(_MATRIX, 1.0, rtol=0.1)
    yield call(_MATRIX, hermitian=True)


@samples_of("numpy.linalg.pinv")
def pinv() -> Iterator[Sample]:
    for a in (_MATRIX, _MATRIX.T, _DEFICIENT, _CUBE, _COMPLEX, _INTEGERS, np.zeros((2, 3)), np.zeros((0, 3))):
        yield call(a)
    yield call(_MATRIX.astype(np.float32))
    yield call([[1.0, 2.0], [2.0, 4.0]])
    yield call(np.diag([1.0, 0.1, 1e-3]), 0.05)
    yield call(np.diag([1.0, 0.1, 1e-3]), rcond=0.05, hermitian=True)
    yield call(_MATRIX @ _MATRIX.T, hermitian=True)
    yield call(np.diag([1.0, 0.1, 1e-3]), rtol=0.05)
    yield call(np.diag([1.0, 1e-16]), rtol=None)
    yield call(np.diag([1.0, 1e-15, 3e-16]))
    yield call(np.stack([np.diag([1.0, 0.1, 1e-3])] * 2), np.array([0.01, 0.5]))
    yield call(_MATRIX, 0.1, rtol=0.1)
    yield call(_VECTOR)
    yield call(_MATRIX, hermitian=True)


@samples_of("numpy.linalg.lstsq")
def lstsq() -> Iterator[Sample]:
    tall, b = _RNG.standard_normal((6, 3)), _RNG.standard_normal(6)
    columns = np.stack([b, b**2], 1)
    for a in (tall, tall.astype(np.float32), tall + 1j * tall[::-1], np.round(3 * tall).astype(int)):
        yield call(a, b, rcond=None)
        yield call(a, columns, None)
    yield call(tall, b)
    yield call(a=tall.astype(np.float32), b=b.astype(np.float32))
    yield call(tall, b + 1j)
    yield call(tall, b, -1)
    yield call(tall.T, b[:3])
    yield call(tall.T, columns[:3])
    yield call(tall[:3], b[:3])
    yield call(_DEFICIENT, b[:4]).within(1e-9, 1e-12)
    yield call(_DEFICIENT, columns[:4])
    yield call(np.diag([1.0, 0.1, 1e-3]), b[:3], 0.05)
    yield call([[0, 1], [1, 1], [2, 1], [3, 1]], [-1, 0.2, 0.9, 2.1], rcond=None)
    yield call(np.zeros((3, 2)), b[:3])
    yield call(np.zeros((0, 2)), np.zeros(0))
    yield call(tall, np.zeros((6, 0)))
    yield call(tall, np.ones(4))
    yield call(_CUBE, b)
    yield call(tall, 1.0)
    yield call(tall.astype(np.float16), b)
    yield call(np.array([[np.nan, 2.0], [2.0, 4.0]]), b[:2])
    x = np.linspace(0, 1, 30)  # powers that are nearly dependent: what is fitted is exact, the coefficients are not
    yield call(np.vander(x, 12), np.exp(-x) * np.cos(9 * x), None).compared_by(_compare_fitted)


def _compare_fitted(args: Any, expected: Any, actual: Any) -> None:
    np.testing.assert_allclose(args[0] @ actual[0], args[0] @ expected[0], rtol=0, atol=2e-11)


@samples_of("numpy.linalg.norm")
def smallest_of_nothing() -> Iterator[Sample]:
    yield call(np.ones((0, 0)), ord=-np.inf, axis=0)
