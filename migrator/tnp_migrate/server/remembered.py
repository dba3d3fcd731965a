"""What is said of a text by what was said of the one before: findings move with their lines, and what more is known of.

A slice of a file is looked at in a fraction of the file's time, a file in one of the project's, and some of what is
said hangs on the rest. So what a wider look has said otherwise of the same lines is remembered, and said of the next
text as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.server.answers import Answer, Change
from tnp_migrate.server.lines import alike_after, alike_before
from tnp_migrate.server.slices import Slice

_DIRECTIVE = re.compile(r"#\s*tnp:\s*ignore.*")
_Key = tuple[str, str, str, int]


@dataclass(frozen=True)
class Edit:
    """Lines `first` to `before` of a text (from 1, `before` excluded) became lines `first` to `after` of another."""

    first: int
    before: int
    after: int

    @property
    def shift(self) -> int:
        """How far the lines below have moved."""
        return self.after - self.before


def edit_between(before: Sequence[str], after: Sequence[str]) -> Edit:
    """The lines between the first and the last in which two texts differ."""
    first = alike_before(before, after)
    last = alike_after(before, after, first)
    return Edit(first + 1, len(before) - last + 1, len(after) - last + 1)


@dataclass(frozen=True)
class Remembered:
    """What a narrow look at a text has said of it, and what a wider one."""

    lines: tuple[str, ...] = ()
    narrow: tuple[Finding, ...] = ()
    wide: tuple[Finding, ...] = ()

    def corrected(self, answer: Answer) -> Answer:
        """A narrow look at the next text, with what the wider one knew better."""
        edit = edit_between(self.lines, answer.lines)
        return replace(answer, findings=self.applied_to(answer.findings, answer.lines, edit))

    def applied_to(self, findings: Iterable[Finding], lines: Sequence[str], edit: Edit) -> tuple[Finding, ...]:
        """What the narrow look says of the next text, with what the wider one knew better where lines are the same."""
        now, known, better = _keyed(findings, lines), _keyed(self.narrow, self.lines), _keyed(self.wide, self.lines)
        kept = {key: one for key, one in now.items() if key in better or key not in known}
        places: dict[str, list[int]] = {}
        for number, line in enumerate(lines, 1):
            places.setdefault(line.strip(), []).append(number)
        for key, one in better.items():
            there = places.get(self.lines[one.line - 1].strip()) if 0 < one.line <= len(self.lines) else None
            if key not in known and key not in kept and there:
                kept[key] = _moved(one, _nearest(there, one.line) - one.line, edit)
        return _ordered(kept.values())


def continued(base: Answer, text: str, edit: Edit, around: Edit | None = None) -> Answer:
    """What still holds of the next text where nothing is known of the edited lines, or of those `around` them."""
    names, edit = edit, around or edit
    outside = (one for one in base.findings if not edit.first <= one.line < edit.before)
    findings = (_moved(one, edit.shift if one.line >= edit.before else 0, names) for one in outside)
    changes = tuple(
        Change(one.first + edit.shift, one.last + edit.shift, one.lines) if one.first >= edit.before else one
        for one in base.changes
        if one.last <= edit.first or one.first >= edit.before
    )
    return Answer(text, changes, tuple(findings), base.others, base.islands, complete=False)


def with_slice(base: Answer, text: str, edit: Edit, part: Slice, now: Answer, then: Answer) -> Answer:
    """What is said of the next text by a slice of it, `then` what the same slice of the text before has said.

    Whether a function stays on NumPy may hang on what the slice does not see: then only what was said before is.
    """
    if part.functions & (base.islands ^ then.islands):
        return continued(base, text, edit)
    whole = Edit(min(part.first, edit.first), max(part.last - edit.shift, edit.before), max(part.last, edit.after))
    around = continued(base, text, edit, whole)
    inside = tuple(one for one in base.findings if whole.first <= one.line < whole.before)
    remembered = Remembered(tuple(base.lines), then.findings, inside)
    lines = [line if whole.first <= number < whole.after else "" for number, line in enumerate(around.lines, 1)]
    found = remembered.applied_to(now.findings, lines, edit)
    changes = sorted((*around.changes, *now.changes), key=lambda one: one.first)
    return replace(around, findings=_ordered((*around.findings, *found)), changes=tuple(changes))


def _keyed(findings: Iterable[Finding], lines: Sequence[str]) -> dict[_Key, Finding]:
    """Findings by what moving does not change: code, text of the line, symbol, and which of the same it is."""
    found: dict[_Key, Finding] = {}
    for one in findings:
        line = lines[one.line - 1] if 0 < one.line <= len(lines) else ""
        text = " ".join(_DIRECTIVE.sub("", line).split())
        number = 0
        while (key := (one.code, text, one.symbol, number)) in found:
            number += 1
        found[key] = one
    return found


def _nearest(places: Iterable[int], line: int) -> int:
    return min(places, key=lambda place: abs(place - line))


def _moved(finding: Finding, by: int, edit: Edit) -> Finding:
    """A finding moved by some lines, and the lines that its message names by an edit."""
    own = re.escape(finding.path.rpartition("/")[2])
    named = rf"(?:\blines? |(?<=\d) and |\b{own}:)\d+"
    message = re.sub(named, lambda found: _named_after(found[0], edit), finding.message)
    return replace(finding, line=finding.line + by, end_line=finding.end_line + by, message=message)


def _named_after(words: str, edit: Edit) -> str:
    before, line = re.split(r"(?=\d+$)", words, maxsplit=1)
    return f"{before}{int(line) + (edit.shift if int(line) >= edit.before else 0)}"


def _ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda one: (one.line, one.column)))
