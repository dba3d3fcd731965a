"""What calls of a compiled function are told apart by: the static parts of their arguments, whatever is in what."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("tensorflow")


def told_apart_by(*values: Any) -> Any:
    from tnp_rules.compiled_arguments import describe

    arrays: list[Any] = []
    parts: list[Any] = []
    describe(values, arrays, parts)
    return tuple(parts), [np.asarray(one).tolist() for one in arrays]


def unlike_arguments() -> list[tuple[Any, ...]]:
    import tensorflow as tf

    x, y = tf.zeros([2]), tf.zeros([2], tf.float64)
    numbers: list[Any] = [0, 1, 1.0, True, 0.0, -0.0, float("nan"), float("inf"), 1j, complex(-0.0, 1), "1", b"1", None]
    arrays = [x, y, tf.zeros([2, 1]), np.zeros(2), np.zeros(2, np.float32), np.float64(0), np.float32(0), np.int64(0)]
    nested = [[], [[]], (), [x], [[x]], (x,), [x, []], [[x], []], {"a": x}, {"b": x}, {"a": [x]}, {1: x}, {True: x}]
    others = [["a", x], slice(1), slice(1, None, 2), np.sin, np.cos, np.dtype("f4"), {"a": {"b": x}}, {"a": {}, "b": x}]
    kept = [{np.float64(1): x}, {np.float64(2): x}, {(np.float64(3), 1): x}, {(np.float64(4), 1): x}]
    kept += [slice(tf.constant(1), None), slice(tf.constant(2), None), slice(np.array(1)), slice(np.array(2))]
    single = [(one,) for one in (*numbers, *arrays, *nested, *others, *kept)]
    return [*single, (x, x), (x, y), ([x], x), ([x, x],), (1, "")]


def test_unlike_arguments_are_told_apart() -> None:
    described = [told_apart_by(*one)[0] for one in unlike_arguments()]
    for (one, first), (other, second) in itertools.combinations(zip(unlike_arguments(), described, strict=True), 2):
        assert first != second, f"{one} and {other}"


def test_like_arguments_are_not() -> None:
    for one, other in zip(unlike_arguments(), unlike_arguments(), strict=True):
        first, second = told_apart_by(*one)[0], told_apart_by(*other)[0]
        assert first == second, one
        assert hash(first) == hash(second)


def test_arrays_are_found_in_the_order_in_which_holes_are_filled() -> None:
    import tensorflow as tf

    from tnp_rules.compiled_arguments import filled, holes_of

    one, two, three, four = (tf.constant([float(number)]) for number in range(4))
    values = [{"b": [one, (two, 7)], "a": three}, four]
    _, arrays = told_apart_by(*values)
    assert arrays == [[0.0], [1.0], [2.0], [3.0]]
    again = filled(holes_of(["first", "second"], values), [one, two, three, four])
    assert again == values


def test_variables_of_modules_that_are_numbers_of_numpy_are_told_apart() -> None:
    from tnp_rules.compiled_arguments import describe_global

    values = [np.float64(1), np.float64(2), np.float32(1), np.complex64(1j), {np.float64(1): 1}, {np.float64(2): 1}]
    described = [describe_global(one) for one in values]
    assert len(set(described)) == len(values)


def test_numbers_in_slices_take_no_hole() -> None:
    import tensorflow as tf

    from tnp_rules.compiled_arguments import filled, holes_of

    x = tf.constant([1.0, 2.0])
    values = [slice(tf.constant(0), tf.constant(1)), x]
    _, arrays = told_apart_by(*values)
    assert arrays == [[1.0, 2.0]]
    assert filled(holes_of(["part", "x"], values), [x])[1] is x
