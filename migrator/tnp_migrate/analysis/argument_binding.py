"""Which parameters of a function of the project the arguments of a call are for."""

from __future__ import annotations

import ast
from collections.abc import Collection
from itertools import takewhile

from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.classes import makes_classes
from tnp_migrate.program.decorators import runs_as_written
from tnp_migrate.program.index import Function, Module


def binds_receiver(function: Function, kind: str, call: ast.Call) -> bool:
    """Whether a call passes what a function is read from, a value of some kind, before its arguments.

    Where the kind is not known, a call with one for each parameter passes all itself: `table["k"].put(model, x)`.
    """
    if not function.takes_self or function.takes_class:
        return function.takes_self
    passes_all = len(call.args) == len(function.positional) and function.node.args.vararg is None
    of_class = kind == "class" and not (function.owner is not None and makes_classes(function.owner))
    return not of_class and not (kind in ("unknown", "class") and passes_all)


def accepts(function: Function, call: ast.Call) -> bool:
    """Whether a call on something unknown may be one of a method: Python refuses arguments that it has no place for.

    A class may be what it is called on, and the object its first argument.
    """
    given, words = function.node.args, [word.arg for word in call.keywords if word.arg is not None]
    if not runs_as_written(function):
        return True
    several = given.vararg is not None or any(isinstance(one, ast.Starred) for one in call.args)
    named = {one.arg for one in (*given.args, *given.kwonlyargs)}
    return (several or len(call.args) <= len(function.positional)) and (
        given.kwarg is not None or named.issuperset(words)
    )


def takes(method: Function, places: Collection[str | int | None]) -> bool:
    """Whether a method that is bound takes arguments at some places, None for starred ones, and needs no others."""
    arguments, given = method.node.args, [one for one in places if isinstance(one, str) and one != "**"]
    if None in places or "**" in places or not runs_as_written(method):
        return True
    count = sum(isinstance(one, int) for one in places)
    names = method.positional[method.takes_self :]
    known = {*names, *(one.arg for one in arguments.kwonlyargs)}
    needed = names[count : max(len(names) - len(arguments.defaults), 0)]
    fits = arguments.vararg is not None or count <= len(names)
    return fits and set(given).issuperset(needed) and (arguments.kwarg is not None or known.issuperset(given))


def passed(module: Module, function: Function, call: ast.Call) -> list[tuple[str, ast.expr]]:
    """The parameters of a function with the expressions that a call, in a module, gives for them."""
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
    kind = (module.value(receiver) or UNKNOWN).kind if receiver is not None else "instance"
    bound = (receiver is not None or function.node.name == "__init__") and binds_receiver(function, kind, call)
    parameters = function.positional[1:] if bound else function.positional
    plain = list(takewhile(lambda one: not isinstance(one, ast.Starred), call.args))
    found = [pair for pair in zip(parameters, call.args, strict=False) if not isinstance(pair[1], ast.Starred)]
    rest, words = function.node.args.vararg, function.node.args.kwarg
    if rest is not None:
        found += [(rest.arg, one) for one in plain[len(parameters) :]]
    named = function.parameters if words is not None else ()
    for word in call.keywords:
        if word.arg:
            name = word.arg if words is None or word.arg in named else words.arg
            found.append((name, word.value))
    return found


def given_alone(module: Module, function: Function, call: ast.Call) -> dict[str, ast.expr]:
    """The expressions that stand for parameters in a call: not those that `*args` and `**words` gather."""
    return {name: one for name, one in passed(module, function, call) if name not in function.gathered}
