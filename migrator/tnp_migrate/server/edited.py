"""What is said of a text right after an edit: by a slice of it, and by what was said of the text before."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from tnp_migrate.server.answers import Answer, answer_alone, answer_slice
from tnp_migrate.server.remembered import continued, edit_between, with_slice
from tnp_migrate.server.slices import Slice, slice_around

_answered = lru_cache(64)(answer_slice)  # the text before is the same for many edits, and one that is taken back


def answer_after_edit(path: Path, base: Answer, text: str) -> Answer:
    """Say of a text what holds, `base` being what was said of one before. Raises `ConfigError`."""
    edit = edit_between(base.lines, text.splitlines())
    now = slice_around(text, edit.first, max(edit.after, edit.first + 1))
    if now is None:
        return kept_beside(base, answer_alone(path, text))
    if now.first == now.last:
        return continued(base, text, edit)
    then = slice_around(base.before, now.first, max(now.last - edit.shift, now.first + 1)) or Slice("", 1, 1)
    return with_slice(base, text, edit, now, _answered(path, now), _answered(path, then, rewrite=False))


def kept_beside(base: Answer | None, answer: Answer) -> Answer:
    """An answer; where its text does not parse, as while one types, with what was said of the lines that stay."""
    if base is None or answer.tree is not None:
        return answer
    kept = continued(base, answer.before, edit_between(base.lines, answer.lines))
    return replace(kept, findings=(*kept.findings, *answer.findings))
