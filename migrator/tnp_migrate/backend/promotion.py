"""Operands that TensorFlow promotes otherwise than NumPy, or does not take together, where their types are known.

Input `counts / 300` with `counts` of int8, output `tnp.asarray(counts, tnp.float64) / 300`; `x + True`, output `x + 1`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.sites import Site, wrap
from tnp_migrate.diagnostics.decisions import Decision, Extra
from tnp_migrate.numpy_facts.dtypes import SINGLE
from tnp_migrate.numpy_facts.limits import SMALL
from tnp_migrate.numpy_facts.values import Value
from tnp_migrate.text.source import Span

_SMALL = frozenset(SMALL.split())
_RANGES = {
    "int8": (-(2**7), 2**7), "int16": (-(2**15), 2**15), "int32": (-(2**31), 2**31), "int64": (-(2**63), 2**63),
    "uint8": (0, 2**8), "uint16": (0, 2**16), "uint32": (0, 2**32), "uint64": (0, 2**64),
}  # fmt: skip
_ORDER = ast.Lt | ast.LtE | ast.Gt | ast.GtE
_ORDERED: dict[type[ast.operator | ast.cmpop], str] = {
    ast.Lt: "less", ast.LtE: "less_equal", ast.Gt: "greater", ast.GtE: "greater_equal",
}  # fmt: skip
_SYMBOLS = {ast.Pow: "**", ast.Mod: "%", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def promote_operands(
    site: Site, node: ast.expr, left: ast.expr, operator: ast.operator | ast.cmpop, right: ast.expr
) -> Iterator[Extra]:
    """Decide one operation between two operands."""
    if isinstance(operator, ast.Div):
        yield from quotient(site, node, left, right)
    yield from _python_bools(site, left, right)
    kinds = {_dtype(site, left), _dtype(site, right)}
    if isinstance(operator, ast.Add) and kinds == {"bool"} and (_sure(site, left) or _sure(site, right)):
        parts = (f"{site.tnp('logical_or')}(", site.span(left), ", ", site.span(right), ")")
        yield Extra((Decision(site.span(node), parts, rule="logical_or"),))
    elif isinstance(operator, ast.Pow) and _dtype(site, left) == "bool" and _sure(site, left):
        yield from _power_of_bools(site, node, left, right)
    elif _has_no_kernel(site, left, operator, right) and type(operator) in _ORDERED and _is_one(node):
        rule = _ORDERED[type(operator)]
        parts = (f"{site.helper(rule)}(", site.span(left), ", ", site.span(right), ")")
        yield Extra((Decision(site.span(node), parts, rule=rule),), (), frozenset({rule}))
    elif _has_no_kernel(site, left, operator, right):
        symbol = _SYMBOLS[type(operator)]
        names = " and ".join(sorted(one for one in kinds if one is not None))
        message = f"TensorFlow raises here: it has no `{symbol}` for {names}; cast the operands"
        yield Extra((), (site.finding("TNP317", site.span(node), message, symbol),))


def _is_one(node: ast.expr) -> bool:
    """Whether this is one comparison, not two as in `a < b < c`."""
    return isinstance(node, ast.Compare) and len(node.ops) == 1


def _power_of_bools(site: Site, node: ast.expr, left: ast.expr, right: ast.expr) -> Iterator[Extra]:
    """`b ** 2` and `b ** c` of bools are int8 to NumPy, `b ** 3` is int64; TensorFlow has no power of bools."""
    start, whole = f"{site.tnp('asarray')}(", isinstance(right, ast.Constant) and isinstance(right.value, int)
    if whole and not _is_bool(right) and is_square(ast.Pow(), right) and site.value(left).rank != 0:
        parts = (start, site.span(left), f", {site.tnp('int8')})")
        yield Extra((Decision(site.span(node), parts, rule="power"),))
    elif whole or _dtype(site, right) == "bool":
        dtype = "int8" if _dtype(site, right) == "bool" else "int64"
        if isinstance(right, ast.Constant) and _is_bool(right):
            yield Extra((Decision(site.span(right), (str(int(right.value is True)),), rule="bool"),))
        for one in (left, *([] if whole else [right])):
            yield Extra((Decision(_with_parentheses(site, one), (start, site.span(one), f", {site.tnp(dtype)})")),))


def _sure(site: Site, node: ast.expr) -> bool:
    return site.value(node).is_array and site.value(node).sure


def _is_bool(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def quotient(site: Site, node: ast.expr, left: ast.expr, right: ast.expr) -> Iterator[Extra]:
    """`/` of small integers gives float32 in TensorFlow, float64 in NumPy; a number beyond the dtype wraps there.

    Where they are likely to be such, a parameter say, what the program is given decides.
    """
    for one, other in ((left, right), (right, left)):
        value, beside = site.value(one), site.value(other)
        fits = beside.kind == "scalar" or (beside.is_array and beside.dtype in _SMALL)
        narrow = value.dtype in _SMALL and fits and beside.dtype not in SINGLE
        if value.is_array and not value.sure and narrow:
            parts = (f"{site.helper('quotient')}(", site.span(left), ", ", site.span(right), ")")
            yield Extra((Decision(site.span(node), parts, rule="divide"),), (), frozenset({"quotient"}))
            return
        if value.is_array and value.sure and (narrow or beyond(value, other)):
            cast = (f"{site.tnp('asarray')}(", site.span(one), f", {site.tnp('float64')})")
            yield Extra((Decision(_with_parentheses(site, one), cast, rule="divide"),))
            return


def _with_parentheses(site: Site, operand: ast.expr) -> Span:
    """The bytes of an operand and of the parentheses directly around it."""
    span, body = site.span(operand), site.source.body
    around = body[span.start - 1 : span.start] == b"(" and body[span.end : span.end + 1] == b")"
    return Span(span.start - 1, span.end + 1) if around else span


def _python_bools(site: Site, left: ast.expr, right: ast.expr) -> Iterator[Extra]:
    """TensorFlow makes no number of a Python bool; NumPy counts it as one."""
    for one, other in ((left, right), (right, left)):
        dtype = site.value(other).dtype
        if isinstance(one, ast.Constant) and _is_bool(one) and _sure(site, other) and dtype not in (None, "bool"):
            yield Extra((Decision(site.span(one), (str(int(one.value is True)),), rule="bool"),))


def _dtype(site: Site, node: ast.expr) -> str | None:
    """The dtype of an operand: that of a written bool too; a written integer has none of its own."""
    return "bool" if _is_bool(node) else site.value(node).dtype


def _has_no_kernel(site: Site, left: ast.expr, operator: ast.operator | ast.cmpop, right: ast.expr) -> bool:
    """Whether TensorFlow lacks the operation for what the operands promote to."""
    if not (_sure(site, left) or _sure(site, right)):
        return False
    dtypes = {_dtype(site, left), _dtype(site, right)}
    if isinstance(operator, _ORDER):
        return dtypes == {"bool"} or any((one or "").startswith("complex") for one in dtypes)
    if isinstance(operator, ast.Mod):
        return dtypes == {"bool"}
    if isinstance(operator, ast.Pow):
        integers = (_dtype(site, node) or isinstance(getattr(node, "value", None), int) for node in (left, right))
        known = [one for one in dtypes if one is not None]
        if is_square(operator, right) and "bool" not in known:
            return False
        return all(integers) and all(one.startswith("uint") or one == "bool" for one in known)
    return False


def is_square(operator: ast.operator | ast.cmpop, right: ast.expr) -> bool:
    """Whether an operation is `** 2`."""
    return isinstance(operator, ast.Pow) and isinstance(right, ast.Constant) and right.value == 2


def negate(site: Site, node: ast.UnaryOp) -> Iterator[Extra]:
    """`-x` of unsigned integers wraps in NumPy; TensorFlow subtracts them and does not negate them."""
    value = site.value(node.operand)
    if isinstance(node.op, ast.USub) and value.is_array and value.sure and (value.dtype or "").startswith("uint"):
        inside = isinstance(site.parent(node), ast.BinOp | ast.UnaryOp | ast.Attribute | ast.Subscript)
        parts = ("(0 - " if inside else "0 - ", site.span(node.operand), ")" if inside else "")
        yield Extra((Decision(_with_parentheses(site, node) if inside else site.span(node), parts, rule="negative"),))


def beyond(array: Value, node: ast.expr) -> bool:
    """Whether a written integer does not fit the array's dtype."""
    try:
        number = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    low, high = _RANGES.get(array.dtype or "", (0, 0))
    return isinstance(number, int) and low != high and not low <= number < high


def as_arrays(site: Site, left: ast.expr, right: ast.expr) -> Iterator[Extra]:
    """A list beside an array is an array to NumPy, with a dtype of its own."""
    for one, other in ((left, right), (right, left)):
        if (isinstance(one, ast.List) or site.value(one).kind == "list") and _sure(site, other):
            yield Extra((wrap(site.span(one), f"{site.tnp('asarray')}("),))
