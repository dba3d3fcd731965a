"""Calls inside expressions: those that write to arrays, and those that keep what they are given."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tnp_migrate.attributes import attribute_key, meets
from tnp_migrate.effects import callees
from tnp_migrate.functional.call_forms import call_write, is_made_for_it
from tnp_migrate.functional.calls import Called, called, calls_in
from tnp_migrate.functional.displays import appended
from tnp_migrate.functional.forms import Write
from tnp_migrate.functional.links import Link
from tnp_migrate.functional.origins import Variable, origins
from tnp_migrate.functional.outer import OuterVariables, header, holds_body
from tnp_migrate.functional.paths import ESCAPED, Path, is_outside, starts_with, text_of
from tnp_migrate.functional.unit import Parts, Refused, flat
from tnp_migrate.index import Class, Function
from tnp_migrate.memory import passed
from tnp_migrate.scopes import defaults_of
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
class Evaluation(OuterVariables):
    """The evaluation of expressions, statement by statement."""

    def writes_in(self, call: ast.Call) -> bool:
        """Whether a call writes to an array."""
        return call_write(self.unit, call) is not None or called(self.unit, self.known, call) is not None

    def evaluate(self, node: ast.expr, rewrite: Rewrite, whole: ast.Assign | None = None) -> None:
        """Evaluate an expression: the calls in it that write, that keep, that yield."""
        for call, sometimes in list(calls_in(node)):
            written = call_write(self.unit, call)
            if written is not None and is_made_for_it(self.unit, written):
                self.replace_call(call, written, rewrite)
                continue
            back = called(self.unit, self.known, call) if written is None else None
            if (written or back) and sometimes:
                raise Refused(call, f"`{ast.unparse(call.func)}` writes to an array where it may run never or often")
            self.still_read = self.read_beside(call) if written or back else frozenset()
            if written is not None:
                self.call_of_numpy(node, call, written, rewrite)
            elif back is not None:
                self.call_back(node, back, rewrite, whole)
            self.still_read = frozenset()
            self.note_kept(call)
            rewrite.after += [one for one in self.run_functions(call) if one not in rewrite.after]
            if self.now.fresh and not self.only_computes(call):
                self.now.fresh.clear()
        for one in ast.walk(node):
            if isinstance(one, ast.Yield | ast.YieldFrom) and one.value is not None:
                for path, _ in origins(self.unit, self.known, one.value):
                    self.now.add(path, ESCAPED, Link("may", one))
                self.check_yield(one)
            elif isinstance(one, ast.Yield | ast.YieldFrom | ast.Await):
                self.check_yield(one)
            elif isinstance(one, ast.Lambda):
                self.keep(list(defaults_of(one.args).values()), one)
            elif isinstance(one, ast.NamedExpr):
                self.bind([(one.target, one.value)])

    def read_beside(self, call: ast.Call) -> frozenset[str]:
        """The variables that the statement of a call reads outside the call."""
        assert self.statement is not None
        own = set(ast.walk(call))
        around = ast.walk(self.statement if not holds_body(self.statement) else header(self.statement))
        return frozenset(one.id for one in around if _is_load(one) and one not in own)  # type: ignore[attr-defined]

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

    def replace_call(self, call: ast.Call, write: Write, rewrite: Rewrite) -> None:
        """A call with an array that is made for its result: `np.add(a, 1, out=np.zeros(3))`."""
        if any(one in rewrite.inside for one in ast.walk(call)):
            raise Refused(call, "a call that writes to an array, inside another one")
        rewrite.inside[call] = write.value

    def hoist(self, call: ast.Call, lines: list[Parts], value: Parts, rewrite: Rewrite) -> None:
        """Put lines before the statement, and a name where the call stood."""
        assert self.statement is not None
        if isinstance(self.statement, ast.While) or self.is_elif(self.statement):
            raise Refused(call, "a call that writes to an array stands where no line can come before it")
        names = {name for one in lines for name in _bound(one)}
        own = set(ast.walk(call))
        for other in ast.walk(self.statement if not holds_body(self.statement) else header(self.statement)):
            if not isinstance(other, ast.expr) or other in own or _place(other) >= _place(call):
                continue
            if isinstance(other, ast.Name) and isinstance(other.ctx, ast.Load) and other.id in names:
                if self.is_only_passed(other, call):
                    continue  # the array itself is taken, and seen as it is after the call
                raise Refused(call, f"`{other.id}` is read before it is written to in the same statement", other)
            if isinstance(other, ast.Call) and call not in set(ast.walk(other)) and not self.is_pure(other):
                raise Refused(call, "another call runs before one that writes to an array", other)
            if isinstance(other, ast.Call) and call not in set(ast.walk(other)) and self.runs(other):
                raise Refused(call, "a call before it writes to a variable", other)
        rewrite.before += lines
        rewrite.inside[call] = value

    def is_only_passed(self, node: ast.expr, call: ast.Call) -> bool:
        """Whether nothing is computed from an expression before a later call in the same statement runs."""
        parent = self.unit.module.names.scopes.parent
        around = set(self.unit.module.names.scopes.ancestors(call))
        above = parent.get(node)
        while above is not None and above not in around:
            if not isinstance(above, ast.Tuple | ast.List | ast.Starred | ast.keyword):
                return False
            above = parent.get(above)
        return True

    def is_pure(self, call: ast.Call) -> bool:
        """Whether a call only computes."""
        return self.unit.qualified(call.func) is not None or isinstance(call.func, ast.Name)

    def only_computes(self, call: ast.Call) -> bool:
        """Whether a call is one of NumPy, of Python or of an array's method: it keeps nothing."""
        if isinstance(call.func, ast.Name) and self.unit.scope.owner(call.func.id) is None:
            return True
        if isinstance(call.func, ast.Attribute) and self.unit.value(call.func.value).is_array:
            return True
        return (self.unit.qualified(call.func) or "").partition(".")[0] in ("numpy", "math")

    def is_elif(self, node: ast.stmt) -> bool:
        """Whether an if statement is written `elif`."""
        text = self.unit.module.source.text(self.unit.span(node))
        return isinstance(node, ast.If) and text.startswith("elif")

    def call_back(self, node: ast.expr, back: Called, rewrite: Rewrite, whole: ast.Assign | None) -> None:
        """A call of a function that gives back what it writes to."""
        first = back.arguments[0]
        if back.convention.result == "same" and (first is None or not origins(self.unit, self.known, first)):
            return
        targets, followers = self.receive(back)
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

    def receive(self, back: Called) -> tuple[list[str], list[Parts]]:
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
        for parameter, argument in zip(back.convention.parameters, back.arguments, strict=True):
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
        if self.unit.qualified(call.func) == "functools.partial":
            self.keep([*call.args, *(word.value for word in call.keywords)], call)
        for function in callees(self.unit.module, self.unit.index, call):
            if not self.known.is_quiet(function):
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

    def keep(self, arguments: list[ast.expr], call: ast.expr) -> None:
        """Note that what is passed lives on out of sight."""
        for argument in arguments:
            for path, _ in origins(self.unit, self.known, argument):
                self.now.add(path, ESCAPED, Link("may", call))

    def keep_in(self, variable: Variable, arguments: list[ast.expr], call: ast.Call) -> None:
        """Note that what is passed becomes a variable of a function around the one that is called."""
        self.keep(arguments, call)
        for argument in arguments if self.unit.scope.owner(variable.name) is variable.scope else ():
            for path, _ in origins(self.unit, self.known, argument):
                self.now.add((variable.name,), path, Link("may", call))

    def note_callee(self, function: Function, call: ast.Call) -> None:
        """What a function keeps of its arguments, and what it writes to that this one can hold."""
        summary = self.known.summaries.get(function)
        given = passed(function, call)
        escaped = summary.escaped if summary else ()
        self.keep([argument for name, argument in given if ("parameter", name) in escaped], call)
        for parameter, variable in self.known.keeps.get(function, ()):
            self.keep_in(variable, [argument for name, argument in given if name == parameter], call)
        for attribute in self.known.written_attributes.get(function, ()):
            self.attributes.add(attribute)
            for one in ast.walk(self.here if not holds_body(self.statement) else header(self.statement)):
                if isinstance(one, ast.Attribute) and self.is_attribute(one, attribute) and _place(one) < _place(call):
                    why = f"it is read on line {one.lineno} before a call in the same statement writes to it"
                    self.known.shared_attributes.setdefault(attribute, why)
            for path in [
                one for one in self.now.of if self.goes_through(one, attribute) or _stands_for(one, attribute)
            ]:
                for other in self.holders(path):
                    self.known.shared_attributes.setdefault(attribute, f"`{text_of(other)}` holds it as well")
        for name, argument in given:
            if name in self.known.written_items.get(function, ()):
                self.write_items(argument, call, function)

    def is_attribute(self, node: ast.Attribute, key: str) -> bool:
        """Whether an expression may be an attribute, given by its key."""
        found = attribute_key(self.unit.module, self.unit.scope, node)
        return found is not None and meets(found, key)

    def goes_through(self, path: Path, key: str) -> bool:
        """Whether a path goes through an attribute, given by its key."""
        ends = [position + 1 for position, part in enumerate(path) if part.startswith(".")]
        return any(meets(self.unit.attribute(path[:end]), key) for end in ends)

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


def leaves(target: ast.expr) -> list[ast.expr]:
    """List the targets of an assignment, those of nested tuples too."""
    if isinstance(target, ast.Tuple | ast.List):
        return [leaf for one in target.elts for leaf in leaves(one)]
    return [target.value] if isinstance(target, ast.Starred) else [target]


def _stands_for(path: Path, key: str) -> bool:
    """Whether a path is the array of an attribute of some object, which may be the one given by its key."""
    return path[0].startswith("!") and meets(path[0][1:], key)


def _place(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _is_load(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _bound(line: Parts) -> set[str]:
    first = line[0] if line and isinstance(line[0], str) else ""
    return {one.strip().partition(".")[0].partition("[")[0] for one in first.partition("=")[0].split(",")}
