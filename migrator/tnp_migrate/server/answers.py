"""What is said of texts as they stand in an editor: of one alone, at once; and of a whole project, by a process.

A file alone is analysed in a fraction of the project's time, and some of what is said of it hangs on other files. So
what the last run over the project has said otherwise of the same text is remembered, and said of the next text as well.
"""

from __future__ import annotations

import ast
import gc
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path

from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.library import read_config
from tnp_migrate.project import migrate, report_of
from tnp_migrate.rewriting.helpers import FILE_NAME
from tnp_migrate.run import run_over
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

    `whole` says whether the project was looked at, and not this file alone.
    """

    before: str
    after: str
    findings: tuple[Finding, ...] = ()
    others: Mapping[Path, str] = field(default_factory=dict)
    whole: bool = False

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.before.splitlines()

    @cached_property
    def tree(self) -> ast.Module | None:
        """The text as a tree, where it parses."""
        try:
            return ast.parse(self.before)
        except (SyntaxError, ValueError, RecursionError):
            return None

    @cached_property
    def changes(self) -> list[Change]:
        """The lines that the translation changes."""
        before, after = self.before.splitlines(keepends=True), self.after.splitlines(keepends=True)
        found = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        return [Change(i1 + 1, i2 + 1, tuple(after[j1:j2])) for tag, i1, i2, j1, j2 in found if tag != "equal"]


def answer_alone(path: Path, text: str) -> Answer:
    """Analyse a file as if there were no other. Raises `ConfigError` for wrong settings."""
    data = text.encode()
    config = read_config([path])
    gc.disable()  # as the command does: the trees that are looked through hold no cycles
    try:
        project = migrate([Found(path, path.name, path.parent)], config, texts={path: data})
    finally:
        gc.enable()
    after = project.outputs.get(path, data).decode()
    others = {one: made.decode() for one, made in project.outputs.items() if one.name == FILE_NAME}
    return Answer(text, after, report_of(project).findings, others)


def answer_whole(roots: Iterable[Path], texts: Mapping[Path, str]) -> tuple[dict[Path, Answer], dict[Path, Answer]]:
    """Analyse the project around some folders, with texts as they stand in an editor: these answered, then the others.

    Raises `ConfigError`. Of the other files there are no texts, only what is said of them.
    """
    given = list(roots)
    edited = {path: text.encode() for path, text in texts.items()}
    run = run_over(given, read_config(given), rewrite=True, edited=edited, say=lambda _: None)
    said: dict[Path, list[Finding]] = {}
    for one in report_of(run.project).findings:
        said.setdefault(Path(os.path.abspath(one.path)), []).append(one)  # noqa: PTH100  # as discovery names places
    helpers = {path: data.decode() for path, data in run.project.outputs.items() if path.name == FILE_NAME}
    found = {}
    for path, text in texts.items():
        after = run.project.outputs.get(path, text.encode()).decode()
        found[path] = Answer(text, after, tuple(said.pop(path, ())), _around(path, helpers), whole=True)
    return found, {path: Answer("", "", tuple(findings), whole=True) for path, findings in said.items()}


def _around(path: Path, helpers: Mapping[Path, str]) -> dict[Path, str]:
    """The helper module that a file imports: the nearest above it."""
    near = [one for one in helpers if one.parent in path.parents]
    return {one: helpers[one] for one in sorted(near, key=lambda one: len(one.parts))[-1:]}


@dataclass(frozen=True)
class Remembered:
    """What the project's run and one over the file alone said of the same text."""

    lines: tuple[str, ...] = ()
    alone: tuple[Finding, ...] = ()
    whole: tuple[Finding, ...] = ()

    def applied_to(self, answer: Answer) -> Answer:
        """An answer of the file alone, with what the project's run knew better where lines are the same."""
        known = {one.fingerprint for one in self.alone}
        better = {one.fingerprint for one in self.whole}
        kept = [one for one in answer.findings if one.fingerprint in better or one.fingerprint not in known]
        places: dict[str, list[int]] = {}
        for number, line in enumerate(answer.lines, 1):
            places.setdefault(line.strip(), []).append(number)
        for one in self.whole:
            if one.fingerprint not in known and 0 < one.line <= len(self.lines):
                there = places.get(self.lines[one.line - 1].strip())
                kept += [_moved(one, min(there, key=lambda place, at=one.line: abs(place - at)))] if there else []  # type: ignore[misc]
        ordered = sorted({one.fingerprint: one for one in kept}.values(), key=lambda one: (one.line, one.column))
        return replace(answer, findings=tuple(ordered))


def _moved(finding: Finding, line: int) -> Finding:
    return replace(finding, line=line, end_line=finding.end_line + line - finding.line)
