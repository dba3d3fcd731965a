"""How a function gives back what it writes to: by its result, where that can change."""

from __future__ import annotations

import ast
from collections.abc import Collection

from tnp_migrate.analysis.functions_as_values import Uses
from tnp_migrate.functional.callers import how_returned
from tnp_migrate.functional.flow import Flow
from tnp_migrate.functional.unit import Convention, Refused
from tnp_migrate.program.decorators import runs_as_written
from tnp_migrate.program.index import Function
from tnp_migrate.program.scopes import defaults_of


def convention_of(flow: Flow, uses: Uses, asked: Convention) -> Convention | None:
    """What callers get back of what a function writes to, and of what it is asked for; None where that is nothing."""
    function = flow.unit.function
    unsure = frozenset(flow.written) - flow.sure - frozenset(flow.unit.kept)
    alike = frozenset(asked.parameters) - set(flow.written)
    flow.written |= dict.fromkeys(sorted(alike), function.node if function else ast.Pass())
    if not flow.written:
        return None
    assert function is not None
    node = next(iter(flow.written.values()))
    _check_signature(function, node, flow.written, uses)
    ordered = tuple(name for name in function.parameters if name in flow.written)
    for at, links in flow.exits:
        for name in ordered:
            around = links.of.get((flow.unit.kept.get(name, name),), {})
            if (f"^{name}",) not in around or around[(f"^{name}",)].kind != "same":
                message = f"`{name}` is bound anew, and the caller's array was written to before"
                raise Refused(at or node, message, node, parameter=name)
    result = "value" if asked.result == "value" else how_returned(flow, ordered)
    return Convention(ordered, result, unsure, frozenset(flow.deeply), alike)


def _check_signature(function: Function, node: ast.AST, written: Collection[str], uses: Uses) -> None:
    """Refuse where the result of a function cannot change."""
    defaults = defaults_of(function.node.args)
    for parameter in written:
        if parameter in defaults and not isinstance(defaults[parameter], ast.Constant):
            raise Refused(node, f"the default of `{parameter}`, which all calls share, is written to")
    name = function.node.name
    if function.yields or isinstance(function.node, ast.AsyncFunctionDef):
        raise Refused(node, "a generator or coroutine writes to an argument")
    if not runs_as_written(function):
        raise Refused(node, "a decorated function writes to an argument")
    if name.startswith("__") and name.endswith("__"):
        raise Refused(node, f"`{name}` writes to an argument, and its result is Python's business")
    if function in uses.functions or (function.owner is not None and name in uses.attributes):
        raise Refused(node, f"`{name}` writes to an argument and is passed on as a value")
