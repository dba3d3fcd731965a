"""Blocks of array operations beside effects: in methods that store attributes, and in loops that stay.

`def predict(self): self.x = self.F @ self.x; self.P = self.F @ self.P @ self.F.T + self.Q` becomes
`self.P, self.x = _predict_body(self.F, self.P, self.Q, self.x)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.compiled.as_written import block_as_written
from tnp_migrate.compiled.host_effects import Effects
from tnp_migrate.compiled.outline_names import Names, Outline, changed_in
from tnp_migrate.compiled.own_attributes import attributes_in, names_of_attributes, owner_of
from tnp_migrate.compiled.worth import is_worth_a_call, operations_in
from tnp_migrate.functional.liveness import Liveness
from tnp_migrate.numpy_facts.values import UNKNOWN, Value
from tnp_migrate.program.index import Function
from tnp_migrate.program.nodes import walk

_STAYING = (
    ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Delete, ast.FunctionDef,
    ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.Break, ast.Continue, ast.Raise, ast.Assert, ast.For, ast.While,
    ast.Global, ast.Nonlocal, ast.NamedExpr,
)  # fmt: skip
_MOST = 16  # arguments of a function that anybody likes to read


def outlined_blocks(
    function: Function, effects: Effects, liveness: Liveness, taken: list[Outline]
) -> Iterator[Outline]:
    """The blocks of a function that become functions; those in loops that did are left alone."""
    name = function.node.name
    if name.startswith("__") and name != "__call__":
        return
    moved = {statement for one in taken for statement in one.body}
    for block, in_loop in _blocks(function.node.body, moved, in_loop=False):
        if not in_loop and not _stores_attributes(function, block):
            continue
        for body in _rows(function, block, effects, moved):
            found = _outlined(function, body, effects, liveness)
            if found is not None:
                yield found


def _stores_attributes(function: Function, block: list[ast.stmt]) -> bool:
    owner = owner_of(function)
    return any(isinstance(one.ctx, ast.Store) for one in attributes_in(block, owner))


def _blocks(body: list[ast.stmt], moved: set[ast.stmt], *, in_loop: bool) -> Iterator[tuple[list[ast.stmt], bool]]:
    """The lists of statements in statements, and whether a loop runs them; parts of `try` are none."""
    yield body, in_loop
    for one in body:
        if one in moved or not isinstance(one, ast.For | ast.While | ast.If | ast.With):
            continue
        repeated = in_loop or isinstance(one, ast.For | ast.While)
        yield from _blocks(one.body, moved, in_loop=repeated)
        if isinstance(one, ast.If) and one.orelse:
            yield from _blocks(one.orelse, moved, in_loop=repeated)


def _rows(
    function: Function, block: list[ast.stmt], effects: Effects, moved: set[ast.stmt]
) -> Iterator[tuple[ast.stmt, ...]]:
    """The longest rows of statements that can move, from the first to the last that computes with arrays."""
    row: list[ast.stmt] = []
    for one in [*block, None]:
        if one is not None and one not in moved and _can_move(function, one, effects):
            row.append(one)
            continue
        counts = [operations_in(function, [each], effects.index, small=True) for each in row]
        while counts and not counts[-1]:
            counts.pop()
        first = next((place for place, count in enumerate(counts) if count), 0)
        if is_worth_a_call(sum(counts)):
            yield tuple(row[first : len(counts)])
        row = []


def _can_move(function: Function, statement: ast.stmt, effects: Effects) -> bool:
    """Whether a statement does nothing but bind variables and plain attributes of `self`."""
    owner = owner_of(function)
    own = {*attributes_in([statement], owner)}
    if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.If):
        return False
    for node in walk(statement):
        if isinstance(node, _STAYING) or (node not in own and effects.found_at(function, node) is not None):
            return False
    return not changed_in([statement]) and names_of_attributes(function, [statement]) is not None


def _outlined(function: Function, body: tuple[ast.stmt, ...], effects: Effects, liveness: Liveness) -> Outline | None:
    original = block_as_written(function.module.source, body)
    summary = effects.obstacle(function)
    if original is None or (summary is not None and summary.does.startswith("writes to")):
        return None
    found = Names(function, body, original, names_of_attributes(function, body), liveness).outline()
    if found is None or len(found.inputs) > _MOST or not found.outputs:
        return None
    return None if _has_changing_numbers(function, found) else found


def _has_changing_numbers(function: Function, made: Outline) -> bool:
    """Whether a function would be given another number of Python's at each call, each of which is compiled anew."""
    stored = _stored_around(function, made)
    reads: dict[str, Value] = {}
    owner, new = owner_of(function), dict(made.attributes)
    for node in (node for statement in made.body for node in walk(statement)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            reads.setdefault(node.id, function.module.value(node) or UNKNOWN)
    for node in attributes_in(made.body, owner):
        if isinstance(node.ctx, ast.Load):
            reads.setdefault(new[node.attr], function.module.value(node) or UNKNOWN)
    return any(name in stored and not reads.get(name, UNKNOWN).is_array for name in made.inputs)


def _stored_around(function: Function, made: Outline) -> set[str]:
    """The variables that loops around statements bind, and the attributes that the method stores, or others count."""
    loops = [
        one for one in function.module.names.scopes.ancestors(made.body[0]) if isinstance(one, ast.For | ast.While)
    ]
    found = {
        node.id
        for loop in loops
        for node in walk(loop)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    new = dict(made.attributes)
    methods = [] if function.owner is None else [m for one in function.owner.kin for m in one.methods.values()]
    for method in methods:
        owner = owner_of(method)
        bodies = method.node.body if method is function else [n for n in method.nodes if isinstance(n, ast.AugAssign)]
        stored = [one for one in attributes_in(bodies, owner) if not isinstance(one.ctx, ast.Load)]
        found |= {new[one.attr] for one in stored if one.attr in new}
    return found
