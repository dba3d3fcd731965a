"""Samples of products of arrays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

_RNG = np.random.default_rng(8)
_VECTOR = np.array([1.0, -2.0, 0.5])
_MATRIX = _RNG.standard_normal((2, 3))
_CUBE = _RNG.standard_normal((4, 3, 2))
_COMPLEX = _MATRIX + 1j * _MATRIX[::-1]
_INTEGERS = np.array([[3, -1, 2], [0, 5, -4]])
_FLAGS = np.array([[True, False, True], [False, False, False]])


def _dtypes() -> Iterator[Sample]:
    for name in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32"):
        yield call(_INTEGERS.astype(name), (_INTEGERS.T * 50).astype(name))  # small integers wrap around
    yield call(_FLAGS, _FLAGS.T)
    yield call(_FLAGS, _INTEGERS.T)
    yield call(_INTEGERS.astype(np.int8), _INTEGERS.T.astype(np.uint8))
    yield call(_INTEGERS, _MATRIX.T.astype(np.float32))
    yield call(_MATRIX, _COMPLEX.T)
    yield call(_COMPLEX.astype(np.complex64), _MATRIX.T)
    yield call(_VECTOR.astype(np.float32), [4.0, 5.0, 6.0])
    yield call([1, 2, 3], [4.0, 5.0, 6.0])
    yield call([[1, 2], [3, 4]], [[0.5, 1.0], [1.0, 2.0]])
    yield call(np.zeros((2, 0)), np.zeros((0, 3)))


@samples_of("numpy.dot", "numpy.matmul", "numpy.linalg.matmul")
def inner_products() -> Iterator[Sample]:
    yield from _dtypes()
    yield call(_VECTOR, _VECTOR)
    yield call(_MATRIX, _VECTOR)
    yield call(_VECTOR, _MATRIX.T)
    yield call(_VECTOR, _CUBE)
    yield call(_CUBE, _VECTOR[:2])
    yield call(_MATRIX, _CUBE)
    yield call(_CUBE, _MATRIX)
    yield call(_CUBE, _RNG.standard_normal((4, 2, 5)))
    yield call(_CUBE, _RNG.standard_normal((6, 1, 2, 5)))
    yield call(_CUBE, _RNG.standard_normal((3, 2, 5)))
    yield call(_VECTOR, 2.0)
    yield call(3, _MATRIX)
    yield call(_MATRIX, _VECTOR[:2])
    yield call(_MATRIX, _MATRIX)
    yield call(_VECTOR, _VECTOR[:2])
    yield call(np.array([np.inf, 1.0]), np.array([0.0, 1.0]))


@samples_of("numpy.dot", "numpy.inner")
def scalars() -> Iterator[Sample]:
    yield call(2, 3)
    yield call(2.5, np.array([1, 2]))
    yield call(np.array([1, 2], np.float32), 2.0)
    yield call(True, np.array([1, 2], np.int8))
    yield call(_COMPLEX, np.array(2.0))


@samples_of("numpy.vdot")
def vdot() -> Iterator[Sample]:
    yield from _dtypes()
    yield call(_COMPLEX, _COMPLEX.T)
    yield call(_COMPLEX, _MATRIX)
    yield call(_VECTOR, _VECTOR)
    yield call(2j, 3)
    yield call(_VECTOR, _MATRIX)


@samples_of("numpy.inner")
def inner() -> Iterator[Sample]:
    for sample in _dtypes():
        a, b = sample.args
        yield call(a, np.transpose(b))
    yield call(_VECTOR, _VECTOR)
    yield call(_MATRIX, _VECTOR)
    yield call(_CUBE, _MATRIX[:, :2])
    yield call(_MATRIX[:, :2], _CUBE)
    yield call(_COMPLEX, _COMPLEX)
    yield call(_MATRIX, _CUBE)


@samples_of("numpy.outer", "numpy.kron")
def outer_products() -> Iterator[Sample]:
    yield call(_VECTOR.astype(np.float32), [4.0, 5.0, 6.0])
    yield call([[1, 2], [3, 4]], _MATRIX.astype(np.float32))
    yield call(_MATRIX, _VECTOR)
    yield call(_CUBE, _MATRIX)
    yield call(_INTEGERS.astype(np.int8), _INTEGERS[0].astype(np.uint8))
    yield call(_FLAGS, _FLAGS[0])
    yield call(_COMPLEX, _MATRIX.astype(np.float32))
    yield call(2.0, _VECTOR.astype(np.float32))
    yield call(a=_VECTOR, b=np.zeros((0, 2)))


@samples_of("numpy.linalg.vecdot")
def linalg_vecdot() -> Iterator[Sample]:
    for name in ("int8", "uint8", "int32", "float32", "complex64", "bool"):
        yield call(_INTEGERS.astype(name), _INTEGERS[0].astype(name))
    yield call(_COMPLEX, _MATRIX)
    yield call(_CUBE, _VECTOR[:2])
    yield call(_CUBE, _CUBE[:1], axis=1)
    yield call(_CUBE, _CUBE, axis=-3)
    yield call([1.0, 2.0], [3, 4])
    yield call(_VECTOR, _VECTOR[:2])
    yield call(1.0, 2.0)


@samples_of("numpy.tensordot")
def tensordot() -> Iterator[Sample]:
    yield call([1.0, 2.0], [3.0, 4.0])
    yield from _axes()
    yield call(_CUBE, np.moveaxis(_CUBE, 0, -1), 2)
    yield call(_INTEGERS, _INTEGERS, ((0, 1), (0, 1)))
    yield call(_INTEGERS.astype(np.int8), _INTEGERS.T.astype(np.int8), 1)
    yield call(_FLAGS, _FLAGS, [[1], [1]])
    yield call(_COMPLEX, _MATRIX, ([1], [1]))
    yield call([[1.0, 2.0]], [[1], [2]], 1)
    yield call(_VECTOR, _VECTOR)


@samples_of("numpy.linalg.tensordot")
def linalg_tensordot() -> Iterator[Sample]:
    yield from _axes()
    yield call(_VECTOR, _VECTOR)


def _axes() -> Iterator[Sample]:
    yield call(_MATRIX, _MATRIX)
    yield call(_MATRIX, _CUBE, axes=0)
    yield call(_MATRIX, _CUBE[0], axes=1)
    yield call(_CUBE, _CUBE, axes=([0, 2], [0, 2]))
    yield call(_CUBE, _MATRIX, axes=(-1, 0))
    yield call(_CUBE, _MATRIX, axes=((2, 1), (0, 1)))
    yield call(_MATRIX.astype(np.float32), _MATRIX, axes=[(-1,), (-1,)])
    yield call(_MATRIX, _MATRIX, axes=1)
    yield call(_CUBE, _CUBE, axes=([0, 1], [0]))


@samples_of("numpy.cross")
def cross() -> Iterator[Sample]:
    vectors = _RNG.standard_normal((4, 3))
    yield call(_VECTOR, _MATRIX)
    yield call(_COMPLEX, _VECTOR)
    yield call(_INTEGERS, _INTEGERS[::-1].astype(np.int8))
    yield call(vectors, vectors[::-1].astype(np.float32))
    yield call(vectors.astype(np.float32), _VECTOR.astype(np.float32))
    yield call(_CUBE, _CUBE[::-1], 1, 1)
    yield call(_CUBE, _CUBE[::-1], 1, 1, 0)
    yield call(_CUBE, vectors[:2], axisa=1, axisc=1)
    yield call(_CUBE, _CUBE + 1.0, axis=1)
    yield call(_MATRIX[:, :2], _MATRIX[:, 1:])
    yield call(_MATRIX, _MATRIX[:, 1:])
    yield call(_MATRIX[:, 1:], _MATRIX)
    yield call(np.zeros((0, 3)), np.zeros((0, 3)))
    yield call(_VECTOR.astype(np.float32), [4.0, 5.0, 6.0])
    yield call([1, 0, 0], [0, 1, 0])
    yield call(np.ones(4), np.ones(4))
    yield call(_CUBE, vectors)


@samples_of("numpy.linalg.cross")
def linalg_cross() -> Iterator[Sample]:
    yield call(_VECTOR, _MATRIX)
    yield call(_COMPLEX, _VECTOR)
    yield call(_CUBE, _CUBE[::-1], axis=1)
    yield call([1, 2, 3], [4.0, 5.0, 6.0])
    yield call([1.0, 2.0], [3.0, 4.0])


@samples_of("numpy.linalg.outer")
def linalg_outer() -> Iterator[Sample]:
    yield call(_VECTOR, _VECTOR[:2])
    yield call(_VECTOR.astype(np.float32), [1.0, 2.0])
    yield call(_INTEGERS[0].astype(np.int8), np.array([True, False]))
    yield call(_VECTOR, _VECTOR * 1j)
    yield call(_MATRIX, _VECTOR)


@samples_of("numpy.einsum")
def einsum() -> Iterator[Sample]:
    square = _RNG.standard_normal((3, 3))
    yield call("ij,jk->ik", _MATRIX, square)
    yield call("ij,jk", _MATRIX, square)
    yield call("ba", _MATRIX)
    yield call(" i j , j -> i ", _MATRIX, _VECTOR)
    yield call("ii", square)
    yield call("ii->i", square)
    yield call("ij->", _MATRIX)
    yield call("i,i", _VECTOR, _VECTOR)
    yield call("i,j->ji", _VECTOR, _MATRIX[0])
    yield call("ijk,jl,k->il", _CUBE, square, np.array([1.0, 2.0]))
    yield call("...ij,jk", _CUBE, _MATRIX)
    yield call("...ij,...jk", _CUBE, _CUBE.transpose(0, 2, 1))
    yield call("...,...", _MATRIX, _VECTOR)
    yield call("i...->...", _CUBE)
    yield call("...j->j...", _CUBE)
    yield call("ij,ij->ij", _MATRIX[:1], _MATRIX)
    yield call("ij,ij->i", _MATRIX[:, :1], _MATRIX)
    yield call("i,->i", _VECTOR, 2.0)
    yield call("ij,jk->ik", _COMPLEX, square)
    yield call("ij,jk->ik", _MATRIX.astype(np.float32), square.astype(np.float32))
    yield call("ij,j->i", _INTEGERS, _VECTOR.astype(np.float32))
    yield call("ij,ij->j", _INTEGERS.astype(np.int8), _INTEGERS.astype(np.int8) * 20)
    yield call("i,i->", np.array([200, 200], np.uint8), np.array([2, 2], np.uint8))
    yield call("ij->i", _FLAGS)
    yield call("ij,kj->ik", _FLAGS, _FLAGS)
    yield call("ij->j", [[1.0, 2.0], [3.0, 4.0]])
    yield call(_MATRIX, [0, 1], square, [1, 2], [0, 2])
    yield call(_MATRIX, [0, 1], _VECTOR, [1])
    yield call(_CUBE, [Ellipsis, 0], [0, Ellipsis])
    yield call("ij,jk,kl->il", _MATRIX, square, square, optimize=True)
    yield call("ij,jk,kl->il", _MATRIX, square, square, optimize="optimal")
    yield call("ij,jk,kl->il", _MATRIX, square, square, optimize=["einsum_path", (0, 1), (0, 1)])
    yield call("ij,jk->ik", np.zeros((2, 0)), np.zeros((0, 3)))
    yield call("ij,jk->ik", _MATRIX, _MATRIX)
    yield call("ij,j", _MATRIX)
    yield call("ijk", _MATRIX)
    yield call("i->ii", _VECTOR)
    yield call("ii", _MATRIX[:1])


@samples_of("numpy.linalg.matrix_power")
def matrix_power() -> Iterator[Sample]:
    a = np.array([[2.0, 1.0], [0.5, -1.0]])
    for n in (0, 1, 2, 3, 5, 10, -1, -3):
        yield call(a, n)
        yield call(np.array([[2, 1], [1, 1]]), n)
    yield call(a=np.stack([a, a.T]), n=np.int64(7))
    yield call(a.astype(np.float32), 3)
    yield call(a * 1j, 4)
    yield call(np.array([[20, 1], [1, 1]], np.int8), 3)
    yield call(np.array([[True, True], [False, True]]), 3)
    yield call(np.array([[True, True], [False, True]]), 0)
    yield call([[1, 1], [1, 0]], 20)
    yield call(np.array([[1.0, 2.0], [2.0, 4.0]]), -2)
    yield call(a, 0.5)
    yield call(np.ones((2, 3)), 2)
    yield call(np.ones(3), 2)


@samples_of("numpy.linalg.multi_dot")
def multi_dot() -> Iterator[Sample]:
    a, b, c, d = (_RNG.standard_normal(shape) for shape in ((5, 2), (2, 7), (7, 3), (3, 4)))
    yield call([a, b])
    yield call([a, b, c])
    yield call((a, b, c, d))
    yield call([a[0], b, c])
    yield call([a, b, c[:, 0]])
    yield call([a[0], b, c, d[:, 0]])
    yield call([a.astype(np.float32), b.astype(np.float32), c.astype(np.float32)])
    yield call([_INTEGERS, _INTEGERS.T, _INTEGERS])
    yield call([[[1.0, 2.0]], [[1], [2]], [[3.0]]])
    yield call([a])
    yield call([a, _CUBE, c])
    yield call([a, c, b])


@samples_of("numpy.linalg.trace")
def linalg_trace() -> Iterator[Sample]:
    for name in ("int8", "uint8", "int32", "uint64", "bool", "float16", "float32", "float64", "complex64"):
        yield call((_CUBE[:, :, :2] * 40).astype(name))
    yield call(_CUBE, offset=1)
    yield call(_CUBE, offset=-2)
    yield call(_INTEGERS, dtype=np.float32)
    yield call(_INTEGERS, dtype=float)
    yield call([[1.0, 2.0], [3.0, 4.0]])
    yield call(_VECTOR)


@samples_of("numpy.linalg.diagonal")
def linalg_diagonal() -> Iterator[Sample]:
    for offset in (-3, -1, 0, 1, 2):
        yield call(_CUBE, offset=offset)
    yield call(_INTEGERS)
    yield call([[1.0, 2.0], [3.0, 4.0]])


@samples_of("numpy.linalg.matrix_transpose")
def linalg_matrix_transpose() -> Iterator[Sample]:
    yield call(_CUBE)
    yield call(_COMPLEX)
    yield call(_FLAGS)
    yield call([[1.0, 2.0], [3.0, 4.0]])
    yield call(_VECTOR)
