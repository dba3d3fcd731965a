"""What a pass knows of the file it works on, and the words it answers in."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property

from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.diagnostics.decisions import Decision, Outcome, Part
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.ledger import Bin
from tnp_migrate.islands.earlier_runs import decided_before, translated_before
from tnp_migrate.islands.kept_functions import Islands
from tnp_migrate.numpy_facts.rulebook import Rulebook
from tnp_migrate.numpy_facts.signatures import SignatureTable
from tnp_migrate.numpy_facts.values import UNKNOWN, Value
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.names import Reference
from tnp_migrate.text.source import Source, Span

HELPERS = "tnh"


@dataclass(frozen=True, eq=False)
class Site:
    """One file with everything that is known of it. `aliases` are its own names for tnp, tf, np and the helpers."""

    index: Index
    module: Module
    islands: Islands
    summaries: dict[Function | Module, Summary]
    rulebook: Rulebook
    table: SignatureTable
    aliases: dict[str, str]
    tensor_methods: bool = True
    random: str = "numpy"
    said: tuple[Finding, ...] = ()  # by the stages before
    seen: set[ast.AST] = field(default_factory=set)

    @property
    def source(self) -> Source:
        """The file's source."""
        return self.module.source

    def value(self, node: ast.AST) -> Value:
        """What is known of an expression."""
        return self.module.values.get(node, UNKNOWN)

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node around a node."""
        return self.module.names.scopes.parent.get(node)

    def qualified(self, node: ast.AST) -> str | None:
        """The qualified name of what is imported under a name or attribute chain."""
        names = self.module.names
        return names.of(node, names.scopes.around(node))

    def is_bound(self, node: ast.Name) -> bool:
        """Whether the file binds a name, which then is not Python's own."""
        return self.module.names.scopes.around(node).owner(node.id) is not None

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias) -> Span:
        """The bytes of a node."""
        return self.source.span(node)

    def tnp(self, name: str) -> str:
        """A name of tnp, as this file writes it."""
        return f"{self.aliases['tnp']}.{name}"

    def tf(self, name: str) -> str:
        """A name of TensorFlow, as this file writes it."""
        return f"{self.aliases['tf']}.{name}"

    def helper(self, name: str) -> str:
        """A function of the helper module, as this file writes it."""
        return f"{self.aliases[HELPERS]}.{name}"

    def finding(self, code: str, span: Span, message: str, symbol: str = "") -> Finding:
        """A diagnostic about some bytes of this file."""
        line, column = self.source.place(span.start)
        end_line, end_column = self.source.place(span.end)
        return Finding(code, self.source.path, line, column, end_line, end_column, message, symbol)

    def is_island(self, node: ast.AST) -> bool:
        """Whether a node stays on NumPy."""
        return self.islands.holds(self.module, node) is not None

    def is_settled(self, node: ast.AST) -> bool:
        """Whether a node is left as it is: it stays on NumPy, or an earlier run has translated all around it."""
        return self.is_island(node) or (translated_before(self.module) and self._is_decided(node))

    def _is_decided(self, node: ast.AST) -> bool:
        functions = [one for one in self.module.names.scopes.ancestors(node) if one in self.module.functions]
        return not functions or functions[-1] in self._decided

    @cached_property
    def _decided(self) -> frozenset[ast.AST]:
        """The functions that an earlier run has decided."""
        return frozenset(node for node, one in self.module.functions.items() if decided_before(one))


def short(name: str) -> str:
    """A qualified name as people write it: `np.linalg.norm`."""
    return "np" + name[5:] if name.startswith("numpy") else name


def end(reference: Reference, kind: Bin, *parts: Part, rule: str = "", span: Span | None = None) -> Outcome:
    """The end of a reference, whose own bytes become `parts`, if there are any."""
    decisions = (Decision(span or reference.span, parts, rule=rule or reference.name),) if parts else ()
    return Outcome(reference.span, kind, decisions)


def in_order(given: dict[str, ast.expr], names: list[str]) -> bool:
    """Whether the names given are the first of `names`, in their order."""
    return list(given) == names[: len(given)]


def wrap(span: Span, before: str, after: str = ")") -> Decision:
    """Put a call around an expression."""
    return Decision(span, (before, span, after))
