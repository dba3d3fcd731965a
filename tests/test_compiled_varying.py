"""Loops that make arrays shorter or longer: a graph gives NumPy's numbers, and leaves NumPy what it raises for."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import varying_loops as before
from compiled_modules import compiled_module

pytestmark = pytest.mark.usefixtures("own_choices")


def drawn(seed: int, size: int = 50) -> Any:
    return np.random.default_rng(seed).random(size)


ARGUMENTS: dict[str, list[tuple[Any, ...]]] = {
    "particles": [(drawn(0), drawn(1) - 0.5), (drawn(2, 1), drawn(3, 1)), (drawn(0, 0), drawn(1, 0))],
    "square_roots": [(drawn(0) * 100, 100), (drawn(1) * 100, 4), (np.array([4.0]), 100)],
    "sieve": [(np.arange(2, 60), 60), (np.arange(2, 60, dtype=np.int32), 60), (np.arange(2, 2), 60)],
    "escape": [(4 * drawn(0) - 2 + 2j * drawn(1), 50), (4 * drawn(0) + 3, 50)],
    "flood": [(drawn(0) < 0.3, 5), (np.ones(50, np.bool_), 5)],
    "peeled": [(drawn(0) ** 3,), (drawn(0).astype(np.float32),), (np.zeros(3),)],
    "rows": [(drawn(0, 120).reshape(60, 2) * 3, 40), (drawn(0, 4).reshape(2, 2), 40)],
    "growing": [(drawn(0, 3), 40), (np.arange(4, 9), 40)],
    "largest": [(drawn(0, 300), 3)],
    "first": [(drawn(0), 2)],
    "summed": [(drawn(0), drawn(1), 40), (drawn(0).astype(np.float32), drawn(1).astype(np.float32), 40)],
}
RAISES: dict[str, tuple[tuple[Any, ...], Any]] = {
    "largest": ((drawn(0, 3), 40), ValueError),
    "first": ((drawn(0), 60), IndexError),
    "other_mask": ((drawn(0), drawn(1), 40), IndexError),
    "stored_by_another_mask": ((drawn(0), drawn(1), 40), IndexError),
    "columns_by_another_mask": ((drawn(0).reshape(5, 10), 40), IndexError),
}


@pytest.fixture(scope="module")
def after(tensorflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The functions, translated by the command."""
    assert tensorflow is not None
    with compiled_module(before, tmp_path_factory.mktemp("varying"), "translated_varying") as module:
        yield module


def graph_of(after: Any, name: str, given: tuple[Any, ...]) -> tuple[Any, Any]:
    """What a function gives as a graph, and what else it was called with: the plan of the call."""
    import tensorflow as tf

    state = getattr(after, name).compiled_state
    state.plans.clear()
    result = getattr(after, name)(*[tf.constant(one) if isinstance(one, np.ndarray) else one for one in given])
    (plan,) = state.plans.values()
    assert plan.form == "graph", plan.found.reasons
    return result, plan


def check(found: Any, wanted: Any) -> None:
    found, wanted = (one if isinstance(one, tuple) else (one,) for one in (found, wanted))
    for one, other in zip(found, wanted, strict=True):
        assert isinstance(one, int) == isinstance(other, int)
        actual, expected = np.asarray(one), np.asarray(other)
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
        is_single = np.array_equal(expected, expected.astype(np.float32))  # as are means of float32 that are kept
        limit = {"f": 1e-5 if is_single else 1e-12}.get(expected.dtype.kind, 0)
        np.testing.assert_allclose(actual, expected, rtol=limit, atol=0)


@pytest.mark.parametrize(("name", "given"), [(name, one) for name, many in ARGUMENTS.items() for one in many])
def test_graph_gives_numpys(after: Any, name: str, given: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", "graph")
    found, plan = graph_of(after, name, given)
    wanted = getattr(before, name)(*[np.array(one) if isinstance(one, np.ndarray) else one for one in given])
    check(found, wanted)
    helpers = sys.modules["_tnp_helpers"]
    arrays = [helpers.tf.constant(one) for one in given if isinstance(one, np.ndarray)]
    check(plan.run(arrays), wanted)  # which raises where NumPy has to answer


@pytest.mark.parametrize("name", RAISES)
def test_what_numpy_raises_for_is_raised(after: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", "graph")
    given, error = RAISES[name]
    with pytest.raises(error):
        getattr(before, name)(*given)
    with pytest.raises(error):
        graph_of(after, name, given)
    helpers = sys.modules["_tnp_helpers"]
    (plan,) = getattr(after, name).compiled_state.plans.values()
    assert plan.form == "graph", plan.found.reasons
    with pytest.raises((helpers.Faulty, helpers.tf.errors.OpError)):
        plan.run([helpers.tf.constant(one) for one in given if isinstance(one, np.ndarray)])


def test_function_is_traced_in_a_graph_of_the_users(after: Any, tensorflow: Any) -> None:
    given = ARGUMENTS["square_roots"][0]
    traced = tensorflow.function(after.square_roots, autograph=False)
    check(tuple(np.asarray(one) for one in traced(*given))[:2], before.square_roots(*given)[:2])


def test_gradient_is_that_of_the_eager_form(after: Any, tensorflow: Any) -> None:
    x, y, steps = ARGUMENTS["summed"][0]
    found = []
    for run in (after.summed.compiled_from, tensorflow.function(after.summed, autograph=False)):
        given = [tensorflow.constant(one) for one in (x, y)]
        with tensorflow.GradientTape() as tape:
            tape.watch(given)
            total = run(*given, steps)
        found.append(tape.gradient(total, given, unconnected_gradients=tensorflow.UnconnectedGradients.ZERO))
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(np.asarray(other), np.asarray(one), rtol=1e-12)


def test_every_function_is_tested() -> None:
    functions = {name for name, one in vars(before).items() if inspect.isfunction(one)}
    assert functions == set(ARGUMENTS) | set(RAISES)
