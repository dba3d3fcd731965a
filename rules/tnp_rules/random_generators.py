"""numpy.random's generators on tf.random.Generator: the same names, arguments, shapes, dtypes and distributions.

The streams are TensorFlow's: a seed gives other numbers than in NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.random_arrays import ArrayDraws
from tnp_rules.random_continuous import ContinuousDraws
from tnp_rules.random_discrete import DiscreteDraws
from tnp_rules.random_host import HostDraws


def tensorflow_generator(seed: Any = None) -> tf.random.Generator:
    """Make a tf.random.Generator of whatever NumPy takes for a seed."""
    if isinstance(seed, tf.random.Generator):
        return seed
    if seed is None:
        return tf.random.Generator.from_non_deterministic_state()
    return tf.random.Generator.from_seed(seed_number(seed))


def seed_number(seed: Any) -> int:
    """Make one number of a seed: arrays are mixed as NumPy mixes them, NumPy's generators give their next number."""
    if isinstance(seed, np.random.Generator):
        seed = seed.bit_generator
    elif isinstance(seed, np.random.RandomState):
        return int(seed.randint(2**63 - 1))
    if isinstance(seed, np.random.BitGenerator):
        return int(seed.random_raw())
    if isinstance(seed, np.random.SeedSequence):
        return int(seed.generate_state(1, np.uint64)[0])
    array = np.asarray(seed)
    if array.dtype.kind not in "biuO":
        raise TypeError(f"a seed is made of integers, not of {array.dtype}")
    if (array < 0).any():
        raise ValueError("expected non-negative integer")
    if array.ndim == 0:
        return int(array)
    return int(np.random.SeedSequence(array.ravel().tolist()).generate_state(1, np.uint64)[0])


class Generator(ContinuousDraws, DiscreteDraws, ArrayDraws, HostDraws):
    """numpy.random.Generator on a tf.random.Generator, which is its attribute `generator`."""

    def __init__(self, bit_generator: Any) -> None:
        self.generator = tensorflow_generator(bit_generator)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
    ) -> Any:
        """tf.random.Generator.uniform does not broadcast its bounds, and excludes the upper one."""
        low, high = (0, low) if high is None else (low, high)
        return self._whole_numbers(low, high, size, dtype, endpoint=endpoint)

    def spawn(self, n_children: int) -> list[Generator]:
        """tf.random.Generator.split."""
        return [type(self)(child) for child in self.generator.split(n_children)]


def default_rng(seed: Any = None) -> Any:
    """Make a generator by tf.random.Generator.from_seed; one that is there already is returned as it is."""
    return seed if isinstance(seed, Generator) else Generator(seed)


class RandomState(ContinuousDraws, DiscreteDraws, ArrayDraws, HostDraws):
    """numpy.random.RandomState on a tf.random.Generator, which is its attribute `generator`."""

    def __init__(self, seed: Any = None) -> None:
        self.generator = tensorflow_generator(_legacy_seed(seed))

    def seed(self, seed: Any = None) -> None:
        """Start the stream again; functions that were traced before follow."""
        seed = np.random.SeedSequence() if seed is None else _legacy_seed(seed)
        self.generator.reset_from_seed(seed_number(seed))

    def get_state(self) -> Any:
        """Give what `set_state` takes: the state of the tf.random.Generator."""
        return {"bit_generator": "tensorflow", "state": self.generator.state.numpy()}

    def set_state(self, state: Any) -> None:
        """Go back to a state that `get_state` gave."""
        if not isinstance(state, dict) or state.get("bit_generator") != "tensorflow":
            raise ValueError("the state is one of NumPy's generator, which draws other numbers than TensorFlow's")
        self.generator.reset(state["state"])

    def rand(self, *args: Any) -> Any:
        """`random` of separate dimensions."""
        return self.random(args or None)

    def randn(self, *args: Any) -> Any:
        """`standard_normal` of separate dimensions."""
        return self.standard_normal(args or None)

    def random_sample(self, size: Any = None) -> Any:
        """`random` by its older name."""
        return self.random(size)

    ranf = sample = random_sample

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        """tf.random.Generator.uniform does not broadcast its bounds; Python's `int` stands for int64."""
        low, high = (0, low) if high is None else (low, high)
        return self._whole_numbers(low, high, size, dtype)

    def random_integers(self, low: Any, high: Any = None, size: Any = None) -> Any:
        """`randint` whose upper bound belongs to it, and counts from 1 without a lower one."""
        low, high = (1, low) if high is None else (low, high)
        return self._whole_numbers(low, high, size, np.int64, endpoint=True)

    def tomaxint(self, size: Any = None) -> Any:
        """Any int64 from 0."""
        return self._whole_numbers(0, 2**63 - 1, size, int, endpoint=True)


def _legacy_seed(seed: Any) -> Any:
    """The older generators take seeds of 32 bits only."""
    if isinstance(seed, (int, np.integer)) and not 0 <= seed < 2**32:
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    return seed


class GlobalRandomState(RandomState):
    """What the functions of numpy.random draw from."""

    def seed(self, seed: Any = None) -> None:
        """Seed NumPy's own state too: islands, and what TensorFlow cannot draw, are drawn from that."""
        np.random.seed(seed)
        super().seed(seed)


random = GlobalRandomState()
