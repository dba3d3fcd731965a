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
    found = [
        _check(_WeightedSum(target, one), as_function(target, body), device) for one in (sample, *_made_finite(sample))
    ]
    return any(found)


def slopes_of(target: str, sample: Sample) -> list[Slope]:
    """Return NumPy's slopes, where there are any."""
    return list(_WeightedSum(target, sample).slopes())


def _made_finite(sample: Sample) -> Iterator[Sample]:
    """Put numbers in the place of infinities and NaN, if there are any."""
    given = (sample.args, sample.kwargs)
    arrays = arrays_in(given)
    if not all(np.isfinite(array).all() for array in arrays):
        numbers = [0.3 + np.arange(array.size).reshape(array.shape) / 8 for array in arrays]
        finite = [
            np.where(np.isfinite(array), array, number).astype(array.dtype)
            for array, number in zip(arrays, numbers, strict=True)
        ]
        args, kwargs = with_arrays(given, finite)
        yield replace(sample, args=args, kwargs=kwargs)


def _check(total: _WeightedSum, body: Any, device: str) -> bool:
    slopes = list(total.slopes())
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
        elif not (total.has_infinities and np.isnan(found).any()):
            steps = slope.direction != 0
            along = float(np.sum((np.conj(found[steps]) * slope.direction[steps]).real))
            close = abs(along - value) <= slope.error + _RTOL * abs(value)
            kind = f"{found.dtype.name} argument {slope.argument}"
            assert close, f"gradient of {kind}: {along}, not {value} along {slope.direction}"
    return any(abs(slope.value) > slope.error for slope in slopes)


class _WeightedSum:
    """The weighted sum of the floating results of a sample, as a function of its floating arguments."""

    def __init__(self, target: str, sample: Sample) -> None:
        self.target = target
        self.magnitudes = sample.magnitudes or sample.compare is not None  # vectors have a free sign or phase
        self.given = (sample.args, sample.kwargs)
        self.arrays = arrays_in(self.given)
        self.symmetric = target in _ONE_TRIANGLE or bool(sample.kwargs.get("hermitian"))
        found, error = numpy_outcome(target, sample)
        self.parts = [] if error is not None else [(part, *_weights(part, n)) for n, part in enumerate(_leaves(found))]

    @property
    def has_infinities(self) -> bool:
        """Whether NaN may come of products with zero: an argument is infinite, or a result is not finite."""
        infinite = any(np.isinf(array).any() for array in self.arrays if _is_double(array))
        return infinite or any(len(chosen) < part.size for part, chosen, _ in self.parts)

    def slopes(self) -> Iterator[Slope]:
        """Give the slope in every direction in which NumPy's function has one."""
        if not any(weights.size for _, _, weights in self.parts):
            return
        for argument, array in enumerate(self.arrays):
            if _is_double(array):
                for direction in self._directions(array):
                    yield from self._slope(argument, direction)

    def gradients(self, body: Any) -> list[Any]:
        """Give what TensorFlow has for the gradient of each argument, None where it has none."""
        inputs = [tf.constant(array) for array in self.arrays]
        with tf.GradientTape() as tape:
            tape.watch([one for one in inputs if one.dtype.is_floating or one.dtype.is_complex])
            args, kwargs = with_tensors(self.given, inputs)
            leaves = _leaves(body(*args, **kwargs))
            total = tf.add_n([self._term(*part, leaf) for part, leaf in zip(self.parts, leaves, strict=True)])
        found = tape.gradient(total, inputs)
        return [None if one is None else tf.convert_to_tensor(one).numpy() for one in found]

    def _term(self, expected: Any, chosen: Any, weights: Any, leaf: Any) -> Any:
        picked = tf.gather(tf.reshape(leaf, [-1]), chosen)
        if self.magnitudes:
            return tf.reduce_sum(weights.real * tf.abs(picked))
        if expected.dtype.kind != "c":
            return tf.reduce_sum(weights.real * picked)
        return tf.reduce_sum(weights.real * tf.math.real(picked) + weights.imag * tf.math.imag(picked))

    def _value(self, argument: int, moved: Any) -> tuple[float, float]:
        """Sum on NumPy with one argument moved; the second number is the sum of the magnitudes."""
        arrays = [moved if index == argument else array for index, array in enumerate(self.arrays)]
        found, error = numpy_outcome(self.target, Sample(*with_arrays(self.given, arrays)))
        leaves = [] if error is not None else _leaves(found)
        if [(leaf.shape, leaf.dtype) for leaf in leaves] != [(part.shape, part.dtype) for part, _, _ in self.parts]:
            return np.nan, np.nan
        terms = []
        with np.errstate(all="ignore"):
            for (_, chosen, weights), leaf in zip(self.parts, leaves, strict=True):
                picked = leaf.ravel()[chosen]
                picked = np.abs(picked) if self.magnitudes else picked
                terms += [weights.real * picked.real, weights.imag * picked.imag]
            every = np.concatenate(terms)
            return float(every.sum()), float(np.abs(every).sum())

    def _slope(self, argument: int, direction: Any) -> Iterator[Slope]:
        """Take central differences with two steps; where they disagree, or the sides do, there is no slope."""
        array = self.arrays[argument]
        size = _STEP * max(0.1, float(np.abs(array[direction != 0]).max()))
        middle, magnitude = self._value(argument, array)
        central, bend = [], []
        for step in (size, size / 4):
            above, _ = self._value(argument, array + step * direction)
            below, _ = self._value(argument, array - step * direction)
            central.append((above - below) / (2 * step))
            bend.append(abs(above - 2 * middle + below) / step)
        noise = 64 * np.finfo(np.float64).eps * magnitude / size
        slope = (16 * central[1] - central[0]) / 15
        drift = abs(central[1] - central[0])
        smooth = bend[1] <= bend[0] / 2 + noise  # at a kink the sides differ as much for a smaller step
        if smooth and drift <= 1e-4 * abs(slope) + noise and noise <= 4e-3 * abs(slope) + 4e-6:
            yield Slope(argument, direction, slope, noise + drift / 3 + 1e-12)

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


def _leaves(result: Any) -> list[Any]:
    """Give the arrays or tensors of a result that are in double precision, in order."""
    if isinstance(result, list | tuple):
        return [leaf for item in result for leaf in _leaves(item)]
    if tf.is_tensor(result):
        return [result] if result.dtype in (tf.float64, tf.complex128) else []
    return [np.asarray(result)] if isinstance(result, np.ndarray | np.generic) and _is_double(result) else []


def _is_double(value: Any) -> bool:
    return value.dtype in (np.float64, np.complex128)


def _weights(part: Any, number: int) -> tuple[Any, Any]:
    """Choose the finite elements of a result, and a weight for each part of them."""
    random = np.random.default_rng([part.size, number])
    chosen = np.flatnonzero(np.isfinite(part))
    return chosen, random.uniform(0.5, 1.5, len(chosen)) + 1j * random.uniform(0.5, 1.5, len(chosen))
