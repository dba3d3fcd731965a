"""Compiled forms and memory: comparing takes blocks, results are let go, and a form that does not fit is none."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
import weakref
from collections.abc import Iterator
from typing import Any

import compiled_functions as before
import numpy as np
import pytest
from compiled_inputs import inputs_of
from compiled_modules import compiled_module

pytestmark = pytest.mark.usefixtures("own_choices", "tensorflow")
SIZE = 2**20  # numbers, of 8 bytes


@pytest.fixture(scope="module")
def after(tensorflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The functions, translated by the command."""
    assert tensorflow is not None
    with compiled_module(before, tmp_path_factory.mktemp("memory"), "compiled_memory_loops") as module:
        yield module


def peak_of(run: Any) -> int:
    """The most bytes that NumPy and Python hold at a time beside what is there already."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_comparing_takes_no_copies_of_results() -> None:
    from tnp_rules.compiled_agreement import difference

    one, other = np.linspace(0.0, 1.0, SIZE), np.linspace(0.0, 1.0, SIZE)
    assert peak_of(lambda: difference(one, other, one)) < 4 * SIZE
    other[-1] = np.nan
    assert difference(one, other, one) == "other places are not finite"
    other[-1] = 1.001
    assert difference(one, other, one).startswith("other numbers: 1.0e-03")
    assert difference(one, other, one + 1e-3).startswith("other numbers")  # at most 1e-7, however sensitive
    other[-1] = 1.0 + 1e-9
    assert difference(one, other, one).startswith("other numbers")
    assert difference(one, other, one + 1e-9) == ""


def test_moving_arguments_takes_two_copies_of_one() -> None:
    import tensorflow as tf

    from tnp_rules.compiled_agreement import moved

    array = tf.linspace(tf.constant(-1.0, tf.float64), 1.0, SIZE)
    assert peak_of(lambda: moved([array])) < 2.5 * 8 * SIZE
    (found,) = moved([array])
    steps = np.abs(np.asarray(found) - np.asarray(array)) / np.spacing(np.abs(np.asarray(array)))
    assert np.all((steps == 1.0) | (steps == 0.5) | (np.asarray(array) == 0.0))
    assert set(np.sign(np.asarray(found) - np.asarray(array))) >= {-1.0, 1.0}


def test_results_of_a_form_are_not_kept_while_the_next_one_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    import tensorflow as tf

    from tnp_rules import compiled_choice

    results: list[Any] = []
    held: list[int] = []

    def run(arrays: Any) -> Any:
        held.append(len([one for one in results if one() is not None]))
        result = arrays[0] + 1.0
        results.append(weakref.ref(result))
        return result

    monkeypatch.setattr(compiled_choice, "make_form", lambda *_: run)
    found, _ = compiled_choice.measure(None, [], run, "numpy", [tf.zeros(3)], ["xla", "graph"], None)
    assert set(found.times) == {"numpy", "xla", "graph"}
    assert max(held) == 2  # what the reference gives of the arguments, and of those that are moved
    assert held[-3:] == [0, 0, 0]


def test_graph_takes_what_its_tensors_do() -> None:
    import tensorflow as tf

    from tnp_rules.compiled_memory import bytes_of

    def summed(x: Any) -> Any:
        return tf.reduce_sum(x[:, None] * x[None, :], 1)

    def in_a_loop(x: Any) -> Any:
        for _ in tf.range(5):
            x = summed(x)
        return x

    spec = [tf.TensorSpec([1000], tf.float64)]
    for function, repeated in ((summed, 1), (lambda x: summed(summed(x)), 1), (in_a_loop, 1)):
        graph = tf.function(function, input_signature=spec).get_concrete_function().graph
        assert 8e6 * repeated <= bytes_of(graph) < 8.2e6 * repeated


def test_what_a_loop_keeps_for_its_gradient_counts() -> None:
    import tensorflow as tf

    from tnp_rules.compiled_memory import bytes_of

    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.while_loop(lambda _: True, lambda y: (tf.sin(y),), (x,), maximum_iterations=50)[0]
        return tape.gradient(y, x)

    graph = tf.function(slope, input_signature=[tf.TensorSpec([1000], tf.float64)]).get_concrete_function().graph
    assert 50 * 8000 <= bytes_of(graph) < 60 * 8000


@pytest.mark.parametrize("free", [1000.0, float("inf")])
def test_form_that_does_not_fit_is_none(after: Any, free: float, monkeypatch: pytest.MonkeyPatch) -> None:
    import tensorflow as tf

    helpers = sys.modules["_tnp_helpers"]
    monkeypatch.setenv("TNP_COMPILED", "xla")
    monkeypatch.setattr(helpers, "free_bytes", lambda: free)
    function = helpers.compiled(after.recurrence.compiled_from)
    (x,) = inputs_of("recurrence", 0)
    x = np.resize(x, 300)
    if free == 1000.0:
        with pytest.warns(RuntimeWarning, match="GB of memory"):
            found = function(tf.constant(x))
    else:
        found = function(tf.constant(x))
    np.testing.assert_allclose(found, before.recurrence(x), rtol=1e-13)
    (plan,) = function.compiled_state.plans.values()
    assert plan.form == ("numpy" if free == 1000.0 else "xla")


def test_nothing_is_compared_that_does_not_fit(after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import tensorflow as tf

    helpers = sys.modules["_tnp_helpers"]
    monkeypatch.setenv("TNP_COMPILED", "now")
    monkeypatch.setattr(helpers, "free_bytes", lambda: 1000.0)
    function = helpers.compiled(after.recurrence.compiled_from)
    x = np.resize(inputs_of("recurrence", 0)[0], 300)
    np.testing.assert_array_equal(function(tf.constant(x)), before.recurrence(x))
    assert "not xla: comparing takes" in helpers.explain(function)


def test_system_says_how_much_is_free() -> None:
    from tnp_rules.compiled_memory import free_bytes

    assert 1e6 < free_bytes() < 1e15


def test_limit_of_the_process_counts() -> None:
    run = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40))\n"
    run += "from tnp_rules.compiled_memory import _free_in_the_process; print(_free_in_the_process())"
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=True)
    assert 2**39 < float(done.stdout) < 2**40
