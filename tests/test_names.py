"""What refers to NumPy: every form of import finds it, every form of shadowing hides it."""
# ruff: noqa: E501  # a case a line reads best

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

import pytest

from tnp_migrate.program.names import Exports, Names, split_name
from tnp_migrate.program.references import resolve_names
from tnp_migrate.program.scopes import collect_scopes
from tnp_migrate.text.source import Source


def names_of(text: str, exports: Mapping[str, Exports] | None = None, module: str = "pkg.mod") -> Names:
    source = Source("mod.py", dedent(text).encode())
    return resolve_names(source, collect_scopes(source.tree), module, exports or {})


def found(text: str, exports: Mapping[str, Exports] | None = None) -> list[str]:
    """References as `text -> qualified name (context)`, a call's context left out."""
    source = Source("mod.py", dedent(text).encode())
    names = resolve_names(source, collect_scopes(source.tree), "pkg.mod", exports or {})
    return [
        f"{source.text(one.span)} -> {one.name}" + (f" ({one.context})" if one.context != "call" else "")
        for one in names.references
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("def f(np):\n    return np.sum(1)\n", id="no import, a parameter"),
        pytest.param("import numpy_financial as np\nnp.npv(1)\n", id="another library"),
        pytest.param("import numpy as np\ndef f(np):\n    return np.sum(1)\n", id="parameter"),
        pytest.param("import numpy as np\ndef f(*np):\n    return np[0].sum(1)\n", id="star parameter"),
        pytest.param("import numpy as np\ndef f(**np):\n    return np.get(1)\n", id="keywords parameter"),
        pytest.param("import numpy as np\ndef f(*, np):\n    return np.sum(1)\n", id="keyword-only parameter"),
        pytest.param("import numpy as np\ndef f(np, /):\n    return np.sum(1)\n", id="positional-only parameter"),
        pytest.param("import numpy as np\nf = lambda np: np.sum(1)\n", id="lambda parameter"),
        pytest.param("import numpy as np\ndef f():\n    np = g()\n    return np.sum(1)\n", id="local"),
        pytest.param("import numpy as np\ndef f():\n    x = np.sum(1)\n    np = g()\n", id="local assigned later"),
        pytest.param("import numpy as np\ndef f():\n    for np in g():\n        np.sum(1)\n", id="loop variable"),
        pytest.param("import numpy as np\ndef f():\n    with g() as np:\n        np.sum(1)\n", id="with"),
        pytest.param(
            "import numpy as np\ndef f():\n    with g() as (np, b):\n        np.sum(1)\n", id="with unpacking"
        ),
        pytest.param(
            "import numpy as np\ndef f():\n    try:\n        g()\n    except E as np:\n        np.sum(1)\n", id="except"
        ),
        pytest.param("import numpy as np\ndef f():\n    (a, *np) = g()\n    np.sum(1)\n", id="star target"),
        pytest.param("import numpy as np\ndef f():\n    np: int\n    np.sum(1)\n", id="annotation without a value"),
        pytest.param("import numpy as np\ndef f():\n    np += 1\n    np.sum(1)\n", id="augmented assignment"),
        pytest.param("import numpy as np\ndef f():\n    def np(): pass\n    np.sum(1)\n", id="nested function"),
        pytest.param("import numpy as np\ndef f():\n    class np: pass\n    np.sum(1)\n", id="nested class"),
        pytest.param("import numpy as np\ndef f():\n    import mine as np\n    np.sum(1)\n", id="other import"),
        pytest.param("import numpy as np\ndef f():\n    from mine import np\n    np.sum(1)\n", id="other from import"),
        pytest.param("import numpy as np\nx = [np.sum(1) for np in g()]\n", id="comprehension"),
        pytest.param("import numpy as np\nx = {np.a: np.b for np in g() if np.c}\n", id="dict comprehension"),
        pytest.param("import numpy as np\nx = [a for np in g() for a in np.all()]\n", id="second generator"),
        pytest.param("import numpy as np\ndef f():\n    if (np := g()):\n        np.sum(1)\n", id="walrus"),
        pytest.param(
            "import numpy as np\ndef f():\n    [(np := a) for a in g()]\n    np.sum(1)\n",
            id="walrus in a comprehension",
        ),
        pytest.param(
            "import numpy as np\ndef f(x):\n    match x:\n        case np:\n            np.sum(1)\n", id="match"
        ),
        pytest.param(
            "import numpy as np\ndef f(x):\n    match x:\n        case [1, *np]:\n            np.sum(1)\n",
            id="match star",
        ),
        pytest.param(
            "import numpy as np\ndef f(x):\n    match x:\n        case {1: 2, **np}:\n            np.sum(1)\n",
            id="match rest",
        ),
        pytest.param(
            "import numpy as np\ndef f(x):\n    match x:\n        case int() as np:\n            np.sum(1)\n",
            id="match as",
        ),
        pytest.param("import numpy as np\nclass A:\n    np = 1\n    x = np.real\n", id="class attribute in its body"),
        pytest.param("import numpy as np\nnp = 3\nnp.sum(1)\n", id="rebound in the module"),
        pytest.param(
            "import numpy as np\ndef f():\n    global np\n    np = 3\ndef g():\n    return np.sum(1)\n",
            id="rebound by global",
        ),
        pytest.param(
            "def f():\n    import numpy as np\n    def g():\n        nonlocal np\n        np = 1\n    return np.sum(1)\n",
            id="rebound by nonlocal",
        ),
        pytest.param(
            "def f():\n    import numpy as np\ndef g():\n    return np.sum(1)\n", id="import of another function"
        ),
        pytest.param(
            "class A:\n    import numpy as np\n    def f(self):\n        return np.sum(1)\n",
            id="import in a class body",
        ),
        pytest.param("import numpy as np\nx.np.sum(1)\n", id="attribute of something"),
        pytest.param("import numpy as np\nx = 'np.sum'\n# np.sum\n", id="strings and comments"),
        pytest.param("import numpy as np\nf(np=1)\n", id="keyword"),
        pytest.param("from mine import *\nsin(1)\n", id="star of something else"),
        pytest.param("def f():\n    global np\n    return np.sum(1)\n", id="global that nothing binds"),
        pytest.param("from numpy import *\ndef f(sin):\n    return sin(1)\n", id="star shadowed"),
    ],
)
def test_shadowed_names_are_no_references(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("import numpy\nnumpy.sum(1)\n", ["numpy.sum -> numpy.sum"], id="plain"),
        pytest.param("import numpy as np\nnp.sum(1)\n", ["np.sum -> numpy.sum"], id="alias"),
        pytest.param("import numpy as N, os\nN.sum(1)\n", ["N.sum -> numpy.sum"], id="odd alias beside another"),
        pytest.param(
            "import numpy as np, numpy, numpy as onp\nnp.a(onp.b(numpy.c(1)))\n",
            ["np.a -> numpy.a", "onp.b -> numpy.b", "numpy.c -> numpy.c"],
            id="several aliases",
        ),
        pytest.param("import numpy.linalg\nnumpy.linalg.norm(numpy.sum(1))\n",
            ["numpy.linalg.norm -> numpy.linalg.norm", "numpy.sum -> numpy.sum"], id="submodule"),
        pytest.param("import numpy.linalg as la\nla.norm(1)\n", ["la.norm -> numpy.linalg.norm"], id="submodule alias"),
        pytest.param("from numpy import linalg\nlinalg.norm(1)\n", ["linalg.norm -> numpy.linalg.norm"], id="from submodule"),
        pytest.param("from numpy._typing import ArrayLike\nx: ArrayLike = 1\n",
            ["ArrayLike -> numpy._typing.ArrayLike (annotation)"], id="from a private submodule"),
        pytest.param("from numpy.foo.bar import baz\nbaz.qux(1)\n",
            ["baz -> numpy.foo.bar.baz (value)"], id="from a submodule that there is not"),
        pytest.param("from numpy.linalg import norm as size, inv\nsize(inv(1))\n",
            ["size -> numpy.linalg.norm", "inv -> numpy.linalg.inv"], id="from-import as"),
        pytest.param("from numpy import (\n    sin,  # one\n    cos as c,\n)\nsin(c(1))\n",
            ["sin -> numpy.sin", "c -> numpy.cos"], id="from-import in parentheses"),
        pytest.param("from numpy import *\nsin(array([1]))\n", ["sin -> numpy.sin", "array -> numpy.array"], id="star"),
        pytest.param("from numpy import *\nlen(sum(open('a')))\n", ["sum -> numpy.sum"], id="star hides the builtins that NumPy exports"),
        pytest.param("from math import *\nfrom numpy import *\nsin(pi)\n", ["sin -> numpy.sin", "pi -> numpy.pi (value)"], id="star above"),
        pytest.param("from numpy import *\nfrom math import *\nsin(sum(1))\n", ["sum -> numpy.sum"], id="star below"),
        pytest.param("def f():\n    import numpy as np\n    return np.sum(1)\n", ["np.sum -> numpy.sum"], id="in a function"),
        pytest.param("def f():\n    import numpy as np\n    def g():\n        return np.sum(1)\n", ["np.sum -> numpy.sum"], id="closure"),
        pytest.param("def f():\n    global np\n    import numpy as np\ndef g():\n    return np.sum(1)\n",
            ["np.sum -> numpy.sum"], id="global import in a function"),
        pytest.param("try:\n    import numpy as np\nexcept ImportError:\n    np = None\nif np is not None:\n    np.sum(1)\n",
            ["np -> numpy (module)", "np.sum -> numpy.sum"], id="try with None"),
        pytest.param("try:\n    import cupy as np\nexcept ImportError:\n    import numpy as np\nnp.sum(1)\n",
            ["np.sum -> numpy.sum"], id="cupy or numpy"),
        pytest.param("if FAST:\n    import numpy as np\nelse:\n    import numpy as np\nnp.sum(1)\n",
            ["np.sum -> numpy.sum"], id="conditional"),
        pytest.param("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy as np\ndef f(a: 'np.ndarray'): ...\n",
            ["np.ndarray -> numpy.ndarray (annotation)"], id="for type checking"),
        pytest.param("import numpy as np\nxp = np\nxp.sum(1)\n",
            ["np -> numpy (module)", "xp.sum -> numpy.sum"], id="alias of the module"),
        pytest.param("import numpy as np\nla = np.linalg\nla.norm(1)\n",
            ["np.linalg -> numpy.linalg (module)", "la.norm -> numpy.linalg.norm"], id="alias of a submodule"),
        pytest.param("import numpy as np\ngetattr(np, 'sin')(1)\n",
            ["getattr(np, 'sin') -> numpy.sin (getattr)"], id="getattr of a constant"),
        pytest.param("import numpy as np\ngetattr(np, name)(1)\n", ["np -> numpy (module)"], id="getattr of a variable"),
        pytest.param("import numpy as np\ngetattr(np, 'sin', None)\n", ["np -> numpy (module)"], id="getattr with a default"),
        pytest.param("import numpy as np\nx: np.ndarray = y\ndef f(a: np.ndarray) -> np.float64: ...\n",
            ["np.ndarray -> numpy.ndarray (annotation)"] * 2 + ["np.float64 -> numpy.float64 (annotation)"], id="annotations"),
        pytest.param("import numpy as np\ndef f(a: 'np.ndarray | None') -> list['np.float64']: ...\n",
            ["np.ndarray -> numpy.ndarray (annotation)", "np.float64 -> numpy.float64 (annotation)"], id="string annotations"),
        pytest.param("import numpy as np\ndef f(a: 'not python, np.x ('): ...\n", [], id="string that is no expression"),
        pytest.param("import numpy.typing as npt\ndef f(a: npt.NDArray[float]): ...\n",
            ["npt.NDArray -> numpy.typing.NDArray (annotation)"], id="numpy.typing"),
        pytest.param("import numpy as np\nnp.add.reduce(x)\n", ["np.add.reduce -> numpy.add.reduce"], id="ufunc method"),
        pytest.param("import numpy as np\nnp.linalg.norm.__doc__\n", ["np.linalg.norm -> numpy.linalg.norm (value)"], id="attribute of a function"),
        pytest.param("import numpy as np\nnp.float = float\n", ["np.float -> builtins.float (store)"], id="store"),
        pytest.param("import numpy as np\ndel np.float\n", ["np.float -> builtins.float (store)"], id="delete"),
        pytest.param("import numpy as np\nmap(np.sin, x)\n", ["np.sin -> numpy.sin (value)"], id="function as a value"),
        pytest.param("import numpy as np\nf(np)\n", ["np -> numpy (module)"], id="module as a value"),
        pytest.param("import cupy as cp\ncp.sum(cp.asnumpy(x))\n", ["cp.sum -> numpy.sum", "cp.asnumpy -> cupy.asnumpy"], id="cupy"),
        pytest.param("import numpy as np\nx = np.r_[0, 1]\n", ["np.r_ -> numpy.r_ (value)"], id="index builder"),
        pytest.param("import numpy as np\nclass A:\n    np = 1\n    def f(self):\n        return np.sum(1)\n",
            ["np.sum -> numpy.sum"], id="class attributes do not hide from methods"),
        pytest.param("import numpy as np\nx = [np.sum(1) for np in np.ones(3)]\n", ["np.ones -> numpy.ones"],
            id="first iterable of a comprehension is outside"),
        pytest.param("import numpy as np\ndef f(np=np.zeros(3), a=np.pi):\n    return np\n",
            ["np.zeros -> numpy.zeros", "np.pi -> numpy.pi (value)"], id="defaults are outside"),
        pytest.param("import numpy as np\n@np.vectorize\ndef f(np): return np\n", ["np.vectorize -> numpy.vectorize (value)"], id="decorator"),
        pytest.param("import numpy as np\nf'{np.sum(1):>{np.max(2)}}'\n", ["np.sum -> numpy.sum", "np.max -> numpy.max"], id="f-string"),
        pytest.param("import numpy as np\ndef f():\n    global np\n    return np.sum(1)\n", ["np.sum -> numpy.sum"], id="global that only reads"),
        pytest.param("import numpy as np; y = np.sum(np.sum(1))\n", ["np.sum -> numpy.sum"] * 2, id="one line, nested"),
    ],
)  # fmt: skip
def test_references_are_found(text: str, expected: list[str]) -> None:
    ours = sorted(found(text))
    assert ours == sorted(expected)


def test_spans_stay_right_beside_wide_characters() -> None:
    assert found("import numpy as np\nx = 'é日本'; y = np.sum('é', np.pi)\n") == [
        "np.sum -> numpy.sum",
        "np.pi -> numpy.pi (value)",
    ]


def test_re_export_reaches_through_another_module() -> None:
    exports = names_of("import numpy as np\nfrom numpy import sin as sine\nHALF = 2\n").exported()
    assert exports.numpy == {"np": "numpy", "sine": "numpy.sin"}
    given = {"pkg.compat": exports}
    assert found("from pkg.compat import np as n, sine\nn.sum(sine(1))\n", given) == [
        "n.sum -> numpy.sum",
        "sine -> numpy.sin",
    ]
    assert found("from .compat import np\nnp.sum(1)\n", given) == ["np.sum -> numpy.sum"]
    assert found("from .compat import *\nnp.sum(sine(1))\n", given) == ["np.sum -> numpy.sum", "sine -> numpy.sin"]


@pytest.mark.parametrize(
    "text", ["from pkg import compat\ncompat.np.sum(1)\n", "import pkg.compat\npkg.compat.np.sum(1)\n"]
)
def test_re_export_reaches_through_a_module_attribute(text: str) -> None:
    found_names = found(text, {"pkg.compat": Exports({"np": "numpy"})})
    assert [one.partition(" -> ")[2] for one in found_names] == ["numpy.sum"]


def test_relative_imports_count_from_the_package() -> None:
    names = names_of("from ..x import a\nfrom . import b\n", module="pkg.sub.mod")
    assert [names.absolute(node) for node, _ in names.scopes.imports] == ["pkg.x", "pkg.sub"]
    source = Source("__init__.py", b"from .x import a\nfrom ..y import b\n")
    package = resolve_names(source, collect_scopes(source.tree), "pkg.sub", {}, is_package=True)
    assert [package.absolute(node) for node, _ in package.scopes.imports] == ["pkg.sub.x", "pkg.y"]


@pytest.mark.parametrize(
    ("qualified", "name", "rest"),
    [
        ("numpy.sum", "numpy.sum", ()),
        ("numpy.linalg.norm.__doc__", "numpy.linalg.norm", ("__doc__",)),
        ("numpy.add.reduce.x", "numpy.add.reduce", ("x",)),
        ("numpy.pi.real", "numpy.pi", ("real",)),
        ("numpy.random", "numpy.random", ()),
        ("numpy.random.mtrand.RandomState", "numpy.random.RandomState", ()),
        ("cupy.sum", "numpy.sum", ()),
        ("cupy.cuda.Stream", "cupy.cuda.Stream", ()),
    ],
)
def test_split_name(qualified: str, name: str, rest: tuple[str, ...]) -> None:
    assert split_name(qualified) == (name, rest)
