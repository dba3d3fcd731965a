"""Parts of long vectors in a compiled function: rows of different lengths, such as those of a sparse matrix.

`values[rows[i]:rows[i + 1]] @ x[columns[rows[i]:rows[i + 1]]]` looks at a few numbers of many. Under XLA what is the
same in all trips of a loop is computed before it, and sums go from the first number that counts to the last, in blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tnp_rules.compiled_tracing import outermost, tracing

_LONG = 1024  # numbers; shorter vectors are summed as a whole
_BLOCK = 64


def before_loops(function: Callable[..., Any], *values: Any) -> Any:
    """Compute in the graph around the loops, if that has all of the values; else where it stands."""
    outer = [outermost(one) for one in values]
    graphs = {one.graph for one in outer if tf.is_symbolic_tensor(one)}
    if tracing.trips or len(graphs) != 1 or graphs != {tracing.graph}:
        return function(*values)
    with tracing.graph.as_default():
        return function(*outer)


def is_long(*vectors: Any) -> bool:
    """Say whether vectors are summed in blocks: XLA has loops that cost little, and no gradients of them."""
    lengths = {tuple(one.shape) for one in vectors}
    alike = len(lengths) == 1 and len({one.dtype for one in vectors}) == 1 and not vectors[0].dtype.is_bool
    is_vector = alike and vectors[0].shape.rank == 1 and vectors[0].shape[0] >= _LONG
    return is_vector and tracing.form == "xla" and not tracing.taped and not tracing.trips


def sum_between(low: Any, high: Any, *vectors: Any) -> Any:
    """Add up the products of vectors' numbers from one place to before another."""
    size, high = int(vectors[0].shape[0]), tf.cast(high, tf.int64)
    inside = tf.range(_BLOCK, dtype=tf.int64)

    def block(first: Any, total: Any) -> Any:
        start = tf.minimum(first, size - _BLOCK)
        product, *others = [tf.slice(one, [start], [_BLOCK]) for one in vectors]
        for one in others:
            product *= one
        counts = (start + inside >= first) & (start + inside < high)
        return first + _BLOCK, total + tf.reduce_sum(tf.where(counts, product, tf.zeros_like(product)))

    nothing = tf.zeros([], vectors[0].dtype)
    return tf.while_loop(lambda first, _: first < high, block, (tf.cast(low, tf.int64), nothing))[1]
