"""Loops that become functions of their own, so that they can be compiled: state in, state out.

In `def f(n): x = draw(n); total = 0.0; for i in range(n): total += x[i] ...; print(total)` the loop becomes
`total = _f_loop(n, total, x)`. It stays where it is, with a reason, where that might change what the program does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from tnp_migrate.compiled.as_written import loop_as_written
from tnp_migrate.compiled.blocks import outlined_blocks
from tnp_migrate.compiled.host_effects import Effects, Obstacle
from tnp_migrate.compiled.loop_draws import LoopDraws, draws_as_written, draws_of_loop
from tnp_migrate.compiled.outline_names import Names, Outline, calls_helper
from tnp_migrate.compiled.own_attributes import names_of_attributes
from tnp_migrate.compiled.worth import is_decorated, loops_of
from tnp_migrate.functional.liveness import Liveness, find_liveness
from tnp_migrate.program.index import Function
from tnp_migrate.program.nodes import walk

Loop = ast.For | ast.While
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LEAVING = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Delete)


def outlines(function: Function, effects: Effects) -> list[Outline]:
    """The loops and blocks that become functions, of a function that is not compiled itself."""
    if effects.obstacle(function) is None or not _can_be_cut(function, effects):
        return []
    found = [one for _, one in outlined_loops(function, effects) if isinstance(one, Outline)]
    return [*found, *outlined_blocks(function, effects, find_liveness(function.node.body, frozenset()), found)]


def _can_be_cut(function: Function, effects: Effects) -> bool:
    if function in effects.islands.functions or is_decorated(function):
        return False
    return not (function.nested or function.yields or isinstance(function.node, ast.AsyncFunctionDef))


def outlined_loops(function: Function, effects: Effects) -> Iterator[tuple[Loop, Outline | Obstacle]]:
    """What becomes of each loop of a function that is not compiled itself."""
    loops = loops_of(function)
    obstacle = effects.obstacle(function) if loops else None
    if obstacle is None or not _can_be_cut(function, effects):
        return
    liveness = find_liveness(function.node.body, frozenset())
    pending = list(reversed(loops))
    while pending:
        loop = pending.pop()
        found = _outlined(function, loop, effects, liveness)
        inner = _inner_loops(function, loop) if isinstance(found, Obstacle) else []
        fitting = [one for one in inner if isinstance(_outlined(function, one, effects, liveness), Outline)]
        if fitting:
            pending += reversed(fitting)
        else:
            yield loop, found


def _inner_loops(function: Function, loop: Loop) -> list[Loop]:
    """The outermost loops inside of a loop that compute with arrays."""
    return loops_of(replace_body(function, loop.body))


def replace_body(function: Function, body: list[ast.stmt]) -> Function:
    """A function of which only some statements are looked at."""
    node = ast.FunctionDef(function.node.name, function.node.args, body, [], None, None)
    return replace(function, node=node)


def _outlined(function: Function, loop: Loop, effects: Effects, liveness: Liveness) -> Outline | Obstacle:
    """The function that a loop becomes, or why it does not."""
    draws = draws_of_loop(function, loop, effects)
    found = draws if isinstance(draws, Obstacle) else _in_loop(function, loop, effects, draws)
    if isinstance(found, Obstacle):
        return found
    assert isinstance(draws, LoopDraws)
    original = loop_as_written(function.module.source, loop)
    written = draws_as_written(draws, original) if original is not None else None
    if original is None or written is None:
        return Obstacle(loop, "has a loop that the migration changed too much to move", "give it a function by hand")
    body = _with_stores(function, loop)
    attributes = names_of_attributes(function, body)
    names = Names(function, body, (original,), attributes, liveness, draws, written)
    return names.outline() or Obstacle(loop, names.does, names.helps)


def _in_loop(function: Function, loop: Loop, effects: Effects, draws: LoopDraws) -> Obstacle | None:
    """What in a loop cannot be in a compiled function, or cannot leave this one."""
    owner = function.node.args.args[0].arg if function.takes_self and function.node.args.args else None
    drawn = {one.call for one in draws.draws}
    for node in walk(loop):
        if isinstance(node, _LEAVING):
            return Obstacle(node, "leaves its loop by more than `break`", "give the loop a function of its own")
        if isinstance(node, _FUNCTIONS):
            return Obstacle(node, "defines a function in its loop", "define it at the top of the file")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == owner:
            continue
        found = effects.found_at(function, node) if node not in drawn else None
        if found is not None:
            return found
    function_wide = effects.obstacle(function)
    if function_wide is not None and function_wide.does.startswith("writes to"):
        return function_wide
    return None


def _with_stores(function: Function, loop: Loop) -> tuple[ast.stmt, ...]:
    """A loop with the statements around it that collect its stores."""
    parent = function.module.names.scopes.parent[loop]
    block = next(
        found
        for name in ("body", "orelse", "finalbody")
        if isinstance(found := getattr(parent, name, None), list) and loop in found
    )
    first = last = block.index(loop)
    while first and calls_helper(block[first - 1], "Stores"):
        first -= 1
    while last + 1 < len(block) and calls_helper(block[last + 1], "index_updates"):
        last += 1
    return tuple(block[first : last + 1])
