"""`tnp-migrate explain FILE:LINE`: what is said of a line, word for word, and what is no question."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from notebook_files import notebook

from tnp_migrate.cli import main
from tnp_migrate.explanation.becoming import become

GOLDEN = Path(__file__).parent / "golden" / "explain"
PROGRAMS = ("filters.py", "chain.py", "chain_use.py", "native.py", "scopes.py", "plain.py")
ASKED = {
    "a write to what a getter hands out": "filters.py:12",
    "a container that keeps it": "filters.py:20",
    "three reasons, one for the other": "chain_use.py:7",
    "a function that is compiled elsewhere": "chain.py:8",
    "a native write": "native.py:9",
    "a line among others that are new": "native.py:16",
    "a definition": "native.py:13",
    "an import": "native.py:2",
    "a closure": "scopes.py:10",
    "a default and a global": "scopes.py:17",
    "a file without NumPy": "plain.py:2",
}
CELLS = ["import numpy as np\n%matplotlib inline\nx = np.zeros(3)\n", "y = x\nx[0] = 1.0\n"]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in PROGRAMS:
        shutil.copy(GOLDEN / name, tmp_path / name)
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["explain", *arguments])


@pytest.mark.parametrize("what", ASKED)
def test_explanation_is_the_golden_one(programs: Path, what: str, request: pytest.FixtureRequest) -> None:
    result = ask(ASKED[what])
    assert result.exit_code == 0, result.output
    golden = GOLDEN / f"{what.replace(' ', '_').replace(',', '')}.txt"
    if request.config.getoption("--accept"):
        golden.write_text(result.stdout)
    assert result.stdout == golden.read_text()
    assert {path.name for path in programs.iterdir()} == {*PROGRAMS, "pyproject.toml"}, "nothing is written"


def test_json_has_every_place(programs: Path) -> None:
    holders = "".join(f"    x{number} = x\n    print(x{number})\n" for number in range(20))
    (programs / "many.py").write_text(f"import numpy as np\n\n\ndef f():\n    x = np.ones(3)\n{holders}    return x\n")
    found: dict[str, Any] = json.loads(ask("many.py:5", "--format", "json").stdout)
    assert (found["schema"], found["where"], found["text"]) == (1, "many.py:5", "x = np.ones(3)")
    assert found["function"] == {"name": "f", "place": {"path": "many.py", "cell": 0, "line": 4}, "stays": False}
    (variable,) = found["variables"]
    assert len(variable["held"]) == 21
    assert "and 9 more" in ask("many.py:5").stdout


def test_reports_columns_do_not_matter(programs: Path) -> None:
    assert ask("native.py:9:5").stdout == ask("native.py:9").stdout


def test_settings_of_the_project_count(programs: Path) -> None:
    (programs / "pyproject.toml").write_text('[tool.tnp-migrate]\nstage = "functional"\n')
    assert "`np.zeros` stays on NumPy on purpose" in ask("native.py:8").stdout
    assert ask("native.py:8").stdout.endswith("it stays as it is\n")


def test_line_of_a_notebook_is_one_of_a_cell(programs: Path) -> None:
    (programs / "book.ipynb").write_bytes(notebook(*CELLS))
    found = ask("book.ipynb:cell 2:2")
    assert found.exit_code == 0, found.output
    assert found.stdout.startswith("book.ipynb:cell 2:2: x[0] = 1.0\n")
    assert "book.ipynb:cell 2:1: variable `y`" in found.stdout
    assert ask("book.ipynb:cell 1:2").stdout.startswith("book.ipynb:cell 1:2: %matplotlib inline\n")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nowhere.py:1", "nowhere.py: no such file"),
        ("native.py", "'native.py' is no FILE:LINE, as in filters.py:12, or NOTEBOOK:cell N:LINE"),
        ("native.py:99", "native.py has 18 lines: there is no line 99"),
        ("native.py:0", "native.py has 18 lines: there is no line 0"),
        ("native.py:3", "native.py:3: the line is blank: there is nothing to explain"),
        ("native.py:1", "native.py:1: the line is a comment: there is nothing to explain"),
        ("native.py:cell 1:1", "'native.py:cell 1:1': write FILE:LINE: native.py has no cells"),
        ("folder:1", "folder is no file; write FILE:LINE, as in filters.py:12, or NOTEBOOK:cell N:LINE"),
        ("native.pyx:1", "native.pyx is no Python file and no notebook"),
        ("broken.py:2", "broken.py:1:7: TNP901 does not parse: invalid syntax"),
        ("book.ipynb:1", "'book.ipynb:1': write NOTEBOOK:cell N:LINE, as in book.ipynb:cell 3:1"),
        ("book.ipynb:cell 7:1", "book.ipynb has no cell 7 with code; cells with code: 1, 2"),
        ("book.ipynb:cell 2:9", "cell 2 of book.ipynb has 3 lines: there is no line 9"),
        ("odd.ipynb:cell 1:1", "odd.ipynb:1:1: TNP911 cannot be read: it is not a notebook of format 4"),
    ],
)
def test_what_is_no_question_is_said_in_one_line(programs: Path, address: str, message: str) -> None:
    (programs / "folder").mkdir()
    (programs / "native.pyx").write_text("cimport numpy\n")
    (programs / "broken.py").write_text("def f(:\n    pass\n")
    (programs / "book.ipynb").write_bytes(notebook(*CELLS))
    (programs / "odd.ipynb").write_text("[1]")
    result = ask(address)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"error: {message}\n")


def test_text_of_an_unfinished_migration_is_no_question(programs: Path) -> None:
    (programs / "lib.py").write_text("import numpy as np\n\n\ndef normalize(x):\n    x -= np.mean(x)\n")
    (programs / "caller.py").write_text(
        "import numpy as np\nimport lib\n\n\nx = np.ones(3)\nlib.normalize(x)\nprint(x)\n"
    )
    CliRunner().invoke(main, ["migrate", "--allow-dirty", "lib.py"])
    assert "tnh" in (programs / "lib.py").read_text()
    result = ask("lib.py:5")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: lib.py: is new text of a migration that is not finished")


@pytest.mark.parametrize(
    ("before", "after", "line", "expected"),
    [
        ("a b c", "a b c", 2, "b"),
        ("a b c", "a c", 2, ""),
        ("a b c", "a x b c", 2, "b"),
        ("one(1) two(2)", "one(1,2) two(2,2)", 2, "two(2,2)"),
        ("one(1) two(2)", "new one(1,2) more two(2,2)", 1, "one(1,2) more"),
        ("abc def", "xyz 123 456", 2, "xyz 123 456"),
        ("abc def ghi", "xyz ghi", 3, "ghi"),
    ],
    ids=["the same", "gone", "one before it", "both alike", "with what follows", "nothing alike", "behind a change"],
)
def test_line_becomes(before: str, after: str, line: int, expected: str) -> None:
    assert become(before.split(), after.split(), line) == tuple(expected.split())
