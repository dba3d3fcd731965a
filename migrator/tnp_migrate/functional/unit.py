"""One function, or a module's own statements, as the functional stage sees it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from functools import cached_property

from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.diagnostics.decisions import Decision
from tnp_migrate.functional.access_paths import Path, path_of, text_of
from tnp_migrate.functional.displays import counted
from tnp_migrate.functional.text_parts import Parts, written_slices
from tnp_migrate.functional.variable_uses import assigned, compared, has_ellipsis, is_ellipsis, is_truth, pairs, terms
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.values import UNKNOWN, Value
from tnp_migrate.program.attributes import attribute_key
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.nodes import walk
from tnp_migrate.program.scopes import Scope
from tnp_migrate.text.source import Span

_NOT_ARRAYS = frozenset("scalar str none shape dtype module function class super rng file".split())
_MADE_AS_ARRAYS = traits.CREATION | traits.CONVERSIONS | {"numpy.where", "numpy.squeeze", "numpy.reshape"}
_PRODUCTS = (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.MatMult, ast.Pow)


class Refused(Exception):
    """A function that stays as it is: what is at fault, and the line that it conflicts with, if there is one."""

    def __init__(
        self,
        node: ast.AST,
        message: str,
        other: ast.AST | None = None,
        *,
        attribute: str | None = None,
        parameter: str | None = None,
        because: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.node, self.message, self.other = node, message, other
        self.attribute = attribute  # whose arrays are shared: its classes stay on NumPy too
        self.because = because  # the function, by module and place, that stays as it is first
        self.parameter = parameter  # whose array, as the caller passed it, has to be kept by a name of its own
        self.unfolding: Decision | None = None  # the statement as several ones, which may go further


class Impossible(Exception):
    """A statement that cannot be written as several ones with the same meaning."""


@dataclass(frozen=True)
class Convention:
    """How a function gives back what it writes to: the parameters, and what its result was before.

    `result` is "none", "value", or "same" where the function has always returned its only such parameter. `unsure`
    are parameters that may be numbers, which a function cannot change for its caller; `deeply` those whose items are
    written to, should they be lists. `alike` are not written to, but by a function that a call may run instead.
    """

    parameters: tuple[str, ...]
    result: str
    unsure: frozenset[str] = frozenset()
    deeply: frozenset[str] = frozenset()
    alike: frozenset[str] = frozenset()

    def joined(self, other: Convention) -> Convention:
        """What is sure of two functions that give back the same."""
        alike = self.alike & other.alike
        return replace(self, unsure=self.unsure | other.unsure, deeply=self.deeply | other.deeply, alike=alike)


NOTHING = Convention((), "")


@dataclass(eq=False)
class Unit:
    """A body of statements with everything that is known of it. `summary` is of the outermost function around it."""

    index: Index
    module: Module
    function: Function | None
    scope: Scope
    summary: Summary
    numpy: str | None
    helpers: str
    writes: bool = True  # whether anything says that it writes to arrays; what it stores into is none else
    taken: set[str] = field(default_factory=set)
    kept: dict[str, str] = field(default_factory=dict)  # parameters whose arrays as passed have a name of their own
    left: set[str] = field(default_factory=set)  # parameters that no caller reads after a write that may be to them
    tuples: frozenset[str] = frozenset()  # variables with tuples that were written out: their items are places
    lengths: dict[str, int] = field(default_factory=dict)  # of variables with containers that were written out
    keys: dict[Path, str] = field(default_factory=dict)  # of paths that end in an attribute: whose attribute it is

    @property
    def body(self) -> list[ast.stmt]:
        """The statements."""
        return self.function.node.body if self.function else self.module.source.tree.body

    def value(self, node: ast.AST) -> Value:
        """What is known of an expression."""
        return self.module.values.get(node, UNKNOWN)

    def qualified(self, node: ast.expr) -> str | None:
        """The qualified name of an imported name or attribute chain; NumPy's with its canonical name."""
        return self.module.names.within(node, self.scope)

    def is_container(self, node: ast.expr) -> bool:
        """Whether an expression is a list, a dict or a known tuple, whose items are places of their own."""
        known = isinstance(node, ast.Name) and node.id in self.tuples
        return known or self.value(node).kind in ("list", "dict")

    def path(self, node: ast.expr) -> Path | None:
        """The place that an expression names."""
        if self._is_view_attribute(node):
            return None
        found = path_of(node, self.is_container)
        if found is None or (len(found) == 1 and self.scope.owner(found[0]) is None):
            return None
        if self.qualified(node) is not None:
            return None
        found = self._counted(node, found)
        self._note_keys(node, found)
        return found

    def _counted(self, node: ast.expr, path: Path) -> Path:
        """A path with the last item of a known list by its number: `xs[-1]` is `xs[2]`."""
        if len(path) < 2 or path[0] not in self.lengths:
            return path
        while isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.value, ast.Name):
            node = node.value
        key = counted(node.slice, self.lengths[path[0]]) if isinstance(node, ast.Subscript) else path[1]
        return (path[0], key, *path[2:])

    def _note_keys(self, node: ast.expr, path: Path) -> None:
        while isinstance(node, ast.Attribute | ast.Subscript):
            if isinstance(node, ast.Attribute):
                key = attribute_key(self.module, self.scope, node) or node.attr
                self.keys[path] = key if self.keys.get(path, key) == key else node.attr
            node, path = node.value, path[:-1]

    def attribute(self, path: Path) -> str:
        """The key of the attribute that a path ends in."""
        return self.keys.get(path, path[-1][1:])

    def _is_view_attribute(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.Attribute) or self.value(node.value).kind == "instance":
            return False
        return node.attr in traits.VIEW_ATTRIBUTES or (
            node.attr in traits.ARRAY_ATTRIBUTES and self.value(node.value).is_array
        )

    def may_be_array(self, node: ast.expr) -> bool:
        """Whether an expression can hold memory that is written to."""
        value = self.value(node)
        if value.is_array and self.rank(node) == 0 and not value.is_object:
            return has_ellipsis(node) or (isinstance(node, ast.Name | ast.Attribute) and self.makes_numbers_arrays)
        return value.kind not in _NOT_ARRAYS

    def may_be_run(self, node: ast.expr) -> bool:
        """Whether an argument may be a function, or an object with methods."""
        value = self.value(node)
        if isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and self.is_array_by_use(node.id)):
            return False
        return value.kind in ("unknown", "instance", "function", "class")

    def rank(self, node: ast.expr) -> int | None:
        """How many dimensions an array has: by what made it, or by how this function indexes it."""
        value = self.value(node)
        if value.is_array and value.rank is not None:
            return value.rank
        path = self.path(node)
        if path is not None:
            return self.ranks_by_use.get(text_of(path))
        if isinstance(node, ast.Subscript):
            whole = self.rank(node.value)
            return None if whole is None else self._after_index(whole, node.slice)
        if isinstance(node, ast.Attribute) and node.attr == "T":
            return self.rank(node.value)
        return None

    def _after_index(self, rank: int, index: ast.expr) -> int | None:
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        for part in parts:
            if self.is_new_axis(part):
                rank += 1
            elif self.is_integer(part):
                rank -= 1
            elif not isinstance(part, ast.Slice) and not is_ellipsis(part):
                return None
        return rank

    def is_integer(self, node: ast.expr) -> bool:
        """Whether an index is surely a plain integer."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int) and not isinstance(node.value, bool)
        if isinstance(node, ast.UnaryOp):
            return self.is_integer(node.operand)
        if isinstance(node, ast.BinOp):
            return self.is_integer(node.left) and self.is_integer(node.right)
        value = self.value(node)
        by_use = isinstance(node, ast.Name) and value.kind == "unknown" and node.id in self._integers_by_use
        return by_use or value.kind == "scalar" or (value.is_array and value.rank == 0)

    def is_one_number(self, node: ast.expr) -> bool:
        """Whether an index is a plain integer, whatever other callers than those that are known may pass."""
        functions = {one.scope: one for one in self.module.functions.values()}
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} - self._integers_by_use
        owners = {name: functions.get(owner) for name in names if (owner := self.scope.owner(name)) is not None}
        loose = any(one is not None and name in one.unknown for name, one in owners.items())
        return self.is_integer(node) and not loose

    @cached_property
    def _integers_by_use(self) -> frozenset[str]:
        """Variables that bound a `range` or are compared with a number where the way parts.

        They are never asked for their type, and are bound to nothing but numbers here.
        """
        root: ast.AST = self.function.node if self.function else self.module.source.tree
        found: set[str] = set()
        others: set[str] = set()
        for node in walk(root):
            name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if isinstance(node, ast.Call) and name == "range" and self.scope.owner("range") is None:
                found |= {one.id for argument in node.args for one in terms(argument)}
            elif isinstance(node, ast.Call) and name == "isinstance" and isinstance(node.args[0], ast.Name):
                others.add(node.args[0].id)
            elif isinstance(node, ast.If | ast.While):
                found |= compared(node.test)
            elif isinstance(node, ast.Assign):
                given = [pair for target in node.targets for pair in pairs(target, node.value)]
                others |= {
                    one.id for one, value in given if isinstance(one, ast.Name) and self.value(value).kind != "scalar"
                }
            elif isinstance(node, ast.For | ast.comprehension | ast.withitem | ast.NamedExpr | ast.AnnAssign):
                target = node.optional_vars if isinstance(node, ast.withitem) else node.target
                others |= {one.id for one in ast.walk(target or node) if isinstance(one, ast.Name)}
        return frozenset(found - others)

    @cached_property
    def makes_numbers_arrays(self) -> bool:
        """Whether an array without dimensions is made here: it can be written to, as the numbers NumPy gives cannot."""
        makers = traits.CREATION | traits.CONVERSIONS | traits.LIKE
        root: ast.AST = self.function.node if self.function else self.module.source.tree
        return any(
            has_ellipsis(node)
            or (isinstance(node, ast.Call) and self.value(node).rank == 0 and self.qualified(node.func) in makers)
            for node in walk(root)
        )

    def is_made_array(self, name: str, makers: frozenset[str] = traits.CREATION) -> bool:
        """Whether a variable of this body has nothing but arrays that are made for it: of no axes as well."""
        parent = self.module.names.scopes.parent
        above = [parent.get(one) for one in self.scope.bound.get(name, ())]
        values = [one.value for one in above if isinstance(one, ast.Assign)]
        made = [one for one in values if isinstance(one, ast.Call) and self.qualified(one.func) in makers]
        return 0 < len(made) == len([one for one in above if not isinstance(one, ast.AugAssign)])

    def is_made_object(self, name: str) -> bool:
        """Whether a variable of this body has nothing but objects that are made for it: `w = Walk()`."""
        values = [assigned(one, self.module.names.scopes.parent) for one in self.scope.bound.get(name, ())]
        makers = [self.value(one.func) for one in values if isinstance(one, ast.Call)]
        made = [one for one in makers if one.kind == "class" and one.ref.method("__new__") is None]
        return 0 < len(made) == len(values)

    def is_view_index(self, node: ast.Subscript) -> bool:
        """Whether a subscript is basic: slices, integers, new axes and ellipses."""
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return all(
            isinstance(part, ast.Slice) or is_ellipsis(part) or self.is_new_axis(part) or self._is_number(part)
            for part in parts
        )

    def _is_number(self, index: ast.expr) -> bool:
        """Whether NumPy gives a view at an index: of a truth value, or an array without axes, it gives a copy."""
        if not self.is_integer(index) or self.value(index).dtype == "bool":
            return False
        bound = self.scope.bound.get(index.id, ()) if isinstance(index, ast.Name) else ()
        given = [assigned(one, self.module.names.scopes.parent) for one in bound] or [index]
        calls = [self.qualified(one.func) for one in given if isinstance(one, ast.Call)]
        return _MADE_AS_ARRAYS.isdisjoint(calls) and not any(map(is_truth, given))

    def is_new_axis(self, node: ast.expr) -> bool:
        """Whether an index is None, by whatever name."""
        return (isinstance(node, ast.Constant) and node.value is None) or self.qualified(node) == "numpy.newaxis"

    @cached_property
    def ranks_by_use(self) -> dict[str, int]:
        """Ranks by path: from `n, m = a.shape`, else from the longest index without new axes and ellipses."""
        unpacked: dict[str, int] = {}
        indexed: dict[str, int] = {}
        compared: dict[str, int] = {}
        root: ast.AST = self.function.node if self.function else self.module.source.tree
        for node in walk(root):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
                path = path_of(node.value.value, self.is_container)
                target = node.targets[0]
                if path is not None and isinstance(target, ast.Tuple | ast.List):
                    unpacked[text_of(path)] = len(target.elts)
            elif isinstance(node, ast.If | ast.While):
                compared |= self._compared_elements(node.test)
            elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
                path = path_of(node.value, self.is_container)
                odd = any(self.is_new_axis(part) or is_ellipsis(part) for part in node.slice.elts)
                if path is not None and node.slice.elts and not odd:
                    indexed[text_of(path)] = max(indexed.get(text_of(path), 0), len(node.slice.elts))
        return compared | indexed | unpacked

    def is_array_by_use(self, name: str) -> bool:
        """Whether this function uses a variable as only arrays are: sliced on axes, transposed, multiplied as one."""
        return name in self._arrays_by_use

    @cached_property
    def _arrays_by_use(self) -> frozenset[str]:
        members = (frozenset(traits.ARRAY_ATTRIBUTES) | traits.VIEW_ATTRIBUTES) - {"real", "imag", "data", "base"}
        members |= {"reshape", "ravel", "flatten", "swapaxes"}
        found: set[str] = set()
        root: ast.AST = self.function.node if self.function else self.module.source.tree
        for node in walk(root):
            sides: list[ast.expr] = []
            if isinstance(node, ast.Attribute) and node.attr in members:
                sides = [node.value]
            elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
                parts = node.slice.elts
                sides = [node.value] if any(isinstance(one, ast.Slice) for one in parts) or len(parts) > 1 else []
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
                sides = [node.left, node.right]
            found |= {
                one.id for one in sides if isinstance(one, ast.Name) and self.value(one).kind in ("array", "unknown")
            }
        return frozenset(found)

    def _compared_elements(self, test: ast.expr) -> dict[str, int]:
        """Arrays whose elements decide a branch: only numbers can, so the index is as long as the array has axes."""
        found: dict[str, int] = {}
        for node in walk(test):
            for side in [node.left, *node.comparators] if isinstance(node, ast.Compare) else []:
                if isinstance(side, ast.Subscript) and self.value(side.value).kind in ("array", "unknown"):
                    parts = side.slice.elts if isinstance(side.slice, ast.Tuple) else [side.slice]
                    path = path_of(side.value, self.is_container)
                    if path is not None and all(self.is_integer(part) for part in parts):
                        found[text_of(path)] = len(parts)
        return found

    def fresh(self, wanted: str) -> str:
        """A name that nothing in the file has."""
        name = wanted
        number = 2
        while name in self.taken:
            name, number = f"{wanted}{number}", number + 1
        self.taken.add(name)
        return name

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """The bytes of a node."""
        return self.module.source.span(node)

    def index_parts(self, index: ast.expr) -> Parts:
        """An index as an argument: `np.s_[1:, i]` where it has slices."""
        if any(isinstance(one, ast.Starred) for one in ast.walk(index)):
            raise Refused(index, "an index with a star")
        if any(isinstance(one, ast.Slice) for one in ast.walk(index)):
            if self.numpy is None:
                return written_slices(index, self.span)
            return (f"{self.numpy}.s_[", self.span(index), "]")
        bare = isinstance(index, ast.Tuple) and self.module.source.is_bare(index)
        return ("(", self.span(index), ")") if bare else (self.span(index),)

    def value_parts(self, node: ast.expr) -> Parts:
        """An expression as an argument."""
        if isinstance(node, ast.Yield | ast.YieldFrom | ast.Await | ast.Starred):
            raise Refused(node, "what is stored is asked for while the store runs")
        bare = isinstance(node, ast.Tuple) and self.module.source.is_bare(node)
        return ("(", self.span(node), ")") if bare or isinstance(node, ast.NamedExpr) else (self.span(node),)

    def line_parts(self, node: ast.expr) -> Parts:
        """An expression at the end of a line: in brackets where it had some around it and goes over several lines."""
        text = self.module.source.text(self.span(node))
        if "\n" not in text or isinstance(
            node, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
        ):
            return self.value_parts(node)
        try:
            ast.parse(text, mode="eval")
        except SyntaxError:
            return ("(", self.span(node), ")")
        return self.value_parts(node)

    def operand_parts(self, node: ast.expr, operator: ast.operator) -> Parts:
        """An expression as the right operand."""
        if isinstance(node, ast.BinOp) and isinstance(operator, ast.Add | ast.Sub) and isinstance(node.op, _PRODUCTS):
            return (self.span(node),)
        atoms = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List)
        bracketed = isinstance(node, ast.Tuple) and not self.module.source.is_bare(node)
        return (self.span(node),) if bracketed or isinstance(node, atoms) else ("(", *self.value_parts(node), ")")
