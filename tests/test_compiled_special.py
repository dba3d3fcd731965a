"""For NaN, infinities and floats that no integer holds compiled forms give NumPy's numbers, or leave it the answer."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import special_functions
from compiled_modules import compiled_module

pytestmark = pytest.mark.usefixtures("own_choices")
SPECIAL = [name for name, _ in inspect.getmembers(special_functions, inspect.isfunction) if name != "damped"]
PLAIN = (np.array([1.0, 2.0, 0.5, 1.5, 0.25, 1.25]), np.array([0.5, 1.0, 2.0, 0.3, 0.7, 0.9]))


@pytest.fixture(scope="module")
def special(tensorflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The functions with special results, translated by the command."""
    assert tensorflow is not None
    with compiled_module(special_functions, tmp_path_factory.mktemp("special"), "translated_special") as module:
        yield module


def special_arguments() -> Iterator[tuple[Any, Any]]:
    for value in (np.nan, np.inf, -np.inf, -0.0, 300.7, -1.5, 1e30, -1e30, 5e9):
        for place in (0, 3, 5):
            for argument in (0, 1):
                given = [one.copy() for one in PLAIN]
                given[argument][place] = value
                yield given[0], given[1]


@pytest.mark.parametrize("form", ["graph", "xla"])
@pytest.mark.parametrize("name", SPECIAL)
def test_form_gives_numpys_for_special_numbers_or_nothing(
    name: str, form: str, special: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """XLA leaves NaN out of maxima, and makes 255 of 300.7 where NumPy makes 44."""
    monkeypatch.setenv("TNP_COMPILED", form)
    function, original = getattr(special, name), getattr(special_functions, name)
    state = function.compiled_state
    state.plans.clear()
    function(*PLAIN)
    (plan,) = state.plans.values()
    assert plan.form == form, plan.found.reasons
    helpers = function.compiled_from.__globals__["tnh"]
    for given in special_arguments():
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = original(*given)[0]
        try:
            found = helpers.leaves_of(plan.run([helpers.tf.constant(one) for one in given]))[0]
        except (helpers.Faulty, helpers.tf.errors.OpError):
            continue
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-12, err_msg=str(given))
