"""Calls of functions that write to variables of functions around them, or of the module.

After `visit(i, j)`, which writes to `seen`, all that holds the array of `seen` here has to be bound anew; nothing may
have taken hold of it before the call in the same statement.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from tnp_migrate.analysis.argument_binding import passed
from tnp_migrate.analysis.effects import callees
from tnp_migrate.functional.access_paths import ESCAPED, Path, is_outside, out_of_sight, shown, starts_with, text_of
from tnp_migrate.functional.alias_graph import Links
from tnp_migrate.functional.bindings import Bindings
from tnp_migrate.functional.evaluation_order import earlier, holds, roots_of
from tnp_migrate.functional.known import Variable
from tnp_migrate.functional.points_to import origins
from tnp_migrate.functional.text_parts import Parts
from tnp_migrate.functional.unique_holder import computes
from tnp_migrate.functional.unit import NOTHING, Refused
from tnp_migrate.program.index import Function
from tnp_migrate.program.nodes import COMPREHENSIONS, walk
from tnp_migrate.program.scopes import Scope

_ANY_ORDER = (*COMPREHENSIONS, ast.IfExp)


@dataclass(eq=False)
class OuterVariables(Bindings):
    """What calls write to that is neither an argument nor an attribute."""

    given_variables: set[Variable] = field(default_factory=set)
    given_places: set[Path] = field(default_factory=set)
    called: dict[ast.Call, list[Function]] = field(default_factory=dict)
    ran: set[Function] = field(default_factory=set)  # the functions of the calls that the walk has come by
    rebound: set[tuple[Scope, str]] = field(default_factory=set)  # those seen here that they bind anew

    def functions_of(self, call: ast.Call) -> list[Function]:
        """The functions that a call runs: the one that it names, and those that it is given."""
        if call not in self.called:
            module = self.unit.module
            self.called[call] = [*callees(module, self.unit.index, call), *self.known.running.lent(module, call)]
        return self.called[call]

    def runs(self, call: ast.Call) -> set[Variable]:
        """The variables whose arrays a call writes to."""
        written = self.known.written_variables
        return {one for function in self.functions_of(call) if function in written for one in written[function]}

    def rebind_variables(self, call: ast.Call) -> None:
        """What a call binds anew may be what it was, or not."""
        functions = self.functions_of(call)
        self.ran.update(functions)
        found = {one for function in functions for one in self.known.rebound_by(function, self.unit.scope)}
        at_any_time = self.known.rebound_at(self.unit.scope)
        if at_any_time and not computes(self.unit, call):
            found |= at_any_time
        for scope, name in found:
            if scope is not self.unit.scope:
                self.rebound.add((scope, name))
            if self.unit.scope.owner(name) is scope:
                self.check_held(call, ast.unparse(call.func), partial(starts_with, prefix=(name,)))
                self.lose_items(name)
                self.now.loosen(name, call)

    def own_rebinds(self) -> set[tuple[Scope, str]]:
        """The variables that are not this function's own, and that it binds to something else."""
        scope = self.unit.scope
        found: set[tuple[Scope, str]] = set()
        for name in scope.globals | scope.nonlocals:
            owner = scope.owner(name)
            for node in owner.bound.get(name, ()) if owner is not None else ():
                above = self.unit.module.names.scopes.parent.get(node)
                in_place = isinstance(above, ast.AugAssign) and self.unit.value(above.target).is_array
                if owner is not None and not in_place and self.is_inside(node):
                    found.add((owner, name))
        return found

    def is_inside(self, node: ast.AST) -> bool:
        """Whether a node stands in this function."""
        around = self.unit.module.names.scopes.ancestors(node)
        return self.unit.function is not None and self.unit.function.node in around

    def check_yield(self, node: ast.expr) -> None:
        """Refuse to hold the array of a variable over a `yield`: anything may run there."""
        for path in list(self.now.of):
            owner = None if is_outside(path) else self.unit.scope.owner(path[0])
            if owner is None or owner is self.unit.scope or not self.known.is_written(owner, path[0]):
                continue
            for other in self.holders(path):
                raise Refused(node, f"{shown(other)} may hold the array of `{text_of(path)}` over a `yield`")

    def run_functions(self, call: ast.Call) -> list[Parts]:
        """Follow the writes of a call to variables; give the lines that bring them to other holders."""
        lines: list[Parts] = []
        self.rebind_variables(call)
        for variable in sorted(self.runs(call), key=lambda one: (one.name, one.items)):
            scope, name, _ = variable
            around = scope.kind == "module" or scope in _around(self.unit.scope)
            if around and scope is not self.unit.scope and self.unit.function is not None:
                self.note_outer(variable)
            if self.unit.scope.owner(name) is scope:
                self.check_order(call, name)
                lines += self.bring_variable(call, variable)
                self.run_here.add(variable)
        for argument in self.items_written(call, self.now.displays):
            if any(argument.id == one.id for one in self.written_here(call)):
                lines += self.bring_items(call, (argument.id,))
        self.check_bound(call, lines)
        self.note_unknown(call)
        return lines

    def note_unknown(self, call: ast.Call) -> None:
        """A call of other code may run any function that was passed on, and so write to what it writes to."""
        shared = self.known.shared_at(self.unit.scope)
        if shared and not computes(self.unit, call):
            self.run_here |= shared

    def bring_variable(self, call: ast.Call, variable: Variable) -> list[Parts]:
        """The lines after a call that bring a variable's new array, or its items', to all other holders."""
        name, lines = variable.name, list[Parts]()
        for path in sorted(one for one in self.now.of if starts_with(one, (name,))):
            if path[-1].startswith(".") or (variable.items and len(path) == 1):
                self.refuse_holders(call, path, self.holders(path))
                continue
            needed = [one for one in self.needed(path, self.now.exact(path)) if not starts_with(one, path)]
            self.refuse_holders(call, path, [one for one in needed if not self.can_follow(one)])
            self.deep = True
            lines += self.bring(path)
        return lines

    def written_here(self, call: ast.Call) -> list[ast.Name]:
        """The containers that a call is given whose arrays it writes to."""
        pairs = [
            (self.known.written_items.get(function, frozenset()) | self.deeply_written(function), name, argument)
            for function in callees(self.unit.module, self.unit.index, call)
            for name, argument in passed(self.unit.module, function, call)
        ]
        return [argument for names, name, argument in pairs if name in names and isinstance(argument, ast.Name)]

    def deeply_written(self, function: Function) -> frozenset[str]:
        """The parameters that a function gives back, of which it writes to items, should they be lists."""
        return self.known.conventions.get(function, NOTHING).deeply

    def bring_items(self, call: ast.Call, container: Path) -> list[Parts]:
        """The lines after a call that bring the new arrays of a container that was written out to their holders."""
        lines, items = list[Parts](), [(*container, key) for key in self.now.displays[container].keys]
        for path in items:
            around = self.related([path]) - {path}
            self.refuse_holders(call, path, [one for one in items if one in around])
            needed = self.needed(path, self.now.exact(path))
            self.refuse_holders(call, path, [one for one in needed if not self.can_follow(one)])
            lines += self.bring(path)
        return lines

    def refuse_holders(self, call: ast.Call, path: Path, holders: list[Path]) -> None:
        """Refuse what holds the array of a place that a call writes to."""
        if holders:
            held = f"`{text_of(path)}`, which {shown(holders[0])} holds"
            raise Refused(call, f"`{ast.unparse(call.func)}` writes to {held}")

    def can_follow(self, holder: Path) -> bool:
        """Whether a line after this statement can bind a holder anew before anything reads it."""
        if is_outside(holder):
            return True
        elsewhere = holder[0] in self.liveness.always or self.unit.scope.owner(holder[0]) is not self.unit.scope
        caught = any(isinstance(one, ast.Try) for one in self.unit.module.names.scopes.ancestors(self.here))
        plain = isinstance(self.statement, ast.Expr | ast.Assign) and not caught
        return len(holder) == 1 and not elsewhere and plain

    def check_bound(self, call: ast.Call, lines: list[Parts]) -> None:
        """Refuse lines after an assignment that read, or bind, what it binds."""
        targets = self.statement.targets if isinstance(self.statement, ast.Assign) else []
        stored = (one for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
        bound = {one.id for one in stored if isinstance(one.ctx, ast.Store)}
        text = " ".join(part for line in lines for part in line if isinstance(part, str))
        if bound & set(re.findall(r"\w+", text)):
            raise Refused(call, f"`{ast.unparse(call.func)}` writes to what this statement binds")

    # ---- the order of evaluation

    def check_order(self, call: ast.Call, name: str) -> None:
        """Refuse where a statement has hold of the array of a variable while a call in it writes to the variable."""
        names = {path[0] for path in self.related([(name,)]) - {ESCAPED}}
        if isinstance(self.statement, ast.AugAssign) and _names_in(self.statement.target) & names:
            raise Refused(call, f"`{ast.unparse(call.func)}` writes to `{name}` while the statement does", self.here)
        around = [call, *self.unit.module.names.scopes.ancestors(call)]
        targets = set(self.in_targets())
        for read in self.reads(names, call):
            if read in targets:
                continue
            later = (read.lineno, read.col_offset) > (call.lineno, call.col_offset) and read not in set(ast.walk(call))
            anew = isinstance(read, ast.Call) or read.id == name
            if later and anew and not any(isinstance(one, _ANY_ORDER) for one in around):
                continue
            if (later and not anew) or not self.is_used_up(read, around, names):
                text = ast.unparse(read)
                raise Refused(call, f"`{text}` is held while `{ast.unparse(call.func)}` writes to `{name}`", read)

    def check_held(self, binder: ast.expr, binding: str, is_bound: Callable[[Path], bool]) -> None:
        """Refuse where a statement has hold of what a place was before something in it binds the place anew.

        After `p = (a, grow())` the item is what `a` was when `grow` binds another array to it.
        """
        if self.statement is None:
            return
        roots = roots_of(self.statement)
        held = [*earlier(roots, binder)]
        held += [binder] if isinstance(binder, ast.Call) else []
        held += [one for root in roots for one in walk(root) if isinstance(one, COMPREHENSIONS) and holds(one, binder)]
        for one in held:
            if any(not is_outside(path) and is_bound(path) for path, _ in origins(self.unit, self.known, one)):
                raise Refused(binder, f"`{ast.unparse(one)}` is held while `{binding}` binds it anew", one)

    def reads(self, names: set[str], call: ast.Call) -> Iterator[ast.Name | ast.Call]:
        """The places in this statement, or in its head, where variables are read, or calls give their arrays."""
        for one in walk(header(self.statement) if holds_body(self.statement) else self.here):
            if isinstance(one, ast.Name):
                if isinstance(one.ctx, ast.Load) and one.id in names:
                    yield one
            elif isinstance(one, ast.Call) and call not in set(ast.walk(one)) and self.is_held(one, names):
                yield one

    def in_targets(self) -> Iterator[ast.AST]:
        """What stands in the targets of an assignment, which are evaluated after its value."""
        for target in self.statement.targets if isinstance(self.statement, ast.Assign) else ():
            yield from ast.walk(target)

    def is_used_up(self, read: ast.Name | ast.Call, around: list[ast.AST], names: set[str]) -> bool:
        """Whether what is read is computed with before it comes to an expression that a call stands in."""
        parent = self.unit.module.names.scopes.parent
        node: ast.AST = read
        while True:
            above = parent.get(node)
            if isinstance(above, ast.keyword):
                above = parent.get(above)
            if above is None or above in around or not isinstance(above, ast.expr):
                return isinstance(node, ast.expr) and not self.is_held(node, names)
            if not isinstance(above, ast.Attribute | ast.Slice) and not self.is_held(above, names):
                return True
            node = above

    def is_held(self, node: ast.expr, names: set[str]) -> bool:
        """Whether an expression gives memory of some variables."""
        if isinstance(node, ast.Attribute | ast.Subscript) and self.is_held(node.value, names):
            return self.unit.may_be_array(node)
        return any(path[0] in names for path, _ in origins(self.unit, self.known, node))

    def is_run_first(self, target: ast.expr) -> bool:
        """Whether a value has to be there before the target is read: what it calls may write to the target."""
        names = {path[0] for path in self.related((name,) for name in _names_in(target))}
        return any(one.name in names and self.unit.scope.owner(one.name) is one.scope for one in self.run_here)

    # ---- what leaves a nested function

    def note_given(self, value: ast.expr) -> None:
        """Note whose memory a function returns: of variables around it, of its arguments, of what is out of sight."""
        for path, _ in origins(self.unit, self.known, value):
            for one in self.related([path]):
                owner = None if is_outside(one) else self.unit.scope.owner(one[0])
                if is_outside(one):
                    self.given_places.add(one)
                elif len(one) > 1 and one[-1].startswith("."):
                    self.given_places.add(out_of_sight(self.unit.attribute(one)))
                elif owner is not None and owner is not self.unit.scope:
                    self.given_variables.add(Variable(owner, one[0]))

    def kept(self, exits: Iterable[Links]) -> tuple[frozenset[tuple[str, Variable]], list[tuple[Variable, str]]]:
        """What is still held when a body is over: arguments, by variables around it, and variables that are written to.

        Variables come with what holds their array beside them.
        """
        arguments: set[tuple[str, Variable]] = set()
        variables: dict[Variable, str] = {}
        for links in exits:
            for path in list(links.of):
                owner = None if is_outside(path) else self.unit.scope.owner(path[0])
                if owner is None or (owner is self.unit.scope and self.unit.function is not None):
                    continue
                others = {*links.exact(path), *links.possible({path})}
                arguments |= {(one[0][1:], Variable(owner, path[0])) for one in others if one[0].startswith("^")}
                lasting = [one for one in sorted(others) if one[0] != path[0] and self.is_lasting(one, links)]
                if lasting and self.known.is_written(owner, path[0]):
                    variables.setdefault(Variable(owner, path[0]), shown(lasting[0]))
        return frozenset(arguments), list(variables.items())

    def is_lasting(self, path: Path, links: Links) -> bool:
        """Whether a place is there when the function is over."""
        if is_outside(path) or (len(path) > 1 and path[:1] not in links.displays) or self.unit.function is None:
            return True
        return self.unit.scope.owner(path[0]) is not self.unit.scope


def _around(scope: Scope) -> list[Scope]:
    found: list[Scope] = []
    while scope.parent is not None:
        scope = scope.parent
        found.append(scope)
    return found


def _names_in(node: ast.expr) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def holds_body(node: ast.stmt | None) -> bool:
    """Whether a statement has statements inside."""
    return isinstance(node, ast.If | ast.For | ast.With | ast.Match)


def header(node: ast.stmt | None) -> ast.expr:
    """What a statement with others inside evaluates first."""
    if isinstance(node, ast.For | ast.AsyncFor):
        return node.iter
    if isinstance(node, ast.Match):
        return node.subject
    if isinstance(node, ast.With | ast.AsyncWith):
        return ast.Tuple([item.context_expr for item in node.items])
    assert isinstance(node, ast.If)
    return node.test
