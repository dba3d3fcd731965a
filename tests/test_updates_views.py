"""view_update, by which x[i][j] = v comes to x where x[i] is a view, and not where NumPy gives a copy."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tnp_rules.numpy_stage import updates as numpy_stage

if TYPE_CHECKING:
    from types import ModuleType

CUBE = np.arange(24.0).reshape(2, 3, 4)
VIEWS: list[Any] = [
    0, -1, np.int64(1), np.uint8(0), slice(None), slice(None, None, -1), slice(1, None), None, ..., (), (0,), (0, 1),
    (..., 1), (slice(None), 1), (0, slice(0, 2)), (None, 1), (np.int32(1), 2),
]  # fmt: skip
COPIES: list[Any] = [
    [0], [0, 1], [[0, 1]], np.array([1]), np.array([[0, 1]]), np.array(1), True, [True, False], np.array([True, False]),
    np.True_, CUBE[:, :, 0] > 4, (0, [0, 1]), ([0], slice(None)), (slice(None), np.array([2, 0])), range(2), (True, 1),
]  # fmt: skip
Point = namedtuple("Point", "x y")  # noqa: PYI024 - as users write it


@pytest.fixture(scope="module")
def updates(tensorflow: Any) -> ModuleType:
    """Import the stores, once TensorFlow is there."""
    assert tensorflow is not None
    from tnp_rules import updates

    return updates


def stored(index: Any) -> Any:
    """What NumPy makes of the array."""
    x = CUBE.copy()
    x[index][0] = -1
    return x


@pytest.mark.parametrize("index", [*VIEWS, *COPIES], ids=str)
def test_store_reaches_the_array_as_in_numpy(index: Any, updates: Any, tensorflow: Any) -> None:
    x = tensorflow.constant(CUBE)
    made = updates.view_update(x, index, updates.index_update(updates.getitem(x, index), 0, -1))
    np.testing.assert_array_equal(made.numpy(), stored(index), strict=True)
    assert (made is x) == any(index is one for one in COPIES)


@pytest.mark.parametrize("index", [*VIEWS, *COPIES], ids=str)
@pytest.mark.parametrize("stage", ["numpy", "tensorflow"])
def test_arrays_and_variables_are_written_to(index: Any, stage: str, updates: Any, tensorflow: Any) -> None:
    module = updates if stage == "tensorflow" else numpy_stage
    x = CUBE.copy()
    assert module.view_update(x, index, module.index_update(x[index], 0, -1)) is x
    np.testing.assert_array_equal(x, stored(index))
    if stage == "tensorflow":
        variable = tensorflow.Variable(CUBE)
        read = updates.index_update(updates.getitem(variable, index), 0, -1)
        assert updates.view_update(variable, index, read) is variable
        np.testing.assert_array_equal(variable.numpy(), stored(index))


@pytest.mark.parametrize("index", [1, (0, 1), (1, slice(0, 2)), [0], (0, [0, 1])], ids=str)
def test_numbers_and_places_that_are_tensors(index: Any, updates: Any, tensorflow: Any) -> None:
    parts = index if isinstance(index, tuple) else (index,)
    made = [one if isinstance(one, slice) else tensorflow.constant(one) for one in parts]
    x, given = tensorflow.constant(CUBE), tuple(made) if isinstance(index, tuple) else made[0]
    one = updates.view_update(x, given, updates.index_update(updates.getitem(x, given), 0, -1))
    np.testing.assert_array_equal(one.numpy(), stored(index))

    @tensorflow.function
    def traced(x: Any, *numbers: Any) -> Any:
        rest = iter(numbers)
        key = tuple(one if isinstance(one, slice) else next(rest) for one in parts)
        key = key if isinstance(index, tuple) else key[0]
        return updates.view_update(x, key, updates.index_update(updates.getitem(x, key), 0, -1))

    numbers = [one for one in made if not isinstance(one, slice)]
    np.testing.assert_array_equal(traced(x, *numbers).numpy(), stored(index))


def test_masks_that_are_tensors_pick_copies(updates: Any, tensorflow: Any) -> None:
    x = tensorflow.constant(CUBE)
    for index in (tensorflow.constant([True, False]), tensorflow.constant(True)):
        assert updates.view_update(x, index, updates.getitem(x, index) * 0) is x


def test_index_of_unknown_rank_is_refused_in_a_graph(updates: Any, tensorflow: Any) -> None:
    store = tensorflow.function(lambda x, i: updates.view_update(x, i, x[0]))
    with pytest.raises(ValueError, match="known rank"):
        store.get_concrete_function(tensorflow.TensorSpec([3, 4]), tensorflow.TensorSpec(None, tensorflow.int64))


def test_containers_get_what_they_gave(updates: Any, tensorflow: Any) -> None:
    one, other = tensorflow.constant([1.0, 2.0]), tensorflow.constant([3.0, 4.0])
    for container, key in (([one, other], 1), ([one, other], np.int64(-1)), ({"a": one, (0, 1): other}, (0, 1))):
        assert updates.view_update(container, key, other * 2) is container
        np.testing.assert_array_equal(container[key], [6, 8])
    inner = [1, 2]
    rows = [inner, [3, 4]]
    assert updates.view_update(rows, 0, updates.index_update(rows[0], 1, 9)) is rows
    assert rows == [[1, 9], [3, 4]]
    assert rows[0] is inner


def test_tuples_become_new_ones(updates: Any, tensorflow: Any) -> None:
    one, other = tensorflow.constant([1.0]), np.array([2.0])
    made = updates.view_update((one, other), 0, one + 1)
    assert type(made) is tuple
    assert made[0].numpy().tolist() == [2.0]
    assert made[1] is other
    point = updates.view_update(Point(one, other), -2, one + 1)
    assert type(point) is Point
    assert point.x.numpy().tolist() == [2.0]


@pytest.mark.parametrize("kind", [list, tuple])
def test_slice_of_a_list_is_a_new_list(kind: Any, updates: Any, tensorflow: Any) -> None:
    rows = kind([1, 2, 3])
    assert updates.view_update(rows, slice(0, 2), [9, 2]) is rows
    assert list(rows) == [1, 2, 3]
    arrays = kind([tensorflow.constant([1.0]), tensorflow.constant([2.0])])
    with pytest.raises(TypeError, match="in a slice of a list"):
        updates.view_update(arrays, slice(0, 2), [arrays[0], arrays[1] * 2])


def test_other_objects_change_what_they_give(updates: Any, tensorflow: Any) -> None:
    class Table:
        """Reads new arrays, as files of data do."""

        def __init__(self) -> None:
            self.stores: list[Any] = []

        def __getitem__(self, key: Any) -> Any:
            return np.zeros(3)

        def __setitem__(self, key: Any, value: Any) -> None:
            self.stores.append(key)

    table = Table()
    for module in (updates, numpy_stage):
        assert module.view_update(table, 0, module.index_update(table[0], 1, 5.0)) is table
    assert table.stores == []
    assert updates.view_update(table, 2, tensorflow.zeros(3)) is table
    assert table.stores == [2]


def test_gradient_goes_through_views_alone(updates: Any, tensorflow: Any) -> None:
    for index, expected in ((0, [0, 0, 6]), ([0], [0, 0, 0])):
        v = tensorflow.constant([1.0, 2.0, 3.0])
        with tensorflow.GradientTape() as tape:
            tape.watch(v)
            x = tensorflow.zeros((2, 3))
            y = tensorflow.reduce_sum(updates.view_update(x, index, updates.index_update(x[0], 2, v[2])) ** 2)
        gradient = tape.gradient(y, v, unconnected_gradients="zero")
        assert tensorflow.convert_to_tensor(gradient).numpy().tolist() == expected
