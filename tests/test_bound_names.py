"""Names that the tool writes are bound where they are read, in the order in which the module runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from fixture_cases import assert_same, migrate, run_trap
from import_shapes import draw

from tnp_migrate.cli import main
from tnp_migrate.program.bound_names import check_names
from tnp_migrate.program.scopes import collect_scopes
from tnp_migrate.text.source import Source, SourceError

TNP = "import tensorflow.experimental.numpy as tnp\n"


def checked(before: str, after: str) -> str:
    """What is said of the new text: the finding's message, or nothing."""
    old, new = Source("a.py", before.encode()), Source("a.py", after.encode())
    try:
        check_names(old, collect_scopes(old.tree), new)
    except SourceError as error:
        return f"{error.code} in line {error.line}: {error.message}"
    return ""


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(f"{TNP}x = tnp.ones(2)\n", id="imported above"),
        pytest.param(f"{TNP}def f():\n    return tnp.ones(2)\n", id="in a function"),
        pytest.param(f"def f():\n    {TNP}    return tnp.ones(2)\n", id="imported in the function"),
        pytest.param(f"try:\n    {TNP}except ImportError:\n    tnp = None\nx = tnp\n", id="bound either way"),
        pytest.param(f"if c():\n    {TNP}else:\n    raise SystemExit\nx = tnp\n", id="the other way ends"),
        pytest.param(f"try:\n    c()\nfinally:\n    {TNP}x = tnp\n", id="bound at last"),
        pytest.param(f"with c():\n    {TNP}x = tnp\n", id="in a with"),
        pytest.param("from a import *\nx = c\n", id="the user's name may be of a star"),
        pytest.param("for tnp in c():\n    x = tnp\n", id="a variable of a loop"),
        pytest.param("x = [tnp for tnp in c()]\n", id="a comprehension's own"),
        pytest.param("class A:\n    tnp = 1\n    x = tnp\n", id="a class's own"),
        pytest.param("if (tnp := c()):\n    x = tnp\n", id="bound in a test"),
        pytest.param("match c():\n    case tnp:\n        x = tnp\n", id="bound by a pattern"),
        pytest.param("x = unheard_of\n", id="the user's own, unbound before"),
        pytest.param("def f():\n    return late, late\n\n\nlate = 1\n", id="the user's function above what it reads"),
    ],
)
def test_bound_names_pass(after: str) -> None:
    before = "c = print\nx = unheard_of\n\n\ndef f():\n    return late\n\n\nlate = 1\n"
    assert checked(before, f"c = print\n{after}") == ""


@pytest.mark.parametrize(
    ("after", "name"),
    [
        pytest.param("x = settnh.to_numpy(c)\n", "settnh", id="nowhere"),
        pytest.param(f"x = tnp\n{TNP}", "tnp", id="imported below"),
        pytest.param(f"if c:\n    {TNP}x = tnp\n", "tnp", id="imported under a condition"),
        pytest.param(f"for _ in c:\n    {TNP}x = tnp\n", "tnp", id="imported in a loop"),
        pytest.param(f"try:\n    {TNP}except ImportError:\n    pass\nx = tnp\n", "tnp", id="imported perhaps"),
        pytest.param(
            f"import contextlib\nwith contextlib.suppress(OSError):\n    {TNP}x = tnp\n", "tnp", id="suppressed"
        ),
        pytest.param(f"{TNP}del tnp\nx = tnp\n", "tnp", id="deleted"),
        pytest.param(f"{TNP}def f():\n    return tnp\n\n\ndel tnp\n", "tnp", id="deleted before functions run"),
        pytest.param(f"def f():\n    return tnp\n\n\nf()\n{TNP}", "tnp", id="in a function that runs before"),
        pytest.param(f"def f(x=tnp):\n    return x\n\n\n{TNP}", "tnp", id="in a default"),
        pytest.param(f"class A:\n    {TNP}    def f(self):\n        return tnp\n", "tnp", id="in a class"),
        pytest.param(f"def g():\n    {TNP}\n\nx = tnp\n", "tnp", id="in another function"),
        pytest.param("from a import *\nx = tnp\n", "tnp", id="a star is no promise"),
        pytest.param(f"match c:\n    case 1:\n        {TNP}x = tnp\n", "tnp", id="in one case"),
    ],
)
def test_unbound_names_are_found(after: str, name: str) -> None:
    assert f"`{name}` would not be bound" in checked("c = 1\nx = c\n", f"c = 1\n{after}")


def test_message_has_the_line_of_the_user() -> None:
    said = checked("a = 1\nb = 2\nc = set(b)\n", "import os\na = 1\nb = 2\nc = settnh(b)\n")
    assert said.startswith("TNP920 in line 3: ")
    assert "`c = settnh(b)`" in said


@pytest.mark.parametrize("seed", range(24))
def test_modules_of_odd_shape_run_translated(seed: int, tmp_path: Path, tensorflow: Any) -> None:
    """A module whose imports and uses stand anywhere does what it did, and none is left out."""
    (tmp_path / "source").mkdir()
    program = tmp_path / "source" / "odd.py"
    program.write_text(draw(seed))
    expected = run_trap(program, tmp_path / "source")
    _, report = migrate("odd.py", tmp_path)
    actual = run_trap(program, tmp_path / "out")
    assert "TNP9" not in report
    assert type(actual.error) is type(expected.error), actual.error
    assert_same(expected.result, actual.result)


def test_file_that_fails_is_left_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tnp_migrate.rewriting.translated_file._new_imports", lambda *_: [])
    files = {"broken.py": "import numpy as np\nx = np.ones(2)\n", "fine.py": "import numpy as np\nnp.save(1, 2)\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    result = CliRunner().invoke(main, ["migrate", str(tmp_path)])
    assert result.exit_code == 2
    assert "broken.py:2:1: TNP920" in result.output
    assert {name: (tmp_path / name).read_text() for name in files} == files
