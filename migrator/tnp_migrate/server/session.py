"""The language server: documents as they are typed in, diagnostics, hover and code actions out.

Three looks follow an edit, each after a longer rest: at a slice of the file, here and at once; at the file alone; at
the project, with all files as they stand in the editor. Each shows what it finds, corrected by what wider ones have
said of lines that are the same. An edit ends the processes of the second and third, and what they find is dropped.
After the second, slices of functions are looked at as they stand: what an edit changes is told by what was said before.

Beside the first look, all is done in other processes, and the loop waits for none: what an editor asks or types next is
answered meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import ParamSpec, TypeVar

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from tnp_migrate import __version__
from tnp_migrate.program.config import ConfigError
from tnp_migrate.server.answers import Answer, answer_alone, answer_whole
from tnp_migrate.server.edited import Answered, answer_after_edit, answers_before, kept_beside
from tnp_migrate.server.jobs import JobFailed, end_all, make_ready, run_apart
from tnp_migrate.server.lines import lines_of
from tnp_migrate.server.positions import Protocol
from tnp_migrate.server.protocol import Client, actions_at, diagnostics_of, hover_at, without_edit
from tnp_migrate.server.remembered import Remembered, edit_between
from tnp_migrate.server.slices import slices_of_functions

REST = 0.03  # seconds without an edit before the edited lines are looked at
FILE_REST = 0.4  # before the file is
PROJECT_REST = 1.0  # and the project
MUCH = 100_000  # objects since the last collection: those of some dozens of edits
AT_ONCE = 12  # functions whose slices are looked at before they are edited, in one process
Task = asyncio.Task[None]
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(eq=False)
class Session:
    """What is known of the open documents and of the project around them, by URI.

    `texts` are the documents as they stand, `answers` what is shown of them, `bases` the last answers that came of all
    of a text; `narrow` and `wide` are what the looks at file and project have said last.
    """

    server: LanguageServer
    client: Client = field(default_factory=Client)
    roots: list[Path] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    bases: dict[str, Answer] = field(default_factory=dict)
    narrow: dict[str, Answer] = field(default_factory=dict)
    wide: dict[str, Answer] = field(default_factory=dict)
    remembered: dict[str, Remembered] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    slices: dict[str, Task] = field(default_factory=dict)
    files: dict[str, Task] = field(default_factory=dict)
    ahead: dict[str, Task] = field(default_factory=dict)
    project: Task | None = None
    ready: asyncio.Future[None] | None = None
    one_ahead: asyncio.Lock = field(default_factory=asyncio.Lock)
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    complained: set[str] = field(default_factory=set)
    answered: Answered = field(default_factory=Answered)

    def begun(self, roots: list[Path]) -> None:
        """Load what looks need, here and where processes come from."""
        self.roots = roots
        gc.disable()  # a collection takes as long as an answer: `collect`
        self.ready = asyncio.get_running_loop().run_in_executor(None, make_ready)
        self.thread.submit(import_module, "tnp_migrate.server.warm")

    def edited(self, uri: str, text: str, rest: float = FILE_REST) -> None:
        """Begin anew with a document; what was under way for it, and for the project, is vain."""
        self.texts[uri] = text
        _cancel(self.slices.pop(uri, None), self.files.pop(uri, None), self.ahead.pop(uri, None), self.project)
        base = self.bases.get(uri)
        if base is not None:
            self.slices[uri] = asyncio.ensure_future(self._look_at_slice(uri, base))
        self.files[uri] = asyncio.ensure_future(self._look_at_file(uri, rest))
        self.project = asyncio.ensure_future(self._look_at_project())

    def closed(self, uri: str) -> None:
        """Forget a document; what is said of the file is what the project says of it as it is saved."""
        _cancel(self.slices.pop(uri, None), self.files.pop(uri, None), self.ahead.pop(uri, None), self.project)
        for known in (self.texts, self.answers, self.bases, self.narrow, self.wide, self.remembered):
            known.pop(uri, None)
        self.shown.add(uri)
        self.project = asyncio.ensure_future(self._look_at_project())

    def ended(self) -> None:
        """End what is under way."""
        _cancel(*self.slices.values(), *self.files.values(), *self.ahead.values(), self.project)
        end_all()

    async def answer(self, uri: str, *, complete: bool = False) -> Answer | None:
        """What is said of a document as it stands now; where `complete`, by a look at all of it."""
        for task in (self.slices.get(uri), self.files.get(uri)):
            found = self.answers.get(uri)
            if found is not None and found.before == self.texts.get(uri) and (found.complete or not complete):
                return found
            if task is not None:
                await asyncio.wait([task])  # which may be cancelled by an edit, this request by the editor
        found = self.answers.get(uri)
        return found if found is not None and found.before == self.texts.get(uri) else None

    async def _look_at_slice(self, uri: str, base: Answer) -> None:
        await asyncio.sleep(REST)
        began, path, text = time.monotonic(), path_of(uri), self.texts[uri]
        loop = asyncio.get_running_loop()
        with contextlib.suppress(ConfigError):  # the look at the file says it
            answer = await loop.run_in_executor(self.thread, answer_after_edit, path, base, text, self.answered)
            known = self.answers.get(uri)
            if known is None or known.before != text or not known.complete:  # else of a wider look, sooner done
                self._show(uri, answer)
            self._note(f"edited lines of {path.name}", began)

    async def _look_at_file(self, uri: str, rest: float) -> None:
        await asyncio.sleep(rest)
        began, text, before = time.monotonic(), self.texts[uri], self.bases.get(uri)
        await self._look_behind(uri, text)
        alone = await self._apart(answer_alone, path_of(uri), text)
        if alone is None:
            return
        self._remember(uri, narrow=alone)
        wide = self.wide.get(uri)
        if wide is None or wide.before != text:  # else the project has been sooner looked at
            known = self.remembered.get(uri)
            self._show(uri, kept_beside(self.bases.get(uri), alone if known is None else known.corrected(alone)))
        self._note(f"file {path_of(uri).name}", began)
        self.thread.submit(collect)
        self._begin_ahead(uri, text, edit_between(before.lines if before else [], alone.lines).first)

    async def _look_behind(self, uri: str, text: str) -> None:
        """Look at a file alone as it was when the project was looked at, where an edit has ended that look.

        Else what the project knew better than the file is not known of the next text.
        """
        wide, known = self.wide.get(uri), self.remembered.get(uri)
        if wide is None or wide.before == text or not wide.parses:
            return
        if known is None or known.lines != tuple(wide.lines):
            self._remember(uri, narrow=await self._apart(answer_alone, path_of(uri), wide.before))

    def _begin_ahead(self, uri: str, text: str, line: int) -> None:
        self.ahead[uri] = asyncio.ensure_future(self._look_ahead(path_of(uri), text, line))

    async def _look_ahead(self, path: Path, text: str, line: int) -> None:
        """Look at each function as it stands, for the first edit of it: what lies near the last edit first."""
        async with self.one_ahead:
            began, parts = time.monotonic(), []
            for one in slices_of_functions(text, line):
                parts += [] if self.answered.knows(path, one) else [one]
                await asyncio.sleep(0)  # an edit is more urgent
            for number in range(0, len(parts), AT_ONCE):
                found = await self._apart(answers_before, path, parts[number : number + AT_ONCE])
                if found is None:
                    return
                self.answered.add(path, found)
            self._note(f"functions of {path.name}", began)

    async def _look_at_project(self) -> None:
        await asyncio.sleep(PROJECT_REST)
        began = time.monotonic()
        by_path = {path_of(uri): uri for uri in self.texts}
        roots = self.roots or sorted({path.parent for path in by_path})
        if not roots:
            return
        made = await self._apart(answer_whole, roots, {path: self.texts[uri] for path, uri in by_path.items()})
        if made is None:
            return
        found, others = made
        for path, answer in found.items():
            uri = by_path[path]
            self._remember(uri, wide=answer)
            self._show(uri, kept_beside(self.bases.get(uri), answer))
            await asyncio.sleep(0)  # an edit of the next is more urgent
        self._show_others({uris.from_fs_path(str(path)) or "": one for path, one in others.items()}, set(self.texts))
        self._note("project", began)

    def _remember(self, uri: str, *, narrow: Answer | None = None, wide: Answer | None = None) -> None:
        """Keep what a look has said; what file and project said of the same text corrects what is said of the next."""
        if narrow is not None:
            self.narrow[uri] = narrow
        if wide is not None:
            self.wide[uri] = wide
        of_file, of_project = self.narrow.get(uri), self.wide.get(uri)
        if of_file is None or of_project is None or of_file.before != of_project.before:
            return
        if of_file.parses:
            self.remembered[uri] = Remembered(tuple(of_file.lines), of_file.findings, of_project.findings)

    async def _apart(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T | None:
        """Call a function in another process; None where it fails, which is said."""
        if self.ready is not None:
            await asyncio.shield(self.ready)
        try:
            return await run_apart(function, *arguments, **named)
        except JobFailed as error:
            self._complain(str(error))
            return None

    def _show(self, uri: str, answer: Answer) -> None:
        self.answers[uri] = answer
        if answer.complete:
            self.bases[uri] = answer
        version = self.server.workspace.get_text_document(uri).version
        self._publish(uri, diagnostics_of(answer.findings, answer.lines, self.client.columns), version)

    def _show_others(self, found: dict[str, Answer], opened: set[str]) -> None:
        """Show what is said of files that are not open, and take back what is said no more."""
        for uri in self.shown - found.keys() - opened:
            self._publish(uri, [])
        self.shown = set(found)
        for uri, one in found.items():
            with contextlib.suppress(OSError, UnicodeDecodeError):
                lines = lines_of(path_of(uri).read_text("utf-8"))
                self._publish(uri, diagnostics_of(one.findings, lines, self.client.columns))

    def _publish(self, uri: str, diagnostics: Sequence[types.Diagnostic], version: int | None = None) -> None:
        told = types.PublishDiagnosticsParams(uri, list(diagnostics), version)
        self.server.text_document_publish_diagnostics(told)

    def _note(self, looked_at: str, began: float) -> None:
        """Say in the editor's log how long a look took, where it wants to be told."""
        if self.server.protocol.trace != types.TraceValue.Off:
            words = f"{looked_at}: {time.monotonic() - began:.2f} s"
            self.server.log_trace(types.LogTraceParams(words))

    def _complain(self, message: str) -> None:
        """Say once what is wrong with the settings, or with the project."""
        if message not in self.complained:
            self.complained.add(message)
            self.server.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"tnp-migrate: {message}"))


def collect() -> None:
    """Let go of garbage that holds itself, where there is much: after a look at a file, when nobody types."""
    if gc.get_count()[0] > MUCH:
        gc.collect()


def _cancel(*tasks: Task | None) -> None:
    for task in tasks:
        if task is not None:
            task.cancel()


def is_python(uri: str) -> bool:
    """Whether a document is a Python file on disk."""
    return uri.startswith("file:") and uri.endswith((".py", ".pyw"))


def path_of(uri: str) -> Path:
    """The path of a document."""
    return Path(uris.to_fs_path(uri) or uri)


def make_server() -> LanguageServer:
    """A server with its features; `start_io` runs it."""
    server = LanguageServer("tnp-migrate", __version__, protocol_cls=Protocol)
    session = Session(server)

    @server.feature(types.INITIALIZE)
    def told(parameters: types.InitializeParams) -> None:
        session.client = Client.of(parameters.capabilities, server.workspace.position_encoding)
        server.protocol.trace = parameters.trace or types.TraceValue.Off

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        folders = [path_of(one.uri) for one in server.workspace.folders.values()]
        root = server.workspace.root_path
        session.begun(folders or ([Path(root)] if root else []))

    @server.feature(types.SHUTDOWN)
    def ended(_: None) -> None:
        session.ended()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(parameters: types.DidOpenTextDocumentParams) -> None:
        if is_python(parameters.text_document.uri):
            session.edited(parameters.text_document.uri, parameters.text_document.text, rest=0.0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def edited(parameters: types.DidChangeTextDocumentParams) -> None:
        uri = parameters.text_document.uri
        if is_python(uri):
            session.edited(uri, server.workspace.get_text_document(uri).source)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(parameters: types.DidCloseTextDocumentParams) -> None:
        if is_python(parameters.text_document.uri):
            session.closed(parameters.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(parameters: types.HoverParams) -> types.Hover | None:
        answer = await session.answer(parameters.text_document.uri)
        return hover_at(answer, parameters.position.line + 1) if answer is not None else None

    kinds = [types.CodeActionKind.RefactorRewrite, types.CodeActionKind.QuickFix]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds, resolve_provider=True))
    async def actions(parameters: types.CodeActionParams) -> list[types.CodeAction]:
        uri, place = parameters.text_document.uri, parameters.range
        answer = await session.answer(uri, complete=True)
        if answer is None:
            return []
        made = actions_at(uri, answer, place.start.line + 1, place.end.line + 1, session.client)
        taken = [one for one in made if session.client.takes(one, parameters.context.only)]
        return [without_edit(one, parameters) for one in taken] if session.client.asks_for_edits else taken

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def chosen(action: types.CodeAction) -> types.CodeAction:
        first, last, uri = str(action.data).split(" ", 2)  # as `without_edit` has written it
        answer = await session.answer(uri, complete=True)
        made = actions_at(uri, answer, int(first), int(last), session.client) if answer is not None else ()
        return next((one for one in made if one.title == action.title and one.edit is not None), action)

    return server
