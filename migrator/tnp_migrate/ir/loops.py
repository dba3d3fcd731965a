"""Loops as blocks: a head that asks whether it goes on, a body that leads back to it, and what is behind."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tnp_migrate.ir.state import Loop, Lowering


def loop(low: Lowering, head: Callable[[], object], body: Callable[[], object], orelse: list[ast.stmt]) -> None:
    """Lower a loop: `head` asks whether it goes on, `body` is a turn of it."""
    build = low.build
    begin = build.block()
    build.goto(begin)
    build.current = begin
    head()
    end_of_head = build.current
    behind = build.block()
    low.loops.append(Loop(behind, begin, len(low.finals)))
    build.follow(end_of_head)
    body()
    build.goto(begin)
    build.seal(begin)
    low.loops.pop()
    build.current = end_of_head
    if orelse:
        build.follow(end_of_head)
        low.statements(orelse)
    build.goto(behind)
    build.seal(behind)
    build.current = behind
