"""Attributes of `self` that a part of a method uses: plain ones can go into a function, and come out of it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Sequence

from tnp_migrate.functional.evaluation_order import parts_of, roots_of
from tnp_migrate.program.index import Class, Function
from tnp_migrate.program.nodes import walk

_RESERVED = frozenset({*dir(builtins), "np", "tf", "tnp", "tnh"})  # which the statements may mean something by


def owner_of(function: Function) -> str:
    """What a method calls its object; nothing for functions."""
    arguments = function.node.args.args
    return arguments[0].arg if function.takes_self and function.owner is not None and arguments else ""


def names_of_attributes(function: Function, body: Iterable[ast.stmt]) -> dict[str, str] | None:
    """Names for the attributes of `self` that statements use; None where they do more with it, or it may compute."""
    owner = owner_of(function)
    if not owner:
        return {}
    assert function.owner is not None
    scopes = function.module.names.scopes
    found: dict[str, str] = {}
    for statement in body:
        for node in walk(statement):
            if not isinstance(node, ast.Name) or node.id != owner:
                continue
            above = scopes.parent.get(node)
            called = scopes.parent.get(above) if above is not None else None
            if not isinstance(above, ast.Attribute) or (isinstance(called, ast.Call) and called.func is above):
                return None
            found[above.attr] = ""
    kin = function.owner.kin
    plain = all(isinstance(base, ast.Name) for one in kin for base in one.node.bases)
    whole = plain and all(
        len([b for b in one.node.bases if getattr(b, "id", "") != "object"]) == len(one.bases) for one in kin
    )
    special = {name for one in kin for name in one.methods}
    if found and (not whole or special & {*found, "__getattr__", "__getattribute__", "__setattr__"}):
        return None
    taken = {*function.scope.bound, *function.module.names.scopes.module.bound, *_RESERVED}
    for name in sorted(found, key=lambda one: (one.startswith("_"), one)):
        bare = name.lstrip("_")
        found[name] = next(one for one in (bare, f"own_{bare}", f"own_{name}") if one not in taken)
        taken.add(found[name])
    return found


def attributes_in(body: Iterable[ast.AST], owner: str) -> list[ast.Attribute]:
    """Where statements read or store attributes of an object."""
    nodes = [node for one in body for node in walk(one) if isinstance(node, ast.Attribute)] if owner else []
    return [node for node in nodes if isinstance(node.value, ast.Name) and node.value.id == owner]


def read_first(node: ast.stmt, owner: str) -> set[str]:
    """The attributes that a statement reads whatever comes, before it does anything else."""
    found, pending = set(), [*roots_of(node)]
    while pending:
        one = pending.pop()
        if isinstance(one, ast.Attribute) and getattr(one.value, "id", None) == owner and isinstance(one.ctx, ast.Load):
            found.add(one.attr)
        pending += [part for part, maybe in parts_of(one) if not maybe]
    return found


def always_there(function: Function, attribute: str) -> bool:
    """Whether an object has an attribute whenever a method of it runs: its class or `__init__` gives it one."""
    assert function.owner is not None
    made = [one.methods["__init__"] for one in function.owner.kin if "__init__" in one.methods]
    return any(_in_class(one, attribute) for one in function.owner.lineage) or (
        any(_is_stored(one, attribute) for one in made)
        and all(_is_stored(one, attribute) or _calls_base(one) for one in made)
    )


def _in_class(one: Class, attribute: str) -> bool:
    stored = {
        node.id
        for part in one.node.body
        if isinstance(part, ast.Assign | ast.AnnAssign)
        for node in walk(part)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return attribute in stored


def _is_stored(function: Function, attribute: str) -> bool:
    """Whether a method stores an attribute on every way through it."""
    return any(attribute in _surely_stored(one, owner_of(function)) for one in function.node.body)


def _surely_stored(node: ast.stmt, owner: str) -> set[str]:
    if isinstance(node, ast.If):
        both = [set().union(*(_surely_stored(one, owner) for one in part)) for part in (node.body, node.orelse)]
        return both[0] & both[1]
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return set()
    return {one.attr for one in attributes_in([node], owner) if isinstance(one.ctx, ast.Store)}


def _calls_base(function: Function) -> bool:
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__init__"
        for node in function.nodes
    )


def surely_stored(body: Sequence[ast.stmt], owner: str) -> set[str]:
    """The attributes that statements store wherever they are run to their end."""
    return set().union(*(_surely_stored(one, owner) for one in body))
