"""Functions that are passed on: who calls them may compute with NumPy or with tensors."""

from __future__ import annotations

import builtins
import functools
from typing import Any

import numpy as np

from tnp_rules.runtime import to_numpy, to_tensor


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


class as_ufunc:  # noqa: N801 (called as a function)
    """Let a function on tensors have what NumPy's ufunc has: `f.nin`, and `f.reduce`, which NumPy computes."""

    def __init__(self, on_arrays: Any, on_tensors: Any) -> None:
        """Keep both: nothing else is asked of a ufunc that is passed on."""
        functools.update_wrapper(self, on_tensors)
        self.on_arrays, self.on_tensors = on_arrays, on_tensors

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute on tensors."""
        return self.on_tensors(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name == "at" or name.startswith("on_"):
            raise AttributeError(f"a function on tensors has no `{name}`: it would have to write to its argument")
        found = getattr(self.on_arrays, name)
        if not callable(found):
            return found
        return lambda *args, **kwargs: to_tensor(found(*to_numpy(args), **to_numpy(kwargs)))
