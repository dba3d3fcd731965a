"""The kind of a value, as far as calls of a function are told apart by it. Cheap, and without NumPy.

`np.zeros((2, 50))` -> `("array", "<f8", (2, 9))`; sizes of three and more count as one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

GROWTH = 1.9  # from one kept call of a kind to the next
_MANY = 9
_NAMED = "**"
_DTYPES = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}
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


def kind_of_call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The kinds of all arguments; those by name stand together, last, behind a word that no kind begins with."""
    kinds = tuple(map(kind_of, args))
    return (*kinds, (_NAMED, *((key, kind_of(value)) for key, value in kwargs.items()))) if kwargs else kinds


def kinds_by_parameter(kind: tuple[Any, ...], positional: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What a call gave for its parameters, in words without sizes: `("x", "array float64 2d")`."""
    named = kind[-1][1:] if kind and isinstance(kind[-1], tuple) and kind[-1][0] == _NAMED else ()
    given = kind[:-1] if named else kind
    yield from ((name, in_words(one)) for name, one in [*zip(positional, given, strict=False), *named])


def in_words(kind: Any) -> str:
    """A kind without sizes and values: `int`, `None`, `array float64 2d`, or the name of a class."""
    if isinstance(kind, tuple):
        return f"array {_dtype_name(kind[1])} {len(kind[2])}d" if kind[0] == "array" else str(kind[0])
    return "bool" if isinstance(kind, bool) else str(kind)


def _dtype_name(text: str) -> str:
    """`float64` for `<f8`; what has no such name stays as it is."""
    word = _DTYPES.get(text[1:2])
    return text if word is None or not text[2:].isdigit() else word if text[1] == "b" else f"{word}{8 * int(text[2:])}"


def is_power_rounded_up(count: int) -> bool:
    """Whether this is the 1st, 2nd, 4th, 7th, 14th, 25th ... of its kind: a power of `GROWTH`, rounded up.

    Powers of two fall in step with loops of 2, 4 or 8 turns, of which only the last turn would ever be kept.
    """
    power = GROWTH ** math.floor(math.log(count, GROWTH))
    return math.ceil(power) == count
