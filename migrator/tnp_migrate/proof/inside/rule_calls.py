"""Calls that a user's rule is compared on where its file gives none: made by the original's signature."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

Call = tuple[tuple[Any, ...], dict[str, Any]]
MOST = 200
_PLAIN = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def made_calls(signature: inspect.Signature) -> Iterator[Call]:
    """Calls by a signature: arrays and numbers for what it needs, then one of the other parameters at a time."""
    parameters = list(signature.parameters.values())
    needed = [one for one in parameters if one.default is one.empty and one.kind in _PLAIN]
    others = [one for one in parameters if one.default is not one.empty and one.kind in _NAMED]
    for values in _arguments(len(needed)):
        yield tuple(values), {}
        for one in others:
            for value in _instead_of(one.default):
                yield tuple(values), {one.name: value}


def _arguments(count: int) -> Iterator[list[Any]]:
    """Arguments of one shape and dtype, then an array before numbers, then numbers alone."""
    draw = np.random.default_rng(0)
    for shape in ((7,), (3, 4), (4, 4), (2, 3, 4), (1,), (0,)):
        for dtype in ("float64", "float32", "int64", "bool"):
            yield [_array(draw, shape, dtype) for _ in range(count)]
    special = np.array([0.5, np.nan, np.inf, -np.inf, -0.0])
    yield [special.copy() for _ in range(count)]
    for numbers in ((2,) * count, (0.5,) * count):
        yield [_array(draw, (5,), "float64"), *numbers[1:]]
        yield [_array(draw, (5, 3), "float64"), *numbers[1:]]
        yield list(numbers)


def _array(draw: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Any:
    return (draw.normal(size=shape) * 3).astype(dtype)


def _instead_of(default: Any) -> tuple[Any, ...]:
    """What a parameter is given in place of its default."""
    if default is None:
        return (0, -1, 1)
    if isinstance(default, bool):
        return (not default,)
    if isinstance(default, int):
        return (default + 1, default + 2)
    return (default * 0.5 + 0.25,) if isinstance(default, float) else ()
