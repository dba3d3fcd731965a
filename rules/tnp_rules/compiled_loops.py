"""Loops and branches of a compiled function: rolled into one of the graph where they have more than a few trips."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_arithmetic import is_traced_value, truth_of
from tnp_rules.compiled_dependence import Dependent
from tnp_rules.compiled_inside import tensorflow_inside
from tnp_rules.compiled_parts import Part
from tnp_rules.compiled_state import KindsChanged, State
from tnp_rules.compiled_tracing import (
    NotCompiled,
    as_tensor,
    bounds_of,
    is_dynamic,
    is_mixed,
    is_number,
    is_weak,
    mark_weak,
    tracing,
)
from tnp_rules.compiled_trips import Counts, together
from tnp_rules.compiled_varying import ShapesChanged, may_vary
from tnp_rules.compiled_windows import traced_read

ROLLED_LOOPS = True  # False in a helper module of functions without loops, which then has nothing of this one
_UNROLLED = 4  # trips of a loop that stay one behind the other: less than a loop costs
_COPIES = 8  # of one body altogether, in loops in each other
_TRIPS = 32  # of a loop that cannot be rolled, which then stay one behind the other


class Steps:
    """What `range` is with bounds that a graph knows, and the trips of a loop over items: `item(k)` for each step."""

    def __init__(self, *bounds: Any) -> None:
        self.start, self.stop = (0, bounds[0]) if len(bounds) == 1 else bounds[:2]
        self.step = bounds[2] if len(bounds) > 2 else 1
        self.item: Any = None
        self.known: Any = None
        if not [one for one in (self.start, self.stop, self.step) if tf.is_symbolic_tensor(one)]:
            self.known = range(*[one.__index__() for one in (self.start, self.stop, self.step)])
        elif tf.is_symbolic_tensor(self.step):
            raise NotCompiled("a range whose step depends on data")

    def reversed(self) -> Steps:
        """Give the steps in the opposite order."""
        if self.known is None or self.item is not None:
            raise NotCompiled("a range in the opposite order whose bounds depend on data")
        steps = Steps(0)
        steps.known = self.known[::-1]
        return steps

    def counts(self) -> Any:
        """Give (smallest, largest) of the count, None where that is not known."""
        if self.known is not None:
            return (builtins.min(self.known), builtins.max(self.known)) if len(self.known) else (0, 0)
        first, last = bounds_of(self.start), bounds_of(self.stop)
        if first is None or last is None:
            return None
        return (
            (first[0], builtins.max(last[1] - 1, first[0]))
            if self.step > 0
            else (builtins.min(last[0] + 1, first[1]), first[1])
        )

    def most(self) -> int | None:
        """Give how many steps there are at most, None where that is not known: a gradient under XLA has to know it."""
        counts = self.counts()
        return None if counts is None else len(range(counts[0], counts[1] + 1, builtins.abs(self.bounds()[2])))

    def bounds(self) -> tuple[Any, Any, int]:
        """Give start, stop and step, of which the first two may be tensors."""
        own = self if self.known is None else self.known
        return own.start, own.stop, own.step


def steps_over(items: Any) -> Any:
    """Give the trips of a loop over the items of an array; what is none is itself."""
    if isinstance(items, Part):
        raise NotCompiled("going through a selection whose length depends on data")
    items = _as_one_tensor(items)
    if not isinstance(items, (tf.Tensor, np.ndarray)) or isinstance(items, Steps):
        return items
    if not items.shape or items.shape[0] is None:
        raise NotCompiled("going through an array whose length depends on data")
    steps = Steps(int(items.shape[0]))
    steps.item = lambda place: traced_read(items, place)
    return steps


def _as_one_tensor(items: Any) -> Any:
    """Give a longer list of tensors of one shape and dtype as one tensor, which a loop can read by its count."""
    if not isinstance(items, (list, tuple)) or len(items) <= _UNROLLED:
        return items
    if [one for one in items if not isinstance(one, tf.Tensor) or is_weak(one) or is_mixed(one)]:
        return items
    kinds = {(one.dtype, tuple(one.shape) if one.shape.is_fully_defined() else None) for one in items}
    return tf.stack(items) if len(kinds) == 1 and (items[0].dtype, None) not in kinds else items


def steps_together(*many: Any) -> Any:
    """Do what zip does: with arrays, one loop that reads an item of each."""
    sources = [steps_over(one) for one in many]
    if not [one for one in sources if isinstance(one, Steps)]:
        return zip(*many)
    if [one for one in sources if not isinstance(one, (Steps, list, tuple, range)) or getattr(one, "known", 0) is None]:
        raise NotCompiled("zip of an array and what has no length")
    length = builtins.min(len(one.known) if isinstance(one, Steps) else len(one) for one in sources)
    steps = Steps(length)
    readers = [_reader(one) for one in sources]
    steps.item = lambda place: tuple([read(place) for read in readers])
    return steps


def _reader(source: Any) -> Any:
    if isinstance(source, Steps):
        if source.item is not None:
            return source.item
        return lambda place: _counted(source.known.start + place * source.known.step)
    if isinstance(source, range):
        return lambda place: _counted(source.start + place * source.step)
    if len({type(one) for one in source}) == 1 and is_number(source[0]):
        return lambda place: _listed(source, place)
    return lambda place: source[place]


def _counted(place: Any) -> Any:
    """Note that what counts the trips of a loop is an integer of Python's."""
    return mark_weak(place) if tf.is_symbolic_tensor(place) else place


def _listed(numbers: Any, place: Any) -> Any:
    """Give one of a list of numbers of one type."""
    if not tf.is_symbolic_tensor(place):
        return numbers[place]
    value = traced_read(np.asarray(numbers), place)
    return value if isinstance(numbers[0], np.generic) else mark_weak(value)


def steps_counted(items: Any, start: Any = 0) -> Any:
    """Do what enumerate does: with arrays, one loop that reads an item."""
    source = steps_over(items)
    if not isinstance(source, Steps):
        return enumerate(items, start)
    if source.known is None or tf.is_symbolic_tensor(start):
        raise NotCompiled("enumerate of what has no known length")
    read = _reader(source)
    steps = Steps(len(source.known))
    steps.item = lambda place: (_counted(start + place), read(place))
    return steps


def roll_for(items: Any, more: Any, body: Any, get: Any, give: Any, names: Any, options: Any) -> None:
    """Run a `for` statement: AutoGraph's operator of that name."""
    tracing.check_time()
    steps = steps_over(items)
    if isinstance(steps, range):
        steps = Steps(steps.start, steps.stop, steps.step)
    if not isinstance(steps, Steps):
        _run_unrolled(steps, more, body)
        return
    take = body if steps.item is None else lambda place: body(steps.item(place))
    known = steps.known
    if known is not None and (len(known) <= 1 or (len(known) <= _UNROLLED and tracing.copies * len(known) <= _COPIES)):
        copies = tracing.copies
        tracing.copies = copies * builtins.max(len(known), 1)
        _run_unrolled(known, more, take)
        tracing.copies = copies
        return
    iterated = options.get("iterate_names") if steps.item is None else None
    if together(Counts(steps) if more is None else None, take, State(get, give, names), iterated, body.__code__):
        return
    before, fault, changes = tuple(get()), tracing.fault, len(tracing.undo)
    copies = tracing.copies
    is_short = known is not None and copies * len(known) <= _TRIPS
    try:
        _roll_for(steps, more, take, State(get, give, names, varies=may_vary() and not is_short), options)
    except (NotCompiled, TypeError, ValueError) as error:
        if not is_short or not tracing.undo_changes(changes):
            raise
        varies = isinstance(error, ShapesChanged) and may_vary()
    else:
        return
    give(before)
    tracing.fault, tracing.copies = fault, copies * len(known)
    try:
        _run_unrolled(known, more, take)  # shapes that differ from trip to trip, lists that grow
    except NotCompiled:
        if not varies or not tracing.undo_changes(changes):
            raise
    else:
        return
    finally:
        tracing.copies = copies
    give(before)
    tracing.fault = fault
    _roll_for(steps, more, take, State(get, give, names, varies=True), options)


def _roll_for(steps: Steps, more: Any, take: Any, state: State, options: Any) -> None:
    start, _, step = steps.bounds()
    if steps.known is not None and more is None and state.is_open():
        take(start)  # numbers have the dtype then that they keep
        start += step
    _roll_steps(steps, start, more, take, state, {} if steps.item is not None else options)


def _run_unrolled(items: Any, more: Any, body: Any) -> None:
    """Run the trips one behind the other, while it is known that there are more."""
    for item in items:
        tracing.check_time()
        if more is not None and not _known_truth(more()):
            return
        body(item)


def _known_truth(value: Any) -> bool:
    if is_traced_value(value):
        raise NotCompiled("a loop over Python's objects that is left where only the run knows")
    return bool(value)


def _roll_steps(steps: Steps, start: Any, more: Any, body: Any, state: State, options: Any) -> None:
    _, stop, step = steps.bounds()
    count = tf.cast(start, tf.int64)
    stop = tf.cast(stop, tf.int64)
    bounds = steps.counts()
    state.carry()
    iterated = options.get("iterate_names")
    undefined = tensorflow_inside().undefined

    def value_or_count(name: Any, value: Any) -> Any:
        unbound = isinstance(value, undefined) or is_number(value)
        return mark_weak(tf.identity(count)) if name == iterated and unbound else value

    def get() -> Any:
        return (count, *[value_or_count(name, value) for name, value in zip(state.names, state.values())])

    def take(values: Any) -> None:
        nonlocal count
        count, *rest = values
        mark_weak(count, bounds)
        state.take(rest)

    def names() -> Any:
        return ("<count>", *state.names)

    def trip() -> None:
        nonlocal count
        body(count)
        count = count + step
        state.settle()

    def going_on() -> Any:
        inside = count < stop if step > 0 else count > stop
        return inside if more is None else inside & truth_of(as_tensor(more()))

    state.fill_returns([lambda: body(mark_weak(tf.compat.v1.placeholder(tf.int64, []), bounds))])
    state.carry()
    limits = {"maximum_iterations": most} if tracing.taped and (most := steps.most()) is not None else {}
    first = count

    def again() -> None:
        nonlocal count
        count = first

    _while(going_on, trip, state, get, take, names, again, limits)


def _while(test: Any, body: Any, state: Any, get: Any, take: Any, names: Any, again: Any, limits: Any) -> None:
    """Build the loop, and anew where its trips turn numbers of Python into something else, or arrays vary."""
    before, fault = tuple(state.get()), tracing.fault
    if tracing.trips:
        raise Dependent("a loop in it")
    tries = 5
    while tries:
        copies, tracing.copies = tracing.copies, 1
        try:
            shapes = {"shape_invariants": invariants} if (invariants := state.invariants()) else {}
            tensorflow_inside().while_loop(test, body, get, take, names(), {**limits, **shapes})
        except (KindsChanged, ShapesChanged) as changed:
            if isinstance(changed, ShapesChanged) and not state.varies:
                raise
            tries -= 1
            tracing.fault = fault
            again()
            state.begin_again(before, changed)
            before = tuple(state.get())
        else:
            return
        finally:
            tracing.copies = copies
    raise NotCompiled("a variable whose dtype or shape changes from trip to trip")


def roll_while(test: Any, body: Any, get: Any, give: Any, names: Any, options: Any) -> None:
    """Run a `while` statement: the first trip in Python where its test is known, so that numbers get their dtypes."""
    del options
    tracing.check_time()
    state = State(get, give, names, varies=may_vary())
    first = test()
    if not is_traced_value(first):
        if not first:
            return
        if state.is_open():
            body()
            first = test()
            if not is_traced_value(first) and not first:
                return
    state.carry()
    state.fill_returns([body])
    state.carry()
    more = given = tf.convert_to_tensor(truth_of(as_tensor(first)))

    def take(values: Any) -> None:
        nonlocal more
        more, *rest = values
        state.take(rest)

    def trip() -> None:  # the test of the next trip is a part of this one: what it notes is carried on
        nonlocal more
        body()
        state.settle()
        more = truth_of(as_tensor(test()))

    def again() -> None:
        nonlocal more
        more = given

    def get_all() -> Any:
        return (more, *state.values())

    def going_on() -> Any:
        return more & ~tracing.fault if state.faulty else more  # a loop that NumPy would leave may have no other end

    _while(going_on, trip, state, get_all, take, lambda: ("<more>", *state.names), again, {})


def _traced_range(*bounds: Any) -> Any:
    return Steps(*bounds) if [one for one in bounds if is_dynamic(one)] else range(*bounds)


def _traced_reversed(items: Any) -> Any:
    return items.reversed() if isinstance(items, Steps) else builtins.reversed(items)


# What a call of Python's own functions means that loops go through.
LOOP_MEANINGS: list[tuple[Any, Any]] = [
    (range, _traced_range),
    (enumerate, steps_counted),
    (zip, steps_together),
    (reversed, _traced_reversed),
]
