"""A call of a function or a method of a library, as those see it that know what it does by its name."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.heap import Node, field, unify
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts.values import HOLDING


@dataclass(frozen=True, eq=False)
class Given:
    """A call of a function or a method that is known by its last name, and what it gives."""

    state: Transfer
    one: Instruction
    call: ast.Call
    name: str
    result: Node

    @cached_property
    def nodes(self) -> list[Node]:
        """What it is given by position; of `*xs` an item, where it is known what is called."""
        return [
            field(self.state.node(part.value), "[]")
            if isinstance(part, ast.Starred) and self.name
            else self.state.node(part)
            for part in self.call.args
        ]

    @property
    def joins(self) -> bool:
        """Whether it is given containers: `operator.add(xs, ys)`."""
        return any(self.state.kind(part) in HOLDING for part in self.call.args)

    def keep(self, holder: Node, item: Node) -> None:
        """Note that a container holds an item from then on, which no text shows."""
        unify(field(holder, "[]"), item)
        self.state.graph.kept[self.one, item] = None
