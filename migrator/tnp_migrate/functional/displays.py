"""Containers that are written out: after `xs = [a, a[1:]]` it is known what each item of `xs` is.

So it stays while a function only takes items by constant keys. Any other use of the container, a call or a loop over
it say, may move items or hand them on: all that is known then is that it may hold those arrays.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tnp_migrate.functional.paths import Path, key_text
from tnp_migrate.nodes import outermost_of, walk

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True)
class Display:
    """The keys of a container as paths write them, `[0]` and `['p']`, and whether it is a tuple."""

    keys: tuple[str, ...]
    is_tuple: bool = False


def display_of(node: ast.expr) -> Display | None:
    """What is known of a tuple, list or dict that an expression writes out; None for everything else."""
    if isinstance(node, ast.Tuple | ast.List):
        starred = any(isinstance(one, ast.Starred) for one in node.elts)
        keys = tuple(f"[{position}]" for position in range(len(node.elts)))
        return None if starred else Display(keys, isinstance(node, ast.Tuple))
    if isinstance(node, ast.Dict):
        names = [one.value if isinstance(one, ast.Constant) else None for one in node.keys]
        plain = all(isinstance(one, str) for one in names) and len(set(names)) == len(names)
        return Display(tuple(key_text(one) for one in node.keys if one is not None)) if plain else None
    return None


def values_of(node: ast.expr) -> list[ast.expr]:
    """The items of a display."""
    if isinstance(node, ast.Dict):
        return node.values
    assert isinstance(node, ast.Tuple | ast.List)
    return node.elts


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


def taken_whole(node: ast.AST, displays: Mapping[Path, Display]) -> Iterator[Path]:
    """The containers of which a statement or expression uses more than items that are known."""
    names = {path[0]: display.keys for path, display in displays.items()}
    allowed: set[ast.AST] = set()
    for one in walk(node):
        if isinstance(one, ast.Subscript) and isinstance(one.value, ast.Name) and not isinstance(one.ctx, ast.Del):
            if key_text(one.slice) in names.get(one.value.id, ()):
                allowed.add(one.value)
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "len":
            allowed.update(one.args)
        elif isinstance(one, ast.Assign):
            allowed.update(_bound(one))
            allowed.update({one.value} if _unpacks(one, names) else ())
    call = appended(node)
    if call is not None and isinstance(call.func, ast.Attribute):
        allowed.add(call.func.value)
    for one in walk(node):
        if isinstance(one, ast.Name) and one.id in names and one not in allowed:
            yield (one.id,)


def appended(node: ast.AST | None) -> ast.Call | None:
    """The call of a statement `xs.append(x)`."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "append":
        return None
    return call if len(call.args) == 1 and not isinstance(call.args[0], ast.Starred) and not call.keywords else None


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
