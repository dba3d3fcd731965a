"""Functions that are passed on: who calls them may compute with NumPy or with tensors."""

from __future__ import annotations

import builtins
import functools
from typing import Any

import numpy as np


def either(on_arrays: Any, on_tensors: Any) -> Any:
    """Give one function for two: NumPy's where it is given an ndarray, else the one on tensors.

    Code on NumPy goes on getting a view of its own memory from `np.asarray` and its like, which it may write to.
    """

    @functools.wraps(on_arrays)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = (*args, *kwargs.values())
        has_array = builtins.any(isinstance(one, np.ndarray) for one in given)
        return (on_arrays if has_array else on_tensors)(*args, **kwargs)

    return call


# The options of NumPy's ufuncs, with the values that say nothing.
_DEFAULTS = {"out": None, "where": True, "dtype": None, "casting": "same_kind", "order": "K", "subok": True}


def taking_options(function: Any) -> Any:
    """Let a function be given options that only NumPy's has, at their defaults: `f(x, out=None)`."""

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        plain = [name for name, value in options.items() if _says_nothing(name, value)]
        return function(*args, **{name: value for name, value in options.items() if name not in plain})

    return call


def _says_nothing(name: str, value: Any) -> bool:
    is_plain = value is None or isinstance(value, (bool, str))
    return is_plain and name in _DEFAULTS and value == _DEFAULTS[name]
