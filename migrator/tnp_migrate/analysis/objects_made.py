"""Which functions make arrays that no tensor holds, whatever they are passed.

`def parse(x): return np.ma.asarray(x)` gives a masked array to each caller; `def half(x): return x / 2` gives one only
to those that pass one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.numpy_facts.values import HOST_DTYPES, Value
from tnp_migrate.program.index import Function
from tnp_migrate.program.names import is_numpy

_DERIVED = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.NamedExpr, ast.Starred, ast.Attribute)


def is_object(value: Value | None) -> bool:
    """Whether a value is an array that no tensor holds."""
    return value is not None and value.is_array and value.dtype in HOST_DTYPES


def takes_objects(function: Function) -> bool:
    """Whether what a function returns may hold objects because of an argument."""
    return any(map(is_object, function.arguments.values()))


def makes_objects(function: Function) -> bool:
    """Whether something in a body is an array that no tensor holds, and not by what the function is passed."""
    return _makes(function, {function})


def _makes(function: Function, asked: set[Function]) -> bool:
    values = function.module.values
    found = (node for node in function.nodes if isinstance(node, ast.expr) and is_object(values.get(node)))
    return any(_is_made(function, node, asked) for node in found)


def _is_made(function: Function, node: ast.expr, asked: set[Function]) -> bool:
    """Whether an expression is such an array though none of its parts is, or by the name of what is called."""
    if isinstance(node, ast.Name):
        owner = function.module.names.scopes.around(node).owner(node.id)
        return owner is None or owner.kind == "module"
    if isinstance(node, ast.Call):
        return _call_makes(function, node, asked)
    if isinstance(node, ast.Subscript):
        return not is_object(function.module.values.get(node.value))
    if isinstance(node, _DERIVED):
        return not any(is_object(function.module.values.get(part)) for part in ast.iter_child_nodes(node))
    return True


def _call_makes(function: Function, call: ast.Call, asked: set[Function]) -> bool:
    values = function.module.values
    if not any(is_object(values.get(part)) for part in _parts(call)):
        return True
    called = values.get(call.func)
    if called is not None and called.kind == "function":
        callee = called.ref
        if callee in asked:
            return False
        asked.add(callee)
        return _makes(callee, asked)
    name = function.module.names.of(call.func, function.module.names.scopes.around(call))
    if name is not None and is_numpy(name):
        return name.count(".") > 1 or any(word.arg == "dtype" for word in call.keywords) or name.endswith("mat")
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("astype", "view")


def _parts(call: ast.Call) -> Iterator[ast.expr]:
    if isinstance(call.func, ast.Attribute):
        yield call.func.value
    yield from call.args
    yield from (word.value for word in call.keywords)
