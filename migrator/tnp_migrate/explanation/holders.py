"""Who may have the memory of an array beside the expression that is asked about, and who writes to it.

The heap has one node for an array in each function that has it. From one node one goes up to what callers pass, and
from there down into all calls that get it; each place on the way that a text names is a holder.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import Node, find
from tnp_migrate.analysis.library_functions import LIBRARY
from tnp_migrate.analysis.regions import Regions
from tnp_migrate.explanation.places import Place, Places
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.program.nodes import walk

_LONGEST = 60  # characters of an expression


@dataclass(frozen=True, order=True)
class Held:
    """One place that may have the memory, what it is, and the function that it stands in."""

    place: Place
    what: str
    function: str


@dataclass(eq=False)
class Holders:
    """Where nodes of the heap stand in the texts of a project."""

    regions: Regions
    places: Places
    _having: dict[Node, list[tuple[Graph, int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Note which registers have which node."""
        for graph in self._graphs():
            for register, node in enumerate(graph.registers):
                self._having.setdefault(find(node), []).append((graph, register))

    def _graphs(self) -> list[Graph]:
        return [one for one in self.regions.solution.graphs.values() if one.module.name != LIBRARY]

    def held(self, graph: Graph, node: Node) -> list[Held]:
        """The places that may have the memory of a node, in the order of files and lines."""
        nodes = self.regions.alike(graph, node)
        found: set[Held] = set()
        graphs: dict[Graph, None] = {}
        for one in nodes:
            for other, register in self._having.get(one, ()):
                graphs[other] = None
                found |= {self._at(other, node, what) for node, what in _bound(other, register)}
        for other in graphs:
            found |= {self._at(other, node, what) for node, what in _handed_on(other, nodes)}
        return sorted(found)

    def written(self, graph: Graph, node: Node) -> list[Held]:
        """The statements that may write to the memory of a node."""
        nodes = self.regions.alike(graph, node)
        writes = ((one, write) for one in self._graphs() for write in one.writes)
        return sorted(
            {
                self._at(one, place, _statement(one, place))
                for one, write in writes
                if any(find(each) in nodes for each in write.nodes)
                if (place := _text_of(one, write.instruction)) is not None
            }
        )

    def _at(self, graph: Graph, node: ast.AST, what: str) -> Held:
        function = graph.function or graph.module.outermost(graph.body.scope)
        place = self.places.at(graph.module.source.path, getattr(node, "lineno", 1))
        return Held(place, what, function.place if function else "")


def _text_of(graph: Graph, one: Instruction) -> ast.AST | None:
    """What an instruction was lowered from: of a store that an operator like `+=` ends with, the statement."""
    while one.node is None and one.operands:
        one = graph.body.instructions[one.operands[-1]]
    return one.node


def _bound(graph: Graph, register: int) -> Iterator[tuple[ast.AST, str]]:
    """What a text calls that a register has."""
    one = graph.body.instructions[register]
    if one.node is None or _is_number(graph, one):
        return
    if one.operation == "parameter":
        yield (one.node, f"parameter `{_name(one)}`")
    elif one.operation == "copy" and isinstance(one.node, ast.Name):
        yield (one.node, f"variable `{_name(one)}`")
    elif one.operation == "cell":
        yield (one.node, f"variable `{_name(one)}` of the function around")
    elif one.operation == "global":
        yield (one.node, f"variable `{_name(one)}` of the module")
    elif one.operation in ("attribute", "item") and not _is_part(graph, one):
        yield (one.node, f"`{short(one.node)}`")


def _handed_on(graph: Graph, nodes: Container[Node]) -> Iterator[tuple[ast.AST, str]]:
    """Where a body binds or puts what has one of some nodes, or gives it to its caller."""
    for one in graph.body.instructions:
        if one.node is None or not any(find(graph.registers[operand]) in nodes for operand in one.operands):
            continue
        value = one.operands[-1]
        if find(graph.registers[value]) in nodes and not _is_number(graph, graph.body.behind_copies(value)):
            if one.operation in ("set_attribute", "set_item") and _is_put(graph, one):
                yield (one.node, f"`{short(one.node)}`")
            elif one.operation in ("set_cell", "set_global") and isinstance(one.node, ast.Name):
                yield (one.node, f"variable `{_name(one)}`")
            elif one.operation in ("return", "yield"):
                yield (one.node, "the result" if one.operation == "return" else "what it yields")
        if one.operation in ("display", "append"):
            yield (one.node, f"inside `{short(one.node)}`")
    for instruction, node in graph.stores:
        if instruction.operation == "call" and instruction.node is not None and find(node) in nodes:
            yield (instruction.node, f"put into an object by `{short(instruction.node)}`")


def _is_part(graph: Graph, one: Instruction) -> bool:
    """Whether an attribute or item is a part or a view of the array itself, or of what is no place in a program."""
    whole = find(graph.registers[one.operands[0]])
    own = one.operands[-1] if one.operation.startswith("set_") else one.result
    return whole is find(graph.registers[own]) or not isinstance(one.node, ast.Attribute | ast.Subscript)


def _is_put(graph: Graph, one: Instruction) -> bool:
    """Whether what is stored is held by the object after that: an array copies it."""
    value = find(graph.registers[one.operands[-1]])
    holder = find(graph.registers[one.operands[0]])
    return any(find(held) is value for held in holder.fields.values()) and not _is_part(graph, one)


def _is_number(graph: Graph, one: Instruction) -> bool:
    value = graph.module.value(one.node) if one.node is not None else None
    return value is not None and (value.kind in NOT_MEMORY or (value.is_array and value.rank == 0))


NOT_MEMORY = frozenset("scalar str none shape dtype module function class rng file".split())


def _name(one: Instruction) -> str:
    return str(one.named)


def _statement(graph: Graph, node: ast.AST | None) -> str:
    lines = graph.module.source.lines
    number = getattr(node, "lineno", 0)
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def short(node: ast.AST) -> str:
    """An expression as it is written, as far as a person reads it."""
    size = sum(1 for _ in walk(node))
    text = ast.unparse(node) if size < _LONGEST else type(node).__name__
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ..."
