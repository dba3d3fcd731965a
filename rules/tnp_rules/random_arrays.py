"""Samples, orders and vectors by NumPy's names, drawn by a tf.random.Generator."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.island_time import island_time
from tnp_rules.random_arguments import RandomDraw, for_caller, refuse_draw, requested_size, rows_of_draws
from tnp_rules.support import _tensor


class ArrayDraws:
    """tf.random.shuffle works along the first axis and takes no state; there are no samples without replacement."""

    generator: Any

    def _order(self, count: Any) -> tf.Tensor:
        """Sort random keys, which XLA can do: it cannot shuffle."""
        keys = self.generator.uniform([count], dtype=tf.float64)
        return tf.cast(tf.argsort(keys), tf.int64)

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """A random order of range(x), or of an array along an axis."""
        if np.ndim(x) == 0:
            return for_caller(self._order(x if tf.is_symbolic_tensor(x) else operator.index(x)))
        return _taken(x, self._order(_axis_length(x, axis)), axis)

    def permuted(self, x: Any, *, axis: Any = None) -> Any:
        """A random order of all elements, or of each vector along an axis: the order of random keys."""
        x = _tensor(x)
        if axis is None:
            return for_caller(tf.reshape(tf.gather(tf.reshape(x, [-1]), self._order(tf.size(x))), tf.shape(x)))
        keys = tf.argsort(self.generator.uniform(tf.shape(x), dtype=tf.float64), axis=axis)
        axis = axis % x.shape.rank
        last = [*range(axis), *range(axis + 1, x.shape.rank), axis]
        back = np.argsort(last)
        moved = tf.gather(tf.transpose(x, last), tf.transpose(keys, last), batch_dims=x.shape.rank - 1)
        return for_caller(tf.transpose(moved, back))

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """In place for ndarrays, lists and variables; a tensor cannot be changed."""
        if isinstance(x, tf.Tensor):
            raise TypeError("a tensor cannot be shuffled in place: write `x = rng.permutation(x)`")
        order = self._order(_axis_length(x, axis))
        if isinstance(x, tf.Variable):
            x.assign(tf.gather(x, order, axis=axis))
        elif isinstance(x, np.ndarray):
            x[...] = np.take(x, order.numpy(), axis)
        else:
            x[:] = [x[place] for place in order.numpy()]

    def choice(self, a: Any, size: Any = None, replace: Any = True, p: Any = None, axis: int = 0) -> Any:
        """Positions of a sample, and what stands there."""
        population = a if np.ndim(a) == 0 else _axis_length(a, axis)
        if not tf.is_symbolic_tensor(population):
            population = operator.index(population)
            refuse_draw(population <= 0 and size != 0, "a must be a positive integer unless no samples are taken")
        wanted = [] if size is None else requested_size(size)
        weights = None if p is None else _checked_weights(p, population)
        if replace:
            places = self._places_with_replacement(wanted, population, weights)
        else:
            places = self._places_without_replacement(wanted, population, weights)
        if np.ndim(a):
            return _taken(a, places, axis)
        is_number = size is None and not isinstance(a, tf.Tensor) and tf.executing_eagerly()
        return int(places) if is_number else for_caller(places)

    def _places_with_replacement(self, shape: Any, population: Any, weights: Any) -> tf.Tensor:
        if weights is None:
            return self.generator.uniform(shape, 0, tf.cast(population, tf.int64), dtype=tf.int64)
        heights = tf.cumsum(weights)
        keys = self.generator.uniform(shape, dtype=tf.float64)
        heights /= heights[-1]  # all keys are below 1, which is then the last
        places = tf.searchsorted(heights, tf.reshape(keys, [-1]), side="right", out_type=tf.int64)
        return tf.reshape(places, shape)

    def _places_without_replacement(self, shape: Any, population: Any, weights: Any) -> tf.Tensor:
        """The first of a random order; with weights, the order of exponential numbers over them (Efraimidis 2006)."""
        count = tf.reduce_prod(tf.constant(shape, tf.int32) if isinstance(shape, list) else shape)
        if not tf.is_symbolic_tensor(count) and isinstance(population, int):
            refuse_draw(count > population, "Cannot take a larger sample than population when replace is False")
        if weights is None:
            return tf.reshape(self._order(population)[:count], shape)
        if not tf.is_symbolic_tensor(count):
            refuse_draw(count > tf.math.count_nonzero(weights), "Fewer non-zero entries in p than size")
        exponential = -tf.math.log1p(-self.generator.uniform(tf.shape(weights), dtype=tf.float64))
        waits = tf.where(weights > 0, exponential / weights, tf.constant(np.inf, tf.float64))
        return tf.reshape(tf.cast(tf.math.top_k(-waits, count).indices, tf.int64), shape)

    def multivariate_normal(self, mean: Any, cov: Any, size: Any = None, *, method: str = "svd") -> tf.Tensor:
        """Normal numbers times a root of the covariance; its eigenvalues below zero count as zero."""
        mean, cov = RandomDraw(None, mean).parameters[0], RandomDraw(None, cov).parameters[0]
        if mean.shape.rank != 1:
            raise ValueError("mean must be 1 dimensional")
        if cov.shape.rank != 2 or cov.shape[0] != cov.shape[1]:
            raise ValueError("cov must be 2 dimensional and square")
        if mean.shape[0] != cov.shape[0]:
            raise ValueError("mean and cov must have same length")
        if method == "cholesky":
            root = tf.linalg.cholesky(cov)
        else:
            values, vectors = tf.linalg.eigh(cov)
            root = vectors * tf.sqrt(tf.maximum(values, tf.constant(0.0, tf.float64)))
        shape = tf.concat([rows_of_draws(size), tf.shape(mean)], 0)
        normal = self.generator.normal(shape, dtype=tf.float64)
        return for_caller(mean + tf.linalg.matvec(root, normal))


def _axis_length(x: Any, axis: int) -> Any:
    """The length along an axis, known or not."""
    if not tf.is_tensor(x):
        return np.shape(x)[axis] if axis or not hasattr(x, "__len__") else len(x)
    return tf.shape(x)[axis] if x.shape[axis] is None else x.shape[axis]


def _taken(x: Any, places: tf.Tensor, axis: int) -> Any:
    """Take from a tensor or array of numbers; anything else stays as NumPy takes it."""
    if tf.is_tensor(x):
        return for_caller(tf.gather(x, places, axis=axis))
    x = np.asarray(x)
    if x.dtype.kind not in "biufc" or island_time.depth:
        if tf.is_symbolic_tensor(places):
            raise TypeError(f"an array of {x.dtype} is no tensor: draw from it outside tf.function")
        return np.take(x, places.numpy(), axis)
    return tf.gather(x, places, axis=axis)


def _checked_weights(p: Any, population: Any) -> tf.Tensor:
    weights = RandomDraw(None, p).parameters[0]
    if weights.shape.rank != 1:
        raise ValueError("p must be 1-dimensional")
    if isinstance(population, int) and weights.shape[0] not in (None, population):
        raise ValueError("a and p must have same size")
    refuse_draw(weights < 0, "Probabilities are not non-negative")
    refuse_draw(tf.abs(tf.reduce_sum(weights) - 1) > 1.5e-8, "Probabilities do not sum to 1")
    return weights
