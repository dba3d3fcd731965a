"""Stores into real and imaginary parts, in flat order, new shapes and shuffles, against NumPy's own."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from test_updates_in_place import check_same
from test_updates_ufuncs import outcome, run_in, written

if TYPE_CHECKING:
    from types import ModuleType

X = np.arange(12.0).reshape(3, 4)
Z = X + 1j * X[::-1]
MODES = ["eager", "tensors", "graph", "dynamic"]


@pytest.fixture(scope="module")
def parts(tensorflow: Any) -> ModuleType:
    """Import the helpers, once TensorFlow is there."""
    assert tensorflow is not None
    from tnp_rules import updates_parts

    return updates_parts


def set_real(x: Any, value: Any) -> None:
    x.real = value


def set_imag(x: Any, value: Any) -> None:
    x.imag = value


def set_flat(x: Any, value: Any) -> None:
    x.flat = value


def set_flat_item(x: Any, index: Any, value: Any) -> None:
    x.flat[index] = value


# helper, what NumPy does, array, arguments behind it
STORES: list[Any] = [
    ("real_update", set_real, Z, (5,)),
    ("real_update", set_real, Z.astype(np.complex64), (np.arange(4.0),)),
    ("real_update", set_real, X, (np.arange(4),)),
    ("real_update", set_real, np.arange(3), (2.75,)),
    ("real_update", set_real, Z, (np.arange(3.0),)),
    ("imag_update", set_imag, Z, (X,)),
    ("imag_update", set_imag, X, (1.0,)),
    ("flat_fill", set_flat, X, (np.array([1.0, 2.0]),)),
    ("flat_fill", set_flat, X, (np.arange(20),)),
    ("flat_fill", set_flat, X, ([],)),
    ("flat_fill", set_flat, np.arange(5), (np.array([[1.9, -2.9]]),)),
    ("flat_index_update", set_flat_item, X, (1, 5.0)),
    ("flat_index_update", set_flat_item, X, (-1, 5.0)),
    ("flat_index_update", set_flat_item, X, ([0, 1, 5], np.array([1.0, 2.0]))),
    ("flat_index_update", set_flat_item, X, (np.array([0, 1, 0]), np.array([1.0, 2.0, 3.0]))),
    ("flat_index_update", set_flat_item, X, (slice(2, 9, 3), np.array([-1, -2]))),
    ("flat_index_update", set_flat_item, X, (X.reshape(-1) > 5, np.array([-1.0, -2.0]))),
    ("flat_index_update", set_flat_item, X, (np.array([[0, 1], [2, 3]]), np.array([-1.0, -2.0, -3.0]))),
    ("flat_index_update", set_flat_item, X, (slice(0, 0), [])),
    ("flat_index_update", set_flat_item, X, ([1, 2], [])),
    ("flat_index_update", set_flat_item, X, (12, 1.0)),
    ("flat_index_update", set_flat_item, X, (..., 3)),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", STORES, ids=[f"{name}-{number}" for number, (name, *_) in enumerate(STORES)])
@pytest.mark.parametrize("mode", MODES)
def test_stores_are_numpys(case: Any, mode: str, tf: Any, parts: Any) -> None:
    name, numpys, array, arguments = case
    expected = outcome(lambda: written(numpys, array, *arguments))
    function = getattr(parts, name)
    if not (mode == "dynamic" and isinstance(expected, Exception)):
        check_same(expected, lambda: run_in(mode, function, array, arguments, tf))
    real = array.copy()
    if not isinstance(expected, Exception):
        assert function(real, *arguments) is real
        np.testing.assert_array_equal(real, expected)


def test_gradients_of_parts(tf: Any, parts: Any) -> None:
    x, v = tf.constant(X), tf.constant([2.0, 3.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch([x, v])
        y = tf.reduce_sum(parts.flat_index_update(x, [0, 1, 2], v) ** 2)
    by_x, by_v = tape.gradient(y, [x, v])
    assert by_v.numpy().tolist() == [8, 6]
    assert by_x.numpy().reshape(-1).tolist() == [0, 0, 0, *(2 * X.reshape(-1)[3:])]


@pytest.mark.parametrize("shape", [(2, 3), 7, (1,), (2, 0), (3, 5)])
@pytest.mark.parametrize("mode", ["ndarray", *MODES])
def test_resized_is_resize(shape: Any, mode: str, tf: Any, parts: Any) -> None:
    expected = X.astype(np.int32)
    expected.resize(shape, refcheck=False)
    array = X.astype(np.int32)
    if mode == "ndarray":
        np.testing.assert_array_equal(parts.resized(array, shape), expected)
        return
    check_same(expected, lambda: run_in(mode, lambda x: parts.resized(x, shape), array, (), tf))
    if isinstance(shape, tuple):
        check_same(expected, lambda: run_in(mode, lambda x: parts.resized(x, *shape), array, (), tf))


def test_resized_refuses_negative_sizes(parts: Any) -> None:
    with pytest.raises(ValueError, match="negative"):
        parts.resized(X, -1)


MAKERS = {
    "default_rng": lambda: np.random.default_rng(3).shuffle,
    "RandomState": lambda: np.random.RandomState(3).shuffle,
    "random": lambda: random.Random(3).shuffle,
}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("shape", [(7,), (7, 2), (1,), (0,), (3, 0), (2, 4, 3)])
@pytest.mark.parametrize("mode", ["eager", "graph", "dynamic"])
def test_shuffle_takes_the_generators_own_numbers(maker: str, shape: Any, mode: str, tf: Any, parts: Any) -> None:
    x = np.arange(np.prod(shape) * 1.0).reshape(shape)
    by_numpy, shuffle = MAKERS[maker](), MAKERS[maker]()
    first, second = x.copy(), np.arange(9)
    by_numpy(first)
    by_numpy(second)  # the streams stand at the same place afterwards
    check_same(first, lambda: run_in(mode, lambda one: parts.shuffled(one, shuffle), x, (), tf))
    np.testing.assert_array_equal(parts.shuffled(np.arange(9), shuffle), second)


@pytest.mark.parametrize("axis", [1, -1])
def test_shuffle_along_an_axis(axis: int, tf: Any, parts: Any) -> None:
    by_numpy, shuffle = np.random.default_rng(5), np.random.default_rng(5)
    first = X.copy()
    by_numpy.shuffle(first, axis=axis)
    for mode in ("eager", "graph"):
        shuffle = np.random.default_rng(5).shuffle
        check_same(first, lambda mode=mode: run_in(mode, lambda x: parts.shuffled(x, shuffle, axis), X, (), tf))  # noqa: B023
    array = X.copy()
    assert parts.shuffled(array, np.random.default_rng(5).shuffle, axis) is array
    np.testing.assert_array_equal(array, first)


def test_lists_and_variables_are_shuffled_in_place(tf: Any, parts: Any) -> None:
    cards, variable, wanted = [1, 2, 3, 4], tf.Variable([1, 2, 3, 4]), [1, 2, 3, 4]
    np.random.default_rng(1).shuffle(wanted)
    assert parts.shuffled(cards, np.random.default_rng(1).shuffle) is cards
    assert parts.shuffled(variable, np.random.default_rng(1).shuffle) is variable
    assert cards == variable.numpy().tolist() == wanted


def test_shuffle_is_drawn_in_order_with_other_numbers_while_a_graph_is_traced(tf: Any, parts: Any) -> None:
    rng, by_numpy = np.random.default_rng(1), np.random.default_rng(1)
    wanted = np.arange(20)
    by_numpy.shuffle(wanted)
    order, number = tf.function(lambda x: (parts.shuffled(x, rng.shuffle), rng.random()))(tf.range(20))
    np.testing.assert_array_equal(order, wanted)
    assert number == by_numpy.random()


def test_shuffle_of_unknown_size_runs_each_time_a_traced_function_does(tf: Any, parts: Any) -> None:
    shuffle, by_numpy = np.random.default_rng(1).shuffle, np.random.default_rng(1)
    traced = tf.function(lambda x: parts.shuffled(x, shuffle), input_signature=[tf.TensorSpec([None], tf.int32)])
    for _ in range(3):
        wanted = np.arange(20)
        by_numpy.shuffle(wanted)
        np.testing.assert_array_equal(traced(tf.range(20)), wanted)


def test_gradient_of_a_shuffle(tf: Any, parts: Any) -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(parts.shuffled(x, np.random.default_rng(1).shuffle) * [1.0, 10.0, 100.0])
    assert sorted(tape.gradient(y, x).numpy().tolist()) == [1, 10, 100]
