"""Loops that become functions of their own, so that they can be compiled: state in, state out.

In `def f(n): x = draw(n); total = 0.0; for i in range(n): total += x[i] ...; print(total)` the loop becomes
`total = _f_loop(n, total, x)`. It stays where it is, with a reason, where that might change what the program does.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tnp_migrate.compiled.host_effects import CHANGING, Effects, Obstacle
from tnp_migrate.compiled.loop_draws import LoopDraws, draws_as_written, draws_of_loop, replaced
from tnp_migrate.compiled.worth import is_decorated, loops_of
from tnp_migrate.functional.liveness import Liveness, find_liveness
from tnp_migrate.program.index import Function
from tnp_migrate.program.nodes import walk
from tnp_migrate.text.source import Source, Span

Loop = ast.For | ast.While
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LEAVING = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Delete)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Outline:
    """A loop that becomes a function.

    `inputs` and `outputs` are the function's names for what it takes and gives, `attributes` those of them that stand
    for attributes of `self`. `body` are the statements that move, `original` the loop as the user wrote it. `draws` are
    made before it, by what `written` has of them in the user's text.
    """

    function: Function
    body: tuple[ast.stmt, ...]
    original: Loop
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: tuple[tuple[str, str], ...]  # attribute, name
    draws: LoopDraws
    written: LoopDraws

    def outside(self, name: str) -> str:
        """What a name of the new function is called where the loop stood."""
        found = {new: attribute for attribute, new in self.attributes}.get(name)
        return f"{self.function.node.args.args[0].arg}.{found}" if found is not None else name


def outlines(function: Function, effects: Effects) -> Iterator[tuple[Loop, Outline | Obstacle]]:
    """What becomes of each loop of a function that is not compiled itself."""
    loops = loops_of(function)
    obstacle = effects.obstacle(function) if loops else None
    if obstacle is None or function in effects.islands.functions or is_decorated(function):
        return
    if function.nested or function.yields or isinstance(function.node, ast.AsyncFunctionDef):
        return
    liveness = find_liveness(function.node.body, frozenset())
    pending = list(reversed(loops))
    while pending:
        loop = pending.pop()
        found = _outlined(function, loop, effects, liveness)
        inner = _inner_loops(function, loop) if isinstance(found, Obstacle) else []
        fitting = [one for one in inner if isinstance(_outlined(function, one, effects, liveness), Outline)]
        if fitting:
            pending += reversed(fitting)
        else:
            yield loop, found


def _inner_loops(function: Function, loop: Loop) -> list[Loop]:
    """The outermost loops inside of a loop that compute with arrays."""
    return loops_of(replace_body(function, loop.body))


def replace_body(function: Function, body: list[ast.stmt]) -> Function:
    """A function of which only some statements are looked at."""
    node = ast.FunctionDef(function.node.name, function.node.args, body, [], None, None)
    return replace(function, node=node)


def _outlined(function: Function, loop: Loop, effects: Effects, liveness: Liveness) -> Outline | Obstacle:
    """The function that a loop becomes, or why it does not."""
    draws = draws_of_loop(function, loop, effects)
    found = draws if isinstance(draws, Obstacle) else _in_loop(function, loop, effects, draws)
    if isinstance(found, Obstacle):
        return found
    assert isinstance(draws, LoopDraws)
    original = _as_written(function.module.source, loop)
    written = draws_as_written(draws, original) if original is not None else None
    if original is None or written is None:
        return Obstacle(loop, "has a loop that the migration changed too much to move", "give it a function by hand")
    body = _with_stores(function, loop)
    attributes = _attributes(function, body)
    names = _Names(function, body, original, attributes, liveness, draws, written)
    return names.outline() or Obstacle(loop, names.does, names.helps)


def _in_loop(function: Function, loop: Loop, effects: Effects, draws: LoopDraws) -> Obstacle | None:
    """What in a loop cannot be in a compiled function, or cannot leave this one."""
    owner = function.node.args.args[0].arg if function.takes_self and function.node.args.args else None
    drawn = {one.call for one in draws.draws}
    for node in walk(loop):
        if isinstance(node, _LEAVING):
            return Obstacle(node, "leaves its loop by more than `break`", "give the loop a function of its own")
        if isinstance(node, _FUNCTIONS):
            return Obstacle(node, "defines a function in its loop", "define it at the top of the file")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == owner:
            continue
        found = effects.found_at(function, node) if node not in drawn else None
        if found is not None:
            return found
    function_wide = effects.obstacle(function)
    if function_wide is not None and function_wide.does.startswith("writes to"):
        return function_wide
    return None


def _as_written(source: Source, loop: Loop) -> Loop | None:
    """The loop in the user's own text that a loop comes from."""
    if source.origin is None:
        return loop
    first = source.origin.source
    head = source.offset(loop.lineno, loop.col_offset)
    was = source.origin.was(Span(head, head + len("for")))
    for node in ast.walk(first.tree) if was is not None else ():
        if isinstance(node, ast.For | ast.While) and first.offset(node.lineno, node.col_offset) == was.start:  # type: ignore[union-attr]
            return node
    return None


def _with_stores(function: Function, loop: Loop) -> tuple[ast.stmt, ...]:
    """A loop with the statements around it that collect its stores."""
    parent = function.module.names.scopes.parent[loop]
    block = next(
        found
        for name in ("body", "orelse", "finalbody")
        if isinstance(found := getattr(parent, name, None), list) and loop in found
    )
    first = last = block.index(loop)
    while first and _calls_helper(block[first - 1], "Stores"):
        first -= 1
    while last + 1 < len(block) and _calls_helper(block[last + 1], "index_updates"):
        last += 1
    return tuple(block[first : last + 1])


def _calls_helper(node: ast.stmt, name: str) -> bool:
    call = node.value if isinstance(node, ast.Assign) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == name


def _attributes(function: Function, body: tuple[ast.stmt, ...]) -> dict[str, str] | None:
    """Names for the attributes of `self` that a loop uses; None where it does more with `self`, or they may compute."""
    if not function.takes_self or function.owner is None or not function.node.args.args:
        return {}
    owner = function.node.args.args[0].arg
    scopes = function.module.names.scopes
    found: dict[str, str] = {}
    for statement in body:
        for node in walk(statement):
            if not isinstance(node, ast.Name) or node.id != owner:
                continue
            above = scopes.parent.get(node)
            called = scopes.parent.get(above) if above is not None else None
            if not isinstance(above, ast.Attribute) or (isinstance(called, ast.Call) and called.func is above):
                return None
            found[above.attr] = ""
    kin = function.owner.kin
    plain = all(isinstance(base, ast.Name) for one in kin for base in one.node.bases)
    whole = plain and all(
        len([b for b in one.node.bases if getattr(b, "id", "") != "object"]) == len(one.bases) for one in kin
    )
    special = {name for one in kin for name in one.methods}
    if found and (not whole or special & {*found, "__getattr__", "__getattribute__", "__setattr__"}):
        return None
    taken = {*function.scope.bound, *function.module.names.scopes.module.bound}
    for name in found:
        found[name] = name.lstrip("_") if name.lstrip("_") not in taken else f"own_{name.lstrip('_')}"
    return found


def _refused(names: _Names, does: str, helps: str) -> Outline | None:
    names.does, names.helps = does, helps
    return None


@dataclass
class _Names:
    """What goes into a loop and what comes out of it; `does` and `helps` say why it stays, if it does."""

    function: Function
    body: tuple[ast.stmt, ...]
    original: Loop
    attributes: dict[str, str] | None
    liveness: Liveness
    draws: LoopDraws
    written: LoopDraws
    does: str = ""
    helps: str = ""

    def __post_init__(self) -> None:
        """Look at the statements as they will be, with what was drawn before them."""
        self.moved = [replaced(one, self.draws.texts()) for one in self.body]
        self.was = replaced(self.original, self.written.texts())

    def outline(self) -> Outline | None:
        if self.attributes is None:
            return _refused(self, "uses `self` in its loop for more than attributes", "pass the loop what it needs")
        stored, own = _stores(self.moved), {*self.function.scope.bound, *self.draws.names()}
        last = self.body[-1]
        outputs = {name for name in stored if self.liveness.is_live(name, last)}
        inside = Liveness(frozenset())
        before = inside.body(self.moved, frozenset(outputs))
        inputs = set(before & own) - {self.owner()}
        used = self.used_attributes()
        attributes = {name: new for name, new in self.attributes.items() if name in used}
        outlined = Outline(
            self.function,
            self.body,
            self.original,
            (*sorted(inputs), *sorted(attributes.values())),
            (*sorted(outputs), *sorted(new for name, new in attributes.items() if name in self.set_attributes())),
            tuple(sorted(attributes.items())),
            self.draws,
            self.written,
        )
        return self.checked(outlined, inputs, outputs, stored)

    def owner(self) -> str:
        return self.function.node.args.args[0].arg if self.function.takes_self and self.attributes else ""

    def set_attributes(self) -> set[str]:
        return {node.attr for node in self.own_attributes() if isinstance(node.ctx, ast.Store)}

    def used_attributes(self) -> set[str]:
        return {node.attr for node in self.own_attributes()}

    def own_attributes(self) -> list[ast.Attribute]:
        """Where the loop reads or stores attributes of `self`."""
        owner = self.owner()
        nodes = [node for statement in self.moved for node in walk(statement) if isinstance(node, ast.Attribute)]
        return [node for node in nodes if isinstance(node.value, ast.Name) and node.value.id == owner]

    def checked(self, made: Outline, inputs: set[str], outputs: set[str], stored: set[str]) -> Outline | None:
        """Give the outline, or say what speaks against it."""
        if not made.outputs:
            return _refused(self, "has a loop that gives nothing", "return what it computes")
        if (inputs | outputs) & (self.function.scope.globals | self.function.scope.nonlocals):
            return _refused(self, "binds variables of the code around it", "return them")
        unbound = sorted(name for name in inputs - self.draws.names() if not self.is_bound(name))
        if unbound:
            return _refused(self, f"may not have a value of `{unbound[0]}` before its loop", "give it one")
        closed = sorted((inputs | outputs) & self.liveness.always)
        if closed:
            return _refused(self, f"has a function in it that reads `{closed[0]}`", "pass it as an argument")
        if self.is_caught(outputs) or ((self.set_attributes() or self.draws.draws) and self.is_caught(None)):
            return _refused(
                self, "uses after an error what its loop has computed", "give the loop a function of its own"
            )
        changed = self.changed()
        if changed:
            return _refused(self, f"changes `{changed[0]}` in its loop, which is no array", "collect in an array")
        if not self.is_same_text(inputs, stored):
            return _refused(
                self, "has a loop that writes to arrays which have several names", "give the loop a function of its own"
            )
        return made

    def is_bound(self, name: str) -> bool:
        """Whether a variable surely has a value before the loop."""
        if name in self.function.parameters:
            return True
        parent = self.function.module.names.scopes.parent
        node: ast.AST = self.body[0]
        while node is not self.function.node:
            above = parent[node]
            for block in (getattr(above, part, None) for part in ("body", "orelse", "finalbody")):
                before = block[: block.index(node)] if isinstance(block, list) and node in block else []
                if any(name in _surely_bound(one) for one in before):
                    return True
            if isinstance(above, ast.For) and name in _names_in(above.target):
                return True
            node = above
        return False

    def is_caught(self, outputs: set[str] | None) -> bool:
        """Whether a `try` around the loop may go on with what an interrupted loop has left."""
        for one in self.function.module.names.scopes.ancestors(self.body[0]):
            if one is self.function.node:
                return False
            if isinstance(one, ast.Try) or type(one).__name__ == "TryStar":
                if outputs is None:
                    return True
                parts = [*one.handlers, *one.finalbody]  # type: ignore[attr-defined]
                read = set().union(*({n.id for n in walk(part) if isinstance(n, ast.Name)} for part in parts))
                ends = [each.body[-1] for each in one.handlers]  # type: ignore[attr-defined]
                goes_on = not all(isinstance(each, ast.Return | ast.Raise) for each in ends)
                after = self.liveness.after.get(one, frozenset()) if goes_on else frozenset()  # type: ignore[call-overload]
                if outputs & (read | after):
                    return True
        return False

    def changed(self) -> list[str]:
        """What the loop changes in place though it is no array: lists and dicts that others see."""
        found = []
        own = self.function.scope.bound
        made = {name for one in self.moved if _calls_helper(one, "Stores") for name in _surely_bound(one)}
        for statement in self.moved:
            for node in walk(statement):
                base: ast.AST | None = None
                if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                    base = node.value
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
                    base = node.func.value
                while isinstance(base, ast.Subscript | ast.Attribute):
                    base = base.value
                if isinstance(base, ast.Name) and base.id in own and base.id not in made:
                    found.append(base.id)
        return found

    def is_same_text(self, inputs: set[str], stored: set[str]) -> bool:
        """Whether the loop as it was written computes the same from these inputs: it writes to each name as often.

        Where one array has two names, a write to one binds both anew by now.
        """
        owner, own = self.owner(), set(self.function.scope.bound)
        made = {name for one in self.moved if _calls_helper(one, "Stores") for name in _surely_bound(one)}
        written, now = _written((self.was,), owner), _written(self.moved, owner)
        names = {name for name in {*written, *now} if name.startswith(".") or name in own} - made
        read = {n.id for n in walk(self.was) if isinstance(n, ast.Name)} & own
        return all(written[name] == now[name] for name in names) and read <= inputs | stored | {owner}


def _written(body: Sequence[ast.stmt], owner: str) -> Counter[str]:
    """How often each name is bound or written to in a loop, with a dot the attributes of `self`."""
    inner = _comprehended(body)
    found: Counter[str] = Counter()
    for statement in body:
        for node in walk(statement):
            if not isinstance(node, ast.Name | ast.Subscript | ast.Attribute) or isinstance(node.ctx, ast.Load):
                continue
            base: ast.AST = node
            while isinstance(base, ast.Subscript):
                base = base.value
            if isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name) and base.value.id == owner:
                found[f".{base.attr}"] += 1
                continue
            while isinstance(base, ast.Subscript | ast.Attribute):
                base = base.value
            name = base.id if isinstance(base, ast.Name) else "?"
            found[name] += name not in inner
    return found


def _names_in(node: ast.AST) -> set[str]:
    return {one.id for one in walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def _stores(body: Sequence[ast.stmt]) -> set[str]:
    """The names that statements bind, those of comprehensions left out."""
    return set().union(*map(_names_in, body)) - _comprehended(body)


def _comprehended(body: Sequence[ast.stmt]) -> set[str]:
    """The names that comprehensions bind."""
    return {
        name
        for statement in body
        for node in walk(statement)
        if isinstance(node, _COMPREHENSIONS)
        for one in node.generators
        for name in _names_in(one.target)
    }


def _surely_bound(node: ast.stmt) -> set[str]:
    """The names that a statement binds wherever it is run to its end."""
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr):
        return _names_in(node) if not (isinstance(node, ast.AnnAssign) and node.value is None) else set()
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    if isinstance(node, ast.With):
        return set().union(*map(_surely_bound, node.body), *(_names_in(item) for item in node.items))
    if isinstance(node, ast.If):
        either = [set().union(*map(_surely_bound, part)) for part in (node.body, node.orelse)]
        return either[0] & either[1]
    return set()
