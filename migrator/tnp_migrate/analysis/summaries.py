"""Effects of one body: what it writes to, keeps and returns, by the regions whose memory that is."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tnp_migrate.analysis.handed_back import HandedBack, Root
from tnp_migrate.ir.instructions import Body
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.scopes import Scope


@dataclass(frozen=True, eq=False)
class Site:
    """A write in place: the node, what it is in the user's terms, and the roots that it reaches."""

    node: ast.AST
    construct: str
    roots: frozenset[Root]
    whole: bool = False  # `construct` is all there is to say: it is a call that writes, not a write itself


@dataclass(eq=False)
class Summary:
    """The effects of a function, or of a module's own statements (`function` is None then)."""

    module: Module
    function: Function | None
    nodes: list[ast.AST]
    scope: Scope
    aliases: dict[str, set[Root]] = field(default_factory=dict)
    anew: dict[str, int] = field(default_factory=dict)  # names that may hold a copy of an argument: from which line on
    made: set[str] = field(default_factory=set)  # aliases that are other objects than what they share memory with
    sites: list[Site] = field(default_factory=list)
    mutated: set[Root] = field(default_factory=set)
    surely: set[Root] = field(default_factory=set)  # those of `mutated` that are not perhaps a copy when they are
    returned: set[Root] = field(default_factory=set)
    escaped: set[Root] = field(default_factory=set)
    calls: list[tuple[ast.Call, list[Function]]] = field(default_factory=list)
    casts: list[ast.AugAssign] = field(default_factory=list)
    bound_anew: set[ast.AugAssign] = field(default_factory=set)  # operators in place on arrays that nothing else has
    handed_back: HandedBack = field(default_factory=HandedBack)  # of every function: shared by all summaries
    index: Index = field(default_factory=Index)  # of the project
    held: dict[str, set[Root]] = field(default_factory=dict)  # by what its own lists and dicts were given, by variables
    body: Body | None = None  # which says what names have where they stand, once aliases are known
    reaching: dict[ast.Name, frozenset[Root]] = field(default_factory=dict)
    asked: set[ast.Name] = field(default_factory=set)

    @property
    def escaping(self) -> frozenset[str]:
        """The parameters of which the function keeps what it is given, out of sight."""
        return frozenset(name for kind, name in self.escaped if kind == "parameter")

    def mutated_parameters(self) -> list[str]:
        """The parameters that are written to, in the order of the signature."""
        names = self.function.parameters if self.function else []
        return [name for name in names if ("parameter", name) in self.mutated and name != "self"]


def kind_of(summary: Summary, node: ast.expr) -> str:
    """Give the kind of an expression's value, "unknown" where the analysis has none."""
    return (summary.module.value(node) or UNKNOWN).kind


def qualified_name(summary: Summary, node: ast.expr) -> str | None:
    """Give the qualified name that an expression refers to where it stands."""
    return summary.module.names.within(node, summary.scope)
