"""A body as text, one instruction a line: what tests of the lowering read."""

from __future__ import annotations

from collections.abc import Iterator

from tnp_migrate.ir.instructions import Body, CallShape, Instruction


def dump(body: Body) -> str:
    """Print a body: blocks with where they lead, instructions with registers and details."""
    return "\n".join(_lines(body))


def _lines(body: Body) -> Iterator[str]:
    yield f"{body.name}({', '.join(body.parameters)})"
    for block in body.blocks:
        onward = f" -> {', '.join(str(one) for one in block.successors)}" if block.successors else ""
        yield f"  block {block.number}{onward}"
        yield from (f"    {_line(one)}" for one in block.instructions)


def _line(one: Instruction) -> str:
    parts = [f"%{one.result} = {one.operation}", *(f"%{operand}" for operand in one.operands)]
    shown = _detail(one.detail)
    return " ".join([*parts, *([shown] if shown else [])])


def _detail(detail: object) -> str:
    if isinstance(detail, CallShape):
        words = [f"{word}=" if word else "**" for word in detail.keywords]
        return " ".join([*(f"*{position}" for position in sorted(detail.starred)), *words])
    if isinstance(detail, tuple):
        return " ".join(filter(None, (_detail(one) for one in detail)))
    if isinstance(detail, Body):
        return detail.name
    if isinstance(detail, str):
        return detail
    return "" if detail is None or not isinstance(detail, int | float | complex | bytes) else repr(detail)
