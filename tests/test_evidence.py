"""`--evidence`: what a recorded run has seen is assumed where something rests on it, checked at entry, and told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from fixture_cases import own_members
from room_graph import MIGRATOR

from tnp_migrate.cli import main
from tnp_migrate.program.config import Config
from tnp_migrate.proof.inside.kinds import kind_of_call, kinds_by_parameter
from tnp_migrate.rewriting.helpers import write_helpers

CORE = '''\
"""A filter whose parameters no text tells."""
import numpy as np


class Tracker:
    """Follows a number."""

    def __init__(self, start, gain, weights=None):
        """Begin somewhere."""
        self.x = start
        self.gain = gain
        self.v = np.zeros(2) if weights is None else weights

    def update(self, z):
        residual = z - self.x
        self.x += self.gain * residual
        self.v = self.v + np.ones(2)
        return self.x


def follow(tracker, zs):
    last = tracker.x
    return np.array([tracker.update(z) - last for z in zs])


def scaled(a, factor):
    return np.asarray(a) * factor


def is_positive(a):
    return np.all(a > 0)  # whose helper hides Python's `all`
'''
PROGRAM = """\
import numpy as np
from core import Tracker, follow, scaled


def made(kind, *given):  # no text says what it gives, or what a tracker is made with
    return kind(*given)


def test_follow():
    assert follow(made(Tracker, 1.0, 0.5), made(list, [1.0, 2.0])).shape == (2,)
    assert follow(made(Tracker, 0, 0.5, np.ones(2)), made(list, [1.0])).shape == (1,)


def test_scaled():
    assert scaled(np.ones((2, 2)), 2).sum() == 8
    assert scaled([1.0], 2).sum() == 2
"""


def tool(*words: str, cwd: Path) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(cwd)
        return CliRunner().invoke(main, words)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seen")
    (folder / "pyproject.toml").write_text('[project]\nname = "seen"\nversion = "1"\n')
    (folder / "core.py").write_text(CORE)
    (folder / "test_core.py").write_text(PROGRAM)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(MIGRATOR.parent), str(folder)]))
        command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_core.py")
        made = tool("record", "core.py", "--", *command, cwd=folder)
    assert made.exit_code == 0, made.output
    return folder


@pytest.fixture(scope="module")
def translated(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("translated")
    made = tool("core.py", "--evidence", ".tnp-migrate/record", "--out-dir", str(out), cwd=project)
    assert made.exit_code == 1, made.output  # the tests are to be migrated with it
    return out


def test_kinds_of_parameters_have_no_sizes() -> None:
    kind = kind_of_call((1.5, None, [1, 2]), {"by": True})
    words = dict(kinds_by_parameter(kind, ("a", "b", "c", "d")))
    assert words == {"a": "float", "b": "None", "c": "list", "by": "bool"}
    assert list(kinds_by_parameter(kind_of_call((("**", 1),), {}), ("a",))) == [("a", "tuple")]


def test_recording_says_what_parameters_were(project: Path) -> None:
    documents = [json.loads(one.read_text()) for one in (project / ".tnp-migrate/record/processes").glob("*.json")]
    rows = {row["function"][1]: row["seen"] for one in documents for row in one["functions"]}
    assert rows["Tracker.__init__"]["start"] == {
        "float": [1, "test_core.py::test_follow"],
        "int": [1, "test_core.py::test_follow"],
    }
    assert rows["scaled"]["a"].keys() == {"array float64 2d", "list"}


def test_what_rests_on_evidence_is_checked_and_told(project: Path) -> None:
    without = tool("check", "core.py", "--format", "json", cwd=project)
    report = json.loads(without.stdout)
    assert [one["code"] for one in report["findings"]] == ["TNP315"]
    assert "by evidence" not in report["rates"]
    found = tool("check", "core.py", "--format", "json", "--evidence", ".tnp-migrate/record", cwd=project)
    report = json.loads(found.stdout)
    assert found.exit_code == 0, found.output
    assert [(one["code"], one["line"]) for one in report["findings"]] == [("TNP113", 8), ("TNP113", 14)]
    first, second = (one["message"] for one in report["findings"])
    assert "`start` is number (2 calls, first in test_core.py::test_follow), `gain` is number (2 calls" in first
    assert "`z` is number (3 calls, first in test_core.py::test_follow)" in second
    assert report["rates"]["by evidence"]["part"] == 0  # no reference, but what it is warned of


def test_translation_checks_only_what_it_rests_on(translated: Path) -> None:
    text = (translated / "core.py").read_text()
    assert text.count("tnh.seen(") == 2
    check = '        tnh.seen("number", start=start, gain=gain)\n'
    assert f'        """Begin somewhere."""\n{check}        self.x = start\n' in text
    assert '    def update(self, z):\n        tnh.seen("number", z=z)\n' in text
    assert tool("core.py", "--diff", cwd=translated).stdout == ""


def test_recording_of_another_text_is_not_used(project: Path, tmp_path: Path) -> None:
    changed = CORE.replace("np.ones(2)", "2 * np.ones(2)")
    for name, text in (("pyproject.toml", ""), ("core.py", changed)):
        (tmp_path / name).write_text(text)
    words = ("check", "core.py", "--evidence", str(project / ".tnp-migrate/record"))
    found = tool(*words, cwd=tmp_path)
    assert "TNP114 has changed since it was recorded" in found.stdout
    assert "TNP315" in found.stdout
    assert "TNP113" not in found.stdout


@pytest.mark.parametrize(
    "seen",
    [[], {"start": ["float", 1]}, {"start": {"float": "many"}}, {"start": {"float": [1, {"deep": []}]}}],
)
def test_hostile_recordings_are_refused(project: Path, tmp_path: Path, seen: object) -> None:
    (tmp_path / "processes").mkdir()
    (tmp_path / "index.json").write_bytes((project / ".tnp-migrate/record/index.json").read_bytes())
    row = {"function": ["core.py", "Tracker.__init__", ""], "module": "core", "line": 8, "calls": 1, "seen": seen}
    (tmp_path / "processes" / "1.json").write_text(json.dumps({"functions": [row]}))
    before = (project / "core.py").read_bytes()
    found = tool("core.py", "--allow-dirty", "--evidence", str(tmp_path), cwd=project)
    assert found.exit_code == 2
    assert isinstance(found.exception, SystemExit)
    assert (project / "core.py").read_bytes() == before


def test_evidence_does_not_go_with_the_functional_stage(project: Path) -> None:
    words = ("core.py", "--diff", "--stage", "functional", "--evidence", ".tnp-migrate/record")
    found = tool(*words, cwd=project)
    assert found.exit_code == 2
    assert "--evidence goes with the whole translation" in found.stderr


@pytest.fixture(scope="module")
def seen(tensorflow: Any) -> Any:
    """Import the check, once TensorFlow is there."""
    assert tensorflow is not None
    from tnp_rules.seen import seen

    return seen


class Known:
    """A class whose instances were seen."""


class Derived(Known):
    """What is one of those, too."""


MATRIX = np.ones((2, 2))


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("number", 1), ("number", 0.5), ("number", True), ("str", "text"), ("array", [MATRIX]), ("2d", [MATRIX]),
        ("float64", [MATRIX]), ("float64 2d", [MATRIX]), ("2d or None", None), ("2d or None", [MATRIX]),
        (Known, Known()), (Known, Derived()),
    ],
)  # fmt: skip
def test_check_takes_what_was_seen(seen: Any, tensorflow: Any, what: Any, value: Any) -> None:
    for one in [value[0], tensorflow.constant(value[0])] if isinstance(value, list) else [value]:
        seen(what, x=one)


@pytest.mark.parametrize(
    ("what", "value", "words"),
    [
        ("number", np.float64(1), "float64"), ("number", np.ones(2), "an ndarray float64 1d"), ("number", None, "None"),
        ("number", 1j, "complex"), ("str", b"", "bytes"), ("array", [1.0], "list"), ("array", None, "NoneType"),
        ("2d", np.ones(2), "an ndarray float64 1d"), ("float64", np.float32([1]), "an ndarray float32 1d"),
        ("float64 2d", np.ma.masked_array(MATRIX), "MaskedArray"), ("2d or None", 1.0, "float"),
        (Known, None, "NoneType"), ("float64 2d", np.float32(MATRIX), "an ndarray float32 2d"),
    ],
)  # fmt: skip
def test_check_raises_for_anything_else(seen: Any, what: Any, value: Any, words: str) -> None:
    def step(x: Any) -> None:
        seen(what, x=x)

    with pytest.raises(TypeError, match=rf"step: x is {words}.*, and was .* in all recorded calls"):
        step(value)


def test_check_in_a_graph_reads_dtype_and_rank(seen: Any, tensorflow: Any) -> None:
    tf = tensorflow

    def step(x: Any) -> Any:
        seen("float64 2d", x=x)
        return x

    def traced(*shape: Any) -> Any:
        return tf.function(step, input_signature=[tf.TensorSpec(*shape, tf.float64)])

    assert traced([None, 2])(MATRIX).shape == (2, 2)
    for shape in ([None], None):  # of an unknown rank nothing is known
        with pytest.raises(TypeError, match="in all recorded calls"):
            traced(shape).get_concrete_function()


def test_check_runs_beside_helpers_that_hide_builtins(tensorflow: Any) -> None:
    assert tensorflow is not None
    names = {"seen", "all", "any", "sum", "min", "max", "round", "abs"}
    module: dict[str, Any] = {"__name__": "_tnp_helpers"}
    with own_members():
        exec(write_helpers(Config().rulebook, names, set()), module)  # the helper module as it is written
        module["seen"]("float64 2d", x=MATRIX)


def test_call_that_breaks_an_assumption_raises_with_the_place(translated: Path) -> None:
    program = (
        "import numpy as np, core; t = core.Tracker(1.0, 0.5); print(float(t.update(3.0))); core.Tracker(np.ones(2), 1)"
    )
    command = [sys.executable, "-c", program]
    found = subprocess.run(command, cwd=translated, capture_output=True, text=True, check=False)
    assert found.stdout == "2.0\n"
    assert "core.py" in found.stderr
    assert "__init__: start is an ndarray float64 1d, and was number in all recorded calls" in found.stderr
