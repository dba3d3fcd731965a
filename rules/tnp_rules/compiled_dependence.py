"""What one trip of a loop in a compiled function reads and stores, and whether another trip depends on it.

A read or a store is a window of an array. Where the count of the loop is its place on one axis, the windows of all
trips together are one window, which is read or stored at once. A trip depends on an earlier one if it may read what
that has stored: unless the windows are known to be apart, or what is read is at the place of the trip or ahead of it.
"""

from __future__ import annotations

import builtins
from typing import Any

import tensorflow as tf

from tnp_rules.compiled_parts import Part
from tnp_rules.compiled_tracing import NotCompiled, distance, offset_of, same_value, tracing
from tnp_rules.compiled_windows import Window, are_apart, read_window, stored_value


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
            trips[0] + split[1] if axis == self.axis else put_together(split) for axis, split in enumerate(self.starts)
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
            window = Window(window.starts, window.sizes, window.single, (axis, put_together(low), put_together(high)))
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
        self.beside: list[tuple[Access | Window, Access]] = []  # reads behind stores, if the two are apart

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
            own = self._stored_in_trip(variable, access or window, window)
            if own is not None:
                return own.value
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

    def _stored_in_trip(self, variable: int, read: Access | Window, window: Window) -> Access | None:
        """Find the store of this trip that gives what is read; None where the array is that of before the trip."""
        for stored, store in reversed(self.stores):
            if stored != variable or are_apart(store.window.starts, store.window.sizes, window.starts, window.sizes):
                continue
            pairs = zip(store.window.starts, window.starts)
            same = store.window.sizes == window.sizes and store.window.single == window.single
            if same and builtins.all(same_value(*one) for one in pairs):
                if window.part is not None or store.mask is not None:
                    raise Dependent("a trip reads a part of what it has stored")
                return store
            self.beside.append((read, store))
        return None

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


def put_together(split: Any) -> Any:
    """Put together what `offset_of` has split."""
    base, offset = split
    return offset if base is None else base + offset


def is_ahead(read: Access | Window, store: Access, first: Any, step: int) -> bool:
    """Say whether no earlier trip has stored what a trip reads; `first` is the count of the first trip."""
    window, axis = read.window if isinstance(read, Access) else read, store.axis
    if is_beside(read, store, first, step):
        return True
    if isinstance(read, Access) and read.axis == axis:
        return bool((read.offset - store.offset) * step >= 0)
    if window.part is None or window.part[0] != axis:
        return False
    base, offset = offset_of(window.part[1 if step > 0 else 2])
    if base is not store.count:
        return False
    return bool(offset >= store.offset if step > 0 else offset - 1 <= store.offset)


def is_beside(read: Access | Window, store: Access, first: Any, step: int) -> bool:
    """Say whether what is read is known to be apart from what any trip stores, on one of the axes."""
    window, axis = read.window if isinstance(read, Access) else read, store.axis
    spans = [(_span(window, one), _span(store.window, one)) for one in range(len(window.sizes)) if one != axis]
    if [pair for pair in spans if _ends_before(*pair) or _ends_before(*pair[::-1])]:
        return True
    if isinstance(read, Access) and read.axis == axis:
        return False
    low, high, size = _span(window, axis)
    if step > 0:
        between = distance(high, first)  # trips store from there on
        return between is not None and between + store.offset >= size
    between = distance(first, low)
    return between is not None and between - store.offset >= 1


def _span(window: Window, axis: int) -> tuple[Any, Any, int]:
    """Give where a window begins on an axis, and what is added to what to give where it ends."""
    if window.part is not None and window.part[0] == axis:
        return (*window.part[1:], 0)
    start = window.starts[axis]
    return start, start, window.sizes[axis]


def _ends_before(one: tuple[Any, Any, int], other: tuple[Any, Any, int]) -> bool:
    """Say whether a span is known to end where another begins, or before that."""
    between = distance(one[1], other[0])
    return between is not None and between >= one[2]
