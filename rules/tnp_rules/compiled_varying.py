"""Arrays whose sizes only the run of a graph knows, in a compiled function: those that a loop makes shorter or longer.

`x = x[keep]` in a loop gives an array of another length in each trip. A graph carries it with an axis of unknown size;
`len(x)`, `x.size` and `x.shape` are numbers that the run gives. XLA needs sizes beforehand, and has no such arrays.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_tracing import NotCompiled, mark_weak, tracing
from tnp_rules.index_positions import array_dimensions, check_mask_shape


class ShapesChanged(NotCompiled):
    """Variables, by their places, that have other shapes after a trip of a loop than before: what fits both."""

    def __init__(self, shapes: dict[int, Any]) -> None:
        super().__init__("arrays that change their shape from trip to trip")
        self.shapes = shapes


def may_vary() -> bool:
    """Say whether the form that is traced can have arrays of unknown sizes."""
    return tracing.form == "graph"


def changed_shapes(before: list[Any], after: list[Any]) -> dict[int, Any]:
    """Find the shapes, by their places, that a variable has left: with an unknown size where it is another one now."""
    changed = {}
    for place, (one, other) in enumerate(zip(before, after)):
        if one is None or other is None or one.rank is None:
            continue
        if other.rank != one.rank:
            raise NotCompiled("an array that has more or fewer axes from trip to trip")
        joined = tf.TensorShape([size if size == now else None for size, now in zip(one, other)])
        if joined.as_list() != one.as_list():
            changed[place] = joined
    return changed


def traced_attribute(name: str, value: Any) -> Any:
    """Give `value.shape` or `value.size`, with numbers of the run where a graph does not know them."""
    if not tf.is_symbolic_tensor(value) or value.shape.is_fully_defined() or value.shape.rank is None:
        return getattr(value, name)
    if name == "size":
        return mark_weak(tf.size(value, tf.int64))
    return tuple(traced_size(value, axis) if size is None else size for axis, size in enumerate(value.shape))


def traced_size(value: Any, axis: int) -> Any:
    """Give how long an array is along an axis, as a number of Python."""
    return mark_weak(tf.shape(value, tf.int64)[axis])


def selected(x: Any, mask: Any) -> Any:
    """Read `x[mask]`: where the mask is true is found once for all arrays that it selects from."""
    check_mask_shape(mask, array_dimensions(x), 0)
    check_masks(x, [mask])
    graph = tf.compat.v1.get_default_graph()
    known = tracing.places.get(id(mask))
    if known is None or known[1].graph is not graph:
        places = tf.where(mask)
        known = tracing.places[id(mask)] = (mask, tf.squeeze(places, 1) if mask.shape.rank == 1 else places)
    return tf.gather(x, known[1]) if mask.shape.rank == 1 else tf.gather_nd(x, known[1])


def check_masks(x: Any, items: list[Any]) -> None:
    """Note where NumPy would raise for a mask among the items of a key, of another size than the axes it stands for.

    Rules check the sizes that a graph knows; what is selected by a mask of another size would be wrong without a word.
    """
    axis = 0
    for place, item in enumerate(items):
        if isinstance(item, tf.Tensor) and item.dtype.is_bool and item.shape.rank:
            if [one for one in items[:place] if one is Ellipsis]:
                axis = x.shape.rank - builtins.sum(_axes_of(one) for one in items[place:])
            _check_mask(x, item, axis)
        axis += _axes_of(item)


def _axes_of(item: Any) -> int:
    """Count the axes that an item of a key stands for."""
    is_mask = isinstance(item, (tf.Tensor, np.ndarray)) and item.dtype == bool
    return len(item.shape) if is_mask else int(item is not None and item is not Ellipsis)


def _check_mask(x: Any, mask: Any, axis: int) -> None:
    sizes = list(zip(mask.shape, x.shape[axis : axis + mask.shape.rank]))
    if not [pair for pair in sizes if None in pair]:
        return
    own, wanted = tf.shape(mask, tf.int64), tf.shape(x, tf.int64)[axis : axis + mask.shape.rank]
    tracing.note_fault(tf.reduce_any(own != wanted))
