"""Samples of the elementwise rules about special values, bits, logarithms and division."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

SPECIAL = np.array([-np.inf, -2.0, -0.0, 0.0, 1.5, np.inf, np.nan])
WHOLE = np.array([[3, -1, 2], [0, 5, -4]])


@samples_of("numpy.signbit")
def signbit() -> Iterator[Sample]:
    yield call(SPECIAL)
    yield call(SPECIAL.astype(np.float32))
    yield call(WHOLE)
    yield call(np.array([1], np.uint8))
    yield call(-0.0)


@samples_of("numpy.copysign")
def copysign() -> Iterator[Sample]:
    yield call(SPECIAL, -0.0).exactly()
    yield call(3, SPECIAL).exactly()
    yield call(WHOLE, np.array([-1, 1, 0]))
    yield call(SPECIAL.astype(np.float32), -1)


@samples_of("numpy.nextafter")
def nextafter() -> Iterator[Sample]:
    yield call(np.array([1.0, -2.0]), 3.0).exactly()
    yield call(np.array([1, 2]), 0).exactly()
    yield call(np.array([1.0], np.float32), np.array([0.0], np.float32)).exactly()


@samples_of("numpy.spacing")
def spacing() -> Iterator[Sample]:
    yield call(np.array([1.0, -1.0, 1e10, np.inf, np.nan])).exactly()
    yield call(np.array([2.0, -3.0], np.float32)).exactly()
    yield call(3)


@samples_of("numpy.frexp")
def frexp() -> Iterator[Sample]:
    yield call(np.array([0.0, -0.0, 1.0, -3.7, 1e300, 1e-300])).exactly()
    yield call(np.array([np.inf, np.nan]))
    yield call(np.array([0.1, 8.0], np.float32)).exactly()
    yield call(np.array([5, 16]))


@samples_of("numpy.ldexp")
def ldexp() -> Iterator[Sample]:
    yield call(np.array([0.5, -1.25, np.inf, np.nan]), np.array([3, -2, 4, 1]))
    yield call(np.array([0.5], np.float32), [[1, 2]])
    yield call(1e-300, 1500)
    yield call(3, 4)


@samples_of("numpy.bitwise_count")
def bitwise_count() -> Iterator[Sample]:
    yield call(WHOLE)
    yield call(np.array([255, 8], np.uint8))
    yield call(np.array([-7, 7], np.int32))


@samples_of("numpy.left_shift", "numpy.right_shift")
def shifts() -> Iterator[Sample]:
    yield call(WHOLE, 2)
    yield call(np.array([1, 200], np.uint8), np.array([3, 9], np.uint8))
    yield call(WHOLE, np.array([64, 1, 70]))
    yield call(5, np.array([0, 1]))
    yield call(np.array([True]), np.array([True]))


@samples_of("numpy.log2", "numpy.log10")
def logarithms() -> Iterator[Sample]:
    yield call(10.0 ** np.arange(-5, 16)).within(rtol=3e-16)
    yield call(2.0 ** np.arange(-5, 16)).within(rtol=3e-16)
    yield call(np.array([[0.0, np.inf, -1.0, np.nan, 3.7]]))
    yield call(np.array([1000.0, 8.0, 0.3], np.float32))
    yield call(np.array([1, 1000, 1024]))
    yield call(np.array([1 + 2j, -3.0], np.complex64))
    yield call(np.array([0j, 1.0]))
    yield call(np.array([9.5e-08, 1e-7, 6e-8, 1000.0], np.float16)).within(rtol=2e-3)
    yield call(100)


@samples_of("numpy.log10", reference=np.log10)
def log10_of_powers() -> Iterator[Sample]:
    powers = 10.0 ** np.arange(0, 16)

    def floors_are_equal(args: tuple[np.ndarray, ...], expected: np.ndarray, actual: np.ndarray) -> None:
        np.testing.assert_array_equal(np.floor(actual), np.floor(expected), err_msg=str(args))

    yield call(powers).compared_by(floors_are_equal)


@samples_of("numpy.logaddexp", "numpy.logaddexp2")
def logaddexp() -> Iterator[Sample]:
    yield call(np.array([0.0, 0.5, -2.0]), np.array([0.0, 1.5, -2.0]))
    yield call(np.array([[700.0], [-1e4]]), np.array([701.0, 1e4]))
    yield call(np.array([-3, 5], np.int8), np.array([5], np.int8))
    yield call(np.array([1.0, -1000.0, np.inf, -np.inf, np.nan]), np.array([2.0, 3.0, np.inf, -np.inf, 1.0]))
    yield call(np.array([1.0, 2.0], np.float32), np.array([1.0, 0.5], np.float32))
    yield call(np.array([1, 2]), 3)


@samples_of("numpy.sinc")
def sinc() -> Iterator[Sample]:
    yield call(np.array([-1.5, -1.0, -0.0, 0.0, 0.25, 3.0, np.nan, np.inf]))
    yield call(np.array([[0.0, 0.5]], np.float32))
    yield call(np.array([0.25, 0.5], np.float16))
    yield call(np.array([0, 1, 2], np.int8))
    yield call(np.array([True, False]))
    yield call(np.array([0.5 + 1j, 0j]))
    yield call([0, 0.5])
    yield call(0.5)


@samples_of("numpy.hypot")
def hypot() -> Iterator[Sample]:
    yield call(np.array([3e200, 0.0, -3.0, np.inf, np.nan]), np.array([4e200, 0.0, 4.0, np.nan, 1.0]))
    yield call(np.array([2**31 - 1], np.int32), np.array([1], np.int32))
    yield call(np.array([3e20], np.float32), np.array([[4e20], [0.0]], np.float32))
    yield call(3, 4)


@samples_of("numpy.arctan2", "numpy.hypot", "numpy.copysign", "numpy.logaddexp2", "numpy.heaviside")
def small_integers() -> Iterator[Sample]:
    yield call(np.array([1, 3], np.int8), np.array([2, 4], np.uint8))
    yield call(np.array([1, 3], np.int8), 2)
    yield call(np.array([1, 3], np.int8), 2.0)


@samples_of("numpy.arctan2")
def arctan2() -> Iterator[Sample]:
    yield call(np.array([0.0, -0.0, 1.0, -1.0, np.nan]), np.array([-1.0, -1.0, 0.0, 2.0, 1.0]))
    yield call(WHOLE, 2)
    yield call(np.array([1.0], np.float32), 2)
    yield call(1, 2)
    yield call(np.array([1], np.int8), np.array([2], np.int8))


@samples_of("numpy.angle")
def angle() -> Iterator[Sample]:
    yield call(np.array([-1.0, 1.0, np.nan, -0.0]))
    yield call(np.array([1 + 1j, -1j, -2.0]))
    yield call(np.array([1 + 1j, -1j], np.complex64), deg=True)
    yield call(WHOLE, True)
    yield call(np.array([True, False]))
    yield call(1j)


@samples_of("numpy.isinf", "numpy.isposinf", "numpy.isneginf")
def infinities() -> Iterator[Sample]:
    yield call(SPECIAL)
    yield call(SPECIAL.astype(np.float32))
    yield call(WHOLE)
    yield call([1, np.inf])
    yield call(0.5)
    yield call(np.array([1, complex(0, np.inf)]))


@samples_of("numpy.isclose", "numpy.allclose")
def closeness() -> Iterator[Sample]:
    a = np.array([1.0, np.inf, -np.inf, np.nan, 1e-9])
    b = np.array([1.0 + 1e-9, np.inf, np.inf, np.nan, 0.0])
    yield call(a, b)
    yield call(a, a)
    yield call(a, a, equal_nan=True)
    yield call(a[:2], b[:2])
    yield call(a[:1], b[:1], 0, 1e-12)
    yield call(np.array([10, 20]), np.array([11, 20]), atol=2)
    yield call(np.array([10, 20]), 10.0, rtol=1.0)
    yield call(a.astype(np.float32), b.astype(np.float32))
    yield call(np.array([1 + 1j, complex(np.inf, 0)]), np.array([1 + 1.000001j, complex(np.inf, 0)]))
    yield call(np.array([0.0, 1.0], np.float32), np.array([1e-8, 1.0], np.float32), np.float32(0), np.float64(1e-8))
    yield call([1.0, 2.0], [1.0, 2.0 + 1e-6])
    yield call(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0]))


@samples_of("numpy.floor_divide", "numpy.divmod", "numpy.fmod", "numpy.mod", "numpy.remainder")
def division() -> Iterator[Sample]:
    yield call(np.array([1.5, -1.5, 7.0, -7.0, 0.0]), 0.001)
    yield call(np.array([7.0, -7.0, 7.0, -7.0]), np.array([2.0, 2.0, -2.0, -2.0])).exactly()
    yield call(np.array([1.0, -1.0, 0.0, np.nan, np.inf]), np.array([0.0, 0.0, 0.0, 1.0, 2.0]))
    yield call(np.array([5.0, -5.0, 0.0]), np.array([-np.inf, -np.inf, np.inf])).exactly()
    yield call(np.array([7, -7, 7, 1]), np.array([2, 2, -2, 0]))
    yield call(np.array([200, 7], np.uint8), np.array([7, 200], np.uint8))
    yield call(np.array([0.5, 1.5], np.float32), [3.0, 4.0])
    yield call(np.array([0.6, 1.5], np.float32), 0.2)
    yield call(7, np.array([2, 3]))


@samples_of("numpy.fmax", "numpy.fmin")
def extremes() -> Iterator[Sample]:
    yield call(np.array([1.0, np.nan, 3.0, np.nan, np.inf]), np.array([2.0, 5.0, np.nan, np.nan, 1.0]))
    yield call(WHOLE, 1)
    yield call(np.array([True, False]), np.array([False, False]))
    yield call(np.array([1.5], np.float32), np.array([2], np.int64))
