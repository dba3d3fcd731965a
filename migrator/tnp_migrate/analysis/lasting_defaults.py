"""The defaults of parameters that all calls share which leave them out, as far as anything can be written to them.

`def f(x, out=np.zeros(3), seen=[])` has two. A number, a text, a tuple of such and `np.array([])` have nothing to write
to.
"""

from __future__ import annotations

import ast

from tnp_migrate.numpy_facts.values import NOTHING
from tnp_migrate.program.index import Module
from tnp_migrate.program.names import split_name
from tnp_migrate.program.scopes import defaults_of

# Functions that make arrays, and whether of items, where others are given a shape.
_MAKERS = {f"numpy.{name}": name in ("array", "asarray") for name in "array asarray empty zeros ones".split()}


def lasting_defaults(module: Module, node: ast.AST) -> dict[str, ast.expr]:
    """By the names of a function's parameters, or a lambda's, the defaults that may be written to."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return {}
    return {name: given for name, given in defaults_of(node.args).items() if _lasts(module, given)}


def _lasts(module: Module, default: ast.expr) -> bool:
    """Whether a default is one object for all calls that something can be written to."""
    if isinstance(default, ast.Tuple):
        return any(_lasts(module, one) for one in default.elts)
    value = module.value(default)
    known = isinstance(default, ast.Constant | ast.UnaryOp) or (value is not None and value.kind in NOTHING)
    return not known and not _is_empty(module, default)


def _is_empty(module: Module, node: ast.expr) -> bool:
    """Whether an expression makes an array without elements: `np.array([])`."""
    if not isinstance(node, ast.Call) or not node.args:
        return False
    name = split_name(module.names.of(node.func, module.names.scopes.module) or "")[0]
    first = node.args[0]
    if _MAKERS.get(name):
        return isinstance(first, ast.List | ast.Tuple) and not first.elts
    return name in _MAKERS and isinstance(first, ast.Constant) and first.value == 0
