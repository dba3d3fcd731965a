"""Containers that are written out: after `xs = [a, a[1:]]` it is known what each item of `xs` is.

So it stays while a function only takes items by constant keys. Any other use of the container, a call or a loop over
it say, may move items or hand them on: all that is known then is that it may hold those arrays.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeGuard

from tnp_migrate.functional.access_paths import Path, key_text
from tnp_migrate.program.index import Function
from tnp_migrate.program.nodes import FEW, outermost_of, turns_of, walk

_WALKS = (("items",), ("keys",), ("values",))
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True)
class Display:
    """The keys of a container as paths write them, `[0]` and `['p']`, and whether it is a tuple."""

    keys: tuple[str, ...]
    is_tuple: bool = False


def display_of(node: ast.expr) -> Display | None:
    """What is known of a tuple, list or dict that an expression writes out; None for everything else.

    `[x] * 3` and `[m[i] for i in range(3)]` write out three items.
    """
    if isinstance(node, ast.Tuple | ast.List | ast.ListComp | ast.BinOp):
        items = values_of(node)
        unknown = not items and not isinstance(node, ast.Tuple | ast.List)
        keys = tuple(f"[{position}]" for position in range(len(items)))
        starred = any(isinstance(one, ast.Starred) for one in items)
        return None if unknown or starred else Display(keys, isinstance(node, ast.Tuple))
    if isinstance(node, ast.Dict):
        names = [one.value if isinstance(one, ast.Constant) else None for one in node.keys]
        plain = all(isinstance(one, str) for one in names) and len(set(names)) == len(names)
        return Display(tuple(key_text(one) for one in node.keys if one is not None)) if plain else None
    return None


def values_of(node: ast.expr) -> list[ast.expr]:
    """The items of a display; none where they are not known one by one."""
    if isinstance(node, ast.Dict):
        return node.values
    if isinstance(node, ast.BinOp):
        times = node.right.value if isinstance(node.right, ast.Constant) and isinstance(node.op, ast.Mult) else 0
        few = isinstance(node.left, ast.List) and type(times) is int and 0 < times * len(node.left.elts) <= FEW
        return node.left.elts * times if few and isinstance(node.left, ast.List) and isinstance(times, int) else []
    if isinstance(node, ast.ListComp):
        return _turns(node)
    assert isinstance(node, ast.Tuple | ast.List)
    return node.elts


def _turns(node: ast.ListComp) -> list[ast.expr]:
    """The items of `[m[i] for i in range(3)]`: `m[0]`, `m[1]`, `m[2]`."""
    name = getattr(node.generators[0].target, "id", "")
    return [_with_number(node.elt, name, number) for number in range(turns_of(node))]


def _with_number(node: ast.expr, name: str, number: int) -> ast.expr:
    """An expression with a number for a variable: parts without that variable are the same nodes, which are known."""
    if isinstance(node, ast.Name) and node.id == name:
        return ast.copy_location(ast.Constant(number), node)
    if not any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node)):
        return node
    found = copy.copy(node)
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.expr):
            setattr(found, field, _with_number(value, name, number))
        elif isinstance(value, list):
            new = [_with_number(one, name, number) if isinstance(one, ast.expr) else one for one in value]
            setattr(found, field, new)
    return found


def names_of_inner_functions(body: list[ast.stmt]) -> frozenset[str]:
    """The names that functions and classes inside a body use: they may do so at any time."""
    inner = outermost_of(body, _INNER)
    return frozenset(name.id for one in inner for name in walk(one) if isinstance(name, ast.Name))


def headers_of(node: ast.stmt) -> list[ast.AST]:
    """The parts of a statement that are evaluated before the statements in it, if it has any."""
    if isinstance(node, ast.If | ast.While):
        return [node.test]
    if isinstance(node, ast.For | ast.AsyncFor):
        return [node.target, node.iter]
    if isinstance(node, ast.With | ast.AsyncWith):
        return list(node.items)
    if isinstance(node, ast.Match):
        return [node.subject]
    return [] if isinstance(node, ast.Try) or type(node).__name__ == "TryStar" else [node]


def keeps_items(function: Function, name: str) -> bool:
    """Whether a function takes items of a parameter, and writes to them in place, and does nothing else with it."""
    scopes = function.module.names.scopes
    if len(function.scope.bound.get(name, ())) != 1 or function.yields or function.node.decorator_list:
        return False
    for use in scopes.uses.get(name, ()):
        if use.scope.owner(name) is not function.scope:
            continue
        above = scopes.parent.get(use.node)
        item = isinstance(above, ast.Subscript) and above.value is use.node
        read = item and isinstance(above, ast.Subscript) and isinstance(above.ctx, ast.Load)
        in_place = item and above is not None and isinstance(scopes.parent.get(above), ast.AugAssign)
        walk: ast.AST = above if isinstance(above, ast.Call) and use.attributes in _WALKS else use.node
        while isinstance(call := scopes.parent.get(walk), ast.Call) and ast.unparse(call.func) in ("enumerate", "zip"):
            walk = call
        around = scopes.parent.get(walk)
        looped = isinstance(around, ast.For) and around.iter is walk
        if use.scope is not function.scope or not (in_place or read or looped):
            return False
    return True


def counted(key: ast.expr, length: int) -> str:
    """The key of an item as a display has it: `[2]` for `[-1]` of three."""
    number = key.operand.value if isinstance(key, ast.UnaryOp) and isinstance(key.operand, ast.Constant) else None
    if isinstance(key, ast.UnaryOp) and isinstance(key.op, ast.USub) and type(number) is int and 0 < number <= length:
        return f"[{length - number}]"
    return key_text(key)


def taken_whole(node: ast.AST, displays: Mapping[Path, Display], kept: Collection[ast.AST] = ()) -> Iterator[Path]:
    """The containers of which a statement or expression uses more than items that are known.

    `kept` are uses after which each item is still what it was, or written to.
    """
    names = {path[0]: display.keys for path, display in displays.items()}
    allowed: set[ast.AST] = set()
    for one in walk(node):
        if isinstance(one, ast.Subscript) and isinstance(one.value, ast.Name) and not isinstance(one.ctx, ast.Del):
            if counted(one.slice, len(names.get(one.value.id, ()))) in names.get(one.value.id, ()):
                allowed.add(one.value)
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "len":
            allowed.update(one.args)
        elif isinstance(one, ast.Assign):
            allowed.update(_bound(one))
            allowed.update(target.value for target in one.targets if adds_key(target))
            allowed.update({one.value} if _unpacks(one, names) else ())
    call = appended(node)
    if call is not None and isinstance(call.func, ast.Attribute):
        allowed.add(call.func.value)
    for one in walk(node):
        if isinstance(one, ast.Name) and one.id in names and one not in allowed and one not in kept:
            yield (one.id,)


def appended(node: ast.AST | None) -> ast.Call | None:
    """The call of a statement `xs.append(x)`."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "append":
        return None
    return call if len(call.args) == 1 and not isinstance(call.args[0], ast.Starred) and not call.keywords else None


def adds_key(target: ast.expr) -> TypeGuard[ast.Subscript]:
    """Whether a store, as `d["r"] = x`, can only be into a dict, which has that key then."""
    return (
        isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant) and type(target.slice.value) is str
    )


def _bound(node: ast.Assign) -> Iterator[ast.expr]:
    """The variables that an assignment binds."""
    for target in node.targets:
        for one in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
            if isinstance(one, ast.Name):
                yield one


def _unpacks(node: ast.Assign, names: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether `a, b = pair` takes the items one by one."""
    target = node.targets[0]
    if not isinstance(node.value, ast.Name) or len(node.targets) > 1 or not isinstance(target, ast.Tuple | ast.List):
        return False
    plain = all(isinstance(one, ast.Name) for one in target.elts)
    return plain and len(target.elts) == len(names.get(node.value.id, ()))
