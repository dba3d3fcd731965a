"""What is said of a text right after an edit: by a slice of it, and by what was said of the text before."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tnp_migrate.server.answers import Answer, answer_alone, answer_slice
from tnp_migrate.server.lines import lines_of
from tnp_migrate.server.remembered import continued, edit_between, with_slice
from tnp_migrate.server.slices import Slice, slice_around

_MOST = 1000  # slices whose answers are kept: a few files


@dataclass
class Answered:
    """What has been said of slices: the text before is the same for many edits, and one that is taken back."""

    _known: OrderedDict[tuple[Path, Slice, bool], Answer] = field(default_factory=OrderedDict)

    def of(self, path: Path, part: Slice, *, rewrite: bool = True) -> Answer:
        """What is said of a slice. Raises `ConfigError`."""
        key = (path, part, rewrite)
        found = self._known.get(key) or answer_slice(path, part, rewrite=rewrite)
        self._keep(key, found)
        return found

    def add(self, path: Path, found: Mapping[Slice, Answer]) -> None:
        """Take what has been said elsewhere of slices that may be edited."""
        for part, answer in found.items():
            self._keep((path, part, False), answer)

    def knows(self, path: Path, part: Slice) -> bool:
        """Whether it is known what was said of a slice before an edit."""
        return (path, part, False) in self._known

    def _keep(self, key: tuple[Path, Slice, bool], answer: Answer) -> None:
        self._known[key] = answer
        self._known.move_to_end(key)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)


def answers_before(path: Path, parts: Iterable[Slice]) -> dict[Slice, Answer]:
    """What is said of slices as they stand, which the first edit of each asks for. Raises `ConfigError`."""
    return {one: answer_slice(path, one, rewrite=False) for one in parts}


def answer_after_edit(path: Path, base: Answer, text: str, answered: Answered) -> Answer:
    """Say of a text what holds, `base` being what was said of one before. Raises `ConfigError`."""
    edit = edit_between(base.lines, lines_of(text))
    now = slice_around(text, edit.first, max(edit.after, edit.first + 1))
    if now is None:
        return kept_beside(base, answer_alone(path, text))
    if now.first == now.last:
        return continued(base, text, edit)
    then = slice_around(base.before, now.first, max(now.last - edit.shift, now.first + 1)) or Slice("", 1, 1)
    return with_slice(base, text, edit, now, answered.of(path, now), answered.of(path, then, rewrite=False))


def kept_beside(base: Answer | None, answer: Answer) -> Answer:
    """An answer; where its text does not parse, as while one types, with what was said of the lines that stay."""
    if base is None or answer.parses:
        return answer
    kept = continued(base, answer.before, edit_between(base.lines, answer.lines))
    return replace(kept, findings=(*kept.findings, *answer.findings))
