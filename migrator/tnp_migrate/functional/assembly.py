"""Rewrites of statements become decisions: lines around a statement, names where calls stood, results to return."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from tnp_migrate.diagnostics.decisions import Decision
from tnp_migrate.functional.expression_calls import Rewrite
from tnp_migrate.functional.flow import Flow
from tnp_migrate.functional.statement_layout import COMPOUND, header_end, line_break
from tnp_migrate.functional.text_parts import Parts, flat
from tnp_migrate.functional.unit import Convention, Unit
from tnp_migrate.program.scopes import all_arguments
from tnp_migrate.text.source import Edit, Span


def decisions_of(flow: Flow, convention: Convention | None) -> Iterator[Decision]:
    """The decisions of one function."""
    for statement, rewrite in flow.rewrites.items():
        made = _with_result(flow.unit, statement, rewrite, convention)
        if made.main is None and not (made.before or made.after or made.inside):
            continue
        yield _decision(flow.unit, statement, made)


def _with_result(unit: Unit, node: ast.stmt, rewrite: Rewrite, convention: Convention | None) -> Rewrite:
    if not isinstance(node, ast.Return) or convention is None or convention.result == "same":
        return rewrite
    given = _given_back(unit, convention)
    if convention.result == "none":
        return Rewrite(rewrite.before, (f"return {given}",), rewrite.after, rewrite.inside)
    value = unit.line_parts(node.value) if node.value is not None else ("None",)
    return Rewrite(rewrite.before, flat("return ", value, f", {given}"), rewrite.after, rewrite.inside)


def _decision(unit: Unit, node: ast.stmt, rewrite: Rewrite) -> Decision:
    span = unit.span(node)
    whole = Span(span.start, header_end(unit, node)) if isinstance(node, COMPOUND) else span
    separator = line_break(unit, node)
    lines = [_with_names(unit, line, rewrite, own=False) for line in rewrite.before]
    main = rewrite.main if rewrite.main is not None else (whole,)
    lines.append(_with_names(unit, main, rewrite, own=True))
    lines += [_with_names(unit, line, rewrite, own=True) for line in rewrite.after]
    parts: Parts = ()
    for position, line in enumerate(lines):
        parts = flat(parts, separator if position else "", line)
    return Decision(whole, parts, "functional", "mutation")


def _with_names(unit: Unit, line: Parts, rewrite: Rewrite, *, own: bool) -> Parts:
    """Put the names of hoisted calls where the calls stood; a line that makes such a call keeps it."""
    found: list[str | Span] = []
    hoisted = sorted(((unit.span(call), name) for call, name in rewrite.inside.items()), key=lambda pair: pair[0])
    for part in line:
        if isinstance(part, str):
            found.append(part)
            continue
        reached = part.start
        for span, name in sorted(hoisted, key=lambda pair: (pair[0].start, -pair[0].end)):
            inside = part.start <= span.start and span.end <= part.end and span.start >= reached
            if inside and (own or span != part):
                found += [Span(reached, span.start), *name] if span.start > reached else [*name]
                reached = span.end
        if reached < part.end:
            found.append(Span(reached, part.end))
    return tuple(found)


def edits_of(flow: Flow, convention: Convention | None) -> Iterator[Edit]:
    """Lines behind loops, declarations at the top of a function, and its result at the end."""
    unit = flow.unit
    function = unit.function
    for loop, lines in flow.behind_loops.items():
        for line in lines:
            yield _line_behind(unit, loop.body[-1], loop, line)
    for inside, lines in flow.in_bodies.items():
        first = inside.body[0]
        start = unit.module.source.offset(first.lineno, first.col_offset)
        yield from (Edit(Span(start, start), f"{line}{line_break(unit, first)}") for line in lines)
    if function is None:
        return
    source = unit.module.source
    body = function.node.body
    for kind in ("global", "nonlocal"):
        names = sorted(name for name, how in flow.declared.items() if how == kind)
        if names:
            yield _declaration(unit, body, kind, ", ".join(names))
    if convention is not None:
        kept = [f"{unit.kept[name]} = {name}" for name in convention.parameters if name in unit.kept]
        first = body[1] if len(body) > 1 and _is_docstring(body[0]) else body[0]
        start = source.offset(first.lineno, first.col_offset)
        yield from (Edit(Span(start, start), f"{line}{line_break(unit, first)}") for line in kept)
    if convention is None or convention.result == "same":
        return
    yield from _result_type(unit, function.node, convention)
    if not any(node is None for node, _ in flow.exits):
        return
    none = "None, " if convention.result == "value" else ""
    text = f"return {none}{_given_back(unit, convention)}"
    separator = line_break(unit, body[0])
    if separator == "; ":
        end = source.span(body[-1]).end
        yield Edit(Span(end, end), f"{separator}{text}")
    else:
        yield _line_behind(unit, body[-1], body[0], text)


def _result_type(unit: Unit, node: ast.FunctionDef | ast.AsyncFunctionDef, convention: Convention) -> Iterator[Edit]:
    """The annotation of a result that has become another: by those of the parameters, none where one has none."""
    if node.returns is None:
        return
    source, old = unit.module.source, unit.span(node.returns)
    annotations = {one.arg: one.annotation for one in all_arguments(node.args)}
    given = [annotations.get(name) for name in convention.parameters]
    texts = [source.text(unit.span(one)) for one in given if one is not None]
    if len(texts) < len(given):
        arrow = source.body.rfind(b"->", 0, old.start)
        start = len(source.body[:arrow].rstrip(b" "))
        yield Edit(Span(start, old.end), "")
    elif convention.result == "value":
        yield Edit(Span(old.start, old.start), "tuple[")
        yield Edit(Span(old.end, old.end), f", {', '.join(texts)}]")
    else:
        yield Edit(old, texts[0] if len(texts) == 1 else f"tuple[{', '.join(texts)}]")


def _line_behind(unit: Unit, last: ast.stmt, beside: ast.stmt, text: str) -> Edit:
    """A line behind the one on which a statement ends, indented as another one."""
    source = unit.module.source
    end = source.span(last).end
    line = source.body.find(b"\n", end)
    end = len(source.body) if line < 0 else line - (source.body[line - 1 : line] == b"\r")
    indent = source.body[source.line_starts[beside.lineno - 1] : source.span(beside).start].decode()
    return Edit(Span(end, end), f"{source.newline}{indent}{text}")


def _given_back(unit: Unit, convention: Convention) -> str:
    """What a function returns besides its result."""
    return ", ".join(unit.kept.get(name, name) for name in convention.parameters)


def _declaration(unit: Unit, body: list[ast.stmt], kind: str, names: str) -> Edit:
    """Names in the `global` or `nonlocal` statement that a function starts with, or in one of its own."""
    statements = body[1:] if len(body) > 1 and _is_docstring(body[0]) else body
    first = statements[0]
    for one in takewhile(lambda one: isinstance(one, ast.Global | ast.Nonlocal), statements):
        if type(one).__name__.lower() == kind:
            end = unit.span(one).end
            return Edit(Span(end, end), f", {names}")
    start = unit.module.source.offset(first.lineno, first.col_offset)
    return Edit(Span(start, start), f"{kind} {names}{line_break(unit, first)}")


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
