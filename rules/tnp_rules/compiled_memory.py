"""What a graph takes of memory, and how much of it there is: a form that does not fit into it is none."""

from __future__ import annotations

import builtins
import contextlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_inside import tensorflow_inside
from tnp_rules.compiled_tracing import NotCompiled

# Operations that give the memory that they are given: the store of one that nothing else reads is done in place.
_IN_PLACE = (
    "Identity",
    "Reshape",
    "ExpandDims",
    "Squeeze",
    "TensorScatter",
    "XlaDynamicUpdateSlice",
    "XlaOptimization",
)
_GIVEN = ("Placeholder", "Const")
_FUNCTIONS = ("body", "cond", "then_branch", "else_branch", "f")


def check_fits(concrete: Any) -> None:
    """Raise NotCompiled where a traced function would take more memory than there is."""
    needed, free = bytes_of(concrete.graph), free_bytes()
    if needed > free:
        raise NotCompiled(f"it would take some {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} are free")


def check_comparison_fits(values: list[Any]) -> None:
    """Raise NotCompiled where copies of values would take more memory than there is."""
    needed, free = builtins.sum([_bytes_of_tensor(one) for one in values]), free_bytes()
    if needed > free:
        raise NotCompiled(f"comparing takes {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} are free")


def bytes_of(graph: Any) -> int:
    """Estimate what a graph takes at a time, beside what it is given.

    A tensor is there from the operation that makes it to the last that reads it, in the order in which they were
    traced. A loop or a branch takes what one run of it does. Tensors whose size only the run knows count as none.
    """
    operations = [one for one in graph.get_operations() if one.type not in _GIVEN]
    last = {id(tensor): place for place, one in enumerate(operations) for tensor in one.inputs}
    last.update({id(tensor): len(operations) for tensor in graph.outputs})
    freed = [0] * (len(operations) + 1)
    held = most = 0
    for place, one in enumerate(operations):
        if not one.type.startswith(_IN_PLACE):
            for tensor in one.outputs:
                size = _bytes_of_list(one) if one.type == "EmptyTensorList" else _bytes_of_tensor(tensor)
                held += size
                freed[last.get(id(tensor), place)] += size
        most = builtins.max(most, held + _bytes_inside(one))
        held -= freed[place]
    return most


def _bytes_inside(operation: Any) -> int:
    attributes = operation.node_def.attr
    names = [attributes[name].func.name for name in _FUNCTIONS if name in attributes]
    functions = [tensorflow_inside().function_of(operation.graph, name) for name in names if name]
    return builtins.max([bytes_of(one.graph) for one in functions if one is not None], default=0)


def _bytes_of_list(operation: Any) -> int:
    """Give what a loop keeps for its gradient, where it is known how many trips there are at most."""
    sizes, count = [tf.get_static_value(one) for one in operation.inputs]
    if sizes is None or count is None or np.min(sizes, initial=0) < 0:
        return 0
    elements = int(np.prod(sizes, dtype=np.int64)) * builtins.max(int(count), 0)
    return elements * int(operation.get_attr("element_dtype").size or 0)


def _bytes_of_tensor(tensor: Any) -> int:
    if not isinstance(tensor, tf.Tensor) or not tensor.shape.is_fully_defined():
        return 0
    return int(tensor.shape.num_elements()) * int(tensor.dtype.size or 0)


def free_bytes() -> float:
    """Give the bytes that this process may still take, as far as the system says it."""
    return builtins.min(_free_in_the_machine(), _free_in_the_group(), _free_in_the_process())


def _free_in_the_machine() -> float:
    with contextlib.suppress(OSError):
        for line in _text_of("/proc/meminfo").splitlines():
            if line.startswith("MemAvailable:"):
                return float(line.split()[1]) * 1024
    return float("inf")


def _free_in_the_group() -> float:
    """Give what the limit of a container leaves; what it holds of files is given up when it is needed."""
    for folder, *names in (("", "max", "current"), ("memory", "limit_in_bytes", "usage_in_bytes")):
        with contextlib.suppress(OSError, ValueError):  # "max" is no limit
            limit, used, stat = [_text_of("/sys/fs/cgroup", folder, f"memory.{one}") for one in (*names, "stat")]
            held = dict([line.split() for line in stat.splitlines()])
            files = [int(held.get(name, 0)) for name in ("inactive_file", "active_file")]
            return float(limit) - float(used) + builtins.sum(files)
    return float("inf")


def _text_of(*path: str) -> str:
    return Path(*path).read_text(encoding="ascii")


def _free_in_the_process() -> float:
    """Give what the limit of addresses leaves: `ulimit -v`."""
    with contextlib.suppress(OSError, ValueError):  # "unlimited" is no limit
        (line,) = [one for one in _text_of("/proc/self/limits").splitlines() if one.startswith("Max address space")]
        pages = int(_text_of("/proc/self/statm").split()[0])
        return float(line.split()[3]) - pages * os.sysconf("SC_PAGE_SIZE")
    return float("inf")
