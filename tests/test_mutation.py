"""Programs that write to arrays in place: equal to NumPy natively or on an island, or named; never silently wrong."""

from pathlib import Path
from typing import Any

import pytest
from fixture_cases import FIXTURES, Translation, find_traps, outcome, run_trap, slack_of, translation
from outcomes import judge, read_outcomes, write_outcomes
from traced_runs import run_traced

OUTCOMES = FIXTURES / "mutation" / "outcomes.txt"
GRAPH_OUTCOMES = FIXTURES / "mutation" / "graph_outcomes.txt"
REFUSED = FIXTURES / "mutation" / "refused.txt"  # the programs that are there to show what must stay on NumPy
PROGRAMS = find_traps("mutation")
NO_EXCUSE = {"TNP310"}  # says that a function returns more than before, and warns of no wrong number
AUTOGRAPH_IS_WRONG = {
    "recursion_quicksort": "both branches of a recursion are traced, without an end",
    "recursion_quicksort_slices": "both branches of a recursion are traced, without an end",
    "loop_try_finally": "the else clause of a try runs although the try returned",
    "order_in_element_loops": "float() of a tensor gives one of single precision",
    "algorithm_knapsack": "a list grows in a branch that is not taken, because both are traced",
}


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
    translated = translated_once(program, tmp_path_factory)
    expected = run_trap(program, translated.source)
    assert expected.error is None, f"the program itself must run on NumPy: {expected.error!r}"
    with tensorflow.device(device):
        actual = run_trap(program, translated.out)
    came_out = judge(expected, actual, translated, slack_of(device))
    if came_out.startswith("equal"):  # what was flagged on the way to the right answer matters less than where it runs
        came_out = f"equal, {'island' if has_island(translated) else 'native'}"
    assert not came_out.startswith("differs") or set(translated.flagged) - NO_EXCUSE, f"silently wrong: {came_out}"
    compare_or_accept(OUTCOMES, program, came_out, request)


def test_program_is_not_silently_wrong_in_a_graph(
    program: Path,
    device: str,
    tensorflow: Any,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> None:
    if program.stem in AUTOGRAPH_IS_WRONG:
        came_out = f"not judged, {AUTOGRAPH_IS_WRONG[program.stem]}"
    else:
        translated = translated_once(program, tmp_path_factory)
        expected = run_trap(program, translated.source)
        with tensorflow.device(device):
            actual = outcome(translated.out, program.stem, run_traced)
        came_out = judge(expected, actual, translated, slack_of(device))
        came_out = came_out if came_out.startswith("differs") else came_out.split(", flagged")[0]
    compare_or_accept(GRAPH_OUTCOMES, program, came_out, request)


@pytest.mark.parametrize("path", [OUTCOMES, GRAPH_OUTCOMES], ids=["eager", "graph"])
def test_outcomes_name_the_programs_that_exist(path: Path, request: pytest.FixtureRequest) -> None:
    names = [program.stem for program in PROGRAMS]
    if request.config.getoption("--accept"):
        write_outcomes(path, {name: text for name, text in read_outcomes(path).items() if name in names})
    assert sorted(read_outcomes(path)) == names


def test_programs_are_native_unless_they_show_a_refusal() -> None:
    outcomes, refused = read_outcomes(OUTCOMES), read_outcomes(REFUSED)
    assert set(refused) <= set(outcomes)
    assert [name for name in refused if outcomes[name] == "equal, native"] == []  # they no longer show one
    others = [outcomes[name] for name in outcomes if name not in refused]
    assert others.count("equal, native") > 0.9 * len(others)


def translated_once(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Translation:
    return translation(program, tmp_path_factory.getbasetemp() / "mutation" / program.stem)


def compare_or_accept(path: Path, program: Path, came_out: str, request: pytest.FixtureRequest) -> None:
    recorded = read_outcomes(path)
    if request.config.getoption("--accept"):
        write_outcomes(path, {**recorded, program.stem: came_out})
    else:
        assert came_out == recorded.get(program.stem), f"recorded outcome: {recorded.get(program.stem, 'none')}"


def has_island(translated: Translation) -> bool:
    return any(b"@tnh.island" in text for text in translated.programs.values())
