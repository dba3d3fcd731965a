"""How far rounding moves results: what a function amplifies is seen, wherever its arrays go, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tnp_migrate.proof.inside.leaves import leaves_of
from tnp_migrate.proof.inside.rounding import hand_moving, movement, moving_followed

WHOLE = np.arange(10)
BENT = np.array([100, 40, 20, 15, 10, 5, 4, 3, 2, 1])


def fitted(x: Any, y: Any) -> Any:
    return np.polyfit(x, y, 7)


def inverse_powers(count: Any) -> Any:
    return np.linalg.inv(np.vander(np.linspace(0.0, 1.0, int(count[0])), 8))


def listed(x: Any, y: Any) -> Any:
    rows = np.array([x, list(y)])
    return fitted(rows[0], rows[1])


def mean_of_two(x: Any, y: Any) -> Any:
    return (np.asarray(x) + np.array(y)) / np.linspace(1.0, 2.0, len(x))


def movement_of(function: Callable[..., Any], *arrays: Any) -> Any:
    """By how much of its largest number a result is moved; the bounds of integers."""

    def draw(_: int) -> Any:
        with moving_followed():
            return leaves_of({"return": function(*[hand_moving(array.copy(), None) for array in arrays])})

    result = function(*arrays)
    moved = movement(leaves_of({"return": result}), draw)["return"]
    return moved / np.max(np.abs(result)) if isinstance(moved, float) else moved


@pytest.mark.parametrize(
    ("function", "arrays"),
    [(fitted, (WHOLE, BENT)), (inverse_powers, (np.array([8]),)), (listed, (WHOLE, BENT))],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_a_function_amplifies_is_seen(function: Callable[..., Any], arrays: Any) -> None:
    assert 1e-14 < movement_of(function, *arrays) < 1e-10


@pytest.mark.parametrize("dtype", [int, float])
def test_rounding_alone_moves_by_a_few_units(dtype: type) -> None:
    assert 0 < movement_of(mean_of_two, WHOLE.astype(dtype), BENT.astype(dtype)) < 8 * np.finfo(float).eps


def test_integers_do_not_move() -> None:
    low, high = movement_of(lambda x, y: (np.asarray(x) * y)[np.array(x)[::-1]], WHOLE, BENT)
    assert low == high == (WHOLE * BENT)[::-1].tolist()


def test_functions_are_numpys_own_again_afterwards() -> None:
    own = [np.array, np.asarray, np.linspace]
    seen = []

    def stop() -> None:
        seen.append(np.asarray)
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"), moving_followed():
        stop()
    assert seen[0] is not own[1]
    assert [np.array, np.asarray, np.linspace] == own
