"""Bodies of functions as basic blocks of instructions, with local variables in SSA form.

An instruction gives one register, its `result`; registers are numbered from 0 within a body. The operations are

| operation | operands | detail |
|---|---|---|
| `constant` | | the value |
| `parameter` | | its name |
| `undefined` | | a variable that is read before it is bound |
| `phi` | one register a predecessor | the variable |
| `copy` | what a variable is bound to | the variable |
| `global`, `cell` | | name; scope and name |
| `set_global`, `set_cell` | value | name; scope and name |
| `attribute`, `delete_attribute` | object | name; None where a pattern leaves it to `__match_args__` |
| `set_attribute` | object, value | name |
| `item`, `delete_item` | object, key | constant key or None |
| `set_item` | object, key, value | constant key or None |
| `slice` | bounds | |
| `operator` | operands, of comparisons as well | its name |
| `augmented` | target, operand | the operator's name |
| `asked` | what is asked for its truth, its text or its hash | |
| `either` | values of which it gives one, as `or` does | |
| `call` | function, arguments | a `CallShape` |
| `display` | items | list, tuple, set, dict or generator, and the constant keys |
| `append` | container, item | what comprehensions collect |
| `iterate`, `next` | iterable; iterator | |
| `unpack`, `rest` | what is taken apart | position or None |
| `function`, `class` | defaults; bases | the `Body`; the node |
| `import` | | the qualified name |
| `enter`, `exit` | context manager | |
| `exception` | | |
| `decorated` | decorator, function | |
| `return`, `yield`, `raise`, `await` | value | |
| `unknown` | whatever it is computed from | |
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tnp_migrate.program.scopes import Scope


@dataclass(frozen=True, slots=True)
class CallShape:
    """Which operands of a call are what: behind the function stand positional ones, then those of `keywords`.

    `starred` are the positions among all arguments of `*x`; the keyword None stands for `**x`.
    """

    positional: int
    keywords: tuple[str | None, ...] = ()
    starred: frozenset[int] = frozenset()

    @property
    def unpacked(self) -> list[int]:
        """The positions of `*x` and `**x`, among all operands behind the function."""
        words = [at for at, word in enumerate(self.keywords, self.positional) if word is None]
        return [*self.starred, *words]


@dataclass(slots=True, eq=False)
class Instruction:
    """One operation; `node` is what it was lowered from, None for what no text stands for."""

    operation: str
    result: int
    operands: tuple[int, ...]
    detail: object
    node: ast.AST | None
    block: int

    @property
    def fills(self) -> bool:
        """Whether it may make a container of what it is given, or of items of that: `[x, *xs]`, `xs + ys`, `xs[1:]`."""
        if self.operation == "item":
            return isinstance(self.node, ast.Subscript) and isinstance(self.node.slice, ast.Slice)
        return self.operation in ("display", "operator", "augmented")

    @property
    def given(self) -> tuple[int, ...]:
        """The registers of what it is given; what a call runs is none of that."""
        return self.operands[1:] if self.operation == "call" else self.operands

    @property
    def named(self) -> object:
        """The variable that it binds or reads, also of one that has its scope beside; else what `detail` says."""
        return self.detail[1] if isinstance(self.detail, tuple) and len(self.detail) == 2 else self.detail


@dataclass(slots=True, eq=False)
class Block:
    """Instructions that run one after the other; `handlers` are blocks that an exception in it may lead to."""

    number: int
    instructions: list[Instruction] = field(default_factory=list)
    predecessors: list[int] = field(default_factory=list)
    successors: list[int] = field(default_factory=list)


@dataclass(eq=False)
class Body:
    """A function, a lambda, or a module's own statements, class bodies in it included."""

    name: str
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module
    scope: Scope
    outer: Body | None = None
    blocks: list[Block] = field(default_factory=list)
    instructions: list[Instruction] = field(default_factory=list)  # by their register
    registers: dict[ast.AST, int] = field(default_factory=dict)  # what an expression gives, the last of several
    parameters: dict[str, int] = field(default_factory=dict)
    inner: list[Body] = field(default_factory=list)
    yields: bool = False
    constants: Mapping[str, object] = field(default_factory=dict)  # what parameters are in the calls that run it

    @property
    def is_suspended(self) -> bool:
        """Whether a call runs nothing yet: of a generator, or of a coroutine."""
        return self.yields or isinstance(self.node, ast.AsyncFunctionDef)

    @property
    def results(self) -> list[int]:
        """The registers that the body returns or yields."""
        given = [one for one in self.instructions if one.operation in ("return", "yield")]
        return [operand for one in given for operand in one.operands]

    @cached_property
    def read(self) -> frozenset[int]:
        """The registers whose values are used for more than to bind them to names and to add to them in place."""
        pending: list[int] = []
        leading: dict[int, list[int]] = {}  # by a register, those whose value it is, or was
        for one in self.instructions:
            if one.operation in ("copy", "phi"):
                leading[one.result] = [*one.operands]
            elif one.operation == "augmented":
                leading[one.result] = [one.operands[0]]
                pending += one.operands[1:]
            else:
                pending += one.operands
        found: set[int] = set()
        while pending:
            register = pending.pop()
            if register not in found:
                found.add(register)
                pending += leading.get(register, [])
        return frozenset(found)

    def behind_copies(self, register: int) -> Instruction:
        """The instruction that made what a register has, under whatever names it was bound since.

        A loop that does not bind a variable has the value from before it.
        """
        one = self.instructions[register]
        while one.operation == "copy":
            one = self.instructions[one.operands[0]]
        if one.operation != "phi":
            return one
        pending, seen = [*one.operands], {one.result}
        made: set[int] = set()
        while pending and len(made) < 2:
            each = self.instructions[pending.pop()]
            if each.operation not in ("copy", "phi"):
                made.add(each.result)
            elif each.result not in seen:
                seen.add(each.result)
                pending += each.operands
        return self.instructions[made.pop()] if len(made) == 1 else one

    def receiver(self, call: Instruction) -> int:
        """The register of the object whose method a call runs, or of the function."""
        called = self.instructions[call.operands[0]]
        return called.operands[0] if called.operation == "attribute" else called.result
