"""JSON with the places of what it says: which characters of the text a member or an element is.

Input `{"a": [1, 2]}`, output for the object `{"a": Span(6, 12)}`, for the array `[Span(7, 8), Span(10, 11)]`. Spans
count characters here, of the decoded text.
"""

from __future__ import annotations

import json
import re

from tnp_migrate.text.source import Span

_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\n\r]*")
# One character of a JSON string as it is written: a pair of escapes, an escape, or itself.
_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)


def members(text: str, span: Span) -> dict[str, Span]:
    """The values of an object by their keys; of a key that stands there twice the last one, as `json.loads` has it."""
    found: dict[str, Span] = {}
    place = _after_blanks(text, span.start + 1)
    while text[place] != "}":
        key, place = _DECODER.raw_decode(text, place)
        place = _after_blanks(text, _after_blanks(text, place) + 1)  # the colon
        found[key] = _value(text, place)
        place = _next(text, found[key].end)
    return found


def elements(text: str, span: Span) -> list[Span]:
    """The values of an array."""
    found: list[Span] = []
    place = _after_blanks(text, span.start + 1)
    while text[place] != "]":
        found.append(_value(text, place))
        place = _next(text, found[-1].end)
    return found


def whole(text: str) -> Span:
    """The one value of a text; `ValueError` where it is no JSON."""
    found = _value(text, _after_blanks(text, 0))
    if _after_blanks(text, found.end) != len(text):
        raise ValueError("something follows the value")
    return found


def characters(text: str, span: Span) -> list[Span]:
    """Where each character of a string stands, the quotes left out."""
    return [Span(*found.span()) for found in _CHARACTER.finditer(text, span.start + 1, span.end - 1)]


def _value(text: str, start: int) -> Span:
    return Span(start, _DECODER.raw_decode(text, start)[1])


def _next(text: str, end: int) -> int:
    """The start of the next member or element, or the bracket that closes them."""
    place = _after_blanks(text, end)
    return _after_blanks(text, place + 1) if text[place] == "," else place


def _after_blanks(text: str, start: int) -> int:
    found = _BLANKS.match(text, start)
    assert found is not None  # it matches nothing as well
    return found.end()
