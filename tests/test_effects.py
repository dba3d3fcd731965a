"""Writes in place and what they reach: the answers stand on the lines of `tests/analysis/effects_*.py`."""
# ruff: noqa: E501  # a case a line reads best

from __future__ import annotations

from pathlib import Path

import pytest
from analysis_cases import analyse, answers, cases, write_answers

from tnp_migrate.analysis.effects import find_effects


@pytest.mark.parametrize("path", cases("effects"), ids=lambda path: path.stem)
def test_writes_are_those_on_the_lines(path: Path) -> None:
    text = path.read_text()
    assert write_answers(text) == answers(text, "#!")


def mutated(text: str) -> dict[str, list[str]]:
    found = find_effects(analyse(case=text))
    return {one.function.name: one.mutated_parameters() for one in found.values() if one.function}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("return a + b", [], id="reads"),
        pytest.param("a = a + 1\n    a[0] = b", [], id="a name that was bound anew"),
        pytest.param("if b:\n        a = a + 1\n    a[0] = b", ["a"], id="unless a way leads past that"),
        pytest.param("for _ in b:\n        a[0] = 1\n        a = a + 1", ["a"], id="before it is, in a loop"),
        pytest.param(
            "try:\n        a = a + 1\n    except ValueError:\n        pass\n    a[0] = b", ["a"], id="or fails"
        ),
        pytest.param("c = a\n    a = a + 1\n    c[0] = b", ["a"], id="by its other name"),
        pytest.param("a = min(a, b)\n    a += 1", ["a"], id="what min gives may be the parameter"),
        pytest.param("c = []\n    c.append(a)\n    d = c\n    d[0][0] = b", ["a"], id="by a list that was renamed"),
        pytest.param(
            "def inner():\n        nonlocal a\n        a = a + 1\n    inner()\n    a[0] = b", ["a"], id="closure"
        ),
        pytest.param("c = a.copy()\n    c[0] = b", [], id="copy"),
        pytest.param("c = a[1:]\n    c[0] = b", ["a"], id="view"),
        pytest.param("c = a.T.reshape(-1)\n    c[0] = b", ["a"], id="view of a view"),
        pytest.param("c = np.asarray(a)\n    c[0] = b", ["a"], id="may be a view"),
        pytest.param("c = np.array(a)\n    c[0] = b", [], id="np.array copies"),
        pytest.param("c = np.array(a, copy=False)\n    c[0] = b", ["a"], id="unless told not to"),
        pytest.param("c = a.astype(int, copy=True)\n    c[0] = b", [], id="astype copies"),
        pytest.param("c = a.astype(int, copy=b)\n    c[0] = b", ["a"], id="unless told not to, perhaps"),
        pytest.param("c = a.astype(int, **b)\n    c[0] = b", ["a"], id="among other options"),
        pytest.param("c = a.astype(int, 'K', 'unsafe', True, False)\n    c[0] = b", ["a"], id="by position"),
        pytest.param("for row in a:\n        row[0] = b", ["a"], id="rows"),
        pytest.param("b[0], a[0] = a[0], b[0]", ["a", "b"], id="swap"),
        pytest.param("np.add(a, 1, out=b)", ["b"], id="out"),
        pytest.param("np.add(a, 1, b)", ["b"], id="out by position"),
        pytest.param("np.add.at(a, b, 1)", ["a"], id="ufunc.at"),
        pytest.param("np.copyto(a, b)", ["a"], id="copyto"),
        pytest.param("def inner():\n        a[0] = 1\n    inner()", ["a"], id="closure"),
    ],
)
def test_mutated_parameters(body: str, expected: list[str]) -> None:
    text = f"import numpy as np\n\n\ndef f(a: np.ndarray, b: np.ndarray):\n    {body}\n"
    assert mutated(text)["f"] == expected


SCALE = """
import numpy as np


def scale(a, copy=True, out=None):
    if copy and out is None:
        return a * 2
    elif out is not None:
        out[:] = a * 2
        return out
    a[:] = a * 2
    return a


def f(x: np.ndarray, flag, rest):
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("scale(x)", [], id="left to a default"),
        pytest.param("scale(x, True)", [], id="passed"),
        pytest.param("scale(x, copy=False)", ["x"], id="passed by name"),
        pytest.param("scale(x.copy(), False)", [], id="a copy"),
        pytest.param("scale(1, out=x)", ["x"], id="what is written to is no constant"),
        pytest.param("scale(x, flag)", ["x"], id="not known"),
        pytest.param("scale(x, *rest)", ["x"], id="among others"),
        pytest.param("scale(x, **rest)", ["x"], id="among others by name"),
        pytest.param("g(x)\n\n\ndef g(y):\n    scale(y)", [], id="through a call"),
        pytest.param("scale.__defaults__ = (False,)\n    scale(x)", ["x"], id="defaults are bound anew"),
        pytest.param("g(x)\n\n\ndef g(y, copy=True):\n    copy = not copy\n    scale(y, copy)", ["x"], id="bound anew"),
    ],
)
def test_calls_with_constants_run_what_these_decide(body: str, expected: list[str]) -> None:
    assert mutated(f"{SCALE}    {body}\n")["f"] == expected


def test_mutation_goes_through_calls_to_a_fixpoint() -> None:
    text = (
        "import numpy as np\n\n\ndef f(a, n):\n    if n:\n        g(a, n - 1)\n\n\ndef g(b, n):\n    h(b)\n    f(b, n)\n\n\n"
        "def h(c):\n    c[:, 0] = 1\n\n\ndef free(d):\n    return d\n"
    )
    assert mutated(text) == {"f": ["a"], "g": ["b"], "h": ["c"], "free": []}


def test_mutation_goes_through_modules() -> None:
    index = analyse(
        model="import numpy as np\nfrom tools import fill\n\n\ndef run():\n    x = np.zeros(3)\n    fill(x)\n    return x\n",
        tools="import numpy as np\n\n\ndef fill(a):\n    a[:, 0] = np.pi\n",
    )
    sites = {
        one.function.name: [site.node.lineno for site in one.sites]
        for one in find_effects(index).values()
        if one.function
    }  # type: ignore[attr-defined]
    assert sites == {"run": [7], "fill": [5]}
