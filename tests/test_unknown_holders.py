"""What stands beside objects of very many kinds is not followed, and that is said where it matters."""

from __future__ import annotations

import textwrap

import pytest

from tnp_migrate import migrate_text
from tnp_migrate.analysis import open_calls
from tnp_migrate.analysis.heap import MANY_KINDS


def _said(text: str) -> list[tuple[int, str]]:
    return [(one.line, one.code) for one in migrate_text(text).findings if one.code == "TNP319"]


def _line(text: str, wanted: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if wanted in line)


def _of_functions(count: int, call: str) -> str:
    functions = "".join(f"def step_{one}(x):\n    x[0] += {one}\n    return x\n\n" for one in range(count))
    names = ", ".join(f"step_{one}" for one in range(count))
    table = f"STEPS = {{}}\n\nfor each in ({names}):\n    STEPS[each.__name__] = each\n\n"
    body = f"""
    def run(names):
        state = np.zeros(3)
        kept = state
        for name in names:
            {call}
        return kept
    """
    return "import numpy as np\n\n" + functions + table + textwrap.dedent(body)


def _of_classes(count: int, write: str) -> str:
    classes = "".join(f"class Kind{one}:\n    def __init__(self):\n        self.n = {one}\n\n" for one in range(count))
    puts = "".join(f"    CACHE[key, {one}] = Kind{one}()\n" for one in range(count))
    body = f"""
    def fill(key):
        CACHE[key] = np.zeros(3)
{textwrap.indent(puts, "    ").rstrip()}

    def get(key):
        return CACHE[key]

    def raised(key):
        made = np.ones(3)
        made[0] = 2
        found = get(key)
        {write}
        return made, get(key)
    """
    return "import numpy as np\n\nCACHE = {}\n\n" + classes + textwrap.dedent(body)


@pytest.mark.parametrize(
    "text",
    [
        _of_functions(MANY_KINDS + 2, "STEPS[name](state)  # here"),
        _of_functions(MANY_KINDS + 2, "list(map(STEPS[name], [state]))  # here"),
        _of_classes(MANY_KINDS + 2, "found[0] = 5  # here"),
        _of_classes(MANY_KINDS + 2, "np.add(found, 1, out=found)  # here"),
    ],
)
def test_what_hangs_on_many_kinds_is_said_at_its_line(text: str) -> None:
    assert _said(text) == [(_line(text, "# here"), "TNP319")]


@pytest.mark.parametrize(
    "text",
    [
        _of_functions(MANY_KINDS - 4, "STEPS[name](state)"),
        _of_functions(MANY_KINDS + 2, "step_1(state)"),
        _of_classes(MANY_KINDS - 4, "found[0] = 5"),
        _of_classes(MANY_KINDS + 2, "made[1] = 5"),
    ],
)
def test_nothing_is_said_of_what_is_followed_or_made_here(text: str) -> None:
    assert _said(text) == []


def test_each_place_is_named_where_very_many_are_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_calls, "_TOO_MANY", 40)
    text = _of_functions(MANY_KINDS + 2, "step_all(STEPS[name], state)")
    text += "\ndef step_all(step, state):\n" + "    step(state)\n" * 60
    assert [line for line, _ in _said(text)] == [at for at, line in enumerate(text.splitlines(), 1) if "step(" in line]


def test_methods_by_a_computed_name_are_counted_too() -> None:
    methods = "".join(f"    def on_{one}(self, x):\n        x[0] += {one}\n\n" for one in range(MANY_KINDS + 2))
    text = f"""\
import numpy as np


class Steps:
{methods}

def run(steps, kinds):
    state = np.zeros(3)
    kept = state
    for kind in kinds:
        getattr(steps, "on_" + kind)(state)  # here
    return kept


def main():
    return run(Steps(), "12")
"""
    assert _said(text) == [(_line(text, "# here"), "TNP319")]
