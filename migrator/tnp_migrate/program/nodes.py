"""The nodes of a tree, in the order of `ast.walk` and several times as fast.

What holds nothing, contexts and operators such as `ast.Load` and `ast.Add`, is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

# Fields that hold no nodes, or none that are looked for.
_PLAIN = frozenset(
    """
    ctx op ops id attr arg name asname module level kind conversion type_comment simple is_async rest kwd_attrs
    type_ignores tag str
    """.split()
)
_LEAVES = (ast.Constant, ast.MatchSingleton, ast.Global, ast.Nonlocal, ast.alias)

WRITTEN_OUT = (ast.Tuple, ast.List, ast.Set, ast.Dict)  # containers whose items the text shows
FEW = 8  # items that are followed one by one
_OWN_NAMES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.Call)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def is_overload(node: ast.AST) -> bool:
    """Whether a function is only a signature of one that stands below: `@typing.overload`."""
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else ()
    return any("overload" in (getattr(one, "id", ""), getattr(one, "attr", "")) for one in decorators)


def _fields_of(kind: type[ast.AST]) -> tuple[str, ...]:
    if issubclass(kind, _LEAVES):
        return ()
    named = kind.__name__ == "TypeAlias"  # whose name is an expression
    return tuple(name for name in kind._fields if name not in _PLAIN or (named and name == "name"))


class _Fields(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of each kind of node that hold nodes, found when they are asked for."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        self[kind] = _fields_of(kind)
        return self[kind]


LAZY = frozenset("iter map filter zip enumerate reversed".split())  # builtins whose results ask what they are given
_ASK_AT_ONCE = frozenset("sum any all min max sorted list tuple set frozenset dict join fromiter".split())
_FIELDS = _Fields()


def bound_in(node: ast.ClassDef, name: str) -> Iterator[ast.FunctionDef | ast.expr]:
    """The functions, and what is assigned, that the statements of a class bind to a name, in order."""
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and one.name == name:
            yield one
        elif isinstance(one, ast.Assign) and any(getattr(target, "id", "") == name for target in one.targets):
            yield one.value


def decorated_with(node: ast.ClassDef, *path: str) -> Iterator[ast.FunctionDef]:
    """The functions that the statements of a class decorate with an attribute of a name: `@position.default`."""
    for one in node.body:
        decorators = one.decorator_list if isinstance(one, ast.FunctionDef) else ()
        named = [each for each in decorators if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name)]
        if isinstance(one, ast.FunctionDef) and any((each.value.id, each.attr) == path for each in named):  # type: ignore[attr-defined]
            yield one


def head_of(node: ast.AST) -> ast.AST:
    """What a chain of attributes starts from."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def text_in(node: ast.AST | None) -> str | None:
    """The text that an expression writes out; None where it is anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def captured(node: ast.Match | ast.pattern) -> list[str]:
    """The names that a pattern binds, or those of a `match`."""
    patterns = [case.pattern for case in node.cases] if isinstance(node, ast.Match) else [node]
    parts = [part for pattern in patterns for part in ast.walk(pattern)]
    names = [getattr(part, "rest" if isinstance(part, ast.MatchMapping) else "name", None) for part in parts]
    return [name for name in names if name is not None]


def asks_at_once(node: ast.AST | None) -> bool:
    """Whether a node is a call that asks a generator which it is passed for all of its items: `sum(x for x in xs)`."""
    name = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
    return name in _ASK_AT_ONCE


def walk(node: ast.AST) -> list[ast.AST]:
    """A node with all nodes in it, level by level."""
    found = [node]
    fields = _FIELDS
    for one in found:  # which grows meanwhile
        for name in fields[one.__class__]:
            value = getattr(one, name, None)
            if value.__class__ is list:
                found += [part for part in value if part is not None] if None in value else value
            elif value is not None:
                found.append(value)
    return found


def outermost_of(body: list[ast.stmt], kinds: tuple[type[ast.AST], ...]) -> list[ast.AST]:
    """The nodes of some kinds in statements, but for those that stand inside another one of them."""
    found: list[ast.AST] = []
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, kinds):
            found.append(node)
        else:
            pending += children(node)
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly in a node, in the order of `ast.iter_child_nodes`."""
    found: list[ast.AST] = []
    for name in _FIELDS[node.__class__]:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [part for part in value if part is not None]
        elif value is not None:
            found.append(value)
    return found


def method_key(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> str:
    """The name under which a class has a function: `p.setter` for what `@p.setter` adds to the property `p`."""
    name = getattr(node, "name", "<lambda>")
    decorators = getattr(node, "decorator_list", ())
    added = [one.attr for one in decorators if isinstance(one, ast.Attribute) and getattr(one.value, "id", "") == name]
    return f"{name}.{added[0]}" if added and added[0] in ("setter", "deleter") else name


def turns_of(node: ast.ListComp) -> int:
    """How many items `[m[i] for i in range(3)]` writes out, each as its text shows; 0 for all other comprehensions."""
    part = node.generators[0]
    call = part.iter if isinstance(part.iter, ast.Call) and getattr(part.iter.func, "id", "") == "range" else None
    given = [one.value for one in call.args if isinstance(one, ast.Constant)] if call is not None else []
    plain = len(node.generators) == 1 and not part.ifs and not part.is_async and isinstance(part.target, ast.Name)
    if not plain or len(given) != 1 or not isinstance(given[0], int) or not 0 < given[0] <= FEW:
        return 0
    return 0 if any(isinstance(one, _OWN_NAMES) for one in ast.walk(node.elt)) else given[0]


def gone_over(
    target: ast.expr, given: ast.expr, called: Callable[[ast.expr], str]
) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets of a loop with what each goes over; `called` says of which builtin function an expression is a call.

    What stands in `zip` and `enumerate` is gone over part by part.
    """
    name = called(given)
    targets = target.elts if isinstance(target, ast.Tuple | ast.List) else []
    args = given.args if isinstance(given, ast.Call) else []
    plain = not any(isinstance(one, ast.Starred) for one in (*targets, *args))
    if name == "zip" and plain and len(targets) == len(args):
        for one, each in zip(targets, args, strict=True):
            yield from gone_over(one, each, called)
    elif name == "enumerate" and plain and len(targets) == 2 and args:
        yield from gone_over(targets[1], args[0], called)
    elif isinstance(target, ast.Tuple | ast.List):
        for one in targets:
            yield from gone_over(one.value if isinstance(one, ast.Starred) else one, given, lambda _: "")
    else:
        yield target, given
