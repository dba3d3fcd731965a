"""What a body leaves to others: what it returns, and what lives on under another name."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from tnp_migrate.analysis.argument_binding import passed
from tnp_migrate.analysis.handed_back import Root
from tnp_migrate.analysis.memory import put_into_own, roots
from tnp_migrate.analysis.summaries import Summary, kind_of, qualified_name
from tnp_migrate.numpy_facts.signatures import kept_by
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.decorators import is_property
from tnp_migrate.program.dispatch import is_own_method
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.names import is_array_library
from tnp_migrate.program.nodes import COMPREHENSIONS, walk

Body = Function | Module
_DISPLAYS = (ast.Dict, ast.List, ast.Set, ast.Tuple)


def note_escape(summary: Summary, node: ast.AST) -> None:
    """What is put into a container, yielded or handed to an object lives on under another name."""
    held: list[ast.expr] = []
    if put_into_own(summary, node)[0]:
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        receiver = summary.module.value(node.func.value) or UNKNOWN
        keeps = receiver.kind != "array" and not is_own_method(receiver, node.func.attr)
        held = kept_by(node) if keeps and not is_array_library(qualified_name(summary, node.func)) else []
    elif isinstance(node, ast.Yield) and node.value is not None:
        held = [node.value]
    elif isinstance(node, ast.Dict | ast.List | ast.Set) and not (
        _is_passing(summary, node) or _is_walked(summary, node)
    ):
        held = _items(node)
    for one in held:
        summary.escaped |= roots(summary, one)


def returned_roots(summary: Summary, value: ast.expr) -> set[Root]:
    """The roots of what a body returns, items of what is written out included."""
    if isinstance(value, _DISPLAYS):
        return set().union(*(returned_roots(summary, one) for one in _items(value)))
    return roots(summary, value)


class Users:
    """Which bodies call a function, or read an attribute of its name."""

    def __init__(self, summaries: Mapping[Body, Summary]) -> None:
        self._bodies = summaries.keys()
        self._callers: dict[Function, list[Body]] = {}
        for body, summary in summaries.items():
            for function in dict.fromkeys(one for _, ones in summary.calls for one in ones):
                self._callers.setdefault(function, []).append(body)

    def of(self, given: Iterable[Function]) -> list[Body]:
        """The bodies that call one of some functions, or read an attribute of its name if that is a property."""
        found = {body: None for one in given for body in self._callers.get(one, ())}
        found |= {body: None for one in given if is_property(one) for body in self._readers.get(one.node.name, ())}
        return list(found)

    @cached_property
    def _readers(self) -> dict[str, list[Body]]:
        found: dict[str, list[Body]] = {}
        for body in self._bodies:
            inside = body.nodes if isinstance(body, Function) else body.names.scopes.inside(body.source.tree)
            for name in dict.fromkeys(one.attr for one in inside if isinstance(one, ast.Attribute)):
                found.setdefault(name, []).append(body)
        return found


class Calls:
    """The calls that may reach a function, each with the body that it stands in.

    A call of something unknown by the name of a method is kept once, and not for each method of the name.
    """

    def __init__(self, summaries: Mapping[Body, Summary], index: Index) -> None:
        self._of: dict[Function, list[tuple[Summary, ast.Call]]] = {}
        self._of_methods: dict[str, list[tuple[Summary, ast.Call]]] = {}
        for summary in summaries.values():
            for call, functions in summary.calls:
                if functions is index.methods.get(getattr(call.func, "attr", "")):
                    self._of_methods.setdefault(functions[0].node.name, []).append((summary, call))
                    continue
                for function in functions:
                    self._of.setdefault(function, []).append((summary, call))

    def of(self, function: Function) -> list[tuple[Summary, ast.Call]]:
        """The calls that may reach a function."""
        return [*self.of_it(function), *self.by_name(function)]

    def of_it(self, function: Function) -> list[tuple[Summary, ast.Call]]:
        """The calls that reach a function itself, as far as is known."""
        return self._of.get(function, [])

    def by_name(self, function: Function) -> list[tuple[Summary, ast.Call]]:
        """The calls of something unknown by the name of a method: all methods of the name have the same."""
        return self._of_methods.get(function.node.name, []) if function.owner is not None else []


def carry_escapes(summaries: Mapping[Body, Summary], index: Index) -> None:
    """What a function keeps of its arguments lives on for its callers as well, be it an argument or an attribute."""
    calls = Calls(summaries, index)
    shared: dict[ast.expr, frozenset[Root]] = {}
    for summary in summaries.values():
        for call, functions in summary.calls:  # a class without a constructor keeps all that it is given
            if not functions and kind_of(summary, call.func) == "class":
                _escape(summary, [*call.args, *(word.value for word in call.keywords)], shared)
    pending = {one: None for one, summary in summaries.items() if isinstance(one, Function) and summary.escaping}
    looked_at: set[tuple[object, ...]] = set()
    while pending:
        function = next(iter(pending))
        del pending[function]
        escaping = summaries[function].escaping
        known, guesses = calls.of_it(function), calls.by_name(function)
        like = (function.node.name, function.shape, function.parameters[0], escaping)
        if like in looked_at:  # of what is unknown: what another method of the name, which takes the same, has kept
            guesses = []
        looked_at.add(like)
        for summary, call in (*known, *guesses):
            new = _escape(summary, list(_kept(summary, call, function, escaping)), shared)
            if summary.function is not None and any(kind == "parameter" for kind, _ in new):
                pending[summary.function] = None


def _escape(summary: Summary, given: list[ast.expr], shared: dict[ast.expr, frozenset[Root]]) -> set[Root]:
    """Note that what some expressions give lives on; say what is new. `shared` are the roots that are known."""
    new: set[Root] = set()
    for one in given:
        if one not in shared:
            found = roots(summary, one)
            shared[one] = frozenset(root for root in found if root[0] in ("parameter", "attribute"))
        new |= shared[one] - summary.escaped
    summary.escaped |= new
    return new


def _kept(summary: Summary, call: ast.Call, function: Function, escaped: frozenset[str]) -> Iterator[ast.expr]:
    """The arguments of a call that a function which it reaches keeps."""
    yield from (argument for name, argument in passed(summary.module, function, call) if name in escaped)
    if function.takes_self and isinstance(call.func, ast.Attribute):
        receiver: ast.expr | None = call.func.value
        if kind_of(summary, call.func.value) == "super":
            receiver = _self_around(summary.module, call)
        yield from [receiver] if receiver is not None and function.parameters[0] in escaped else []


def _self_around(module: Module, node: ast.AST) -> ast.expr | None:
    """The instance that a method around a node is given."""
    method = module.function_around(node)
    return ast.Name(method.parameters[0]) if method is not None and method.takes_self and method.parameters else None


def _items(node: ast.expr) -> list[ast.expr]:
    assert isinstance(node, _DISPLAYS)
    return list(node.values) if isinstance(node, ast.Dict) else list(node.elts)


def _is_walked(summary: Summary, node: ast.expr) -> bool:
    """Whether nothing but a loop goes over a display: its variables take the items, and `note_aliases` sees them."""
    above = summary.module.names.scopes.parent.get(node)
    if isinstance(above, ast.For):
        return above.iter is node
    whole = summary.module.names.scopes.parent.get(above) if isinstance(above, ast.comprehension) else None
    item = whole.elt if isinstance(whole, ast.ListComp | ast.SetComp | ast.GeneratorExp) else None
    if item is None or any(isinstance(one, COMPREHENSIONS) for one in walk(item)):
        return False
    return not roots(summary, item)  # `[x for x in [a, b]]` holds them


def _is_passing(summary: Summary, node: ast.expr) -> bool:
    """Whether a display is returned, or is a list that NumPy copies or a local variable has: `note_aliases` sees it."""
    parent = summary.module.names.scopes.parent
    above = outer = parent.get(node)
    around = node
    while isinstance(outer, _DISPLAYS):
        around, outer = outer, parent.get(outer)
    call = parent.get(outer) if isinstance(outer, ast.keyword) else outer
    if isinstance(outer, ast.Return) or (isinstance(call, ast.Call) and around is not call.func):
        return True  # what it is given a call keeps, or not
    while isinstance(above, ast.BinOp | ast.List):
        node, above = above, parent.get(above)
    if not isinstance(above, ast.Assign) or isinstance(node, ast.Dict | ast.Set) or summary.function is None:
        return False
    return all(isinstance(one, ast.Name) and summary.scope.owner(one.id) is summary.scope for one in above.targets)
