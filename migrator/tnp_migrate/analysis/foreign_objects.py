"""Objects that are made by the classes of other libraries: they hold what they are made with, in whatever place."""

from __future__ import annotations

import ast

from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.heap import OBJECT, OPAQUE, Node, field, find, mark, unify
from tnp_migrate.analysis.stores import keep_beside
from tnp_migrate.numpy_facts.signatures import given_to_class
from tnp_migrate.program.index import Module
from tnp_migrate.program.records import record_fields

_OF_RECORDS = ("collections", "typing", "typing_extensions")
NO_ARRAYS = frozenset("scalar str shape none dtype module file".split())


def make_object(state: Transfer, call: ast.Call, qualified: str | None, result: Node) -> None:
    """An object of another library's class holds what it was made with, in whatever place."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    owner = state.body.scope.owner(name) if name else None
    if owner is not None and owner.kind != "module":
        return  # a variable of a function is seldom a class, whatever its name
    variable = state.slots.index.find(qualified) if qualified else (state.module, name) if owner is not None else None
    if isinstance(variable, tuple) and not _may_be_class(*variable):
        return
    if name.endswith(("Error", "Exception", "Warning")):  # which is nobody's memory until it is raised
        for part in call.args:
            unify(field(field(result, ".args"), "[]"), state.node(part))
        return
    given = given_to_class(call, qualified)
    if not given and _is_item(state, call.func):  # which may be a class, out of a table that is not followed
        given = [*call.args, *(word.value for word in call.keywords)]
    unpacked = {word.value for word in call.keywords if word.arg is None}
    unpacked |= {part for part in call.args if isinstance(part, ast.Starred)}
    kept = [one for one in given if _may_hold_array(state, one)]
    if kept:
        mark(result, OBJECT | OPAQUE)
    for one in kept:
        held = field(state.node(one), "[]") if one in unpacked else state.node(one)
        keep_beside(held)
        unify(field(result, "[]"), held)
        unify(field(field(result, "[]"), "[]"), field(held, "[]"))


def _is_item(state: Transfer, func: ast.expr) -> bool:
    """Whether what is called is an item of something, of which it is not known by now what it runs."""
    register = state.body.registers.get(func)
    if register is None:
        return False
    one = state.body.behind_copies(register)
    return one.operation in ("item", "unpack", "next") and not find(state.registers[register]).bodies


def _may_be_class(module: Module, name: str) -> bool:
    """Whether a variable of a module may be a class that nobody knows: imported, or made by a call."""
    scopes = module.names.scopes
    statements = [scopes.parent.get(one) for one in scopes.module.bound.get(name, ()) if isinstance(one, ast.Name)]
    made = [one.value if isinstance(one, ast.Assign) else None for one in statements]
    calls = [one for one in made if isinstance(one, ast.Call)]
    records = [one for one in calls if _makes_records(module, one)]
    return len(calls) == len(made) and (not made or len(records) < len(made))


def _makes_records(module: Module, call: ast.Call) -> bool:
    """Whether a call makes a class of records, which is followed as a function of the project."""
    maker = module.names.of(call.func, module.names.scopes.module) or ""
    return maker.partition(".")[0] in _OF_RECORDS and record_fields(call) is not None


def _may_hold_array(state: Transfer, node: ast.expr) -> bool:
    """Whether something may be an array, or lead to one, as a class does and a method that is bound to an object."""
    known = find(state.node(node))
    if "self" in known.fields:
        return True
    return state.kind(node) not in NO_ARRAYS | {"function"} and (not known.bodies or state.kind(node) == "class")
