"""Samples of the methods of universal functions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

A = np.array([[1.5, -2.0, 0.0], [3.25, 4.0, -1.0]])
WHOLE = np.array([[3, -1, 2], [0, 5, -4]])
MASK = np.array([[True, False, True], [False, True, True]])
CUBE = np.arange(24.0).reshape(2, 3, 4)


@samples_of("numpy.add.reduce", "numpy.multiply.reduce")
def arithmetic_reductions() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 1)
    yield call(CUBE, axis=(0, 2), keepdims=True)
    yield call(WHOLE.astype(np.int8), axis=None)
    yield call(WHOLE, dtype=float)
    yield call(WHOLE, dtype=A.dtype)
    yield call(np.zeros((0, 2)))


@samples_of("numpy.maximum.reduce", "numpy.minimum.reduce", "numpy.logical_and.reduce", "numpy.logical_or.reduce")
def selecting_reductions() -> Iterator[Sample]:
    yield call(A)
    yield call(A, 1)
    yield call(CUBE, axis=(0, 2), keepdims=True)
    yield call([[1, 0], [2, 3]], axis=None)


@samples_of("numpy.maximum.reduce", "numpy.minimum.reduce")
def extremes() -> Iterator[Sample]:
    yield call(np.zeros((0, 2)))
    yield call(np.zeros((0, 2)), axis=1)
    yield call(np.zeros((0, 2)), initial=3.0)


@samples_of("numpy.logical_xor.reduce")
def logical_xor_reduce() -> Iterator[Sample]:
    yield call(MASK)
    yield call(A, 1)
    yield call(MASK, axis=None, keepdims=True)


@samples_of("numpy.bitwise_and.reduce", "numpy.bitwise_or.reduce", "numpy.bitwise_xor.reduce")
def bit_reductions() -> Iterator[Sample]:
    yield call(WHOLE)
    yield call(WHOLE, 1)
    yield call(MASK, axis=None)
    yield call(np.arange(30, dtype=np.uint8).reshape(2, 3, 5), axis=(1, 2), keepdims=True)


@samples_of("numpy.add.accumulate", "numpy.multiply.accumulate")
def running_arithmetic() -> Iterator[Sample]:
    yield call(A)
    yield call(np.array([1.5, -2.0, 0.5]))
    yield call(A, 1)
    yield call(WHOLE.astype(np.int8), axis=-1)
    yield call(WHOLE, dtype=float)
    yield call(WHOLE, dtype=A.dtype)


@samples_of("numpy.maximum.accumulate", "numpy.minimum.accumulate")
def running_extremes() -> Iterator[Sample]:
    yield call(A)
    yield call(np.array([3.0, 1.0, 4.0, np.nan, 5.0, 9.0, 2.0]))
    yield call(CUBE[:, ::-1], axis=1)
    yield call(WHOLE.astype(np.int32), 1)
    yield call(np.zeros((0,)))


@samples_of("numpy.logical_and.accumulate", "numpy.logical_or.accumulate")
def running_truth() -> Iterator[Sample]:
    yield call(MASK, 1)
    yield call(np.array([0, 1, 2, 0, 3]))


@samples_of("numpy.add.reduceat", "numpy.multiply.reduceat")
def arithmetic_runs() -> Iterator[Sample]:
    yield call(np.arange(8.0), [0, 4, 1, 5, 2, 6, 3, 7])
    yield call(CUBE, np.array([0, 2]), 1)
    yield call(WHOLE, [2, 1], axis=1, dtype=float)
    yield call(np.arange(5, dtype=np.int8), [1, 3])
    yield call(np.arange(5.0), [1, 5])


@samples_of("numpy.maximum.reduceat", "numpy.minimum.reduceat")
def extreme_runs() -> Iterator[Sample]:
    yield call(np.array([3.0, 1.0, 4.0, 1.5, 5.0]), [0, 2, 1])
    yield call(CUBE, [0, 3], axis=-1)


@samples_of(
    *(
        f"numpy.{name}.outer"
        for name in ("add", "subtract", "multiply", "divide", "true_divide", "maximum", "minimum", "power", "equal")
    ),
    *(f"numpy.{name}.outer" for name in ("not_equal", "less", "less_equal", "greater", "greater_equal")),
    *(f"numpy.{name}.outer" for name in ("logical_and", "logical_or", "remainder", "mod")),
)
def outer() -> Iterator[Sample]:
    yield call(np.array([1.0, 2.0, 3.0]), np.array([0.5, 2.0]))
    yield call(CUBE[0], np.array([1, 2]))
    yield call(np.array([1.25, 2.75]), np.array([0.5, 2.0]))
    yield call([1, 2], 3.0)
    yield call(np.array([1.0, 2.0], np.float32), 2)


@samples_of("numpy.bitwise_and.outer", "numpy.bitwise_or.outer", "numpy.bitwise_xor.outer")
def bit_outer() -> Iterator[Sample]:
    yield call(np.array([1, 6, 12]), np.array([[3, 5]]))


IMAGINARY = np.array([1j, 0j, 1.0 + 0j])


@samples_of("numpy.logical_and.outer", "numpy.logical_or.outer", "numpy.logical_xor.outer")
def imaginary_truths_of_pairs() -> Iterator[Sample]:
    yield call(IMAGINARY, IMAGINARY)


@samples_of("numpy.logical_xor.reduce", "numpy.logical_and.accumulate", "numpy.logical_or.accumulate")
def imaginary_truths() -> Iterator[Sample]:
    yield call(IMAGINARY)


@samples_of("numpy.power.outer")
def powers_of_imaginary_zero() -> Iterator[Sample]:
    yield call(np.array([0j, 1j]), np.array([0, 2.0, -1.0, 1j, 1 - 1j]))


@samples_of("numpy.divide.outer")
def quotients_of_pairs() -> Iterator[Sample]:
    yield call(np.array([-1 + 0.5j, 0j]), np.array([0.0, 2.0]))
    yield call(np.array([1, -2], "int8"), np.array([2, 0], "int8"))


@samples_of("numpy.remainder.outer")
def remainders_by_zero() -> Iterator[Sample]:
    yield call(WHOLE, np.array([0, 3]))


@samples_of("numpy.maximum.reduce", "numpy.minimum.reduce")
def first_value_of_another_dtype() -> Iterator[Sample]:
    yield call(MASK, axis=None, initial=0)
    yield call(WHOLE.astype(np.int8), initial=2.5)
    yield call(WHOLE.astype(np.int8), initial=300)
    yield call(A, axis=2, initial=0.0)


@samples_of("numpy.bitwise_and.reduce", "numpy.bitwise_or.reduce", "numpy.bitwise_xor.reduce")
def bits_of_nothing() -> Iterator[Sample]:
    yield call(np.zeros((2, 0), np.int64), 1)
    yield call(np.zeros((0, 3), np.uint8), keepdims=True)
    yield call(np.zeros(0, bool))


@samples_of("numpy.maximum.reduceat", "numpy.minimum.reduceat")
def extremes_of_bools_between() -> Iterator[Sample]:
    yield call(MASK[0], [0, 1])
    yield call(np.array([np.nan, 1.0, 2.0]), [0, 1])
