"""What goes into a function that statements become, and what comes out of it; or why they stay."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tnp_migrate.compiled.host_effects import CHANGING
from tnp_migrate.compiled.loop_draws import NONE, LoopDraws, replaced
from tnp_migrate.compiled.own_attributes import always_there, attributes_in, owner_of, read_first, surely_stored
from tnp_migrate.functional.liveness import Liveness
from tnp_migrate.program.index import Function
from tnp_migrate.program.nodes import walk

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Outline:
    """Statements that become a function: a loop, or a block without loops of its own.

    `inputs` and `outputs` are the function's names for what it takes and gives, `attributes` those of them that stand
    for attributes of `self`. `body` are the statements that move, `original` what the user wrote for them. `draws` are
    made before a loop, by what `written` has of them in the user's text.
    """

    function: Function
    body: tuple[ast.stmt, ...]
    original: tuple[ast.stmt, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: tuple[tuple[str, str], ...]  # attribute, name
    draws: LoopDraws
    written: LoopDraws

    @property
    def is_loop(self) -> bool:
        """Whether it is a loop, with the statements around it that collect its stores."""
        return any(isinstance(one, ast.For | ast.While) for one in self.original)

    def outside(self, name: str) -> str:
        """What a name of the new function is called where the loop stood."""
        found = {new: attribute for attribute, new in self.attributes}.get(name)
        return f"{self.function.node.args.args[0].arg}.{found}" if found is not None else name


def calls_helper(node: ast.stmt, name: str) -> bool:
    """Whether a statement binds what a helper gives."""
    call = node.value if isinstance(node, ast.Assign) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == name


@dataclass
class Names:
    """The names of an outline; `does` and `helps` say why there is none, if so."""

    function: Function
    body: tuple[ast.stmt, ...]
    original: tuple[ast.stmt, ...]
    attributes: dict[str, str] | None
    liveness: Liveness
    draws: LoopDraws = NONE
    written: LoopDraws = NONE
    does: str = ""
    helps: str = ""

    def __post_init__(self) -> None:
        """Look at the statements as they will be: with names for attributes, and for what was drawn before them."""
        self.moved = self.as_moved(self.body, self.draws)
        self.was = self.as_moved(self.original, self.written)
        self.own = {*self.function.scope.bound, *self.draws.names(), *(self.attributes or {}).values()}

    def as_moved(self, body: Sequence[ast.stmt], draws: LoopDraws) -> list[ast.stmt]:
        """Statements with the names that they will have."""
        new, owner = self.attributes or {}, owner_of(self.function)
        texts: dict[ast.expr, str] = {one: new[one.attr] for one in attributes_in(body, owner) if one.attr in new}
        return [replaced(one, texts | draws.texts()) for one in body]

    def outline(self) -> Outline | None:
        """Give the outline; None where something speaks against it."""
        if self.attributes is None:
            return self.refused("uses `self` in its loop for more than attributes", "pass the loop what it needs")
        stored = _stores(self.moved)
        attributes = {*self.attributes.values()}
        outputs = {name for name in stored if name in attributes or self.liveness.is_live(name, self.body[-1])}
        before = Liveness(frozenset()).body(self.moved, frozenset(outputs))
        inputs = set(before & self.own) - {owner_of(self.function)}
        outlined = Outline(
            self.function,
            self.body,
            self.original,
            (*sorted(inputs - attributes), *sorted(inputs & attributes)),
            (*sorted(outputs - attributes), *sorted(outputs & attributes)),
            tuple(sorted(self.attributes.items())),
            self.draws,
            self.written,
        )
        return self.checked(outlined, inputs, outputs, stored)

    def refused(self, does: str, helps: str) -> Outline | None:
        """Note why there is none."""
        self.does, self.helps = does, helps
        return None

    def checked(self, made: Outline, inputs: set[str], outputs: set[str], stored: set[str]) -> Outline | None:
        """Give the outline, or say what speaks against it."""
        if not made.outputs:
            return self.refused("has a loop that gives nothing", "return what it computes")
        if (inputs | outputs) & (self.function.scope.globals | self.function.scope.nonlocals):
            return self.refused("binds variables of the code around it", "return them")
        unbound = sorted(name for name in inputs if not self.is_there(name))
        if unbound:
            return self.refused(f"may not have a value of `{unbound[0]}` before its loop", "give it one")
        closed = sorted((inputs | outputs) & self.liveness.always)
        if closed:
            return self.refused(f"has a function in it that reads `{closed[0]}`", "pass it as an argument")
        new = {*(self.attributes or {}).values()}
        if self.is_caught(outputs) or ((outputs & new or self.draws.draws) and self.is_caught(None)):
            return self.refused("uses after an error what its loop has computed", "give the loop a function of its own")
        changed = self.changed()
        if changed:
            return self.refused(f"changes `{changed[0]}` in its loop, which is no array", "collect in an array")
        if not self.is_same_text(inputs, stored):
            return self.refused(
                "has a loop that writes to arrays which have several names", "give the loop a function of its own"
            )
        return made

    def is_there(self, name: str) -> bool:
        """Whether a variable or an attribute surely has a value before the statements, or is drawn before them."""
        attribute = next((old for old, new in (self.attributes or {}).items() if new == name), None)
        if attribute is None:
            return name in self.draws.names() or self.is_bound(name)
        owner = owner_of(self.function)
        for one in self.body:
            if attribute in read_first(one, owner):
                return True
            if any(each.attr == attribute for each in attributes_in([one], owner)):
                break
        stored = any(attribute in surely_stored(before, owner) for before in self.blocks_before())
        return stored or always_there(self.function, attribute)

    def is_bound(self, name: str) -> bool:
        """Whether a variable surely has a value before the loop."""
        if name in self.function.parameters:
            return True
        return any(name in _surely_bound(one) for before in self.blocks_before() for one in before) or any(
            isinstance(one, ast.For) and name in _names_in(one.target)
            for one in self.function.module.names.scopes.ancestors(self.body[0])
        )

    def blocks_before(self) -> Iterator[list[ast.stmt]]:
        """The statements that were run before, in each of the blocks that the statements stand in."""
        parent = self.function.module.names.scopes.parent
        node: ast.AST = self.body[0]
        while node is not self.function.node:
            above = parent[node]
            for block in (getattr(above, part, None) for part in ("body", "orelse", "finalbody")):
                if isinstance(block, list) and node in block:
                    yield block[: block.index(node)]
            node = above

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
        """What the statements change in place though it is no array: lists and dicts that others see."""
        made = {name for one in self.moved if calls_helper(one, "Stores") for name in _surely_bound(one)}
        return [name for name in changed_in(self.moved) if name in self.own - made]

    def is_same_text(self, inputs: set[str], stored: set[str]) -> bool:
        """Whether the text as it was computes the same from these inputs: it writes to each name as often.

        Where one array has two names, a write to one binds both anew by now.
        """
        made = {name for one in self.moved if calls_helper(one, "Stores") for name in _surely_bound(one)}
        called = {ast.unparse(one.func) for one in _calls_alone(self.was)}
        written, now, given = _written(self.was), _written(self.moved), _given_back(self.moved, called)
        names = ({*written, *now} & self.own) - made
        read = {n.id for one in self.was for n in walk(one) if isinstance(n, ast.Name)} & self.own
        return read <= inputs | stored | {owner_of(self.function)} and all(
            written[name] == now[name] or written[name] == now[name] - given[name] for name in names
        )


def changed_in(body: Sequence[ast.stmt]) -> list[str]:
    """The variables whose items are stored, or which a method changes."""
    found = []
    for statement in body:
        for node in walk(statement):
            base: ast.AST | None = None
            if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                base = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
                base = node.func.value
            while isinstance(base, ast.Subscript | ast.Attribute):
                base = base.value
            if isinstance(base, ast.Name):
                found.append(base.id)
    return found


def _calls_alone(body: Sequence[ast.stmt]) -> list[ast.Call]:
    """The calls whose result nobody takes."""
    nodes = [node for statement in body for node in walk(statement) if isinstance(node, ast.Expr)]
    return [node.value for node in nodes if isinstance(node.value, ast.Call)]


def _given_back(body: Sequence[ast.stmt], called: set[str]) -> Counter[str]:
    """How often names are bound to what a call gives back of them: `out = fill(out)`, where `fill(out)` was called."""
    found: Counter[str] = Counter()
    for node in (node for statement in body for node in walk(statement) if isinstance(node, ast.Assign)):
        if isinstance(node.value, ast.Call) and ast.unparse(node.value.func) in called:
            given = [*node.value.args, *(one.value for one in node.value.keywords)]
            passed = {one.id for one in given if isinstance(one, ast.Name)}
            found.update(passed & set().union(*map(_names_in, node.targets)))
    return found


def _written(body: Sequence[ast.stmt]) -> Counter[str]:
    """How often each name is bound or written to."""
    inner = _comprehended(body)
    found: Counter[str] = Counter()
    for statement in body:
        for node in walk(statement):
            if not isinstance(node, ast.Name | ast.Subscript | ast.Attribute) or isinstance(node.ctx, ast.Load):
                continue
            base: ast.AST = node
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
