"""Columns as the protocol counts them, in units of an encoding that editor and server agree on; texts as one types."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol, lsp_method

from tnp_migrate.server.lines import whole_lines_of

_CODECS = {
    types.PositionEncodingKind.Utf8: ("utf-8", 1),
    types.PositionEncodingKind.Utf16: ("utf-16-le", 2),
    types.PositionEncodingKind.Utf32: ("utf-32-le", 4),
}


@dataclass(frozen=True)
class Columns:
    """How columns are counted: `encoding` is the name of the protocol, UTF-16 where it is none of its three."""

    encoding: str = types.PositionEncodingKind.Utf16

    @cached_property
    def _codec(self) -> tuple[str, int]:
        return next((codec for kind, codec in _CODECS.items() if kind == self.encoding), ("utf-16-le", 2))

    def width(self, text: str) -> int:
        """The units of a text."""
        codec, size = self._codec
        return len(text) if text.isascii() else len(text.encode(codec, "surrogatepass")) // size

    def index(self, line: str, column: int) -> int:
        """The character at a column of a line; its end where the line is shorter."""
        codec, size = self._codec
        if line.isascii():
            return min(column, len(line))
        return len(line.encode(codec, "surrogatepass")[: column * size].decode(codec, "ignore"))


def changed(text: str, change: types.TextDocumentContentChangeEvent, columns: Columns) -> str:
    """A text after a change of a part of it, or of all."""
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return change.text
    lines = [*whole_lines_of(text), ""]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def offset(place: types.Position) -> int:
        if place.line >= len(lines):
            return len(text)
        line = lines[place.line].rstrip("\r\n")
        return starts[place.line] + columns.index(line, place.character)

    return text[: offset(change.range.start)] + change.text + text[offset(change.range.end) :]


class Protocol(LanguageServerProtocol):
    """The protocol as pygls has it, but for where changes of a document go.

    pygls ends lines at form feeds and other signs as well, as editors do not.
    """

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Keep the document as it stands now, and call the feature."""
        text = self.workspace.get_text_document(params.text_document.uri).source
        columns = Columns(self.workspace.position_encoding or types.PositionEncodingKind.Utf16)
        for one in params.content_changes:
            text = changed(text, one, columns)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        yield from super().lsp_text_document__did_change(
            types.DidChangeTextDocumentParams(params.text_document, [whole])
        )
