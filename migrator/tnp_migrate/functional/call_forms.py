"""What a call of NumPy writes to, and what the written array becomes as a value.

`np.add(a, 1, out=b)` gives the target `b` and its new value `tnh.in_place(b, np.add(a, 1))`.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from tnp_migrate.analysis.starred_arguments import starred_outputs, unfolded
from tnp_migrate.analysis.writes import (
    attribute_set,
    function_named,
    held_by_partial,
    shuffled_by_method,
    writes,
    writes_to_first,
    writes_to_itself,
    written_by_class,
)
from tnp_migrate.functional.store_forms import IN_PLACE, Write, attribute_store, listed, operated, read, update
from tnp_migrate.functional.text_parts import Parts, flat
from tnp_migrate.functional.unit import Refused, Unit
from tnp_migrate.functional.variable_uses import assigned
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.signatures import Parameter, method_outputs, outputs, signature_table
from tnp_migrate.program.names import is_numpy

_OPTIONS = frozenset({"where", "casting", "dtype"})
# These sum up in the dtype of the array that they are given as `out=`.
_RUNNING = frozenset("sum prod cumsum cumprod nansum nanprod nancumsum nancumprod".split())
_SUMS = frozenset({*(f"numpy.{name}" for name in _RUNNING), *(f"numpy.ndarray.{name}" for name in _RUNNING)}) | {
    f"numpy.{name}" for name in ("add.reduce", "add.accumulate", "multiply.reduce", "multiply.accumulate")
}
_MEANS = frozenset(f"numpy.{owner}{name}" for name in ("mean", "std", "var") for owner in ("", "nan", "ndarray."))
_FUNCTIONAL = {
    "numpy.fill_diagonal": "diagonal_update",
    "numpy.put": "flat_update",
    "numpy.putmask": "mask_update",
    "numpy.place": "place_update",
    "numpy.put_along_axis": "along_axis_update",
}


def is_made_for_it(unit: Unit, write: Write) -> bool:
    """Whether `out=np.zeros(3)` is an array that only the call's result holds: then the call is its new value."""
    made = write.target
    if write.construct != "`out=`" or not isinstance(made, ast.Call) or write.also:
        return False
    copied = isinstance(made.func, ast.Attribute) and made.func.attr == "copy" and not made.args and not made.keywords
    of_array = copied and isinstance(made.func, ast.Attribute) and unit.value(made.func.value).is_array
    return of_array or unit.qualified(made.func) in traits.CREATION | traits.LIKE


def call_write(unit: Unit, call: ast.Call) -> Write | None:
    """A call of NumPy that writes to an argument or to its receiver, or sets an attribute of an array by its name."""
    stored = attribute_set(unit.module, call)
    if stored is not None and any(True for _ in writes(unit.summary, call)):
        return replace(attribute_store(unit, stored, unit.value_parts(call.args[-1]), call.args[-1]), node=call)
    qualified = unit.qualified(call.func)
    if held_by_partial(call, qualified) is not None and any(True for _ in writes(unit.summary, call)):
        raise Refused(call, f"`{ast.unparse(call)}` writes to an array where it is called")
    if qualified is not None and is_numpy(qualified):
        return _function_write(unit, call, function_named(qualified))
    if qualified == "random.shuffle" or shuffled_by_method(unit.module, call, unit.index.methods) is not None:
        return _shuffle(unit, call)
    declared = unit.module.names.declared(call.func, unit.scope)
    if declared is not None:
        for one in declared.given(call, declared.writes):
            if unit.may_be_array(one) and not unit.is_container(one):
                raise Refused(call, f"`{qualified}` writes to `{ast.unparse(one)}`, as is declared")
        return None
    first = call.args[0] if call.args and qualified in traits.MUTATED_ARGUMENT else None
    if first is not None and unit.may_be_array(first) and not unit.is_container(first):
        if str(qualified).startswith("operator.") and unit.value(first).is_array and not call.keywords:
            return _method_write(unit, call, first, f"__{str(qualified)[9:]}__", call.args[1:])
        raise Refused(call, f"`{qualified}` has no functional form here")
    return _receiver_write(unit, call, call.func) if isinstance(call.func, ast.Attribute) else None


def _receiver_write(unit: Unit, call: ast.Call, method: ast.Attribute) -> Write | None:
    target = written_by_class(call)
    if target is not None and unit.value(target).is_array:
        return _method_write(unit, call, target, method.attr, call.args[1:])
    receiver = unit.value(method.value)
    if receiver.is_array and method.attr in traits.MUTATING_METHODS:
        return _method_write(unit, call, method.value, method.attr, call.args)
    if receiver.is_array or receiver.kind == "rng":
        out = method_outputs(call)
        if out and receiver.kind == "rng" and method.attr != "permuted":
            raise Refused(call, f"`.{method.attr}()` draws numbers into an array")
        name = f"numpy.ndarray.{method.attr}"
        if out:
            return _out(unit, call, name, out)
        _check_starred(unit, call, name, bound=True)
    return None


def _function_write(unit: Unit, call: ast.Call, name: str) -> Write | None:
    if name in traits.MUTATED_ARGUMENT or writes_to_first(name):
        return _shuffle(unit, call) if name == "numpy.random.shuffle" else _argument_write(unit, call, name)
    if name == "numpy.nan_to_num" and writes_to_itself(call):
        return _nan_to_num(unit, call)
    if out := outputs(call, name):
        return _out(unit, call, name, out)
    _check_starred(unit, call, name)
    return None


def _check_starred(unit: Unit, call: ast.Call, name: str, *, bound: bool = False) -> None:
    """Refuse `np.add(x, 1, **options)` where `out=` is among the options."""
    whole = unfolded(call)
    for one in [*outputs(whole, name, bound=bound), *starred_outputs(unit.index, unit.module, whole, name)]:
        raise Refused(call, f"`out=` is among the arguments with a star: `{ast.unparse(one)}`")


# ---- out=


def _out(unit: Unit, call: ast.Call, name: str, outs: list[ast.expr]) -> Write:
    several = next((word.value for word in call.keywords if word.arg == "out"), None)
    if isinstance(several, ast.Tuple) and len(several.elts) > 1:
        return _several_outs(unit, call, several.elts)
    if len(outs) > 1:
        raise Refused(call, "`out=` with several arrays")
    out = outs[0]
    given, words = _without(call, name, out)
    options = {word.arg for word in words} & {*_OPTIONS, None}
    if None in options:
        raise Refused(call, "`out=` in a call with `**`")
    if options and name.removeprefix("numpy.") in traits.UFUNCS_AT.get(len(given), ()):
        return _masked_out(unit, call, out, given, words)
    if options and (name not in _SUMS or options != {"dtype"}):
        raise Refused(call, "`out=` beside `where=`, `dtype=` or `casting=`")
    arguments: list[Parts] = [(unit.span(one),) for one in given]
    arguments += [flat(f"{word.arg}=", unit.span(word.value)) for word in words]
    if not options and name in _SUMS | _MEANS:
        arguments += _dtype_of_sum(unit, call, name, given, out)
    made = flat(f"{unit.helpers}.in_place(", read(unit, out), ", ", unit.span(call.func), "(", listed(arguments), "))")
    return Write(call, out, made, "`out=`")


def _without(call: ast.Call, name: str, out: ast.expr) -> tuple[list[ast.expr], list[ast.keyword]]:
    """The arguments of a call but `out=`. What stands behind it by position, and a dtype before it, get their names."""
    words = [word for word in call.keywords if word.arg != "out"]
    if out not in call.args:
        return call.args, words
    if name not in signature_table().numpy:
        raise Refused(call, "`out=` by its position")
    slots = [one for one in signature_table().numpy[name] if one.kind in ("positional", "normal")]
    pairs = [(one, value) for one, value in zip(slots, call.args, strict=False) if value is not out]
    place = call.args.index(out)
    while place and (slots[place - 1].name == "dtype" or _is_default(*pairs[place - 1])):
        place -= 1
    named = [(one.name, value) for one, value in pairs[place:] if not _is_default(one, value)]
    return [value for _, value in pairs[:place]], [ast.keyword(one, value) for one, value in named] + words


def _is_default(parameter: Parameter, node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None and parameter.default == "None"


def _several_outs(unit: Unit, call: ast.Call, outs: list[ast.expr]) -> Write:
    """`np.divmod(a, 2, out=(b, c))`: the value has all results."""
    others = [word for word in call.keywords if word.arg != "out"]
    starred = any(isinstance(one, ast.Starred) for one in [*outs, *call.args])
    if others or starred or len(outs) > 2 or any(isinstance(one, ast.Constant) for one in outs):
        raise Refused(call, "`out=` with several arrays")
    given: list[Parts] = [(unit.span(one),) for one in call.args]
    return Write(call, outs[0], flat(unit.span(call.func), "(", listed(given), ")"), "`out=`", also=tuple(outs[1:]))


def _masked_out(unit: Unit, call: ast.Call, out: ast.expr, given: list[ast.expr], words: list[ast.keyword]) -> Write:
    """`np.add(a, b, out=c, where=m)`: the function is passed on, which computes nothing where the mask is false."""
    if any(word.arg not in _OPTIONS for word in words) or any(isinstance(one, ast.Starred) for one in given):
        raise Refused(call, "`out=` beside `where=`, `dtype=` or `casting=`")
    if any(word.arg == "dtype" for word in words) and ".logical_" in (unit.qualified(call.func) or ""):
        raise Refused(call, "`out=` beside `dtype=`")
    arguments: list[Parts] = [read(unit, out), (unit.span(call.func),)]
    arguments += [unit.value_parts(one) for one in given]
    arguments += [flat(f"{word.arg}=", unit.span(word.value)) for word in words]
    return Write(call, out, flat(f"{unit.helpers}.ufunc_update(", listed(arguments), ")"), "`out=`")


def _dtype_of_sum(unit: Unit, call: ast.Call, name: str, given: list[ast.expr], out: ast.expr) -> list[Parts]:
    """What a sum has to be told without its `out=`: NumPy takes it in the dtype that the two have in common."""
    of_method = name.startswith("numpy.ndarray.") and isinstance(call.func, ast.Attribute)
    summed = call.func.value if of_method and isinstance(call.func, ast.Attribute) else given[0] if given else None
    dtype, wanted = (unit.value(summed).dtype if summed is not None else None) or "", unit.value(out).dtype or ""
    if name in _MEANS:
        if dtype == wanted and wanted.startswith(("float", "complex")):
            return []
        if wanted != "float64" or not name.endswith(".mean"):
            raise Refused(call, f"`{ast.unparse(call.func)}` computes in the dtype of `out=`, which may be another")
    elif dtype == wanted != "" or (dtype, wanted) == ("float64", "float32") or ("int" in dtype and "int" in wanted):
        return []
    if wanted == "float64" and not dtype.startswith("complex"):
        return [flat("dtype=", unit.span(out), ".dtype")]
    if unit.numpy is None or summed is None or unit.path(summed) is None:
        raise Refused(call, f"`{ast.unparse(call.func)}` computes in the dtype of `out=`, which may be another")
    return [flat(f"dtype={unit.numpy}.result_type(", unit.span(summed), ", ", unit.span(out), ")")]


def _nan_to_num(unit: Unit, call: ast.Call) -> Write | None:
    """`np.nan_to_num(x, copy=False)`, which takes nothing but arrays."""
    words = [word for word in call.keywords if word.arg != "copy"]
    copies = [word.value for word in call.keywords if word.arg == "copy"]
    kind = unit.value(call.args[0]).kind if call.args else "unknown"
    if kind not in ("array", "unknown"):
        return None
    never = len(copies) == 1 and isinstance(copies[0], ast.Constant) and copies[0].value is False
    if not never or len(call.args) != 1 or any(word.arg is None for word in words):
        raise Refused(call, "`np.nan_to_num` may write to what it is given")
    arguments: list[Parts] = [(unit.span(call.args[0]),)]
    arguments += [flat(f"{word.arg}=", unit.span(word.value)) for word in words]
    changed = flat(unit.span(call.func), "(", listed(arguments), ")")
    made = flat(f"{unit.helpers}.in_place(", read(unit, call.args[0]), ", ", changed, ")")
    return Write(call, call.args[0], made, "`out=`")


# ---- functions that write to an argument


def _argument_write(unit: Unit, call: ast.Call, name: str) -> Write:
    if any(isinstance(one, ast.Starred) for one in call.args) or not call.args:
        raise Refused(call, f"`{ast.unparse(call.func)}` is given its array in another way than first")
    target, rest = call.args[0], call.args[1:]
    construct = f"`{ast.unparse(call.func)}`"
    if any(word.arg is None for word in call.keywords):
        raise Refused(call, f"{construct} in a call with `**`")
    if name.startswith("numpy.ndarray."):
        return _method_write(unit, call, target, name.removeprefix("numpy.ndarray."), rest)
    array = read(unit, target)
    values = [unit.value_parts(one) for one in rest]
    values += [flat(f"{word.arg}=", unit.span(word.value)) for word in call.keywords]
    if name == "numpy.copyto" and values:
        helper = "in_place" if len(rest) == 1 and not call.keywords else "copy_update"
    elif name.endswith(".at"):
        return _at(unit, call, name.removesuffix(".at"), construct)
    elif name in _FUNCTIONAL:
        helper = _FUNCTIONAL[name]
    else:
        raise Refused(call, f"{construct} has no functional form here")
    apart = (rest[1] if len(rest) > 1 else call) if name == "numpy.place" else None
    return Write(call, target, flat(f"{unit.helpers}.{helper}(", listed([array, *values]), ")"), construct, apart)


def _at(unit: Unit, call: ast.Call, function: str, construct: str) -> Write:
    """`np.add.at(a, i, v)`, which counts an index as often as it occurs."""
    target, rest = call.args[0], call.args[1:]
    if call.keywords or function.removeprefix("numpy.") not in traits.UFUNCS_AT.get(len(rest), ()):
        raise Refused(call, f"{construct} has no functional form here")
    assert isinstance(call.func, ast.Attribute)
    arguments: list[Parts] = [read(unit, target)]
    if function in ("numpy.add", "numpy.subtract"):
        helper = f"{function[6:]}_at"
    else:
        helper = "ufunc_at"
        arguments.append((unit.span(call.func.value),))
    arguments += [unit.index_parts(rest[0]), *(unit.value_parts(one) for one in rest[1:])]
    return Write(call, target, flat(f"{unit.helpers}.{helper}(", listed(arguments), ")"), construct)


def _shuffle(unit: Unit, call: ast.Call) -> Write | None:
    """`rng.shuffle(x)`: the generator's own shuffle is passed on, and takes the numbers that it always took."""
    construct = f"`{ast.unparse(call.func)}`"
    if len(call.args) != 1 or isinstance(call.args[0], ast.Starred) or any(w.arg != "axis" for w in call.keywords):
        raise Refused(call, f"{construct} is given its array in another way than first")
    if unit.value(call.args[0]).kind in ("list", "dict"):
        return None
    arguments: list[Parts] = [read(unit, call.args[0]), (unit.span(call.func),)]
    arguments += [flat("axis=", unit.span(word.value)) for word in call.keywords]
    made = flat(f"{unit.helpers}.shuffled(", listed(arguments), ")")
    return Write(call, call.args[0], made, construct)


# ---- methods


FILLED = "`.fill()` of what may be one of NumPy's numbers, which stays what it is"
_MAKERS = traits.CREATION | traits.LIKE | traits.CONVERSIONS


def is_number(unit: Unit, node: ast.expr) -> bool:
    """Whether an expression gives one of NumPy's numbers, as a reduction does: no array without axes made by itself."""
    value = unit.value(node)
    return value.is_array and value.rank == 0 and not (isinstance(node, ast.Name) and unit.is_made_array(node.id))


def may_be_number(unit: Unit, node: ast.expr) -> bool:
    """The same of a variable of this body whose rank is not known: it is not made as an array, nor used as one."""
    value = unit.value(node)
    if not isinstance(node, ast.Name) or unit.scope.owner(node.id) is not unit.scope or not value.is_array:
        return is_number(unit, node)
    named = unit.is_array_by_use(node.id) or unit.is_made_array(node.id, _MAKERS)
    return not (named or value.has_axes)


def _is_computed(unit: Unit, node: ast.expr) -> bool:
    """Whether a variable may be a number that `x = x + v` or `x = f(x)[0]` gave, where its rank is not known."""
    if not isinstance(node, ast.Name) or not may_be_number(unit, node) or unit.rank(node):
        return False
    values = [assigned(one, unit.module.names.scopes.parent) for one in unit.scope.bound.get(node.id, ())]
    items = [one for one in values if isinstance(one, ast.Subscript)]
    of_itself = any(isinstance(part, ast.Name) and part.id == node.id for one in items for part in ast.walk(one.value))
    return of_itself or any(isinstance(one, ast.BinOp | ast.UnaryOp) for one in values)


def _method_write(unit: Unit, call: ast.Call, target: ast.expr, name: str, given: list[ast.expr]) -> Write:
    construct = f"`.{name}()`"
    if any(isinstance(one, ast.Starred) for one in given):
        raise Refused(call, f"{construct} with a star")
    if name == "fill" and len(given) == 1:
        if is_number(unit, target) or _is_computed(unit, target):
            raise Refused(call, FILLED)
        made = flat(f"{unit.helpers}.index_update(", read(unit, target), ", ..., ", unit.value_parts(given[0]), ")")
        return Write(call, target, made, construct)
    if name == "__setitem__" and len(given) == 2:
        made = update(unit, read(unit, target), given[0], unit.value_parts(given[1]))
        return Write(call, target, made, construct, given[1])
    if name in IN_PLACE and len(given) == 1:
        return operated(unit, call, target, IN_PLACE[name], given[0])
    arguments: list[Parts] = [(unit.span(one),) for one in given]
    arguments += [flat(f"{word.arg}=", unit.span(word.value)) for word in call.keywords]
    if name in ("sort", "partition") and unit.numpy is not None:
        changed = flat(f"{unit.numpy}.{name}(", listed([read(unit, target), *arguments]), ")")
        made = flat(f"{unit.helpers}.in_place(", read(unit, target), ", ", changed, ")")
        return Write(call, target, made, construct)
    if name == "put" and len(given) >= 2 and all(word.arg == "mode" for word in call.keywords):
        values = [unit.value_parts(one) for one in given] + arguments[len(given) :]
        made = flat(f"{unit.helpers}.flat_update(", listed([read(unit, target), *values]), ")")
        return Write(call, target, made, construct)
    if name == "resize" and given and all(word.arg == "refcheck" for word in call.keywords):
        if not _owns_its_memory(unit, target):
            raise Refused(call, f"{construct} of an array that may not be the only one with its memory")
        shape = [unit.value_parts(one) for one in given]
        made = flat(f"{unit.helpers}.resized(", listed([(unit.span(target),), *shape]), ")")
        return Write(call, target, made, construct)
    raise Refused(call, f"{construct} has no functional form")


def _owns_its_memory(unit: Unit, node: ast.expr) -> bool:
    """Whether a variable of this function holds an array, in rows one after the other, that was made for it."""
    function = unit.function
    if function is None or not isinstance(node, ast.Name) or unit.scope.owner(node.id) is not unit.scope:
        return False
    if node.id in function.parameters:
        return False
    bound: list[ast.expr] = []
    for statement in function.nodes:
        if (
            isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            and statement is not function.node
        ):
            if any(isinstance(one, ast.Name) and one.id == node.id for one in ast.walk(statement)):
                return False
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            bound += [statement.value] if isinstance(target, ast.Name) and target.id == node.id else []
    stored = [
        one
        for one in function.nodes
        if isinstance(one, ast.Name) and one.id == node.id and not isinstance(one.ctx, ast.Load)
    ]
    return len(stored) == len(bound) and all(_makes_own(unit, one) for one in bound)


def _makes_own(unit: Unit, node: ast.expr) -> bool:
    if not isinstance(node, ast.Call) or any(word.arg in ("order", "copy", "ndmin", None) for word in node.keywords):
        return False
    name = unit.qualified(node.func)
    if name == "numpy.array":
        return len(node.args) > 0 and isinstance(node.args[0], ast.List | ast.Tuple | ast.ListComp)
    return name in traits.OWN_DATA and not any(isinstance(one, ast.Starred) for one in node.args)
