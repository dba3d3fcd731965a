"""Translate programs of several files in this process, run both versions, judge each, shrink failures."""

from __future__ import annotations

import ast
import contextlib
import signal
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from fixture_cases import own_members
from handed_out_programs import Files, Program, evaluate
from program_modules import loaded
from same_results import assert_same

from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.program.config import Config
from tnp_migrate.project import migrate, report_of
from tnp_migrate.text.discovery import Found

KINDS = ("native", "island", "said", "raises", "crash", "wrong")
LIMIT = 30  # seconds for a program that takes a tenth of one
NO_EXCUSE = frozenset({"TNP310"})  # says that a function returns more than before, and warns of nothing


@dataclass(frozen=True)
class Translated:
    """The translated files, helper module included, what is said of the originals, and the codes of whole files."""

    files: Files
    findings: tuple[Finding, ...] = ()
    islands: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """What became of a program.

    `native` and `island` are equal. It raises: `said`, where a finding stands at a statement of the traceback, or
    `raises`. `crash` is the translator's own error. `wrong` gives other numbers.
    """

    program: Program
    kind: str
    why: str = ""
    translated: Translated = Translated({})

    @property
    def failed(self) -> bool:
        return self.kind in {"crash", "raises", "wrong"}

    def resembles(self, other: Verdict) -> bool:
        """Whether both fail in the same way: for exceptions, with the same one."""
        return self.kind == other.kind and (self.kind == "wrong" or self.why.split(":")[0] == other.why.split(":")[0])


def translate(files: Files, stage: str = "backend") -> Translated:
    """Translate the files as one project."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, "utf-8")
        project = migrate([Found(folder / file, file, folder) for file in sorted(files)], Config(stage=stage, jobs=1))
        made = {path.relative_to(folder).as_posix(): text.decode() for path, text in project.outputs.items()}
        report = report_of(project)
    failed = [one for one in report.findings if one.code.startswith("TNP9")]
    assert not failed, f"{failed[0].code} {failed[0].message}"
    islands = tuple(name for file in report.files for name in file.islands)
    return Translated({**files, **made}, report.findings, islands)


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise TimeoutError after some seconds of computing, or many more of waiting, in the main thread.

    A machine that is busy with other things, or stands still for a while, says nothing of what is run.
    """

    def over(*_: object) -> None:
        raise TimeoutError(f"not done after {seconds} s")

    timers = ((signal.SIGPROF, signal.ITIMER_PROF, seconds), (signal.SIGALRM, signal.ITIMER_REAL, 20 * seconds))
    before = [signal.signal(number, over) for number, _, _ in timers]
    for _, timer, limit in timers:
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def judge(program: Program) -> Verdict:
    """Translate a program, run it both ways and compare."""
    try:
        with limited(LIMIT):
            translated = translate(program.files)
    except Exception as error:  # noqa: BLE001 - the translator's own, whatever it is
        return Verdict(program, "crash", f"{type(error).__name__}: {error}")
    expected = evaluate(program.files)
    with warnings.catch_warnings(), own_members():
        warnings.simplefilter("ignore")
        try:
            with limited(LIMIT), loaded(translated.files, "<translated>") as main:
                actual = main.run()
        except Exception as error:  # noqa: BLE001 - whatever it raises is its outcome
            kind = "said" if is_said(error, program.files, translated) else "raises"
            return Verdict(program, kind, f"{type(error).__name__}: {error}", translated)
    try:
        assert_same(expected, actual)
    except AssertionError as difference:
        return Verdict(program, "wrong", str(difference), translated)
    return Verdict(program, "island" if translated.islands else "native", "", translated)


def is_said(error: Exception, files: Files, translated: Translated) -> bool:
    """Whether a finding that asks to look stands at one of the statements that the exception passed through."""
    for frame in traceback.extract_tb(error.__traceback__):
        name = frame.filename.removeprefix("<translated>/")
        if name not in files or frame.lineno is None:
            continue
        spans = statements_at(files[name], original_lines(files[name], translated.files[name], frame.lineno))
        for one in translated.findings:
            counts = one.path == name and one.code[3] in "234" and one.code not in NO_EXCUSE
            if counts and any(first <= one.line <= last for first, last in spans):
                return True
    return False


def original_lines(before: str, after: str, line: int) -> range:
    """The lines of the original that a line of the translation came from."""
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    for kind, first, last, new_first, new_last in matcher.get_opcodes():
        if new_first < line <= new_last:
            return (
                range(first + line - new_first, first + line - new_first + 1)
                if kind == "equal"
                else range(first + 1, last + 1)
            )
    return range(0)


def statements_at(text: str, lines: range) -> list[tuple[int, int]]:
    """The first and last lines of the simple statements, and of the headers of others, that lines belong to."""
    spans = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            body: list[ast.stmt] = getattr(node, "body", [])
            last = min((one.lineno - 1 for one in body), default=node.end_lineno or node.lineno)
            last = max(last, node.lineno)
            if any(node.lineno <= line <= last for line in lines):
                spans.append((node.lineno, last))
    return spans


def shrink(verdict: Verdict, judged: Callable[[Program], Verdict] = judge) -> Verdict:
    """Delete statements, last ones first, for as long as a smaller program goes wrong in the same way."""
    smaller = True
    while smaller:
        smaller = False
        number = count_deletions(verdict.program.files) - 1
        while number >= 0:
            found = without(verdict, number, judged)
            if found is not None:
                verdict, smaller = found, True
            number = min(number, count_deletions(verdict.program.files)) - 1
    return verdict


def without(verdict: Verdict, number: int, judged: Callable[[Program], Verdict]) -> Verdict | None:
    """The verdict of the program without one of its parts, if that one goes wrong in the same way."""
    for files in deletions(verdict.program.files, number):
        if not all(map(parses, files.values())) or evaluate(files) is None:
            continue
        made = judged(replace(verdict.program, files=files))
        if made.resembles(verdict):
            return made
    return None


def parses(text: str) -> bool:
    """Whether a text is still one of Python: a module that is imported by nobody, or in a `try`, is not run."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def count_deletions(files: Files) -> int:
    return sum(sum(1 for _ in places(ast.parse(text))) for text in files.values())


def deletions(files: Files, number: int) -> Iterator[Files]:
    """The program without its statement or item number `number`, then with a compound statement's body in its place."""
    for name, text in files.items():
        count = sum(1 for _ in places(ast.parse(text)))
        if number >= count:
            number -= count
            continue
        rest = {other: kept for other, kept in files.items() if other != name}
        for unwrap in (False, True):
            tree = ast.parse(text)
            owner, index = list(places(tree))[number]
            if unwrap and not isinstance(owner[index], ast.If | ast.For | ast.Try):
                return
            owner[index : index + 1] = owner[index].body if unwrap else []
            yield {**rest, name: ast.unparse(tree) + "\n"} if tree.body else rest
        return


def places(tree: ast.AST) -> Iterator[tuple[list[Any], int]]:
    """Each statement that may go, in its list, and each item of the list that `run` returns."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                yield from ((body, i) for i, one in enumerate(body) if not is_kept(one))
        if isinstance(node, ast.Return) and isinstance(node.value, ast.List):
            yield from ((node.value.elts, i) for i in range(len(node.value.elts)))


def is_kept(statement: ast.stmt) -> bool:
    """Whether a program without this statement is no program: `run` and its result."""
    if isinstance(statement, ast.FunctionDef):
        return statement.name == "run"
    return isinstance(statement, ast.Return) and isinstance(statement.value, ast.List)
