"""Samples of the Fourier transforms."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

_RNG = np.random.default_rng(3)
_REAL = _RNG.standard_normal((3, 4, 5))
_COMPLEX = _REAL + 1j * _RNG.standard_normal((3, 4, 5))
_INTEGERS = np.array([[3, -1, 2, 7], [0, 5, -4, 1]])


def _norms(a: np.ndarray) -> Iterator[Sample]:
    for norm in ("backward", "ortho", "forward", None):
        yield call(a, norm=norm)
        yield call(a, 6, 0, norm)
        yield call(a, n=3, norm=norm)
    yield call(a, norm="unknown")


def _lengths(a: np.ndarray) -> Iterator[Sample]:
    for n in (1, 2, 4, 5, 7, 13):
        yield call(a, n)
        yield call(a, axis=1, n=n)
    yield call(a, np.int32(3), axis=-2)
    yield call(a, 0)
    yield call(a, n=-2)
    yield call(a, n=2.0)
    yield call(a, axis=3)
    yield call(a, 4, -4)


def _inputs(*, real: bool) -> Iterator[Sample]:
    yield call([1.0, 2.0, 0.5])
    yield call([[1, 2, 3], [4, 5, 6]], axis=0)
    yield call(_INTEGERS)
    yield call(_INTEGERS.astype(np.int8))
    yield call(_INTEGERS > 1)
    yield call(_REAL.astype(np.float32))
    yield call(_REAL[0].astype(np.float16)).within(1e-3)  # NumPy rounds its 1 / n to half precision
    yield call(np.array([1.0, np.nan, 2.0]))
    yield call(np.zeros((0, 3)))
    yield call(np.zeros((0, 3)), axis=0)
    yield call(np.array(2.0))
    yield call(_COMPLEX[0])
    if not real:
        yield call([1j, 2.0])
        yield call(_COMPLEX.astype(np.complex64))
        yield call(_COMPLEX, axis=0)


@samples_of("numpy.fft.fft", "numpy.fft.ifft")
def complex_transforms() -> Iterator[Sample]:
    yield from _norms(_COMPLEX)
    yield from _norms(_REAL.astype(np.float32))
    yield from _lengths(_COMPLEX)
    yield from _inputs(real=False)
    yield call(_RNG.standard_normal(1009))  # prime length


@samples_of("numpy.fft.rfft", "numpy.fft.ihfft")
def real_transforms() -> Iterator[Sample]:
    yield from _norms(_REAL)
    yield from _lengths(_REAL)
    yield from _inputs(real=True)


@samples_of("numpy.fft.irfft", "numpy.fft.hfft")
def inverse_real_transforms() -> Iterator[Sample]:
    yield from _norms(_COMPLEX)
    yield from _lengths(_COMPLEX)
    yield from _inputs(real=False)
    yield call(np.array([1.0 + 1j]))  # its default length is 0


def _several_axes(a: np.ndarray) -> Iterator[Sample]:
    yield call(a)
    yield call(a, (2, 6))
    yield call(a, axes=(0, 1))
    yield call(a, axes=(2, 0), s=(7, 2))
    yield call(a, axes=(0, 2))
    yield call(a, [3, -1], (1, 2))
    yield call(a, axes=(1, 1))
    yield call(a, axes=(-2,))
    yield call(a, axes=(0, 1, 2), norm="ortho")
    yield call(a, None, (-1, -2), "forward")
    yield call(a.astype(np.result_type(a.dtype.type(0), np.float32)))
    yield call(a[0])
    yield call(a[0].astype(np.complex64 if a.dtype.kind == "c" else np.float32), (3, 9), norm="backward")
    yield call(_INTEGERS)
    yield call([[1.0, 2.0], [3.0, 4.0]])
    yield call(a[0, 0])
    yield call(a, (2,), (0, 1))
    yield call(a, (0, 2), (0, 1))
    yield call(a, axes=(0, 3))
    yield call(a, axes=1)
    yield call(a, norm="unknown")
    yield call(a, axes=())
    yield call(np.zeros((0, 3, 2)), axes=(1, 2))
    yield call(np.stack([a, a]), axes=(0, 1, 2, 3))


@samples_of("numpy.fft.fft2", "numpy.fft.ifft2", "numpy.fft.irfft2")
def two_complex_axes() -> Iterator[Sample]:
    yield from _several_axes(_COMPLEX)


@samples_of("numpy.fft.fftn", "numpy.fft.ifftn", "numpy.fft.irfftn")
def several_complex_axes() -> Iterator[Sample]:
    yield from _several_axes(_COMPLEX)
    yield call(_REAL, axes=(0, 1, 2))


@samples_of("numpy.fft.rfft2", "numpy.fft.rfftn")
def several_real_axes() -> Iterator[Sample]:
    yield from _several_axes(_REAL)
    yield call(_COMPLEX)


@samples_of("numpy.fft.fftshift", "numpy.fft.ifftshift")
def shifts() -> Iterator[Sample]:
    for a in (_REAL, _INTEGERS.astype(np.int8), _INTEGERS > 0, _COMPLEX[0], np.zeros((0, 3))):
        yield call(a)
        yield call(a, axes=(0,))
        yield call(a, -1)
        yield call(a, axes=[0, 1])
    yield call([1.0, 2.0, 3.0])
    yield call([[1, 2, 3]], 1)


@samples_of("numpy.fft.fftfreq", "numpy.fft.rfftfreq")
def frequencies() -> Iterator[Sample]:
    for n in (1, 2, 5, 8, 1001):
        yield call(n).exactly()
        yield call(n, 0.1).exactly()
        yield call(n, d=1 / 44100).exactly()
        yield call(np.int64(n), d=3).exactly()
        yield call(n, np.float32(0.3)).exactly()
        yield call(n, np.float64(-0.7)).exactly()
    yield call(4.0)
    yield call(4, 0)
