"""Programs that a swap of names breaks: each must stay right, fail loudly, or be named in the report."""

from pathlib import Path
from typing import Any

import pytest
from fixture_cases import FIXTURES, Outcome, Translation, assert_same, find_traps, run_trap, slack_of, translation

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
    recorded = read_outcomes()
    if request.config.getoption("--accept"):
        write_outcomes({**recorded, trap.stem: came_out})
    else:
        assert came_out == recorded.get(trap.stem), f"recorded outcome: {recorded.get(trap.stem, 'none')}"


def test_outcomes_name_the_traps_that_exist(request: pytest.FixtureRequest) -> None:
    """A removed trap takes its line with it."""
    names = [trap.stem for trap in TRAPS]
    if request.config.getoption("--accept"):
        write_outcomes({name: text for name, text in read_outcomes().items() if name in names})
    assert sorted(read_outcomes()) == names


def judge(expected: Outcome, actual: Outcome, translated: Translation, slack: float) -> str:
    """Return `equal`, `raises X` or `differs, flagged CODES`; a difference without a finding fails here."""
    flagged = f", flagged {' '.join(translated.flagged)}" if translated.flagged else ""
    if actual.error is not None:
        return f"raises {type(actual.error).__name__}{flagged}"
    try:
        assert_same(expected.result, actual.result, slack=slack)
        assert actual.stdout == expected.stdout
    except AssertionError as difference:
        if not flagged:
            message = f"silently wrong: {difference}\n{translated.report}"
            raise AssertionError(message) from difference
        return f"differs{flagged}"
    return f"equal{flagged}"


def read_outcomes() -> dict[str, str]:
    """Return the recorded outcome of each trap."""
    if not OUTCOMES.exists():
        return {}
    lines = OUTCOMES.read_text("utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line)


def write_outcomes(outcomes: dict[str, str]) -> None:
    """Record outcomes, one sorted line a trap."""
    OUTCOMES.write_text("".join(f"{name}: {text}\n" for name, text in sorted(outcomes.items())), "utf-8")
