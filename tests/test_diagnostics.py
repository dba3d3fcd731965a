"""The registry of diagnostics, and the pages that are made from it."""

from __future__ import annotations

import ast
import dataclasses
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tnp_migrate.diagnostics.explain import explain
from tnp_migrate.diagnostics.findings import CODES, NOT_REPORTED, Code, Finding, with_fingerprints
from tnp_migrate.program.config import Config
from tnp_migrate.project import migrate_text, report_of
from tnp_migrate.reports.docs_pages import HUNDREDS, anchor, pages

ROOT = Path(__file__).parent.parent
MIGRATOR = ROOT / "migrator"
SEVERITY = {"1": "info", "2": "warning", "3": "warning", "4": "error", "5": "info", "6": "error", "9": "error"}
NEVER_REMOVED = [*range(101, 113), *range(201, 216), *range(301, 312), *range(401, 427), *range(501, 506)]
NEVER_REMOVED += range(901, 913)

each_code = pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.number)


def test_codes_keeps_every_number_ever_given() -> None:
    assert {f"TNP{number}" for number in NEVER_REMOVED} <= set(CODES)


def test_codes_are_in_order_and_titles_differ() -> None:
    assert list(CODES) == sorted(CODES)
    assert len({code.title for code in CODES.values()}) == len(CODES)


def test_codes_are_each_entered_once() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (MIGRATOR / "tnp_migrate/diagnostics/codes").glob("*.py")]
    entered = re.findall(r'^        "(TNP\d{3})",$', "\n".join(texts), re.MULTILINE)
    assert sorted(entered) == sorted(CODES)


@each_code
def test_code_is_complete(code: Code) -> None:
    assert re.fullmatch(r"TNP\d{3}", code.number)
    assert code.severity == SEVERITY[code.number[3]]
    assert not [field.name for field in dataclasses.fields(code) if not getattr(code, field.name).strip()]
    for sentence in (code.meaning, code.why, code.advice):
        assert sentence[-1] in ".)"
        assert "  " not in sentence
    assert not code.title.endswith(".")
    assert "|" not in code.title


@each_code
@pytest.mark.parametrize("side", ["before", "after"])
def test_code_examples_are_python(code: Code, side: str) -> None:
    text = getattr(code, side)
    ast.parse(text)
    assert text.endswith("\n")
    assert max(map(len, text.splitlines())) <= 88


@each_code
def test_explain_shows_every_field(code: Code) -> None:
    text = explain(code.number.lower())
    assert text.startswith(f"# {code.number}: {code.title}\n")
    for part in (code.meaning, code.why, code.before, code.after, code.advice, code.severity, code.effort):
        assert part in text
    assert (f"tnp: ignore[{code.number}]" in text) == (not code.number.startswith("TNP9"))


def test_explain_says_which_codes_there_are_when_it_is_none() -> None:
    with pytest.raises(ValueError, match=r"no diagnostic 'TNP299'; there are TNP201 to TNP215"):
        explain("TNP299")


def test_docs_are_what_the_registry_says() -> None:
    docs = ROOT / "docs"
    written = {
        path.relative_to(docs).as_posix(): path.read_text(encoding="utf-8") for path in docs.glob("diagnostics/*")
    }
    written["diagnostics.md"] = (docs / "diagnostics.md").read_text(encoding="utf-8")
    assert written == pages(), "run: python -m tnp_migrate.reports.docs_pages docs"


def test_docs_have_each_code_once_and_no_other() -> None:
    text = "\n".join(pages().values())
    assert sorted(re.findall(r"^## (TNP\d{3}):", text, re.MULTILINE)) == list(CODES)
    assert set(re.findall(r"TNP\d{3}", text)) == set(CODES)
    assert set(HUNDREDS) == {number[3] for number in CODES}


def test_docs_index_links_to_headings_that_exist() -> None:
    written = pages()
    links = re.findall(r"\]\((diagnostics/\w+\.md)#([^)]+)\)", written["diagnostics.md"])
    assert len(links) == len(CODES)
    for page, target in links:
        headings = re.findall(r"^## (.+)$", written[page], re.MULTILINE)
        assert target in [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    assert anchor(CODES["TNP304"]) == "tnp304-array-compared-with-none-by-"


def test_codes_used_by_the_translator_exist() -> None:
    texts = [path.read_text(encoding="utf-8") for path in MIGRATOR.rglob("*.py")]
    assert set(re.findall(r"TNP\d{3}", "\n".join(texts))) - set(CODES) == set()


@pytest.mark.parametrize("code", ["TNP301", "TNP302", "TNP306", "TNP308", "TNP310", "TNP316", "TNP501"])
def test_examples_of_mutation_are_what_the_tool_writes(code: str) -> None:
    before = f"import numpy as np\n\n\n{CODES[code].before}"
    project = migrate_text(before.encode(), Config())
    assert project.outputs[Path("-")].decode().endswith(f"\n\n{CODES[code].after}")
    assert code in {finding.code for finding in report_of(project).findings}


def test_codes_that_nothing_reports_say_so() -> None:
    texts = [path.read_text(encoding="utf-8") for path in MIGRATOR.rglob("*.py") if path.parent.name != "codes"]
    assert set(CODES) - set(re.findall(r"TNP\d{3}", "\n".join(texts))) == NOT_REPORTED
    for code in CODES:
        assert ("does not report it yet" in explain(code)) == (code in NOT_REPORTED)


def test_fingerprints_survive_moved_lines_and_tell_twins_apart() -> None:
    def at(line: int) -> Finding:
        return Finding("TNP201", "a.py", line, 5, line, 9, "message", "numpy.f")

    first = with_fingerprints([at(1), at(2)], "a.py", ["y = np.f(x)", "  y = np.f(x)"])
    moved = with_fingerprints([at(3), at(4)], "a.py", ["", "", "y = np.f(x)", "y = np.f(x)"])
    assert [one.fingerprint for one in first] == [one.fingerprint for one in moved]
    assert first[0].fingerprint != first[1].fingerprint
    assert with_fingerprints([at(9)], "a.py", [])[0].fingerprint


@pytest.mark.parametrize(
    "line", ["y  =  np.f(x)", "y = np.f(x)  # tnp: ignore[TNP102] seen", "y = np.f(x) // tnp:ignore"]
)
def test_fingerprints_ignore_blanks_and_suppressions(line: str) -> None:
    finding = Finding("TNP201", "a.py", 1, 5, 1, 9, "message", "numpy.f")
    plain, written = (with_fingerprints([finding], "a.py", [text])[0].fingerprint for text in ("y = np.f(x)", line))
    assert written == plain
    assert with_fingerprints([finding], "a.py", ["y = np.f(x)  # another"])[0].fingerprint != plain
    assert with_fingerprints([finding], "b.py", ["y = np.f(x)"])[0].fingerprint != plain


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("short", "short"),
        (f"`{'a' * 199}` and", f"`{'a' * 199}` and"),
        (f"`{'a' * 5000}z` and `b`", f"`{'a' * 120} ... {'a' * 39}z` and `b`"),
        (f"np.{'n' * 5000}", f"np.{'n' * 993} ..."),
    ],
)
def test_messages_are_cut_to_what_a_person_reads(message: str, expected: str) -> None:
    finding = Finding("TNP201", "a.py", 1, 1, 1, 2, message)
    assert with_fingerprints([finding], "a.py", [])[0].message == expected


def test_importing_the_registry_loads_neither_libcst_nor_numpy() -> None:
    program = (
        "import sys, tnp_migrate.diagnostics.findings, tnp_migrate.diagnostics.suppressions, tnp_migrate.reports\n"
        "print(*{'libcst', 'numpy', 'tensorflow', 'json', 'difflib', 'click', 'rich'} & set(sys.modules))"
    )
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(MIGRATOR)!r})\n{program}"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "\n"
