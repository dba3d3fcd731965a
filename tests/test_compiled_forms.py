"""Functions with loops, translated with `--compile`: in a graph and with XLA they give what NumPy gives, or refuse."""

from __future__ import annotations

import importlib
import inspect
import pickle
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import compiled_functions as before
import numpy as np
import pytest
from compiled_inputs import EXACT, FUSED, KINDS, REFUSED, ROUNDED, inputs_of
from compiled_modules import compiled_module

pytestmark = pytest.mark.usefixtures("own_choices")
COMPILED = [name for name in (*EXACT, *ROUNDED) if name not in REFUSED]


@pytest.fixture(scope="module")
def after(tensorflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The functions, translated by the command."""
    assert tensorflow is not None
    with compiled_module(before, tmp_path_factory.mktemp("compiled"), "compiled_loops") as module:
        yield module


def numpy_result(name: str, seed: int) -> Any:
    return getattr(before, name)(
        *[np.array(one) if isinstance(one, np.ndarray) else one for one in inputs_of(name, seed)]
    )


def anew(function: Any) -> Any:
    """The function decorated again: nothing is known of its calls."""
    helpers = sys.modules["_tnp_helpers"]
    return helpers.compiled(function.compiled_from, writes=function.compiled_state.writes)


def given(name: str, seed: int) -> list[Any]:
    import tensorflow as tf

    return [tf.constant(one) if isinstance(one, np.ndarray) else one for one in inputs_of(name, seed)]


@pytest.mark.parametrize("form", ["graph", "xla"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", KINDS)
def test_numbers_are_of_the_kind_that_numpys_are(
    after: Any, name: str, form: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    expected, actual = numpy_result(name, seed), anew_once(getattr(after, name), form)(*given(name, seed))
    helpers = sys.modules["_tnp_helpers"]
    expected = helpers.map_leaves(lambda leaf: helpers.tensors_outwards(leaf, {}), expected)
    assert helpers.difference(expected, actual) == ""


@cache
def anew_once(function: Any, form: str) -> Any:
    """The function decorated again, once for each form."""
    del form
    return anew(function)


def check(name: str, actual: Any, expected: Any, form: str = "") -> None:
    actual, expected = (one if isinstance(one, tuple) else (one,) for one in (actual, expected))
    assert len(actual) == len(expected)
    for one, other in zip(actual, expected, strict=True):
        one, other = np.asarray(one), np.asarray(other)  # noqa: PLW2901
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if name in EXACT and (form != "xla" or name not in FUSED):
            np.testing.assert_array_equal(one, other)
        else:
            np.testing.assert_allclose(one, other, rtol=1e-13, atol=0)


@pytest.mark.parametrize("name", [*EXACT, *ROUNDED])
@pytest.mark.parametrize("form", ["numpy", "eager"])
def test_numpy_and_eager_forms_are_numpys(after: Any, name: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    function = anew(getattr(after, name))
    check(name, function(*given(name, 0)), numpy_result(name, 0))
    assert next(iter(function.compiled_state.plans.values())).form == form


@pytest.mark.parametrize("name", COMPILED)
@pytest.mark.parametrize("form", ["graph", "xla"])
def test_compiled_form_is_numpys_also_for_other_numbers(
    after: Any, name: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    function = anew(getattr(after, name))
    for seed in range(3):
        check(name, function(*given(name, seed)), numpy_result(name, seed), form)
    plans = list(function.compiled_state.plans.values())
    assert [plan.form for plan in plans] == [form] * len(plans), sys.modules["_tnp_helpers"].explain(function)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_compiled_runs_on_numpy_and_says_so(
    after: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TNP_COMPILED", "now")
    function = anew(getattr(after, name))
    check(name, function(*given(name, 0)), numpy_result(name, 0))
    explained = sys.modules["_tnp_helpers"].explain(function)
    assert "numpy\n" in explained
    assert REFUSED[name] in explained


def test_xla_does_not_run_what_it_computes_with_seven_digits(after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", "xla")
    function = anew(after.leading)
    with pytest.warns(RuntimeWarning, match="seven digits"):
        result = function(*given("leading", 0))
    np.testing.assert_allclose(result, numpy_result("leading", 0), rtol=1e-13)
    monkeypatch.setenv("TNP_COMPILED", "now")
    function = anew(after.leading)
    function(*given("leading", 0))
    assert "not xla: NotCompiled: singular vectors of XLA" in sys.modules["_tnp_helpers"].explain(function)


@pytest.mark.parametrize("form", ["graph", "xla"])
def test_place_out_of_range_raises_as_numpy_does(after: Any, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    function = anew(after.followed)
    x, links = given("followed", 0)
    function(x, links)
    with pytest.raises(IndexError):
        function(x, links + 40)


def test_form_that_gives_something_else_is_never_taken(after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", "now")
    helpers = sys.modules["_tnp_helpers"]

    def other(call: Any, form: str, specs: Any) -> Any:
        del form, specs
        return lambda arrays: call.function(*call.arguments(arrays)) + 1e-6

    monkeypatch.setattr(helpers, "make_form", other)
    function = anew(after.recurrence)
    check("recurrence", function(*given("recurrence", 0)), numpy_result("recurrence", 0))
    assert "not xla: other numbers" in helpers.explain(function)


def test_later_call_that_differs_is_answered_by_numpy(after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TNP_COMPILED", raising=False)
    helpers = sys.modules["_tnp_helpers"]
    function = anew(after.left_early)
    function(*given("left_early", 0))
    plan = next(iter(function.compiled_state.plans.values()))
    plan.run, plan.form, plan.settled, plan.calls = (lambda arrays: 0.0 * arrays[0][0]), "xla", True, 1
    check("left_early", function(*given("left_early", 1)), numpy_result("left_early", 1))
    assert plan.form == "numpy"
    assert "call 2" in helpers.explain(function)


def test_changed_function_has_no_numpy_form(after: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TNP_COMPILED", raising=False)
    folder = Path(after.__file__).parent
    text = Path(after.__file__).read_text(encoding="utf-8").replace("0.9 * y[i - 1]", "0.8 * y[i - 1]")
    (tmp_path / "edited_loops.py").write_text(text, encoding="utf-8")
    shutil.copy(folder / "_numpy_compiled_loops.py", tmp_path / "_numpy_edited_loops.py")
    monkeypatch.syspath_prepend(tmp_path)
    edited = importlib.import_module("edited_loops")
    x = inputs_of("recurrence", 0)[0]
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = 0.8 * y[i - 1] + x[i] / 7
    check("recurrence", edited.recurrence(*given("recurrence", 0)), y)
    assert "was changed since it was migrated" in sys.modules["_tnp_helpers"].explain(edited.recurrence)


def test_decorated_function_stays_a_function(after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", "numpy")
    function = after.recurrence
    assert inspect.isfunction(function)
    assert str(inspect.signature(function)) == "(x)"
    assert pickle.loads(pickle.dumps(function)) is function
    check("recurrence", partial(function, x=given("recurrence", 0)[0])(), numpy_result("recurrence", 0))
    with pytest.raises(TypeError):
        function()


@pytest.mark.parametrize("form", ["numpy", "xla"])
def test_method_reads_attributes_as_they_are_now(after: Any, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    import tensorflow as tf

    matrix, x, v = inputs_of("solved", 0)[0], inputs_of("recurrence", 0)[0][:6], np.zeros(6)
    ours = after.Oscillator(tf.constant(matrix), 2.0)
    theirs = before.Oscillator(matrix, 2.0)
    for mass in (2.0, 3.0):
        ours.mass = theirs.mass = mass
        expected = theirs.moved(x, v, 9)
        for one, other in zip(ours.moved(tf.constant(x), tf.constant(v), 9), expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-13)


def test_gradient_passes_through_what_is_chosen(after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import tensorflow as tf

    x = given("recurrence", 0)[0]
    found = []
    for form in ("eager", "now"):
        monkeypatch.setenv("TNP_COMPILED", form)
        function = anew(after.recurrence)
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.reduce_sum(function(x) ** 2)
        found.append(tape.gradient(total, x))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-12)


def test_runs_in_the_users_own_graph_and_in_vectorized_map(after: Any) -> None:
    import tensorflow as tf

    rows = tf.constant(np.stack([inputs_of("recurrence", seed)[0] for seed in range(4)]))
    expected = np.stack([numpy_result("recurrence", seed) for seed in range(4)])
    # in a graph of the user's TensorFlow makes x * (1 / 7) of x / 7
    np.testing.assert_allclose(tf.function(after.recurrence)(rows[0]), expected[0], rtol=1e-13)
    np.testing.assert_allclose(tf.vectorized_map(after.recurrence, rows), expected, rtol=1e-13)


def test_saved_model_serves_a_compiled_function(after: Any, tmp_path: Path) -> None:
    import tensorflow as tf

    rows = tf.constant(np.stack([inputs_of("recurrence", seed)[0] for seed in range(2)]))
    model = tf.Module()
    model.served = tf.function(after.recurrence, input_signature=[tf.TensorSpec([9], tf.float64)])
    tf.saved_model.save(model, str(tmp_path / "model"), signatures={"served": model.served})
    loaded = tf.saved_model.load(str(tmp_path / "model"))
    for row, seed in zip(rows, range(2), strict=True):
        np.testing.assert_allclose(loaded.served(row), numpy_result("recurrence", seed), rtol=1e-13)
    nodes = {one.op for one in loaded.signatures["served"].graph.as_graph_def().node}
    functions = loaded.signatures["served"].graph.as_graph_def().library.function
    nodes |= {node.op for one in functions for node in one.node_def}
    assert not nodes & {"PyFunc", "EagerPyFunc", "PyFuncStateless"}


def test_gradient_of_a_loop_with_branches_is_the_eager_one(after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import tensorflow as tf

    x = given("left_early", 1)[0]
    found = []
    for form in ("eager", "graph", "xla"):
        monkeypatch.setenv("TNP_COMPILED", form)
        function = anew(after.left_early)
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = function(x) * 2.0
        found.append(tape.gradient(total, x))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-12)
    np.testing.assert_allclose(found[2], found[0], rtol=1e-12)


def test_threads_share_a_function(after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", "graph")
    function = anew(after.recurrence)
    results: dict[int, Any] = {}
    threads = [
        threading.Thread(target=lambda seed=seed: results.update({seed: function(*given("recurrence", seed))}))
        for seed in range(6)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    for seed in range(6):
        check("recurrence", results[seed], numpy_result("recurrence", seed))


def test_without_tensorflows_inside_numpy_runs(after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", "now")
    helpers = sys.modules["_tnp_helpers"]
    monkeypatch.setattr(helpers, "tensorflow_inside", lambda: None)
    function = anew(after.recurrence)
    check("recurrence", function(*given("recurrence", 0)), numpy_result("recurrence", 0))
    assert "this version of TensorFlow" in helpers.explain(function)


def test_report_says_why_other_loops_are_not_compiled(after: Any) -> None:
    report = (Path(after.__file__).parent / "report").read_text(encoding="utf-8")
    for name, why in (
        ("shown", "calls print"),
        ("guarded", "catches errors"),
    ):
        assert not hasattr(getattr(after, name), "compiled_state")
        assert f"TNP506 this loop is not compiled: `{name}` {why}" in report
    assert not hasattr(after.noisy, "compiled_state")
    assert hasattr(after._noisy_loop, "compiled_state")  # its draws are made before it
    assert not hasattr(after.small, "compiled_state")
    assert not hasattr(after.Oscillator.force, "compiled_state")  # the method around it is compiled


def test_second_run_changes_nothing(after: Any) -> None:
    folder = Path(after.__file__).parent
    kept = {path: path.read_bytes() for path in folder.glob("*.py")}
    subprocess.run(
        [sys.executable, "-m", "tnp_migrate", "migrate", str(folder), "--compile"], check=False, capture_output=True
    )
    assert {path: path.read_bytes() for path in folder.glob("*.py")} == kept


@pytest.mark.parametrize("form", ["graph", "xla"])
def test_decisions_that_hang_on_rounding_are_numpys(after: Any, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import tensorflow as tf

    monkeypatch.setenv("TNP_COMPILED", form)
    function = anew(after.decided)
    for seed in range(40):
        draw = np.random.default_rng(seed)
        x, y = draw.random(7), draw.random(7)
        np.testing.assert_array_equal(function(tf.constant(x), tf.constant(y)), before.decided(x, y))
    assert next(iter(function.compiled_state.plans.values())).form in {form, "numpy"}


@pytest.mark.parametrize("form", ["graph", "xla"])
def test_places_in_the_test_of_a_loop_raise_as_numpy_does(
    after: Any, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tensorflow as tf

    monkeypatch.setenv("TNP_COMPILED", form)
    function, x = anew(after.off_the_end), np.linspace(0.0, 1.0, 9)
    np.testing.assert_array_equal(function(tf.constant(x), 0.6), before.off_the_end(x, 0.6))
    assert next(iter(function.compiled_state.plans.values())).form == form
    with pytest.raises(IndexError):
        function(tf.constant(x), 2.0)
