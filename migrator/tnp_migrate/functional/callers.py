"""What callers get from a function that writes to its arguments, and whether any of them looks."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Literal

from tnp_migrate.analysis.argument_binding import passed
from tnp_migrate.analysis.memory import roots
from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.functional.access_paths import Path, entry
from tnp_migrate.functional.alias_graph import Kind, Links
from tnp_migrate.functional.bodies import Body
from tnp_migrate.functional.flow import Flow
from tnp_migrate.functional.liveness import Liveness
from tnp_migrate.functional.own_objects import makes_object
from tnp_migrate.functional.points_to import origins
from tnp_migrate.program.index import Function, Module

Result = Kind | Literal[""]  # the result is the same array or shares nothing, may share memory, shares nothing


def is_seen(
    function: Function,
    parameter: str,
    summaries: Mapping[Body, Summary],
    liveness_at: Callable[[Module, ast.AST], Liveness],
) -> bool:
    """Whether some caller passes what it, or somebody else, reads afterwards."""
    for summary in summaries.values():
        for call, functions in summary.calls:
            if function not in functions:
                continue
            if any(isinstance(one, ast.Starred) for one in call.args) or any(
                word.arg is None for word in call.keywords
            ):
                return True
            for name, argument in passed(summary.module, function, call):
                if name == parameter and _is_read_after(summary, call, argument, liveness_at(summary.module, call)):
                    return True
    return False


def _is_read_after(summary: Summary, call: ast.Call, argument: ast.expr, liveness: Liveness) -> bool:
    reached = roots(summary, argument)
    if any(kind != "local" for kind, _ in reached) or reached & summary.escaped:
        return True
    names = {name for _, name in reached}
    names |= {name for name, held in summary.aliases.items() if held & reached}
    scopes = summary.module.names.scopes
    statement = next(one for one in scopes.ancestors(call) if isinstance(one, ast.stmt))
    own = set(ast.walk(call))
    beside = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and one not in own}
    return any(name.startswith(".") or name in beside or liveness.is_live(name, statement) for name in names)


def how_returned(flow: Flow, parameters: tuple[str, ...]) -> str:
    """What a function has returned up to now: "none", a "value", or the one parameter that it writes to, the "same"."""
    returns = [node.value for node, _ in flow.exits if isinstance(node, ast.Return)]
    falls = any(node is None for node, _ in flow.exits)
    if all(one is None or (isinstance(one, ast.Constant) and one.value is None) for one in returns):
        return "none"
    is_same = len(parameters) == 1 and all(
        isinstance(node, ast.Return)
        and isinstance(node.value, ast.Name)
        and (node.value.id,) in links.same(entry(*parameters))
        for node, links in flow.exits
    )
    return "same" if is_same and parameters[0] not in flow.unit.kept and not falls else "value"


def results_of(flow: Flow) -> dict[str, Result]:
    """What a function's result is to each parameter, as it is given back."""
    function = flow.unit.function
    found: dict[str, Result] = {}
    for name in function.parameters if function else ():
        kinds = {_result_at(flow, node, links, name) for node, links in flow.exits}
        found[name] = "may" if "may" in kinds or {"either", "other"} <= kinds else "either" if "either" in kinds else ""
    return found


def _result_at(flow: Flow, node: ast.AST | None, links: Links, parameter: str) -> str:
    """The same at one exit: "other" is what shares no memory, yet may be the same object on TensorFlow."""
    value = node.value if isinstance(node, ast.Return) else None
    if value is None or not flow.unit.may_be_array(value):
        return "new"
    given = origins(flow.unit, flow.known, value)
    group = links.same(entry(parameter))
    kinds = {_between(links, path, group) if link.kind in ("same", "either") else "may" for path, link in given}
    reached = {path for path, _ in given} | set(links.possible({path for path, _ in given}))
    if "may" in kinds:
        return "may" if reached & group else "other"
    if "either" in kinds:
        return "either"
    is_new = makes_object(flow.unit, value) or (bool(given) and all(path in links.new for path, _ in given))
    return "new" if is_new else "other"


def _between(links: Links, path: Path, group: set[Path]) -> str:
    """What a place is to those that hold one array: "either", "may", or "" where they share nothing."""
    if path in group:
        return "either"
    kinds = {link.kind for one in links.same(path) for other, link in links.of.get(one, {}).items() if other in group}
    if kinds:
        return "either" if kinds == {"either"} else "may"
    return "may" if group & {*links.exact(path), *links.possible({path})} else ""
