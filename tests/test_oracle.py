"""The oracle: which places share what a write changes, and which of them the translations lose.

`oracle_findings.txt` records each write that a translation loses today, as `program: file:line in function: place`. A
finding that is new fails, and one that is gone does until its line is removed (`--accept` writes the file anew for the
programs that were run). By default some of the programs are run, with `--thorough` all of them.
"""

import ast
from pathlib import Path
from typing import Any

import pytest
from fixture_cases import find_traps
from handed_out_runs import Translated
from oracle import Files, Lost, live, lost_writes, observe, points_of, with_points
from oracle_programs import NOT_SEEN, PROGRAMS, SAMPLE, files_of, read_findings, write_findings

FINDINGS = Path(__file__).parent / "oracle_findings.txt"
HEAD = "import functools\nimport numpy as np\n\n\n"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "program" in metafunc.fixturenames:
        thorough = metafunc.config.getoption("--thorough") or metafunc.config.getoption("--accept")
        metafunc.parametrize("program", PROGRAMS if thorough else SAMPLE)


def test_writes_are_lost_where_that_is_known(program: str, tensorflow: Any, request: pytest.FixtureRequest) -> None:
    found = [str(one) for one in lost_writes(files_of(program))]
    known = read_findings(FINDINGS)
    if request.config.getoption("--accept"):
        write_findings(FINDINGS, {**known, program: found})
    else:
        assert found == known.get(program, [])


def test_findings_are_of_programs_that_exist() -> None:
    assert set(read_findings(FINDINGS)) <= set(PROGRAMS)
    assert {f"mutation/{path.stem}" for path in find_traps("mutation")} <= {*PROGRAMS, *NOT_SEEN}


SHARING = {  # the program: the line of the write, and the places that share what it changes
    "name": ("def run():\n    a = np.zeros(3)\n    b = a\n    a[0] = 1\n", 8, ["run.a", "run.b"]),
    "view": ("def run():\n    a = np.zeros(3)\n    b = a[1:]\n    a += 1\n", 8, ["run.a", "run.b"]),
    "another part": ("def run():\n    a = np.zeros(3)\n    b = a[1:]\n    a[:1] = 1\n", 8, ["run.a"]),
    "item": ("def run():\n    a = np.zeros(3)\n    d = {1: [a]}\n    a[0] = 1\n", 8, ["run.a", "run.d[1][0]"]),
    "global": ("G = np.zeros(3)\n\n\ndef run():\n    g = G\n    g.fill(2)\n", 10, ["main:G", "run.g"]),
    "caller": ("def f(x):\n    x[0] = 1\n\n\ndef run():\n    a = np.zeros(3)\n    f(a)\n", 6, ["f.x", "run.a"]),
    "attribute": (
        "class C:\n    pass\n\n\ndef run():\n    c = C()\n    c.x = np.zeros(3)\n    c.x[0] = 1\n",
        12,
        ["run.c.x"],
    ),
    "cell": (
        "def make():\n    a = np.zeros(3)\n    return lambda: a\n\n\ndef run():\n    f = make()\n    f()[0] = 1\n",
        12,
        ["run.f.a"],
    ),
    "default": ("def f(a=np.zeros(3)):\n    a[0] = 1\n\n\ndef run():\n    f()\n", 6, ["f.a", "main:f.(0)"]),
    "cache": (
        "@functools.cache\ndef f():\n    return np.zeros(3)\n\n\ndef run():\n    f()[0] = 1\n",
        11,
        ["main:f.cache[()]"],
    ),
    "bounded cache": (
        "@functools.lru_cache(2)\ndef f(k):\n    return np.zeros(3)\n\n\ndef run():\n    f(1)[0] = 1\n",
        11,
        ["main:f.cache[0]"],
    ),
    "class attribute": ("class C:\n    a = np.zeros(3)\n\n\ndef run():\n    C.a[0] = 1\n", 10, ["main:C.a"]),
    "generator": (
        "def rows(a):\n    yield a\n\n\ndef run():\n    g = rows(np.zeros(3))\n    next(g)[0] = 1\n",
        11,
        ["run.g.a"],
    ),
    "resized": ("def run():\n    a = np.zeros(3)\n    a.resize(5, refcheck=False)\n    a[0] = 1\n", 8, ["run.a"]),
}


@pytest.mark.parametrize("name", SHARING)
def test_write_is_seen_with_all_places_that_share_it(name: str) -> None:
    text, line, expected = SHARING[name]
    observed = observe({"main.py": f"{HEAD}{text}"})
    assert observed.error is None
    last = observed.writes[-1]
    assert (last.file, last.line, list(last.places)) == ("main.py", line, expected)


def test_objects_that_hold_themselves_come_to_an_end() -> None:
    text = "def run():\n    a = np.zeros(3)\n    xs = [a]\n    xs.append(xs)\n    a[0] = 1\n"
    assert "run.xs[0]" in observe({"main.py": HEAD + text}).writes[-1].places


def test_write_in_another_module_is_seen() -> None:
    files = {"main.py": "import tools\n\n\ndef run():\n    return tools.f()\n"}
    files["tools.py"] = "import numpy as np\n\nA = np.zeros(2)\n\n\ndef f():\n    A[0] = 1\n    return A\n"
    assert [(one.file, one.line, one.places) for one in observe(files).writes] == [("tools.py", 7, ("tools:A",))]


def test_points_stand_before_the_statements_of_run() -> None:
    marked = with_points("def run():\n    a = 1\n    for i in a:\n        b = 2\n    return b\n")
    assert points_of(marked) == {3: 0, 5: 1, 6: 1, 8: 2}


def test_names_are_live_until_they_are_bound_anew() -> None:
    body = ast.parse("a = 1\nb = a\na = b\nc = a\nd += c").body
    assert live(body, 1) == {"a", "d"}
    assert live(body, 2) == {"b", "d"}
    assert live(body, 4) == {"c", "d"}


LOSING = (
    "def make():\n    a = np.zeros(3)\n    return a, a[1:]\n\n\n"
    "def run():\n    a, v = make()\n    v += 1\n    w = v + 1\n    return a, w\n"
)


@pytest.mark.parametrize(
    ("made", "lost"),
    [("v = v + 1", ["main.py:12 in run: a"]), ("v[...] = v + 1", []), ("v = v + 1; a = None", [])],
    ids=["lost", "kept", "place is gone"],
)
def test_translation_that_loses_a_write_is_found(made: str, lost: list[str], tensorflow: Any) -> None:
    def translated(files: Files) -> Translated:
        return Translated({"main.py": files["main.py"].replace("v += 1", made)})

    assert list(map(str, lost_writes({"main.py": HEAD + LOSING}, translated))) == lost


def test_findings_read_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "findings.txt"
    write_findings(path, {"b/1": ["main.py:1 in run: a", "main.py:1 in run: b"], "a/2": []})
    assert read_findings(path) == {"b/1": ["main.py:1 in run: a", "main.py:1 in run: b"]}


def test_lost_write_names_line_function_and_place() -> None:
    write = observe({"main.py": HEAD + LOSING}).writes[0]
    assert str(Lost(write, "run.a", 2)) == "main.py:12 in run: run.a"
