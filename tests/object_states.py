"""Random programs of objects with several arrays: methods bind, share, move and write to them, by whatever name.

Whether two attributes, two objects, or an attribute and a variable have one array is looked at in the end.
"""

from __future__ import annotations

import textwrap
from random import Random

from handed_out_programs import Program, evaluate

_TRIES = 200  # programs that NumPy refuses, one behind the other
_NAMES = "abc"

NEW = (
    "np.arange(4.0)", "np.ones(4)", "x.copy()", "x * 2.0", "np.array(x)", "self.{other}.copy()", "self.{other} + 1.0",
)  # fmt: skip
SHARED = (
    "x", "x[1:]", "x.reshape(2, 2).ravel()", "self.{other}", "self.{other}[:2]", "self.{other}.T", "OTHER.a",
    "KEPT[-1]", "getattr(self, '{other}')", "same(self.{other})", "np.asarray(x)", "self.{other} if len(x) else x",
    "self.{name}[::-1]",
)  # fmt: skip
MOVES = (
    "self.{name}, self.{other} = self.{other}, self.{name}", "self.{name} = self.{other}",
    "OTHER.{name} = self.{other}", "t = self.{name}\nself.{name} = self.{other}\nself.{other} = t",
    "KEPT.append(self.{name})", "self.{name} = self.{other}[1:]", "self.{name}, self.{other} = self.{other}, x",
    "self.pair = (self.{name}, x)",
    "after = self.{name}\nafter[0] = 8.0\nself.{name}, self.{other} = self.{other}, after",
    "self.rows = [self.{name}]", "self.d = {{'k': self.{name}}}", "self.get = lambda: self.{name}",
    "Box.common = self.{name}",
)  # fmt: skip
WRITES = (
    "self.{name}[0] = 9.0", "self.{name} *= 2.0", "self.{name}[1:] += 1.5", "bump(self.{name})", "put(x)",
    "x[1] = 6.0", "v = self.{name}\nv[-1] = 5.0", "np.add(self.{name}, 1.0, out=self.{name})",
    "self.{name}.fill(3.0)", "self.{name}[self.{name} > 2] = 0.0",
    "for one in (self.{name}, self.{other}):\n    one[0] += 1.0", "self.{name} -= x[0]",
)  # fmt: skip
GIVES = (
    "", "", "return self.{name}", "return self", "return self.{name}[1:]", "return x", "return self.{name} * 1.0",
)  # fmt: skip
STEPS = (
    "m.go(x)", "m.step(x)", "v = m.{name}", "held.append(m.{name})", "n = Box(m.{name})", "m = n",
    "held.append(m.go(x))", "m.{name} = x", "m.{name} = n.{name}", "x = m.{name}",
    "for _ in range(2):\n    m.step(x)", "for one in (m, n):\n    one.go(x)", "m.{name}[1] = 4.0", "v[0] = 2.0",
    "bump(m.{name})", "bump(v)", "m.{name} += 1.0", "n.step(m.{name})", "x = x * 1.0", "m, n = n, m",
    "v = getattr(m, '{name}')", "n.{name}, m.{name} = m.{name}, n.{name}", "get = lambda: m.{name}[0]",
)  # fmt: skip
HEAD = """\
import numpy as np

KEPT = [np.full(4, 7.0)]


def same(a):
    return a


def bump(a):
    a += 1.5


def put(a):
    a[1] = 6.0


"""


def random_program(seed: int, number: int) -> Program:
    """A random program that NumPy runs."""
    random = Random(f"{seed} {number}")
    for _ in range(_TRIES):
        made = Program(
            {"main.py": f"{HEAD}{_box(random)}\n\nOTHER = Box(np.zeros(4))\n\n\n{_work(random)}"}, ("states",)
        )
        if evaluate(made.files) is not None:
            return made
    raise AssertionError("NumPy runs none of so many programs")


def _some(random: Random, *forms: tuple[str, ...]) -> str:
    name, other = random.sample(_NAMES, 2)
    return random.choice(random.choice(forms)).format(name=name, other=other)


def _box(random: Random) -> str:
    bound = [f"self.{_NAMES[0]} = {random.choice(('np.arange(4.0)', 'x', 'x[1:]', 'x.copy()'))}"]
    for place, name in enumerate(_NAMES[1:], 1):
        form = random.choice(NEW if random.random() < 0.7 else SHARED[:7])
        bound.append(f"self.{name} = {form.format(name=name, other=random.choice(_NAMES[:place]))}")
    bodies = {"__init__": bound}
    for method in ("go", "step"):
        forms = ("self.{name} = " + _some(random, NEW, SHARED), _some(random, MOVES), _some(random, WRITES))
        steps = [one.format(name=random.choice(_NAMES)) if one.startswith("self.{name}") else one for one in forms]
        chosen = [one for one in steps if random.random() < 0.6] or ["pass"]
        bodies[method] = [*random.sample(chosen, len(chosen)), _some(random, GIVES)]
    text = "\n".join(
        f"def {name}(self, x):\n{textwrap.indent(chr(10).join(filter(None, body)), '    ')}\n"
        for name, body in bodies.items()
    )
    return f"class Box:\n{textwrap.indent(text, '    ')}"


def _work(random: Random) -> str:
    steps = "\n".join(_some(random, STEPS) for _ in range(random.randint(2, 4)))
    start = f"held = []\nm, n = Box(x), Box(x * 2.0)\nv = x\n{steps}"
    seen = f"[[getattr(one, name) for name in '{_NAMES}'] for one in (m, n)]"
    made = "KEPT[:] = [np.full(4, 7.0)]\nx = np.array([4.0, 2.0, 6.0, 1.0])\ny = x"
    run = f"{made}\n{start}\nreturn [x, y, v, held, {seen}, KEPT]"
    return f"def run():\n{textwrap.indent(run, '    ')}\n"
