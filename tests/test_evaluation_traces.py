"""A function is evaluated again only when something that it reads of others has changed; what is known is the same."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tnp_migrate.analysis import arrays
from tnp_migrate.analysis.frames import Frame
from tnp_migrate.analysis.traces import Trace
from tnp_migrate.numpy_facts.values import Value
from tnp_migrate.program.config import Config
from tnp_migrate.program.index import Function, Index
from tnp_migrate.project import migrate, migrate_text
from tnp_migrate.text.discovery import discover

FIXTURES = Path(__file__).parent.parent / "fixtures"
HEAD = "import numpy as np\n\n\n"
SETTLED = """
def double(x):
    return 2 * x


def use():
    return double(np.ones(3))
"""
# What `second` passes is known only when `first` has been evaluated with what `third` passes.
CHANGING = """
def first(x):
    return x.copy()


def second(x):
    return first(x)


def third():
    return second(np.ones((2, 3)))
"""


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each function is evaluated."""
    found: Counter[str] = Counter()
    whole = arrays._function

    def counted(function: Function, around: object) -> None:
        found[function.node.name] += 1
        whole(function, around)

    monkeypatch.setattr(arrays, "_function", counted)
    return found


def _plain(value: Value) -> str:
    """A value as text, a function or class that it refers to by its name alone."""
    return f"{replace(value, ref=None)} {getattr(getattr(value.ref, 'node', None), 'name', '')}"


def known_of(paths: list[Path], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All that the evaluation finds out about the files below some paths, in all rounds of their migration."""
    found: list[str] = []
    whole = arrays.infer_arrays

    def noted(index: Index) -> None:
        whole(index)
        for module in index.modules.values():
            found.extend(f"{module.name} {ast.dump(node)} {value}" for node, value in module.values.items())
            for one in module.functions.values():
                found.append(f"{one.place} {sorted(one.unknown)} {sorted(one.anything)} {one.returns}")
                found.extend(f"{one.place} {name} {value}" for name, value in one.arguments.items())
            for one in module.classes.values():
                found.extend(f"{one.node.name} {name} {_plain(value)}" for name, value in one.attributes.items())

    with monkeypatch.context() as patch:
        patch.setattr("tnp_migrate.rounds.infer_arrays", noted)
        for path in paths:
            migrate(discover([path]), Config())
    return found


def test_function_of_which_nothing_changes_is_evaluated_once_more_at_most(evaluated: Counter[str]) -> None:
    migrate_text((HEAD + SETTLED).encode(), Config())
    assert evaluated == {"double": 2, "use": 2}  # what `use` passes, and what `double` returns, is new once


def test_statements_of_a_module_are_evaluated_once_where_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    assigned: Counter[int] = Counter()
    whole = arrays._statement

    def counted(frame: Frame, node: ast.stmt) -> None:
        assigned[node.lineno] += isinstance(node, ast.Assign)
        whole(frame, node)

    monkeypatch.setattr(arrays, "_statement", counted)
    migrate_text(b"import numpy as np\n\nSCALES = np.ones(3)\nTWICE = 2 * SCALES\n", Config())
    assert assigned == {1: 0, 3: 1, 4: 1}


def test_change_is_followed_through_calls(evaluated: Counter[str]) -> None:
    done = migrate_text((HEAD + CHANGING).encode(), Config())
    assert evaluated["first"] >= 2
    assert done.reports[0].ledger.references == 1


def test_all_is_known_as_if_everything_were_evaluated_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = sorted(one for one in FIXTURES.rglob("before*") if one.name in ("before", "before.py"))[::12]
    assert len(paths) > 12
    once = known_of(paths, monkeypatch)
    monkeypatch.setattr(Trace, "replay", lambda _: False)
    assert once == known_of(paths, monkeypatch)
