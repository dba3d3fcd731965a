"""Loops over elements that become assignments to slices, and those that stay because something is not proven."""

import ast
from pathlib import Path

import pytest
from fixture_cases import find_traps, migrate, translation

HEAD = "import numpy as np\n\n\n"


def lines_of(body: str, call: str, tmp_path: Path, stage: str = "functional") -> list[str]:
    """The lines that the loop of `def f(...): ...` becomes, which stands before its `return`."""
    (tmp_path / "source").mkdir()
    text = f"{HEAD}{body}\n\n\ndef run():\n    return {call}\n"
    (tmp_path / "source" / "program.py").write_text(text)
    files, _ = migrate("program.py", tmp_path, stage)
    new = files["program.py"].decode()
    return [line.strip() for line in new.splitlines() if line.strip() not in map(str.strip, text.splitlines())]


def loops_in(text: str) -> int:
    return sum(isinstance(one, ast.For) for one in ast.walk(ast.parse(text)))


def filling(size: str, loop: str, value: str) -> str:
    """A function that fills an array of some size."""
    lines = ["n = len(x)", f"out = np.zeros({size})", f"{loop}:", f"    out[i] = {value}", "return out"]
    return "\n    ".join(["def f(x):", *lines])


ACTS = {
    "all": ("n", "for i in range(n)", "x[i] * 2.0", "np.s_[:], x * 2.0"),
    "inner": ("n", "for i in range(1, n - 1)", "x[i + 1] - x[i - 1]", "np.s_[1 : n - 1], x[2:] - x[: n - 2]"),
    "from a length": ("n", "for i in range(len(x))", "x[i]", "np.s_[:], x"),
    "from a shape": ("x.shape[0]", "for i in range(2, len(out))", "x[i - 2]", "np.s_[2:], x[: len(out) - 2]"),
    "shorter": ("n - 1", "for i in range(n - 1)", "x[1 + i]", "np.s_[:], x[1:]"),
    "numbers": ("7", "for i in range(2, 5)", "i + 0.5", "np.s_[2:5], np.arange(2, 5) + 0.5"),
    "from behind": ("n", "for i in range(n)", "x[i - 1]", "np.s_[:], np.take(x, np.arange(-1, n - 1), axis=0)"),
    "beyond": ("n", "for i in range(n)", "x[i + 1]", "np.s_[:], np.take(x, np.arange(1, n + 1), axis=0)"),
    "alike": ("n", "for i in range(n)", "np.where(x[i] > 0, x[i], 0.0)", "np.s_[:], np.where(x > 0, x, 0.0)"),
}
STAYS = {
    "cut from behind": ("n", "for i in range(n - 3)", "x[i]"),
    "steps": ("n", "for i in range(0, n, 2)", "x[i]"),
    "power": ("n", "for i in range(n)", "x[i] ** 2"),
    "element": ("n", "for i in range(n)", "x[i] - x[0]"),
    "number of Python's": ("n", "for i in range(n)", "float(x[i])"),
    "condition": ("n", "for i in range(n)", "x[i] if n > 2 else 0.0"),
    "division that raises": ("n", "for i in range(n)", "x[i] * (1.0 / n)"),
    "division by the variable": ("n", "for i in range(n)", "1.0 / (i + 1)"),
    "weaker than the array": ("n", "for i in range(n)", "x[i] * i"),
    "stretched index": ("2 * n", "for i in range(n)", "x[i // 2]"),
    "rows": ("(n, 2)", "for i in range(n)", "x[i]"),
    "nothing known of the size": ("int(x[0])", "for i in range(n)", "x[i]"),
}


@pytest.mark.parametrize("name", ACTS)
def test_loop_becomes_an_assignment_to_a_slice(name: str, tmp_path: Path) -> None:
    *parts, expected = ACTS[name]
    found = lines_of(filling(*parts), "f(np.arange(4.0))", tmp_path)
    assert f"out = tnh.index_update(out, {expected})" in found


@pytest.mark.parametrize("name", STAYS)
def test_loop_stays_where_something_is_not_proven(name: str, tmp_path: Path) -> None:
    found = lines_of(filling(*STAYS[name]), "f(np.arange(4.0))", tmp_path)
    assert "out = tnh.index_updates(out, out_values)" in found


def test_comments_and_temporaries_stay(tmp_path: Path) -> None:
    body = (
        "def f(x):\n    out = np.zeros(len(x))\n    for i in range(len(x)):  # all\n        # twice\n"
        "        y = x[i] + 1.0\n        out[i] = y * y  # square\n    return out"
    )
    assert lines_of(body, "f(np.arange(4.0))", tmp_path)[-3:] == [
        "# all",
        "y = x + 1.0",
        "out = tnh.index_update(out, np.s_[:], y * y)  # square",
    ]


def test_variable_that_is_read_behind_keeps_the_loop(tmp_path: Path) -> None:
    body = filling("n", "for i in range(n)", "x[i] * 2.0").replace("return out", "return out, i")
    assert "out = tnh.index_updates(out, out_values)" in lines_of(body, "f(np.arange(4.0))", tmp_path)


def test_each_loop_that_stays_is_reported_with_its_cost(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    body = filling("n", "for i in range(1, n)", "{}")
    for name, value in (("whole", "x[i - 1] * 2.0"), ("stays", "out[i - 1] * 2.0"), ("keeps", "np.sum(x[:i])")):
        (tmp_path / "source" / f"{name}.py").write_text(
            f"{HEAD}{body.format(value)}\n\n\ndef run():\n    return f(np.arange(4.0))\n"
        )
    again = (
        "import numpy as np\n\n\ndef f(x):\n    x = np.array(x)\n"
        + 2 * "    for i in range(1, 4):\n        x[i] += x[i - 1]\n"
    )
    (tmp_path / "source" / "twice.py").write_text(f"{again}    return x\n")
    _, report = migrate(".", tmp_path)
    found = [line.split(" TNP501 ") for line in report.splitlines() if "TNP501" in line]
    stored = "one element of `{}` is stored at a time: in eager mode each store copies the array"
    assert sorted(found) == [
        [
            "keeps.py:8:9:",
            "`out` is computed one item at a time: in eager mode each operation costs some ten microseconds",
        ],
        ["stays.py:8:9:", stored.format("out")],
        ["twice.py:7:9:", stored.format("x")],
        ["twice.py:9:9:", stored.format("x")],
    ]


@pytest.mark.parametrize(
    "program", [one for one in find_traps("mutation") if one.stem.startswith("loop_whole")], ids=lambda one: one.stem
)
def test_programs_named_so_keep_their_loops_or_lose_them(program: Path, tmp_path: Path) -> None:
    text = (translation(program, tmp_path, "functional").out / program.name).read_text()
    before = loops_in(program.read_text())
    assert loops_in(text) == before if "_not_" in program.stem else loops_in(text) < before
