"""What a call of a value runs: of all functions that the value may be those that take what the call gives."""

import pytest
from analysis_cases import analyse

from tnp_migrate.analysis.solver import solve

FILTERS = """
def same(x):
    return x

def scaled(x, by):
    return x * by

def several(*xs):
    return xs[0]

class Filter:
    def __init__(self, look):
        self.look = look

def run(x, given):
    filters = [Filter(same), Filter(scaled), Filter(several)]
    return filters[given].look({})
"""


@pytest.mark.parametrize(
    ("given", "run"),
    [
        ("x", {"same", "scaled", "several"}),  # a default may be what a second one has
        ("x, 2", {"scaled", "several"}),
        ("x, 2, 3", {"several"}),
        ("*given", {"same", "scaled", "several"}),
    ],
)
def test_call_runs_what_has_places_for_its_arguments(given: str, run: set[str]) -> None:
    solution = solve(analyse(case=FILTERS.format(given)))
    graph = next(one for one in solution.graphs.values() if one.body.name == "run")
    assert {call.callee.body.name for call in graph.calls} - {"__init__"} == run


def test_library_may_give_more_than_is_known() -> None:
    solution = solve(analyse(case="def key(x):\n    return x[0]\n\ndef run(xs):\n    xs.sort(key=key)\n"))
    graph = next(one for one in solution.graphs.values() if one.body.name == "run")
    assert "key" in {call.callee.body.name for call in graph.calls}
