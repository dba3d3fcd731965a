"""Parts of arrays whose length only the run of a graph knows, in a compiled function: XLA needs sizes beforehand.

`A[i, :j]` becomes the whole row with a note of which of it counts, `x[mask]` all of `x` with its mask. What uses a part
fills in what does not count, or keeps the note; whatever else is asked of a part is refused, never guessed.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.compiled_ragged import before_loops, is_long, sum_between
from tnp_rules.compiled_tracing import NotCompiled, same_value, tracing


class Part:
    """All `values`, of which those count that are between `low` and `high` on `axis`, or where `mask` is true.

    `low` and `high` are integers or int64 tensors with 0 <= low, low <= high <= size; a mask stands for the leading
    axes of `values`, which hold ones where it is false, and the values taken together are one axis.
    """

    __array_priority__ = 1000

    def __init__(self, values: Any, axis: int = 0, low: Any = 0, high: Any = 0, mask: Any = None) -> None:
        self.values, self.axis, self.low, self.high, self.mask = values, axis, low, high, mask
        self.dtype = values.dtype

    def like(self, values: Any) -> Part:
        """Give the same part of other values of this shape."""
        return Part(values, self.axis, self.low, self.high, self.mask)

    def chosen(self) -> Any:
        """Give the truth for each position, broadcast along the axes that the part is whole on."""
        rank = self.values.shape.rank
        if self.mask is not None:
            return tf.reshape(self.mask, list(self.mask.shape) + [1] * (rank - self.mask.shape.rank))
        places = tf.range(self.values.shape[self.axis], dtype=tf.int64)
        inside = (places >= tf.cast(self.low, tf.int64)) & (places < tf.cast(self.high, tf.int64))
        return tf.reshape(inside, [-1] + [1] * (rank - 1 - self.axis))

    def filled(self, number: Any) -> Any:
        """Give the values, and a number where they do not count."""
        return tf.where(self.chosen(), self.values, tf.cast(number, self.values.dtype))

    def length(self) -> Any:
        """Give how many there are along the axis of the part."""
        if self.mask is not None:
            return tf.math.count_nonzero(self.mask)
        return tf.cast(self.high, tf.int64) - tf.cast(self.low, tf.int64)

    def shifted(self, low: Any, size: int) -> Part:
        """Give the same part on an axis of another size, beginning at another place."""
        values, axis = self.values, self.axis
        missing = size - values.shape[axis]
        if missing > 0:
            values = tf.pad(values, [[0, missing if along == axis else 0] for along in range(values.shape.rank)])
        if not same_value(low, self.low):
            values = tf.roll(values, tf.cast(low, tf.int64) - tf.cast(self.low, tf.int64), axis)
        if missing < 0:
            values = tf.gather(values, tf.range(size), axis=axis)
        return Part(values, axis, low, tf.cast(low, tf.int64) + self.length())

    def from_end(self) -> int:
        """Give the place of the axis counted from the last."""
        return int(self.values.shape.rank) - self.axis

    def sum(self, axis: Any = None) -> Any:
        """Add up what counts."""
        if axis in {None, 0, -1} and self.mask is None and is_long(self.values) and self.dtype.size == 8:
            return sum_between(self.low, self.high, self.values)
        return _reduced(self, axis, tnp.sum, 0)

    def mean(self, axis: Any = None) -> Any:
        """Divide the sum by how many count."""
        if axis is not None and not _is_own_axis(self, axis):
            return _reduced(self, axis, tnp.mean, 0)
        total = self.sum(axis)
        total = tf.cast(total, tf.float64) if total.dtype.is_integer or total.dtype.is_bool else total
        rest = self.values.shape[self.mask.shape.rank :] if self.mask is not None else self.values.shape
        others = 1 if axis is not None else builtins.max(rest.num_elements(), 0)
        if self.mask is None and axis is None:
            others //= self.values.shape[self.axis]
        return total / tf.cast(self.length() * others, total.dtype)

    def max(self, axis: Any = None) -> Any:
        """Give the largest; of none at all NumPy has none."""
        tracing.note_fault(self.length() < 1)
        lowest = -np.inf if self.dtype.is_floating else self.dtype.min
        return _reduced(self, axis, tnp.max, lowest)

    def min(self, axis: Any = None) -> Any:
        """Give the smallest; of none at all NumPy has none."""
        tracing.note_fault(self.length() < 1)
        highest = np.inf if self.dtype.is_floating else self.dtype.max
        return _reduced(self, axis, tnp.min, highest)

    def flip(self) -> Part:
        """Give a part of a vector in the opposite order."""
        if self.mask is not None or self.values.shape.rank != 1:
            raise NotCompiled("a mask, or a part with several axes, in the opposite order")
        size = self.values.shape[0]
        return Part(self.values[::-1], 0, size - tf.cast(self.high, tf.int64), size - tf.cast(self.low, tf.int64))

    def copy(self) -> Part:
        """Give itself: values do not change."""
        return self

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice) and key == slice(None, None, -1):
            return self.flip()
        raise NotCompiled("an item of a slice or selection whose length depends on data")

    def __getattr__(self, name: str) -> Any:
        raise NotCompiled(f"`.{name}` of a slice or selection whose length depends on data")

    def __lt__(self, other: Any) -> Any:
        return on_parts(operator.lt, self, other)

    def __le__(self, other: Any) -> Any:
        return on_parts(operator.le, self, other)

    def __gt__(self, other: Any) -> Any:
        return on_parts(operator.gt, self, other)

    def __ge__(self, other: Any) -> Any:
        return on_parts(operator.ge, self, other)

    def __eq__(self, other: object) -> Any:
        return on_parts(operator.eq, self, other)

    def __ne__(self, other: object) -> Any:
        return on_parts(operator.ne, self, other)

    def __neg__(self) -> Any:
        return self.like(-self.values)

    def __abs__(self) -> Any:
        return self.like(builtins.abs(self.values))

    def __invert__(self) -> Any:
        return self.like(~self.values)

    def __bool__(self) -> bool:
        raise NotCompiled("the truth of a slice or selection whose length depends on data")

    def __iter__(self) -> Any:
        raise NotCompiled("going through a slice or selection whose length depends on data")

    def __len__(self) -> int:
        raise NotCompiled("the length of a slice or selection that depends on data")

    __hash__ = None  # type: ignore[assignment]


def _is_own_axis(part: Part, axis: Any) -> bool:
    return part.mask is None and isinstance(axis, int) and axis % part.values.shape.rank == part.axis


def _reduced(part: Part, axis: Any, reduce: Any, neutral: Any) -> Any:
    if axis is None:
        return reduce(part.filled(neutral))
    if not isinstance(axis, int) or part.mask is not None:
        raise NotCompiled("a reduction of a selection along some axes")
    along = axis % part.values.shape.rank
    if along == part.axis:
        return reduce(part.filled(neutral), axis=along)
    return Part(reduce(part.values, axis=along), part.axis - (along < part.axis), part.low, part.high)


def on_parts(function: Any, left: Any, right: Any) -> Any:
    """Compute element by element where one operand is a part, or both are."""
    if isinstance(left, Part) and isinstance(right, Part):
        one, other = _side_by_side(left, right)
        return one.like(before_loops(function, one.values, other.values))
    part, beside = (left, right) if isinstance(left, Part) else (right, left)
    _check_beside(part, beside)
    return part.like(function(part.values, right) if part is left else function(left, part.values))


def _check_beside(part: Part, beside: Any) -> None:
    """Refuse a whole array whose axes do not broadcast along the part."""
    shape = list(getattr(beside, "shape", ()))
    behind = part.from_end()
    fits = len(shape) <= part.values.shape.rank and (len(shape) < behind or shape[-behind] == 1)
    if isinstance(beside, (list, tuple)) or not fits or (part.mask is not None and shape):
        raise NotCompiled("a slice or selection whose length depends on data, beside a whole array")


def _side_by_side(left: Part, right: Part) -> tuple[Part, Part]:
    """Bring two parts of equal length to the same places; NumPy raises where the lengths differ, or broadcasts one."""
    if left.mask is not None or right.mask is not None:
        if left.mask is None or right.mask is None or not same_value(left.mask, right.mask):
            raise NotCompiled("selections by different masks")
        if left.values.shape != right.values.shape:
            raise NotCompiled("selections of different shapes")
        return left, right
    if left.from_end() != right.from_end():
        raise NotCompiled("slices whose lengths depend on data, on different axes")
    sizes = left.values.shape[left.axis], right.values.shape[right.axis]
    if sizes[0] == sizes[1] and same_value(left.low, right.low) and same_value(left.high, right.high):
        return left, right
    _check_equal_lengths(left, right)
    size = builtins.max(sizes)
    return left.shifted(0, size), right.shifted(0, size)


def _check_equal_lengths(left: Part, right: Part) -> None:
    one, other = left.length(), right.length()
    if not same_value(one, other):
        tracing.note_fault(one != other)


def dot_of_parts(left: Any, right: Any) -> Any:
    """Multiply matrices or vectors of which one is a part, or both are."""
    if isinstance(left, Part) and isinstance(right, Part):
        return _dot_of_two(left, right)
    if isinstance(left, Part):
        if left.mask is None and left.axis < left.values.shape.rank - 1:
            return Part(tnp.matmul(left.values, right), left.axis, left.low, left.high)
    elif right.mask is None and right.values.shape.rank == 2 and right.axis == 1:
        product = tnp.matmul(left, right.values)
        return Part(product, product.shape.rank - 1, right.low, right.high)
    raise NotCompiled("a product of a whole array with a slice whose length depends on data")


def _dot_of_two(left: Part, right: Part) -> Any:
    """Multiply where the summed axis is the part of both: what does not count adds nothing."""
    summed = left.values.shape.rank - 1, builtins.max(right.values.shape.rank - 2, 0)
    if left.mask is not None or right.mask is not None or (left.axis, right.axis) != summed:
        raise NotCompiled("a product of slices whose lengths depend on data")
    _check_equal_lengths(left, right)
    if not (same_value(left.low, right.low) and left.values.shape[left.axis] == right.values.shape[right.axis]):
        size = builtins.max(left.values.shape[left.axis], right.values.shape[right.axis])
        left, right = left.shifted(0, size), right.shifted(0, size)
    if tracing.trips and right.dtype.is_floating:
        # One product for all trips, if what is multiplied by zeros is the same in all of them; 0 * inf would be NaN.
        product = tnp.matmul(left.filled(0), right.values)
        tracing.note_fault(~tf.reduce_all(tf.math.is_finite(product)))
        return product
    if is_long(left.values, right.values):
        return sum_between(left.low, left.high, left.values, right.values)
    return tnp.matmul(left.filled(0), right.filled(0))


def read_at_part(x: Any, places: Part) -> Any:
    """Read at places of which a part counts; all of them have to be places of the array."""
    if places.mask is not None or not places.dtype.is_integer or places.values.shape.rank != 1 or tracing.trips:
        raise NotCompiled("an array read at a selection of places, or at a slice of truths")

    def read(x: Any, values: Any) -> Any:
        size, values = x.shape[0], tf.cast(values, tf.int64)
        outside = tf.reduce_any((values < -size) | (values >= size))
        return tf.gather(x, tf.where(values < 0, values + size, values)), outside

    found, outside = before_loops(read, x, places.values)
    tracing.note_fault(outside)
    return places.like(found)


_ELEMENTWISE = frozenset(
    "abs absolute add arccos arcsin arctan arctan2 cbrt ceil conj conjugate cos cosh divide equal exp exp2 expm1 fabs "
    "floor greater greater_equal imag isfinite isinf isnan less less_equal log log10 log1p log2 logical_and "
    "logical_not logical_or maximum minimum multiply negative not_equal power real reciprocal rint sign sin sinh sqrt "
    "square subtract tan tanh true_divide".split()
)
_REDUCTIONS = {"sum": Part.sum, "mean": Part.mean, "max": Part.max, "amax": Part.max, "min": Part.min, "amin": Part.min}


def call_on_parts(function: Any, args: Any, kwargs: Any) -> Any:
    """Call a function of TensorFlow or of this module with parts among its arguments."""
    name = getattr(function, "__name__", str(function))
    if name in _REDUCTIONS and len(args) == 1 and not kwargs.keys() - {"axis"}:
        return _REDUCTIONS[name](args[0], **kwargs)
    if name in {"dot", "matmul", "inner", "vdot"} and len(args) == 2 and not kwargs:
        return _dot_named(name, *args)
    if name == "flip" and len(args) == 1 and kwargs.get("axis") in {None, 0} and not kwargs.keys() - {"axis"}:
        return args[0].flip()
    if name in {"copy", "array", "asarray"} and len(args) == 1 and not kwargs:
        return args[0]
    if name in _ELEMENTWISE and not kwargs and len(args) == 1:
        return args[0].like(function(args[0].values))
    if name in _ELEMENTWISE and not kwargs and len(args) == 2:
        return on_parts(function, *args)
    raise NotCompiled(f"`{name}` of a slice or selection whose length depends on data")


def _dot_named(name: str, left: Any, right: Any) -> Any:
    ranks = [one.values.shape.rank if isinstance(one, Part) else np.ndim(one) for one in (left, right)]
    if ranks[0] == 0 or ranks[1] == 0:
        raise NotCompiled(f"`{name}` of a number and a slice whose length depends on data")
    if (name in {"inner", "vdot"} and ranks != [1, 1]) or (name == "vdot" and left.dtype.is_complex):
        raise NotCompiled(f"`{name}` of slices whose lengths depend on data")
    return dot_of_parts(left, right)
