"""Compares the gradient of a rule with finite differences of the NumPy function that it stands for.

What is differentiated is a weighted sum of all floating results, in steps along single elements of each floating
argument and along one direction in all of them. A step that meets a kink, a jump or the end of the domain asks nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import tensorflow as tf
from rule_runs import arrays_in, numpy_outcome, with_arrays, with_tensors
from rule_samples import Sample, as_function

_RTOL = 1e-5
_STEP = 1e-4
_SINGLE_STEPS = 6
# NumPy reads one triangle of these matrices, TensorFlow's gradient is of both: steps are taken in both as well.
_ONE_TRIANGLE = frozenset("numpy.linalg.cholesky numpy.linalg.eigh numpy.linalg.eigvalsh".split())


@dataclass(frozen=True)
class Slope:
    """How fast the sum changes along a direction in one argument, and how surely that is known."""

    argument: int
    direction: Any
    value: float
    error: float


def check_gradient(target: str, sample: Sample, body: Any, device: str) -> bool:
    """Assert that the gradient of `body` is NumPy's slope; return whether there was one other than zero.

    What is asked for infinities and NaN is asked for numbers in their place as well.
    """
    variants = [sample] if (finite := _made_finite(sample)) is None else [sample, finite]
    found = [_check(_Sum(target, one), as_function(target, body), device) for one in variants]
    return any(found)


def _made_finite(sample: Sample) -> Sample | None:
    """Put numbers in the place of infinities and NaN, if there are any."""
    arrays = arrays_in((sample.args, sample.kwargs))
    if all(np.isfinite(array).all() for array in arrays):
        return None
    numbers = [
        np.where(np.isfinite(array), array, 0.3 + np.arange(array.size).reshape(array.shape) / 8) for array in arrays
    ]
    args, kwargs = with_arrays(
        (sample.args, sample.kwargs), [new.astype(old.dtype) for new, old in zip(numbers, arrays, strict=True)]
    )
    return replace(sample, args=args, kwargs=kwargs)


def _check(total: _Sum, body: Any, device: str) -> bool:
    slopes = [slope for slope in total.slopes() if slope is not None]
    if not slopes:
        return False
    try:
        with tf.device(device), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of gradients that are made dense, which is what is compared
            gradients = total.gradients(body)
    except (tf.errors.OpError, LookupError, NotImplementedError, TypeError, ValueError) as error:
        raise AssertionError(f"raises {type(error).__name__}: {error}") from error
    for slope in slopes:
        found, value = gradients[slope.argument], slope.value
        if found is None:
            assert abs(value) <= slope.error, f"no gradient of argument {slope.argument}, NumPy's is {slope}"
            continue
        if total.is_infinite and np.isnan(found).any():
            continue
        steps = slope.direction != 0
        along = float(np.sum((np.conj(found[steps]) * slope.direction[steps]).real))
        close = abs(along - value) <= slope.error + _RTOL * abs(value)
        kind = found.dtype.name
        assert close, f"gradient of {kind} argument {slope.argument}: {along}, not {value} along {slope.direction}"
    return any(abs(slope.value) > slope.error for slope in slopes)


class _Sum:
    """The weighted sum of the floating results of a sample, as a function of its floating arguments."""

    def __init__(self, target: str, sample: Sample) -> None:
        self.target, self.sample = target, sample
        self.magnitudes = sample.magnitudes or sample.compare is not None  # vectors have a free sign or phase
        self.arrays = arrays_in((sample.args, sample.kwargs))
        self.symmetric = target in _ONE_TRIANGLE or bool(sample.kwargs.get("hermitian"))
        found, error = numpy_outcome(target, sample)
        self.parts = [] if error is not None else [(part, *_weights(part)) for part in self._leaves(found)]

    def slopes(self) -> Iterator[Slope | None]:
        """Give the slope in every direction, None where NumPy's function has none."""
        if not any(weights.size for _, _, weights in self.parts):
            return
        for argument, array in enumerate(self.arrays):
            if _is_double(array):
                for direction in self._directions(array):
                    yield self._slope(argument, direction)

    @property
    def is_infinite(self) -> bool:
        """Whether NaN may come of products with zero: an argument is infinite, or a result is not finite."""
        infinite = any(np.isinf(array).any() for array in self.arrays if _is_double(array))
        return infinite or any(len(chosen) < part.size for part, chosen, _ in self.parts)

    def gradients(self, body: Any) -> list[Any]:
        """Give what TensorFlow has for the gradient of each argument, None where it has none."""
        inputs = [tf.constant(array) for array in self.arrays]
        with tf.GradientTape() as tape:
            tape.watch([one for one in inputs if one.dtype.is_floating or one.dtype.is_complex])
            args, kwargs = with_tensors((self.sample.args, self.sample.kwargs), inputs)
            leaves = self._leaves(body(*args, **kwargs))
            terms = [self._term(*part, leaf) for part, leaf in zip(self.parts, leaves, strict=True)]
            total = tf.add_n(terms)
        found = tape.gradient(total, inputs)
        return [None if one is None else tf.convert_to_tensor(one).numpy() for one in found]

    def _term(self, expected: Any, chosen: Any, weights: Any, leaf: Any) -> Any:
        picked = tf.gather(tf.reshape(leaf, [-1]), chosen)
        if self.magnitudes:
            picked = tf.abs(picked)
        elif expected.dtype.kind == "c":
            return tf.reduce_sum(weights.real * tf.math.real(picked) + weights.imag * tf.math.imag(picked))
        return tf.reduce_sum(weights.real * picked)

    def _value(self, argument: int, moved: Any) -> tuple[float, float]:
        """Sum on NumPy with one argument moved; the second number is the sum of the magnitudes."""
        arrays = [moved if index == argument else array for index, array in enumerate(self.arrays)]
        args, kwargs = with_arrays((self.sample.args, self.sample.kwargs), arrays)
        found, error = numpy_outcome(self.target, Sample(args, kwargs))
        leaves = [] if error is not None else self._leaves(found)
        if [(leaf.shape, leaf.dtype) for leaf in leaves] != [(part.shape, part.dtype) for part, _, _ in self.parts]:
            return np.nan, np.nan
        terms = []
        with np.errstate(all="ignore"):
            for (_, chosen, weights), leaf in zip(self.parts, leaves, strict=True):
                picked = np.abs(leaf.ravel()[chosen]) if self.magnitudes else leaf.ravel()[chosen]
                terms += [weights.real * picked.real] + ([] if self.magnitudes else [weights.imag * picked.imag])
            every = np.concatenate(terms)
            return float(every.sum()), float(np.abs(every).sum())

    def _slope(self, argument: int, direction: Any) -> Slope | None:
        array = self.arrays[argument]
        size = _STEP * max(0.1, float(np.abs(array[direction != 0]).max()))
        middle, magnitude = self._value(argument, array)
        central, apart = [], []
        for step in (size, size / 4):
            above, _ = self._value(argument, array + step * direction)
            below, _ = self._value(argument, array - step * direction)
            central.append((above - below) / (2 * step))
            apart.append(abs(above - 2 * middle + below) / step)
        noise = 16 * np.finfo(np.float64).eps * magnitude / size
        slope = (16 * central[1] - central[0]) / 15
        smooth = apart[1] <= apart[0] / 2 + 4 * noise and abs(central[1] - central[0]) <= 1e-3 * abs(slope) + 4 * noise
        return (
            Slope(argument, direction, slope, 4 * noise + 1e-12)
            if smooth and noise <= 1e-3 * abs(slope) + 1e-6
            else None
        )

    def _leaves(self, result: Any) -> list[Any]:
        """Give the floating arrays or tensors of a result in order."""
        if isinstance(result, list | tuple):
            return [leaf for item in result for leaf in self._leaves(item)]
        if tf.is_tensor(result):
            return [result] if result.dtype in (tf.float64, tf.complex128) else []
        return [np.asarray(result)] if isinstance(result, np.ndarray | np.generic) and _is_double(result) else []

    def _directions(self, array: Any) -> Iterator[Any]:
        random = np.random.default_rng(array.size)
        places = np.flatnonzero(np.isfinite(array))
        single = random.choice(places, min(len(places), _SINGLE_STEPS), replace=False)
        for chosen in [*([place] for place in single), *([places] if len(places) > 1 else [])]:
            direction = np.zeros(array.shape, array.dtype)
            direction.flat[chosen] = random.uniform(0.5, 1.5, len(chosen)) * random.choice([-1, 1], len(chosen))
            if array.dtype.kind == "c":
                direction = direction * (0.8 - 0.6j)
            if self.symmetric:
                direction = direction + np.conj(np.swapaxes(direction, -1, -2))
            yield direction


def _is_double(value: Any) -> bool:
    return value.dtype in (np.float64, np.complex128)


def _weights(part: Any) -> tuple[Any, Any]:
    """Choose the finite elements of a result and weights for them."""
    random = np.random.default_rng(part.size)
    chosen = np.flatnonzero(np.isfinite(part))
    weights = random.uniform(0.5, 1.5, len(chosen)) + 1j * random.uniform(0.5, 1.5, len(chosen))
    return chosen, weights
