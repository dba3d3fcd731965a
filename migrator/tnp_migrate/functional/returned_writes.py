"""Calls of functions that give back what they write to: the results that a call site has to bind."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from functools import reduce

from tnp_migrate.analysis.argument_binding import passed
from tnp_migrate.analysis.effects import callees, is_guess, may_write, writes_surely
from tnp_migrate.analysis.memory import roots
from tnp_migrate.functional.known import Known
from tnp_migrate.functional.points_to import origins
from tnp_migrate.functional.unit import NOTHING, Convention, Refused, Unit
from tnp_migrate.program.index import Function
from tnp_migrate.program.nodes import outermost_of

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp, ast.ClassDef)


@dataclass(frozen=True)
class Called:
    """A call with the arguments that come back, in the order in which they do."""

    call: ast.Call
    convention: Convention
    arguments: tuple[ast.expr | None, ...]  # None where a parameter has its default


def called(unit: Unit, known: Known, call: ast.Call) -> Called | None:
    """What a call of the project's functions gives back; None where it writes to nothing."""
    reached = callees(unit.module, unit.index, call)
    if not known.conventions.has_any(reached) and not known.refused.has_any(reached):
        return None
    functions = [one for one in reached if may_write(unit.index, unit.module, call, one)]
    for function in functions:
        if function in known.refused:
            _check_refused(unit, known, call, function, reached)
    changed = [function for function in functions if function in known.conventions]
    if not changed:
        return None
    function = changed[0]
    if _is_replaced(unit, known, call, functions):
        return None
    convention = _in_common(unit, known, call, functions)
    if convention is None:
        raise Refused(
            call, f"which `{function.node.name}` is called is not known, and they write to different arguments"
        )
    if convention.alike.issuperset(convention.parameters) and _is_left(unit, call, convention):
        return None
    if any(isinstance(one, ast.Starred) for one in call.args) or any(word.arg is None for word in call.keywords):
        raise Refused(call, f"`{function.name}` writes to an argument, and the call has a star")
    given = dict(passed(unit.module, function, call))
    others = [dict(passed(unit.module, one, call)) for one in functions]
    if any(other.get(name) is not argument for other in others for name, argument in given.items()):
        raise Refused(call, f"which `{function.node.name}` is called is not known, and their parameters differ")
    return Called(call, convention, tuple(given.get(name) for name in convention.parameters))


def _is_left(unit: Unit, call: ast.Call, convention: Convention) -> bool:
    """Whether nothing is lost where a call takes nothing back: its result is the array, or nobody looks at it."""
    dropped = isinstance(unit.module.names.scopes.parent.get(call), ast.Expr)
    return convention.result == "same" or dropped


def _is_replaced(unit: Unit, known: Known, call: ast.Call, functions: list[Function]) -> bool:
    """Whether a call writes to what its result takes the place of, and nothing else has: `x = layer.backward(x)`."""
    above = unit.module.names.scopes.parent.get(call)
    target = above.targets[0] if isinstance(above, ast.Assign) and len(above.targets) == 1 else None
    if not isinstance(target, ast.Name) or unit.function is None or unit.scope.owner(target.id) is not unit.scope:
        return False
    written = []
    for function in functions:
        convention = known.conventions.get(function, NOTHING)
        if convention is not NOTHING and convention.result != "same":
            return False
        given = dict(passed(unit.module, function, call))
        written += [given.get(name) for name in convention.parameters]
    names = {one.id for one in written if isinstance(one, ast.Name)}
    plain = all(isinstance(one, ast.Name) for one in written) and names == {target.id}
    # What the call is given is another value of the variable than the one that it binds: a parameter's, maybe.
    return plain and all(_is_alone(unit, one) for one in (target, *written) if isinstance(one, ast.Name))


def _is_alone(unit: Unit, variable: ast.Name) -> bool:
    """Whether nothing but a variable of the function has what it has, and no function inside reads it."""
    assert unit.function is not None
    summary = unit.summary
    reached = roots(summary, variable)
    others = {name for name, held in summary.aliases.items() if held & reached} - {variable.id}
    inside = outermost_of(unit.function.node.body, _FUNCTIONS)
    is_captured = any(isinstance(one, ast.Name) and one.id == variable.id for node in inside for one in ast.walk(node))
    return not (others or is_captured or reached & summary.escaped) and reached <= {("local", variable.id)}


def _in_common(unit: Unit, known: Known, call: ast.Call, functions: list[Function]) -> Convention | None:
    """What all functions that a call may run give back; None where they differ, and cannot be made alike.

    Those that write to less than others are asked to give back the rest as it is.
    """
    conventions = [known.conventions.get(one, NOTHING) for one in functions]
    joined = reduce(Convention.joined, conventions)
    if all((one.parameters, one.result) == (joined.parameters, joined.result) for one in conventions):
        return joined
    written = {name for one in conventions for name in one.parameters}
    orders = {tuple(name for name in one.parameters if name in written) for one in functions}
    apart = any(one in known.refused or one in known.unable or one.nested for one in functions)
    if is_guess(unit.module, call) or apart or len(orders) > 1 or len(*orders) < len(written):
        return None
    results = {one.result for one in conventions if one is not NOTHING}
    result = results.pop() if len(results) == 1 else "value"
    for function in functions:
        before = known.asked.get(function, NOTHING)
        names = written | set(before.parameters)
        wanted = "value" if "value" in (before.result, result) else result
        ordered = tuple(name for name in function.parameters if name in names)
        known.asked[function] = Convention(ordered, wanted)
    return replace(joined, parameters=next(iter(orders)), result=result)


def _check_refused(unit: Unit, known: Known, call: ast.Call, function: Function, reached: list[Function]) -> None:
    """A function that stays on NumPy writes to what it is given: its caller stays, too, if that is no copy for sure."""
    summary = known.summaries.get(function)
    if function.yields and summary is not None and summary.sites:
        message = f"`{function.name}` yields arrays that it may write to later, and stays on NumPy"
        raise Refused(call, message, because=(function.module.name, function.place))
    written = known.running.written_by(unit.module, call, function) if summary else ()
    for parameter, argument in passed(unit.module, function, call) if written else ():
        if parameter not in written or not writes_surely(known.summaries, unit.module, call, reached, argument):
            continue
        if unit.value(argument).is_array or origins(unit, known, argument):
            message = f"a call of `{function.name}`, which writes to `{parameter}` and stays on NumPy"
            raise Refused(call, message, because=(function.module.name, function.place))
