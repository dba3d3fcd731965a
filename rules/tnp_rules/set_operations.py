"""Membership, intersection, difference and union of arrays taken as sets."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper
from tnp_rules.joining import join_arrays, to_common_dtype
from tnp_rules.sets import group_equal, group_numbers, unique
from tnp_rules.sorting import has_nan, order_key

# Up to this many test elements a comparison with each of them is faster than a sort.
FEW_TEST_ELEMENTS = 16


@helper("numpy.isin")
def isin(element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False) -> tf.Tensor:
    """TensorFlow has no membership test: compare with each of a few, else search them in order.

    `assume_unique` only spares NumPy work.
    """
    element, tests = to_common_dtype([element, test_elements])
    tests = tf.reshape(tests, [-1])
    if tests.shape[0] is not None and tests.shape[0] <= FEW_TEST_ELEMENTS:
        found = tf.reduce_any(element[..., tf.newaxis] == tests, axis=-1)
    else:
        find = _found_among_equal if element.dtype.is_complex else _found_by_search
        found = tf.reshape(find(tf.reshape(element, [-1]), tests), tf.shape(element))
    return ~found if invert else found


def _found_by_search(element: tf.Tensor, tests: tf.Tensor) -> tf.Tensor:
    keys, ordered = order_key(element), tf.sort(order_key(tests))
    return (tf.searchsorted(ordered, keys, "right") > tf.searchsorted(ordered, keys)) & ~has_nan(element)


def _found_among_equal(element: tf.Tensor, tests: tf.Tensor) -> tf.Tensor:
    """Number equal values by sorting both: complex numbers are in no order that a search could use."""
    numbers = group_numbers(group_equal(tf.concat([tests, element], 0), equal_nan=False))
    split = tf.size(tests)
    size = tf.size(numbers)
    hits = tf.math.unsorted_segment_max(tf.ones_like(numbers[:split], tf.int32), numbers[:split], size)
    return tf.gather(hits, numbers[split:]) == 1


@helper("numpy.in1d")
def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> tf.Tensor:
    """NumPy 2.4 dropped the flat form of `isin`."""
    return isin(tnp.ravel(ar1), ar2, assume_unique, invert)


@helper("numpy.intersect1d")
def intersect1d(ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """tf.sets works on sorted rows without positions; a value that is in both stands twice when both are sorted."""
    ar1, ar2 = tnp.ravel(ar1), tnp.ravel(ar2)
    first1 = first2 = None
    if not assume_unique:
        ar1, first1 = unique(ar1, return_index=True)
        ar2, first2 = unique(ar2, return_index=True)
    both = join_arrays([ar1, ar2])
    groups = group_equal(both, equal_nan=False)
    repeated = ~groups.starts[1:]
    in1 = tf.boolean_mask(groups.order[:-1], repeated)
    common = tf.gather(both, in1)
    if not return_indices:
        return common
    in2 = tf.boolean_mask(groups.order[1:], repeated) - tf.size(ar1, tf.int64)
    if assume_unique:
        return common, in1, in2
    return common, tf.gather(first1, in1), tf.gather(first2, in2)


@helper("numpy.setdiff1d")
def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> tf.Tensor:
    """tf.sets.difference works on rows of sorted sets, not on arrays of values."""
    ar1 = tnp.ravel(ar1) if assume_unique else unique(ar1)
    return tf.boolean_mask(ar1, isin(ar1, ar2, invert=True))


@helper("numpy.union1d")
def union1d(ar1: Any, ar2: Any) -> tf.Tensor:
    """tf.sets.union works on rows of sorted sets, not on arrays of values."""
    return unique(join_arrays([tnp.ravel(ar1), tnp.ravel(ar2)]))


@helper("numpy.setxor1d")
def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> tf.Tensor:
    """TensorFlow has no symmetric difference; a value of one side only stands alone when both are sorted."""
    if not assume_unique:
        ar1, ar2 = unique(ar1), unique(ar2)
    both = join_arrays([tnp.ravel(ar1), tnp.ravel(ar2)])
    groups = group_equal(both, equal_nan=False)
    alone = groups.starts & tf.concat([groups.starts[1:], tf.ones_like(groups.starts[:1])], 0)
    return tf.gather(both, tf.boolean_mask(groups.order, alone))
