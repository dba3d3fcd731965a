"""What is known of the trips of a `for` loop before it runs: how they are counted, and how to go through them twice.

The head of `for row in A` becomes `for i, row in enumerate(A)`, so that `draws[i]` is what was drawn for this trip.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container
from dataclasses import dataclass

from tnp_migrate.compiled.host_effects import Obstacle
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.index import Function
from tnp_migrate.program.names import builtin
from tnp_migrate.program.nodes import walk

_COUNTERS = ("i", "j", "k", "trip")
_STEPPED = 3  # arguments of a range with a step
_PLAIN = (  # what a start is made of that the loop computes as well
    ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Subscript, ast.operator, ast.unaryop,
    ast.expr_context,
)  # fmt: skip
_UNKNOWN = "has a loop over what may end once it was read"


@dataclass(frozen=True)
class Head:
    """How the trips of a loop are counted.

    `place` is the number of a trip, from 0, in the loop; `texts` what some nodes of the head become for that; `names`
    the counters that are new. `again` goes through the trips once more, and `count` is how many there are.
    """

    loop: ast.For
    place: str
    texts: dict[ast.expr, str]
    names: tuple[str, ...]
    again: str

    @property
    def count(self) -> str:
        """How many trips there are; a range has none where it ends before it begins."""
        inner = self.again.removeprefix("range(").removesuffix(")")
        is_length = self.again.startswith("range(") and (inner.isdigit() or re.fullmatch(r"len\(\w+\)", inner))
        return inner if is_length else f"len({self.again})"


def head_of(function: Function, loop: ast.For, taken: Container[str] = ()) -> Head | Obstacle:
    """How the trips of a loop are counted; an obstacle where they cannot be known, or gone through twice."""
    called = _builtin_called(function, loop.iter)
    call = loop.iter if isinstance(loop.iter, ast.Call) else None
    if any(isinstance(one, ast.Call) and _builtin_called(function, one) in ("iter", "next") for one in walk(loop.iter)):
        return Obstacle(loop.iter, _UNKNOWN, "loop over a `range`")
    if call is not None and (call.keywords or any(isinstance(one, ast.Starred) for one in call.args)):
        return Obstacle(loop.iter, _UNKNOWN, "loop over a `range`")
    text = ast.unparse(loop.iter)
    if called == "range" and call is not None and isinstance(loop.target, ast.Name):
        return _of_range(function, loop, call, taken)
    if called == "enumerate" and call is not None and len(call.args) == 1 and _is_kept(function, call.args[0]):
        first = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else None
        if isinstance(first, ast.Name):
            return Head(loop, first.id, {}, (), f"range(len({ast.unparse(call.args[0])}))")
    together = call.args if called == "zip" and call is not None else [loop.iter]
    if not together or not all(_is_kept(function, one) for one in together):
        return Obstacle(loop.iter, _UNKNOWN, "loop over a `range`")
    lengths = ", ".join(f"len({ast.unparse(one)})" for one in together)
    counter, target = _counter(function, taken), ast.unparse(loop.target)
    target = f"({target.strip('()')})" if isinstance(loop.target, ast.Tuple) else target
    texts: dict[ast.expr, str] = {loop.target: f"{counter}, {target}", loop.iter: f"enumerate({text})"}
    return Head(loop, counter, texts, (counter,), f"range({f'min({lengths})' if len(together) > 1 else lengths})")


def _of_range(function: Function, loop: ast.For, call: ast.Call, taken: Container[str]) -> Head | Obstacle:
    assert isinstance(loop.target, ast.Name)
    first = call.args[0] if len(call.args) > 1 else ast.Constant(0)
    by = _whole(call.args[2]) if len(call.args) == _STEPPED else 1
    if not by or not _is_plain(function, first):
        return Obstacle(loop.iter, "has a loop whose counter says little of its trip", "loop over a `range`")
    counter = loop.target.id
    if not counter.startswith("_") or _is_read(function, counter):
        return Head(loop, _trip(counter, first, by), {}, (), ast.unparse(call))
    counter = _counter(function, taken)
    return Head(loop, _trip(counter, first, by), {loop.target: counter}, (counter,), ast.unparse(call))


def _is_plain(function: Function, node: ast.expr) -> bool:
    """Whether the loop can compute a start as well: of numbers, names, lengths and shapes."""
    called = [one for one in walk(node) if isinstance(one, ast.Call)]
    return all(_builtin_called(function, one) == "len" for one in called) and all(
        isinstance(one, (*_PLAIN, ast.Call)) for one in walk(node)
    )


def _trip(counter: str, first: ast.expr, by: int) -> str:
    """The number of a trip of `range(first, ..., by)`."""
    if by == -1:
        return f"{ast.unparse(first)} - {counter}"
    start = ast.unparse(first) if isinstance(first, ast.Name | ast.Constant) else f"({ast.unparse(first)})"
    number = counter if start == "0" else f"{counter} - {start}"
    return number if by == 1 else f"({number}) // {by}" if start != "0" else f"{number} // {by}"


def _whole(node: ast.expr) -> int:
    """The integer that a step is, 0 where it is not written out."""
    try:
        found = ast.literal_eval(node)
    except ValueError:
        return 0
    return found if type(found) is int else 0


def _counter(function: Function, taken: Container[str]) -> str:
    known = {*function.scope.bound, *function.module.names.scopes.module.bound, *function.parameters}
    known |= {node.id for node in function.nodes if isinstance(node, ast.Name)}
    numbered = (f"trip_{number}" for number in range(2, len(known) + 9))
    return next(one for one in (*_COUNTERS, *numbered) if one not in known and one not in taken)


def _is_read(function: Function, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Load) for one in function.nodes)


def _is_kept(function: Function, node: ast.expr) -> bool:
    """Whether something can be iterated again: an array, a list, a range, and no generator."""
    if _builtin_called(function, node) == "range":
        return True
    value = function.module.value(node) or UNKNOWN
    is_plain = all(isinstance(one, ast.Name | ast.Attribute | ast.expr_context) for one in walk(node))
    return is_plain and value.kind in ("array", "list", "tuple", "shape") and value.sure


def _builtin_called(function: Function, node: ast.expr) -> str | None:
    scope = function.module.names.scopes.around(node)
    return builtin(node.func, scope) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def names_read(node: ast.AST | None) -> set[str]:
    """The variables that something reads, and the attributes, with a dot."""
    found = set()
    for one in walk(node) if node is not None else ():
        if isinstance(one, ast.Name):
            found.add(one.id)
        elif isinstance(one, ast.Attribute):
            found.add(f".{one.attr}")
    return found


def names_stored(node: ast.AST) -> set[str]:
    """The variables that something binds, and the attributes, with a dot."""
    found = set()
    for one in walk(node):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            found.add(one.id)
        elif isinstance(one, ast.Attribute) and not isinstance(one.ctx, ast.Load):
            found.add(f".{one.attr}")
    return found
