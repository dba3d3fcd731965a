"""Translate a project by what a recorded run has seen: as few assumptions as it takes, each checked where it is made.

What was seen is tried as a whole. Where more becomes native by that, assumptions are dropped again that nothing needs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from tnp_migrate.diagnostics.ledger import FileReport
from tnp_migrate.program.seen import Evidence, Parameter, Seen
from tnp_migrate.proof.recording import Recording, digest_of
from tnp_migrate.proof.scratch import project_of
from tnp_migrate.state import Project
from tnp_migrate.text.discovery import Found

_TRIES = 16  # analyses of the project that are spent on dropping assumptions
Analyse = Callable[..., Project]


@dataclass(frozen=True)
class Chosen:
    """The assumptions that a translation rests on; `native` is how many references more are native by them.

    `stale` are files that have changed since they were recorded, `recorded` is how many parameters were seen, and
    `tried` how many of them say more than the text does.
    """

    seen: Evidence
    native: int
    stale: tuple[Path, ...]
    recorded: int
    tried: int


@dataclass(frozen=True)
class _Gain:
    native: int
    references: int
    islands: frozenset[tuple[str, str]]
    findings: int

    def is_over(self, other: _Gain) -> bool:
        """Whether more is native than in another translation; or as much with fewer islands, or less to look at."""
        mine, theirs = self.native * other.references, other.native * self.references
        less = (len(self.islands), self.findings) < (len(other.islands), other.findings)
        return mine > theirs or (mine == theirs and less)


def chosen(
    recording: Recording, found: Collection[Found], texts: Mapping[Path, bytes], path: Path, migrate: Analyse
) -> Chosen:
    """Choose what is assumed of parameters. `texts` are those to be recorded, `path` is one that was given."""

    def analyse(seen: Evidence) -> Project:
        return migrate(seen=seen, rewrite=False)

    seen, stale = seen_in(recording, found, texts, project_of(Path(os.path.realpath(path))))
    nothing = Chosen({}, 0, stale, len(seen), 0)
    if not seen:
        return nothing
    without = _gain(analyse({}))
    everything = analyse(seen)
    tried = {one: seen[one] for one in sorted(everything.assumed)}
    most = _gain(everything)
    if not tried or not most.is_over(without):
        return Chosen({}, 0, stale, len(seen), len(tried))
    kept, gain = _fewest(tried, without, most, lambda some: _gain(analyse({one: seen[one] for one in some})))
    return Chosen({one: seen[one] for one in kept}, gain.native - without.native, stale, len(seen), len(tried))


def seen_in(
    recording: Recording, found: Collection[Found], texts: Mapping[Path, bytes], base: Path
) -> tuple[dict[Parameter, Seen], tuple[Path, ...]]:
    """What was seen of the functions of files that are as they were recorded; and the files that are not."""
    seen: dict[Parameter, Seen] = {}
    places = {_place(one.location, base): one for one in found if one.is_python}
    fresh = {place for place, one in places.items() if _is_as_recorded(recording, place, texts.get(one.location))}
    stale = {key[0] for key in recording.functions if key[0] in places} - fresh
    for (place, name, role), function in recording.functions.items():
        if place in fresh and not role:
            for parameter, words in function.seen.items():
                calls = sum(count for count, _ in words.values())
                test = next((test for _, test in words.values() if test), "")
                seen[places[place].shown, name, parameter] = Seen(frozenset(words), calls, test)
    return seen, tuple(places[one].location for one in sorted(stale))


def note_evidence(project: Project, made: Chosen, say: Callable[[str], None]) -> None:
    """Enter into a project what its translation owes to evidence, and which files could have none."""
    project.by_evidence = made.native
    for path in made.stale:
        if project.is_given(path):
            text = "has changed since it was recorded: what was seen of its functions is not used; record it again"
            project.note(path, "TNP114", text)
    if not made.recorded and not made.stale:
        say("note: the recording has seen nothing of these files: is it of another project, or of an older version?")


def _place(location: Path, base: Path) -> str:
    real = Path(os.path.realpath(location))
    return real.relative_to(base).as_posix() if base in real.parents else ""


def _is_as_recorded(recording: Recording, place: str, text: bytes | None) -> bool:
    return text is not None and recording.sources.get(place) == digest_of(text)


def _gain(project: Project) -> _Gain:
    reports: list[FileReport] = project.reports
    ledgers = [one.ledger for one in reports]
    return _Gain(
        sum(one.renamed + one.rewritten + one.helper for one in ledgers),
        sum(one.references for one in ledgers),
        frozenset((one.path, name) for one in reports for name in one.islands),
        sum(found.code[3] in "234" and found.suppressed is None for one in reports for found in one.findings),
    )


def _fewest(
    tried: Collection[Parameter], without: _Gain, most: _Gain, gain_of: Callable[[Collection[Parameter]], _Gain]
) -> tuple[list[Parameter], _Gain]:
    """The assumptions that as much rests on as on all of them: first those of files that have fewer islands by them.

    Halves, quarters and so on are left out as long as nothing is lost by it.
    """
    kept, gain, left = list(tried), most, _TRIES
    freed = {path for path, _ in without.islands - most.islands}
    parts = [[one for one in kept if one[0] not in freed]] if freed else []
    size = 0
    while left and (parts or size != 1):
        if not parts:
            size = (size or len(kept) + 1) // 2 or 1
            parts = [kept[start : start + size] for start in range(0, len(kept), size)]
        part = parts.pop()
        rest = [one for one in kept if one not in part]
        if rest and len(rest) < len(kept):
            left -= 1
            found = gain_of(rest)
            if not most.is_over(found):
                kept, gain = rest, found
    return kept, gain
