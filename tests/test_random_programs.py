"""Random programs that alias, view and mutate arrays give NumPy's results; RANDOM_PROGRAMS=10000 runs more of them."""

import os
from itertools import islice
from typing import Any

import pytest
from program_generator import evaluate, generate
from program_runs import Verdict, deletions, judge_programs, shrink

COUNT = int(os.environ.get("RANDOM_PROGRAMS", "150"))
BATCH = 150
SEED = 0


@pytest.mark.parametrize("start", range(0, COUNT, BATCH))
def test_results_are_those_of_numpy(start: int, tensorflow: Any) -> None:
    sources = [generate(SEED, number) for number in range(start, min(start + BATCH, COUNT))]
    failed = [verdict for verdict in judge_programs(sources) if verdict.failed]
    assert not failed, f"{len(failed)} of {len(sources)} programs; one of them, shrunk:\n{describe(shrink(failed[0]))}"


def test_same_seed_gives_same_program() -> None:
    assert generate(3, 5) == generate(3, 5)
    assert generate(3, 5) != generate(3, 6)


def test_programs_write_alias_view_and_call() -> None:
    text = "\n".join(generate(SEED, number) for number in range(100))
    for piece in ("] = ", "] += ", ".T", "[::-1]", "for row", "while ", "h0(", "g0(", "xs", 'd["p"]', "Box(", "try:"):
        assert piece in text, f"no program has {piece}"


def test_wrong_translation_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch, tensorflow: Any) -> None:
    source = module("a = np.zeros(2)", "b = a + 1", "a[0] = 1", "return {'a': a, 'b': b}")

    def judge_as_if_stores_were_lost(sources: list[str]) -> list[Verdict]:
        return [
            Verdict(text, text, "wrong" if "a[0] = 1" in text and "'a': a" in text else "native") for text in sources
        ]

    assert judge_programs([source])[0].kind in {"native", "island"}
    monkeypatch.setattr("program_runs.judge_programs", judge_as_if_stores_were_lost)
    smallest = shrink(judge_as_if_stores_were_lost([source])[0]).source
    assert smallest.split("\n")[-4:] == ["    a = np.zeros(2)", "    a[0] = 1", "    return {'a': a}", ""]


def test_different_value_is_wrong(monkeypatch: pytest.MonkeyPatch, tensorflow: Any) -> None:
    source = module("a = np.zeros(2)", "return {'a': a}")
    monkeypatch.setattr("program_runs.evaluate", lambda text: {"a": evaluate(text)["a"] + 1})
    assert judge_programs([source])[0].kind == "wrong"


def test_deletions_are_smaller_programs() -> None:
    source = generate(SEED, 4)
    for text in islice(deletions(source), 20):
        assert len(text) < len(source) + 40
        assert "def run" in text


def module(*statements: str) -> str:
    return "import numpy as np\n\ndef run():\n" + "".join(f"    {statement}\n" for statement in statements)


def describe(verdict: Verdict) -> str:
    return f"{verdict.kind}: {verdict.why}\n\n{verdict.source}\n--- became ---\n{verdict.translated}"
