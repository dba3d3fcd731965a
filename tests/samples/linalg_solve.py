"""Samples of inverses, determinants and linear equations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

_RNG = np.random.default_rng(5)
_MATRIX = np.array([[4.0, 1.0, 0.5], [2.0, 3.0, 1.0], [0.5, -1.0, 2.0]])
_STACK = _RNG.standard_normal((2, 3, 3)) + 3 * np.eye(3)
_COMPLEX = _MATRIX + 1j * _STACK[0]
_SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])
_HILBERT = 1.0 / (np.arange(6)[:, None] + np.arange(6) + 1)


def _matrices() -> Iterator[Sample]:
    yield call(_MATRIX)
    yield call(a=_STACK)
    yield call(_COMPLEX)
    yield call(_MATRIX.astype(np.float32))
    yield call(_COMPLEX.astype(np.complex64))
    yield call(np.array([[3, 1], [1, 2]]))
    yield call(np.array([[3, 1], [1, 2]], np.uint8))
    yield call(np.array([[True, False], [True, True]]))
    yield call([[2.0, 0.5], [1.0, 3.0]])
    yield call([[2, 1], [1, 3]])
    yield call(_HILBERT.astype(np.float32))  # NumPy computes it in double precision
    yield call(np.zeros((0, 0)))
    yield call(np.zeros((0, 2, 2)))
    yield call(np.ones((1, 1)))
    yield call(np.ones((2, 3)))
    yield call(np.ones(3))
    yield call(2.0)
    yield call(_MATRIX.astype(np.float16))


@samples_of("numpy.linalg.inv")
def inverses() -> Iterator[Sample]:
    yield from _matrices()
    yield call(_SINGULAR)
    yield call(np.stack([np.eye(2), _SINGULAR]))


@samples_of("numpy.linalg.det", "numpy.linalg.slogdet")
def determinants() -> Iterator[Sample]:
    yield from _matrices()
    yield call(_SINGULAR)
    yield call(np.stack([np.eye(2), np.zeros((2, 2))]))
    yield call(np.eye(300) * 1e-3)


@samples_of("numpy.linalg.solve")
def equations() -> Iterator[Sample]:
    b = np.array([1.0, -2.0, 0.5])
    yield call(_MATRIX, b)
    yield call(b=b, a=_MATRIX)
    yield call(_MATRIX, _STACK[0])
    yield call(_MATRIX, b[:, None])
    yield call(_STACK, _STACK)
    yield call(_STACK, b)
    yield call(_MATRIX, _STACK)
    yield call(_STACK[:, None], _RNG.standard_normal((4, 3, 2)))
    yield call(_STACK, np.ones((2, 3)))
    yield call(_MATRIX.astype(np.float32), b.astype(np.float32))
    yield call(_MATRIX.astype(np.float32), b)
    yield call(_COMPLEX, b)
    yield call(_MATRIX, b + 1j)
    yield call(np.array([[3, 1], [1, 2]]), np.array([9, 8]))
    yield call([[3, 1], [1, 2]], [9, 8])
    yield call(np.array([[3, 1], [1, 2]]), np.array([9, 8], np.float32))
    yield call(np.zeros((0, 0)), np.zeros((0, 2)))
    yield call(_MATRIX, np.zeros((3, 0)))
    yield call(_SINGULAR, np.ones(2))
    yield call(_MATRIX, np.ones(2))
    yield call(_MATRIX, 1.0)
    yield call(np.ones((2, 3)), np.ones(2))
    yield call(np.ones(3), b)


@samples_of("numpy.linalg.tensorsolve")
def tensor_equations() -> Iterator[Sample]:
    a = _RNG.standard_normal((2, 3, 6)) + np.eye(6).reshape(2, 3, 6)
    yield call(a, np.ones((2, 3)))
    yield call(np.eye(6).reshape(2, 3, 2, 3) + 0.1, np.ones((2, 3)))
    yield call(a.transpose(2, 0, 1), np.ones((2, 3)), axes=(0,))
    yield call(np.moveaxis(np.eye(24).reshape(2, 3, 4, 24), 0, 2), np.ones((3, 4, 2)).transpose(0, 2, 1), None)
    yield call(a.astype(np.float32), np.ones((2, 3), np.float32))
    yield call(np.ones((2, 3)), np.ones(2))


@samples_of("numpy.linalg.tensorinv")
def tensor_inverses() -> Iterator[Sample]:
    a = _RNG.standard_normal((4, 6, 8, 3)) + np.eye(24).reshape(4, 6, 8, 3)
    yield call(a)
    yield call(_RNG.standard_normal((24, 8, 3)), ind=1)
    yield call(np.arange(24.0)[:, None, None] ** 0 * 0 + np.eye(24).reshape(24, 8, 3), 1)
    yield call(np.ones((2, 3)))
    yield call(np.eye(4).reshape(2, 2, 2, 2), 0)
