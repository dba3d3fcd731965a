"""NumPy's writes as functions that give back what they wrote to, for code that binds it again.

Each writes to the array itself: who else holds it, such as a function that was left as it was, sees what it always saw.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

_IN_PLACE: dict[str, Any] = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv, "//": operator.ifloordiv,
    "%": operator.imod, "**": operator.ipow, "@": operator.imatmul, "&": operator.iand, "|": operator.ior,
    "^": operator.ixor, "<<": operator.ilshift, ">>": operator.irshift,
}  # fmt: skip


def index_update(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] = value and give x back."""
    x[index] = value
    return x


def view_update(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] = value if x[index] is a view of x or an item of a list or dict, and give x back.

    An array or a list as index picks a copy, which nothing else holds: x stays as it is.
    """
    if isinstance(x, np.ndarray):
        items = index if isinstance(index, tuple) else (index,)
        is_held = all(_keeps_view(item) for item in items)
    else:
        is_held = isinstance(x, (list, dict)) and not isinstance(index, slice)
    return index_update(x, index, value) if is_held else x


def _keeps_view(item: Any) -> bool:
    if isinstance(item, (bool, np.bool_, np.ndarray, list, tuple)):
        return False
    return item is None or item is Ellipsis or isinstance(item, (slice, str)) or hasattr(item, "__index__")


class Stores:
    """What a loop stores into x by stores[index] = value, kept for index_updates to do all of it at once.

    Values and indices are kept as they are at that moment. A list, a dict, whatever is no plain array of numbers, is
    stored into directly.
    """

    def __init__(self, x: Any) -> None:
        self.direct = None if type(x) is np.ndarray and not x.dtype.hasobject else x
        self.kept: list[tuple[Any, Any]] = []

    def __setitem__(self, index: Any, value: Any) -> None:
        if self.direct is None:
            self.kept.append((_as_it_is_now(index), _as_it_is_now(value)))
        else:
            self.direct[index] = value


def index_updates(x: Any, stores: Stores) -> Any:
    """Do the stores that were kept, in their order, and give x back."""
    for index, value in stores.kept:
        x[index] = value
    return x


def _as_it_is_now(value: Any) -> Any:
    """Copy what may be changed later."""
    if isinstance(value, (np.ndarray, np.void)):
        return value.copy()
    if type(value) in (list, tuple):
        return type(value)([_as_it_is_now(item) for item in value])
    fixed = (np.generic, int, float, complex, str, bytes, slice, type(None), type(...))
    return value if isinstance(value, fixed) else np.array(value)


def index_operate(x: Any, index: Any, symbol: str, value: Any) -> Any:
    """Store x[index] += value, or with another operator, and give x back; an index that occurs twice counts once."""
    x[index] = _IN_PLACE[symbol](x[index], value)
    return x


def index_swap(x: Any, first: Any, second: Any) -> Any:
    """Exchange x[first] and x[second] and give x back; of rows, which are views, both become the second."""
    x[first], x[second] = x[second], x[first]
    return x


def index_add(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] += value and give x back; an index that occurs twice counts once."""
    x[index] += value
    return x


def index_subtract(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] -= value and give x back; an index that occurs twice counts once."""
    x[index] -= value
    return x


def index_multiply(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] *= value and give x back; an index that occurs twice counts once."""
    x[index] *= value
    return x


def index_divide(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] /= value and give x back; integers raise TypeError."""
    x[index] /= value
    return x


def in_place(x: Any, value: Any) -> Any:
    """Give an array the value of an operation in place: it keeps its dtype and shape, by NumPy's same-kind rule.

    A list takes the items; anything else, such as a number, is bound to the value.
    """
    if isinstance(x, np.ma.MaskedArray):
        x[...] = value  # np.copyto would leave the mask
    elif isinstance(x, np.ndarray):
        np.copyto(x, value, casting="same_kind")
    elif isinstance(x, list):
        x[:] = value
    else:
        return value
    return x


def add_at(x: Any, index: Any, value: Any) -> Any:
    """Add at each position as often as it occurs, and give x back."""
    np.add.at(x, index, value)
    return x


def subtract_at(x: Any, index: Any, value: Any) -> Any:
    """Subtract at each position as often as it occurs, and give x back."""
    np.subtract.at(x, index, value)
    return x


def diagonal_update(x: Any, val: Any, wrap: bool = False) -> Any:
    """Fill the main diagonal, and give x back."""
    np.fill_diagonal(x, val, wrap)
    return x


def flat_update(x: Any, ind: Any, v: Any, mode: Any = "raise") -> Any:
    """Store values at flat positions, and give x back."""
    np.put(x, ind, v, mode)
    return x


def mask_update(x: Any, mask: Any, values: Any) -> Any:
    """Store values where a mask is true, each at its own place, and give x back."""
    np.putmask(x, mask, values)
    return x


def place_update(arr: Any, mask: Any, vals: Any) -> Any:
    """Store values one after the other where a mask is true, and give arr back."""
    np.place(arr, mask, vals)
    return arr


def along_axis_update(arr: Any, indices: Any, values: Any, axis: Any) -> Any:
    """Store values at indices along an axis, and give arr back."""
    np.put_along_axis(arr, indices, values, axis)
    return arr


def copy_update(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> Any:
    """Copy src into dst where a mask is true, and give dst back."""
    np.copyto(dst, src, casting=casting, where=where)
    return dst


def ufunc_update(
    x: Any, function: Any, *operands: Any, where: Any = True, casting: Any = "same_kind", dtype: Any = None
) -> Any:
    """Put function(*operands) into x where a mask is true, computed nowhere else, and give x back."""
    function(*operands, out=x, where=where, casting=casting, dtype=dtype)
    return x


def ufunc_at(x: Any, function: Any, index: Any, *operand: Any) -> Any:
    """Apply a function at each position as often as it occurs, and give x back."""
    function.at(x, index, *operand)
    return x


def real_update(x: Any, value: Any) -> Any:
    """Store x.real = value, and give x back."""
    x.real = value
    return x


def imag_update(x: Any, value: Any) -> Any:
    """Store x.imag = value, and give x back."""
    x.imag = value
    return x


def flat_index_update(x: Any, index: Any, value: Any) -> Any:
    """Store x.flat[index] = value, and give x back; too few values are taken again from the first."""
    x.flat[index] = value
    return x


def flat_fill(x: Any, values: Any) -> Any:
    """Store x.flat = values, again from the first where they are too few, and give x back."""
    x.flat = values
    return x


def resized(x: Any, *shape: Any) -> Any:
    """Give the elements of x in a new shape, zeros where there are too few, as x.resize(shape) does in place."""
    dims = shape[0] if len(shape) == 1 else shape
    made = np.zeros(dims, x.dtype)
    count = min(x.size, made.size)
    made.reshape(-1)[:count] = x.reshape(-1)[:count]
    return made


def shuffled(x: Any, shuffle: Any, axis: int = 0) -> Any:
    """Shuffle x with a generator's own `shuffle`, and give x back."""
    if axis:
        shuffle(x, axis=axis)
    else:
        shuffle(x)
    return x
