"""What one replayed call does costs no other one its result, and a recording of a hostile hand calls nothing."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_record import tool

from tnp_migrate.proof import recording
from tnp_migrate.proof.inside import replaying
from tnp_migrate.proof.inside.refusals import BadRecording

CORE = """\
import os
import threading
import time

import numpy as np

from pk import tools

held = []


class Box:
    def __init__(self, value):
        self.value = value


def wanders(a):
    os.chdir("/")
    return a + 1


def sets_errors(a):
    np.seterr(all="raise")
    return a + 2


def opens(a):
    held.extend(open(os.devnull) for _ in range(300))
    return a + 3


def leaves_a_thread(a):
    threading.Thread(target=time.sleep, args=(300,)).start()
    return a + 4


def hoards(a):
    while os.environ.get("TNP_HOARD"):
        held.append(np.ones(1 << 23))
        time.sleep(0.01)
    return a + 5


def recurses(n):
    return 0 if n < 1 else recurses(n - 1 if not os.environ.get("TNP_HOARD") else n + 1)


def reads(a):
    return a + float(open("number.txt").read())


def divides(a):
    return a / (a - 1)


def use(box):
    return box.value + 1
"""
TOOLS = """\
import os
import tempfile


def mark(box):
    with open(os.path.join(tempfile.gettempdir(), "mark"), "w") as file:
        file.write("here")
    box.value = 3
"""
USE = """\
import numpy as np
from pk.core import *
from pk.tools import mark

with np.errstate(all="ignore"):
    divides(np.ones(2))
reads(np.ones(2))
hoards(np.ones(2))
recurses(3)
box = Box(2)
use(box)
mark(box)
opens(np.ones(2))
wanders(np.ones(2))
sets_errors(np.ones(2))
"""
FUNCTIONS = ("wanders", "sets_errors", "opens", "leaves_a_thread", "hoards", "recurses", "reads", "divides")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("replayed")
    (folder / "src" / "pk").mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (folder / "number.txt").write_text("0.5")
    (folder / "src" / "pk" / "__init__.py").touch()
    (folder / "src" / "pk" / "core.py").write_text(CORE)
    (folder / "src" / "pk" / "tools.py").write_text(TOOLS)
    thread = "import os, sys, time\ntime.sleep = lambda _: None\nleaves_a_thread(np.ones(2))\n"
    (folder / "use.py").write_text(USE + thread)
    run = tool("record", "src", "--", sys.executable, "use.py", cwd=folder, path=str(folder / "src"))
    assert run.returncode == 0, run.stderr
    return folder


def verified(project: Path, *options: str, **environment: str) -> dict[str, dict[str, Any]]:
    run = tool("verify", "src", "--format", "json", *options, cwd=project, path=str(project / "src"), **environment)
    assert run.returncode in (0, 1), run.stderr
    found = json.loads(run.stdout)["evidence"]["verification"]["functions"]
    return {one["name"]: one for one in found if one["name"] in FUNCTIONS}


def test_what_calls_leave_behind_costs_no_other_call(project: Path) -> None:
    began = time.monotonic()
    functions = verified(project)
    assert {name: one["verdict"] for name, one in functions.items()} == dict.fromkeys(FUNCTIONS, "verified")
    assert time.monotonic() - began < 300  # no replay waits for a thread


def test_function_that_takes_all_memory_or_stack_is_named_and_costs_no_other_one(project: Path) -> None:
    functions = verified(project, "--memory", "2G", TNP_HOARD="1")
    verdicts = {name: one["verdict"] for name, one in functions.items()}
    assert verdicts == {**dict.fromkeys(FUNCTIONS, "verified"), "hoards": "not replayable"}
    assert "holds more than 2048 MB" in functions["hoards"]["why"]


def test_recording_calls_only_what_the_project_defines(project: Path, tmp_path: Path) -> None:
    """`tools.mark` is reached from pk.core, but is no function of that file."""
    for file in (project / ".tnp-migrate" / "record").rglob("*"):
        place = tmp_path / "record" / file.relative_to(project / ".tnp-migrate" / "record")
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.is_file():
            text = file.read_bytes()
            place.write_bytes(text.replace(b'["src/pk/tools.py", "mark"', b'["src/pk/core.py", "tools.mark"'))
    (tmp_path / "temporary").mkdir()
    asked = ("--record", str(tmp_path / "record"), "--function", "use")
    verified(project, *asked, TMPDIR=str(tmp_path / "temporary"))
    assert not (tmp_path / "temporary" / "mark").exists()


def recorded(folder: Path, calls: str = "", counts: str = "") -> Path:
    (folder / "processes").mkdir(parents=True)
    (folder / "index.json").write_text('{"schema": 1, "sources": {}, "command": []}')
    (folder / "processes" / "1.jsonl").write_text(calls)
    if counts:
        (folder / "processes" / "1.json").write_text(counts)
    return folder


def test_counts_that_are_no_numbers_count_as_nothing(tmp_path: Path) -> None:
    row = '{"function": ["a.py", "f", ""], "calls": %s, "line": NaN, "kinds": [["x", NaN]], "not_kept": {"y": "z"}}'
    for text in ("NaN", "Infinity", "-1e999", '"many"', "null", "[]"):
        folder = recorded(tmp_path / str(len(text)) / text[0], counts='{"functions": [%s]}' % (row % text))
        found = recording.read_recordings([folder]).functions["a.py", "f", ""]
        assert (found.calls, found.line, found.kinds, found.not_kept) == (0, 0, {"x": 0}, {"y": 0})


@pytest.mark.parametrize(
    "text", ['{"dropped": [[]]}', '{"dropped": {}}', '{"number": [], "function": ["a.py", "f", ""]}']
)
def test_numbers_of_calls_that_are_none_are_no_calls(tmp_path: Path, text: str) -> None:
    recording.read_recordings([recorded(tmp_path / "r", calls=text + "\n")])


def test_files_that_the_recorder_does_not_write_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text("{}")
    for name in ("2.json", "2.jsonl"):
        folder = recorded(tmp_path / name)
        (folder / "processes" / name).symlink_to(secret)
        with pytest.raises(BadRecording):
            recording.read_recordings([folder])
    folder = recorded(tmp_path / "pipe")
    os.mkfifo(folder / "processes" / "2.jsonl")
    with pytest.raises(BadRecording):
        recording.read_recordings([folder])
    monkeypatch.setattr(recording, "LONGEST_LINE", 100)
    folder = recorded(tmp_path / "long", calls='{"function": "' + "x" * 200 + '"}\n')
    with pytest.raises(BadRecording, match="longer"):
        recording.read_recordings([folder])
    monkeypatch.setattr(recording, "LARGEST_FILE", 100)
    with pytest.raises(BadRecording, match="no file"):
        recording.read_recordings([folder])


def test_what_no_tensor_holds_is_said_of_a_call() -> None:
    dtypes = [np.dtype(np.longdouble).str, [["a", "<f8"]], "<f8"]
    nodes = {str(place): {"t": "array", "dtype": dtype} for place, dtype in enumerate(dtypes)}
    assert replaying._beyond_tensors(nodes) == "; the call is given long doubles, which no tensor holds"
    nodes["9"] = {"t": "Decimal", "v": "1"}
    assert replaying._beyond_tensors(nodes) == "; the call is given decimals and long doubles, which no tensor holds"
    assert not replaying._beyond_tensors({"2": nodes["2"]})
