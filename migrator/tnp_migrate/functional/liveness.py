"""Which names are still read after a statement, in this function or in one that it defines."""

from __future__ import annotations

import ast
from bisect import bisect
from dataclasses import dataclass, field

from tnp_migrate.program.nodes import asks_at_once, outermost_of, walk
from tnp_migrate.text.cells import begins_cell, has_cells
from tnp_migrate.text.source import Source

Live = frozenset[str]
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass
class Liveness:
    """Names read later, by statement. `always` are those that other functions read.

    `pauses` are statements after which somebody may look at every variable: the last ones of cells.
    """

    always: Live
    pauses: frozenset[ast.stmt] = frozenset()
    visible: Live = frozenset()
    after: dict[ast.stmt, Live] = field(default_factory=dict)
    inside: dict[ast.stmt, Live] = field(default_factory=dict)  # by loop, what is read of what it had before a turn
    _breaks: list[Live] = field(default_factory=list)
    _heads: list[Live] = field(default_factory=list)
    _caught: list[Live] = field(default_factory=list)

    def is_live(self, name: str, statement: ast.stmt) -> bool:
        """Whether a name may be read after a statement."""
        return name in self.always or name in self.after.get(statement, ())

    def body(self, body: list[ast.stmt], out: Live) -> Live:
        """Go through statements backwards; give what is live before them."""
        for statement in reversed(body):
            out |= self.visible if statement in self.pauses else frozenset()
            self.after[statement] = self.after.get(statement, frozenset()) | out
            out = self._statement(statement, out)
        return out

    def _statement(self, node: ast.stmt, out: Live) -> Live:
        if isinstance(node, ast.If):
            return self.body(node.body, out) | self.body(node.orelse, out) | _loads(node.test)
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            return self._loop(node, out)
        if isinstance(node, ast.With | ast.AsyncWith):
            inside = self.body(node.body, out)
            return inside | frozenset().union(*(_loads(item) for item in node.items))
        if isinstance(node, ast.Match):
            return out | _loads(node.subject) | frozenset().union(*(self._case(case, out) for case in node.cases))
        if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            return self._try(node, out)  # type: ignore[arg-type]
        if isinstance(node, ast.Return | ast.Raise):
            return _loads(node) | (self._handlers() if isinstance(node, ast.Raise) else frozenset())
        if isinstance(node, ast.Break):
            return self._breaks[-1] if self._breaks else out
        if isinstance(node, ast.Continue):
            return self._heads[-1] if self._heads else out
        if isinstance(node, _NESTED):
            return out | _loads(node)
        return (out - _stores(node)) | _loads(node)

    def _case(self, case: ast.match_case, out: Live) -> Live:
        return self.body(case.body, out) | (_loads(case.guard) if case.guard else frozenset())

    def _handlers(self) -> Live:
        return frozenset().union(*self._caught) if self._caught else frozenset()

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, out: Live) -> Live:
        after = self.body(node.orelse, out) | out
        header = _loads(node.test) if isinstance(node, ast.While) else frozenset()
        bound = frozenset() if isinstance(node, ast.While) else _stores_in(node.target)
        head = after | header
        for _ in range(3):
            self._breaks.append(out)
            self._heads.append(head)
            inside = self.body(node.body, head)
            self._breaks.pop()
            self._heads.pop()
            self.inside[node] = inside - bound
            new = head | (inside - bound) | header
            if new == head:
                break
            head = new
        return head if isinstance(node, ast.While) else head | _loads(node.iter) | _loads(node.target)

    def _try(self, node: ast.Try, out: Live) -> Live:
        out = self.body(node.finalbody, out) | out
        caught = out.union(*(self.body(handler.body, out) for handler in node.handlers))
        self._caught.append(caught)
        inside = self.body(node.body, self.body(node.orelse, out) | caught)
        for statement in ast.walk(ast.Module(node.body, [])):  # each may be the last before a handler
            if isinstance(statement, ast.stmt) and statement in self.after:
                self.after[statement] |= caught
        self._caught.pop()
        return inside | caught | frozenset().union(*(_loads(one.type) for one in node.handlers if one.type))


def find_liveness(body: list[ast.stmt], always: Live, pauses: frozenset[ast.stmt] = frozenset()) -> Liveness:
    """Analyse a body; at its end nothing of its own is read any more, but for what may be looked at after `pauses`."""
    visible = frozenset().union(*map(_stores_in, outermost_of(body, (ast.Name,)))) if pauses else frozenset()
    found = Liveness(always | _read_by_others(body), pauses, visible)
    found.body(body, frozenset())
    return found


def ends_of_cells(source: Source) -> frozenset[ast.stmt]:
    """The last statement of each cell of a module that is written in cells, a notebook's or a `# %%` script's."""
    if not has_cells(source.body):
        return frozenset()
    starts = [number for number, line in enumerate(source.lines, 1) if begins_cell(line)]
    last = {bisect(starts, one.lineno): one for one in source.tree.body}
    return frozenset(last.values())


def _loads(node: ast.AST) -> Live:
    inside = walk(node)
    changed = {one.target for one in inside if isinstance(one, ast.AugAssign)}
    return frozenset(
        one.id for one in inside if isinstance(one, ast.Name) and (not isinstance(one.ctx, ast.Store) or one in changed)
    )


def _stores_in(node: ast.AST) -> Live:
    return frozenset(one.id for one in walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))


def _stores(node: ast.stmt) -> Live:
    """The names that a statement surely binds."""
    if isinstance(node, ast.Assign):
        return frozenset().union(*(_stores_in(target) for target in node.targets))
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return _stores_in(node.target)
    return frozenset()


def _read_by_others(body: list[ast.stmt]) -> Live:
    """The names that functions, lambdas and classes inside a body read: they may be called at any time.

    A generator expression may be asked for its items at any time, unless it is passed to what asks for all of them.
    """
    calls = (one for one in outermost_of(body, (ast.Call,)) for one in walk(one) if isinstance(one, ast.Call))
    asked = {each for one in calls if asks_at_once(one) for each in one.args}
    waiting = (one for one in outermost_of(body, (ast.GeneratorExp,)) if one not in asked)
    return frozenset().union(*(_loads(node) for node in (*outermost_of(body, _NESTED), *waiting)))
