"""Where the functional stage reads a variable again: `m = s.m; s.step()` becomes `s.step(); m = s.m`.

It does so behind the statement that names the call, and by the path that the variable was read by. So the call has to
stand in a statement of the body, and the path has to lead to the same object still.
"""

from __future__ import annotations

import ast

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.ir.instructions import Instruction

SAME = frozenset(("copy", "phi", "either", "await"))  # what gives the same object as an operand


def stands_in_statement(graph: Graph, call: Instruction) -> bool:
    """Whether a call runs where a statement of the body stands: not in a guard, a decorator or the body of a class."""
    parent = graph.module.names.scopes.parent
    node = call.node
    while node is not None and node is not graph.body.node:
        above = parent.get(node)
        is_head = isinstance(above, ast.match_case | ast.ExceptHandler) and node not in above.body
        if is_head or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return False
        node = above
    return True


def paths_hold(graph: Graph, register: int, write: Instruction) -> bool:
    """Whether the path that a register was read by leads to the same object where a call writes to it."""
    pending, seen = [register], {register}
    while pending:
        one = graph.body.instructions[pending.pop()]
        if one.operation == "attribute" and not _holds(graph, one, write):
            return False
        if one.operation in (*SAME, "attribute", "item", "call"):
            new = [operand for operand in one.operands if operand not in seen]
            pending += new
            seen.update(new)
    return True


def _holds(graph: Graph, read: Instruction, write: Instruction) -> bool:
    """Whether nothing binds the name or the attribute anew that an attribute is read from, before the write is over."""
    base = getattr(read.node, "value", None)
    if isinstance(base, ast.Attribute):
        return not any(one.operation == "set_attribute" and one.detail == base.attr for one in graph.body.instructions)
    if not isinstance(base, ast.Name):
        return True
    root = write.node.func if isinstance(write.node, ast.Call) else None
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(root, ast.Name) and root.id == base.id:
        return True
    behind, bound = graph.body.behind_copies, [one for one in graph.body.instructions if one.operation == "copy"]
    return all(behind(one.result) is behind(read.operands[0]) for one in bound if one.detail == base.id)
