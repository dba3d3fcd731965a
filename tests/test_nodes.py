"""Going through trees: what `ast.walk` gives, without contexts and operators."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tnp_migrate.program.nodes import children, walk

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "migrator").rglob("*.py")) + sorted((ROOT / "fixtures" / "mutation").glob("*.py"))
EMPTY = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
EVERYTHING = """
@decorated
async def f(a, /, b: int = 1, *c, d, e=2, **g) -> None:
    global h
    async for i in j: await k
    async with l as m, n: pass
    x = {**o, "p": 1}; y: int = 3; del x[1:2, ...], y.z
    return lambda q, *, r=1: (yield)
class A(B, metaclass=C):
    try: pass
    except (D, E) as error: raise F from error
    else: assert G, H
    finally: pass
match s:
    case {"t": 1, **u} | [V(w, x=None), *_] if not y: print(f"{a!r:>{b}}", *c, **d)
    case None | -1 as z: import os.path as p; from . import q as r
print([a for b in c if d async for e in f], {a: b for c in d}, a if b else (c := d), 1 < 2 <= 3, -x + y and z)
"""


def _named(tree: ast.AST) -> list[ast.AST]:
    return [one for one in ast.walk(tree) if not isinstance(one, EMPTY)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_walk_gives_the_nodes_in_the_order_of_ast(path: Path) -> None:
    tree = ast.parse(path.read_bytes())
    assert walk(tree) == _named(tree)


def test_every_construct_is_gone_into() -> None:
    tree = ast.parse(EVERYTHING)
    assert walk(tree) == _named(tree)
    for node in ast.walk(tree):
        assert children(node) == [one for one in ast.iter_child_nodes(node) if not isinstance(one, EMPTY)]
