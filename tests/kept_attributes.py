"""Random programs in which an attribute of an object is known under another name as well, and a method writes to it.

`kept_attributes.txt` has the parts: ways to `put` the array `a` into the attribute `m` of an object `s`, to `hold` it
elsewhere, where `-- seen` is looked at in the end, and to `reach` what writes to it, where `@W` stands. Statements come
first; `-- class` is what the class `S` has for them, `-- before` and `-- after` are what stands around the class. A
program is one of each, and who holds the array sees the write.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from random import Random

from handed_out_programs import Program, evaluate

Part = dict[str, str]  # by section, "" for the statements
_TRIES = 200  # programs that NumPy refuses, one behind the other

WRITES = (
    "self.m[:1] -= 1", "self.m[0] = 9.0", "self.m += 1.5", "self.m[:] = 7.0", "self.m[self.m > 3] = 0.0",
    "np.add(self.m, 1.0, out=self.m)", "self.m.fill(3.0)", "self.m.sort()", "self.m[[0, 1]] = self.m[[1, 0]]",
    "q = self.m\nq[1] = 8.0", "for i in range(2):\n    self.m[i] *= 3.0", "put_it(self.m)", "self.m *= 2.0",
    "self.m[1:3] = self.m[2:4] * 1.0", "np.copyto(self.m, 5.0)",
)  # fmt: skip
# Where the statements stand, and whether the object itself is looked at in the end.
SHAPES = (
    ("function", True), ("function", False), ("parameter", True), ("parameter", False), ("module", True),
    ("method", False),
)  # fmt: skip
HEAD = """\
import asyncio, collections, contextlib, copy, dataclasses, functools, io
import itertools, operator, threading, types, weakref
from concurrent import futures

import numpy as np


def put_it(q):
    q[0] = 6.0


"""
_CONSTRUCTOR = "def __init__(self, m=None, **kw):\n    self.m = m"


def _read() -> dict[str, dict[str, Part]]:
    found: dict[str, dict[str, Part]] = {"put": {}, "hold": {}, "reach": {}}
    for text in Path(__file__).with_suffix(".txt").read_text("utf-8").split("\n====\n"):
        head, *sections = re.split(r"(?m)^-- (\w+)$", text)
        kind, name = head.split()[:2]
        statements = head.partition("\n")[2]
        found[kind][name] = {
            one: body.strip("\n") for one, body in zip(["", *sections[::2]], [statements, *sections[1::2]], strict=True)
        }
    return found


PARTS = _read()


def program(names: Sequence[str], write: str, shape: str, *, with_object: bool) -> Program:
    """A program of a way to put, to hold and to reach."""
    parts = [PARTS[kind][name] for kind, name in zip(PARTS, names, strict=True)]
    inside = _sections(parts, "class")
    if not any("def __init__" in one or "m: object" in one for one in inside):
        inside = [_CONSTRUCTOR, *inside]
    base = "(Base)" if any("class Base:" in one for one in _sections(parts, "before")) else ""
    head = "".join(f"{one}\n" for one in _sections(parts, "decorator")) + f"class S{base}:\n"
    made = head + textwrap.indent("\n\n".join(inside), "    ")
    definitions = "\n\n\n".join([*_sections(parts, "before"), made, *_sections(parts, "after")])
    filled = re.sub(r"(?m)^( *)@W$", lambda found: textwrap.indent(write, found[1]), definitions)
    seen = parts[1]["seen"]
    given = f"[s.m, {seen}]" if with_object else f"[{seen}]"
    text = f"{HEAD}{filled}\n\n\n{_shaped(shape, _sections(parts, ''), given)}"
    return Program({"main.py": text}, tuple(names))


def _sections(parts: list[Part], name: str) -> list[str]:
    return [one[name] for one in parts if one.get(name)]


def _shaped(shape: str, steps: list[str], given: str) -> str:
    start = "a = np.array([4.0, 2.0, 6.0, 1.0])"
    if shape == "module":
        return "\n".join([start, *steps]) + "\n\n\n" + _block("run()", f"return {given}")
    if shape == "parameter":
        return _block("work(a)", *steps, f"return {given}") + "\n\n" + _block("run()", start, "return work(a)")
    if shape == "method":
        work = textwrap.indent(_block("work(self, a)", *steps, f"return {given}"), "    ")
        return f"class Work:\n{work}\n\n" + _block("run()", start, "return Work().work(a)")
    return _block("run()", start, *steps, f"return {given}")


def _block(name: str, *texts: str) -> str:
    return f"def {name}:\n" + "".join(textwrap.indent(one, "    ") + "\n" for one in texts)


def random_program(seed: int, number: int) -> Program:
    """A random program that NumPy runs."""
    return program_with(Random(f"{seed} {number}"))


def program_with(random: Random, **given: str) -> Program:
    """A random program that NumPy runs, with some parts given: `put="setattr"`."""
    for _ in range(_TRIES):
        names = [given.get(kind) or random.choice([*known]) for kind, known in PARTS.items()]
        shape, with_object = random.choice(SHAPES)
        made = program(names, random.choice(WRITES), shape, with_object=with_object)
        if evaluate(made.files) is not None:
            return made
    raise AssertionError("NumPy runs none of so many programs")
