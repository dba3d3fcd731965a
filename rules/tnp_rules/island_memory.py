"""What passes between an island and code on tensors, where somebody else keeps it: no write to a copy is lost.

Who is handed memory that an object keeps, as by `return self._w`, sees what is written to it later, and may write to
it. A copy would be one of that moment. So an island hands out such an array, list or dict as it is, and what it gets
of a function on tensors is read-only where something else holds the tensor.
"""

from __future__ import annotations

import builtins
import collections
import sys
import types
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.host_arrays import keep_subclass
from tnp_rules.runtime import rebuilt, to_tensor


def leave_island(holder: Any, key: Any, known: Any, *, held: bool = False) -> Any:
    """Give `holder[key]` as it leaves an island; the caller must hold it by `holder` alone.

    `known(array)` says what an array stands for that the border has made or seen, None for others. `held` is for parts
    of what something else reaches.
    """
    held = held or sys.getrefcount(holder[key]) > 2  # the holder's, and that of the count itself
    value = holder[key]
    if isinstance(value, np.ndarray):
        source = known(value)
        if source is not None:
            return source
        if type(value) is not np.ndarray:
            keep_subclass(type(value))
        return value if held or _lent(value, known) else to_tensor(value)
    if isinstance(value, dict):
        return value if held else rebuilt(value, {name: leave_island(value, name, known) for name in value})
    if isinstance(value, (list, tuple)):
        if held and isinstance(value, list):
            return value
        parts = [leave_island(value, place, known, held=held) for place in builtins.range(len(value))]
        return rebuilt(value, parts)
    return value


def _lent(array: Any, known: Any) -> bool:
    """Whether an array is a view of memory that something else holds and may write to."""
    while isinstance(array.base, np.ndarray):
        source = known(array.base)
        if source is not None:
            return source is array.base  # the caller's own, not made of a tensor for this call
        if sys.getrefcount(array.base) > 2:
            return bool(array.flags.writeable or array.base.flags.writeable)
        array = array.base
    return False


def _references(value: Any) -> int:
    return sys.getrefcount(value)


_TEMPORARY = _references(object())  # what is only passed on is referred to as often as that


def received(value: Any) -> Any:
    """Give an island what a function on tensors returns: ndarrays, writable where nothing else holds their tensor.

    A tensor in several places gives one ndarray, as NumPy would have it. A list, dict or namespace that something else
    holds stays itself, with tensors.
    """
    held = sys.getrefcount(value) > _TEMPORARY
    return _as_received(value, collections.Counter(_inside(value)), {}, held=held)


def _inside(value: Any) -> Any:
    """List by its id what stands in nested tuples, lists, dicts and namespaces, as often as it does."""
    if isinstance(value, types.SimpleNamespace):
        yield from _inside(vars(value))
    elif isinstance(value, (dict, list, tuple)):
        for item in value.values() if isinstance(value, dict) else value:
            yield id(item)
            yield from _inside(item)


def _as_received(value: Any, places: Any, made: dict[int, Any], *, held: bool) -> Any:
    if isinstance(value, (tf.Tensor, tf.Variable)):
        if id(value) not in made:
            made[id(value)] = _array_of(value, held=held)
        return made[id(value)]
    if isinstance(value, types.SimpleNamespace):
        vars(value).update(_as_received(vars(value), places, made, held=held))
        return value
    if not isinstance(value, (dict, list, tuple)) or (held and not isinstance(value, tuple)):
        return value
    keys = list(value) if isinstance(value, dict) else builtins.range(len(value))
    kept = {key: held or sys.getrefcount(value[key]) - 1 > places[id(value[key])] for key in keys}
    items = {key: _as_received(value[key], places, made, held=kept[key]) for key in keys}
    return rebuilt(value, items if isinstance(value, dict) else list(items.values()))


def _array_of(tensor: Any, *, held: bool) -> Any:
    array = np.asarray(tensor) if held else tensor.numpy()
    if held and array.flags.writeable:
        array.flags.writeable = False
    return array if array.ndim else array[()]
