"""Own rules and declarations: what becomes of calls of other libraries, what a mistake in a file of rules says."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tnp_migrate.cli import main
from tnp_migrate.library import Config, ConfigError, migrate

ROOT = Path(__file__).parent.parent
HEAD = """\
import tensorflow.experimental.numpy as tnp
from tnp_rules.forms import effects, helper, inline


"""
RULES = (
    HEAD
    + '''\
@inline("ourlib.power")
def our_power(x, axis=None):
    """ourlib is C."""
    if axis is None:
        return tnp.square(x)
    return tnp.sum(x, axis=axis)


@helper("ourlib.deep.smooth", "ourlib.smooth")
def our_smooth(x, width=3):
    """ourlib is C."""
    return _halved(x) / width


def _halved(x):
    return x / 2


@effects("ourlib.scale", writes="x", shares="x")
def scale(x, factor=1.0): ...


@effects("ourlib.window", gives="array", shares=("x",))
def window(x, at): ...


@effects("ourlib.remember", keeps="x")
def remember(x): ...


@effects("ourlib.draw", takes="ndarrays", host=True)
def draw(x, color=None): ...


@effects("ourlib.pure", gives="array")
def pure(x): ...
'''
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, whose settings name `our_rules.py`."""
    (tmp_path / "pyproject.toml").write_text('[tool.tnp-migrate]\nrules = ["our_rules.py"]\n')
    (tmp_path / "our_rules.py").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def translated(folder: Path, text: str, **settings: str) -> tuple[str, list[str], str]:
    """The new text of a program, what is said of it, and the helper module."""
    path = folder / "program.py"
    path.write_text(text)
    config = Config(rules=("our_rules.py",), folder=folder, **settings)  # type: ignore[arg-type]
    result = migrate(path, config)
    helpers = result.texts.get(folder / "_tnp_helpers.py", b"").decode()
    said = [f"{one.line}: {one.code} {one.message}" for one in result.findings]
    assert result.ledger.balanced()
    return result.texts.get(path, path.read_bytes()).decode(), said, helpers


def test_rules_are_written_out_or_vendored(folder: Path) -> None:
    text = """\
import ourlib
from ourlib.deep import smooth as smoothed


def f(x):
    return ourlib.power(x), ourlib.power(x, 1), ourlib.smooth(x), smoothed(x, width=4)
"""
    after, said, helpers = translated(folder, text)
    assert "return tnp.square(x), tnp.sum(x, axis=1), tnh.our_smooth(x), tnh.our_smooth(x, width=4)" in after
    assert said == []
    assert '\ndef our_smooth(x, width=3):\n    """ourlib is C."""\n    return _halved(x) / width\n' in helpers
    assert "\ndef _halved(x):" in helpers
    assert "scale" not in helpers
    again, _, _ = translated(folder, after)
    assert again == after


def test_file_that_names_only_the_library_is_looked_at(folder: Path) -> None:
    after, _, _ = translated(folder, "from ourlib import power\n\nprint(power([1.0, 2.0]))\n")
    assert "print(tnp.square([1.0, 2.0]))" in after


def test_rule_reaches_through_the_projects_modules(folder: Path) -> None:
    (folder / "compat.py").write_text("from ourlib import power\n")
    after, _, _ = translated(folder, "import numpy as np\nfrom compat import power\n\ny = power(np.ones(3))\n")
    assert "y = tnp.square(tnp.ones(3))" in after


def test_parameter_that_the_rule_lacks_stays(folder: Path) -> None:
    after, said, _ = translated(folder, "import ourlib\n\n\ndef f(x):\n    return ourlib.power(x, keep=1)\n")
    assert "ourlib.power(x, keep=1)" in after
    assert said == ["5: TNP202 ourlib.power: its rule has no parameter `keep` here; the call stays as it is"]


def test_rule_for_a_name_of_numpy_comes_before_what_is_known(folder: Path) -> None:
    rule = '@helper("numpy.from_dlpack")\ndef our_dlpack(x):\n    """There is none."""\n    return tnp.asarray(x)\n'
    (folder / "our_rules.py").write_text(HEAD + rule)
    after, said, _ = translated(folder, "import numpy as np\n\nn = np.from_dlpack(a)\n")
    assert "n = tnh.our_dlpack(a)" in after
    assert said == []


def test_function_that_writes_makes_an_island_of_its_caller(folder: Path) -> None:
    text = "import numpy as np\nimport ourlib\n\n\ndef f(n):\n    y = np.zeros(n)\n    ourlib.scale(y)\n    return y\n"
    after, said, _ = translated(folder, text)
    assert "@tnh.island\ndef f(n):\n    y = np.zeros(n)\n" in after
    assert "`ourlib.scale` writes to `y`, as is declared (line 7)" in said[0]


@pytest.mark.parametrize("call", ["ourlib.scale(factor=2, x=y)", "ourlib.scale(y, **options)"])
def test_what_is_written_to_is_found_however_it_is_given(folder: Path, call: str) -> None:
    text = f"import numpy as np\nimport ourlib\n\n\ndef f(n):\n    y = np.zeros(n)\n    {call}\n    return y\n"
    _, said, _ = translated(folder, text)
    assert "TNP301 `f` stays on NumPy, as an island" in said[0]


def test_memory_that_is_shared_is_written_to_as_well(folder: Path) -> None:
    text = """\
import numpy as np
import ourlib


def f(n):
    y = np.zeros(n)
    part = ourlib.window(y, 1)
    part[0] = 1.0
    return y


def g(n):
    y = np.zeros(n)
    part = ourlib.pure(y)
    part[0] = 1.0
    return y
"""
    after, said, _ = translated(folder, text)
    assert "@tnh.island\ndef f(n):" in after
    assert "island\ndef g(n)" not in after
    assert len(said) == 1


def test_memory_that_is_kept_is_not_bound_anew(folder: Path) -> None:
    text = """\
import numpy as np
import ourlib


def f(n):
    y = np.zeros(n)
    ourlib.remember(y)
    y[0] = 1.0
    return y
"""
    after, said, _ = translated(folder, text)
    assert "@tnh.island\ndef f(n):" in after
    assert "TNP301" in said[0]


def test_ndarrays_are_passed_where_they_are_wanted(folder: Path) -> None:
    text = "import numpy as np\nimport ourlib\n\n\ndef f(x):\n    y = np.exp(x)\n    ourlib.draw(y, color=y)\n"
    after, _, _ = translated(folder, text)
    assert "ourlib.draw(tnh.to_numpy(y), color=tnh.to_numpy(y))" in after


@pytest.mark.parametrize(("call", "compiled"), [("pure", True), ("draw", False), ("unknown", False)])
def test_effect_on_the_host_decides_what_is_compiled(folder: Path, call: str, compiled: bool) -> None:
    text = f"""\
import numpy as np
import ourlib


def f(x):
    for k in range(3):
        x = np.exp(x) + np.sin(x) * ourlib.{call}(x)
    return x
"""
    after, _, _ = translated(folder, text, compile=True)  # type: ignore[arg-type]
    assert ("@tnh.compiled\ndef f(x)" in after) is compiled


def test_mistakes_are_said_with_their_lines_before_anything_is_written(folder: Path) -> None:
    (folder / "our_rules.py").write_text('@inline("ourlib.f")\ndef clip(x):\n    y = x\n    return z\n')
    (folder / "a.py").write_text("import numpy as np\n\ny = np.exp(1)\n")
    run: Result = CliRunner().invoke(main, ["a.py"], catch_exceptions=False)
    assert run.exit_code == 2
    places = [line.partition("our_rules.py:")[2][:40] for line in run.stderr.splitlines() if "our_rules.py" in line]
    assert places == [
        "2:1: the rule `clip` has no docstring: s",
        "2:1: `clip` is another rule's name in th",
        "3:5: before the last `return` an inline ",
        "4:5: an inline rule uses only its parame",
        "4:12: `z` is neither defined in this fil",
    ]
    assert (folder / "a.py").read_text() == "import numpy as np\n\ny = np.exp(1)\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(None, "our_rules.py: cannot be read", id="missing"),
        pytest.param("def f(:\n", "our_rules.py:1:7: does not parse", id="syntax"),
    ],
)
def test_file_that_cannot_be_read_is_a_wrong_setting(folder: Path, text: str | None, message: str) -> None:
    (folder / "our_rules.py").unlink()
    if text is not None:
        (folder / "our_rules.py").write_text(text)
    with pytest.raises(ConfigError, match=message):
        migrate(folder, Config(rules=("our_rules.py",), folder=folder))


ORIGINAL = """\
import numpy as np


def power(x, axis=None):
    return np.square(x) if axis is None else np.sum(x, axis)


def smooth(x, width=3):
    x[...] = x
    return x / 2 / width
"""


def test_rules_are_compared_with_what_they_stand_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "theirlib.py").write_text(ORIGINAL)
    rules = HEAD + RULES.partition(HEAD)[2].partition("@effects")[0].replace("ourlib", "theirlib")
    rules = rules.replace('"theirlib.deep.smooth", ', "").replace("x / 2", "x / 2.5")
    rules += '@effects("theirlib.smooth", gives="array")\ndef smooth(x, width=3): ...\n'
    (folder / "our_rules.py").write_text(rules)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(str(ROOT / one) for one in ("migrator", "rules")))
    run = CliRunner().invoke(main, ["rule", "--test", "our_rules.py"], catch_exceptions=False)
    assert run.exit_code == 1, run.output
    lines = run.stdout.splitlines()
    assert any(line.startswith("theirlib.smooth: ") and line.endswith("differs") for line in lines)
    assert any("by the original" in line and "by the rule" in line for line in lines)
    assert not any("theirlib.power" in line and "dtype" in line for line in lines)


def test_rules_are_never_imported_to_translate(folder: Path) -> None:
    (folder / "our_rules.py").write_text(RULES + "\n\nraise SystemExit(json)\n".replace("json", json.dumps("imported")))
    after, _, _ = translated(folder, "import ourlib\n\n\ndef f(x):\n    return ourlib.power(x)\n")
    assert "tnp.square(x)" in after
