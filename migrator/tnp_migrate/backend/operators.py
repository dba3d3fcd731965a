"""Operators between arrays that tensors lack, or that give another dtype, value or error than NumPy's.

Input `a // 0.1`, output `tnh.floor_divide(a, 0.1)`; input `x << 2`, output `tnh.left_shift(x, 2)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from tnp_migrate.analysis.memory import roots
from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.backend.promotion import as_arrays, beyond, is_square, promote_operands, quotient
from tnp_migrate.backend.sites import Site, wrap
from tnp_migrate.diagnostics.decisions import Decision, Extra, Outcome
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.dtypes import floating
from tnp_migrate.numpy_facts.host_values import host_of
from tnp_migrate.numpy_facts.limits import (
    DIVIDED,
    FLOATED,
    LIMITS,
    REAL_PARTS,
    SMALL,
    WRAPPING,
    bare_names,
    lacking_kernel,
)
from tnp_migrate.numpy_facts.results import literal
from tnp_migrate.numpy_facts.values import SEQUENCE
from tnp_migrate.text.source import Span

_FLOATED, _DIVIDED, _REAL_PARTS = (bare_names(LIMITS[one]) for one in (FLOATED, DIVIDED, REAL_PARTS))
_WRAPPING = bare_names(WRAPPING)
_KINDS = {"bool": 0, "uint": 1, "int": 2, "float": 3, "complex": 4}  # which arrays take in place, and those before
_SHIFTS = {ast.LShift: "left_shift", ast.RShift: "right_shift"}


def translate_operation(site: Site, node: ast.BinOp) -> Iterator[Extra]:
    """Decide `+`, `/`, `//`, `<<` and the like."""
    if _is_left(site, node.left, node.right):
        return
    ranks = {site.value(node.left).rank, site.value(node.right).rank}
    repeats = isinstance(node.op, ast.Mult) and ranks <= {0, None}  # an unknown rank may be that of a NumPy integer
    if not repeats:  # `[0] * n` with a NumPy integer
        yield from as_arrays(site, node.left, node.right)
    yield from _shifted(site, node)
    yield from _squared(site, node)
    yield from _divided(site, node)
    if isinstance(node.op, ast.MatMult) and _lacks_product(site, node.left) and _lacks_product(site, node.right):
        yield from _helper(site, node, "matmul")
    yield from promote_operands(site, node, node.left, node.op, node.right)
    if not isinstance(node.op, ast.Div):  # which makes floats of both first
        yield from _overflowing(site, node, node.left, node.right)


def _is_left(site: Site, left: ast.expr, right: ast.expr) -> bool:
    """Whether an operand is an array that no tensor holds, or an object of the project, which has its own operators."""
    values = (site.value(left), site.value(right))
    return host_of(*values) is not None or any(one.kind == "instance" for one in values)


def _lacks_product(site: Site, node: ast.expr) -> bool:
    return _is_sure(site, node) and site.value(node).dtype in lacking_kernel("numpy.matmul")


def _squared(site: Site, node: ast.BinOp) -> Iterator[Extra]:
    """`z ** 2` of complex numbers: NumPy multiplies, TensorFlow takes logarithms, and unsigned integers it refuses."""
    value = site.value(node.left)
    if is_square(node.op, node.right) and value.is_array and (value.dtype or "").startswith(("complex", "uint")):
        span = site.span(node)
        yield Extra((Decision(span, (f"{site.tnp('square')}(", site.span(node.left), ")"), rule="square"),))


def translate_comparison(site: Site, node: ast.Compare) -> Iterator[Extra]:
    """Decide `<`, `==` and the like."""
    for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
        if not isinstance(operator, ast.Eq | ast.NotEq | ast.Lt | ast.Gt | ast.LtE | ast.GtE):
            continue
        if _is_left(site, left, right):
            continue
        yield from as_arrays(site, left, right)
        yield from promote_operands(site, node, left, operator, right)
        yield from _out_of_range(site, left, right)
        if len(node.ops) == 1 and isinstance(operator, ast.Eq | ast.NotEq):
            yield from _equal_arrays(site, node, left, right)
        none = isinstance(right, ast.Constant) and right.value is None
        if none and isinstance(operator, ast.Eq | ast.NotEq) and site.value(left).is_array:
            message = "a tensor compared with None is one bool, an array compares each element"
            yield Extra((), (site.finding("TNP304", site.span(node), message, "=="),))


def with_operands(site: Site, outcome: Outcome, call: ast.Call, name: str) -> Outcome:
    """Add to what becomes of a call what its arguments have to be."""
    made = [*_of_lists(site, call, name), *_of_dtypes(site, call, name)]
    decisions = (*outcome.decisions, *(one for extra in made for one in extra.decisions))
    return replace(
        outcome, decisions=decisions, findings=(*outcome.findings, *(f for one in made for f in one.findings))
    )


def _of_lists(site: Site, call: ast.Call, name: str) -> Iterator[Extra]:
    """Lists among the arguments have a dtype of their own to NumPy: `np.add(x, [1.5])`, `np.concatenate(([0], x))`."""
    given: list[ast.expr] = []
    if name in traits.JOINING - {"numpy.append"} and call.args and isinstance(call.args[0], ast.List | ast.Tuple):
        given = call.args[0].elts
    elif (name in traits.ELEMENTWISE and len(call.args) > 1) or (name == "numpy.append" and _has_axis(call)):
        given = call.args
    others = [one for one in given if not isinstance(one, ast.List | ast.Constant)]
    if others:
        for one in given:
            if isinstance(one, ast.List) or (name in traits.ELEMENTWISE and site.value(one).ref == SEQUENCE):
                yield Extra((wrap(site.span(one), f"{site.tnp('asarray')}("),))


def _has_axis(call: ast.Call) -> bool:
    return len(call.args) > 2 or any(word.arg == "axis" for word in call.keywords)


def _of_dtypes(site: Site, call: ast.Call, name: str) -> Iterator[Extra]:
    """Decide arguments whose proven dtype tnp takes otherwise: `np.sin(x)` of int8, `np.logical_not(z)`."""
    operands = [one for one in call.args[:2] if not isinstance(one, ast.Starred)]
    if name in _FLOATED and operands and (_is_sure(site, operands[0]) or site.value(operands[0]).kind == "scalar"):
        span, dtype = site.span(operands[0]), site.value(operands[0]).dtype
        wanted = floating(dtype)
        if dtype in SMALL.split() and wanted is not None:
            yield Extra((Decision(span, (f"{site.tnp('asarray')}(", span, f", {site.tnp(wanted)})"), rule="float"),))
    if name in _FLOATED and len(call.args) == 1 and operands and _is_truth(site, operands[0]):
        span = site.span(operands[0])
        yield Extra((Decision(span, (f"{site.tnp('asarray')}(", span, f", {site.tnp('float16')})"), rule="float"),))
    if name in _REAL_PARTS:
        yield from (compare_with_zero(site, one) for one in operands if is_complex(site, one))
    if len(operands) == 2 and name in _DIVIDED:
        yield from quotient(site, call, *operands)
    if len(operands) == 2 and name in _WRAPPING:
        yield from _overflowing(site, call, *operands)


def _is_truth(site: Site, node: ast.expr) -> bool:
    """Whether this is Python's True or False, or a list of them: NumPy's functions of floats give float16 for it."""
    if isinstance(node, ast.List | ast.Tuple):
        return bool(node.elts) and all(_is_truth(site, one) for one in node.elts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return True
    if isinstance(node, ast.Compare):
        return site.value(node).kind == "scalar"
    if isinstance(node, ast.BoolOp):
        return all(_is_truth(site, one) for one in node.values)
    if isinstance(node, ast.Call) and len(node.args) == 1:
        is_bool = isinstance(node.func, ast.Name) and node.func.id == "bool" and not site.is_bound(node.func)
        of_number = site.value(node.args[0]).kind == "scalar"
        return is_bool or (site.qualified(node.func) in ("numpy.bool_", "numpy.bool") and of_number)
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def is_complex(site: Site, node: ast.expr) -> bool:
    """Whether an expression is proven an array of complex numbers."""
    return _is_sure(site, node) and (site.value(node).dtype or "").startswith("complex")


def compare_with_zero(site: Site, node: ast.expr) -> Extra:
    """Write out what makes a complex number true."""
    span = site.span(node)
    plain = isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.BinOp)
    return Extra((Decision(span, (span, " != 0") if plain else ("(", span, ") != 0"), rule="truth"),))


def translate_augmented(site: Site, node: ast.AugAssign) -> Iterator[Extra]:
    """Say where NumPy refuses an operation in place that rebinding allows."""
    yield from _of_others(site, node)
    if is_refused(site, node):
        dtype = site.value(node.target).dtype
        message = f"NumPy raises here: {ast.unparse(node)} does not fit the dtype {dtype}"
        yield Extra((), (site.finding("TNP314", site.span(node), message, "in place"),))


def is_refused(site: Site, node: ast.AugAssign) -> bool:
    """Whether an array is to take numbers of another kind in place, which NumPy refuses: integers floats, say."""
    target, operand = site.value(node.target), site.value(node.value)
    kind = _KINDS.get((target.dtype or "").rstrip("0123456789"))
    if not target.is_array or target.rank == 0 or kind is None:
        return False
    if isinstance(node.op, ast.Div) and kind < _KINDS["float"]:
        return True
    given = operand.dtype if operand.is_array or operand.kind == "scalar" else None
    listed = isinstance(node.value, ast.List | ast.Tuple)
    written = literal(node.value if listed else ast.List([node.value]))
    if written is not None and (listed or kind == _KINDS["bool"] or written.dtype != "int64"):
        given = written.dtype  # a written integer takes the dtype of the integers beside it
    return _KINDS.get((given or "").rstrip("0123456789"), 0) > kind


def _of_others(site: Site, node: ast.AugAssign) -> Iterator[Extra]:
    """Say where what may be an array that others hold is bound anew, which NumPy would change for them all."""
    operand = site.value(node.value)
    if site.value(node.target).kind != "unknown" or operand.kind in ("str", "list", "tuple"):
        return
    around = site.module.function_around(node)
    summary = site.summaries.get(around.outermost if around is not None else site.module)
    if summary is not None and _may_have_holders(summary, node.target):
        item = isinstance(node.target, ast.Subscript) and site.value(node.target.slice).kind != "str"
        instead = "a tensor is bound anew" + (" in a list or dict, and takes no items itself" if item else "")
        text = f"`{ast.unparse(node)}` changes an array that others hold in NumPy, if it is one; {instead}"
        yield Extra((), (site.finding("TNP315", site.span(node), text, ast.unparse(node.target)),))


def _may_have_holders(summary: Summary, target: ast.expr) -> bool:
    """Whether a caller, an object, a container or a variable of the module may hold what a target has."""
    return not isinstance(target, ast.Name) or any(kind != "local" for kind, _ in roots(summary, target))


def _is_sure(site: Site, node: ast.expr) -> bool:
    return site.value(node).is_array and site.value(node).sure


def _helper(site: Site, node: ast.BinOp, name: str) -> Iterator[Extra]:
    rule = site.rulebook.find(f"numpy.{name}")
    if rule is not None:
        parts = (f"{site.helper(rule.name)}(", site.span(node.left), ", ", site.span(node.right), ")")
        yield Extra((Decision(site.span(node), parts, rule=name),), (), frozenset({rule.name}))


def _shifted(site: Site, node: ast.BinOp) -> Iterator[Extra]:
    """Tensors have no `<<` and `>>`."""
    name = _SHIFTS.get(type(node.op))
    if name is not None and (_is_sure(site, node.left) or _is_sure(site, node.right)):
        yield from _helper(site, node, name)


def _divided(site: Site, node: ast.BinOp) -> Iterator[Extra]:
    """`//` of floats is off near multiples."""
    values = [site.value(node.left), site.value(node.right)]
    if not any(value.is_array and value.sure for value in values):
        return
    if isinstance(node.op, ast.FloorDiv) and not all(_is_whole(one, site) for one in (node.left, node.right)):
        yield from _helper(site, node, "floor_divide")


def _is_whole(node: ast.expr, site: Site) -> bool:
    """Whether an operand is certainly an integer, or an array of them."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int)
    return (site.value(node).dtype or "").startswith(("int", "uint"))


def _overflowing(site: Site, node: ast.expr, left: ast.expr, right: ast.expr) -> Iterator[Extra]:
    for one, other in ((left, right), (right, left)):
        if _is_sure(site, one) and isinstance(other, ast.Constant | ast.UnaryOp) and beyond(site.value(one), other):
            message = f"NumPy raises OverflowError here: {ast.unparse(other)} does not fit {site.value(one).dtype}"
            yield Extra((), (site.finding("TNP314", site.span(node), message, "overflow"),))


def _out_of_range(site: Site, left: ast.expr, right: ast.expr) -> Iterator[Extra]:
    """NumPy compares with the number as it is; TensorFlow wraps it to the array's dtype first."""
    for one, other in ((left, right), (right, left)):
        if _is_sure(site, one) and isinstance(other, ast.Constant | ast.UnaryOp) and beyond(site.value(one), other):
            span = site.span(one)
            yield Extra(
                (Decision(span, (f"{site.tnp('asarray')}(", span, f", {site.tnp('float64')})"), rule="compare"),)
            )


def _equal_arrays(site: Site, node: ast.Compare, left: ast.expr, right: ast.expr) -> Iterator[Extra]:
    """Shapes that do not broadcast are an error to NumPy; a tensor's `==` gives one False."""
    values = [site.value(left), site.value(right)]
    if not all(value.sure and value.may_have_axes for value in values):
        return
    name = "equal" if isinstance(node.ops[0], ast.Eq) else "not_equal"
    parts: tuple[str | Span, ...] = (f"{site.tnp(name)}(", site.span(left), ", ", site.span(right), ")")
    yield Extra((Decision(site.span(node), parts, rule=name),))
