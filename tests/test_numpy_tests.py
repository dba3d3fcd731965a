"""The script that runs NumPy's own tests: what it binds, what it compares, and what it leaves on NumPy."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

BENCHMARKS = str(Path(__file__).resolve().parent.parent / "benchmarks")


@pytest.fixture(scope="module")
def calls(tensorflow: Any) -> Any:
    assert tensorflow is not None
    sys.path.insert(0, BENCHMARKS)
    import numpy_tests_calls

    yield numpy_tests_calls
    sys.path.remove(BENCHMARKS)
    numpy_tests_calls.RECORD.running = False


@pytest.fixture(scope="module")
def names(calls: ModuleType) -> dict[int, Any]:
    import numpy_tests_names

    return numpy_tests_names.covered()


def test_covered_names_are_bound_and_others_are_not(names: dict[int, Any]) -> None:
    assert names[id(np.median)].__wrapped__ is np.median
    assert names[id(np.linalg.norm)].__wrapped__ is np.linalg.norm
    assert isinstance(names[id(np.add)], np.ufunc)
    assert names[id(np.add)].reduce.__wrapped__ == np.add.reduce
    assert id(np.save) not in names
    assert id(np.float64) not in names


def test_submodules_are_judged_by_whatever_path(names: dict[int, Any]) -> None:
    from numpy_tests_names import Namespace

    numpy = Namespace(np, names)
    assert numpy.fft.fftshift is names[id(np.fft.fftshift)]
    assert numpy.linalg.norm is names[id(np.linalg.norm)]
    assert numpy.testing.assert_equal is np.testing.assert_equal
    assert numpy.float64 is np.float64


def test_call_is_answered_by_the_rule_as_numpy_values(calls: Any, names: dict[int, Any]) -> None:
    calls.start()
    result = names[id(np.median)](np.array([[3.0, 1.0], [2.0, 5.0]]), axis=0)
    assert type(result) is np.ndarray
    assert result.tolist() == [2.5, 3.0]
    assert calls.RECORD.calls == 1
    assert calls.RECORD.events == []


def test_flagged_parameter_leaves_the_call_on_numpy(calls: Any, names: dict[int, Any]) -> None:
    calls.start()
    out = np.zeros(2)
    assert names[id(np.median)](np.ones((2, 2)), axis=0, out=out) is out
    assert calls.RECORD.calls == 0
    assert calls.RECORD.left == ["numpy.median"]


def test_array_that_no_tensor_holds_is_told_from_a_wrong_rule(calls: Any, names: dict[int, Any]) -> None:
    calls.start()
    with pytest.raises(TypeError):
        names[id(np.median)](np.array([1, None], object))
    assert [(one.name, one.kind) for one in calls.RECORD.events] == [("numpy.median", "no tensor")]


@pytest.mark.parametrize(
    ("wanted", "result", "kind"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), None),
        (np.float64(2.0), np.array(2.0), None),
        (2, np.int64(2), "python number"),
        (np.array([1.0, 2.0]), np.array([1.0, 2.0 + 1e-13]), "rounding"),
        (np.array([1.0, 2.0]), np.array([1.0, 2.5]), "value"),
        (np.array([1.0, 2.0]), np.array([1.0, 2.0], np.float32), "dtype"),
        (np.array([1.0, 2.0]), np.array([[1.0, 2.0]]), "shape"),
        ((np.ones(1), np.ones(2)), (np.ones(1), np.zeros(2)), "value"),
        ((np.ones(1), np.ones(2)), np.ones(2), "structure"),
    ],
)
def test_first_difference_is_named(calls: Any, wanted: Any, result: Any, kind: str | None) -> None:
    found = calls.difference(wanted, result)
    assert (found and found[0]) == kind


def test_failure_is_classed_by_what_differed(calls: Any) -> None:
    from numpy_tests_classes import class_of

    assert class_of({"events": [["numpy.sum", "dtype", "int32 for int64"]]}) == "dtype"
    assert class_of({"events": [["numpy.sum", "no tensor", "dtype O"], ["numpy.sum", "value", ""]]}) == "object"
    assert class_of({"events": [["numpy.sin", "accepted", "NumPy raises FloatingPointError: x"]]}) == "errstate"
    assert class_of({"events": [], "error": "AssertionError"}) == "calls equal"
    assert class_of({"error": "Failed: Timeout (>20.0s) from pytest-timeout."}) == "crash or time"
