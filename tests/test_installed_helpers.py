"""`--helpers installed`: a helper module that imports the rules from their package, and what runs with it."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from fixture_cases import FIXTURES, working_directory

import tnp_rules
from tnp_migrate import __version__
from tnp_migrate.cli import main
from tnp_migrate.numpy_facts.rulebook import read_numpy_stage, read_rulebook
from tnp_migrate.rewriting.helpers import (
    complete_by_hand,
    contents,
    is_for_numpy,
    is_unchanged,
    write_helpers,
    write_numpy_helpers,
)

BOOK = read_rulebook()
CASES = [
    "programs/kalman_filter",
    "islands/view_writes",
    "islands/generators",
    "functional/stores_and_calls",
    "calls/statistics",
]
COMPARE = """\
import importlib.util, sys, warnings
sys.path[:0] = [TESTS]
from same_results import assert_same
sys.path.remove(TESTS)
warnings.simplefilter("ignore")

def load(folder, name, number):
    sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(f"{name}_{number}", f"{folder}/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path.remove(folder)
    return module

for number, (folder, program) in enumerate(CASES):
    namespace = {"__name__": "run"}
    run = f"{folder}/run.py"
    exec(compile(open(run).read(), run, "exec"), namespace)
    results = [namespace["run"](load(f"{folder}/{one}", program, f"{number}{one}")) for one in ("source", "out")]
    assert_same(*results)
    sys.modules.pop("_tnp_helpers")
assert "tnp_migrate" not in sys.modules
assert "tnp_rules.islands" in sys.modules
print("same")
"""


def migrate(folder: Path, *options: str) -> Path:
    with working_directory(folder):
        result = CliRunner().invoke(main, ["migrate", "--out-dir", str(folder.with_name("out")), *options, "."])
    assert result.exit_code in (0, 1), result.output
    return folder.with_name("out")


def python(code: str, *, check: bool = True) -> subprocess.CompletedProcess[str]:
    rules = str(Path(tnp_rules.__file__).parent.parent)
    environment = {"PYTHONPATH": rules, "TF_CPP_MIN_LOG_LEVEL": "3"}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=check)


def test_programs_give_what_numpy_gives_with_the_rules_alone(tmp_path: Path) -> None:
    """No tool is on the path of the programs, which `-c` runs; only the rules."""
    cases = []
    for name in CASES:
        folder = tmp_path / name
        shutil.copytree(FIXTURES / name, folder)
        (folder / "source").mkdir()
        shutil.copy(folder / "before.py", folder / "source" / "before.py")
        stage = "functional" if name.startswith("functional") else "backend"
        out = migrate(folder / "source", "--helpers", "installed", "--stage", stage)
        assert len((out / "_tnp_helpers.py").read_text().splitlines()) < 60
        cases.append((str(folder), "before"))
    tests = str(Path(__file__).parent)
    done = python(f"TESTS = {tests!r}\nCASES = {cases!r}\n{COMPARE}", check=False)
    assert done.stdout.endswith("same\n"), done.stderr


def test_setting_does_what_the_option_does_and_the_copy_is_the_default(tmp_path: Path) -> None:
    texts = []
    for options, setting in [(["--helpers", "installed"], ""), ([], 'helpers = "installed"\n'), ([], "")]:
        folder = tmp_path / str(len(texts)) / "source"
        folder.mkdir(parents=True)
        (folder / "pyproject.toml").write_text(f"[tool.tnp-migrate]\n{setting}")
        (folder / "a.py").write_text("import numpy as np\n\n\ndef f(x):\n    return np.median(x)\n")
        texts.append((migrate(folder, *options) / "_tnp_helpers.py").read_text())
    assert texts[0] == texts[1]
    assert "tnp_rules" in texts[0]
    assert "tnp_rules" not in texts[2]


@pytest.mark.parametrize("name", [*sorted({rule.name for rule in BOOK.rules.values()})[::40], "island", "index_update"])
def test_module_has_what_a_copy_has(name: str) -> None:
    """Every name is imported from where it is defined, and what the copy calls and gives to tensors is the same."""
    copy = write_helpers(BOOK, {name}, {"sum", "copy"})
    text = write_helpers(BOOK, {name}, {"sum", "copy"}, installed=True)
    assert is_unchanged(text)
    assert name in contents(text)[0]
    assert contents(text)[1] == contents(copy)[1]
    called = [ast.unparse(one) for one in ast.parse(copy).body if isinstance(one, ast.Expr)]
    assert called[1:] == [ast.unparse(one) for one in ast.parse(text).body if isinstance(one, ast.Expr)][2:]
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith("tnp_rules."):
            for alias in statement.names:
                assert BOOK.definitions[alias.name].home == (statement.module or "").removeprefix("tnp_rules.")


def test_module_between_the_stages_needs_no_tensorflow() -> None:
    book = read_numpy_stage()
    text = write_numpy_helpers(book, {"index_update"}, installed=True)
    assert is_for_numpy(text)
    assert "from tnp_rules.numpy_stage.updates import index_update" in text
    done = python(f"exec({text!r})\nimport sys\nassert 'tensorflow' not in sys.modules\nprint(index_update)")
    assert done.stdout.startswith("<function index_update")


def test_what_the_package_has_not_is_copied() -> None:
    """Rules for an older NumPy, and what calls them; and the user's own."""
    older = read_rulebook("2.18", "2.0")
    text = write_helpers(older, {"floor", "median"}, (), installed=True)
    assert "\ndef floor(" in text
    assert "import median" in text.replace("median,", "import median")
    assert "older" not in text


def test_copy_becomes_imports_and_imports_a_copy(tmp_path: Path) -> None:
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "a.py").write_text("import numpy as np\n\n\ndef f(x):\n    np.save('x', x)\n    return np.median(x)\n")
    vendored = (migrate(folder) / "_tnp_helpers.py").read_text()
    work = tmp_path / "work"
    shutil.copytree(tmp_path / "out", work)
    with working_directory(work):
        for helpers in ("installed", "vendored", "installed"):
            CliRunner().invoke(main, ["migrate", "--allow-dirty", "--helpers", helpers, "."])
            text = (work / "_tnp_helpers.py").read_text()
            assert ("tnp_rules" in text) == (helpers == "installed")
            assert {"median"} <= contents(text)[0]
            assert is_unchanged(text)
            assert text == vendored or helpers == "installed"
        CliRunner().invoke(main, ["migrate", "--allow-dirty", "--helpers", "installed", "."])
        assert (work / "_tnp_helpers.py").read_text() == text


def test_module_changed_by_hand_gets_imports() -> None:
    mine = write_helpers(BOOK, {"median"}, (), installed=True) + "\nMINE = 1\n"
    completed = complete_by_hand(mine, BOOK, {"median", "interp"}, {"sum"}, installed=True)
    assert completed.startswith(mine.rstrip("\n"))
    assert completed.count("require(") == 1
    assert '__all__ += ["interp"]' in completed
    assert contents(completed)[0] >= {"median", "interp"}
    assert contents(completed)[1] == {"sum"}
    assert complete_by_hand(completed, BOOK, {"median", "interp"}, {"sum"}, installed=True) == completed
    copied = complete_by_hand(mine, BOOK, {"median", "interp"})
    assert "def interp(" in copied
    assert "def median(" not in copied


def test_rules_and_tool_are_of_one_version() -> None:
    assert tnp_rules.__version__ == __version__
    text = write_helpers(BOOK, {"median"}, (), installed=True)
    series = ".".join(__version__.split(".")[:2])
    assert f'from tnp_rules import require  # pip install "tnp-migrate=={series}.*"\n\nrequire("{__version__}")' in text


@pytest.mark.parametrize(
    ("installed", "asked", "fits"),
    [("0.1.0", "0.1.0", True), ("0.1.4", "0.1.2", True), ("0.1.0", "0.1.1", False), ("0.2.0", "0.1.0", False),
     ("0.1.9", "0.2.0", False), ("1.0.0", "0.1.0", False), ("0.1.1.dev2", "0.1.0", True)],
)  # fmt: skip
def test_other_versions_are_refused(monkeypatch: pytest.MonkeyPatch, installed: str, asked: str, *, fits: bool) -> None:
    monkeypatch.setattr(tnp_rules, "__version__", installed)
    if fits:
        tnp_rules.require(asked)
        return
    with pytest.raises(ImportError, match=rf"written for tnp_rules {asked}, and {installed} is installed: pip install"):
        tnp_rules.require(asked)
