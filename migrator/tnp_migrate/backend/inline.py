"""A rule and a bound call become an expression with holes, or a refusal that says why.

`np.clip(w, 0, None)` with the rule `if a_max is None: return tnp.maximum(a, a_min)` gives `tnp.maximum(`, the bytes
of `w`, `, `, the bytes of `0`, `)`.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tnp_migrate.diagnostics.decisions import Part
from tnp_migrate.numpy_facts.rulebook import Rule
from tnp_migrate.numpy_facts.signatures import Bound, SignatureTable
from tnp_migrate.text.source import Source

_HOLE = re.compile(r"__hole_(\d+)__")
_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.JoinedStr)
_OPEN = (ast.Call, ast.keyword, ast.Tuple, ast.List, ast.Subscript, ast.Starred)


class Refused(Exception):
    """A site where a rule cannot be written out; `reason` completes "because ...", for the user."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Expansion:
    """The expression with holes; `tree` is it as a tree and `holes` the user's expressions in it."""

    parts: tuple[Part, ...]
    tree: ast.expr
    holes: tuple[ast.expr, ...]


def expand(
    rule: Rule,
    bound: Bound,
    source: Source,
    table: SignatureTable,
    aliases: Mapping[str, str],
    *,
    never_none: frozenset[str] = frozenset(),
) -> Expansion:
    """Write a rule out at a call. `aliases` are the module's names for tnp, tf and np."""
    assert isinstance(rule.node, ast.FunctionDef)
    defaults = dict(rule.parameters)
    result = _choose(rule.node, bound, defaults, never_none)
    _check_uses(result, bound, rule)
    builder = _Builder(rule, bound, defaults, table, aliases)
    tree = builder.build(result)
    text = ast.unparse(tree)
    parts: list[Part] = []
    for position, piece in enumerate(_HOLE.split(text)):
        if position % 2 == 0:
            parts.append(piece)
            continue
        node, opened = builder.holes[int(piece)]
        span = source.span(node)
        if _needs_parentheses(node, source.text(span), opened=opened):
            parts += ["(", span, ")"]
        else:
            parts.append(span)
    return Expansion(tuple(part for part in parts if part != ""), tree, tuple(node for node, _ in builder.holes))


def _choose(
    function: ast.FunctionDef, bound: Bound, defaults: Mapping[str, ast.expr | None], never_none: frozenset[str]
) -> ast.expr:
    for statement in function.body:
        if isinstance(statement, ast.Expr):
            continue
        if isinstance(statement, ast.If):
            returned = statement.body[0]
            if statement.orelse or not (isinstance(returned, ast.Return) and returned.value is not None):
                break
            if _holds(statement.test, bound, defaults, never_none):
                return returned.value
        elif isinstance(statement, ast.Return) and statement.value is not None:
            return statement.value
        else:
            break
    raise Refused("the rule has no form to write out")


def _holds(test: ast.expr, bound: Bound, defaults: Mapping[str, ast.expr | None], never_none: frozenset[str]) -> bool:
    """Decide a condition of the ladder from the call's text alone."""
    if isinstance(test, ast.BoolOp):
        found = [_holds(one, bound, defaults, never_none) for one in test.values]
        return all(found) if isinstance(test.op, ast.And) else any(found)
    if not (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and isinstance(test.ops[0], ast.Is | ast.IsNot | ast.Eq | ast.NotEq)
        and (constant := _constant(test.comparators[0])) is not None
    ):
        raise Refused("the rule's condition has no form that can be decided")
    name, wanted, operator = test.left.id, constant.value, test.ops[0]
    node = bound.given.get(name, defaults.get(name))
    positive = isinstance(operator, ast.Is | ast.Eq)
    known = _constant(node)
    if known is not None:
        same = known.value is wanted if isinstance(operator, ast.Is | ast.IsNot) else known.value == wanted
        return same is positive
    if wanted is None and (
        name in never_none or isinstance(node, ast.BinOp | ast.UnaryOp | ast.Tuple | ast.List | ast.JoinedStr)
    ):
        return not positive
    if wanted is not None and isinstance(node, ast.Tuple | ast.List | ast.Dict | ast.JoinedStr):
        return not positive
    spelled = repr(wanted) if wanted is not None else "None"
    raise Refused(f"whether `{name}` is {spelled} is not known here")


def _constant(node: ast.expr | None) -> ast.Constant | None:
    """A constant of the text; `-1` is one, though its tree says otherwise."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        return ast.Constant(-value) if isinstance(value, int | float | complex) else None
    return node if isinstance(node, ast.Constant) else None


def _check_uses(result: ast.expr, bound: Bound, rule: Rule) -> None:
    given = dict(bound.given)
    if rule.variadic is not None:
        given[rule.variadic] = ast.Tuple(list(bound.variadic), ast.Load())
    order = [name for name in _names_as_evaluated(result) if name in given]
    impure = [name for name, node in sorted(given.items(), key=_place) if not is_pure(node)]
    for name, node in given.items():
        uses = order.count(name)
        if uses > 1 and not isinstance(node, ast.Name | ast.Constant):
            raise Refused(f"`{name}` would be evaluated {uses} times")
        if uses == 0 and name in impure:
            raise Refused(f"`{name}` would not be evaluated")
    if len(impure) > 1:
        placed = sorted(impure, key=order.index) if all(name in order for name in impure) else []
        if placed != impure:
            raise Refused("the arguments would be evaluated in another order")


def _place(given: tuple[str, ast.expr]) -> tuple[int, int]:
    """Where an argument stands in the text; what is given to `*parameter` stands where its first does."""
    node = given[1]
    if isinstance(node, ast.Tuple) and not hasattr(node, "lineno"):
        return (node.elts[0].lineno, node.elts[0].col_offset) if node.elts else (0, 0)
    return (node.lineno, node.col_offset)


def _names_as_evaluated(node: ast.AST) -> Iterator[str]:
    """The names of an expression in the order in which Python reads them."""
    if isinstance(node, ast.Name):
        yield node.id
    for child in ast.iter_child_nodes(node):
        yield from _names_as_evaluated(child)


def is_pure(node: ast.expr) -> bool:
    """Whether evaluating an expression earlier or later than written makes no difference that NumPy code relies on."""
    return not any(
        isinstance(one, ast.Call | ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom) for one in ast.walk(node)
    )


def _needs_parentheses(node: ast.expr, text: str, *, opened: bool) -> bool:
    if opened:
        return isinstance(node, ast.NamedExpr | ast.Yield | ast.YieldFrom)
    if "\n" in text:
        return True
    if isinstance(node, ast.Tuple):
        return not text.startswith("(")
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, str | complex)
    return not isinstance(node, _ATOMS)


class _Builder:
    """Copies a rule's expression with holes for what the call gives and constants for what it leaves out."""

    def __init__(
        self,
        rule: Rule,
        bound: Bound,
        defaults: Mapping[str, ast.expr | None],
        table: SignatureTable,
        aliases: Mapping[str, str],
    ) -> None:
        self.rule, self.bound, self.defaults, self.table, self.aliases = rule, bound, defaults, table, aliases
        self.holes: list[tuple[ast.expr, bool]] = []

    def build(self, node: ast.expr, *, opened: bool = False) -> ast.expr:
        if isinstance(node, ast.Name):
            return self._name(node, opened=opened)
        if isinstance(node, ast.Call):
            return self._call(node)
        made = copy.copy(node)
        inside = isinstance(node, _OPEN)
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(made, field, self.build(value, opened=inside and field != "value"))
            elif isinstance(value, list):
                setattr(
                    made, field, [self.build(one, opened=inside) if isinstance(one, ast.expr) else one for one in value]
                )
        return made

    def _name(self, node: ast.Name, *, opened: bool) -> ast.expr:
        if node.id in self.bound.given:
            return self._hole(self.bound.given[node.id], opened=opened)
        if node.id in self.defaults:
            default = self.defaults[node.id]
            if default is None:
                raise Refused(f"`{node.id}` is not given")
            return default if isinstance(default, ast.Constant) else self.build(default)
        if node.id == self.rule.variadic:
            return ast.Tuple([self._hole(given, opened=True) for given in self.bound.variadic], ast.Load())
        return ast.Name(self.aliases.get(node.id, node.id), ast.Load())

    def _hole(self, given: ast.expr, *, opened: bool) -> ast.Name:
        self.holes.append((given, opened))
        return ast.Name(f"__hole_{len(self.holes) - 1}__", ast.Load())

    def _call(self, node: ast.Call) -> ast.Call:
        arguments: list[ast.expr] = []
        for one in node.args:
            if isinstance(one, ast.Starred) and isinstance(one.value, ast.Name) and one.value.id == self.rule.variadic:
                arguments += [self._hole(given, opened=True) for given in self.bound.variadic]
            else:
                arguments.append(self.build(one, opened=True))
        while node.args and arguments and self._is_default_position(node, len(arguments) - 1):
            arguments.pop()
        kept = [word for word in node.keywords if not self._is_default(node, word.arg, word.value)]
        words = [ast.keyword(word.arg, self.build(word.value, opened=True)) for word in kept]
        return ast.Call(self.build(node.func), arguments, words)

    def _is_default(self, call: ast.Call, parameter: str | None, value: ast.expr) -> bool:
        """Whether a keyword only repeats the default of the tnp function that the rule calls."""
        if not isinstance(value, ast.Name) or value.id in self.bound.given or value.id not in self.defaults:
            return False
        signature = self._signature(call)
        default = self.defaults[value.id]
        if signature is None or default is None:
            return False
        said = ast.unparse(default)
        same = {said, "None"} if parameter == "keepdims" and said == "False" else {said}
        return any(
            one.name == parameter and (one.default or "").removeprefix("<class '").removesuffix("'>") in same
            for one in signature
        )

    def _is_default_position(self, call: ast.Call, position: int) -> bool:
        signature = self._signature(call)
        if signature is None or position >= len(signature) or position >= len(call.args):
            return False
        return self._is_default(call, signature[position].name, call.args[position])

    def _signature(self, call: ast.Call):  # type: ignore[no-untyped-def]  # noqa: ANN202
        func = call.func
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "tnp":
            return self.table.tnp.get(f"numpy.{func.attr}")
        return None
