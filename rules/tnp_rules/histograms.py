"""Histograms in one and more dimensions."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.histogram_edges import _are_equal_bins, _bin_edges, _bin_numbers, _equal_edges, _number_of_bins
from tnp_rules.statistic_arguments import _length
from tnp_rules.support import _promoted, _raise_where, _tensor


@helper("numpy.histogram")
def histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    """`tf.histogram_fixed_width` counts values outside the range, in float32, without weights or edges.

    Bins by name are chosen by NumPy's estimators, on the host. Differentiable in the weights.
    """
    a = _tensor(a)
    shape = a.shape
    a = tf.reshape(tf.cast(a, tf.uint8) if a.dtype.is_bool else a, [-1])
    edges = _bin_edges(a, bins, range, weights)
    if weights is None:
        counted = tf.ones_like(a, tf.int64)
    else:
        counted = _tensor(weights)
        if not counted.shape.is_compatible_with(shape):
            raise ValueError("weights should have the same shape as a.")
        counted = tf.reshape(counted, [-1])
    numbers = _bin_numbers(a, edges, equal=_are_equal_bins(bins))
    count = tf.math.unsorted_segment_sum(counted, numbers, _length(edges) - 1)
    if not density:
        return count, edges
    width = tf.cast(edges[1:] - edges[:-1], tf.float64)
    amount = tf.cast(count, tf.complex128 if count.dtype.is_complex else tf.float64)
    return amount / tf.cast(width, amount.dtype) / tf.reduce_sum(amount), edges


@helper("numpy.histogramdd")
def histogramdd(sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    """TensorFlow has no histogram in several dimensions."""
    if not hasattr(sample, "shape") or len(sample.shape) != 2:
        sample = tf.stack(_promoted(*[tf.reshape(_tensor(column), [-1]) for column in sample]), -1)
    sample = _tensor(sample)
    sample = tf.cast(sample, tf.uint8) if sample.dtype.is_bool else sample
    dimensions = sample.shape[1]
    bins = [bins] * dimensions if _is_one_number(bins) else _parts(bins)
    if len(bins) != dimensions:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    range = [None] * dimensions if range is None else range
    if len(range) != dimensions:
        raise ValueError("range argument must have one entry per dimension")
    columns = tf.unstack(sample, axis=1)
    edges = [_edges_of_dimension(*parts) for parts in zip(columns, bins, range)]
    sizes = [_length(edge) - 1 for edge in edges]
    place, inside = tf.zeros_like(columns[0], tf.int64), tf.ones_like(columns[0], tf.bool)
    for column, edge, size, one in zip(columns, edges, sizes, bins):
        number = _bin_numbers(column, edge, equal=_are_equal_bins(one))
        inside = inside & (number >= 0)
        place = place * tf.cast(size, tf.int64) + number
    counted = tf.ones_like(place, tf.float64) if weights is None else tf.cast(_tensor(weights), tf.float64)
    total = math.prod(sizes)
    flat = tf.math.unsorted_segment_sum(counted, tf.where(inside, place, tf.constant(-1, tf.int64)), total)
    result = tf.reshape(flat, sizes)
    if density:
        everything = tf.reduce_sum(result)
        for axis, edge in enumerate(edges):
            width = tf.cast(edge[1:] - edge[:-1], tf.float64)
            result = result / tf.reshape(width, [-1] + [1] * (dimensions - 1 - axis))
        result = result / everything
    return result, edges


@helper("numpy.histogram2d")
def histogram2d(x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    """TensorFlow has no histogram in several dimensions."""
    x, y = _promoted(_tensor(x), _tensor(y))
    if not x.shape[:1].is_compatible_with(y.shape[:1]):
        raise ValueError("x and y must have the same length.")
    if not _is_one_number(bins) and len(_parts(bins)) not in (1, 2):
        bins = [bins, bins]
    result, edges = histogramdd([x, y], bins, range, density, weights)
    return result, edges[0], edges[1]


def _is_one_number(bins: Any) -> bool:
    return isinstance(bins, (int, float)) or (hasattr(bins, "shape") and len(bins.shape) == 0)


def _parts(bins: Any) -> list[Any]:
    return tf.unstack(bins) if tf.is_tensor(bins) else list(bins)


def _edges_of_dimension(column: tf.Tensor, bins: Any, limits: Any) -> tf.Tensor:
    if _is_one_number(bins):
        return _equal_edges(column, _number_of_bins(bins), limits)
    edges = _tensor(bins)
    if edges.shape.rank != 1:
        raise ValueError("`bins` must be a scalar or 1d array")
    _raise_where(
        tf.reduce_any(edges[:-1] > edges[1:]), ValueError("`bins` must be monotonically increasing, when an array")
    )
    return edges
