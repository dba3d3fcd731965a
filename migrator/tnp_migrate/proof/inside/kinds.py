"""The kind of a value, as far as calls of a function are told apart by it. Cheap, and without NumPy.

`np.zeros((2, 50))` -> `("array", "<f8", (2, 9))`; sizes of three and more count as one.
"""

from __future__ import annotations

from typing import Any

_MANY = 9
_WORD = 16  # characters of a text that are looked at: it may be the name of a method or a file's content


def kind_of(value: Any, depth: int = 2) -> Any:
    """What tells calls apart: type, dtype and shape of arrays, words and flags themselves, first items of sequences."""
    cls = type(value)
    if cls.__name__ == "ndarray":
        return ("array", value.dtype.str, tuple(size if size < 3 else _MANY for size in value.shape))
    if value is None or cls is bool:
        return value
    if cls is int:
        return ("int", value if -2 < value < 3 else _MANY)
    if cls is float:
        return "float"
    if cls is str:
        return ("str", value[:_WORD])
    if cls is list or cls is tuple:
        items = value[:3] if depth else ()
        return (cls.__name__, min(len(value), _MANY), *(kind_of(item, depth - 1) for item in items))
    if cls is dict:
        return ("dict", *sorted(key for key in value if type(key) is str)[:6])
    return cls.__name__


def is_first_of_a_power(count: int) -> bool:
    """Whether this is the 1st, 2nd, 4th, 8th ... of its kind."""
    return count & (count - 1) == 0
