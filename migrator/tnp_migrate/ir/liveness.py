"""Liveness: whether a register is read behind an instruction."""

from __future__ import annotations

from collections.abc import Iterable

from tnp_migrate.ir.instructions import Body, Instruction


class Liveness:
    """Where the registers of a body are defined and read."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self._place: dict[int, tuple[int, int]] = {}
        self._reads: dict[int, dict[int, list[int]]] = {}  # by register and block the positions of reads
        self._edges: dict[int, set[tuple[int, int]]] = {}  # by register the edges on which a phi reads it
        self._following: dict[int, set[int]] = {}  # by block those that may run behind it
        self._after: dict[int, set[int]] = {}  # by block all those that may run after it
        self._live: dict[int, set[int]] = {}  # by register the blocks at whose end it is live
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
        reads = self._reads.get(register, {})
        if not reads and register not in self._edges:
            return False
        defined, at = self._place[register]
        block, position = self._place[instruction.result]
        end = at if block == defined and at > position else None
        if any(position < one and (end is None or one < end) for one in reads.get(block, ())):
            return True
        return end is None and block in self._behind(register)

    def may_follow(self, first: Instruction, second: Instruction) -> bool:
        """Whether an instruction may run after another one has."""
        block, position = self._place[first.result]
        other, at = self._place[second.result]
        return (block == other and position < at) or other in self._blocks_after(block)

    def following(self, first: Instruction, others: Iterable[Instruction]) -> list[Instruction]:
        """Those of some instructions that may run after another one has."""
        block, position = self._place[first.result]
        behind, found = self._blocks_after(block), []
        for one in others:
            other, at = self._place[one.result]
            if other in behind or (block == other and position < at):
                found.append(one)
        return found

    def may_follow_with(self, register: int, first: Instruction, second: Instruction) -> bool:
        """Whether an instruction may run after another one has, and a register have the same value at both."""
        block, position = self._place[first.result]
        other, at = self._place[second.result]
        defined, bound = self._place[register]
        if block == other and position < at and not (defined == block and position < bound < at):
            return True
        if defined == block and position < bound:
            return False
        pending, seen = [*self._followers(block)], set()
        while pending:
            number = pending.pop()
            if number == other and not (defined == number and bound < at):
                return True
            if number != defined and number not in seen:
                pending += self._followers(number)
            seen.add(number)
        return False

    def _followers(self, block: int) -> set[int]:
        if not self._following:
            self._following = {one.number: set() for one in self.body.blocks}
            for one in self.body.blocks:
                for before in one.predecessors:
                    self._following[before].add(one.number)
        return self._following[block]

    def _blocks_after(self, block: int) -> set[int]:
        if block in self._after:
            return self._after[block]
        found = self._after[block] = set()
        pending = [*self._followers(block)]
        while pending:
            number = pending.pop()
            if number not in found:
                found.add(number)
                pending += self._followers(number)
        return found

    def _behind(self, register: int) -> set[int]:
        """The blocks at whose end a register is live: found backwards from its reads, once for each register."""
        if register not in self._live:
            defined, at = self._place[register]
            blocks = self.body.blocks
            begun = [
                number
                for number, positions in self._reads.get(register, {}).items()
                if number != defined or any(one < at for one in positions)
            ]
            pending = [before for before, _ in self._edges.get(register, ())]
            pending += [before for number in begun for before in blocks[number].predecessors]
            found = self._live[register] = set()
            while pending:
                number = pending.pop()
                if number not in found:
                    found.add(number)
                    pending += blocks[number].predecessors if number != defined else ()
        return self._live[register]
