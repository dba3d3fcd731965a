"""Gradients of what XLA has compiled: another function of XLA's gives them, which computes anew what it needs.

TensorFlow hands what a loop has kept for its gradient from the function that computes values to the one that computes
gradients, as a list of tensors, and XLA's functions can neither take nor give such lists. Inside of one function they
are arrays, where it is known how many trips the loop has at most. Where that is not known a graph gives the gradients.
"""

from __future__ import annotations

import functools
import threading
from typing import Any

import tensorflow as tf

from tnp_rules.compiled_inside import caller_of, tensorflow_inside
from tnp_rules.compiled_memory import check_fits
from tnp_rules.compiled_numpy import warn_once


def with_gradients(name: str, body: Any, plain: Any, concrete: Any, *, forced: bool) -> Any:
    """Give a function that runs a traced one, of which tapes get gradients; these have gradients as well, and so on.

    `body` is what was traced, a function of tensors that gives a list of them, and `plain` is the same for a graph. If
    `forced`, a graph gives also the first gradient where XLA cannot; else that raises what XLA raises.
    """
    run, inside = caller_of(concrete), tensorflow_inside()
    specs = concrete.structured_input_signature[0]
    results = [tf.TensorSpec(one.shape, one.dtype) for one in concrete.outputs]
    slopes, plain_slopes = _Slopes(body, specs, results), _Slopes(plain, specs, results)

    @functools.cache
    def of_xla() -> Any:
        traced = slopes.traced(jit_compile=True)
        return with_gradients(name, slopes, plain_slopes, traced, forced=True)

    @functools.cache
    def of_graph() -> Any:
        return caller_of(plain_slopes.traced(jit_compile=False))

    has_failed = False

    def slopes_at(tensors: Any) -> Any:
        nonlocal has_failed
        if not has_failed and tf.executing_eagerly():
            try:
                return slopes.with_unconnected(of_xla()(tensors))
            except Exception as error:
                if not forced:
                    raise
                has_failed = True
                warn_once(f"a graph computes a gradient of {name}, which XLA cannot: {type(error).__name__}")
        return plain_slopes.with_unconnected(of_graph()(tensors))

    def called(tensors: Any) -> Any:
        with inside.stop_recording():
            outputs = run(tensors)

        def backward(*upstream: Any) -> Any:
            return slopes_at([*tensors, *[upstream[place] for place in slopes.given]])

        inside.record_operation("compiled", outputs, list(tensors), backward)
        return outputs

    return called


class _Slopes:
    """The gradients of a function with respect to its floats, of its arguments and the gradients of its results."""

    def __init__(self, body: Any, specs: Any, results: Any) -> None:
        self.body, self.specs = body, specs
        self.watched, self.given = _inexact(specs), _inexact(results)
        self.upstream = [results[place] for place in self.given]
        self.connected: list[bool] = []

    def __call__(self, *tensors: Any) -> Any:
        arguments, upstream = tensors[: len(self.specs)], tensors[len(self.specs) :]
        sources = [arguments[place] for place in self.watched]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            outputs = self.body(*arguments)
        found = tape.gradient([outputs[place] for place in self.given], sources, upstream)
        self.connected = [one is not None for one in found]
        return [tf.convert_to_tensor(one) for one in found if one is not None]

    def traced(self, *, jit_compile: bool) -> Any:
        """Trace it for XLA or for a graph: in a thread of its own, because this one's tapes may be stopped."""
        signature = [*self.specs, *self.upstream]
        traced = tf.function(self.__call__, input_signature=signature, autograph=False, jit_compile=jit_compile)
        concrete = in_own_thread(traced.get_concrete_function)
        if jit_compile:  # what stands in for it is the last that there is
            check_fits(concrete)
        return concrete

    def with_unconnected(self, found: Any) -> list[Any]:
        """Give the gradients with respect to all arguments: none for those that nothing was computed of."""
        left = iter(found)
        places = {place for place, connected in zip(self.watched, self.connected) if connected}
        return [next(left) if place in places else None for place in range(len(self.specs))]


def in_own_thread(function: Any) -> Any:
    """Call a function in another thread, and wait for what it gives or raises."""
    found: list[Any] = []

    def call() -> None:
        try:
            found.extend([function(), None])
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            found.extend([None, error])

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    result, error = found
    if error is not None:
        raise error
    return result


def _inexact(tensors: Any) -> list[int]:
    return [place for place, one in enumerate(tensors) if one.dtype.is_floating or one.dtype.is_complex]
