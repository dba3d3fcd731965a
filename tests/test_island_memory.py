"""Memory at the boundary of an island: what it keeps is handed out as it is, and no write in place is lost."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import functools
import inspect
import operator
import pickle
import types
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


SYMBOLS = {"iadd": "+", "isub": "-", "imul": "*", "itruediv": "/", "ifloordiv": "//", "imod": "%", "ipow": "**"}
SYMBOLS |= {"imatmul": "@", "iand": "&", "ior": "|", "ixor": "^"}


@pytest.fixture(scope="module")
def island(tensorflow: Any) -> Any:
    """Import the decorator, once TensorFlow is there."""
    assert tensorflow is not None
    from tnp_rules.islands import island

    return island


@pytest.fixture
def holder(tf: Any, island: Any) -> Any:
    """Give an object that keeps an array, a view of it and a dict, and hands them out."""

    class Holder:
        @island
        def __init__(self, array: Any, *, name: str = "w") -> None:
            self.array = array.copy()
            self.view = self.array[1:]
            self.table = {name: self.array}

        @island
        def given(self, _: Any, what: str) -> Any:
            return {"array": self.array, "view": self.view, "part": self.array[:1], "table": self.table}[what]

        @island
        def pair(self, _: Any) -> Any:
            made = np.zeros(3)
            return made, made[1:]

    return Holder(tf.constant([1.0, 2.0, 3.0]))


@pytest.mark.parametrize(("what", "expected"), [("array", [9, 2, 3]), ("part", [9, 2, 3]), ("view", [1, 9, 3])])
def test_what_an_island_keeps_leaves_as_it_is(tf: Any, holder: Any, what: str, expected: list[int]) -> None:
    holder.given(tf.zeros(1), what)[0] = 9
    assert holder.array.tolist() == expected


def test_a_dict_that_an_island_keeps_leaves_as_it_is(tf: Any, holder: Any) -> None:
    assert holder.given(tf.zeros(1), "table") is holder.table


def test_results_that_share_memory_go_on_sharing_it(tf: Any, holder: Any) -> None:
    whole, part = holder.pair(tf.zeros(1))
    part += 1
    assert whole.tolist() == [0, 1, 1]


def test_what_nothing_else_holds_becomes_tensors(tf: Any, island: Any) -> None:
    @island
    def make(x: Any) -> Any:
        made = np.zeros(4)
        return {"a": made[1:], "b": [x[1:], (x + 1,)], "c": np.broadcast_to(x, (2, 2))}

    made = make(tf.zeros(2))
    assert all(map(tf.is_tensor, [made["a"], made["b"][0], made["b"][1][0], made["c"]]))


def test_a_view_of_the_callers_array_stays_one(tf: Any, island: Any) -> None:
    x = np.zeros(3)
    island(lambda x, _: x[1:])(x, tf.zeros(1))[0] = 7
    assert x.tolist() == [0, 7, 0]


def test_items_of_a_generator_share_its_buffer(tf: Any, island: Any) -> None:
    @island
    def steps(x: Any) -> Iterator[Any]:
        buffer = np.zeros(1)
        for number in x:
            buffer += number
            yield buffer

    assert [item.tolist() for item in list(steps(tf.constant([1.0, 2.0])))] == [[3], [3]]


@pytest.mark.parametrize("name", "iadd isub imul itruediv ifloordiv imod ipow imatmul".split())
def test_augmented_assignment_to_a_tensor_raises_in_an_island(tf: Any, island: Any, name: str) -> None:
    space: dict[str, Any] = {}
    lines = [
        "def step(box):",
        "  x = box.x",
        "  def inner():",
        "    nonlocal x",
        f"    x {SYMBOLS[name]}= 2",
        "  inner()",
    ]
    exec("\n".join(lines), space)

    class Box:
        x = tf.ones((2, 2))

    with pytest.raises(TypeError, match=r"line 5: step .* writes in place .* a tensor"):
        island(space["step"])(Box())


def test_numbers_are_bound_anew_in_an_island_and_tensors_elsewhere(tf: Any, island: Any) -> None:
    class Box:
        total = tf.constant(1.0)

    @island
    def add(box: Any) -> None:
        box.total += 1

    add(Box)
    assert Box.total.numpy() == 2
    x = tf.ones(2)
    x += 1
    assert x.numpy().tolist() == [2, 2]


@pytest.mark.parametrize("name", "iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor".split())
def test_an_ndarray_takes_a_tensor_in_place(tf: Any, island: Any, name: str) -> None:
    island(lambda: None)
    given = np.array([[6, 4], [2, 8]], int if name in ("iand", "ior", "ixor") else float)
    other = np.array([[1, 2], [3, 2]], given.dtype)
    expected = getattr(operator, name)(given.copy(), other)
    space = {"x": given, "y": tf.constant(other)}
    exec(f"x {SYMBOLS[name]}= y", space)
    assert space["x"] is given
    assert np.array_equal(given, expected)


def test_an_ndarray_and_a_tensor_still_give_a_tensor(tf: Any, island: Any) -> None:
    island(lambda: None)
    assert tf.is_tensor(np.ones(2) + tf.ones(2, tf.float64))
    traced = tf.function(lambda x: _added(np.ones(2), x))
    assert traced(tf.ones(2, tf.float64)).numpy().tolist() == [2, 2]


def _added(x: Any, y: Any) -> Any:
    x += y
    return x


def test_a_write_to_what_others_hold_besides_a_dict_raises(tf: Any, island: Any) -> None:
    @island(mutates=("p",))
    def step(p: Any) -> None:
        p["w"][0] = 1

    alone, held = {"w": tf.zeros(2)}, tf.zeros(2)
    step(alone)
    assert alone["w"].numpy().tolist() == [1, 0]
    with pytest.raises(TypeError, match="step changes its argument 'p' in place"):
        step({"w": held})


def test_what_is_thrown_into_a_generator_reaches_it(tf: Any, island: Any) -> None:
    @contextlib.contextmanager
    @island
    def quiet(x: Any) -> Iterator[Any]:
        with contextlib.suppress(KeyError):
            yield x

    with quiet(tf.zeros(2)):
        raise KeyError


def test_a_generator_gets_arrays_where_tensors_are_sent(tf: Any, island: Any) -> None:
    @island
    def kinds(_: Any) -> Iterator[Any]:
        given = yield None
        yield type(given)

    sent = kinds(tf.zeros(1))
    next(sent)
    assert sent.send(tf.ones(2)) is np.ndarray


def test_coroutines_convert_as_functions_do(tf: Any, island: Any) -> None:
    @island
    async def later(x: Any, rest: float = 0) -> Any:
        await asyncio.sleep(0)
        assert type(x) is np.ndarray
        return x + 1

    assert inspect.iscoroutinefunction(later)
    assert tf.is_tensor(asyncio.run(later(tf.zeros(2))))


def test_asynchronous_generators_take_no_tensor(tf: Any, island: Any) -> None:
    @island
    async def items(x: Any) -> Any:
        yield x

    with pytest.raises(TypeError, match="items stays on NumPy and yields asynchronously"):
        items(tf.zeros(1))

    async def first() -> Any:
        return [one async for one in items(1)]

    assert asyncio.run(first()) == [1]


class Estimator:
    """What scikit-learn's get_params and pykalman look at."""

    def __init__(self, size: int = 2, *, rate: float = 0.5) -> None:
        self.size, self.rate = size, rate


def test_signatures_stay_what_they_were(island: Any) -> None:
    before = inspect.getfullargspec(Estimator.__init__), inspect.signature(Estimator)

    class Wrapped(Estimator):
        __init__ = island(Estimator.__init__)

    assert inspect.getfullargspec(Wrapped.__init__) == before[0]
    assert inspect.signature(Wrapped) == before[1]
    assert str(inspect.signature(Wrapped(1).__init__)) == "(size: 'int' = 2, *, rate: 'float' = 0.5) -> 'None'"


def module_level(x: Any) -> Any:
    """Doc."""
    return x


def test_an_island_is_copied_and_pickled_by_its_name(island: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    wrapped = island(module_level)
    monkeypatch.setitem(globals(), "module_level", wrapped)
    assert pickle.loads(pickle.dumps(wrapped)) is wrapped
    assert copy.deepcopy(wrapped) is wrapped


def test_special_methods_properties_and_abstract_methods(tf: Any, island: Any) -> None:
    class Base(ABC):
        @property
        @abstractmethod
        @island
        def norm(self) -> Any: ...

    class Vector(Base):
        @island
        def __init__(self, x: Any) -> None:
            super().__init__()
            self.x = x

        @property
        @island
        def norm(self) -> Any:
            return np.linalg.norm(self.x)

        @classmethod
        @island
        def zeros(cls, like: Any) -> Any:
            return cls(np.zeros_like(like))

        @staticmethod
        @island
        def sum(x: Any) -> Any:
            return x.sum()

        @island
        def __add__(self, other: Any) -> Any:
            return NotImplemented if isinstance(other, str) else Vector(self.x + other)

        @island
        def __len__(self) -> int:
            return len(self.x)

        @island
        def __eq__(self, other: object) -> Any:
            return self.x == other

        __hash__ = None

        @island
        def __call__(self, x: Any) -> Any:
            return self.x * x

    with pytest.raises(TypeError, match="abstract"):
        Base()
    x = tf.constant([3.0, 4.0])
    vector = Vector(x)
    assert (vector.norm, len(vector), Vector.sum(x), len(Vector.zeros(x))) == (5, 2, 7, 2)
    assert len(vector + x) == 2
    assert tf.is_tensor(vector == x)
    assert tf.is_tensor(vector(x))
    with pytest.raises(TypeError):
        vector + "text"


@pytest.fixture(scope="module")
def received(tensorflow: Any) -> Any:
    """Import what an island's calls of functions on tensors go through."""
    assert tensorflow is not None
    from tnp_rules.island_memory import received

    return received


def test_what_nothing_else_holds_is_received_writable(tf: Any, received: Any) -> None:
    first, (second, _) = received([tf.ones(2) + 1, (tf.zeros(2), "text")])
    first[0] = second[0] = 5
    assert (first.tolist(), second.tolist()) == ([5, 2], [5, 0])
    assert type(received(tf.constant(3))) is np.int32


def test_what_something_else_holds_is_received_read_only(tf: Any, received: Any) -> None:
    kept = [tf.zeros(2)]
    cached = functools.cache(lambda: tf.zeros(2))
    for array in (received(kept[0]), received(cached()), *received((kept[0], tf.ones(1)))[:1]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        with pytest.raises(ValueError, match="read-only"):
            operator.iadd(array, 1)


def test_a_dict_that_something_else_holds_is_received_as_it_is(tf: Any, received: Any) -> None:
    table = {"w": tf.zeros(2)}
    assert received(table) is table
    assert type(received({"w": tf.zeros(2)})["w"]) is np.ndarray


def test_a_namespace_that_nothing_else_holds_is_received_with_arrays(tf: Any, received: Any) -> None:
    def make() -> Any:
        w = tf.ones(2)
        return types.SimpleNamespace(a=w, b=[w])

    given = received(make())
    given.a[0] = 5
    assert given.b[0] is given.a
    kept = make()
    assert received(kept) is kept
    assert tf.is_tensor(kept.a)


def test_a_tensor_in_several_places_is_received_as_one_array(tf: Any, received: Any) -> None:
    def make() -> Any:
        w = tf.ones(2)
        return {"a": w, "b": [w]}

    given = received(make())
    given["a"][0] = 5
    assert given["b"][0] is given["a"]


def test_operators_hold_no_locals_of_who_uses_them(tf: Any, island: Any, received: Any) -> None:
    def make() -> Any:
        made = np.ones(2) * tf.ones(2, tf.float64)
        made += 1
        return made, made * 2

    island(lambda: None)
    first, second = received(make())
    first[0] = second[0] = 5
    assert (first.tolist(), second.tolist()) == ([5, 2], [5, 4])


def test_a_tensor_that_an_island_passes_on_to_be_written_to_raises(tf: Any, island: Any) -> None:
    from tnp_rules.island_writes import written

    @island
    def run(value: Any) -> Any:
        return written(value())

    array = np.ones(3)
    assert run(lambda: array) is array
    assert run(lambda: tf.constant(2.0)).shape == ()  # a number, which NumPy binds anew as well
    with pytest.raises(TypeError, match="run stays on NumPy and writes in place"):
        run(lambda: tf.ones(3))
    assert tf.is_tensor(written(tf.ones(3)))  # outside of islands tensors are bound anew
