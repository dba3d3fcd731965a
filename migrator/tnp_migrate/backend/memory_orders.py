"""Elements asked for in the order of their memory: `x.ravel(order="K")` of a transposed array is not that of a tensor.

A tensor lies in rows whatever made it, so "A" and "K" mean "C" for it; NumPy goes by how the array lies.
"""

from __future__ import annotations

import ast

from tnp_migrate.backend.sites import Site
from tnp_migrate.diagnostics.findings import Finding

# Where the order stands among the arguments by position.
_METHODS = {"ravel": 0, "flatten": 0, "tobytes": 0, "tostring": 0, "reshape": None}
_FUNCTIONS = {"numpy.ravel": 1, "numpy.reshape": 2}


def memory_order_finding(site: Site, call: ast.Call) -> Finding | None:
    """Say that a call goes by the memory of what may have more than one axis, or may do so for all that is known."""
    func = call.func
    place: int | None
    array: ast.expr | None
    name = site.qualified(func) or ""
    if name in _FUNCTIONS:
        place, array = _FUNCTIONS[name], call.args[0] if call.args else None
    elif not name and isinstance(func, ast.Attribute) and func.attr in _METHODS:
        place, array = _METHODS[func.attr], func.value
    else:
        return None
    order = _given(call, place)
    if order is None or (isinstance(order, ast.Constant) and order.value not in ("A", "K")):
        return None
    rank = None if array is None else site.value(array).rank
    if rank is not None and rank < 2 and array is not None and site.value(array).sure:
        return None
    message = "the order of an array's memory: a tensor lies in rows, whatever it was made of"
    return site.finding("TNP407", site.span(order), message, "order")


def _given(call: ast.Call, place: int | None) -> ast.expr | None:
    named = next((word.value for word in call.keywords if word.arg == "order"), None)
    if named is not None or place is None or len(call.args) <= place:
        return named
    return None if isinstance(call.args[place], ast.Starred) else call.args[place]
