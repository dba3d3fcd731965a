"""Notebooks for tests, written as different programs write them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def cell(source: str, number: int = 0, kind: str = "code", *, listed: bool = True) -> dict[str, Any]:
    """One cell with a place for everything that has to stay."""
    found: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {"tags": ["é\u2028", str(number)]}}
    if kind == "code":
        text = {"name": "stdout", "output_type": "stream", "text": ["source\n", '"source": ["x"]']}
        found |= {"execution_count": number, "outputs": [text]}
    found["source"] = source.splitlines(keepends=True) if listed else source
    return found


def notebook(*sources: str, indent: int | None = 1, end: str = "\n") -> bytes:
    """A notebook of code cells as nbformat writes it; a source that begins with `text:` is one of Markdown."""
    cells = [
        cell(one.removeprefix("text:"), number, "markdown" if one.startswith("text:") else "code")
        for number, one in enumerate(sources, 1)
    ]
    document = {"cells": cells, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(document, indent=indent, ensure_ascii=False) + end).encode()


def sources(data: bytes) -> list[str]:
    """The sources of all cells."""
    return ["".join(one["source"]) for one in json.loads(data)["cells"]]


LINES = st.sampled_from(
    [
        *[
            "x = 1",
            "",
            "é = 'ü\\n\"'",
            "# text",
            "%matplotlib inline",
            "!ls {x}",
            "f = !ls",
            "x?",
            "if x:",
            "    y = 2",
        ],
        *["%time z = x", "%%timeit", "'''", "(", ")", "\t", "%%bash", "print 'x'", "\\", "!echo \\", "await f()", "\f"],
    ]
)


@st.composite
def any_notebook(draw: st.DrawFn, lines: st.SearchStrategy[str] = LINES) -> tuple[bytes, Sequence[str]]:
    """A notebook with its sources, in one of the ways in which JSON can be written."""
    texts = draw(st.lists(st.lists(lines, max_size=5).map("\n".join), max_size=5))
    cells = [
        cell(text, number, draw(st.sampled_from(["code", "code", "markdown"])), listed=draw(st.booleans()))
        for number, text in enumerate(texts)
    ]
    cells = [dict(draw(st.permutations(list(one.items())))) for one in cells]
    document = {"nbformat": 4, "metadata": draw(st.sampled_from([{}, KERNEL])), "cells": cells, "nbformat_minor": 5}
    indent = draw(st.sampled_from([None, 0, 1, 4, "\t"]))
    separators = draw(st.sampled_from([None, (",", ":"), (" , ", " : ")]))
    text = json.dumps(document, indent=indent, separators=separators, ensure_ascii=draw(st.booleans()))
    end = draw(st.sampled_from(["", "\n", "\r\n", " \n\n"]))
    return (text + end).encode(), texts
