"""What a call of a NumPy function, or of an ndarray's method, gives: kind, dtype and rank where the text decides."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.dtypes import SINGLE, divided, floating, is_exact, real, reduced, result_type
from tnp_migrate.numpy_facts.host_values import carried, carried_by_method, made_for_host
from tnp_migrate.numpy_facts.ranks import (
    SIZE_AT,
    broadcast_rank,
    method_rank,
    operand_rank,
    product_rank,
    random_rank,
    rank_of,
    rank_of_shape,
    reduced_rank,
)
from tnp_migrate.numpy_facts.signatures import signature_table
from tnp_migrate.numpy_facts.values import HOST_DTYPES, SCALAR, UNKNOWN, Value, array, element_of

Named = Callable[[ast.expr], str | None]
_ONE_NUMBER = frozenset("choice uniform normal randint integers".split())  # is drawn where no size is given


def numpy_call(name: str, call: ast.Call, values: Sequence[Value], named: Named) -> Value:
    """Give the value of `name(...)`; `values` are those of the positional arguments."""
    if name.startswith("numpy.ndarray.") and values:
        return _unbound(name.rpartition(".")[2], call, values[0], named)
    dtype = given_dtype(name, call)
    found = made_for_host(name, call, dtype)
    return carried(name, call, values, _called(name, call, values, named), dtype) if found is None else found


def _unbound(member: str, call: ast.Call, receiver: Value, named: Named) -> Value:
    """The value of `np.ndarray.sum(a, 0)`, and of a helper that stands for a method or an attribute."""
    receiver = receiver if receiver.is_array else array(sure=False)
    if member in traits.ARRAY_ATTRIBUTES or member in traits.VIEW_ATTRIBUTES:
        return attribute(receiver, member)
    return method_call(receiver, member, ast.Call(call.func, call.args[1:], call.keywords), named)


def _called(name: str, call: ast.Call, values: Sequence[Value], named: Named) -> Value:
    kind = traits.RESULTS.get(name, "array")
    if kind == "list" and "split" in name and values and values[0].is_array:
        return Value("list", element=values[0])
    if (name.startswith("numpy.atleast_") and len(call.args) > 1) or any(
        word.arg == "return_indices" for word in call.keywords
    ):
        return Value("tuple", element=array())
    if name == "numpy.nonzero" or (name == "numpy.where" and len(call.args) == 1):
        return Value("tuple", element=array("int64", 1))
    if kind != "array":
        return _of_kind(kind)
    last = name.rpartition(".")[2]
    if name.startswith("numpy.random."):
        return drawn(last, call, values)
    if name.startswith(("numpy.char.", "numpy.testing.", "numpy.polynomial.")) or last[:1].isupper():
        return UNKNOWN
    if name == "numpy.unique" and (call.keywords or len(call.args) > 1):
        named_so = (word.arg for word in call.keywords if word.arg and word.arg.startswith("return_"))
        return Value("tuple") if any(named_so) or len(call.args) > 1 else array()
    if traits.dtype_named(name) and last in traits.DTYPES:
        dtype = traits.dtype_named(name)
        return array(dtype, values[0].rank) if values and values[0].is_array else Value("scalar", dtype)
    found = _array_result(name, call, values, given_dtype(name, call), named)
    return replace(found, dtype="bool") if found.is_array and name in traits.BOOLEAN else found


def is_ufunc_or_reduction(name: str) -> bool:
    """Whether other libraries' objects decide what a function gives of them."""
    return name in (traits.ELEMENTWISE | traits.REDUCTIONS) - {"numpy.where"}


def given_dtype(name: str, call: ast.Call) -> ast.expr | None:
    """The expression given for `dtype`, by name or by position."""
    by_name = next((word.value for word in call.keywords if word.arg == "dtype"), None)
    if by_name is not None or len(call.args) < 2:  # no function takes it first
        return by_name
    slots = [one.name for one in signature_table().numpy.get(name, ())]
    position = slots.index("dtype") if "dtype" in slots else len(call.args)
    return call.args[position] if position < len(call.args) else None


def _array_result(name: str, call: ast.Call, values: Sequence[Value], wanted: ast.expr | None, named: Named) -> Value:
    first = values[0] if values else UNKNOWN
    given = _spelled(wanted, named) if wanted is not None else None
    unnamed = wanted is None
    made = _made(name, call, values, unnamed=unnamed, given=given)
    if made is not None:
        return made
    if name in traits.LIKE:
        reshaped = any(word.arg == "shape" for word in call.keywords)
        rank = first.rank if first.is_array and not reshaped else None
        return array(first.dtype if unnamed else given, rank, is_object=True)
    if name in traits.CONVERSIONS:
        return _converted(call, first, unnamed=unnamed, given=given)
    if name in traits.REDUCTIONS:
        found = _reduced(name, call, first, call.args[1:])
        if name == "numpy.average" and any(word.arg != "axis" for word in call.keywords):
            return array()  # of the weights' dtype as well, or a tuple
        return found if unnamed else replace(found, dtype=given)
    if name in traits.ELEMENTWISE:
        found = _elementwise(name, call.args, values)
        return found if unnamed else replace(found, dtype=given)
    if name in ("numpy.dot", "numpy.matmul"):
        return array(promote(values, call.args) if all(one.is_array for one in values) else None, product_rank(values))
    if name in traits.RUNNING:
        return array(reduced(name.rpartition(".")[2], first.dtype) if unnamed else given, rank_of(name, call, values))
    if name in traits.VIEW_FUNCTIONS or name == "numpy.sort":
        rank = first.rank if name in traits.TURNED else rank_of(name, call, values)
        parts = {"numpy.real": real(first.dtype), "numpy.imag": real(first.dtype), "numpy.real_if_close": None}
        return array(parts.get(name, first.dtype), rank)
    return array(given, rank_of(name, call, values), axes=name in traits.STACKING)


def _made(name: str, call: ast.Call, values: Sequence[Value], *, unnamed: bool, given: str | None) -> Value | None:
    """The array that a function makes of a shape or of bounds."""
    if name in traits.CREATION:
        default = given if not unnamed else "float64" if name != "numpy.full" else _filled(call)
        return array(default, rank_of_shape(call, values), is_object=True)
    if name in ("numpy.eye", "numpy.identity"):
        return array("float64" if unnamed else given, 2)
    if name in ("numpy.linspace", "numpy.logspace", "numpy.geomspace"):
        if any(word.arg == "retstep" for word in call.keywords):
            return Value("tuple", element=array())
        flat = len(values) > 1 and values[0].kind == values[1].kind == "scalar"
        return array("float64" if unnamed else given, 1 if flat else None)
    if name == "numpy.arange":
        return array(_arange(call) if unnamed else given, 1)
    return None


def _filled(call: ast.Call) -> str | None:
    """The dtype of `np.full(shape, 1)`, where the number is written out."""
    written = literal(ast.List([call.args[1]])) if len(call.args) > 1 else None
    return written.dtype if written is not None else None


def _converted(call: ast.Call, first: Value, *, unnamed: bool, given: str | None) -> Value:
    if unnamed and call.args and _holds_objects(call.args[0], inside=False):
        return array("object")
    if unnamed and call.args and holds_text(call.args[0], first):
        return array("str")
    written = literal(call.args[0]) if call.args else None
    base = written if written is not None else first
    deeper = any(word.arg == "ndmin" for word in call.keywords)
    dtype, rank = (base.dtype, base.rank) if base.is_array else (None, None)
    if not base.is_array and call.args:
        number = literal(ast.List([call.args[0]]))
        dtype = number.dtype if number is not None and number.rank == 1 else None
        rank = operand_rank(call.args[0], base) or None  # 0 is for numbers: what is made of one can be written to
    return array(dtype if unnamed else given, None if deeper else rank)


def method_call(receiver: Value, name: str, call: ast.Call, named: Named) -> Value:
    """Give the value of `receiver.name(...)` for an array."""
    return carried_by_method(receiver, name, call, _method_called(receiver, name, call, named))


def _method_called(receiver: Value, name: str, call: ast.Call, named: Named) -> Value:
    kind = traits.ARRAY_METHODS.get(name)
    if name == "tolist":
        return _listed(receiver)
    if kind != "array":
        return _of_kind(kind) if kind else UNKNOWN
    sure = receiver.sure
    if name == "astype":
        return array(_spelled(call.args[0], named) if call.args else None, receiver.rank, sure=sure)
    if f"numpy.{name}" in traits.REDUCTIONS:
        found = _reduced(f"numpy.{name}", call, receiver, call.args)
        return found if _method_dtype(call) is None else replace(found, dtype=_spelled(_method_dtype(call), named))
    dtype, rank = _method_result(receiver.dtype, name, call, named), method_rank(name, call, receiver)
    return array(dtype, rank, sure=sure, axes=receiver.has_axes and name in traits.SHAPE_KEEPING)


def _method_result(dtype: str | None, name: str, call: ast.Call, named: Named) -> str | None:
    if name in ("argsort", "argpartition", "searchsorted"):
        return "int64"
    if name in ("cumsum", "cumprod"):
        given = _method_dtype(call)
        return reduced(name, dtype) if given is None else _spelled(given, named)
    if name in ("view", "dot", "choose") or (name in ("round", "clip", "conj", "conjugate") and dtype == "bool"):
        return None
    if name == "clip" and not _keeps_bounds(dtype, [*call.args, *(word.value for word in call.keywords)]):
        return None
    return dtype


def _keeps_bounds(dtype: str | None, bounds: Sequence[ast.expr]) -> bool:
    """Whether clipping to bounds keeps a dtype: those have to be numbers of the text that it holds."""
    kinds = {type(one.value) for bound in bounds for one in ast.walk(bound) if isinstance(one, ast.Constant)}
    names = any(isinstance(one, ast.Name | ast.Attribute | ast.Call) for bound in bounds for one in ast.walk(bound))
    holds = {int, float, type(None)} if (dtype or "").startswith(("float", "complex")) else {int, type(None)}
    return not names and kinds <= holds


def _method_dtype(call: ast.Call) -> ast.expr | None:
    """What a method that takes `(axis, dtype)` is given for the dtype."""
    by_name = next((word.value for word in call.keywords if word.arg == "dtype"), None)
    return call.args[1] if by_name is None and len(call.args) > 1 else by_name


def attribute(receiver: Value, name: str) -> Value:
    """Give the value of `receiver.name` for an array."""
    if name in ("T", "mT"):
        return receiver
    if name in ("real", "imag"):
        return array(real(receiver.dtype), receiver.rank, sure=receiver.sure)
    if name == "flat":
        return array(receiver.dtype, 1, sure=receiver.sure)
    return _of_kind(traits.ARRAY_ATTRIBUTES.get(name, "unknown"))


def promote(values: Sequence[Value], nodes: Sequence[ast.expr]) -> str | None:
    """Give the dtype of an operation on arrays and scalars.

    A scalar with a dtype is NumPy's own or complex; one without is a Python number, which follows the arrays. One that
    is not written out may be a float.
    """
    arrays = {value.dtype for value in values if value.is_array}
    whole = [_is_whole(node) for node in nodes]
    scalars = [
        "bool" if is_whole and arrays != {"bool"} else _written_bool(node) or value.dtype
        for node, value, is_whole in zip(nodes, values, whole, strict=True)
        if value.kind == "scalar"
    ]
    if not arrays or None in arrays or not all(value.kind in ("array", "scalar") for value in values):
        return None
    found = result_type(one for one in arrays if one is not None)
    if "complex128" in scalars and found in SINGLE:
        return None  # Python's complex numbers follow the arrays, and NumPy's do not
    found = result_type(one for one in (found, *scalars) if one is not None)
    return found if None not in scalars or not is_exact(found) else None


def _written_bool(node: ast.expr) -> str | None:
    return "bool" if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None


def _is_whole(node: ast.expr) -> bool:
    """Whether a number is written out that has no fraction."""
    number = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    return isinstance(number, ast.Constant) and type(number.value) is int


def _listed(receiver: Value) -> Value:
    """The lists of Python's numbers that an array's `tolist()` gives: none of them is an array."""
    known = receiver.sure and receiver.rank is not None and receiver.dtype not in HOST_DTYPES
    found = SCALAR if known else UNKNOWN
    for _ in range(receiver.rank or 0 if known else 1):
        found = Value("list", element=found)
    return found


def _of_kind(kind: str) -> Value:
    if kind == "list":
        return Value("list", element=array())
    return Value(kind, element=array() if kind == "tuple" else None) if kind != "unknown" else UNKNOWN  # type: ignore[arg-type]


def drawn(name: str, call: ast.Call, values: Sequence[Value]) -> Value:
    """Give the value of what a function of `numpy.random`, or the method of a generator, draws."""
    if name not in traits.RNG_ARRAY_METHODS:
        return UNKNOWN
    rank = random_rank(name, call, values)
    if name in ("rand", "randn"):
        return array("float64", rank) if call.args else SCALAR
    if name in ("random", "random_sample", "standard_normal"):
        return array("float64", rank) if call.args or call.keywords else SCALAR
    size_at = SIZE_AT[name] if name in _ONE_NUMBER else None
    sized = any(keyword.arg in ("size", None) for keyword in call.keywords)
    if size_at is None or sized or len(call.args) > size_at:
        return array(rank=rank)
    kinds = {value.kind for value in values} - {"scalar"}
    if name == "choice" or not kinds:
        return SCALAR
    return array() if kinds & {"array", "list", "tuple"} else UNKNOWN if name in ("uniform", "normal") else SCALAR


def _spelled(node: ast.expr | None, named: Named) -> str | None:
    if node is None:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return traits.dtype_named(node.value)
    qualified = named(node)
    if qualified is None and isinstance(node, ast.Name) and node.id in ("float", "int", "bool", "complex"):
        qualified = node.id
    return traits.dtype_named(qualified) if qualified else None


def _arange(call: ast.Call) -> str | None:
    constants = [one.value for one in call.args if isinstance(one, ast.Constant)]
    if any(isinstance(constant, float) for constant in constants):
        return "float64"
    return "int64" if constants and len(constants) == len(call.args) else None


def literal(node: ast.expr) -> Value | None:
    """The array that a nested list of numbers makes."""
    rank, inner = 0, node
    while isinstance(inner, ast.List | ast.Tuple):
        rank += 1
        if not inner.elts:
            return array("float64", rank)
        inner = inner.elts[0]
    shape = (ast.List, ast.Tuple, ast.Load, ast.USub, ast.UnaryOp, ast.Add, ast.Sub)
    leaves = [one for one in ast.walk(node) if not isinstance(one, shape) and not _is_complex(one)]
    if not rank or not all(isinstance(leaf, ast.Constant) for leaf in leaves):
        return None
    kinds = {type(leaf.value) for leaf in leaves if isinstance(leaf, ast.Constant)}
    for kind, dtype in ((complex, "complex128"), (float, "float64"), (int, "int64"), (bool, "bool")):
        if kind in kinds:
            return array(dtype, rank) if kinds <= {complex, float, int, bool} else None
    return None


def _is_complex(node: ast.AST) -> bool:
    """Whether this is a complex number as Python writes it: `1 + 2j`."""
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) else []
    return bool(parts) and isinstance(parts[1], ast.Constant) and isinstance(parts[1].value, complex)


def _holds_objects(node: ast.expr, *, inside: bool = True) -> bool:
    """Whether a list display holds None, functions or dicts: NumPy makes an array of objects of it."""
    if isinstance(node, ast.List | ast.Tuple):
        return any(_holds_objects(one) for one in node.elts)
    if isinstance(node, ast.ListComp):
        return _holds_objects(node.elt)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Add):
        return any(_holds_objects(one, inside=False) for one in (node.left, node.right))
    return inside and (
        isinstance(node, ast.Lambda | ast.Dict | ast.Set) or (isinstance(node, ast.Constant) and node.value is None)
    )


def holds_text(node: ast.expr, value: Value) -> bool:
    """Whether a list or tuple holds strings: NumPy makes an array of text of it."""
    written = (
        node.elts if isinstance(node, ast.List | ast.Tuple) else [node.elt] if isinstance(node, ast.ListComp) else []
    )
    if any(isinstance(one, ast.JoinedStr) or is_text(one) for one in written):
        return True
    while value.kind in ("list", "tuple"):
        value = element_of(value)
        if value.kind == "str":
            return True
    return False


def is_text(node: ast.expr) -> bool:
    """Whether text is written, or a list of it."""
    if isinstance(node, ast.List | ast.Tuple):
        return any(map(is_text, node.elts))
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def is_placeholder(value: Value, node: ast.expr) -> bool:
    """Whether an array of objects holds nothing but None, `np.array([[None] * n]).T`: numbers will stand there."""
    while isinstance(node, ast.Attribute) and node.attr == "T":
        node = node.value
    return value.dtype == "object" and isinstance(node, ast.Call) and len(node.args) == 1 and _is_nothing(node.args[0])


def _is_nothing(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _is_nothing(node.left) or _is_nothing(node.right)
    items = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    return bool(items) and all(
        _is_nothing(one) or (isinstance(one, ast.Constant) and one.value is None) for one in items
    )


def _reduced(name: str, call: ast.Call, first: Value, others: Sequence[ast.expr]) -> Value:
    """The value of a reduction of `first`; `others` are given to it by position, the axis first."""
    last = name.rpartition(".")[2]
    dtype = reduced(last, first.dtype if first.is_array else None)
    rank = reduced_rank(last, call, first.rank if first.is_array else None, others)
    return array(dtype, rank, sure=first.sure if first.is_array else True)


def _elementwise(name: str, nodes: Sequence[ast.expr], values: Sequence[Value]) -> Value:
    if name in traits.BOOLEAN:
        return array("bool", broadcast_rank(nodes, values))
    if name == "numpy.where":
        nodes, values = nodes[1:], values[1:]
    dtype, dtypes = promote(values, nodes), [one.dtype for one in values if one.dtype is not None]
    if name in ("numpy.divide", "numpy.true_divide"):
        dtype = divided(dtype)
    elif name in traits.FLOATING or name in ("numpy.rint", "numpy.copysign"):
        dtype = result_type(map(str, map(floating, dtypes))) if is_exact(dtype) else dtype
    elif is_exact(dtype) and (name in traits.ROUNDING or (dtype == "bool" and name not in traits.CLOSED_ON_BOOL)):
        dtype = None
    elif name in ("numpy.real", "numpy.imag", "numpy.abs", "numpy.absolute", "numpy.angle"):
        dtype = real(dtype)
    return array(dtype, broadcast_rank(nodes, values), axes=any(value.has_axes for value in values))
