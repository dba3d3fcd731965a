"""Loops whose trips do not depend on each other are computed at once, and others as they stand: all give NumPy's."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import product_loops as before
import pytest
from compiled_modules import compiled_module

pytestmark = pytest.mark.usefixtures("own_choices")
INDEPENDENT = ["symmetric", "later_trip_wins", "triangular", "backwards", "upwards", "distances", "counted"]
DEPENDENT = [
    "carried", "ahead_but_stored", "column_after_row", "in_one_place", "read_whole", "summed", "left_early"
]  # fmt: skip


@pytest.fixture(scope="module")
def after(tensorflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The functions, translated by the command."""
    assert tensorflow is not None
    with compiled_module(before, tmp_path_factory.mktemp("products"), "translated_products") as module:
        yield module


@pytest.fixture
def looked_at(after: Any, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each loop that is traced outside of another: whether its trips were computed together."""
    assert after is not None
    helpers = sys.modules["_tnp_helpers"]
    found: list[bool] = []
    together = helpers.together

    def noted(*args: Any) -> bool:
        is_outermost = not helpers.tracing.trips
        done = together(*args)
        found.extend([done] if is_outermost else [])
        return bool(done)

    monkeypatch.setattr(helpers, "together", noted)
    return found


def run(after: Any, name: str, arrays: list[Any]) -> tuple[Any, str]:
    """What a function gives that is decorated anew, and the form that gave it."""
    import tensorflow as tf

    decorated = getattr(after, name)
    function = sys.modules["_tnp_helpers"].compiled(decorated.compiled_from, writes=decorated.compiled_state.writes)
    result = function(*[tf.constant(one) for one in arrays])
    return result, next(iter(function.compiled_state.plans.values())).form


def arrays_of(seed: int) -> list[Any]:
    draw = np.random.default_rng(seed)
    return [draw.normal(size=(6, 6)), draw.normal(size=(6, 6))]


def check(actual: Any, name: str, arrays: list[Any]) -> None:
    expected = getattr(before, name)(*[np.array(one) for one in arrays])
    if isinstance(expected, tuple):
        assert len(actual) == len(expected)
        assert float(actual[1]) == pytest.approx(expected[1], rel=1e-12)
        expected, actual = expected[0], actual[0]
    np.testing.assert_allclose(np.asarray(actual), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("form", ["graph", "xla"])
@pytest.mark.parametrize("name", [*INDEPENDENT, *DEPENDENT])
def test_loop_gives_what_numpy_gives(
    after: Any, looked_at: list[bool], name: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    for seed in range(2):
        arrays = arrays_of(seed)
        result, ran = run(after, name, arrays)
        assert ran == form
        check(result, name, arrays)
    assert set(looked_at) <= {name in INDEPENDENT}


@pytest.mark.parametrize("name", INDEPENDENT)
def test_independent_trips_are_computed_together(
    after: Any, looked_at: list[bool], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TNP_COMPILED", "graph")
    run(after, name, arrays_of(0))
    assert looked_at
    assert all(looked_at)


@pytest.mark.parametrize("form", ["graph", "xla"])
@pytest.mark.parametrize("number", [np.inf, np.nan])
def test_what_is_not_finite_is_multiplied_as_numpy_does(
    after: Any, form: str, number: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    arrays = arrays_of(0)
    arrays[0][0, 3] = number  # the part that is multiplied does not hold it
    with np.errstate(all="ignore"):
        check(run(after, "triangular", arrays)[0], "triangular", arrays)


@pytest.mark.parametrize("form", ["graph", "xla"])
def test_place_outside_of_an_array_raises_as_numpy_does(after: Any, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    with pytest.raises(IndexError):
        run(after, "counted", [np.ones((5, 4)), np.ones((6, 4))])


@pytest.mark.parametrize("name", ["symmetric", "triangular", "distances"])
def test_gradient_is_the_eager_one(after: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import tensorflow as tf

    found = []
    for form in ("eager", "graph", "xla"):
        monkeypatch.setenv("TNP_COMPILED", form)
        arrays = [tf.constant(one) for one in arrays_of(0)]
        with tf.GradientTape() as tape:
            tape.watch(arrays)
            result, _ = run(after, name, arrays)
            total = tf.reduce_sum(result * result)
        found.append([np.asarray(one) for one in tape.gradient(total, arrays)])
    for one, *others in zip(*found, strict=True):
        for other in others:
            np.testing.assert_allclose(other, one, rtol=1e-11, atol=1e-11)


def test_every_function_is_tested() -> None:
    functions = [name for name, one in vars(before).items() if inspect.isfunction(one)]
    assert sorted(functions) == sorted([*INDEPENDENT, *DEPENDENT])
