"""The forms of a compiled function, each made for one kind of call: NumPy's, eager, a graph, XLA."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_arguments import Hole, filled, hole_names
from tnp_rules.compiled_gradients import with_gradients
from tnp_rules.compiled_inside import EAGER, caller_of, memory_of, tensor_of, tensorflow_inside, with_written_arithmetic
from tnp_rules.compiled_memory import check_fits
from tnp_rules.compiled_numpy import numpy_function, numpy_instance, numpy_module, read_only
from tnp_rules.compiled_operators import traced_operators
from tnp_rules.compiled_parts import Part
from tnp_rules.compiled_tracing import FaultInside, NotCompiled, code_of, is_mixed, is_weak, tracing
from tnp_rules.compiled_transpiler import converted
from tnp_rules.island_time import island_time
from tnp_rules.runtime import map_leaves

_NODES = 20000  # of a graph: more take minutes to compile
# What XLA computes by rotations until they are small for float32: 3e-7 of the largest is what is missing.
_IMPRECISE = {"Svd": ("compute_uv", "singular vectors"), "SelfAdjointEigV2": ("compute_v", "eigenvectors")}
_SECONDS = 60.0  # that tracing may take


class Faulty(Exception):
    """A graph has met what NumPy raises for, or what it cannot do as NumPy does."""


class Call:
    """A kind of call: the function, its arguments with holes for arrays, the class of the object that a method is of.

    `taped` says whether a gradient tape watches.
    """

    def __init__(
        self, function: Any, holes: list[Any], owner: Any, writes: tuple[str, ...], *, taped: bool = True
    ) -> None:
        self.function, self.holes, self.owner, self.writes, self.taped = function, holes, owner, writes, taped
        self.names = hole_names(holes)

    def arguments(self, arrays: Any) -> list[Any]:
        """Give the arguments with arrays in the holes."""
        values = filled(self.holes, arrays)
        if self.owner is not None:
            twin = object.__new__(self.owner)
            twin.__dict__.update(values[0])
            values[0] = twin
        return values


def eager_form(call: Call) -> Any:
    """Give the migrated function as it is."""
    return lambda arrays: call.function(*call.arguments(arrays))


def numpy_form(call: Call) -> Any:
    """Give the function as it was before the migration, between tensors; raises NoNumpyForm."""
    module = numpy_module(call.function)
    if call.owner is None:
        function = numpy_function(call.function)
    else:
        numpy_instance(object.__new__(call.owner), call.function)
        function = getattr(call.owner, call.function.__name__)

    def run(arrays: Any) -> Any:
        module.refresh()
        given = [
            np.array(array) if name in call.writes else read_only(array) for name, array in zip(call.names, arrays)
        ]
        values = call.arguments(given)
        target = function
        if call.owner is not None:
            target = getattr(numpy_instance(values[0], call.function), call.function.__name__)
            values = values[1:]
        with island_time:
            result = target(*values)
        written = [array for name, array in zip(call.names, given) if name in call.writes]
        if written:
            result = _with_written(result, written)
        came_from = {id(one): array for one, array in zip(given, arrays) if isinstance(array, tf.Tensor)}
        unwritten = {id(one) for name, one in zip(call.names, given) if name not in call.writes}
        return map_leaves(lambda leaf: tensors_outwards(leaf, came_from if id(leaf) in unwritten else {}), result)

    return run


def _with_written(result: Any, written: list[Any]) -> Any:
    """Give what the migrated function gives: it returns what it writes to, behind what it returned before."""
    if result is None:
        return written[0] if len(written) == 1 else tuple(written)
    return result if len(written) == 1 and result is written[0] else (result, *written)


def tensors_outwards(leaf: Any, came_from: Any) -> Any:
    """Give what leaves NumPy as a tensor: an array or one of its numbers; what was passed leaves as what it was."""
    if id(leaf) in came_from:
        return came_from[id(leaf)]
    is_array = isinstance(leaf, (np.ndarray, np.generic)) and leaf.dtype.kind in "biufc" and leaf.dtype.itemsize <= 16
    return tensor_of(leaf) if is_array else leaf


class Output:
    """The place of a tensor in what a function returns; `number` where it stands for one of Python's.

    `kind` is the place of the code that says so when the graph has run, where only that knows.
    """

    def __init__(self, place: int, number: Any, kind: Any) -> None:
        self.place, self.number, self.kind = place, number, kind


def traced_form(call: Call, form: str, specs: Any, seconds: float = _SECONDS, *, forced: bool = False) -> Any:
    """Trace a function for a graph or for XLA; raises NotCompiled, or whatever the function does while it is traced."""
    if tensorflow_inside() is None:
        raise NotCompiled("this version of TensorFlow")
    try:
        return _traced(call, form, specs, seconds, carries_faults=False, forced=forced)
    except FaultInside:
        return _traced(call, form, specs, seconds, carries_faults=True, forced=forced)


def _traced(call: Call, form: str, specs: Any, seconds: float, *, carries_faults: bool, forced: bool) -> Any:
    shown: list[Any] = []

    def body(form: str, *tensors: Any) -> Any:
        tracing.begin(form, carries_faults=carries_faults, seconds=seconds, taped=call.taped, answered=True)
        try:
            result = converted(call.function, traced_operators)(*call.arguments(tensors))
            outputs: list[Any] = []
            shown[:] = [map_leaves(lambda leaf: _output(leaf, outputs), result), tracing.fault is not None]
            return [*outputs, tracing.fault] if shown[1] else outputs
        finally:
            tracing.end()

    own = functools.partial(body, form)
    graph = tf.function(own, input_signature=specs, autograph=False, jit_compile=form == "xla")
    concrete = graph.get_concrete_function()
    _check_operations(concrete, form)
    check_fits(concrete)
    template, faulty = shown
    if form == "xla":
        run = caller_of(concrete)
        if call.taped:
            plain = functools.partial(body, "graph")
            run = with_gradients(call.function.__qualname__, own, plain, concrete, forced=forced)
    else:
        run = with_written_arithmetic(caller_of(concrete))
    is_plain = type(template) is Output and template.number is None and not faulty

    def called(arrays: Any) -> Any:
        outputs = run([array if type(array) is EAGER else tensor_of(array) for array in arrays])
        if is_plain:
            return outputs[0]
        if faulty and bool(memory_of(outputs[-1])):
            raise Faulty
        return map_leaves(lambda leaf: _returned(leaf, outputs), template)

    return called


def _check_operations(concrete: Any, form: str) -> None:
    definition = concrete.graph.as_graph_def()
    nodes = [*definition.node, *[node for one in definition.library.function for node in one.node_def]]
    if len(nodes) > _NODES:
        raise NotCompiled(f"a graph of {len(nodes)} nodes: loops that are unrolled")
    for node in nodes if form == "xla" else ():
        asked, name = _IMPRECISE.get(node.op, ("", ""))
        if name and node.attr[asked].b:
            raise NotCompiled(f"{name} of XLA have seven digits, whatever the dtype")


def _output(leaf: Any, outputs: list[Any]) -> Any:
    if isinstance(leaf, Part):
        raise NotCompiled("a result whose shape depends on data")
    if isinstance(leaf, np.ndarray) or (isinstance(leaf, np.generic) and leaf.dtype.kind in "biufc"):
        leaf = tf.constant(leaf)
    if not isinstance(leaf, tf.Tensor):
        if isinstance(leaf, Hole) or not isinstance(leaf, (bool, int, float, complex, str, bytes, type(None))):
            raise NotCompiled(f"a result of the class {type(leaf).__qualname__}")
        return leaf
    outputs.append(leaf)
    place, kind = len(outputs) - 1, None
    number: Any = None
    if is_mixed(leaf):
        kind = len(outputs)
        outputs.append(code_of(leaf))
    if is_weak(leaf) or kind is not None:
        number = bool if leaf.dtype.is_bool else int if leaf.dtype.is_integer else float
        number = complex if leaf.dtype.is_complex else number
    return Output(place, number, kind)


def _returned(leaf: Any, outputs: Any) -> Any:
    if not isinstance(leaf, Output):
        return leaf
    value = outputs[leaf.place]
    kind = 1 if leaf.kind is None else int(outputs[leaf.kind])
    if leaf.number is None or not kind:
        return value
    return int(value.numpy()) if kind == 2 else leaf.number(value.numpy())
