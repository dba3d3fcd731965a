"""What a statement writes to in place, and what the written array becomes as a value.

`a[1:] = v` gives the target `a` and its new value `tnh.index_update(a, np.s_[1:], v)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tnp_migrate import facts
from tnp_migrate.functional.paths import is_reshape, may_share, view_base
from tnp_migrate.functional.unit import Parts, Refused, Unit, flat
from tnp_migrate.names import is_numpy, split_name
from tnp_migrate.signatures import Unbindable, bind_call, signature_table

_STORES = {ast.Add: "index_add", ast.Sub: "index_subtract", ast.Mult: "index_multiply", ast.Div: "index_divide"}
_SYMBOLS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.MatMult: "@", ast.Pow: "**", ast.FloorDiv: "//",
    ast.Mod: "%", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip


@dataclass(frozen=True)
class Write:
    """A write in place: where it stands, the array it writes to, and that array's new value."""

    node: ast.AST
    target: ast.expr
    value: Parts
    construct: str


def store(unit: Unit, target: ast.Subscript, value: Parts) -> Write:
    """`a[k] = v`."""
    base = target.value
    return Write(target, base, update(unit, read(unit, base), target.slice, value), "an item assignment")


def update(unit: Unit, array: Parts, index: ast.expr, value: Parts) -> Parts:
    """`tnh.index_update(array, index, value)`."""
    return flat(f"{unit.helpers}.index_update(", array, ", ", unit.index_parts(index), ", ", value, ")")


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
        operator = f'"{_SYMBOLS[type(node.op)]}"'
        made = flat(f"{unit.helpers}.index_operate(", base, ", ", index, f", {operator}, ", value, ")")
    return Write(node, node.target.value, made, f"`{_SYMBOLS[type(node.op)]}=`")


def augmented(unit: Unit, node: ast.AugAssign) -> Write:
    """`a += v` on an array keeps its dtype and shape."""
    symbol = _SYMBOLS[type(node.op)]
    operand = unit.operand_parts(node.value, node.op)
    made = flat(
        f"{unit.helpers}.in_place(", unit.span(node.target), ", ", unit.span(node.target), f" {symbol} ", operand, ")"
    )
    return Write(node, node.target, made, f"`{ast.unparse(node.target)} {symbol}=`")


def read(unit: Unit, node: ast.expr) -> Parts:
    """An array as it is read: `a.flat` is `a.reshape(-1)`."""
    if isinstance(node, ast.Attribute) and node.attr == "flat":
        return flat(unit.span(node.value), ".reshape(-1)")
    return (unit.span(node),)


def written_back(unit: Unit, view: ast.expr, value: Parts) -> Write:
    """What the base of a view becomes when the view gets a value: the way back through one view."""
    base = view_base(view, unit.qualified, unit.is_view_index)
    if base is None:
        raise Refused(view, f"`{ast.unparse(view)}` may share its memory or not")
    if isinstance(view, ast.Subscript):
        return Write(view, base, update(unit, read(unit, base), view.slice, value), "")
    if isinstance(view, ast.Attribute):
        back = (
            flat(value, ".reshape(", unit.span(base), ".shape)")
            if view.attr == "flat"
            else flat(value, f".{view.attr}")
        )
        return Write(view, base, back, "")
    assert isinstance(view, ast.Call)
    function = unit.qualified(view.func)
    name = str(function or getattr(view.func, "attr", "")).rpartition(".")[2]
    if is_reshape(view) and unit.path(base) is None:
        raise Refused(view, f"`{ast.unparse(view)}` may be a copy")
    if name in ("reshape", "ravel", "squeeze", "expand_dims"):
        if any(word.arg in ("order", "copy") for word in view.keywords):
            raise Refused(view, "a reshape in another order")
        return Write(view, base, flat(value, ".reshape(", unit.span(base), ".shape)"), "")
    given: list[Parts] = [(unit.span(one),) for one in (view.args[1:] if function else view.args)]
    given += [flat(f"{word.arg}=", unit.span(word.value)) for word in view.keywords]
    if function:
        return Write(view, base, flat(unit.span(view.func), "(", value, *(flat(", ", one) for one in given), ")"), "")
    return Write(view, base, flat(value, f".{name}(", *listed(given), ")"), "")


def listed(given: list[Parts]) -> Parts:
    """Arguments with commas between them."""
    return flat(*(part for one in given for part in (", ", one)))[1:]


def call_write(unit: Unit, call: ast.Call) -> Write | None:
    """A call of NumPy that writes to an argument or to its receiver."""
    qualified = unit.qualified(call.func)
    if qualified is not None and is_numpy(qualified):
        return _function_write(unit, call, split_name(qualified)[0])
    if isinstance(call.func, ast.Attribute) and unit.value(call.func.value).is_array:
        if call.func.attr in facts.MUTATING_METHODS:
            return _method_write(unit, call, call.func)
        out = _word(call, "out")
        if out is not None:
            return _out(unit, call, out)
    rng = isinstance(call.func, ast.Attribute) and unit.value(call.func.value).kind == "rng"
    if qualified == "random.shuffle" or (rng and getattr(call.func, "attr", "") in facts.RNG_MUTATING_METHODS):
        raise Refused(call, "what a shuffle does to the stream of random numbers has no functional form")
    return None


def _word(call: ast.Call, name: str) -> ast.expr | None:
    found = next((word.value for word in call.keywords if word.arg == name), None)
    return None if isinstance(found, ast.Constant) and found.value is None else found


def _function_write(unit: Unit, call: ast.Call, name: str) -> Write | None:
    if name in facts.MUTATED_ARGUMENT or (name.endswith(".at") and name.count(".") > 1):
        return _argument_write(unit, call, name)
    out = _word(call, "out")
    if out is None and len(call.args) > 1:
        signature = signature_table().numpy.get(name)
        try:
            out = bind_call(call, signature).given.get("out") if signature else None
        except Unbindable:
            out = None
        if isinstance(out, ast.Constant):
            out = None
    return _out(unit, call, out) if out is not None else None


def _out(unit: Unit, call: ast.Call, out: ast.expr) -> Write:
    if isinstance(out, ast.Tuple):
        raise Refused(call, "`out=` with several arrays")
    if any(word.arg in ("where", "casting", "dtype", None) for word in call.keywords):
        raise Refused(call, "`out=` beside `where=`, `dtype=` or `casting=`")
    arguments: list[Parts] = [(unit.span(one),) for one in call.args if one is not out]
    arguments += [flat(f"{word.arg}=", unit.span(word.value)) for word in call.keywords if word.value is not out]
    made = flat(f"{unit.helpers}.in_place(", read(unit, out), ", ", unit.span(call.func), "(", listed(arguments), "))")
    return Write(call, out, made, "`out=`")


_FUNCTIONAL = {
    "numpy.fill_diagonal": "diagonal_update",
    "numpy.put": "flat_update",
    "numpy.putmask": "mask_update",
    "numpy.place": "place_update",
    "numpy.put_along_axis": "along_axis_update",
}


def _argument_write(unit: Unit, call: ast.Call, name: str) -> Write:
    if any(isinstance(one, ast.Starred) for one in call.args) or not call.args:
        raise Refused(call, f"`{ast.unparse(call.func)}` is given its array in another way than first")
    target, rest = call.args[0], call.args[1:]
    construct = f"`{ast.unparse(call.func)}`"
    if name == "numpy.copyto" and len(rest) == 1 and not call.keywords:
        made = flat(f"{unit.helpers}.in_place(", read(unit, target), ", ", unit.value_parts(rest[0]), ")")
        return Write(call, target, made, construct)
    words = [flat(f", {word.arg}=", unit.span(word.value)) for word in call.keywords]
    if name in ("numpy.add.at", "numpy.subtract.at") and len(rest) == 2 and not call.keywords:
        helper = f"{name.split('.')[1]}_at"
        made = flat(
            f"{unit.helpers}.{helper}(", read(unit, target), ", ", unit.index_parts(rest[0]), ", ",
            unit.value_parts(rest[1]), ")",
        )  # fmt: skip
        return Write(call, target, made, construct)
    if name in _FUNCTIONAL:
        given = flat(*(flat(", ", unit.value_parts(one)) for one in rest))
        made = flat(f"{unit.helpers}.{_FUNCTIONAL[name]}(", read(unit, target), given, *words, ")")
        return Write(call, target, made, construct)
    raise Refused(call, f"{construct} has no functional form here")


def _method_write(unit: Unit, call: ast.Call, function: ast.Attribute) -> Write:
    target, name = function.value, function.attr
    construct = f"`.{name}()`"
    if name == "fill" and len(call.args) == 1:
        made = flat(f"{unit.helpers}.index_update(", read(unit, target), ", ..., ", unit.value_parts(call.args[0]), ")")
        return Write(call, target, made, construct)
    if name in ("sort", "partition") and unit.numpy is not None:
        arguments: list[Parts] = [flat(", ", unit.span(one)) for one in call.args]
        arguments += [flat(f", {word.arg}=", unit.span(word.value)) for word in call.keywords]
        changed = flat(f"{unit.numpy}.{name}(", read(unit, target), *arguments, ")")
        made = flat(f"{unit.helpers}.in_place(", read(unit, target), ", ", changed, ")")
        return Write(call, target, made, construct)
    raise Refused(call, f"{construct} has no functional form")


def attribute_store(unit: Unit, target: ast.Attribute, value: ast.expr) -> Write:
    """`a.shape = s`; the other attributes that can be assigned have no functional form."""
    if target.attr != "shape":
        raise Refused(target, f"an assignment to `.{target.attr}` has no functional form")
    made = flat(unit.span(target.value), ".reshape(", unit.value_parts(value), ")")
    return Write(target, target.value, made, "an assignment to `.shape`")


def view_chain(unit: Unit, node: ast.expr) -> Iterator[ast.expr]:
    """A view, what it is a view of, and so on to the place at the root."""
    inner: ast.expr | None = node
    while inner is not None:
        yield inner
        inner = view_base(inner, unit.qualified, unit.is_view_index) if unit.path(inner) is None else None


def shares(unit: Unit, node: ast.expr) -> ast.expr | None:
    """What an expression shares memory with, surely or not."""
    return view_base(node, unit.qualified, unit.is_view_index) or may_share(node, unit.qualified)
