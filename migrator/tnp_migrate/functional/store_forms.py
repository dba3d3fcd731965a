"""What a statement writes to in place, and what the written array becomes as a value.

`a[1:] = v` gives the target `a` and its new value `tnh.index_update(a, np.s_[1:], v)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

from tnp_migrate.functional.access_paths import Qualify, is_reshape, may_share, view_base
from tnp_migrate.functional.contiguity import is_copy
from tnp_migrate.functional.text_parts import Parts, flat
from tnp_migrate.functional.unit import Refused, Unit
from tnp_migrate.functional.variable_uses import is_ellipsis
from tnp_migrate.numpy_facts.values import Value

SHAPE = "an assignment to `.shape`"  # which changes no element: views of the array stay what they are
_PARTS = frozenset({"real", "imag"})
_STORED = {"real": "real_update", "imag": "imag_update", "flat": "flat_fill"}
_STORES = {ast.Add: "index_add", ast.Sub: "index_subtract", ast.Mult: "index_multiply", ast.Div: "index_divide"}
SYMBOLS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.MatMult: "@", ast.Pow: "**", ast.FloorDiv: "//",
    ast.Mod: "%", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip

_NAMES = "add sub mul truediv matmul pow floordiv mod and or xor lshift rshift".split()
IN_PLACE = {f"__i{name}__": operator for name, operator in zip(_NAMES, SYMBOLS, strict=True)}


@dataclass(frozen=True)
class Write:
    """A write in place: where it stands, the array it writes to, and that array's new value.

    `apart` is what NumPy reads while it writes: it must not be a view of the array. `also` are arrays that take the
    other results of a call, which are then all in `value`.
    """

    node: ast.AST
    target: ast.expr
    value: Parts
    construct: str
    apart: ast.expr | None = None
    also: tuple[ast.expr, ...] = ()


def store(unit: Unit, target: ast.Subscript, value: Parts, given: ast.expr | None) -> Write:
    """`a[k] = v`, and `a.flat[k] = v`, which repeats values that are too few."""
    base = target.value
    if is_flat(base):
        index = unit.index_parts(target.slice)
        made = flat(f"{unit.helpers}.flat_index_update(", unit.span(base.value), ", ", index, ", ", value, ")")
        return Write(target, base.value, made, "an item assignment", given)
    made = update(unit, read(unit, base), target.slice, value)
    reads_late = may_be_mask_of_all(unit, target) and not (given is not None and _is_compared(unit, given))
    return Write(target, base, made, "an item assignment", given if reads_late else None)


def may_be_mask_of_all(unit: Unit, target: ast.Subscript) -> bool:
    """Whether an index may be one mask for all axes: then NumPy reads what it stores while it stores it."""
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    if len(parts) != 1 or unit.is_view_index(target):
        return False
    value = unit.value(parts[0])
    if isinstance(parts[0], ast.List):
        return not all(unit.is_integer(one) for one in parts[0].elts)
    if not value.is_array:
        return value.kind in ("list", "unknown")
    rank, whole = unit.rank(parts[0]), unit.rank(target.value)
    return "int" not in (value.dtype or "") and (rank is None or whole is None or rank == whole)


def _is_compared(unit: Unit, node: ast.expr) -> bool:
    """Whether a value is `min(a, b)`, of which the truth of `b < a` is asked: it has one element at most."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
        return False
    several = len(node.args) > 1 and not any(isinstance(one, ast.Starred) for one in node.args)
    return several and node.func.id in ("min", "max") and unit.scope.owner(node.func.id) is None


def update(unit: Unit, array: Parts, index: ast.expr, value: Parts, helper: str = "index_update") -> Parts:
    """`tnh.index_update(array, index, value)`."""
    return flat(f"{unit.helpers}.{helper}(", array, ", ", unit.index_parts(index), ", ", value, ")")


def swap(unit: Unit, node: ast.Assign) -> Write | None:
    """`a[i], a[j] = a[j], a[i]`, with indices that pick elements or rows."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple) or len(target.elts) != len(value.elts):
        return None
    texts = [ast.unparse(one) for one in (*target.elts, *value.elts)]
    first, second = target.elts[0], target.elts[-1]
    if len(texts) != 4 or texts[:2] != texts[:1:-1] or not isinstance(first, ast.Subscript):
        return None
    if not isinstance(second, ast.Subscript) or ast.unparse(first.value) != ast.unparse(second.value):
        return None
    parts = [
        part for one in (first.slice, second.slice) for part in ([one] if not isinstance(one, ast.Tuple) else one.elts)
    ]
    if unit.path(first.value) is None or not all(_picks_one(unit, part) for part in parts):
        return None
    array, indices = read(unit, first.value), (unit.index_parts(first.slice), ", ", unit.index_parts(second.slice))
    return Write(node, first.value, flat(f"{unit.helpers}.index_swap(", array, ", ", *indices, ")"), "a swap")


def _picks_one(unit: Unit, index: ast.expr) -> bool:
    return not isinstance(index, ast.Slice | ast.Starred) and unit.value(index).kind in ("scalar", "unknown")


def augmented_store(unit: Unit, node: ast.AugAssign) -> Write:
    """`a[k] += v`: read, operate, write."""
    assert isinstance(node.target, ast.Subscript)
    base, index = read(unit, node.target.value), unit.index_parts(node.target.slice)
    name = _STORES.get(type(node.op))
    value = unit.value_parts(node.value)
    if name is not None:
        made = flat(f"{unit.helpers}.{name}(", base, ", ", index, ", ", value, ")")
    else:
        operator = f'"{SYMBOLS[type(node.op)]}"'
        made = flat(f"{unit.helpers}.index_operate(", base, ", ", index, f", {operator}, ", value, ")")
    return Write(node, node.target.value, made, f"`{SYMBOLS[type(node.op)]}=`")


def is_one_element(unit: Unit, target: ast.Subscript) -> bool:
    """Whether a subscript is surely an element of an array: reading it gives a number of its own."""
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    ranked = unit.value(target.value).is_array and unit.rank(target.value) == len(parts)
    return ranked and all(unit.is_one_number(part) for part in parts)


def augmented(unit: Unit, node: ast.AugAssign, *, item: bool = False) -> Write:
    """`a += v` on an array keeps its dtype and shape; an `item` may be a number, which does not."""
    symbol = SYMBOLS[type(node.op)]
    target = unit.span(node.target)
    changed = flat(target, f" {symbol} ", unit.operand_parts(node.value, node.op))
    made = flat(f"{unit.helpers}.in_place(", target, ", ", changed, ")")
    if item:
        made = flat(made, f" if {unit.numpy}.ndim(", target, ") else ", changed)
    return Write(node, node.target, made, f"`{ast.unparse(node.target)} {symbol}=`")


def operated(unit: Unit, call: ast.Call, target: ast.expr, operator: type[ast.operator], operand: ast.expr) -> Write:
    """`operator.iadd(a, v)` and `a.__iadd__(v)`, which give the array."""
    array = unit.span(target)
    changed = flat(array, f" {SYMBOLS[operator]} ", unit.operand_parts(operand, operator()))
    return Write(call, target, flat(f"{unit.helpers}.in_place(", array, ", ", changed, ")"), "`out=`")


def is_flat(node: ast.expr) -> TypeGuard[ast.Attribute]:
    """Whether an expression is `a.flat`."""
    return isinstance(node, ast.Attribute) and node.attr == "flat"


def is_part(node: ast.expr, qualify: Qualify) -> bool:
    """Whether an expression is `a.real`, `a.imag` or one of NumPy's functions for them."""
    if isinstance(node, ast.Call):
        return qualify(node.func) in ("numpy.real", "numpy.imag")
    return isinstance(node, ast.Attribute) and node.attr in _PARTS


def read(unit: Unit, node: ast.expr) -> Parts:
    """An array as it is read: `a.flat` is `a.reshape(-1)`."""
    if is_flat(node):
        return flat(unit.span(node.value), ".reshape(-1)")
    return (unit.span(node),)


def check_item(unit: Unit, node: ast.AST) -> None:
    """Refuse to bind an item of a tuple anew, or a part of one."""
    part = node
    while isinstance(part, ast.Subscript):
        if unit.value(part.value).kind == "tuple":
            raise Refused(node, f"`{ast.unparse(part)}` is an item of a tuple, which cannot be bound anew")
        part = part.value


def written_back(unit: Unit, view: ast.expr, value: Parts, *, known: bool = False) -> Write:
    """What the base of a view becomes when the view gets a value: the way back through one view.

    `known` where it surely is one: of a view in another shape NumPy may have made a copy.
    """
    base = view_base(view, unit.qualified, unit.is_view_index)
    if base is None and is_decided_by_run(view, unit):
        return Write(view, view.value, update(unit, read(unit, view.value), view.slice, value, "view_update"), "")
    if base is None or (not known and is_part(view, unit.qualified) and not unit.value(base).is_array):
        raise Refused(view, f"`{ast.unparse(view)}` may share its memory or not")
    if isinstance(view, ast.Subscript):
        return Write(view, base, update(unit, read(unit, base), view.slice, value), "")
    if isinstance(view, ast.Attribute):
        return Write(view, base, _through_attribute(unit, view, base, value), "")
    assert isinstance(view, ast.Call)
    function = unit.qualified(view.func)
    name = str(function or getattr(view.func, "attr", "")).rpartition(".")[2]
    if name in _PARTS:
        return Write(view, base, flat(f"{unit.helpers}.{name}_update(", unit.span(base), ", ", value, ")"), "")
    if not known and is_reshape(view) and is_copy(unit, view, base):
        raise Refused(view, f"`{ast.unparse(view)}` may be a copy")
    if name in ("reshape", "ravel", "squeeze", "expand_dims"):
        if any(word.arg in ("order", "copy") for word in view.keywords):
            raise Refused(view, "a reshape in another order")
        return Write(view, base, flat(value, ".reshape(", unit.span(base), ".shape)"), "")
    given: list[Parts] = [(unit.span(one),) for one in (view.args[1:] if function else view.args)]
    given += [flat(f"{word.arg}=", unit.span(word.value)) for word in view.keywords]
    if name == "moveaxis":
        if len(given) != 2 or view.keywords:
            raise Refused(view, "axes that are moved by keywords")
        given.reverse()
    if function:
        return Write(view, base, flat(unit.span(view.func), "(", value, *(flat(", ", one) for one in given), ")"), "")
    return Write(view, base, flat(value, f".{name}(", *listed(given), ")"), "")


def is_decided_by_run(node: ast.expr, unit: Unit) -> TypeGuard[ast.Subscript]:
    """Whether `a[i]` is a view or a copy by what `i` turns out to be, which nothing says here."""
    if not isinstance(node, ast.Subscript) or unit.value(node.value).kind not in ("array", "unknown", "list", "dict"):
        return False
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    unsure = [part for part in parts if not unit.is_view_index(ast.Subscript(node.value, part))]
    return all(_is_number_if_without_axes(unit.value(part), part) for part in unsure)


def _is_number_if_without_axes(index: Value, node: ast.expr) -> bool:
    """Whether an index is a number if it is an array without axes, which is none to NumPy where it is made as one."""
    if not index.is_array:
        return index.kind in ("unknown", "tuple", "list", "scalar")
    return not index.sure or index.has_axes or index.dtype == "bool" or _is_computed(node)


def _is_computed(node: ast.expr) -> bool:
    """Whether an expression reads an item or computes: NumPy gives a number, or an array with axes."""
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return not any(is_ellipsis(part) for part in parts)
    return isinstance(node, ast.BinOp | ast.UnaryOp)


def _through_attribute(unit: Unit, view: ast.Attribute, base: ast.expr, value: Parts) -> Parts:
    if view.attr in _PARTS:
        return flat(f"{unit.helpers}.{view.attr}_update(", unit.span(base), ", ", value, ")")
    if view.attr == "flat":
        return flat(value, ".reshape(", unit.span(base), ".shape)")
    return flat(value, f".{view.attr}")


def listed(given: list[Parts]) -> Parts:
    """Arguments with commas between them."""
    return flat(*(part for one in given for part in (", ", one)))[1:]


def attribute_store(unit: Unit, target: ast.Attribute, value: Parts, given: ast.expr | None) -> Write:
    """`a.shape = s`, `a.real = v`, `a.flat = v`; no other attribute that can be assigned has a functional form."""
    construct = f"an assignment to `.{target.attr}`"
    array = unit.span(target.value)
    if target.attr == "shape":
        return Write(target, target.value, flat(array, ".reshape(", value, ")"), SHAPE)
    if target.attr not in _STORED:
        raise Refused(target, f"{construct} has no functional form")
    made = flat(f"{unit.helpers}.{_STORED[target.attr]}(", array, ", ", value, ")")
    return Write(target, target.value, made, construct, given if target.attr == "flat" else None)


def view_chain(unit: Unit, node: ast.expr) -> Iterator[ast.expr]:
    """A view, what it is a view of, and so on to the place at the root."""
    inner: ast.expr | None = node
    while inner is not None:
        yield inner
        inner = _base(unit, inner) if unit.path(inner) is None else None


def shares(unit: Unit, node: ast.expr) -> ast.expr | None:
    """What an expression shares memory with, surely or not."""
    found = _base(unit, node) or may_share(node, unit.qualified)
    return None if found is not None and _is_number(unit, found) else found


def _base(unit: Unit, node: ast.expr) -> ast.expr | None:
    """What a view is one of; of a number that an index picks nothing is: `np.ravel(a[0])`."""
    base = view_base(node, unit.qualified, unit.is_view_index)
    return None if base is not None and _is_number(unit, base) else base


def _is_number(unit: Unit, node: ast.expr) -> bool:
    """Whether an index picks one number of an array, of which NumPy gives a copy."""
    known = unit.value(node)
    return isinstance(node, ast.Subscript) and known.is_number
