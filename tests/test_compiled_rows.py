"""Loops with bounds that the run knows, of which no trip depends on another, are computed as a row: as NumPy does."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import row_loops as before
from compiled_modules import compiled_module

pytestmark = pytest.mark.usefixtures("own_choices")
AS_ROWS = ["factored", "crout", "cholesky", "lower", "backwards", "above", "own_column", "last_count"]
AS_THEY_STAND = [
    "row_that_grows", "prefix", "wrapped", "few_of_many", "columns", "left_early", "part_of_its_own"
]  # fmt: skip
TOLERANCES = {np.float32: 2e-5, np.float64: 1e-12, np.complex128: 1e-12, np.int64: 0}


@pytest.fixture(scope="module")
def after(tensorflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The functions, translated by the command."""
    assert tensorflow is not None
    with compiled_module(before, tmp_path_factory.mktemp("rows"), "translated_rows") as module:
        yield module


@pytest.fixture
def looked_at(after: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, bool]:
    """Of the variables that count loops: whether the trips of one were computed together."""
    assert after is not None
    helpers = sys.modules["_tnp_helpers"]
    found: dict[str, bool] = {}
    together = helpers.together

    def noted(counts: Any, body: Any, state: Any, iterated: Any, code: Any) -> bool:
        done = bool(together(counts, body, state, iterated, code))
        found[str(iterated)] = found.get(str(iterated), False) or done
        return done

    monkeypatch.setattr(helpers, "together", noted)
    return found


def run(after: Any, name: str, arrays: list[Any]) -> tuple[Any, str]:
    """What a function gives that is decorated anew, and the form that gave it."""
    import tensorflow as tf

    decorated = getattr(after, name)
    function = sys.modules["_tnp_helpers"].compiled(decorated.compiled_from, writes=decorated.compiled_state.writes)
    with np.errstate(all="ignore"):
        result = function(*[tf.constant(one) for one in arrays])
    return result, next(iter(function.compiled_state.plans.values())).form


def arrays_of(dtype: Any) -> list[Any]:
    draw = np.random.default_rng(7)
    if dtype is np.int64:
        return [draw.integers(-9, 9, (7, 7)), draw.integers(-9, 9, (7, 7))]
    arrays = [draw.normal(size=(7, 7)) + 4 * np.eye(7), draw.normal(size=(7, 7))]
    return [np.asarray(one + 1j * one.T if dtype is np.complex128 else one, dtype) for one in arrays]


def check(actual: Any, name: str, arrays: list[Any]) -> None:
    with np.errstate(all="ignore"):
        expected = getattr(before, name)(*[np.array(one) for one in arrays])
    many = isinstance(expected, tuple)
    for one, other in zip(actual if many else [actual], expected if many else [expected], strict=True):
        found = np.asarray(one)
        assert found.dtype == np.asarray(other).dtype
        limit = TOLERANCES[arrays[0].dtype.type]
        np.testing.assert_allclose(found, other, rtol=limit, atol=limit)


@pytest.mark.parametrize(
    ("form", "dtype"), [("graph", np.float64), ("xla", np.float64), ("xla", np.float32), ("graph", np.complex128)]
)
@pytest.mark.parametrize("name", [*AS_ROWS, *AS_THEY_STAND])
def test_loop_gives_what_numpy_gives(
    after: Any, looked_at: dict[str, bool], name: str, form: str, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "left_early" and dtype is np.complex128:
        pytest.skip("complex numbers have no order")
    monkeypatch.setenv("TNP_COMPILED", form)
    arrays = arrays_of(dtype)
    result, ran = run(after, name, arrays)
    assert ran == form
    check(result, name, arrays)
    assert looked_at.get("j", False) == (name in AS_ROWS)
    assert not looked_at.get("k", False)


@pytest.mark.parametrize("form", ["graph", "xla"])
@pytest.mark.parametrize("name", ["lower", "backwards", "above", "own_column", "row_that_grows", "wrapped"])
def test_integers_are_numpys(after: Any, name: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    arrays = arrays_of(np.int64)
    result, ran = run(after, name, arrays)
    assert ran == form
    check(result, name, arrays)


@pytest.mark.parametrize("form", ["graph", "xla"])
@pytest.mark.parametrize("place", [(0, 0), (2, 4), (6, 6)])
@pytest.mark.parametrize("number", [np.inf, np.nan, 0.0])
def test_what_is_not_finite_goes_where_numpy_has_it(
    after: Any, place: tuple[int, int], number: float, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    arrays = arrays_of(np.float64)
    arrays[0][place] = number  # at (0, 0) a pivot of zero, or one that is not finite
    check(run(after, "factored", arrays)[0], "factored", arrays)


@pytest.mark.parametrize("form", ["graph", "xla"])
def test_place_outside_of_an_array_raises_as_numpy_does(after: Any, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    with pytest.raises(IndexError):
        run(after, "lower", [np.ones((7, 7)), np.ones((7, 6))])


@pytest.mark.parametrize("name", ["factored", "lower", "backwards"])
def test_gradient_is_the_eager_one(after: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import tensorflow as tf

    found = []
    for form in ("eager", "graph", "xla"):
        monkeypatch.setenv("TNP_COMPILED", form)
        arrays = [tf.constant(one) for one in arrays_of(np.float64)]
        with tf.GradientTape() as tape:
            tape.watch(arrays)
            result, _ = run(after, name, arrays)
            result = result[0] if isinstance(result, tuple) else result
            total = tf.reduce_sum(result * result)
        found.append(tape.gradient(total, arrays, unconnected_gradients=tf.UnconnectedGradients.ZERO))
    for one, *others in zip(*found, strict=True):
        for other in others:
            np.testing.assert_allclose(np.asarray(other), np.asarray(one), rtol=1e-10, atol=1e-10)


def test_every_function_is_tested() -> None:
    functions = [name for name, one in vars(before).items() if inspect.isfunction(one)]
    assert sorted(functions) == sorted([*AS_ROWS, *AS_THEY_STAND])
