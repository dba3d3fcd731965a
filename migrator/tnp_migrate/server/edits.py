"""What an editor may be offered to change: all of a file, a function or a statement of it, a comment that suppresses.

Changes are whole lines. A part is offered where what becomes of it does not hang on the rest: no line outside of it has
to change with it but imports, and nothing in it takes another result, or gives one, than before.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.suppressions import find_suppressions
from tnp_migrate.server.answers import Answer, Change
from tnp_migrate.server.lines import whole_lines_of

_CONVENTIONS = "TNP310"  # a function returns what it writes to: callers have to take it
_COMMENT = re.compile(r"#\s*tnp:\s*ignore\[(?P<codes>[^\]]*)\]")
_IMPORT = re.compile(r"^\s*(?:import |from |try:|except ImportError)|^\s*$")


@dataclass(frozen=True)
class Part:
    """A part of a file that may be rewritten alone: its name, its changes, or why it may not be."""

    name: str
    changes: tuple[Change, ...] = ()
    refused: str = ""


def becomes(answer: Answer, line: int) -> str | None:
    """What the statement at a line becomes; None where it stays."""
    for one in answer.changes:
        if one.first <= line < one.last:
            same_length = one.last - one.first == len(one.lines)
            statement = _statement_at(answer, line)
            if same_length and statement is not None and one.first <= statement.lineno:
                last = min(statement.end_lineno or statement.lineno, one.last - 1)
                return "".join(one.lines[statement.lineno - one.first : last - one.first + 1])
            return "".join(one.lines)
    return None


def parts_at(answer: Answer, line: int) -> Iterator[Part]:
    """The statement and the function at a line, as far as something in them changes."""
    changes = answer.changes
    statement, function = _statement_at(answer, line), _function_at(answer, line)
    if statement is not None:
        yield from _part(answer, changes, statement, "this statement")
    if function is not None:
        yield from _part(answer, changes, function, f"function `{function.name}`")


def _part(answer: Answer, changes: tuple[Change, ...], node: ast.stmt, name: str) -> Iterator[Part]:
    decorators = getattr(node, "decorator_list", [])
    first, last = min([node.lineno, *(one.lineno for one in decorators)]), (node.end_lineno or node.lineno) + 1
    touching = [one for one in changes if one.first < last and one.last > first]
    touching += [one for one in changes if one.first == one.last == first and _decorates(one)]
    inside = [narrowed for one in touching for narrowed in _narrowed(one, first, last)]
    if not touching:
        return
    if len(inside) != len(touching):
        yield Part(name, refused="what becomes of it is one change with the lines beside it")
        return
    refused = _hangs_on_others(answer, first, last, node)
    imports = [one for one in changes if one.first == one.last and _is_import(one)]
    yield Part(name, refused=refused) if refused else Part(name, (*imports, *inside))


def _narrowed(change: Change, first: int, last: int) -> list[Change]:
    """A change cut to some lines; nothing where lines are not replaced one by one."""
    if first <= change.first and change.last <= last:
        return [change]
    if change.last - change.first != len(change.lines):
        return []
    begin, end = max(first, change.first), min(last, change.last)
    return [Change(begin, end, change.lines[begin - change.first : end - change.first])]


def _hangs_on_others(answer: Answer, first: int, last: int, node: ast.stmt) -> str:
    for one in answer.findings:
        name = re.match(r"`(\w+)`", one.message) if one.code == _CONVENTIONS else None
        called = name and re.search(rf"\b{name[1]}\(", "\n".join(answer.lines[first - 1 : last - 1]))
        if name and called:
            whole = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name[1]
            return f"`{name[1]}` gives back what it writes to then: rewrite {'its callers' if whole else 'it'} as well"
    function = _function_at(answer, first)
    if function is not None and function.lineno != node.lineno and answer.after.count("index_update(") > 0:
        own = answer.lines[function.lineno - 1 : function.end_lineno]
        if any(re.search(r"\]\s*(?:[-+*/|&^%@]|//|\*\*|<<|>>)?=[^=]", line) for line in own):
            return f"`{function.name}` writes to arrays: rewrite all of it"
    return ""


def _is_import(change: Change) -> bool:
    return all(_IMPORT.match(line) for line in change.lines)


def _decorates(change: Change) -> bool:
    return bool(change.lines) and change.lines[-1].lstrip().startswith("@")


def _statement_at(answer: Answer, line: int) -> ast.stmt | None:
    """The simple statement at a line."""
    tree = answer.tree
    statements = (one for one in ast.walk(tree) if isinstance(one, ast.stmt)) if tree is not None else ()
    simple = (one for one in statements if not hasattr(one, "body"))
    return next((one for one in simple if one.lineno <= line <= (one.end_lineno or one.lineno)), None)


def _function_at(answer: Answer, line: int) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The outermost function around a line."""
    pending: list[ast.AST] = list(answer.tree.body) if answer.tree is not None else []
    for one in pending:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([one.lineno, *(decorator.lineno for decorator in one.decorator_list)])
            if first <= line <= (one.end_lineno or one.lineno):
                return one
        elif isinstance(one, ast.stmt):
            pending += [child for child in ast.iter_child_nodes(one) if isinstance(child, ast.stmt)]
    return None


def suppression(answer: Answer, finding: Finding) -> Change | None:
    """The comment that silences a finding; None where none does: at input errors, inside of a text of several lines."""
    if finding.code.startswith("TNP9") or finding.suppressed is not None:
        return None
    statement = _statement_at(answer, finding.line)
    ends = (finding.line, finding.end_line, (statement.end_lineno or finding.line) if statement is not None else 0)
    made = (_commented(answer, finding.code, at) for at in dict.fromkeys(ends) if 0 < at <= len(answer.lines))
    return next((one for one in made if _silences(answer, one, finding)), None)


def _commented(answer: Answer, code: str, at: int) -> Change:
    line = whole_lines_of(answer.before)[at - 1]
    text = line.rstrip("\r\n")
    ending = line[len(text) :]
    known = _COMMENT.search(text)
    if known is None:
        return Change(at, at + 1, (f"{text}  # tnp: ignore[{code}] reason{ending}",))
    start, end = known.span("codes")
    return Change(at, at + 1, (f"{text[:start]}{known['codes'].strip()}, {code}{text[end:]}{ending}",))


def _silences(answer: Answer, change: Change, finding: Finding) -> bool:
    lines = whole_lines_of(answer.before)
    lines[change.first - 1 : change.last - 1] = change.lines
    return any(one.silences(finding) for one in find_suppressions("".join(lines)))
