"""Suppression comments: where they are, what they silence, and which of them silence nothing.

`# tnp: ignore[TNP203] reason` at the end of a line, `# tnp: ignore reason` for every code,
`# tnp: ignore-file[TNP401] reason` on a line of its own; `//` and `/* */` comments in C sources.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tnp_migrate.diagnostics.findings import CODES, Finding

UNUSED = "TNP210"
INPUT_ERRORS = "TNP9"  # what could not be processed is always said

_PART = re.compile(r"(?:^|\s)(?:#|//|/\*)\s*(?=[^\s\d])")  # `# pylint: x # tnp: y` has two parts, `# see #12` one
_DIRECTIVE = re.compile(r"tnp:\s*ignore(?P<file>-file)?(?P<rest>(?![a-z]).*)", re.DOTALL)
_CODE_LIST = re.compile(r"\s*\[(?P<codes>[^\[\]]*)\]")
_NUMBER = re.compile(r"TNP\d{3}")
_C_TOKEN = re.compile(
    r'"(?:\\.|[^"\\\n])*"'  # a string
    r"|'(?:\\.|[^'\\\n])*'"  # a character
    r"|//[^\n]*"
    r"|/\*.*?\*/",
    re.DOTALL,
)


@dataclass(frozen=True)
class Suppression:
    """A comment at `line`, columns from 1 in characters; `first_line` is where the statement it ends begins.

    No `codes` means every code. `problem` says why the comment cannot be obeyed; such a comment silences nothing.
    """

    line: int
    column: int
    end_column: int
    first_line: int
    codes: tuple[str, ...] = ()
    reason: str = ""
    whole_file: bool = False
    problem: str = ""

    def silences(self, finding: Finding) -> bool:
        """Whether the comment stands where it applies to the finding, and names its code."""
        if self.problem or finding.code.startswith(INPUT_ERRORS):
            return False
        if self.codes and finding.code not in self.codes:
            return False
        in_statement = self.first_line <= finding.line <= self.line <= finding.end_line
        return self.whole_file or finding.line == self.line or in_statement


def find_suppressions(source_text: str, *, c_comments: bool = False) -> list[Suppression]:
    """Find the suppression comments of a Python source, or of a C one; strings that look like one are none."""
    if "tnp:" not in source_text:
        return []
    comments = _c_comments(source_text) if c_comments else _python_comments(source_text)
    return [suppression for comment in comments for suppression in _directives(comment)]


def apply(findings: list[Finding], suppressions: list[Suppression], path: str) -> tuple[list[Finding], list[Finding]]:
    """Mark the findings of one file that its comments silence; return them, and a TNP210 for each idle comment.

    To be called before findings are selected: a comment for a code that was deselected is not idle.
    """
    used: set[tuple[Suppression, str]] = set()
    marked = [_mark(finding, suppressions, used) for finding in findings]
    idle = [
        _unused(suppression, message, path)
        for suppression in suppressions
        if (message := _complaint(suppression, {code for by, code in used if by == suppression}))
    ]
    return marked, [_mark(finding, [s for s in suppressions if UNUSED in s.codes], used) for finding in idle]


def _mark(finding: Finding, suppressions: list[Suppression], used: set[tuple[Suppression, str]]) -> Finding:
    """Give the finding the reason of the first comment that silences it, and note all that do as used."""
    by = [suppression for suppression in suppressions if suppression.silences(finding)]
    used.update((suppression, finding.code) for suppression in by)
    return replace(finding, suppressed=by[0].reason) if by else finding


def _complaint(suppression: Suppression, used: set[str]) -> str:
    """Why the comment, or a part of it, should go; empty when all of it is needed."""
    if suppression.problem:
        return suppression.problem
    if not suppression.codes:
        return "" if used else "nothing to suppress here: delete the comment"
    idle = [code for code in suppression.codes if code not in used and code != UNUSED]
    unknown = [code for code in idle if code not in CODES]
    if unknown:
        return f"no such diagnostic: {', '.join(unknown)}"
    return f"{', '.join(idle)} does not arise here: delete it from the comment" if idle else ""


def _unused(suppression: Suppression, message: str, path: str) -> Finding:
    line, column = suppression.line, suppression.column
    return Finding(UNUSED, path, line, column, line, suppression.end_column, f"suppression not used: {message}")


@dataclass(frozen=True)
class _Comment:
    """A comment token; `alone` when nothing else is on its line, `first_line` of the statement that it ends."""

    text: str
    line: int
    column: int
    first_line: int
    alone: bool


def _python_comments(source_text: str) -> Iterator[_Comment]:
    """Comments by tokenizing; where the source breaks off, those found so far."""
    lines = source_text.split("\n")
    pending: tokenize.TokenInfo | None = None
    first_line = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(source_text).readline):
            if pending is not None:  # NEWLINE after a comment: it ends a statement
                row, offset = pending.start
                start = first_line if token.type == tokenize.NEWLINE and first_line else row
                yield _Comment(pending.string, row, offset + 1, start, not lines[row - 1][:offset].strip())
                pending = None
            if token.type == tokenize.COMMENT:
                pending = token
            elif token.type == tokenize.NEWLINE:
                first_line = 0
            elif token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
                first_line = first_line or token.start[0]
    except (tokenize.TokenError, SyntaxError):
        return


def _c_comments(source_text: str) -> Iterator[_Comment]:
    """Comments of C, C++ and SWIG sources, told from strings and characters."""
    for token in _C_TOKEN.finditer(source_text):
        if token.group().startswith("/"):
            before = source_text[: token.start()]
            line_start = before.rfind("\n") + 1
            line = before.count("\n") + 1
            alone = not before[line_start:].strip()
            yield _Comment(token.group().removesuffix("*/"), line, len(before) - line_start + 1, line, alone)


def _directives(comment: _Comment) -> Iterator[Suppression]:
    """Read the parts of a comment that are suppressions."""
    parts = list(_PART.finditer(comment.text))
    ends = [part.start() for part in parts[1:]] + [len(comment.text)]
    for part, end in zip(parts, ends, strict=False):  # an empty comment has no part, and an end
        directive = _DIRECTIVE.match(comment.text[part.end() : end])
        if directive is None:
            continue
        start = part.start() + len(part.group()) - len(part.group().lstrip())
        line = comment.line + comment.text.count("\n", 0, start)
        last_break = comment.text.rfind("\n", 0, start)
        column = comment.column + start if last_break < 0 else start - last_break
        width = len(comment.text[start:end].split("\n")[0].rstrip())
        codes, reason, problem = _read(directive["rest"])
        whole_file = directive["file"] is not None
        if whole_file and not comment.alone:
            problem = "`ignore-file` has to stand on a line of its own"
        first_line = comment.first_line if line == comment.line else line
        yield Suppression(line, column, column + width, first_line, codes, reason, whole_file, problem)


def _read(rest: str) -> tuple[tuple[str, ...], str, str]:
    """Read `[codes] reason`: the codes, the reason, and what is wrong with it if something is."""
    listed = _CODE_LIST.match(rest)
    if listed is None:
        if rest.lstrip().startswith("["):
            return (), "", "the list of codes is not closed"
        if rest and not rest[0].isspace():
            return (), "", "write `ignore`, `ignore[CODE]` or `ignore-file[CODE]`"
        return (), " ".join(rest.split()), ""
    codes = tuple(code.strip().upper() for code in listed["codes"].split(","))
    wrong = [code for code in codes if not _NUMBER.fullmatch(code)]
    if wrong:
        return (), "", f"not a code: {', '.join(wrong) or '(empty)'}" if any(wrong) else "a code is missing"
    return codes, " ".join(rest[listed.end() :].split()), ""
