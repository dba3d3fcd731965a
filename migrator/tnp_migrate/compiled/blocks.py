"""Blocks of array operations beside effects: in methods that store attributes, and in loops that stay.

`def predict(self): self.x = self.F @ self.x; self.P = self.F @ self.P @ self.F.T + self.Q` becomes
`self.P, self.x = _predict_body(self.F, self.P, self.Q, self.x)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.compiled.as_written import block_as_written
from tnp_migrate.compiled.host_effects import Effects
from tnp_migrate.compiled.loop_heads import names_stored
from tnp_migrate.compiled.outline_names import Names, Outline, changed_in
from tnp_migrate.compiled.own_attributes import attributes_in, names_of_attributes, owner_of
from tnp_migrate.compiled.worth import is_worth_a_call, operations_in
from tnp_migrate.functional.liveness import Liveness
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.index import Function
from tnp_migrate.program.nodes import walk

_STAYING = (
    ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Delete, ast.FunctionDef,
    ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.Break, ast.Continue, ast.Raise, ast.Assert, ast.For, ast.While,
    ast.Global, ast.Nonlocal, ast.NamedExpr,
)  # fmt: skip
_OWN = 2  # operations of a row itself at least, beside those in functions that it calls
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
    changing = _changing(function, block)
    row: list[ast.stmt] = []
    for one in [*block, None]:
        free = changing - _bound(function, row)
        if (
            one is not None
            and one not in moved
            and _can_move(function, one, effects)
            and not _reads(function, one, free)
        ):
            row.append(one)
            continue
        counts = [operations_in(function, [each], effects.index, small=True) for each in row]
        while counts and not counts[-1]:
            counts.pop()
        first = next((place for place, count in enumerate(counts) if count), 0)
        found = row[first : len(counts)]
        own = operations_in(function, found, effects.index, deep=0, small=True)
        if is_worth_a_call(sum(counts)) and own >= _OWN:
            yield tuple(found)
        row = []


def _changing(function: Function, block: list[ast.stmt]) -> set[str]:
    """What may be another number at each call: variables that the loops around bind, attributes, with a dot.

    Attributes are those that the method stores itself, or that another one counts.
    """
    scopes, owner = function.module.names.scopes, owner_of(function)
    found: set[str] = set()
    for one in scopes.ancestors(block[0]):
        found |= names_stored(one) if isinstance(one, ast.For | ast.While) else set()
    found = {name for name in found if not name.startswith(".")}
    methods = [] if function.owner is None else [m for one in function.owner.kin for m in one.methods.values()]
    for method in methods:
        name = owner_of(method)
        bodies = method.node.body if method is function else [n for n in method.nodes if isinstance(n, ast.AugAssign)]
        stored = [one for one in attributes_in(bodies, name) if not isinstance(one.ctx, ast.Load)]
        found |= {f".{one.attr}" for one in stored} if owner else set()
    return found


def _bound(function: Function, row: list[ast.stmt]) -> set[str]:
    """What statements have bound, attributes with a dot."""
    owner = owner_of(function)
    stored = [one.attr for one in attributes_in(row, owner) if not isinstance(one.ctx, ast.Load)]
    names = {name for one in row for name in names_stored(one) if not name.startswith(".")}
    return names | {f".{name}" for name in stored}


def _reads(function: Function, statement: ast.stmt, names: set[str]) -> bool:
    """Whether a statement reads one of some variables and attributes, and it is not known to be an array."""
    targets = statement.target if isinstance(statement, ast.AugAssign) else None
    for node in walk(statement):
        is_read = isinstance(getattr(node, "ctx", None), ast.Load) or node is targets
        name = node.id if isinstance(node, ast.Name) else f".{node.attr}" if isinstance(node, ast.Attribute) else ""
        if is_read and name in names and not (function.module.value(node) or UNKNOWN).is_array:
            return True
    return False


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
    return found if found is not None and len(found.inputs) <= _MOST else None
