"""The gradient of every rule and of every direct name, against finite differences of the NumPy function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from direct_names import direct_body, direct_samples
from rule_limits import NO_GRADIENT, NO_SLOPE, check_within
from rule_samples import all_samples, call, is_in_numpy

SAMPLES = all_samples()
DIRECT = direct_samples()


@pytest.mark.parametrize("target", sorted(SAMPLES))
def test_gradient_of_rule_is_the_slope_of_numpy(target: str, rules: dict[str, Any], device: str) -> None:
    if target in rules:
        _check_gradients(target, rules[target].body, SAMPLES[target], device)


@pytest.mark.parametrize("target", sorted(DIRECT))
def test_gradient_of_direct_name_is_the_slope_of_numpy(target: str, tensorflow: Any, device: str) -> None:
    _check_gradients(target, direct_body(target), DIRECT[target], device)


def _check_gradients(target: str, body: Any, samples: list[Any], device: str) -> None:
    """Compare all samples; there is a slope to compare, unless the table of names that have none says why."""
    from gradients import check_gradient

    if not is_in_numpy(target):
        pytest.skip(f"NumPy {np.__version__} has no {target}")
    found = check_within(
        NO_GRADIENT,
        target,
        lambda sample: check_gradient(target, sample, body, device),
        samples,
        first=len(samples),
        strict=device.startswith("/CPU"),
    )
    reason = NO_SLOPE.get(target)
    assert found != bool(reason), f"a slope, although {reason}" if found else "no sample has a slope"


@pytest.mark.parametrize(
    ("target", "at", "body"),
    [
        pytest.param("numpy.sin", 0.5, lambda tf, x: tf.stop_gradient(tf.sin(x)), id="none"),
        pytest.param("numpy.sin", 0.5, lambda tf, x: tf.sin(x) + 1e-4 * x, id="a little too much"),
        pytest.param(
            "numpy.sinc", 0.0, lambda tf, x: tf.where(x == 0, 1.0, tf.sin(x) / x), id="NaN of the branch left"
        ),
        pytest.param("numpy.floor", 0.5, lambda tf, x: x, id="one where there is none"),
        pytest.param("numpy.imag", 0.5j, lambda tf, x: tf.math.real(x), id="of the other part"),
    ],
)
def test_wrong_gradient_is_found(target: str, at: complex, body: Any, tf: Any) -> None:
    from gradients import check_gradient

    sample = call(np.array([at, 1.5]))
    with pytest.raises(AssertionError, match="gradient"):
        check_gradient(target, sample, lambda x: body(tf, x), "/CPU:0")


@pytest.mark.parametrize(
    ("target", "at"),
    [
        pytest.param("numpy.absolute", 0.0, id="a kink"),
        pytest.param("numpy.floor", 2.0, id="a jump"),
        pytest.param("numpy.sqrt", 0.0, id="the end of the domain"),
        pytest.param("numpy.sin", np.nan, id="no number"),
    ],
)
def test_nothing_is_asked_where_there_is_no_slope(target: str, at: float, tf: Any) -> None:
    from gradients import slopes_of

    assert slopes_of(target, call(np.array([at]))) == []
