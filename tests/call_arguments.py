"""Arguments that a single function or family wants: coefficients, blocks, subscripts, widths, weights, ranges."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from call_strategies import INEXACT, INTEGERS, NUMERIC, REAL, Array, Drawing, Kind, distinct_axes, filled, vector
from generated_programs import Text


def polynomial(d: Drawing) -> Any:
    """Draw coefficients, the leading ones of which may be zero; seldom as a list."""
    made = vector((*REAL[:12], "complex128"), 1, 5, special=False)(d)
    return made.tolist() if d.rarely(5) and made.dtype.kind in "if" else made


def nonzero_polynomial(d: Drawing) -> Array:
    """Draw coefficients whose ends are not zero."""
    made = vector(("float64", "float64", "complex128", "int64"), 1, 4, special=False)(d)
    made[[0, -1]] = d.one_of(1, 2, -1), d.one_of(1, -2)
    return made


def sorted_array(d: Drawing) -> Array:
    """Draw what `searchsorted` searches."""
    return np.sort(vector(REAL, 1, 6, special=False)(d))


def knots(d: Drawing) -> Array:
    """Draw increasing positions, and as many values later."""
    steps = [d.one_of(0.5, 1.0, 2.0) for _ in range(d.number(1, 5))]
    return (np.cumsum(steps) - 2).astype(d.one_of("float64", "float64", "float32", "int64"))


def knot_values(d: Drawing) -> Array:
    """Draw a value for each of the knots."""
    return filled(d, np.shape(d.given["xp"]), d.one_of("float64", "float32", "int64", "complex128"), special=False)


def same_but_axis(d: Drawing) -> Array:
    """Draw an array that can be joined with the first along the call's axis; any where there is none."""
    at = d.given.get("axis")
    lengths = list(d.first.shape)
    if isinstance(at, int) and -d.rank <= at < d.rank:
        lengths[at] = d.number(0, 2)
    return filled(d, lengths, d.first.dtype.name if not d.rarely(3) else d.one_of(*NUMERIC))


def weights(d: Drawing) -> Array:
    """Draw a weight for each element, or for each place along the axis."""
    at = d.given.get("axis")
    along = isinstance(at, int) and -d.rank <= at < d.rank and d.rarely(2)
    return np.abs(filled(d, d.first.shape[at:][:1] if along else d.first.shape, "float64", special=False)) + 0.5


def weights_of_all(d: Drawing) -> Array:
    """Draw a weight for each element."""
    return np.abs(filled(d, d.first.shape, d.one_of("float64", "int64", "float32"), special=False))


def observations(d: Drawing) -> Array:
    """Draw one variable or several."""
    return filled(d, (*d.one_of((), (2,), (3,)), d.number(2, 4)), d.one_of(*INEXACT, "int64"), special=False)


def columns_of(d: Drawing) -> Array:
    """Draw counts or weights, one for each observation."""
    return np.array([d.number(1, 3) for _ in range(d.first.shape[-1])])


def blocks(d: Drawing) -> list[Any]:
    """Draw rows of arrays that fit beside and below each other."""
    kind = d.one_of("float64", "int64", "float32")
    widths = [d.number(1, 2) for _ in range(d.number(1, 2))]
    rows = []
    for _ in range(d.number(1, 2)):
        height = d.number(1, 2)
        rows.append([filled(d, (height, width), kind) for width in widths])
    return rows


def choose_from(d: Drawing) -> Array:
    """Draw which of the choices is taken: three are offered."""
    return filled(d, (d.number(1, 4),) if d.rarely(2) else (2, 3), "int64", special=False) % 3


def choices(d: Drawing) -> list[Array]:
    """Draw three choices for each place of the first array."""
    kind = d.one_of("float64", "int64", "float32", "bool")
    return [filled(d, d.first.shape[d.one_of(0, 0, d.rank) :], kind) for _ in range(3)]


def conditions(d: Drawing) -> list[Array]:
    """Draw two conditions of one shape."""
    lengths = (d.number(1, 4),) if d.rarely(2) else (2, 2)
    return [filled(d, lengths, "bool") for _ in range(2)]


def chosen_values(d: Drawing) -> list[Any]:
    """Draw a value or an array for each condition."""
    lengths, kind = d.given["condlist"][0].shape, d.one_of("float64", "int64", "float32")
    return [d.one_of(1, 2.5) if d.rarely(4) else filled(d, lengths, kind) for _ in d.given["condlist"]]


_SUBSCRIPTS = (
    "i,i", "ij,jk", "ij,jk->ki", "ij->ji", "ii", "ii->i", "ij,ij->i", "i,j->ij", "ijk->k", "...i,...i", "ij->",
    "ij,j,jk->ik", "bij,bjk->bik", "i->", "...ij->...ji",
)  # fmt: skip


def einsum(d: Drawing) -> list[Any]:
    """Draw subscripts and their operands."""
    subscripts = d.one_of(*_SUBSCRIPTS)
    kind = d.one_of(*INEXACT, "int64", "int32")
    made = []
    for letters in subscripts.partition("->")[0].split(","):
        names = letters.replace("...", "b" if d.rarely(2) else "")
        made.append(filled(d, [{"i": 2, "j": 3, "k": 4, "b": 2}[one] for one in names], kind, special=False))
    return [subscripts, *made]


def inner_axes(d: Drawing) -> Any:
    """Draw what `tensordot` sums over: a number of axes, or axes of both."""
    rank = min(d.rank, 2)
    return d.one_of(0, 1, rank)


def tensordot_operand(d: Drawing) -> Array:
    """Draw an operand whose axes have one length, so that any can be summed over."""
    kind = d.first.dtype.name if d.given else d.one_of(*INEXACT, "int64")
    return filled(d, (2,) * d.number(1, 3), kind, special=False)


def tensordot_axes(d: Drawing) -> Any:
    """Draw a number of axes, or which axes of both."""
    ranks = [one.ndim for one in d.given.values()]
    number = d.number(0, min(ranks))
    if d.rarely(2):
        return number
    return tuple(tuple(distinct_axes(Drawing(d.draw, d.name, {"a": one}), number)) for one in d.given.values())


def vector_pair(d: Drawing) -> Array:
    """Draw vectors of three numbers, or a stack of them."""
    return filled(d, (*d.one_of((), (2,), (2, 2)), 3), d.one_of(*INEXACT, "int64"), special=False)


def padded(d: Drawing) -> Array:
    """Draw an array of one or two axes, with elements."""
    lengths = [d.number(1, 3) for _ in range(d.number(1, 2))]
    return filled(d, lengths, d.one_of("float64", "int64", "float32", "int32", "uint8"), special=False)


def widths(d: Drawing) -> Any:
    """Draw how much is added at the ends of the axes."""
    pairs = [(d.number(0, 3), d.number(0, 3)) for _ in range(d.rank)]
    return d.one_of(d.number(0, 3), pairs[0], pairs, pairs[:1])


def pad_words(d: Drawing) -> Any:
    """Draw how the edge is continued."""
    return d.one_of(
        "constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap"
    )


def pad_options(d: Drawing) -> dict[str, Any]:
    """Draw the parameters that the chosen mode has."""
    mode = d.given.get("mode")
    if mode in ("maximum", "mean", "median", "minimum"):
        return {"stat_length": d.one_of(None, 1, 2, (1, 2))}
    if mode in ("reflect", "symmetric"):
        return {"reflect_type": d.one_of("even", "odd")}
    words = {"constant": "constant_values", "linear_ramp": "end_values"}
    return {words[mode]: d.one_of(0, 5, (1, 2))} if mode in words else {}


def fft_lengths(d: Drawing) -> Any:
    """Draw the lengths of a transform: as many as it has axes."""
    at = d.given.get("axes")
    number = len(at) if at is not None else 2 if d.name.endswith("2") else d.rank
    return tuple(d.number(1, 5) for _ in range(number))


def two_axes(d: Drawing) -> Any:
    """Draw two axes that are not the same."""
    return distinct_axes(d, 2)


def some_axes(d: Drawing) -> Any:
    """Draw a tuple of axes."""
    return distinct_axes(d, d.number(1, max(d.rank, 1)))


def spectrum(low: int) -> Kind:
    """Arrays that a Fourier transform takes."""
    return lambda d: filled(d, [d.number(1, 5) for _ in range(d.number(low, 3))], d.one_of(*INEXACT, "int64", "uint8"),
                            special=False)  # fmt: skip


def real_spectrum(low: int) -> Kind:
    """Arrays that a transform of real numbers takes."""
    return lambda d: filled(
        d, [d.number(1, 5) for _ in range(d.number(low, 3))], d.one_of("float64", "float32", "int64"), special=False
    )


def spacing(d: Drawing) -> list[Any]:
    """Draw the distances of a gradient: none, one, or coordinates of the only axis."""
    if not d.rarely(2):
        return []
    if d.rank == 1 and d.rarely(2):
        return [np.cumsum([d.one_of(0.5, 1.0, 2.0) for _ in range(d.first.shape[0])])]
    return [d.one_of(2, 0.5)]


def gradient_array(d: Drawing) -> Array:
    """Draw an array whose axes have at least three elements."""
    lengths = [d.number(3, 4) for _ in range(d.number(1, 2))]
    return filled(d, lengths, d.one_of("float64", "float64", "float32", "int64"), special=False)


def multi_index(d: Drawing) -> Any:
    """Draw positions on two axes of five."""
    shape = (d.number(1, 3),)
    return tuple(np.abs(filled(d, shape, d.one_of("int64", "int32"), special=False)) % 5 for _ in range(2))


def flat_index(d: Drawing) -> Any:
    """Draw positions in an array of 25 elements; seldom one outside."""
    top = 25 if d.rarely(10) else 24
    return d.one_of(d.number(0, top), np.array([d.number(0, top) for _ in range(3)]), [[d.number(0, top)]])


def bounds(d: Drawing) -> Any:
    """Draw a bound of `clip`: none, a number, or an array that broadcasts."""
    if d.first.dtype.kind == "b":
        return d.one_of(True, False)
    value = d.one_of(-1, 0, 2) if d.first.dtype.kind in "iu" else d.one_of(-1.0, 0.0, 2.5, 2)
    return d.one_of(None, value, value, filled(d, d.first.shape[1:], d.first.dtype.name))


def row_function(d: Drawing) -> Text:
    """Draw a function of the elements along an axis."""
    return Text(d.one_of("np.sum", "lambda row: row[0]", "lambda row: row * 2", "np.median"))


def shape_of_two(d: Drawing) -> tuple[int, int]:
    """The shape that the positions of `multi_index` and `flat_index` are in."""
    return (5, 5)


def window(d: Drawing) -> Any:
    """Draw the lengths of a window on all axes."""
    return tuple(d.number(1, max(1, one)) for one in d.first.shape)


def positions(d: Drawing) -> Any:
    """Draw where `delete` and `insert` act along the axis: a place, several, or a mask."""
    size = d.length()
    places = [d.number(-size, max(size - 1, -size)) for _ in range(d.number(1, 2))]
    low, high = sorted((d.number(0, size), d.number(0, size)))
    mask = np.arange(size) % 2 == d.number(0, 1)
    several = [places, np.array(places), Text(f"slice({low}, {high})"), *([mask] if "delete" in d.name else [])]
    return places[0] if d.rarely(2) else d.one_of(*several)


def bytes_of(d: Drawing) -> Array:
    """Draw bytes, or what counts as bits."""
    kind = "uint8" if "unpack" in d.name else d.one_of("uint8", "bool", "int64")
    return filled(d, [d.number(1, 9), *([d.number(1, 3)] if d.rarely(3) else [])], kind, special=False)


def slices(d: Drawing) -> list[Any]:
    """Draw what `np.r_`, `np.mgrid` and their like are indexed with."""
    low, high = d.number(-3, 2), d.number(0, 4)
    steps = ("", f":{d.number(1, 2)}", f":{d.number(1, 4)}j", ":0.5")
    ranges = [Text(f"{low}:{high}{d.one_of(*steps)}") for _ in range(d.number(1, 2))]
    if "grid" in d.name:
        return ranges
    kind = d.one_of("float64", "int64")
    return [vector((kind,), 1, 3)(d) if d.rarely(3) else d.one_of(2, 0.5) if d.rarely(4) else one for one in ranges]


def lexsort_keys(d: Drawing) -> tuple[Array, ...]:
    """Draw keys of one length."""
    size = d.number(1, 5)
    return tuple(
        filled(d, (size,), d.one_of("float64", "int64", "int32"), special=False) for _ in range(d.number(1, 3))
    )


def counted(d: Drawing) -> Array:
    """Draw numbers that can be counted: none is negative, none large."""
    return np.abs(filled(d, (d.number(0, 6),), d.one_of(*INTEGERS), special=False)) % 11


def points(d: Drawing) -> Array:
    """Draw points of two dimensions."""
    return filled(d, (d.number(1, 5), 2), d.one_of("float64", "int64"), special=False)


def fitted(d: Drawing) -> Array:
    """Draw distinct positions to fit a polynomial at."""
    return np.arange(d.number(5, 7)).astype(d.one_of("float64", "float32")) / 2 - 1


def trimmed(d: Drawing) -> Array:
    """Draw numbers with zeros at the ends."""
    zeros = [np.zeros(d.number(0, 2)) for _ in range(2)]
    middle = vector(("float64",), 0, 3, special=False)(d)
    return np.concatenate([zeros[0], middle, zeros[1]]).astype(d.one_of("float64", "int64"))


def chain(d: Drawing) -> list[Array]:
    """Draw matrices that can be multiplied one after the other."""
    sizes = [d.number(1, 3) for _ in range(d.number(3, 5))]
    kind = d.one_of(*INEXACT)
    return [filled(d, pair, kind, special=False) for pair in pairwise(sizes)]


def product_operand(d: Drawing) -> Array:
    """Draw the second operand of a product: its axes fit those of the first, seldom they do not."""
    rank = d.rank
    if rank == 0:
        return filled(d, (), d.first.dtype.name, special=False)
    inner = d.first.shape[-1] + d.rarely(20)
    kind = d.first.dtype.name if not d.rarely(3) else d.one_of(*NUMERIC[:16])
    if d.name.endswith((".inner", ".vecdot", "vecdot", "matvec")):
        stack = d.first.shape[:-2] if d.name.endswith("matvec") else d.first.shape[:-1]
        return filled(d, (*stack, inner) if not d.rarely(3) else (inner,), kind, special=False)
    return filled(d, (inner,) if d.rarely(3) else (inner, d.number(1, 3)), kind, special=False)


def product_first(d: Drawing) -> Array:
    """Draw the first operand of a product."""
    lengths = [d.number(1, 3) for _ in range(d.one_of(1, 2, 2, 3))]
    return filled(d, lengths, d.one_of(*NUMERIC[:20]), special=False)


def permuted_axes(d: Drawing) -> Any:
    """Draw an order of all axes, or none."""
    return d.one_of(None, distinct_axes(d, d.rank))


def times(d: Drawing) -> Any:
    """Draw how often an array is repeated along its axes."""
    return d.one_of(d.number(0, 3), [d.number(0, 2) for _ in range(d.number(1, 3))], (2, 1))


def starts(d: Drawing) -> Any:
    """Draw where the segments of `reduceat` begin."""
    size = d.length()
    chosen = [d.number(0, max(size - 1, 0)) for _ in range(d.number(1, 3))]
    return d.one_of(chosen, np.array(chosen))


def places(d: Drawing) -> Any:
    """Draw the rows that `ufunc.at` works on, some of them twice where that does not multiply the rounding."""
    size = d.first.shape[0]
    chosen = [d.number(-size, size - 1) for _ in range(d.number(1, 4))]
    return d.one_of(np.array, list)(list({one % size: one for one in chosen}.values()) if "tan" in d.name else chosen)


def stored(d: Drawing, kind: Kind | None) -> Any:
    """Draw the second operand of `ufunc.at`."""
    if kind is None:
        return filled(d, d.first.shape[1:], d.first.dtype.name, special=False)
    return kind(Drawing(d.draw, d.name, {"a": d.first[0]}))


def exponents(d: Drawing) -> Any:
    """Draw powers of two for the elements of the first array, or for all."""
    return d.number(-5, 5) if d.rarely(3) else filled(d, d.first.shape, "int32", special=False)
