"""The language server, asked by a client over standard input and output; and what it answers with, asked directly."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.server import edited
from tnp_migrate.server.answers import Answer, Change, answer_alone, answer_slice, answer_whole, changes_between
from tnp_migrate.server.edited import Answered, answer_after_edit, answers_before
from tnp_migrate.server.edits import becomes, parts_at, suppression
from tnp_migrate.server.jobs import JobFailed, run_apart
from tnp_migrate.server.remembered import Remembered, edit_between
from tnp_migrate.server.slices import Slice, slice_around, slices_of_functions

if importlib.util.find_spec("pygls") is None:
    pytest.skip("pygls is not installed", allow_module_level=True)

from editor import Editor, with_editor
from lsprotocol import types

ROOT = Path(__file__).parent.parent
LIBRARY = """\
import numpy as np


def clear(x):
    x[:2] = 0
"""
PROGRAM = """\
import numpy as np
from lib import clear


def level(x):
    y = np.median(x)
    return y, np.exp(x)


def cleared(x):
    z = x.copy()
    clear(z)
    return z


def view(x):
    return np.lib.stride_tricks.as_strided(x, (2, 2))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of two files, of which one calls a function of the other that writes to its argument."""
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'p'\n")
    (tmp_path / "lib.py").write_text(LIBRARY)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def test_session_of_an_editor(folder: Path) -> None:
    """Open, hover, type, act, take back: each answer is about the text as it stands."""

    async def session(editor: Editor) -> None:
        editor.open("program.py")
        assert "TNP408" in await editor.until("program.py", lambda codes: "TNP408" in codes)
        await editor.until("lib.py", lambda codes: "TNP310" in codes)  # from the project's run

        page = await editor.hover("program.py", 6)
        assert "becomes\n\n```python\n    y = tnh.median(x)\n```" in page
        assert "**TNP408**" in await editor.hover("program.py", 17)
        assert await editor.hover("program.py", 2) == ""

        typed = PROGRAM.replace("np.exp(x)", "np.asarray(x, order='F')")
        for cut in range(5):  # as one types
            editor.type("program.py", typed[: len(typed) - 4 + cut])
        editor.type("program.py", typed)
        await editor.until("program.py", lambda codes: "TNP407" in codes)

        found = await editor.actions("program.py", 17)
        editor.type("program.py", editor.applied("program.py", found["suppress TNP408 here"]))
        assert await editor.until("program.py", lambda codes: "TNP408" not in codes) == ["TNP407"]
        assert "(x, (2, 2))  # tnp: ignore[TNP408] reason\n" in editor.texts[editor.uri("program.py")]

        editor.type("program.py", PROGRAM)  # taken back
        await editor.until("program.py", lambda codes: codes.count("TNP408") == 2 and "TNP407" not in codes)
        found = await editor.actions("program.py", 6)
        assert list(found) == ["rewrite this statement", "rewrite function `level`", "rewrite this file"]
        text = editor.applied("program.py", found["rewrite function `level`"])
        assert "    y = tnh.median(x)\n    return y, tnp.exp(x)\n" in text
        assert "import _tnp_helpers as tnh\n" in text
        assert "    clear(z)\n" in text
        assert "def median(" in (folder / "_tnp_helpers.py").read_text()
        assert (folder / "program.py").read_text() == PROGRAM

    with_editor(folder, session)


def test_wrong_settings_are_said_once(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.tnp-migrate]\nstages = 1\n")

    async def session(editor: Editor) -> None:
        said: list[str] = []
        heard = asyncio.Event()

        @editor.feature(types.WINDOW_SHOW_MESSAGE)
        def told(parameters: types.ShowMessageParams) -> None:
            said.append(parameters.message)
            heard.set()

        editor.open("program.py")
        async with asyncio.timeout(60):
            await heard.wait()
        assert "has no setting `stages`" in said[0]

    with_editor(folder, session)


def test_without_pygls_the_command_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ModuleNotFoundError(\"No module named 'pygls'\", name='pygls')\n")
    (tmp_path / "lsprotocol.py").write_text("raise ModuleNotFoundError(\"No module\", name='lsprotocol')\n")
    paths = [str(tmp_path), str(ROOT / "migrator"), str(ROOT / "rules")]
    around = dict(os.environ, PYTHONPATH=os.pathsep.join(paths))
    command = [sys.executable, "-m", "tnp_migrate", "server"]
    done = subprocess.run(command, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert 'pip install "tnp-migrate[server]"' in done.stderr


def test_project_says_of_open_files_what_the_command_says(folder: Path) -> None:
    path = folder / "program.py"
    found, others = answer_whole([folder], {path: PROGRAM})
    assert "z = clear(z)" in found[path].after
    assert [one.code for one in others[folder / "lib.py"].findings] == ["TNP310"]


def test_what_the_project_knew_better_is_said_of_the_next_text(folder: Path) -> None:
    path = folder / "lib.py"
    alone = answer_alone(path, LIBRARY)
    whole, _ = answer_whole([folder], {path: LIBRARY})
    extra = alone.findings[0].__class__("TNP501", "lib.py", 5, 5, 5, 10, "from elsewhere", "", None, "ffff")
    remembered = Remembered(tuple(alone.lines), alone.findings, (*whole[path].findings, extra))
    moved = answer_alone(path, LIBRARY.replace("\n\n\ndef", "\n\nA = 1\n\n\ndef"))
    assert [(one.code, one.line) for one in remembered.corrected(moved).findings] == [("TNP310", 6), ("TNP501", 7)]
    gone = answer_alone(path, LIBRARY.replace("x[:2] = 0", "x[:3] = 0"))
    assert [one.code for one in remembered.corrected(gone).findings] == ["TNP310"]


def refusals(answer: Answer, line: int) -> list[str]:
    return [one.refused for one in parts_at(answer, line)]


def test_part_that_hangs_on_others_is_refused(folder: Path) -> None:
    path = folder / "lib.py"
    answer = answer_alone(path, LIBRARY + "\n\ndef both(x):\n    y = np.zeros(3)\n    clear(y)\n    return y\n")
    assert any("gives back what it writes to" in one for one in refusals(answer, 5))
    assert any("gives back what it writes to" in one for one in refusals(answer, 10))


def test_statement_of_a_function_that_writes_is_refused_and_the_function_is_not(folder: Path) -> None:
    text = "import numpy as np\n\n\ndef f(n):\n    y = np.zeros(n)\n    y[0] = np.exp(1.0)\n    return y\n"
    statement, function = parts_at(answer_alone(folder / "a.py", text), 5)
    assert "rewrite all of it" in statement.refused
    assert not function.refused
    assert [one.first for one in function.changes] == [2, 5]


def test_nothing_is_offered_where_nothing_changes(folder: Path) -> None:
    answer = answer_alone(folder / "a.py", "import numpy as np\n\nx = [1.0]\ny = np.median(x)\n")
    assert list(parts_at(answer, 3)) == []
    assert becomes(answer, 3) is None
    assert becomes(answer, 4) == "y = tnh.median(x)\n"
    assert list(parts_at(answer_alone(folder / "a.py", "import numpy as np\nx = (\n"), 2)) == []


@pytest.mark.parametrize(
    ("line", "after"),
    [
        pytest.param("s = as_strided(x)", "s = as_strided(x)  # tnp: ignore[TNP408] reason", id="plain"),
        pytest.param(
            "s = as_strided(x)  # why", "s = as_strided(x)  # why  # tnp: ignore[TNP408] reason", id="comment"
        ),
        pytest.param(
            "s = as_strided(x)  # tnp: ignore[TNP501] a",
            "s = as_strided(x)  # tnp: ignore[TNP501, TNP408] a",
            id="other",
        ),
        pytest.param(
            "s = as_strided(\n    x\n)", "s = as_strided(  # tnp: ignore[TNP408] reason\n    x\n)", id="lines"
        ),
    ],
)
def test_suppression_is_a_comment_that_silences(folder: Path, line: str, after: str) -> None:
    head = "from numpy.lib.stride_tricks import as_strided\n\nx = 1\n"
    answer = answer_alone(folder / "a.py", f"{head}{line}\n")
    finding = next(one for one in answer.findings if one.code == "TNP408")
    change = suppression(answer, finding)
    assert isinstance(change, Change)
    lines = answer.before.splitlines(keepends=True)
    lines[change.first - 1 : change.last - 1] = change.lines
    assert "".join(lines) == f"{head}{after}\n"
    again = answer_alone(folder / "a.py", "".join(lines))
    assert [one.suppressed is not None for one in again.findings if one.code == "TNP408"] == [True]


def test_changes_make_the_new_text_of_the_old(folder: Path) -> None:
    after = "import numpy as np\n\n\ndef level(x):\n    return x\n\n\nA = 1\n"
    assert Answer(PROGRAM, changes_between(PROGRAM, after)).after == after


LONG = """\
import numpy as np
import os

SIZE = 3


def first(x):
    return np.median(x)


class Model:
    \"\"\"A model.\"\"\"

    limit = SIZE

    def __init__(self, x):
        self.x = first(x)

    def other(self):
        return os.getcwd()

    def level(self):
        return np.asarray(self.x, order='F')


def last(x):
    return np.exp(x)
"""


def kept_of(text: str, line: int) -> list[int]:
    found = slice_around(text, line, line + 1)
    assert found is not None
    assert len(found.text.splitlines()) == len(text.splitlines())
    return [number for number, one in enumerate(found.text.splitlines(), 1) if not one.startswith("#") and one.strip()]


def test_slice_has_what_a_line_refers_to() -> None:
    assert kept_of(LONG, 27) == [1, 26, 27]
    assert kept_of(LONG, 23) == [1, 4, 7, 8, 11, 12, 14, 16, 17, 22, 23]
    assert slice_around(LONG, 9, 10) == slice_around("", 9, 10)
    assert slice_around(LONG + "(", 9, 10) is None


def after_edit(folder: Path, old: str, new: str) -> list[tuple[str, int]]:
    path = folder / "a.py"
    answer = answer_after_edit(path, answer_alone(path, LONG), LONG.replace(old, new), Answered())
    assert not answer.complete
    return [(one.code, one.line) for one in answer.findings]


def test_edit_is_answered_by_a_slice_and_what_was_said_before(folder: Path) -> None:
    assert [(one.code, one.line) for one in answer_alone(folder / "a.py", LONG).findings] == [("TNP407", 23)]
    assert after_edit(folder, "np.exp(x)", "np.asarray(x, dtype=object)") == [("TNP407", 23), ("TNP409", 27)]
    assert after_edit(folder, "SIZE = 3", "SIZE = 3\nMORE = 4") == [("TNP407", 24)]
    assert after_edit(folder, "    return np.median(x)", "    # more\n    return np.median(x)") == [("TNP407", 24)]
    assert after_edit(folder, ", order='F'", "") == []
    assert after_edit(folder, "return np.exp(x)", "return np.exp(x") == [("TNP407", 23), ("TNP901", 27)]


def test_functions_are_looked_at_before_they_are_edited(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "a.py"
    base = answer_alone(path, LONG)
    answered = Answered()
    parts = [*slices_of_functions(LONG, 26)]
    assert parts[0] == slice_around(LONG, 27, 28)
    assert parts == [*dict.fromkeys(parts)]
    answered.add(path, answers_before(path, parts))
    assert all(answered.knows(path, one) for one in parts)
    looked: list[Slice] = []

    def look(path: Path, part: Slice, *, rewrite: bool = True) -> Answer:
        looked.append(part)
        return answer_slice(path, part, rewrite=rewrite)

    monkeypatch.setattr(edited, "answer_slice", look)
    for line, text in ((23, "        y = 1\n"), (27, "    y = 1\n")):
        lines = LONG.splitlines(keepends=True)
        answer_after_edit(path, base, "".join([*lines[: line - 1], text, *lines[line - 1 :]]), answered)
    assert len(looked) == 2  # the slices with the new lines, and none of the text before


def test_slice_of_an_edit_knows_what_the_project_knew(folder: Path) -> None:
    path = folder / "a.py"
    alone = answer_alone(path, LONG)
    extra = replace(alone.findings[0], code="TNP501", line=27, end_line=27, symbol="from elsewhere")
    base = replace(alone, findings=(extra,))  # TNP407 is not so, TNP501 is
    text = LONG.replace(
        "    def level(self):\n", "    def level(self):\n        y = np.asarray(self.x, dtype=object)\n"
    )
    found = [(one.code, one.line) for one in answer_after_edit(path, base, text, Answered()).findings]
    assert ("TNP501", 28) in found
    assert "TNP409" in dict(found)
    assert "TNP407" not in dict(found)


def test_work_apart_gives_its_result_or_says_that_there_is_none() -> None:
    async def run() -> None:
        assert await run_apart(os.path.join, "a", "b") == os.path.join("a", "b")  # noqa: PTH118
        with pytest.raises(JobFailed, match="ended without an answer"):
            await run_apart(os._exit, 1)

    asyncio.run(run())


def test_work_that_is_cancelled_ends_its_process() -> None:
    async def run() -> None:
        task = asyncio.ensure_future(run_apart(time.sleep, 60))
        await asyncio.sleep(0.5)
        (process,) = multiprocessing.active_children()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        process.join(30)
        assert process.exitcode == -signal.SIGKILL

    asyncio.run(run())


ISLAND = """\
import numpy as np


def island(x):
    y = np.sum(x)

    return y


def last(x):
    return np.exp(x)
"""


def test_island_of_the_project_stays_one_in_a_slice(folder: Path) -> None:
    path = folder / "a.py"
    alone = answer_alone(path, ISLAND)
    said = Finding("TNP301", "a.py", 4, 1, 7, 13, "it holds what is written to (lines 5 and 11), see a.py:11, b.py:11")
    base = replace(alone, findings=(said,), islands=frozenset({"island"}), changes=alone.changes[:1])
    answer = answer_after_edit(
        path,
        base,
        ISLAND.replace("\n\n    return", "\n    y = np.asarray(y, order='F')\n    # x\n    return"),
        Answered(),
    )
    assert [(one.code, one.message) for one in answer.findings] == [
        ("TNP301", "it holds what is written to (lines 5 and 12), see a.py:12, b.py:11")
    ]
    assert all(one.last <= 4 for one in answer.changes)


@pytest.mark.parametrize(
    ("before", "after", "edit"),
    [
        ("abc", "abc", (4, 4, 4)),
        ("abc", "axc", (2, 3, 3)),
        ("aaa", "aaaa", (4, 4, 5)),
        ("abc", "c", (1, 3, 1)),
        ("", "ab", (1, 1, 3)),
    ],
)
def test_edit_is_what_lies_between_equal_lines(before: str, after: str, edit: tuple[int, int, int]) -> None:
    found = edit_between(before, after)
    assert (found.first, found.before, found.after) == edit
