"""A body is analysed again only when something that its analysis asks about has changed."""

from __future__ import annotations

from collections import Counter

import pytest

from tnp_migrate.functional.bodies import Body
from tnp_migrate.functional.stage import _Stage
from tnp_migrate.program.config import Config
from tnp_migrate.project import migrate_text
from tnp_migrate.rewriting.unfolded_files import Unfolding

HEAD = "import numpy as np\n\n\n"
CHAIN = """
def first(a):
    a[0] = 1


def second(a):
    first(a)


def third():
    a = np.zeros(3)
    second(a)
    return a
"""
CIRCLE = """
def ping(a, n):
    a[n] = n
    pong(a, n - 1)


def pong(a, n):
    ping(a, n)


ping(np.ones(3), 2)
"""
# All three `fit` may be what `model.fit()` calls: one binds a variable of a test anew, which none of the others sees.
GUESSED = """
class One:
    def fit(self, model):
        self.x = np.zeros(3)
        self.x[0] = 1
        return model.fit(self)


class Two:
    def fit(self, model):
        self.y = np.ones(3)
        self.y[0] = 2
        return model.fit(self)


def test():
    calls = 0

    class Three:
        def fit(self, model):
            nonlocal calls
            calls = calls + 1
            return model.fit(self)

    a = np.zeros(2)
    a[0] = calls
    return Three().fit(One()), a
"""
ATTRIBUTE = """
class Model:
    def __init__(self):
        self.x = np.zeros(3)

    def step(self):
        self.x[0] = 1


def read(model):
    a = np.ones(3)
    a[0] = model.x[1]
    return a


def keep(model):
    held = model.x
    model.step()
    return held
"""


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each body is analysed."""
    found: Counter[str] = Counter()
    analyse = _Stage.analyse

    def counted(stage: _Stage, body: Body) -> None:
        found[body.name] += 1
        analyse(stage, body)

    monkeypatch.setattr(_Stage, "analyse", counted)
    return found


def test_chain_of_calls_is_analysed_once_from_its_end(analysed: Counter[str]) -> None:
    migrate_text((HEAD + CHAIN).encode(), Config())
    assert analysed == {"first": 1, "second": 1, "third": 1}


def test_variable_that_others_do_not_see_is_no_reason(analysed: Counter[str]) -> None:
    migrate_text((HEAD + GUESSED).encode(), Config())
    assert analysed["One.fit"] == analysed["Two.fit"] == 1


def test_what_a_body_says_itself_is_no_reason(analysed: Counter[str]) -> None:
    migrate_text((HEAD + ATTRIBUTE).encode(), Config())
    assert analysed == {"Model.step": 1, "read": 1, "keep": 1}


def test_stage_that_starts_anew_takes_what_it_has_found(
    analysed: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    once = migrate_text((HEAD + CHAIN).encode(), Config()).reports[0]
    analysed.clear()
    restarts = iter([True, False])
    monkeypatch.setattr(Unfolding, "in_vain", lambda *_: next(restarts))
    again = migrate_text((HEAD + CHAIN).encode(), Config()).reports[0]
    assert next(restarts, None) is None
    assert again == once
    assert analysed == {"first": 1, "second": 1, "third": 1}


def test_caller_is_analysed_again_when_what_it_calls_has_come_to_write(analysed: Counter[str]) -> None:
    done = migrate_text((HEAD + CIRCLE).encode(), Config())
    assert analysed["ping"] >= 2
    assert b"a = pong(a, n - 1)" in done.reports[0].after
