"""Attributes that cannot be bound anew: fields of named tuples and frozen dataclasses, and what properties give.

What is written to through such a name has no place that takes the new array.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import Node, find
from tnp_migrate.program.fields import fields_of
from tnp_migrate.program.index import Class, Index
from tnp_migrate.program.nodes import bound_in


def note_fixed(graph: Graph, index: Index) -> None:
    """Hold what is written to and read from an attribute that cannot be bound anew."""
    fixed = _fixed(index)
    read = [one for one in graph.body.instructions if one.operation == "attribute" and one.detail in fixed]
    if not read:
        return
    written = {node: instruction for instruction, nodes, _ in graph.all_writes() for node in nodes}
    for one in read:
        node = find(graph.registers[one.result])
        if node in written and _may_be_of(graph.registers[one.operands[0]], fixed[str(one.detail)]):
            graph.hold(node, one, written[node])


def _may_be_of(holder: Node, owners: set[Class]) -> bool:
    """Whether an object may be of one of some classes, or derived from one."""
    known = find(holder).classes
    return not known or any(kin in owners for one in known for kin in one.lineage)


def property_called(owner: Class, name: str) -> ast.Call | None:
    """The call in `name = property(get)`, in the body of a class."""
    call = next((one for one in bound_in(owner.node, name) if isinstance(one, ast.expr)), None)
    return call if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "property" else None


@lru_cache(maxsize=1)
def _fixed(index: Index) -> dict[str, set[Class]]:
    """The attributes, by their bare names, and the classes that have them."""
    found: dict[str, set[Class]] = {}
    for owner in (one for module in index.modules.values() for one in module.classes.values()):
        names = [one.name for one in fields_of(owner)]
        if not any(_is_frozen(each.node) for each in owner.lineage):
            bound = [target.id for one in owner.node.body for target in _targets(one)]
            names = [name for name in bound if property_called(owner, name)]
        for name in names:
            found.setdefault(name, set()).add(owner)
    return found


def _targets(statement: ast.stmt) -> list[ast.Name]:
    return [one for one in getattr(statement, "targets", ()) if isinstance(one, ast.Name)]


def _is_frozen(node: ast.ClassDef) -> bool:
    """Whether a class is a `NamedTuple`, or a decorator freezes its instances."""
    made = [one for one in node.decorator_list if isinstance(one, ast.Call)]
    words = [word for one in made for word in one.keywords if word.arg == "frozen"]
    names = [ast.unparse(getattr(one, "func", one)).rpartition(".")[2] for one in node.decorator_list]
    frozen = any(isinstance(word.value, ast.Constant) and word.value.value is True for word in words)
    return frozen or "frozen" in names or any(ast.unparse(one).endswith("NamedTuple") for one in node.bases)
