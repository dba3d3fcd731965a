"""Samples of the elementwise rules: other names, rounding, products, clipping and taking."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

MATRIX = np.array([[-1.5, 0.0, 2.5], [0.3, -0.7, np.nan]])
UNIT = np.array([-1.0, -0.25, 0.0, 0.5, 1.0])
WHOLE = np.array([[3, -1, 2], [0, 5, -4]])
NEAR_HALF = np.array([-2.5, -1.5, -0.5, -0.0, 0.5, 1.5, 2.5, np.inf, -np.inf, np.nan])


@samples_of("numpy.radians", "numpy.degrees", "numpy.rad2deg")
def angle_units() -> Iterator[Sample]:
    yield call(MATRIX)
    yield call(MATRIX.astype(np.float32))
    yield call(WHOLE)
    yield call([90, 180.0])
    yield call(45)


@samples_of("numpy.matrix_transpose")
def matrix_transpose() -> Iterator[Sample]:
    yield call(np.arange(24.0).reshape(2, 3, 4))
    yield call(np.zeros((0, 3)))
    yield call([[1, 2], [3, 4]])
    yield call(np.arange(3))


@samples_of("numpy.astype")
def astype() -> Iterator[Sample]:
    yield call(np.array([1.7, -2.7]), int)
    yield call(np.array([1.7, -2.7]), np.float32)
    yield call(WHOLE, float)
    yield call(WHOLE, bool)
    yield call(WHOLE, MATRIX.dtype)
    yield call(MATRIX, "complex64")
    yield call(MATRIX, complex)


@samples_of("numpy.unstack")
def unstack() -> Iterator[Sample]:
    yield call(WHOLE)
    yield call(WHOLE, axis=-1)
    yield call(MATRIX)


@samples_of("numpy.float_power")
def float_power() -> Iterator[Sample]:
    yield call(np.array([2, 3]), -2)
    yield call(np.array([2.0, 0.5]), np.array([1.5, -2.0]))
    yield call(np.array([0.0, 0.0]), np.array([0.0, 3.0]))
    yield call(np.array([2.0, 3.0], np.float32), np.array([0.5, 1.5], np.float32))
    yield call(np.array([1 + 2j], np.complex64), 2)
    yield call(2, 3)
    yield call(np.ones(2), np.ones(4))
    yield call(np.array([1, 2], np.uint8), -1)


@samples_of("numpy.fabs")
def fabs() -> Iterator[Sample]:
    yield call(MATRIX)
    yield call(WHOLE)
    yield call(np.array([-3, 4], np.int8))


@samples_of("numpy.reciprocal")
def reciprocal() -> Iterator[Sample]:
    yield call(np.array([2.0, -0.5, np.inf]))
    yield call(np.array([3, 1, -1, -7]))
    yield call(np.array([1, 9], np.uint8))
    yield call(np.array([True]))
    yield call(np.array([1 + 1j]))


@samples_of("numpy.heaviside")
def heaviside() -> Iterator[Sample]:
    yield call(np.array([-1.0, 0.0, 2.0, np.nan, np.inf]), 0.5)
    yield call(np.array([-1, 0, 2]), 1)
    yield call(np.array([-1.0, 0.0]), np.array([0.25, 0.5]))
    yield call(np.array([0.0], np.float32), np.array([[0.25], [1]], np.float32))


@samples_of("numpy.i0")
def i0() -> Iterator[Sample]:
    yield call(np.array([0.0, 1.5, -20.0]))
    yield call(np.array([0, 3]))
    yield call(np.array([0.0, 1.5], np.float32))
    yield call(np.array([1j]))


@samples_of("numpy.nan_to_num")
def nan_to_num() -> Iterator[Sample]:
    wild = np.array([[np.nan, np.inf], [-np.inf, 1.5]])
    yield call(wild)
    yield call(wild.astype(np.float32))
    yield call(wild, nan=-1, posinf=10, neginf=-10.0)
    yield call(wild, posinf=np.array([[1.0, 2.0]]))
    yield call(wild + 1j)
    yield call(WHOLE)
    yield call([1.0, np.nan])


@samples_of("numpy.real_if_close")
def real_if_close() -> Iterator[Sample]:
    reason = "whether the result is complex depends on the values"
    yield call(np.array([2.1 + 4e-14j, 5.2 + 3e-15j]), tol=1000).not_in_graph(reason)
    yield call(np.array([2.1 + 4e-13j]), 1000).not_in_graph(reason)
    yield call(np.array([2.1 + 1e-3j]), tol=0.5).not_in_graph(reason)
    yield call(MATRIX)


@samples_of("numpy.floor", "numpy.ceil", "numpy.trunc", "numpy.fix")
def integral() -> Iterator[Sample]:
    yield call(NEAR_HALF).exactly()
    yield call(NEAR_HALF.astype(np.float32)).exactly()
    yield call(WHOLE)
    yield call(np.array([True, False]))
    yield call(np.array([7], np.uint8))
    yield call(2.5)
    yield call([1.2, 3])


@samples_of("numpy.rint")
def rint() -> Iterator[Sample]:
    yield call(NEAR_HALF).exactly()
    yield call(WHOLE)
    yield call(np.array([3], np.int16))
    yield call(np.array([1.5 - 2.5j]))


@samples_of("numpy.round", "numpy.around")
def round() -> Iterator[Sample]:
    yield call(NEAR_HALF)
    yield call(np.array([1.235, 2.675, -0.125]), 2)
    yield call(np.array([[1234.5, -55.0]]), decimals=-1)
    yield call(np.array([1.23456, 7.0], np.float32), 3)
    yield call(np.array([15, 25, -35, 149]), -1)
    yield call(np.array([15, 25]), 2)
    yield call(np.array([1.25 + 2.35j]), 1)
    yield call(a=3.14159, decimals=4)
    yield call(np.array([True]))


@samples_of("numpy.modf")
def modf() -> Iterator[Sample]:
    yield call(NEAR_HALF).exactly()
    yield call(np.array([3, -2]))
    yield call(np.float32(-1.25))


@samples_of("numpy.vecdot")
def vecdot() -> Iterator[Sample]:
    yield call(np.arange(6.0).reshape(2, 3), np.array([1.0, 2.0, 3.0]))
    yield call(WHOLE, WHOLE, axis=0)
    yield call(np.array([1 + 2j, 3j]), np.array([2.0, 1j]))
    yield call(np.array([100, 100], np.int8), np.array([1, 1], np.int8))
    yield call(np.array([2.0]), np.array([1.0, 2.0]))


@samples_of("numpy.matvec")
def matvec() -> Iterator[Sample]:
    yield call(np.arange(12.0).reshape(2, 2, 3), np.array([1.0, 2.0, 3.0]))
    yield call(WHOLE, np.array([1, 2, 3]))
    yield call(np.ones((1, 1)), np.ones(2))


@samples_of("numpy.vecmat")
def vecmat() -> Iterator[Sample]:
    yield call(np.ones(1), np.ones(1))
    yield call(np.array([1.0, 2.0]), np.arange(6.0).reshape(2, 3))
    yield call(np.array([1j, 2.0]), np.array([[1.0, 2j], [0.5, 1.0]]))


@samples_of("numpy.clip")
def clip() -> Iterator[Sample]:
    yield call(MATRIX, 0, 1)
    yield call(MATRIX, None, 1)
    yield call(MATRIX, a_max=1, a_min=0)
    yield call(MATRIX, min=0.5)
    yield call(MATRIX, max=np.array([0.0, 1.0, 2.0]), min=-1)
    yield call(MATRIX, None, None)
    yield call(np.array([200, 3], np.uint8), -1, 100)
    yield call(np.array([-100, 3], np.int8), 0, 300)
    yield call(np.array([-100, 3], np.int8), 200, 300)
    yield call(WHOLE, 0.5, 2.5)
    yield call(MATRIX.astype(np.float32), 0.1, 1)
    yield call(WHOLE, np.array([0, 1, 2]), 3)
    yield call([1, 5, 9], 2, 6)
    yield call(MATRIX, 1, 0)


@samples_of("numpy.take")
def take() -> Iterator[Sample]:
    yield call(MATRIX, -1)
    yield call(MATRIX, [0, -1], axis=1)
    yield call(MATRIX, np.array([[0, 1], [1, 0]], np.uint8), 0)
    yield call(WHOLE, [-9, 7, 1], mode="clip")
    yield call(WHOLE, [-9, 7, 1], mode="wrap")
    yield call(indices=[1], a=WHOLE, axis=-1, mode="wrap")
    yield call(WHOLE, [5, 6])
    yield call(WHOLE, 1, axis=2)
    yield call(WHOLE, np.zeros((0,), int))


@samples_of("numpy.float_power")
def powers_of_imaginary_zero() -> Iterator[Sample]:
    yield call(np.array([0j, 0j, 0j]), np.array([0.0, 2.0, -1.0]))


@samples_of("numpy.reciprocal")
def reciprocals_of_zero() -> Iterator[Sample]:
    yield call(np.array([1, 0]))
    yield call(np.array([2, 0], "uint8"))
    yield call(np.array([0j, 2 + 0j, 1j, 0j]))


@samples_of("numpy.gcd", "numpy.lcm")
def divisors() -> Iterator[Sample]:
    yield call(WHOLE * 6, np.array([4, 9, 0]))
    yield call(np.array([12, 18], "int32"), [8, 27])
    yield call(np.array([12, 0], "uint8"), np.array([[8], [0]], "uint8"))
    yield call(12, 18)
    yield call(np.array([-128, 6], "int8"), np.array([6, -128], "int8"))
    yield call(WHOLE, np.ones(4, int))


@samples_of("numpy.compress")
def compress() -> Iterator[Sample]:
    yield call([True, False], MATRIX, 0)
    yield call(np.array([0, 1, 1]), MATRIX, axis=1)
    yield call(np.array([True, False, False]), np.array([[1]]))
    yield call(np.array([False, True]), np.array([1]))
    yield call(np.array([[True]]), np.array([1]))


@samples_of("numpy.take")
def take_of_nothing() -> Iterator[Sample]:
    yield call(np.ones(0), [0], axis=0, mode="wrap")
    yield call(np.array(1.0), [0, 0], axis=0)
    yield call(np.ones((0, 0)), [0], axis=1)


@samples_of("numpy.floor_divide", "numpy.fmod", "numpy.fmax", "numpy.fmin", "numpy.left_shift", "numpy.ldexp",
            "numpy.hypot", "numpy.copysign", "numpy.heaviside", "numpy.arctan2")  # fmt: skip
def shapes_that_do_not_broadcast() -> Iterator[Sample]:
    yield call(np.ones(2, int), np.ones(4, int))


@samples_of("numpy.nextafter")
def next_half() -> Iterator[Sample]:
    x = np.array([0.0, -0.0, 1.0, -1.0, np.nan, 65504.0, 2.0**-24], np.float16)
    yield call(x, np.float16(2)).exactly()
    yield call(x, np.array(-np.inf, np.float16)).exactly()
    yield call(x, x).exactly()
    yield call(np.array([1, 2], np.int8), np.array([2, 1], np.int8))


@samples_of("numpy.spacing")
def spacing_of_halves() -> Iterator[Sample]:
    yield call(np.array([0.0, 1.0, -1.0, 1000.0], np.float16))


@samples_of("numpy.clip")
def clip_bools() -> Iterator[Sample]:
    yield call(np.array([True, False]), True, True)


@samples_of("numpy.vecdot", "numpy.vecmat", "numpy.matvec")
def products_of_small_integers() -> Iterator[Sample]:
    yield call(np.eye(2, dtype=np.uint8), np.eye(2, dtype=np.uint8) * 200)
    yield call(np.eye(2, dtype=bool), np.eye(2, dtype=bool))
    yield call(np.eye(2, dtype=np.int8), np.eye(2, dtype=np.int8))


@samples_of("numpy.heaviside", "numpy.copysign", "numpy.arctan2", "numpy.hypot")
def numbers_beyond_the_integers_beside_them() -> Iterator[Sample]:
    yield call(-1, np.array([0, 2], np.uint8))
