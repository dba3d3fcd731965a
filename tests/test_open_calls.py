"""Calls that a body leaves open: who calls it takes them over, very many of one place together."""

from collections import Counter

import pytest
from analysis_cases import analyse

from tnp_migrate.analysis import open_calls
from tnp_migrate.analysis.calls import _MOST_DEFERRED
from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import MANY_KINDS, SHARED, Node, field, find, reachable, unify
from tnp_migrate.analysis.open_calls import _LARGEST_CIRCLE, _MANY_TAKEN_OVER, _MOST_ALIKE
from tnp_migrate.analysis.solver import solve
from tnp_migrate.analysis.summary_nodes import Summary

ASKED = """
def ask(x, y):
    return x.step(y)

def many(x, y):
{calls}
"""
TABLE = """
class Base:
    def __init__(self, m):
        self.m = m

{classes}

KINDS = [{names}]

def run(a, number):
    return KINDS[number](a)
"""
PLAIN, MADE = "class K{0}(Base):\n    pass\n", "class K{0}(Base):\n    def __init__(self, m):\n        self.m = m\n"
APART = "class K{0}:\n    def __init__(self, m):\n        self.m = m\n"


def _graph(text: str, name: str) -> Graph:
    solution = solve(analyse(case=text))
    return next(one for one in solution.graphs.values() if one.body.name == name)


def test_what_asks_one_object_the_same_very_often_is_one_call() -> None:
    number = 2 * _MANY_TAKEN_OVER
    graph = _graph(ASKED.format(calls="".join(f"    found{one} = ask(x, y)\n" for one in range(number))), "many")
    asked = [one for one in graph.deferred if one.method == "step"]
    assert 0 < len(asked) <= _MOST_DEFERRED + _MOST_ALIKE
    places = {place for one in asked for place in (one.instruction.result, *one.elsewhere)}
    assert len(places) == number  # each is known to stand where it stands
    assert len({find(graph.registers[place]) for place in places}) <= len(asked)


def test_what_a_body_asks_is_bounded_whatever_is_given() -> None:
    number = 2 * _MANY_TAKEN_OVER
    graph = _graph(ASKED.format(calls="    ask(x, [y])\n" * number), "many")
    names = Counter(one.method for one in graph.deferred)
    assert 0 < names["step"] <= _MANY_TAKEN_OVER + 1


def test_a_copy_that_calls_share_follows_what_has_become_one_with_a_variable() -> None:
    own, variable, here = Node(), Node(SHARED), Node()
    for label in ("first", "second"):
        field(here, label)  # so that it stands for both when they become one
    summary = Summary({own: here})
    unify(variable, own)
    inside = reachable([own])
    summary.cover(inside)
    assert find(here) is find(own)
    assert find(own) in inside
    assert find(own) in summary.copies


def test_a_body_of_a_large_circle_hands_on_what_it_leads_to() -> None:
    number = _LARGEST_CIRCLE + 2
    bodies = (
        f"def f{one}(x, y):\n    x.step{one}(y)\n    f{(one + 1) % number}(open(y), y)\n" for one in range(number)
    )
    graph = _graph("".join(bodies) + "def run(x, y):\n    f0(x, y)\n    f1(x, y)\n", "run")
    left = {call.callee.body.name: call.callee.open_calls or [] for call in graph.calls}
    asked = {name: [one.method for one in calls if one.method is not None] for name, calls in left.items()}
    assert asked == {"f0": ["step0"], "f1": ["step1"]}
    assert [one.method for one in graph.deferred if one.method is not None] == ["step0", "step1"]


@pytest.mark.parametrize(("number", "calls"), [(19, 19), (20, 1)])
def test_what_callees_ask_of_an_object_too_often_is_one_call(
    number: int, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_calls, "_TOO_MANY", 40)
    graph = _graph("def ask(x):\n" + "    x.step(1)\n" * number + "def run(x):\n    return ask(x)\n", "run")
    stands_for = [1 + len(one.others) for one in graph.deferred if one.method == "step"]
    assert (len(stands_for), sum(stands_for)) == (calls, number)  # no place is forgotten


@pytest.mark.parametrize("kind", [PLAIN, MADE])
def test_makers_of_one_family_are_followed_however_many(kind: str) -> None:
    number = MANY_KINDS + 4
    names = [f"K{one}" for one in range(number)]
    text = TABLE.format(classes="\n".join(kind.format(one) for one in range(number)), names=", ".join(names))
    graph = _graph(text, "run")
    assert {one.node.name for node in graph.results for one in find(node).classes} == {*names}
    made = [call for call in graph.calls if "make" in call.callee.body.name]
    assert len(made) == (1 if kind is PLAIN else number)


def test_makers_of_classes_that_have_nothing_in_common_are_left_when_there_are_too_many() -> None:
    number = MANY_KINDS + 4
    names = ", ".join(f"K{one}" for one in range(number))
    graph = _graph(TABLE.format(classes="\n".join(APART.format(one) for one in range(number)), names=names), "run")
    assert not graph.calls
    assert any(len(one.left) == number for one in graph.deferred)
