"""Suppression comments: found where they are comments, applied where they stand, reported when idle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tnp_migrate import migrate_text
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.suppressions import apply, find_suppressions


def finding(code: str, line: int, end_line: int | None = None) -> Finding:
    return Finding(code, "a.py", line, 1, end_line or line, 9, "np.f has no equivalent", "numpy.f")


def outcome(source: str, *findings: Finding) -> tuple[list[str | None], list[str]]:
    marked, idle = apply(list(findings), find_suppressions(source), "a.py")
    return [one.suppressed for one in marked], [one.message for one in idle]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("y = np.f(x)\n", id="no comment"),
        pytest.param('y = "# tnp: ignore[TNP201] no"\n', id="in a string"),
        pytest.param('y = """\n# tnp: ignore-file[TNP201]\n"""\n', id="in a docstring"),
        pytest.param("y = f'{x}# tnp: ignore'\n", id="in an f-string"),
        pytest.param("y = 1  # tnp: the other backend\n", id="prose that begins with tnp"),
        pytest.param("y = 1  # tnp: ignored by the parser\n", id="ignored is another word"),
        pytest.param("y = 1  # what `tnp: ignore` means\n", id="mentioned in a comment"),
    ],
)
def test_find_suppressions_sees_none(source: str) -> None:
    assert find_suppressions(source) == []


@pytest.mark.parametrize(
    ("comment", "codes", "reason"),
    [
        ("# tnp: ignore[TNP203] checked", ("TNP203",), "checked"),
        ("# tnp:ignore [ tnp203 ,TNP301 ]  two  words", ("TNP203", "TNP301"), "two words"),
        ("# tnp: ignore", (), ""),
        ("# tnp: ignore the old API", (), "the old API"),
        ("# tnp: ignore[TNP203] see #12  # noqa: E501", ("TNP203",), "see #12"),
        ("# type: ignore # tnp: ignore[TNP203]", ("TNP203",), ""),
    ],
)
def test_find_suppressions_reads_codes_and_reason(comment: str, codes: tuple[str, ...], reason: str) -> None:
    (found,) = find_suppressions(f"y = 1  {comment}\n")
    assert (found.codes, found.reason, found.whole_file, found.problem) == (codes, reason, False, "")
    assert found.column == 8 + comment.index("# tnp")
    assert f"y = 1  {comment}"[found.column - 1 : found.end_column - 1].startswith("# tnp")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("y = 1  # tnp: ignore[TNP203 oops\n", "not closed"),
        ("y = 1  # tnp: ignore[]\n", "a code is missing"),
        ("y = 1  # tnp: ignore[TNP2, E501]\n", "not a code: TNP2, E501"),
        ("y = 1  # tnp: ignore-next-line\n", "write `ignore`"),
        ("y = 1  # tnp: ignore=TNP203\n", "write `ignore`"),
        ("y = 1  # tnp: ignore-file[TNP201]\n", "line of its own"),
        ("y = 1  # tnp: ignore[TNP299]\n", "no such diagnostic: TNP299"),
        ("# tnp: ignore[TNP201]\ny = 1\n", "TNP201 does not arise here"),
    ],
)
def test_apply_reports_a_comment_that_cannot_work_and_silences_nothing(source: str, message: str) -> None:
    suppressed, idle = outcome(source, finding("TNP202", 1), finding("TNP201", 2))
    assert suppressed == [None, None]
    assert len(idle) == 1
    assert message in idle[0]


def test_apply_keeps_to_the_line_and_the_code() -> None:
    source = "y = np.f(x)  # tnp: ignore[TNP201] fine\nz = np.f(x)\n"
    suppressed, idle = outcome(source, finding("TNP201", 1), finding("TNP202", 1), finding("TNP201", 2))
    assert suppressed == ["fine", None, None]
    assert idle == []


def test_apply_without_codes_silences_all_codes_of_the_line() -> None:
    assert outcome("y = 1  # tnp: ignore\n", finding("TNP201", 1), finding("TNP401", 1)) == (["", ""], [])


def test_apply_covers_a_statement_over_several_lines_whose_end_it_marks() -> None:
    source = "before = 1\ny = np.f(\n    x,\n)  # tnp: ignore[TNP201] whole call\n"
    suppressed, idle = outcome(source, finding("TNP201", 2, 4), finding("TNP201", 2, 2), finding("TNP201", 1, 4))
    assert suppressed == ["whole call", None, None]
    assert idle == []


def test_apply_in_the_middle_of_a_statement_covers_its_own_line_only() -> None:
    source = "y = f(\n    np.g(x),  # tnp: ignore[TNP201] here\n    np.g(z),\n)\n"
    suppressed, _ = outcome(source, finding("TNP201", 1, 4), finding("TNP201", 2), finding("TNP201", 3))
    assert suppressed == [None, "here", None]


def test_apply_inside_a_function_does_not_reach_the_function() -> None:
    source = "def f(x):\n    y = 1\n    x[0] = 1  # tnp: ignore\n"
    suppressed, idle = outcome(source, finding("TNP301", 1, 3))
    assert suppressed == [None]
    assert idle == ["suppression not used: nothing to suppress here: delete the comment"]


def test_apply_on_the_header_covers_a_finding_on_the_block() -> None:
    source = "def f(\n    x,\n):  # tnp: ignore[TNP301] slow path\n    x[0] = 1\n"
    assert outcome(source, finding("TNP301", 1, 4)) == (["slow path"], [])


def test_apply_for_the_file_reaches_every_line() -> None:
    source = "import numpy as np\n# tnp: ignore-file[TNP401] bound later\n\ny = 1\n"
    suppressed, idle = outcome(source, finding("TNP401", 1), finding("TNP401", 4), finding("TNP402", 4))
    assert suppressed == ["bound later", "bound later", None]
    assert idle == []


def test_apply_names_the_idle_part_of_a_list() -> None:
    _, idle = outcome("y = 1  # tnp: ignore[TNP201, TNP202]\n", finding("TNP201", 1))
    assert idle == ["suppression not used: TNP202 does not arise here: delete it from the comment"]


def test_apply_never_silences_input_errors() -> None:
    suppressed, idle = outcome("# tnp: ignore-file\nx = (  # tnp: ignore[TNP901]\n", finding("TNP901", 2))
    assert suppressed == [None]
    assert len(idle) == 2


def test_apply_silences_an_idle_comment_when_it_says_so() -> None:
    source = "# tnp: ignore-file[TNP210] generated\ny = 1  # tnp: ignore[TNP201]\n"
    _, idle = apply([], find_suppressions(source), "a.py")
    assert [(one.line, one.suppressed) for one in idle] == [(2, "generated")]


def test_apply_places_the_report_on_the_comment() -> None:
    line = "é = 1  # tnp: ignore[TNP201] reason"
    _, (idle,) = apply([], find_suppressions(line + "\n"), "src/a.py")
    assert (idle.code, idle.path, idle.line) == ("TNP210", "src/a.py", 1)
    assert line[idle.column - 1 : idle.end_column - 1] == "# tnp: ignore[TNP201] reason"


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_find_suppressions_in_c(newline: str) -> None:
    lines = [
        'char *s = "// tnp: ignore-file";',
        "#include <numpy/arrayobject.h>  // tnp: ignore[TNP401] stays",
        "/* tnp: ignore-file[TNP406] */",
        "/* first",
        " * // tnp: ignore[TNP401] inside */",
    ]
    found = find_suppressions(newline.join(lines), c_comments=True)
    read = [(one.line, one.codes, one.reason, one.whole_file) for one in found]
    assert read == [
        (2, ("TNP401",), "stays", False),
        (3, ("TNP406",), "", True),
        (5, ("TNP401",), "inside", False),
    ]


def test_find_suppressions_of_a_file_that_breaks_off() -> None:
    found = find_suppressions("y = 1  # tnp: ignore[TNP201] a\nz = (\n")
    assert [one.line for one in found] == [1]


@given(st.text(alphabet="tnp: ignore-file[TNP201]#\"'()\\\n\r\t/*é", max_size=60), st.booleans())
def test_find_suppressions_takes_any_text(text: str, c_comments: bool) -> None:
    for found in find_suppressions(text + "\n# tnp: ignore", c_comments=c_comments):
        assert found.first_line <= found.line <= text.count("\n") + 2
        assert found.column < found.end_column


_INSERTS_A_LINE = """\
def shifted(x):
    x = np.asarray(x)
    y = x
    x += 1
    return y
"""


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("def scaled(x: np.ndarray, k):  # tnp: ignore[TNP310] all right\n    x *= k", "TNP310"),
        (
            "def cut(x):\n    x = np.asarray(x)\n    x[x < 0] = 0  # tnp: ignore[TNP318] all right\n    return x",
            "TNP318",
        ),
        ("made = np.asfortranarray(np.ones((2, 2)))  # tnp: ignore[TNP407] all right", "TNP407"),
    ],
)
def test_comments_silence_what_each_stage_says_behind_lines_that_it_adds(line: str, code: str) -> None:
    result = migrate_text(f"import numpy as np\n\n\n{_INSERTS_A_LINE}\n\n{line}\n")
    (text,) = result.texts.values()
    assert text.count(b"\n") > f"{_INSERTS_A_LINE}{line}".count("\n") + 6
    found = [one.suppressed for one in result.findings if one.code in (code, "TNP210")]
    assert found == ["all right"]
