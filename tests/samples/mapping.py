"""Samples of functions applied to elements, along axes and over axes, and of bytes and bits."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
from rule_samples import _REFERENCES, Comparison, Sample, call, samples_of

VECTOR = np.array([1.5, -2.0, 3.0])
MATRIX = np.arange(12).reshape(3, 4)
CUBE = np.arange(24.0).reshape(2, 3, 4)
BRANCH = "the function branches on a value, and the test traces without AutoGraph"


def _ends(row: Any) -> Any:
    return row[:2] * 2


def _swap(row: Any, power: Any, scale: Any = 1) -> Any:
    return row[::-1] ** power * scale


@samples_of("numpy.apply_along_axis")
def apply_along_axis() -> Iterator[Sample]:
    yield call(lambda row: row.T[0] - row[-1], 0, MATRIX)
    yield call(_ends, 1, MATRIX)
    yield call(_ends, 0, CUBE)
    yield call(_ends, -2, CUBE)
    yield call(_swap, 1, CUBE, 2, scale=3)
    yield call(lambda row: row[:, None] * row[None, :], 1, CUBE)
    yield call(lambda row: row[0], 0, VECTOR)
    yield call(_ends, 0, [[1.5, 2.5], [3.5, 4.5]])
    yield call(lambda row: 1 if row[0] > 4 else 2, 1, MATRIX).not_in_graph(BRANCH)
    yield call(_ends, 2, MATRIX)
    yield call(_ends, 1, np.zeros((0, 3)))


@samples_of("numpy.apply_over_axes")
def apply_over_axes() -> Iterator[Sample]:
    yield call(_total, CUBE, [0, 2])
    yield call(_total, CUBE, (-1, 1))
    yield call(lambda a, axis: a * (axis + 1), CUBE, (0, -1))
    yield call(_total, MATRIX, 1)
    yield call(lambda a, axis: a[0, 0] * axis, CUBE, (1,))


def _total(a: Any, axis: int) -> Any:
    return functools.reduce(operator.add, [a[(slice(None),) * (axis % a.ndim) + (i,)] for i in range(a.shape[axis])])


def calls_agree(*args: Any, traced: bool = True, **kwargs: Any) -> Comparison:
    """Compare two vectorized functions by calling both: on ndarrays, on tensors and under `tf.function`."""

    def compare(_: tuple[Any, ...], expected: Any, actual: Any) -> None:
        from rule_runs import check  # imports TensorFlow

        sample = Sample((*args,), kwargs, None if traced else BRANCH)
        _REFERENCES["numpy.vectorize.__call__"] = expected
        check("numpy.vectorize.__call__", sample, actual, "/CPU:0")

    return compare


def _sign(x: Any, y: Any = 0) -> Any:
    return 1.5 if x > y else -1


@samples_of("numpy.vectorize")
def vectorize() -> Iterator[Sample]:
    yield call(lambda x, y: x * 2 + y).compared_by(calls_agree(VECTOR, 1))
    yield call(lambda x, y: x * y).compared_by(calls_agree(MATRIX, np.array([[2.5], [3.5], [4.5]], np.float32)))
    yield call(lambda x: x / 3).compared_by(calls_agree(np.array([1.1, 2.2], np.float32)))
    yield call(lambda x: x * 3).compared_by(calls_agree(np.array([100, 3], np.int8), traced=False))  # overflows
    yield call(lambda x: (x + 1, x > 2)).compared_by(calls_agree(MATRIX))
    yield call(lambda x: (x, x * 1j), "dD").compared_by(calls_agree(VECTOR))
    yield call(lambda x: x * 2.75, [int]).compared_by(calls_agree(VECTOR))
    yield call(lambda x: x, otypes=[np.float32]).compared_by(calls_agree(np.zeros((0, 2))))
    yield call(lambda x: x).compared_by(calls_agree(np.zeros(0)))
    yield call(_sign, doc="Sign.").compared_by(calls_agree(-VECTOR, traced=False))
    yield call(_sign).compared_by(calls_agree(VECTOR, y=2, traced=False))
    yield call(_sign, cache=True).compared_by(calls_agree(VECTOR, y=VECTOR[::-1].copy(), traced=False))
    yield call(_power_sum, excluded=["powers"]).compared_by(calls_agree(VECTOR, powers=[1, 2]))
    yield call(_power_sum, excluded={1}).compared_by(calls_agree(VECTOR, [1, 2]))
    yield call({0: 2.5}.get).compared_by(calls_agree(np.zeros(2, np.int64), traced=False))
    yield call(lambda x: {0: "none", 1: "one"}[x]).compared_by(calls_agree(np.array([0, 1]), traced=False))
    yield call(lambda x: "many" if x > 1 else "few").compared_by(calls_agree(np.array([0.5, 2.0]), traced=False))
    yield call(str, otypes=[object]).compared_by(calls_agree(np.array([0, 1]), traced=False))
    yield call(lambda name, x: {"a": 1.5}[name] * x).compared_by(calls_agree("a", VECTOR, traced=False))
    yield call(float.is_integer).compared_by(calls_agree(np.array([0.5, 2.0]), traced=False))
    yield call(math.sqrt).compared_by(calls_agree(np.array([0.25, 2.0]), traced=False))
    yield call(lambda x: x + 1).compared_by(calls_agree(3))
    yield call(lambda x: x + 1).compared_by(calls_agree([[1, 2.5]]))
    yield call(lambda x: x + 1).compared_by(calls_agree(np.array(2.5)))


def _power_sum(x: Any, powers: Any) -> Any:
    return functools.reduce(operator.add, [x**power for power in powers])


@samples_of("numpy.frombuffer")
def frombuffer() -> Iterator[Sample]:
    data = np.arange(4.0).tobytes()
    yield call(data)
    yield call(data, float)
    yield call(data, np.int32, 2)
    yield call(data, dtype=np.uint8, count=3, offset=7)
    yield call(np.arange(3, dtype=">i4").tobytes(), ">i4").compared_by(_same_values)
    yield call(data, np.int32, offset=1)


def _same_values(args: tuple[object, ...], expected: Any, actual: Any) -> None:
    del args
    np.testing.assert_array_equal(actual, expected)


@samples_of("numpy.fromstring")
def fromstring() -> Iterator[Sample]:
    yield call("1 2 3.5", sep=" ")
    yield call("1,2,3", int, sep=",")
    yield call("1,2,3", dtype=np.float32, count=2, sep=",")


@samples_of("numpy.fromiter")
def fromiter() -> Iterator[Sample]:
    yield call([1.5, 2.5], float)
    yield call(range(5), np.int32, 3)
    yield call([1.75, 2.0], int)
    yield call((), np.float32)
    yield call([1, 2], float, count=3)


@samples_of("numpy.packbits")
def packbits() -> Iterator[Sample]:
    bits = np.array([[1, 0, 1, 1, 0, 0, 0, 1, 1], [0, 2, 0, 0, 0, 0, 0, 0, 0]], np.uint8)
    yield call(bits)
    yield call(bits, 1)
    yield call(bits, axis=0)
    yield call(bits > 0, axis=-1, bitorder="little")
    yield call(np.zeros((0,), bool))
    yield call(VECTOR)
    yield call(bits, bitorder="middle")


@samples_of("numpy.unpackbits")
def unpackbits() -> Iterator[Sample]:
    packed = np.array([[2], [7], [203]], np.uint8)
    yield call(packed)
    yield call(packed, 1)
    yield call(packed, axis=0, bitorder="little")
    yield call(packed, axis=1, count=3)
    yield call(packed, axis=1, count=-3)
    yield call(packed, count=30)
    yield call(packed, count=-30)
    yield call(MATRIX)


@samples_of("numpy.packbits", "numpy.unpackbits")
def bits_along_no_axis() -> Iterator[Sample]:
    yield call(np.ones(1, np.uint8), axis=1)
