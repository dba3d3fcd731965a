"""Where the array of a register comes from: the registers in which the arrays were made or passed that it may be in."""

from __future__ import annotations

import ast

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import OBJECT, find
from tnp_migrate.ir.instructions import Body, Instruction
from tnp_migrate.program.names import is_numpy

_ANY = -1  # an item of which the text does not say which
_SAME_ITEMS = frozenset("reversed iter list tuple sorted".split())


def sources_of(graph: Graph, register: int) -> set[int] | None:
    """The registers with arrays of their own that one has, by whatever names; None where something else may be it."""
    found: set[int] = set()
    pending, seen = [register], {register}
    while pending:
        one = graph.body.instructions[pending.pop()]
        if one.operation in ("copy", "phi", "either"):
            pending += [operand for operand in one.operands if operand not in seen]
            seen.update(one.operands)
        elif one.operation == "cell" and (bound := _bound(graph.body, one.detail)):
            pending += [operand for operand in bound if operand not in seen]
            seen.update(bound)
        elif one.result in graph.fresh or one.operation in ("parameter", "constant", "undefined"):
            found.add(one.result)
        elif whole := _viewed(graph, one):
            pending += [operand for operand in whole if operand not in seen]
            seen.update(whole)
        else:
            return None
    return found


def _viewed(graph: Graph, one: Instruction) -> list[int]:
    """What an array is a part of: what NumPy gives it as a view of, or what it is an item of in a loop."""
    node = find(graph.registers[one.result])
    if one.operation == "call" and isinstance(one.node, ast.Call):
        if not is_numpy(graph.module.names.of(one.node.func, graph.body.scope) or ""):
            return []
        return [operand for operand in one.operands[1:] if find(graph.registers[operand]) is node]
    whole = _whole_of(graph, one.result) if one.operation in ("unpack", "next") and not node.flags & OBJECT else None
    return [whole] if whole is not None and find(graph.registers[whole]) is node else []


def _whole_of(graph: Graph, register: int) -> int | None:
    """What a register has an item of, through `zip`, `enumerate` and their like; None where the text does not say."""
    path: list[int] = []  # which item of it, which of that
    one = graph.body.instructions[register]
    while True:
        if one.operation in ("unpack", "next"):
            path.insert(0, one.detail if isinstance(one.detail, int) else _ANY)
        elif one.operation == "call":
            operand = _argument(graph, one, path)
            if operand is None:
                return None
            one = graph.body.instructions[operand]
            continue
        elif one.operation not in ("copy", "iterate"):
            return one.result
        one = graph.body.instructions[one.operands[0]]


def _argument(graph: Graph, call: Instruction, path: list[int]) -> int | None:
    """The argument of a builtin whose items a call of it gives; `path` is changed to lead there."""
    func = call.node.func if isinstance(call.node, ast.Call) else None
    name = func.id if isinstance(func, ast.Name) and graph.body.scope.owner(func.id) is None else ""
    given = call.operands[1:]
    if name in _SAME_ITEMS and len(given) == 1:
        return given[0]
    if len(path) < 2 or path[0] != _ANY or not (name == "zip" or (name == "enumerate" and path[1] == 1)):
        return None
    place = path.pop(1) if name == "zip" else path.pop(1) - 1
    return given[place] if 0 <= place < len(given) else None


def _bound(body: Body, cell: object) -> list[int]:
    """What a variable that functions inside use is bound to; nothing where one of them binds it, too."""
    inside = list(body.inner)
    for one in inside:
        inside += one.inner
    if any(each.operation == "set_cell" and each.detail == cell for one in inside for each in one.instructions):
        return []
    return [one.operands[0] for one in body.instructions if one.operation == "set_cell" and one.detail == cell]
