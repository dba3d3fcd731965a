"""The first line that differs is told by traces of both texts; a program and its faulty copy each."""

import linecache
from pathlib import Path

import numpy as np
import pytest

from tnp_migrate.proof.diverging import first_line, lines_between
from tnp_migrate.proof.inside.divergence import lines_of
from tnp_migrate.proof.inside.forms import Arguments

PROGRAM = """\
def f(a, b):
    c = a + b
    if c[0] > 1:
        d = c * 2
    else:
        d = c * 3
    total = 0.0
    for i in range(len(a)):
        total += a[i]
    b[0] = total
    e = np.concatenate([d, d])
    e[100] = 2
    g = [c, total]
    return total * d.sum()
"""
FAULTS = {
    "a value": ("c = a + b", "c = a - b", 2),
    "a branch": ("if c[0] > 1", "if c[0] > 9", 3),
    "a loop that ends early": ("range(len(a))", "range(len(a) - 1)", 8),
    "the last turn of a long loop": ("total += a[i]", "total += a[i] + (i == 999)", 9),
    "an array that is written to": ("b[0] = total", "b[0] = total + 1", 10),
    "an item of many": ("e[100] = 2", "e[101] = 2", 12),
    "a dtype": ("e = np.concatenate([d, d])", "e = np.concatenate([d, d], dtype='f4')", 11),
    "an item of a list": ("g = [c, total]", "g = [c, 7]", 13),
    "the length of a list": ("g = [c, total]", "g = [c, total, total]", 13),
    "what is returned": ("return total * d.sum()", "return total * d.max()", 14),
    "a result of another kind": ("return total * d.sum()", "return str(total * d.sum())", 14),
    "the dtype of what is returned": ("return total * d.sum()", "return np.float32(total * d.sum())", 14),
    "an exception": ("g = [c, total]", "g = [c, missing]", 13),
    "a line in a longer block": ("    d = c * 2\n", "    d = c.copy()\n        d = d * 5\n", 4),
    "nothing": ("b[0] = total", "b[0] = 1 * total", None),
}


def trace(text: str, file: Path, name: str = "f", *given: object) -> list:
    file.write_text(text)
    linecache.clearcache()
    namespace = {"np": np}
    exec(compile(text, str(file), "exec"), namespace)
    function = namespace
    for part in name.split("."):
        function = function[part] if isinstance(function, dict) else getattr(function, part)
    args = list(given) or [np.linspace(1, 2, 1000), np.ones(1000)]
    return lines_of(function, Arguments(("a", "b")[: len(args)], args, {}, {}), file, name)


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_blamed_on_its_line(name: str, tmp_path: Path) -> None:
    before, after, line = FAULTS[name]
    assert PROGRAM.count(before) == 1
    other = PROGRAM.replace(before, after)
    steps = trace(PROGRAM, tmp_path / "before.py"), trace(other, tmp_path / "after.py")
    assert first_line(*steps, PROGRAM, other) == line


METHOD = """\
class K:
    def __init__(self):
        self.x = np.zeros(3)

    def move(self, by):
        half = by / 2
        self.x = self.x + half
        half = half * 2
"""


def test_attribute_that_a_method_binds_is_seen(tmp_path: Path) -> None:
    other = METHOD.replace("self.x + half", "self.x - half")
    steps = []
    for text in (METHOD, other):
        namespace = {"np": np}
        exec(text, namespace)
        steps.append(trace(text, tmp_path / "a.py", "K.move", namespace["K"](), np.ones(3)))
    assert first_line(*steps, METHOD, other) == 7


NAMESAKES = """\
def move(x, by):
    moved = x + by
    return moved


class K:
    def move(self, by):
        half = by / 2
        return move(self.x, half)
"""


def test_function_of_the_same_name_is_not_blamed_for_a_method(tmp_path: Path) -> None:
    other = NAMESAKES.replace("return move(self.x, half)", "return move(self.x, half) * 2")
    steps = []
    for text in (NAMESAKES, other):
        namespace = {"np": np}
        exec(text, namespace)
        given = namespace["K"]()
        given.x = np.zeros(3)
        steps.append(trace(text, tmp_path / "a.py", "K.move", given, np.ones(3)))
    assert first_line(*steps, NAMESAKES, other) == 9


def test_one_of_many_attributes_is_seen(tmp_path: Path) -> None:
    lines = [f"        self.x{number} = a + {number}" for number in range(30)]
    text = "\n".join(["class K:", "    def fill(self, a):", *lines, "        return None", ""])
    other = text.replace("self.x25 = a + 25", "self.x25 = a - 25")
    steps = []
    for one in (text, other):
        namespace = {"np": np}
        exec(one, namespace)
        steps.append(trace(one, tmp_path / "a.py", "K.fill", namespace["K"](), np.ones(3)))
    assert first_line(*steps, text, other) == 28


def test_with_is_not_blamed_for_what_is_returned_inside_of_it(tmp_path: Path) -> None:
    text = "def f(a, b):\n    with np.errstate(all='ignore'):\n        c = a + b\n        return c + 1\n"
    other = text.replace("c + 1", "c - 1")
    steps = trace(text, tmp_path / "before.py"), trace(other, tmp_path / "after.py")
    assert first_line(*steps, text, other) == 4


def test_trace_that_was_cut_accuses_no_line(tmp_path: Path) -> None:
    text = "def f(a, b):\n    for i in range(15_000):\n        b = b + a\n    return b\n"
    steps = trace(text, tmp_path / "a.py", "f", 1, 1)
    assert steps[-1][0] == -1
    assert first_line(steps, steps, text, text) is None
    assert first_line(steps, [*steps[:100], steps[-1]], text, text) is None


def test_lines_of_a_longer_block_belong_to_the_most_alike() -> None:
    before = "def f(a):\n    a[0] = 1\n    b = np.sum(a)\n    return b\n"
    after = "def f(a):\n    a = put(a, 0, 1)\n    held = a\n    b = tnp.sum(held)\n    return b, a\n"
    assert lines_between(after, before) == {1: 1, 2: 2, 3: 2, 4: 3, 5: 4}
    assert lines_between("import x\n" + before, before) == {2: 1, 3: 2, 4: 3, 5: 4}
