"""The comparison behind the golden tests: what counts as NumPy's answer."""

from typing import Any

import numpy as np
import pytest
from same_results import assert_same

SAME = {
    "python float for a NumPy one": (np.float64(0.5), 0.5),
    "0-d array for a NumPy scalar": (np.float32(0.5), np.array(0.5, np.float32)),
    "rounding of another summation order": (np.array([0.1 + 0.2]), np.array([0.3])),
    "NaN in the same place": (np.array([np.nan, 1.0]), np.array([np.nan, 1.0])),
    "infinities": (np.array([np.inf, -np.inf]), np.array([np.inf, -np.inf])),
    "nested containers": ({"a": [np.arange(3), "x"]}, {"a": [np.arange(3), "x"]}),
    "empty arrays": (np.zeros((0, 3)), np.zeros((0, 3))),
}
DIFFERENT = {
    "dtype": (np.zeros(2), np.zeros(2, np.float32)),
    "dtype of a scalar": (np.float64(0.5), np.float32(0.5)),
    "kind of a Python scalar": (1, 1.0),
    "a flag for a number": (True, 1),
    "shape": (np.zeros((1, 2)), np.zeros(2)),
    "list for an array": (np.zeros(2), [0.0, 0.0]),
    "list for a tuple": ((1, 2), [1, 2]),
    "value": (np.array([1.0, 2.0]), np.array([1.0, 2.0 + 1e-6])),
    "infinity of the other sign": (np.inf, -np.inf),
    "number for NaN": (np.array([np.nan]), np.array([0.0])),
    "order of keys": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "text": ("0.5", "0.50"),
    "shorter list": ([1, 2], [1]),
    "wrapped integer": (np.array([300]), np.array([44])),
}


@pytest.mark.parametrize(("expected", "actual"), SAME.values(), ids=SAME)
def test_same_results_are_accepted(expected: Any, actual: Any) -> None:
    """These are NumPy's answer in another wrapping."""
    assert_same(expected, actual)


@pytest.mark.parametrize(("expected", "actual"), DIFFERENT.values(), ids=DIFFERENT)
def test_different_results_are_refused(expected: Any, actual: Any) -> None:
    """Each of these would be a wrong translation."""
    with pytest.raises(AssertionError, match=r"result"):
        assert_same(expected, actual)
