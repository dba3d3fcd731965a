"""Judges a drawn call: what the translation gives against what NumPy gives, where NumPy has an answer."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from generated_programs import Call, original, translated, translation
from known_differences import known_difference
from rule_runs import compare
from rule_samples import Sample


def judge(call: Call, ways: tuple[str, ...], device: str) -> str:
    """Assert that the translated call does as NumPy; say what became of it: "same", or why it was not run.

    "numpy": the translator leaves it there. "undefined": NumPy has no answer that a program could rest on, because the
    call is deprecated, casts NaN to an integer, or is refused for the types of its arguments. "known": the difference
    stands in `known_differences`.
    """
    text = call.text()
    body = translated(text, tf.__version__, np.__version__)
    if body is None:
        return "numpy"
    reference = original(text)
    if _stores_what_no_integer_is(call) or not _has_answer(reference, call):
        return "undefined"
    if known_difference(call, traced="graph" in ways) is not None:
        return "known"
    plain = "tnh." not in (translation(text, tf.__version__, np.__version__) or "")
    compare(
        _raising_anything(reference) if plain else lambda args, _: reference(*args), sample_of(call), body, device, ways
    )
    return "same"


def _raising_anything(reference: Callable[..., Any]) -> Callable[..., Any]:
    """NumPy's answer, but for its kinds of errors: TensorFlow's own functions raise TensorFlow's own."""

    def answer(args: tuple[Any, ...], _: dict[str, Any]) -> Any:
        try:
            return reference(*args)
        except Exception as error:
            raise Exception(str(error)) from error  # noqa: TRY002 (any kind is as good)

    return answer


def sample_of(call: Call) -> Sample:
    """The arrays of a call as a sample of its program, and how the result is compared."""
    sample = Sample(tuple(call.arrays))
    name = call.name.rpartition(".")[2]
    if name in ("empty", "empty_like"):
        return sample.compared_by(_same_kind)
    if call.name in ("numpy.linalg.svd", "numpy.linalg.eigh", "numpy.linalg.qr"):
        return sample.up_to_sign()
    if call.name in ("numpy.linalg.eigvals", "numpy.unique_values", "numpy.polynomial.polynomial.polyroots"):
        return sample.compared_by(_same_set)
    return sample


def _same_kind(_: tuple[Any, ...], expected: Any, actual: Any) -> None:
    """Compare arrays that nothing is stored in yet."""
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape


def _same_set(_: tuple[Any, ...], expected: Any, actual: Any) -> None:
    """Compare the same numbers in any order along the last axis."""
    assert actual.dtype == expected.dtype
    actual, expected = (np.sort_complex(np.round(one.astype(complex), 5)) for one in (actual, expected))
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)


def _has_answer(reference: Callable[..., Any], call: Call) -> bool:
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore", invalid="warn"):
        warnings.simplefilter("always")
        try:
            result = reference(*copy.deepcopy(call.arrays))
        except TypeError:
            return False
        except Exception:  # noqa: BLE001 (whether TensorFlow raises too is what is asked)
            return True
    unwise = (DeprecationWarning, np.exceptions.ComplexWarning)
    deprecated = any(issubclass(one.category, unwise) for one in caught)
    cast = any("in cast" in str(one.message) for one in caught)
    return not deprecated and not cast and not _holds_objects(result)


def _stores_what_no_integer_is(call: Call) -> bool:
    """Whether `ufunc.at` casts what is far from any integer, such as NaN, without a warning."""
    if not call.name.endswith(".at") or call.args[0].dtype.kind not in "iu":
        return False
    function, elements = getattr(np, call.name.split(".")[-2]), call.args[0][call.args[1]]
    with np.errstate(all="ignore"):
        for _ in call.args[1]:  # as often as an index may occur
            try:
                made = function(elements, *call.args[2:])
            except (TypeError, ValueError):
                return False
            if made.dtype.kind == "f" and not np.all(np.abs(made) < 2.0**63):
                return True
            elements = made.astype(elements.dtype)
    return False


def _holds_objects(result: Any) -> bool:
    """Whether NumPy gives an array that no tensor can hold."""
    if isinstance(result, list | tuple):
        return any(_holds_objects(one) for one in result)
    return isinstance(result, np.ndarray) and result.dtype.kind not in "biufc"
