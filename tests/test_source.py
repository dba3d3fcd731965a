"""Bytes and spans: what is read comes back, what `ast` points at is what the span holds, nothing else is touched."""

from __future__ import annotations

import ast
import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tnp_migrate.text.source import Edit, Source, SourceError, Span, splice

FILES = {
    "empty": b"",
    "no newline at the end": b"x = 1",
    "UTF-8": 'résumé = "日本語 🎉"; y = résumé\n'.encode(),
    "CRLF": b"x = (1,\r\n     2)\r\ny = x\r\n",
    "lone CR": b"x = 1\ry = x\r",
    "mixed line ends": b"x = 1\r\ny = x\nz = y\rw = z\n",
    "form feed": b"x = 1\n\x0c\ndef f(a):\n    return a\n\x0cy = f(x)\n",
    "form feed inside a line": b"x = 1 \x0c+ 2\ny = x\n",
    "vertical tab and separators in a string": 'x = "\x0b\x1c\x1d\x85\u2028\u2029"; z = x\ny = x\n'.encode(),
    "byte order mark": codecs.BOM_UTF8 + b"x = 1\ny = x\n",
    "byte order mark and CRLF": codecs.BOM_UTF8 + b"# -*- coding: utf-8 -*-\r\nx = 1\r\n",
    "latin-1": "# -*- coding: latin-1 -*-\nx = 'é'; y = x\n".encode("latin-1"),
    "cp1252 with a smart quote": b"# coding: cp1252\nx = '\x93a\x94'; y = x\n",
    "UTF-8 declared": "# vim: set fileencoding=utf-8 :\nx = 'é'; y = x\n".encode(),
    "continuation line": b"x = 1 + \\\r\n    2\r\ny = x\r\n",
    "tabs": b"if True:\n\tx = 1\n\ty = x\n",
    "trailing blanks": b"x = 1   \n\n   \ny = x\t\n",
}


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_encoding_the_body_gives_the_file_back(data: bytes) -> None:
    source = Source("a.py", data)
    assert source.encode(source.body) == data


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_splice_without_edits_changes_nothing(data: bytes) -> None:
    source = Source("a.py", data)
    assert splice(source.body, []) == source.body


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_span_holds_the_text_of_its_node(data: bytes) -> None:
    source = Source("a.py", data)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Name):
            assert source.text(source.span(node)) == node.id
        elif isinstance(node, ast.Assign):
            assert source.text(source.span(node)).startswith(source.text(source.span(node.targets[0])))
            assert ast.dump(ast.parse(source.text(source.span(node))).body[0]) == ast.dump(node)


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_renaming_a_name_touches_its_bytes_only(data: bytes) -> None:
    source = Source("a.py", data)
    spans = [source.span(node) for node in ast.walk(source.tree) if isinstance(node, ast.Name) and node.id == "x"]
    changed = splice(source.body, [Edit(span, "renamed") for span in spans])
    assert len(changed) == len(source.body) + len(spans) * len("renamed") - len(spans)
    moved = Source("a.py", source.encode(changed))
    assert "x" not in {node.id for node in ast.walk(moved.tree) if isinstance(node, ast.Name)}
    assert moved.encoding == source.encoding
    assert moved.newline == source.newline


def test_body_of_latin_1_counts_in_utf_8() -> None:
    source = Source("a.py", FILES["latin-1"])
    assert source.encoding == "iso-8859-1"
    assert "x = 'é'; y = x".encode() in source.body


def test_place_counts_characters_not_bytes() -> None:
    source = Source("a.py", 'a = "日本"; b = a\n'.encode())
    names = {node.id: source.span(node) for node in ast.walk(source.tree) if isinstance(node, ast.Name)}
    assert source.place(names["b"].start) == (1, 11)


def test_place_after_a_form_feed_and_crlf() -> None:
    source = Source("a.py", b"\x0cx = 1\r\n\r\ny = x\r\n")
    assert source.place(source.body.index(b"y")) == (3, 1)
    assert source.lines == ["\x0cx = 1", "", "y = x", ""]


@pytest.mark.parametrize(("data", "newline"), [(b"", "\n"), (b"x\n", "\n"), (b"x\r\ny\n", "\r\n"), (b"x\ry\n", "\r")])
def test_newline_is_the_first_line_end(data: bytes, newline: str) -> None:
    assert Source("a.py", data).newline == newline


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        pytest.param(b"x = 1\ny = \xff\n", "TNP902", 2, id="not UTF-8"),
        pytest.param(b"# coding: klingon\nx = 1\n", "TNP902", 1, id="unknown encoding"),
        pytest.param(codecs.BOM_UTF8 + b"# coding: latin-1\nx = 1\n", "TNP902", 1, id="mark against declaration"),
        pytest.param(b"x = 1\ny = (\n", "TNP901", 2, id="syntax error"),
        pytest.param(b"x = 1\n\x00\n", "TNP901", 1, id="null byte"),
        pytest.param(b"x = 1\nprint x\n", "TNP909", 2, id="Python 2 print"),
        pytest.param(b"try:\n    f()\nexcept ValueError, e:\n    pass\n", "TNP909", 3, id="Python 2 except"),
        pytest.param(b"try:\n    f()\nexcept ValueError, TypeError:\n    pass\n", "TNP901", 3, id="Python 3.14 except"),
        pytest.param(b"x = " + b"(" * 5000 + b")" * 5000, "TNP908", 1, id="too deep"),
    ],
)
def test_source_that_cannot_be_read_says_why(data: bytes, code: str, line: int) -> None:
    source = Source("a.py", data)
    with pytest.raises(SourceError) as raised:
        source.tree  # noqa: B018
    assert (raised.value.code, raised.value.line) == (code, line)


def test_odd_escapes_in_user_code_do_not_warn() -> None:
    assert Source("a.py", b'x = "\\d"\nassert (x, "always")\n').tree.body


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        pytest.param([(0, 1, "X")], b"Xbcdef", id="one"),
        pytest.param([(4, 6, ""), (0, 2, "xyz")], b"xyzcd", id="given out of order"),
        pytest.param([(2, 4, "X"), (4, 6, "Y")], b"abXY", id="side by side"),
        pytest.param([(3, 3, "1"), (3, 3, "2")], b"abc12def", id="insertions keep their order"),
        pytest.param([(3, 3, "1"), (3, 4, "D")], b"abc1Def", id="insertion before a replacement"),
        pytest.param([(6, 6, "é")], "abcdefé".encode(), id="at the end"),
    ],
)
def test_splice_applies_edits(edits: list[tuple[int, int, str]], expected: bytes) -> None:
    assert splice(b"abcdef", [Edit(Span(start, end), text) for start, end, text in edits]) == expected


@pytest.mark.parametrize("second", [Span(1, 3), Span(2, 3), Span(0, 4), Span(1, 1)])
def test_splice_refuses_overlaps(second: Span) -> None:
    with pytest.raises(ValueError, match="overlap"):
        splice(b"abcdef", [Edit(Span(0, 3), "x"), Edit(second, "y")])


@given(body=st.text(max_size=60), data=st.data())
def test_splice_keeps_bytes_outside_spans(body: str, data: st.DataObject) -> None:
    raw = body.encode()
    marks = data.draw(st.lists(st.integers(0, len(raw)), max_size=8).map(sorted))
    spans = [Span(start, end) for start, end in zip(marks[::2], marks[1::2], strict=False)]
    texts = [data.draw(st.text(max_size=5)) for _ in spans]
    edits = [Edit(span, text) for span, text in zip(spans, texts, strict=True)]
    changed = splice(raw, data.draw(st.permutations(edits)) if len(set(spans)) == len(spans) else edits)
    reached, position = 0, 0
    for span, text in zip(spans, texts, strict=True):
        kept = raw[reached : span.start]
        assert changed[position : position + len(kept)] == kept
        position += len(kept)
        assert changed[position : position + len(text.encode())] == text.encode()
        position += len(text.encode())
        reached = span.end
    assert changed[position:] == raw[reached:]


@given(st.text(alphabet="ab\r\n\x0c\x0b\x85\u2028é", max_size=40))
def test_lines_end_where_python_ends_them(text: str) -> None:
    source = Source("a.py", text.encode())
    assert len(source.lines) == len(source.line_starts)
    assert source.lines == text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for offset in range(len(source.body) + 1):
        line, _ = source.place(offset)
        assert source.line_starts[line - 1] <= offset
