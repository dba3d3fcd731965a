"""Methods that NumPy's numbers have beside those of arrays; a tensor without dimensions stands where they stood."""

from __future__ import annotations

from typing import Any


def number_is_integer(x: Any) -> bool:
    """Tell a whole number; this reads the tensor, which cannot be done while tracing."""
    return bool(_number(x, "is_integer").is_integer())


def number_as_integer_ratio(x: Any) -> tuple[int, int]:
    """Return the fraction that a float is; this reads the tensor, which cannot be done while tracing."""
    return tuple(_number(x, "as_integer_ratio").as_integer_ratio())


def number_hex(x: Any) -> str:
    """Write a float64 as Python's floats are; this reads the tensor, which cannot be done while tracing."""
    return str(_number(x, "hex").hex())


def number_bit_count(x: Any) -> int:
    """Count the ones of an integer; this reads the tensor, which cannot be done while tracing."""
    return int(_number(x, "bit_count").bit_count())


def _number(x: Any, method: str) -> Any:
    """Read a tensor without dimensions; an array, and a number of another dtype, has no such method."""
    if len(x.shape) > 0 or not hasattr(x, "numpy"):
        raise AttributeError(f"an array has no {method}, a number has: {x!r}")
    return x.numpy()
