"""index_update and getitem against NumPy's own stores and reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

if TYPE_CHECKING:
    from types import ModuleType

DTYPES = ("float64", "float32", "int32", "uint8", "bool", "complex128")
CASES = hypothesis.settings(max_examples=1500, deadline=None, derandomize=True, database=None)
COMPILED = hypothesis.settings(max_examples=20, deadline=None, derandomize=True, database=None)
TRACED = hypothesis.settings(max_examples=80, deadline=None, derandomize=True, database=None)
X = np.arange(12.0).reshape(3, 4)
CUBE = np.arange(24.0).reshape(2, 3, 4)


@pytest.fixture(scope="module")
def updates(tensorflow: Any) -> ModuleType:
    """Import the stores, once TensorFlow is there."""
    assert tensorflow is not None
    from tnp_rules import updates

    return updates


@st.composite
def indices(draw: st.DrawFn, shape: tuple[int, ...]) -> Any:
    """Draw an index of any form that NumPy has, now and then one out of range."""
    items: list[Any] = []
    axis = 0
    common = draw(st.lists(st.integers(0, 3), min_size=1, max_size=2))
    used = draw(st.integers(0, len(shape)))
    while axis < used:
        size = shape[axis]
        forms = ["int", "slice", "slice", "array", "array", "mask", "none", "ellipsis", "truth"]
        form = draw(st.sampled_from(forms))
        if form == "int" and size:
            items.append(draw(st.integers(-size, size - 1 + draw(st.sampled_from([0] * 9 + [1])))))
        elif form == "slice" or (form in ("int", "array") and not size):
            bound = st.none() | st.integers(-size - 2, size + 2)
            items.append(slice(draw(bound), draw(bound), draw(st.sampled_from([None, None, 1, 2, -1, -2]))))
        elif form == "array":
            part = [1 if draw(st.booleans()) else length for length in common]
            values = draw(st.lists(st.integers(-size, size - 1), min_size=int(np.prod(part)), max_size=9))
            array = np.array(values[: int(np.prod(part))], np.int64).reshape(part)
            items.append(array.tolist() if draw(st.booleans()) and array.size else array)
        elif form == "mask":
            width = draw(st.integers(1, len(shape) - axis))
            size = int(np.prod(shape[axis : axis + width]))
            bits = draw(st.lists(st.booleans(), min_size=size, max_size=size))
            items.append(np.array(bits, bool).reshape(shape[axis : axis + width]))
            axis += width - 1
        elif form == "none":
            items.append(None)
        elif form == "truth":
            items.append(draw(st.sampled_from([np.array(True), np.array(False), np.bool_(True)])))
        elif Ellipsis not in [item for item in items if item is Ellipsis]:
            items.append(Ellipsis)
        axis += form not in ("none", "ellipsis", "truth")
    return items[0] if len(items) == 1 and draw(st.booleans()) else tuple(items)


@st.composite
def stores(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """Draw an array, an index, and a value that broadcasts to what the index selects."""
    shape = tuple(draw(st.lists(st.integers(0, 4), min_size=1, max_size=3)))
    random = np.random.default_rng(draw(st.integers(0, 9999)))
    array = (random.normal(size=shape) * 5).astype(draw(st.sampled_from(DTYPES)))
    index = draw(indices(shape))
    try:
        selected = np.shape(array[index])
    except IndexError:
        selected = ()
    wanted = [1 if draw(st.sampled_from([False, False, True])) else size for size in selected]
    wanted = [1] * draw(st.sampled_from([0, 0, 0, 1])) * bool(selected) + wanted
    value = (random.normal(size=wanted[draw(st.integers(0, len(wanted))) :]) * 5).astype(
        draw(st.sampled_from(["float64", "float32", "int64"]))
    )
    return array, index, value


def on_tensors(index: Any, tf: Any) -> Any:
    """Turn the arrays of an index into tensors."""
    if isinstance(index, tuple):
        return tuple(on_tensors(item, tf) for item in index)
    return tf.constant(index) if isinstance(index, np.ndarray) else index


def as_inputs(index: Any) -> list[np.ndarray]:
    """List the arrays of an index."""
    items = index if isinstance(index, tuple) else (index,)
    return [item for item in items if isinstance(item, np.ndarray)]


def with_inputs(index: Any, tensors: Any) -> Any:
    """Put tensors in the places of an index's arrays."""
    stream = iter(tensors)
    if not isinstance(index, tuple):
        return next(stream) if isinstance(index, np.ndarray) else index
    return tuple(next(stream) if isinstance(item, np.ndarray) else item for item in index)


def numpy_store(array: Any, index: Any, value: Any) -> Any:
    """Store in a copy; give the error where NumPy raises one."""
    stored = array.copy()
    try:
        with np.errstate(all="ignore"):
            stored[index] = value
    except (IndexError, ValueError, TypeError) as error:
        return error
    return stored


def check_same(expected: Any, run: Any) -> None:
    """Assert the value and dtype that NumPy gives, or its kind of error."""
    if isinstance(expected, Exception):
        with pytest.raises((IndexError, ValueError, TypeError)):
            run()
        return
    actual = run()
    assert actual.dtype.as_numpy_dtype == expected.dtype
    np.testing.assert_array_equal(actual.numpy(), expected)


def sets_element_with_sequence(array: Any, index: Any, value: Any) -> bool:
    """Say whether a store puts a one-element array into one element, which NumPy allowed until 2.4."""
    try:
        return np.shape(array[index]) == () and not isinstance(array[index], np.ndarray) and value.ndim > 0
    except IndexError:
        return False


@CASES
@hypothesis.given(case=stores())
@pytest.mark.parametrize("form", ["arrays", "tensors"])
def test_index_update_stores_as_numpy_does(case: Any, form: str, tf: Any, updates: Any) -> None:
    array, index, value = case
    hypothesis.assume(not sets_element_with_sequence(array, index, value))
    expected = numpy_store(array, index, value)
    x = tf.constant(array)
    if form == "tensors":
        index, value = on_tensors(index, tf), tf.constant(value)
    check_same(expected, lambda: updates.index_update(x, index, value))
    np.testing.assert_array_equal(x.numpy(), array)


@TRACED
@hypothesis.given(case=stores())
def test_store_does_not_rely_on_scatter_order(case: Any, tf: Any, updates: Any) -> None:
    """What runs for tensors as indices on a GPU: the coordinates as tensors, the last of equal positions chosen."""
    array, index, value = case
    hypothesis.assume(not sets_element_with_sequence(array, index, value))
    expected = numpy_store(array, index, value)
    hypothesis.assume(not isinstance(expected, Exception))
    arrays = as_inputs(index)
    hypothesis.assume(arrays)

    def store(x: Any, v: Any, *tensors: Any) -> Any:
        return updates.index_update(x, with_inputs(index, tensors), v)

    inputs = [tf.constant(array) for array in (array, value, *arrays)]
    with tf.init_scope():
        signature = [tf.TensorSpec([None] * part.shape.rank, part.dtype) for part in inputs]
    traced = tf.function(store, input_signature=signature, autograph=False)
    np.testing.assert_array_equal(traced(*inputs).numpy(), expected)


@COMPILED
@hypothesis.given(case=stores())
@pytest.mark.parametrize("jit_compile", [False, True])
def test_known_shapes_compile(case: Any, jit_compile: bool, tf: Any, updates: Any) -> None:
    array, index, value = case
    hypothesis.assume(not sets_element_with_sequence(array, index, value))
    expected = numpy_store(array, index, value)
    hypothesis.assume(not isinstance(expected, Exception))

    def store(x: Any, v: Any) -> Any:
        return updates.index_update(x, index, v)

    traced = tf.function(store, jit_compile=jit_compile)
    check_same(expected, lambda: traced(tf.constant(array), tf.constant(value)))


@CASES
@hypothesis.given(case=stores())
def test_getitem_reads_as_numpy_does(case: Any, tf: Any, updates: Any) -> None:
    array, index, _ = case
    try:
        expected = np.asarray(array[index])
    except IndexError as error:
        expected = error
    check_same(expected, lambda: updates.getitem(tf.constant(array), index))
    check_same(expected, lambda: updates.getitem(tf.constant(array), on_tensors(index, tf)))


@pytest.mark.parametrize(
    ("index", "value"),
    [
        (np.array([0, 2, 0, 0]), np.array([1.0, 2.0, 3.0, 4.0])[:, None]),
        ((np.array([0, 0]), np.array([1, 1])), np.array([5.0, 6.0])),
        ((slice(None), np.array([1, 1])), np.array([5.0, 6.0])),
    ],
)
@pytest.mark.parametrize("known", [True, False])
def test_last_of_equal_positions_wins(index: Any, value: Any, known: Any, tf: Any, updates: Any) -> None:
    expected = numpy_store(X, index, value)
    if known:
        store = tf.function(lambda x, v: updates.index_update(x, index, v))
        actual = store(tf.constant(X), tf.constant(value))
    else:
        store = tf.function(lambda x, v, *i: updates.index_update(x, with_inputs(index, i), v))
        actual = store(tf.constant(X), tf.constant(value), *[tf.constant(item) for item in as_inputs(index)])
    np.testing.assert_array_equal(actual.numpy(), expected)


FORMS = {
    "int": (1, 5.0),
    "element": ((1, -1), 5.0),
    "rows": (slice(0, 2), np.ones(4)),
    "inner": ((slice(1, -1), slice(1, None, 2)), 7.0),
    "mask": (X > 4, 0.0),
    "mask with values": (X > 4, -np.arange(7.0)),
    "row mask": (np.array([True, False, True]), np.array([[1.0], [2.0]])),
    "fancy": (np.array([2, 0, 2]), np.arange(12.0).reshape(3, 4)),
    "mixed": ((slice(None), np.array([1, 3])), 2.0),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("mode", ["eager", "graph", "xla"])
def test_gradients_reach_array_and_value(form: str, mode: str, tf: Any, updates: Any) -> None:
    index, value = FORMS[form]
    tensors = [tf.constant(item) for item in as_inputs(index)]

    def loss(x: Any, v: Any, *parts: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, v])
            weights = tf.reshape(tf.range(12.0), [3, 4])
            y = tf.reduce_sum(tf.cast(weights, tf.float64) * updates.index_update(x, with_inputs(index, parts), v) ** 2)
        return tape.gradient(y, [x, v])

    run = {"eager": loss, "graph": tf.function(loss), "xla": tf.function(loss, jit_compile=True)}[mode]
    by_x, by_v = run(tf.constant(X + 1), tf.constant(value), *tensors)
    chosen = np.full(X.shape, -1)
    numbers = np.arange(np.size(value)).reshape(np.shape(value))
    chosen[index] = numbers
    slope = 2 * np.arange(12.0).reshape(3, 4) * numpy_store(X + 1, index, value)
    np.testing.assert_allclose(by_x.numpy(), np.where(chosen < 0, slope, 0))
    wanted = np.bincount(chosen[chosen >= 0], slope[chosen >= 0], minlength=np.size(value)).reshape(np.shape(value))
    np.testing.assert_allclose(by_v.numpy(), wanted)


def test_loop_over_a_traced_index(tf: Any, updates: Any) -> None:
    @tf.function(jit_compile=True)
    def powers(x: Any) -> Any:
        for i in tf.range(1, 5):
            x = updates.index_update(x, i, 2 * updates.getitem(x, i - 1))
        return x

    assert powers(tf.constant([1.0, 0, 0, 0, 0])).numpy().tolist() == [1, 2, 4, 8, 16]


@pytest.mark.parametrize("value", [-1.0, np.array([[-1.0, -2.0, -3.0, -4.0]]), "row"])
@pytest.mark.parametrize(
    "bounds",
    [(None, "i"), ("i", None), ("i", -1), (1, "i"), (None, "i", -1), ("i", None, -1), ("i", None, 2), ("i", "i")],
)
def test_traced_slice_bounds(bounds: Any, value: Any, tf: Any, updates: Any) -> None:
    square = np.arange(16.0).reshape(4, 4)

    def store(x: Any, i: Any, *, across: bool) -> Any:
        part = slice(*[i if bound == "i" else bound for bound in bounds])
        new = x[0, part] if isinstance(value, str) else value
        return updates.index_update(x, (slice(None), part) if isinstance(value, str) or across else part, new)

    for across in (False, True):
        if across and isinstance(value, np.ndarray):
            continue
        compiled = [False] if isinstance(value, str) else [False, True]
        for jit_compile in compiled:
            traced = tf.function(lambda x, i, across=across: store(x, i, across=across), jit_compile=jit_compile)
            for i in (0, 1, 3, -1, -2, 9, -9):
                expected = store(square.copy(), i, across=across)
                np.testing.assert_array_equal(traced(tf.constant(square), tf.constant(i)).numpy(), expected)


def test_traced_triangle(tf: Any, updates: Any) -> None:
    @tf.function(jit_compile=True)
    def lower(x: Any) -> Any:
        for i in tf.range(4):
            x = updates.index_update(x, (i, slice(i + 1, None)), 0.0)
        return x

    square = np.arange(16.0).reshape(4, 4)
    np.testing.assert_array_equal(lower(tf.constant(square)).numpy(), np.tril(square))


@pytest.mark.parametrize(
    ("value", "error"),
    [(np.nan, ValueError), (300, OverflowError), (1j, TypeError), ("a", ValueError)],
)
def test_scalars_that_do_not_fit_raise_as_in_numpy(value: Any, error: Any, tf: Any, updates: Any) -> None:
    with pytest.raises(error):
        np.zeros(2, np.uint8)[0] = value
    with pytest.raises(error):
        updates.index_update(tf.zeros(2, tf.uint8), 0, value)


@pytest.mark.parametrize("index", [3, -4, (0, 4), np.array([3]), (np.array([0]), np.array([4])), np.ones(4, bool)])
def test_out_of_range_is_an_index_error(index: Any, tf: Any, updates: Any) -> None:
    for form in (index, on_tensors(index, tf)):
        with pytest.raises(IndexError):
            updates.index_update(tf.constant(X), form, 0.0)
        with pytest.raises(IndexError):
            updates.getitem(tf.constant(X), form)


def test_out_of_range_in_a_graph_is_an_error(tf: Any, updates: Any) -> None:
    store = tf.function(lambda x, i: updates.index_update(x, (i, i), 0.0))
    with pytest.raises(tf.errors.InvalidArgumentError):
        store(tf.constant(X), tf.constant([3]))


@pytest.mark.parametrize("index", [3.0, "a", np.array([1.0]), (0, 0, 0), (Ellipsis, Ellipsis)])
def test_what_is_no_index_is_an_index_error(index: Any, tf: Any, updates: Any) -> None:
    with pytest.raises(IndexError):
        X[index]
    with pytest.raises(IndexError):
        updates.index_update(tf.constant(X), index, 0.0)
    with pytest.raises(IndexError):
        updates.getitem(tf.constant(X), index)


@pytest.mark.parametrize("index", [[[0, 1], [1, 0]], (0, slice(None), [0, 2]), ([0], Ellipsis, [1]), [], (None, 1)])
def test_reads_that_tensors_get_wrong(index: Any, tf: Any, updates: Any) -> None:
    actual = updates.getitem(tf.constant(CUBE), index)
    assert actual.shape == CUBE[index].shape
    np.testing.assert_array_equal(actual.numpy(), CUBE[index])


def test_real_stores_change_and_return_their_target(tf: Any, updates: Any) -> None:
    array, row, table = np.zeros(3), [0, 1], {"a": 1}
    view = array[1:]
    assert updates.index_update(view, 0, tf.constant(5.0)) is view
    assert array.tolist() == [0, 5, 0]
    assert updates.index_update(array, tf.constant([0, 2]), 1) is array
    assert updates.index_update(row, tf.constant(1), "x") is row
    assert row == [0, "x"]
    assert updates.index_update(table, tf.constant(2), 3) is table
    assert table == {"a": 1, 2: 3}
    variable = tf.Variable([1.0, 2.0])
    assert updates.index_update(variable, slice(1, None), 7) is variable
    assert variable.numpy().tolist() == [1, 7]


def test_ndarray_with_a_traced_value_becomes_a_tensor(tf: Any, updates: Any) -> None:
    filled = tf.function(lambda v: updates.index_update(np.zeros(3), 1, v))
    assert filled(tf.constant(2.0)).numpy().tolist() == [0, 2, 0]


def test_index_apply_reads_and_stores_once(tf: Any, updates: Any) -> None:
    actual = updates.index_apply(tf.constant(X), (slice(None), [0, -1]), lambda old: old * 10)
    expected = X.copy()
    expected[:, [0, -1]] *= 10
    np.testing.assert_array_equal(actual.numpy(), expected)


@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize("rest", [(), (None,), (None, None), (..., None)])
def test_truth_picks_all_or_nothing_of_an_array_without_axes(
    truth: bool, rest: tuple[Any, ...], updates: ModuleType, tensorflow: Any
) -> None:
    number, index = np.array(2.5), (np.array(truth), *rest)
    read = updates.getitem(tensorflow.constant(number), index)
    np.testing.assert_array_equal(np.asarray(read), number[index], strict=True)
    stored = number.copy()
    stored[index] = 7
    np.testing.assert_array_equal(np.asarray(updates.index_update(tensorflow.constant(number), index, 7.0)), stored)
