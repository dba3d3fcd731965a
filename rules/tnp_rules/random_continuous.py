"""Continuous distributions by NumPy's names, drawn by a tf.random.Generator in float64."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.random_arguments import (
    RandomDraw,
    float_dtype,
    for_caller,
    refuse_draw,
    require_non_negative,
    require_positive,
    rows_of_draws,
)


class ContinuousDraws:
    """Distributions that tf.random.Generator lacks are made of its uniform, normal and gamma numbers."""

    generator: Any

    def _exponentials(self, shape: Any, dtype: Any = tf.float64) -> tf.Tensor:
        return -tf.math.log1p(-self.generator.uniform(shape, dtype=dtype))

    def _gammas(self, shape: Any, alpha: tf.Tensor, dtype: Any = tf.float64) -> tf.Tensor:
        """Give gamma numbers; TensorFlow has no alpha of 0, for which NumPy gives 0."""
        drawn = tf.random.stateless_gamma(shape, self.generator.make_seeds()[:, 0], alpha=alpha, dtype=dtype)
        return tf.where(alpha == 0, tf.zeros([], dtype), drawn)

    def _log_gammas(self, shape: Any, alpha: tf.Tensor) -> tf.Tensor:
        """Give logarithms of gamma numbers, which small alphas make smaller than any float."""
        return tf.math.log(self._gammas(shape, alpha + 1)) - self._exponentials(shape) / alpha

    def random(self, size: Any = None, dtype: Any = float) -> Any:
        """tf.random.Generator.uniform, of float64 where nothing else is asked for."""
        draw = RandomDraw(size)
        return draw.result(self.generator.uniform(draw.shape, dtype=float_dtype(dtype)))

    def standard_normal(self, size: Any = None, dtype: Any = float) -> Any:
        """tf.random.Generator.normal, of float64 where nothing else is asked for."""
        draw = RandomDraw(size)
        return draw.result(self.generator.normal(draw.shape, dtype=float_dtype(dtype)))

    def standard_exponential(self, size: Any = None, dtype: Any = float) -> Any:
        """By inversion."""
        draw = RandomDraw(size)
        return draw.result(self._exponentials(draw.shape, float_dtype(dtype)))

    def standard_gamma(self, shape: Any, size: Any = None, dtype: Any = float) -> Any:
        """tf.random.stateless_gamma."""
        require_non_negative(shape=shape)
        draw = RandomDraw(size, shape)
        dtype = float_dtype(dtype)
        return draw.result(self._gammas(draw.shape, tf.cast(draw.parameters[0], dtype), dtype))

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """tf.random.Generator.uniform does not broadcast its bounds."""
        draw = RandomDraw(size, low, high)
        low, high = draw.parameters
        if not tf.is_symbolic_tensor(high - low) and not np.isfinite((high - low).numpy()).all():
            raise OverflowError("Range exceeds valid bounds")
        return draw.result(low + (high - low) * self.generator.uniform(draw.shape, dtype=tf.float64))

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """tf.random.Generator.normal does not broadcast its parameters to the shape."""
        require_non_negative(scale=scale)
        draw = RandomDraw(size, loc, scale)
        loc, scale = draw.parameters
        return draw.result(loc + scale * self.generator.normal(draw.shape, dtype=tf.float64))

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        """Exponential of a normal number."""
        require_non_negative(sigma=sigma)
        draw = RandomDraw(size, mean, sigma)
        mean, sigma = draw.parameters
        return draw.result(tf.math.exp(mean + sigma * self.generator.normal(draw.shape, dtype=tf.float64)))

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """By inversion."""
        require_non_negative(scale=scale)
        draw = RandomDraw(size, scale)
        return draw.result(draw.parameters[0] * self._exponentials(draw.shape))

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
        """tf.random.stateless_gamma, with a scale where TensorFlow has a rate."""
        require_non_negative(shape=shape, scale=scale)
        draw = RandomDraw(size, shape, scale)
        alpha, scale = draw.parameters
        return draw.result(scale * self._gammas(draw.shape, alpha))

    def chisquare(self, df: Any, size: Any = None) -> Any:
        """A gamma number."""
        require_positive(df=df)
        draw = RandomDraw(size, df)
        return draw.result(2 * self._gammas(draw.shape, draw.parameters[0] / 2))

    def noncentral_chisquare(self, df: Any, nonc: Any, size: Any = None) -> Any:
        """A chi-square number whose degrees of freedom a Poisson number adds to."""
        require_positive(df=df)
        require_non_negative(nonc=nonc)
        draw = RandomDraw(size, df, nonc)
        return draw.result(self._noncentral(draw.shape, *draw.parameters))

    def _noncentral(self, shape: Any, df: tf.Tensor, nonc: tf.Tensor) -> tf.Tensor:
        seed = self.generator.make_seeds()[:, 0]
        more = tf.random.stateless_poisson(shape, seed, lam=nonc / 2, dtype=tf.float64)
        return 2 * self._gammas(shape, df / 2 + more)

    def f(self, dfnum: Any, dfden: Any, size: Any = None) -> Any:
        """The ratio of two chi-square numbers."""
        require_positive(dfnum=dfnum, dfden=dfden)
        draw = RandomDraw(size, dfnum, dfden)
        dfnum, dfden = draw.parameters
        upper, lower = self._gammas(draw.shape, dfnum / 2), self._gammas(draw.shape, dfden / 2)
        return draw.result(upper * dfden / (lower * dfnum))

    def noncentral_f(self, dfnum: Any, dfden: Any, nonc: Any, size: Any = None) -> Any:
        """The ratio of a noncentral and a plain chi-square number."""
        require_positive(dfnum=dfnum, dfden=dfden)
        require_non_negative(nonc=nonc)
        draw = RandomDraw(size, dfnum, dfden, nonc)
        dfnum, dfden, nonc = draw.parameters
        lower = 2 * self._gammas(draw.shape, dfden / 2)
        return draw.result(self._noncentral(draw.shape, dfnum, nonc) * dfden / (lower * dfnum))

    def standard_t(self, df: Any, size: Any = None) -> Any:
        """A normal number over the root of a chi-square number."""
        require_positive(df=df)
        draw = RandomDraw(size, df)
        half = draw.parameters[0] / 2
        normal = self.generator.normal(draw.shape, dtype=tf.float64)
        return draw.result(normal * tf.sqrt(half / self._gammas(draw.shape, half)))

    def standard_cauchy(self, size: Any = None) -> Any:
        """By inversion."""
        draw = RandomDraw(size)
        return draw.result(tf.math.tan(math.pi * (self.generator.uniform(draw.shape, dtype=tf.float64) - 0.5)))

    def beta(self, a: Any, b: Any, size: Any = None) -> Any:
        """The share of one of two gamma numbers, from their logarithms."""
        require_positive(a=a, b=b)
        draw = RandomDraw(size, a, b)
        first, second = [self._log_gammas(draw.shape, alpha) for alpha in draw.parameters]
        return draw.result(tf.sigmoid(first - second))

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """The difference of two exponential numbers."""
        require_non_negative(scale=scale)
        draw = RandomDraw(size, loc, scale)
        loc, scale = draw.parameters
        return draw.result(loc + scale * (self._exponentials(draw.shape) - self._exponentials(draw.shape)))

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """The logarithm of the ratio of two exponential numbers."""
        require_non_negative(scale=scale)
        draw = RandomDraw(size, loc, scale)
        loc, scale = draw.parameters
        ratio = tf.math.log(self._exponentials(draw.shape)) - tf.math.log(self._exponentials(draw.shape))
        return draw.result(loc + scale * ratio)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """By inversion."""
        require_non_negative(scale=scale)
        draw = RandomDraw(size, loc, scale)
        loc, scale = draw.parameters
        return draw.result(loc - scale * tf.math.log(self._exponentials(draw.shape)))

    def rayleigh(self, scale: Any = 1.0, size: Any = None) -> Any:
        """By inversion."""
        require_non_negative(scale=scale)
        draw = RandomDraw(size, scale)
        return draw.result(draw.parameters[0] * tf.sqrt(2 * self._exponentials(draw.shape)))

    def weibull(self, a: Any, size: Any = None) -> Any:
        """By inversion; NumPy gives 0 for an `a` of 0."""
        require_non_negative(a=a)
        draw = RandomDraw(size, a)
        power = tf.where(draw.parameters[0] == 0, tf.constant(1.0, tf.float64), draw.parameters[0])
        drawn = self._exponentials(draw.shape) ** (1 / power)
        return draw.result(tf.where(draw.parameters[0] == 0, tf.constant(0.0, tf.float64), drawn))

    def pareto(self, a: Any, size: Any = None) -> Any:
        """By inversion."""
        require_positive(a=a)
        draw = RandomDraw(size, a)
        return draw.result(tf.math.expm1(self._exponentials(draw.shape) / draw.parameters[0]))

    def power(self, a: Any, size: Any = None) -> Any:
        """By inversion."""
        require_positive(a=a)
        draw = RandomDraw(size, a)
        return draw.result((-tf.math.expm1(-self._exponentials(draw.shape))) ** (1 / draw.parameters[0]))

    def triangular(self, left: Any, mode: Any, right: Any, size: Any = None) -> Any:
        """By inversion on both sides of the mode."""
        draw = RandomDraw(size, left, mode, right)
        left, mode, right = draw.parameters
        refuse_draw(left > mode, "left > mode")
        refuse_draw(mode > right, "mode > right")
        refuse_draw(left == right, "left == right")
        u = self.generator.uniform(draw.shape, dtype=tf.float64)
        rising = left + tf.sqrt(u * (right - left) * (mode - left))
        falling = right - tf.sqrt((1 - u) * (right - left) * (right - mode))
        return draw.result(tf.where(u * (right - left) <= mode - left, rising, falling))

    def wald(self, mean: Any, scale: Any, size: Any = None) -> Any:
        """By the transformation with two roots of Michael, Schucany and Haas (1976), written free of cancellation."""
        require_positive(mean=mean, scale=scale)
        draw = RandomDraw(size, mean, scale)
        mean, scale = draw.parameters
        d = mean * self.generator.normal(draw.shape, dtype=tf.float64) ** 2 / (2 * scale)
        root = mean / (1 + d + tf.sqrt(d * (d + 2)))
        u = self.generator.uniform(draw.shape, dtype=tf.float64)
        return draw.result(tf.where(u * (mean + root) <= mean, root, mean * mean / root))

    def dirichlet(self, alpha: Any, size: Any = None) -> tf.Tensor:
        """Shares of gamma numbers, from their logarithms."""
        alpha = RandomDraw(None, alpha).parameters[0]
        refuse_draw(alpha <= 0, "alpha <= 0")
        shape = tf.concat([rows_of_draws(size), tf.shape(alpha)], 0)
        return for_caller(tf.nn.softmax(self._log_gammas(shape, alpha)))
