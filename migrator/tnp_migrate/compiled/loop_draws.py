"""Draws of random numbers in a loop, which are made before it in the order in which the loop makes them.

Of `for i in range(n): x = x + rng.normal(0, 1, 3)` the draw is made for every trip by
`draws = tnh.drawn(rng.normal(0, 1, 3) for _ in range(n))`, and the loop reads `draws[i]`. A draw stays where it hangs
on a condition, or on what the loop computes.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tnp_migrate.compiled.drawing_calls import arguments_at_once, generator_of, kind_of_draw, size_of
from tnp_migrate.compiled.host_effects import CHANGING, DRAWS, Effects, Obstacle
from tnp_migrate.compiled.loop_heads import Head, head_of, names_read, names_stored
from tnp_migrate.compiled.worth import is_helper
from tnp_migrate.functional.evaluation_order import calls_in, roots_of
from tnp_migrate.program.index import Function
from tnp_migrate.program.nodes import children, walk

Loop = ast.For | ast.While
_SCALED = "draw standard numbers before the loop, and scale or choose in it"
_ALWAYS = "draw for every trip before the loop"
_EACH = "draw for each of them before the outer one"
_PERMUTED = "draw for every trip before the loop, permutations instead of shuffles"


@dataclass(frozen=True)
class Draw:
    """A draw that is made before its loop: where it stands, in which loops, and what reads it there.

    `name` is the array of what all trips draw, and `read` what stands in the place of the draw.
    """

    call: ast.Call
    name: str
    read: str


@dataclass(frozen=True)
class LoopDraws:
    """The draws of a loop, in order; `heads` are the loops around them, of which there are none for a head's own.

    `at_once` are the arguments with which a single draw draws for all trips, where it can.
    """

    draws: tuple[Draw, ...]
    heads: tuple[Head, ...]
    at_once: tuple[ast.expr | ast.keyword | str, ...] | None = None

    def texts(self) -> dict[ast.expr, str]:
        """New texts for nodes of the loop."""
        found: dict[ast.expr, str] = {one.call: one.read for one in self.draws}
        for head in self.heads:
            found.update(head.texts)
        return found

    def again(self, head: Head) -> str:
        """The head of a loop that goes through the trips before it."""
        if names_stored(head.loop.target) & self.counters_read():
            return f"for {ast.unparse(head.loop.target)} in {ast.unparse(head.loop.iter)}"
        return f"for _ in {head.again}"

    def counters_read(self) -> set[str]:
        """The variables of the heads that the draws read."""
        counters = set().union(*(names_stored(one.loop.target) for one in self.heads))
        return counters & set().union(*(names_read(one.call) for one in self.draws))

    def names(self) -> set[str]:
        """The arrays of what is drawn."""
        return {one.name for one in self.draws}


NONE = LoopDraws((), ())


def draws_of_loop(function: Function, loop: Loop, effects: Effects) -> LoopDraws | Obstacle:
    """The draws that are made before a loop, or what keeps one in it."""
    found: list[tuple[ast.Call, tuple[ast.For, ...]]] = []
    finder = _Finder(function, effects, found)
    obstacle = finder.in_statement(loop, ())
    if obstacle is not None or not found:
        return obstacle or NONE
    calls, around = [call for call, _ in found], found[0][1]
    for call, loops in found:
        if loops != around:
            return Obstacle(call, f"{DRAWS} in several loops of one", _EACH)
    return _leaving(loop, calls, around) or _reading(function, loop, calls) or _drawn(function, loop, calls, around)


@dataclass
class _Finder:
    """Looks for the draws of a loop, in the order of evaluation."""

    function: Function
    effects: Effects
    found: list[tuple[ast.Call, tuple[ast.For, ...]]]

    def in_block(self, body: list[ast.stmt], around: tuple[ast.For, ...]) -> Obstacle | None:
        for statement in body:
            obstacle = self.in_statement(statement, around)
            if obstacle is not None:
                return obstacle
        return None

    def in_statement(self, node: ast.stmt, around: tuple[ast.For, ...]) -> Obstacle | None:
        seen: set[ast.AST] = set()
        for root in roots_of(node) if not isinstance(node, ast.While) else ():
            seen |= set(walk(root))
            for call, maybe in calls_in(root):
                if not self.is_draw(call):
                    continue
                if self.is_made_before(root):
                    return Obstacle(call, f"{DRAWS} in several loops of one", _EACH)
                if maybe:
                    return Obstacle(call, f"{DRAWS} on a condition or in a comprehension", _ALWAYS)
                self.found.append((call, around))
        inside = (*around, node) if isinstance(node, ast.For) else None
        if inside is not None:
            obstacle = self.in_block(node.body, inside)  # type: ignore[attr-defined]
            if obstacle is not None:
                return obstacle
            seen |= {one for statement in node.body for one in walk(statement)}  # type: ignore[attr-defined]
        for one in walk(node):
            if isinstance(one, ast.Call) and one not in seen and self.is_draw(one):
                where = "in a `while` loop" if isinstance(node, ast.While) else "on a condition"
                return Obstacle(one, f"{DRAWS} {where}", _ALWAYS)
        return None

    def is_made_before(self, node: ast.expr) -> bool:
        """Whether draws are those of a loop that has become a function."""
        called = node.func if isinstance(node, ast.Call) else None
        return is_helper(called, self.function.scope) and called.attr == "drawn"  # type: ignore[union-attr,arg-type]

    def is_draw(self, call: ast.Call) -> bool:
        found = self.effects.found_at(self.function, call)
        return found is not None and found.does == DRAWS


def _leaving(loop: Loop, calls: list[ast.Call], around: tuple[ast.For, ...]) -> Obstacle | None:
    """What ends a trip before a draw, or the loop before its last trip."""
    last = max((call.lineno, call.col_offset) for call in calls)
    for node in walk(loop) if around else ():
        if isinstance(node, ast.Raise | ast.Assert):
            return Obstacle(node, f"{DRAWS} in a loop that may raise", _ALWAYS)
    for one in around:
        for node in _leaving_itself(one.body):
            if isinstance(node, ast.Break):
                return Obstacle(node, f"{DRAWS} in a loop that `break` may leave", _ALWAYS)
            if (node.lineno, node.col_offset) < last:
                return Obstacle(node, f"{DRAWS} behind `continue`", _ALWAYS)
    return None


def _leaving_itself(body: list[ast.stmt]) -> Iterator[ast.Break | ast.Continue]:
    """The statements that leave the loop that has this body, or a trip of it."""
    for statement in body:
        if isinstance(statement, ast.Break | ast.Continue):
            yield statement
        for name in ("orelse",) if isinstance(statement, ast.For | ast.While) else ("body", "orelse", "finalbody"):
            yield from _leaving_itself(getattr(statement, name, []))
        for inner in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from _leaving_itself(inner.body)


def _reading(function: Function, loop: Loop, calls: list[ast.Call]) -> Obstacle | None:
    """What else a loop does with the generators that it draws from."""
    inside = {node for call in calls for node in walk(call)}
    generators = {generator_of(call) for call in calls}
    scope, names = function.scope, function.module.names
    for node in walk(loop):
        if node in inside or not isinstance(node, ast.Name | ast.Attribute):
            continue
        qualified = names.of(node, scope)
        if ast.unparse(node) in generators or (qualified or "").startswith("numpy.random."):
            return Obstacle(node, f"{DRAWS}, and uses the generator in another way", _PERMUTED)
    return None


def _drawn(function: Function, loop: Loop, calls: list[ast.Call], around: tuple[ast.For, ...]) -> LoopDraws | Obstacle:
    """The draws with what reads them, or what of the loop they hang on."""
    stored = names_stored(loop)
    heads: list[Head] = []
    counters: set[str] = set()
    for one in around:
        head = head_of(function, one, taken={name for each in heads for name in each.names})
        if isinstance(head, Obstacle) or (names_read(one.iter) & (stored | counters)):
            known = isinstance(head, Head)
            does = f"{DRAWS} in a loop whose trips are not {'the same each time' if known else 'known before it'}"
            return Obstacle(one, does, "loop over a `range`" if not known else _ALWAYS)
        heads.append(head)
        counters |= names_stored(one.target)
    own = {name for one in around for name in names_stored(one.target)}
    changed = {name for name in stored if name not in own} | _stored_again(loop, around, own)
    for call in calls:
        if names_read(call) & changed:
            return Obstacle(call, f"{DRAWS} by what its loop computes", _SCALED)
        if names_read(size_of(call)) & own:
            return Obstacle(call, f"{DRAWS}, another number of them in each trip", "draw as many in each trip")
        if any(one is not call and (one in calls or _changes(one)) for one in walk(call)):
            return Obstacle(call, f"{DRAWS} by what changes when it is read", _SCALED)
    return _named(function, calls, heads)


def _changes(node: ast.AST) -> bool:
    """Whether something gives another value each time, or changes what it is called on."""
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(node, ast.NamedExpr) or getattr(called, "attr", getattr(called, "id", "")) in {*CHANGING, "next"}


def _stored_again(loop: Loop, around: tuple[ast.For, ...], own: set[str]) -> set[str]:
    """The counters that something else in the loop binds as well."""
    stored = Counter(_stored_in(loop))
    stored.subtract(name for one in around for name in _stored_in(one.target))
    return {name for name in own if stored[name]}


def _stored_in(node: ast.AST) -> list[str]:
    return [one.id for one in walk(node) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)]


def _named(function: Function, calls: list[ast.Call], heads: list[Head]) -> LoopDraws | Obstacle:
    parent = function.module.names.scopes.parent
    taken = {*function.scope.bound, *function.module.names.scopes.module.bound}
    taken |= {name for head in heads for name in head.names}
    index = ", ".join(head.place for head in heads)
    found: list[Draw] = []
    for call in calls:
        kind = kind_of_draw(function, call)
        if isinstance(kind, Obstacle):
            return kind
        above = parent[call]
        target = above.targets[0] if isinstance(above, ast.Assign) and above.value is call else None
        stem = f"{target.id.strip('_')}_draws" if isinstance(target, ast.Name) else "draws"
        name, number = stem, 1
        while name in taken:
            number += 1
            name = f"{stem}_{number}"
        taken.add(name)
        read = f"{name}[{index}]" if heads else name
        found.append(Draw(call, name, f"{kind}({read})" if heads and kind else read))
    made = LoopDraws(tuple(found), tuple(heads))
    if len(found) > 1 or not heads or made.counters_read():
        return made
    arguments = arguments_at_once(function, found[0].call, [head.count for head in heads])
    return made if arguments is None else replace(made, at_once=tuple(arguments))


def draws_as_written(draws: LoopDraws, original: Loop) -> LoopDraws | None:
    """The same draws in the user's own text of a loop; None where they are not the same there."""
    if not draws.draws:
        return draws
    loops: dict[ast.Call, tuple[ast.For, ...]] = {}
    calls = [*_calls_of(original, (), loops)]
    texts = {ast.unparse(one.call) for one in draws.draws}
    found = [one for one in calls if ast.unparse(one) in texts]
    if [ast.unparse(one) for one in found] != [ast.unparse(one.call) for one in draws.draws]:
        return None
    around = loops[found[0]]
    heads = [(ast.unparse(one.target), ast.unparse(one.iter)) for one in around]
    if heads != [(ast.unparse(one.loop.target), ast.unparse(one.loop.iter)) for one in draws.heads]:
        return None
    return LoopDraws(
        tuple(replace(one, call=call) for one, call in zip(draws.draws, found, strict=True)),
        tuple(
            replace(one, loop=loop, texts={_part(loop, one.loop, node): text for node, text in one.texts.items()})
            for one, loop in zip(draws.heads, around, strict=True)
        ),
    )


def _calls_of(
    node: ast.stmt, around: tuple[ast.For, ...], loops: dict[ast.Call, tuple[ast.For, ...]]
) -> Iterator[ast.Call]:
    """The calls of a statement in the order of evaluation; `loops` gets the loops around each."""
    for root in roots_of(node):
        for call, _ in calls_in(root):
            loops[call] = around
            yield call
    inside = (*around, node) if isinstance(node, ast.For) else around
    for part in children(node):
        if isinstance(part, ast.stmt):
            yield from _calls_of(part, inside, loops)


def _part(loop: ast.For, other: ast.For, node: ast.expr) -> ast.expr:
    return loop.target if node is other.target else loop.iter


def replaced(node: ast.stmt, texts: dict[ast.expr, str]) -> ast.stmt:
    """A statement in which some expressions are others; nodes without such a part are themselves."""
    if not texts:
        return node
    made = _replaced(node, texts)
    assert isinstance(made, ast.stmt)
    return made


def _replaced(node: ast.AST, texts: dict[ast.expr, str]) -> ast.AST:
    if isinstance(node, ast.expr) and node in texts:
        text = texts[node]
        assignment = ast.parse(
            f"{text} = 0" if isinstance(getattr(node, "ctx", None), ast.Store) else f"_ = {text}"
        ).body[0]
        assert isinstance(assignment, ast.Assign)
        return assignment.targets[0] if isinstance(getattr(node, "ctx", None), ast.Store) else assignment.value
    made = copy.copy(node)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            setattr(made, name, [_replaced(one, texts) if isinstance(one, ast.AST) else one for one in value])
        elif isinstance(value, ast.AST):
            setattr(made, name, _replaced(value, texts))
    return made
