"""Judge what a translated program did against what the program did on NumPy, and keep the verdicts as text."""

from pathlib import Path

from fixture_cases import Outcome, Translation, assert_same


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


def read_outcomes(path: Path) -> dict[str, str]:
    """Return the recorded outcome of each program."""
    if not path.exists():
        return {}
    lines = path.read_text("utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line)


def write_outcomes(path: Path, outcomes: dict[str, str]) -> None:
    """Record outcomes, one sorted line a program."""
    path.write_text("".join(f"{name}: {text}\n" for name, text in sorted(outcomes.items())), "utf-8")
