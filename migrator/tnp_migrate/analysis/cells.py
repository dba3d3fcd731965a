"""Closure cells that end with the call that made them: what they hold is a call's own, and not one memory for all.

While a function runs, the functions in it share its cells. When it is over, nothing reaches them unless one of these
functions is kept: by its result, by what it was passed, or by something that outlives calls.
"""

from __future__ import annotations

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import CELL, SHARED, Node, field, find, reachable, unify
from tnp_migrate.analysis.slots import Slots
from tnp_migrate.ir.instructions import Body


def end_cells(graph: Graph, slots: Slots) -> bool:
    """Take what the cells of a body hold for its own from here on, where no function that uses them is kept.

    Gives whether the cells may last, as one is.
    """
    cells = slots.cells_of(graph.body.scope)
    if not cells:
        return False
    lasts = graph.body.yields or _are_kept(graph, slots, cells)
    _let_last(graph, slots, cells)
    return lasts


def _are_kept(graph: Graph, slots: Slots, cells: list[Node]) -> bool:
    """Whether something keeps a function that uses cells; else all that nothing else has ends with them."""
    inside = _inside(graph)
    if any(one.scope.parent is not None and one.scope.parent.kind == "class" for one in inside):
        return True  # instances lead to the methods of their class, which no field of the heap shows
    functions = {find(slots.function(one)): one for one in inside}
    given = reachable([*graph.results, *graph.parameters.values()])
    all_given = bool(functions) and functions.keys() <= given.keys()  # then nothing else has to be asked
    lasting = {} if all_given else reachable(slots.lasting(graph.body, inside))
    kept = [function for function in functions if function in lasting or function in given]
    if kept:
        for function in kept:
            _note_captured(function, functions[function], graph, slots)
        return True
    for node in reachable(cells):
        if node not in lasting:
            node.flags &= ~(SHARED | CELL)
    return False


def _let_last(graph: Graph, slots: Slots, cells: list[Node]) -> None:
    """Let what lasts of cells be as variables of a module are, of which callers are not asked."""
    around = []
    scope = graph.body.scope.parent
    while scope is not None:
        around += slots.cells_of(scope)
        scope = scope.parent
    outer = reachable(around)
    for node in reachable(cells):
        if node not in outer:
            node.flags &= ~CELL


def _note_captured(function: Node, body: Body, graph: Graph, slots: Slots) -> None:
    """Let a function that outlives the call lead to the cells that it reads: who has it has what they hold."""
    for one in body.instructions:
        if one.operation == "cell" and isinstance(one.detail, tuple) and one.detail[0] is graph.body.scope:
            unify(field(function, f"() {one.detail[1]}"), slots.cell(*one.detail))


def _inside(graph: Graph) -> list[Body]:
    pending, found = list(graph.body.inner), []
    while pending:
        one = pending.pop()
        found.append(one)
        pending += one.inner
    return found
