"""Random programs that return copies of their arrays, or one alone: no write is lost on what only the program has."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from handed_out_runs import judge
from shown_copies import with_copies

GENERATORS = {
    "handed_out_programs": "generate",
    "kept_attributes": "random_program",
    "layered_calls": "random_program",
    "object_states": "random_program",
    "ways_to_reach": "random_program",
}


@pytest.mark.parametrize("number", range(20))
@pytest.mark.parametrize("module", GENERATORS)
def test_no_write_is_lost(module: str, number: int, tensorflow: Any) -> None:
    made = getattr(import_module(module), GENERATORS[module])(7, number)
    verdict = judge(with_copies(made, f"7 {number}"))
    assert not verdict.failed, f"{verdict.kind}: {verdict.why}\n{verdict.program.text}"


def test_copies_are_shown() -> None:
    made = [getattr(import_module(module), name)(7, number) for module, name in GENERATORS.items() for number in (1, 2)]
    assert sum(with_copies(one, "7").text != one.text for one in made) >= len(made) // 2
