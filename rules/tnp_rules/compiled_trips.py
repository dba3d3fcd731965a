"""Loops whose trips do not depend on each other, in a compiled function: products of all trips as one of matrices.

`for i in range(m): out[i, i:] = x[:, i] @ x[:, i:]` is `x.T @ x`, of which a part is stored. The body is looked at once
in a graph that is thrown away, with what stands for the arrays that it stores into: no trip may read what an earlier
one may have stored. Then all trips are computed as `tf.vectorized_map` does, on rows that were read beforehand, and are
stored together. What is multiplied by zeros has to be finite then; where a product is not, NumPy answers. A loop whose
bounds only the run knows computes the trips of all counts that there may be, and stores those of its own.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_dependence import Access, Dependent, Trips, is_ahead, is_beside
from tnp_rules.compiled_inside import tensorflow_inside
from tnp_rules.compiled_state import KindsChanged, State
from tnp_rules.compiled_tracing import NotCompiled, as_tensor, is_dynamic, is_weak, mark_weak, same_value, tracing
from tnp_rules.compiled_windows import Window, read_window, store_of, store_window

_ELEMENTS = 2**24  # of one operation in all trips together
_NEAR = 4  # counts that are added to reach the end of an array
_PRODUCTS = frozenset({"MatMul", "BatchMatMul", "BatchMatMulV2", "BatchMatMulV3", "Einsum"})


class Counts:
    """The counts of a loop: `trips` are all that there may be, in ascending order, which a graph knows.

    `start` and `stop` are those of the loop, numbers or tensors. A loop whose start and stop are both known to the run
    alone may have few trips of many, and is none that this stands for: then `trips` is empty.
    """

    def __init__(self, steps: Any) -> None:
        self.start, self.stop, self.step = steps.bounds()
        self.all_run = steps.known is not None
        bounds = steps.counts()
        is_long = self.all_run or not (is_dynamic(self.start) and is_dynamic(self.stop))
        is_counted = builtins.abs(self.step) == 1 and bounds is not None and is_long
        self.trips = range(bounds[0], bounds[1] + 1) if is_counted else range(0)

    def are_run(self, counts: Any) -> Any:
        """Say of counts whether the loop has trips of them."""
        start, stop = tf.cast(self.start, tf.int64), tf.cast(self.stop, tf.int64)
        return (counts >= start) & (counts < stop) if self.step > 0 else (counts <= start) & (counts > stop)

    def last(self, before: Any) -> Any:
        """Give what the variable that counts holds after the loop: what it did before, where there is no trip."""
        if self.all_run:
            return self.trips[-1 if self.step > 0 else 0]
        last = tf.cast(self.stop, tf.int64) - self.step
        if isinstance(before, tensorflow_inside().undefined):
            return mark_weak(last)
        if not is_weak(before) or not (isinstance(before, int) or as_tensor(before).dtype == tf.int64):
            raise Dependent("a variable that is a count or something else")
        return mark_weak(tf.where(tf.reduce_any(self.are_run(last)), last, as_tensor(before)))


def together(counts: Counts | None, body: Callable[[Any], Any], state: State, iterated: Any, code: Any) -> bool:
    """Compute all trips of a loop at once if they multiply, and none depends on another; say whether that was done.

    `counts` is None where the loop may end before its last trip, `iterated` is the name of the variable that holds the
    count. The loop is known by its `code`, and not looked at again where it has been in vain. In a loop that is being
    looked at itself this raises where it is not done.
    """
    is_possible = counts is not None and counts.trips and (counts.all_run or not tracing.trips)
    if not tracing.answered or not is_possible or code in tracing.dependent:
        return _left_as_it_stands()
    before, fault, carries_faults = tuple(state.get()), tracing.fault, tracing.carries_faults
    changes = len(tracing.undo)
    loop = _Loop(counts, body, state, before, iterated)
    tracing.carries_faults = True
    try:
        after, inside = loop.after()
    except (NotCompiled, KindsChanged, TypeError, ValueError, NotImplementedError):
        if not tracing.undo_changes(changes):
            raise
        state.bind(before)
        tracing.dependent.add(code)
        return _left_as_it_stands()
    finally:
        tracing.carries_faults, tracing.fault = carries_faults, fault
    if inside is not None:
        tracing.note_fault(tf.reduce_any(inside))
    state.bind(after)
    return True


def _left_as_it_stands() -> bool:
    if tracing.trips:
        raise Dependent("a loop in it")
    return False


class _Loop:
    """A loop that is looked at: its counts in ascending order, its body, its variables and what they were before it."""

    def __init__(self, counts: Any, body: Any, state: State, before: Any, iterated: Any) -> None:
        self.counts, self.body, self.state, self.before, self.iterated = counts, body, state, before, iterated
        self.trips = counts.trips

    def after(self) -> Any:
        """Give what the variables are after the loop, and where NumPy would raise in it."""
        looked = self._looked_at()
        if not self.counts.all_run:
            self.trips = _to_the_ends(self.trips, [*looked.at_count, *[store for _, store in looked.stores]])
        rows = [one.rows(self.trips) for one in looked.at_count]
        shown: list[Any] = []

        def trip(place: Any) -> Any:
            trips = Trips(tf.gather(counts, place), [tf.gather(one, place) for one in rows])
            self._run(trips)
            shown[:] = [trips.stores, tracing.fault is not None]
            return (*_results(trips), tracing.fault) if shown[1] else tuple(_results(trips))

        counts = tf.range(self.trips[0], self.trips[-1] + 1, dtype=tf.int64)
        graph = tf.compat.v1.get_default_graph()
        made = len(graph.get_operations())
        results = list(tensorflow_inside().vectorized(trip, len(self.trips)))
        if tracing.taped:
            _fix_orders(graph.get_operations()[made:])
        stores, faulty = shown
        run = None if self.counts.all_run else self.counts.are_run(counts)
        inside = results.pop() if faulty else None
        if run is not None and faulty:
            inside &= run
        taken = iter(results)
        for _, store in stores:
            store.value = next(taken)
            store.mask = _stored_where(None if store.mask is None else next(taken), run, store.value.shape)
        after = list(self.before)
        for variable in {variable: None for variable, _ in stores}:
            own = [store for one, store in stores if one == variable]
            after[variable] = self._stored(self.before[variable], own)
        return [
            self.counts.last(was) if name == self.iterated else one
            for name, was, one in zip(self.state.own_names, self.before, after)
        ], inside

    def _run(self, trips: Trips) -> None:
        """Trace the body, and check that it leaves nothing but what it has stored."""
        tracing.fault = None
        tracing.trips.append(trips)
        try:
            mark_weak(trips.count, (self.counts.trips[0], self.counts.trips[-1]))
            given = [trips.stand_in(place, one) if _is_array(one) else one for place, one in enumerate(self.before)]
            self.state.bind(given)
            self.body(trips.count)
            after = self.state.get()
        finally:
            tracing.trips.pop()
        for place, (name, was, now) in enumerate(zip(self.state.own_names, given, after)):
            if now is not was and name != self.iterated and trips.arrays.get(id(now), (None,))[0] != place:
                raise Dependent(f"`{name}` goes from trip to trip")

    def _looked_at(self) -> Trips:
        """Look at one trip; raises Dependent."""
        with tensorflow_inside().scratch().as_default():
            trips = Trips(tf.compat.v1.placeholder(tf.int64, []))
            self._run(trips)
            results = [*_results(trips), *([tracing.fault] if tracing.fault is not None else [])]
            operations = _operations(results, trips.count.graph)
        if [one for one in trips.handles if one.consumers()]:
            raise Dependent("an array that is stored into and used as a whole")
        if not [one for one in operations if one.type in _PRODUCTS]:
            raise Dependent("no product")
        if [one for one in operations if one.op_def.is_stateful or {"body", "then_branch", "f"} & {*one.node_def.attr}]:
            raise Dependent("a loop or a branch in it")
        if not self.counts.all_run:
            self._check_cost(trips.stores)
        _check_sizes([trips.count, *trips.own], operations, len(self.trips))
        start, step = self.counts.start, self.counts.step
        for variable, store in trips.stores:
            if [one for at, one in trips.reads if at == variable and not is_ahead(one, store, start, step)]:
                raise Dependent("a trip reads what an earlier one may have stored")
        if [one for one in trips.beside if not is_beside(*one, start, step)]:
            raise Dependent("a trip reads a part of what it has stored")
        return trips

    def _check_cost(self, stores: list[tuple[int, Access]]) -> None:
        """Refuse where the trips that are not run would cost more than the loop.

        What they would overwrite is read beforehand: large, or of an array that was just stored into, which XLA on
        a CPU copies then.
        """
        for variable, store in stores:
            if {*store.window.sizes} != {1}:
                raise Dependent("each trip stores more than one number")
            if tracing.form == "xla" and store_of(self.before[variable]) is not None:
                raise Dependent("an array that was just stored into")

    def _stored(self, x: Any, stores: list[Access]) -> Any:
        """Store what all trips store into one array: where two do, what the later one stores."""
        windows = [one.in_all(self.trips) for one in stores]
        if len(stores) == 1:
            store, window = stores[0], windows[0]
            value = _behind(store.value, store)
            if store.mask is not None:
                value = tf.where(_behind(store.mask, store), value, read_window(x, window))
            return store_window(x, window, value)
        windows = [_whole_on(store.axis, window, x) for store, window in zip(stores, windows)]
        whole = windows[0]
        for window in windows:
            same = [same_value(one, other) for one, other in zip(window.starts, whole.starts)]
            if window.sizes != whole.sizes or not builtins.all(same):
                raise Dependent("stores into different windows of one array")
        result = read_window(x, whole)
        when = tf.zeros([], tf.int64)
        for store in stores:
            value, mask, number = self._padded(x, store)
            mask &= number >= when
            result, when = tf.where(mask, value, result), tf.where(mask, number, when)
        return store_window(x, whole, result)

    def _padded(self, x: Any, store: Access) -> Any:
        """Give values, masks and the number of the trip, from one on, for each place on the axis of the count."""
        first = self.trips[0] + store.offset
        behind = int(x.shape[store.axis]) - first - len(self.trips)
        mask = tf.ones(store.value.shape, tf.bool) if store.mask is None else store.mask
        padded = [tf.pad(one, [[first, behind], *[[0, 0]] * (one.shape.rank - 1)]) for one in (store.value, mask)]
        numbers = np.arange(1, len(self.trips) + 1)[:: self.counts.step]
        number = np.pad(numbers, [first, behind]).reshape([-1] + [1] * (store.value.shape.rank - 1))
        return tuple(_behind(one, store) for one in (*padded, tf.constant(number, tf.int64)))


def _fix_orders(operations: Any) -> None:
    """Give transpositions the order of axes that the sizes of an array decide, in place of what computes it.

    The gradient of a loop is handed what its trips have computed, and XLA has to know orders beforehand.
    """
    for one in operations:
        if one.type != "Transpose" or one.inputs[1].op.type not in {"Select", "SelectV2"}:
            continue
        sizes = one.inputs[0].shape[:2]
        if sizes.is_fully_defined():  # vectorizing a product leaves the order if one of the two axes has one place
            chosen = one.inputs[1].op.inputs[1 if builtins.min(sizes) == 1 else 2]
            tensorflow_inside().read_other(one, chosen, 1)


def _to_the_ends(trips: range, accesses: list[Access]) -> range:
    """Add counts that are not run, up to the ends of the arrays: XLA multiplies whole arrays as they lie in memory."""
    first = builtins.max(-one.offset for one in accesses)
    behind = builtins.min(int(one.array.shape[one.axis]) - one.offset for one in accesses)
    is_near = first >= trips.start - _NEAR and behind <= trips.stop + _NEAR
    return range(builtins.min(first, trips.start), builtins.max(behind, trips.stop)) if is_near else trips


def _stored_where(mask: Any, run: Any, shape: Any) -> Any:
    """Give where the trips that are run store: `mask` has those of all trips, the first axis is that of the trips."""
    if run is None:
        return mask
    run = tf.reshape(run, [-1] + [1] * (shape.rank - 1))
    return tf.broadcast_to(run, shape) if mask is None else run & mask


def _is_array(value: Any) -> bool:
    return bool(tf.is_symbolic_tensor(value)) and bool(value.shape.rank) and value.shape.is_fully_defined()


def _results(trips: Trips) -> list[Any]:
    return [one for _, store in trips.stores for one in (store.value, store.mask) if one is not None]


def _whole_on(axis: int, window: Window, x: Any) -> Window:
    """Widen a window on one axis to all of it."""
    starts, sizes = list(window.starts), list(window.sizes)
    starts[axis], sizes[axis] = 0, int(x.shape[axis])
    return Window(starts, sizes, window.single, None)


def _behind(values: Any, access: Access) -> Any:
    """Bring the axis of the count from the front to its place."""
    axes = list(range(1, values.shape.rank))
    axes.insert(access.axis_in_all(), 0)
    return tf.transpose(values, axes)


def _operations(results: Any, graph: Any) -> list[Any]:
    """List the operations of a graph that results are made by."""
    found: dict[int, Any] = {}
    pending = [one.op for one in results if tf.is_symbolic_tensor(one) and one.graph is graph]
    while pending:
        operation = pending.pop()
        if id(operation) not in found:
            found[id(operation)] = operation
            pending += [one.op for one in operation.inputs]
    return list(found.values())


def _check_sizes(own: list[Any], operations: list[Any], count: int) -> None:
    """Refuse where what all trips compute together would take too much memory."""
    grown = {id(one) for one in own}
    many = {id(one) for one in operations if [result for result in one.outputs if id(result) in grown]}
    pending = [one for one in operations if id(one) in many]
    reached = {id(one) for one in operations}
    while pending:
        operation = pending.pop()
        for result in operation.outputs:
            if not result.shape.is_fully_defined() or result.shape.num_elements() * count > _ELEMENTS:
                raise Dependent("what all trips compute together is too large")
            new = [one for one in result.consumers() if id(one) in reached - many]
            many.update(map(id, new))
            pending += new
