"""Where statements stand: what comes between two of them, and where the header of a compound one ends."""

from __future__ import annotations

import ast
import io
import tokenize

from tnp_migrate.functional.unit import Unit

COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Match, ast.Try)


def line_break(unit: Unit, node: ast.stmt) -> str:
    """What comes between two statements that stand where one stood."""
    alone = stands_alone(unit, node)
    return f"{unit.module.source.newline}{indent_of(unit, node)}" if alone or isinstance(node, COMPOUND) else "; "


def stands_alone(unit: Unit, node: ast.stmt) -> bool:
    """Whether a statement has its lines for itself."""
    source = unit.module.source
    after = source.body[source.span(node).end :].split(b"\n", 1)[0].strip()
    return not indent_of(unit, node).strip() and not after.startswith(b";")


def indent_of(unit: Unit, node: ast.stmt) -> str:
    """What stands before a statement on its line."""
    source = unit.module.source
    return source.body[source.line_starts[node.lineno - 1] : source.span(node).start].decode()


def header_end(unit: Unit, node: ast.stmt) -> int:
    """The byte at which the header of a compound statement ends, before its colon."""
    if isinstance(node, ast.Match):
        return unit.span(node.subject).end
    if isinstance(node, ast.With | ast.AsyncWith):
        return unit.span(node.items[-1].optional_vars or node.items[-1].context_expr).end
    if isinstance(node, ast.For | ast.AsyncFor):
        return unit.span(node.iter).end
    assert isinstance(node, ast.If | ast.While)
    return unit.span(node.test).end


def is_open(text: str) -> bool:
    """Whether an expression goes over several lines only because brackets around it let it."""
    if "\n" not in text:
        return False
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return True
    return False


def comments_in(text: str) -> list[str]:
    """The comments of a text, which may be a part of a statement."""
    found: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            found += [token.string] if token.type == tokenize.COMMENT else []
    except (tokenize.TokenError, IndentationError):  # brackets that are not closed
        pass
    return found
