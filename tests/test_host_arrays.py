"""Arrays that say more than tensors: where they would become one, they raise, and NumPy goes on taking them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest


@pytest.fixture(scope="module", autouse=True)
def _kept(tensorflow: Any) -> None:
    """Do what the helper module does on import."""
    assert tensorflow is not None
    from tnp_rules.host_arrays import keep_masks

    keep_masks()


class Quantity(np.ndarray):
    """A subclass of the user's own."""


MASKED = np.ma.masked_equal(np.array([1.0, -999.0, 3.0]), -999.0)
KEPT = {"masked": MASKED, "matrix": np.ones((2, 2)).view(np.matrix)}


@pytest.fixture(scope="module")
def tnp(tensorflow: Any) -> Any:
    """Give TensorFlow's NumPy API under its usual name."""
    return tensorflow.experimental.numpy


@pytest.mark.parametrize("kind", KEPT)
@pytest.mark.parametrize("name", "mean sum max sqrt asarray array sort cumsum argmax isnan size stack ravel".split())
def test_no_function_of_tnp_takes_them_for_plain_arrays(tnp: Any, kind: str, name: str) -> None:
    with pytest.raises(TypeError, match="lose what that adds"):
        getattr(tnp, name)(KEPT[kind])


@pytest.mark.parametrize(
    ("module", "name", "more"),
    [
        ("quantiles", "median", ()),
        ("quantiles", "percentile", (50,)),
        ("histograms", "histogram", ()),
        ("reductions_running", "diff", ()),
        ("covariance", "cov", ()),
        ("sets", "unique", ()),
    ],
)
def test_no_rule_takes_a_masked_array_for_a_plain_one(module: str, name: str, more: tuple[Any, ...]) -> None:
    rule = getattr(import_module(f"tnp_rules.{module}"), name)
    with pytest.raises(TypeError, match=r"x\.filled\(0\)"):
        rule(MASKED, *more)


@pytest.mark.parametrize("compute", [lambda x, y: x + y, lambda x, y: y - x])
def test_no_operator_takes_a_masked_array_for_a_plain_one(tf: Any, compute: Any) -> None:
    with pytest.raises(TypeError):
        compute(MASKED, tf.ones(3, tf.float64))


def test_numpy_goes_on_computing_with_them() -> None:
    assert np.mean(MASKED) == 2
    assert (MASKED + 1).tolist() == [2, None, 4]


def test_subclasses_that_leave_an_island_are_no_tensors_later(tf: Any, tnp: Any) -> None:
    from tnp_rules.islands import island

    given = island(lambda x: {"q": x.view(Quantity), "m": np.ma.masked_less(x, 0)})(tf.constant([1.0, -1.0]))
    assert type(given["q"]) is Quantity
    assert given["m"].tolist() == [1, None]
    with pytest.raises(TypeError, match="a Quantity no longer"):
        tnp.sum(given["q"])


def test_memory_maps_are_plain_arrays(tmp_path: Any, tf: Any, tnp: Any) -> None:
    from tnp_rules.islands import island

    made = np.memmap(tmp_path / "x", float, "w+", shape=(2,))
    assert tf.is_tensor(tnp.asarray(island(lambda x, _: x)(made, tf.zeros(1))))
