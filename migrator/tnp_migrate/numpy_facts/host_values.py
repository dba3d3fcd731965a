"""Arrays that no tensor holds: masked, structured, text, object and time arrays, and matrices.

Their kind stands where other arrays have a dtype, `array masked`, and goes with them through functions and methods.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.names_table import dtype_problem
from tnp_migrate.numpy_facts.values import HOST_DTYPES, SCALAR, UNKNOWN, Value, array

SUBCLASSES = frozenset({"masked", "matrix"})  # they stay so in what is computed, whatever dtype is asked for
_OF_CODE = {code: kind for kind, (code, _) in HOST_DTYPES.items()}
_MATRICES = frozenset(f"numpy.{name}" for name in "matrix asmatrix mat bmat".split())
_UNMASKED = frozenset("getmask getmaskarray getdata filled compressed compress_rows compress_cols make_mask".split())
_COUNTS = frozenset("count is_masked isMaskedArray isMA isarray allclose allequal is_mask".split())
_TOLD = frozenset("argsort argmax argmin argpartition searchsorted count_nonzero isin in1d size ndim".split())


def made_for_host(name: str, call: ast.Call, dtype: ast.expr | None) -> Value | None:
    """What a NumPy function makes that no tensor holds, by its name or by the dtype that it is given."""
    last = name.rpartition(".")[2]
    if name.startswith("numpy.ma.") and name.count(".") == 2:
        if last in _COUNTS or (f"numpy.{last}" in traits.REDUCTIONS and not _has_axis(call, 1)):
            return SCALAR if last in _COUNTS else UNKNOWN
        return array() if last in _UNMASKED else array("masked")
    if name in _MATRICES:
        return array("matrix", 2)
    if name.startswith("numpy.rec.") or name == "numpy.recarray":
        return array("structured")
    if name == "numpy.genfromtxt" and (words := {word.arg for word in call.keywords} & {"usemask", "names"}):
        return array("masked" if "usemask" in words else "structured")
    kind = host_dtype(dtype) if dtype is not None else None
    return array(kind) if kind is not None and traits.RESULTS.get(name, "array") == "array" else None


def host_dtype(node: ast.expr) -> str | None:
    """The kind that a dtype which is written out stands for, where no tensor has it."""
    spelled: object = None
    if isinstance(node, ast.Constant):
        spelled = node.value
    elif isinstance(node, ast.List):
        spelled = []
    return _OF_CODE.get(dtype_problem(spelled) or "")


def carried(name: str, call: ast.Call, values: Sequence[Value], result: Value, dtype: ast.expr | None) -> Value:
    """The value of a NumPy function, where it is an array of the kind that its arguments are."""
    kind = host_of(*values)
    last = name.rpartition(".")[2]
    if kind is None or result.kind != "array" or last in _TOLD:
        return result
    if kind in SUBCLASSES:
        plain = name in traits.CONVERSIONS or (name in traits.REDUCTIONS and not _has_axis(call, 1))
    else:
        plain = dtype is not None or name in traits.BOOLEAN
    if plain:
        return replace(result, dtype=None) if result.dtype == kind else result
    return replace(result, dtype=kind)


def carried_by_method(receiver: Value, name: str, call: ast.Call, result: Value) -> Value:
    """The value of an array's method, where it is of the array's kind."""
    whole = f"numpy.{name}" in traits.REDUCTIONS and not _has_axis(call, 0)
    if receiver.dtype not in SUBCLASSES or result.kind != "array" or whole or name in _TOLD:
        return result
    return replace(result, dtype=receiver.dtype)


def host_of(*values: Value) -> str | None:
    """The kind of the first array among some values that no tensor holds."""
    return next((one.dtype for one in values if one.is_array and one.dtype in HOST_DTYPES), None)


def _has_axis(call: ast.Call, position: int) -> bool:
    return len(call.args) > position or any(word.arg in ("axis", None) for word in call.keywords)
