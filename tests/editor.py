"""A client of the language server over standard input and output, as editors are."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

ROOT = Path(__file__).parent.parent


class Editor(LanguageClient):
    """A client that keeps what it is told, and applies edits to documents as an editor does."""

    capabilities = types.ClientCapabilities(
        types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(
                document_changes=True, resource_operations=[types.ResourceOperationKind.Create]
            )
        ),
        text_document=types.TextDocumentClientCapabilities(
            code_action=types.CodeActionClientCapabilities(disabled_support=True)
        ),
    )

    def __init__(self, folder: Path) -> None:
        super().__init__("editor", "1")
        self.folder = folder
        self.told: dict[str, list[types.Diagnostic]] = {}
        self.news = asyncio.Event()
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(parameters: types.PublishDiagnosticsParams) -> None:
            self.hear(parameters)

    def hear(self, told: types.PublishDiagnosticsParams) -> None:
        self.told[told.uri] = list(told.diagnostics)
        self.news.set()

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    async def begin(self) -> None:
        around = dict(os.environ, PYTHONPATH=os.pathsep.join(str(ROOT / one) for one in ("migrator", "rules")))
        await self.start_io(sys.executable, "-m", "tnp_migrate", "server", env=around)
        folders = [types.WorkspaceFolder(self.folder.as_uri(), "project")]
        parameters = types.InitializeParams(self.capabilities, workspace_folders=folders)
        found = await self.initialize_async(parameters)
        assert found.capabilities.hover_provider
        self.initialized(types.InitializedParams())

    def open(self, name: str) -> None:
        uri = self.uri(name)
        self.texts[uri], self.versions[uri] = (self.folder / name).read_text(), 1
        document = types.TextDocumentItem(uri, "python", 1, self.texts[uri])
        self.text_document_did_open(types.DidOpenTextDocumentParams(document))

    def type(self, name: str, text: str) -> None:
        uri = self.uri(name)
        self.texts[uri] = text
        self.versions[uri] += 1
        self.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.versions[uri], uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def until(self, name: str, wanted: Callable[[list[str]], bool]) -> list[str]:
        """Wait until the codes that are shown of a file are as wanted."""
        async with asyncio.timeout(60):
            while not wanted(codes := [str(one.code) for one in self.told.get(self.uri(name), [])]):
                self.news.clear()
                await self.news.wait()
        return codes

    async def actions(self, name: str, line: int) -> dict[str, types.CodeAction]:
        place = types.Range(types.Position(line - 1, 4), types.Position(line - 1, 4))
        found = await self.text_document_code_action_async(
            types.CodeActionParams(types.TextDocumentIdentifier(self.uri(name)), place, types.CodeActionContext([]))
        )
        return {
            one.title.removeprefix("tnp-migrate: "): one for one in found or [] if isinstance(one, types.CodeAction)
        }

    async def hover(self, name: str, line: int) -> str:
        found = await self.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(self.uri(name)), types.Position(line - 1, 9))
        )
        return found.contents.value if found and isinstance(found.contents, types.MarkupContent) else ""

    def applied(self, name: str, action: types.CodeAction) -> str:
        """The text of a document after an edit; other files are written."""
        assert action.edit is not None
        for one in action.edit.document_changes or ():
            if not isinstance(one, types.TextDocumentEdit):
                continue
            uri = one.text_document.uri
            lines = self.texts.get(uri, "").splitlines(keepends=True)
            for edit in sorted(one.edits, key=lambda edit: edit.range.start.line, reverse=True):  # type: ignore[union-attr]
                lines[edit.range.start.line : edit.range.end.line] = [edit.new_text]  # type: ignore[union-attr]
            if uri == self.uri(name):
                return "".join(lines)
            self.write(uri, "".join(lines))
        raise AssertionError("nothing changes the document")

    def write(self, uri: str, text: str) -> None:
        """Write a file that is not open."""
        (self.folder / Path(uri).name).write_text(text)


def with_editor(folder: Path, session: Callable[[Editor], Awaitable[None]], kind: type[Editor] = Editor) -> None:
    """Have a session of an editor with the server."""

    async def run() -> None:
        editor = kind(folder)
        await editor.begin()
        try:
            await session(editor)
        finally:
            await editor.shutdown_async(None)
            editor.exit(None)
            await editor.stop()

    asyncio.run(run())
