"""What `*given` and `**options` give a call, as far as a project's text says it.

Of a dict that is written out, `{"out": x}`, all names are known; of a function's own `**options` those that the
project's calls of it pass, beside which there may be any others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from tnp_migrate.numpy_facts.signatures import signature_table
from tnp_migrate.program.index import Function, Index, Module

_SHOWING = frozenset("pop get items keys values copy setdefault update".split())
_MOST_ASKED = 200  # calls by one name


def unfolded(call: ast.Call) -> ast.Call:
    """A call with the arguments of displays in it as its own: `f(*(x, 1), **{"out": y})` is `f(x, 1, out=y)`."""
    if not is_starred(call):
        return call
    args: list[ast.expr] = []
    for one in call.args:
        shown = one.value if isinstance(one, ast.Starred) else None
        args += shown.elts if isinstance(shown, ast.Tuple | ast.List) else [one]
    words: list[ast.keyword] = []
    for word in call.keywords:
        shown = word.value if word.arg is None else None
        keys = shown.keys if isinstance(shown, ast.Dict) else []
        if isinstance(shown, ast.Dict) and all(_text(key) is not None for key in keys):
            words += [ast.keyword(_text(key), value) for key, value in zip(keys, shown.values, strict=True)]
        else:
            words.append(word)
    return ast.copy_location(ast.Call(call.func, args, words), call)


def is_starred(call: ast.Call) -> bool:
    """Whether a call has arguments with stars."""
    return any(isinstance(one, ast.Starred) for one in call.args) or any(word.arg is None for word in call.keywords)


def starred_outputs(index: Index, module: Module, call: ast.Call, function: str | None) -> list[ast.expr]:
    """The arguments with stars among which a call of a function of NumPy's is given `out=`, by some text."""
    signature = signature_table().numpy.get(function or "")
    out = next((one for one in signature or () if one.name == "out"), None)
    if signature is None or out is None or not is_starred(call):
        return []
    words = [word.value for word in call.keywords if word.arg is None]
    found = [one for one in words if "out" in words_given(index, module, one).names]
    slots = [one for one in signature if one.kind in ("positional", "normal")]
    if out in slots and not any(one.kind == "variadic" for one in signature):
        reached = 0
        for one in call.args:
            reached += most_given(index, module, one.value) if isinstance(one, ast.Starred) else 1
            if isinstance(one, ast.Starred) and reached > slots.index(out):
                found.append(one.value)
    return found


@dataclass
class Words:
    """The names of arguments that a dict may give, and whether there can be no others."""

    names: set[str] = field(default_factory=set)
    is_whole: bool = True


def words_given(index: Index, module: Module, node: ast.expr) -> Words:
    """The names that a dict with arguments may have."""
    asking = _Asking(index)
    asking.words(module, node)
    return Words(asking.names - asking.dropped, asking.is_whole)


def most_given(index: Index, module: Module, node: ast.expr) -> int:
    """How many arguments a tuple or list may give by some text; 0 where none says it."""
    if isinstance(node, ast.Tuple | ast.List):
        return sum(not isinstance(one, ast.Starred) for one in node.elts)
    if not isinstance(node, ast.Name):
        return 0
    function = _function_with(module, node)
    if function is not None:
        if function.node.args.vararg is None or function.node.args.vararg.arg != node.id:
            return 0
        before = len(function.positional) - function.takes_self
        return max((len(call.args) - before for _, call in calls_of(index, function)), default=0)
    return max((len(one.elts) for one in _bound(module, node) if isinstance(one, ast.Tuple | ast.List)), default=0)


def calls_of(index: Index, function: Function) -> list[tuple[Module, ast.Call]]:
    """The calls in a project that are of a function by its name, or of a class that it makes an object of."""
    names = {function.node.name}
    if function.node.name == "__init__" and function.owner is not None:
        names |= {one.node.name for one in function.owner.derived}
    found: list[tuple[Module, ast.Call]] = []
    for module in index.modules.values():
        calls = module.names.scopes.calls
        found += [(module, call) for name in sorted(names) for call in calls.get(name, ())]
        for call in calls.get("partial", ()):
            if call.args and _last_name(call.args[0]) in names:
                found.append((module, ast.Call(call.args[0], call.args[1:], call.keywords)))
    return found[:_MOST_ASKED]


@dataclass
class _Asking:
    """The names of what a dict holds, as they are found."""

    index: Index
    names: set[str] = field(default_factory=set)
    dropped: set[str] = field(default_factory=set)
    is_whole: bool = True
    asked: set[ast.AST] = field(default_factory=set)

    def words(self, module: Module, node: ast.expr) -> None:
        if node in self.asked:
            return
        self.asked.add(node)
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if key is None:
                    self.words(module, value)
                else:
                    self.key(key)
        elif isinstance(node, ast.IfExp | ast.BoolOp | ast.BinOp):
            for part in ast.iter_child_nodes(node):
                if isinstance(part, ast.expr) and part is not getattr(node, "test", None):
                    self.words(module, part)
        elif isinstance(node, ast.Call):
            self.call(module, node)
        elif isinstance(node, ast.Name):
            self.variable(module, node)
        else:
            self.is_whole = False
            if isinstance(node, ast.Attribute):
                self.attribute(node)

    def key(self, key: ast.expr) -> None:
        name = _text(key)
        if name is None:
            self.is_whole = False
        else:
            self.names.add(name)

    def call(self, module: Module, node: ast.Call) -> None:
        """`dict(out=x)`, `dict(options, out=x)` and `options.copy()`."""
        if isinstance(node.func, ast.Attribute) and node.func.attr == "copy":
            self.words(module, node.func.value)
        elif getattr(node.func, "id", "") == "dict":
            self.given(module, node)
        else:
            self.is_whole = False

    def given(self, module: Module, call: ast.Call) -> None:
        """What `dict(...)` and `options.update(...)` are given."""
        for word in call.keywords:
            if word.arg is None:
                self.words(module, word.value)
            else:
                self.names.add(word.arg)
        for one in call.args:
            self.words(module, one)

    def attribute(self, node: ast.Attribute) -> None:
        """What the project binds to an attribute of the name."""
        for module, target in self.index.attribute_stores.get(node.attr, ())[:_MOST_ASKED]:
            above = module.names.scopes.parent.get(target)
            if isinstance(above, ast.Assign | ast.AnnAssign) and above.value is not None:
                self.words(module, above.value)

    def variable(self, module: Module, node: ast.Name) -> None:
        """What a variable is bound to, and what is put into it."""
        function = _function_with(module, node)
        if function is not None:
            self.is_whole = False
            self.parameter(function, node.id)
        bound = [*_bound(module, node)]
        owner = module.names.scopes.around(node).owner(node.id)
        if owner is None or (function is None and not bound) or owner.kind == "module":
            self.is_whole = False
        for one in bound:
            self.words(module, one)
        for use in module.names.scopes.uses.get(node.id, ()):
            if use.scope.owner(node.id) is owner:
                self.use(module, use.root, node)

    def parameter(self, function: Function, name: str) -> None:
        """What the project's calls give for a parameter: for `**options` all that has no other."""
        own = function.node.args.kwarg is not None and function.node.args.kwarg.arg == name
        place = function.positional.index(name) - function.takes_self if name in function.positional else -1
        for module, call in calls_of(self.index, function):
            if own:
                self.names |= {word.arg for word in call.keywords if word.arg} - set(function.parameters)
                given = [word.value for word in call.keywords if word.arg is None]
            else:
                given = [word.value for word in call.keywords if word.arg == name]
                given += call.args[place : place + 1] if place >= 0 else []
            for one in given:
                self.words(module, one)

    def use(self, module: Module, node: ast.Name, asked: ast.Name) -> None:
        """What is done with a variable: `options["out"] = x`, `options.pop("out")`."""
        parent = module.names.scopes.parent
        above = parent.get(node)
        if isinstance(above, ast.Subscript) and above.value is node:
            if isinstance(above.ctx, ast.Store):
                self.key(above.slice)
            elif isinstance(above.ctx, ast.Del) and node.lineno < asked.lineno:
                self.dropped.add(_text(above.slice) or "")
        elif isinstance(above, ast.Attribute):
            call = parent.get(above)
            self.method(module, above.attr, call if isinstance(call, ast.Call) and call.func is above else None, asked)
        elif not isinstance(above, ast.keyword | ast.Compare | ast.Dict) or getattr(above, "arg", None) is not None:
            self.is_whole = False  # who else has it may put something into it

    def method(self, module: Module, name: str, call: ast.Call | None, asked: ast.Name) -> None:
        """`options.update(out=x)`."""
        if call is None or name not in _SHOWING:
            self.is_whole = False
        elif name == "update":
            self.given(module, call)
        elif name == "setdefault" and call.args:
            self.key(call.args[0])
        elif name == "pop" and call.args and call.lineno < asked.lineno:
            self.dropped.add(_text(call.args[0]) or "")


def _function_with(module: Module, node: ast.Name) -> Function | None:
    """The function that a name is a parameter of."""
    owner = module.names.scopes.around(node).owner(node.id)
    function = module.functions.get(owner.node) if owner is not None else None
    return function if function is not None and node.id in function.parameters else None


def _bound(module: Module, node: ast.Name) -> Iterator[ast.expr]:
    """What a variable is bound to by assignments."""
    scopes = module.names.scopes
    owner = scopes.around(node).owner(node.id)
    for one in owner.bound.get(node.id, ()) if owner is not None else ():
        above = scopes.parent.get(one)
        if isinstance(above, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and above.value is not None:
            yield above.value


def _last_name(node: ast.expr) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
