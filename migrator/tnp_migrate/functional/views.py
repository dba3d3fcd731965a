"""What an expression gives of the array that it is taken from: a view of it, perhaps a copy, or the array itself."""

from __future__ import annotations

import ast
from itertools import pairwise

from tnp_migrate.functional.access_paths import is_reshape
from tnp_migrate.functional.contiguity import is_copy
from tnp_migrate.functional.store_forms import is_part
from tnp_migrate.functional.unit import Unit

_READ_ONLY = frozenset({"numpy.broadcast_to", "numpy.broadcast_arrays", "numpy.diagonal"})


def read_only(unit: Unit, node: ast.expr) -> ast.expr | None:
    """What an expression gives a view of that cannot be written to."""
    if not isinstance(node, ast.Call):
        return None
    if unit.qualified(node.func) in _READ_ONLY:
        return node.args[0] if node.args else None
    return node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr == "diagonal" else None


def gives_itself(unit: Unit, call: ast.Call) -> bool:
    """Whether a call gives its argument, if that is an array of the dtype, or a copy; on TensorFlow as in NumPy."""
    if unit.qualified(call.func) == "numpy.nan_to_num":
        copies = [word.value for word in call.keywords if word.arg == "copy"]
        return len(copies) == 1 and isinstance(copies[0], ast.Constant) and not copies[0].value
    known = unit.qualified(call.func) in ("numpy.asarray", "numpy.asanyarray")
    plain = all(word.arg == "dtype" for word in call.keywords) and len(call.args) in (1, 2)
    return known and plain and not _may_be_number(unit, call.args[0]) and "__array__" not in unit.index.methods


def may_copy(unit: Unit, chain: list[ast.expr]) -> bool:
    """Whether what is given another shape may lie in pieces, or be a number: NumPy copies it then."""
    return any(
        (is_reshape(one) and is_copy(unit, one, inner)) or _may_be_number(unit, inner) for one, inner in pairwise(chain)
    )


def _may_be_number(unit: Unit, node: ast.expr) -> bool:
    """Whether an array has no axes: NumPy may have made a number of it, which shares memory with nothing."""
    return unit.value(node).is_array and unit.rank(node) == 0


def has_parts(unit: Unit, chain: list[ast.expr]) -> bool:
    """Whether what real and imaginary parts are taken of are arrays: other objects have attributes of these names."""
    taken = [inner for one, inner in pairwise(chain) if is_part(one, unit.qualified)]
    return all(unit.value(one).is_array for one in taken)


def surely_view(unit: Unit, node: ast.expr) -> bool:
    """Whether a basic index gives an array, and not one element."""
    rank = unit.rank(node)
    if rank is not None:
        return rank > 0 or unit.may_be_array(node)
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return any(isinstance(part, ast.Slice) or not unit.is_integer(part) for part in parts)
    return True
