"""Gradients of functions with rolled loops: each form's are the eager ones, however a tape asks for them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Any

import gradient_loops as before
import numpy as np
import pytest
from compiled_modules import compiled_module

pytestmark = pytest.mark.usefixtures("own_choices")
DRAW = np.random.default_rng(0)
MATRIX = DRAW.normal(size=(4, 4)) * 0.3
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "recurrence": (MATRIX, MATRIX.T.copy(), DRAW.normal(size=4), DRAW.normal(size=(9, 4))),
    "integrated": (DRAW.normal(size=4), MATRIX, 12),
    "counted": (DRAW.normal(size=4), np.array(7)),
    "converged": (DRAW.random(4) + 0.5, 1e-12),
    "left_early": (DRAW.random(20), 3.0),
    "triangle": (DRAW.random(4),),
    "nested": (DRAW.random(4), MATRIX),
    "unconnected": (DRAW.random(6), DRAW.random(2), np.array([3, 1, 0, 5, 4, 2])),
}
UNKNOWN_TRIPS = ("counted", "converged")  # of which XLA cannot size what a gradient needs


@pytest.fixture(scope="module")
def after(tensorflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The functions, translated by the command."""
    assert tensorflow is not None
    with compiled_module(before, tmp_path_factory.mktemp("gradients"), "translated_gradients") as module:
        yield module


def anew(function: Any) -> Any:
    return sys.modules["_tnp_helpers"].compiled(function.compiled_from)


def given(name: str) -> tuple[list[Any], list[Any]]:
    """The arguments, and those of them that are floats."""
    import tensorflow as tf

    arguments = [tf.constant(one) if isinstance(one, np.ndarray) else one for one in ARGUMENTS[name]]
    return arguments, [one for one in arguments if isinstance(one, tf.Tensor) and one.dtype.is_floating]


def total_of(result: Any) -> Any:
    return result[0] if isinstance(result, tuple) else result


def first(function: Any, name: str) -> Any:
    import tensorflow as tf

    arguments, sources = given(name)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(sources)
        total = total_of(function(*arguments)) * 2.0
    assert_same(tape.gradient(total, sources), tape.gradient(total, sources))
    return tape.gradient(total, sources)


def second(function: Any, name: str) -> Any:
    import tensorflow as tf

    arguments, sources = given(name)
    with tf.GradientTape() as outer:
        outer.watch(sources)
        with tf.GradientTape() as tape:
            tape.watch(sources)
            total = total_of(function(*arguments))
        slopes = [one for one in tape.gradient(total, sources) if one is not None]
        squares = tf.add_n([tf.reduce_sum(one**2) for one in slopes])
    return outer.gradient(squares, sources)


def jacobian(function: Any, name: str) -> Any:
    import tensorflow as tf

    arguments, sources = given(name)
    with tf.GradientTape() as tape:
        tape.watch(sources)
        total = tf.stack([total_of(function(*arguments)), 3.0 * total_of(function(*arguments))])
    return tape.jacobian(total, sources)


def mapped(function: Any, name: str) -> Any:
    """Gradients of what `vectorized_map` makes of several arguments."""
    import tensorflow as tf

    arguments, (source, *_) = given(name)
    rows = tf.stack([source, source * 1.01])
    with tf.GradientTape() as tape:
        tape.watch(rows)
        totals = tf.vectorized_map(lambda row: total_of(function(row, *arguments[1:])), rows)
    return [tape.gradient(totals, rows)]


def assert_same(found: Any, wanted: Any) -> None:
    assert [one is None for one in found] == [one is None for one in wanted]
    for one, other in zip(found, wanted, strict=True):
        if other is not None:
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12 * np.max(np.abs(other)))


@pytest.mark.parametrize("form", ["graph", "xla"])
@pytest.mark.parametrize(
    ("name", "way"),
    [
        *[(name, first) for name in ARGUMENTS],
        *[(name, way) for name in ("converged", "triangle", "unconnected") for way in (second, jacobian)],
        ("nested", second),
    ],
)
def test_gradient_is_the_eager_one(name: str, form: str, way: Any, after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", "eager")
    wanted = way(anew(getattr(after, name)), name)
    monkeypatch.setenv("TNP_COMPILED", form)
    function = anew(getattr(after, name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same(way(function, name), wanted)
    assert [plan.form for plan in function.compiled_state.plans.values()] == [form]


@pytest.mark.parametrize("name", ["recurrence", "unconnected", "converged"])
def test_tangent_of_xla_is_the_eager_one(name: str, after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import tensorflow as tf

    found = []
    for form in ("eager", "xla"):
        monkeypatch.setenv("TNP_COMPILED", form)
        function, (arguments, (source, *_)) = anew(getattr(after, name)), given(name)
        with warnings.catch_warnings():  # of a graph that stands in for XLA
            warnings.simplefilter("ignore")
            with tf.autodiff.ForwardAccumulator(source, tf.ones_like(source)) as accumulator:
                total = total_of(function(*arguments))
            found.append([accumulator.jvp(total), *first(function, name)])
    assert_same(found[1], found[0])


@pytest.mark.parametrize("name", ["recurrence", "converged", "triangle"])
def test_gradient_passes_through_vectorized_map(name: str, after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", "xla")
    function = getattr(after, name)
    _, (source, *_) = given(name)
    with warnings.catch_warnings():  # of a graph that stands in for XLA
        warnings.simplefilter("ignore")
        monkeypatch.setitem(ARGUMENTS, name, (np.asarray(source) * 1.01, *ARGUMENTS[name][1:]))
        moved = first(anew(function), name)[0]
        monkeypatch.setitem(ARGUMENTS, name, (np.asarray(source), *ARGUMENTS[name][1:]))
        assert_same(mapped(anew(function), name), [np.stack([first(anew(function), name)[0], moved]) / 2.0])


@pytest.mark.parametrize("name", ARGUMENTS)
def test_xla_has_gradients_where_trips_are_known(name: str, after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", "now")
    function = anew(getattr(after, name))
    first(function, name)
    (plan,) = function.compiled_state.plans.values()
    assert ("xla" in plan.found.times) == (name not in UNKNOWN_TRIPS), plan.found.reasons


def test_graph_that_stands_in_for_xla_is_said_once(after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", "xla")
    helpers = sys.modules["_tnp_helpers"]
    said: set[str] = set()
    monkeypatch.setattr(helpers.warn_once, "__defaults__", (said,))
    function = anew(after.converged)
    with pytest.warns(RuntimeWarning, match="a graph computes a gradient of converged"):
        first(function, "converged")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first(anew(after.converged), "converged")


def test_forms_that_a_tape_watches_are_measured_at_once_where_there_is_a_gpu(
    after: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    helpers = sys.modules["_tnp_helpers"]
    monkeypatch.delenv("TNP_COMPILED", raising=False)
    monkeypatch.setattr(helpers, "_WORTH", 0.0)
    monkeypatch.setattr(helpers, "is_on_cpu_alone", lambda: False)
    monkeypatch.setattr(helpers, "worker", lambda: pytest.fail("another thread measures while this one has tapes"))
    function = anew(after.recurrence)
    first(function, "recurrence")
    (plan,) = function.compiled_state.plans.values()
    assert plan.settled, plan.found.reasons
    assert plan.found.times.keys() > {"xla"}


def test_forms_that_a_tape_watches_are_timed_with_their_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    import tensorflow as tf

    from tnp_rules import compiled_choice

    taken: list[str] = []

    def run(name: str) -> Any:
        @tf.custom_gradient
        def squared(x: Any) -> Any:
            def slope(upstream: Any) -> Any:
                taken.append(name)
                return 2.0 * x * upstream

            return x * x, slope

        return lambda arrays: squared(arrays[0])

    monkeypatch.setattr(compiled_choice, "make_form", lambda *_: run("xla"))
    taped = compiled_choice.gradients_differ
    found, _ = compiled_choice.measure(None, [], run("eager"), "eager", [tf.ones(3)], ["xla"], taped)
    assert set(found.times) == {"xla", "eager"}
    assert taken[-2:] == ["eager", "xla"]
    assert taken.count("xla") > 2  # once to compare, and in each round of the race
