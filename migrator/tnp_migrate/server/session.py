"""The language server: documents as they are typed in, diagnostics, hover and code actions out.

After an edit a short rest is waited for; then the file is looked at alone, in a thread, and what is found is shown.
After a longer rest a process looks at the project. A new edit ends both: the process is killed, the thread's answer
dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from tnp_migrate import __version__
from tnp_migrate.program.config import ConfigError
from tnp_migrate.server.answers import Answer, Remembered, answer_alone
from tnp_migrate.server.project_run import ProjectFailed, look_at_project
from tnp_migrate.server.protocol import actions_at, diagnostics_of, hover_at

REST = 0.12  # seconds without an edit before the file is looked at
LONG_REST = 0.8  # and the project


@dataclass(eq=False)
class Session:
    """What is known of the open documents and of the project around them, by URI."""

    server: LanguageServer
    roots: list[Path] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    remembered: dict[str, Remembered] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    project: asyncio.Task[None] | None = None
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    complained: set[str] = field(default_factory=set)

    def edited(self, uri: str, *, rest: float = REST) -> None:
        """Begin anew with a document; what was under way for it, and for the project, is vain."""
        for task in (self.tasks.pop(uri, None), self.project):
            if task is not None:
                task.cancel()
        self.tasks[uri] = asyncio.ensure_future(self._look_at_file(uri, rest))
        self.project = asyncio.ensure_future(self._look_at_project())

    def closed(self, uri: str) -> None:
        """Forget a document."""
        task = self.tasks.pop(uri, None)
        if task is not None:
            task.cancel()
        self.answers.pop(uri, None)
        self.remembered.pop(uri, None)

    async def answer(self, uri: str) -> Answer | None:
        """What is said of a document as it stands now."""
        task = self.tasks.get(uri)
        if task is not None and not task.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.shield(task)
        found = self.answers.get(uri)
        return found if found is not None and found.before == self._text(uri) else None

    def _text(self, uri: str) -> str:
        return self.server.workspace.get_text_document(uri).source

    async def _look_at_file(self, uri: str, rest: float) -> None:
        await asyncio.sleep(rest)
        path, text = path_of(uri), self._text(uri)
        loop = asyncio.get_running_loop()
        try:
            alone = await loop.run_in_executor(self.thread, answer_alone, path, text)
        except ConfigError as error:
            self._complain(str(error))
            return
        if self._text(uri) == text:
            self._show(uri, self.remembered.get(uri, Remembered()).applied_to(alone))

    async def _look_at_project(self) -> None:
        await asyncio.sleep(LONG_REST)
        documents = self.server.workspace.text_documents
        texts = {uri: one.source for uri, one in documents.items() if is_python(uri)}
        if not texts:
            return
        by_path = {path_of(uri): uri for uri in texts}
        roots = self.roots or sorted({path.parent for path in by_path})
        try:
            found, others = await look_at_project(roots, {path: texts[uri] for path, uri in by_path.items()})
        except ProjectFailed as error:
            self._complain(str(error))
            return
        loop = asyncio.get_running_loop()
        for path, answer in found.items():
            uri = by_path[path]
            alone = await loop.run_in_executor(self.thread, answer_alone, path, answer.before)
            self.remembered[uri] = Remembered(tuple(answer.lines), alone.findings, answer.findings)
            if self._text(uri) == answer.before:
                self._show(uri, answer)
        self._show_others({uris.from_fs_path(str(path)) or "": one for path, one in others.items()}, set(texts))

    def _show(self, uri: str, answer: Answer) -> None:
        self.answers[uri] = answer
        self._publish(uri, diagnostics_of(answer.findings, answer.lines))

    def _show_others(self, found: dict[str, Answer], opened: set[str]) -> None:
        """Show what is said of files that are not open, and take back what is said no more."""
        for uri in self.shown - found.keys() - opened:
            self._publish(uri, [])
        self.shown = set(found)
        for uri, one in found.items():
            with contextlib.suppress(OSError, UnicodeDecodeError):
                self._publish(uri, diagnostics_of(one.findings, path_of(uri).read_text("utf-8").splitlines()))

    def _publish(self, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, list(diagnostics)))

    def _complain(self, message: str) -> None:
        """Say once what is wrong with the settings, or with the project."""
        if message not in self.complained:
            self.complained.add(message)
            self.server.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"tnp-migrate: {message}"))


def is_python(uri: str) -> bool:
    """Whether a document is a Python file on disk."""
    return uri.startswith("file:") and uri.endswith((".py", ".pyw"))


def path_of(uri: str) -> Path:
    """The path of a document."""
    return Path(uris.to_fs_path(uri) or uri)


def make_server() -> LanguageServer:
    """A server with its features; `start_io` runs it."""
    server = LanguageServer("tnp-migrate", __version__)
    session = Session(server)

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        folders = [path_of(one.uri) for one in server.workspace.folders.values()]
        root = server.workspace.root_path
        session.roots = folders or ([Path(root)] if root else [])

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(parameters: types.DidOpenTextDocumentParams) -> None:
        if is_python(parameters.text_document.uri):
            session.edited(parameters.text_document.uri, rest=0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(parameters: types.DidChangeTextDocumentParams) -> None:
        if is_python(parameters.text_document.uri):
            session.edited(parameters.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(parameters: types.DidCloseTextDocumentParams) -> None:
        session.closed(parameters.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(parameters: types.HoverParams) -> types.Hover | None:
        answer = await session.answer(parameters.text_document.uri)
        return hover_at(answer, parameters.position.line + 1) if answer is not None else None

    kinds = [types.CodeActionKind.RefactorRewrite, types.CodeActionKind.QuickFix]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds))
    async def actions(parameters: types.CodeActionParams) -> list[types.CodeAction]:
        uri, place = parameters.text_document.uri, parameters.range
        answer = await session.answer(uri)
        return [] if answer is None else list(actions_at(uri, answer, place.start.line + 1, place.end.line + 1))

    return server
