"""Local variables in SSA form while blocks are made, after Braun et al., "Simple and Efficient Construction of SSA".

A block is sealed when all its predecessors are known; a variable that is read in one that is not gets a `phi` whose
operands are filled in then.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tnp_migrate.ir.instructions import Block, Body, Instruction
from tnp_migrate.program.scopes import Scope

Variable = tuple[Scope, str]


@dataclass(eq=False)
class Builder:
    """Blocks, edges and variables of one body. `current` is None where the code cannot be reached."""

    body: Body
    current: Block | None = None
    handlers: list[Block] = field(default_factory=list)  # where exceptions lead, the innermost last
    _definitions: dict[tuple[int, Variable], int] = field(default_factory=dict)
    _sealed: set[int] = field(default_factory=set)
    _incomplete: dict[int, dict[Variable, Instruction]] = field(default_factory=dict)

    def block(self, *, sealed: bool = False) -> Block:
        """Make a block; an exception in it leads to the innermost handler."""
        made = Block(len(self.body.blocks))
        self.body.blocks.append(made)
        if self.handlers:
            self.link(made, self.handlers[-1])
        if sealed:
            self._sealed.add(made.number)
        return made

    def link(self, source: Block, target: Block) -> None:
        """Let control pass from one block to another."""
        source.successors.append(target.number)
        target.predecessors.append(source.number)

    def goto(self, target: Block) -> None:
        """Let control pass on from where the code is."""
        if self.current is not None:
            self.link(self.current, target)

    def follow(self, *sources: Block | None) -> Block:
        """Go on in a sealed block behind some others."""
        made = self.block()
        for one in sources:
            if one is not None:
                self.link(one, made)
        self._sealed.add(made.number)
        self.current = made
        return made

    def emit(
        self, operation: str, operands: tuple[int, ...] = (), detail: object = None, node: ast.AST | None = None
    ) -> int:
        """Add an instruction; gives its register. Code that cannot be reached is lowered as well."""
        block = self.current if self.current is not None else self.follow()
        made = Instruction(operation, len(self.body.instructions), operands, detail, node, block.number)
        self.body.instructions.append(made)
        block.instructions.append(made)
        return made.result

    def bind(self, variable: Variable, register: int) -> None:
        """Bind a variable here."""
        block = self.current if self.current is not None else self.follow()
        self._definitions[block.number, variable] = register

    def read(self, variable: Variable) -> int:
        """The register that a variable has here."""
        return self._read(variable, self.current if self.current is not None else self.follow())

    def seal(self, block: Block) -> None:
        """Note that all predecessors of a block are known."""
        self._sealed.add(block.number)
        for variable, phi in self._incomplete.pop(block.number, {}).items():
            phi.operands = self._incoming(variable, block)

    def _read(self, variable: Variable, block: Block) -> int:
        passed: list[int] = []
        while (found := self._definitions.get((block.number, variable))) is None:
            if block.number in self._sealed and len(block.predecessors) == 1:
                passed.append(block.number)
                block = self.body.blocks[block.predecessors[0]]
                continue
            found = self._joined(variable, block)
            break
        for number in passed:
            self._definitions[number, variable] = found
        return found

    def _joined(self, variable: Variable, block: Block) -> int:
        sealed = block.number in self._sealed
        operation = "undefined" if sealed and not block.predecessors else "phi"
        made = Instruction(operation, len(self.body.instructions), (), variable[1], None, block.number)
        self.body.instructions.append(made)
        block.instructions.insert(0, made)
        self._definitions[block.number, variable] = made.result
        if not sealed:
            self._incomplete.setdefault(block.number, {})[variable] = made
        elif operation == "phi":
            made.operands = self._incoming(variable, block)
        return made.result

    def _incoming(self, variable: Variable, block: Block) -> tuple[int, ...]:
        return tuple(self._read(variable, self.body.blocks[one]) for one in block.predecessors)
