"""The closure of facts over a graph: components, circles, and each node asked once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import hypothesis.strategies as st
from hypothesis import given

from tnp_migrate.program.reachability import Closure

GRAPHS = st.dictionaries(st.integers(0, 9), st.lists(st.integers(0, 9), max_size=4))


def reached(graph: Mapping[int, list[int]], start: int) -> set[int]:
    seen, pending = {start}, [start]
    while pending:
        new = [one for one in graph.get(pending.pop(), []) if one not in seen]
        seen.update(new)
        pending += new
    return seen


@given(GRAPHS, st.lists(st.integers(0, 9), max_size=4))
def test_facts_are_those_of_all_that_is_reached(graph: dict[int, list[int]], starts: list[int]) -> None:
    closure = Closure(lambda one: graph.get(one, []), lambda one: [one])
    for start in starts:
        assert closure.of_one(start) == reached(graph, start)
    assert closure.of(starts) == set().union(*(reached(graph, one) for one in starts))


def test_each_node_is_asked_once_for_what_it_has() -> None:
    asked: Counter[int] = Counter()
    closure = Closure(lambda one: [(one + 1) % 500, (one * 7) % 500], lambda one: asked.update([one]) or [one])
    for one in range(500):
        assert len(closure.of_one(one)) == 500
    assert set(asked.values()) == {1}


def test_a_chain_needs_no_recursion() -> None:
    closure = Closure(lambda one: [one + 1] if one < 50_000 else [], lambda one: [one] if one % 1000 == 0 else [])
    assert len(closure.of_one(0)) == 51


def test_a_search_that_broke_off_leaves_nothing_wrong_behind() -> None:
    broken = [True]

    def following(one: int) -> list[int]:
        if one == 3 and broken.pop():
            raise RecursionError
        return [(one + 1) % 6]

    closure = Closure(following, lambda one: [one])
    try:
        closure.of_one(0)
    except RecursionError:
        broken[:] = [False] * 99
    assert closure.of_one(4) == {0, 1, 2, 3, 4, 5}
