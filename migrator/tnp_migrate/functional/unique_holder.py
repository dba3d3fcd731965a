"""Whether a variable is all that ever holds its array: then it can be bound anew at any time, by whatever runs.

`counts = np.zeros(3)` with `counts[i] += 1`, `counts.sum()` and `counts[0] > 1` is such a variable, by how it is used;
`seen = counts`, `return counts` and `keep(counts)` are not.
"""

from __future__ import annotations

import ast

from tnp_migrate.functional.bodies import key_of
from tnp_migrate.functional.known import Known
from tnp_migrate.functional.points_to import origins
from tnp_migrate.functional.unit import Unit
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.libraries import DRAWING
from tnp_migrate.program.called_libraries import library_called
from tnp_migrate.program.index import Module
from tnp_migrate.program.nodes import walk
from tnp_migrate.program.scopes import Scope

_NUMBERS = frozenset("shape size ndim dtype nbytes itemsize".split())
_LIVE = frozenset({"memoryview", "nditer", "ndenumerate", "flatiter", "broadcast", "frombuffer", "vars", "id"})
RUNNERS = frozenset(
    """
    map filter next iter eval exec getattr setattr apply_along_axis apply_over_axes vectorize fromfunction frompyfunc
    fromiter piecewise
    """.split()
)
_ITERATORS = frozenset("list tuple set dict sum any all min max sorted zip enumerate reversed array asarray".split())
_WAITS = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)


def other_holder(known: Known, module: Module, scope: Scope, name: str) -> ast.AST | None:
    """A place where a variable's array gets another holder, or may; None where there is none."""
    for node in scope.bound.get(name, ()):
        if not _binds_fresh(known, module, node):
            return node
    for use in module.names.scopes.uses.get(name, ()):
        if use.scope.owner(name) is scope and not _is_read(known, module, use.root):
            return use.root
    return None


def repeats(unit: Unit, known: Known, name: str) -> bool:
    """Whether a variable of a body, or what is read of one at dots, has a container that may hold one array twice."""
    twice = known.repeating.get(key_of(unit.function or unit.module), frozenset())
    return name in twice and ("." in name or unit.scope.owner(name) is unit.scope)


def loose_holder(known: Known, module: Module, scope: Scope, name: str) -> ast.AST | None:
    """A place in a lambda or in the body of a class where a variable's array may be handed on."""
    for use in module.names.scopes.uses.get(name, ()):
        if use.scope.owner(name) is not scope:
            continue
        inside = use.scope if use.scope.kind != "comprehension" else use.scope.parent
        loose = inside is not None and (inside.kind == "class" or isinstance(inside.node, ast.Lambda))
        if loose and inside is not None and not _sorts(module, inside.node) and not _is_read(known, module, use.root):
            return use.root
    return None


def _sorts(module: Module, node: ast.AST) -> bool:
    """Whether a lambda is the `key=` of a call."""
    above = module.names.scopes.parent.get(node)
    return isinstance(above, ast.keyword) and above.arg == "key"


def computes(unit: Unit, node: ast.AST) -> bool:
    """Whether nothing of the project or of other code runs while an expression is evaluated."""
    return not any(
        isinstance(one, _WAITS) or (isinstance(one, ast.Call) and not is_of_numpy(unit, one)) for one in walk(node)
    )


def is_of_numpy(unit: Unit, call: ast.Call) -> bool:
    """Whether a call is one of NumPy, of Python or of an array's method: it runs no function of the project."""
    given = [*call.args, *(word.value for word in call.keywords)]
    if any(isinstance(one, ast.Lambda) or unit.value(one).kind in ("function", "class") for one in given):
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in RUNNERS or (name in _ITERATORS and any(unit.value(one).kind == "unknown" for one in given)):
        return False
    if isinstance(call.func, ast.Name) and unit.scope.owner(call.func.id) is None:
        return True
    if isinstance(call.func, ast.Attribute) and unit.value(call.func.value).is_array:
        return True
    return (unit.qualified(call.func) or "").partition(".")[0] in ("numpy", "math")


def _binds_fresh(known: Known, module: Module, node: ast.AST) -> bool:
    """Whether a binding gives a variable an array that nothing else holds."""
    above = module.names.scopes.parent.get(node)
    if isinstance(above, ast.AugAssign):
        return True
    if isinstance(above, ast.AnnAssign) and above.value is None:
        return True
    value = above.value if isinstance(above, ast.Assign | ast.AnnAssign) else None
    if value is None or (isinstance(above, ast.Assign) and above.targets != [node]):
        return False
    return not origins(known.unit_at(module, value), known, value)


def _is_read(known: Known, module: Module, node: ast.expr) -> bool:
    """Whether an array is only computed with where a variable is read, or written to in place."""
    parent = module.names.scopes.parent
    unit = known.unit_at(module, node)
    while True:
        above = parent.get(node)
        if isinstance(above, ast.keyword):
            above = parent.get(above)
        if isinstance(above, ast.expr):
            verdict = _in_expression(known, unit, node, above)
            if verdict is not None:
                return verdict
            node = above
            continue
        return _in_statement(unit, node, above)


def _in_expression(known: Known, unit: Unit, node: ast.expr, above: ast.expr) -> bool | None:
    """Whether an expression takes no hold of a part of it, None where that depends on what is around."""
    if isinstance(above, ast.Subscript):
        if above.slice is node:
            return computes(unit, above)
        if not isinstance(above.ctx, ast.Load):
            return isinstance(above.ctx, ast.Store) and computes(unit, above.slice)
        return computes(unit, above) if not unit.may_be_array(above) else (None if computes(unit, above) else False)
    if isinstance(above, ast.BinOp | ast.UnaryOp | ast.Compare):
        lists = isinstance(above, ast.BinOp) and unit.value(above).kind in ("list", "tuple")
        return not lists and computes(unit, above)
    if isinstance(above, ast.Attribute):
        if above.attr in _NUMBERS:
            return True
        return None if above.attr in traits.VIEW_ATTRIBUTES or _is_method(unit, above) else False
    if isinstance(above, ast.Call):
        return _in_call(known, unit, node, above)
    if isinstance(above, ast.IfExp) and above.test is node:
        return True
    return isinstance(above, ast.FormattedValue)


def _is_method(unit: Unit, node: ast.Attribute) -> bool:
    above = unit.module.names.scopes.parent.get(node)
    return isinstance(above, ast.Call) and above.func is node


def _in_call(known: Known, unit: Unit, node: ast.expr, call: ast.Call) -> bool | None:
    """A call reads what it is given, or gives a view of it: others are taken to keep it."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    receiver = isinstance(call.func, ast.Attribute) and call.func is node
    if not receiver and _is_drawn(unit, call):
        return True
    if name in _LIVE or not computes(unit, call):
        return False
    if receiver and isinstance(call.func, ast.Attribute) and not unit.value(call.func.value).is_array:
        return False
    return None if origins(unit, known, call) else True


def _is_drawn(unit: Unit, call: ast.Call) -> bool:
    """Whether a call draws what it is passed, and runs nothing of the project then or later."""
    if library_called(unit.index, unit.module, call) not in DRAWING:
        return False
    given = [*call.args, *(word.value for word in call.keywords)]
    return not any(_may_run(unit, one) for argument in given for one in walk(argument))


def _may_run(unit: Unit, node: ast.AST) -> bool:
    is_method = isinstance(node, ast.Attribute) and node.attr in unit.index.methods
    return is_method or isinstance(node, ast.Lambda | ast.Call) or unit.value(node).kind in ("function", "class")


def _in_statement(unit: Unit, node: ast.expr, above: ast.AST | None) -> bool:
    """Whether a statement takes no hold of a value that it has."""
    if isinstance(above, ast.Expr):
        return True
    if isinstance(above, ast.If | ast.While | ast.Assert):
        return True
    if isinstance(above, ast.AugAssign):
        return above.target is node or unit.value(above.target).kind in ("array", "scalar")
    if isinstance(above, ast.Assign) and above.value is node:
        return all(
            isinstance(one, ast.Subscript) and unit.value(one.value).kind == "array" and computes(unit, one)
            for one in above.targets
        )
    return False
