"""What is assumed of parameters by what a recorded run has seen: one kind of value each, which can be told at entry.

Numbers are Python's own, arrays those of one dtype, one rank or both, instances those of one class of the project that
the module names. Where calls gave several kinds nothing is assumed, nor where a default is another than what was seen.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from tnp_migrate.numpy_facts.values import NONE, SCALAR, Value, array, join
from tnp_migrate.program.decorators import PLAIN
from tnp_migrate.program.index import Class, Function, Index
from tnp_migrate.program.scopes import defaults_of
from tnp_migrate.program.seen import Seen

_NUMBERS = frozenset({"int", "float", "bool"})
_ARRAY = re.compile(r"array (?P<dtype>bool|u?int(?:8|16|32|64)|float(?:16|32|64)|complex(?:64|128)) (?P<rank>[1-9])d")


@dataclass(frozen=True)
class Assumption:
    """What is assumed of a parameter: its value, and the words by which the check at entry names it.

    Of an instance the word is the class's own name in the module.
    """

    value: Value
    text: str
    seen: Seen

    @property
    def is_class(self) -> bool:
        """Whether the check is for the instances of a class."""
        return self.value.kind == "instance"


def assumed(index: Index, function: Function, name: str) -> Assumption | None:
    """What is assumed of a parameter, where a form may rest on that."""
    seen = index.seen.get((function.module.source.path, function.name, name))
    if seen is None or name in function.gathered or not can_be_checked(function):
        return None
    if function.takes_self and name == function.parameters[0]:
        return None
    words = seen.words | _of_default(defaults_of(function.node.args).get(name))
    found = _described(function, words - {"None"}, index)
    if found is None:
        return None
    value, text = found
    if "None" not in words:
        return Assumption(value, text, seen)
    return Assumption(join(value, NONE), f"{text} or None", seen) if value.is_array else None


def with_evidence(index: Index, function: Function, name: str, known: Value) -> Value:
    """What is known of a parameter, and where that is nothing, what a recorded run has seen."""
    found = assumed(index, function, name) if index.seen else None
    if found is None or known.library is not None:
        return known
    value = found.value
    if known.is_array and value.is_array and not known.sure:
        adds = known.dtype in (None, value.dtype) and known.rank in (None, value.rank)
        value = array(value.dtype, value.rank, sure=False, axes=known.axes)
    else:
        adds = known.kind == "unknown"
    if not adds or value == known:
        return known
    index.assumed.add((function.module.source.path, function.name, name))
    return value


def can_be_checked(function: Function) -> bool:
    """Whether a line can be put before all that a function does, and the function is the only one of its name."""
    node, module = function.node, function.module
    first = first_statement(function)
    plain = all(isinstance(one, ast.Name) and one.id in PLAIN for one in node.decorator_list)
    alone = sum(one.name == function.name for one in module.functions.values()) == 1
    return plain and alone and first is not None and not (function.nested or function.yields or _is_async(node))


def first_statement(function: Function) -> ast.stmt | None:
    """The first statement behind the docstring, if it begins a line of its own."""
    body = function.node.body
    is_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    first = body[1] if is_text and len(body) > 1 else body[0]
    source = function.module.source
    line = line_of(first)
    return first if not source.lines[line - 1][: first.col_offset].strip() else None


def line_of(statement: ast.stmt) -> int:
    """The line that a statement begins on, with its decorators."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)])


def _is_async(node: ast.AST) -> bool:
    return isinstance(node, ast.AsyncFunctionDef)


def _of_default(default: ast.expr | None) -> frozenset[str]:
    """What a call that leaves a parameter out gives for it; a word that nothing is assumed by for what is not read."""
    if default is None:
        return frozenset()
    try:
        return frozenset({type(ast.literal_eval(default)).__name__.replace("NoneType", "None")})
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return frozenset({"?"})


def _described(function: Function, words: frozenset[str], index: Index) -> tuple[Value, str] | None:
    if words and words <= _NUMBERS:
        return SCALAR, "number"
    if words == {"str"}:
        return Value("str"), "str"
    arrays = [_ARRAY.fullmatch(one) for one in words]
    dtypes = {one["dtype"] for one in arrays if one is not None}
    ranks = {int(one["rank"]) for one in arrays if one is not None}
    if arrays and None not in arrays:
        dtype, rank = (next(iter(one)) if len(one) == 1 else None for one in (dtypes, ranks))
        text = " ".join([*([str(dtype)] if dtype else []), *([f"{rank}d"] if rank else [])])
        return array(dtype, rank, sure=False), text or "array"
    return _instance(function, next(iter(words)), index) if len(words) == 1 else None


def _instance(function: Function, name: str, index: Index) -> tuple[Value, str] | None:
    """An instance of the only class of the project of a name, where the module has that name for it."""
    module = function.module
    classes = [one for each in index.modules.values() for one in each.classes.values() if one.node.name == name]
    named = index.find(f"{module.name}.{name}") if name.isidentifier() else None
    hidden = function.scope.owner(name) is not module.names.scopes.module
    if len(classes) != 1 or not isinstance(named, Class) or named is not classes[0] or hidden:
        return None
    return Value("instance", sure=False, ref=named), name
