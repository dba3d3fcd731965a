"""Discrete distributions by NumPy's names, drawn by a tf.random.Generator in int64."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.random_arguments import (
    RandomDraw,
    drawn_shape,
    for_caller,
    is_all_numbers,
    refuse_draw,
    require_non_negative,
    require_positive,
    require_probability,
    rows_of_draws,
)
from tnp_rules.support import _tensor


class DiscreteDraws:
    """TensorFlow draws counts in the dtype of their rate or without it; NumPy in int64."""

    generator: Any

    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        """tf.random.stateless_poisson; tf.random.Generator has none."""
        require_non_negative(lam=lam)
        draw = RandomDraw(size, lam)
        return draw.result(self._poissons(draw.shape, draw.parameters[0]))

    def _poissons(self, shape: Any, lam: tf.Tensor) -> tf.Tensor:
        return tf.random.stateless_poisson(shape, self.generator.make_seeds()[:, 0], lam=lam, dtype=tf.int64)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """tf.random.stateless_binomial; that of tf.random.Generator does not broadcast to the shape."""
        require_non_negative(n=n)
        require_probability(p=p)
        draw = RandomDraw(size, n, p)
        return draw.result(self._binomials(draw.shape, *draw.parameters))

    def _binomials(self, shape: Any, n: tf.Tensor, p: tf.Tensor) -> tf.Tensor:
        seed = self.generator.make_seeds()[:, 0]
        n = tf.floor(n)  # NumPy takes an integer
        return tf.random.stateless_binomial(shape, seed, counts=n, probs=p, output_dtype=tf.int64)

    def negative_binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """A Poisson number of a gamma rate."""
        require_positive(n=n)
        require_probability(p=p)
        draw = RandomDraw(size, n, p)
        n, p = draw.parameters
        refuse_draw(p == 0, "p <= 0")
        rate = tf.random.stateless_gamma(draw.shape, self.generator.make_seeds()[:, 0], alpha=n, dtype=tf.float64)
        return draw.result(self._poissons(draw.shape, rate * (1 - p) / p))

    def geometric(self, p: Any, size: Any = None) -> Any:
        """By inversion: the first whole number at or above an exponential one."""
        require_probability(p=p)
        draw = RandomDraw(size, p)
        refuse_draw(draw.parameters[0] == 0, "p <= 0, p > 1 or p contains NaNs")
        exponential = -tf.math.log1p(-self.generator.uniform(draw.shape, dtype=tf.float64))
        trials = tf.math.ceil(exponential / -tf.math.log1p(-draw.parameters[0]))
        return draw.result(_whole(tf.maximum(trials, tf.constant(1.0, tf.float64))))

    def logseries(self, p: Any, size: Any = None) -> Any:
        """A geometric number of a random probability (Kemp 1981), as NumPy draws it."""
        require_probability(p=p)
        draw = RandomDraw(size, p)
        refuse_draw(draw.parameters[0] == 1, "p < 0, p >= 1 or p is NaN")
        u, v = [self.generator.uniform(draw.shape, dtype=tf.float64) for _ in range(2)]
        q = -tf.math.expm1((1 - u) * tf.math.log1p(-draw.parameters[0]))
        return draw.result(_whole(tf.where(q > 0, tf.floor(1 + tf.math.log1p(-v) / tf.math.log(q)), tf.ones_like(q))))

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> tf.Tensor:
        """A binomial number for each outcome, of what those before it have left."""
        require_non_negative(n=n)
        count, pvals = RandomDraw(None, n).parameters[0], RandomDraw(None, pvals).parameters[0]
        shares = tf.unstack(pvals, axis=-1)
        refuse_draw(tf.reduce_sum(pvals[..., :-1], -1) > 1 + 1e-12, "sum(pvals[:-1]) > 1.0")
        shape = drawn_shape(size, [count, shares[0]]) if size is None else rows_of_draws(size)
        left, rest, found = tf.broadcast_to(count, shape), tf.constant(1.0, tf.float64), []
        for share in shares[:-1]:
            p = tf.where(rest > 0, share / rest, tf.zeros_like(share))
            drawn = self._binomials(shape, left, tf.clip_by_value(p, 0, 1))
            found.append(drawn)
            left, rest = left - tf.cast(drawn, tf.float64), rest - share
        return for_caller(tf.stack([*found, tf.cast(left, tf.int64)], axis=-1))

    def _whole_numbers(self, low: Any, high: Any, size: Any, dtype: Any, *, endpoint: bool = False) -> Any:
        """Draw from [low, high), or [low, high]; Python's own types give Python's own numbers."""
        kind = np.dtype(dtype.as_numpy_dtype if isinstance(dtype, tf.DType) else dtype)
        least, most = (0, 1) if kind.kind == "b" else (np.iinfo(kind).min, np.iinfo(kind).max)
        is_number = is_all_numbers([low, high])
        if is_number:
            low, high = int(low), int(high) - (not endpoint)
        else:
            low, high = tf.cast(_tensor(low), tf.int64), tf.cast(_tensor(high), tf.int64) - (not endpoint)
            least, most = (-(2**63), 2**63 - 1) if kind.itemsize == 8 else (least, most)
        refuse_draw(low < least, f"low is out of bounds for {kind}")
        refuse_draw(high > most, f"high is out of bounds for {kind}")
        refuse_draw(low > high, "low > high" if endpoint else "low >= high")
        if not is_number:
            counts = tf.cast(high - low, tf.uint64) + tf.constant(1, tf.uint64)
            return for_caller(tf.cast(low + self._below(drawn_shape(size, [low, high]), counts), kind))
        drawn = tf.cast(self._between(drawn_shape(size, []), low, high), kind)
        if size is None and tf.executing_eagerly():
            return drawn.numpy().item() if dtype is int or dtype is bool else drawn.numpy()
        return for_caller(drawn)

    def _between(self, shape: Any, low: int, high: int) -> tf.Tensor:
        """Draw from [low, high]; TensorFlow's own integers end below 2**63."""
        if low >= -(2**63) and high < 2**63 - 1:
            return self.generator.uniform(shape, low, high + 1, dtype=tf.int64)
        if high - low + 1 == 2**64:
            bits = self.generator.uniform_full_int(shape, dtype=tf.uint64)
            return bits if low == 0 else tf.bitcast(bits, tf.int64)
        offsets = self._below(shape, tf.constant(high - low + 1, tf.uint64))
        if high >= 2**63:
            return tf.bitcast(offsets, tf.uint64) + tf.constant(low, tf.uint64)
        return tf.constant(low, tf.int64) + offsets

    def _below(self, shape: Any, count: tf.Tensor) -> tf.Tensor:
        """Draw whole numbers below counts that may differ, with tf.random.Generator's own bias of count / 2**64."""
        bits = self.generator.uniform_full_int(shape, dtype=tf.uint64)
        return tf.bitcast(tf.math.floormod(bits, count), tf.int64)


def _whole(drawn: tf.Tensor) -> tf.Tensor:
    """Cast to int64, whose greatest number stands for all that are greater, as in NumPy."""
    greatest = tf.constant(np.iinfo(np.int64).max, tf.int64)
    return tf.where(drawn < 2.0**63, tf.cast(drawn, tf.int64), greatest)
