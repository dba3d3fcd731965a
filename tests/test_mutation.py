"""Programs that write to arrays in place: equal to NumPy natively or on an island, or named; never silently wrong."""

from pathlib import Path
from typing import Any

import pytest
from fixture_cases import FIXTURES, Translation, find_traps, run_trap, slack_of, translation
from outcomes import judge, read_outcomes, write_outcomes

OUTCOMES = FIXTURES / "mutation" / "outcomes.txt"
PROGRAMS = find_traps("mutation")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "program" in metafunc.fixturenames:
        metafunc.parametrize("program", PROGRAMS, ids=lambda program: program.stem)


def test_program_is_not_silently_wrong(
    program: Path,
    device: str,
    tensorflow: Any,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> None:
    translated = translation(program, tmp_path_factory.getbasetemp() / "mutation" / program.stem)
    expected = run_trap(program, translated.source)
    assert expected.error is None, f"the program itself must run on NumPy: {expected.error!r}"
    with tensorflow.device(device):
        actual = run_trap(program, translated.out)
    came_out = judge(expected, actual, translated, slack_of(device))
    if came_out.startswith("equal"):  # what was flagged on the way to the right answer matters less than where it runs
        came_out = f"equal, {'island' if has_island(translated) else 'native'}"
    recorded = read_outcomes(OUTCOMES)
    if request.config.getoption("--accept"):
        write_outcomes(OUTCOMES, {**recorded, program.stem: came_out})
    else:
        assert came_out == recorded.get(program.stem), f"recorded outcome: {recorded.get(program.stem, 'none')}"


def test_outcomes_name_the_programs_that_exist(request: pytest.FixtureRequest) -> None:
    names = [program.stem for program in PROGRAMS]
    recorded = read_outcomes(OUTCOMES)
    if request.config.getoption("--accept"):
        write_outcomes(OUTCOMES, {name: text for name, text in recorded.items() if name in names})
    assert sorted(read_outcomes(OUTCOMES)) == names


def has_island(translated: Translation) -> bool:
    return any(b"@tnh.island" in text for text in translated.programs.values())
