"""The variables of a loop or a branch of a compiled function, as a graph carries them."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_inside import tensorflow_inside
from tnp_rules.compiled_parts import Part
from tnp_rules.compiled_tracing import (
    NotCompiled,
    as_tensor,
    is_number,
    is_weak,
    mark_leaves,
    mark_weak,
    tracing,
    weak_leaves,
)
from tnp_rules.runtime import map_leaves

_CHANGES = ((True, False), (False, True), (True, "mixed"), (False, "mixed"))  # of standing for a number of Python


class KindsChanged(Exception):
    """Variables that are Python's numbers before a loop and NumPy's in it, or the reverse, or of a `wider` dtype."""

    def __init__(self, mixed: dict[int, Any], wider: dict[int, Any]) -> None:
        super().__init__()
        self.mixed, self.wider = mixed, wider


class State:
    """The variables of a loop or a branch as AutoGraph hands them over, with the fault of the trace among them."""

    def __init__(self, get: Any, give: Any, names: Any) -> None:
        self.get, self.give = get, give
        self.faulty = tracing.carries_faults
        self.names = ("<fault>", *names) if self.faulty else names
        self.weak: list[Any] = []
        self.dtypes: list[Any] = []

    def values(self) -> Any:
        """Give the values as they are now."""
        own = tuple(self.get())
        if not self.faulty:
            return own
        return (tf.constant(False) if tracing.fault is None else tracing.fault, *own)

    def take(self, values: Any) -> None:
        """Bind the variables to other values: those that stood for Python's numbers do so again."""
        values = tuple(values)
        for value, weak in zip(values, self.weak):
            mark_leaves(value, weak)
        if self.faulty:
            tracing.fault, *own = values
            values = tuple(own)
        self.give(values)

    def fix(self) -> None:
        """Make tensors of the numbers among the variables, and remember which were Python's."""
        fixed = [map_leaves(as_tensor, value) for value in self.values()]
        if [value for value in fixed if isinstance(value, Part)]:
            raise NotCompiled("a slice or selection whose length depends on data, kept from trip to trip")
        self.weak = [weak_leaves(value) for value in fixed]
        self.dtypes = [_dtype_held(value) for value in fixed]
        self.take(fixed)

    def fill_returns(self, runs: Any) -> None:
        """Give what a function returns from a loop or a branch a value, of zeros, in what does not return."""
        inside = tensorflow_inside()
        values, fault = self.values(), tracing.fault
        places = [place for place, value in enumerate(values) if isinstance(value, inside.no_return)]
        found: dict[int, Any] = {}
        for run in runs if places else ():
            with inside.scratch().as_default():
                self.take(values)
                run()
                after = self.values()
            found.update({place: after[place] for place in places if not isinstance(after[place], inside.no_return)})
        if places:
            self.take(
                [
                    map_leaves(_zero_like, found[place]) if place in found else value
                    for place, value in enumerate(values)
                ]
            )
            tracing.fault = fault

    def settle(self) -> None:
        """Fix the variables at the end of a trip; those that are no numbers of Python any more begin the loop anew."""
        before, values = self.weak, self.values()
        now = [weak_leaves(value) for value in values]
        held = [(place, _dtype_held(value)) for place, value in enumerate(values)]
        pairs = list(zip(before, now))
        mixed = {place: dtype for place, dtype in held if pairs[place] in _CHANGES}
        wider = {place: dtype for place, dtype in held if pairs[place] == (True, True)}
        wider = {place: dtype for place, dtype in wider.items() if dtype is not self.dtypes[place]}
        if mixed or wider:
            raise KindsChanged(mixed, wider)
        self.fix()
        self.weak = ["mixed" if was == "mixed" else weak for was, weak in zip(before, self.weak)]

    def begin_as(self, values: Any, changed: KindsChanged) -> None:
        """Bind the values of before the loop, with the dtypes that its trips give them."""
        values = list(values)
        for place, dtype in [*changed.mixed.items(), *changed.wider.items()]:
            if dtype is None or not isinstance(values[place], tf.Tensor) or is_lossy(values[place].dtype, dtype):
                raise NotCompiled("a variable that is a number before a loop and something else in it")
            values[place] = tf.cast(tf.identity(values[place]), dtype)
            mark_leaves(values[place], "mixed" if place in changed.mixed else True)
        self.weak = []
        self.take(values)
        self.fix()

    def is_open(self) -> bool:
        """Say whether a variable has no value yet, or a number of Python that the first trip may make another."""
        undefined = tensorflow_inside().undefined
        return bool([one for one in self.get() if one is None or isinstance(one, undefined) or _is_changeable(one)])


def _zero_like(value: Any) -> Any:
    value = as_tensor(value)
    if not isinstance(value, tf.Tensor):
        return value
    zero = tf.zeros(value.shape, value.dtype)
    return mark_weak(zero) if is_weak(value) else zero


def _dtype_held(value: Any) -> Any:
    if isinstance(value, tf.Tensor):
        return value.dtype
    return as_tensor(value).dtype if is_number(value) else None


def is_lossy(dtype: Any, wanted: Any) -> bool:
    """Say whether a number does not keep its value in another dtype."""
    ranks = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
    kinds = [np.dtype(one.as_numpy_dtype).kind for one in (dtype, wanted)]
    return ranks.get(kinds[0], 9) > ranks.get(kinds[1], -1)


def _is_changeable(value: Any) -> bool:
    return is_number(value) and not isinstance(value, bool)
