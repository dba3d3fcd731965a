"""Programs that are made to grow: what they cost is counted in calls of the tool's own functions, never in time."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from tnp_migrate.program.config import Config
from tnp_migrate.project import Project, migrate, migrate_text
from tnp_migrate.text.discovery import discover

HEAD = "import numpy as np\n"


def counted(work: Callable[[], Any]) -> tuple[Any, Counter[str]]:
    """Do some work; give how often each function of the tool was called, by its bare name. Generators count resumed."""
    calls: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and "tnp_migrate" in frame.f_code.co_filename:
            calls[frame.f_code.co_name] += 1

    sys.setprofile(note)
    try:
        return work(), calls
    finally:
        sys.setprofile(None)


def calls_on(text: str) -> Counter[str]:
    """The calls that one file takes."""
    return counted(lambda: migrate_text(text.encode(), Config()))[1]


def project(folder: Path, files: dict[str, str]) -> Project:
    """Migrate a project of some files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return migrate(discover([folder]), Config())


def exponent(few: int, many: int, times: int) -> float:
    """How a count grows: 1 for what grows as its input does, 2 for the square."""
    return math.log(many / few, times)


def functions(number: int) -> str:
    """Functions that write to what they are given, and call the next."""
    parts = (f"def f{i}(x):\n    x[{i}] = np.sum(x)\n    return f{i + 1}(x)\n" for i in range(number))
    return HEAD + "".join(parts) + f"def f{number}(x):\n    return x\n"


def methods(number: int) -> str:
    """Methods of one name that call it on what is unknown, and one function that writes."""
    parts = (
        f"class C{i}:\n    def fit(self, m, x):\n        y = m.fit(m, x)\n        return np.sum(y)\n"
        for i in range(number)
    )
    return (
        HEAD
        + "".join(parts)
        + "def g(m):\n    a = np.zeros(3)\n    b = a[1:]\n    a[0] = np.sum(m.fit(m, b))\n    return a, b\n"
    )


def classes(number: int) -> str:
    """Small classes with attributes of the same names, which they write to."""
    part = """class C{}:
    def __init__(self):
        self.x = np.zeros(3)

    def fit(self, y):
        self.x = self.x + y
        self.x[0] = 1
        return self.x

    def step(self, other):
        self.x += other.x
        return other.fit(self.x)
"""
    return HEAD + "".join(part.format(i) for i in range(number))


def heirs(number: int) -> str:
    """Classes that derive from each other."""
    first = "class C0:\n    def fit(self, x):\n        self.x = x\n        self.x[0] = 1\n        return self.x\n"
    return (
        HEAD
        + first
        + "".join(
            f"class C{i}(C{i - 1}):\n    def fit(self, x):\n        return super().fit(x + {i})\n"
            for i in range(1, number)
        )
    )


def branches(number: int) -> str:
    """Branches in a loop that write to one array."""
    parts = (
        f"        if x > {i}:\n            a[{i}] = x\n        else:\n            b = a * {i}\n" for i in range(number)
    )
    return (
        HEAD
        + "def f(x):\n    a, b = np.zeros(3), None\n    for i in range(3):\n"
        + "".join(parts)
        + "    return a, b\n"
    )


def bindings(number: int) -> str:
    """Statements that bind arrays to each other, in a loop."""
    return (
        HEAD
        + "def f(x):\n    a, b = x.copy(), np.ones(3)\n    for i in range(9):\n"
        + ("        a, b = b, a\n        a[0] = 1\n" * number)
        + "    return a, b\n"
    )


def loops(depth: int, first: str = "a[0] = a[1] + 1") -> str:
    """Loops in each other, each of which changes what is known of a variable after it was set."""
    lines = [
        f"{'    ' * (i + 1)}a{i} = 0\n{'    ' * (i + 1)}for i{i} in range(3):\n{'    ' * (i + 2)}a{i} = np.zeros(3)\n"
        for i in range(depth)
    ]
    return HEAD + "def f(a):\n" + "".join(lines) + "    " * (depth + 1) + first + "\n    return a\n"


def nest(depth: int) -> str:
    """Functions in each other, each in two loops."""
    lines = []
    for i in range(depth):
        at = "    " * (3 * i)
        lines += [f"{at}def f{i}(x):\n", f"{at}    for i in x:\n", f"{at}        for j in i:\n"]
    return HEAD + "".join(lines) + "    " * (3 * depth) + "j[0] = np.sum(j)\n"


def estimators(number):
    """Classes whose methods of the same names write, and call each other on what is unknown."""
    part = """class C{0}:
    def fit(self, X, y, copy=True):
        self.coef = np.zeros(3)
        self.coef[0] = np.sum(X)
        self.inner.fit(X, y)
        return self

    def transform(self, X, copy=True):
        X = np.array(X, copy=copy)
        X -= self.coef
        return self.inner.transform(X)


def use{0}(model, X):
    Z = model.fit(X, X[0]).transform(X, copy=False)
    Z[0] = 1
    return Z
"""
    return HEAD + "".join(part.format(i) for i in range(number))


def asked(number: int) -> str:
    """A function that asks its argument for its truth, which a class of the project answers, and calls of it."""
    box = (
        "class Box:\n    def __init__(self, w):\n        self.w = w\n\n    def __bool__(self):\n        self.w[0] = 1\n"
    )
    answers = "        return True\n\n\n"
    asks = "".join(f"    if x:\n        y = {i}\n" for i in range(number))
    calls = "".join("    f(x)\n" for _ in range(number))
    return (
        f"{HEAD}\n\n{box}{answers}def f(x):\n{asks}    return y\n\n\ndef g(x):\n{calls}    return f(Box(np.ones(3)))\n"
    )


def steps(number: int) -> str:
    """A call that may run methods of several classes, each of which writes to what names of the caller have."""
    names = [f"a{i}" for i in range(12)]
    start = "    def __init__(self, w):\n        self.w = w\n\n"
    classes = (f"class C{i}:\n{start}    def step(self):\n        self.w[0] = {i}\n\n\n" for i in range(number))
    reads = "".join(f"    {name} = m.w\n" for name in names)
    made = ", ".join(f"f(C{i}(np.ones(3)))" for i in range(number))
    caller = f"def f(m):\n{reads}    m.step()\n    return {', '.join(names)}\n"
    return f"{HEAD}\n\n{''.join(classes)}{caller}\n\ndef g():\n    return [{made}]\n"


def sharers(number: int) -> str:
    """Functions that each get a part of one table of the module, write to it and give it back."""
    functions = "".join(f"def f{i}():\n    a = row({i})\n    a[0] = {i}\n    return a\n\n\n" for i in range(number))
    return f"{HEAD}TABLE = np.zeros((99, 3))\n\n\ndef row(i):\n    return TABLE[i]\n\n\n{functions}"


def handed_out(number: int) -> str:
    """Reads of memory that a call hands out, each written to while all others are held."""
    lines = "".join(f"    a{i} = store.get({i})\n    a{i}[0] = {i}\n" for i in range(number))
    return (
        HEAD
        + "class Store:\n    def __init__(self):\n        self.kept = np.zeros((9, 3))\n\n"
        + "    def get(self, i):\n        return self.kept[i]\n\n\n"
        + "def use():\n    store = Store()\n"
        + lines
        + f"    return {', '.join(f'a{i}' for i in range(number))}\n"
    )


def keepers(number: int) -> str:
    """Classes with a method of one name, which keeps what it is given in a dict, and a call of it on anything."""
    classes = (
        f"class K{n}:\n    def put(self, a):\n        self.kept = {{}}\n        self.kept['a'] = a\n"
        for n in range(number)
    )
    return (
        HEAD
        + "".join(classes)
        + "def fill(model):\n    a = np.zeros(3)\n    a[0] = 1\n    model.put(a)\n    return a\n"
    )
