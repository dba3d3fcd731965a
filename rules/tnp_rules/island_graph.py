"""Islands inside `tf.function`: one tf.numpy_function for the call, with a result known beforehand."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.island_time import island_time
from tnp_rules.runtime import map_leaves


class IslandInput:
    """The place of a tensor among the arguments of an island, and the parameter that it came by."""

    def __init__(self, place: int, parameter: str) -> None:
        self.place = place
        self.parameter = parameter


def island_parameters(function: Any, count: int) -> list[str]:
    """Name the parameter that each of `count` positional arguments goes to."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(function, "__code__", None)
    if code is None:
        return [""] * count
    rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if code.co_flags & 0x04 else ""
    return [code.co_varnames[place] if place < code.co_argcount else rest for place in range(count)]


def island_change_error(function: Any, parameter: str) -> TypeError:
    """Word the error for an island that stored into an array which was a tensor for its caller."""
    name = function.__qualname__
    return TypeError(f"{name} changes its argument '{parameter}' in place, which a tensor cannot do: pass an ndarray")


def result_specs(result: Any) -> Any:
    """Describe an island's result: a tf.TensorSpec for each array and number; everything else is kept as it is."""
    return map_leaves(_leaf_spec, result)


def _leaf_spec(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic, bool, int, float, complex)):
        array = np.asarray(value)
        if array.dtype.kind in "biufc":
            return tf.TensorSpec([None] * array.ndim, array.dtype)
    return value


def _declared_spec(dtype: Any) -> tf.TensorSpec:
    if isinstance(dtype, tf.TensorSpec):
        return dtype
    return tf.TensorSpec(None, dtype if isinstance(dtype, tf.DType) else np.dtype(dtype))


def run_island_in_graph(function: Any, args: Any, kwargs: Any, mutates: Any, specs: Any) -> Any:
    """Put the call of an island into the graph; `specs` gives its result by the dtypes and ranks of its tensors."""
    tensors: list[Any] = []
    names = island_parameters(function, len(args))
    template = (
        [_with_inputs(arg, name, tensors) for arg, name in zip(args, names)],
        {name: _with_inputs(arg, name, tensors) for name, arg in kwargs.items()},
    )
    result = specs(tuple([(tensor.dtype, tensor.shape.rank) for tensor in tensors]))
    flat: list[Any] = []
    map_leaves(lambda spec: flat.append(spec) if isinstance(spec, tf.TensorSpec) else None, result)

    def run(*arrays: Any) -> list[Any]:
        leaves = _run_on_host(function, template, arrays, mutates, result)
        return [np.asarray(leaf, spec.dtype.as_numpy_dtype) for leaf, spec in zip(leaves, flat)]

    outputs = iter(tf.numpy_function(run, tensors, [spec.dtype for spec in flat]))
    return map_leaves(
        lambda spec: tf.ensure_shape(next(outputs), spec.shape) if isinstance(spec, tf.TensorSpec) else spec, result
    )


def _with_inputs(value: Any, parameter: str, tensors: list[Any]) -> Any:
    def place(leaf: Any) -> Any:
        if not isinstance(leaf, (tf.Tensor, tf.Variable)):
            return leaf
        tensors.append(tf.convert_to_tensor(leaf))
        return IslandInput(len(tensors) - 1, parameter)

    return map_leaves(place, value)


def _run_on_host(function: Any, template: Any, arrays: Any, mutates: Any, result: Any) -> list[Any]:
    changeable: list[Any] = []

    def fill(leaf: Any) -> Any:
        if not isinstance(leaf, IslandInput):
            return leaf
        array = np.asarray(arrays[leaf.place]).copy()
        if leaf.parameter in mutates:
            changeable.append((leaf.parameter, array, arrays[leaf.place]))
            return array
        array.flags.writeable = False
        return array if array.ndim else array[()]

    args, kwargs = map_leaves(fill, template)
    held: list[Any] = []
    _list_containers([*args, *kwargs.values()], held)
    with island_time:
        returned = function(*args, **kwargs)
    for parameter, array, before in changeable:
        if array.tobytes() != np.asarray(before).tobytes():
            raise island_change_error(function, parameter)
    for container, items in held:
        if len(container) != len(items) or not _same_leaves(container, items):
            raise TypeError(
                f"{function.__qualname__} changes a {type(container).__name__}: call it outside tf.function"
            )
    leaves: list[Any] = []
    if not _collect_leaves(returned, result, leaves):
        raise TypeError(f"{function.__qualname__} returns other dtypes or another structure than was declared or seen")
    return leaves


def _list_containers(values: Any, held: list[Any]) -> None:
    for value in values.values() if isinstance(values, dict) else values:
        if isinstance(value, (list, dict)):
            held.append((value, value.copy()))
        if isinstance(value, (list, tuple, dict)):
            _list_containers(value, held)


def _same_leaves(new: Any, old: Any) -> bool:
    pairs = zip(new.values(), old.values()) if isinstance(new, dict) else zip(new, old)
    return builtins.all(left is right for left, right in pairs)


def _collect_leaves(value: Any, spec: Any, leaves: list[Any]) -> bool:
    """Add the arrays of a result to `leaves`; say whether it has the structure and dtypes of `spec`."""
    if isinstance(spec, tf.TensorSpec):
        leaves.append(value)
        return bool(np.asarray(value).dtype == spec.dtype.as_numpy_dtype)
    if isinstance(spec, dict):
        if not isinstance(value, dict) or list(value) != list(spec):
            return False
        return _collect_leaves(list(value.values()), list(spec.values()), leaves)
    if isinstance(spec, (list, tuple)):
        if not isinstance(value, (list, tuple)) or len(value) != len(spec):
            return False
        return builtins.all(_collect_leaves(item, part, leaves) for item, part in zip(value, spec))
    return bool(value is spec or value == spec)


def known_specs(function: Any, returns: Any, learned: Any) -> Any:
    """Give the function that looks an island's result up by the dtypes and ranks of its tensors."""

    def look_up(signature: Any) -> Any:
        if returns is not None:
            return map_leaves(_declared_spec, returns)
        if signature not in learned:
            raise TypeError(
                f"{function.__qualname__} stays on NumPy, so inside tf.function the dtypes of its result have to be "
                "known: call it once outside with arguments of these dtypes and ranks, or declare the result, "
                "as in @island(returns=tf.float64)"
            )
        return learned[signature]

    return look_up
