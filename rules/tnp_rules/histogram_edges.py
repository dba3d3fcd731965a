"""Edges of histogram bins."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.statistic_arguments import _inexact_dtype
from tnp_rules.support import _is_python_scalar, _np_dtype, _raise_where, _tensor


@helper("numpy.histogram_bin_edges")
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> tf.Tensor:
    """`tf.histogram_fixed_width` does not give its edges, and needs a range."""
    return _bin_edges(tf.reshape(_tensor(a), [-1]), bins, range, weights)


def _bin_edges(a: tf.Tensor, bins: Any, range: Any, weights: Any) -> tf.Tensor:
    """Return the edges for a flat array. Bins by name are chosen by NumPy's estimators, on the host."""
    a = tf.cast(a, tf.uint8) if a.dtype.is_bool else a
    if isinstance(bins, str):
        if weights is not None:
            raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
        return _estimated_edges(a, bins, range)
    given = None if isinstance(bins, int) else _tensor(bins)
    if given is None or given.shape.rank == 0:
        return _equal_edges(a, _number_of_bins(bins), range)
    if given.shape.rank > 1:
        raise ValueError("`bins` must be 1d, when an array")
    _raise_where(tf.reduce_any(given[:-1] > given[1:]), ValueError("`bins` must increase monotonically, when an array"))
    return given


def _number_of_bins(bins: Any) -> Any:
    if not isinstance(bins, int) and not _tensor(bins).dtype.is_integer:
        raise TypeError("`bins` must be an integer, a string, or an array")
    known = bins if isinstance(bins, int) else tf.get_static_value(_tensor(bins))
    if known is not None and known < 1:
        raise ValueError("`bins` must be positive, when an integer")
    return bins if known is None else int(known)


def _estimated_edges(a: tf.Tensor, bins: str, range: Any) -> tf.Tensor:
    if tf.executing_eagerly():
        return tf.constant(np.histogram_bin_edges(a.numpy(), bins, range))
    dtype = _edge_dtype(a, range)
    edges = tf.numpy_function(lambda x: np.histogram_bin_edges(x, bins, range).astype(dtype.as_numpy_dtype), [a], dtype)
    edges.set_shape([None])
    return edges


def _edge_dtype(a: tf.Tensor, range: Any) -> tf.DType:
    """Return the dtype NumPy computes equal bins in; a range of Python numbers does not promote."""
    limits = () if range is None else tuple(range)
    kinds = [x if _is_python_scalar(x) else _np_dtype(_tensor(x).dtype) for x in limits]
    return _inexact_dtype(tf.as_dtype(np.result_type(_np_dtype(a.dtype), *kinds)))


def _equal_edges(a: tf.Tensor, count: Any, range: Any) -> tf.Tensor:
    """Space edges as `np.linspace` does, in float64 where the range is given."""
    dtype = _edge_dtype(a, range)
    if range is not None:
        first, last = (tf.cast(_tensor(limit), tf.float64) for limit in range)
        _raise_where(first > last, ValueError("max must be larger than min in range parameter."))
    elif a.shape.num_elements() == 0:
        first, last = tf.zeros([], dtype), tf.ones([], dtype)
    else:
        first, last = tf.cast(tf.reduce_min(a), dtype), tf.cast(tf.reduce_max(a), dtype)
        if a.shape.num_elements() is None:
            first = tf.where(tf.size(a) == 0, tf.zeros_like(first), first)
            last = tf.where(tf.size(a) == 0, tf.ones_like(last), last)
    finite = tf.math.is_finite(first) & tf.math.is_finite(last)
    _raise_where(tf.logical_not(finite), ValueError("the range of the histogram is not finite"))
    half = tf.where(first == last, tf.constant(0.5, first.dtype), tf.zeros_like(first))
    first, last = first - half, last + half
    step = (last - first) / tf.cast(count, first.dtype)
    inner = first + step * tf.cast(tf.range(count), first.dtype)
    edges = tf.cast(tf.concat([inner, last[tf.newaxis]], 0), dtype)
    _raise_where(tf.reduce_any(edges[:-1] >= edges[1:]), ValueError("Too many bins for data range."))
    return edges


def _are_equal_bins(bins: Any) -> bool:
    """Say whether bins are all of one width: a number of them, or a text that names an estimator."""
    return isinstance(bins, (int, str)) or (hasattr(bins, "shape") and len(bins.shape) == 0)


def _bin_numbers(x: tf.Tensor, edges: tf.Tensor, *, equal: bool = False) -> tf.Tensor:
    """Return the bin of each value, -1 for one outside; the last bin holds its right edge.

    Among bins of one width NumPy computes the place, and looks at the edges beside it: for XLA a search is a comparison
    of each value with each edge.
    """
    common = tf.as_dtype(np.result_type(_np_dtype(x.dtype), _np_dtype(edges.dtype)))
    x, edges = tf.cast(x, common), tf.cast(edges, common)
    last = tf.size(edges, tf.int64) - 2
    if equal and common.is_floating:
        number = _computed_bins(x, edges, last)
    else:
        number = tf.searchsorted(edges, x, side="right", out_type=tf.int64) - 1
        number = tf.where(x == edges[-1], last, number)
    return tf.where((number > last) | (x != x), tf.constant(-1, tf.int64), number)  # noqa: PLR0124 (NaN)


def _computed_bins(x: tf.Tensor, edges: tf.Tensor, last: tf.Tensor) -> tf.Tensor:
    first, end = edges[0], edges[-1]
    inside = (x >= first) & (x <= end)
    share = (x - first) / (end - first) * tf.cast(last + 1, x.dtype)
    share = tf.where(inside & tf.math.is_finite(share), share, tf.zeros_like(x))
    with tf.name_scope("within_bounds"):  # as compiled functions need not look at again
        number = tf.minimum(tf.cast(share, tf.int64), last)
        number -= tf.cast(x < tf.gather(edges, number), tf.int64)
        number += tf.cast((number < last) & (x >= tf.gather(edges, number + 1)), tf.int64)
    return tf.where(inside, number, tf.constant(-1, tf.int64))
