"""The decorator on functions that are compiled, and what is said of those with loops that are not.

`def smoothed(x): ...` becomes the same below `@tnh.compiled`; a function that writes to its parameter `a`, and returns
it since the functional stage, gets `@tnh.compiled(writes=("a",))`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from tnp_migrate.analysis.effects import callees
from tnp_migrate.backend.sites import Site
from tnp_migrate.compiled.host_effects import Effects, Obstacle
from tnp_migrate.compiled.outlining import outlined_loops
from tnp_migrate.compiled.worth import functions_inside, is_decorated, is_worth, loops_of
from tnp_migrate.diagnostics.decisions import Extra
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.nodes import walk
from tnp_migrate.text.source import Edit, Span

_LEFT_OUT = ("test_", "Test")  # what a test runs once is not worth it


def mark_compiled(site: Site) -> tuple[list[Extra], list[Edit]]:
    """Decide which functions of a file are compiled: findings and helpers, and the lines of decorators."""
    effects = effects_of(site)
    extras: list[Extra] = []
    edits: list[Edit] = []
    for function in site.module.functions.values():
        if is_decorated(function):
            extras += _for_loops(function, effects)
        if _is_left_out(function):
            continue
        obstacle = effects.obstacle(function)
        if obstacle is None:
            if is_compiled(function, effects):
                edits.append(_decorator(site, function))
                extras.append(Extra((), (), frozenset({"compiled", "explain"})))
                extras += _for_loops(function, effects)
        elif function not in site.islands.functions:
            extras += _why_not(site, function, obstacle, effects)
    return extras, edits


def _for_loops(function: Function, effects: Effects) -> list[Extra]:
    """What the helper module has to have where a compiled function has a loop, or one that it calls."""
    inside = (function, *functions_inside(function, effects.index))
    return [Extra((), (), frozenset({"ROLLED_LOOPS"}))] if any(map(_has_loop, inside)) else []


def _has_loop(function: Function) -> bool:
    return any(isinstance(one, ast.For | ast.While) for one in walk(function.node))


def effects_of(site: Site) -> Effects:
    """The functions of the project of a file, with what is known of them."""
    return Effects(site.index, site.islands, site.summaries)


def needs_numpy_form(site: Site) -> bool:
    """Whether a file holds functions that are compiled, or that such functions of the project call."""
    return site.module in _modules_inside(effects_of(site))


@lru_cache(maxsize=1)
def _modules_inside(effects: Effects) -> frozenset[Module]:
    found: set[Module] = set()
    for function in effects.index.functions():
        if _will_be(function, effects):
            found |= {one.module for one in (function, *functions_inside(function, effects.index))}
    return frozenset(found)


def is_compiled(function: Function, effects: Effects) -> bool:
    """Whether a function without obstacle gets the decorator: worth it, and the outermost of those that call it."""
    return is_worth(function, effects.index) and not _only_inside(function, effects)


def _is_left_out(function: Function) -> bool:
    name = function.node.name
    is_special = name.startswith("__") and name.endswith("__") and name != "__call__"
    return is_special or name.startswith(_LEFT_OUT) or is_decorated(function)


@lru_cache(maxsize=1)
def _callers(index: Index) -> dict[Function, set[Function | None]]:
    """The functions that call a function, None for a module's own statements."""
    found: dict[Function, set[Function | None]] = {}
    for module in index.modules.values():
        for call in module.values:
            if not isinstance(call, ast.Call):
                continue
            for callee in callees(module, index, call):
                above = [one for one in module.names.scopes.ancestors(call) if one in module.functions]
                found.setdefault(callee, set()).add(module.functions[above[-1]] if above else None)
    return found


def _only_inside(function: Function, effects: Effects) -> bool:
    """Whether a function is called, and only by others that can be compiled: the outermost of them is."""
    callers = _callers(effects.index).get(function, set()) - {function}
    if not callers:
        return False
    return all(
        one is not None and effects.obstacle(one) is None and not one.node.name.startswith(_LEFT_OUT) for one in callers
    )


def _decorator(site: Site, function: Function) -> Edit:
    node = function.node
    written = [
        name
        for name in function.parameters
        if name in site.islands.wrote.get((function.module.name, function.name), ())
        and not _is_bound_anew(site, function, name)
    ]
    listed = ", ".join(f'"{name}"' for name in written)
    call = f"(writes=({listed}{',' if len(written) == 1 else ''}))" if written else ""
    start = site.source.line_starts[node.lineno - 1]
    text = site.source.lines[node.lineno - 1]
    indent = text[: len(text) - len(text.lstrip())]
    return Edit(Span(start, start), f"{indent}@{site.helper('compiled')}{call}{site.source.newline}")


def _is_bound_anew(site: Site, function: Function, name: str) -> bool:
    """Whether a parameter stands for something else before it is written to: `t = np.array(t)`.

    The functional stage binds it as well, to what helpers and functions of the project give of it.
    """
    parent = site.module.names.scopes.parent
    above = [parent.get(one) for one in function.scope.bound.get(name, ()) if isinstance(one, ast.Name)]
    values = [one.value for one in above if isinstance(one, ast.Assign)]
    return not all(isinstance(one, ast.Call) and _updates(site, one) for one in values)


def _updates(site: Site, call: ast.Call) -> bool:
    helper = isinstance(call.func, ast.Attribute) and call.func.attr in traits.UPDATES
    return helper or bool(callees(site.module, site.index, call))


def _why_not(site: Site, function: Function, obstacle: Obstacle, effects: Effects) -> Iterator[Extra]:
    """Say at each loop of a function why it is not compiled: what the function does, or why the loop stays in it."""
    found = {loop: one for loop, one in outlined_loops(function, effects) if isinstance(one, Obstacle)}
    for loop in [*found, *(one for one in loops_of(function) if one not in found)]:
        reason = found.get(loop, obstacle)
        start = site.source.offset(loop.lineno, loop.col_offset)
        where = ""
        if isinstance(reason.node, ast.expr | ast.stmt) and reason.node in site.module.names.scopes.parent:
            where = f" (line {site.source.place(site.span(reason.node).start)[0]})" if reason.node is not loop else ""
        inner = ", ".join(f"`{name}`" for name in _compiled_in(function, loop, effects))
        but = f", though {inner} in it {'are' if ', ' in inner else 'is'}" if inner else ""
        message = f"this loop is not compiled{but}: `{function.name}` {reason.does}{where}; {reason.helps}"
        span = Span(start, start + (3 if isinstance(loop, ast.For) else 5))
        yield Extra((), (site.finding("TNP506", span, message, function.name),))


def _compiled_in(function: Function, loop: ast.For | ast.While, effects: Effects) -> list[str]:
    """The functions that a loop calls and that are compiled: loops of its own that were outlined, and others."""
    calls = [node for node in walk(loop) if isinstance(node, ast.Call)]
    called = [one for call in calls for one in callees(function.module, effects.index, call)]
    return list(dict.fromkeys(one.name for one in called if is_decorated(one) or _will_be(one, effects)))


def _will_be(function: Function, effects: Effects) -> bool:
    """Whether this run puts the decorator on a function."""
    return not _is_left_out(function) and effects.obstacle(function) is None and is_compiled(function, effects)
