"""What is known of each function after its calls were replayed: one verdict, and what each form has come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tnp_migrate.proof.inside.form_names import FORMS

Verdict = Literal["verified", "differs", "raises", "not replayable", "not exercised"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_WORST: tuple[Verdict, ...] = ("differs", "raises", "verified")


@dataclass(frozen=True)
class FormResult:
    """One form of a function over all its calls.

    `verdict` is the worst of them; `why` says what the first such call did. `absolute` and `units` are the largest
    errors, the latter in units in the last place of the largest number. `seconds` is the time of one call that is the
    same, `numpy_seconds` NumPy's, `slower` their ratio. `left_out` calls were not replayed, for lack of time mostly;
    `why` says why where none was.
    """

    form: str
    verdict: Verdict
    calls: int
    same: int
    why: str = ""
    absolute: float = 0.0
    units: float = 0.0
    slower: float | None = None
    left_out: int = 0
    seconds: float | None = None
    numpy_seconds: float | None = None


@dataclass(frozen=True)
class FunctionProof:
    """One function of the project: where it is, how often it was called and replayed, and what came of it.

    `line` counts in the user's file, `diverges` too: it is the first line after which values are others than NumPy's.
    An `island` stays on NumPy: that it does the same says less than where TensorFlow computes.
    """

    path: str
    line: int
    name: str
    verdict: Verdict
    calls: int = 0
    replayed: int = 0
    why: str = ""
    diverges: int | None = None
    forms: tuple[FormResult, ...] = ()
    island: bool = False

    def verdict_on(self, device: str) -> Verdict:
        """The verdict of the forms that ran on one device."""
        return verdict_of(one for one in self.forms if FORMS[one.form].device == device)[0]


@dataclass(frozen=True)
class CommandRun:
    """What became of the user's command on the translation: a sentence, a line for each test that fails now."""

    text: str
    broken: tuple[str, ...] = ()
    failed: bool = False


@dataclass(frozen=True)
class Verification:
    """The proof of a project. `devices` have been looked at; a device that is asked for and missing is in `missing`.

    `command` has what became of the user's own command on the translated copy, None where it was not run.
    """

    functions: tuple[FunctionProof, ...]
    devices: tuple[str, ...]
    missing: tuple[str, ...] = ()
    seconds: float = 0.0
    command: CommandRun | None = None
    stale: int = 0

    def counts(self) -> dict[Verdict, int]:
        """How many functions there are of each verdict."""
        counted = Counter(one.verdict for one in self.functions)
        return {verdict: counted[verdict] for verdict in VERDICTS}

    @property
    def executed(self) -> int:
        """How many functions have run translated, whatever came of it."""
        return sum(one.verdict in ("verified", "differs", "raises") for one in self.functions)


def form_result(form: str, rows: Sequence[Mapping[str, Any]], base: Sequence[Mapping[str, Any]]) -> FormResult | None:
    """One form of a function, from the rows of its calls and those of the original; None where it looked at none."""
    left_out = [str(one["why"]) for one in rows if one["status"] not in _VERDICT_OF]
    ran = [one for one in rows if one["status"] in _VERDICT_OF]
    if not ran:
        return FormResult(form, "not replayable", 0, 0, left_out[0], left_out=len(left_out)) if left_out else None
    found = [_VERDICT_OF[one["status"]] for one in ran]
    verdict = next(one for one in _WORST if one in found)
    why = next(
        (
            "" if one["status"] == "same" else str(one.get("why", ""))
            for one, of in zip(ran, found, strict=True)
            if of == verdict
        ),
        "",
    )
    seconds = [one.get("seconds", 0.0) for one in rows if one["status"] == "same"]
    numpy = [b.get("seconds", 0.0) for one, b in zip(rows, base, strict=True) if one["status"] == "same"]
    slower = sum(seconds) / sum(numpy) if sum(numpy) > 0 and sum(seconds) > 0 else None
    return FormResult(
        form,
        verdict,
        len(ran),
        sum(one == "verified" for one in found),
        why,
        max((one.get("absolute", 0.0) for one in ran), default=0.0),
        max((one.get("units", 0.0) for one in ran), default=0.0),
        slower,
        len(left_out),
        sum(seconds) / len(seconds) if seconds else None,
        sum(numpy) / len(numpy) if numpy else None,
    )


_VERDICT_OF: dict[str, Verdict] = {
    "same": "verified",
    "differs": "differs",
    "raises": "raises",
    "crashed": "raises",
    "time": "raises",
}


def verdict_of(forms: Iterable[FormResult]) -> tuple[Verdict, str]:
    """The verdict of a function: the worst of its forms; one that only raises in a further form is verified.

    A function of whose translation no call was replayed is not verified by what an earlier stage did.
    """
    given = [one for one in forms if not FORMS[one.form].further or one.verdict == "differs"]
    translated = [one for one in given if FORMS[one.form].tree == "translated"]
    for verdict in _WORST:
        worst = next((one for one in given if one.verdict == verdict), None)
        if worst is not None and (verdict != "verified" or any(one.calls for one in translated)):
            return verdict, f"{worst.form}: {worst.why}" if worst.why else ""
    return "not replayable", next((f"{one.form}: {one.why}" for one in translated if one.why), "no form was replayed")
