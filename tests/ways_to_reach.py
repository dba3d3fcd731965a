"""Ways in which an array is reached from a second place, by what the language and its library have, and writes to it.

`ways_to_reach.txt` has them, one behind the other: a name, the definitions, the statements that make `a` reachable,
the expressions that are written to, one a line, and those that are looked at in the end. After the name `[2d]` says
that `a` has two axes, and `[w]` that the definitions write themselves, where `@W(x)` stands.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from handed_out_programs import Program, evaluate

WRITES = (
    "X[0] = 9.0", "X[1:] = 7.0", "X[X > 3] = -1.0", "X += 1.5", "X *= 2.0", "X[:2] += 3.0", "np.add(X, 1.0, out=X)",
    "np.multiply(X, 3.0, X)", "X.fill(3.0)", "X.sort()", "X.put([0], [8.0])", "X.partition(1)", "np.copyto(X, 5.0)",
    "np.add.at(X, [0, 0], 1.0)", "X[[0, 1]] = X[[1, 0]]", "X[0], X[1] = X[1] * 1, X[0] * 1", "np.put(X, [1], 6.5)",
    "np.place(X, X > 3, [0.5])", "np.putmask(X, X > 3, 0.25)", "X[...] = 2.5", "X[:] = X[::-1].copy()",
    "X.flat[0] = 4.5", "for i_ in range(len(X)):\n    X[i_] = i_ + 0.5",
    "if X.sum() > 0:\n    X[-1] = 20.0\nelse:\n    X[0] = 1.0", "np.random.default_rng(3).shuffle(X)",
)  # fmt: skip
ONE_AXIS, TWO_AXES = "a = np.array([4.0, 2.0, 6.0, 1.0])", "a = np.array([[4.0, 2.0], [6.0, 1.0]])"
_TRIES = 40  # programs of a way that NumPy refuses, one behind the other


@dataclass(frozen=True)
class Way:
    """How an array is reached: texts as they stand in the file."""

    name: str
    definitions: str
    reached: str
    targets: tuple[str, ...]
    seen: tuple[str, ...]
    start: str
    writes_itself: bool


def _way(text: str) -> Way:
    name, definitions, reached, targets, seen = text.strip("\n").split("\n--\n")
    start = TWO_AXES if "[2d]" in name else ONE_AXIS
    definitions, reached = ("" if one.strip() == "-" else one.strip("\n") for one in (definitions, reached))
    listed = [tuple(line for line in one.splitlines() if line.strip()) for one in (targets, seen)]
    return Way(name.partition("[")[0].strip(), definitions, reached, *listed, start, "[w]" in name)


_TEXT = Path(__file__).with_suffix(".txt").read_text("utf-8")
WAYS = {one.name: one for one in map(_way, filter(str.strip, _TEXT.split("\n====\n")))}


def program_of(way: Way, random: Random) -> Program:
    """A random program that runs on NumPy: one of the targets, of the writes and of the shapes."""
    for _ in range(_TRIES):
        shape = random.choice(_SHAPES_THAT_WRITE if way.writes_itself else _SHAPES)
        files = _files(way, random.choice(way.targets), random.choice(WRITES), shape)
        if evaluate(files) is not None:
            return Program(files, (way.name,))
    raise AssertionError(f"NumPy runs none of the programs of {way.name}")


def random_program(seed: int, number: int) -> Program:
    """A random program of a random way."""
    random = Random(f"{seed} {number}")
    return program_of(random.choice([*WAYS.values()]), random)


def _run(*parts: str) -> str:
    return "def run():\n" + "".join(textwrap.indent(one, "    ") + "\n" for one in parts if one)


def _same(target: str, write: str, start: str, reached: str, given: str) -> str:
    return _run(start, reached, write.replace("X", target), given)


def _twice(target: str, write: str, start: str, reached: str, given: str) -> str:
    loop = "for _ in range(2):\n" + textwrap.indent(write.replace("X", target), "    ")
    return _run(start, reached, loop, given)


def _callee(target: str, write: str, start: str, reached: str, given: str) -> str:
    put = f"def put_it(q):\n{textwrap.indent(write.replace('X', 'q'), '    ')}\n\n\n"
    return put + _run(start, reached, f"put_it({target})", given)


def _method(target: str, write: str, start: str, reached: str, given: str) -> str:
    go = textwrap.indent(write.replace("X", "self.q"), " " * 8)
    tool = f"class Tool_:\n    def __init__(self, q):\n        self.q = q\n\n    def go(self):\n{go}\n\n\n"
    return tool + _run(start, reached, f"Tool_({target}).go()", given)


def _module(target: str, write: str, start: str, reached: str, given: str) -> str:
    return "\n".join(one for one in (start, reached, write.replace("X", target)) if one) + "\n\n\n" + _run(given)


def _nested(target: str, write: str, start: str, reached: str, given: str) -> str:
    bound = f"nonlocal {target}\n" if target.isidentifier() and re.match("X [+*]=", write) else ""
    inner = f"def inner_():\n{textwrap.indent(bound + write.replace('X', target), '    ')}\n\n\ninner_()"
    return _run(start, reached, inner, given)


def _parameter(target: str, write: str, start: str, reached: str, given: str) -> str:
    statements = (reached, write.replace("X", target), given.replace("[a, ", "[", 1))
    work = f"def work_(a):\n{textwrap.indent(chr(10).join(filter(None, statements)), '    ')}\n\n\n"
    return work + _run(start, "h = work_(a)", "return [a, *h]")


def _part(target: str, write: str, start: str, reached: str, given: str) -> str:
    part = "def part_(q):\n    return q[:2]\n\n\n"
    return part + _run(start, reached, f"p_ = part_({target})\n{write.replace('X', 'p_')}", given)


def _by_view(target: str, write: str, start: str, reached: str, given: str) -> str:
    return _run(start, reached, f"v_ = {target}", f"v_ = np.ravel(v_)\n{write.replace('X', 'v_')}", given)


def _held(target: str, write: str, start: str, reached: str, given: str) -> str:
    held = "class Held_:\n    def __init__(self, x):\n        self.x = x\n\n\n"
    put = f"v_ = {target}\nv_ = np.asarray(v_)\n{write.replace('X', 'v_')}"
    return held + _run(start, "b_ = Held_(a)", reached, put, given.replace("[a", "[b_.x, a", 1))


def _renamed(target: str, write: str, start: str, reached: str, given: str) -> str:
    put = f"t_ = {target}\nv_ = np.asarray(t_)\n{write.replace('X', 'v_')}"
    return _run(start, "t_ = d_ = a", reached, put, given.replace("[a", "[d_, a", 1))


_SHAPES: tuple[Callable[[str, str, str, str, str], str], ...]
_SHAPES = (_same, _twice, _callee, _method, _module, _nested, _parameter, _part, _by_view, _held, _renamed)
_SHAPES_THAT_WRITE = (_same, _module, _parameter)


def _files(way: Way, target: str, write: str, shape: Callable[[str, str, str, str, str], str]) -> dict[str, str]:
    """The files of a program, `write` with `X` for what is written to."""
    definitions, reached = (_filled(one, write) for one in (way.definitions, way.reached))
    imports = [line for line in definitions.splitlines() if re.match("(import|from) ", line)]
    inside = [line for line in definitions.splitlines() if line not in imports]
    head = "\n".join(["import numpy as np", *imports, *inside]) + "\n\n\n"
    given = f"return [{', '.join(('a', *way.seen))}]"
    return {"main.py": head + shape(target, "" if way.writes_itself else write, way.start, reached, given)}


def _filled(text: str, write: str) -> str:
    """A text with a write to `x` where `@W(x)` stands."""

    def put(found: re.Match[str]) -> str:
        return textwrap.indent(write.replace("X", found[2]), found[1])

    return re.sub(r"(?m)^( *)@W\((.*)\)$", put, text)
