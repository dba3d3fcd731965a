"""Run a program inside `tf.function` and give its results their values."""

from dataclasses import dataclass
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Place:
    """Where in the graph's results a tensor of the program's result is."""

    number: int


def run_traced(program: ModuleType) -> Any:
    """Return what `program.run()` returns; only tensors go through the graph, so that all else stays as it is."""
    import tensorflow as tf

    symbolic: list[Any] = []
    results: list[Any] = []

    def take_out(value: Any) -> Any:
        if not isinstance(value, tf.Tensor):
            return value
        symbolic.append(value)
        return Place(len(symbolic) - 1)

    def body() -> list[Any]:
        results.append(replaced(program.run(), take_out))
        return list(symbolic)

    values = tf.function(body)()
    return replaced(results[-1], lambda value: values[value.number] if isinstance(value, Place) else value)


def replaced(value: Any, replace: Any) -> Any:
    """Return `value` with the leaves of its lists, tuples and dicts replaced."""
    if isinstance(value, dict):
        return {key: replaced(item, replace) for key, item in value.items()}
    if type(value) in {list, tuple}:
        return type(value)(replaced(item, replace) for item in value)
    return replace(value)
