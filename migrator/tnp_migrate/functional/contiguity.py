"""Whether an array lies in one piece, its rows one after the other: NumPy gives it another shape without a copy.

`np.zeros((2, 3))` does; `a.T` does not, and nor does `a.T + 1`, which NumPy lays out as it finds its operands.
"""

from __future__ import annotations

import ast

from tnp_migrate.functional.callee_results import given_by
from tnp_migrate.functional.unit import Unit
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.index import Module

_MADE = frozenset(
    f"numpy.{name}"
    for name in """
    arange linspace logspace geomspace eye identity tri outer indices fromfunction tile repeat dot matmul
    ascontiguousarray
    """.split()
)
_ELEMENTWISE = frozenset({"where", "clip", "round"}.union(*traits.UFUNCS_AT.values()))
_LIKE_ITSELF = frozenset("astype clip round reshape ravel".split())
_KEPT = frozenset({"numpy.array", "numpy.asarray", "numpy.asanyarray", "numpy.reshape", "numpy.ravel"})


def is_copy(unit: Unit, call: ast.expr, base: ast.expr) -> bool:
    """Whether a reshape or a ravel of an array may have to copy it. Along a single axis a reshape need not."""
    assert isinstance(call, ast.Call)
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    method = unit.qualified(call.func) is None
    ordered = len(call.args) > (2 if name == "reshape" else 1) if not method else name == "ravel" and bool(call.args)
    if ordered or any(word.arg not in ("shape", "newshape") for word in call.keywords):
        return True
    value = unit.value(base)
    return not (name == "reshape" and value.is_array and value.rank == 1) and not in_one_piece(unit, base)


def in_one_piece(unit: Unit, node: ast.expr, seen: frozenset[str] = frozenset()) -> bool:
    """Whether what an expression gives surely lies in one piece, if it is an array. `seen` are variables looked at."""
    if unit.value(node).kind == "scalar" or isinstance(node, ast.Constant | ast.Compare):
        return not isinstance(node, ast.Compare) or _all(unit, [node.left, *node.comparators], seen)
    if isinstance(node, ast.Name):
        return node.id in seen or _is_bound_so(unit, node.id, seen | {node.id})
    if isinstance(node, ast.Attribute) and unit.path(node) is not None:
        return _is_stored_so(unit, node.attr)
    if isinstance(node, ast.Subscript) and unit.is_view_index(node):
        return _keeps_rows(unit, node.slice) and in_one_piece(unit, node.value, seen)
    if _is_new(unit, node) and unit.value(node).is_array and unit.value(node).rank == 1:
        return True
    if isinstance(node, ast.BinOp):
        return _all(unit, [node.left, node.right], seen)
    if isinstance(node, ast.UnaryOp):
        return in_one_piece(unit, node.operand, seen)
    if isinstance(node, ast.IfExp):
        return _all(unit, [node.body, node.orelse], seen)
    return isinstance(node, ast.Call) and _is_made_so(unit, node, seen)


def _all(unit: Unit, nodes: list[ast.expr], seen: frozenset[str]) -> bool:
    return all(in_one_piece(unit, one, seen) for one in nodes)


def _is_new(unit: Unit, node: ast.expr) -> bool:
    """Whether an expression computes an array, and does not give one that is there, or a view of it."""
    if isinstance(node, ast.Call):
        name = unit.qualified(node.func) or ""
        return name.startswith("numpy.") and name not in traits.VIEW_FUNCTIONS | traits.COPY_FUNCTIONS
    masked = isinstance(node, ast.Subscript) and unit.value(node.value).is_array and unit.value(node.slice).is_array
    return masked or isinstance(node, ast.BinOp | ast.UnaryOp)


def _keeps_rows(unit: Unit, index: ast.expr) -> bool:
    """Whether a basic index leaves whole rows that follow each other: numbers, one slice, then whole axes."""
    parts = list(index.elts) if isinstance(index, ast.Tuple) else [index]
    while parts and unit.is_integer(parts[0]):
        parts.pop(0)
    whole = [isinstance(one, ast.Slice) and one.lower is one.upper is one.step is None for one in parts]
    first = parts[0] if parts else None
    return not parts or (isinstance(first, ast.Slice) and first.step is None and all(whole[1:]))


def _is_bound_so(unit: Unit, name: str, seen: frozenset[str]) -> bool:
    """Whether everything that a variable of this body is bound to lies in one piece."""
    owner = unit.scope.owner(name)
    bound = owner.bound.get(name, []) if owner is not None else []
    if owner is not unit.scope:
        parent = unit.module.names.scopes.parent
        values = [_value_of(unit, one) for one in bound if not isinstance(parent.get(one), ast.AugAssign)]
        return bool(values) and all(_is_creation(unit.module, one) for one in values)
    if _starts_anew(unit, name):
        bound = [one for one in bound if not isinstance(one, ast.arg)]
    values = [_value_of(unit, one) for one in bound]
    return bool(bound) and all(one is not None and in_one_piece(unit, one, seen) for one in values)


def _starts_anew(unit: Unit, name: str) -> bool:
    """Whether a function begins by binding a parameter to something else: `m = m.copy()`."""
    for node in unit.body:
        if any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node)):
            return isinstance(node, ast.Assign) and any(
                isinstance(one, ast.Name) and one.id == name for one in node.targets
            )
    return False


def _value_of(unit: Unit, target: ast.AST) -> ast.expr | None:
    """What an assignment gives a variable; one in place leaves an array where it lies."""
    parent = unit.module.names.scopes.parent
    above = parent.get(target)
    if isinstance(above, ast.AugAssign):
        return above.target
    if isinstance(above, ast.Assign | ast.AnnAssign):
        return above.value
    whole = parent.get(above) if isinstance(above, ast.Tuple) else None
    if not isinstance(above, ast.Tuple) or not isinstance(whole, ast.Assign) or not isinstance(whole.value, ast.Tuple):
        return None
    given = whole.value.elts
    plain = len(given) == len(above.elts) and not any(isinstance(one, ast.Starred) for one in [*given, *above.elts])
    return next(value for one, value in zip(above.elts, given, strict=True) if one is target) if plain else None


def _is_stored_so(unit: Unit, name: str) -> bool:
    """Whether attributes of a name only ever get arrays that are made in one piece, in the whole project."""
    stores = unit.index.attribute_stores.get(name, [])
    for module, node in stores:
        above = module.names.scopes.parent.get(node)
        value = above.value if isinstance(above, ast.Assign | ast.AnnAssign) else None
        if not isinstance(above, ast.AugAssign) and not _is_creation(module, value):
            return False
    return bool(stores)


def _is_ordered(call: ast.Call) -> bool:
    """Whether a call says how an array is to lie, or where: by keyword, or by position, where that is a text."""
    texts = any(isinstance(one, ast.Starred) or getattr(one, "value", None) in ("F", "A", "K") for one in call.args)
    return texts or any(word.arg in ("order", "out", None) for word in call.keywords)


def _is_creation(module: Module, value: ast.expr | None) -> bool:
    """Whether an expression, wherever it stands in a module, makes an array in one piece."""
    if not isinstance(value, ast.Call) or _is_ordered(value):
        return False
    return module.names.of(value.func, module.names.scopes.module) in traits.CREATION | _MADE


def _is_made_so(unit: Unit, call: ast.Call, seen: frozenset[str]) -> bool:
    """Whether a call makes an array in one piece, or gives one where it is given one."""
    if _is_ordered(call):
        return False
    name = unit.qualified(call.func)
    if name is None and isinstance(call.func, ast.Attribute):
        method, array = call.func.attr, unit.value(call.func.value)
        if array.kind == "rng" or (method in ("copy", "flatten") and array.kind in ("array", "unknown")):
            return array.kind == "rng" or not call.args
        given = call.args if method == "clip" else []
        if method in _LIKE_ITSELF and array.is_array:
            return _all(unit, [call.func.value, *given], seen)
    stands_for = given_by(unit, call) if name is None else None
    if name is None or stands_for is not None:
        return stands_for is not None and in_one_piece(unit, stands_for, seen)
    if name in traits.CREATION | _MADE or name.startswith("numpy.random."):
        return True
    if name in _KEPT | traits.LIKE:
        return bool(call.args) and (_is_written_out(unit, call.args[0]) or in_one_piece(unit, call.args[0], seen))
    return name.removeprefix("numpy.") in _ELEMENTWISE and _all(unit, call.args, seen)


def _is_written_out(unit: Unit, node: ast.expr) -> bool:
    """Whether an array is made from a list or from numbers."""
    return isinstance(node, ast.List | ast.Tuple | ast.ListComp) or unit.value(node).kind in ("list", "tuple", "scalar")


def is_picked(unit: Unit, node: ast.Subscript) -> bool:
    """Whether what indexes an array is a mask or positions, and no number; what takes an array as index is no list."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if not unit.value(node.value).is_array:
        return unit.value(node.value).kind == "unknown" and any(unit.value(one).has_axes for one in parts)
    if len(parts) == unit.rank(node.value) and all(unit.value(one).is_array or unit.is_integer(one) for one in parts):
        return True  # or one number
    return any(_picks(unit, one) for one in parts)


def _picks(unit: Unit, part: ast.expr) -> bool:
    """Whether an index is a mask, a list or an array with axes: the one number of `cells[0]` would give a view."""
    if isinstance(part, ast.Compare):
        return True
    if isinstance(part, ast.UnaryOp):
        return _picks(unit, part.operand)
    if isinstance(part, ast.BinOp) and unit.value(part).rank is None:
        return _picks(unit, part.left) or _picks(unit, part.right)
    value = unit.value(part)
    return value.kind == "list" or value.dtype == "bool" or value.has_axes
