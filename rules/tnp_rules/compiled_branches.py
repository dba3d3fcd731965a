"""Branches of a compiled function: `if`, conditional expressions, `and`, `or`, where only the run knows the truth."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.compiled_arithmetic import is_traced_value, truth_of
from tnp_rules.compiled_inside import tensorflow_inside
from tnp_rules.compiled_state import State
from tnp_rules.compiled_tracing import (
    MIXED,
    MIXED_INTEGER,
    NotCompiled,
    mark_leaves,
    mark_mixed,
    tracing,
)


def branch(test: Any, body: Any, orelse: Any, get: Any, give: Any, names: Any, count: Any) -> None:
    """Run an `if` statement."""
    test = truth_of(test)
    if not is_traced_value(test):
        tensorflow_inside().branch(test, body, orelse, get, give, names, count)
        return
    state = State(get, give, names)
    state.fill_returns([body, orelse])
    before, fault = tuple(get()), tracing.fault
    try:
        kinds = _both(state, test, body, orelse, count)
    except IntegersBeside as error:
        state.floats = error.places
        kinds = [[MIXED]]
    if {MIXED, MIXED_INTEGER}.intersection(_flat(kinds)):  # which kind a branch gives is for that branch to say
        kinds = [kinds[0], kinds[-1]]
        _retraced(state, before, fault, kinds, (test, body, orelse, count))
        return
    for value, weak, other in zip(get(), *kinds):
        _mark_either(value, weak, other, test)


class IntegersBeside(Exception):
    """Variables that are an integer of Python's in one branch and a float in the other: their places."""

    def __init__(self, places: set[int]) -> None:
        super().__init__()
        self.places = places


def _retraced(state: State, before: Any, fault: Any, kinds: Any, parts: Any) -> None:
    """Build a branch anew that says when it runs which kinds of numbers it gives."""
    tracing.fault = fault
    state.bind(before)
    if state.floats:
        kinds = _kinds_apart(state, *parts[1:3])
        tracing.fault = fault
        state.bind(before)
    state.carried = [_either(one, other) for one, other in zip(*kinds)]
    _both(state, *parts)
    values = state.values()
    codes = iter(state.codes)
    for value, weak in zip(values[state.added() :], state.carried):
        mark_leaves(value, weak, codes)


def _kinds_apart(state: State, *runs: Any) -> list[Any]:
    """Find the kinds that two branches give, each in a graph of its own that is thrown away."""
    before, fault = tuple(state.get()), tracing.fault
    kinds = []
    for run in runs:
        with tensorflow_inside().scratch().as_default():
            state.bind(before)
            run()
            state.fix()
            kinds.append(state.weak)
        tracing.fault = fault
    state.bind(before)
    return kinds


def both_true(left: Any, right: Any) -> Any:
    """Give the value of `left() and right()`."""
    first = left()
    if not is_traced_value(first):
        return right() if first else first
    return branch_value(first, right, lambda: first, "and")


def either_true(left: Any, right: Any) -> Any:
    """Give the value of `left() or right()`."""
    first = left()
    if not is_traced_value(first):
        return first or right()
    return branch_value(first, lambda: first, right, "or")


def branch_value(test: Any, body: Any, orelse: Any, name: Any) -> Any:
    """Give the value of `body() if test else orelse()`."""
    if not is_traced_value(truth_of(test)):
        return body() if test else orelse()
    held: list[Any] = [None]

    def give(values: Any) -> None:
        held[0] = values[0]

    branch(test, lambda: give((body(),)), lambda: give((orelse(),)), lambda: tuple(held), give, (f"<{name}>",), 1)
    return held[0]


def _both(state: State, test: Any, body: Any, orelse: Any, count: Any) -> list[Any]:
    """Build the branch, and give the kinds of what each side of it binds."""
    kinds: list[Any] = []
    dtypes: list[Any] = []

    def fixed(run: Any) -> Any:
        def run_fixed() -> None:
            run()
            state.fix()
            kinds.append(state.weak)
            dtypes.append(state.dtypes)
            state.weak = []  # the other branch begins with what was there before

        return run_fixed

    state.weak = []
    names, outputs = state.names, count + state.added()
    try:
        tensorflow_inside().branch(test, fixed(body), fixed(orelse), state.values, state.take, names, outputs)
    except (TypeError, ValueError):
        places = _integers_beside(dtypes, kinds) if len(kinds) > 1 else set()
        if not places or state.floats:
            raise
        raise IntegersBeside(places) from None
    return [kinds[0], kinds[-1]]


def _integers_beside(dtypes: list[Any], kinds: list[Any]) -> set[int]:
    """The places of what is an integer of Python's in one branch and a float in the other."""
    found = set()
    for place, (one, other) in enumerate(zip(dtypes[0], dtypes[-1])):
        if one is None or other is None or one == other:
            continue
        whole = 0 if one.is_integer else -1
        if (one, other)[whole] == tf.int64 and (other, one)[whole] == tf.float64 and kinds[whole][place] is True:
            found.add(place)
    return found


def _flat(kinds: Any) -> list[Any]:
    return [one for item in kinds for one in _flat(item)] if isinstance(kinds, list) else [kinds]


def _either(one: Any, other: Any) -> Any:
    """Give the kind of what is one in a branch and another in the other: mixed, where they are not the same."""
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [_either(*pair) for pair in zip(one, other)]
    if isinstance(one, list) or isinstance(other, list):
        raise NotCompiled("a tuple in one branch and something else in the other")
    if one == other:
        return one
    return MIXED_INTEGER if MIXED_INTEGER in {one, other} else MIXED


def _mark_either(value: Any, weak: Any, other: Any, test: Any) -> None:
    """Note which kind of number a value is after a branch: the test says it, where the two are not the same."""
    if isinstance(value, (tuple, list)):
        for parts in zip(value, weak, other):
            _mark_either(*parts, test)
    elif isinstance(value, tf.Tensor) and weak == other:
        mark_leaves(value, weak, iter(()))
    elif isinstance(value, tf.Tensor):
        mark_mixed(value, test if weak else ~test)
