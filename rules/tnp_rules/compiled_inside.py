"""All that compiled functions use of TensorFlow beyond its public names, in one place."""

from __future__ import annotations

import contextlib
import functools
import types
import warnings
from typing import Any

import numpy as np
import tensorflow as tf

EAGER: Any = type(tf.constant(0))
# Of an eager tensor: its sizes, the number of its dtype, its memory as an ndarray. What TensorFlow says in public makes
# objects of Python for them at each call, which takes longer than all else that telling calls apart takes.
sizes_of: Any = getattr(EAGER, "_shape_tuple", lambda tensor: tuple(tensor.shape))
dtype_number_of: Any = getattr(EAGER, "_datatype_enum", lambda tensor: tensor.dtype.as_datatype_enum)
memory_of: Any = getattr(EAGER, "_numpy", np.asarray)
_FEW_BYTES = 65536  # bytes, which are copied faster than it is found out whether they have to be


@functools.cache
def tensorflow_inside() -> Any:
    """Give TensorFlow's own parts that compiled functions need; None, said once, where a version lacks one.

    `transpiler` converts functions, in trees of `syntax`; `while_loop` and `branch` are AutoGraph's, `undefined` and
    `no_return` the types of what it takes for unbound, `scratch` makes a graph to try things in; `store_window` and
    `behind_barrier` are ops of XLA; `read_other` gives an operation another input; `function_of` finds a loop's or a
    branch's own graph by its name; `vectorized` is `tf.vectorized_map` in the graph that is traced, where that makes
    one of its own for XLA; `unrecorded` says that no gradient tape is watching, `stop_recording` lets none watch,
    `record_operation` tells them of an operation; `call_options` makes, and `context` holds, the options that graphs
    are run with.
    """
    try:
        from tensorflow.compiler.tf2xla.ops import gen_xla_ops  # noqa: PLC0415
        from tensorflow.core.protobuf import config_pb2, rewriter_config_pb2  # noqa: PLC0415
        from tensorflow.python import pywrap_tfe  # noqa: PLC0415
        from tensorflow.python.autograph.core import converter  # noqa: PLC0415
        from tensorflow.python.autograph.impl import api  # noqa: PLC0415
        from tensorflow.python.autograph.operators import control_flow, py_builtins, variables  # noqa: PLC0415
        from tensorflow.python.autograph.pyct import parser  # noqa: PLC0415
        from tensorflow.python.eager import context, record  # noqa: PLC0415
        from tensorflow.python.framework import func_graph  # noqa: PLC0415
        from tensorflow.python.ops.parallel_for import control_flow_ops  # noqa: PLC0415

        _give_gradient("XlaDynamicUpdateSlice", functools.partial(_slopes_of_store, gen_xla_ops))
        return types.SimpleNamespace(
            transpiler=api.PyToTF,
            syntax=parser.gast,
            program=lambda: converter.ProgramContext(
                options=converter.ConversionOptions(recursive=True, optional_features=())
            ),
            call_otherwise=api.converted_call,
            builtin=py_builtins.overload_of,
            while_loop=control_flow._tf_while_stmt,  # noqa: SLF001
            branch=control_flow.if_stmt,
            undefined=variables.Undefined,
            no_return=variables.UndefinedReturnValue,
            scratch=functools.partial(func_graph.FuncGraph, "scratch"),
            store_window=gen_xla_ops.xla_dynamic_update_slice,
            behind_barrier=gen_xla_ops.xla_optimization_barrier,
            read_other=lambda operation, array, place=0: operation._update_input(place, array),  # noqa: SLF001
            function_of=lambda graph, name: graph._get_function(name),  # noqa: SLF001
            vectorized=functools.partial(control_flow_ops._pfor_impl, fallback_to_while_loop=False),  # noqa: SLF001
            stop_recording=record.stop_recording,
            record_operation=record.record_operation,
            unrecorded=pywrap_tfe.TFE_Py_TapeSetIsEmpty,
            context=context.context,
            call_options=functools.partial(_options_without_folding, context, config_pb2, rewriter_config_pb2),
        )
    except (AttributeError, ImportError) as error:
        warnings.warn(
            f"functions are not compiled with this version of TensorFlow, they run on NumPy or eagerly: {error}",
            RuntimeWarning,
            stacklevel=2,
        )
        return None


def _give_gradient(operation: str, slopes: Any) -> None:
    """Say how gradients pass through an operation, unless TensorFlow or another helper module has said so."""
    with contextlib.suppress(KeyError):
        tf.RegisterGradient(operation)(slopes)


def _slopes_of_store(gen_xla_ops: Any, operation: Any, slope: Any) -> Any:
    """Give the gradients of a store into a window: zeros for what it overwrites, the window's for the value."""
    _, value, begin = operation.inputs
    kept = gen_xla_ops.xla_dynamic_update_slice(slope, tf.zeros(value.shape, value.dtype), begin)
    return kept, tf.slice(slope, begin, value.shape), None


def _options_without_folding(context: Any, config_pb2: Any, rewriter_config_pb2: Any) -> Any:
    """Give options with which a graph computes what is written: (x + 1e16) - 1e16 is no x + (1e16 - 1e16)."""
    context.context().ensure_initialized()
    config = config_pb2.ConfigProto()
    config.CopyFrom(context.context().config)
    rewrites = config.graph_options.rewrite_options
    off = rewriter_config_pb2.RewriterConfig.OFF
    rewrites.constant_folding = rewrites.arithmetic_optimization = rewrites.remapping = off
    return context.FunctionCallOptions(config_proto=config)


def with_written_arithmetic(run: Any) -> Any:
    """Let a graph be run without the rewrites that change its rounding; only in this call, and in this thread."""
    inside = tensorflow_inside()
    options = inside.call_options()

    def called(*args: Any) -> Any:
        context = inside.context()
        before = context.function_call_options
        context.function_call_options = options
        try:
            return run(*args)
        finally:
            context.function_call_options = before

    return called


def caller_of(concrete: Any) -> Any:
    """Give a function that runs a traced one on a list of tensors, as a tf.function does after a search for it."""
    flat = getattr(concrete, "_call_flat", None)
    if flat is None:
        return lambda tensors: concrete(*tensors)
    captured = concrete.captured_inputs
    return lambda tensors: flat(tensors, captured)


def tensor_of(array: Any) -> Any:
    """Give an ndarray or a number of NumPy as a tensor with memory of its own.

    `tf.constant` copies an array, and what it has copied a second time where that is not aligned as TensorFlow wants
    it. Here a large array that is not aligned is copied once.
    """
    inside = tensorflow_inside()
    if inside is None or not is_on_cpu_alone():
        return tf.constant(array)
    device = inside.context().device_name
    if not isinstance(array, np.ndarray) or array.nbytes < _FEW_BYTES:
        return EAGER(array.copy(), device, None)
    tensor = EAGER(array, device, None)
    return EAGER(array.copy(), device, None) if np.may_share_memory(memory_of(tensor), array) else tensor


@functools.cache
def is_on_cpu_alone() -> bool:
    """Whether the memory of each tensor is the machine's own, to be looked at without a copy."""
    inside = tensorflow_inside()
    inside.context().ensure_initialized()
    return not [one for one in tf.config.list_logical_devices() if one.device_type != "CPU"]
