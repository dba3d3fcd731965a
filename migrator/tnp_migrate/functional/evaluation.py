"""Calls inside expressions: those that write to arrays, and those that keep what they are given."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from tnp_migrate.attributes import meets
from tnp_migrate.effects import callees
from tnp_migrate.functional.calls import Called, called
from tnp_migrate.functional.displays import appended
from tnp_migrate.functional.forms import Write, call_write
from tnp_migrate.functional.links import Link
from tnp_migrate.functional.order import calls_in, roots_of
from tnp_migrate.functional.ordering import Ordering
from tnp_migrate.functional.origins import origins
from tnp_migrate.functional.paths import ESCAPED, Path, is_outside, starts_with, text_of
from tnp_migrate.functional.unfold import Unfolder
from tnp_migrate.functional.unit import Parts, Refused, flat
from tnp_migrate.index import Class, Function
from tnp_migrate.memory import passed
from tnp_migrate.writes import writes

_KEEPS = frozenset("append insert add extend setdefault update appendleft extendleft put".split())


@dataclass
class Rewrite:
    """What becomes of a statement: lines before it, the statement, lines after it."""

    before: list[Parts] = field(default_factory=list)
    main: Parts | None = None
    after: list[Parts] = field(default_factory=list)
    inside: dict[ast.expr, Parts] = field(default_factory=dict)


@dataclass(eq=False)
class Evaluation(Ordering):
    """The evaluation of expressions, statement by statement."""

    unfolds: bool = False  # whether statements may be written as several ones
    taken: frozenset[str] = frozenset()  # the names in use before the statement at hand

    def come_to(self, node: ast.stmt) -> None:
        """Start with a statement."""
        self.statement, self.taken = node, frozenset(self.unit.taken)
        inside = (one for root in roots_of(node) for one in ast.walk(root))
        self.bound_inside = frozenset(one.target.id for one in inside if isinstance(one, ast.NamedExpr))

    def evaluate(self, node: ast.expr, rewrite: Rewrite, whole: ast.Assign | None = None) -> None:
        """Evaluate an expression: the calls in it that write, that keep, that yield."""
        for call, sometimes in list(calls_in(node)):
            written = call_write(self.unit, call)
            back = called(self.unit, self.known, call) if written is None else None
            if (written or back) and sometimes:
                self.disorder(call, f"`{ast.unparse(call.func)}` writes to an array where it may run never or often")
            self.still_read = self.read_after(call) if written or back or self.writes_elsewhere(call) else frozenset()
            if written is not None:
                self.call_of_numpy(node, call, written, rewrite)
            elif back is not None:
                self.call_back(node, back, rewrite, whole)
            self.note_kept(call)
            self.still_read = frozenset()
            if self.now.fresh and not self.only_computes(call):
                self.now.fresh.clear()
        for one in ast.walk(node):
            if isinstance(one, ast.Yield | ast.YieldFrom) and one.value is not None:
                for path, _ in origins(self.unit, self.known, one.value):
                    self.now.add(path, ESCAPED, Link("may", one))
            elif isinstance(one, ast.NamedExpr):
                self.bind([(one.target, one.value)])

    def evaluate_target(self, target: ast.expr) -> None:
        """Evaluate what picks the place of a target: a call there that writes has no line of its own."""
        for call, _ in calls_in(target):
            if self.writes_in(call):
                self.disorder(call, f"`{ast.unparse(call.func)}` writes to an array inside a target")
            self.still_read = self.read_after(call) if self.writes_elsewhere(call) else frozenset()
            self.note_kept(call)
            self.still_read = frozenset()

    def check_places(self, node: ast.Assign | ast.AugAssign, stored: list[ast.expr], rewrite: Rewrite) -> None:
        """What has to happen before an array is stored into, though the new text looks at the array first."""
        for target in stored:
            call = self.clashes(target, node.value, rewrite.inside)
            acting = [one for one, _ in calls_in(target) if not self.is_pure(one)]
            if isinstance(node, ast.Assign) and acting and self.matters(node.value, acting, rewrite.inside):
                call = acting[-1]
            if call is not None and isinstance(node, ast.Assign):
                self.disorder(call, f"`{ast.unparse(call)}` runs between what is stored and `{ast.unparse(target)}`")
            if call is not None:
                raise Refused(call, f"`{ast.unparse(target)}` is read before a call writes to it", target)
            if isinstance(target, ast.Subscript) and isinstance(target.value, ast.IfExp):
                self.disorder(target, f"`{ast.unparse(target.value)}` may be one array or another")

    def refuse_writes(self, *nodes: ast.AST) -> None:
        """Refuse calls that write where no line can come before them."""
        for one in [one for node in nodes for one in ast.walk(node)]:
            if isinstance(one, ast.Call) and self.writes_in(one):
                raise Refused(one, "a call that writes to an array stands where no line can come before it")

    def disorder(self, call: ast.expr, message: str, other: ast.AST | None = None) -> NoReturn:
        """Refuse a call that cannot move before its statement; say what several statements would be in its place."""
        refusal = Refused(call, message, other)
        if self.unfolds and self.statement is not None:
            self.unit.taken = set(self.taken)  # the names of lines that do not come about are free again
            moved = call if isinstance(call, ast.Call) else None
            refusal.unfolding = Unfolder(self, self.statement, moved).decision()
        raise refusal

    def call_of_numpy(self, node: ast.expr, call: ast.Call, write: Write, rewrite: Rewrite) -> None:
        """A call with `out=`, or one that is only there to write."""
        lines = self.apply(write)
        is_statement = node is call and isinstance(self.statement, ast.Expr)
        gives = write.construct == "`out=`"
        if is_statement:
            rewrite.main, rewrite.after = lines[0], lines[1:]
            return
        if not gives:
            raise Refused(call, f"{write.construct} inside an expression")
        self.hoist(call, lines, (self.unit.span(write.target),), rewrite)

    def hoist(self, call: ast.Call, lines: list[Parts], value: Parts, rewrite: Rewrite) -> None:
        """Put lines before the statement, and a name where the call stood."""
        if isinstance(self.statement, ast.While) or self.is_elif(self.here):
            self.disorder(call, "a call that writes to an array stands where no line can come before it")
        for other in self.overtaken(call):
            if self.matters(other, [call], rewrite.inside):
                text = ast.unparse(other)
                self.disorder(call, f"`{text}` is read before it is written to in the same statement", other)
        for other in rewrite.inside:
            back = called(self.unit, self.known, other) if isinstance(other, ast.Call) else None
            if back is not None and back.convention.result == "value" and origins(self.unit, self.known, other):
                self.disorder(call, f"`{ast.unparse(other)}` may give a view of what is written to next", other)
        rewrite.before += lines
        rewrite.inside[call] = value

    def only_computes(self, call: ast.Call) -> bool:
        """Whether a call is one of NumPy, of Python or of an array's method: it keeps nothing."""
        if isinstance(call.func, ast.Name) and self.unit.scope.owner(call.func.id) is None:
            return True
        if isinstance(call.func, ast.Attribute) and self.unit.value(call.func.value).is_array:
            return True
        return (self.unit.qualified(call.func) or "").partition(".")[0] in ("numpy", "math")

    def is_elif(self, node: ast.AST) -> bool:
        """Whether an if statement is written `elif`."""
        return isinstance(node, ast.If) and self.unit.module.source.text(self.unit.span(node)).startswith("elif")

    def call_back(self, node: ast.expr, back: Called, rewrite: Rewrite, whole: ast.Assign | None) -> None:
        """A call of a function that gives back what it writes to."""
        first = back.arguments[0]
        if back.convention.result == "same" and (first is None or not origins(self.unit, self.known, first)):
            return
        targets, followers = self.receive(back, rewrite)
        span = self.unit.line_parts(back.call)
        left = ", ".join(targets)
        convention = back.convention
        if convention.result == "value" and not (node is back.call and isinstance(self.statement, ast.Expr)):
            if whole is not None and node is back.call and self.takes_directly(whole, [left, *followers]):
                bare = isinstance(whole.targets[0], ast.Tuple) and self.unit.module.source.is_bare(whole.targets[0])
                shown = (
                    flat("(", self.unit.span(whole.targets[0]), ")") if bare else (self.unit.span(whole.targets[0]),)
                )
                rewrite.main = flat(shown, f", {left} = ", span)
                rewrite.after = [*followers, *rewrite.after]
                return
            name = self.unit.fresh("result")
            self.hoist(back.call, [flat(f"{name}, {left} = ", span), *followers], (name,), rewrite)
            return
        line = flat(f"{'_, ' if convention.result == 'value' else ''}{left} = ", span)
        if node is back.call and isinstance(self.statement, ast.Expr):
            rewrite.main, rewrite.after = line, followers
            return
        self.hoist(back.call, [line, *followers], (targets[0] if convention.result == "same" else "None",), rewrite)

    def takes_directly(self, node: ast.Assign, lines: Sequence[str | Parts]) -> bool:
        """Whether an assignment can take a result beside what comes back: it binds nothing that those lines read."""
        if len(node.targets) != 1 or self.has_writes(node):
            return False
        text = " ".join(
            part for line in lines for part in (line if isinstance(line, tuple) else [line]) if isinstance(part, str)
        )
        bound = {one.id for one in ast.walk(node.targets[0]) if isinstance(one, ast.Name)}
        return not bound & set(re.findall(r"\w+", text))

    def has_writes(self, node: ast.Assign) -> bool:
        """Whether an assignment stores into an array."""
        return any(self.is_write(one) for target in node.targets for one in leaves(target))

    def is_write(self, target: ast.expr) -> bool:
        """Whether a target of an assignment is an array that is written to."""
        if isinstance(target, ast.Subscript):
            stored = ast.Assign([target], target)
            found = list(writes(self.unit.summary, stored))
            return any(sure for _, _, sure in found) or (bool(found) and self.unit.value(target.slice).kind != "str")
        if isinstance(target, ast.Attribute):
            return any(sure for _, _, sure in writes(self.unit.summary, ast.Assign([target], target)))
        return False

    def receive(self, back: Called, rewrite: Rewrite) -> tuple[list[str], list[Parts]]:
        """The targets that take back what a call has written to, and the lines that pass it on."""
        targets: list[str] = []
        after: list[Parts] = []
        seen: set[Path] = set()
        others = [one for one in back.call.args if one not in back.arguments]
        others += [word.value for word in back.call.keywords if word.value not in back.arguments]
        for other in others:
            roots = {one for one, _ in origins(self.unit, self.known, other)}
            seen |= roots | {one for root in roots for one in self.now.exact(root)} | set(self.now.possible(roots))
        seen -= {ESCAPED}
        for parameter, given in zip(back.convention.parameters, back.arguments, strict=True):
            argument = self.innermost(given, rewrite)
            if argument is None:
                targets.append("_")
                continue
            found = origins(self.unit, self.known, argument)
            path = self.unit.path(argument)
            if not found and (path is None or not self.unit.may_be_array(argument)):
                targets.append("_")
                continue
            if parameter in back.convention.unsure and not self.is_array(argument):
                text = ast.unparse(argument)
                raise Refused(back.call, f"`{text}` may be an array, which the call writes to, or a number")
            roots = {one for one, _ in found} | ({path} if path else set())
            reached = roots | {one for root in roots for one in self.now.exact(root)} | set(self.now.possible(roots))
            if seen & reached:
                raise Refused(back.call, "an argument that is written to may share memory with another one")
            seen |= reached - {ESCAPED}
            if path is not None and not self.is_in_tuple(path) and not self.either(path):
                targets.append(text_of(path))
                self.deep = parameter in back.convention.deeply
                after += self.follow(path)
            else:
                name = self.unit.fresh("updated")
                targets.append(name)
                after += self.apply(Write(argument, argument, (name,), "a call"))
        return targets, after

    def innermost(self, argument: ast.expr | None, rewrite: Rewrite) -> ast.expr | None:
        """The array that `f(g(a))` passes to `f`, where `g` gives back what it was given and has its line already."""
        while isinstance(argument, ast.Call) and argument in rewrite.inside:
            back = called(self.unit, self.known, argument)
            if back is None or back.convention.result != "same":
                break
            argument = back.arguments[0]
        return argument

    def is_array(self, node: ast.expr) -> bool:
        """Whether an expression is surely an array, by what made it or by how this function uses it."""
        by_use = isinstance(node, ast.Name) and self.unit.is_array_by_use(node.id)
        return self.unit.value(node).is_array or by_use or bool(self.unit.rank(node))

    def note_kept(self, call: ast.Call) -> None:
        """What a call puts into a container or an object, and what it writes to behind attributes."""
        if isinstance(call.func, ast.Attribute) and call.func.attr in _KEEPS and self.unit.qualified(call.func) is None:
            if self.unit.value(call.func.value).is_array:
                return
            holder = self.unit.path(call.func.value) or ESCAPED
            if holder in self.now.displays and call is appended(self.statement):
                self.append(holder, call.args[0])
                return
            for argument in call.args:
                for path, _ in origins(self.unit, self.known, argument):
                    self.now.add(path, holder, Link("may", call))
        value = self.unit.value(call.func)
        if value.kind == "class" and value.ref.method("__init__") is None:
            self.keep([*call.args, *(word.value for word in call.keywords)], call)
            self.share_fields(value.ref, call)
        for function in callees(self.unit.module, self.unit.index, call):
            self.note_callee(function, call)

    def share_fields(self, owner: Class, call: ast.Call) -> None:
        """The fields that a class takes from the arrays of its caller: dataclasses have no constructor to look at."""
        fields = [
            one.target.id
            for one in owner.node.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        ]
        given = [*zip(fields, call.args, strict=False), *((word.arg or "", word.value) for word in call.keywords)]
        for name, argument in given:
            if origins(self.unit, self.known, argument):
                why = f"`{owner.node.name}` is made with an array of its caller"
                self.known.shared_attributes.setdefault(f"{owner.family}:{name}", why)

    def keep(self, arguments: list[ast.expr], call: ast.Call) -> None:
        """Note that what is passed lives on out of sight."""
        for argument in arguments:
            for path, _ in origins(self.unit, self.known, argument):
                self.now.add(path, ESCAPED, Link("may", call))

    def note_callee(self, function: Function, call: ast.Call) -> None:
        """What a function keeps of its arguments, and what it writes to that this one can hold."""
        summary = self.known.summaries.get(function)
        if summary is None:
            return
        given = passed(function, call)
        self.keep([argument for name, argument in given if ("parameter", name) in summary.escaped], call)
        for attribute in self.known.written_attributes.get(function, ()):
            self.attributes.add(attribute)
            for path in [
                one for one in self.now.of if self.goes_through(one, attribute) or _stands_for(one, attribute)
            ]:
                for other in self.holders(path):
                    self.known.shared_attributes.setdefault(attribute, f"`{text_of(other)}` holds it as well")
        self.check_read(function, call)
        for place in self.known.written_globals.get(function, ()):
            self.outer.add(place)
            for path in [one for one in self.now.of if starts_with(one, place)]:
                for other in self.holders(path):
                    raise Refused(
                        call, f"`{function.name}` writes to `{text_of(place)}`, which `{text_of(other)}` holds"
                    )
        for name, argument in given:
            if name in self.known.written_items.get(function, ()):
                self.write_items(argument, call, function)

    def check_read(self, function: Function, call: ast.Call) -> None:
        """An array that is taken before a call in the same statement writes to it, and used after it."""
        for part in self.overtaken(call) if self.writes_elsewhere(call) else ():
            is_target = isinstance(self.statement, ast.AugAssign) and part is self.statement.target
            changed = next((one for one in ast.walk(part) if self.is_changed(one, function)), None)
            if changed is None or not (is_target or origins(self.unit, self.known, part)):
                continue
            assert isinstance(changed, ast.expr)
            line, _ = self.unit.module.source.place(self.unit.span(changed).start)
            why = f"it is read on line {line} before a call in the same statement writes to it"
            try:
                self.disorder(call, f"`{ast.unparse(changed)}`: {why}", changed)
            except Refused as refusal:
                if refusal.unfolding is not None or not isinstance(changed, ast.Attribute):
                    raise
                keys = self.known.written_attributes.get(function, ())
                for key in [one for one in keys if self.is_attribute(changed, one)]:
                    self.known.shared_attributes.setdefault(key, why)

    def writes_elsewhere(self, call: ast.Call) -> bool:
        """Whether a call writes to what it is not given: to attributes, variables of the module, items."""
        tables = (self.known.written_attributes, self.known.written_globals, self.known.written_items)
        functions = callees(self.unit.module, self.unit.index, call)
        return any(function in table for function in functions for table in tables)

    def write_items(self, argument: ast.expr, call: ast.Call, function: Function) -> None:
        """A function writes to arrays in a container that it is given."""
        for path, _ in origins(self.unit, self.known, argument):
            for part in [one for one in self.now.of if starts_with(one, path)]:
                for other in self.holders(part):
                    if not starts_with(other, path) and not (is_outside(other) and other[0][:1] == "^"):
                        held = "something out of sight" if is_outside(other) else f"`{text_of(other)}`"
                        raise Refused(
                            call, f"`{function.name}` writes to arrays in `{text_of(path)}` that {held} may hold"
                        )
            self.note_items(path)


def defined_by(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[ast.AST]:
    """What a definition evaluates where it stands, apart from the methods of a class."""
    if not isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]
    inner = [one for one in node.body if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [*node.decorator_list, *node.bases, *inner]


def leaves(target: ast.expr) -> list[ast.expr]:
    """List the targets of an assignment, those of nested tuples too."""
    if isinstance(target, ast.Tuple | ast.List):
        return [leaf for one in target.elts for leaf in leaves(one)]
    return [target.value] if isinstance(target, ast.Starred) else [target]


def _stands_for(path: Path, key: str) -> bool:
    """Whether a path is the array of an attribute of some object, which may be the one given by its key."""
    return path[0].startswith("!") and meets(path[0][1:], key)
