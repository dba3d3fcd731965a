"""What a translation assumes of arguments because a recorded run of the program has seen nothing else."""

from __future__ import annotations

import builtins
import sys
from typing import Any

import numpy as np
import tensorflow as tf

_NUMBERS = frozenset({int, float, bool})


def seen(what: Any, /, **given: Any) -> None:
    """Raise TypeError for an argument that is not what the code below was translated for.

    `what` is a class, "number" (Python's own), "str" or what is known of an array: "float64 2d", "2d", "array"; where
    calls left it out, too, "float64 2d or None". This reads no values: it runs once while a graph is traced.
    """
    for name, value in given.items():
        if not _is_as_seen(what, value):
            code = sys._getframe(1).f_code  # noqa: SLF001  # of the function that checks, for the message alone
            function = getattr(code, "co_qualname", code.co_name)
            wanted = what if isinstance(what, str) else what.__name__
            raise TypeError(
                f"{function}: {name} is {_in_words(value)}, and was {wanted} in all recorded calls, for which this "
                "function was translated. Convert it, or record such a call too and translate again."
            )


def _is_as_seen(what: Any, value: Any) -> bool:
    if not isinstance(what, str):
        return isinstance(value, what)
    if what in ("number", "str"):
        return type(value) in _NUMBERS if what == "number" else type(value) is str
    wanted, _, _ = what.partition(" or None")
    if value is None or wanted == "array":
        return (value is None and wanted != what) or _described(value) is not None
    known = _described(value)
    return known is not None and builtins.all(word in known for word in wanted.split())


def _described(value: Any) -> tuple[str, str] | None:
    """Dtype and rank of an array; None for what is none, and for arrays that say more than a tensor can."""
    if isinstance(value, tf.Tensor):
        return value.dtype.name, f"{value.shape.rank}d"
    return (value.dtype.name, f"{value.ndim}d") if type(value) is np.ndarray else None


def _in_words(value: Any) -> str:
    known = _described(value)
    kind = type(value).__name__
    return kind if known is None else f"{'an ndarray' if kind == 'ndarray' else 'a tensor'} {' '.join(known)}"
