"""Scopes: which names each binds, where Python would find a name, and who is around whom."""
# ruff: noqa: E501  # a case a line reads best

from __future__ import annotations

import ast
import symtable

import pytest

from tnp_migrate.program.scopes import Scope, Scopes, all_arguments, collect_scopes


def scopes_of(text: str) -> Scopes:
    return collect_scopes(ast.parse(text))


def bound(text: str) -> dict[str, list[str]]:
    """The names that each scope binds, by the scope's kind and name."""
    found = scopes_of(text)
    return {_label(scope): sorted(scope.bound) for scope in found.of.values()}


def _label(scope: Scope) -> str:
    return f"{scope.kind} {getattr(scope.node, 'name', '')}".strip()


def owners(text: str, name: str) -> list[str]:
    """Where each use of a name would find it."""
    return [
        _label(owner) if (owner := use.scope.owner(name)) else "builtin" for use in scopes_of(text).uses.get(name, [])
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", {"module": []}, id="empty"),
        pytest.param("x.y = 1\nx[0] = 2\n", {"module": []}, id="attributes and items bind nothing"),
        pytest.param("x\nx.y\nf(x=1)\n", {"module": []}, id="reads bind nothing"),
        pytest.param("import a.b.c\nimport a.b as d\n", {"module": ["a", "d"]}, id="imports"),
        pytest.param("from a import *\nfrom a import b as c\n", {"module": ["c"]}, id="from-imports"),
        pytest.param("(a, [b, *c]) = d = x\n", {"module": ["a", "b", "c", "d"]}, id="unpacking"),
        pytest.param("for a, b in x: pass\nwith x as c: pass\n", {"module": ["a", "b", "c"]}, id="for and with"),
        pytest.param("try: pass\nexcept E as e: pass\n", {"module": ["e"]}, id="except"),
        pytest.param("del a\na: int\nb += 1\n", {"module": ["a", "b"]}, id="del, annotation, augmented"),
        pytest.param(
            "match x:\n    case [a, *b]: pass\n    case {1: c, **d}: pass\n    case P(e, f=g) as h: pass\n",
            {"module": ["a", "b", "c", "d", "e", "g", "h"]},
            id="match",
        ),
        pytest.param(
            "f = lambda a, *b, c=1, **d: a\n", {"module": ["f"], "function": ["a", "b", "c", "d"]}, id="lambda"
        ),
        pytest.param(
            "def f(a, /, b, *c, d, **e):\n    g = a\n",
            {"module": ["f"], "function f": ["a", "b", "c", "d", "e", "g"]},
            id="function",
        ),
        pytest.param(
            "class A(B, metaclass=M):\n    x = 1\n    def f(self): y = x\n",
            {"module": ["A"], "class A": ["f", "x"], "function f": ["self", "y"]},
            id="class",
        ),
        pytest.param("x = [a for a in b if (c := a)]\n", {"module": ["c", "x"], "comprehension": ["a"]}, id="walrus"),
        pytest.param(
            "def f():\n    return {a: b for a, b in x}\n",
            {"module": ["f"], "function f": [], "comprehension": ["a", "b"]},
            id="comprehension",
        ),
        pytest.param("def f():\n    global a\n    a = 1\n", {"module": ["a", "f"], "function f": []}, id="global"),
        pytest.param(
            "def f():\n    a = 1\n    def g():\n        nonlocal a\n        a = 2\n",
            {"module": ["f"], "function f": ["a", "g"], "function g": []},
            id="nonlocal",
        ),
        pytest.param(
            "def f():\n    if x:\n        try: pass\n        finally:\n            global a\n    a = 1\n",
            {"module": ["a", "f"], "function f": []},
            id="global in a nested block",
        ),
        pytest.param(
            "def f(x):\n    match x:\n        case 1:\n            global a\n            a = 1\n",
            {"module": ["a", "f"], "function f": ["x"]},
            id="global in a case",
        ),
    ],
)
def test_scopes_bind(text: str, expected: dict[str, list[str]]) -> None:
    assert bound(text) == expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        pytest.param("def f():\n    return x\n", "x", ["builtin"], id="unbound"),
        pytest.param("x = 1\ndef f():\n    return x\n", "x", ["module"], id="module"),
        pytest.param("x = 1\ndef f(a=x):\n    x = a\n    return x\n", "x", ["module", "function f"], id="default"),
        pytest.param(
            "x = 1\nclass A:\n    x = 2\n    def f(self): return x\n", "x", ["module"], id="method skips class"
        ),
        pytest.param("x = 1\nclass A:\n    x = 2\n    y = x\n", "x", ["class A"], id="class body"),
        pytest.param(
            "class A:\n    x = 2\n    y = [x for _ in x]\n", "x", ["class A", "builtin"], id="comprehension in a class"
        ),
        pytest.param("def f(x):\n    def g():\n        return x\n", "x", ["function f"], id="closure"),
        pytest.param("def f(x: x) -> x:\n    pass\n", "x", ["builtin", "builtin"], id="annotations are outside"),
        pytest.param(
            "def f(x):\n    def g():\n        global x\n        return x\n", "x", ["builtin"], id="global nowhere bound"
        ),
        pytest.param(
            "x = 1\ndef f(x):\n    def g():\n        global x\n        return x\n", "x", ["module"], id="global"
        ),
        pytest.param(
            "def f(a):\n    @a\n    class B(a): pass\n", "a", ["function f", "function f"], id="bases and decorators"
        ),
        pytest.param("[x for x in x for y in x]\n", "x", ["builtin", "comprehension", "comprehension"], id="iterables"),
    ],
)
def test_owner_is_where_python_finds_a_name(text: str, name: str, expected: list[str]) -> None:
    assert sorted(owners(text, name)) == sorted(expected)


@pytest.mark.parametrize(
    "text",
    [
        "import a\ndef f(b, *c, d=a):\n    e = [g for g in b if (h := g)]\n    return lambda i: (e, i, h)\n",
        "class A:\n    b = 1\n    def c(self):\n        d: int = A.b\n        for e, (f, *g) in d: pass\n",
        "def f():\n    a = 1\n    def g():\n        nonlocal a\n        a, b = 1, 2\n        with a as c, b as (d, e): pass\n    return g\n",
        "def f():\n    global z\n    try:\n        z = 1\n    except E as err:\n        import q.r as s\n        from t import u, v as w\n",
    ],
)
def test_bound_names_are_pythons_own(text: str) -> None:
    """Python's compiler has the last word on which names are local."""
    found = scopes_of(text)
    ours = {
        (getattr(scope.node, "name", "lambda" if isinstance(scope.node, ast.Lambda) else "top"), frozenset(scope.bound))
        for scope in found.of.values()
        if scope.kind != "comprehension"
    }
    tables, theirs = [symtable.symtable(text, "a.py", "exec")], set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        if table.get_name() in ("listcomp", "genexpr", "setcomp", "dictcomp"):
            continue
        names = {one.get_name() for one in table.get_symbols() if one.is_local() and one.get_name() != "__class__"}
        if table.get_type() == "module":
            names |= {one for scope in found.of.values() for one in scope.globals if one in found.module.bound}
        theirs.add((table.get_name(), frozenset(names)))
    assert ours == theirs


def test_every_node_has_its_parent() -> None:
    text = "@d(1)\nclass A(B):\n    x: int = [a.b.c for a in f(**k) if (n := a)]\n    async def m(self, p: 'P' = q, *, r) -> s:\n        return lambda t: f'{t.u!r:>{w}}'\n"
    tree = ast.parse(text)
    found = collect_scopes(tree)
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if isinstance(
                child, ast.expr | ast.stmt | ast.arg | ast.alias | ast.arguments | ast.keyword | ast.comprehension
            ):
                assert found.parent[child] is node


def test_uses_hold_the_whole_chain() -> None:
    found = scopes_of("a.b.c(a.d[0].e)\n")
    assert [use.attributes for use in found.uses["a"]] == [("b", "c"), ("d",)]
    (first, _) = found.uses["a"]
    assert found.chain_root(first.root) is first.node


def test_ancestors_go_outward() -> None:
    found = scopes_of("def f():\n    return a + 1\n")
    (use,) = found.uses["a"]
    assert [type(one).__name__ for one in found.ancestors(use.node)] == ["BinOp", "Return", "FunctionDef", "Module"]


def test_all_arguments_keep_the_order_of_the_text() -> None:
    (definition,) = ast.parse("def f(a, /, b, *c, d, **e): pass\n").body
    assert isinstance(definition, ast.FunctionDef)
    assert [one.arg for one in all_arguments(definition.args)] == ["a", "b", "c", "d", "e"]
