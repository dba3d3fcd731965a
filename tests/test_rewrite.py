"""Decisions become bytes: nested ones compose, others stay where they are, and what does not parse is refused."""

from __future__ import annotations

import pytest

from tnp_migrate.diagnostics.decisions import Decision
from tnp_migrate.rewriting.between_stages import functional_source
from tnp_migrate.rewriting.rewrite import Overlap, apply_decisions
from tnp_migrate.text.source import Edit, Source, SourceError, Span


def span(text: str, part: str, occurrence: int = 0) -> Span:
    data, start = text.encode(), -1
    for _ in range(occurrence + 1):
        start = data.index(part.encode(), start + 1)
    return Span(start, start + len(part.encode()))


def applied(text: str, *decisions: Decision, edits: tuple[Edit, ...] = ()) -> str:
    return apply_decisions(Source("a.py", text.encode()), decisions, edits).decode()


TEXT = "y = f(g(x), 'é')  # keep  \r\nz = x\r\n"


def test_no_decision_changes_nothing() -> None:
    assert applied(TEXT) == TEXT


def test_replacement_touches_its_span_only() -> None:
    assert applied(TEXT, Decision(span(TEXT, "f"), ("tnp.f",))) == TEXT.replace("f(", "tnp.f(")


def test_same_decisions_between_the_stages_give_the_same_text_again() -> None:
    source, decision = Source("a.py", TEXT.encode()), Decision(span(TEXT, "g(x)"), ("h(", span(TEXT, "g(x)"), ")"))
    made = functional_source(source, [decision])
    assert made.data == TEXT.replace("g(x)", "h(g(x))").encode()
    assert functional_source(source, [decision]) is made
    assert functional_source(source, [Decision(decision.span, ("h(x)",))]) is not made


def test_hole_keeps_the_text_of_the_source() -> None:
    wrap = Decision(span(TEXT, "g(x)"), ("h(", span(TEXT, "g(x)"), ")"))
    assert applied(TEXT, wrap) == TEXT.replace("g(x)", "h(g(x))")


def test_decision_inside_a_hole_is_applied_in_it() -> None:
    outer = Decision(span(TEXT, "f(g(x), 'é')"), ("tnp.f(", span(TEXT, "'é'"), ", ", span(TEXT, "g(x)"), ")"))
    inner = Decision(span(TEXT, "g"), ("tnp.g",))
    innermost = Decision(span(TEXT, "x"), ("w",))
    expected = TEXT.replace("f(g(x), 'é')", "tnp.f('é', tnp.g(w))")
    assert applied(TEXT, outer, inner, innermost) == expected
    assert applied(TEXT, innermost, inner, outer) == expected


def test_decision_outside_every_hole_goes_with_what_is_replaced() -> None:
    outer = Decision(span(TEXT, "f(g(x), 'é')"), ("k(", span(TEXT, "'é'"), ")"))
    assert applied(TEXT, outer, Decision(span(TEXT, "g"), ("tnp.g",))) == TEXT.replace("f(g(x), 'é')", "k('é')")


def test_one_hole_may_stand_twice() -> None:
    twice = Decision(span(TEXT, "g(x)"), (span(TEXT, "x"), " + ", span(TEXT, "x")))
    assert applied(TEXT, twice, Decision(span(TEXT, "x"), ("w",))) == TEXT.replace("g(x)", "w + w")


def test_same_decision_twice_is_one() -> None:
    one = Decision(span(TEXT, "g"), ("tnp.g",))
    assert applied(TEXT, one, one) == TEXT.replace("g(", "tnp.g(")


def test_edits_stand_beside_decisions() -> None:
    edit = Edit(Span(0, 0), "import h\r\n")
    assert applied(TEXT, Decision(span(TEXT, "f"), ("h.f",)), edits=(edit,)) == "import h\r\n" + TEXT.replace(
        "f(", "h.f("
    )


def test_decisions_that_cross_are_an_error() -> None:
    with pytest.raises(Overlap):
        applied("a + b + c\n", Decision(Span(0, 5), ("d",)), Decision(Span(4, 9), ("e",)))


def test_edit_inside_a_decision_is_an_error() -> None:
    with pytest.raises(ValueError, match="overlap"):
        applied(TEXT, Decision(span(TEXT, "g(x)"), ("d",)), edits=(Edit(span(TEXT, "x"), "e"),))


@pytest.mark.parametrize("text", ["f(", "x = = 1", "\x00"])
def test_output_that_does_not_parse_is_refused(text: str) -> None:
    with pytest.raises(SourceError) as raised:
        applied("x\n", Decision(Span(0, 1), (text,)))
    assert raised.value.code == "TNP905"


def test_declared_encoding_is_not_applied_twice() -> None:
    data = "# coding: latin-1\nx = 'é' + y\n".encode("latin-1")
    source = Source("a.py", data)
    start = source.body.index(b"y")
    body = apply_decisions(source, [Decision(Span(start, start + 1), ("z",))])
    assert source.encode(body) == data.replace(b"y", b"z")
