"""Patterns of a `match`: what is compared, what is read of the subject, and the names that are bound to that."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tnp_migrate.ir.instructions import Block
from tnp_migrate.ir.state import Lowering
from tnp_migrate.ir.targets import constant_key
from tnp_migrate.program.nodes import captured


def match(low: Lowering, node: ast.Match) -> None:
    """Lower a `match`: each case begins where those before it have failed."""
    asks = any(_asks(case.pattern) for case in node.cases)
    subject = low.asked(node.subject) if asks else low.expression(node.subject)
    ends: list[Block | None] = []
    for case in node.cases:
        low.build.follow(low.build.current)
        _pattern(low, case.pattern, subject)
        if case.guard is not None:
            low.asked(case.guard)
        fails = low.build.current
        low.build.follow(fails)
        low.statements(case.body)
        ends.append(low.build.current)
        low.build.current = fails
    low.join(*ends, low.build.current)


def _asks(pattern: ast.pattern) -> bool:
    """Whether a pattern compares what is matched, or takes it apart."""
    if isinstance(pattern, ast.MatchAs):
        return pattern.pattern is not None and _asks(pattern.pattern)
    return not isinstance(pattern, ast.MatchSingleton)


def _pattern(low: Lowering, node: ast.pattern, subject: int) -> None:
    """Match a register with a pattern; of one that binds no name it does not matter what part of the subject it is."""
    _LOWERED[type(node)](low, node, subject)


def _nothing(_low: Lowering, _node: ast.MatchSingleton, _subject: int) -> None:
    """Compare with `None`, or a truth value, by identity."""


def _value(low: Lowering, node: ast.MatchValue, _: int) -> None:
    low.expression(node.value)


def _as(low: Lowering, node: ast.MatchAs, subject: int) -> None:
    if node.pattern is not None:
        _pattern(low, node.pattern, subject)
    if node.name is not None:
        low.store(node.name, subject, node)


def _either(low: Lowering, node: ast.MatchOr, subject: int) -> None:
    before, ends = low.build.current, []
    for part in node.patterns:
        low.build.follow(before)
        _pattern(low, part, subject)
        ends.append(low.build.current)
    low.join(*ends)


def _sequence(low: Lowering, node: ast.MatchSequence, subject: int) -> None:
    is_open = False  # whether positions are not known, behind a `*rest`
    for place, part in enumerate(node.patterns):
        is_open = is_open or isinstance(part, ast.MatchStar)
        if captured(part) and not isinstance(part, ast.MatchStar):
            key = None if is_open else place
            given = low.emit("item", (subject, low.emit("constant", (), key, None)), key, part)
            _pattern(low, part, given)
        else:
            _pattern(low, part, subject)


def _mapping(low: Lowering, node: ast.MatchMapping, subject: int) -> None:
    for key, part in zip(node.keys, node.patterns, strict=True):
        found = low.expression(key)
        given = low.emit("item", (subject, found), constant_key(key), part) if captured(part) else subject
        _pattern(low, part, given)
    _rest(low, node, node.rest, subject)


def _star(low: Lowering, node: ast.MatchStar, subject: int) -> None:
    _rest(low, node, node.name, subject)


def _rest(low: Lowering, node: ast.pattern, name: str | None, holder: int) -> None:
    """Bind a name to what no other part of a pattern has taken, in a list or dict of its own."""
    if name is not None:
        kind = "dict" if isinstance(node, ast.MatchMapping) else "list"
        low.store(name, low.emit("display", (holder,), (kind, ("*",)), node), node)


def _class(low: Lowering, node: ast.MatchClass, subject: int) -> None:
    """Match attributes by their names; which those are that only have a position `__match_args__` of the class says."""
    low.expression(node.cls)
    places: list[tuple[str | None, ast.pattern]] = [(None, part) for part in node.patterns]
    for name, part in [*places, *zip(node.kwd_attrs, node.kwd_patterns, strict=True)]:
        _pattern(low, part, low.emit("attribute", (subject,), name, part) if captured(part) else subject)


_LOWERED: dict[type[ast.pattern], Callable[[Lowering, Any, int], None]] = {
    ast.MatchAs: _as, ast.MatchOr: _either, ast.MatchValue: _value, ast.MatchSingleton: _nothing,
    ast.MatchSequence: _sequence, ast.MatchMapping: _mapping, ast.MatchStar: _star, ast.MatchClass: _class,
}  # fmt: skip
