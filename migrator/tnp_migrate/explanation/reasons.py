"""Why a function stays on NumPy: its reason, that of the function on whose account it does, and so on to the first."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tnp_migrate.explanation.places import Place, Places
from tnp_migrate.islands.kept_functions import DONE, Islands, Reason
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.rewriting.functional_files import Refusals, why
from tnp_migrate.text.source import Source


@dataclass(frozen=True)
class Step:
    """One reason: what stays on NumPy, its place, the diagnostic's code, and what it says.

    `name` is that of a function with those around it; "" for the module's own statements.
    """

    name: str
    place: Place
    code: str
    text: str


@dataclass(eq=False)
class Reasons:
    """What was decided of a project's functions; `refusals` are what the functional stage says of them alone."""

    index: Index
    islands: Islands
    refusals: Refusals
    places: Places

    def __post_init__(self) -> None:
        """Find functions by what reasons name."""
        self._functions = {(one.module.name, one.place): one for one in self.index.functions()}

    def around(self, key: tuple[str, str]) -> list[Step]:
        """The steps for the innermost function around a place that stays on NumPy; none where nothing does."""
        function = self._functions.get(key)
        while function is not None:
            if function in self.islands.functions:
                return self._steps((key[0], function.place))
            outer = function.module.functions.get(_around(function))
            function = outer if outer is not function else None
        module = self.index.modules.get(key[0])
        return self._steps((key[0], "")) if module in self.islands.modules and not key[1] else []

    def _steps(self, key: tuple[str, str] | None) -> list[Step]:
        found: dict[tuple[str, str], Step] = {}
        while key is not None and key not in found:
            step, onward = self._step(key)
            if step is None:
                break
            found[key] = step
            key = onward
        return list(found.values())

    def _step(self, key: tuple[str, str]) -> tuple[Step | None, tuple[str, str] | None]:
        """One reason, and the function on whose account it is one."""
        function, module = self._functions.get(key), self.index.modules.get(key[0])
        if module is None:
            return None, None
        reason = self.islands.functions.get(function) if function else self.islands.modules.get(module)
        if reason is None:
            refusal = self.refusals.get(key)
            if refusal is None:
                return None, None
            reason = Reason("TNP301", refusal.node, why(refusal), whole=True, because=refusal.because)
        name = function.place if function else ""
        place = self.places.at(module.source.path, line_of(function.node, module.source) if function else 1)
        code = "" if reason.code == DONE else reason.code
        return Step(name, place, code, _text(reason, module)), reason.because


def _around(function: Function) -> ast.AST:
    scope = function.outer
    while scope.parent is not None and scope.node not in function.module.functions:
        scope = scope.parent
    return scope.node


def _text(reason: Reason, module: Module) -> str:
    text = reason.text if reason.whole else f"`{reason.text}` writes to an array"
    inside = reason.node in module.names.scopes.parent
    head = isinstance(reason.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    if not inside or head or not isinstance(reason.node, ast.expr | ast.stmt):
        return text
    return f"{text} (line {line_of(reason.node, module.source)})"


def line_of(node: ast.expr | ast.stmt, source: Source) -> int:
    """The line of the user's text that a node stands in."""
    return source.place(source.offset(node.lineno, node.col_offset))[0]
