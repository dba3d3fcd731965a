"""Which of its parameters a body puts into attributes: of what it stores, what has come from nowhere else.

After `self.x = x` the heap takes what the object had under `x` before for one with what it has got. That an object
leads to an array is no sign, then, that a call puts what the object had into a second place.
"""

from __future__ import annotations

from tnp_migrate.analysis.argument_binding import passed
from tnp_migrate.analysis.graphs import Call, Graph
from tnp_migrate.analysis.heap import STORED, Node, find
from tnp_migrate.analysis.sources import sources_of
from tnp_migrate.ir.instructions import CallShape


def stored_parameters(graph: Graph) -> dict[Node, frozenset[str]]:
    """By nodes that a body itself binds to attributes, and does nothing else with, the parameters that it binds."""
    found: dict[Node, set[str]] = {}
    others = {find(node) for _, node in graph.kept} | {
        find(here) for call in graph.calls for _, here in call.flagged(STORED)
    }
    for store, stored in graph.stores:
        node = find(stored)
        sources = sources_of(graph, store.operands[1]) if store.operation == "set_attribute" else None
        made = [graph.body.instructions[one] for one in sources or ()]
        if sources is None or any(one.operation == "undefined" for one in made):
            others.add(node)
        found.setdefault(node, set()).update(str(one.detail) for one in made if one.operation == "parameter")
    return {node: frozenset(names) for node, names in found.items() if node not in others}


def given_for(graph: Graph, call: Call, names: frozenset[str]) -> list[int] | None:
    """The registers that a call of a body gives for some of its parameters; None where the text does not say so."""
    function, node, shape = call.callee.function, call.instruction.node, call.instruction.detail
    if function is None or call.instruction.operation != "call" or not isinstance(shape, CallShape):
        return None
    if shape.unpacked or not names.isdisjoint(function.gathered):
        return None
    given = dict(passed(graph.module, function, node))  # type: ignore[arg-type]
    registers = [graph.body.registers.get(given[name]) for name in names if name in given]
    return None if None in registers else [one for one in registers if one is not None]
