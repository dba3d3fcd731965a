"""What is computed is kept in one place and given to another, as a whole, a view or a row: of `handed_out_pieces`.

What it is computed from is an argument, of which the function that computes knows nothing.
"""

import textwrap
from itertools import product
from random import Random

from handed_out_forms import Holder, named

COMPUTED = ("x * 2.0", "twice$n(x)", "x + 0.0", "-x", "x.copy()", "np.asarray(x)", "x")
COMPUTED_ROWS = ("x + np.zeros((2, 1))", "twice$n(x + np.zeros((2, 1)))", "x * np.ones((2, 1))")
WHOLE = ("out", "out[:]", "out[::-1]", "out[1:]", "out.T", "out.ravel()", "out.view()", "out[None]", "out[..., :]")
ROWS = (
    "out[0]", "out[-1]", "out[len(out) - 2]", "list(out)[0]", "[*out][1]", "next(iter(out))", "out[0:1][0]",
    "[row for row in out][0]", "dict(enumerate(out))[0]", "first$n(*out)", "out[0][1:]",
    "[p for p, _ in zip(out, out)][0]",
)  # fmt: skip
HELPERS = "def twice$n(x):\n    return x * 2.0\n\n\ndef first$n(one, *rest):\n    return one\n"
ATTRIBUTE = """
class B$n:
    def go(self, x):
{made}
        self.v = {kept}
        return {given}
"""
IN_DICT = """
class B$n:
    def __init__(self):
        self.d = {{}}

    def go(self, x):
{made}
        self.d[0] = {kept}
        return {given}
"""
IN_LIST = "def go$n(x, kept):\n{made}\n    kept.append({kept})\n    return {given}\n"
BOTH = "def go$n(x):\n{made}\n    return {kept}, {given}\n"
IN_FUNCTION = "def go$n(x):\n{made}\n    kept = {kept}\n    return {given}, lambda: kept\n"
IN_MODULE = "K$n = {{}}\n\n\ndef go$n(x):\n{made}\n    K$n[0] = {kept}\n    return {given}\n"
# How a function keeps the one and gives the other: its text, the call, and the place of what is kept.
KEEPING = (
    (ATTRIBUTE, "b$n = ${m}B$n()\ny$n = b$n.go($new)", "b$n.v"),
    (IN_DICT, "b$n = ${m}B$n()\ny$n = b$n.go($new)", "b$n.d[0]"),
    (IN_LIST, "b$n = []\ny$n = ${m}go$n($new, b$n)", "b$n[0]"),
    (BOTH, "b$n, y$n = ${m}go$n($new)", "b$n"),
    (IN_FUNCTION, "y$n, b$n = ${m}go$n($new)", "b$n()"),
    (IN_MODULE, "y$n = ${m}go$n($new)", "${m}K$n[0]"),
)


def viewed(random: Random) -> Holder:
    """Keep and give parts of what is computed."""
    makers, parts = random.choice(((COMPUTED, WHOLE), (COMPUTED_ROWS, WHOLE + ROWS)))
    text, setup, place = random.choice(KEEPING)
    made = textwrap.indent(f"out = {random.choice(makers)}", " " * (8 if "(self" in text else 4))
    kept, given = random.choice([*product(parts, parts)])
    body = text.format(made=made, kept=kept, given=given)
    return named(f"{HELPERS}\n\n{body.lstrip()}".strip("\n"), setup, place, "y$n")


VIEWED = {"viewed": tuple(viewed(Random(f"viewed {number}")) for number in range(1000))}
