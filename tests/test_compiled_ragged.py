"""Rows of different lengths: compiled forms give NumPy's sums, and leave it what it raises for."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import ragged_loops as before
from compiled_modules import compiled_module

pytestmark = pytest.mark.usefixtures("own_choices")
NAMES = [name for name, _ in inspect.getmembers(before, inspect.isfunction)]
COUNT = 40


def arguments(seed: int, *, longest: int = 200) -> tuple[Any, ...]:
    """A sparse matrix by rows, some of them empty, and a vector; 1,500 numbers in all."""
    numbers = np.random.default_rng(seed)
    lengths = numbers.integers(0, longest, COUNT)
    lengths[numbers.integers(0, COUNT, 5)] = 0
    rows = np.minimum(np.concatenate([[0], np.cumsum(lengths)]), 1500)
    return rows, numbers.integers(-COUNT, COUNT, 1500), numbers.normal(size=1500), numbers.normal(size=COUNT)


@pytest.fixture(scope="module")
def after(tensorflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The functions, translated by the command."""
    assert tensorflow is not None
    with compiled_module(before, tmp_path_factory.mktemp("ragged"), "translated_ragged") as module:
        yield module


@pytest.mark.parametrize("form", ["graph", "xla"])
@pytest.mark.parametrize("name", NAMES)
def test_form_gives_numpys(name: str, form: str, after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    function, original = getattr(after, name), getattr(before, name)
    state = function.compiled_state
    state.plans.clear()
    for given in (arguments(0), arguments(1, longest=20), arguments(2, longest=1)):
        found, wanted = np.asarray(function(*given)), original(*given)
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)
        assert found.dtype == wanted.dtype
    (plan,) = state.plans.values()
    assert plan.form == form, plan.found.reasons
    if name in {"growing", "counted"}:
        return
    rows, columns, values, x = arguments(0)
    columns = np.where(np.arange(1500) == 3, COUNT, columns)
    with pytest.raises(IndexError):
        original(rows, columns, values, x)
    helpers = sys.modules["_tnp_helpers"]
    with pytest.raises((helpers.Faulty, helpers.tf.errors.OpError)):
        plan.run([helpers.tf.constant(one) for one in (rows, columns, values, x)])


@pytest.mark.parametrize("name", ["product", "sums", "growing"])
def test_gradient_is_that_of_the_eager_form(name: str, after: Any, tensorflow: Any) -> None:
    rows, columns, values, x = arguments(3, longest=12)
    function = getattr(after, name)
    found = []
    for run in (function.compiled_from, tensorflow.function(function, autograph=False)):
        given = [tensorflow.constant(one) for one in (values[:200], x)]
        with tensorflow.GradientTape() as tape:
            tape.watch(given)
            total = tensorflow.reduce_sum(run(np.minimum(rows, 200), tensorflow.constant(columns[:200]), *given))
        found.append(tape.gradient(total, given))
    for one, other in zip(*found, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            np.testing.assert_allclose(
                tensorflow.convert_to_tensor(one), tensorflow.convert_to_tensor(other), rtol=1e-9
            )
