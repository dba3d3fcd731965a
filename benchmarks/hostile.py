"""Times of programs that are made to be hard: each comes to an end in seconds, or is left on NumPy and said.

Where `tests/test_growth.py` counts calls, which does not hang on the machine, this shows what they cost on this one.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import time
from collections.abc import Callable

from tnp_migrate.program.config import Config
from tnp_migrate.project import migrate_text

HEAD = "import numpy as np\n"


def _grown(growth: str, times: int) -> str:
    return f"{HEAD}def f(a):\n    a = np.zeros(3)\n" + f"    a = {growth}\n" * times + "    a[0] = 1\n    return a\n"


def _loops(depth: int) -> str:
    lines = "".join(f"{'    ' * (i + 1)}for i{i} in range(3):\n" for i in range(depth))
    return f"{HEAD}def f():\n    a = np.zeros(3)\n" + lines + "    " * (depth + 1) + "a[0] = a[1] + 1\n    return a\n"


def _set_loops(depth: int) -> str:
    """Each loop changes what is known of a variable that was set before it."""
    at = ["    " * (i + 1) for i in range(depth + 1)]
    lines = (f"{at[i]}a{i} = 0\n{at[i]}for i{i} in range(3):\n{at[i + 1]}a{i} = np.zeros(3)\n" for i in range(depth))
    return f"{HEAD}def f():\n" + "".join(lines) + f"{at[depth]}a0[0] = a1[1] + 1\n    return a0\n"


def _classes(number: int) -> str:
    part = (
        "class C{}:\n    def __init__(self):\n        self.x = np.zeros(3)\n"
        "    def fit(self, y):\n        self.x = self.x + y\n        self.x[0] = 1\n        return self.x\n"
        "    def step(self, other):\n        self.x += other.x\n        return other.fit(self.x)\n"
    )
    return HEAD + "".join(part.format(i) for i in range(number))


def _methods(number: int) -> str:
    part = "class C{}:\n    def fit(self, m, x):\n        y = m.fit(m, x)\n        x[0] = 1\n        return y\n"
    return HEAD + "".join(part.format(i) for i in range(number))


def _choice(number: int) -> str:
    first = f"{HEAD}def f(x):\n    if x == 0:\n        y = np.zeros(1)\n"
    return first + "".join(f"    elif x == {i}:\n        y = np.zeros({i})\n" for i in range(number)) + "    return y\n"


def _branches(number: int) -> str:
    lines = "".join(
        f"        if x > {i}:\n            a[{i}] = x\n        else:\n            b = a\n" for i in range(number)
    )
    return f"{HEAD}def f(x):\n    a = b = np.zeros(3)\n    for i in range(3):\n{lines}    return a, b\n"


def _chain(number: int) -> str:
    lines = "".join(f"def f{i}(x):\n    x[{i}] = 1\n    return f{i + 1}(x)\n" for i in range(number))
    return f"{HEAD}{lines}def f{number}(x):\n    return x\n"


def _heirs(number: int) -> str:
    first = "class C0:\n    def fit(self, x):\n        self.x = x\n        self.x[0] = 1\n"
    lines = (f"class C{i}(C{i - 1}):\n    def fit(self, x):\n        super().fit(x)\n" for i in range(1, number))
    return HEAD + first + "".join(lines)


PROGRAMS: dict[str, Callable[[], str]] = {
    "12 loops in each other": lambda: _loops(12),
    "18 loops in each other": lambda: _loops(18),
    "18 loops that change variables": lambda: _set_loops(18),
    "a = (a, a), 40 times": lambda: _grown("(a, a)", 40),
    "a = [a, a], 40 times": lambda: _grown("[a, a]", 40),
    "a = {1: a, 2: a}, 40 times": lambda: _grown("{1: a, 2: a}", 40),
    "a = (a, a) in a call, 100 times": lambda: f"{HEAD}def g(a):\n    return a, a\n" + _grown("g(a)", 100)[len(HEAD) :],
    "a = [a], 10,000 times": lambda: _grown("[a]", 10_000),
    "150 small classes": lambda: _classes(150),
    "150 classes derived from each other": lambda: _heirs(150),
    "1,000 methods named fit": lambda: _methods(1000),
    "500 imports": lambda: HEAD + "".join(f"import m{i}\n" for i in range(500)) + "x = np.zeros(3)\nx[0] = 1\n",
    "a list of 100,000 numbers": lambda: f"{HEAD}x = np.array([{'1.25, ' * 100_000}])\n",
    "a list of 5 MB": lambda: f"{HEAD}x = np.array([{'1.25, ' * 830_000}])\n",
    "a string of 5 MB": lambda: f"{HEAD}x = np.array('{'1.25, ' * 830_000}')\n",
    "an elif chain of 200": lambda: _choice(200),
    "an elif chain of 2,000": lambda: _choice(2000),
    "a sum of 400 terms": lambda: f"{HEAD}def f(a):\n    a[0] = 1\n    return {'+'.join(['np.e * a'] * 400)}\n",
    "a sum of 3,000 terms": lambda: f"{HEAD}def f(a):\n    return {'+'.join(['np.e * a'] * 3000)}\n",
    "a chain of 400 calls": lambda: f"{HEAD}def f(a):\n    a[0] = 1\n    return np.sum(a){'.g()' * 200}\n",
    "a chain of 2,000 attributes": lambda: f"{HEAD}x = np.e{'.real' * 2000}\n",
    "100 parentheses": lambda: f"{HEAD}x = {'(' * 100}np.e{')' * 100}\n",
    "calls in calls, 95 deep": lambda: f"{HEAD}def f(a):\n    return {'np.sin(' * 95}a{')' * 95}\n",
    "300 branches in a loop": lambda: _branches(300),
    "2,000 functions that call the next": lambda: _chain(2000),
}


def _said(text: str) -> str:
    found = migrate_text(text.encode(), Config()).reports[0]
    return f"{found.status} {' '.join(sorted({one.code for one in found.findings if one.code.startswith('TNP9')}))}"


def _measure(name: str, queue: multiprocessing.Queue[tuple[float, str]]) -> None:
    text, start = PROGRAMS[name](), time.process_time()
    said = _said(text)
    queue.put((time.process_time() - start, said))


def main() -> None:
    """Run each program in a process of its own, which is ended where it takes too long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="parts of the names of programs; all without any")
    parser.add_argument("--limit", type=float, default=120, help="seconds for each")
    arguments = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    print(f"{'program':<40}{'KB':>7}{'CPU s':>8}")
    for name in [one for one in PROGRAMS if not arguments.names or any(part in one for part in arguments.names)]:
        queue = context.Queue()
        process = context.Process(target=_measure, args=(name, queue))
        process.start()
        process.join(arguments.limit)
        process.kill()
        seconds, said = queue.get() if not queue.empty() else (math.inf, "no end")
        print(f"{name:<40}{len(PROGRAMS[name]()) / 1024:>7.0f}{seconds:>8.2f}  {said}", flush=True)


if __name__ == "__main__":
    main()
