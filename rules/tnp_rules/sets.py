"""Unique values, with their positions and counts."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper
from tnp_rules.sorting import has_nan, order_key, order_keys, stable_order
from tnp_rules.support import _axis_index, _tensor

UniqueAllResult = collections.namedtuple("UniqueAllResult", "values indices inverse_indices counts")  # noqa: PYI024
UniqueCountsResult = collections.namedtuple("UniqueCountsResult", "values counts")  # noqa: PYI024
UniqueInverseResult = collections.namedtuple("UniqueInverseResult", "values inverse_indices")  # noqa: PYI024

# the order that sorts, and in sorted order which elements differ from the one before
SortedGroups = collections.namedtuple("SortedGroups", "order starts")  # noqa: PYI024


def group_equal(x: tf.Tensor, equal_nan: bool) -> SortedGroups:
    """Sort one axis and mark where each run of equal elements starts."""
    keys = order_keys(x)
    order = stable_order(keys)
    differs = [_differs_from_previous(tf.gather(key, order)) for key in keys]
    starts = tf.reduce_any(differs, axis=0)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        return SortedGroups(order, starts)
    missing = has_nan(tf.gather(x, order))
    # NumPy takes all complex numbers with a NaN in them for one
    follows = missing & tf.concat([tf.zeros_like(missing[:1]), missing[:-1]], 0)
    return SortedGroups(order, starts & ~follows if equal_nan else starts | missing)


def group_equal_rows(rows: tf.Tensor) -> SortedGroups:
    """Sort the rows of a matrix lexicographically and mark where each run of equal rows starts; a NaN equals none."""
    columns = tf.transpose(rows)
    keys = tf.stack(order_keys(columns)[::-1], axis=1) if rows.dtype.is_complex else order_key(columns)
    keys = tf.reshape(keys, [-1, tf.shape(rows)[0]])
    start = tf.range(tf.shape(rows)[0])
    order = tf.foldr(lambda found, key: tf.gather(found, _argsort_of(key, found)), keys, start)
    ordered = tf.gather(rows, order)
    starts = tf.reduce_any(ordered[1:] != ordered[:-1], axis=-1)
    return SortedGroups(tf.cast(order, tf.int64), tf.concat([tf.ones_like(start[:1], tf.bool), starts], 0))


def _argsort_of(key: tf.Tensor, found: tf.Tensor) -> tf.Tensor:
    return tf.argsort(tf.gather(key, found), stable=True)


def _differs_from_previous(key: tf.Tensor) -> tf.Tensor:
    return tf.concat([tf.ones_like(key[:1], tf.bool), key[1:] != key[:-1]], 0)


def group_numbers(groups: SortedGroups) -> tf.Tensor:
    """Number the groups in sorted order and give each element, in its own place, the number of its group."""
    numbers = tf.cumsum(tf.cast(groups.starts, tf.int64)) - 1
    return tf.scatter_nd(groups.order[:, tf.newaxis], numbers, tf.shape(numbers, tf.int64))


def _group_counts(groups: SortedGroups) -> tf.Tensor:
    first = tf.where(groups.starts)[:, 0]
    after = tf.concat([first[1:], [tf.size(groups.starts, tf.int64)]], 0)
    return after[: tf.size(first)] - first


def _unique_axis(ar: tf.Tensor, axis: int) -> tuple[tf.Tensor, SortedGroups]:
    axis = _axis_index(axis, ar.shape.rank)
    moved = tnp.moveaxis(ar, axis, 0)
    width = int(np.prod(moved.shape[1:])) if moved.shape[1:].is_fully_defined() else -1
    groups = group_equal_rows(tf.reshape(moved, [tf.shape(moved)[0], width]))
    values = tf.gather(moved, tf.boolean_mask(groups.order, groups.starts))
    return tnp.moveaxis(values, 0, axis), groups


@helper("numpy.unique")
def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Any = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """tf.unique keeps the order of appearance, has no axis and does not merge NaNs: sort, then mark the changes.

    `sorted=False` leaves the order open in NumPy; here it is sorted as well. The length depends on the data.
    """
    ar = _tensor(ar)
    if axis is None or (ar.shape.rank == 1 and axis in (0, -1)):
        flat = tf.reshape(ar, [-1])
        groups = group_equal(flat, equal_nan)
        values = tf.gather(flat, tf.boolean_mask(groups.order, groups.starts))
    else:
        values, groups = _unique_axis(ar, axis)
    found = [values]
    if return_index:
        found.append(tf.boolean_mask(groups.order, groups.starts))
    if return_inverse:
        numbers = group_numbers(groups)
        found.append(tf.reshape(numbers, tf.shape(ar)) if axis is None else numbers)
    if return_counts:
        found.append(_group_counts(groups))
    return tuple(found) if len(found) > 1 else values


@helper("numpy.unique_values")
def unique_values(x: Any) -> tf.Tensor:
    """The array API's `unique` without extras; NaNs stay apart, and the order, open in NumPy, is sorted."""
    return unique(x, equal_nan=False)


@helper("numpy.unique_counts")
def unique_counts(x: Any) -> UniqueCountsResult:
    """The array API's `unique` with counts; NaNs stay apart."""
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


@helper("numpy.unique_inverse")
def unique_inverse(x: Any) -> UniqueInverseResult:
    """The array API's `unique` with the inverse; NaNs stay apart."""
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


@helper("numpy.unique_all")
def unique_all(x: Any) -> UniqueAllResult:
    """The array API's `unique` with everything; NaNs stay apart."""
    return UniqueAllResult(*unique(x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False))
