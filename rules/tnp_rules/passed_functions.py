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
