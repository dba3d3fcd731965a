"""A function of the helper module with what is known of its parameters: branches that no call reaches are left out.

`if axis is None: return a` / `return b` becomes `return a` where no call gives an axis.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import TypeGuard
from weakref import WeakKeyDictionary

from tnp_migrate.program.scopes import all_arguments
from tnp_migrate.rewriting.folded_text import Body, EditedText, Span, UnfoldableError, bound_in
from tnp_migrate.rewriting.known_conditions import is_constant, source_of, truth

_MAYBE = ast.Name("?", ast.Load())  # what a name is that only some ways to a place have bound anew
Known = dict[str, ast.expr]

_SIMPLE = (
    *(ast.Assign, ast.AnnAssign, ast.Return, ast.Raise, ast.Expr, ast.Assert, ast.Pass, ast.Continue, ast.Break),
    *(ast.Import, ast.ImportFrom),
)


_FOLDERS: WeakKeyDictionary[Body, dict[str, Folder]] = WeakKeyDictionary()  # by what is known


def said_of(known: Mapping[str, ast.expr]) -> str:
    """What is known, as text."""
    return repr([(key, ast.dump(one)) for key, one in sorted(known.items())])


def folder_of(body: Body, known: Mapping[str, ast.expr]) -> Folder:
    """Walk over a function with what is known of its parameters: once, as many helper modules have it."""
    made, said = _FOLDERS.setdefault(body, {}), said_of(known)
    if said not in made:
        made[said] = fold(body, known)
    return made[said]


def fold(body: Body, known: Mapping[str, ast.expr]) -> Folder:
    """Walk over a function with what is known of its parameters.

    A variable that this makes a constant is none any more, if all that reads it can be told what it is.
    """
    opaque: set[str] = set()
    while True:
        made = Folder(body, known, opaque)
        read = (made.stuck | made.plain) & made.variables
        if not read:
            return made
        opaque |= read


class Folder(EditedText):
    """One walk over a function, statement by statement, with what is known there of its parameters."""

    def __init__(self, body: Body, known: Mapping[str, ast.expr], opaque: AbstractSet[str]) -> None:
        super().__init__(body)
        self.names, self.bound = body.names, body.bound
        self.stable = {name: value for name, value in known.items() if name not in body.assigned}
        self.parameters, self.variables, self.opaque = set(known), set[str](), opaque
        self.plain = set[str]()  # what is read as it stands
        self.calls: list[tuple[ast.Call, Mapping[int, ast.expr]]] = []
        self.others = set(body.shared)
        self.stuck = body.named & self.parameters
        self._fold(known)

    def _fold(self, known: Mapping[str, ast.expr]) -> None:
        node = self.node
        if not isinstance(node, ast.FunctionDef):
            self._expression(node, dict(known))
            return
        heads = [*node.decorator_list, *node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]
        noted = [one.annotation for one in all_arguments(node.args) if one.annotation is not None]
        for one in [*heads, *noted, *([node.returns] if node.returns else [])]:
            self._expression(one, {})
        self._block(node.body, dict(known))

    # Statements: what is known behind them, None where nothing comes behind them

    def _block(self, body: list[ast.stmt], known: Known) -> Known | None:
        now: Known | None = known
        left = 0 if body else 1
        for step in body:
            if now is None:
                self._remove(step)
                continue
            before = len(self.edits)
            now = self._statement(step, now)
            left += not self._is_gone(step, before)
        if not left:
            end = self.starts[body[-1].end_lineno or 0]
            self.cut(end, end, f"{self.indent_of(body[0])}pass\n")
        return now

    def _is_gone(self, step: ast.stmt, before: int) -> bool:
        whole = self.starts[step.lineno - 1], self.starts[step.end_lineno or 0]
        return any(start <= whole[0] and end >= whole[1] and not text for start, end, text in self.edits[before:])

    def _remove(self, step: ast.stmt) -> None:
        """Leave a statement out, with the comment above it."""
        first = min([step.lineno, *(one.lineno for one in getattr(step, "decorator_list", []))])
        while self.lines[first - 2].lstrip().startswith(b"#"):
            first -= 1
        self.cut_lines(first, step.end_lineno or step.lineno)

    def _statement(self, step: ast.stmt, known: Known) -> Known | None:
        handler: Callable[[ast.stmt, Known], Known | None] | None = getattr(self, f"_on_{type(step).__name__}", None)
        if handler is not None:
            return handler(step, known)
        if known and not isinstance(step, _SIMPLE):
            raise UnfoldableError
        if (name := self._constant_name(step, known)) is not None:
            value = self._resolved(step.value, known)  # type: ignore[attr-defined]
            self._remove(step)
            self.variables.add(name)
            known[name] = value
            return known
        self._expression(step, known)
        self._forget(step, known)
        return None if isinstance(step, ast.Return | ast.Raise | ast.Continue | ast.Break) else known

    def _constant_name(self, step: ast.stmt, known: Known) -> str | None:
        """The variable that an assignment makes a constant, by what is known."""
        if not isinstance(step, ast.Assign) or len(step.targets) != 1 or not isinstance(step.targets[0], ast.Name):
            return None
        name, value = step.targets[0].id, self._resolved(step.value, known)
        is_made = value is not step.value and self._is_said(value)
        return name if is_made and name not in self.opaque | self.parameters else None

    def _resolved(self, node: ast.expr, known: Known) -> ast.expr:
        """What an expression is by what is known."""
        if isinstance(node, ast.Name):
            return known.get(node.id, node)
        if isinstance(node, ast.IfExp) and (said := truth(node.test, known)) is not None:
            return self._resolved(node.body if said else node.orelse, known)
        return node

    def _forget(self, step: ast.AST, known: Known, *, perhaps: bool = False) -> None:
        if not known:
            return
        for one in ast.walk(step):
            if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load) and one.id in known:
                if perhaps:
                    known[one.id] = _MAYBE
                else:
                    del known[one.id]

    def _on_Delete(self, step: ast.Delete, known: Known) -> Known:  # noqa: N802
        """A parameter that is none any more need not be deleted."""
        if all(isinstance(one, ast.Name) and one.id in known for one in step.targets):
            self._remove(step)
            return known
        self._forget(step, known)
        return known

    def _on_AugAssign(self, step: ast.AugAssign, known: Known) -> Known:  # noqa: N802
        if isinstance(step.target, ast.Name) and step.target.id in known:
            self.stuck.add(step.target.id)
        self._expression(step, known)
        self._forget(step, known)
        return known

    def _on_If(self, step: ast.If, known: Known) -> Known | None:  # noqa: N802
        branches = self._branches(step)
        said = [truth(test, known) if test is not None else True for test, *_ in branches]
        last = said.index(True) if True in said else len(said)
        left = [place for place, one in enumerate(said[: last + 1]) if one is not False]
        gone = [place for place in range(len(branches)) if place not in left]
        if not left:
            self._remove(step)
            return known
        for place in gone:
            self.cut_lines(branches[place][2], branches[place][4])
        if len(left) == 1 and said[left[0]]:
            _, body, first, header, end = branches[left[0]]
            self.cut_lines(first, header)
            self.dedent(header + 1, end)
            return self._block(body, known)
        outcomes = []
        for place in left:
            test, body, first, header, _ = branches[place]
            if test is not None and said[place]:
                self.cut_lines(first, header, f"{self.indent_of(step)}else:\n")
            elif test is not None:
                if place and place == left[0]:
                    start = self.at(first, step.col_offset)
                    self.cut(start, start + 2)  # of elif
                self._test(test, known)
            outcomes.append(self._block(body, dict(known)))
        if not said[left[-1]]:
            outcomes.append(known)
        return _merged(outcomes)

    def _branches(self, step: ast.If) -> list[tuple[ast.expr | None, list[ast.stmt], int, int, int]]:
        """Tests (None: else), bodies, and the lines of their heads' beginning and end, and of the last statement."""
        first, header, end = step.lineno, self.header_end(step.lineno, step.test), step.body[-1].end_lineno or 0
        found: list[tuple[ast.expr | None, list[ast.stmt], int, int, int]] = [
            (step.test, step.body, first, header, end)
        ]
        if not step.orelse:
            return found
        other = step.orelse[0]
        if len(step.orelse) == 1 and isinstance(other, ast.If) and self._starts_with(other, b"elif"):
            return [*found, *self._branches(other)]
        line = end + 1
        while not self.lines[line - 1].lstrip().startswith(b"else"):
            line += 1
        return [*found, (None, step.orelse, line, line, step.orelse[-1].end_lineno or 0)]

    def _starts_with(self, step: ast.stmt, word: bytes) -> bool:
        return self.lines[step.lineno - 1][step.col_offset :].startswith(word)

    def _on_For(self, step: ast.For | ast.While, known: Known) -> Known:  # noqa: N802
        if isinstance(step, ast.For):
            self._expression(step.iter, known)
            self._expression(step.target, known)
        self._forget(step, known, perhaps=True)
        if isinstance(step, ast.While):
            self._test(step.test, known)
        self._block(step.body, dict(known))
        self._block(step.orelse, dict(known))
        return known

    _on_While = _on_For  # noqa: N815

    def _on_Try(self, step: ast.Try, known: Known) -> Known:  # noqa: N802
        self._block(step.body, dict(known))
        self._forget(step, known, perhaps=True)
        for handler in step.handlers:
            if handler.type is not None:
                self._expression(handler.type, known)
            self._block(handler.body, dict(known))
        self._block(step.orelse, dict(known))
        self._block(step.finalbody, dict(known))
        return known

    def _on_With(self, step: ast.With, known: Known) -> Known:  # noqa: N802
        """What stands behind is reached even where the block returns: the manager may suppress what it raises."""
        for item in step.items:
            self._expression(item, known)
            self._forget(item, known)
        self._block(step.body, dict(known))
        self._forget(step, known, perhaps=True)
        return known

    def _on_FunctionDef(self, step: ast.FunctionDef, known: Known) -> Known:  # noqa: N802
        for one in [*step.decorator_list, *step.args.defaults, *(one for one in step.args.kw_defaults if one)]:
            self._expression(one, known)
        own = bound_in(step)
        self._block(step.body, self._in_closure(step, own, known))
        return known

    def _in_closure(self, node: ast.AST, own: set[str], known: Known) -> Known:
        """What is known in a function that is called later, of names that nothing binds anew."""
        inside = {name: value for name, value in self.stable.items() if name not in own and name in known}
        read = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        self.stuck |= (read & (self.parameters | self.variables)) - own - inside.keys()
        return inside

    # Expressions

    def _expression(self, node: ast.AST, known: Known) -> None:
        if isinstance(node, ast.Name):
            self._name(node, known)
        elif isinstance(node, ast.IfExp) and (said := truth(node.test, known)) is not None:
            self._choose(node, node.body if said else node.orelse, known)
        elif _is_test(node) and (said := truth(node, known)) is not None:
            self.cut(*self.span(node), str(said))
        elif isinstance(node, ast.Call):
            self._call(node, known)
        elif isinstance(node, ast.BoolOp):
            self._operands(node, known)
        elif isinstance(node, ast.JoinedStr):
            inside = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
            self.stuck |= inside & known.keys()
            self.plain |= inside
            self.others |= (inside & set(self.names)) - self.bound
        elif isinstance(node, ast.Lambda):
            own = {one.arg for one in all_arguments(node.args)}
            self._expression(node.body, self._in_closure(node.body, own, known))
            for one in [*node.args.defaults, *(one for one in node.args.kw_defaults if one)]:
                self._expression(one, known)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            own = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
            self._children(node, {name: value for name, value in known.items() if name not in own})
        else:
            self._children(node, known)

    def _children(self, node: ast.AST, known: Known) -> None:
        for one in ast.iter_child_nodes(node):
            self._expression(one, known)

    def _name(self, node: ast.Name, known: Known) -> None:
        value = known.get(node.id)
        if not isinstance(node.ctx, ast.Load):
            return
        if value is _MAYBE:
            self.stuck.add(node.id)
        elif value is not None:
            self.cut(*self.span(node), source_of(value))
        else:
            self.plain.add(node.id)
            if node.id in self.names and node.id not in self.bound:
                self.others.add(node.id)

    def _call(self, node: ast.Call, known: Known) -> None:
        called = node.func
        if isinstance(called, ast.Name) and called.id in self.names and called.id not in self.bound:
            arguments = [*node.args, *(one.value for one in node.keywords)]
            said = {id(one): self._resolved(one, known) for one in arguments}
            self.calls.append((node, {key: one for key, one in said.items() if self._is_said(one)}))
            for one in [*node.args, *node.keywords]:
                self._expression(one, known)
        else:
            self._children(node, known)

    def _is_said(self, value: ast.expr) -> bool:
        names = {one.id for one in ast.walk(value) if isinstance(one, ast.Name)}
        return value is not _MAYBE and is_constant(value) and not names & self.bound

    def _choose(self, node: ast.expr, chosen: ast.expr, known: Known) -> None:
        """Leave of an expression one operand, without brackets that it alone stood in."""
        (start, end), (first, last) = self.span(node), self.span(chosen)
        whole = self.whole
        before, after = whole[:start].rstrip(), whole[end:].lstrip()
        alone = isinstance(chosen, ast.Name | ast.Attribute | ast.Call | ast.Constant | ast.Subscript)
        is_call = before[-2:-1].isalnum() or before[-2:-1] in (b")", b"]", b"_")
        if alone and not is_call and before.endswith(b"(") and after.startswith(b")"):
            start, end = len(before) - 1, len(whole) - len(after) + 1
        self.cut(start, first)
        self.cut(last, end)
        self._expression(chosen, known)

    def _test(self, node: ast.expr, known: Known) -> None:
        """A condition, of which only the truth is asked for: operands that decide nothing are left out."""
        if not isinstance(node, ast.BoolOp):
            self._expression(node, known)
            return
        neutral = isinstance(node.op, ast.And)
        kept = [one for one in node.values if truth(one, known) is not neutral]
        if len(kept) == len(node.values) or not kept:
            self._operands(node, known)
            return
        spans = [self._in_brackets(one, node) for one in kept]
        start, end = self.span(node)
        for first, last in zip([(start, start), *spans], [*spans, (end, end)], strict=True):
            word = b" and " if neutral else b" or "
            joins = first != (start, start) and last != (end, end)
            self.cut(first[1], last[0], word.decode() if joins else "")
        for one in kept:
            self._expression(one, known)

    def _in_brackets(self, node: ast.expr, around: ast.expr) -> Span:
        """The bytes of an operand with the brackets that it alone stands in."""
        (start, end), (first, last) = self.span(node), self.span(around)
        while True:
            before, after = self.whole[first:start].rstrip(), self.whole[end:last].lstrip()
            if not (before.endswith(b"(") and after.startswith(b")")):
                return start, end
            start, end = first + len(before) - 1, last - len(after) + 1

    def _operands(self, node: ast.BoolOp, known: Known) -> None:
        """Leave out first operands that decide nothing."""
        neutral = isinstance(node.op, ast.And)
        first = 0
        while first < len(node.values) - 1 and truth(node.values[first], known) is neutral:
            first += 1
        if first:
            self.cut(self.span(node)[0], self.span(node.values[first])[0])
        for one in node.values[first:]:
            self._expression(one, known)


def _is_test(node: ast.AST) -> TypeGuard[ast.expr]:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "bool" and len(node.args) == 1
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def _merged(outcomes: list[Known | None]) -> Known | None:
    """What is known where several ways come together."""
    going_on = [one for one in outcomes if one is not None]
    if not going_on:
        return None
    made: Known = {}
    for name in {name for one in going_on for name in one}:
        values = [one.get(name, _MAYBE) for one in going_on]
        same = {ast.dump(value) for value in values}
        made[name] = values[0] if len(same) == 1 else _MAYBE
    return made
