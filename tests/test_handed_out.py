"""Programs that write to memory which calls hand out: NumPy's numbers, or an error that a finding announces.

`fixtures/handed_out/wrong.txt` names those that do not keep this yet; one that does fails until its line goes.
"""

from typing import Any

import pytest
from fixture_cases import FIXTURES
from handed_out_programs import Program
from handed_out_runs import judge
from oracle_programs import files_of, handed_out

FOLDER = FIXTURES / "handed_out"
NAMES = [path.stem for path in handed_out()]
WRONG = dict(line.split(": ", 1) for line in (FOLDER / "wrong.txt").read_text("utf-8").splitlines())
NOT_YET = [pytest.mark.xfail(strict=True, reason="a write to what a call hands out is lost, or raises unannounced")]


@pytest.mark.parametrize("name", [pytest.param(name, marks=NOT_YET if name in WRONG else []) for name in NAMES])
def test_no_write_is_lost(name: str, tensorflow: Any) -> None:
    verdict = judge(Program(files_of(f"handed_out/{name}"), ()))
    assert verdict.kind in {"native", "island", "said"}, f"{verdict.kind}: {verdict.why}"
    assert verdict.kind == "native" or not name.startswith("read_"), "what is only read costs nobody an island"


@pytest.mark.parametrize("name", WRONG)
def test_what_becomes_of_it_is_what_is_recorded(name: str, tensorflow: Any) -> None:
    assert judge(Program(files_of(f"handed_out/{name}"), ())).kind == WRONG[name]


def test_names_are_those_of_programs() -> None:
    assert set(WRONG) <= set(NAMES)
