"""Splitting an array into a list of parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.support import _tensor


@helper("numpy.array_split")
def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[tf.Tensor]:
    """tnp has no array_split: the first parts are one longer where the size does not divide."""
    ary = _tensor(ary)
    axis = _axis_to_split(ary, axis)
    if not np.ndim(indices_or_sections):
        return _equal_parts(ary, int(indices_or_sections), axis)
    return _parts_between(ary, indices_or_sections, axis)


@helper("numpy.split")
def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[tf.Tensor]:
    """tnp.split takes no descending or negative boundaries, and raises no ValueError for an unequal division."""
    ary = _tensor(ary)
    if not np.ndim(indices_or_sections):
        sections = int(indices_or_sections)
        size = ary.shape[_axis_to_split(ary, axis)]
        if sections and size is not None and size % sections:
            raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


@helper("numpy.hsplit")
def hsplit(ary: Any, indices_or_sections: Any) -> list[tf.Tensor]:
    """tnp.hsplit takes no descending or negative boundaries."""
    ary = _tensor(ary)
    if ary.shape.rank == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 1 if ary.shape.rank > 1 else 0)


@helper("numpy.vsplit")
def vsplit(ary: Any, indices_or_sections: Any) -> list[tf.Tensor]:
    """tnp.vsplit takes no descending or negative boundaries, and takes a vector."""
    ary = _tensor(ary)
    if ary.shape.rank < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


@helper("numpy.dsplit")
def dsplit(ary: Any, indices_or_sections: Any) -> list[tf.Tensor]:
    """tnp.dsplit takes no descending or negative boundaries."""
    ary = _tensor(ary)
    if ary.shape.rank < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


def _axis_to_split(ary: tf.Tensor, axis: Any) -> int:
    if not -ary.shape.rank <= axis < ary.shape.rank:
        raise IndexError("tuple index out of range")
    return int(axis % ary.shape.rank)


def _equal_parts(ary: tf.Tensor, sections: int, axis: int) -> list[tf.Tensor]:
    if sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    size = tf.shape(ary)[axis] if ary.shape[axis] is None else ary.shape[axis]
    short, longer = size // sections, size % sections
    if isinstance(size, int):
        return list(tf.split(ary, [short + (part < longer) for part in range(sections)], axis))
    return _parts_between(ary, [part * short + tf.minimum(part, longer) for part in range(1, sections)], axis)


def _parts_between(ary: tf.Tensor, boundaries: Any, axis: int) -> list[tf.Tensor]:
    bounds = [0, *(tf.unstack(boundaries) if tf.is_tensor(boundaries) else boundaries), None]
    return [_part(ary, start, stop, axis) for start, stop in zip(bounds[:-1], bounds[1:])]  # noqa: RUF007 (itertools is not vendored)


def _part(ary: tf.Tensor, start: Any, stop: Any, axis: int) -> tf.Tensor:
    return ary[(slice(None),) * axis + (slice(start, stop),)]
