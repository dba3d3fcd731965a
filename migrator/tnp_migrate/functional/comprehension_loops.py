"""A comprehension as a loop: its variables get names that nothing else has."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tnp_migrate.functional.text_parts import Parts, flat
from tnp_migrate.functional.unit import Impossible, Unit
from tnp_migrate.program.nodes import COMPREHENSIONS
from tnp_migrate.text.source import Span

_ODD = (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.JoinedStr)


@dataclass(frozen=True)
class Loop:
    """The line before a loop, and its lines with how deep they stand."""

    start: str
    lines: list[tuple[int, Parts]]


def loop_of(unit: Unit, node: ast.expr, name: str, replaced: Mapping[ast.expr, Parts]) -> Loop:
    """`[f(x) for x in y if x > 0]` as a loop that fills a list; likewise a set and a dict."""
    assert isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
    source = unit.module.source
    if any(isinstance(one, _ODD) for one in ast.walk(node)) or any(part.is_async for part in node.generators):
        raise Impossible
    shown_as = {**replaced, **_renamed(unit, node)}

    def show(one: ast.expr) -> Parts:
        text = shown(unit.span, unit.span(one), shown_as)
        bare = isinstance(one, ast.Tuple) and source.is_bare(one)
        return flat("(", text, ")") if "\n" in source.text(unit.span(one)) and not bare else text

    lines: list[tuple[int, Parts]] = []
    depth = 0
    for part in node.generators:
        lines.append((depth, flat("for ", show(part.target), " in ", show(part.iter), ":")))
        depth += 1
        for test in part.ifs:
            lines.append((depth, flat("if ", show(test), ":")))
            depth += 1
    if isinstance(node, ast.DictComp):
        if not isinstance(node.key, ast.Name | ast.Constant):
            key = unit.fresh("key")
            lines.append((depth, flat(f"{key} = ", show(node.key))))
            lines.append((depth, flat(f"{name}[{key}] = ", show(node.value))))
        else:
            lines.append((depth, flat(f"{name}[", show(node.key), "] = ", show(node.value))))
        return Loop(f"{name} = {{}}", lines)
    if not name:
        lines.append((depth, shown(unit.span, unit.span(node.elt), shown_as)))
        return Loop("", lines)
    adds, empty = ("add", "set()") if isinstance(node, ast.SetComp) else ("append", "[]")
    lines.append((depth, flat(f"{name}.{adds}(", shown(unit.span, unit.span(node.elt), shown_as), ")")))
    return Loop(f"{name} = {empty}", lines)


def _renamed(unit: Unit, node: ast.expr) -> dict[ast.expr, Parts]:
    """New names for variables of a comprehension that something outside of it has or reads."""
    assert isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
    own = {
        one.id: one.id
        for part in node.generators
        for one in ast.walk(part.target)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }
    outside = _names_outside(unit, set(own))
    first = set(ast.walk(node.generators[0].iter))
    inner = {
        leaf
        for one in ast.walk(node)
        if one is not node and isinstance(one, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
        for leaf in ast.walk(one)
    }
    found: dict[ast.expr, Parts] = {}
    for name in own:
        if name not in outside:
            continue
        if unit.function is None and name == "_":
            continue
        fresh = unit.fresh("each" if name == "_" else name)
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and one.id == name and one not in first:
                if one in inner:
                    raise Impossible
                found[one] = (fresh,)
    return found


def _names_outside(unit: Unit, names: set[str]) -> set[str]:
    """Which of some names are used in a body outside of the comprehensions that have them as variables."""
    scopes = unit.module.names.scopes
    root: ast.AST = unit.function.node if unit.function else unit.module.source.tree
    found = {one.arg for one in ast.walk(root) if isinstance(one, ast.arg)} & names
    if unit.function is None:
        found |= names  # a variable of the module is seen from everywhere
    for one in ast.walk(root):
        if isinstance(one, ast.Name) and one.id in names:
            around = [above for above in scopes.ancestors(one) if isinstance(above, COMPREHENSIONS)]
            if not any(one.id in _variables(above) and not _in_first(above, one) for above in around):
                found.add(one.id)
        elif isinstance(one, ast.Global | ast.Nonlocal):
            found |= names & set(one.names)
    return found


def _variables(node: ast.AST) -> set[str]:
    assert isinstance(node, COMPREHENSIONS)
    return {one.id for part in node.generators for one in ast.walk(part.target) if isinstance(one, ast.Name)}


def _in_first(node: ast.AST, name: ast.Name) -> bool:
    assert isinstance(node, COMPREHENSIONS)
    return any(one is name for one in ast.walk(node.generators[0].iter))


def shown(span_of: Callable[[ast.expr], Span], span: Span, replaced: Mapping[ast.expr, Parts]) -> Parts:
    """The text of a span with some expressions in it replaced."""
    found: list[str | Span] = []
    reached = span.start
    for one, parts in sorted(
        ((span_of(node), parts) for node, parts in replaced.items()), key=lambda pair: (pair[0].start, -pair[0].end)
    ):
        if reached <= one.start and one.end <= span.end:
            found += [Span(reached, one.start), *parts] if one.start > reached else [*parts]
            reached = one.end
    if reached < span.end:
        found.append(Span(reached, span.end))
    return tuple(found)
