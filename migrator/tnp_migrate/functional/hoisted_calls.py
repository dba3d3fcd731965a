"""What a call that moves to a line before its statement would overtake, and what that does to it.

In `y = f(x[0], take(x, 2))` the element is read before `take` writes; in `f(x, take(x, 2))` the array is only passed
on, and `f` sees it as it is after the call wherever that stands.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Container, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeGuard

from tnp_migrate.functional.access_paths import ESCAPED, Path, is_outside, starts_with
from tnp_migrate.functional.call_forms import call_write, is_made_for_it
from tnp_migrate.functional.evaluation_order import earlier, roots_of
from tnp_migrate.functional.outer_variables import OuterVariables
from tnp_migrate.functional.points_to import origins
from tnp_migrate.functional.returned_writes import called
from tnp_migrate.functional.unique_holder import computes
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.attributes import attribute_key, attribute_name, meets
from tnp_migrate.program.index import Function, Module
from tnp_migrate.program.nodes import LAZY, walk

_IMPURE_BUILTINS = frozenset("print input next open exec eval setattr delattr iter map filter zip enumerate".split())


class _All(Container[str]):
    """What holds every name."""

    def __contains__(self, name: object) -> bool:
        return True


ALL = _All()


@dataclass(eq=False)
class Ordering(OuterVariables):
    """Questions about the order in which a statement evaluates."""

    effects: dict[ast.Call, tuple[Container[str], Container[str]]] = field(default_factory=dict)

    @cached_property
    def generators(self) -> list[ast.expr]:
        """The expressions of this body that are evaluated bit by bit when something asks for it."""
        nodes = (one for statement in self.unit.body for one in walk(statement))
        return [
            one for one in nodes if isinstance(one, ast.GeneratorExp) or (isinstance(one, ast.Call) and _is_lazy(one))
        ]

    @cached_property
    def names_in_generators(self) -> frozenset[str]:
        """The variables that generators read, at any time."""
        return frozenset(one.id for node in self.generators for one in walk(node) if isinstance(one, ast.Name))

    @cached_property
    def names_of_generators(self) -> frozenset[str]:
        """The variables that are bound to generators."""
        above = (self.unit.module.names.scopes.parent.get(node) for node in self.generators)
        targets = (target for one in above if isinstance(one, ast.Assign) for target in one.targets)
        return frozenset(one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))

    def writes_in(self, call: ast.Call) -> bool:
        """Whether a call writes to an array, which is bound anew on a line of its own."""
        write = call_write(self.unit, call)
        if write is not None:
            return not is_made_for_it(self.unit, write)
        return called(self.unit, self.known, call) is not None

    def overtaken(self, call: ast.Call) -> list[ast.expr]:
        """What the statement at hand evaluates before a call, without what stands around the call."""
        assert self.statement is not None
        return list(earlier(roots_of(self.statement), call))

    def read_after(self, call: ast.Call) -> frozenset[str]:
        """The variables that a statement, its body too, reads when a call has run, or whose arrays it has then."""
        assert self.statement is not None
        before = self.overtaken(call)
        done = {one for part in before if not origins(self.unit, self.known, part) for one in walk(part)}
        done |= set(walk(call))
        names = (one for one in walk(self.statement) if isinstance(one, ast.Name))
        return frozenset(one.id for one in names if one not in done and not isinstance(one.ctx, ast.Store))

    def matters(self, node: ast.expr, calls: Collection[ast.Call], done: Collection[ast.expr] = ()) -> bool:
        """Whether it makes a difference to evaluate an expression after some calls instead of before them.

        `done` are calls that stand on lines before the statement already.
        """
        if isinstance(node, ast.Constant) or node in done:
            return False
        if isinstance(node, ast.Name):
            return self.may_be_rebound(node.id)
        if isinstance(node, ast.Tuple | ast.List):
            return any(self.matters(one, calls, done) for one in node.elts)
        if isinstance(node, ast.Attribute):
            if self.unit.qualified(node) is not None:
                return self.may_be_set(node, calls)
            if self.is_called(node):
                return self.matters(node.value, calls, done)
            if self.unit.value(node.value).kind == "instance" or self.unit.path(node) is not None:
                rebound = (
                    any(node.attr in self.stored_by(call) for call in calls) or node.attr in self.unit.index.methods
                )
                return rebound or self.matters(node.value, calls, done)
        elif isinstance(node, ast.Subscript) and self.is_view(node):
            inner = [one for one in ast.walk(node.slice) if isinstance(one, ast.expr)]
            return self.matters(node.value, calls, done) or any(self.differs(one, calls, done) for one in inner)
        reached = self.reach(calls)
        return any(self.differs(one, calls, done, reached) for one in _outside(node, done))

    def is_view(self, node: ast.Subscript) -> bool:
        """Whether a subscript is a view, through which later writes are seen."""
        found = origins(self.unit, self.known, node)
        return bool(found) and all(link.kind == "view" for _, link in found)

    def differs(
        self, node: ast.AST, calls: Collection[ast.Call], done: Collection[ast.expr], reached: set[Path] | None = None
    ) -> bool:
        """Whether one part of a computation acts itself, or reads what calls may change."""
        if node in done:
            return isinstance(node, ast.expr) and bool(origins(self.unit, self.known, node))
        if isinstance(node, ast.Call):
            return not self.is_pure(node)
        if isinstance(node, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr):
            return True
        if isinstance(node, ast.Attribute) and self.unit.qualified(node) is not None:
            return self.may_be_set(node, calls) or (self.unit.may_be_array(node) and self.may_be_written(node, calls))
        if isinstance(node, ast.Attribute):
            of_array = node.attr in traits.ARRAY_ATTRIBUTES or self.unit.value(node.value).is_array
            return not of_array and not self.is_called(node)
        if isinstance(node, ast.Name):
            if self.may_be_rebound(node.id) or node.id in self.names_of_generators:
                return True
            if not self.unit.may_be_array(node):
                return False
            if self.is_outer(node.id) and self.may_be_written(node, calls):
                return True
            reached = self.reach(calls) if reached is None else reached
            return any(starts_with(one, (node.id,)) for one in reached)
        return False

    def elsewhere(self, node: ast.expr) -> tuple[Module, str] | None:
        """The module of the project that has a variable which is read as `state.total`, or imported; the variable."""
        name, _, variable = (self.unit.qualified(node) or "").rpartition(".")
        module = self.unit.index.modules.get(name)
        return (module, variable) if module is not None and variable in module.names.scopes.module.bound else None

    def may_be_set(self, node: ast.Attribute, calls: Collection[ast.Call]) -> bool:
        """Whether calls may bind a variable of another module anew."""
        place = self.elsewhere(node)
        if place is None or self.unit.value(node).kind in ("function", "class", "module"):
            return False
        return place[1] in place[0].rebindable or any(node.attr in self.stored_by(call) for call in calls)

    def may_be_written(self, node: ast.Name | ast.Attribute, calls: Collection[ast.Call]) -> bool:
        """Whether calls may write to the array of an outer variable, by whatever name it goes there."""
        place = self.elsewhere(node)
        names = {node.id if isinstance(node, ast.Name) else node.attr, *((place[1], f".{place[1]}") if place else ())}
        return any(name in self.writes_of(call) for call in calls for name in names)

    def is_pure(self, call: ast.Call) -> bool:
        """Whether a call only computes: one of NumPy, of Python or of an array's method, given no function to run."""
        if any(self.is_function(one) for one in (*call.args, *(word.value for word in call.keywords))):
            return False
        if isinstance(call.func, ast.Name) and self.unit.scope.owner(call.func.id) is None:
            return call.func.id not in _IMPURE_BUILTINS
        if isinstance(call.func, ast.Attribute) and self.unit.value(call.func.value).is_array:
            return True
        name = self.unit.qualified(call.func) or ""
        return name.partition(".")[0] in ("numpy", "math") and not name.startswith("numpy.random")

    def is_function(self, node: ast.expr) -> bool:
        """Whether an expression is a function of the project."""
        return isinstance(node, ast.Lambda) or self.unit.value(node).kind == "function"

    def is_called(self, node: ast.expr) -> bool:
        """Whether an expression is the function of a call."""
        above = self.unit.module.names.scopes.parent.get(node)
        return isinstance(above, ast.Call) and above.func is node

    def may_be_rebound(self, name: str) -> bool:
        """Whether a call, or another part of the statement at hand, may bind a variable anew."""
        return name in self.unit.module.rebindable or name in self.bound_inside

    def reach(self, calls: Collection[ast.Call]) -> set[Path]:
        """The places whose memory calls may get at: through arguments, attributes and variables of the module."""
        found: set[Path] = set()
        for call in calls:
            given = [*call.args, *(word.value for word in call.keywords)]
            given += [call.func.value] if isinstance(call.func, ast.Attribute) else []
            for one in given:
                path = self.unit.path(one)
                found |= {root for root, _ in origins(self.unit, self.known, one)} | ({path} if path else set())
                found |= {(name.id,) for name in ast.walk(one) if isinstance(name, ast.Name)}
            written = self.writes_of(call)
            found |= {one for one in self.now.of if self.is_outer(one[0]) and one[0] in written}
            found |= {one for one in self.now.of if any(part in written for part in self.attributes_of(one))}
        found |= {one for one in self.now.of for root in list(found) if starts_with(one, root)}
        around = {other for one in found for other in self.now.exact(one)} | set(self.now.possible(found))
        return {one for one in found | around if one != ESCAPED and not is_outside(one)}

    def attributes_of(self, path: Path) -> Iterator[str]:
        """The attributes that a path goes through or stands for, by their bare names behind a dot."""
        yield from (part for part in path if part.startswith("."))
        if path[0].startswith("!"):
            yield f".{attribute_name(path[0])}"

    def is_outer(self, name: str) -> bool:
        """Whether a variable is one that other functions may see."""
        elsewhere = self.unit.scope.owner(name) is not self.unit.scope
        return elsewhere or name in self.liveness.always or name in self.inner_names

    def stored_by(self, call: ast.Call) -> Container[str]:
        """The names of the attributes that a call may bind, in the project's functions that it reaches."""
        return self._effects(call)[0]

    def writes_of(self, call: ast.Call) -> Container[str]:
        """The outer variables that a call may write to, and attributes, by their names behind a dot.

        This holds whatever the stage makes of the functions that it reaches; of those that are not known, and of those
        inside others, it is all.
        """
        written = self._effects(call)[1]
        shared = self.known.shared_names() if isinstance(written, set) else frozenset[str]()
        if not isinstance(written, set) or not shared or computes(self.unit, call):
            return written
        return written | shared  # other code may run what writes to them

    def _effects(self, call: ast.Call) -> tuple[Container[str], Container[str]]:
        if call not in self.effects:
            functions = self.functions_of(call)
            written = self.known.reached.writes.of(functions)
            found = {one for one in written if one is not None} if functions and None not in written else ALL
            self.effects[call] = self.known.reached.stores.of(functions), found
        return self.effects[call]

    def is_attribute(self, node: ast.Attribute, key: str) -> bool:
        """Whether an expression may be an attribute, given by its key."""
        found = attribute_key(self.unit.module, self.unit.scope, node)
        return found is not None and meets(found, key)

    def is_changed(self, node: ast.AST, function: Function) -> TypeGuard[ast.Attribute]:
        """Whether an expression is an attribute whose array a function binds anew; of variables see `check_order`."""
        keys = self.known.written_attributes.get(function, ())
        return isinstance(node, ast.Attribute) and any(self.is_attribute(node, key) for key in keys)

    def clashes(self, target: ast.expr, value: ast.expr, done: Collection[ast.expr]) -> ast.Call | None:
        """A call in a value that must run before a target is looked at, though the target's place comes first."""
        acting = [one for one in _outside(value, done) if isinstance(one, ast.Call) and one not in done]
        for call in [one for one in acting if not self.is_pure(one)]:
            functions = self.functions_of(call)
            draws = self.only_draws(call)
            for one in ast.walk(target):
                acts = isinstance(one, ast.Call) and not self.is_pure(one)
                stored = isinstance(one, ast.Attribute) and (
                    one.attr in self.stored_by(call) or self.may_be_set(one, [call])
                )
                bound = isinstance(one, ast.Name) and self.may_be_rebound(one.id)
                filled = isinstance(one, ast.Name) and self.may_be_filled(one, call)
                changed = stored or bound or filled or any(self.is_changed(one, function) for function in functions)
                if acts or (changed and not draws):
                    return call
        return None

    def only_draws(self, call: ast.Call) -> bool:
        """Whether a call draws random numbers, and so changes nothing but the generator's state."""
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else call.func
        drawn = (self.unit.qualified(call.func) or "").startswith("numpy.random")
        given = [*call.args, *(word.value for word in call.keywords)]
        return (drawn or self.unit.value(receiver).kind == "rng") and not any(self.is_function(one) for one in given)

    def may_be_filled(self, node: ast.Name, call: ast.Call) -> bool:
        """Whether a call may put something into a list or dict, or take it out, that a variable holds."""
        return self.unit.value(node).kind in ("list", "dict", "set") and self.differs(node, [call], ())


def _is_lazy(node: ast.Call | ast.GeneratorExp) -> bool:
    return isinstance(node, ast.GeneratorExp) or (isinstance(node.func, ast.Name) and node.func.id in LAZY)


def _outside(node: ast.AST, done: Collection[ast.expr]) -> Iterator[ast.AST]:
    """The parts of an expression, without what is in calls that are done."""
    pending = [node]
    while pending:
        one = pending.pop()
        yield one
        if one not in done:
            pending += list(ast.iter_child_nodes(one))
