"""What a verification says of functions, in words that all formats share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tnp_migrate.proof.verdicts import FormResult, FunctionProof, Verification


SHOWN = 20  # tests that fail now
ATTENTION = ("differs", "raises")


def summary_lines(made: Verification) -> Iterator[str]:
    """The sum by verdict, devices that were not there, and what became of the user's command."""
    counts = ", ".join(f"{count} {verdict}" for verdict, count in made.counts().items())
    islands = sum(one.island and one.verdict == "verified" for one in made.functions)
    yield f"functions: {counts}" + (
        f"; {islands} of the verified ones are islands, which stay on NumPy" if islands else ""
    )
    yield from (f"{device}: not checked, no such device is here" for device in made.missing)
    if made.stale:
        files = "1 file has" if made.stale == 1 else f"{made.stale} files have"
        yield f"{files} changed since the recording: functions there are judged as they are now"
    if made.command is not None:
        yield f"the command on the translation: {made.command.text}"
        yield from (f"fails now: {one}" for one in made.command.broken[:SHOWN])
        if len(made.command.broken) > SHOWN:
            yield f"and {len(made.command.broken) - SHOWN} more tests fail now"


def verdict_word(one: FunctionProof) -> str:
    """The verdict as it stands beside a function."""
    return f"{one.verdict} (island)" if one.island and one.verdict == "verified" else one.verdict


def sentence(one: FunctionProof) -> str:
    """What is to be said of a function: its verdict, where results part, why."""
    line = f"; the first line that differs is {one.diverges}" if one.diverges else ""
    why = f": {one.why}" if one.why else ""
    return f"`{one.name}` {verdict_word(one)}{line}{why}"


def form_words(form: FormResult) -> str:
    """One form in a few words: what came of how many calls, the largest error, the time over NumPy's."""
    error = f", off by {form.absolute:.2g} ({form.units:.2g} ulp)" if form.absolute else ""
    slower = f", {form.slower:.2g} times NumPy's time" if form.slower is not None else ""
    verdict = {"verified": "same", "not replayable": "not replayed"}.get(form.verdict, form.verdict)
    why = f" ({form.why})" if form.verdict != "differs" and form.why else ""
    left_out = f", {form.left_out} left out" if form.left_out else ""
    return f"{form.form}: {verdict} {form.same}/{form.calls}{left_out}{error}{slower}{why}"


def badges(one: FunctionProof) -> str:
    """All forms of a function on one line."""
    return "; ".join(form_words(form) for form in one.forms)
