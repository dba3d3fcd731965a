"""`tnp-migrate verify`: a project is recorded, translated, replayed; what differs is found at its function and line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from test_record import tool

from tnp_migrate.proof.inside import forms
from tnp_migrate.proof.inside.form_names import PROOFS
from tnp_migrate.proof.processes import Replays
from tnp_migrate.proof.recording import Recording
from tnp_migrate.proof.verdicts import FormResult, verdict_of
from tnp_migrate.proof.verify import Proof, Trees, _replay_forms

OUTSIDE = Path.home() / f".tnp_written_by_a_replay.{os.getpid()}"  # tests of several workers run beside each other
CORE = """\
import itertools
import os
import time

import numpy as np


class Running:
    def __init__(self, n):
        self.mean = np.zeros(n)
        self.count = 0

    def update(self, x):
        self.count += 1
        self.mean = self.mean + (x - self.mean) / self.count
        return self.mean


def normalise(a):
    total = a.sum()
    a /= total
    return total


def scaled(a):
    a *= 2
    return a


def scaled_ones(n):
    return scaled(np.ones(n))


def share(x):
    weights = np.abs(x)
    total = weights.sum(axis=0)
    return weights / total


def growing(rate, values):
    periods = np.arange(len(values))
    return (np.asarray(values) / (1 + rate) ** periods).sum()


def drawn(n):
    return np.random.randn(n) * 2


def checked(a):
    if a.ndim != 1:
        raise ValueError("one axis")
    return np.median(a)


def clocked(a):
    return a * time.time()


def pieces(n):
    for i in range(n):
        yield np.full(2, i)


def lazily(a):
    return (a.sum() + one for one in itertools.count())


def remembered(name, a):
    with open(name, "w") as file:
        file.write(str(a.sum()))
    return a + 1


def tallied(name, a):
    with open(name, "a+") as file:
        file.write(".")
        file.seek(0)
        return a + (len(file.read()) > 3)


def signs(a):
    u, _, v = np.linalg.svd(a)
    return u[0], v[0]


def weights_of_modes(a):
    return np.linalg.eigh(a)[1] ** 2


class Command:
    def __init__(self, function):
        self.run = function


@Command
def leaves(a):
    if np.sum(a) > 1:
        raise SystemExit(3)
    return a


def stuck(a):
    if os.environ.get("TNP_STUCK"):
        while True:
            pass
    return a + 1


def dies(a):
    return a - 1


class Labelled:
    def __init__(self, a, labels=[]):
        self.a, self.labels = a, labels

    def twice(self):
        return Labelled(self.a * 2)


class Solver:
    def __init__(self, solve=np.linalg.solve):
        self.solve = solve


class Slotted:
    __slots__ = ("x",)

    def __init__(self, n):
        self.x = np.full(n, time.time())  # another one each time, as np.empty gives

    def put(self, i):
        vars()["self"].x[i] = i
        return self.x[i]


def idle(a):
    return a
"""
USE = """\
import numpy as np
from pk.core import *

r = Running(2)
r.update(np.ones(2))
r.update(np.array([3.0, 4.0]))
normalise(np.array([1.0, 3.0]))
scaled(np.array([1.0, 3.0]))
scaled_ones(3)
share(np.array([[1.0, -2.0], [3.0, 4.0]]))
growing(0.281, [-100.0, 39.0, 59.0, 55.0, 20.0])
drawn(3)
checked(np.array([3.0, 1.0, 2.0]))
try:
    checked(np.ones((2, 2)))
except ValueError:
    pass
clocked(np.ones(2))
list(pieces(2))
next(lazily(np.ones(2)))
remembered("OUTSIDE", np.ones(2))
tallied("TALLY", np.ones(2))
signs(np.array([[3.0, 1.0], [2.0, -5.0]]))
weights_of_modes(np.array([[3.0, 1.0, 0.3], [1.0, -5.0, 0.7], [0.3, 0.7, 9.0]]))
try:
    leaves.run(np.ones(2))
except SystemExit:
    pass
Labelled(np.ones(2)).twice()
Slotted(3).put(1)
Solver()
stuck(np.ones(2))
dies(np.ones(2))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verified")
    (folder / "src" / "pk").mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (folder / "src" / "pk" / "__init__.py").touch()
    (folder / "src" / "pk" / "core.py").write_text(CORE)
    (folder / "use.py").write_text(USE.replace("OUTSIDE", str(OUTSIDE)).replace("TALLY", str(folder / "tally")))
    run = tool("record", "src", "--", sys.executable, "use.py", cwd=folder, path=str(folder / "src"))
    assert run.returncode == 0, run.stderr
    OUTSIDE.unlink()
    return folder


def verified(project: Path, *options: str, **environment: str) -> tuple[int, dict[str, dict], dict]:
    run = tool("verify", "src", "--format", "json", *options, cwd=project, path=str(project / "src"), **environment)
    assert run.returncode in (0, 1), run.stderr
    report = json.loads(run.stdout)
    return run.returncode, {one["name"]: one for one in report["evidence"]["verification"]["functions"]}, report


def test_translation_of_the_tool_is_verified(project: Path) -> None:
    code, functions, report = verified(project)
    del functions["Command.__init__"]
    assert "bit for bit" in functions["Slotted.__init__"]["why"]
    verdicts = {name: one["verdict"] for name, one in functions.items()}
    assert verdicts == {
        **dict.fromkeys(["Running.__init__", "Running.update", "normalise", "share", "growing", "drawn"], "verified"),
        **dict.fromkeys(["Labelled.__init__", "Labelled.twice", "Slotted.put"], "verified"),
        "Slotted.__init__": "not replayable",
        **dict.fromkeys(["checked", "stuck", "dies", "pieces", "lazily", "leaves"], "verified"),
        **dict.fromkeys(["weights_of_modes", "scaled", "scaled_ones", "Solver.__init__"], "verified"),
        "signs": "differs",
        **dict.fromkeys(["clocked", "remembered", "tallied"], "not replayable"),
        "idle": "not exercised",
    }
    assert "not deterministic" in functions["clocked"]["why"] or "does not do again" in functions["clocked"]["why"]
    assert "outside of its scratch copy" in functions["remembered"]["why"]
    assert not OUTSIDE.exists()
    assert "after other replays the original does something else" in functions["tallied"]["why"]
    assert {form["form"] for form in functions["share"]["forms"]} == {
        *("functional", "eager", "arrays", "graph", "compiled"),
    }
    refused = next(one for one in functions["weights_of_modes"]["forms"] if one["form"] == "compiled")
    assert refused["verdict"] == "raises"
    assert "eigenvectors of XLA have seven digits" in refused["why"]
    assert report["rates"]["verified on CPU"] == {"part": 20, "whole": 26, "of": "functions"}
    assert report["rates"]["verified on GPU"]["part"] is None
    assert functions["signs"]["diverges"] == line_of("u, _, v =")
    said = [one["message"] for one in report["findings"] if one["code"] == "TNP601"]
    assert len(said) == 1
    assert "; TNP320 stands at that line: the singular vectors may have other signs" in said[0]
    assert code == 1


def line_of(text: str) -> int:
    return 1 + CORE[: CORE.index(text)].count("\n")


def test_what_verify_does_not_compile_is_what_the_run_time_does_not() -> None:
    pytest.importorskip("tensorflow")
    from tnp_rules import compiled_forms

    assert forms.IMPRECISE == compiled_forms._IMPRECISE


def test_graphs_come_when_all_calls_were_replayed_eagerly() -> None:
    asked: list[tuple[str, int]] = []

    class Noted(Proof):
        def run(self, tree: Path, calls: Iterable[Any], device: str = "cpu") -> dict:
            asked.extend((form.name, call["id"]) for form, call in calls)
            return {}

    trees = Trees(*map(Path, "abcd"))
    recording = Recording({}, {}, (), (), 0.0, over=False)
    proof = Noted(recording, trees, Replays(), {}, print, calls={0: {"id": 0}, 1: {"id": 1}})
    _replay_forms(proof, [form for form in PROOFS if form.name in ("eager", "graph", "compiled")])
    eager, further = asked[:2], asked[2:]
    assert eager == [("eager", 0), ("eager", 1)]
    assert further == [("graph", 0), ("compiled", 0), ("graph", 1), ("compiled", 1)]


def test_only_functions_that_are_asked_for_are_replayed(project: Path) -> None:
    code, functions, _ = verified(project, "--function", "Running.*", "--function", "gro*")
    verdicts = {name: one["verdict"] for name, one in functions.items()}
    assert verdicts == dict.fromkeys(["Running.__init__", "Running.update", "growing"], "verified")
    assert code == 0


def test_function_of_whose_translation_nothing_ran_is_not_verified() -> None:
    functional = FormResult("functional", "verified", 3, 3)
    eager = FormResult("eager", "not replayable", 0, 0, "the time for all calls was used up", left_out=3)
    assert verdict_of((functional, eager)) == ("not replayable", "eager: the time for all calls was used up")
    assert verdict_of((functional,)) == ("not replayable", "no form was replayed")
    assert verdict_of((functional, FormResult("eager", "verified", 1, 1, left_out=2))) == ("verified", "")


BROKEN = [
    ("        self.mean = self.mean + (x", "        self.mean = self.mean - (x"),
    ("    a /= total\n    return total\n", "    return total\n"),
    ("axis=0)", "axis=1)"),
    ("    return np.random.randn(n) * 2", "    return (np.random.randn(n) * 2).astype('f4')"),
    ('raise ValueError("one axis")', 'raise TypeError("one axis")'),
    ('os.environ.get("TNP_STUCK")', "True"),
    ("    return a - 1", "    os.abort()"),
    ("        yield np.full(2, i)", "        yield np.full(2, i - 1)"),
    ("return (a.sum() + one", "return (a.sum() - one"),
]


def test_faults_are_found_at_their_functions_and_cost_no_other_one(project: Path, tmp_path: Path) -> None:
    text = CORE
    for before, after in BROKEN:
        assert before in text
        text = text.replace(before, after)
    (tmp_path / "pk").mkdir()
    (tmp_path / "pk" / "core.py").write_text(text)
    (tmp_path / "pk" / "__init__.py").touch()
    code, functions, report = verified(project, "--translated", str(tmp_path), "--limit", "5")
    assert code == 1
    verdicts = {name: one["verdict"] for name, one in functions.items()}
    assert {name for name, verdict in verdicts.items() if verdict == "differs"} == {
        *("Running.update", "normalise", "share", "drawn", "pieces", "lazily"),
    }
    assert {name for name, verdict in verdicts.items() if verdict == "raises"} == {"checked", "stuck", "dies"}
    assert "SIGABRT" in functions["dies"]["why"]
    assert "takes longer" in functions["stuck"]["why"]
    assert verdicts["growing"] == "verified"
    lines = {name: one["diverges"] for name, one in functions.items() if one["diverges"]}
    assert lines == {
        "Running.update": line_of("self.mean = self.mean +"),
        "normalise": line_of("a /= total"),
        "share": line_of("total = weights"),
        "drawn": line_of("return np.random.randn"),
        "checked": line_of('raise ValueError("one'),
        "pieces": line_of("yield np"),
    }
    assert {one["code"] for one in report["findings"] if one["code"].startswith("TNP6")} == {"TNP601", "TNP602"}


def test_recording_of_a_hostile_hand_runs_nothing(project: Path, tmp_path: Path) -> None:
    record = tmp_path / "record"
    (record / "processes").mkdir(parents=True)
    index = {"schema": 1, "sources": {}, "command": []}
    (record / "index.json").write_text(json.dumps(index))
    for bad in (
        {"function": ["../../x.py", "f", ""]},
        {"function": ["/etc/x.py", "f", ""]},
        {"function": "x"},
        {"function": ["src/pk/core.py", "f"]},
    ):
        (record / "processes" / "1.jsonl").write_text(json.dumps(bad) + "\n")
        run = tool("verify", "src", "--record", str(record), cwd=project)
        assert run.returncode == 2
        assert run.stderr.startswith("error: ")
    for text in ("[" * 100_000 + "\n", "{}[\n", "\0\n", '"text"\n'):
        (record / "processes" / "1.jsonl").write_text(text)
        assert tool("verify", "src", "--record", str(record), cwd=project).returncode == 2
    for index in ({"schema": 2}, {"schema": 1, "sources": {"../x": ""}}, {"schema": 1, "sources": []}, []):
        (record / "index.json").write_text(json.dumps(index))
        assert tool("verify", "src", "--record", str(record), cwd=project).returncode == 2
    assert tool("verify", "src", "--record", str(tmp_path / "none"), cwd=project).returncode == 2


CASES = """\
import numpy as np
from pk.core import growing, share


def test_share():
    assert share(np.array([[1.0, -2.0], [3.0, 4.0]])).shape == (2, 2)
    assert float(share(np.array([[1.0, -2.0], [3.0, 4.0]]))[0, 0]) == 0.25


def test_growing():
    assert growing(0.0, [1.0, 2.0]) == 3.0


def test_that_fails_with_numpy_too():
    assert growing(0.0, [1.0, 2.0]) == 4.0
"""
AWAY = "import sys; sys.path[:] = [one for one in sys.path if not one.endswith('/src')]; import json"


@pytest.fixture(scope="module")
def commanded(project: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The project with tests, and a translation of it with a wrong axis."""
    (project / "test_core.py").write_text(CASES)
    wrong = tmp_path_factory.mktemp("wrong")
    (wrong / "pk").mkdir()
    (wrong / "pk" / "core.py").write_text(CORE.replace("axis=0)", "axis=1)"))
    return project, wrong


def commanded_run(commanded: tuple[Path, Path], *command: str) -> tuple[int, dict]:
    project, wrong = commanded
    only = ("--record", str(project / "nothing"), "--translated", str(wrong))
    (project / "nothing" / "processes").mkdir(parents=True, exist_ok=True)
    (project / "nothing" / "index.json").write_text(json.dumps({"schema": 1, "sources": {}, "command": []}))
    code, _, report = verified(project, *only, "--", *command)
    return code, report["evidence"]["verification"]["command"]


def test_tests_that_fail_on_the_translation_are_named_with_the_function_at_fault(commanded: tuple[Path, Path]) -> None:
    code, found = commanded_run(commanded, sys.executable, "-m", "pytest", "-q")
    assert code == 1
    assert found["text"] == "1 of 2 tests that passed before pass; 1 of 1 translated files were imported"
    assert len(found["broken"]) == 1
    assert found["broken"][0].startswith("test_core::test_share: ")
    assert not (commanded[0] / ".pytest_cache").exists()


def test_exit_codes_of_other_commands_are_compared(commanded: tuple[Path, Path]) -> None:
    use = "import numpy as np; from pk.core import share; assert share(np.array([[1.0, 0], [3, 4]]))[0, 0] == 0.25"
    code, found = commanded_run(commanded, sys.executable, "-c", use)
    assert (code, found["failed"]) == (1, True)
    assert found["text"].startswith("exit code 1 on the translation, 0 on the original")
    code, found = commanded_run(commanded, sys.executable, "-c", use.replace("0.25", "0.25 or True"))
    assert (code, found["failed"]) == (0, False)


def test_command_that_imports_nothing_of_the_translation_proves_nothing(commanded: tuple[Path, Path]) -> None:
    code, found = commanded_run(commanded, sys.executable, "-c", AWAY)
    assert code == 1
    assert found["text"].startswith("proves nothing: it imported none of the translated files")
