"""Which expressions give an object of their own, that nothing else holds, and which lists that hold what others do."""

from __future__ import annotations

import ast

from tnp_migrate.functional.contiguity import is_picked
from tnp_migrate.functional.unit import Unit
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.values import HOLDING
from tnp_migrate.program.nodes import WRITTEN_OUT


def makes_object(unit: Unit, node: ast.expr) -> bool:
    """Whether an expression gives an object of its own, on TensorFlow too, where `x.astype(...)` may be `x`."""
    if isinstance(node, ast.BinOp):
        return not is_of_lists(unit, node)
    if isinstance(node, ast.Compare):
        return True
    if isinstance(node, ast.Subscript):  # a mask or positions
        return unit.value(node.value).is_array and is_picked(unit, node)
    if not isinstance(node, ast.Call) or any(word.arg == "copy" for word in node.keywords):
        return False
    qualified = unit.qualified(node.func)
    if qualified is None and isinstance(node.func, ast.Attribute):
        return node.func.attr == "copy" and not node.args
    return qualified in traits.CREATION | traits.LIKE | {"numpy.array", "numpy.copy"}


def is_apart(unit: Unit, node: ast.expr) -> bool:
    """Whether nothing else holds what an expression gives, nor anything in it: `p + q` may be a list."""
    return makes_object(unit, node) and (not isinstance(node, ast.BinOp) or unit.value(node).is_array)


def is_of_lists(unit: Unit, node: ast.BinOp) -> bool:
    """Whether containers are joined, or one is repeated: the result holds what they do."""
    if isinstance(node.op, ast.Add):
        return _joins(unit, node)
    sides = (node.left, node.right)
    if not isinstance(node.op, ast.Mult | ast.BitOr) or any(unit.value(one).is_array for one in sides):
        return False
    return any(isinstance(one, WRITTEN_OUT) or unit.value(one).kind in HOLDING for one in sides)


def _joins(unit: Unit, node: ast.BinOp) -> bool:
    """Whether lists or tuples are joined."""
    values = [unit.value(one) for one in (node, node.left, node.right)]
    joined = [one for one in values if one.joins or one.kind in ("list", "tuple")]
    return bool(joined) and not any(one.is_array and not one.joins for one in values)
