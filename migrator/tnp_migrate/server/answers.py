"""What is said of texts as they stand in an editor: of a slice of one, at once; of one alone; of a whole project."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from pathlib import Path

from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.library import read_config
from tnp_migrate.project import Project, migrate, report_of
from tnp_migrate.rewriting.helpers import FILE_NAME
from tnp_migrate.run import run_over
from tnp_migrate.server.lines import alike_after, alike_before, lines_of, whole_lines_of
from tnp_migrate.server.slices import Slice
from tnp_migrate.text.discovery import Found


@dataclass(frozen=True)
class Change:
    """Lines `first` to `last` (from 1, `last` excluded) become others."""

    first: int
    last: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """What is said of one text, and what it becomes; `others` are the files that have to stand beside it then.

    `islands` are the functions that stay on NumPy. `complete` says whether all of the text was looked at: of a slice,
    imports and helpers are not known.
    """

    before: str
    changes: tuple[Change, ...] = ()
    findings: tuple[Finding, ...] = ()
    others: Mapping[Path, str] = field(default_factory=dict)
    islands: frozenset[str] = frozenset()
    complete: bool = True

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return lines_of(self.before)

    @cached_property
    def parses(self) -> bool:
        """Whether the text parses."""
        return _parsed(self.before) is not None

    @property
    def tree(self) -> ast.Module | None:
        """The text as a tree, where it parses."""
        return _parsed_last(self.before)

    @cached_property
    def after(self) -> str:
        """The text that it becomes."""
        lines = whole_lines_of(self.before)
        for one in reversed(self.changes):
            lines[one.first - 1 : one.last - 1] = one.lines
        return "".join(lines)


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


_parsed_last = lru_cache(maxsize=1)(_parsed)  # no more: each is tens of thousands of objects to collect among


def changes_between(before: str, after: str) -> tuple[Change, ...]:
    """The lines in which two texts differ."""
    old, new = whole_lines_of(before), whole_lines_of(after)
    head = alike_before(old, new)
    tail = alike_after(old, new, head)
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(
        Change(head + i1 + 1, head + i2 + 1, tuple(new[j1:j2])) for tag, i1, i2, j1, j2 in found if tag != "equal"
    )


def answer_alone(path: Path, text: str, *, rewrite: bool = True, helpers: bool = True) -> Answer:
    """Analyse a file as if there were no other. Raises `ConfigError` for wrong settings."""
    data = text.encode()
    config = read_config([path])
    found = [Found(path, path.name, path.parent)]
    project = migrate(found, config, texts={path: data}, rewrite=rewrite, helpers=helpers)
    others = {one: made.decode() for one, made in project.outputs.items() if one.name == FILE_NAME}
    return _answer(path, text, project, report_of(project).findings, others)


def answer_slice(path: Path, part: Slice, *, rewrite: bool = True) -> Answer:
    """Analyse a slice as if there were no other text, and say what holds for its lines. Raises `ConfigError`."""
    found = answer_alone(path, part.text, rewrite=rewrite, helpers=False)
    changes = tuple(one for one in found.changes if part.first <= one.first and one.last <= part.last)
    told = tuple(one for one in found.findings if part.first <= one.line < part.last)
    return replace(found, changes=changes, findings=told, complete=False)


def _answer(path: Path, text: str, project: Project, said: tuple[Finding, ...], others: Mapping[Path, str]) -> Answer:
    after = project.outputs.get(path, text.encode()).decode()
    shown = project.shown(path)
    islands = frozenset(name for one in project.reports if one.path == shown for name in one.islands)
    return Answer(text, changes_between(text, after), said, others, islands)


def answer_whole(roots: Iterable[Path], texts: Mapping[Path, str]) -> tuple[dict[Path, Answer], dict[Path, Answer]]:
    """Analyse the project around some folders, with texts as they stand in an editor: these answered, then the others.

    Raises `ConfigError`. Of the other files there are no texts, only what is said of them. What an earlier run, of the
    command too, has found in the same project is taken, and kept where nothing is unsaved.
    """
    given = list(roots)
    edited = {path: text.encode() for path, text in texts.items() if not _is_saved(path, text)}
    config = replace(read_config(given), jobs=1)  # the other processors are the user's
    run = run_over(given, config, rewrite=True, edited=edited, say=lambda _: None, cached=not edited)
    said: dict[Path, list[Finding]] = {}
    for one in report_of(run.project).findings:
        said.setdefault(Path(os.path.abspath(one.path)), []).append(one)  # noqa: PTH100  # as discovery names places
    helpers = {path: data.decode() for path, data in run.project.outputs.items() if path.name == FILE_NAME}
    found = {
        path: _answer(path, text, run.project, tuple(said.pop(path, ())), _around(path, helpers))
        for path, text in texts.items()
    }
    return found, {path: Answer("", findings=tuple(findings)) for path, findings in said.items()}


def _is_saved(path: Path, text: str) -> bool:
    try:
        return path.read_bytes() == text.encode()
    except OSError:
        return False


def _around(path: Path, helpers: Mapping[Path, str]) -> dict[Path, str]:
    """The helper module that a file imports: the nearest above it."""
    near = [one for one in helpers if one.parent in path.parents]
    return {one: helpers[one] for one in sorted(near, key=lambda one: len(one.parts))[-1:]}
