"""Which functions a call by their name runs as they are written: those without decorators, or with mere wrappers.

`def wrapper(*args, **kwargs): start(); result = f(*args, **kwargs); stop(); return result` is a mere wrapper: it hands
on what it is given, looks at neither that nor the result, and runs `f` once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tnp_migrate.numpy_facts.values import HOLDING
from tnp_migrate.program.attributes import attribute_name, meets
from tnp_migrate.program.index import Function
from tnp_migrate.program.scopes import all_arguments

PLAIN = frozenset({"staticmethod", "classmethod"})
DISPATCHING = frozenset({"singledispatch", "singledispatchmethod", "register"})  # to one of several functions
_MARKING = frozenset(
    f"{module}.{name}"
    for module, names in (
        ("abc", "abstractmethod"),
        ("typing", "final override no_type_check"),
        ("typing_extensions", "final override"),
    )
    for name in names.split()
)  # which give back the function that they are given
_LEAVES = ("__name__", "__qualname__", "__doc__", "__module__")


def runs_as_written(function: Function) -> bool:
    """Whether a call of a function by its name runs it with what is passed, and gives what it returns."""
    return all((isinstance(one, ast.Name) and one.id in PLAIN) or _wraps(function, one) for one in _changing(function))


def runs_alone(function: Function) -> bool:
    """Whether nothing else of the project runs where a call of a function by its name does.

    A mere wrapper may do more than to hand on what it is given, with objects that it has from elsewhere.
    """
    if not runs_as_written(function):
        return False
    makers = [function.module.value(one) for one in _changing(function)]
    return all(one is None or one.kind != "function" or _adds_nothing(one.ref) for one in makers)


def is_replaced(function: Function) -> bool:
    """Whether its name leads to an object that a class of the project makes of it, or to one of several functions."""
    return any(_replaces(function, one) for one in function.node.decorator_list)


def gives_the_same(function: Function) -> bool:
    """Whether an object that makes something of a function may as well leave it: then that does the like of it.

    So does a cache that can be turned off: `return self.memory.cache(f) if self.is_on else f`.
    """
    return all(_may_leave(function, one) for one in function.node.decorator_list if _replaces(function, one))


def is_property(function: Function) -> bool:
    """Whether a method is what reading an attribute runs, each time anew."""
    return function.owner is not None and [getattr(one, "id", "") for one in _changing(function)] == ["property"]


def is_cached_property(function: Function) -> bool:
    """Whether a method is a property that keeps its result."""
    decorators = function.node.decorator_list
    return any("property" in getattr(one, "attr", getattr(one, "id", "")) for one in decorators)


def _changing(function: Function) -> list[ast.expr]:
    """The decorators of a function but for those that leave it as it is, and mark it."""
    names = function.module.names
    return [one for one in function.node.decorator_list if names.of(one, names.scopes.module) not in _MARKING]


def getters(methods: Mapping[str, list[Function]], key: str) -> list[Function]:
    """The properties that an attribute, given by its key, may be."""
    name = attribute_name(key)
    known = (one for one in methods.get(name, ()) if is_property(one))
    return [one for one in known if one.owner is not None and meets(f"{one.owner.family}:{name}", key)]


def _wraps(function: Function, decorator: ast.expr) -> bool:
    """Whether a decorator is a function of the project that gives a mere wrapper."""
    value = function.module.value(decorator)
    if value is None or value.kind != "function":
        return False
    maker: Function = value.ref
    body = maker.node.body
    inner = [one for one in body if isinstance(one, ast.FunctionDef)]
    last = body[-1]
    if len(maker.parameters) != 1 or len(inner) != 1 or maker.node.decorator_list or maker.yields:
        return False
    wrapper, name = inner[0], maker.parameters[0]
    returns = [one for one in ast.walk(maker.node) if isinstance(one, ast.Return) and one not in ast.walk(wrapper)]
    given = isinstance(last, ast.Return) and isinstance(last.value, ast.Name) and last.value.id == wrapper.name
    dressed = all(_is_wraps(one, name) for one in wrapper.decorator_list)
    return given and len(returns) == 1 and dressed and _hands_on(maker, wrapper, name)


def _adds_nothing(maker: Function) -> bool:
    """Whether a mere wrapper has to do with nothing but what it is given, and what is known to be no object's own."""
    names, wrapper = maker.module.names, next(one for one in maker.node.body if isinstance(one, ast.FunctionDef))
    own = names.scopes.of[wrapper]
    used = [one for statement in wrapper.body for one in ast.walk(statement) if isinstance(one, ast.Name)]
    others = [one for one in used if one.id != maker.parameters[0] and own.owner(one.id) not in (own, None)]  # builtins
    return all(names.is_of_library(one) or _only_counts(maker, wrapper, one) for one in others)


def _only_counts(maker: Function, wrapper: ast.FunctionDef, name: ast.Name) -> bool:
    """Whether a name is of a container that is put into, `CALLS.append(1)`, or the wrapper keeps a number by itself."""
    parent = maker.module.names.scopes.parent
    attribute = parent.get(name)
    above = parent.get(attribute) if isinstance(attribute, ast.Attribute) else None
    if name.id != wrapper.name:
        value = maker.module.value(name)
        is_method = isinstance(above, ast.Call) and above.func is attribute and isinstance(parent.get(above), ast.Expr)
        return is_method and value is not None and value.kind in HOLDING
    text = ast.unparse(attribute) if isinstance(attribute, ast.Attribute) else ""
    begun = [one for one in maker.node.body if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == text]
    return bool(begun) and all(isinstance(one.value, ast.Constant) for one in begun)


def _replaces(function: Function, decorator: ast.expr) -> bool:
    head = decorator.func if isinstance(decorator, ast.Call) else decorator
    if (head.attr if isinstance(head, ast.Attribute) else getattr(head, "id", "")) in DISPATCHING:
        return True
    value = function.module.value(head)
    return value is not None and value.kind in ("class", "instance")


def _may_leave(function: Function, decorator: ast.expr) -> bool:
    """Whether a decorator that is an instance of a class of the project may give the function itself."""
    called = isinstance(decorator, ast.Call)
    value = function.module.value(decorator.func if isinstance(decorator, ast.Call) else decorator)
    maker = value.ref.method("__call__") if value is not None and value.kind == "instance" else None
    if maker is not None and called:
        names = {one.id for one in _returned(maker.node) if isinstance(one, ast.Name)}
        inner = [one for one in maker.module.functions.values() if one.outer is maker.scope and one.node.name in names]
        maker = inner[0] if len(inner) == 1 else None
    if maker is None or maker.yields:
        return False
    parameters = maker.parameters[maker.takes_self :]
    given = [one.id for one in _returned(maker.node) if isinstance(one, ast.Name)]
    return bool(parameters) and parameters[0] in given and len(maker.scope.bound.get(parameters[0], ())) == 1


def _returned(node: ast.AST) -> Iterator[ast.expr]:
    """What a function returns: of a conditional expression either side."""
    pending: list[ast.AST] = [*ast.iter_child_nodes(node)]
    while pending:
        one = pending.pop()
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        given = [one.value] if isinstance(one, ast.Return) and one.value is not None else []
        while given:
            each = given.pop()
            given += [each.body, each.orelse] if isinstance(each, ast.IfExp) else []
            yield each
        pending += ast.iter_child_nodes(one)


def _is_wraps(node: ast.expr, name: str) -> bool:
    """Whether a decorator is `functools.wraps(f)`, which changes nothing about calls."""
    func = node.func if isinstance(node, ast.Call) else None
    last = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    return last == "wraps" and isinstance(node, ast.Call) and [ast.unparse(one) for one in node.args] == [name]


def _hands_on(maker: Function, wrapper: ast.FunctionDef, name: str) -> bool:
    """Whether a wrapper runs a function once, with its own arguments, and returns what that gives."""
    parent = maker.module.names.scopes.parent
    uses = [one for one in ast.walk(maker.node) if isinstance(one, ast.Name) and one.id == name]
    calls = [above for one in uses if isinstance(above := parent.get(one), ast.Call) and above.func is one]
    quiet = [one for one in uses if _is_quiet(parent.get(one), one)]
    if len(calls) != 1 or len(quiet) + len(calls) != len(uses):
        return False
    call = calls[0]
    statement = parent.get(call)
    given = {one.arg for one in all_arguments(wrapper.args)}
    seen = [one for one in ast.walk(wrapper) if isinstance(one, ast.Name) and one.id in given]
    passed = _arguments(call)
    if statement not in wrapper.body or passed != _parameters(wrapper) or len(seen) != len(given):
        return False
    returns = [one for one in ast.walk(wrapper) if isinstance(one, ast.Return)]
    if isinstance(statement, ast.Return):
        return returns == [statement]
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    last = wrapper.body[-1]
    if not isinstance(target, ast.Name) or returns != [last] or not isinstance(last, ast.Return):
        return False
    results = [one for one in ast.walk(wrapper) if isinstance(one, ast.Name) and one.id == target.id]
    return isinstance(last.value, ast.Name) and last.value in results and len(results) == 2


def _is_quiet(above: ast.AST | None, node: ast.expr) -> bool:
    """Whether a use of a function takes its name, or dresses a wrapper in it."""
    if isinstance(above, ast.Attribute):
        return above.attr in _LEAVES
    return isinstance(above, ast.Call) and isinstance(node, ast.Name) and _is_wraps(above, node.id)


def _arguments(call: ast.Call) -> list[str]:
    """What a call passes on, as `_parameters` writes it."""
    found = [f"*{ast.unparse(one.value)}" if isinstance(one, ast.Starred) else ast.unparse(one) for one in call.args]
    return found + [f"{word.arg or '**'}={ast.unparse(word.value)}" for word in call.keywords]


def _parameters(wrapper: ast.FunctionDef) -> list[str]:
    """The parameters of a wrapper as a call that hands all of them on passes them."""
    arguments = wrapper.args
    if arguments.defaults or arguments.kw_defaults:
        return ["?"]
    found = [one.arg for one in [*arguments.posonlyargs, *arguments.args]]
    found += [f"*{arguments.vararg.arg}"] if arguments.vararg else []
    return found + ([f"**={arguments.kwarg.arg}"] if arguments.kwarg else [])
