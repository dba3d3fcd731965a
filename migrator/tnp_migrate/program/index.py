"""The project's own modules, functions and classes, and how its names lead to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from tnp_migrate.numpy_facts.values import Value
from tnp_migrate.program.failed_files import failure_of
from tnp_migrate.program.names import Names
from tnp_migrate.program.nodes import method_key
from tnp_migrate.program.scopes import Scope, all_arguments, defaults_of
from tnp_migrate.program.seen import Evidence, Parameter
from tnp_migrate.program.star_imports import enter_star_names
from tnp_migrate.text.source import Source, SourceError

Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(eq=False)
class Function:
    """A function or method of the project. `arguments` joins what its call sites pass; `returns` what it gives."""

    module: Module
    node: Definition
    scope: Scope
    outer: Scope
    owner: Class | None = None
    arguments: dict[str, Value] = field(default_factory=dict)
    returns: Value | None = None
    unknown: set[str] = field(default_factory=set)  # parameters for which some call passes something unknown
    anything: set[str] = field(default_factory=set)  # those of them that may be arrays

    @cached_property
    def as_value(self) -> Value:
        """The value that its name has."""
        return Value("function", ref=self)

    @property
    def name(self) -> str:
        """The name within its module, as `Class.method` for a method."""
        return f"{self.owner.node.name}.{self.node.name}" if self.owner else self.node.name

    @cached_property
    def place(self) -> str:
        """The name with those of the functions around it."""
        names = [self.name]
        scope: Scope | None = self.outer
        while scope is not None:
            if isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef):
                names.append(scope.node.name)
            scope = scope.parent
        return ".".join(reversed(names))

    @cached_property
    def gathered(self) -> frozenset[str]:
        """The names of `*args` and `**kwargs`: a tuple and a dict of the call's own, of what its callers hold."""
        arguments = self.node.args
        return frozenset(one.arg for one in (arguments.vararg, arguments.kwarg) if one is not None)

    @cached_property
    def of_defaults(self) -> frozenset[str]:
        """The parameters whose default is put together of variables: their items are what those hold."""
        names = self.module.names
        return frozenset(
            name
            for name, default in defaults_of(self.node.args).items()
            if any(isinstance(one, ast.Name) and names.of(one, self.outer) is None for one in ast.walk(default))
        )

    @property
    def nodes(self) -> list[ast.AST]:
        """Its node with all nodes in it, level by level."""
        return self.module.names.scopes.inside(self.node)

    @cached_property
    def yields(self) -> bool:
        """Whether it is a generator, or holds one."""
        return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in self.nodes)

    @cached_property
    def only_raises(self) -> bool:
        """Whether there is nothing in it but a docstring and a `raise`."""
        *before, last = self.node.body
        is_docstring = all(isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in before)
        return isinstance(last, ast.Raise) and is_docstring

    @cached_property
    def parameters(self) -> list[str]:
        """The names of all parameters, `self` included."""
        return [argument.arg for argument in all_arguments(self.node.args)]

    @cached_property
    def positional(self) -> list[str]:
        """The names of the parameters that an argument without a name can be for, `self` included."""
        return [argument.arg for argument in (*self.node.args.posonlyargs, *self.node.args.args)]

    @cached_property
    def shape(self) -> tuple[object, ...]:
        """What says which parameters a call's arguments are for: functions of one shape bind any call alike."""
        names = (*self.positional, "*", *(self.parameters if self.node.args.kwarg else ()))
        return self.takes_self, self.takes_class, self.node.name == "__init__", names, self.gathered

    @cached_property
    def takes_self(self) -> bool:
        """Whether a call through an instance passes the instance first."""
        return self.owner is not None and not any(
            isinstance(one, ast.Name) and one.id == "staticmethod" for one in self.node.decorator_list
        )

    @cached_property
    def takes_class(self) -> bool:
        """Whether a call passes the class first, by whichever of its objects it goes."""
        return any(isinstance(one, ast.Name) and one.id == "classmethod" for one in self.node.decorator_list)

    @property
    def nested(self) -> bool:
        """Whether it is defined inside another function."""
        return self.outermost is not self

    @cached_property
    def outermost(self) -> Function:
        """The function that it is defined in, as far out as there is one."""
        return self.module.outermost(self.outer) or self


@dataclass(eq=False)
class Class:
    """A class of the project. `attributes` joins what is assigned to its instances' attributes, `binding` is next."""

    module: Module
    node: ast.ClassDef
    scope: Scope
    methods: dict[str, Function] = field(default_factory=dict)
    alternatives: dict[str, list[Function]] = field(default_factory=dict)  # to `methods`, defined on a condition
    bases: list[Class] = field(default_factory=list)
    attributes: dict[str, Value] = field(default_factory=dict)
    binding: dict[str, Value] = field(default_factory=dict)
    metaclass: Class | None = None
    _method: dict[str, Function | None] = field(default_factory=dict)
    _methods_of: dict[tuple[str, Class | None], list[Function]] = field(default_factory=dict)
    derived: list[Class] = field(default_factory=list)  # from it, directly or not, itself among them

    @cached_property
    def as_value(self) -> Value:
        """The value that its name has."""
        return Value("class", ref=self)

    @cached_property
    def family(self) -> str:
        """The names of the classes that an instance may be of in the end: two that share one may meet in one object."""
        last = [one for one in self.derived if len(one.derived) == 1]
        return "|".join(f"{one.module.name}.{one.node.name}" for one in last)

    @cached_property
    def lineage(self) -> list[Class]:
        """This class and its known bases, in the order in which Python asks them."""
        found = [self, *(one for base in self.bases for one in base.lineage)]
        return list(dict.fromkeys(reversed(found)))[::-1]

    @cached_property
    def kin(self) -> list[Class]:
        """The classes that may be of one object with this one: those derived from it, and the bases of them all."""
        return list(dict.fromkeys(one for each in self.derived for one in each.lineage))

    @property
    def maker(self) -> Function | None:
        """What a metaclass of the project does when the class is called."""
        makers = (one.metaclass.method("__call__") for one in self.lineage if one.metaclass is not None)
        return next(makers, None)

    def method(self, name: str) -> Function | None:
        """The method that an instance has under a name."""
        if name not in self._method:
            self._method[name] = next((one.methods[name] for one in self.lineage if name in one.methods), None)
        return self._method[name]

    def definitions(self, name: str, line: list[Class] | None = None) -> list[Function]:
        """What a method may be by the statements of a class and, where all of them hang on conditions, of its bases."""
        found: list[Function] = []
        for one in [each for each in (self.lineage if line is None else line) if name in each.methods]:
            found += [*one.alternatives.get(name, ()), one.methods[name]]
            if any(one.module.names.scopes.parent.get(each.node) is one.node for each in found):
                break
        return found

    def methods_of(self, name: str, above: Class | None = None) -> list[Function]:
        """The methods that an instance of it, or of a class derived from it, may have; those that `super()` finds."""
        if (known := self._methods_of.get((name, above))) is not None:
            return known
        found: dict[Function, None] = {}
        for derived in self.derived:
            line = derived.lineage[derived.lineage.index(above) + 1 if above is not None else 0 :]
            found |= dict.fromkeys(derived.definitions(name, line))
        return self._methods_of.setdefault((name, above), list(found))


@dataclass(eq=False)
class Module:
    """A module that mentions NumPy, or whose functions such a module may call."""

    name: str
    source: Source
    names: Names
    functions: dict[ast.AST, Function] = field(default_factory=dict)
    classes: dict[ast.AST, Class] = field(default_factory=dict)
    globals: dict[str, Value] = field(default_factory=dict)  # by its own statements
    rebound: dict[str, Value] = field(default_factory=dict)  # what functions and other modules bind
    rebound_inside: dict[tuple[Scope, str], Value] = field(default_factory=dict)  # of a function, those inside it
    values: dict[ast.AST, Value] = field(default_factory=dict)

    @cached_property
    def is_migrated(self) -> bool:
        """Whether an earlier run has been here: the module imports the helper module."""
        aliases = (alias for node, _ in self.names.scopes.imports for alias in node.names)
        return any(alias.name.rpartition(".")[2] == "_tnp_helpers" for alias in aliases)

    @cached_property
    def rebindable(self) -> frozenset[str]:
        """The variables that a function binds for a scope around it."""
        return frozenset().union(*(scope.globals | scope.nonlocals for scope in self.names.scopes.of.values()))

    def outermost(self, scope: Scope) -> Function | None:
        """The outermost function around a scope."""
        found: Function | None = None
        inner: Scope | None = scope
        while inner is not None:
            found, inner = self.functions.get(inner.node, found), inner.parent
        return found

    def function_around(self, node: ast.AST) -> Function | None:
        """The innermost function that a node stands in."""
        return next((self.functions[one] for one in self.names.scopes.enclosing(node) if one in self.functions), None)

    def value(self, node: ast.AST) -> Value | None:
        """What is known of an expression; None for code that the analysis did not reach."""
        return self.values.get(node)


@dataclass(eq=False)
class Index:
    """All modules by name, and all methods by their bare name."""

    modules: dict[str, Module] = field(default_factory=dict)
    methods: dict[str, list[Function]] = field(default_factory=dict)
    rare_writers: set[Function] = field(default_factory=set)  # methods that write to an argument, as few of their name
    dispatched: dict[ast.AST, list[Function]] = field(default_factory=dict)  # by what calls name them by, from tables
    entries: set[ast.AST] = field(default_factory=set)  # the names of functions in such tables
    failed: dict[Module, SourceError] = field(default_factory=dict)  # those that could not be analysed
    attributes: dict[str, Value] = field(default_factory=dict)  # what is bound to those of objects of unknown classes
    binding: dict[str, Value] = field(default_factory=dict)  # as for classes
    seen: Evidence = field(default_factory=dict)
    assumed: set[Parameter] = field(default_factory=set)  # of what was seen, that of which nothing else says more
    stand_ins: dict[ast.AST, ast.expr] = field(default_factory=dict)  # see `places_given`
    perhaps_empty: set[ast.expr | None] = field(default_factory=set)  # those of objects that may be without places
    _found: dict[str, Found] = field(default_factory=dict)

    @cached_property
    def reset_attributes(self) -> frozenset[str]:
        """The attributes that more than constructors bind, and the variables that functions bind for modules."""
        found = {name for module in self.modules.values() for name in module.rebindable}
        return frozenset(found | {name for name, function in self._bound_attributes if function != "__init__"})

    @cached_property
    def hidden_attributes(self) -> frozenset[str]:
        """The attributes that methods bind which Python runs where no call stands, or may run."""
        bound = self._bound_attributes
        return frozenset(name for name, by in bound if by[0] == "@" or (by[:2] == "__" and by != "__init__"))

    @cached_property
    def _bound_attributes(self) -> set[tuple[str, str]]:
        """The attributes that are bound, with the names of the functions that do, `@` before those with decorators."""
        found: set[tuple[str, str]] = set()
        for name, stores in self.attribute_stores.items():
            for module, node in stores:
                around = module.function_around(node)
                mark = "@" if around is not None and around.node.decorator_list else ""
                found.add((name, mark + (around.node.name if around is not None else "module")))
        return found

    @cached_property
    def attribute_stores(self) -> dict[str, list[tuple[Module, ast.Attribute]]]:
        """Where attributes are bound, by their bare names."""
        found: dict[str, list[tuple[Module, ast.Attribute]]] = {}
        for module in self.modules.values():
            for node in module.names.scopes.parent:
                if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                    found.setdefault(node.attr, []).append((module, node))
        return found

    @contextmanager
    def blaming(self, module: Module) -> Iterator[None]:
        """Blame a module for what goes wrong while it is analysed, and go on: it is to be left out."""
        try:
            yield
        except Exception as error:  # noqa: BLE001  # a mistake of ours must not take the user's other files with it
            self.failed.setdefault(module, failure_of(error))

    def functions(self) -> Iterator[Function]:
        """Every function, in the order of modules and text."""
        for module in self.modules.values():
            yield from module.functions.values()

    def find(self, qualified: str) -> Found:
        """What a qualified name leads to: a function, a class, a variable, or nothing where it goes in a circle."""
        if qualified not in self._found:
            names: dict[str, None] = {}  # on the way
            found: Found | str = qualified
            while isinstance(found, str) and found not in names:
                names[found] = None
                found = self._follow(found)
            self._found[qualified] = None if isinstance(found, str) else found
        return self._found[qualified]

    def _follow(self, qualified: str) -> Found | str:
        """What a qualified name is in its module: an import or a star import leads on to another name."""
        head, _, last = qualified.rpartition(".")
        module = self.modules.get(head)
        if module is None or module.names.is_ambiguous(module.names.scopes.module, last):
            return None if module is None else (module, last)
        for node in module.names.scopes.module.bound.get(last, []):
            if node in module.functions or node in module.classes:
                return module.functions.get(node) or module.classes[node]
            if isinstance(node, ast.alias):
                return module.names.root(last, module.names.scopes.module)
        if last in module.names.star_names and last not in module.names.scopes.module.bound:
            return module.names.star_names[last]
        return (module, last)


Found = Function | Class | tuple[Module, str] | None


def build_index(modules: list[Module]) -> Index:
    """Enter the functions and classes of all modules."""
    index = Index({module.name: module for module in modules})
    for module in modules:
        scopes = module.names.scopes
        for class_node, _ in scopes.classes:
            module.classes[class_node] = Class(module, class_node, scopes.of[class_node])
        for node, outer in scopes.functions:
            owner = module.classes.get(outer.node) if outer.kind == "class" else None
            function = module.functions[node] = Function(module, node, scopes.of[node], outer, owner)
            if owner is not None:
                index.methods.setdefault(node.name, []).append(function)
                _define(owner, method_key(node), function)
    enter_star_names({name: module.names for name, module in index.modules.items()})
    classes = [found for module in modules for found in module.classes.values()]
    for found in classes:
        bases = (_base(index, found.module, found, node) for node in found.node.bases)
        found.bases = [base for base in bases if base is not None]
        made_by = [word.value for word in found.node.keywords if word.arg == "metaclass"]
        found.metaclass = _base(index, found.module, found, made_by[0]) if made_by else None
    _cut_circles(classes)
    for found in classes:
        for base in found.lineage:
            base.derived.append(found)
    return index


def _define(owner: Class, key: str, function: Function) -> None:
    """Enter a method; what a condition has bound its name to before it may be, too."""
    if key in owner.methods and owner.module.names.scopes.parent.get(function.node) is not owner.node:
        owner.alternatives.setdefault(key, []).append(owner.methods[key])
    else:
        owner.alternatives.pop(key, None)
    owner.methods[key] = function


def _cut_circles(classes: list[Class]) -> None:
    """Drop the bases that lead back to their class; ask for lineages from the bases on, so that none goes deep."""
    entered, done = set[Class](), dict[Class, None]()
    pending = [(one, False) for one in reversed(classes)]
    while pending:
        one, has_bases = pending.pop()
        if has_bases:
            one.bases = [base for base in one.bases if base in done]
            done[one] = None
        elif one not in entered:
            entered.add(one)
            pending += [(one, True), *((base, False) for base in reversed(one.bases))]
    for one in done:
        one.lineage  # noqa: B018  # a cached property


def _base(index: Index, module: Module, derived: Class, node: ast.expr) -> Class | None:
    target: object = None
    if isinstance(node, ast.Name):
        owner = derived.scope.owner_above(node.id)
        bound = owner.bound[node.id] if owner else []
        target = next((module.classes[one] for one in bound if one in module.classes), None)
    if target is None and derived.scope.parent is not None:
        qualified = module.names.of(node, derived.scope.parent)
        target = index.find(qualified) if qualified else None
    return target if isinstance(target, Class) and target is not derived else None
