"""What operators run of the classes of their operands: of the first one, or of the others, which may be asked instead.

`0 + box` gives what `Box.__radd__` does, `sum(boxes)` what `__radd__` and `__add__` do, `operator.add(0, box)` as well.
"""

from __future__ import annotations

from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.heap import Node
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.program.special_methods import OPERATORS, REFLECTED

_ORDERING = ("__lt__", "__le__", "__gt__", "__ge__")
_COMPARING = {"__ne__": ("__ne__", "__eq__"), **dict.fromkeys(_ORDERING, (*_ORDERING, "__eq__"))}  # `total_ordering`

_FUNCTIONS = {name.strip("_"): name for name in OPERATORS.values()}  # those of `operator`, by their names


def run_operators(
    state: Transfer, one: Instruction, name: str, operands: list[Node], result: Node, *, of_first: bool = True
) -> None:
    """Run what classes of the project do for an operator, and for what Python makes it of."""
    first, *others = operands or [Node()]
    for each in _COMPARING.get(name, (name,)):
        if of_first:
            state.method_of_classes(each, first, others, result, one)
        for other in others:  # which may be asked instead
            state.method_of_classes(REFLECTED.get(each, f"__r{each[2:]}"), other, [first], result, one)


def run_summed(state: Transfer, one: Instruction, items: Node, result: Node) -> None:
    """Run what `sum(items)` adds with, to a number first."""
    run_operators(state, one, "__add__", [result, items], result)


def run_function_of_operator(
    state: Transfer, one: Instruction, qualified: str | None, operands: list[Node], result: Node
) -> None:
    """Run what `operator.add(x, y)` runs."""
    module, _, last = (qualified or "").rpartition(".")
    name = _FUNCTIONS.get(last.strip("_")) if module in ("operator", "_operator") else None
    if name is not None:
        run_operators(state, one, name, operands, result)
