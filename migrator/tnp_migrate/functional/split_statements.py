"""A statement as several ones, with the same meaning to Python, so that each call that writes has a line of its own.

`y = f(take(x, 0), x[0], take(x, 2))` becomes `result = take(x, 0)`, `value = x[0]`, `y = f(result, value, take(x, 2))`;
a comprehension becomes a loop, a conditional expression an `if` statement.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tnp_migrate.diagnostics.decisions import Decision
from tnp_migrate.functional.comprehension_loops import Loop, loop_of
from tnp_migrate.functional.evaluation_order import parts_of, roots_of
from tnp_migrate.functional.statement_layout import COMPOUND, header_end, indent_of, stands_alone
from tnp_migrate.functional.statement_lines import Lines
from tnp_migrate.functional.store_forms import SYMBOLS, is_one_element
from tnp_migrate.functional.text_parts import Parts, flat
from tnp_migrate.functional.unit import Impossible
from tnp_migrate.program.nodes import COMPREHENSIONS
from tnp_migrate.text.source import Span

_WHOLE = (ast.Assign, ast.Return, ast.Expr)


@dataclass(eq=False)
class Unfolder(Lines):
    """The lines that a statement becomes. `moved` is a call that cannot stay where it stands."""

    moved: ast.Call | None = None
    apart: bool = False  # whether that call is not to stay in the statement's last line

    def decision(self) -> Decision | None:
        """The statement's new text; None where it has none that means the same and reads well."""
        try:
            return self._while() if isinstance(self.statement, ast.While) else self._statement()
        except Impossible:
            return None

    def naming(self, call: ast.Call, argument: ast.expr) -> Decision | None:
        """The statement with a line before it for an argument of a call, if that is a list or dict of variables."""
        node, unit = self.statement, self.order.unit
        others = [one for one in (*call.args, *(word.value for word in call.keywords)) if one is not argument]
        items = [one for one in ast.iter_child_nodes(argument) if isinstance(one, ast.expr)]
        plain = isinstance(argument, ast.List | ast.Dict) and isinstance(node, ast.Expr | ast.Assign)
        if not plain or node.value is not call or not stands_alone(unit, node):  # type: ignore[attr-defined]
            return None
        if not all(isinstance(one, ast.Name | ast.Constant) for one in (*others, *items)):
            return None
        span = unit.span(node)
        self._name(argument, "values")
        self._add(self._show(span))
        return Decision(span, self._with_comments(span, self._text(), node), "functional", "unfold")

    # ---- statements

    def _statement(self) -> Decision:
        node, unit = self.statement, self.order.unit
        if not stands_alone(unit, node) and not isinstance(node, COMPOUND):
            raise Impossible
        span = unit.span(node)
        if unit.module.source.text(span).startswith("elif") or (
            isinstance(node, ast.AugAssign) and self._holds(node.target)
        ):
            raise Impossible
        whole = Span(span.start, header_end(unit, node)) if isinstance(node, COMPOUND) else span
        if not self._alternatives(whole) and not self._loop() and not self._element():
            self._in_order(whole)
        elif (behind := self._comment_behind(span.end)) is not None:
            depth, first = self.lines[0]
            self.lines[0] = depth, flat(first, behind)  # it is about all of the lines
            whole = Span(whole.start, behind.end)
        return Decision(whole, self._with_comments(whole, self._text(), node), "functional", "unfold")

    def _in_order(self, whole: Span) -> None:
        """Names for what is evaluated up to the last call that writes."""
        node = self.statement
        roots = roots_of(node)
        if isinstance(node, ast.Assert | ast.Delete) or (
            isinstance(node, ast.For | ast.AsyncFor | ast.With | ast.AsyncWith) and any(map(self._holds, roots[1:]))
        ):
            raise Impossible
        targets = node.targets if isinstance(node, ast.Assign) else []
        several = len(targets) > 1 or any(isinstance(one, ast.Tuple | ast.List) for one in targets)
        if several and any(self._holds(one) for one in targets):
            raise Impossible  # the first target may get its value before the second one is looked at
        last = max((position for position, one in enumerate(roots) if self._holds(one)), default=-1)
        for position, root in enumerate(roots[: last + 1]):
            if position < last and isinstance(node, ast.AugAssign):
                self._settle_place(node.target)
            elif position < last:
                self._settle(root)
            else:
                self._process(root, stays=None if root in targets else self._stays(root))
        self._add(self._show(whole))

    def _stays(self, root: ast.expr) -> ast.expr | None:
        """The last call that writes: the functional stage gives it its line, if what is around it lets it."""
        last = next(reversed(self._calls(root)), None)
        stays = last is not None and self.order.writes_in(last) and not (self.apart and last is self.moved)
        return last if stays else None

    def _alternatives(self, whole: Span) -> bool:
        """`x = a if c else b` and `(a if c else b)[0] = x`: a statement for each case."""
        node = self.statement
        if isinstance(node, ast.Assign | ast.AugAssign) and self._place_by_case(node, whole):
            return True
        if not isinstance(node, _WHOLE) or node.value is None:
            return False
        value = node.value
        if isinstance(node, ast.Expr) and isinstance(value, ast.BoolOp) and len(value.values) == 2:
            if not self._holds(value.values[1]):
                return False
            self._process(value.values[0])
            test = self._test(value.values[0], negated=isinstance(value.op, ast.Or))
            self._add(flat("if ", test, ":"))
            self._add(self._show(value.values[1]), 1)
            return True
        if not isinstance(value, ast.IfExp) or not (self._holds(value.body) or self._holds(value.orelse)):
            return False
        self._process(value.test)
        before, after = Span(whole.start, self._span(value).start), Span(self._span(value).end, whole.end)
        for head, part in ((flat("if ", self._closed_text(value.test), ":"), value.body), (("else:",), value.orelse)):
            self._add(head)
            self._add(flat(before, self._show(part), after), 1)
        return True

    def _place_by_case(self, node: ast.Assign | ast.AugAssign, whole: Span) -> bool:
        """`(a if c else b)[0] = x`."""
        target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
        if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.IfExp) or self.moved is not None:
            return False
        case, source = target.value, self.order.unit.module.source
        end = self._span(case).end
        opening = source.text(Span(whole.start, self._span(case).start)).strip()
        closing = source.text(Span(end, self._span(target.slice).start)).replace(" ", "")
        places = (case.body, case.orelse)
        atoms = all(isinstance(one, ast.Name | ast.Attribute) for one in places)
        if not atoms or opening != "(" or closing != ")[" or (isinstance(node, ast.Assign) and len(node.targets) > 1):
            raise Impossible
        if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Name | ast.Constant):
            self._name(node.value, "value")
        rest = self._show(Span(source.body.index(b"[", end), whole.end))
        for head, place in zip((flat("if ", self._closed_text(case.test), ":"), ("else:",)), places, strict=True):
            self._add(head)
            self._add(flat(self._show(place), rest), 1)
        return True

    def _loop(self) -> bool:
        """`x = [f(y) for y in z]`: a list, and a loop that fills it."""
        node = self.statement
        if not isinstance(node, _WHOLE) or not isinstance(node.value, ast.ListComp | ast.DictComp | ast.SetComp):
            return False
        if not self._often(node.value):
            return False
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.ListComp):
            self._write_loop(node.value, "")
            return True
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        around = self.order.unit.module.names.scopes.ancestors(node)
        tried = any(isinstance(one, ast.Try) for one in around)
        known = {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)}
        if not isinstance(target, ast.Name) or tried or target.id in known | self.order.liveness.always:
            return False
        self._write_loop(node.value, target.id)
        return True

    def _element(self) -> bool:
        """`memo[k] += f(k)`, where `f` writes to `memo`: the element is read first."""
        node, unit = self.statement, self.order.unit
        target = node.target if isinstance(node, ast.AugAssign) else None
        if not isinstance(node, ast.AugAssign) or not isinstance(target, ast.Subscript):
            return False
        acts = any(isinstance(one, ast.Call) and not self.order.is_pure(one) for one in ast.walk(target))
        if acts or not is_one_element(unit, target) or self.order.matters(target.value, self._acting()):
            return False
        self._settle(target.slice)
        name, place = self._fresh("value"), self._show(target)
        self._add(flat(f"{name} = ", place))
        operand = unit.operand_parts(node.value, node.op)
        self._add(flat(place, f" = {name} {SYMBOLS[type(node.op)]} ", operand))
        return True

    def _while(self) -> Decision:
        """`while f(x): ...` is `while True:` with the test in its body."""
        node, unit = self.statement, self.order.unit
        assert isinstance(node, ast.While)
        first = node.body[0]
        if node.orelse or first.lineno <= (node.test.end_lineno or 0):
            raise Impossible
        start, indent = unit.span(first).start, indent_of(unit, first)
        end = self._closed(node)
        lines = flat("if ", self._test(node.test, negated=True), ":", self._newline(indent, 1), "break")
        parts = flat("while True", Span(end, start), lines, self._newline(indent, 0))
        whole = Span(unit.span(node).start, start)
        return Decision(whole, self._with_comments(whole, parts, node), "functional", "unfold")

    def _closed(self, node: ast.While) -> int:
        """The byte of the colon behind a test, which may have brackets around it."""
        source, end = self.order.unit.module.source, self._span(node.test).end
        between = source.body[end : self._span_of(node.body[0]).start]
        head = between.split(b"\n", 1)[0]
        if not head.lstrip(b" )").startswith(b":"):
            raise Impossible
        return end + head.index(b":")

    # ---- expressions

    def _process(self, node: ast.expr, stays: ast.expr | None = None) -> None:
        """Put the calls in an expression on lines of their own, and before them what is evaluated earlier."""
        if not self._holds(node):
            return
        if isinstance(node, ast.JoinedStr | ast.Lambda | ast.Await | ast.Yield | ast.YieldFrom | ast.Starred):
            raise Impossible
        if isinstance(node, COMPREHENSIONS) and self._often(node):
            self._comprehension(node)
            return
        if isinstance(node, ast.Call) and self._consumed(node):
            self._write_loop(node.args[0], self._fresh("values"), node.args[0])
            return
        parts = parts_of(node)
        last = max((position for position, (one, _) in enumerate(parts) if self._holds(one)), default=-1)
        if last >= 0 and parts[last][1]:
            self._conditional(node)
            return
        for position, (part, _) in enumerate(parts[: last + 1]):
            if position < last:
                self._settle(part)
            else:
                self._process(part, stays)
        if isinstance(node, ast.Call) and self._must(node) and node is not stays:
            self._name(node, "result")

    def _settle(self, node: ast.expr) -> None:
        """Make sure that an expression has the same value when it is evaluated after the lines to come."""
        above = self.order.unit.module.names.scopes.parent.get(node)
        if isinstance(node, ast.Attribute) and isinstance(above, ast.Call) and above.func is node:
            self._settle(node.value)
        elif isinstance(node, ast.Tuple | ast.List | ast.Slice):
            for part, _ in parts_of(node):
                self._settle(part)
        else:
            self._process(node)
            calls = self._acting()
            if node not in self.replaced and self.order.matters(node, calls, self.replaced):
                if isinstance(node, ast.Starred | ast.FormattedValue):
                    raise Impossible
                self._name(node, node.attr if isinstance(node, ast.Attribute) else "value")

    def _settle_place(self, target: ast.expr) -> None:
        """What `a[i] += v` reads before `v`: the index can have a name, what is added to cannot."""
        calls = self._acting()
        if not self.order.matters(target, calls, self.replaced):
            return
        if not isinstance(target, ast.Subscript):
            raise Impossible
        if any(self.order.differs(one, calls, self.replaced) for one in ast.walk(target.value)):
            raise Impossible
        self._settle(target.slice)

    def _conditional(self, node: ast.expr) -> None:
        """`a if c else b` and `a and b` inside an expression: a name that gets one or the other."""
        if isinstance(node, ast.IfExp):
            self._process(node.test)
            name = self._fresh("chosen")
            self._branch(flat("if ", self._closed_text(node.test), ":"), node.body, name)
            self._branch(("else:",), node.orelse, name)
        elif isinstance(node, ast.BoolOp):
            name = self._fresh("chosen")
            for position, value in enumerate(node.values):
                if position:
                    head = f"if {'not ' if isinstance(node.op, ast.Or) else ''}{name}:"
                    self._branch((head,), value, name)
                else:
                    self._process(value)
                    self._add(flat(f"{name} = ", self._closed_text(value)))
        else:
            raise Impossible
        self.replaced[node] = (name,)

    def _branch(self, head: Parts, value: ast.expr, name: str) -> None:
        self._add(head)
        self.depth += 1
        self._process(value, self._stays(value))
        self._add(flat(f"{name} = ", self._closed_text(value)))
        self.depth -= 1

    def _comprehension(self, node: ast.expr) -> None:
        if isinstance(node, ast.GeneratorExp):
            raise Impossible
        self._write_loop(node, self._fresh("table" if isinstance(node, ast.DictComp) else "values"), node)

    def _write_loop(self, node: ast.expr, name: str, replaced: ast.expr | None = None) -> None:
        first = parts_of(node)[0][0]
        self._process(first)
        loop = loop_of(self.order.unit, node, name, self.replaced)
        self._add_loop(loop)
        if replaced is not None:
            inside = isinstance(node, ast.GeneratorExp)  # its brackets are those of the call
            self.replaced[replaced] = (f"({name})" if inside else name,)

    def _add_loop(self, loop: Loop) -> None:
        if loop.start:
            self._add((loop.start,))
        for depth, line in loop.lines:
            self._add(line, depth)

    def _consumed(self, node: ast.Call) -> bool:
        """Whether a call takes all that a generator gives, before which nothing of it is seen."""
        if not isinstance(node.func, ast.Name) or self.order.unit.scope.owner(node.func.id) is not None:
            return False
        if len(node.args) == 0 or not isinstance(node.args[0], ast.GeneratorExp) or not self._often(node.args[0]):
            return False
        if len(node.args) > 1 or node.keywords:
            return False
        scalar = self.order.unit.value(node.args[0].elt).kind in ("scalar", "str", "none")
        return node.func.id in ("list", "tuple") or (scalar and node.func.id in ("sum", "min", "max", "sorted", "set"))

    # ---- what calls stand where

    def _must(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and (node is self.moved or self.order.writes_in(node))

    def _holds(self, node: ast.AST) -> bool:
        return any(self._must(one) for one in ast.walk(node))

    def _often(self, node: ast.expr) -> bool:
        return any(self._holds(part) for part, sometimes in parts_of(node) if sometimes)

    def _acting(self) -> list[ast.Call]:
        """The calls of the statement that may come to stand before what it evaluates earlier."""
        calls = (one for root in roots_of(self.statement) for one in ast.walk(root) if isinstance(one, ast.Call))
        return [one for one in calls if self._must(one) or not self.order.is_pure(one)]

    def _calls(self, *nodes: ast.expr) -> list[ast.Call]:
        """The calls that get lines of their own, in order."""
        found: list[ast.Call] = []
        for node in nodes:
            found += self._calls(*(part for part, _ in parts_of(node)))
            found += [node] if isinstance(node, ast.Call) and self._must(node) else []
        return found
