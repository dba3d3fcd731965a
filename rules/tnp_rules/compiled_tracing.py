"""What is known while a function is traced for one of its compiled forms."""

from __future__ import annotations

import builtins
import threading
import time
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_faults import faults_of


class NotCompiled(TypeError):
    """What a compiled form cannot do; the function runs as another form then."""


class FaultInside(Exception):
    """Something inside of a loop or a branch may be what NumPy raises for: the loops have to carry it out."""


class Tracing(threading.local):
    """The state of a trace, in this thread. `form` is "graph" or "xla", and empty where nothing is traced.

    `fault` is true, when the graph runs, where NumPy would raise: what the graph gives then is not used. `weak` are
    tensors that stand for Python's numbers, which take the dtype of what they meet, `mixed` those that are one of
    Python's in one trip and one of NumPy's in another, with a tensor that says which; `ranges` the bounds (first, last)
    of those that count a loop. `taped` is true where a gradient may be taken through the graph, `answered` where
    a reference answers what the graph is not sure of; `copies` is how often the body that is being traced was unrolled
    already.
    """

    form = ""
    carries_faults = False
    taped = True
    answered = False
    fault: Any = None
    graph: Any = None
    copies = 1
    deadline = float("inf")

    def __init__(self) -> None:
        self.weak: dict[int, Any] = {}
        self.mixed: dict[int, Any] = {}
        self.ranges: dict[int, Any] = {}
        self.trips: list[Any] = []  # of the loops whose bodies are looked at, the innermost last
        self.beside: dict[int, Any] = {}  # arrays that a store made, with their reads beside it
        self.places: dict[int, Any] = {}  # masks, with the places where they are true
        self.dependent: set[Any] = set()  # the code of loops whose trips depend on each other
        self.undo: list[tuple[Any, Any]] = []  # lists and dicts that the trace has changed, with what they held before

    def begin(
        self,
        form: str,
        *,
        carries_faults: bool,
        seconds: float = float("inf"),
        taped: bool = True,
        answered: bool = False,
    ) -> None:
        """Begin to trace in the current graph."""
        self.taped, self.answered = taped, answered
        self.form, self.carries_faults, self.fault, self.copies = form, carries_faults, None, 1
        self.graph = tf.compat.v1.get_default_graph()
        self.deadline = time.thread_time() + seconds
        self.weak, self.mixed, self.ranges, self.beside, self.dependent = {}, {}, {}, {}, set()
        self.places = {}

    def end(self) -> None:
        """End it."""
        self.form, self.fault, self.graph, self.trips = "", None, None, []
        self.weak, self.mixed, self.ranges, self.beside, self.places = {}, {}, {}, {}, {}
        self.undo.clear()

    def note_change(self, container: Any) -> None:
        """Note that a container of Python is about to be changed while a graph is traced."""
        if tf.compat.v1.get_default_graph() is not self.graph:
            raise NotCompiled(f"a {type(container).__name__} of Python that a loop or branch changes")
        self.undo.append((container, container.copy()))

    def undo_changes(self, count: int) -> bool:
        """Give lists and dicts what they held when so many changes were noted; say whether that is possible."""
        if [one for one, _ in self.undo[count:] if type(one) not in (list, dict)]:
            return False
        while len(self.undo) > count:
            container, held = self.undo.pop()
            container.clear()
            (container.extend if isinstance(container, list) else container.update)(held)
        return True

    def check_time(self) -> None:
        """Give up where tracing takes too long."""
        if time.thread_time() > self.deadline:
            raise NotCompiled("tracing takes too long: a loop is unrolled")

    def note_fault(self, fault: Any) -> None:
        """Note that NumPy would raise where `fault` is true."""
        if not tf.is_symbolic_tensor(fault):
            if bool(fault):
                raise NotCompiled("NumPy raises here")
            return
        if not self.carries_faults and tf.compat.v1.get_default_graph() is not self.graph:
            raise FaultInside
        self.fault = fault if self.fault is None else self.fault | fault

    def checked(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a function; note as faults what it checks, which XLA drops, and what only a CPU's kernels check."""
        graph = tf.compat.v1.get_default_graph()
        before = len(graph.get_operations())
        result = function(*args, **kwargs)
        faults = faults_of(self.form)
        for operation in graph.get_operations()[before:]:
            if operation.type == "Assert":
                self.note_fault(~operation.inputs[0])
            elif operation.type in faults and "within_bounds" not in operation.name:
                self.note_fault(faults[operation.type](operation))
        return result


tracing = Tracing()


def is_dynamic(value: Any) -> bool:
    """Say whether a value, or a bound of a slice, is known to a graph only."""
    if isinstance(value, slice):
        return is_dynamic(value.start) or is_dynamic(value.stop) or is_dynamic(value.step)
    return bool(tf.is_symbolic_tensor(value))


def is_number(value: Any) -> bool:
    """Say whether a value is a number of Python or NumPy."""
    return isinstance(value, (bool, int, float, complex, np.generic))


def mark_weak(tensor: Any, bounds: Any = None) -> Any:
    """Note that a tensor stands for a number of Python, and between which numbers it is; give it back."""
    tracing.weak[id(tensor)] = tensor
    if bounds is not None:
        tracing.ranges[id(tensor)] = (tensor, bounds)
    return tensor


def is_weak(value: Any) -> bool:
    """Say whether a value takes the dtype of what it meets, as Python's numbers do."""
    return id(value) in tracing.weak or (is_number(value) and not isinstance(value, np.generic))


MIXED = "mixed"
MIXED_INTEGER = "mixed, or an integer"


def mark_mixed(tensor: Any, code: Any, *, integer: bool = False) -> Any:
    """Note that a tensor stands for a number of Python or of NumPy, as `code` says when the graph runs; give it back.

    The code is 0 for NumPy's, 1 for Python's, and with `integer` 2 for an integer of Python in a tensor of floats.
    """
    tracing.mixed[id(tensor)] = (tensor, tf.cast(code, tf.int8), integer)
    return tensor


def is_mixed(value: Any) -> bool:
    """Say whether a value may be a number of Python, or one of NumPy."""
    return id(value) in tracing.mixed


def may_be_integer(value: Any) -> bool:
    """Say whether a tensor of floats may stand for an integer of Python."""
    return is_mixed(value) and bool(tracing.mixed[id(value)][2])


def code_of(value: Any, dtype: Any = None) -> Any:
    """Give the code of a value's kind, as `mark_mixed` says, where it is held as a dtype: a number, or a tensor."""
    if is_mixed(value):
        return tracing.mixed[id(value)][1]
    if not is_weak(value):
        return 0
    held = value.dtype if isinstance(value, tf.Tensor) else as_tensor(value).dtype
    return 2 if dtype is not None and dtype.is_floating and held.is_integer else 1


def mark_code(tensor: Any, code: Any, *, integer: bool = False) -> Any:
    """Note which kind of number a tensor stands for, and give it back."""
    if isinstance(code, int) and code < 2:
        return mark_weak(tensor) if code else tensor
    return mark_mixed(tensor, code, integer=integer)


def weak_leaves(value: Any) -> Any:
    """Say of a value which of its leaves stand for Python's numbers: a truth, MIXED, a list where it is a tuple."""
    if isinstance(value, (tuple, list)):
        return [weak_leaves(item) for item in value]
    if is_mixed(value):
        return MIXED_INTEGER if may_be_integer(value) else MIXED
    return is_weak(value)


def mark_leaves(value: Any, weak: Any, codes: Any) -> None:
    """Note again which leaves of a value stand for numbers of Python; `codes` gives those of the mixed ones in turn."""
    if isinstance(value, (tuple, list)):
        for item, flag in zip(value, weak if isinstance(weak, list) else []):
            mark_leaves(item, flag, codes)
    elif isinstance(value, tf.Tensor):
        if weak is True:
            mark_weak(value)
        elif weak:
            mark_mixed(value, next(codes), integer=weak == MIXED_INTEGER)


def mixed_codes(value: Any, weak: Any) -> list[Any]:
    """List the codes of the leaves of a value that are carried as mixed ones."""
    if isinstance(weak, list):
        return [code for item, flag in zip(value, weak) for code in mixed_codes(item, flag)]
    if weak not in {MIXED, MIXED_INTEGER}:
        return []
    return [tf.cast(code_of(value, value.dtype if isinstance(value, tf.Tensor) else None), tf.int8)]


def as_tensor(value: Any) -> Any:
    """Give a number the tensor that stands for it in a loop or a branch; anything else is itself."""
    if isinstance(value, np.generic):
        return tf.constant(value)
    if isinstance(value, bool):
        return mark_weak(tf.constant(value))
    if isinstance(value, int):
        return mark_weak(tf.constant(value, tf.int64))
    if isinstance(value, float):
        return mark_weak(tf.constant(value, tf.float64))
    if isinstance(value, complex):
        return mark_weak(tf.constant(value, tf.complex128))
    return tf.constant(value) if isinstance(value, np.ndarray) and value.dtype.kind in "biufc" else value


def outermost(tensor: Any) -> Any:
    """Give what a tensor of an inner graph is in the graph around it, as far out as it goes."""
    while tf.is_symbolic_tensor(tensor) and tensor.op.type == "Placeholder" and hasattr(tensor.graph, "captures"):
        around = [source for source, inner in tensor.graph.captures if inner is tensor]
        if not around:
            return tensor
        tensor = around[0]
    return tensor


def bounds_of(value: Any) -> Any:
    """Give (smallest, largest) of what an integer can be when the graph runs; None where that is not known."""
    if not tf.is_symbolic_tensor(value):
        known = tf.get_static_value(value) if isinstance(value, tf.Tensor) else value
        return (int(known), int(known)) if np.ndim(known) == 0 else None
    value = outermost(value)
    if id(value) in tracing.ranges:
        return tracing.ranges[id(value)][1]
    if not tf.is_symbolic_tensor(value):
        return bounds_of(value)
    operation = value.op
    if operation.type == "Const":
        known = tf.get_static_value(value)
        return (int(known), int(known)) if np.ndim(known) == 0 else None
    if operation.type in {"Cast", "Identity"} and operation.inputs[0].dtype.is_integer:
        return bounds_of(operation.inputs[0])
    if operation.type in {"AddV2", "Add", "Sub", "Mul"}:
        left, right = bounds_of(operation.inputs[0]), bounds_of(operation.inputs[1])
        return None if left is None or right is None else _combined(operation.type, left, right)
    return None


def _combined(kind: str, left: Any, right: Any) -> Any:
    if kind == "Sub":
        return left[0] - right[1], left[1] - right[0]
    if kind == "Mul":
        products = [one * other for one in left for other in right]
        return builtins.min(products), builtins.max(products)
    return left[0] + right[0], left[1] + right[1]


def same_value(left: Any, right: Any, depth: int = 12) -> bool:
    """Say whether two values are known to be equal: the same expression of the same things."""
    left = outermost(left) if tf.is_symbolic_tensor(left) else left
    right = outermost(right) if tf.is_symbolic_tensor(right) else right
    if left is right:
        return True
    if not tf.is_symbolic_tensor(left) or not tf.is_symbolic_tensor(right):
        return _same_constant(left, right)
    one, other = left.op, right.op
    if left.dtype != right.dtype or left.value_index != right.value_index or not depth:
        return False
    if one is other:
        return True
    if one.type != other.type or len(one.inputs) != len(other.inputs) or one.node_def.attr != other.node_def.attr:
        return False
    if one.type == "Const":
        return bool(np.array_equal(tf.get_static_value(left), tf.get_static_value(right)))
    if one.type == "Placeholder" or one.op_def.is_stateful or one.control_inputs or other.control_inputs:
        return False
    return builtins.all(same_value(a, b, depth - 1) for a, b in zip(one.inputs, other.inputs))


def _same_constant(left: Any, right: Any) -> bool:
    known = [tf.get_static_value(one) if isinstance(one, tf.Tensor) else one for one in (left, right)]
    return None not in known and bool(np.array_equal(*known))


def offset_of(value: Any) -> tuple[Any, int]:
    """Split an integer into something and a constant that is added to it."""
    constant = 0
    while True:
        value = outermost(value) if tf.is_symbolic_tensor(value) else value
        if not tf.is_symbolic_tensor(value):
            return None, constant + int(value)
        operation = value.op
        if operation.type == "Const" and not value.shape.rank:
            return None, constant + int(tf.get_static_value(value))
        if operation.type in {"Cast", "Identity"} and operation.inputs[0].dtype.is_integer:
            value = operation.inputs[0]
            continue
        if operation.type not in {"AddV2", "Add", "Sub"}:
            return value, constant
        left, right = operation.inputs
        known = tf.get_static_value(right)
        if known is not None and not np.ndim(known):
            constant += int(known) if operation.type != "Sub" else -int(known)
            value = left
            continue
        known = tf.get_static_value(left) if operation.type != "Sub" else None
        if known is None or np.ndim(known):
            return value, constant
        constant += int(known)
        value = right


def distance(start: Any, stop: Any) -> Any:
    """Give `stop - start` where it is known, else None."""
    (one, first), (other, last) = offset_of(start), offset_of(stop)
    if one is None and other is None:
        return last - first
    return last - first if one is not None and other is not None and same_value(one, other) else None
