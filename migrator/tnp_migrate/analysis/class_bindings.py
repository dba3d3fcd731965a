"""What classes have of their own that no `def` of theirs defines: `w = zeros(3)`, `Model.w = x`, `__radd__ = add`.

A function that is bound so is a method: an expression or a library runs it on the object without naming the function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest
from keyword import iskeyword

from tnp_migrate.program.index import Class, Function, Index, Module
from tnp_migrate.program.nodes import text_in

_NO_METHODS = frozenset(
    "__slots__ __doc__ __module__ __name__ __qualname__ __dict__ __match_args__ __annotations__ __hash__ "
    "__array_priority__ __array_ufunc__ __test__".split()
)
_NOT_BOUND = frozenset({"property", "staticmethod"})  # which are run, or called, as what they are


def bound_to_classes(index: Index) -> Iterator[tuple[Class, str, Module, ast.AST]]:
    """What classes have of their own: the class, the name, and the module and place that bind it."""
    made_by: dict[Class, list[Class]] = {}  # a metaclass
    for module in index.modules.values():
        for owner in module.classes.values():
            for name, places in owner.scope.bound.items():
                yield from ((owner, name, module, place) for place in places if name not in owner.methods)
            for each in owner.metaclass.lineage if owner.metaclass is not None else ():
                made_by.setdefault(each, []).append(owner)
    for name, stores in index.attribute_stores.items():
        for module, place in stores:
            value = module.value(place.value)
            if value is not None and value.kind == "class":
                yield value.ref, name, module, place
            elif value is not None and value.kind == "instance":  # `cls.v = x` in a method of a metaclass
                yield from ((owner, name, module, place) for owner in made_by.get(value.ref, ()))


@lru_cache(maxsize=1)
def assigned_methods(index: Index) -> dict[str, dict[Class | None, list[Function]]]:
    """The names that classes have for functions which they do not define: which classes, and the functions if known.

    None stands for whichever class: `cls.step = f` of a decorator, `setattr(cls, "step", f)`.
    """
    found: dict[str, dict[Class | None, list[Function]]] = {}
    for owner, name, module, value in _bound_values(index):
        if not name.isidentifier() or iskeyword(name):
            continue
        functions = _functions(index, module, value)
        if functions is None and name[:2] == "__" == name[-2:] and name not in _NO_METHODS:
            functions = []
        if functions is not None:
            found.setdefault(name, {}).setdefault(owner, []).extend(functions)
    return found


def _bound_values(index: Index) -> Iterator[tuple[Class | None, str, Module, ast.expr]]:
    """What is bound to a name of a class: the class, the name, and the module and expression of the value."""
    for owner, name, module, place in bound_to_classes(index):
        value = _assigned(module, place)
        if value is not None:
            yield owner, name, module, value
    for name, stores in index.attribute_stores.items():
        for module, place in stores:
            value = _assigned(module, place)
            if value is not None and _is_likely_class(module, place.value, value):
                yield None, name, module, value
    makes_any = False
    texts: list[tuple[str, Module, ast.expr]] = []
    for module in index.modules.values():
        for node in module.names.scopes.parent:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                named, is_open = _given_by_call(module, node)
                yield from ((None, name, module, value) for name, value in named)
                makes_any |= is_open
            texts += ((name, module, value) for name, value in _named_in(module, node))
    if makes_any:  # of whatever containers hold under a text
        yield from ((None, name, module, value) for name, module, value in texts)


def _is_likely_class(module: Module, holder: ast.expr, value: ast.expr) -> bool:
    """Whether what a value is bound to an attribute of is a class by its name, or may be one and get a function."""
    is_named = isinstance(holder, ast.Name) and holder.id == "cls"
    is_class = is_named or _is_known_class(module, holder)
    return is_class or (_may_be_class(module, holder) and not _is_any(module, value))


def is_class_or_unknown(module: Module, holder: ast.expr) -> bool:
    """Whether what an attribute is bound to is a class, or may be one."""
    return _is_known_class(module, holder) or _may_be_class(module, holder)


def _is_known_class(module: Module, holder: ast.expr) -> bool:
    known = module.value(holder)
    return known is not None and known.kind == "class"


def _may_be_class(module: Module, holder: ast.expr) -> bool:
    """Whether nothing says that an attribute is bound to an object, to a module or to a class that is known."""
    known, method = module.value(holder), module.function_around(holder)
    if (known is not None and known.kind != "unknown") or module.names.of(holder, module.names.scopes.around(holder)):
        return False
    own = method.positional[:1] if method is not None and method.takes_self and not method.takes_class else []
    return not (isinstance(holder, ast.Name) and holder.id in own and method is not None and _is_of_object(method))


def _is_of_object(method: Function) -> bool:
    """Whether the first parameter of a method is an object and no class."""
    return method.node.name not in ("__new__", "__init_subclass__", "__class_getitem__", "__prepare__")


def _given_by_call(module: Module, call: ast.Call) -> tuple[list[tuple[str, ast.expr]], bool]:
    """What a call binds to a class by a name that it spells out; and whether it may bind anything to one."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name == "setattr" and len(call.args) == 3:
        text, holder, value = text_in(call.args[1]), call.args[0], call.args[2]
        is_open = text is None and is_class_or_unknown(module, holder)
        return [(text, value)] if text is not None and _is_likely_class(module, holder, value) else [], is_open
    in_class = module.names.scopes.around(call).kind == "class"
    return [], (name == "type" and len(call.args) > 1) or (name in ("vars", "locals") and in_class)


def _named_in(module: Module, node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What a display, or a store of an item, puts under a text."""
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        yield from ((text, value) for key, value in pairs if (text := text_in(key)) is not None)
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        text, value = text_in(node.slice), _assigned(module, node)
        if text is not None and value is not None:
            yield text, value


def functions_assigned(index: Index, name: str) -> list[Function]:
    """The known functions that classes have under a name without defining them."""
    by_class = assigned_methods(index).get(name, {})
    return list(dict.fromkeys(one for functions in by_class.values() for one in functions))


def _assigned(module: Module, place: ast.AST) -> ast.expr | None:
    """The value that an assignment binds at a place; None for other bindings."""
    parent = module.names.scopes.parent
    above = parent.get(place)
    if isinstance(above, ast.Tuple | ast.List) and isinstance(around := parent.get(above), ast.Assign):
        given = getattr(around.value, "elts", [])
        return next((value for one, value in zip_longest(above.elts, given) if one is place), None) or around.value
    return above.value if isinstance(above, ast.Assign | ast.AnnAssign | ast.NamedExpr) else None


def _functions(index: Index, module: Module, value: ast.expr) -> list[Function] | None:
    """The functions that a value may be; empty if they have no name, None if it is likely no function."""
    if isinstance(value, ast.Lambda):
        return []
    if isinstance(value, ast.IfExp | ast.BoolOp):
        parts = [value.body, value.orelse] if isinstance(value, ast.IfExp) else value.values
        some = [each for one in parts if (each := _functions(index, module, one)) is not None]
        return [one for each in some for one in each] if some else None
    if isinstance(value, ast.Call) and getattr(value.func, "id", "") in _NOT_BOUND:
        return None
    if isinstance(value, ast.Call):
        maker = _named(index, module, value.func)
        made = [] if maker is None else [one for one in module.functions.values() if one.outer is maker.scope]
        is_made = maker is not None and (made or any(isinstance(one, ast.Lambda) for one in ast.walk(maker.node)))
        passed = [one for part in value.args if (one := _named(index, module, part)) is not None]
        return [*made, *passed] if is_made or passed else None
    known = module.value(value)
    found = known.ref if known is not None and known.kind == "function" else _named(index, module, value)
    if found is None and _is_any(module, value):
        return []
    return None if found is None else [found]


def _is_any(module: Module, value: ast.expr) -> bool:
    """Whether a value is a variable that may hold a function which a call or a loop has given it."""
    if not isinstance(value, ast.Name):
        return False
    owner = module.names.scopes.around(value).owner(value.id)
    parent, known = module.names.scopes.parent, module.value(value)
    places = owner.bound[value.id] if owner is not None else []
    is_given = any(isinstance(one, ast.arg) or isinstance(parent.get(one), ast.For) for one in places)
    return is_given and (known is None or known.kind == "unknown")


def _named(index: Index, module: Module, value: ast.expr) -> Function | None:
    """The function of the project that an expression names, in a module or in a class."""
    scopes = module.names.scopes
    met: set[ast.expr] = set()
    while isinstance(value, ast.Name) and value not in met:
        met.add(value)
        owner = scopes.around(value).owner(value.id)
        for one in reversed(owner.bound[value.id] if owner is not None else []):
            if one in module.functions:
                return module.functions[one]
            value = _assigned(module, one) or value
    qualified = module.names.of(value, scopes.around(value))
    found = index.find(qualified) if qualified else None
    if found is None and isinstance(value, ast.Attribute):
        known = module.value(value.value)
        found = known.ref.method(value.attr) if known is not None and known.kind == "class" else None
    return found if isinstance(found, Function) else None
