"""Variables of a function that nothing reads any more, after branches of it were left out."""

from __future__ import annotations

import ast

_PURE = (ast.Name, ast.Attribute, ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.expr_context)


def without_unused(text: str) -> str:
    """Leave out assignments to such variables; what may raise or do anything stays."""
    while True:
        node = ast.parse(text).body[0]
        gone = _unused(node) if isinstance(node, ast.FunctionDef) else None
        if gone is None:
            return text
        lines = text.splitlines(keepends=True)
        del lines[gone.lineno - 1 : gone.end_lineno]
        text = "".join(lines)


def _unused(function: ast.FunctionDef) -> ast.Assign | None:
    read: set[str] = set()
    blocks: list[list[ast.stmt]] = []
    for one in ast.walk(function):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            read.add(one.id)
        elif isinstance(one, ast.Nonlocal | ast.Global):
            read.update(one.names)
        elif isinstance(one, ast.stmt):
            blocks += [getattr(one, part) for part in ("body", "orelse", "finalbody") if hasattr(one, part)]
    for block in blocks:
        for step in block if len(block) > 1 else []:
            if not isinstance(step, ast.Assign) or not all(isinstance(one, ast.Name) for one in step.targets):
                continue
            names = {one.id for one in step.targets if isinstance(one, ast.Name)}
            if not names & read and all(isinstance(one, _PURE) for one in ast.walk(step.value)):
                return step
    return None
