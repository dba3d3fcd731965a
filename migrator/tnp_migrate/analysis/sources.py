"""Where the array of a register comes from: the registers in which the arrays were made or passed that it may be in."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import OBJECT, find
from tnp_migrate.ir.instructions import Body, Instruction
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.names import is_numpy

Row = tuple[int, int]  # the call that cuts an array into parts, _ANY where it is unpacked itself; and which part
Part = tuple[int, tuple[Row, ...]]  # a register, and which row of its array, which of that

_ANY = -1  # an item of which the text does not say which
_ENDS = frozenset({"parameter", "constant", "undefined"})
_DEEPEST = 3  # rows of rows
_CUTTING = frozenset(f"numpy.{name}" for name in "split array_split hsplit vsplit dsplit unstack".split())
_SAME_ITEMS = frozenset("reversed iter list tuple sorted".split())
Bound = Callable[[Instruction], list[int]]  # what gives the registers that an attribute has been bound to, if any


def sources_of(graph: Graph, register: int, made: Container[int] = (), bound: Bound | None = None) -> set[int] | None:
    """The registers with arrays of their own that one has, by whatever names; None where something else may be it.

    `made` are more of them than what NumPy makes; `bound` gives what attributes have that are read.
    """
    found = parts_of_sources(graph, register, made, bound)
    return None if found is None else {source for source, _ in found}


def are_apart(first: set[Part] | None, second: set[Part] | None) -> bool:
    """Whether two registers surely have other memory: arrays that were made apart, or different rows of one."""
    if first is None or second is None:
        return False
    return all(one != other or _diverge(path, way) for one, path in first for other, way in second)


def _diverge(path: tuple[Row, ...], other: tuple[Row, ...]) -> bool:
    """Whether two paths lead to different parts of one array, both cut in one way."""
    for (cut, one), (way, another) in zip(path, other, strict=False):
        if cut != way or one != another:
            return cut == way
    return False


def parts_of_sources(
    graph: Graph, register: int, made: Container[int] = (), bound: Bound | None = None
) -> set[Part] | None:
    """The registers with arrays of their own that one has, each with the numbers of the row of it that it is."""
    found: set[Part] = set()
    pending: list[Part] = [(register, ())]
    seen = set(pending)
    while pending:
        register, path = pending.pop()
        one = graph.body.instructions[register]
        if one.operation in ("copy", "phi", "either"):
            leading = [(operand, path) for operand in one.operands]
        elif one.operation == "augmented" and one not in graph.running:  # which writes to its first operand
            leading = [(one.operands[0], path)]
        elif one.operation == "cell" and (given := bound_to(graph.body, one.detail)):
            leading = [(operand, path) for operand in given]
        elif one.result in graph.fresh or one.result in made or one.operation in _ENDS:
            found.add((register, path))
            continue
        elif one.operation == "operator" and one not in graph.running:
            found.add((register, path))  # or an operand, as `+x` of some classes
            leading = [(operand, path) for operand in one.operands]
        elif bound is not None and (values := bound(one)):
            leading = [(operand, path) for operand in values]
        elif whole := _viewed(graph, one):
            way = _path_through(graph, one, whole, path)
            leading = [(operand, way) for operand in whole]
        else:
            return None
        pending += [each for each in leading if each not in seen]
        seen.update(leading)
    return found or None


def _path_through(graph: Graph, one: Instruction, whole: list[int], path: tuple[Row, ...]) -> tuple[Row, ...]:
    """Which part of a whole something is of which a path leads to a part; empty where that is not known.

    The rows of an array that is unpacked have nothing in common, nor have the parts that it is cut into, or the arrays
    that one call of NumPy makes.
    """
    if _is_cut(graph, one):
        return path
    if one.operation != "unpack" or not isinstance(one.detail, int) or len(path) == _DEEPEST:
        return ()
    made = graph.body.behind_copies(one.operands[0])
    if [made.result] != whole:
        return ()
    if _is_cut(graph, made):
        return (made.result, one.detail), *path
    value = graph.module.value(made.node) if made.node is not None else None
    has_rows = made.result in graph.fresh or (value is not None and value.is_array)
    return ((_ANY, one.detail), *path) if has_rows else ()


def _is_cut(graph: Graph, one: Instruction) -> bool:
    """Whether an instruction cuts an array into parts, at places that are the same whenever it runs."""
    call = one.node if one.operation == "call" else None
    if not isinstance(call, ast.Call) or graph.module.names.of(call.func, graph.body.scope) not in _CUTTING:
        return False
    places = [*call.args[1:], *(word.value for word in call.keywords)]
    return not any(isinstance(node, ast.Name) for place in places for node in ast.walk(place))


def _viewed(graph: Graph, one: Instruction) -> list[int]:
    """What an array is a part of: what NumPy gives it as a view of, or what it is an item of in a loop."""
    node = find(graph.registers[one.result])
    if one.operation == "call" and isinstance(one.node, ast.Call):
        if not is_numpy(graph.module.names.of(one.node.func, graph.body.scope) or ""):
            return _viewed_by_method(graph, one)
        return [operand for operand in one.operands[1:] if find(graph.registers[operand]) is node]
    is_part = one.operation == "item" or (one.operation == "attribute" and one.detail in traits.VIEW_ATTRIBUTES)
    if is_part and not node.flags & OBJECT:
        return [*one.operands[:1]] if find(graph.registers[one.operands[0]]) is node else []
    whole = _whole_of(graph, one.result) if one.operation in ("unpack", "next") and not node.flags & OBJECT else None
    return [whole] if whole is not None and find(graph.registers[whole]) is node else []


def _viewed_by_method(graph: Graph, call: Instruction) -> list[int]:
    """The array that a method is called on which gives a view of it: `x.reshape(3, 2)`."""
    method = graph.body.instructions[call.operands[0]]
    is_view = method.operation == "attribute" and method.detail in traits.VIEW_METHODS and call not in graph.running
    return [*method.operands] if is_view else []


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
                return one.result
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


def bound_to(body: Body, cell: object) -> list[int]:
    """What a variable that functions inside use is bound to; nothing where one of them binds it, too."""
    if not isinstance(cell, tuple) or cell[0] is not body.scope:  # another body binds it first
        return []
    inside = list(body.inner)
    for one in inside:
        inside += one.inner
    if any(each.operation == "set_cell" and each.detail == cell for one in inside for each in one.instructions):
        return []
    return [one.operands[0] for one in body.instructions if one.operation == "set_cell" and one.detail == cell]
