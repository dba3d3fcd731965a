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
        pytest.param("a = a + 1\n    a[0] = b", ["a"], id="a rebound name may still be the parameter"),
        pytest.param("c = a.copy()\n    c[0] = b", [], id="copy"),
        pytest.param("c = a[1:]\n    c[0] = b", ["a"], id="view"),
        pytest.param("c = a.T.reshape(-1)\n    c[0] = b", ["a"], id="view of a view"),
        pytest.param("c = np.asarray(a)\n    c[0] = b", ["a"], id="may be a view"),
        pytest.param("c = np.array(a)\n    c[0] = b", [], id="np.array copies"),
        pytest.param("c = np.array(a, copy=False)\n    c[0] = b", ["a"], id="unless told not to"),
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
