"""The forms that a call is replayed in, by name: which copy of the project runs it, and what is asked of it.

To add a form, add it here and the function that replays it to `forms.REPLAY`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

WILD = "wild"  # what moves a result says nothing of it: it has no bounds, or another shape
RAISED, CUT = 0, -1  # in the place of a line behind the last step of a trace: how it ended
Which = Literal["original", "functional", "translated"]


@dataclass(frozen=True)
class Form:
    """A form: `exact` ones are compared bit for bit; a `further` one may raise where a function is verified.

    `most` calls of a function are replayed, None for all. `device` is where its operations run.
    """

    name: str
    tree: Which
    exact: bool = False
    further: bool = False
    most: int | None = None
    device: str = "cpu"


ORIGINAL = Form("original", "original", exact=True)
AGAIN = Form("again", "original", exact=True)
PROOFS = (
    Form("functional", "functional", exact=True),
    Form("eager", "translated"),
    Form("arrays", "translated"),
    Form("graph", "translated", further=True, most=3),
    Form("compiled", "translated", further=True, most=2),
    Form("gpu", "translated", device="gpu"),
    Form("gpu graph", "translated", further=True, most=3, device="gpu"),
    Form("gpu compiled", "translated", further=True, most=2, device="gpu"),
)
# What is only looked at on the original: how far rounding moves results, and the values line by line.
MOVEMENT = Form("movement", "original")
LINES = Form("lines", "original")
FORMS = {form.name: form for form in (ORIGINAL, AGAIN, MOVEMENT, LINES, *PROOFS)}
