"""Registers that surely have numbers, Python's or NumPy's: an operator in place binds a new one, and writes to nothing.

What NumPy gives for `x.max()`, `x[2]` of a vector and `a + b` of such is immutable; `np.array(1.0)` and `x[...]` are
arrays without axes, which can be written to.
"""

from __future__ import annotations

import ast

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.open_attributes import may_be_replaced
from tnp_migrate.analysis.passing_on import is_builtin
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.values import UNKNOWN, Value
from tnp_migrate.program.index import Index

_PASSED_ON = frozenset({"copy", "phi", "either", "operator", "augmented"})  # what numbers make is a number
_OF_NUMBERS = frozenset({"abs", "max", "min", "round", "pow"})  # builtins: of numbers they give one


def is_number(index: Index, graph: Graph, register: int) -> bool:
    """Whether all that a register may have are numbers."""
    pending, seen = [register], {register}
    while pending:
        one = graph.body.instructions[pending.pop()]
        value = _value(graph, one)
        is_told = value.kind == "scalar" and value.sure and one.operation not in _PASSED_ON
        if is_told or _is_made(index, graph, one):
            continue
        if one.operation not in _PASSED_ON and not _is_of_builtin(index, graph, one):
            return False
        operands = one.operands[1:] if one.operation == "call" else one.operands
        pending += [each for each in operands if each not in seen]
        seen.update(operands)
    return True


def _value(graph: Graph, one: Instruction) -> Value:
    return (graph.module.value(one.node) if isinstance(one.node, ast.expr) else None) or UNKNOWN


def _is_made(index: Index, graph: Graph, one: Instruction) -> bool:
    """Whether an array is reduced to a number, or asked for one of its numbers."""
    value, node, module = _value(graph, one), one.node, graph.module
    if one.operation == "constant":
        return isinstance(one.detail, int | float | complex)
    if not value.is_array or value.rank != 0:
        return False
    if isinstance(node, ast.Subscript):
        parts = ast.walk(node.slice)
        return value.sure and not any(isinstance(part, ast.Constant) and part.value is Ellipsis for part in parts)
    if not isinstance(node, ast.Call) or any(word.arg in ("out", None) for word in node.keywords):
        return False
    name = module.names.of(node.func, graph.body.scope)
    if name is not None:
        return name in traits.REDUCTIONS and not may_be_replaced(index, module, name.rpartition(".")[2])
    if not isinstance(node.func, ast.Attribute):
        return False
    receiver = module.value(node.func.value) or UNKNOWN
    return receiver.is_array and receiver.sure and f"numpy.{node.func.attr}" in traits.REDUCTIONS


def _is_of_builtin(index: Index, graph: Graph, one: Instruction) -> bool:
    """Whether a call is one of a builtin that makes a number of several, or of one."""
    node = one.node
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
        return False
    plain = not any(isinstance(part, ast.Starred) for part in node.args)
    enough = len(node.args) > (node.func.id not in ("abs", "round"))  # `max(xs)` gives an item of what it is given
    known = node.func.id in _OF_NUMBERS and is_builtin(graph, node.func)
    return plain and enough and known and not may_be_replaced(index, graph.module, node.func.id)
