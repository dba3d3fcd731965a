"""What a condition is where something is known of the names in it: `axis is None` where no call gives an axis."""

from __future__ import annotations

import ast
from collections.abc import Mapping

_KINDS = {"bool": bool, "int": int, "float": float, "complex": complex, "str": str, "tuple": tuple, "list": list}
_LIBRARIES = frozenset({"np", "tf", "tnp", "math", "operator"})


def is_constant(value: ast.expr) -> bool:
    """Whether an expression is the same everywhere: a literal, or a name of a library."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        value = value.operand
    if isinstance(value, ast.Attribute):
        while isinstance(value, ast.Attribute):
            value = value.value
        return isinstance(value, ast.Name) and value.id in _LIBRARIES
    return isinstance(value, ast.Constant)


def source_of(value: ast.expr) -> str:
    """A constant as it is written, strings in double quotes."""
    text = ast.unparse(value)
    is_text = isinstance(value, ast.Constant) and isinstance(value.value, str) and not set(text) & set('"\\')
    return f'"{text[1:-1]}"' if is_text else text


def truth(test: ast.expr, known: Mapping[str, ast.expr]) -> bool | None:
    """Whether a condition holds; None where that is not known."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        said = truth(test.operand, known)
        return None if said is None else not said
    if isinstance(test, ast.BoolOp):
        return _of_several(test, known)
    if isinstance(test, ast.Compare):
        return _of_comparison(test, known)
    if isinstance(test, ast.Call):
        return _of_kind(test, known)
    value = _value(test, known)
    return bool(value.value) if isinstance(value, ast.Constant) and value.value is not ... else None


def _value(node: ast.expr, known: Mapping[str, ast.expr]) -> ast.expr | None:
    found = known.get(node.id) if isinstance(node, ast.Name) else node
    return found if found is not None and is_constant(found) else None


def _of_several(test: ast.BoolOp, known: Mapping[str, ast.expr]) -> bool | None:
    """The first operand that decides, where all before it are known."""
    deciding = isinstance(test.op, ast.Or)
    for one in test.values:
        said = truth(one, known)
        if said is None or said is deciding:
            return said
    return not deciding


def _of_comparison(test: ast.Compare, known: Mapping[str, ast.expr]) -> bool | None:
    left = _value(test.left, known)
    operator, other = test.ops[0], test.comparators[0]
    if isinstance(other, ast.Name) and isinstance(operator, ast.In):
        other = known.get(other.id, other)
        other = other if isinstance(other, ast.Set) else ast.Name("?", ast.Load())
    elif not isinstance(test.left, ast.Name):
        return None
    if left is None or len(test.ops) != 1:
        return None
    if isinstance(operator, ast.In | ast.NotIn):
        items = other.elts if isinstance(other, ast.Tuple | ast.List | ast.Set) else None
        if items is None or not all(isinstance(one, ast.Constant) for one in items):
            return None
        said = [_same(left, one) for one in items]
        found = True if True in said else None if None in said else False
    elif isinstance(operator, ast.Is | ast.IsNot):
        found = _same(left, other, same_type=True)
    else:
        found = _same(left, other) if isinstance(operator, ast.Eq | ast.NotEq) else None
    if found is None:
        return None
    return found is isinstance(operator, ast.In | ast.Is | ast.Eq)


def _same(left: ast.expr, right: ast.expr, *, same_type: bool = False) -> bool | None:
    """Whether two constants are the same one; names of a library are not None, and else unknown."""
    if not isinstance(right, ast.Constant):
        return True if isinstance(left, ast.Attribute) and ast.dump(left) == ast.dump(right) else None
    if isinstance(left, ast.Attribute):
        return False if right.value is None else None
    try:
        value = ast.literal_eval(left)
    except ValueError:
        return None
    return bool(value == right.value) and (not same_type or type(value) is type(right.value))


def _of_kind(test: ast.Call, known: Mapping[str, ast.expr]) -> bool | None:
    """`isinstance(axis, tuple)` of a literal, and of types that are Python's own; no literal is `callable`."""
    if isinstance(test.func, ast.Name) and test.func.id == "bool" and len(test.args) == 1:
        return truth(test.args[0], known)
    if isinstance(test.func, ast.Name) and test.func.id == "callable" and len(test.args) == 1:
        return False if isinstance(_value(test.args[0], known), ast.Constant) else None
    if not (isinstance(test.func, ast.Name) and test.func.id == "isinstance" and len(test.args) == 2):
        return None
    value = _value(test.args[0], known)
    if not isinstance(test.args[0], ast.Name) or isinstance(value, ast.Attribute) or value is None:
        return None
    kinds = test.args[1].elts if isinstance(test.args[1], ast.Tuple) else [test.args[1]]
    if not all(isinstance(one, ast.Name | ast.Attribute) for one in kinds):
        return None
    types = [_KINDS.get(one.id) if isinstance(one, ast.Name) else None for one in kinds]
    plain = ast.literal_eval(value)
    if any(isinstance(plain, one) for one in types if one is not None):
        return True
    return False if plain is None or None not in types else None
