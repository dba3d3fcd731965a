"""Random programs of layers that arrays go through: each makes its result, hands on what it got, keeps or writes to it.

What a body stores into an array of its own nobody sees, what it stores into one that it has kept or got others do. The
programs tell the two apart: who has an array is looked at in the end.
"""

from __future__ import annotations

import textwrap
from random import Random

from handed_out_programs import Program, evaluate

_TRIES = 200  # programs that NumPy refuses, one behind the other

NEW = (
    "out = x.copy()", "out = np.zeros(4)", "out = x * 2.0", "out = np.maximum(x, 1.0)", "out = x + self.k", "out = -x",
    "out = np.array(x)", "out = x.astype(float)", "out = np.where(x > 2, x, 0.0)", "out = fresh(x)",
)  # fmt: skip
OLD = (
    "out = x", "out = x[:]", "out = x.reshape(2, 2).ravel()", "out = np.asarray(x)", "out = same(x)", "out = self.old",
    "out = x if x[0] > 3 else x * 1.0", "out = np.abs(x)[::-1]", "out = x.reshape(4)",
    "out = np.ascontiguousarray(x)",
)  # fmt: skip
KEEPS = (
    "self.x = x", "self.x = x", "self.mask = x > 2", "self.out = out", "KEPT.append(out)", "self.v = out[1:]",
    "look(out)", "keep(out)", "self.old = out", "Box(out)", "self.get = lambda: out", "self.pair = (x, out)",
    "KEPT.append(out.T)", "d = {'k': out}\nKEPT.append(d)", "keep(x)",
    "self.rows = list(out.reshape(2, 2))", "self.x, self.out = out, x",
)  # fmt: skip
WRITES = (
    "out[0] = 9.0", "out[out > 3] = 0.0", "out += 1.0", "out[1:] *= 2.0", "np.add(out, 1.0, out=out)", "out.fill(3.0)",
    "put(out)", "out.sort()", "for i in range(2):\n    out[i] = float(i)", "x[0] = 5.0", "x *= 0.5",
)  # fmt: skip
GIVES = ("return out", "return out", "return out", "y = out\nreturn y", "return out * 1.0", "return x", "return out[:]")
STEPS = (
    "for one in layers:\n    x = one.go(x)", "for one in layers:\n    x = one.go(x)\n    x[1] += 1.0",
    "x = layers[1].go(layers[0].go(x))", "y = layers[0].go(x)\nx = layers[1].go(y)\nseen.append(y)",
    "seen.append(x)\nx = layers[0].go(x)", "for one in reversed(layers):\n    x = one.back(x)",
    "old = x\nx = layers[1].back(x)\nseen.append(old)", "x = layers[0].go(x)\nx[2] = 8.0", "put(x)",
    "x = layers[2].go(x=x)\nput(x)", "x = fresh(x)\nx += 1.0", "x = run_all(layers, x)", "x = net.go(x)",
    "rows = [one.go(x) for one in layers]\nrows[1][0] = 2.0\nseen.extend(rows)", "x = net.back(x)\nx[3] = 7.0",
    "get = lambda: x\nfor one in layers:\n    x = one.back(x)\nseen.append(get())",
)  # fmt: skip
HEAD = """\
import numpy as np

KEPT = []


def fresh(a):
    made = np.zeros(4)
    made[:] = a
    return made


def same(a):
    return a


def keep(a):
    KEPT.append(a)


def look(a):
    return a.sum()


def put(a):
    a[1] = 6.0


def run_all(layers, a):
    for one in layers:
        a = one.go(a)
    return a


class Box:
    def __init__(self, v):
        self.v = v
        KEPT.append(self)


"""
_SEEN = ("x", "out", "v", "old", "pair", "rows")


def program_with(random: Random) -> Program:
    """A random program that NumPy runs."""
    for _ in range(_TRIES):
        names = ["First", "Second", "Third"][: random.randint(2, 3)]
        text = HEAD + "\n\n".join(_layer(random, name, base) for name, base in zip(names, ["", *names], strict=False))
        text += "\n\n" + _network() + "\n\n" + _work(random, names)
        made = Program({"main.py": text}, ("layers",))
        if evaluate(made.files) is not None:
            return made
    raise AssertionError("NumPy runs none of so many programs")


def random_program(seed: int, number: int) -> Program:
    """A random program that NumPy runs."""
    return program_with(Random(f"{seed} {number}"))


def _layer(random: Random, name: str, base: str) -> str:
    derived = base and random.random() < 0.3
    methods = [] if derived else ["def __init__(self):\n    self.k = 1.0\n    self.old = np.ones(4)\n"]
    for method in ("go", "back"):
        if not derived or random.random() < 0.6:
            made = random.choice(NEW if random.random() < 0.8 else OLD)
            steps = [random.choice(some) for some, share in ((KEEPS, 0.4), (WRITES, 0.5)) if random.random() < share]
            body = "\n".join([made, *random.sample(steps, len(steps)), random.choice(GIVES)])
            methods.append(f"def {method}(self, x):\n{textwrap.indent(body, '    ')}\n")
    inside = "\n".join(methods) or "pass\n"
    return f"class {name}{f'({base})' if derived else ''}:\n{textwrap.indent(inside, '    ')}"


def _network() -> str:
    loops = "\n".join(
        f"    def {name}(self, x):\n        for one in {order}:\n            x = one.{name}(x)\n        return x\n"
        for name, order in (("go", "self.layers"), ("back", "reversed(self.layers)"))
    )
    return f"class Network:\n    def __init__(self, layers):\n        self.layers = layers\n\n{loops}"


def _work(random: Random, names: list[str]) -> str:
    layers = ", ".join(f"{random.choice(names)}()" for _ in range(3))
    steps = "\n".join(random.choice(STEPS) for _ in range(random.randint(1, 2)))
    held = f"[[getattr(one, name, 0) for name in {_SEEN}] for one in layers]"
    work = f"seen = []\nlayers = [{layers}]\nnet = Network(layers)\n{steps}\nreturn [x, seen, {held}]"
    given = random.choice(["work(a)", "work(a.copy())", "work(a * 1.0)"])
    kept = "[one.v if isinstance(one, Box) else one['k'] if isinstance(one, dict) else one for one in KEPT[:7]]"
    start = f"KEPT.clear()\na = np.array([4.0, 2.0, 6.0, 1.0])\nfound = {given}\nreturn [*found, a, {kept}]"
    return f"def work(x):\n{textwrap.indent(work, '    ')}\n\n\ndef run():\n{textwrap.indent(start, '    ')}\n"
