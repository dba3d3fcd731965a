"""Where NumPy raises for values that only the run knows, no compiled form gives numbers: the reference answers."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import raising_functions as before
from compiled_modules import compiled_module

pytestmark = pytest.mark.usefixtures("own_choices")
NAMES = [name for name, _ in inspect.getmembers(before, inspect.isfunction)]
GOOD = (np.array([2.0, 1.0, 1.0, 3.0, 8.0, 13.0]), np.array([0, 1, 2]))
RISING = {"digitized": np.array([1.0, 2.0, 3.0, 5.0, 8.0, 13.0])}
# What each is given that NumPy raises for: first for places, then for the array itself.
SINGULAR, FALLING = np.array([1.0, 2.0, 2.0, 4.0, 1.0, 1.0]), np.array([1.0, -2.0, 3.0, 1.0, 8.0, 13.0])
ARRAYS = {
    **dict.fromkeys(["inverted", "solved", "raised_to_a_power"], SINGULAR),
    "factored": FALLING, "digitized": FALLING,
}  # fmt: skip
PLACES = [np.array([0, 1, 9]), np.array([0, -9, 1])]
OTHER_PLACES = {"averaged": [np.array([1, 0, -1])], "counted": PLACES[1:], "powers": PLACES[1:]}
OTHER_PLACES["partitioned"] = [np.array([0, 6, 1]), np.array([0, -9, 1])]


def bad_arguments(name: str) -> list[tuple[Any, Any]]:
    if name in ARRAYS:
        return [(ARRAYS[name], GOOD[1])]
    return [(GOOD[0], places) for places in OTHER_PLACES.get(name, PLACES)]


@pytest.fixture(scope="module")
def after(tensorflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The functions, translated by the command."""
    assert tensorflow is not None
    with compiled_module(before, tmp_path_factory.mktemp("raising"), "translated_raising") as module:
        yield module


FORMS = [(name, form) for name in NAMES for form in ("graph", "xla") if (name, form) != ("reduced", "xla")]  # ragged


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_form_gives_numbers_only_where_numpy_does(
    name: str, form: str, after: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    function, original = getattr(after, name), getattr(before, name)
    state = function.compiled_state
    state.plans.clear()
    good = (RISING.get(name, GOOD[0]), GOOD[1])
    np.testing.assert_allclose(np.asarray(function(*good)), original(*good), rtol=1e-9)
    (plan,) = state.plans.values()
    assert plan.form == form, plan.found.reasons
    helpers = function.compiled_from.__globals__["tnh"]
    failures = (helpers.Faulty, helpers.tf.errors.OpError)
    for bad in bad_arguments(name):
        with pytest.raises(Exception) as expected:  # whatever NumPy raises
            original(*bad)
        with pytest.raises(failures):
            plan.run([helpers.tf.constant(one) for one in bad])
        with pytest.raises(expected.type):  # the reference answers
            function(*bad)
