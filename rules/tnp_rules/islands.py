"""Islands: functions that stay on NumPy in a program that runs on tensors."""

from __future__ import annotations

import functools
import inspect
import sys
import types
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.island_graph import (
    island_change_error,
    island_parameters,
    known_specs,
    result_specs,
    run_island_in_graph,
)
from tnp_rules.island_memory import leave_island
from tnp_rules.island_time import island_time
from tnp_rules.island_writes import watch_writes
from tnp_rules.runtime import has_tensor, map_leaves


def island(function: Any = None, *, mutates: Any = (), returns: Any = None) -> Any:
    """Keep a function on NumPy: tensors reach it as ndarrays, ndarrays it returns become tensors.

    Without a tensor among its arguments it is called as it is, under `tf.function` once, while the graph is traced.
    An ndarray made from a tensor is read-only unless its parameter is named in `mutates`; lists and dicts are the
    caller's own and hold tensors again afterwards. What it keeps itself of what it returns is returned as it is: an
    ndarray, list or dict that its caller sees the later writes to.
    Gradients do not pass: they are None. Under `tf.function` the dtypes of the result are those of an earlier eager
    call with the same input dtypes, or `returns`: dtypes or tf.TensorSpecs in the structure of the result.
    """
    if function is None:
        return functools.partial(island, mutates=mutates, returns=returns)
    code = getattr(function, "__code__", None)
    flags = code.co_flags if code is not None else 0
    if flags & 0x280:  # a coroutine or an asynchronous generator
        return _async_island(function, mutates, awaited=bool(flags & 0x80))
    learned: dict[Any, Any] = {}
    as_written = tf.autograph.experimental.do_not_convert(function)  # NumPy's code is Python's business, all of it
    watch_writes(function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not has_tensor((args, kwargs)):
            # What it calls on tensors must give it numbers, also while a graph is traced.
            with tf.init_scope(), island_time:
                return as_written(*args, **kwargs)
        if _has_symbolic((args, kwargs)):
            if flags & 0x20:
                raise TypeError(
                    f"{function.__qualname__} stays on NumPy and is a generator: call it outside tf.function"
                )
            return run_island_in_graph(function, args, kwargs, mutates, known_specs(function, returns, learned))
        border = IslandBorder(function, args, kwargs, mutates)
        if flags & 0x20:  # a generator
            return _items_of_island(function, border)
        with border:
            box = [function(*border.args, **border.kwargs)]
        if border.signature not in learned:
            learned[border.signature] = result_specs(box[0])
        return border.leaving(box, 0)

    return with_signature(function, call)


def with_signature(function: Any, call: Any) -> Any:
    """Show a wrapper's callers signature and defaults of its function; inspect.getfullargspec sees no __wrapped__."""
    call.__signature__ = inspect.signature(function)
    call.__defaults__, call.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return call


def _async_island(function: Any, mutates: Any, *, awaited: bool) -> Any:
    """Convert what a coroutine is given and returns; an asynchronous generator runs on what is no tensor only."""

    @functools.wraps(function)
    async def call(*args: Any, **kwargs: Any) -> Any:
        return await _awaited(function, IslandBorder(function, args, kwargs, mutates))

    @functools.wraps(function)
    def refuse_tensors(*args: Any, **kwargs: Any) -> Any:
        if has_tensor((args, kwargs)):
            raise TypeError(f"{function.__qualname__} stays on NumPy and yields asynchronously: pass it ndarrays")
        return function(*args, **kwargs)

    watch_writes(function)
    return with_signature(function, call if awaited else refuse_tensors)


@types.coroutine
def _awaited(function: Any, border: IslandBorder) -> Any:
    return (yield from _items_of_island(function, border))


def _has_symbolic(value: Any) -> bool:
    found: list[Any] = []
    map_leaves(lambda leaf: found.append(leaf) if tf.is_symbolic_tensor(leaf) else None, value)
    return bool(found)


def _items_of_island(function: Any, border: IslandBorder) -> Any:
    """Run a generator on NumPy; containers hold ndarrays only while it runs."""
    with border:
        items = function(*border.args, **border.kwargs)
    step, given = items.send, None
    try:
        while True:
            with border:
                try:
                    box = [step(given)]
                except StopIteration as stop:
                    box = [stop.value]
                    stop.value, stop.args = None, ()  # the box is to be its only holder
                    return border.leaving(box, 0)
            try:
                sent = yield border.leaving(box, 0)
                step, given = items.send, border.entering(sent)
            except GeneratorExit:
                raise
            except BaseException as error:  # noqa: BLE001 - whatever is thrown into it, as by contextlib
                step, given = items.throw, error
    finally:
        items.close()


class IslandBorder:
    """The tensors of one call as ndarrays, and the way back; a `with` block is the time spent on NumPy."""

    def __init__(self, function: Any, args: Any, kwargs: Any, mutates: Any) -> None:
        self.function = function
        self.signature: tuple[Any, ...] = ()
        self.arrays: dict[int, Any] = {}  # id of an ndarray -> the ndarray, what it was made from
        self.changeable: list[Any] = []  # parameter, its ndarray, the tensor that it was made from
        self.containers: list[Any] = []  # list or dict, what it holds on NumPy
        names = island_parameters(function, len(args))
        self.args = [self._inwards(arg, name, name in mutates) for arg, name in zip(args, names)]
        self.kwargs = {name: self._inwards(arg, name, name in mutates) for name, arg in kwargs.items()}

    def entering(self, value: Any) -> Any:
        """Convert what a generator is sent."""
        return self._inwards(value, "yield", changeable=False)

    def _inwards(self, value: Any, parameter: str, changeable: bool) -> Any:
        if isinstance(value, (tf.Tensor, tf.Variable)):
            array = self._array(value, changeable)
            if changeable:
                self.changeable.append((parameter, array, value))
            return array
        if isinstance(value, np.ndarray):
            self.arrays[id(value)] = (value, value)
        elif isinstance(value, dict) and has_tensor(value):
            inside = {key: self._inside(value, key, parameter, changeable) for key in value}
            self.containers.append([value, inside])
        elif isinstance(value, list) and has_tensor(value):
            items = [self._inside(value, place, parameter, changeable) for place in range(len(value))]
            self.containers.append([value, items])
        elif isinstance(value, tuple) and has_tensor(value):
            parts = [self._inwards(item, parameter, changeable) for item in value]
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
        return value

    def _inside(self, container: Any, key: Any, parameter: str, changeable: bool) -> Any:
        """Convert what a list or dict holds: there a changed array has a place to go back to, if no other holds it."""
        held_elsewhere = sys.getrefcount(container[key]) > 2  # by the container, and while it is counted
        value = container[key]
        if not isinstance(value, (tf.Tensor, tf.Variable)):
            return self._inwards(value, parameter, changeable)
        array = self._array(value, changeable)
        if changeable and held_elsewhere:
            self.changeable.append((parameter, array, value))
        return array

    def _array(self, tensor: Any, changeable: bool) -> Any:
        self.signature += ((tensor.dtype, tensor.shape.rank),)
        array = np.asarray(tensor)
        if changeable:
            array = array.copy()
        elif array.ndim == 0:
            array = array[()]
        elif array.flags.writeable:
            array.flags.writeable = False
        self.arrays[id(array)] = (array, tensor)
        return array

    def __enter__(self) -> None:
        island_time.__enter__()
        for container, inside in self.containers:
            _refill(container, inside)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        island_time.__exit__()
        for entry in self.containers:
            container = entry[0]
            keys = list(container) if isinstance(container, dict) else range(len(container))
            entry[1] = None  # what it held on NumPy when it was entered is no other holder
            back = {key: self.leaving(container, key) for key in keys}
            entry[1] = container.copy()
            _refill(container, back if isinstance(container, dict) else list(back.values()))
        for parameter, array, tensor in self.changeable:
            if error is None and _bytes_differ(array, tensor):
                raise island_change_error(self.function, parameter)

    def leaving(self, holder: Any, key: Any) -> Any:
        """Convert what leaves the island; an argument that was not changed leaves as what was passed."""
        return leave_island(holder, key, self._came_from)

    def _came_from(self, array: Any) -> Any:
        made, source = self.arrays.get(id(array), (None, None))
        if made is not array:
            return None
        return source if source is array or not _bytes_differ(array, source) else tf.constant(array)


def _bytes_differ(array: Any, tensor: Any) -> bool:
    return bool(array.shape != tensor.shape or np.asarray(array).tobytes() != np.asarray(tensor).tobytes())


def _refill(container: Any, items: Any) -> None:
    if isinstance(container, dict):
        container.clear()
        container.update(items)
    else:
        container[:] = items
