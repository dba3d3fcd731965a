"""Samples of the decompositions; signs and phases of vectors are free, so products are compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from rule_samples import Sample, call, samples_of

_RNG = np.random.default_rng(6)
_TALL = _RNG.standard_normal((5, 3))
_COMPLEX = _TALL + 1j * _RNG.standard_normal((5, 3))
_STACK = _RNG.standard_normal((2, 3, 4))
_SYMMETRIC = _TALL.T @ _TALL - 2 * np.eye(3)
_HERMITIAN = _COMPLEX.conj().T @ _COMPLEX
_DEFECTIVE = np.array([[2.0, 1.0], [0.0, 2.0]])
_ROTATION = np.array([[0.0, -1.0], [1.0, 0.0]])


def _same_kind(expected: Any, actual: Any) -> None:
    assert type(actual).__name__ == type(expected).__name__
    assert getattr(actual, "_fields", None) == getattr(expected, "_fields", None)
    for wanted, part in zip(expected, actual, strict=True):
        assert (part.dtype, part.shape) == (wanted.dtype, wanted.shape)


def _close(actual: Any, expected: Any) -> None:
    expected = np.asarray(expected)
    single = np.asarray(actual).dtype in (np.float32, np.complex64)
    tolerance = 2e-5 if single else 1e-9
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


def _adjoint(a: Any) -> Any:
    return np.conj(np.swapaxes(a, -1, -2))


def _orthonormal(vectors: Any) -> None:
    eye = np.eye(vectors.shape[-1])
    _close(_adjoint(vectors) @ vectors, np.broadcast_to(eye, vectors.shape[:-2] + eye.shape))


def _compare_qr(args: Any, expected: Any, actual: Any) -> None:
    _same_kind(expected, actual)
    _orthonormal(actual.Q)
    _close(actual.Q @ actual.R, np.asarray(args[0]))
    _close(np.abs(actual.R), np.abs(expected.R))
    _close(np.triu(actual.R), actual.R)


def _compare_svd(args: Any, expected: Any, actual: Any) -> None:
    _same_kind(expected, actual)
    u, s, vh = actual
    _close(s, expected.S)
    if len(args) < 4:  # NumPy's own vectors of a Hermitian matrix of lower rank are not orthonormal
        _orthonormal(u)
        _orthonormal(_adjoint(vh))
    count = s.shape[-1]
    _close((u[..., :count] * s[..., None, :]) @ vh[..., :count, :], np.asarray(args[0]))


def _compare_eigh(args: Any, expected: Any, actual: Any) -> None:
    _same_kind(expected, actual)
    values, vectors = actual
    _close(values, expected.eigenvalues)
    _orthonormal(vectors)
    _close(
        (vectors * values[..., None, :]) @ _adjoint(vectors),
        (expected.eigenvectors * expected.eigenvalues[..., None, :]) @ _adjoint(expected.eigenvectors),
    )


def _compare_eig(args: Any, expected: Any, actual: Any) -> None:
    _same_kind(expected, actual)
    values, vectors = actual
    _close(np.sort_complex(values), np.sort_complex(expected.eigenvalues))
    _close(np.asarray(args[0]) @ vectors, vectors * values[..., None, :])
    _close(np.linalg.norm(vectors, axis=-2), np.ones(values.shape))


def _compare_eigvals(args: Any, expected: Any, actual: Any) -> None:
    assert args
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    _close(np.sort_complex(actual), np.sort_complex(expected))


def _rectangular() -> Iterator[tuple[Any, ...]]:
    for a in (
        _TALL,
        _TALL.T,
        _STACK,
        _COMPLEX,
        _TALL.astype(np.float32),
        _COMPLEX.astype(np.complex64),
        np.array([[3, 1], [1, 2], [0, 5]]),
        np.array([[3, 1], [1, 2]], np.int8),
        np.ones((3, 2)) > 0,
        [[1.0, 2.0], [3.0, 4.0]],
        np.ones((1, 4)),
        np.zeros((2, 2)),
        np.zeros((0, 3)),
        np.zeros((3, 0)),
        np.zeros((0, 2, 2)),
    ):
        yield (a,)


def _wrong() -> Iterator[Sample]:
    yield call(np.ones(3))
    yield call(1.0)
    yield call(np.ones((2, 2), np.float16))


@samples_of("numpy.linalg.cholesky")
def cholesky() -> Iterator[Sample]:
    for a in (
        _HERMITIAN.real,
        _HERMITIAN,
        np.stack([_HERMITIAN.real, np.eye(3)]),
        _HERMITIAN.real.astype(np.float32),
        np.array([[4, 1], [1, 3]]),
        [[4.0, 1.0], [1.0, 3.0]],
        np.array([[4.0, 7.0], [1.0, 3.0]]),  # one triangle is read
        np.zeros((0, 0)),
    ):
        yield call(a)
    yield call(_HERMITIAN, upper=True)
    yield call(np.array([[4.0, 1.0], [7.0, 3.0]]), upper=True)
    yield call(np.array([[1.0, 2.0], [2.0, 1.0]]))
    yield call(np.ones((2, 2), np.complex64))
    yield call(np.stack([np.eye(2), -np.eye(2)]))
    yield call(np.zeros((2, 2)))
    yield call(np.ones((2, 3)))
    yield from _wrong()


@samples_of("numpy.linalg.qr")
def qr() -> Iterator[Sample]:
    for args in _rectangular():
        if 0 not in np.shape(args[0])[:1]:
            yield call(*args).compared_by(_compare_qr)
            yield call(*args, mode="complete").compared_by(_compare_qr)
        yield call(*args, "r").up_to_sign()
    yield call(np.ones((2, 2)), "unknown")
    yield from _wrong()


@samples_of("numpy.linalg.svd")
def svd() -> Iterator[Sample]:
    for args in _rectangular():
        yield call(*args).compared_by(_compare_svd)
        yield call(*args, full_matrices=False).compared_by(_compare_svd)
        yield call(*args, True, False)
    for a in (_SYMMETRIC, _HERMITIAN, np.stack([_SYMMETRIC, np.eye(3)]), _SYMMETRIC.astype(np.float32)):
        yield call(a, True, True, True).compared_by(_compare_svd)
        yield call(a, compute_uv=False, hermitian=True)
    yield call(np.diag([2.0, 0.0, -1.0]), hermitian=True).compared_by(_compare_svd)
    yield call(np.ones((2, 3)), hermitian=True)
    yield call(np.array([[np.nan, 2.0], [2.0, 4.0]])).up_to_sign()
    yield from _wrong()


@samples_of("numpy.linalg.svdvals")
def svdvals() -> Iterator[Sample]:
    for args in _rectangular():
        yield call(*args)
    yield call(np.array([[np.nan, 2.0], [2.0, 4.0]]))
    yield from _wrong()


def _symmetric() -> Iterator[Any]:
    yield _SYMMETRIC
    yield _HERMITIAN
    yield np.stack([_SYMMETRIC, np.eye(3), np.zeros((3, 3))])
    yield _SYMMETRIC.astype(np.float32)
    yield _HERMITIAN.astype(np.complex64)
    yield np.array([[3, 1], [1, 2]])
    yield [[3.0, 1.0], [1.0, 2.0]]
    yield np.zeros((0, 0))
    yield np.array([[3.0, 9.0], [1.0, 2.0]])  # one triangle is read


@samples_of("numpy.linalg.eigh")
def eigh() -> Iterator[Sample]:
    for a in _symmetric():
        yield call(a).compared_by(_compare_eigh)
        yield call(a, "U").compared_by(_compare_eigh)
    yield call(_SYMMETRIC, UPLO="l").compared_by(_compare_eigh)
    yield call(_SYMMETRIC, "X")
    yield call(np.ones((2, 3)))
    yield from _wrong()


@samples_of("numpy.linalg.eigvalsh")
def eigvalsh() -> Iterator[Sample]:
    for a in _symmetric():
        yield call(a)
        yield call(a, UPLO="U")
    yield call(_SYMMETRIC, "X")
    yield call(np.ones((2, 3)))
    yield from _wrong()


def _general() -> Iterator[tuple[Any, str | None]]:
    real = "a graph cannot know that all eigenvalues are real"
    yield _SYMMETRIC, real
    yield np.diag([3.0, 1.0, 2.0]), real
    yield _ROTATION, None
    yield np.stack([_ROTATION, np.diag([3.0, 1.0])]), None
    yield _STACK[:, :, :3], real
    yield _TALL[:3], None
    yield _COMPLEX[:3], None
    yield _ROTATION.astype(np.float32), None
    yield _SYMMETRIC.astype(np.float32), real
    yield _COMPLEX[:3].astype(np.complex64), None
    yield np.array([[2, 0], [0, 3]]), real
    yield [[1.0, 2.0], [3.0, 4.0]], real
    yield np.zeros((0, 0)), real


@samples_of("numpy.linalg.eig")
def eig() -> Iterator[Sample]:
    for a, obstacle in _general():
        sample = call(a).compared_by(_compare_eig)
        yield sample.not_in_graph(obstacle) if obstacle else sample
    yield call(np.array([[np.nan, 1.0], [1.0, 1.0]]))
    yield call(np.ones((2, 3)))
    yield from _wrong()


@samples_of("numpy.linalg.eigvals")
def eigvals() -> Iterator[Sample]:
    for a, obstacle in [*_general(), (_DEFECTIVE, "a graph cannot know that all eigenvalues are real")]:
        sample = call(a).compared_by(_compare_eigvals)
        yield sample.not_in_graph(obstacle) if obstacle else sample
    yield call(np.array([[np.inf, 1.0], [1.0, 1.0]]))
    yield call(np.ones((2, 3)))
    yield from _wrong()
