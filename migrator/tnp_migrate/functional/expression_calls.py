"""Calls inside expressions: those that write to arrays, and those that keep what they are given."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from tnp_migrate.analysis.writes import writes
from tnp_migrate.functional.access_paths import ESCAPED, Path, starts_with, text_of
from tnp_migrate.functional.alias_graph import Link
from tnp_migrate.functional.call_escapes import Keeping
from tnp_migrate.functional.call_forms import FILLED, call_write, is_made_for_it, may_be_number
from tnp_migrate.functional.evaluation_order import acts_in, calls_in
from tnp_migrate.functional.own_objects import is_apart
from tnp_migrate.functional.points_to import origins, properties
from tnp_migrate.functional.returned_writes import Called, called
from tnp_migrate.functional.store_forms import Write, listed
from tnp_migrate.functional.text_parts import Parts, flat
from tnp_migrate.functional.unique_holder import is_of_numpy
from tnp_migrate.functional.unit import Refused
from tnp_migrate.program.attributes import is_dict_by_name
from tnp_migrate.program.nodes import walk
from tnp_migrate.program.scopes import defaults_of

_ACTS = (ast.Call, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr, ast.Delete)
_WAITS = (ast.Await, ast.Yield, ast.YieldFrom)


@dataclass
class Rewrite:
    """What becomes of a statement: lines before it, the statement, lines after it."""

    before: list[Parts] = field(default_factory=list)
    main: Parts | None = None
    after: list[Parts] = field(default_factory=list)
    inside: dict[ast.expr, Parts] = field(default_factory=dict)


@dataclass(eq=False)
class Evaluation(Keeping):
    """The evaluation of expressions, statement by statement."""

    def evaluate(self, node: ast.expr, rewrite: Rewrite, whole: ast.Assign | None = None) -> None:
        """Evaluate an expression: the calls in it that write, that keep, that yield."""
        for call, sometimes in list(acts_in(node)):
            if isinstance(call, ast.NamedExpr):
                self.check_held(call, ast.unparse(call), partial(starts_with, prefix=(call.target.id,)))
                self.bind([(call.target, call.value)])
                continue
            written = call_write(self.unit, call)
            if written is not None and is_made_for_it(self.unit, written):
                self.replace_call(call, written, rewrite)
                continue
            back = called(self.unit, self.known, call) if written is None else None
            if (written or back) and sometimes:
                self.disorder(call, f"`{ast.unparse(call.func)}` writes to an array where it may run never or often")
            self.still_read = self.read_after(call) if written or back or self.writes_elsewhere(call) else frozenset()
            if written is not None:
                self.call_of_numpy(node, call, written, rewrite, whole)
            elif back is not None:
                self.call_back(node, back, rewrite, whole)
            self.note_kept(call, lines=True)
            rewrite.after += [one for one in self.run_functions(call) if one not in rewrite.after]
            self.still_read = frozenset()
            self.age(call)
        for one in walk(node):
            if isinstance(one, ast.Yield | ast.YieldFrom) and one.value is not None:
                for path, _ in origins(self.unit, self.known, one.value):
                    self.now.add(path, ESCAPED, Link("may", one))
                self.check_yield(one)
            elif isinstance(one, ast.Yield | ast.YieldFrom | ast.Await):
                self.check_yield(one)
            elif isinstance(one, ast.Lambda):
                self.keep(list(defaults_of(one.args).values()), one)
            elif isinstance(one, ast.comprehension) and any(map(self.is_write, leaves(one.target))):
                raise Refused(one.target, "an array is stored into by the target of a comprehension")

    def evaluate_target(self, target: ast.expr, rewrite: Rewrite) -> None:
        """Evaluate what picks the place of a target: a call there that writes has no line of its own."""
        for call, _ in calls_in(target):
            written = call_write(self.unit, call)
            if written is not None and is_made_for_it(self.unit, written):
                self.replace_call(call, written, rewrite)
                continue
            if self.writes_in(call):
                self.disorder(call, f"`{ast.unparse(call.func)}` writes to an array inside a target")
            self.still_read = self.read_after(call) if self.writes_elsewhere(call) else frozenset()
            self.note_kept(call)
            self.rebind_variables(call)
            self.still_read = frozenset()

    def apply(self, write: Write) -> list[Parts]:
        """Write to an array, or to a view of one: what picks that is read and stored by, and so evaluated twice."""
        inside = walk(write.target) if self.unit.path(write.target) is None else ()
        indices = [one.slice for one in inside if isinstance(one, ast.Subscript)]
        acting = [one for index in indices for one in walk(index) if isinstance(one, ast.expr) and self.acts(one)]
        if acting:
            self.disorder(acting[-1], f"`{ast.unparse(acting[-1])}` would run twice, to read there and to store there")
        return super().apply(write)

    def acts(self, node: ast.expr) -> bool:
        """Whether an expression itself may do something else when it is evaluated again."""
        if isinstance(node, ast.Call):  # `sum(x)` uses up an iterator
            return not self.is_pure(node) or (len(node.args) == 1 and not is_of_numpy(self.unit, node))
        if isinstance(node, ast.NamedExpr):
            return any(isinstance(one, ast.Name) and one.id == node.target.id for one in walk(node.value))
        run = properties(self.unit, node)
        if isinstance(node, ast.Subscript) and (holder := self.unit.value(node.value)).kind == "instance":
            method = holder.ref.method("__getitem__")
            run = [*run, method] if method is not None else run
        return any(isinstance(one, _ACTS) for function in run for one in function.nodes) or isinstance(node, _WAITS)

    def check_places(self, node: ast.Assign | ast.AugAssign, stored: list[ast.expr], rewrite: Rewrite) -> None:
        """What has to happen before an array is stored into, though the new text looks at the array first."""
        for target in stored:
            base = target
            if isinstance(target, ast.Subscript) and isinstance(node, ast.AugAssign):
                base = target.value  # the index is evaluated before the value, in the new text too
            call = self.clashes(base, node.value, rewrite.inside)
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

    def call_of_numpy(
        self, node: ast.expr, call: ast.Call, write: Write, rewrite: Rewrite, whole: ast.Assign | None
    ) -> None:
        """A call with `out=`, or one that is only there to write; `x = f(x, out=x)` binds what the write does."""
        lines = self.apply(write) if not write.also else self.put_results(write)
        into_itself = whole is not None and not write.also and _is_bound_to(whole, ast.unparse(write.target))
        is_statement = node is call and (into_itself or isinstance(self.statement, ast.Expr))
        gives = write.construct == "`out=`"
        if is_statement:
            rewrite.main, rewrite.after = lines[0], [*lines[1:], *rewrite.after]
            return
        if not gives:
            raise Refused(call, f"{write.construct} inside an expression")
        if self.unit.path(write.target) is None and not write.also and is_apart(self.unit, write.target):
            self.replace_call(call, write, rewrite)  # nothing else has it: what is written is what the call gives
            return
        if not write.also and not self._is_part_of_place(write.target):
            raise Refused(call, f"`{ast.unparse(write.target)}` is a part of an array that is made for it")
        self.refuse_hoisted(call, rewrite)
        shown = listed([(self.unit.span(one),) for one in (write.target, *write.also)])
        self.hoist(call, lines, flat("(", shown, ")") if write.also else shown, rewrite)

    def _is_part_of_place(self, target: ast.expr) -> bool:
        """Whether an expression picks a part of what has a place, which is there again when it is read."""
        while self.unit.path(target) is None and isinstance(target, ast.Subscript | ast.Attribute | ast.Call):
            whole = target.func if isinstance(target, ast.Call) else target.value
            if isinstance(target, ast.Call) and not isinstance(whole, ast.Attribute):
                return False
            target = whole
        return self.unit.path(target) is not None

    def put_results(self, write: Write) -> list[Parts]:
        """The lines of a call whose results go into several arrays."""
        outs = (write.target, *write.also)
        if any(self.unit.path(one) is None for one in outs) or self.overlap(outs[0], outs[1]):
            raise Refused(write.node, "`out=` with several arrays that may share memory")
        names = [self.unit.fresh("value") for _ in outs]
        lines = [flat(", ".join(names), " = ", write.value)]
        for out, name in zip(outs, names, strict=True):
            made = flat(f"{self.unit.helpers}.in_place(", self.unit.span(out), f", {name})")
            lines += self.apply(Write(write.node, out, made, write.construct))
        return lines

    def replace_call(self, call: ast.Call, write: Write, rewrite: Rewrite) -> None:
        """A call with an array that is made for its result: `np.add(a, 1, out=np.zeros(3))`."""
        self.refuse_hoisted(call, rewrite)
        rewrite.inside[call] = write.value

    def refuse_hoisted(self, call: ast.Call, rewrite: Rewrite) -> None:
        """Refuse a call whose text would run once more what a line before the statement has run."""
        if any(one in rewrite.inside for one in ast.walk(call)):
            raise Refused(call, "a call that writes to an array, inside another one")

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
            named = back is not None and (back.convention.result == "value" or not self.is_place(back, rewrite))
            if named and origins(self.unit, self.known, other):
                self.disorder(call, f"`{ast.unparse(other)}` may give a view of what is written to next", other)
        rewrite.before += lines
        rewrite.inside[call] = value

    def is_place(self, back: Called, rewrite: Rewrite) -> bool:
        """Whether what a call gives back is bound to what it was passed, and not to a name for a part of it."""
        argument = self.innermost(back.arguments[0], rewrite)
        return argument is not None and self.unit.path(argument) is not None

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
        into_itself = whole is not None and convention.result == "same" and _is_bound_to(whole, left)
        if node is back.call and (into_itself or isinstance(self.statement, ast.Expr)):
            rewrite.main, rewrite.after = line, [*followers, *rewrite.after]
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
            keys = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
            may_be = self.unit.writes and all(self.unit.value(one).kind != "str" for one in keys)
            is_known = self.is_dict(target.value) or self.unit.value(target.value).library is not None
            unsure = bool(found) and may_be and not is_known
            return any(sure for _, _, sure in found) or unsure
        if isinstance(target, ast.Attribute):
            return any(sure for _, _, sure in writes(self.unit.summary, ast.Assign([target], target)))
        return False

    def is_dict(self, node: ast.expr) -> bool:
        """Whether an attribute of something unknown is a dict, by all that the project has under its name."""
        if not isinstance(node, ast.Attribute) or self.unit.value(node).kind != "unknown":
            return False
        return is_dict_by_name(self.unit.index, node.attr)

    def receive(self, back: Called, rewrite: Rewrite) -> tuple[list[str], list[Parts]]:
        """The targets that take back what a call has written to, and the lines that pass it on."""
        targets: list[str] = []
        after: list[Parts] = []
        seen: set[Path] = set()
        others = [one for one in back.call.args if one not in back.arguments]
        others += [word.value for word in back.call.keywords if word.value not in back.arguments]
        for other in others:
            seen |= self.related(one for one, _ in origins(self.unit, self.known, other))
        seen -= {ESCAPED}
        for parameter, given in zip(back.convention.parameters, back.arguments, strict=True):
            argument = self.innermost(given, rewrite)
            if argument is None or parameter in back.convention.alike:
                targets.append(self.discarded())
                continue
            self.check_filled(back.call, parameter, argument)
            found = origins(self.unit, self.known, argument)
            path = self.unit.path(argument)
            if not found and (path is None or not self.unit.may_be_array(argument)):
                targets.append(self.discarded())
                continue
            is_list = self.unit.value(argument).kind == "list"  # which is changed itself, and comes back as it is
            if parameter in back.convention.unsure and not is_list and not self.is_array(argument):
                text = ast.unparse(argument)
                raise Refused(back.call, f"`{text}` may be an array, which the call writes to, or a number")
            reached = self.related({one for one, _ in found} | ({path} if path else set()))
            if seen & reached:
                raise Refused(back.call, "an argument that is written to may share memory with another one")
            seen |= reached - {ESCAPED}
            if path is not None and not self.is_in_tuple(path) and not self.either(path):
                targets.append(text_of(path))
                self.deep = parameter in back.convention.deeply
                after += self.follow(path, bound=True)
            else:
                name = self.unit.fresh("updated")
                targets.append(name)
                after += self.apply(Write(argument, argument, (name,), "a call"))
        return targets, after

    def discarded(self) -> str:
        """The name for what nothing takes back: `_`, unless the user reads that."""
        names = (one for top in self.unit.body for one in walk(top) if isinstance(one, ast.Name))
        is_read = any(one.id == "_" and isinstance(one.ctx, ast.Load) for one in names)
        return self.unit.fresh("unused") if is_read else "_"

    def check_filled(self, call: ast.Call, parameter: str, argument: ast.expr) -> None:
        """Refuse to pass a number of NumPy's to what fills it: a tensor has the new value then, the number has not."""
        for function in self.functions_of(call) if may_be_number(self.unit, argument) else ():
            for one in function.nodes:
                filled = one.func if isinstance(one, ast.Call) else None
                if isinstance(filled, ast.Attribute) and ast.unparse(filled) == f"{parameter}.fill":
                    raise Refused(call, FILLED, one)

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


def _is_bound_to(node: ast.Assign, name: str) -> bool:
    """Whether an assignment binds one variable, of this name."""
    return len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name


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
