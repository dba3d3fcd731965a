"""Writes to arrays by objects that have them: what else has the array keeps what it was."""

from __future__ import annotations

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import Node, is_array_or_unknown, is_mixed, parts_of
from tnp_migrate.analysis.reachability import contained_in, holders_of
from tnp_migrate.ir.instructions import Instruction


def written_by_objects(graph: Graph) -> dict[Node, list[Instruction]]:
    """By arrays that a body writes to by what has them, and by all that holds those, where it does so, or calls it."""
    found: dict[Node, list[Instruction]] = {}
    for instruction, nodes, by in graph.all_writes():
        registers = [graph.registers[one] for one in by if one >= 0 and not _is_slot(graph, one)]
        named = contained_in(registers)  # variables, and items of lists and dicts, are bound anew
        for node in [one for one in nodes if one not in named and is_array_or_unknown(one) and not is_mixed(one)]:
            for part in parts_of(node):
                found.setdefault(part, []).append(instruction)
    holders = holders_of(graph.registers) if found else {}
    pending = [*found]
    while pending:
        one = pending.pop()
        for holder in holders.get(one, ()):
            known = found.setdefault(holder, [])
            new = [each for each in found[one] if each not in known]
            known += new
            pending += [holder] if new else []
    return found


def _is_slot(graph: Graph, register: int) -> bool:
    """Whether what a register has was read from an attribute."""
    return graph.body.behind_copies(register).operation == "attribute"
