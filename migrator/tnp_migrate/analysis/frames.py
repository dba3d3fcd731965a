"""Where an expression is evaluated: the names known so far, and what qualified names stand for."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from tnp_migrate.analysis.closures import Closure
from tnp_migrate.analysis.open_attributes import is_open_variable
from tnp_migrate.analysis.reflection import module_meant
from tnp_migrate.analysis.traces import Trace
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.random_draws import RANDOM_MAKERS
from tnp_migrate.numpy_facts.signatures import signature_table
from tnp_migrate.numpy_facts.values import SCALAR, UNKNOWN, Value, join
from tnp_migrate.program.index import Class, Function, Index, Module
from tnp_migrate.program.names import is_numpy, split_name
from tnp_migrate.program.scopes import Scope


@dataclass(eq=False)
class Frame:
    """Where an expression is evaluated: the names known so far, and where results go."""

    index: Index
    module: Module
    scope: Scope
    names: dict[str, Value] = field(default_factory=dict)
    outer: dict[str, Value] = field(default_factory=dict)
    function: Function | None = None
    returned: list[Value] = field(default_factory=list)
    loops: int = 0  # around this place
    trace: Trace = field(default_factory=Trace)  # of the body that this is in
    left: dict[ast.AST, dict[str, Value]] = field(default_factory=dict)  # what the bodies of inner loops left in names
    closures: list[Closure] = field(default_factory=list)  # the functions defined so far that read its variables

    def qualified(self, node: ast.expr) -> str | None:
        """The qualified name of an imported name or attribute chain."""
        return self.module.names.of(node, self.scope)

    def receiver(self, called: ast.Attribute) -> Value | None:
        """What a method is read from, as evaluating the method has noted it; None for a qualified name."""
        return self.module.values.get(called.value) if self.qualified(called) is None else None

    def value(self, node: ast.expr) -> Value:
        """The value that an expression was found to have."""
        return self.module.values.get(node, UNKNOWN)

    def lookup(self, name: str) -> Value:
        """The value of a name: local, enclosing, the module's, or the project's."""
        if name in self.names:
            return self._or_bound_inside(name, self.names[name])
        if name in self.outer:
            found = self.outer[name]
            return UNKNOWN if found.kind == "none" and self._is_bound_inside(name) else self._joined(name, found)
        owner = self.scope.owner(name)
        if owner is None:
            return UNKNOWN
        if self.module.names.is_ambiguous(owner, name):
            return UNKNOWN
        for node in owner.bound.get(name, []):
            if node in self.module.functions:
                return self.module.functions[node].as_value
            if node in self.module.classes:
                return self.module.classes[node].as_value
        if owner is self.scope.module:
            qualified = self.module.names.root(name, self.scope)
            if qualified:
                return project_value(self, qualified)
            return variable_value(self, self.module, name)
        return UNKNOWN

    def bind(self, name: str, value: Value) -> None:
        """Give a variable its value; what functions bind for their module others read."""
        self.hold(value, name)
        is_inside = self.function is not None and name in self.module.rebindable
        owner = self.scope.owner(name) if is_inside else None
        if owner is self.scope.module:
            self.trace.write(self.module, "rebound", name, "join", value)
        elif owner is not None and self.function is not None and owner is not self.function.scope:
            self.trace.write(self.module, "rebound_inside", (owner, name), "join", value)

    def hold(self, value: Value, *names: str) -> None:
        """Note what variables have from here on: functions that are defined already will read that."""
        for name in names:
            self.names[name] = value
            for one in self.closures:
                one.note(name, value)

    def reshape(self, name: str, rank: int | None) -> None:
        """`a.shape = s`, `a.resize(s)` of a variable, or of none: other names may be the same array."""
        for other, value in self.names.items():
            if value.is_array and value.rank != rank:
                self.names[other] = replace(value, rank=rank if other == name else None)

    def _or_bound_inside(self, name: str, found: Value) -> Value:
        if found.is_array or name not in self.module.rebindable:
            return found
        if self.scope.owner(name) is self.scope.module:
            return join(found, self.trace.read(self.module, "rebound", name) or UNKNOWN)
        return UNKNOWN if self._is_bound_inside(name) else found

    def _joined(self, name: str, found: Value) -> Value:
        """A number of a function around this one, or what others inside that have made of it: `t += x`."""
        if found.kind != "scalar" or not self._is_bound_inside(name):
            return found
        return join(found, self.trace.read(self.module, "rebound_inside", (self.scope.owner(name), name)) or found)

    def _is_bound_inside(self, name: str) -> bool:
        """Whether a function binds a variable of one around it."""
        return name in self.module.names.scopes.nonlocals


def variable_value(frame: Frame, module: Module, name: str) -> Value:
    """The value of a variable of a module, by its own statements, by functions, and by other modules."""
    found = join(frame.trace.read(module, "globals", name), frame.trace.read(module, "rebound", name))
    return found if found.is_array or not is_open_variable(frame.index, module, name) else UNKNOWN


def variable_at(frame: Frame, target: ast.Attribute) -> tuple[Module, str] | None:
    """The variable of a module of the project that an attribute is."""
    qualified, index = frame.qualified(target), frame.index
    found = index.find(qualified) if qualified is not None else None
    if found is None and (meant := module_meant(index, frame.module, frame.scope, target.value)) is not None:
        return meant, target.attr
    return found if isinstance(found, tuple) else None


def project_value(frame: Frame, qualified: str) -> Value:
    """The value that a qualified name of the project has."""
    found = frame.index.find(qualified)
    if isinstance(found, Function | Class):
        return found.as_value
    if isinstance(found, tuple):
        return variable_value(frame, *found)
    return Value("module") if qualified in frame.index.modules else UNKNOWN


def of_method(frame: Frame, method: Function) -> Value:
    """What the name of a method gives: what a property returns, the function otherwise."""
    names = [getattr(one, "attr", getattr(one, "id", "")) for one in method.node.decorator_list]
    is_property = "property" in names or "cached_property" in names
    if any((method.module.value(one) or UNKNOWN).kind == "class" for one in method.node.decorator_list):
        return UNKNOWN  # an object of that class is in the method's place
    return (frame.trace.read(method, "returns") or UNKNOWN) if is_property else method.as_value


def numpy_value(name: str) -> Value:
    """Give the value of a NumPy name that is not called."""
    last = name.rpartition(".")[2]
    if last in ("pi", "e", "inf", "nan", "euler_gamma", "NINF", "PINF"):
        return SCALAR
    if last in ("True_", "False_"):
        return Value("scalar", "bool")
    if last == "__version__":
        return Value("str")
    return Value("none") if last == "newaxis" else Value("dtype") if traits.dtype_named(name) else UNKNOWN


def as_numpy(qualified: str) -> str | None:
    """The NumPy name whose value a name has: NumPy's own, tnp's, and the helpers' of an earlier run."""
    if is_numpy(qualified):
        return split_name(qualified)[0]
    if qualified.startswith("tensorflow.experimental.numpy."):
        return "numpy" + qualified.removeprefix("tensorflow.experimental.numpy")
    head, _, last = qualified.rpartition(".")
    if head.rpartition(".")[2] == "_tnp_helpers" and f"numpy.{last}" in signature_table().numpy:
        return f"numpy.{last}"
    if head.rpartition(".")[2] == "_tnp_helpers" and last.startswith("ndarray_"):
        return f"numpy.ndarray.{last.removeprefix('ndarray_')}"
    if head.endswith("_tnp_helpers.random") or (head.endswith("_tnp_helpers") and last in RANDOM_MAKERS):
        return f"numpy.random.{last}"
    return None
