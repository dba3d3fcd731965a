"""Attributes whose arrays others may hold: they cannot be bound anew without being seen to."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tnp_migrate.analysis.functions_as_values import Uses
from tnp_migrate.analysis.handed_back import Root
from tnp_migrate.analysis.summaries import Summary, kind_of
from tnp_migrate.functional.bodies import Bodies, Body
from tnp_migrate.functional.points_to import Known, Variable, properties
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.attributes import Attributes, attribute_name, meets
from tnp_migrate.program.index import Class, Function, Index, Module
from tnp_migrate.program.nodes import walk

Summaries = dict[Function | Module, Summary]


def shared_attributes(index: Index, summaries: Summaries, uses: Uses) -> dict[str, str]:
    """Attributes whose arrays someone else may hold, by name."""
    found: dict[str, str] = {}
    looked_up = _LookedUp()
    for summary in summaries.values():
        place = summary.function.name if summary.function else "a module"
        local = _Local(summaries, summary, looked_up)
        for name in _attributes(summary.returned):
            if not uses.is_only_called(summary.function) and not local.is_all_that_has(name):
                found.setdefault(name, f"`{place}` returns it")
        for name in _attributes(summary.escaped):
            if not local.is_all_that_has(name):
                found.setdefault(name, f"`{place}` keeps it elsewhere")
        for key, held in summary.aliases.items():
            # What a caller passes it may have as well: the heap knows those of the project, TNP322 tells the others.
            known = (
                kind == "parameter" or (kind == "attribute" and local.is_all_that_has(name)) for kind, name in held
            )
            if key.startswith(".") and not all(known):
                found.setdefault(key[1:], f"`{place}` takes it from elsewhere")
        for name in _bound_twice(summary):
            found.setdefault(name, f"`{place}` binds one argument to it and to another attribute")
    for module in index.modules.values():
        for owner in module.classes.values():
            for name in _bound_by_class(owner):
                found.setdefault(f"{owner.family}:{name}", f"all objects of `{owner.node.name}` have it")
    return found


def share_what_islands_take(known: Known, bodies: Bodies) -> None:
    """Arrays that a function on NumPy takes from a method, or names: it has a copy, which sees no later write."""
    returned, given = dict(handed_out(known)), dict(given_variables(known))
    for body in known.refused:
        place, summary = getattr(body, "name", "a module"), bodies.summary_around(body)
        functions = dict.fromkeys(function for _, functions in summary.calls for function in functions)
        functions |= dict.fromkeys(_properties_read(known, body))
        keys = {key for function in functions for key in known.written_attributes.get(function, ())}
        written = Attributes(keys)
        named = sorted(name for found in summary.aliases.values() for kind, name in found if kind == "attribute")
        for name in named if keys else ():
            if written.meet(name):
                known.shared_attributes.setdefault(name, f"`{place}` stays on NumPy and holds it")
        for function in functions:
            why = f"`{place}` stays on NumPy and takes it from `{function.name}`"
            for name in returned.get(function, ()):
                known.shared_attributes.setdefault(name, why)
            for variable in given.get(function, ()):
                known.shared_variables.setdefault((variable.scope, variable.name), why)


def _properties_read(known: Known, body: Body) -> Iterator[Function]:
    """The properties that a body may read."""
    unit = known.unit_at(body.module, body.node) if isinstance(body, Function) else None
    for node in walk(body.node) if isinstance(body, Function) else ():
        yield from properties(unit, node) if unit is not None and isinstance(node, ast.Attribute) else ()


def handed_out(known: Known) -> Iterator[tuple[Function, list[str]]]:
    """The functions that return attributes which are written to, with the attributes' keys."""
    keys = {key for keys in known.written_attributes.values() for key in keys}
    written = Attributes(keys)
    for body, summary in known.summaries.items() if keys else ():
        returned = sorted(name for kind, name in summary.returned if kind == "attribute")
        names = [name for name in returned if written.meet(name)]
        if isinstance(body, Function) and names:
            yield body, names


def taken_in(known: Known) -> Iterator[tuple[Function, str, str]]:
    """The functions that keep a parameter in an attribute which is written to, with both names."""
    written = Attributes({key for keys in known.written_attributes.values() for key in keys})
    for body, summary in known.summaries.items():
        if not isinstance(body, Function):
            continue
        given = {(name, attribute_name(key)) for key, name in _parameters_kept(summary) if written.meet(key)}
        yield from ((body, name, attribute) for name, attribute in sorted(given))


def given_variables(known: Known) -> Iterator[tuple[Function, list[Variable]]]:
    """The functions that return arrays of the module which are written to."""
    for function, (variables, _) in known.gives.items():
        names = [one for one in variables if one.scope.kind == "module" and known.is_written(*one[:2])]
        if names:
            yield function, sorted(names, key=lambda one: one.name)


def _bound_twice(summary: Summary) -> Iterator[str]:
    """The attributes, by their keys, that a function binds a parameter to which another has as well."""
    times = Counter(parameter for _, parameter in _parameters_kept(summary))
    yield from (key for key, parameter in _parameters_kept(summary) if times[parameter] > 1)


def _parameters_kept(summary: Summary) -> Iterator[tuple[str, str]]:
    """The attributes, by their keys, that a function binds parameters to, with these."""
    for key, roots in summary.aliases.items() if summary.function is not None else ():
        for kind, name in roots if key.startswith(".") else ():
            if kind == "parameter":
                yield key[1:], name


def _attributes(roots: set[Root]) -> list[str]:
    return sorted(name for kind, name in roots if kind == "attribute")


@dataclass(eq=False)
class _LookedUp:
    """What is read of bodies for every attribute that is asked about, found once for each."""

    _loads: dict[Summary, dict[str, list[ast.expr]]] = field(default_factory=dict)
    _givers: dict[Summary, dict[Function, list[str]]] = field(default_factory=dict)

    def loads(self, summary: Summary) -> dict[str, list[ast.expr]]:
        """The objects whose attributes a body reads, by the attributes' bare names."""
        if summary not in self._loads:
            found = self._loads[summary] = dict[str, list[ast.expr]]()
            function = summary.function
            for one in walk(function.node if function is not None else summary.module.source.tree):
                if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load):
                    found.setdefault(one.attr, []).append(one.value)
        return self._loads[summary]

    def givers(self, summary: Summary) -> dict[Function, list[str]]:
        """The functions that a body calls and that give back attributes, with those by their keys."""
        if summary not in self._givers:
            called = {function for _, functions in summary.calls for function in functions}
            given = {one: _attributes(summary.handed_back.get(one, set())) for one in called}
            self._givers[summary] = {one: names for one, names in given.items() if names}
        return self._givers[summary]


@dataclass(frozen=True)
class _Local:
    """The objects that a function makes for itself: when it is over nobody writes to their attributes any more."""

    summaries: Summaries
    summary: Summary
    looked_up: _LookedUp
    around: tuple[Function, ...] = ()  # the functions that are asked already

    def is_all_that_has(self, attribute: str) -> bool:
        """Whether all arrays of an attribute, given by its key, that a function comes by are such objects'."""
        owners = self.looked_up.loads(self.summary).get(attribute_name(attribute), ())
        givers = {
            function
            for function, names in self.looked_up.givers(self.summary).items()
            if any(meets(one, attribute) for one in names)
        }
        return (
            bool(owners or givers)
            and all(map(self._is_made_here, owners))
            and all(one not in self.around and self._of(one).is_all_that_has(attribute) for one in givers)
        )

    def _of(self, function: Function) -> _Local:
        around = (*self.around, *([self.summary.function] if self.summary.function else []))
        return _Local(self.summaries, self.summaries[function], self.looked_up, around)

    def _is_made_here(self, owner: ast.expr) -> bool:
        """Whether an object is a variable's that is bound to new ones alone, and goes nowhere."""
        summary, scopes = self.summary, self.summary.module.names.scopes
        if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute) and self._gives_itself(owner):
            return self._is_new(owner.func.value) or self._is_made_here(owner.func.value)
        if not isinstance(owner, ast.Name) or summary.function is None:
            return False
        root: Root = ("local", owner.id)
        if summary.scope.owner(owner.id) is not summary.scope or root in summary.escaped | summary.returned:
            return False
        bindings = [scopes.parent.get(one) for one in summary.scope.bound.get(owner.id, ())]
        made = all(isinstance(one, ast.Assign) and self._is_new(one.value) for one in bindings)
        uses = [one for one in scopes.uses.get(owner.id, ()) if one.scope.owner(owner.id) is summary.scope]
        return made and all(self._stays(use.root) for use in uses)

    def _is_new(self, value: ast.expr) -> bool:
        made = isinstance(value, ast.Call) and kind_of(self.summary, value.func) == "class"
        return made and isinstance(value, ast.Call) and not self._hands_on_itself(value)

    def _stays(self, node: ast.expr) -> bool:
        """Whether a use of an object does not hand it on: `model.x`, and `model.fit(a)` if that does not keep it."""
        parent = self.summary.module.names.scopes.parent
        above = parent.get(node)
        while isinstance(above, ast.Attribute) and self._gives_itself(call := parent.get(above)):
            assert isinstance(call, ast.Call)
            if call.func is not above or self._hands_on_itself(call, given=False):
                return False
            above = parent.get(call)
        if isinstance(above, ast.Expr):
            return True
        called = parent.get(above) if isinstance(above, ast.Attribute) else None
        if not isinstance(called, ast.Call) or called.func is not above:
            return isinstance(above, ast.Attribute)
        return not self._hands_on_itself(called)

    def _gives_itself(self, call: ast.AST | None) -> bool:
        """Whether a call is one of methods that return the object that they are called on, and nothing else."""
        functions = next((found for one, found in self.summary.calls if one is call), [])
        return bool(functions) and all(map(_returns_itself, functions))

    def _hands_on_itself(self, call: ast.Call, *, given: bool = True) -> bool:
        """Whether a method, or a constructor, keeps its object for others to have, or returns it, where that counts."""
        dropped = isinstance(self.summary.module.names.scopes.parent.get(call), ast.Expr)
        for function in next((found for one, found in self.summary.calls if one is call), []):
            known = self.summaries.get(function)
            mine: Root = ("parameter", function.parameters[0] if function.parameters else "")
            gives = given and (function.returns or UNKNOWN).kind in ("unknown", "instance")
            if known is None or mine in known.escaped or (gives and not dropped and function.node.name != "__init__"):
                return True
        return False


def _returns_itself(function: Function) -> bool:
    """Whether a method returns its object alone: `return self`."""
    name = function.parameters[0] if function.takes_self and function.parameters else ""
    returns = [one.value for one in function.nodes if isinstance(one, ast.Return)]
    bound = [one for one in function.nodes if isinstance(one, ast.Name) and one.id == name]
    if not name or not returns or any(not isinstance(one.ctx, ast.Load) for one in bound):
        return False
    return all(isinstance(one, ast.Name) and one.id == name for one in returns)


def _bound_by_class(owner: Class) -> Iterator[str]:
    """The attributes that a class has an array for itself, which its objects share."""
    for statement in owner.node.body:
        if isinstance(statement, ast.Assign):
            kind = (owner.module.value(statement.value) or UNKNOWN).kind
            names = [one.id for one in statement.targets if isinstance(one, ast.Name)]
            yield from names if kind in ("array", "list", "dict", "unknown") else ()
