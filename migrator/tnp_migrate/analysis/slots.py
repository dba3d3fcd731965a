"""Memory that outlives calls: one node for each global variable, closure cell, class, function and default."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

from tnp_migrate.analysis.asked_writes import Writing
from tnp_migrate.analysis.class_bindings import assigned_methods, bound_to_classes
from tnp_migrate.analysis.common_methods import that_makes
from tnp_migrate.analysis.effects import callees
from tnp_migrate.analysis.heap import (
    CELL,
    MANY_KINDS,
    OBJECT,
    SHARED,
    Node,
    find,
    give_bodies,
    give_classes,
    is_array_or_unknown,
    unify,
)
from tnp_migrate.analysis.heap import field as of_key
from tnp_migrate.analysis.lasting_defaults import lasting_defaults
from tnp_migrate.analysis.late_calls import Late
from tnp_migrate.analysis.library_functions import body_like
from tnp_migrate.analysis.open_attributes import hands_namespaces_on, names_bound_unseen
from tnp_migrate.analysis.receivers import Receivers
from tnp_migrate.ir.instructions import Body, Instruction
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.decorators import is_property
from tnp_migrate.program.fields import field_named, has_factory, own_fields
from tnp_migrate.program.index import Class, Function, Index, Module
from tnp_migrate.program.scopes import Scope

CallKey: TypeAlias = tuple[Instruction, "str | None"]  # a call, and the method that it calls


@dataclass(eq=False)
class Known:
    """What a round of evaluation has found out: the functions and classes that variables hold, and who calls whom."""

    bodies: dict[object, Mapping[Body, None]] = field(default_factory=dict)
    classes: dict[object, Mapping[Class, None]] = field(default_factory=dict)
    held: dict[object, Late] = field(default_factory=dict)
    cached: dict[Body, None] = field(default_factory=dict)
    calls: dict[Body, dict[Body, None]] = field(default_factory=dict)
    late: dict[CallKey, Late] = field(default_factory=dict)
    waiting: dict[Body, dict[Body, None]] = field(default_factory=dict)  # calls that were met too early to be followed
    bound: dict[Class, dict[str | None, None]] = field(default_factory=dict)  # None is any name
    stateful: dict[Body, None] = field(default_factory=dict)  # functions that have attributes, or others stand there

    def says_no_more_than(self, other: Known) -> bool:
        """Whether another round knew all of this, or there is nothing that it did not find for itself."""
        return (
            all(
                mine.keys() <= theirs.keys() and all(one.keys() <= theirs[key].keys() for key, one in mine.items())
                for mine, theirs in ((self.bodies, other.bodies), (self.classes, other.classes))
            )
            and self.cached.keys() == other.cached.keys()
            and (self.late, self.held) == (other.late, other.held)
            and self.bound == other.bound
            and self.stateful.keys() <= other.stateful.keys()
        )


@dataclass(eq=False)
class Named:
    """What some classes have under a name: methods, which others of them are, and the classes as objects."""

    methods: list[Body]
    defined: set[Body | None]
    holders: list[Node]


@dataclass(eq=False)
class Slots:
    """The nodes that all bodies share."""

    index: Index
    bodies: dict[object, Body]  # by their syntax nodes, and those of a library's functions by their names
    receivers: Receivers
    bound_anew: frozenset[ast.AugAssign] = frozenset()  # operators in place that the text takes for no write
    cached: dict[Body, None] = field(default_factory=dict)  # those whose results a decorator may keep
    keeping: dict[Body, None] = field(default_factory=dict)  # those of the round before
    late: dict[CallKey, Late] = field(default_factory=dict)
    # Calls of what is evaluated later: the next round evaluates it before them. The last round, None, makes them.
    waiting: dict[Body, dict[Body, None]] | None = None
    # By a name and the identity of a set of classes, with that set: it is never changed in place.
    had_by_classes: dict[tuple[str, int], tuple[Collection[Class], Named]] = field(default_factory=dict)
    # So, too: by a pattern of names and the places of arguments, the methods that it fits.
    under_patterns: dict[tuple[str, tuple[str | int | None, ...], int], tuple[Collection[Class], list[Body]]] = field(
        default_factory=dict
    )
    # So, too: what runs unnamed, and where else to look for that.
    run_unnamed: dict[tuple[str, int], tuple[Collection[Class], list[Body], list[Node]]] = field(default_factory=dict)
    # So, too: very many functions as far as they can be followed, by the identity of a set of them.
    apart: dict[int, tuple[Collection[Body], Mapping[Body, list[Class]]]] = field(default_factory=dict)
    writing: Writing = field(default_factory=dict)
    # What attributes are bound of, under which names and to what, and those of classes as the round before knew them.
    bindings: list[tuple[Node, str | None, Node]] = field(default_factory=list)
    bound: dict[Class, dict[str | None, None]] = field(default_factory=dict)
    stateful: dict[Body, None] = field(default_factory=dict)  # those of the round before
    _properties: dict[str, bool] = field(default_factory=dict)
    _callees: dict[ast.Call, list[Function]] = field(default_factory=dict)
    _globals: dict[tuple[str, str], Node] = field(default_factory=dict)
    _cells: dict[tuple[Scope, str], Node] = field(default_factory=dict)
    _names: dict[Scope, list[str]] = field(default_factory=dict)  # of the cells of a function
    _classes: dict[Class, Node] = field(default_factory=dict)
    _functions: dict[Body, Node] = field(default_factory=dict)
    _defaults: dict[tuple[Body, str], Node] = field(default_factory=dict)
    _variables: dict[tuple[str, str], Node] = field(default_factory=dict)
    _named: dict[tuple[str, str], Body | None] = field(default_factory=dict)
    _modules: dict[str, Node] = field(default_factory=dict)

    def callees(self, module: Module, call: ast.Call) -> list[Function]:
        """The project's functions that a call may reach by its text: found once, as many bodies may run there."""
        if call not in self._callees:
            self._callees[call] = callees(module, self.index, call)
        return self._callees[call]

    def variable(self, module: Module, name: str) -> Node:
        """What a global name of a module leads to: a variable, a function or a class, by whatever imports."""
        known = self._variables.get((module.name, name))
        if known is None:
            qualified = module.names.root(name, module.names.scopes.module)
            found = self.index.find(qualified) if qualified else self.index.find(f"{module.name}.{name}")
            known = self._variables[module.name, name] = self.of(found) or self._global(module.name, name)
        return known

    def function_named(self, module: Module, name: str) -> Body | None:
        """The function that a global name always is, if it has nothing that its other names would have to share."""
        key = module.name, name
        if key not in self._named:
            qualified = module.names.root(name, module.names.scopes.module)
            found = self.index.find(qualified or f"{module.name}.{name}")
            self._named[key] = None
            if isinstance(found, Function) and not found.node.decorator_list:
                self._named[key] = self.bodies.get(found.node)
        body = self._named[key]
        return None if body is None or body in self.keeping or body in self.stateful else body

    def qualified(self, name: str) -> Node | None:
        """What a qualified name leads to, if it is of the project."""
        return self.of(self.index.find(name))

    def of(self, found: Function | Class | tuple[Module, str] | None) -> Node | None:
        """The node of a function, a class or a variable."""
        if isinstance(found, Function):
            return self.function(self.bodies[found.node]) if found.node in self.bodies else None
        if isinstance(found, Class):
            return self.class_of(found)
        return None if found is None else self._global(found[0].name, found[1])

    def classes_binding(self, name: str) -> dict[Class, bool]:
        """The classes that have an attribute of their own, and whether that may be an array.

        Their statements bind it, or others do, as `Model.w = x`, or `k.w = x` where `k` has turned out to be a class.
        """
        known = self._binding.get(name, {})
        return known | self._bound.get(name, {}) | self._bound.get(None, {}) if self.bound else known

    @cached_property
    def _bound(self) -> dict[str | None, dict[Class, bool]]:
        found: dict[str | None, dict[Class, bool]] = {}
        for owner, names in self.bound.items():
            for name in names:
                found.setdefault(name, {})[owner] = True
        return found

    @cached_property
    def _binding(self) -> dict[str, dict[Class, bool]]:
        found: dict[str, dict[Class, bool]] = {}
        for owner, name, module, place in bound_to_classes(self.index):
            above, kinds = module.names.scopes.parent.get(place), {"array", "unknown"}
            if isinstance(above, ast.AnnAssign):
                if above.value is None:  # which declares the attribute of the objects alone
                    continue
                place, kinds = above.value, {"array"}  # noqa: PLW2901 - `field()` gives each object its own
            if field_named(owner, name) is None:
                known = found.setdefault(name, {})
                known[owner] = known.get(owner, False) or (module.value(place) or UNKNOWN).kind in kinds
        for owner in (one for module in self.index.modules.values() for one in module.classes.values()):
            for each in own_fields(owner):
                if each.declared is not None:  # which each object has by itself, or the default as others have
                    default = None if has_factory(each) else each.words.get("default")
                    kind = "none" if default is None else (owner.module.value(default) or UNKNOWN).kind
                    found.setdefault(each.name, {})[owner] = kind in ("array", "unknown")
        return found

    def has_method(self, name: str) -> bool:
        """Whether some class has a method of a name, or a function in the place of one."""
        return name in self.index.methods or name in assigned_methods(self.index)

    def has_property(self, name: str) -> bool:
        """Whether a class has a property of a name: found once, as many bodies may read attributes of that name."""
        if name not in self._properties:
            self._properties[name] = any(map(is_property, self.index.methods.get(name, ())))
        return self._properties[name]

    @cached_property
    def names(self) -> frozenset[str] | None:
        """What attributes of objects, classes and modules are named that something binds; None where any name may be.

        Methods are left out.
        """
        index = self.index
        if hands_namespaces_on(index) or {"__getattr__", "__getattribute__"} & index.methods.keys():
            return None
        return self.names_bound

    @cached_property
    def names_bound(self) -> frozenset[str] | None:
        """The same, but for what namespaces that are handed on bind, and what objects make up that are asked for it."""
        index, unseen = self.index, names_bound_unseen(self.index)
        if unseen is None:
            return None
        bound = {
            name
            for module in index.modules.values()
            for name, places in module.names.scopes.module.bound.items()
            if not all(isinstance(one, ast.alias) for one in places) or self._is_imported_from_project(module, name)
        }
        return frozenset({*index.attribute_stores, *self._binding, *bound, *unseen})

    def _is_imported_from_project(self, module: Module, name: str) -> bool:
        qualified = module.names.root(name, module.names.scopes.module)
        return qualified is None or self.index.find(qualified) is not None

    @cached_property
    def named(self) -> dict[str, list[Body]]:
        """The functions of all modules that are no methods, by their bare names."""
        found: dict[str, list[Body]] = {}
        for one in self.index.functions():
            if one.owner is None and one.node in self.bodies:
                found.setdefault(one.node.name, []).append(self.bodies[one.node])
        return found

    def module_object(self, module: Module) -> Node:
        """A module as a value, which holds its variables and functions as attributes."""
        if module.name not in self._modules:
            made = self._modules[module.name] = Node(SHARED | OBJECT)
            for name in module.names.scopes.module.bound:
                unify(of_key(made, f".{name}"), self.variable(module, name))
        return self._modules[module.name]

    def looked_up(self, module: Module, name: str) -> Node | None:
        """What a text is the name of, in the variables of a module."""
        return self.variable(module, name) if name in module.names.scopes.module.bound else None

    def _global(self, module: str, name: str) -> Node:
        return self._globals.setdefault((module, name), Node(SHARED))

    def cell(self, owner: Scope, name: str) -> Node:
        """The variable of a function that functions in it use."""
        if (owner, name) not in self._cells:
            self._cells[owner, name] = Node(SHARED | CELL)
            self._names.setdefault(owner, []).append(name)
        return self._cells[owner, name]

    def cells_of(self, owner: Scope) -> list[Node]:
        """The cells of a function."""
        return [self._cells[owner, name] for name in self._names.get(owner, ())]

    def lasting(self, but: Body, inside: list[Body]) -> list[Node]:
        """What outlives a call of a function: all variables, but its own cells and what belongs to functions in it."""
        scopes = {one.scope for one in (but, *inside)}
        cells = [node for (scope, _), node in self._cells.items() if scope not in scopes]
        functions = [node for body, node in self._functions.items() if body not in inside]
        defaults = [node for (body, _), node in self._defaults.items() if body not in inside]
        return [*self._globals.values(), *self._classes.values(), *defaults, *functions, *cells]

    def library_function(self, qualified: str) -> Node | None:
        """A function of a library as an object; None for what does nothing with arrays, and is none.

        Nothing is bound to its attributes, so that each place that names it has it for itself.
        """
        like = body_like(qualified)
        return None if like is None else self.library_body(like)

    def library_body(self, name: str) -> Node:
        """One of the bodies of `library_functions`, as an object."""
        made = Node(OBJECT)
        give_bodies(made, [self.bodies[name]])
        return made

    def class_of(self, owner: Class) -> Node:
        """A class as an object: what its own statements bind are its attributes."""
        if owner not in self._classes:
            made = self._classes[owner] = Node(SHARED | OBJECT)
            give_bodies(made, [self.bodies[that_makes(self.index, owner)]])
        return self._classes[owner]

    def function(self, body: Body) -> Node:
        """A function as an object."""
        if body not in self._functions:
            made = self._functions[body] = Node(SHARED | OBJECT)
            give_bodies(made, [body])
        return self._functions[body]

    def default(self, body: Body, parameter: str) -> Node:
        """The default of a parameter, which is made once."""
        return self._defaults.setdefault((body, parameter), Node(SHARED))

    def begin(self, known: Known, modules: Iterable[tuple[Module, Body]]) -> None:
        """Make what has to be there before any body is evaluated: defaults, and what an earlier round has found."""
        self.keeping, self.late, self.bound, self.stateful = known.cached, known.late, known.bound, known.stateful
        for key, bodies in known.bodies.items():
            give_bodies(self._node_of(key), bodies)
        for key, classes in known.classes.items():
            give_classes(self._node_of(key), classes)
        for key, held in known.held.items():
            held.recall(self._node_of(key))
        for module, body in modules:
            for name in lasting_defaults(module, body.node):
                self.default(body, name)

    def _node_of(self, key: object) -> Node:
        if isinstance(key, Body):
            return find(self.function(key))
        assert isinstance(key, tuple)
        node = self.cell(*key) if isinstance(key[0], Scope) else self._global(*key)
        return find(node)

    def known(self) -> Known:
        """What variables have turned out to hold."""
        late = {key: replace(one) for key, one in self.late.items()}
        found = Known(cached=dict(self.cached), late=late)
        slots: list[Mapping[Any, Node]] = [self._globals, self._cells, self._functions]
        for one in slots:
            for key, node in one.items():
                root = find(node)
                if 0 < len(root.bodies) <= MANY_KINDS:
                    found.bodies[key] = root.bodies
                held = Late()
                held.note(root)
                if held.says_more:
                    found.held[key] = held
                if root.classes:
                    found.classes[key] = root.classes
        for body, node in self._functions.items():
            root = find(node)
            if root.fields or root.classes or root.members or [*root.bodies] != [body]:
                found.stateful[body] = None
        owners: dict[Node, list[Class]] = {}
        for owner, node in self._classes.items():
            if not find(node).classes:  # else instances stand there as well: what is bound is likely to be one's
                owners.setdefault(find(node), []).append(owner)
        for holder, name, value in self.bindings:
            for owner in owners.get(find(holder), ()) if is_array_or_unknown(find(value)) else ():
                found.bound.setdefault(owner, {})[name] = None
        return found

    def variables(self) -> list[tuple[str, Node]]:
        """The global variables as the module that they are of and their node, in order."""
        return [(module, node) for (module, _), node in self._globals.items()]

    def has_default(self, body: Body, parameter: str) -> Node | None:
        """The default of a parameter that may be written to; None for constants."""
        return self._defaults.get((body, parameter))
