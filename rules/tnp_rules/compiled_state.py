"""The variables of a loop or a branch of a compiled function, as a graph carries them."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_inside import tensorflow_inside
from tnp_rules.compiled_parts import Part
from tnp_rules.compiled_tracing import (
    MIXED,
    MIXED_INTEGER,
    NotCompiled,
    as_tensor,
    code_of,
    is_number,
    is_weak,
    mark_leaves,
    mark_mixed,
    mark_weak,
    mixed_codes,
    tracing,
    weak_leaves,
)
from tnp_rules.compiled_varying import ShapesChanged, changed_shapes
from tnp_rules.runtime import map_leaves


class KindsChanged(Exception):
    """Variables, by their places, that are other kinds of numbers in a loop than before it: `kinds` and dtypes."""

    def __init__(self, kinds: dict[int, Any], dtypes: dict[int, Any]) -> None:
        super().__init__()
        self.kinds, self.dtypes = kinds, dtypes


class State:
    """The variables of a loop or a branch as AutoGraph hands them over, with the fault of the trace among them.

    `weak` says which of them stand for Python's numbers, `varies` whether arrays may change their sizes. Those of
    `carried` that are mixed have a tensor beside them that says which they are when the graph runs.
    """

    def __init__(self, get: Any, give: Any, names: Any, *, varies: bool = False) -> None:
        self.get, self.give, self.varies = get, give, varies
        self.faulty = tracing.carries_faults
        self.own_names = tuple(names)
        self.weak: list[Any] = []
        self.carried: list[Any] = []
        self.dtypes: list[Any] = []
        self.shapes: list[Any] = []  # that the graph carries; None of what is no array
        self.codes: Any = ()
        self.floats: set[int] = set()  # variables that are floats, and may be integers of Python's

    @property
    def names(self) -> Any:
        """Name all that is carried."""
        return (*[f"<added {place}>" for place in range(self.added())], *self.own_names)

    def added(self) -> int:
        """Count what is carried beside the variables."""
        return _count_mixed(self.carried) + self.faulty

    def values(self) -> Any:
        """Give the values as they are now: codes of mixed ones, the fault, the variables."""
        own = tuple(self.get())
        codes = [code for value, weak in zip(own, self.carried) for code in mixed_codes(value, weak)]
        fault = [tf.constant(False) if tracing.fault is None else tracing.fault] if self.faulty else []
        return (*codes, *fault, *own)

    def take(self, values: Any) -> None:
        """Bind the variables to other values: those that stood for Python's numbers do so again."""
        values = tuple(values)
        mixed = _count_mixed(self.carried)
        self.codes = values[:mixed]
        codes, own = iter(self.codes), values[self.added() :]
        if self.faulty:
            tracing.fault = values[mixed]
        for value, weak in zip(own, self.weak):
            mark_leaves(value, weak, codes)
        self.give(own)

    def bind(self, own: Any) -> None:
        """Bind the variables, and nothing else."""
        self.give(tuple(own))

    def fix(self) -> None:
        """Make tensors of the numbers among the variables, and remember which were Python's."""
        fixed = [map_leaves(as_tensor, value) for value in self.get()]
        fixed = [_float_for_integer(one) if place in self.floats else one for place, one in enumerate(fixed)]
        if [value for value in fixed if isinstance(value, Part)]:
            raise NotCompiled("a slice or selection whose length depends on data, kept from trip to trip")
        self.weak = [weak_leaves(value) for value in fixed]
        self.dtypes = [_dtype_held(value) for value in fixed]
        self.bind(fixed)

    def carry(self) -> None:
        """Fix the variables, and carry with those that are mixed which kind they are."""
        self.fix()
        self.carried = self.weak
        self.shapes = [_shape_held(value) for value in self.get()]

    def fill_returns(self, runs: Any) -> None:
        """Give what a function returns from a loop or a branch a value, of zeros, in what does not return."""
        inside = tensorflow_inside()
        values, fault = tuple(self.get()), tracing.fault
        places = [place for place, value in enumerate(values) if isinstance(value, inside.no_return)]
        found: dict[int, Any] = {}
        for run in runs if places else ():
            with inside.scratch().as_default():
                self.bind(values)
                run()
                after = tuple(self.get())
            found.update({place: after[place] for place in places if not isinstance(after[place], inside.no_return)})
        if places:
            self.bind(
                [
                    map_leaves(_zero_like, found[place]) if place in found else value
                    for place, value in enumerate(values)
                ]
            )
            tracing.fault = fault

    def settle(self) -> None:
        """Fix the variables at the end of a trip; those that are no numbers of Python any more begin the loop anew."""
        dtypes = self.dtypes
        self.fix()
        kinds: dict[int, Any] = {}
        for place, (was, now) in enumerate(zip(self.carried, self.weak)):
            other = _joined_kind(was, now, dtypes[place], self.dtypes[place])
            if other != was:
                kinds[place] = other
        if kinds:
            raise KindsChanged(kinds, {place: self.dtypes[place] for place in kinds})
        self.weak = self.carried
        shapes = changed_shapes(self.shapes, [_shape_held(value) for value in self.get()])
        if shapes:
            raise ShapesChanged(shapes)

    def begin_again(self, values: Any, changed: KindsChanged | ShapesChanged) -> None:
        """Bind the values of before the loop, with the kinds and dtypes, or the shapes, that its trips give them."""
        if isinstance(changed, ShapesChanged):
            self._begin_with(values, changed)
        else:
            self._begin_as(values, changed)

    def _begin_as(self, values: Any, changed: KindsChanged) -> None:
        values = list(values)
        for place, dtype in changed.dtypes.items():
            value = values[place]
            if dtype is None or not isinstance(value, tf.Tensor) or is_lossy(value.dtype, dtype):
                raise NotCompiled("a variable that is a number before a loop and something else in it")
            integer = changed.kinds[place] == MIXED_INTEGER
            made = tf.cast(tf.identity(value), dtype)
            values[place] = mark_mixed(made, code_of(value, dtype), integer=integer)
        self.bind(values)
        self.carry()

    def _begin_with(self, values: Any, changed: ShapesChanged) -> None:
        shapes = {**dict(enumerate(self.shapes)), **changed.shapes}
        self.bind([tf.identity(value) if place in changed.shapes else value for place, value in enumerate(values)])
        self.carry()
        self.shapes = list(shapes.values())

    def invariants(self) -> list[Any]:
        """List the variables that are carried with unknown sizes, with their shapes."""
        own = zip(self.get(), self.shapes)
        return [(one, shape) for one, shape in own if shape is not None and one.shape.as_list() != shape.as_list()]

    def is_open(self) -> bool:
        """Say whether a variable has no value yet, or a number of Python that the first trip may make another."""
        undefined = tensorflow_inside().undefined
        return bool([one for one in self.get() if one is None or isinstance(one, undefined) or _is_changeable(one)])


def _count_mixed(weak: Any) -> int:
    if isinstance(weak, list):
        return builtins.sum(_count_mixed(one) for one in weak)
    return int(weak in {MIXED, MIXED_INTEGER})


def _joined_kind(was: Any, now: Any, dtype: Any, other: Any) -> Any:
    """Give the kind of what was one before a trip and is another after it."""
    if isinstance(was, list) or isinstance(now, list):
        if not _is_within(was, now):
            raise NotCompiled("a tuple of numbers of Python in one trip and of NumPy in another")
        return was
    if was == MIXED_INTEGER or (was == now and dtype is other):
        return was
    widened = dtype is not other and was is True and dtype is not None and dtype.is_integer
    if widened or now == MIXED_INTEGER:
        return MIXED_INTEGER
    return was if was == MIXED and dtype is other else MIXED


def _is_within(was: Any, now: Any) -> bool:
    """Whether what was carried can be what a trip gives: the same, or mixed."""
    if isinstance(was, list) and isinstance(now, list):
        return len(was) == len(now) and builtins.all(_is_within(one, other) for one, other in zip(was, now))
    return was in (now, MIXED_INTEGER) or (was == MIXED and now in (True, False))


def _float_for_integer(value: Any) -> Any:
    """Give an integer of Python's as a float that is known to stand for one."""
    if not isinstance(value, tf.Tensor) or not value.dtype.is_integer or not is_weak(value):
        return value
    return mark_mixed(tf.cast(value, tf.float64), 2, integer=True)


def _zero_like(value: Any) -> Any:
    value = as_tensor(value)
    if not isinstance(value, tf.Tensor):
        return value
    zero = tf.zeros(value.shape, value.dtype)
    return mark_weak(zero) if is_weak(value) else zero


def _shape_held(value: Any) -> Any:
    is_array = isinstance(value, tf.Tensor) and value.shape.rank is not None
    return value.shape if is_array else None


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
