"""What a call of a NumPy function, or of an ndarray's method, gives: kind, dtype and rank where the text decides."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from tnp_migrate import facts
from tnp_migrate.values import SCALAR, UNKNOWN, Value, array

Named = Callable[[ast.expr], str | None]


def numpy_call(name: str, call: ast.Call, values: Sequence[Value], named: Named) -> Value:
    """Give the value of `name(...)`; `values` are those of the positional arguments."""
    kind = facts.RESULTS.get(name, "array")
    if kind != "array":
        return _of_kind(kind)
    last = name.rpartition(".")[2]
    if name.startswith("numpy.random."):
        return _random(name, call)
    if name.startswith(("numpy.ma.", "numpy.char.", "numpy.testing.", "numpy.polynomial.")) or last[:1].isupper():
        return UNKNOWN
    if name == "numpy.where" and len(call.args) == 1:
        return Value("tuple", items=None, element=array("int64", 1))
    if name == "numpy.unique" and call.keywords:
        return Value("tuple") if any(keyword.arg and keyword.arg.startswith("return_") for keyword in call.keywords) else array()
    dtype = _dtype_argument(call, named)
    if facts.dtype_named(name) and last in facts.DTYPES:
        return values[0] if values and values[0].is_array else SCALAR
    return _array_result(name, call, values, dtype)


def _array_result(name: str, call: ast.Call, values: Sequence[Value], dtype: str | None) -> Value:
    first = values[0] if values else UNKNOWN
    given = dtype if dtype is not None else None
    unnamed = given is None and not any(keyword.arg == "dtype" for keyword in call.keywords)
    if name in facts.CREATION:
        default = "float64" if name != "numpy.full" and unnamed and len(call.args) < 2 else given
        return array(default, _rank_of_shape(call, values))
    if name in ("numpy.eye", "numpy.identity"):
        return array("float64" if unnamed else given, 2)
    if name in ("numpy.linspace", "numpy.logspace", "numpy.geomspace"):
        return array("float64" if unnamed else given, 1)
    if name == "numpy.arange":
        return array(_arange(call, values) if unnamed else given, 1)
    if name in facts.LIKE:
        return array(first.dtype if unnamed else given, first.rank if first.is_array else None)
    if name in facts.CONVERSIONS:
        if unnamed and call.args and _holds_objects(call.args[0], inside=False):
            return array("object")
        literal = _literal(call.args[0]) if call.args else None
        base = literal if literal is not None else first
        return array(base.dtype if unnamed else given, base.rank if base.is_array else None)
    if name in facts.REDUCTIONS:
        return _reduced(name, call, first)
    if name in facts.ELEMENTWISE:
        return _elementwise(name, values)
    if name in ("numpy.dot", "numpy.matmul"):
        return array(promote(values), _product_rank(values))
    if name in facts.VIEW_FUNCTIONS or name in ("numpy.sort", "numpy.cumsum", "numpy.cumprod"):
        return array(first.dtype)
    return array(given)


def method_call(receiver: Value, name: str, call: ast.Call, named: Named) -> Value:
    """Give the value of `receiver.name(...)` for an array."""
    kind = facts.ARRAY_METHODS.get(name)
    if kind != "array":
        return _of_kind(kind) if kind else UNKNOWN
    sure = receiver.sure
    if name == "astype":
        return array(_spelled(call.args[0], named) if call.args else None, receiver.rank, sure=sure)
    if f"numpy.{name}" in facts.REDUCTIONS:
        return _reduced(f"numpy.{name}", call, receiver)
    same_rank = name in ("copy", "clip", "conj", "conjugate", "round", "cumsum") and (name != "cumsum" or bool(call.keywords))
    rank = receiver.rank if same_rank or (name == "transpose") else 1 if name in ("ravel", "flatten") else None
    if name == "reshape":
        rank = _reshape_rank(call.args)
    dtype = "int64" if name in ("argsort", "argpartition", "searchsorted") else receiver.dtype if name != "view" else None
    return array(dtype, rank, sure=sure)


def attribute(receiver: Value, name: str) -> Value:
    """Give the value of `receiver.name` for an array."""
    if name in ("T", "mT"):
        return receiver
    if name in ("real", "imag"):
        real = {"complex64": "float32", "complex128": "float64"}
        return array(real.get(receiver.dtype or "", receiver.dtype), receiver.rank, sure=receiver.sure)
    if name == "flat":
        return array(receiver.dtype, 1, sure=receiver.sure)
    return _of_kind(facts.ARRAY_ATTRIBUTES.get(name, "unknown"))


def promote(values: Sequence[Value]) -> str | None:
    """Give the dtype of an operation on arrays and Python scalars, where NumPy's promotion is plain."""
    dtypes = {value.dtype for value in values if value.is_array}
    if len(dtypes) == 1 and None not in dtypes and all(value.is_array or value.kind == "scalar" for value in values):
        found = dtypes.pop()
        floating = found is not None and found.startswith(("float", "complex"))
        return found if floating or all(value.is_array for value in values) else None
    if dtypes and dtypes <= {"float64", "float32", "int64", "int32", "bool"} and "float64" in dtypes:
        return "float64" if all(value.kind in ("array", "scalar") for value in values) else None
    return None


def broadcast_rank(values: Sequence[Value]) -> int | None:
    """Give the rank of an elementwise operation, where the ranks of all arrays are known."""
    ranks = [value.rank if value.is_array else 0 for value in values if value.kind in ("array", "scalar")]
    if len(ranks) != len(values) or any(rank is None for rank in ranks):
        return None
    return max((rank for rank in ranks if rank is not None), default=None)


def _of_kind(kind: str) -> Value:
    if kind == "list":
        return Value("list", element=array())
    return Value(kind, element=array() if kind == "tuple" else None) if kind != "unknown" else UNKNOWN  # type: ignore[arg-type]


def _random(name: str, call: ast.Call) -> Value:
    last = name.rpartition(".")[2]
    if last not in facts.RNG_ARRAY_METHODS:
        return UNKNOWN
    sized = any(keyword.arg == "size" for keyword in call.keywords)
    if last in ("rand", "randn"):
        return array("float64", len(call.args)) if call.args else SCALAR
    if last in ("random", "random_sample", "standard_normal"):
        return array("float64") if call.args or sized else SCALAR
    if last in ("permutation", "multivariate_normal", "dirichlet", "multinomial"):
        return array()
    size_at = {"choice": 1, "uniform": 2, "normal": 2, "randint": 2, "integers": 2}.get(last)
    if sized or (size_at is not None and len(call.args) > size_at):
        return array()
    return SCALAR if size_at is not None else UNKNOWN


def _dtype_argument(call: ast.Call, named: Named) -> str | None:
    for keyword in call.keywords:
        if keyword.arg == "dtype":
            return _spelled(keyword.value, named)
    return None


def _spelled(node: ast.expr, named: Named) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return facts.dtype_named(node.value)
    qualified = named(node)
    if qualified is None and isinstance(node, ast.Name) and node.id in ("float", "int", "bool", "complex"):
        qualified = node.id
    return facts.dtype_named(qualified) if qualified else None


def _rank_of_shape(call: ast.Call, values: Sequence[Value]) -> int | None:
    shape = call.args[0] if call.args else next((word.value for word in call.keywords if word.arg == "shape"), None)
    if isinstance(shape, ast.Tuple | ast.List):
        return None if any(isinstance(one, ast.Starred) for one in shape.elts) else len(shape.elts)
    if isinstance(shape, ast.Constant) and isinstance(shape.value, int):
        return 1
    return 1 if values and values[0].kind == "scalar" else None


def _arange(call: ast.Call, values: Sequence[Value]) -> str | None:
    constants = [one.value for one in call.args if isinstance(one, ast.Constant)]
    if any(isinstance(constant, float) for constant in constants):
        return "float64"
    return "int64" if constants and len(constants) == len(call.args) else None


def _literal(node: ast.expr) -> Value | None:
    """The array that a nested list of numbers makes."""
    rank, inner = 0, node
    while isinstance(inner, ast.List | ast.Tuple):
        rank += 1
        if not inner.elts:
            return array("float64", rank)
        inner = inner.elts[0]
    leaves = [one for one in ast.walk(node) if not isinstance(one, ast.List | ast.Tuple | ast.Load | ast.USub | ast.UnaryOp)]
    if not rank or not all(isinstance(leaf, ast.Constant) for leaf in leaves):
        return None
    kinds = {type(leaf.value) for leaf in leaves if isinstance(leaf, ast.Constant)}
    for kind, dtype in ((complex, "complex128"), (float, "float64"), (int, "int64"), (bool, "bool")):
        if kind in kinds:
            return array(dtype, rank) if kinds <= {complex, float, int, bool} else None
    return None


def _holds_objects(node: ast.expr, *, inside: bool = True) -> bool:
    """Whether a list display holds None, functions or dicts: NumPy makes an array of objects of it."""
    if isinstance(node, ast.List | ast.Tuple):
        return any(_holds_objects(one) for one in node.elts)
    if isinstance(node, ast.ListComp):
        return _holds_objects(node.elt)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Add):
        return any(_holds_objects(one, inside=False) for one in (node.left, node.right))
    return inside and (isinstance(node, ast.Lambda | ast.Dict | ast.Set) or (isinstance(node, ast.Constant) and node.value is None))


def _reduced(name: str, call: ast.Call, first: Value) -> Value:
    axis = [word.value for word in call.keywords if word.arg == "axis"]
    keep = any(word.arg == "keepdims" for word in call.keywords)
    whole = not axis and not keep and len(call.args) <= 1
    last = name.rpartition(".")[2]
    dtype = "int64" if last.startswith("arg") or last == "count_nonzero" else "bool" if last in ("any", "all") else None
    if dtype is None and first.is_array and first.dtype in ("float32", "float64"):
        dtype = first.dtype
    return array(dtype, 0 if whole else None, sure=first.sure if first.is_array else True)


def _elementwise(name: str, values: Sequence[Value]) -> Value:
    if name in facts.BOOLEAN:
        return array("bool", broadcast_rank(values))
    if name == "numpy.where":
        values = values[1:]
    dtype = promote(values)
    if name in facts.FLOATING and dtype is not None and dtype.startswith("int"):
        dtype = "float64" if dtype in ("int32", "int64") else None
    if name in ("numpy.divide", "numpy.true_divide") and dtype in ("int32", "int64"):
        dtype = "float64"
    if name in ("numpy.real", "numpy.imag", "numpy.abs", "numpy.absolute", "numpy.angle") and (dtype or "").startswith("complex"):
        dtype = {"complex64": "float32", "complex128": "float64"}[dtype or ""]
    return array(dtype, broadcast_rank(values))


def _product_rank(values: Sequence[Value]) -> int | None:
    ranks = [value.rank for value in values[:2] if value.is_array]
    table = {(1, 1): 0, (2, 2): 2, (2, 1): 1, (1, 2): 1}
    return table.get((ranks[0], ranks[1])) if len(ranks) == 2 and None not in ranks else None  # type: ignore[arg-type]


def _reshape_rank(arguments: list[ast.expr]) -> int | None:
    if len(arguments) == 1 and isinstance(arguments[0], ast.Tuple):
        arguments = arguments[0].elts
    if len(arguments) == 1 and not isinstance(arguments[0], ast.Constant | ast.UnaryOp):
        return None
    return None if any(isinstance(one, ast.Starred) for one in arguments) else len(arguments) or None
