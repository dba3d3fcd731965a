"""What a parameter is given, by its kind: arrays, operands that broadcast, axes, words, shapes, indices.

A kind is a function of a `Drawing`, which knows what the call has been given so far. `call_kinds` says which parameter
of which function is of which kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from generated_programs import Text
from hypothesis import strategies as st

Kind = Callable[["Drawing"], Any]
Array = np.ndarray[Any, Any]

# Common dtypes stand several times, so that a few examples meet them.
WIDE = ("float64", "float32", "int64", "int32")
NARROW = ("bool", "int8", "uint8", "int16", "uint16", "float16")
NUMERIC = (*WIDE * 3, *NARROW, "uint32", "uint64", "complex128", "complex64")
REAL = (*WIDE * 3, *NARROW, "uint32", "uint64")
FLOATS = ("float64", "float64", "float32")
INEXACT = (*FLOATS, "complex128", "complex64")
INTEGERS = ("int64", "int64", "int32", "uint8", "int16", "uint32")
_SIZES = (2, 3, 1, 4, 3, 2, 0)
_PLAIN = (1.0, 0.0, 2.0, -1.0, 0.5, -3.25, 7.0, 2.0, -0.0, 0.125, 100.0)
_SPECIAL = (np.inf, -np.inf, np.nan)
_WHOLE = (1, 0, 2, 3, 5, 7, 100, 1, -1, -2, -7)
_COMPLEX = (1 + 0j, 0j, 2j, -1 + 0.5j, 3 - 2j, -0.25 + 0j)


@dataclass
class Drawing:
    """A call that is being drawn: its name and the arguments it has so far."""

    draw: Any
    name: str
    given: dict[str, Any] = field(default_factory=dict)

    def one_of(self, *values: Any) -> Any:
        """Draw one of some values."""
        return self.draw(st.sampled_from(values))

    def number(self, low: int, high: int) -> int:
        """Draw an integer between two, both included."""
        return int(self.draw(st.integers(low, high)))

    def rarely(self, one_in: int = 6) -> bool:
        """Draw a truth that is seldom so."""
        return self.number(0, one_in - 1) == one_in - 1

    @property
    def first(self) -> Array:
        """The first array that the call was given, or what NumPy makes of a list or a number there."""
        arrays = [one for one in self.given.values() if isinstance(one, np.ndarray)]
        if arrays:
            return arrays[0]
        value = next((one for one in self.given.values() if not isinstance(one, str | Text)), 0.0)
        while isinstance(value, list | tuple) and value and isinstance(value[0], np.ndarray):
            value = value[0]
        return np.asarray(value)

    @property
    def rank(self) -> int:
        return self.first.ndim

    def length(self, axis: Any = None) -> int:
        """The number of elements along an axis of the first array: that given to the call, else of all of them."""
        axis = self.given.get("axis") if axis is None else axis
        if isinstance(axis, int) and -self.rank <= axis < self.rank:
            return int(self.first.shape[axis])
        return int(self.first.size)


def shapes(d: Drawing, low: int = 0, high: int = 3, *, empty: bool = True) -> tuple[int, ...]:
    """Draw the lengths of an array's axes."""
    rank = d.one_of(*[one for one in (1, 2, 2, 3, 1, 0) if low <= one <= high] or [low])
    sizes = _SIZES if empty else _SIZES[:-1]
    return tuple(d.one_of(*sizes) for _ in range(rank))


def filled(d: Drawing, shape: Sequence[int], dtype: str, *, special: bool = True) -> Array:
    """Draw the elements of an array: ties, zeros of both signs, seldom infinities, NaN or the widest integers."""
    kind = np.dtype(dtype).kind
    values: tuple[Any, ...] = {"b": (True, False), "f": _PLAIN, "c": _COMPLEX}.get(kind, _WHOLE)
    if kind == "u":
        values = tuple(abs(one) for one in values)
    if special and d.rarely(5):
        values = (*values, *_extremes(dtype))
    size = prod(shape)
    return np.array(d.draw(st.lists(st.sampled_from(values), min_size=size, max_size=size)), dtype).reshape(shape)


def _extremes(dtype: str) -> tuple[Any, ...]:
    kind = np.dtype(dtype).kind
    if kind in "iu":
        return (np.iinfo(dtype).min, np.iinfo(dtype).max)
    return _SPECIAL if kind == "f" else ()


def array(
    dtypes: Sequence[str] = NUMERIC, low: int = 0, high: int = 3, *, empty: bool = True, special: bool = True
) -> Kind:
    """Arrays of some dtypes and numbers of axes."""
    return lambda d: filled(d, shapes(d, low, high, empty=empty), d.one_of(*dtypes), special=special)


def operand(dtypes: Sequence[str] = NUMERIC, low: int = 0, high: int = 3, **options: bool) -> Kind:
    """Draw an array, or seldom a nested list or a Python number, which NumPy makes an array of."""
    kind = array(dtypes, low, high, **options)

    def drawn(d: Drawing) -> Any:
        made = kind(d)
        writable = made.dtype.kind in "bif" and made.size and np.isfinite(made).all()
        return made.tolist() if writable and d.rarely(8) else made

    return drawn


def second(dtypes: Sequence[str] | None = None) -> Kind:
    """Draw an operand that broadcasts with the first; of its dtype or another, an array or a Python number."""

    def drawn(d: Drawing) -> Any:
        kinds = (d.first.dtype.name,) if dtypes is None and not d.rarely(3) else (dtypes or NUMERIC)
        kinds = [one for one in kinds if one in DTYPE_NAMES] or list(WIDE)
        return number_or(d, filled(d, broadcasting(d, d.first.shape), d.one_of(*kinds)))

    return drawn


DTYPE_NAMES = frozenset(NUMERIC)


def broadcasting(d: Drawing, shape: Sequence[int]) -> tuple[int, ...]:
    """Draw a shape that broadcasts with another: seldom one that does not."""
    cut = tuple(shape[d.one_of(0, 0, *range(len(shape) + 1)) :])
    made = tuple(1 if d.rarely(5) else one for one in cut)
    return (*made[:-1], made[-1] + 2) if made and d.rarely(25) else made


def number_or(d: Drawing, made: Array) -> Any:
    """Draw the array itself, or seldom a Python number of its kind."""
    if not d.rarely(5):
        return made
    return {"b": True, "c": 2.5j}.get(made.dtype.kind, d.one_of(2, 0, -1, 3) if made.dtype.kind in "iu" else 2.5)


def alike(d: Drawing) -> Array:
    """Draw an array of the shape and the dtype of the first."""
    return filled(d, d.first.shape, d.first.dtype.name)


def vector(dtypes: Sequence[str] = NUMERIC, low: int = 1, high: int = 6, *, special: bool = True) -> Kind:
    """Arrays of one axis."""
    return lambda d: filled(d, (d.number(low, high),), d.one_of(*dtypes), special=special)


def finite(dtypes: Sequence[str] = INEXACT, low: int = 1, high: int = 3) -> Kind:
    """Arrays without infinities, NaN and extremes, and with elements."""
    return array(dtypes, low, high, empty=False, special=False)


def increasing(d: Drawing) -> Array:
    """Draw strictly increasing numbers."""
    steps = d.draw(st.lists(st.sampled_from((0.5, 1.0, 2.0)), min_size=2, max_size=6))
    return np.cumsum(steps).astype(d.one_of("float64", "float64", "float32", "int64")) - 2


def distinct(d: Drawing) -> Array:
    """Draw an array without equal elements."""
    shape = shapes(d, 1)
    order = d.draw(st.permutations(range(prod(shape))))
    return (np.array(order, d.one_of("float64", "int64", "float32", "int32")) - 2).reshape(shape)


def stacked(d: Drawing, *core: int) -> tuple[int, ...]:
    """Draw the shape of a matrix or a stack of them."""
    return (*d.one_of((), (), (2,), (1, 2)), *core)


def matrix(d: Drawing) -> Array:
    """Draw one matrix or a stack."""
    return filled(d, stacked(d, d.number(1, 4), d.number(1, 4)), d.one_of(*INEXACT, "int64"), special=False)


def square(d: Drawing) -> Array:
    """Draw well-conditioned square matrices: their diagonal outweighs the rest."""
    return _dominant(d, d.one_of(*INEXACT, "int64"))


def _dominant(d: Drawing, dtype: str) -> Array:
    n = d.number(1, 4)
    return (filled(d, stacked(d, n, n), "int64") % 3 + 6 * np.eye(n) + np.diag(range(n))).astype(dtype)


def symmetric(d: Drawing) -> Array:
    """Draw Hermitian, positive definite matrices with distinct eigenvalues."""
    made = _dominant(d, d.one_of(*INEXACT))
    return np.asarray((made + made.conj().swapaxes(-1, -2)) / 2, made.dtype)


def right_hand_side(d: Drawing) -> Array:
    """Draw what a system of equations with the matrix before is to give."""
    *stack, n = d.first.shape[:-1]
    shape = (n,) if d.rarely(3) else (*stack, n, d.number(1, 3))
    return filled(d, shape, d.one_of(d.first.dtype.name, "float64"), special=False)


def axis(d: Drawing) -> Any:
    """Draw an axis of the first array, counted from either end; seldom one that it lacks."""
    if d.rarely(15):
        return d.one_of(d.rank, -d.rank - 1)
    return d.number(-d.rank, max(d.rank - 1, -d.rank))


def axis_or_none(d: Drawing) -> Any:
    """Draw an axis, or None for all elements."""
    return None if d.rarely() else axis(d)


def axes(d: Drawing) -> Any:
    """Draw an axis, several or None."""
    if d.rank < 1 or not d.rarely(3):
        return axis_or_none(d)
    return distinct_axes(d, d.number(1, d.rank))


def distinct_axes(d: Drawing, count: int) -> tuple[int, ...]:
    """Draw some axes of the first array, counted from either end."""
    chosen = d.draw(st.permutations(range(d.rank)))[:count]
    return tuple(one - d.rank if d.rarely(3) else one for one in chosen)


def all_axes(d: Drawing) -> tuple[int, ...]:
    """Draw an order of all axes."""
    return distinct_axes(d, d.rank)


def flag(d: Drawing) -> bool:
    """Draw True or False."""
    return bool(d.one_of(True, False))


def words(*values: Any) -> Kind:
    """One of some constants."""
    return lambda d: d.one_of(*values)


def count(low: int = 0, high: int = 4) -> Kind:
    """Small integers."""
    return lambda d: d.number(low, high)


def dtype(d: Drawing) -> Any:
    """Draw a dtype as users write it; complex only where the array may become it."""
    return Text(
        d.one_of("np.float32", "np.float64", "float", "np.int64", "int", "np.int32", "np.complex128", "np.int16")
    )


def where(d: Drawing) -> Array:
    """Draw which elements of the first array count."""
    return filled(d, broadcasting(d, d.first.shape), "bool")


def initial(d: Drawing) -> Any:
    """Draw a number to start with, of the array's kind."""
    return d.one_of(0, 3) if d.first.dtype.kind in "biu" else d.one_of(0.0, 2.5)


def like_shaped(low: int = 1, *, along: bool = True, dtypes: Sequence[str] = NUMERIC) -> Kind:
    """Lists of arrays of one shape, with `along` but for the first axis, mostly of one dtype."""

    def drawn(d: Drawing) -> list[Array]:
        shape, kind = shapes(d, low, empty=not d.rarely(2)), d.one_of(*dtypes)
        parts = []
        for _ in range(d.number(1, 3)):
            own = (d.number(1, 3), *shape[1:]) if along and shape and d.rarely(3) else shape
            parts.append(filled(d, own, d.one_of(*dtypes) if d.rarely(4) else kind))
        return parts

    return drawn


def shape(d: Drawing) -> Any:
    """Draw a shape, or one length."""
    return d.number(0, 4) if d.rarely(3) else shapes(d, 1)


def shape_of_size(d: Drawing) -> Any:
    """Draw a shape of as many elements as the first array has, one of its lengths seldom left open."""
    size = d.first.size
    low = next((n for n in (2, 3) if size and size % n == 0), 1)
    made = d.one_of((size,), (low, size // low), (size // low, low), (1, size, 1), (-1, low), -1, size)
    return (size + 1,) if d.rarely(20) else made


def broader(d: Drawing) -> Any:
    """Draw a shape that the first array can be broadcast to."""
    return (*d.one_of((), (2,), (3, 1)), *(d.number(1, 3) if one == 1 else one for one in d.first.shape))


def indices(d: Drawing) -> Any:
    """Draw positions along the given axis, counted from either end; seldom one outside."""
    size = d.length()
    low, high = (-size, size - 1) if size else (0, 0)
    high += d.rarely(20)
    chosen = [d.number(low, high) for _ in range(d.number(1, 4))]
    return d.one_of(np.array(chosen), np.array(chosen, np.int32), chosen, chosen[0], np.array([chosen, chosen]))


def positions_along(d: Drawing) -> Array:
    """Draw positions along the axis for each place of the first array, as `take_along_axis` wants them."""
    at = d.given.get("axis", d.rank - 1)
    if at is None or not d.first.size:
        return np.zeros(0, np.int64)
    at %= d.rank
    lengths = [d.number(1, 3) if n == at else size for n, size in enumerate(d.first.shape)]
    return filled(d, lengths, "int64", special=False) % d.first.shape[at]


def sections(d: Drawing) -> Any:
    """Draw into how many parts an axis is split, or where."""
    size = d.first.shape[0] if d.rank else 1
    parts = [n for n in range(1, size + 1) if size % n == 0] or [1]
    where_at = sorted(d.number(0, size + 1) for _ in range(d.number(0, 3)))
    return d.one_of(d.one_of(*parts), where_at, tuple(where_at), d.number(1, 4))


def repeats(d: Drawing) -> Any:
    """Draw how often each element is repeated: one number, or one for each."""
    several = d.rarely(3) and d.rank > 0 and d.length() > 0
    return [d.number(0, 2) for _ in range(d.length())] if several else d.number(0, 3)


def q(d: Drawing) -> Any:
    """Draw quantiles; for percentiles they are a hundred times as large."""
    scale = 100 if "percentile" in d.name else 1
    values = [d.one_of(0, 0.1, 0.25, 0.5, 0.9, 1) * scale for _ in range(d.number(1, 3))]
    return d.one_of(values[0], values[0], values, np.array(values, float))


def bins(d: Drawing) -> Any:
    """Draw how many bins, their edges, or a rule's name."""
    return d.one_of(d.number(1, 6), [-1.0, 0.0, 2.0, 5.0], np.array([0, 1, 2, 100]), "sturges", "sqrt", "auto")


def limits(d: Drawing) -> Any:
    """Draw the range of a histogram."""
    return d.one_of((0, 5), (-2.5, 7.5), (0.0, 1.0))


def optional(kind: Kind) -> Kind:
    """That kind, or None."""
    return lambda d: None if d.rarely(3) else kind(d)
