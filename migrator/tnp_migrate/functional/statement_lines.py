"""The text of the lines that a statement becomes."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tnp_migrate.functional.comprehension_loops import shown
from tnp_migrate.functional.hoisted_calls import Ordering
from tnp_migrate.functional.statement_layout import COMPOUND, comments_in, indent_of, is_open
from tnp_migrate.functional.text_parts import Parts, flat
from tnp_migrate.functional.unit import Impossible
from tnp_migrate.text.source import Span

_LOOSE = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr)
Line = tuple[int, Parts]  # how deep, what


@dataclass(eq=False)
class Lines:
    """The lines, and what stands in them for expressions that have a name now."""

    order: Ordering
    statement: ast.stmt
    lines: list[Line] = field(default_factory=list)
    replaced: dict[ast.expr, Parts] = field(default_factory=dict)
    depth: int = 0

    def _with_comments(self, whole: Span, parts: Parts, node: ast.stmt) -> Parts:
        """Comments that stood between the parts of an expression come before the statement."""
        source = self.order.unit.module.source
        text = "".join(one if isinstance(one, str) else source.text(one) for one in parts)
        lost = [one for one in comments_in(source.text(whole)) if one not in text]
        return flat(*(f"{one}{self._newline(indent_of(self.order.unit, node), 0)}" for one in lost), parts)

    def _comment_behind(self, end: int) -> Span | None:
        """The comment behind a statement, with the blanks before it."""
        source = self.order.unit.module.source
        line = source.body.find(b"\n", end)
        rest = source.body[end : line if line >= 0 else len(source.body)].rstrip()
        return Span(end, end + len(rest)) if rest.lstrip().startswith(b"#") else None

    def _name(self, node: ast.expr, wanted: str) -> None:
        name = self._fresh(wanted)
        self._add(flat(f"{name} = ", self._closed_text(node)))
        self.replaced[node] = (name,)

    def _fresh(self, wanted: str) -> str:
        return self.order.unit.fresh(wanted)

    def _closed_text(self, node: ast.expr) -> Parts:
        """An expression at the end of a line: in brackets where it goes over several lines without any."""
        shown = self._show(node)
        text = self.order.unit.module.source.text(self._span(node))
        return flat("(", shown, ")") if isinstance(node, ast.NamedExpr) or is_open(text) else shown

    def _test(self, node: ast.expr, *, negated: bool) -> Parts:
        if not negated:
            return self._closed_text(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self._closed_text(node.operand)
        shown_as = self._closed_text(node)
        return flat("not (", shown_as, ")") if isinstance(node, _LOOSE) else flat("not ", shown_as)

    def _show(self, node: ast.expr | Span) -> Parts:
        return shown(self.order.unit.span, node if isinstance(node, Span) else self._span(node), self.replaced)

    def _span(self, node: ast.expr) -> Span:
        return self.order.unit.span(node)

    def _span_of(self, node: ast.stmt) -> Span:
        return self.order.unit.span(node)

    def _add(self, line: Parts, deeper: int = 0) -> None:
        self.lines.append((self.depth + deeper, line))

    def _newline(self, indent: str, depth: int) -> str:
        return self.order.unit.module.source.newline + indent + depth * self._step()

    def _step(self) -> str:
        unit = self.order.unit
        if unit.function is None:
            return "    "
        inner, outer = indent_of(unit, unit.function.node.body[0]), indent_of(unit, unit.function.node)
        return inner[len(outer) :] if not inner.strip() and len(inner) > len(outer) else "    "

    def _text(self) -> Parts:
        indent = indent_of(self.order.unit, self.statement)
        if any(depth for depth, _ in self.lines) and isinstance(self.statement, COMPOUND) and indent.strip():
            raise Impossible
        found: Parts = ()
        for position, (depth, line) in enumerate(self.lines):
            found = flat(found, self._newline(indent, depth) if position else "", line)
        return found
