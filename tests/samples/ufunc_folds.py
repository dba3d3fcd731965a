"""Samples of reductions, running values and outer forms of the less used universal functions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

A = np.array([[1.5, -2.0, 0.0], [3.25, 4.0, -1.0]])
GAPS = np.array([[np.nan, 2.0, np.nan], [1.0, np.nan, np.nan], [0.5, 3.0, np.nan]])
WHOLE = np.array([[12, -18, 30], [8, 27, -4]])
CUBE = np.arange(24.0).reshape(2, 3, 4)


@samples_of("numpy.logaddexp.reduce")
def sums_of_exponentials() -> Iterator[Sample]:
    yield call(A)
    yield call(A.astype(np.float32), 1)
    yield call(CUBE, axis=None)
    yield call(CUBE, axis=(0, 2), keepdims=True)
    yield call(np.array([-np.inf, -np.inf]))
    yield call(np.array([np.inf, 1.0]))
    yield call(np.array([1000, 1001]))
    yield call(np.zeros((0, 2)))


@samples_of("numpy.logaddexp.accumulate")
def running_exponentials() -> Iterator[Sample]:
    yield call(A)
    yield call(GAPS, 1)
    yield call(CUBE, axis=-1)
    yield call(np.array([1, 2, 3]))


@samples_of("numpy.hypot.reduce")
def lengths() -> Iterator[Sample]:
    yield call(A)
    yield call(A.astype(np.float32), 1, keepdims=True)
    yield call(np.array([3, 4, 12]))
    yield call(np.array([3e200, 4e200]))
    yield call(np.zeros((0, 2)))
    yield call(np.array([[1, -1]]))


@samples_of("numpy.gcd.reduce", "numpy.lcm.reduce")
def divisors() -> Iterator[Sample]:
    yield call(WHOLE)
    yield call(WHOLE, 1)
    yield call([12, 18, 30])
    yield call(WHOLE.astype(np.int32), axis=None, keepdims=True)


@samples_of("numpy.lcm.reduce")
def lone_multiple() -> Iterator[Sample]:
    yield call(np.array([[1, -1]]))


@samples_of("numpy.gcd.reduce")
def divisor_of_nothing() -> Iterator[Sample]:
    yield call(np.zeros((0, 2), np.int64))


@samples_of("numpy.fmax.reduce", "numpy.fmin.reduce")
def extremes_without_nan() -> Iterator[Sample]:
    yield call(GAPS)
    yield call(GAPS, 1)
    yield call(CUBE.astype(np.float32), axis=(0, 2), keepdims=True)
    yield call(np.array([3, 1, 2]))
    yield call(np.zeros((0, 2)))


@samples_of("numpy.fmax.accumulate", "numpy.fmin.accumulate")
def running_extremes_without_nan() -> Iterator[Sample]:
    yield call(GAPS)
    yield call(CUBE, axis=1)


FLOATS = "arctan2 copysign float_power floor_divide fmax fmin fmod heaviside hypot logaddexp logaddexp2 logical_xor"


@samples_of(*(f"numpy.{name}.outer" for name in FLOATS.split()), "numpy.nextafter.outer")
def outer_of_floats() -> Iterator[Sample]:
    yield call(np.array([1.0, 2.0, 3.0]), np.array([0.5, 2.0]))
    yield call(CUBE[0], np.array([1, 2]))
    yield call(np.array([1.25, 0.0, 2.75]), np.array([0.5, 2.0]))
    yield call([1.5, 2], 3.0)


@samples_of(*(f"numpy.{name}.outer" for name in ("gcd", "lcm", "left_shift", "right_shift")))
def outer_of_integers() -> Iterator[Sample]:
    yield call(np.array([12, 18, 5]), np.array([[2, 3], [1, 4]]))
    yield call([4, 6], 2)
    yield call(np.array([12, 18], np.int32), np.array([2, 3], np.int32))


SMALL = (np.array([1, 3], "int8"), np.array([4, 2], "uint8"))


@samples_of(*(f"numpy.{name}.outer" for name in FLOATS.split()))
def small_integers_of_two_kinds() -> Iterator[Sample]:
    yield call(*SMALL)


@samples_of("numpy.gcd.reduce", "numpy.lcm.reduce")
def divisor_of_unsigned() -> Iterator[Sample]:
    yield call(SMALL[1])


@samples_of("numpy.gcd.outer", "numpy.lcm.outer")
def divisors_of_unsigned() -> Iterator[Sample]:
    yield call(SMALL[1], SMALL[1])
