"""What a suspended call holds: a generator reads its arguments and variables whenever it is asked for the next item.

`g = rows(a); a[0] = 1; list(g)` reads what was written: who has the generator has what it will go on with. So has who
has a coroutine that has not been awaited, and what takes its items of a generator, as `zip(g, xs)` does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import FRAME, OBJECT, Node, field, find, mark, unify
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness


def hold_frame(graph: Graph) -> None:
    """Let what a call gives that is suspended hold what its body reads behind its start, or behind a `yield`."""
    body = graph.body
    for one in body.instructions:
        if one.operation == "display" and isinstance(one.node, ast.GeneratorExp):
            _hold_free(graph, one, one.node)
    if not body.yields and not isinstance(body.node, ast.AsyncFunctionDef):
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


def _hold_free(graph: Graph, display: Instruction, node: ast.GeneratorExp) -> None:
    """Let a generator expression hold what it reads of variables around it whenever it is asked for an item."""
    inside, instructions = set(ast.walk(node)), graph.body.instructions
    read = {register for one in instructions if one.node in inside for register in one.operands}
    for register in sorted(read):
        if instructions[register].node not in inside:
            unify(field(graph.registers[display.result], f"{FRAME}{register}"), graph.registers[register])


def hold_frames_of(given: Iterable[Node], result: Node, *, computes: bool) -> None:
    """Let what is asked for items later hold what the suspended calls hold that it asks for them.

    What computes its items, as `map` does, gives none of what it is given: it holds that.
    """
    for place, node in enumerate(given):
        if computes:
            mark(result, OBJECT)
            unify(field(result, f"{FRAME}{place}"), node)
        frame = [(label, held) for label, held in find(node).fields.items() if label.startswith(FRAME)]
        mark(result, OBJECT if frame else 0)
        for label, held in frame:
            unify(field(result, f"{label} of {place}"), held)
