"""Which expressions a node writes to in place, in the words of the user.

`a[0] += 1` writes to `a` by an item assignment; `np.add(a, 1, out=b)` writes to `b`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from tnp_migrate.analysis.array_stores import stores_by_attribute, stores_in_array
from tnp_migrate.analysis.handed_back import Root
from tnp_migrate.analysis.memory import roots
from tnp_migrate.analysis.starred_arguments import starred_outputs, unfolded
from tnp_migrate.analysis.summaries import Summary, kind_of, qualified_name
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.signatures import outputs
from tnp_migrate.numpy_facts.values import UNKNOWN, Value
from tnp_migrate.program.index import Module
from tnp_migrate.program.names import is_numpy, split_name

_NO_ARRAYS = frozenset({"list", "dict", "scalar", "str", "tuple", "shape"})


def writes(summary: Summary, node: ast.AST) -> Iterator[tuple[ast.expr, str, bool]]:
    """What a node writes to in place: the expression, the construct, and whether it is an array by evidence."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _stores(summary, target)
    elif isinstance(node, ast.AugAssign):
        yield from _augmented(summary, node)
    elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension | ast.withitem | ast.AnnAssign):
        stored = node.optional_vars if isinstance(node, ast.withitem) else node.target
        if stored is not None and not (isinstance(node, ast.AnnAssign) and node.value is None):
            yield from _stores(summary, stored)
    elif isinstance(node, ast.Call):
        yield from _call_writes(summary, node)


def _stores(summary: Summary, target: ast.expr) -> Iterator[tuple[ast.expr, str, bool]]:
    if isinstance(target, ast.Tuple | ast.List):
        for one in target.elts:
            yield from _stores(summary, one.value if isinstance(one, ast.Starred) else one)
    elif isinstance(target, ast.Subscript):
        kind = kind_of(summary, target.value)
        if kind in ("array", "unknown"):
            yield target.value, "an item assignment", stores_in_array(summary, target)
    elif isinstance(target, ast.Attribute) and stores_by_attribute(summary, target):
        yield target.value, f"an assignment to `.{target.attr}`", True


def _augmented(summary: Summary, node: ast.AugAssign) -> Iterator[tuple[ast.expr, str, bool]]:
    target = node.target
    value = summary.module.value(target) or UNKNOWN
    if isinstance(target, ast.Subscript):
        if value.is_array and kind_of(summary, target.value) in ("dict", "list", "tuple"):
            yield target, f"`{ast.unparse(target)} {_symbol(node)}=`", True
        elif (
            kind_of(summary, target.value) == "unknown"
            and kind_of(summary, target.slice) != "str"
            and _adds_array(summary, node)
        ):
            yield target.value, f"`{ast.unparse(target)} {_symbol(node)}=`", True
        yield from _stores(summary, target)
        return
    if value.kind == "unknown":
        if isinstance(target, ast.Attribute) or any(root[0] == "parameter" for root in roots(summary, target)):
            yield target, f"`{ast.unparse(target)} {_symbol(node)}=`", _adds_array(summary, node)
        return
    if not value.is_array:
        return
    if isinstance(target, ast.Attribute):
        yield target, f"`{ast.unparse(target)} {_symbol(node)}=`", True
        return
    assert isinstance(target, ast.Name)
    if value.is_number and (
        _is_element(summary, target.id) or not any(root[0] == "parameter" for root in roots(summary, target))
    ):
        return
    operand = summary.module.value(node.value) or UNKNOWN
    grows = value.rank is not None and operand.rank is not None and operand.rank > value.rank
    if grows or _is_shared(summary, target.id) or _is_returned_to_others(summary, node, target.id):
        yield target, f"`{target.id} {_symbol(node)}=`", True
        return
    summary.bound_anew.add(node)
    if not _keeps_dtype(summary, node, value) if value.sure else _is_widened(value, operand):
        summary.casts.append(node)


def _is_element(summary: Summary, name: str) -> bool:
    """Whether a variable only ever has what a loop takes from arrays: where that has no axes, it is a number."""
    owner, parent = summary.scope.owner(name), summary.module.names.scopes.parent
    above = [parent.get(one) for one in owner.bound.get(name, ())] if owner is not None else []
    taken = [one for one in above if not isinstance(one, ast.AugAssign)]
    return bool(taken) and all(
        isinstance(one, ast.For | ast.comprehension) and kind_of(summary, one.iter) == "array" for one in taken
    )


def _adds_array(summary: Summary, node: ast.AugAssign) -> bool:
    """Whether the operand is an array: an ndarray takes it in place, but gives way to a tensor, itself unchanged."""
    return (summary.module.value(node.value) or UNKNOWN).may_have_axes


def _symbol(node: ast.AugAssign) -> str:
    symbols = {
        "Add": "+",
        "Sub": "-",
        "Mult": "*",
        "Div": "/",
        "MatMult": "@",
        "Pow": "**",
        "FloorDiv": "//",
        "Mod": "%",
    }
    return symbols.get(type(node.op).__name__, "|")


def _is_shared(summary: Summary, name: str) -> bool:
    """Whether another name, a container, an attribute or the caller may hold the array of a name."""
    own: set[Root] = {("local", name)}
    mine = roots(summary, ast.Name(name))
    if mine - own or own & summary.escaped:
        return True
    return any(own & held for other, held in summary.aliases.items() if other != name)


def _is_returned_to_others(summary: Summary, node: ast.AugAssign, name: str) -> bool:
    """Whether a function inside another writes to a variable of the latter, which one of them returns."""
    inner = summary.module.names.scopes.around(node)
    return name in inner.nonlocals and ("local", name) in summary.returned


def _keeps_dtype(summary: Summary, node: ast.AugAssign, target: Value) -> bool:
    """Whether rebinding gives the dtype that NumPy's in-place operation keeps."""
    operand = summary.module.value(node.value) or UNKNOWN
    if target.dtype is None:
        return False
    if operand.kind == "scalar" and operand.dtype is None:  # Python's own number, which takes the array's dtype
        return target.dtype.startswith(("float", "complex")) and not _is_complex(node.value)
    if target.dtype == "float64":
        return not (operand.dtype or "").startswith("complex")
    return operand.dtype == target.dtype


def _is_widened(target: Value, operand: Value) -> bool:
    """Whether an operand is known for one of the widest dtype, and a target that is likely an array may have less."""
    return operand.dtype in ("float64", "complex128") and target.dtype != operand.dtype and operand.library is None


def _is_complex(node: ast.expr) -> bool:
    return any(isinstance(one, ast.Constant) and isinstance(one.value, complex) for one in ast.walk(node))


def _call_writes(summary: Summary, node: ast.Call) -> Iterator[tuple[ast.expr, str, bool]]:
    stored = attribute_set(summary.module, node)
    if stored is not None:
        yield from _stores(summary, stored)
        return
    qualified = qualified_name(summary, node.func)
    if (held := held_by_partial(node, qualified)) is not None:
        name = qualified_name(summary, held.func) or ""
        yield from _numpy_writes(unfolded(held), function_named(name), summary) if is_numpy(name) else ()
        return
    declared = summary.module.names.taught.effects.get(qualified or "")
    if declared is not None:
        for one in declared.given(node, declared.writes):
            if kind_of(summary, one) not in _NO_ARRAYS:
                yield one, f"`{qualified}`", True
    elif qualified is not None and (is_numpy(qualified) or qualified in traits.MUTATED_ARGUMENT):
        yield from _numpy_writes(unfolded(node), function_named(qualified), summary)
    elif (target := written_by_class(node)) is not None:
        if kind_of(summary, target) in ("array", "unknown"):
            yield target, f"`.{node.func.attr}()`", kind_of(summary, target) == "array"  # type: ignore[attr-defined]
    elif isinstance(node.func, ast.Attribute):
        receiver = kind_of(summary, node.func.value)
        if receiver == "array" and node.func.attr in traits.MUTATING_METHODS:
            yield node.func.value, f"`.{node.func.attr}()`", True
        shuffled = shuffled_by_method(summary.module, node, summary.index.methods)
        if shuffled is not None:
            yield shuffled, "`.shuffle()`", kind_of(summary, shuffled) == "array"
        if receiver in ("array", "rng"):
            yield from _outputs(summary, unfolded(node), f"numpy.ndarray.{node.func.attr}", bound=True)


def held_by_partial(call: ast.Call, qualified: str | None) -> ast.Call | None:
    """The call that `partial(np.put, x, [0])` holds the first arguments of."""
    if qualified != "functools.partial" or not call.args:
        return None
    return ast.Call(call.args[0], call.args[1:], call.keywords)


def written_by_class(call: ast.Call) -> ast.expr | None:
    """What `type(x).fill(x, 0)` and `x.__class__.fill(x, 0)` write to, if it is an array."""
    func = call.func
    if not isinstance(func, ast.Attribute) or func.attr not in traits.MUTATING_METHODS or not call.args:
        return None
    return call.args[0] if is_class_of_something(func.value) else None


def is_class_of_something(node: ast.expr) -> bool:
    """Whether an expression is `type(x)` or `x.__class__`."""
    called = node.func if isinstance(node, ast.Call) and len(node.args) == 1 else None
    return getattr(called, "id", "") == "type" or getattr(node, "attr", "") == "__class__"


def attribute_set(module: Module, call: ast.Call) -> ast.Attribute | None:
    """What `setattr(x, "real", v)` and `x.__setattr__("real", v)` assign to: `x.real`, which is in no text."""
    func, given = call.func, call.args
    if isinstance(func, ast.Attribute) and func.attr == "__setattr__":
        given = given if len(given) == 3 else [func.value, *given]  # of `object`, or of what it is called on
    elif getattr(func, "id", "") != "setattr" or module.names.scopes.around(call).owner("setattr") is not None:
        return None
    name = given[1] if len(given) == 3 and not call.keywords else None
    if not isinstance(name, ast.Constant) or name.value not in traits.STORED_ATTRIBUTES:
        return None
    return ast.Attribute(given[0], str(name.value), ast.Store())


def _numpy_writes(node: ast.Call, name: str, summary: Summary) -> Iterator[tuple[ast.expr, str, bool]]:
    mutated = traits.MUTATED_ARGUMENT.get(name) or ((0, "a") if writes_to_first(name) else None)
    if mutated is not None:
        position, parameter = mutated
        given = [word.value for word in node.keywords if word.arg == parameter]
        target = node.args[position] if len(node.args) > position else given[0] if given else None
        if target is not None and kind_of(summary, target) not in _NO_ARRAYS:
            yield target, f"`{name.replace('numpy', 'np', 1)}`", True
        return
    yield from _outputs(summary, node, name)
    itself = name == "numpy.nan_to_num" and node.args and writes_to_itself(node)
    if itself and kind_of(summary, node.args[0]) in ("array", "unknown"):
        yield node.args[0], "`np.nan_to_num` with `copy=`", True


def _outputs(
    summary: Summary, node: ast.Call, name: str, *, bound: bool = False
) -> Iterator[tuple[ast.expr, str, bool]]:
    for one in outputs(node, name, bound=bound):
        yield one, "`out=`", True
    for one in starred_outputs(summary.index, summary.module, node, name):
        yield one, f"`out=` among `{ast.unparse(one)}`", True


def function_named(qualified: str) -> str:
    """The function that a qualified name is of, or is an attribute of: `np.ndarray.sort` is one itself."""
    return split_name(qualified)[0] if is_numpy(qualified) and not qualified.startswith("numpy.ndarray.") else qualified


def writes_to_first(name: str) -> bool:
    """Whether a name of NumPy's is one such as `np.add.at` or `np.ndarray.sort`, which write to what they come with."""
    owner, _, last = name.rpartition(".")
    return (last == "at" and "." in owner) or (owner == "numpy.ndarray" and last in traits.MUTATING_METHODS)


def writes_to_itself(call: ast.Call) -> bool:
    """Whether `np.nan_to_num(x, copy=False)` writes to `x`, or may."""
    copies = [word.value for word in call.keywords if word.arg == "copy"] or call.args[1:2]
    return bool(copies) and not (isinstance(copies[0], ast.Constant) and copies[0].value is True)


def shuffled_by_method(module: Module, call: ast.Call, methods: Collection[str]) -> ast.expr | None:
    """What `rng.shuffle(x)` shuffles; where `rng` may be anything, an array that a statement of its own shuffles.

    `methods` are those of the project, by their bare names.
    """
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in traits.RNG_MUTATING_METHODS or not call.args:
        return None
    receiver = (module.value(call.func.value) or UNKNOWN).kind
    is_array = (module.value(call.args[0]) or UNKNOWN).is_array
    alone = isinstance(module.names.scopes.parent.get(call), ast.Expr)
    if receiver == "unknown" and is_array and alone and call.func.attr not in methods:
        return call.args[0]
    return call.args[0] if receiver == "rng" else None
