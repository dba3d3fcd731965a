"""`tnp-migrate record`: which processes are reached, what is kept, and that the command runs as it does without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from room_graph import MIGRATOR, ROOT

from tnp_migrate.proof.inside.recorded_calls import read_call
from tnp_migrate.proof.record import summary, table
from tnp_migrate.proof.recording import PROCESSES, Recording, read_recordings

CORE = """\
import numpy as np


class Filter:
    def __init__(self, n):
        self.x = np.zeros(n)

    @property
    def total(self):
        return self.x.sum()

    @total.setter
    def total(self, value):
        self.x[:] = value / len(self.x)

    @classmethod
    def of(cls, n):
        return cls(n)

    @staticmethod
    def half(a):
        return a / 2


def shift(a, *more, by=1):
    a[0] = by
    return a * 2


def pieces(n):
    for i in range(n):
        yield np.full(2, i)


async def later(a):
    return a


def fails(a):
    raise ValueError("no")


def opened(file):
    return file.name


def nested(a):
    def inner(b):
        return b + 1

    return inner(a)
"""


def tool(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([*environment.pop("path", "").split(os.pathsep), str(MIGRATOR.parent)]).strip(os.pathsep)
    command = [sys.executable, "-m", "tnp_migrate", *arguments]
    own = {**os.environ, "PYTHONPATH": path, **environment}
    return subprocess.run(command, cwd=cwd, env=own, capture_output=True, text=True, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src" / "pk").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "src" / "pk" / "__init__.py").touch()
    (tmp_path / "src" / "pk" / "core.py").write_text(CORE)
    return tmp_path


def recorded(project: Path, *command: str, root: str = "src", path: str = "src") -> Recording:
    run = tool("record", root, "--", *command, cwd=project, path=str(project / path))
    assert run.returncode == 0, run.stderr
    return read_recordings([project / ".tnp-migrate" / "record"])


def calls(recording: Recording) -> dict[str, int]:
    return {f"{name}{role and '.' + role}": one.calls for (_, name, role), one in recording.functions.items()}


def program(project: Path, text: str, name: str = "use.py") -> str:
    (project / name).write_text("import numpy as np\nfrom pk.core import *\n" + text)
    return name


def test_every_kind_of_function_is_counted(project: Path) -> None:
    text = "f = Filter.of(3)\nf.total = 3\nf.total\nFilter.half(f.x)\nshift(f.x)\nlist(pieces(2))\nnested(1)\n"
    found = recorded(project, sys.executable, program(project, text))
    assert calls(found) == {
        "Filter.__init__": 1,
        "Filter.total": 1,
        "Filter.total.setter": 1,
        "Filter.of": 1,
        "Filter.half": 1,
        "shift": 1,
        "pieces": 1,
        "later": 0,
        "fails": 0,
        "opened": 0,
        "nested": 1,
    }


def test_what_cannot_be_kept_is_said_by_function(project: Path) -> None:
    found = recorded(project, sys.executable, program(project, "opened(open(__file__))\nlater(1).close()\n"))
    lines = "\n".join([*table(found), *summary(found)])
    assert "a coroutine, which is counted only" in lines
    assert "not kept, 1 times: an instance of `_io.TextIOWrapper`, an open file" in lines
    assert "kept 0 calls of 0 functions" in lines


def test_exit_code_and_output_are_those_of_the_command(project: Path) -> None:
    name = program(project, "import sys\nprint(sys.argv, __name__)\nsys.exit(7)\n")
    run = tool("record", "src", "--", sys.executable, name, "--flag", cwd=project, path=str(project / "src"))
    assert run.returncode == 7
    assert run.stdout == "['use.py', '--flag'] __main__\n"


def test_a_script_is_recorded_itself_as_a_module_is(project: Path) -> None:
    text = "def main():\n    return shift(np.ones(2))\n\n\nif __name__ == '__main__':\n    main()\n"
    program(project, text)
    for command in (
        [sys.executable, "use.py"],
        [sys.executable, "-m", "use"],
        [sys.executable, "-W", "error", "use.py"],
    ):
        assert calls(recorded(project, *command, root="."))["main"] == 1


def test_subprocesses_and_forks_are_recorded(project: Path) -> None:
    program(project, "shift(np.ones(2))\n", "child.py")
    text = (
        "import multiprocessing, subprocess, sys\n"
        "subprocess.run([sys.executable, 'child.py'], check=True)\n"
        "one = multiprocessing.get_context('fork').Process(target=shift, args=(np.ones(3),))\n"
        "one.start()\none.join()\nshift(np.ones(4))\n"
    )
    found = recorded(project, sys.executable, program(project, text))
    assert calls(found)["shift"] == 3
    assert len(list((project / ".tnp-migrate" / "record" / "processes").glob("*.json"))) == 3


def test_killed_process_leaves_what_it_had_written(project: Path) -> None:
    found = recorded(project, sys.executable, program(project, "import os\nshift(np.ones(2))\nos._exit(0)\n"))
    assert [len(one.kept) for one in found.functions.values() if one.kept] == [1]


def test_pytest_is_recorded_with_its_exit_code(project: Path) -> None:
    (project / "test_use.py").write_text(
        "import numpy as np\nfrom pk.core import shift\n\n\ndef test_it():\n    shift(np.ones(2))\n"
    )
    assert calls(recorded(project, sys.executable, "-m", "pytest", "-q", "test_use.py"))["shift"] == 1


def test_sitecustomize_of_the_user_still_runs(project: Path) -> None:
    (project / "own").mkdir()
    (project / "own" / "sitecustomize.py").write_text("import builtins\nbuiltins.here = 5\n")
    path = os.pathsep.join(str(project / one) for one in ("own", "src"))
    name = program(
        project, "import sys\nprint(here, [one for one in sys.path if 'tnp_migrate' in one])\nshift(np.ones(2))\n"
    )
    run = tool("record", "src", "--", sys.executable, name, cwd=project, path=path)
    assert run.stdout == "5 []\n", run.stderr


def test_kept_calls_are_few_and_of_many_kinds(project: Path) -> None:
    text = "shift(np.ones(3), by=2)\nfor n in range(1, 200):\n    shift(np.ones(1 + n % 5))\n    shift(np.ones((2, 2), 'f4'))\n"  # noqa: E501
    found = recorded(project, sys.executable, program(project, text))
    shift = next(one for (_, name, _), one in found.functions.items() if name == "shift")
    assert shift.calls == 399
    assert len(shift.kept) <= 8
    assert len({one.kind for one in shift.kept}) == len(shift.kinds) == 5


def test_kept_calls_are_not_in_step_with_loops(project: Path) -> None:
    loops = "for k in range(4):\n    for j in range(4):\n        for i in range(4):\n"
    text = f"{loops}            weigh(i / 1, j / 1, k / 1)\n"
    (project / "src" / "pk" / "core.py").write_text("def weigh(i, j, k):\n    return i * 10.0 + j\n")
    found = recorded(project, sys.executable, program(project, text))
    (own,) = (one for (_, name, _), one in found.functions.items() if name == "weigh")
    places = [{"file": one.folder / PROCESSES / one.file, "start": one.start, "length": one.length} for one in own.kept]
    innermost = [float.fromhex(read_call(one)["before"]["args"][0][-1]) for one in places]
    assert {*innermost} == {0, 1, 2, 3}


def test_compiled_functions_are_left_to_their_compiler(project: Path) -> None:
    (project / "src" / "numba.py").write_text("def njit(f):\n    assert not hasattr(f, '__wrapped__')\n    return f\n")
    (project / "src" / "pk" / "core.py").write_text("import numba\n\n\n@numba.njit\ndef shift(a):\n    return a\n")
    found = recorded(project, sys.executable, program(project, "shift(1)\n"))
    assert "compiled by a library" in "\n".join(table(found))


def test_recording_is_replaced_or_added_to(project: Path) -> None:
    name = program(project, "shift(np.ones(2))\n")
    recorded(project, sys.executable, name)
    assert calls(recorded(project, sys.executable, name))["shift"] == 1
    run = tool("record", "src", "--add", "--", sys.executable, name, cwd=project, path=str(project / "src"))
    assert run.returncode == 0
    assert calls(read_recordings([project / ".tnp-migrate" / "record"]))["shift"] == 2


def test_folder_with_other_files_is_left_alone(project: Path) -> None:
    run = tool("record", "src", "--output", "src", "--", sys.executable, "-c", "1", cwd=project)
    assert run.returncode == 2
    assert "holds other files" in run.stderr
    assert sorted(one.name for one in (project / "src").iterdir()) == ["pk"]


def test_nothing_recorded_is_said(project: Path) -> None:
    run = tool("record", "src", "--", sys.executable, "-c", "import numpy", cwd=project)
    assert "recorded nothing" in run.stderr


def test_recorder_needs_nothing_of_the_tools_environment(project: Path) -> None:
    bare = [
        sys.executable,
        "-c",
        "import sys; print([m for m in sys.modules if m.split('.')[0] in ('click', 'numpy')])",
    ]
    run = tool("record", "src", "--", *bare, cwd=project)
    assert run.stdout == "[]\n"


def test_lines_are_json_and_nothing_is_pickled(project: Path) -> None:
    recorded(project, sys.executable, program(project, "shift(np.ones(2))\nshift(np.arange(900.0))\n"))
    folder = project / ".tnp-migrate" / "record"
    for file in folder.rglob("*.jsonl"):
        assert [json.loads(line) for line in file.read_text().splitlines()]
    arrays = [file.read_bytes() for file in folder.rglob("*.npy")]
    assert len(arrays) == 3  # before, after and the result; what is short stands in the line
    assert all(data.startswith(b"\x93NUMPY") and b"pickle" not in data for data in arrays)
    assert (folder / ".gitignore").read_text() == "*\n"


def test_project_is_where_the_tests_think_it_is() -> None:
    assert (ROOT / "migrator" / "tnp_migrate" / "proof" / "hook" / "sitecustomize.py").is_file()


BRANCHED = """\
import numpy as np


def graded(a, level):
    if level > 40:
        for one in a:
            if one < 0:
                return -a
        return a
    elif level == 30:
        a = a + 1
    else:
        a = a * 2
    try:
        return a[level]
    except IndexError:
        return a


def within(n, level):
    return 0 if n == 0 else within(n - 1, level) + (graded(np.ones(2), level) if n == 3 else 0).sum()
"""
BRANCHING = """\
import numpy as np
from pk.branched import graded

for level in range(3, 1000):
    graded(np.ones(2), level)
graded(-np.ones(2), 50)
for level in range(1000, 2000):
    graded(np.ones(2) if level % 7 else -np.ones(2), level)
"""


def test_branches_that_no_kept_call_has_run_are_worth_a_call(project: Path) -> None:
    (project / "src" / "pk" / "branched.py").write_text(BRANCHED)
    (project / "branching.py").write_text(BRANCHING)
    command = ("--keep", "3", "--budget", "10", "--", sys.executable, "branching.py")
    run = tool("record", "src", *command, cwd=project, path=str(project / "src"))
    assert run.returncode == 0, run.stderr
    found = read_recordings([project / ".tnp-migrate" / "record"])
    own = next(one for key, one in found.functions.items() if key[1] == "graded")
    ran = frozenset().union(*(call.branches for call in own.kept))
    assert len(ran) == 7
    assert 3 < len(own.kept) <= 6


DECORATED = """\
import functools


def doubled(function):
    @functools.wraps(function)
    def twice(*given):
        return 2 * function(*given)

    return twice


@doubled
def shifted(a):
    return a + 1
"""


def test_decorator_of_the_user_is_given_a_function_that_can_be_kept(project: Path) -> None:
    (project / "src" / "pk" / "decorated.py").write_text(DECORATED)
    found = recorded(project, sys.executable, program(project, "import pk.decorated\n"))
    own = next(one for key, one in found.functions.items() if key[1] == "doubled")
    assert (own.calls, len(own.kept), own.not_kept) == (1, 1, {})


ASKED = """\
import inspect


def plain(a, b=2, *, c=3):
    if a > 100:
        return a
    return a + b + c


def compiled_as_numba_does(function):
    seen = getattr(function, function.__numba__) if hasattr(function, "__numba__") else function
    return seen.__code__.co_name, seen.__code__.co_names, function.__defaults__, function.__kwdefaults__


try:
    import numba
except ImportError:
    numba = None

ARGUMENTS = inspect.getfullargspec(plain)
COMPILED = compiled_as_numba_does(plain)
"""


def test_who_asks_for_arguments_or_compiles_sees_the_function_itself(project: Path) -> None:
    """TensorLy dispatches by `getfullargspec`, which unwraps nothing; QuantEcon calls `njit(f)`."""
    (project / "src" / "pk" / "asked.py").write_text(ASKED)
    text = (
        "from pk import asked\n"
        "assert (asked.ARGUMENTS.args, asked.ARGUMENTS.defaults) == (['a', 'b'], (2,)), asked.ARGUMENTS\n"
        "assert asked.ARGUMENTS.kwonlydefaults == {'c': 3}\n"
        "assert asked.COMPILED == ('plain', (), (2,), {'c': 3}), asked.COMPILED\n"
        "assert (asked.plain(1), asked.plain(1, 1, c=1)) == (6, 3)\n"
    )
    found = recorded(project, sys.executable, program(project, text))
    own = next(one for key, one in found.functions.items() if key[1] == "plain")
    assert own.calls == 2


def test_counts_of_a_program_that_is_killed_are_there(project: Path) -> None:
    text = "import os, signal, time\nfor i in range(99):\n    shift(np.ones(2), by=i)\n    time.sleep(0.02)\n"
    run = tool(
        "record",
        "src",
        "--",
        sys.executable,
        program(project, f"{text}os.kill(os.getpid(), signal.SIGKILL)\n"),
        cwd=project,
        path=str(project / "src"),
    )
    assert run.returncode != 0
    found = read_recordings([project / ".tnp-migrate" / "record"])
    own = next(one for key, one in found.functions.items() if key[1] == "shift")
    assert own.calls > 1
    assert sum(own.kinds.values()) == own.calls
