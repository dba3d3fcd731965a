"""What calls of the project's functions give, written with their arguments.

After `def interior(grid): return grid[1:-1]` the call `interior(a)` is `a[1:-1]`, a view that can be stored into.
"""

from __future__ import annotations

import ast
import copy
from functools import cache

from tnp_migrate.analysis.argument_binding import given_alone
from tnp_migrate.analysis.escapes import returned_roots
from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.functional.access_paths import Path
from tnp_migrate.functional.unit import Unit
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.index import Function
from tnp_migrate.program.scopes import defaults_of

_PLAIN = (
    ast.Name, ast.Constant, ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.UnaryOp, ast.Attribute, ast.expr_context,
    ast.unaryop,
)  # fmt: skip


def given_by(unit: Unit, call: ast.Call, position: int | None = None) -> ast.expr | None:
    """The expression that a call stands for, or its item at a position; None where that is not known.

    It is made of parts of the call and of new nodes, which have no place in the file.
    """
    value = unit.module.value(call.func) or UNKNOWN
    function = value.ref if value.kind == "function" else None
    if not isinstance(function, Function):
        return None
    if function.owner is not None and unit.index.methods.get(function.node.name) != [function]:
        return None  # another class may have its own
    returned = _returned_always(function, position)
    return None if returned is None else _with_arguments(unit, function, call, returned)


def item_made(unit: Unit, call: ast.Call) -> Path | None:
    """The item of a dict that `sums.setdefault(key, np.zeros(2))` gives: it is there then."""
    method = call.func if isinstance(call.func, ast.Attribute) and call.func.attr == "setdefault" else None
    if method is None or len(call.args) != 2 or call.keywords or unit.value(method.value).kind != "dict":
        return None
    return unit.path(ast.Subscript(method.value, call.args[0], ast.Load()))


def item_of(unit: Unit, chain: list[ast.expr]) -> ast.expr | None:
    """The item that a chain of views begins with: `x` in `(x, y)[0][1:]`, and in `pair(x, y)[0]`, which gives both."""
    picked = chain[-2] if len(chain) > 1 else None
    key = picked.slice if isinstance(picked, ast.Subscript) else None
    given = given_by(unit, chain[-1]) if isinstance(chain[-1], ast.Call) else chain[-1]
    if not isinstance(key, ast.Constant) or not isinstance(given, ast.Tuple | ast.List):
        return None
    starred = any(isinstance(one, ast.Starred) for one in given.elts)
    return given.elts[key.value] if type(key.value) is int and not starred and key.value < len(given.elts) else None


def returned_by(function: Function, position: int | None = None) -> list[ast.expr]:
    """What a function returns, or the items at a position, none where it may return something else as well."""
    node = function.node
    if function.yields or node.decorator_list or isinstance(node, ast.AsyncFunctionDef):
        return []
    if function.nested or not isinstance(node.body[-1], ast.Return):
        return []
    found = _returns(function)
    if position is None:
        return [one for one in found if one is not None] if None not in found else []
    tuples = [one.elts for one in found if isinstance(one, ast.Tuple)]
    whole = len(tuples) == len(found) and len({len(elts) for elts in tuples}) == 1
    starred = any(isinstance(one, ast.Starred) for elts in tuples for one in elts)
    return [elts[position] for elts in tuples] if whole and not starred and position < len(tuples[0]) else []


def parameters_of_item(summary: Summary, function: Function, position: int) -> frozenset[str] | None:
    """The parameters whose arrays an item of what a function returns may be; None where it may be something else."""
    items = returned_by(function, position)
    found = {root for one in items for root in returned_roots(summary, one)}
    if not items or any(kind not in ("parameter", "local") for kind, _ in found):
        return None
    return frozenset(name for kind, name in found if kind == "parameter")


@cache
def _returned_always(function: Function, position: int | None) -> ast.expr | None:
    """What a function returns, or its item at a position, where that is one expression; None where it is not."""
    returned = returned_by(function, position)
    return returned[0] if returned and len(set(map(ast.dump, returned))) == 1 else None


@cache
def _returns(function: Function) -> list[ast.expr | None]:
    """What stands behind each `return` of a function; none where there are functions in it."""
    inside = function.nodes
    if any(isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) for one in inside if one is not function.node):
        return []
    return [one.value for one in inside if isinstance(one, ast.Return)]


def _with_arguments(unit: Unit, function: Function, call: ast.Call, node: ast.expr) -> ast.expr | None:
    """An expression of parameters as one of arguments. All but the array that it starts from are plain ones."""
    starred = any(isinstance(one, ast.Starred) for one in call.args) or any(word.arg is None for word in call.keywords)
    if starred or not all(isinstance(one, _PLAIN) for one in ast.walk(node)):
        return None
    roots = [_root(one) for one in (node.elts if isinstance(node, ast.Tuple | ast.List) else [node])]
    given: dict[str, ast.expr] = {
        name: one for name, one in defaults_of(function.node.args).items() if isinstance(one, ast.Constant)
    }
    given |= given_alone(unit.module, function, call)
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and not _is_kept(function, one.id, in_place=one in roots):
            return None
        if isinstance(one, ast.Name) and (one.id not in given or not (one in roots or _is_atom(given[one.id]))):
            return None
    return _put(node, given) if all(isinstance(one, ast.Name | ast.Constant) for one in roots) else None


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node


def _is_kept(function: Function, name: str, *, in_place: bool) -> bool:
    """Whether a parameter is never bound anew, other than by operations in place where these are allowed."""
    parent = function.module.names.scopes.parent
    others = [one for one in function.scope.bound.get(name, ()) if not isinstance(one, ast.arg)]
    return name in function.parameters and all(
        in_place and isinstance(parent.get(one), ast.AugAssign) for one in others
    )


def _is_atom(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant | ast.Name)


def _put(node: ast.expr, given: dict[str, ast.expr]) -> ast.expr:
    """An expression with others in place of its variables; those keep what is known of them."""
    if isinstance(node, ast.Name):
        return given[node.id]

    def put(value: object) -> object:
        if isinstance(value, list):
            return [put(one) for one in value]
        return _put(value, given) if isinstance(value, ast.expr) else value

    made = copy.copy(node)
    for name in node._fields:
        setattr(made, name, put(getattr(node, name)))
    return made


def on_root(chain: list[ast.expr], root: ast.expr) -> ast.expr:
    """The view of another array: `f(a)[1:].T` on `b` is `b[1:].T`. `chain` leads from the view to what it is of."""
    found = root
    for one, inner in zip(chain[-2::-1], chain[:0:-1], strict=True):
        new = copy.copy(one)
        if isinstance(new, ast.Call) and isinstance(new.func, ast.Attribute) and new.func.value is inner:
            new.func = ast.Attribute(found, new.func.attr, new.func.ctx)
        elif isinstance(new, ast.Call):
            new.args = [found if arg is inner else arg for arg in new.args]
        else:
            assert isinstance(new, ast.Subscript | ast.Attribute)
            new.value = found
        found = new
    return found
