"""Liveness: whether a register is read behind an instruction."""

from __future__ import annotations

from tnp_migrate.ir.instructions import Body, Instruction


class Liveness:
    """Where the registers of a body are defined and read."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self._place: dict[int, tuple[int, int]] = {}
        self._reads: dict[int, dict[int, list[int]]] = {}  # by register and block the positions of reads
        self._edges: dict[int, set[tuple[int, int]]] = {}  # by register the edges on which a phi reads it
        for block in body.blocks:
            for position, one in enumerate(block.instructions):
                self._place[one.result] = (block.number, position)
                if one.operation == "phi":
                    for before, operand in zip(block.predecessors, one.operands, strict=False):
                        self._edges.setdefault(operand, set()).add((before, block.number))
                else:
                    for operand in one.operands:
                        self._reads.setdefault(operand, {}).setdefault(block.number, []).append(position)

    def is_live_after(self, register: int, instruction: Instruction) -> bool:
        """Whether some way from behind an instruction reads a register, and does not define it before."""
        reads, edges = self._reads.get(register, {}), self._edges.get(register, set())
        if not reads and not edges:
            return False
        defined, at = self._place[register]
        block, position = self._place[instruction.result]
        pending = [(block, position)]
        seen: set[int] = set()
        while pending:
            number, start = pending.pop()
            end = at if number == defined and at > start else None
            if any(start < one and (end is None or one < end) for one in reads.get(number, ())):
                return True
            if end is not None:
                continue
            for following in self.body.blocks[number].successors:
                if (number, following) in edges:
                    return True
                if following not in seen:
                    seen.add(following)
                    pending.append((following, -1))
        return False
