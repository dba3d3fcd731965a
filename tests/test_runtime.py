"""Islands and conversions: what crosses the border between tensors and NumPy, and what refuses to."""

from __future__ import annotations

import collections
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from same_results import assert_same

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

Pair = collections.namedtuple("Pair", "first second")  # noqa: PYI024 (NumPy code has both kinds)


@pytest.fixture(scope="module")
def runtime(tensorflow: Any) -> ModuleType:
    """Import the conversions, once TensorFlow is there."""
    assert tensorflow is not None
    from tnp_rules import runtime

    return runtime


@pytest.fixture(scope="module")
def island(tensorflow: Any) -> Any:
    """Import the decorator, once TensorFlow is there."""
    assert tensorflow is not None
    from tnp_rules.islands import island

    return island


def test_to_numpy_gives_writable_arrays_and_numpy_scalars(tf: Any, runtime: Any) -> None:
    array = runtime.to_numpy(tf.constant([1.0, 2.0]))
    array[0] = 5
    assert type(array) is np.ndarray
    assert type(runtime.to_numpy(tf.constant(3))) is np.int32


def test_to_numpy_reaches_into_containers_and_keeps_their_types(tf: Any, runtime: Any) -> None:
    kept = np.ones(2)
    found = runtime.to_numpy({"a": [tf.constant([1])], "b": Pair(tf.constant(2.0), kept), "c": "x"})
    assert type(found["a"][0]) is np.ndarray
    assert type(found["b"]) is Pair
    assert found["b"].second is kept


def test_to_numpy_reaches_the_keys_of_dicts(tf: Any, runtime: Any) -> None:
    from tnp_rules.number_hashes import hash_numbers

    hash_numbers()
    counts = collections.OrderedDict([(tf.constant(3), 1), ("all", tf.constant(2))])
    found = runtime.to_numpy(counts)
    assert [type(one) for one in found] == [np.int32, str]
    assert found == {3: 1, "all": 2}
    assert type(found) is collections.OrderedDict


def test_to_numpy_returns_the_same_object_when_nothing_is_a_tensor(runtime: Any) -> None:
    value = [1, (np.ones(2), {"k": [2.0]})]
    assert runtime.to_numpy(value) is value


@pytest.mark.parametrize("value", [np.float64(1.0), np.array(["a"]), np.array([None]), np.ma.ones(2), 3, "s", None])
def test_to_tensor_leaves_what_is_no_numeric_array(value: Any, runtime: Any) -> None:
    assert runtime.to_tensor(value) is value


def test_to_tensor_keeps_dtype_and_takes_foreign_byte_order(tf: Any, runtime: Any) -> None:
    assert runtime.to_tensor(np.arange(3, dtype=np.uint8)).dtype == tf.uint8
    assert runtime.to_tensor([np.arange(3, dtype=">i4")])[0].numpy().tolist() == [0, 1, 2]


FLOATS, WHOLES = np.array([1.5, 2.5]), np.array([3, 4])
ITEMS = [
    [FLOATS, WHOLES],
    [WHOLES, FLOATS],
    [FLOATS[0], WHOLES[1], 2],
    [[WHOLES[0], FLOATS[0]], [1, 2.5]],
    (FLOATS > 2, WHOLES),
    [np.float32(1.5), 2],
    [WHOLES.astype(np.uint8), WHOLES.astype(np.int16)],
]


@pytest.mark.parametrize("dtype", [None, int, float, np.float32])
@pytest.mark.parametrize("items", ITEMS, ids=str)
def test_array_promotes_tensors_of_several_dtypes(items: Any, dtype: Any, tf: Any, runtime: Any) -> None:
    tensors = runtime.map_leaves(
        lambda one: tf.constant(one) if isinstance(one, (np.ndarray, np.generic)) else one, items
    )
    assert runtime.has_tensor(tensors)
    assert_same(np.array(items, dtype=dtype), runtime.array(tensors, dtype=dtype))


def test_array_keeps_text_and_objects(runtime: Any) -> None:
    assert runtime.array(["a", "b"]).dtype == np.dtype("<U1")
    assert runtime.array([Fraction(1, 2), None]).dtype == object
    assert runtime.array(["1", "2.5"], dtype=float).numpy().tolist() == [1, 2.5]


def test_island_converts_in_and_out(tf: Any, island: Any) -> None:
    @island
    def double(x: Any, *, scale: float = 2.0) -> Any:
        """Doc."""
        assert type(x) is np.ndarray
        return Pair(x * scale, {"sum": x.sum()})

    pair = double(tf.constant([1.0, 2.0], tf.float64))
    assert type(pair) is Pair
    assert tf.is_tensor(pair.first)
    assert pair.first.numpy().tolist() == [2.0, 4.0]
    assert type(pair.second["sum"]) is np.float64
    assert (double.__name__, double.__doc__) == ("double", "Doc.")


def test_island_without_tensors_keeps_numpy_aliasing(island: Any) -> None:
    @island
    def fill(x: Any) -> Any:
        x[:] = 7
        return x

    x = np.zeros(2)
    assert fill(x) is x
    assert x.tolist() == [7, 7]


def test_island_keeps_ndarrays_passed_beside_tensors(tf: Any, island: Any) -> None:
    @island
    def add_into(x: Any, y: Any) -> Any:
        x += y
        return x

    x = np.zeros(2)
    assert add_into(x, tf.constant([1.0, 2.0], tf.float64)) is x
    assert x.tolist() == [1, 2]


def test_island_gives_an_unchanged_argument_back_as_it_came(tf: Any, island: Any) -> None:
    same = island(lambda x: x)
    x = tf.constant([1.0])
    assert same(x) is x


def test_undeclared_store_is_loud(tf: Any, island: Any) -> None:
    @island
    def fill(x: Any) -> None:
        x[0] = 1

    with pytest.raises(ValueError, match="read-only"):
        fill(tf.zeros(2))


def test_declared_store_into_a_tensor_says_what_to_do(tf: Any, island: Any) -> None:
    @island(mutates=("x",))
    def fill(y: Any, x: Any, change: bool) -> Any:
        if change:
            x[0] = y
        return x

    x = tf.zeros(2)
    assert fill(1.0, x, change=False) is x
    for call in (lambda: fill(1.0, x, change=True), lambda: fill(1.0, x=x, change=True)):
        with pytest.raises(TypeError, match=r"fill changes its argument 'x' in place.*pass an ndarray"):
            call()


def test_containers_keep_identity_and_get_tensors_back(tf: Any, island: Any) -> None:
    @island(mutates=("p",))
    def step(p: Any) -> None:
        assert type(p["w"]) is np.ndarray
        p["w"][0] = 9
        p["n"] = np.arange(2)
        p["layers"].append(1)

    untouched = tf.constant([3.0])
    p = {"w": tf.zeros(2), "b": untouched, "layers": [tf.constant(1.0)]}
    layers = p["layers"]
    step(p)
    assert tf.is_tensor(p["w"])
    assert p["w"].numpy().tolist() == [9, 0]
    assert p["b"] is untouched
    assert tf.is_tensor(p["n"])
    assert p["layers"] is layers
    assert tf.is_tensor(layers[0])
    assert layers[1] == 1


def test_containers_get_tensors_back_after_an_error(tf: Any, island: Any) -> None:
    @island
    def fail(items: Any) -> None:
        assert type(items[0]) is np.ndarray
        raise KeyError("x")

    items = [tf.zeros(2)]
    with pytest.raises(KeyError):
        fail(items)
    assert tf.is_tensor(items[0])


def test_methods_keep_self(tf: Any, island: Any) -> None:
    class Model:
        def __init__(self) -> None:
            self.seen: list[Any] = []

        @island
        def see(self, x: Any) -> Any:
            self.seen.append(x)
            return x.cumsum()

    model = Model()
    assert tf.is_tensor(model.see(tf.constant([1, 2])))
    assert type(model.seen[0]) is np.ndarray


def test_generators_convert_what_they_yield_and_are_sent(tf: Any, island: Any) -> None:
    @island
    def rows(x: Any) -> Iterator[Any]:
        total = 0.0
        for row in x:
            sent = yield row * 2
            total += 0.0 if sent is None else sent
        return np.array([total])

    given = list(rows(tf.constant([[1.0, 2.0], [3.0, 4.0]])))
    assert [tf.is_tensor(row) for row in given] == [True, True]
    assert given[1].numpy().tolist() == [6.0, 8.0]
    stream = rows(tf.constant([[1.0]]))
    next(stream)
    with pytest.raises(StopIteration) as stop:
        stream.send(tf.constant(3.0))
    assert stop.value.value.numpy().tolist() == [3.0]


def test_a_generators_list_holds_tensors_between_items(tf: Any, island: Any) -> None:
    @island
    def grow(items: Any) -> Iterator[int]:
        for number in range(2):
            assert type(items[0]) is np.ndarray
            items.append(np.full(1, number))
            yield number

    items = [tf.zeros(1)]
    for count, _ in enumerate(grow(items), 2):
        assert [tf.is_tensor(item) for item in items] == [True] * count


def test_graph_needs_to_know_the_result(tf: Any, island: Any) -> None:
    @island
    def halve(x: Any) -> Any:
        return x / 2, x.shape[0]

    traced = tf.function(lambda x: halve(x)[0] + 1)
    x = tf.constant([2, 4])
    with pytest.raises(TypeError, match=r"halve stays on NumPy.*outside.*returns="):
        traced(x)
    halve(x)
    assert traced(x).numpy().tolist() == [2.0, 3.0]
    assert traced(x).dtype == tf.float64


def test_graph_takes_a_declared_result(tf: Any, island: Any) -> None:
    @island(returns={"a": tf.TensorSpec([None, 2], tf.float32), "b": (int,)})
    def pack(x: Any) -> Any:
        return {"a": np.stack([x, x], -1), "b": (len(x),)}

    @tf.function
    def traced(x: Any) -> Any:
        packed = pack(x)
        assert packed["a"].shape[1] == 2
        return packed

    packed = traced(tf.constant([1.0, 2.0, 3.0]))
    assert packed["a"].shape == (3, 2)
    assert packed["b"][0].numpy() == 3


def test_graph_refuses_another_dtype_than_declared(tf: Any, island: Any) -> None:
    wrong = island(lambda x: x * 2, returns=tf.int64)
    with pytest.raises(tf.errors.OpError, match="returns other dtypes"):
        tf.function(wrong)(tf.constant([1.0]))


def test_graph_refuses_changes(tf: Any, island: Any) -> None:
    @island(mutates=("x",), returns=tf.float32)
    def fill(x: Any) -> Any:
        x[0] = 1
        return x

    @island(returns=tf.float32)
    def grow(items: Any) -> Any:
        items.append(1)
        return items[0]

    with pytest.raises(tf.errors.OpError, match="pass an ndarray"):
        tf.function(fill)(tf.zeros(2))
    with pytest.raises(tf.errors.OpError, match="grow changes a list"):
        tf.function(lambda x: grow([x]))(tf.zeros(2))


def test_no_gradient_passes_an_island(tf: Any, island: Any) -> None:
    square = island(lambda x: x * x)
    x = tf.constant([3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = square(x)
    assert tape.gradient(y, x) is None


class Found(dict[str, Any]):
    """A dict with attributes, as SciPy's results are."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


def test_a_dict_subclass_stays_one_when_its_arrays_become_tensors(tf: Any, runtime: ModuleType) -> None:
    """dict.copy of a subclass is a plain dict."""
    found = runtime.to_tensor(Found(x=np.ones(2), success=True))
    assert type(found) is Found
    assert isinstance(found.x, tf.Tensor)


def test_unstacked_gives_the_items_of_a_tensor_and_everything_else_as_it_is(tf: Any, runtime: Any) -> None:
    rows = runtime.unstacked(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
    assert [row.numpy().tolist() for row in rows] == [[1.0, 2.0], [3.0, 4.0]]
    for value in ([1, 2], np.arange(3), tf.constant(1.0), "text"):
        assert runtime.unstacked(value) is value
    lengths = []
    signature = [tf.TensorSpec([None], tf.float64), tf.TensorSpec([3], tf.float64)]
    tf.function(lambda *xs: lengths.extend(isinstance(runtime.unstacked(x), list) for x in xs), signature)(
        tf.zeros(2, tf.float64), tf.zeros(3, tf.float64)
    )
    assert lengths == [False, True]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("other", [3, -1, 0.5, True, np.uint8(2), np.float32(2), np.array([2, 3], "int8")])
def test_quotient_is_numpys(tf: Any, runtime: Any, dtype: str, other: Any) -> None:
    x = np.array([1, 2]).astype(dtype)
    for left, right in ((x, other), (other, x)):
        expected = left / right
        given = [tf.constant(one) if one is x else one for one in (left, right)]
        assert_same(expected, runtime.quotient(*given).numpy())
        assert_same(expected, runtime.quotient(left, right))


def test_quotient_of_other_objects_is_pythons(runtime: Any) -> None:
    assert runtime.quotient(7, 2) == 3.5
    assert runtime.quotient(Fraction(1, 2), 2) == Fraction(1, 4)
