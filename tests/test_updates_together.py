"""Stores that are kept and done at once, against NumPy's own stores one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

if TYPE_CHECKING:
    from types import ModuleType

CASES = hypothesis.settings(max_examples=400, deadline=None, derandomize=True, database=None)
FORMS = [
    lambda i, j, _: i,
    lambda i, j, _: (i, j),
    lambda i, j, k: (i, j, k),
    lambda i, j, _: (slice(None), j),
    lambda i, j, k: (i, slice(None), k),
    lambda i, j, k: (slice(None), slice(None), k),
    lambda i, j, _: (i, ...),
    lambda i, j, k: (..., k),
    lambda i, j, _: np.int64(i),
    lambda i, j, _: slice(i, i + 2),
]  # fmt: skip


@pytest.fixture(scope="module")
def together(tensorflow: Any) -> ModuleType:
    assert tensorflow is not None
    from tnp_rules import updates_together

    return updates_together


@st.composite
def stores(draw: st.DrawFn) -> tuple[tuple[int, ...], list[tuple[Any, Any]]]:
    """Draw a shape, and stores of one form or of several; now and then one is out of range."""
    shape = draw(st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3)))
    forms = draw(st.lists(st.sampled_from(FORMS), min_size=1, max_size=draw(st.sampled_from([1, 1, 1, 2]))))
    found = []
    for number in range(draw(st.integers(0, 6))):
        i, j, k = (draw(st.integers(-size, size - 1 + (draw(st.integers(0, 30)) == 0))) for size in shape)
        index = draw(st.sampled_from(forms))(i, j, k)
        wanted = np.zeros(shape)[index].shape if in_range(shape, index) else ()
        whole = np.full(wanted, number + draw(st.sampled_from([0, 0.75]))) + np.arange(wanted[-1] if wanted else 1)[-1]
        forms_of_value = [whole, whole.astype(np.float32), float(number), number]
        forms_of_value += [[number], whole[None]] if wanted else []
        value = draw(st.sampled_from(forms_of_value))
        found.append((index, value))
    return shape, found


def in_range(shape: tuple[int, ...], index: Any) -> bool:
    try:
        np.zeros(shape)[index]
    except IndexError:
        return False
    return True


def one_by_one(x: Any, found: list[tuple[Any, Any]]) -> Any:
    """Do the stores as NumPy does; give the type of what it raises."""
    x = x.copy()
    try:
        for index, value in found:
            x[index] = value
    except (IndexError, ValueError) as error:
        return type(error)
    return x


def at_once(together: ModuleType, x: Any, found: list[tuple[Any, Any]], convert: Any = lambda value: value) -> Any:
    try:
        kept = together.Stores(x)
        for index, value in found:
            kept[index] = convert(value)
        return together.index_updates(x, kept)
    except (IndexError, ValueError) as error:
        return type(error)


def assert_equal(expected: Any, actual: Any) -> None:
    if isinstance(expected, type):
        assert actual is expected
        return
    assert actual.shape == expected.shape
    assert np.asarray(actual).dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(actual), expected)


@CASES
@hypothesis.given(stores(), st.sampled_from(["float64", "float32", "int32", "bool", "complex128"]), st.booleans())
def test_stores_equal_numpy(
    tf: Any, together: ModuleType, drawn: tuple[tuple[int, ...], list[Any]], dtype: str, as_tensors: bool
) -> None:
    shape, found = drawn
    x = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    convert = tf.convert_to_tensor if as_tensors else (lambda value: value)
    assert_equal(one_by_one(x, found), at_once(together, tf.constant(x), found, convert))
    assert_equal(one_by_one(x, found), at_once(together, x.copy(), found, convert))


@pytest.mark.parametrize("form", range(len(FORMS)))
@pytest.mark.parametrize("shape", [(3, 2, 2), (None, 2, None)], ids=["known", "unknown"])
def test_graph_equals_numpy(tf: Any, together: ModuleType, form: int, shape: tuple[Any, ...]) -> None:
    x = np.arange(12.0).reshape(3, 2, 2)
    places = [(0, 1, 1), (2, 0, 0), (0, 1, 1), (1, 1, 0)]
    found = [(FORMS[form](*place), float(number)) for number, place in enumerate(places)]

    @tf.function(input_signature=[tf.TensorSpec(shape, tf.float64), tf.TensorSpec([], tf.float64)])
    def run(given: Any, one: Any) -> Any:
        kept = together.Stores(given)
        for index, value in found:
            kept[index] = value * one
        return together.index_updates(given, kept)

    assert_equal(one_by_one(x, found), run(tf.constant(x), tf.constant(1.0, tf.float64)))


def test_gradients_go_to_what_is_stored_and_to_what_is_left(tf: Any, together: ModuleType) -> None:
    x, values = tf.constant([1.0, 2.0, 3.0]), tf.constant([5.0, 6.0, 7.0])
    for places in ([0, 1, 2], [2, 0, 2], [0]):
        with tf.GradientTape() as tape:
            tape.watch([x, values])
            kept = together.Stores(x)
            for number, place in enumerate(places):
                kept[place] = values[number] ** 2
            total = tf.reduce_sum(together.index_updates(x, kept) * [1.0, 10.0, 100.0])
        by_x, by_values = tape.gradient(total, [x, values], unconnected_gradients="zero")
        last = {place: number for number, place in enumerate(places)}
        weights = [1.0, 10.0, 100.0]
        np.testing.assert_array_equal(by_x, [0.0 if place in last else weights[place] for place in range(3)])
        expected = [2 * values[n].numpy() * weights[p] if last.get(p) == n else 0.0 for n, p in enumerate(places)]
        np.testing.assert_array_equal(by_values, [*expected, *[0.0] * (3 - len(places))])


def test_values_are_kept_as_they_are_at_the_store(tf: Any, together: ModuleType) -> None:
    x = tf.zeros([5, 2])
    kept = together.Stores(x)
    array, items, variable, place = np.ones(2), [3.0, 4.0], tf.Variable([5.0, 6.0]), np.array(2)
    buffer = bytearray([7, 8])
    kept[0], kept[1], kept[place], kept[4] = array, items, variable, buffer
    array[:], items[0], place[...], buffer[0] = 9, 9, 3, 9
    variable.assign([9.0, 9.0])
    np.testing.assert_array_equal(together.index_updates(x, kept), [[1, 1], [3, 4], [5, 6], [0, 0], [7, 8]])


def test_row_of_a_record_array_is_kept_as_it_is(together: ModuleType) -> None:
    x = np.zeros(2, dtype=[("name", "U3"), ("size", float)])
    source = np.array([("a", 1.0)], dtype=x.dtype)
    kept = together.Stores(x)
    kept[1] = source[0]
    source[0] = ("b", 2.0)
    assert together.index_updates(x, kept)[1] == np.array(("a", 1.0), dtype=x.dtype)


@pytest.mark.parametrize("make", [lambda: [0, 0], dict, lambda: np.array([None, None]), lambda: np.ma.zeros(2)])
def test_what_is_no_array_of_numbers_is_stored_into_directly(together: ModuleType, make: Any) -> None:
    x, value = make(), [1.5]
    kept = together.Stores(x)
    kept[1] = value if not isinstance(x, np.ma.MaskedArray) else 1.5
    assert x[1] is value or x[1] == 1.5
    assert together.index_updates(x, kept) is x


def test_variable_is_assigned_to(tf: Any, together: ModuleType) -> None:
    variable = tf.Variable([1.0, 2.0])
    kept = together.Stores(variable)
    kept[0] = 5.0
    np.testing.assert_array_equal(variable.numpy(), [5.0, 2.0])
    assert together.index_updates(variable, kept) is variable


def filled_by_tensor(together: ModuleType, x: Any, n: Any) -> Any:
    kept = together.Stores(x)
    for _ in range(n):
        kept[0] = 1.0
    return together.index_updates(x, kept)


def filled_if(together: ModuleType, x: Any, n: Any) -> Any:
    kept = together.Stores(x)
    if n > 5:
        kept[0] = 1.0
    return together.index_updates(x, kept)


@pytest.mark.parametrize("fill", [filled_by_tensor, filled_if])
def test_loop_or_branch_of_the_graph_is_an_error(tf: Any, together: ModuleType, fill: Any) -> None:
    assert fill(together, tf.zeros([2]), 6)[0] == 1.0
    with pytest.raises(NotImplementedError, match="depends on a tensor"):
        tf.function(fill)(together, tf.zeros([2]), tf.constant(3))


def test_whole_loop_may_stand_in_a_loop_of_the_graph(tf: Any, together: ModuleType) -> None:
    @tf.function
    def run(x: Any, n: Any) -> Any:
        for k in range(n):
            if k > 0:
                kept = together.Stores(x)
                for i in range(2):
                    kept[i] = x[i] + 1.0
                x = together.index_updates(x, kept)
        return x

    np.testing.assert_array_equal(run(tf.zeros([3]), tf.constant(4)), [3.0, 3.0, 0.0])


def test_compiled_by_xla(tf: Any, together: ModuleType) -> None:
    @tf.function(jit_compile=True)
    def run(x: Any) -> Any:
        kept = together.Stores(x)
        for i in range(1, 4):
            kept[i, 0] = x[i, 1] * i
        return together.index_updates(x, kept)

    x = np.arange(10.0).reshape(5, 2)
    expected = x.copy()
    expected[1:4, 0] = x[1:4, 1] * [1, 2, 3]
    np.testing.assert_array_equal(run(tf.constant(x)), expected)
