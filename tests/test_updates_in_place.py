"""NumPy's operations in place as functions: x[i] += v, np.add.at, np.put and their kin, eager and traced."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from test_updates import as_inputs, indices, on_tensors, with_inputs

if TYPE_CHECKING:
    from types import ModuleType

CASES = hypothesis.settings(max_examples=150, deadline=None, derandomize=True, database=None)
DTYPES = ("float64", "float32", "int32", "int64", "uint8", "bool", "complex128")
ASSIGNED: dict[str, Any] = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv, "//": operator.ifloordiv,
    "%": operator.imod, "**": operator.ipow, "&": operator.iand, "|": operator.ior, "^": operator.ixor,
    "<<": operator.ilshift, ">>": operator.irshift,
}  # fmt: skip
NAMED = {"+": "index_add", "-": "index_subtract", "*": "index_multiply", "/": "index_divide"}
X = np.arange(12.0).reshape(3, 4)


@pytest.fixture(scope="module")
def in_place(tensorflow: Any) -> ModuleType:
    """Import the operations, once TensorFlow is there."""
    assert tensorflow is not None
    from tnp_rules import updates_in_place

    return updates_in_place


@st.composite
def operations(draw: st.DrawFn) -> tuple[Any, Any, str, Any]:
    """Draw an array, an index, an operator, and an array or Python number to the right of it."""
    shape = tuple(draw(st.lists(st.integers(0, 4), min_size=1, max_size=3)))
    random = np.random.default_rng(draw(st.integers(0, 9999)))
    array = (random.normal(size=shape) * 5).astype(draw(st.sampled_from(DTYPES)))
    index = draw(indices(shape))
    try:
        selected = np.shape(array[index])
    except IndexError:
        selected = ()
    wanted = [1 if draw(st.sampled_from([False, False, True])) else size for size in selected]
    kind = draw(st.sampled_from(["int", "float", "bool", "float64", "float32", "int64", "bool_", "complex128"]))
    if kind in ("int", "float", "bool"):
        value = {"int": int, "float": float, "bool": bool}[kind](draw(st.integers(-2, 3)))
    else:
        value = (random.normal(size=wanted[draw(st.integers(0, len(wanted))) :]) * 4).astype(kind)
    return array, index, draw(st.sampled_from(list(ASSIGNED))), value


def numpy_operation(array: Any, index: Any, symbol: str, value: Any) -> Any:
    """Operate on a copy; give the error where NumPy raises one."""
    changed = array.copy()
    try:
        with np.errstate(all="ignore"):
            changed[index] = ASSIGNED[symbol](changed[index], value)
    except (IndexError, ValueError, TypeError, OverflowError) as error:
        return error
    return changed


def check_same(expected: Any, run: Any) -> None:
    """Assert the value and dtype that NumPy gives, or that it raises."""
    if isinstance(expected, Exception):
        with pytest.raises(Exception):  # noqa: B017 - TensorFlow's own errors are told from NumPy's below
            run()
        return
    actual = run()
    assert actual.dtype.as_numpy_dtype == expected.dtype
    np.testing.assert_allclose(actual.numpy(), expected, rtol=1e-6)


@pytest.mark.filterwarnings("ignore")
@CASES
@hypothesis.given(case=operations())
@pytest.mark.parametrize("form", ["arrays", "tensors"])
def test_index_operate_does_what_numpy_does(case: Any, form: str, tf: Any, in_place: Any) -> None:
    array, index, symbol, value = case
    hypothesis.assume(symbol != "**" or array.dtype != np.uint8)  # TensorFlow has no such kernel
    expected = numpy_operation(array, index, symbol, value)
    x = tf.constant(array)
    if form == "tensors":
        index, value = on_tensors(index, tf), tf.constant(value) if isinstance(value, np.ndarray) else value
    check_same(expected, lambda: in_place.index_operate(x, index, symbol, value))
    if symbol in NAMED:
        check_same(expected, lambda: getattr(in_place, NAMED[symbol])(x, index, value))
    np.testing.assert_array_equal(x.numpy(), array)


@pytest.mark.parametrize(
    ("array", "symbol", "value", "error"),
    [
        (np.arange(3), "/", 2, TypeError),
        (np.arange(3), "+", 0.5, TypeError),
        (np.arange(3, dtype=np.uint8), "+", -1, OverflowError),
        (np.ones(3), "+", 1j, TypeError),
    ],
)
def test_errors_are_numpys(array: Any, symbol: str, value: Any, error: Any, tf: Any, in_place: Any) -> None:
    assert isinstance(numpy_operation(array, slice(2), symbol, value), error)
    with pytest.raises(error):
        in_place.index_operate(tf.constant(array), slice(2), symbol, value)


@pytest.mark.parametrize("kind", ["ndarray", "variable", "list", "dict"])
def test_what_can_be_written_to_is(kind: str, tf: Any, in_place: Any) -> None:
    target = {
        "ndarray": np.arange(3.0),
        "variable": tf.Variable([0.0, 1.0, 2.0]),
        "list": [0.0, 1.0, 2.0],
        "dict": {1: 1.0},
    }[kind]
    assert in_place.index_add(target, 1, 2) is target
    assert in_place.index_multiply(target, 1, 5) is target
    assert in_place.index_subtract(target, 1, 1) is target
    assert in_place.index_divide(target, 1, 4) is target
    assert in_place.index_operate(target, 1, "**", 2) is target
    assert float(target[1]) == 12.25


def test_list_of_arrays_changes_its_array(in_place: Any) -> None:
    rows = [np.zeros(2), np.ones(2)]
    row = rows[1]
    assert in_place.index_add(rows, 1, 2) is rows
    assert rows[1] is row
    assert row.tolist() == [3, 3]


# name, array, arguments behind it, and what NumPy calls
WRITES: list[Any] = [
    ("diagonal_update", X, (7,), np.fill_diagonal),
    ("diagonal_update", X.T.copy(), (np.array([1.0, 2.0, 3.0]),), np.fill_diagonal),
    ("diagonal_update", np.zeros((7, 3)), (np.array([1.0, 2.0]), True), np.fill_diagonal),
    ("diagonal_update", np.zeros((7, 3)), (5.0,), np.fill_diagonal),
    ("diagonal_update", np.zeros((3, 3, 3), np.int32), (2.7,), np.fill_diagonal),
    ("diagonal_update", np.zeros((0, 0)), (1.0,), np.fill_diagonal),
    ("flat_update", X, (np.array([0, -1, 5, 0]), np.array([10.0, 20.0])), np.put),
    ("flat_update", X, (np.array([], np.int64), 1.0), np.put),
    ("flat_update", np.arange(4), (np.array([[1], [2]]), 9.9), np.put),
    ("flat_update", X, (np.array([13, -1, -14]), np.array([5.0, 6.0, 7.0]), "wrap"), np.put),
    ("flat_update", X, (np.array([13, -1, 4]), np.array([5.0, 6.0, 7.0]), "clip"), np.put),
    ("mask_update", X, (X > 4, np.array([-1.0, -2.0])), np.putmask),
    ("mask_update", X, (X > 4, X * 10), np.putmask),
    ("mask_update", X.astype(np.float32), (X > 40, 1), np.putmask),
    ("place_update", X, (X > 4, np.array([-1.0, -2.0])), np.place),
    ("place_update", X, (X < 0, np.array([-1.0])), np.place),
    ("along_axis_update", X, (np.array([[1], [0], [3]]), 9.0, 1), np.put_along_axis),
    ("along_axis_update", X, (np.array([[1, 0, 2, 1]]), np.arange(4.0), 0), np.put_along_axis),
    ("along_axis_update", X, (np.array([[1, -1]]), np.array([[5.0, 6.0]]), -1), np.put_along_axis),
    ("along_axis_update", X, (np.array([1, 11]), np.array([5.0, 6.0]), None), np.put_along_axis),
]
NAMES = [f"{name}-{number}" for number, (name, *_) in enumerate(WRITES)]


@pytest.mark.parametrize("case", WRITES, ids=NAMES)
@pytest.mark.parametrize("mode", ["eager", "tensors", "graph", "dynamic", "xla"])
def test_writes_of_whole_functions(case: Any, mode: str, tf: Any, in_place: Any) -> None:
    name, array, arguments, numpys = case
    expected = array.copy()
    numpys(expected, *arguments)
    function = getattr(in_place, name)
    real = array.copy()
    assert function(real, *on_tensors(arguments, tf)) is real
    np.testing.assert_array_equal(real, expected)
    if mode in ("eager", "tensors"):
        given = on_tensors(arguments, tf) if mode == "tensors" else arguments
        actual = function(tf.constant(array), *given)
    else:
        parts = as_inputs(arguments)

        def run(x: Any, *tensors: Any) -> Any:
            return function(x, *with_inputs(arguments, tensors))

        inputs = [tf.constant(part) for part in (array, *parts)]
        dynamic = [tf.TensorSpec([None] * part.shape.rank, part.dtype) for part in inputs]
        signature = dynamic if mode == "dynamic" else None
        traced = tf.function(run, input_signature=signature, jit_compile=mode == "xla", autograph=False)
        actual = traced(*inputs)
    assert actual.dtype.as_numpy_dtype == expected.dtype
    np.testing.assert_array_equal(actual.numpy(), expected)


def test_nothing_to_store_changes_nothing(tf: Any, in_place: Any) -> None:
    np.testing.assert_array_equal(in_place.flat_update(tf.constant(X), [1, 2], []).numpy(), X)
    np.testing.assert_array_equal(in_place.mask_update(tf.constant(X), X > 4, []).numpy(), X)
    np.testing.assert_array_equal(in_place.place_update(tf.constant(X), X < 0, []).numpy(), X)
    with pytest.raises(ValueError, match="empty array"):
        in_place.place_update(tf.constant(X), X > 4, [])


@pytest.mark.parametrize("index", [1, (1, -1), slice(0, 2), X > 4, np.array([0, 2]), (slice(None), np.array([1, 3]))])
def test_gradients_of_operations(index: Any, tf: Any, in_place: Any) -> None:
    def loss(x: Any, v: Any) -> Any:
        weights = tf.reshape(tf.cast(tf.range(12), tf.float64), [3, 4])
        return tf.reduce_sum(weights * in_place.index_multiply(in_place.index_add(x, index, v), index, v) ** 2)

    def slopes(x: Any, v: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, v])
            y = loss(x, v)
        return tape.gradient(y, [x, v])

    x, v = tf.constant(X + 1), tf.constant(1.5, tf.float64)
    by_x, by_v = slopes(x, v)
    step = np.random.default_rng(3).normal(size=X.shape)
    wanted = (loss(x + 1e-6 * step, v + 1e-6) - loss(x - 1e-6 * step, v - 1e-6)) / 2e-6
    np.testing.assert_allclose(np.sum(by_x.numpy() * step) + by_v.numpy(), wanted, rtol=1e-7)
    for compiled in (False, True):
        traced_x, traced_v = tf.function(slopes, jit_compile=compiled)(x, v)
        np.testing.assert_allclose(traced_x, by_x)
        np.testing.assert_allclose(traced_v, by_v)


def test_operation_on_a_name_keeps_dtype_and_shape(tf: Any, in_place: Any) -> None:
    x = tf.constant([1.0, 2.0])
    assert in_place.in_place(x, tf.constant([0.5, 0.25], tf.float64)).dtype == tf.float32
    same = tf.constant([3.0, 4.0])
    assert in_place.in_place(x, same) is same
    assert in_place.in_place(x, tf.constant(5.0)).numpy().tolist() == [5, 5]
    with pytest.raises(ValueError, match="broadcast"):
        in_place.in_place(x, tf.zeros([2, 2]))
    with pytest.raises(TypeError):
        in_place.in_place(tf.constant([1]), tf.constant([0.5]))
    assert in_place.in_place(tf.constant([1, 2], tf.uint8), 3).numpy().tolist() == [3, 3]
    with pytest.raises(OverflowError):
        in_place.in_place(tf.constant([1, 2], tf.uint8), 300)
    array = np.zeros(2, np.float32)
    assert in_place.in_place(array, tf.constant([1.5, 2.5], tf.float64)) is array
    assert array.tolist() == [1.5, 2.5]


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "graph"])
@pytest.mark.parametrize(
    ("x", "first", "second"),
    [(np.arange(4), 0, -1), (X, 0, 2), (X, (0, 1), (2, 3)), (X, 1, 1)],
    ids=["elements", "rows", "elements of rows", "itself"],
)
def test_swap_is_numpys(x: Any, first: Any, second: Any, traced: bool, tf: Any, in_place: Any) -> None:
    expected = x.copy()
    expected[first], expected[second] = expected[second], expected[first]
    swap = tf.function(in_place.index_swap) if traced else in_place.index_swap
    np.testing.assert_array_equal(swap(tf.constant(x), first, second).numpy(), expected)
    copied = x.copy()
    assert in_place.index_swap(copied, first, second) is copied
    np.testing.assert_array_equal(copied, expected)
