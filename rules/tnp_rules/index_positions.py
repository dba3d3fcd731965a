"""NumPy's index forms read into what TensorFlow's slice, gather and scatter ops take."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.runtime import has_tensor

# begin, end, strides and masks of a strided slice without its new axes, and the shape that the index
# selects with them (None where a dimension is not known while tracing)
IndexSlices = collections.namedtuple("IndexSlices", "begin end strides begin_mask end_mask shrink_mask shape")  # noqa: PYI024

# one coordinate array for each indexed leading axis (they broadcast together), the dimensions behind these axes,
# the shape that the index selects, and whether a position can occur twice
IndexGrid = collections.namedtuple("IndexGrid", "coordinates rest shape may_repeat")  # noqa: PYI024


def index_items(index: Any) -> list[Any]:
    """Read an index into ints, slices, None, Ellipsis, integer or bool ndarrays, and tensors.

    TensorFlow takes a nested list for a tuple; NumPy takes it for an array. A tensor on the host is read,
    one on a device or in a graph stays.
    """
    return [_index_item(item) for item in (index if isinstance(index, tuple) else (index,))]


def _index_item(item: Any) -> Any:
    if item is None or item is Ellipsis:
        return item
    if isinstance(item, slice):
        return slice(_slice_bound(item.start), _slice_bound(item.stop), _slice_bound(item.step))
    if isinstance(item, (list, tuple)) and has_tensor(item):
        item = _stacked_index(item)
    if isinstance(item, tf.Variable):
        item = item.read_value()
    if isinstance(item, tf.Tensor):
        if not (item.dtype.is_integer or item.dtype.is_bool):
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
        if tf.is_symbolic_tensor(item) or (item.shape.rank and "CPU" not in item.device):
            return item if item.dtype.is_bool else tf.cast(item, tf.int64)
        item = item.numpy()
    array = np.asarray(item)
    if not array.size and not isinstance(item, np.ndarray):
        array = array.astype(np.int64)
    if array.dtype.kind not in "iub":
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays "
            "are valid indices"
        )
    if array.dtype.kind == "b":
        return array
    return array.astype(np.int64) if array.ndim else int(array)


def _stacked_index(item: Any) -> Any:
    """Stack the numbers and tensors of a list: integers of any width go together."""
    if isinstance(item, (list, tuple)):
        return tf.stack([_stacked_index(part) for part in item])
    part = tf.convert_to_tensor(item)
    return tf.cast(part, tf.int64) if part.dtype.is_integer else part


def has_truth(items: list[Any]) -> bool:
    """Say whether a truth value without axes stands in an index: it picks all along a new axis, or nothing."""
    return len([item for item in items if _is_truth(item)]) > 0


def _is_truth(item: Any) -> bool:
    return _is_mask(item) and len(item.shape) == 0


def truths_as_masks(items: list[Any], rank: int) -> tuple[list[int], tuple[Any, ...]]:
    """Write truth values without axes as masks of one: the axes that these want of the array, and the whole index."""
    axes, written, axis = [], [], 0
    for item in full_index(items, rank):
        if _is_truth(item):
            axes.append(axis)
            written.append(np.reshape(item, [1]) if isinstance(item, np.ndarray) else tf.reshape(item, [1]))
            axis += 1
        else:
            written.append(item)
            axis += 0 if item is None or item is Ellipsis else _axes_taken(item)
    return axes, tuple(written)


def _slice_bound(bound: Any) -> Any:
    if bound is None or isinstance(bound, int) or tf.is_symbolic_tensor(bound):
        return bound
    return bound.__index__()


def array_dimensions(x: Any) -> list[Any]:
    """Give the dimensions of a tensor, each an int where it is known and a scalar tensor where it is not."""
    if x.shape.rank is None:
        raise ValueError("indexing as NumPy does needs a tensor of known rank: declare it in the input signature")
    if x.shape.is_fully_defined():
        return list(x.shape)
    dynamic = tf.shape(x, tf.int64)
    return [dynamic[axis] if size is None else size for axis, size in enumerate(x.shape)]


def is_basic_index(items: Any) -> bool:
    """Say whether an index consists of ints, slices with int bounds, None and Ellipsis only."""
    for item in items:
        if isinstance(item, slice):
            if (
                tf.is_symbolic_tensor(item.start)
                or tf.is_symbolic_tensor(item.stop)
                or tf.is_symbolic_tensor(item.step)
            ):
                return False
        elif item is not None and item is not Ellipsis and not isinstance(item, int):
            return False
    return True


def picks_view(index: Any) -> bool:
    """Say whether an index gives a view of an array: numbers, slices, None and an ellipsis do, arrays and lists do not.

    A tensor without axes is a number, as it is where NumPy computes one.
    """
    return not [item for item in (index if isinstance(index, tuple) else (index,)) if not _keeps_view(item)]


def _keeps_view(item: Any) -> bool:
    if isinstance(item, (tf.Tensor, tf.Variable)):
        if item.shape.rank is None:
            raise ValueError("an index needs a known rank: declare it in the input signature")
        return item.shape.rank == 0 and bool(item.dtype.is_integer)
    if isinstance(item, (bool, np.bool_, np.ndarray, list, tuple)):
        return False
    return item is None or item is Ellipsis or isinstance(item, slice) or hasattr(item, "__index__")


def has_wide_step(items: Any) -> bool:
    """Say whether a slice steps further than one: XLA has no strided update for that."""
    return bool([item for item in items if isinstance(item, slice) and item.step not in (None, 1, -1)])


def full_index(items: Any, rank: int) -> list[Any]:
    """Write the ellipsis and the axes left out as slices, so that every axis has its item.

    An ellipsis for no axis stays: between two index arrays it moves their dimensions to the front.
    """
    used = ellipses = 0
    for item in items:
        if item is Ellipsis:
            ellipses += 1
        elif item is not None:
            used += _axes_taken(item)
    if ellipses > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if used > rank:
        raise IndexError(f"too many indices for array: array is {rank}-dimensional, but {used} were indexed")
    filling = [slice(None)] * (rank - used)
    if not ellipses:
        return [*items, *filling]
    written: list[Any] = []
    for item in items:
        written.extend(filling if item is Ellipsis and filling else [item])
    return written


def _axes_taken(item: Any) -> int:
    if isinstance(item, np.ndarray):
        return item.ndim if item.dtype.kind == "b" else 1
    if isinstance(item, tf.Tensor) and item.dtype.is_bool:
        if item.shape.rank is None:
            raise ValueError("a mask needs a known rank: declare it in the input signature")
        return int(item.shape.rank)
    return 1


def index_slices(items: Any, sizes: Any) -> IndexSlices:
    """Read a basic index as a strided slice of an array of these sizes (None: not known)."""
    begin: list[int] = []
    end: list[int] = []
    strides: list[int] = []
    shape: list[Any] = []
    begin_mask = end_mask = shrink_mask = axis = 0
    for item in full_index(items, len(sizes)):
        if item is None:
            shape.append(1)
            continue
        if item is Ellipsis:
            continue
        size = sizes[axis]
        if isinstance(item, int):
            if size is not None and not -size <= item < size:
                raise IndexError(f"index {item} is out of bounds for axis {axis} with size {size}")
            begin.append(item)
            end.append(item + 1)
            strides.append(1)
            shrink_mask |= 1 << axis
        else:
            begin.append(item.start or 0)
            end.append(item.stop or 0)
            strides.append(1 if item.step is None else item.step)
            begin_mask |= (item.start is None) << axis
            end_mask |= (item.stop is None) << axis
            shape.append(None if size is None else len(range(*item.indices(size))))
        axis += 1
    # ndarrays are converted three times faster than lists
    numbers = np.array([begin, end, strides], np.int64)
    return IndexSlices(numbers[0], numbers[1], numbers[2], begin_mask, end_mask, shrink_mask, shape)


def index_grid(items: Any, dims: Any) -> IndexGrid:
    """Read any index as coordinates on the leading axes, broadcast as NumPy broadcasts them.

    Index arrays next to each other keep their place in the result; apart from each other, their common
    dimensions come first.
    """
    parts = _index_parts(items, dims)
    advanced = [place for place, part in enumerate(parts) if part[0] == "array"]
    arrays = _broadcast_arrays([parts[place][2] for place in advanced])
    common = _shape_of(arrays[0]) if arrays else []
    adjacent = bool(advanced) and advanced[-1] - advanced[0] == len(advanced) - 1
    kept = [part for part in parts if part[0] in {"slice", "new"}]
    before = len([part for part in parts[: advanced[0]] if part[0] != "gap"]) if adjacent else 0
    shape = [part[3] for part in kept]
    shape[before:before] = common
    coordinates: list[Any] = [None] * len(dims)
    for place, array in zip(advanced, arrays):
        coordinates[parts[place][1]] = _placed(array, before, len(shape))
    for out, (_, axis, entry, _) in enumerate(kept):
        if entry is not None:
            coordinates[axis] = _placed(entry, out if out < before else out + len(common), len(shape))
    indexed = len(dims)
    while indexed and coordinates[indexed - 1] is None:
        indexed -= 1
    for out, (_, axis, entry, size) in enumerate(kept):
        if entry is None and axis is not None and axis < indexed:
            whole = _whole_axis(size)
            coordinates[axis] = _placed(whole, out if out < before else out + len(common), len(shape))
    return IndexGrid(coordinates[:indexed], dims[indexed:], shape, len(common) > 0 and not _one_mask(items))


def _index_parts(items: Any, dims: Any) -> list[tuple[str, Any, Any, Any]]:
    """List what each item contributes: its kind, its axis, its coordinates (None: the whole axis), its length."""
    parts: list[tuple[str, Any, Any, Any]] = []
    axis = 0
    for item in full_index(items, len(dims)):
        if item is None or item is Ellipsis:
            parts.append(("new" if item is None else "gap", None, None, 1))
            continue
        if isinstance(item, slice):
            parts.append(("slice", axis, *_slice_coordinates(item, dims[axis])))
            axis += 1
            continue
        for array in _mask_coordinates(item, dims, axis) if _is_mask(item) else [item]:
            parts.append(("array", axis, checked_coordinates(array, dims[axis], axis), None))
            axis += 1
    return parts


def _slice_coordinates(item: slice, dim: Any) -> tuple[Any, Any]:
    if item.start is None and item.stop is None and item.step in (None, 1):
        return None, dim
    coordinates = _whole_axis(dim)
    if not isinstance(dim, int) or not is_basic_index([item]):
        coordinates = tf.convert_to_tensor(coordinates)
    coordinates = coordinates[item]
    return coordinates, _shape_of(coordinates)[0]


def _whole_axis(dim: Any) -> Any:
    return np.arange(dim) if isinstance(dim, int) else tf.range(dim)


def _is_mask(item: Any) -> bool:
    return (isinstance(item, np.ndarray) and item.dtype.kind == "b") or (
        isinstance(item, tf.Tensor) and bool(item.dtype.is_bool)
    )


def _one_mask(items: Any) -> bool:
    """Say whether a mask is the only array of the index: then no position occurs twice."""
    arrays = [item for item in items if isinstance(item, (np.ndarray, tf.Tensor)) and item.shape.__len__()]
    return len(arrays) == 1 and _is_mask(arrays[0])


def check_mask_shape(mask: Any, dims: Any, axis: int) -> None:
    """Raise NumPy's IndexError for a mask whose shape is not that of the axes it stands for."""
    for place, size in enumerate(mask.shape):
        dim = dims[axis + place]
        if isinstance(dim, int) and size is not None and size not in {dim, 0}:  # NumPy takes empty masks anywhere
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis + place}; size of axis is {dim} but "
                f"size of corresponding boolean axis is {size}"
            )


def _mask_coordinates(mask: Any, dims: Any, axis: int) -> list[Any]:
    check_mask_shape(mask, dims, axis)
    if isinstance(mask, np.ndarray):
        return list(np.nonzero(mask))
    return list(tf.unstack(tf.where(mask), num=mask.shape.rank, axis=1))


def checked_coordinates(array: Any, dim: Any, axis: int) -> Any:
    """Count negative coordinates from the end; out of range is an error on every device, as it is in NumPy.

    TensorFlow itself raises on the CPU only: on a GPU a gather reads zeros and a scatter drops the value.
    """
    if isinstance(array, (int, np.ndarray)) and isinstance(dim, int):
        array = np.asarray(array)
        outside = (array < -dim) | (array >= dim)
        if outside.any():
            raise IndexError(f"index {array[outside].flat[0]} is out of bounds for axis {axis} with size {dim}")
        return np.where(array < 0, array + dim, array)
    array = tf.convert_to_tensor(array, tf.int64)
    wrapped = tf.where(array < 0, array + dim, array)
    inside = tf.reduce_all((wrapped >= 0) & (wrapped < dim))
    if tf.is_symbolic_tensor(inside):
        tf.debugging.Assert(inside, [f"index is out of bounds for axis {axis} of size", dim, ":", array])
    elif not inside:
        raise IndexError(f"index is out of bounds for axis {axis} with size {dim}")
    return wrapped


def _broadcast_arrays(arrays: list[Any]) -> list[Any]:
    on_host = True
    for array in arrays:
        on_host = on_host and isinstance(array, np.ndarray)
    try:
        if on_host:
            return list(np.broadcast_arrays(*arrays))
        shape = tf.TensorShape([])
        for array in arrays:
            shape = tf.broadcast_static_shape(shape, tf.TensorShape(array.shape))
    except ValueError:
        shapes = " ".join([str(tuple(array.shape)) for array in arrays])
        message = f"shape mismatch: indexing arrays could not be broadcast together with shapes {shapes}"
        raise IndexError(message) from None
    if len(arrays) == 1:
        return arrays
    zero = tf.zeros_like(arrays[0])
    for array in arrays[1:]:
        zero += tf.zeros_like(array)
    return [tf.convert_to_tensor(array) + zero for array in arrays]


def _shape_of(array: Any) -> list[Any]:
    return list(array.shape) if isinstance(array, np.ndarray) else array_dimensions(array)


def _placed(array: Any, place: int, rank: int) -> Any:
    """Give an array ones around its dimensions, so that they stand at `place` of `rank` dimensions."""
    behind = rank - place - len(array.shape)
    if not place and not behind:
        return array
    if isinstance(array, np.ndarray):
        return array.reshape((1,) * place + array.shape + (1,) * behind)
    return tf.reshape(array, [1] * place + _shape_of(array) + [1] * behind)


def grid_indices(grid: IndexGrid) -> Any:
    """Write coordinates as the rows [position, axis] that gather_nd and scatter_nd take."""
    arrays = _broadcast_arrays(list(grid.coordinates))
    if isinstance(arrays[0], np.ndarray):
        return np.stack([array.ravel() for array in arrays], axis=-1)
    return tf.stack([tf.reshape(array, [-1]) for array in arrays], axis=-1)
