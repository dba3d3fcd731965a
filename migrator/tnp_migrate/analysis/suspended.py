"""What a suspended call holds: a generator reads its arguments and variables whenever it is asked for the next item.

`g = rows(a); a[0] = 1; list(g)` reads what was written: who has the generator has what it will go on with. So has who
has a coroutine that has not been awaited, and what takes its items of a generator, as `zip(g, xs)` does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import FRAME, OBJECT, Node, field, find, mark, unify
from tnp_migrate.ir.liveness import Liveness

_ASKING = frozenset("zip zip_longest enumerate map filter starmap iter reversed chain islice cycle".split())


def hold_frame(graph: Graph) -> None:
    """Let what a call gives that is suspended hold what its body reads behind its start, or behind a `yield`."""
    body = graph.body
    if not body.is_suspended:
        return
    for name, register in body.parameters.items():
        unify(field(graph.result, f"{FRAME}{name}"), graph.registers[register])
    waits = [one for one in body.instructions if one.operation == "yield"]
    live = Liveness(body)
    for one in body.instructions:
        if one.operation == "cell":
            unify(field(graph.result, f"{FRAME}{one.result}"), graph.registers[one.result])
    for one in body.instructions if waits else ():
        if one.operation != "parameter" and any(live.is_live_after(one.result, wait) for wait in waits):
            unify(field(graph.result, f"{FRAME}{one.result}"), graph.registers[one.result])


def read_later(graph: Graph) -> dict[int, list[int]]:
    """By registers the generator expressions that read them, as variables, whenever they are asked for an item."""
    found: dict[int, list[int]] = {}
    instructions = graph.body.instructions
    for display in instructions:
        if display.operation == "display" and isinstance(display.node, ast.GeneratorExp):
            inside = set(ast.walk(display.node))
            for register in {each for one in instructions if one.node in inside for each in one.operands}:
                found.setdefault(register, []).append(display.result)
    return found


def hold_frames_of(call: ast.Call, name: str, given: Iterable[Node], result: Node) -> None:
    """Let what is asked for items later hold what the suspended calls hold that it asks for them.

    What computes its items, as `map` does and a pool's does not, gives none of what it is given: it holds that.
    """
    computes = name == "starmap" or (name == "map" and isinstance(call.func, ast.Name))
    for place, node in enumerate(given if name in _ASKING else ()):
        if computes:
            mark(result, OBJECT)
            unify(field(result, f"{FRAME}{place}"), node)
        frame = _frame(node)
        mark(result, OBJECT if frame else 0)
        known = _frame(result)
        for held in [one for one in frame if one not in known]:  # else names would grow: `g = zip(g, g)` in a loop
            unify(field(result, f"{frame[held]} of {place}"), held)


def _frame(node: Node) -> dict[Node, str]:
    """What something goes on with, each with a field that leads to it."""
    held = [(find(held), label) for label, held in find(node).fields.items() if label.startswith(FRAME)]
    return dict(reversed(held))
