"""The language server's order of work, and its words: who waits for whom, what is shown last, lines and columns."""

from __future__ import annotations

import asyncio
import importlib.util
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tnp_migrate.server import jobs
from tnp_migrate.server.answers import Answer, Change, answer_alone, changes_between
from tnp_migrate.server.jobs import run_apart
from tnp_migrate.server.lines import lines_of, whole_lines_of

if importlib.util.find_spec("pygls") is None:
    pytest.skip("pygls is not installed", allow_module_level=True)

from editor import Editor, with_editor
from lsprotocol import types

from tnp_migrate.server import session as sessions
from tnp_migrate.server.positions import Columns, changed
from tnp_migrate.server.protocol import Client, actions_at
from tnp_migrate.server.session import Session

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

from server import Clock, opened

ROOT = Path(__file__).parent.parent
DEMO = ROOT / "fixtures" / "demo" / "before"
TEXT = "import numpy as np\n\n\ndef f(x):\n    return np.asarray(x, order='F')\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of one file."""
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'p'\n")
    (tmp_path / "a.py").write_text(TEXT)
    return tmp_path


class Heard:
    """A server that keeps what it is told to say."""

    def __init__(self) -> None:
        self.said: list[Any] = []
        self.protocol = SimpleNamespace(trace=types.TraceValue.Messages)
        self.workspace = SimpleNamespace(get_text_document=lambda _: SimpleNamespace(version=1))

    def text_document_publish_diagnostics(self, told: types.PublishDiagnosticsParams) -> None:
        self.said.append([str(one.code) for one in told.diagnostics])

    def log_trace(self, told: types.LogTraceParams) -> None:
        self.said.append(told.message.partition(":")[0])


def test_project_that_is_looked_at_before_a_file_is_said_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what is kept of an earlier run the project is sooner known than the last of several files."""
    path = folder / "a.py"
    alone = answer_alone(path, TEXT)
    whole = Answer(TEXT)  # in the project nothing is said
    monkeypatch.setattr(sessions, "PROJECT_REST", 0.0)

    async def run() -> list[Any]:
        server = Heard()
        session = Session(server)  # type: ignore[arg-type]
        file = asyncio.Event()

        async def apart(function: Any, *_: Any) -> Any:
            if function is sessions.answer_whole:
                return {path: whole}, {}
            if function is answer_alone:
                await file.wait()
                return alone
            return {}

        monkeypatch.setattr(session, "_apart", apart)
        session.edited(path.as_uri(), TEXT, rest=0.0)
        assert session.project is not None
        await session.project
        file.set()
        await session.files[path.as_uri()]
        assert session.answers[path.as_uri()] is whole
        session.ended()
        return server.said

    assert asyncio.run(run()) == [[], "project", "file a.py"]


def test_what_the_project_knew_is_kept_where_an_edit_ends_the_look_at_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "a.py"
    whole = Answer(TEXT)  # in the project nothing is said
    typed = TEXT + "x = 1\n"

    async def run() -> list[str]:
        session = Session(Heard())  # type: ignore[arg-type]
        never = asyncio.Event()
        looked: list[str] = []

        async def apart(function: Any, _: Any, text: Any) -> Any:
            if function is sessions.answer_whole:
                return {path: whole}, {}
            if function is not answer_alone:
                return {}
            looked.append(text)
            if len(looked) == 1:
                await never.wait()
            return answer_alone(path, text)

        monkeypatch.setattr(session, "_apart", apart)
        monkeypatch.setattr(sessions, "PROJECT_REST", 0.01)
        session.edited(path.as_uri(), TEXT, rest=0.0)
        assert session.project is not None
        await session.project
        monkeypatch.setattr(sessions, "PROJECT_REST", 60.0)
        session.edited(path.as_uri(), typed, rest=0.0)
        await session.files[path.as_uri()]
        assert session.answers[path.as_uri()].before == typed
        assert session.answers[path.as_uri()].findings == ()
        session.ended()
        return looked

    assert asyncio.run(run()) == [TEXT, TEXT, typed]


def test_benchmark_does_not_wait_for_a_look_that_says_nothing_new(folder: Path) -> None:
    class Silent(Clock):
        """A client that has heard of each document once."""

        def open(self, name: str) -> None:
            uri = self.uri(name)
            self.texts[uri], self.versions[uri] = TEXT, 1
            self.heard[uri, 1] = [(0.0, frozenset())]
            self.looks = ["functions of a.py", "project"]

    asyncio.run(asyncio.wait_for(opened(Silent(folder), ["a.py"]), 10))


def test_loop_does_not_wait_for_a_process_to_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    went_on = threading.Event()
    start = jobs._CONTEXT.Process.start

    def slow(process: Any) -> None:
        assert went_on.wait(20)
        start(process)

    monkeypatch.setattr(jobs._CONTEXT.Process, "start", slow)

    async def run() -> None:
        task = asyncio.ensure_future(run_apart(len, "x" * 1_000_000))  # more than a pipe takes
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        went_on.set()
        assert await task == 1_000_000

    asyncio.run(run())


def test_work_that_is_cancelled_before_its_process_is_there_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    cancelled = threading.Event()
    ended = threading.Event()
    start, join = jobs._CONTEXT.Process.start, jobs._CONTEXT.Process.join

    def slow(process: Any) -> None:
        assert cancelled.wait(20)
        start(process)

    def joined(process: Any, timeout: float | None = None) -> None:
        join(process, timeout)
        ended.set()

    monkeypatch.setattr(jobs._CONTEXT.Process, "start", slow)
    monkeypatch.setattr(jobs._CONTEXT.Process, "join", joined)

    async def run() -> None:
        task = asyncio.ensure_future(run_apart(time.sleep, 60))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        cancelled.set()
        assert await asyncio.to_thread(ended.wait, 30)

    asyncio.run(run())
    assert not multiprocessing.active_children()


def test_request_that_is_cancelled_waits_no_longer_and_what_it_waited_for_goes_on() -> None:
    async def run() -> None:
        session = Session(Heard())  # type: ignore[arg-type]
        session.texts["file:///a.py"] = TEXT
        look = session.files["file:///a.py"] = asyncio.ensure_future(asyncio.sleep(60))  # type: ignore[assignment]
        request = asyncio.ensure_future(session.answer("file:///a.py"))
        await asyncio.sleep(0)
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request
        assert not look.done()
        look.cancel()

    asyncio.run(run())


STRANGE = "import numpy as np\n\x0c\nA = 'é𝄞'; B = 'x\u2028y'\n\n\ndef f(x):\n    return np.asarray(x, order='F')\n"


def test_lines_end_where_python_ends_them() -> None:
    assert lines_of("a\x0cb\r\n\u2028\rc\n\nd") == ["a\x0cb", "\u2028", "c", "", "d"]
    assert whole_lines_of("a\x0cb\r\n\u2028\rc\n\nd") == ["a\x0cb\r\n", "\u2028\r", "c\n", "\n", "d"]
    assert lines_of("") == whole_lines_of("") == []
    assert lines_of("a\n") == ["a"]


def test_answers_about_a_text_with_a_form_feed_name_its_lines(folder: Path) -> None:
    path = folder / "a.py"
    answer = answer_alone(path, STRANGE.replace("np.asarray(x, order='F')", "np.median(x)"))
    assert [one.first for one in answer.changes] == [1, 7]
    assert answer.lines[6] == "    return np.median(x)"
    assert answer.after.count("\x0c\n") == 1
    after = answer.before.replace("A =", "\x0cA =").replace("median", "exp")
    assert Answer(answer.before, changes_between(answer.before, after)).after == after


@pytest.mark.parametrize(("encoding", "columns"), [("utf-8", 13), ("utf-16", 10), ("utf-32", 9), ("other", 10)])
def test_columns_are_in_units_of_the_encoding(encoding: str, columns: int) -> None:
    line = "A = 'é𝄞';"
    assert Columns(encoding).width(line) == columns
    assert Columns(encoding).index(line + " B", columns) == len(line)
    assert Columns(encoding).index(line, 99) == len(line)
    assert Columns(encoding).index("plain", 3) == 3


def part(first: tuple[int, int], last: tuple[int, int], text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(types.Range(types.Position(*first), types.Position(*last)), text)


def test_changes_are_put_where_the_editor_made_them() -> None:
    columns = Columns("utf-16")
    assert changed(STRANGE, part((2, 8), (2, 8), "!"), columns) == STRANGE.replace("𝄞", "𝄞!")
    assert changed(STRANGE, part((6, 0), (6, 99), "    pass"), columns) == STRANGE.replace(
        "    return np.asarray(x, order='F')", "    pass"
    )
    assert changed(STRANGE, part((99, 0), (99, 0), "# end\n"), columns) == STRANGE + "# end\n"
    assert changed("a\r\nb", part((0, 1), (1, 0), ""), columns) == "ab"
    assert changed("", part((0, 0), (0, 0), "a"), columns) == "a"
    assert changed("a\n", part((1, 0), (1, 0), "b"), columns) == "a\nb"
    assert changed("a", types.TextDocumentContentChangeWholeDocument("b"), columns) == "b"


def test_editor_that_counts_bytes_is_told_bytes(folder: Path) -> None:
    """A form feed is no end of a line, and what is typed in parts arrives where it was typed."""
    (folder / "a.py").write_text(STRANGE)

    async def session(editor: Editor) -> None:
        editor.open("a.py")
        await editor.until("a.py", lambda codes: codes == ["TNP407"])
        uri = editor.uri("a.py")
        document = types.VersionedTextDocumentIdentifier(2, uri)
        typed = [part((6, 4), (6, 10), "s = 'é𝄞'; return"), part((3, 0), (3, 0), "C = 1\n")]
        editor.text_document_did_change(types.DidChangeTextDocumentParams(document, typed))
        async with asyncio.timeout(60):
            while editor.told[uri][0].range.start.line != 7:
                editor.news.clear()
                await editor.news.wait()
        (found,) = editor.told[uri]
        line = "    s = 'é𝄞'; return np.asarray(x, order='F')"
        assert found.range.start.character == len(line[: line.index("'F'")].encode())

    class Counting(Editor):
        capabilities = types.ClientCapabilities(
            general=types.GeneralClientCapabilities(
                position_encodings=[types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf16]
            )
        )

    with_editor(folder, session, Counting)


def test_file_that_is_closed_unsaved_is_told_of_as_it_is_saved(folder: Path) -> None:
    (folder / "b.py").write_text("import numpy as np\n")

    async def session(editor: Editor) -> None:
        editor.open("a.py")
        editor.open("b.py")
        await editor.until("a.py", lambda codes: codes == ["TNP407"])
        for name in ("a.py", "b.py"):
            editor.type(name, f"{TEXT}y = np.lib.stride_tricks.as_strided(1)\n")
            await editor.until(name, lambda codes: codes == ["TNP407", "TNP408"])
            document = types.TextDocumentIdentifier(editor.uri(name))
            editor.text_document_did_close(types.DidCloseTextDocumentParams(document))
        await editor.until("a.py", lambda codes: codes == ["TNP407"])
        await editor.until("b.py", lambda codes: codes == [])

    with_editor(folder, session)


def test_actions_are_those_that_the_editor_asks_for_and_can_show(folder: Path) -> None:
    path = folder / "a.py"
    text = "import numpy as np\n\n\ndef f(x):\n    y = np.median(x)\n    return np.asarray(y, order='F')\n"
    answer = answer_alone(path, text)
    plain, able = Client(), Client(shows_disabled=True, creates_files=True)
    made = [*actions_at(path.as_uri(), answer, 6, 6, able)]
    kinds = {one.kind for one in made}
    assert kinds == {"refactor.rewrite", "quickfix"}
    assert [one for one in made if able.takes(one, None)] == made
    assert {one.kind for one in made if plain.takes(one, ["refactor"])} == {"refactor.rewrite"}
    assert {one.kind for one in made if plain.takes(one, ["quickfix", "source"])} == {"quickfix"}
    assert not any(plain.takes(one, ["refactor.rewrite.other", "refact"]) for one in made)
    refused = types.CodeAction("x", disabled=types.CodeActionDisabled("why"))
    assert able.takes(refused, None)
    assert not plain.takes(refused, None)


def test_helper_module_is_made_by_an_edit_where_the_editor_makes_no_files(folder: Path) -> None:
    path = folder / "a.py"
    answer = answer_alone(path, "import numpy as np\n\n\ndef f(x):\n    return np.median(x)\n")
    for able in (False, True):
        action = next(actions_at(path.as_uri(), answer, 5, 5, Client(creates_files=able)))
        assert action.edit is not None
        changes = action.edit.document_changes or ()
        assert [type(one).__name__ for one in changes] == ["CreateFile"] * able + ["TextDocumentEdit"] * 2


class Resolving(Editor):
    """An editor that asks for the edit of the action that is chosen."""

    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(
            code_action=types.CodeActionClientCapabilities(
                data_support=True, resolve_support=types.ClientCodeActionResolveOptions(["edit"])
            )
        )
    )


def test_rewrite_is_sent_when_it_is_chosen(folder: Path) -> None:
    (folder / "b.py").write_text("import numpy as np\n\n\ndef f(x):\n    return np.median(np.asarray(x, order='F'))\n")

    async def session(editor: Editor) -> None:
        editor.open("b.py")
        await editor.until("b.py", lambda codes: "TNP407" in codes)
        offered = await editor.actions("b.py", 5)
        rewritten = offered["rewrite this file"]
        assert rewritten.edit is None
        assert offered["suppress TNP407 here"].edit is not None
        chosen = await editor.code_action_resolve_async(rewritten)
        assert "tnh.median(" in editor.applied("b.py", chosen)
        editor.type("b.py", "import numpy as np\n")
        outdated = await editor.code_action_resolve_async(offered["rewrite function `f`"])
        assert outdated.edit is None

    with_editor(folder, session, Resolving)


def test_client_is_what_its_capabilities_say() -> None:
    assert Client.of(types.ClientCapabilities(), None) == Client()
    assert Client.of(Resolving.capabilities, None).asks_for_edits
    assert Client.of(Editor.capabilities, "utf-8") == Client(Columns("utf-8"), shows_disabled=True, creates_files=True)


def test_changes_of_texts_that_end_alike_are_where_they_differ() -> None:
    before = "a\nb\nb\nc\n"
    assert changes_between(before, "a\nb\nb\nb\nc\n") == (Change(4, 4, ("b\n",)),)
    assert changes_between(before, "a\nb\nc\n") == (Change(3, 4, ()),)
    assert changes_between(before, before) == ()


def test_what_is_loaded_before_is_all_that_looks_load() -> None:
    """What one of them loads is loaded again in each process, and makes the edit slow that needs it first."""
    program = f"""\
import sys
from pathlib import Path
from tnp_migrate.server import warm
from tnp_migrate.server.answers import answer_alone
before = set(sys.modules)
for path in sorted(Path({str(DEMO)!r}).rglob("*.py")):
    text = path.read_text("utf-8", errors="replace")
    answer_alone(path, text)
print(sorted(one for one in set(sys.modules) - before if one.startswith(("tnp_", "libcst"))))
"""
    paths = os.pathsep.join(str(ROOT / one) for one in ("migrator", "rules"))
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=dict(os.environ, PYTHONPATH=paths),
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == "[]\n"
