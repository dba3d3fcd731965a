"""Abstract values of expressions: one evaluation a node, in the order Python evaluates."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from tnp_migrate.analysis.attribute_values import bind_attribute, read_attribute
from tnp_migrate.analysis.frames import Frame, as_numpy, numpy_value, project_value, variable_at
from tnp_migrate.analysis.invocations import builtin_value, call_functions, construct, library_value, method_value
from tnp_migrate.analysis.objects_passed import all_objects, pass_to_callbacks
from tnp_migrate.analysis.open_containers import as_bound, hold_items, note_call, note_put
from tnp_migrate.analysis.subscripts import indexed_rank, made_by_index, part_of_tuple, result_of, slices
from tnp_migrate.numpy_facts.dtypes import divided
from tnp_migrate.numpy_facts.host_values import host_of
from tnp_migrate.numpy_facts.python_constants import python_constant
from tnp_migrate.numpy_facts.ranks import broadcast_rank, rank_of_sizes
from tnp_migrate.numpy_facts.results import promote
from tnp_migrate.numpy_facts.values import (
    BUILTIN_HOST,
    NONE,
    SCALAR,
    UNKNOWN,
    Value,
    array,
    element_of,
    iterated,
    join,
    parts_of,
    with_item,
)
from tnp_migrate.program.dispatch import methods_called, methods_meant
from tnp_migrate.program.index import Function
from tnp_migrate.program.names import is_member, is_numpy, split_name
from tnp_migrate.program.nodes import children, text_in
from tnp_migrate.program.scopes import all_arguments

_COMPARISONS_TO_BOOL = (ast.Is, ast.IsNot, ast.In, ast.NotIn)


def evaluate(frame: Frame, node: ast.expr) -> Value:
    """Evaluate an expression and note its value for the passes."""
    handler = _HANDLERS.get(type(node))
    value = handler(frame, node) if handler else _other(frame, node)
    frame.module.values[node] = value
    return value


def _other(frame: Frame, node: ast.expr) -> Value:
    for child in children(node):
        if isinstance(child, ast.expr):
            evaluate(frame, child)
    return UNKNOWN


def _constant(_: Frame, node: ast.Constant) -> Value:
    if node.value is None:
        return NONE
    if isinstance(node.value, str | bytes):
        return Value("str")
    if isinstance(node.value, complex):
        return Value("scalar", "complex128")
    return UNKNOWN if node.value is Ellipsis else SCALAR


def _name(frame: Frame, node: ast.Name) -> Value:
    value = frame.lookup(node.id)
    if value.kind == "unknown":
        qualified = frame.qualified(node)
        if qualified and is_numpy(qualified):
            return numpy_value(split_name(qualified)[0])
        known = python_constant(qualified) if qualified else None
        if known is not None:
            return known
        if node.id in BUILTIN_HOST and frame.scope.owner(node.id) is None:
            return Value("dtype", BUILTIN_HOST[node.id])
    return value


def _attribute(frame: Frame, node: ast.Attribute) -> Value:
    qualified = frame.qualified(node) or ""
    name = as_numpy(qualified)
    if name is not None:
        return UNKNOWN if is_numpy(qualified) and split_name(qualified)[1] else numpy_value(name)
    receiver = evaluate(frame, node.value)
    found = project_value(frame, qualified) if qualified else None
    if found is not None and (found.kind != "unknown" or receiver.kind in ("module", "unknown")):
        return found
    return python_constant(qualified) or read_attribute(frame, receiver, node.attr)


def _call(frame: Frame, node: ast.Call) -> Value:
    target = _callee(frame, node.func)
    positional = [evaluate(frame, one) for one in node.args]
    named = {word.arg: evaluate(frame, word.value) for word in node.keywords}
    note_call(frame, node, positional)
    if isinstance(target, str):
        _lend(frame, node, [*positional, *named.values()])
        return library_value(frame, target, node, positional)
    func = node.func
    receiver = frame.receiver(func) or evaluate(frame, func.value) if isinstance(func, ast.Attribute) else None
    if node.func in frame.index.dispatched:
        return call_functions(frame, frame.index.dispatched[node.func], node, positional, named, receiver)
    if methods := _methods(frame, node.func, target):
        return call_functions(frame, methods, node, positional, named, receiver)
    if target.kind == "function":
        return call_functions(frame, [target.ref], node, positional, named, receiver)
    if target.kind == "class":
        return construct(frame, target.ref, node, positional, named)
    if target.kind == "instance":
        return call_functions(frame, methods_meant(target, "__call__"), node, positional, named, target)
    _lend(frame, node, [*positional, *named.values()])
    if isinstance(node.func, ast.Attribute):
        return method_value(frame, node, positional, named)
    if isinstance(node.func, ast.Name) and frame.scope.owner(node.func.id) is None:
        owner = frame.function.owner if frame.function else None
        if node.func.id == "super" and owner is not None:
            return Value("super", ref=owner, sure=0 < len(owner.bases) == len(owner.node.bases))
        if node.func.id == "dict" and named:
            return Value("dict", element=reduce(join, named.values(), iterated(positional[0]) if positional else None))
        name = text_in(node.args[1]) if node.func.id == "getattr" and len(positional) > 1 else None
        if name is not None:
            return reduce(join, positional[2:], read_attribute(frame, positional[0], name))
        return builtin_value(node.func.id, positional)
    return UNKNOWN


def _lend(frame: Frame, node: ast.Call, given: list[Value]) -> None:
    """Let the functions that a library is given be passed what it is given beside them, if no tensor holds that."""
    for function, passed in pass_to_callbacks(frame, node, given):
        _lambda(frame, function, passed)


def _methods(frame: Frame, called: ast.expr, target: Value) -> list[Function]:
    """The methods that a call on an object of the project may reach."""
    if not isinstance(called, ast.Attribute):
        return []
    return methods_called(frame.module.values.get(called.value, UNKNOWN), called.attr, target)


def _callee(frame: Frame, node: ast.expr) -> str | Value:
    qualified = frame.qualified(node)
    if qualified is not None and not is_member(frame.index.modules, qualified):
        project = project_value(frame, qualified)
        name = as_numpy(qualified) or qualified
        if numpy_value(name).kind == "str":  # `np.__version__.split(".")`
            return UNKNOWN
        if project.kind == "unknown":
            return name
        frame.module.values[node] = project
        return project
    return evaluate(frame, node)


def _subscript(frame: Frame, node: ast.Subscript) -> Value:
    receiver = evaluate(frame, node.value)
    index = evaluate(frame, node.slice)
    held = _of_namespace(frame, node)
    return _item(frame, node, receiver, index) if held is None else held


def _item(frame: Frame, node: ast.Subscript, receiver: Value, index: Value) -> Value:
    """What an item is, by what it is an item of."""
    if receiver.kind == "array":
        if receiver.dtype == "structured" and index.kind in ("str", "unknown"):
            return array(sure=False) if index.kind == "str" else replace(receiver, rank=None, is_object=False)
        axes = receiver.axes and isinstance(node.slice, ast.Slice)
        return replace(receiver, rank=indexed_rank(receiver.rank, node.slice, frame), axes=axes, is_object=False)
    if receiver.kind == "shape":
        return receiver if isinstance(node.slice, ast.Slice) else SCALAR
    if receiver.kind in ("list", "str") and isinstance(node.slice, ast.Slice):
        return receiver
    if receiver.kind == "tuple" and isinstance(node.slice, ast.Slice):
        return part_of_tuple(receiver, node.slice)
    if receiver.kind == "tuple" and receiver.items and isinstance(node.slice, ast.Constant):
        position = node.slice.value
        if isinstance(position, int) and -len(receiver.items) <= position < len(receiver.items):
            return receiver.items[position]
    if receiver.kind in ("list", "tuple", "dict", "str"):
        return element_of(receiver)
    if receiver.kind == "instance":
        return result_of(frame, receiver, "__getitem__")
    name = frame.qualified(node.value)
    if name and is_numpy(name) and (made := made_by_index(split_name(name)[0], index)) is not None:
        return made
    if receiver.library is not None:
        return receiver
    if receiver.kind == "unknown" and slices(node.slice) and index.kind != "str":
        return array(sure=False)
    return UNKNOWN


def _of_namespace(frame: Frame, node: ast.Subscript) -> Value | None:
    """What `vars(x)["name"]` gives, or `x.__dict__["name"]`."""
    name, of = text_in(node.slice), node.value
    if name is None:
        return None
    if isinstance(of, ast.Attribute) and of.attr == "__dict__":
        return read_attribute(frame, frame.value(of.value), name)
    if isinstance(of, ast.Call) and isinstance(of.func, ast.Name) and of.func.id == "vars" and len(of.args) == 1:
        return read_attribute(frame, frame.value(of.args[0]), name)
    return None


def _operation(frame: Frame, node: ast.BinOp) -> Value:
    left, right = evaluate(frame, node.left), evaluate(frame, node.right)
    found = operate(node.op, (node.left, node.right), left, right)
    joins = isinstance(node.op, ast.Add) and left.joins and right.joins and found.kind in ("unknown", "array")
    return replace(found, joins=True) if joins else found


def operate(operator: ast.operator, operands: tuple[ast.expr, ast.expr], left: Value, right: Value) -> Value:
    """Give the value of a binary operation."""
    kinds = {left.kind, right.kind}
    fractional = any((one.dtype or "").startswith("float") for one in (left, right))
    if isinstance(operator, ast.Mult) and 0 in (left.rank, right.rank) and kinds & {"list", "tuple"} and not fractional:
        return left if left.kind != "array" else right  # an integer of NumPy's repeats a list
    if "array" in kinds:
        others = [one for one in (left, right) if not one.is_array]
        sure = all(one.sure for one in (left, right) if one.is_array) and all(o.kind == "scalar" for o in others)
        dtype = host_of(left, right) or promote([left, right], operands)
        if isinstance(operator, ast.Div):
            dtype = divided(dtype)
        if dtype == "bool" and not isinstance(operator, ast.Add | ast.Mult | ast.BitAnd | ast.BitOr | ast.BitXor):
            dtype = None
        rank = None if isinstance(operator, ast.MatMult) else broadcast_rank(operands, (left, right))
        both = left.is_array and right.is_array and left.sure and right.sure
        axes = (left.has_axes or right.has_axes) and not isinstance(operator, ast.MatMult)
        return array(dtype, rank, sure=sure or both, axes=axes)
    if isinstance(operator, ast.MatMult) and kinds == {"unknown"}:
        return array(sure=False)
    if kinds == {"scalar"}:
        return left if left == right else Value("scalar", "mixed") if left.dtype or right.dtype else SCALAR
    if isinstance(operator, ast.Mod) and left.kind == "str":
        return left
    if kinds == {"list"} and isinstance(operator, ast.Add) and left.element and right.element:
        return Value("list", element=join(left.element, right.element))
    if kinds <= {"list", "scalar"} and isinstance(operator, ast.Mult | ast.Add):
        return left if left.kind == "list" else right
    if isinstance(operator, ast.Add) and kinds == {"tuple"}:
        return Value("tuple", element=join(iterated(left), iterated(right)))
    if isinstance(operator, ast.Add) and left.kind == right.kind:
        return Value(left.kind, element=left.element) if left.kind in ("str", "shape") else UNKNOWN
    return UNKNOWN


def _unary(frame: Frame, node: ast.UnaryOp) -> Value:
    value = evaluate(frame, node.operand)
    return SCALAR if isinstance(node.op, ast.Not) else UNKNOWN if value.kind == "instance" else value


def _compare(frame: Frame, node: ast.Compare) -> Value:
    operands = [node.left, *node.comparators]
    values = [evaluate(frame, one) for one in operands]
    if all(isinstance(operator, _COMPARISONS_TO_BOOL) for operator in node.ops):
        return SCALAR
    arrays = [value for value in values if value.is_array]
    if arrays:
        masked = "masked" if host_of(*values) == "masked" else "bool"
        return array(masked, broadcast_rank(operands, values), sure=all(value.sure for value in arrays))
    return SCALAR if all(value.kind not in ("unknown", "instance") for value in values) else UNKNOWN


def _boolean(frame: Frame, node: ast.BoolOp) -> Value:
    found: Value | None = None
    for one in node.values:
        found = join(found, evaluate(frame, one))
    return found or UNKNOWN


def _conditional(frame: Frame, node: ast.IfExp) -> Value:
    evaluate(frame, node.test)
    return join(evaluate(frame, node.body), evaluate(frame, node.orelse))


def _tuple(frame: Frame, node: ast.Tuple) -> Value:
    items = tuple(evaluate(frame, one) for one in node.elts)
    return Value("tuple", items=items)


def _list(frame: Frame, node: ast.List | ast.Set) -> Value:
    found: Value | None = None
    for one in node.elts:
        found = join(found, evaluate(frame, one))
    return Value("list" if isinstance(node, ast.List) else "set", element=found)


def _dict(frame: Frame, node: ast.Dict) -> Value:
    found: Value | None = None
    named = bool(node.keys)
    for key, one in zip(node.keys, node.values, strict=True):
        value = evaluate(frame, one)
        named = named and key is not None and evaluate(frame, key).kind == "str"
        if key is None:  # `{**x}` has the items of `x`
            value = value.element or UNKNOWN if value.kind == "dict" else UNKNOWN
        found = join(found, value)
    return Value("dict", "str" if named else None, element=found)


def _comprehension(frame: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Value:
    inner = replace(frame, scope=frame.module.names.scopes.of[node], names=dict(frame.names), closures=[])
    for generator in node.generators:
        assign(inner, generator.target, iterated(evaluate(inner, generator.iter)))
        for condition in generator.ifs:
            evaluate(inner, condition)
    if isinstance(node, ast.DictComp):
        evaluate(inner, node.key)
        return Value("dict", element=evaluate(inner, node.value))
    element = evaluate(inner, node.elt)
    return Value("set" if isinstance(node, ast.SetComp) else "list", element=element)


def _await(frame: Frame, node: ast.Await) -> Value:
    value = evaluate(frame, node.value)
    return value if all_objects([value]) is not None else UNKNOWN


def _lambda(frame: Frame, node: ast.Lambda, passed: Value = UNKNOWN) -> Value:
    inner = replace(frame, scope=frame.module.names.scopes.of[node], names=dict(frame.names), closures=[])
    for argument in all_arguments(node.args):
        inner.names[argument.arg] = passed
    evaluate(inner, node.body)
    return UNKNOWN


def _walrus(frame: Frame, node: ast.NamedExpr) -> Value:
    value = evaluate(frame, node.value)
    assign(frame, node.target, value)
    return value


def _text(frame: Frame, node: ast.JoinedStr) -> Value:
    _other(frame, node)
    return Value("str")


def reshape_in_place(frame: Frame, array: ast.expr, shape: list[Value]) -> None:
    """`a.shape = s`, `a.resize(s)`: other names and attributes may be the same array, which has other dimensions."""
    frame.reshape(array.id if isinstance(array, ast.Name) else "", rank_of_sizes(shape))
    if isinstance(array, ast.Attribute) and (holder := evaluate(frame, array.value)).kind in ("instance", "class"):
        frame.trace.write(holder.ref, "binding", array.attr, "reshape")


def assign(frame: Frame, target: ast.expr, value: Value) -> None:
    """Give a target its value: names, attributes of instances, and the parts of a tuple."""
    value = as_bound(frame, target, value)
    frame.module.values[target] = value
    if isinstance(target, ast.Name):
        frame.bind(target.id, value)
    elif isinstance(target, ast.Tuple | ast.List):
        places = [one.value if isinstance(one, ast.Starred) else one for one in target.elts]
        for one, part in zip(places, parts_of(value, [one not in places for one in target.elts]), strict=True):
            assign(frame, one, part)
    elif isinstance(target, ast.Attribute):
        receiver, variable = evaluate(frame, target.value), variable_at(frame, target)
        if variable is not None:
            frame.trace.write(variable[0], "rebound", variable[1], "join", value)
        elif receiver.is_array and target.attr == "shape":
            reshape_in_place(frame, target.value, [value])
        else:
            bind_attribute(frame, receiver, target.attr, value)
    elif isinstance(target, ast.Subscript):
        evaluate(frame, target)
        note_put(frame, target.value, value)
        depth, place = 0, target.value
        while isinstance(place, ast.Subscript):
            depth, place = depth + 1, place.value
        holder = frame.lookup(place.id) if isinstance(place, ast.Name) else UNKNOWN
        if isinstance(place, ast.Name) and holder.kind in ("dict", "list"):
            stored = iterated(value) if isinstance(target.slice, ast.Slice) else value
            hold_items(frame, with_item(holder, stored, depth), place.id)
        elif isinstance(place, ast.Attribute) and value.kind == "scalar" and not isinstance(target.slice, ast.Slice):
            held = frame.module.value(place) or UNKNOWN
            if held.kind in ("dict", "list"):  # a number may stand where arrays do
                bind_attribute(frame, evaluate(frame, place.value), place.attr, with_item(held, value, depth))


_HANDLERS: dict[type[ast.expr], Callable[..., Value]] = {
    ast.Constant: _constant, ast.Name: _name, ast.Attribute: _attribute, ast.Call: _call, ast.Subscript: _subscript,
    ast.BinOp: _operation, ast.UnaryOp: _unary, ast.Compare: _compare, ast.BoolOp: _boolean, ast.IfExp: _conditional,
    ast.Tuple: _tuple, ast.List: _list, ast.Set: _list, ast.Dict: _dict, ast.ListComp: _comprehension,
    ast.SetComp: _comprehension, ast.GeneratorExp: _comprehension, ast.DictComp: _comprehension, ast.Lambda: _lambda,
    ast.NamedExpr: _walrus, ast.JoinedStr: _text, ast.Await: _await,
}  # fmt: skip
