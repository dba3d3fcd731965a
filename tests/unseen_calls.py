"""Calls of which no text names what they run, and other ways in which an array comes to have a second holder.

`unseen_calls.txt` has them, one behind the other: the statements of a module, a line with dashes, and those of a
function that has `A`, `b`, a list `xs` and a dict `d` of arrays. `scale` writes to its argument and has a caller that
is translated; what is called beside it must not be.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

from handed_out_programs import Program

HEAD = """\
import asyncio, collections, concurrent.futures, contextlib, copy, functools, itertools, operator, queue, sys, threading
import types, weakref
import numpy as np


def scale(a):
    a *= 2


def settled():
    x = np.ones(3)
    scale(x)
    return x


"""
GIVEN = """\
A = np.ones(3)
b = np.ones(3)
xs = [np.ones(3), np.ones(3)]
d = {"w": np.ones(3)}
"""


@dataclass(frozen=True)
class Form:
    """Statements of a module and of a function."""

    around: str
    inside: str

    @property
    def name(self) -> str:
        """The statements on one line, shortened."""
        return re.sub(r"\W+", "_", f"{self.around} {self.inside}")[-70:].strip("_")

    def numbered(self, number: int) -> Form:
        """The same with names of its own: those that its module statements bind."""
        bound = set(re.findall(r"^(?:class |def |async def )?(\w+)(?= = |\(|:)", self.around, re.MULTILINE))
        if not bound:
            return self
        own = re.compile(rf"\b({'|'.join(sorted(bound))})\b")
        return Form(*(own.sub(rf"\g<1>{number}", text) for text in (self.around, self.inside)))


def _read() -> list[Form]:
    text = Path(__file__).with_name("unseen_calls.txt").read_text("utf-8")
    parts = [one.partition("--\n") for one in text.rstrip().split("\n\n")]
    return [Form(around, inside) for around, _, inside in parts]


FORMS = _read()
DECIDED = [one for one in FORMS if "random" not in one.inside]  # by the program alone, and no state of NumPy's


def program_of(forms: list[Form]) -> Program:
    """A program that does what some forms do, one after the other."""
    around = "\n\n".join(one.around for one in forms)
    body = "\n".join([GIVEN + forms[0].inside, *(one.inside for one in forms[1:])])
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    result = "    return [A, b, xs, d, settled()]\n"
    return Program({"main.py": f"{HEAD}{around}\n\ndef run():\n{indented}{result}"}, ())


def random_program(seed: int, number: int, most: int = 3) -> Program:
    """A program of a few forms that are drawn at random."""
    draw = random.Random(f"{seed} {number}")  # no secrets
    chosen = [draw.choice(DECIDED) for _ in range(draw.randint(2, most))]
    return program_of([one.numbered(position) for position, one in enumerate(chosen)])
