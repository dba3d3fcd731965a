"""Loops whose trips do not depend on each other, in a compiled function: products of all trips as one of matrices.

`for i in range(m): out[i, i:] = x[:, i] @ x[:, i:]` is `x.T @ x`, of which a part is stored. The body is looked at once
in a graph that is thrown away, with what stands for the arrays that it stores into: no trip may read what an earlier
one may have stored. Then all trips are computed as `tf.vectorized_map` does, on rows that were read beforehand, and are
stored together. A matrix that is multiplied by zeros has to be finite then; where it is not, NumPy answers.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_inside import tensorflow_inside
from tnp_rules.compiled_parts import Part
from tnp_rules.compiled_state import KindsChanged, State
from tnp_rules.compiled_tracing import NotCompiled, mark_weak, offset_of, same_value, tracing
from tnp_rules.compiled_windows import Window, are_apart, read_window, store_window, stored_value

_ELEMENTS = 2**24  # of one operation in all trips together
_PRODUCTS = frozenset({"MatMul", "BatchMatMul", "BatchMatMulV2", "BatchMatMulV3", "Einsum"})


class Dependent(NotCompiled):
    """The trips of a loop depend on each other, or it is not known that they do not."""


class Access:
    """A read of an array or a store into it: `window`, of which the count of the loop is the place on `axis`.

    `offset` is added to the count there. The other starts are those of all trips: (a tensor or None, a constant).
    """

    def __init__(self, array: Any, window: Window, axis: int, starts: list[Any]) -> None:
        self.array, self.window, self.axis, self.starts = array, window, axis, starts
        self.count, self.offset = starts[axis]
        self.part: Any = None  # of all trips, as starts are
        self.value: Any = None
        self.mask: Any = None

    def in_all(self, trips: range) -> Window:
        """Give the window of all trips together, whole on the axis of a part."""
        starts = [
            trips[0] + split[1] if axis == self.axis else _put_together(split) for axis, split in enumerate(self.starts)
        ]
        sizes = list(self.window.sizes)
        sizes[self.axis] = len(trips)
        if starts[self.axis] < 0 or starts[self.axis] + len(trips) > self.array.shape[self.axis]:
            raise Dependent("a place outside of the array")
        return Window(starts, sizes, [one for one in self.window.single if one != self.axis], None)

    def rows(self, trips: range) -> Any:
        """Read the windows of all trips, one behind the other."""
        window = self.in_all(trips)
        if self.part is not None:
            axis, low, high = self.part
            window = Window(window.starts, window.sizes, window.single, (axis, _put_together(low), _put_together(high)))
        read = read_window(self.array, window)
        values = read.values if isinstance(read, Part) else read
        axes = list(range(values.shape.rank))
        axes.insert(0, axes.pop(self.axis_in_all()))
        return tf.transpose(values, axes)

    def axis_in_all(self) -> int:
        """Give the axis of the count among those that the window of all trips leaves."""
        return self.axis - len([one for one in self.window.single if one < self.axis])


class Trips:
    """What one trip of a loop reads and stores, while the body is traced: with `rows` in place of reads at the count.

    Without `rows` it is only looked at: reads give placeholders.
    """

    def __init__(self, count: Any, rows: Any = None) -> None:
        self.count, self.rows = count, rows
        self.arrays: dict[int, tuple[int, Any]] = {}  # by what stands for an array: its variable, and the array
        self.own: list[Any] = list(rows or ())  # tensors that are others in each trip
        self.handles: list[Any] = []
        self.at_count: list[Access] = []
        self.reads: list[tuple[int, Access | Window]] = []
        self.stores: list[tuple[int, Access]] = []

    def stand_in(self, variable: int, array: Any) -> Any:
        """Give what stands for an array that the loop may store into, which nothing but windows of it may use."""
        handle = tf.identity(tf.zeros(array.shape, array.dtype))  # a placeholder that nothing reads stops XLA
        self.arrays[id(handle)] = (variable, array)
        self.handles.append(handle)
        return handle

    def read(self, x: Any, window: Window) -> Any:
        """Read a window of an array."""
        access = self._access(x, window)
        if id(x) in self.arrays:
            variable, x = self.arrays[id(x)]
            of_trip = [store.window for stored, store in self.stores if stored == variable]
            if [one for one in of_trip if not are_apart(one.starts, one.sizes, window.starts, window.sizes)]:
                raise Dependent("a trip reads what it has stored")
            self.reads.append((variable, access or window))
        if self.rows is None:
            values = tf.compat.v1.placeholder(x.dtype, window.shape)
            self.own += [values] if access is not None else []
        elif access is None:
            with _Outside():
                return read_window(x, window)
        else:
            values = self.rows[len(self.at_count)]
        if access is not None:
            access.array = x
            self.at_count.append(access)
        return values if window.part is None else Part(values, window.part_axis(), *window.part[1:])

    def store(self, x: Any, window: Window, value: Any) -> Any:
        """Store into a window of an array."""
        if id(x) not in self.arrays:
            raise Dependent("an array of one trip alone")
        variable, array = self.arrays[id(x)]
        access = self._access(array, window)
        if access is None:
            raise Dependent("all trips store at one place")
        access.value, access.mask = stored_value(window, value, x.dtype)
        self.stores.append((variable, access))
        return self.stand_in(variable, array)

    def _access(self, x: Any, window: Window) -> Access | None:
        """Find the axis on which the count of the loop is the place; None where the window is that of all trips."""
        starts = [offset_of(start) for start in window.starts]
        moved = [axis for axis, (base, _) in enumerate(starts) if base is not None and self._depends(base)]
        if not moved:
            return None
        axis = moved[0]
        made = [base for base, _ in starts if self.rows is None and base is not None and base.graph is self.count.graph]
        if len(moved) > 1 or axis not in window.single or starts[axis][0] is not self.count or len(made) > 1:
            raise Dependent("a window that the count of the loop moves")
        access = Access(x, window, axis, starts)
        if window.part is not None:
            bounds = [offset_of(bound) for bound in window.part[1:]]
            if not [one for one, _ in bounds if one is not None and one.graph is self.count.graph]:
                access.part = (window.part[0], *bounds)
        return access

    def _depends(self, tensor: Any) -> bool:
        """Say whether a tensor is another one in each trip."""
        own = {id(self.count), *map(id, self.own), *map(id, self.handles)}
        seen: set[int] = set()
        pending = [tensor]
        while pending:
            one = pending.pop()
            if id(one) in own:
                return True
            if id(one) not in seen and one.graph is self.count.graph:
                seen.add(id(one))
                pending += list(one.op.inputs)
        return False


class _Outside:
    """What is done in it is done outside of the loop that is looked at."""

    def __enter__(self) -> None:
        self.inner = tracing.trips.pop()

    def __exit__(self, *_: object) -> None:
        tracing.trips.append(self.inner)


def together(known: range | None, body: Callable[[Any], Any], state: State, iterated: Any, code: Any) -> bool:
    """Compute all trips of a loop at once if they multiply, and none depends on another; say whether that was done.

    `known` are its counts, None if a graph does not know them, `iterated` is the name of the variable that holds the
    count. The loop is known by its `code`, and not looked at again where it has been in vain. In a loop that is being
    looked at itself this raises where it is not done.
    """
    if not tracing.answered or known is None or builtins.abs(known.step) != 1 or code in tracing.dependent:
        return _left_as_it_stands()
    before, fault, carries_faults = tuple(state.get()), tracing.fault, tracing.carries_faults
    changes = len(tracing.undo)
    loop = _Loop(known, body, state, before, iterated)
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

    def __init__(self, known: range, body: Any, state: State, before: Any, iterated: Any) -> None:
        self.known, self.body, self.state, self.before, self.iterated = known, body, state, before, iterated
        self.trips = known if known.step > 0 else known[::-1]

    def after(self) -> Any:
        """Give what the variables are after the loop, and where NumPy would raise in it."""
        looked = self._looked_at()
        rows = [one.rows(self.trips) for one in looked.at_count]
        shown: list[Any] = []

        def trip(place: Any) -> Any:
            trips = Trips(tf.gather(counts, place), [tf.gather(one, place) for one in rows])
            self._run(trips)
            shown[:] = [trips.stores, tracing.fault is not None]
            return (*_results(trips), tracing.fault) if shown[1] else tuple(_results(trips))

        counts = tf.range(self.trips[0], self.trips[-1] + 1, dtype=tf.int64)
        results = list(tensorflow_inside().vectorized(trip, len(self.trips)))
        stores, faulty = shown
        inside = results.pop() if faulty else None
        taken = iter(results)
        for _, store in stores:
            store.value = next(taken)
            store.mask = None if store.mask is None else next(taken)
        after = list(self.before)
        for variable in {variable: None for variable, _ in stores}:
            own = [store for one, store in stores if one == variable]
            after[variable] = self._stored(self.before[variable], own)
        return [
            self.known[-1] if name == self.iterated else one for name, one in zip(self.state.own_names, after)
        ], inside

    def _run(self, trips: Trips) -> None:
        """Trace the body, and check that it leaves nothing but what it has stored."""
        tracing.fault = None
        tracing.trips.append(trips)
        try:
            mark_weak(trips.count, (self.trips[0], self.trips[-1]))
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
        _check_sizes([trips.count, *trips.own], operations, len(self.trips))
        for variable, store in trips.stores:
            if [one for at, one in trips.reads if at == variable and not _is_ahead(one, store, self.known.step)]:
                raise Dependent("a trip reads what an earlier one may have stored")
        return trips

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
        numbers = np.arange(1, len(self.trips) + 1)[:: self.known.step]
        number = np.pad(numbers, [first, behind]).reshape([-1] + [1] * (store.value.shape.rank - 1))
        return tuple(_behind(one, store) for one in (*padded, tf.constant(number, tf.int64)))


def _is_array(value: Any) -> bool:
    return bool(tf.is_symbolic_tensor(value)) and bool(value.shape.rank) and value.shape.is_fully_defined()


def _results(trips: Trips) -> list[Any]:
    return [one for _, store in trips.stores for one in (store.value, store.mask) if one is not None]


def _whole_on(axis: int, window: Window, x: Any) -> Window:
    """Widen a window on one axis to all of it."""
    starts, sizes = list(window.starts), list(window.sizes)
    starts[axis], sizes[axis] = 0, int(x.shape[axis])
    return Window(starts, sizes, window.single, None)


def _put_together(split: Any) -> Any:
    """Put together what `offset_of` has split."""
    base, offset = split
    return offset if base is None else base + offset


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


def _is_ahead(read: Access | Window, store: Access, step: int) -> bool:
    """Say whether no earlier trip has stored what a trip reads: it is at the place of the store or ahead of it."""
    if isinstance(read, Access) and read.axis == store.axis:
        return bool((read.offset - store.offset) * step >= 0)
    part = read.window.part if isinstance(read, Access) else read.part
    if part is None or part[0] != store.axis:
        return False
    base, offset = offset_of(part[1 if step > 0 else 2])
    if base is not store.count:
        return False
    return bool(offset >= store.offset if step > 0 else offset - 1 <= store.offset)
