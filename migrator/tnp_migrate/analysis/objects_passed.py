"""Where arrays that no tensor holds go without a call that says so: to callbacks, in starred arguments, by generators.

`map(density, rows)` of masked rows passes `density` masked arrays, and so does `density(*pair)` where one is in the
pair. Of other arrays nothing has to be known: a tensor does where they do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce

from tnp_migrate.analysis.frames import Frame
from tnp_migrate.analysis.objects_made import is_object
from tnp_migrate.numpy_facts.values import UNKNOWN, Value, iterated, join
from tnp_migrate.program.index import Function
from tnp_migrate.program.nodes import walk

_DEEP = 3  # levels of lists and tuples that are looked into


def objects_in(value: Value | None, depth: int = _DEEP) -> Iterator[Value]:
    """The arrays that no tensor holds, of a value and of what it holds."""
    if value is None:
        return
    if is_object(value):
        yield replace(value, rank=None, sure=False)
    elif depth:
        for part in value.items or (value.element,):
            yield from objects_in(part, depth - 1)


def all_objects(values: Iterable[Value | None]) -> Value | None:
    """What the arrays among some values, and in them, are that no tensor holds; None where there are none."""
    found = [one for value in values for one in objects_in(value)]
    return reduce(join, found) if found else None


def pass_to_callbacks(frame: Frame, call: ast.Call, values: Iterable[Value]) -> list[tuple[ast.Lambda, Value]]:
    """Let functions that a library is given beside such arrays be passed them; give the lambdas, and what they get.

    What is given as `args=` comes behind what the library passes itself: `minimize(f, x0, args=(rows,))`.
    """
    given = list(values)
    called = [one.ref for one in given if one.kind == "function"]
    lambdas = [one for one in _arguments(call) if isinstance(one, ast.Lambda)]
    if not called and not lambdas:
        return []
    receiver = frame.module.values.get(call.func.value) if isinstance(call.func, ast.Attribute) else None
    behind = [frame.value(word.value) for word in call.keywords if word.arg == "args"]
    passed = all_objects([receiver, *(one for one in given if one not in behind)])
    for function in called:
        if passed is not None:
            pass_to_all(frame, function, passed)
        elif (extra := all_objects(behind)) is not None:
            pass_to_all(frame, function, extra, after=1)
    return [(one, passed) for one in lambdas] if passed is not None else []


def pass_starred(frame: Frame, function: Function, call: ast.Call) -> None:
    """Let any parameter be passed what `f(*rows)` or `f(**rows)` passes."""
    several = [one.value for one in call.args if isinstance(one, ast.Starred)]
    several += [word.value for word in call.keywords if word.arg is None]
    passed = all_objects(map(frame.value, several)) if several else None
    if passed is not None:
        pass_to_all(frame, function, passed)


def pass_to_all(frame: Frame, function: Function, passed: Value, *, after: int = 0) -> None:
    """Let any parameter of a function be passed something, but for the first ones."""
    for parameter in function.parameters[function.takes_self + after :]:
        frame.trace.write(function, "arguments", parameter, "join", passed)


def yielded(function: Function) -> Value | None:
    """What a generator is, where it gives arrays that no tensor holds: a list of them."""
    values = function.module.values
    found = [
        values.get(one.value, UNKNOWN) if isinstance(one, ast.Yield) else iterated(values.get(one.value, UNKNOWN))
        for one in walk(function.node)
        if isinstance(one, ast.Yield | ast.YieldFrom) and one.value is not None
    ]
    if all_objects(found) is None:
        return None
    return Value("list", element=reduce(join, found))


def entered(frame: Frame, manager: ast.expr) -> Value | None:
    """What a context manager gives that is a decorated generator of such arrays."""
    called = frame.module.values.get(manager.func) if isinstance(manager, ast.Call) else None
    if called is None or called.kind != "function" or not (called.ref.yields and called.ref.node.decorator_list):
        return None
    returned = frame.trace.read(called.ref, "returns")
    return iterated(returned) if returned is not None and all_objects([returned]) is not None else None


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (word.value for word in call.keywords)
