"""Whether a view keeps its meaning: what picks it has the same value for as long as its variables are not bound anew.

`a[1:n]` and `a[ends[i]]` do, where nothing changes `ends`; `v = a[self.k]` is another row than `a[self.k]` is after
`self.k += 1`.
"""

from __future__ import annotations

import ast

from tnp_migrate.functional.access_paths import may_share, view_base
from tnp_migrate.functional.unit import Unit
from tnp_migrate.program.nodes import walk

_KEPT = frozenset({"tuple", "shape", "str", "scalar"})  # what has no items that can change
_COUNTED = frozenset("len range min max sum print".split())
_SIZES = frozenset({"shape", "size", "ndim", "dtype"})
_PARTS = (
    ast.Constant, ast.Slice, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.Compare, ast.keyword, ast.expr_context, ast.unaryop,
    ast.operator, ast.cmpop,
)  # fmt: skip


def is_steady(unit: Unit, chain: list[ast.expr]) -> bool:
    """Whether a view is picked by what changes by bindings of variables alone. `chain` leads to what it is of."""
    inner = set(chain[1:])
    return all(
        keeps_value(unit, part)
        for one in chain[:-1]
        for part in ast.iter_child_nodes(one)
        if part not in inner and not (isinstance(one, ast.Call) and part is one.func)
    )


def keeps_value(unit: Unit, node: ast.AST) -> bool:
    """Whether an expression has the same value until one of its variables is bound anew."""
    if isinstance(node, ast.Name):
        return node.id not in unit.module.rebindable
    if isinstance(node, ast.Attribute):
        bound = node.attr in unit.index.reset_attributes  # what this body binds itself is followed
        if bound and (unit.qualified(node) is not None or node.attr in unit.index.hidden_attributes or runs(unit)):
            return False
        return keeps_value(unit, node.value)
    if isinstance(node, ast.Subscript):
        return _keeps_items(unit, node.value) and keeps_value(unit, node.slice)
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name) or node.keywords:
            return False
        counts = node.func.id == "len" and not any(unit.value(one).is_array for one in node.args)
        return all(_keeps_items(unit, one) if counts else keeps_value(unit, one) for one in node.args)
    return isinstance(node, _PARTS) and all(keeps_value(unit, one) for one in ast.iter_child_nodes(node))


def runs(unit: Unit) -> bool:
    """Whether a body calls anything but NumPy, Python's functions and methods of arrays: it may bind attributes."""
    for statement in unit.body:
        for one in walk(statement):
            if not isinstance(one, ast.Call):
                continue
            builtin = isinstance(one.func, ast.Name) and unit.scope.owner(one.func.id) is None
            of_array = isinstance(one.func, ast.Attribute) and unit.value(one.func.value).is_array
            if (
                not builtin
                and not of_array
                and str(unit.qualified(one.func)).partition(".")[0] not in ("numpy", "math")
            ):
                return True
            if any(unit.may_be_run(given) for given in (*one.args, *(word.value for word in one.keywords))) and builtin:
                return True
    return False


def _keeps_items(unit: Unit, node: ast.expr) -> bool:
    """Whether what a container has stays the same: a tuple's items do, and those of a variable that is only read."""
    if isinstance(node, ast.Attribute) and node.attr == "shape" and unit.value(node.value).is_array:
        return keeps_value(unit, node.value)
    if unit.value(node).kind in _KEPT:
        return keeps_value(unit, node)
    owner = unit.scope.owner(node.id) if isinstance(node, ast.Name) else None
    if not isinstance(node, ast.Name) or owner is None or owner is not unit.scope or not keeps_value(unit, node):
        return False
    uses = unit.module.names.scopes.uses.get(node.id, ())
    here = [use.root for use in uses if use.scope.owner(node.id) is owner]
    return all(_binds_own(unit, one) for one in owner.bound.get(node.id, ())) and all(
        _is_read(unit, one) for one in here
    )


def _binds_own(unit: Unit, node: ast.AST) -> bool:
    """Whether a binding gives a variable a container that no other name here has."""
    above = unit.module.names.scopes.parent.get(node)
    value = above.value if isinstance(above, ast.Assign) and above.targets == [node] else None
    if isinstance(value, ast.Call) and not any(word.arg == "out" for word in value.keywords):
        is_view = view_base(value, unit.qualified, unit.is_view_index) or may_share(value, unit.qualified)
        return is_view is None and str(unit.qualified(value.func)).startswith("numpy.")
    return isinstance(node, ast.arg) or isinstance(value, ast.List | ast.ListComp | ast.BinOp)


def _is_read(unit: Unit, node: ast.expr) -> bool:
    """Whether a use of a container takes a number out of it, or its size."""
    above = unit.module.names.scopes.parent.get(node)
    if isinstance(above, ast.Subscript):
        return isinstance(above.ctx, ast.Load) and (above.slice is node or unit.is_integer(above.slice))
    if isinstance(above, ast.Attribute):
        return above.attr in _SIZES
    if isinstance(above, ast.Call):
        return isinstance(above.func, ast.Name) and above.func.id in _COUNTED
    return isinstance(above, ast.Return | ast.Compare | ast.BinOp)
