"""np.<ufunc>.at, out= with where=, dtype= and casting=, and np.copyto as functions, against NumPy's own."""

from __future__ import annotations

import importlib
from functools import partial
from typing import TYPE_CHECKING, Any

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from test_updates import as_inputs, indices, on_tensors, with_inputs
from test_updates_in_place import check_same

from tnp_migrate.numpy_facts.names_table import canonical
from tnp_migrate.numpy_facts.rulebook import read_rulebook
from tnp_migrate.numpy_facts.traits import UFUNCS_AT

if TYPE_CHECKING:
    from types import ModuleType

CASES = hypothesis.settings(max_examples=150, deadline=None, derandomize=True, database=None)
DTYPES = ("float64", "float32", "int32", "int64", "uint8", "bool")
X = np.arange(12.0).reshape(3, 4)
NO_KERNEL = {
    "bool": "abs absolute conj conjugate logaddexp nextafter positive power square".split(),
    "int64": ["mod", "reciprocal", "remainder"],  # what NumPy leaves undefined: by zero
}
MODES = ["eager", "tensors", "graph", "dynamic"]


@pytest.fixture(scope="module")
def ufuncs(tensorflow: Any) -> ModuleType:
    """Import the helpers, once TensorFlow is there."""
    assert tensorflow is not None
    from tnp_rules import updates_ufuncs

    return updates_ufuncs


def translated(name: str) -> Any:
    """The function that stands for np.<name> where it is passed on."""
    target = canonical(f"numpy.{name}")
    rule = read_rulebook().find(target)
    if rule is None:
        return getattr(importlib.import_module("tensorflow.experimental.numpy"), target[6:])
    return getattr(importlib.import_module(f"tnp_rules.{rule.module}"), rule.name)


def outcome(run: Any) -> Any:
    """The result, or the error that NumPy raises."""
    try:
        with np.errstate(all="ignore"):
            return run()
    except (IndexError, ValueError, TypeError, OverflowError) as error:
        return error


def written(function: Any, array: Any, *given: Any, **words: Any) -> Any:
    """What a function of NumPy makes of a copy of an array."""
    changed = array.copy()
    function(changed, *given, **words)
    return changed


def run_in(mode: str, function: Any, array: Any, arguments: Any, tf: Any) -> Any:
    """Call a helper with a tensor: its other arguments as they are, as tensors, or traced."""
    if mode in ("eager", "tensors"):
        return function(tf.constant(array), *(on_tensors(arguments, tf) if mode == "tensors" else arguments))

    def run(x: Any, *tensors: Any) -> Any:
        return function(x, *with_inputs(arguments, tensors))

    inputs = [tf.constant(part) for part in (array, *as_inputs(arguments))]
    dynamic = [tf.TensorSpec([None] * part.shape.rank, part.dtype) for part in inputs]
    traced = tf.function(run, input_signature=dynamic if mode == "dynamic" else None, autograph=False)
    return traced(*inputs)


@st.composite
def changes(draw: st.DrawFn) -> tuple[Any, Any, str, Any]:
    """Draw an array, an index, a ufunc of two operands, and what it is given beside the array's elements."""
    shape = tuple(draw(st.lists(st.integers(0, 4), min_size=1, max_size=3)))
    random = np.random.default_rng(draw(st.integers(0, 9999)))
    array = (random.normal(size=shape) * 5).astype(draw(st.sampled_from(DTYPES)))
    index = draw(indices(shape))
    try:
        selected = np.shape(array[index])
    except IndexError:
        selected = ()
    wanted = [1 if draw(st.sampled_from([False, False, True])) else size for size in selected]
    kind = draw(st.sampled_from(["int", "float", "float64", "float32", "int64", "bool_", "uint8"]))
    if kind in ("int", "float"):
        value = {"int": int, "float": float}[kind](draw(st.integers(-2, 3)))
    else:
        value = (random.normal(size=wanted[draw(st.integers(0, len(wanted))) :]) * 4).astype(kind)
        if value.dtype.kind == "f" and value.size:
            value.flat[0] = np.nan
    names = ["maximum", "minimum", "multiply", "subtract", "fmax", "hypot", "logical_or", "bitwise_xor", "divide"]
    return array, index, draw(st.sampled_from(names)), value


@pytest.mark.filterwarnings("ignore")
@CASES
@hypothesis.given(case=changes())
@pytest.mark.parametrize("mode", ["eager", "tensors"])
def test_ufunc_at_does_what_numpy_does(case: Any, mode: str, tf: Any, ufuncs: Any) -> None:
    array, index, name, value = case
    expected = outcome(lambda: written(getattr(np, name).at, array, index, value))
    if not isinstance(expected, Exception) and array.dtype == bool:
        hypothesis.assume(name != "subtract")
    arguments = (index, value) if mode == "eager" else (on_tensors(index, tf), on_tensors(value, tf))
    check_same(expected, lambda: ufuncs.ufunc_at(tf.constant(array), translated(name), *arguments))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(name for names in UFUNCS_AT.values() for name in names))
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool"])
def test_every_ufunc_at_is_numpys(name: str, dtype: str, tf: Any, ufuncs: Any) -> None:
    if name in NO_KERNEL.get(dtype, ()):
        pytest.skip("TensorFlow has no such kernel, and says so")
    array = np.array([0.25, 0.5, 1.0, 0.75, 0.0]).astype(dtype) if dtype != "int64" else np.array([3, 1, 4, 2, 9])
    index = np.array([0, 2, 0, 3, -5, 2])
    operands = [np.array([1.5, 1, 2, 1, 1, 3]).astype(dtype)] * (getattr(np, name).nin - 1)
    expected = outcome(lambda: written(getattr(np, name).at, array, index, *operands))
    given = (index, *operands)
    check_same(expected, lambda: run_in("eager", partial(at, ufuncs, name), array, given, tf))
    check_same(expected, lambda: run_in("graph", partial(at, ufuncs, name), array, given, tf))


def at(ufuncs: Any, name: str, x: Any, *given: Any) -> Any:
    """Call the helper with the function that stands for np.<name>."""
    return ufuncs.ufunc_at(x, translated(name), *given)


AT: list[Any] = [
    ("maximum", X, ([0, 1, 0], np.array([[5.0], [20.0], [3.0]]))),
    ("multiply", X, ((np.array([0, 0]), np.array([1, 1])), 3)),
    ("multiply", X, (slice(None, None, 2), np.array([1.0, 2.0, 3.0, 4.0]))),
    ("negative", X, ((slice(None), 0),)),
    ("negative", X, (np.array([2, 2, 1]),)),
    ("minimum", X, (X > 5, 6.5)),
    ("maximum", np.arange(4), (np.array([3, 3, -1]), 9)),
    ("add", np.arange(4, dtype=np.int8), (np.array([3, 3]), 200)),
    ("divide", X, (np.array([1, 1]), np.array([[2.0], [0.5]]))),
    ("maximum", np.array([np.nan, -np.inf, 1.0, -np.inf]), ([0, 1, 2, 3], np.array([1.0, -np.inf, np.nan, 3.0]))),
    ("power", X, (np.array([], np.int64), 2.0)),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", AT, ids=[f"{name}-{number}" for number, (name, *_) in enumerate(AT)])
@pytest.mark.parametrize("mode", MODES)
def test_ufunc_at_in_every_mode(case: Any, mode: str, tf: Any, ufuncs: Any) -> None:
    name, array, arguments = case
    expected = written(getattr(np, name).at, array, *arguments)
    real = array.copy()
    assert ufuncs.ufunc_at(real, translated(name), *on_tensors(arguments, tf)) is real
    np.testing.assert_array_equal(real, expected)
    actual = run_in(mode, lambda x, *given: ufuncs.ufunc_at(x, translated(name), *given), array, arguments, tf)
    assert actual.dtype.as_numpy_dtype == expected.dtype
    np.testing.assert_array_equal(actual.numpy(), expected)


# helper, array, arguments behind it
SUMS: list[Any] = [
    ("add_at", X, (np.array([0, 0, 2]), np.array([[1.0], [2.0], [3.0]]))),
    ("add_at", X, ((np.array([0, 0]), np.array([1, 1])), 0.5)),
    ("add_at", np.arange(4), (np.array([3, 3, -1]), 2)),
    ("subtract_at", X, (np.array([[0, 2], [2, 2]]), np.arange(4.0))),
    ("add_at", np.arange(4), (np.array([3, 3, 0]), 0.75)),
    ("subtract_at", np.arange(4), (np.array([3, 3, 0]), np.array([0.75, -1.5, 2.0]))),
]


@pytest.mark.parametrize("case", SUMS, ids=[f"{name}-{number}" for number, (name, *_) in enumerate(SUMS)])
@pytest.mark.parametrize("mode", MODES)
def test_sums_at_positions(case: Any, mode: str, tf: Any, ufuncs: Any) -> None:
    name, array, arguments = case
    expected = written(getattr(np, name.removesuffix("_at")).at, array, *arguments)
    real = array.copy()
    assert getattr(ufuncs, name)(real, *on_tensors(arguments, tf)) is real
    np.testing.assert_array_equal(real, expected)
    check_same(expected, lambda: run_in(mode, getattr(ufuncs, name), array, arguments, tf))


@pytest.mark.parametrize("name", ["maximum", "multiply"])
def test_gradients_of_ufunc_at(name: str, tf: Any, ufuncs: Any) -> None:
    def loss(x: Any, v: Any, index: Any) -> Any:
        weights = tf.reshape(tf.cast(tf.range(12), tf.float64), [3, 4])
        return tf.reduce_sum(weights * ufuncs.ufunc_at(x, translated(name), index, v) ** 2)

    def slopes(x: Any, v: Any, index: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, v])
            y = loss(x, v, index)
        return tape.gradient(y, [x, v])

    x, v, index = tf.constant(X + 1), tf.constant([[1.5], [0.5], [7.25]], tf.float64), tf.constant([1, 1, 0])
    by_x, by_v = slopes(x, v, index)
    step, other = np.random.default_rng(3).normal(size=X.shape), np.array([[0.5], [-1.0], [2.0]])
    wanted = (loss(x + 1e-6 * step, v + 1e-6 * other, index) - loss(x - 1e-6 * step, v - 1e-6 * other, index)) / 2e-6
    np.testing.assert_allclose(np.sum(by_x.numpy() * step) + np.sum(by_v.numpy() * other), wanted, rtol=1e-7)
    traced_x, traced_v = tf.function(slopes)(x, v, index)
    np.testing.assert_allclose(traced_x, by_x)
    np.testing.assert_allclose(traced_v, by_v)


MASK = np.array([True, False, True, False])
COPIES: list[Any] = [
    (X, (-1.0, "same_kind", MASK)),
    (X, (X * 10, "same_kind", X > 5)),
    (X, (np.arange(4), "safe", [1, 0, 0, 1])),
    (np.arange(3), ([1.9, -1.9, 7], "unsafe")),
    (np.zeros(4, np.uint8), (3,)),
    (np.zeros(4, np.uint8), (300,)),
    (np.zeros(4, np.uint8), ([3, 3, 3, 3],)),
    (np.zeros(4, np.float32), (np.ones(4), "safe")),
    (np.zeros(4, np.float32), (0.1, "safe", MASK)),
    (np.zeros(4), (np.ones((1, 4)),)),
    (np.zeros(4), (np.ones((2, 4)),)),
    (np.zeros(4), (1.0, "same_kind", np.array([1, 0, 1, 0]))),
    (np.zeros(4), (1.0, "same_kind", np.ones((2, 4), bool))),
    (np.zeros(4), (np.ones(3), "same_kind", MASK)),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", COPIES, ids=[str(number) for number in range(len(COPIES))])
@pytest.mark.parametrize("mode", MODES)
def test_copy_update_is_copyto(case: Any, mode: str, tf: Any, ufuncs: Any) -> None:
    array, (src, *options) = case
    words = dict(zip(("casting", "where"), options, strict=False))
    expected = outcome(lambda: written(np.copyto, array, src, **words))
    if mode == "dynamic" and isinstance(expected, Exception):
        return
    check_same(expected, lambda: run_in(mode, ufuncs.copy_update, array, (src, *options), tf))
    real = array.copy()
    if not isinstance(expected, Exception):
        assert ufuncs.copy_update(real, src, *options) is real
        np.testing.assert_array_equal(real, expected)


OUTS: list[Any] = [
    ("divide", X, (X, np.array([0.0, 1.0, 0.0, 2.0])), {"where": np.array([False, True, False, True])}),
    ("log", X, (X - 5,), {"where": X > 5}),
    ("add", X, (np.arange(4), 1), {"where": MASK}),
    ("floor_divide", np.arange(4), (9, np.array([0, 2, 0, 4])), {"where": ~MASK}),
    ("add", np.arange(4), (0.6, np.arange(4)), {"casting": "unsafe"}),
    ("add", np.arange(4), (0.6, np.arange(4)), {}),
    ("multiply", X, (np.float32(0.1), np.arange(4)), {"dtype": "float32"}),
    ("multiply", X, (np.arange(4) * 0.5, 2), {"dtype": "int32"}),
    ("sqrt", X, (np.arange(4),), {"dtype": "float32", "where": MASK}),
    ("maximum", np.arange(4, dtype=np.float32), (np.arange(4.0), 2), {"casting": "safe"}),
    ("maximum", np.arange(4, dtype=np.float32), (np.arange(4.0), 2.5), {"where": [True, False, False, True]}),
    ("add", np.zeros(4), (np.zeros((1, 4)), 1), {"where": MASK}),
    ("power", np.arange(4), (np.arange(4), np.array([-1, 2, -1, 3])), {"where": ~MASK}),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", OUTS, ids=[f"{name}-{number}" for number, (name, *_) in enumerate(OUTS)])
@pytest.mark.parametrize("mode", MODES)
def test_ufunc_update_is_out(case: Any, mode: str, tf: Any, ufuncs: Any) -> None:
    name, array, operands, words = case
    expected = outcome(lambda: written(lambda out: getattr(np, name)(*operands, out=out, **words), array))
    masked = "where" in words
    rest = {key: value for key, value in words.items() if key != "where"}
    arguments = (words["where"], *operands) if masked else operands

    def update(x: Any, *given: Any) -> Any:
        where = {"where": given[0]} if masked else {}
        return ufuncs.ufunc_update(x, translated(name), *given[len(where) :], **where, **rest)

    if not (mode == "dynamic" and isinstance(expected, Exception)):
        check_same(expected, lambda: run_in(mode, update, array, arguments, tf))
    if not isinstance(expected, Exception):
        real = array.copy()
        assert update(real, *arguments) is real
        np.testing.assert_array_equal(real, expected)


def test_gradient_where_nothing_is_computed_is_zero(tf: Any, ufuncs: Any) -> None:
    a, b = tf.constant([1.0, 2.0, 3.0]), tf.constant([0.0, 4.0, 0.0])
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = ufuncs.ufunc_update(tf.zeros(3), translated("divide"), a, b, where=b != 0)
    by_a, by_b = tape.gradient(y, [a, b])
    assert y.numpy().tolist() == [0, 0.5, 0]
    assert by_a.numpy().tolist() == [0, 0.25, 0]
    assert by_b.numpy().tolist() == [0, -0.125, 0]
