"""Programs that a swap of names breaks: each must stay right, fail loudly, or be named in the report."""

from pathlib import Path
from typing import Any

import pytest
from fixture_cases import FIXTURES, find_traps, run_trap, slack_of, translation
from outcomes import judge, read_outcomes, write_outcomes

OUTCOMES = FIXTURES / "traps" / "outcomes.txt"
TRAPS = find_traps()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test id per trap."""
    if "trap" in metafunc.fixturenames:
        metafunc.parametrize("trap", TRAPS, ids=lambda trap: trap.stem)


def test_trap_is_not_silently_wrong(
    trap: Path,
    device: str,
    tensorflow: Any,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> None:
    """Compare with NumPy; the recorded outcome may change only in review, and never to a silent difference."""
    translated = translation(trap, tmp_path_factory.getbasetemp() / "traps" / trap.stem)
    expected = run_trap(trap, translated.source)
    assert expected.error is None, "the trap itself must run on NumPy"
    with tensorflow.device(device):
        actual = run_trap(trap, translated.out)
    came_out = judge(expected, actual, translated, slack_of(device))
    recorded = read_outcomes(OUTCOMES)
    if request.config.getoption("--accept"):
        write_outcomes(OUTCOMES, {**recorded, trap.stem: came_out})
    else:
        assert came_out == recorded.get(trap.stem), f"recorded outcome: {recorded.get(trap.stem, 'none')}"


def test_outcomes_name_the_traps_that_exist(request: pytest.FixtureRequest) -> None:
    """A removed trap takes its line with it."""
    names = [trap.stem for trap in TRAPS]
    if request.config.getoption("--accept"):
        write_outcomes(OUTCOMES, {name: text for name, text in read_outcomes(OUTCOMES).items() if name in names})
    assert sorted(read_outcomes(OUTCOMES)) == names
