"""An explanation as text for a person, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from tnp_migrate.explanation.answer import Called, Explanation, Variable
from tnp_migrate.explanation.holders import Held

_MOST = 12  # places that are listed; of the others it is said how many there are
_BECOMES = {
    "renamed": "has the same name in tnp",
    "rewritten": "is rewritten",
    "helper": "is rewritten, with a function of the helper module",
    "kept": "stays on NumPy on purpose",
    "island": "stays on NumPy with what is around it",
    "flagged": "has no equivalent, and is left",
    "suppressed": "is left, as a comment says",
}


def as_json(found: Explanation) -> str:
    """The explanation as one JSON object, every place in it."""
    return json.dumps({"schema": 1, **asdict(found)}, indent=2)


def as_text(found: Explanation) -> str:
    """The explanation as lines."""
    return "\n".join(_lines(found))


def _lines(found: Explanation) -> Iterator[str]:
    yield f"{found.where}: {found.text}"
    yield _standing(found)
    yield from (f"  {code} {message}" for code, message in found.findings)
    yield from _section("why", _why(found))
    yield from _section("NumPy", (f"`{text}` {_BECOMES[end]}" for text, end in found.references))
    yield from _section("calls", (_called(one) for one in found.calls))
    for one in found.variables:
        yield ""
        yield f"{one.text}: {one.kind}"
        yield from _memory(one)
    yield ""
    yield from _becomes(found)


def _standing(found: Explanation) -> str:
    if not found.reached:
        return "in a file that NumPy does not reach: nothing in it changes"
    where = "in the module's own statements"
    if found.function is not None:
        where = f"in `{found.function.name}` ({found.function.place})"
    one = found.function is not None
    if not found.reasons:
        return f"{where}, which {'is' if one else 'are'} translated"
    return f"{where}, which {'stays' if one else 'stay'} on NumPy"


def _why(found: Explanation) -> Iterator[str]:
    for position, one in enumerate(found.reasons):
        code = f" [{one.code}]" if one.code else ""
        what = f"`{one.name}` ({one.place}) stays"
        what = what if one.name else f"the statements of {one.place.path} itself stay"
        yield f"{'because ' if position else ''}{what} on NumPy{code}: {one.text}"


def _called(one: Called) -> str:
    return f"`{one.name}` ({one.place}), which {'stays on NumPy' if one.stays else 'is translated'}"


def _memory(one: Variable) -> Iterator[str]:
    if one.same_as is not None:
        yield f"  the same memory as `{one.same_as}`"
    if one.held:
        yield "  the same memory may be held by"
        yield from _listed(_joined(one.held))
    if one.written:
        yield "  and may be written to by" if one.held else "  its memory may be written to by"
        yield from _listed([f"{each.place}: {each.what}" for each in one.written])


def _joined(held: tuple[Held, ...]) -> list[str]:
    """One entry for each place of a function, with its lines."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for one in held:
        places.setdefault((one.place.path, one.function, one.what), []).append(one.place.where)
    found = []
    for (path, function, what), lines in places.items():
        found.append(f"{path}:{', '.join(dict.fromkeys(lines))}: {what}" + (f", in `{function}`" if function else ""))
    return found


def _listed(entries: list[str]) -> Iterator[str]:
    yield from (f"    {one}" for one in entries[:_MOST])
    if len(entries) > _MOST:
        yield f"    and {len(entries) - _MOST} more (all with --format json)"


def _section(title: str, entries: Iterator[str]) -> Iterator[str]:
    found = list(entries)
    if found:
        yield from ("", title)
        yield from (f"  {one}" for one in found)


def _becomes(found: Explanation) -> Iterator[str]:
    if found.becomes is None or (len(found.becomes) == 1 and found.becomes[0].strip() == found.text):
        yield "it stays as it is"
    elif not found.becomes:
        yield "it goes: nothing stands for it in the new text"
    else:
        yield "it becomes"
        yield from (f"  {one}" for one in found.becomes)
