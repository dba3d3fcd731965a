"""Files that are not Python: the expected reference stands on its own line, after `#` and the comment sign."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tnp_migrate.diagnostics.findings import CODES
from tnp_migrate.program.foreign import scan
from tnp_migrate.text.file_kinds import is_foreign

INPUTS = Path(__file__).with_name("foreign")
EXPECTED = re.compile(r"(?P<mark>[ ]*(?://#|##|!#) )(?P<symbol>.*)$")
CODES_OF = {
    ".c": "TNP401",
    ".cpp": "TNP401",
    ".pyx": "TNP402",
    ".i": "TNP403",
    ".pyf": "TNP404",
    ".f90": "TNP404",
    ".f": "TNP404",
    ".build": "TNP405",
    ".txt": "TNP405",
}


def inputs() -> list[Path]:
    """All input files."""
    return sorted(path for path in INPUTS.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", inputs(), ids=lambda path: path.relative_to(INPUTS).as_posix())
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_lines_that_refer_to_numpy(path: Path, newline: str) -> None:
    expected, lines = {}, []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        found = EXPECTED.search(line)
        if found:
            expected[number] = found["symbol"]
        lines.append(line[: found.start()] if found else line)
    findings = scan(path.name, newline.join(lines).encode())
    assert is_foreign(path.name)
    assert {finding.line: finding.symbol for finding in findings} == expected
    assert len(findings) == len(expected)
    for finding in findings:
        assert finding.code == CODES_OF[path.suffix]
        assert finding.code in CODES
        covered = lines[finding.line - 1][finding.column - 1 : finding.end_column - 1]
        assert " ".join(covered.split()) == finding.symbol
        assert finding.end_line == finding.line
        assert f"`{finding.symbol}`" in finding.message


def test_inputs_hold_files_without_a_reference() -> None:
    assert scan("plain.c", (INPUTS / "plain.c").read_bytes()) == []
    assert scan("counter.pyx", (INPUTS / "counter.pyx").read_bytes()) == []


@pytest.mark.parametrize("name", ["a.py", "a.txt", "a.ipy", "Makefile", "a", "numpy"])
def test_other_files_are_not_foreign(name: str) -> None:
    assert not is_foreign(name)
    assert scan(name, b"#include <numpy/arrayobject.h>\n") == []


@pytest.mark.parametrize("name", ["a.C", "a.H", "dir/b.CPP", "CMakeLists.txt", "meson.build", "x.F90"])
def test_case_of_the_name_does_not_matter(name: str) -> None:
    assert is_foreign(name)


def test_columns_count_characters() -> None:
    found = scan("a.c", "int größe = NPY_MAXDIMS;".encode())
    assert [(finding.line, finding.column, finding.end_column) for finding in found] == [(1, 13, 24)]


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00npy_intp", b"/* PyArray_DATA", b'"npy_intp', b"'''npy_intp"])
@pytest.mark.parametrize("name", ["a.c", "a.pyx", "a.i", "a.f90", "meson.build"])
def test_odd_bytes_do_no_harm(name: str, data: bytes) -> None:
    assert len(scan(name, data)) <= 1


def test_cost_is_linear_in_the_file() -> None:
    line = b'static double x = 1.0; /* "open */ char *s = "a\\"b";\n'
    assert scan("a.c", b"#include <numpy/arrayobject.h>\n" + line * 50_000 + b"npy_intp n;\n")[-1].line == 50_002
