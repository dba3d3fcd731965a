"""Random programs of objects that hold two others, which may be one: arrays are read by the one, written by the other.

What is written to by one way is bound anew there; what has been read by the other way before is to be the same memory
still where both ways lead to one object, or to one array.
"""

from __future__ import annotations

import textwrap
from random import Random

from handed_out_programs import Program, evaluate

_TRIES = 200  # programs that NumPy refuses, one behind the other

PAIRS = (
    "p, q = P(np.ones(3)), P(np.arange(3.0))", "p = P(np.ones(3))\nq = p", "x = np.ones(3)\np, q = P(x), P(x)",
    "x = np.ones(4)\np, q = P(x[1:]), P(x[:-1])", "p, q = [P(np.ones(3))] * 2",
    "p, q = [P(np.ones(3)), P(np.zeros(3))]",
    "p, q = (P(np.ones(3) * i) for i in range(2))", "p = P(np.ones(3))\nq = P(p.v)", "p = q = P(np.ones(3))",
    "p = P(np.ones(3))\nq = P(p.v.copy())", "p = P(np.ones(3))\nq = p.twin()",
)  # fmt: skip
# How an object has two others: what binds them, and the ways to them.
HOLDING = (
    ("self.a, self.b = a, b", "self.a", "self.b"), ("self.ps = [a, b]", "self.ps[0]", "self.ps[1]"),
    ("self.d = {'a': a, 'b': b}", "self.d['a']", "self.d['b']"), ("self.a, self.c = a, Cell(b)", "self.a", "self.c.p"),
    ("self.a, self.ps = a, [a, b]", "self.a", "self.ps[-1]"), ("self._a, self.b = a, b", "self.first", "self.b"),
)  # fmt: skip
READS = (
    "w = {s}.v", "w = {s}", "w = [{s}.v]", "w = {s}.v[1:]", "w = {s}.get()", "w = Cell({s}.v)", "w = Cell({s})",
    "w = ({s}, {s}.v)", "w = lambda: {s}.v * 1.0", "w = {s}.v * 1.0", "w = {{'k': {s}.v}}", "w = {s}.get",
    "self.c2 = {s}.v",
    "w = getattr({s}, 'v')", "w = [one.v for one in ({s}, {t})]", "w = iter([{s}.v])",
)  # fmt: skip
WRITES = (
    "{t}.v += g", "{t}.v[0] = 9.0", "put({t}.v)", "{t}.add(g)", "{t}.v[:] = 7.0", "{t}.v *= 2.0", "add({t}, g)",
    "for one in ({s}, {t}):\n    one.v += 1.0", "u = {t}\nu.v += 1.0", "u = {t}.v\nu += 1.0", "{t}.v.sort()",
    "np.add({t}.v, 1.0, out={t}.v)", "{t}.v = {t}.v + 1.0", "{s}.v += {t}.v\n{t}.v -= {s}.v", "bump([{t}])",
    "{t}.v += {s}.v",
    "for i in range(2):\n    {t}.v[i] += {s}.v[i + 1]", "put({t}.get())", "{s}.v, {t}.v = {t}.v, {s}.v",
)  # fmt: skip
SHOWS = {
    "w = {s}": "w.v * 1.0", "w = [{s}.v]": "w[0] * 1.0", "w = Cell({s}.v)": "w.p * 1.0", "w = Cell({s})": "w.p.v * 1.0",
    "w = ({s}, {s}.v)": "w[1] * 1.0", "w = lambda: {s}.v * 1.0": "w()", "w = {{'k': {s}.v}}": "w['k'] * 1.0",
    "w = {s}.get": "w() * 1.0", "self.c2 = {s}.v": "self.c2 * 1.0", "w = iter([{s}.v])": "next(w) * 1.0",
    "w = [one.v for one in ({s}, {t})]": "w[0] * 1.0",
}  # fmt: skip
HEAD = """\
import numpy as np


class P:
    def __init__(self, v):
        self.v = v

    def get(self):
        return self.v

    def add(self, g):
        self.v += g

    def twin(self):
        return P(self.v)


class Cell:
    def __init__(self, p):
        self.p = p


def put(x):
    x[1] = 8.0


def add(p, g):
    p.v += g


def bump(ps):
    for p in ps:
        p.v *= 2.0


"""


def random_program(seed: int, number: int) -> Program:
    """A random program that NumPy runs."""
    random = Random(f"{seed} {number}")
    for _ in range(_TRIES):
        made = Program({"main.py": HEAD + _pair(random)}, ("pairs",))
        if evaluate(made.files) is not None:
            return made
    raise AssertionError("NumPy runs none of so many programs")


def _pair(random: Random) -> str:
    bound, first, other = random.choice(HOLDING)
    methods = [f"def __init__(self, a, b):\n    {bound}\n", "@property\ndef first(self):\n    return self._a\n"]
    for name in ("go", "step"):
        ways = {"s": first, "t": other} if random.random() < 0.7 else {"s": other, "t": first}
        read = random.choice(READS)
        before = [random.choice(WRITES).format(**ways) for _ in range(random.random() < 0.2)]
        after = [random.choice(WRITES).format(**ways) for _ in range(random.randint(1, 2))]
        shown = SHOWS.get(read, "w * 1.0")
        gives = random.choice(
            (f"return {shown}", f"return {shown}", "return {s}.v * 1.0", "return {t}.v", "return None")
        )
        body = "\n".join([*before, read.format(**ways), *after, gives.format(**ways)])
        methods.append(f"def {name}(self, g):\n{textwrap.indent(body, '    ')}\n")
    steps = random.sample(("found.append(l.go(g))", "found.append(l.step(g))", "p.v[2] += 1.0", "l.go(p.v)"), 2)
    made = random.choice(PAIRS)
    work = "\n".join([made, "l = L(p, q)", "g = np.array([0.5, 0.25, 2.0])", "found = []", *steps])
    shown = random.choice(("found, p.v, q.v", "found, p.v * 1.0, q.v * 1.0", "found, q.v * 1.0, g"))
    run = f"def run():\n{textwrap.indent(work, '    ')}\n    return [{shown}]\n"
    return f"class L:\n{textwrap.indent(chr(10).join(methods), '    ')}\n\n{run}"
