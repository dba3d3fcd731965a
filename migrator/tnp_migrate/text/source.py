"""A file as bytes, and edits of it: nothing outside an edit's span ever changes."""

from __future__ import annotations

import ast
import bisect
import codecs
import io
import re
import tokenize
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

_NEWLINE = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True, order=True)
class Span:
    """A half-open range of UTF-8 bytes of a source's body."""

    start: int
    end: int


@dataclass(frozen=True)
class Edit:
    """Put `text` where `span` is."""

    span: Span
    text: str


class SourceError(Exception):
    """Input that cannot be worked on: `code` is its diagnostic, `line` and `column` where, if known."""

    def __init__(self, code: str, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line
        self.column = column


@dataclass(frozen=True, eq=False)
class Origin:
    """Where the bytes of a rewritten text stood: `kept` are spans of the old text, by where they start in the new."""

    source: Source
    starts: tuple[int, ...]
    kept: tuple[Span, ...]

    def back(self, offset: int) -> int:
        """The byte of the old text that a byte of the new one was, or that stood before it."""
        position = bisect.bisect_right(self.starts, offset) - 1
        if position < 0:
            return 0
        span = self.kept[position]
        return min(span.start + offset - self.starts[position], span.end)

    def was(self, span: Span) -> Span | None:
        """The span of the old text that a span of the new one was; None for new text."""
        position = bisect.bisect_right(self.starts, span.start) - 1
        if position < 0:
            return None
        old = self.kept[position]
        start = old.start + span.start - self.starts[position]
        return Span(start, start + span.end - span.start) if start + span.end - span.start <= old.end else None


@dataclass(frozen=True, eq=False)
class Source:
    """A Python file: its path as shown to the user, and its bytes exactly as read."""

    path: str
    data: bytes
    location: Path | None = field(default=None)
    origin: Origin | None = field(default=None)  # where the text came from, if it is not the user's own
    made: dict[tuple[str | Span, ...], Source] = field(default_factory=dict, repr=False)  # texts made of this one

    @cached_property
    def encoding(self) -> str:
        """The declared encoding; UTF-8 when none is declared."""
        try:
            name, _ = tokenize.detect_encoding(io.BytesIO(self.data).readline)
        except SyntaxError as error:
            raise SourceError("TNP902", f"cannot be decoded: {error}") from error
        return "utf-8" if name == "utf-8-sig" else name

    @cached_property
    def mark(self) -> bytes:
        """The byte order mark, if the file starts with one."""
        return codecs.BOM_UTF8 if self.data.startswith(codecs.BOM_UTF8) else b""

    @cached_property
    def body(self) -> bytes:
        """The file as UTF-8 without its byte order mark: what spans count in."""
        content = self.data[len(self.mark) :]
        try:
            text = content.decode(self.encoding)
        except (UnicodeDecodeError, LookupError) as error:
            position = getattr(error, "start", 0)
            line = content.count(b"\n", 0, position) + 1
            raise SourceError("TNP902", f"cannot be decoded as {self.encoding}: {error}", line) from error
        return content if self.encoding == "utf-8" else text.encode()

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed module. Odd escapes in user code warn on parsing; they are the user's business."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return ast.parse(self.body.decode())  # as text, so that a declared encoding is not applied again
            except SyntaxError as error:
                raise self._not_python(error) from error
            except (RecursionError, MemoryError) as error:
                raise SourceError("TNP908", "is nested too deeply to be parsed") from error
            except ValueError as error:  # null bytes, before Python 3.12
                raise SourceError("TNP901", f"does not parse: {error}") from error

    def _not_python(self, error: SyntaxError) -> SourceError:
        line, column = error.lineno or 1, max(error.offset or 1, 1)
        lines = self.lines
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        if re.match(r"\s*(print\s+[^(=]|exec\s+['\"]|raise\s+\w+\s*,|except\s+[\w.]+\s*,\s*[a-z_]\w*\s*:)", text):
            return SourceError("TNP909", f"is Python 2 code: {error.msg}", line, column)
        if "too many nested" in (error.msg or ""):
            return SourceError("TNP908", f"is nested too deeply to be parsed: {error.msg}", line, column)
        return SourceError("TNP901", f"does not parse: {error.msg}", line, column)

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the file as text, without their ends."""
        return [line.decode(errors="replace") for line in _NEWLINE.split(self.body)]

    @cached_property
    def newline(self) -> str:
        """The line end that the file uses first."""
        found = _NEWLINE.search(self.body)
        return found.group().decode() if found else "\n"

    @cached_property
    def line_starts(self) -> list[int]:
        """The byte at which each line starts."""
        return [0, *(found.end() for found in _NEWLINE.finditer(self.body))]

    def offset(self, line: int, column: int) -> int:
        """The byte of a place as `ast` gives it: line from 1, column in bytes from 0."""
        return self.line_starts[line - 1] + column

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias) -> Span:
        """The bytes of a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return Span(self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset))

    def text(self, span: Span) -> str:
        """The text of a span."""
        return self.body[span.start : span.end].decode()

    def is_bare(self, node: ast.Tuple) -> bool:
        """Whether a tuple is written without parentheses of its own, as in `a[i, j]`."""
        call = ast.parse(f"_({self.text(self.span(node))})", mode="eval").body
        return isinstance(call, ast.Call) and len(call.args) != 1

    @property
    def first(self) -> Source:
        """The user's own text, by whose lines findings are."""
        return self if self.origin is None else self.origin.source

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte in the user's file, both from 1, the column in characters."""
        if self.origin is not None:
            return self.origin.source.place(self.origin.back(offset))
        line = bisect.bisect_right(self.line_starts, offset)
        return line, len(self.body[self.line_starts[line - 1] : offset].decode(errors="replace")) + 1

    def encode(self, body: bytes) -> bytes:
        """Turn a body back into the bytes of a file: the reverse of `body`."""
        if self.encoding == "utf-8":
            return self.mark + body
        return self.mark + body.decode().encode(self.encoding)


def splice(body: bytes, edits: Iterable[Edit]) -> bytes:
    """Apply edits that do not overlap. Insertions at one byte keep the order in which they are given."""
    pieces, reached = [], 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if edit.span.start < reached:
            raise ValueError(f"edits overlap at byte {edit.span.start}")
        pieces += [body[reached : edit.span.start], edit.text.encode()]
        reached = edit.span.end
    return b"".join([*pieces, body[reached:]])
