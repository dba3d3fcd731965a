"""What calls do beside giving a value: what they keep of what they are given, and what they write to out of sight."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import NoReturn

from tnp_migrate.analysis.argument_binding import passed
from tnp_migrate.analysis.effects import callees
from tnp_migrate.functional.access_paths import ESCAPED, Path, is_outside, shown, starts_with, text_of
from tnp_migrate.functional.alias_graph import Link
from tnp_migrate.functional.displays import appended
from tnp_migrate.functional.evaluation_order import roots_of
from tnp_migrate.functional.fresh_attributes import Freshness
from tnp_migrate.functional.known import Variable
from tnp_migrate.functional.points_to import origins
from tnp_migrate.functional.split_statements import Unfolder
from tnp_migrate.functional.text_parts import Parts
from tnp_migrate.functional.unit import Refused
from tnp_migrate.numpy_facts.signatures import kept_by
from tnp_migrate.program.attributes import attribute_name, meets
from tnp_migrate.program.dispatch import is_own_method
from tnp_migrate.program.fields import fields_of, start_of
from tnp_migrate.program.index import Class, Function
from tnp_migrate.program.nodes import walk


@dataclass(eq=False)
class Keeping(Freshness):
    """What calls keep and write to, and statements that have to be several ones for it."""

    unfolds: bool = False  # whether statements may be written as several ones
    followed: list[Path] = field(default_factory=list)  # attributes that the call at hand writes to, held elsewhere
    taken: frozenset[str] = frozenset()  # the names in use before the statement at hand

    def come_to(self, node: ast.stmt) -> None:
        """Start with a statement."""
        self.statement, self.taken = node, frozenset(self.unit.taken)
        self.run_here, self.to_be_bound = set(), frozenset()
        inside = (one for root in roots_of(node) for one in walk(root))
        self.bound_inside = frozenset(one.target.id for one in inside if isinstance(one, ast.NamedExpr))

    def disorder(self, call: ast.expr, message: str, other: ast.AST | None = None, *, apart: bool = False) -> NoReturn:
        """Refuse a call that cannot move before its statement; say what several statements would be in its place.

        `apart` is for one that has to run before the rest of the statement takes hold of anything.
        """
        refusal = Refused(call, message, other)
        if self.unfolds and self.statement is not None:
            self.unit.taken = set(self.taken)  # the names of lines that do not come about are free again
            moved = call if isinstance(call, ast.Call) else None
            refusal.unfolding = Unfolder(self, self.statement, moved=moved, apart=apart).decision()
        raise refusal

    def check_order(self, call: ast.Call, name: str) -> None:
        """See that nothing holds the array of a variable that a call writes to: several statements may not."""
        try:
            super().check_order(call, name)
        except Refused as refusal:
            self.disorder(call, refusal.message, refusal.other, apart=True)

    def note_kept(self, call: ast.Call, *, lines: bool = False) -> None:
        """What a call puts into a container or an object, and what it writes to behind attributes.

        `lines` where the holders of those can be brought their new arrays behind the statement.
        """
        declared = self.unit.module.names.declared(call.func, self.unit.scope)
        for argument in declared.given(call, declared.keeps) if declared is not None else ():
            for path, _ in origins(self.unit, self.known, argument):
                self.now.add(path, ESCAPED, Link("may", call))
        kept = kept_by(call)
        if isinstance(call.func, ast.Attribute) and kept and self.unit.qualified(call.func) is None:
            receiver = self.unit.value(call.func.value)
            if receiver.is_array:
                return
            if is_own_method(receiver, call.func.attr):
                kept = []
            holder = self.unit.path(call.func.value) or ESCAPED
            if holder in self.now.displays and call is appended(self.statement):
                self.append(holder, call.args[0])
                return
            for argument in kept:
                for path, _ in origins(self.unit, self.known, argument):
                    self.now.add(path, holder, Link("may", call))
        value = self.unit.value(call.func)
        if value.kind == "class" and start_of(value.ref) is None:
            self.keep([*call.args, *(word.value for word in call.keywords)], call)
            self.share_fields(value.ref, call)
        if self.unit.qualified(call.func) == "functools.partial":
            self.keep([*call.args, *(word.value for word in call.keywords)], call)
        functions = callees(self.unit.module, self.unit.index, call)
        active = [one for one in functions if not self.known.is_quiet(one)]
        self.rebind_attributes(call)
        held: set[ast.expr] = set()
        for function in active:
            self.note_callee(function, call, held)
        if active:
            self.note_attributes(active, call if lines else None)
            self.check_read(active, call)

    def rebind_attributes(self, call: ast.Call) -> None:
        """What a call binds anew of the attributes that hold something here may be what it was, or not."""
        bound = self.known.reached.bound_by(self.functions_of(call))
        if not bound:
            return

        def is_bound(path: Path) -> bool:
            ends = (end for end in range(2, len(path) + 1) if path[end - 1][0] == ".")
            return not is_outside(path) and any(bound.meet(self.unit.attribute(path[:end])) for end in ends)

        if self.unit.value(call.func).kind != "class":  # which binds those of a new object
            self.check_held(call, ast.unparse(call.func), is_bound)
        for path in sorted(filter(is_bound, {*self.now.of, *self.now.fresh})):
            self.now.loosen_place(path, call)

    def share_fields(self, owner: Class, call: ast.Call) -> None:
        """The fields that a class takes from the arrays of its caller: dataclasses have no constructor to look at."""
        fields = fields_of(owner)
        by_name = {one.parameter: one.name for one in fields}
        by_place = [one.name for one in fields if one.by_place and one.parameter is not None]
        named = [(by_name.get(word.arg, word.arg or ""), word.value) for word in call.keywords]
        given = [*zip(by_place, call.args, strict=False), *named]
        for name, argument in given:
            if origins(self.unit, self.known, argument):
                why = f"`{owner.node.name}` is made with an array of its caller"
                self.known.shared_attributes.setdefault(f"{owner.family}:{name}", why)

    def keep(self, arguments: list[ast.expr], call: ast.expr) -> None:
        """Note that what is passed lives on out of sight."""
        for argument in arguments:
            for path, _ in origins(self.unit, self.known, argument):
                self.now.add(path, ESCAPED, Link("may", call))

    def keep_in(self, variable: Variable, arguments: list[ast.expr], call: ast.Call) -> None:
        """Note that what is passed becomes a variable of a function around the one that is called."""
        self.keep(arguments, call)
        for argument in arguments if self.unit.scope.owner(variable.name) is variable.scope else ():
            for path, _ in origins(self.unit, self.known, argument):
                self.now.add((variable.name,), path, Link("may", call))

    def note_callee(self, function: Function, call: ast.Call, held: set[ast.expr]) -> None:
        """What a function keeps of its arguments, if not `held` yet, and what it writes to that this one can hold."""
        escaped = self.known.escaping(function)
        kept, items = self.known.keeps.get(function, ()), self.known.written_items.get(function, ())
        if not (escaped or kept or items):
            return
        given = passed(self.unit.module, function, call)
        new = [argument for name, argument in given if name in escaped and argument not in held]
        held.update(new)
        self.keep(new, call)
        for parameter, variable in kept:
            self.keep_in(variable, [argument for name, argument in given if name == parameter], call)
        for name, argument in given:
            if name in items:
                self.write_items(argument, call, function)
                if f"{name}[]" in self.known.written_items[function]:
                    self.check_argument(argument, call, function)

    def name_argument(self, argument: ast.expr, call: ast.Call, function: Function) -> NoReturn:
        """Refuse a call that is given arrays in a container without a name; with one, they can be taken back."""
        refusal = Refused(call, f"`{function.name}` writes to arrays in `{ast.unparse(argument)}`")
        if self.unfolds and self.statement is not None:
            refusal.unfolding = Unfolder(self, self.statement).naming(call, argument)
        raise refusal

    def check_argument(self, argument: ast.expr, call: ast.Call, function: Function) -> None:
        """A function writes to the items of a container by variable keys: two of them must not be one array."""
        path = self.unit.path(argument)
        if path is not None and all(part[0] == "." for part in path[1:]):
            self.check_distinct(path)
        elif not isinstance(argument, ast.Dict | ast.List | ast.Tuple):
            raise Refused(
                call, f"`{ast.unparse(argument)}`, whose items `{function.name}` writes to, may have one twice"
            )

    def note_attributes(self, functions: list[Function], call: ast.Call | None = None) -> None:
        """The attributes that a call writes to, whichever of some functions it reaches, and who holds them here.

        Holders that cannot be brought the new arrays behind the statement, if the `call` is given, share them.
        """
        written = {key for one in functions for key in self.known.written_attributes.get(one, ())}
        self.attributes |= written
        named: dict[str, list[Path]] = {}
        for path in self.now.of if written else ():
            parts = {part[1:] for part in path if part.startswith(".")}
            for name in parts | ({attribute_name(path[0][1:])} if path[0].startswith("!") else set()):
                named.setdefault(name, []).append(path)
        for key in sorted(written):
            for path in named.get(attribute_name(key), ()):
                if self.goes_through(path, key) or _stands_for(path, key):
                    holders = self.holders(path)
                    if holders and not (call and self.goes_through(path, key) == path and self.follows(path, holders)):
                        self.known.shared_attributes.setdefault(key, f"{shown(holders[0])} holds it as well")
                    elif holders:
                        self.followed.append(path)

    def follows(self, path: Path, holders: list[Path]) -> bool:
        """Whether lines behind this statement can bring an attribute's new array to those that surely hold it."""
        exact, names = self.now.exact(path), {one[0] for one in holders}
        inside = [one for one in walk(self.here) if isinstance(one, ast.Name)]
        read = any(one.id in names or (one.id == path[0] and not isinstance(one.ctx, ast.Load)) for one in inside)
        return not read and all(one in exact and self.can_follow(one) for one in holders)

    def run_functions(self, call: ast.Call) -> list[Parts]:
        """The lines that bring what a call writes to, attributes too, to all other holders."""
        lines = super().run_functions(call)
        while self.followed:
            lines += self.bring(self.followed.pop())
        return lines

    def check_read(self, functions: list[Function], call: ast.Call) -> None:
        """An array that is taken before a call in the same statement writes to it, and used after it."""
        for part in self.overtaken(call) if self.writes_elsewhere(call) else ():
            is_target = isinstance(self.statement, ast.AugAssign) and part is self.statement.target
            pairs = ((one, function) for function in functions for one in ast.walk(part))
            changed, function = next(((one, f) for one, f in pairs if self.is_changed(one, f)), (None, functions[0]))
            if changed is None or not (is_target or origins(self.unit, self.known, part)):
                continue
            line, _ = self.unit.module.source.place(self.unit.span(changed).start)
            why = f"it is read on line {line} before a call in the same statement writes to it"
            try:
                self.disorder(call, f"`{ast.unparse(changed)}`: {why}", changed, apart=True)
            except Refused as refusal:
                if refusal.unfolding is not None:
                    raise
                keys = self.known.written_attributes.get(function, ())
                for key in [one for one in keys if self.is_attribute(changed, one)]:
                    self.known.shared_attributes.setdefault(key, why)

    def writes_elsewhere(self, call: ast.Call) -> bool:
        """Whether a call writes to what it is not given: to attributes, variables of the module, items."""
        tables = (self.known.written_attributes, self.known.written_variables, self.known.written_items)
        functions = self.functions_of(call)
        return any(table.has_any(functions) for table in tables)

    def write_items(self, argument: ast.expr, call: ast.Call, function: Function) -> None:
        """A function writes to arrays in a container that it is given."""
        followed = isinstance(argument, ast.Name) and any(
            one is argument for one in self.items_written(call, self.now.displays)
        )
        for path, link in origins(self.unit, self.known, argument) if not followed else ():
            if link.kind != "same" and (self.is_live(path) or self.holders(path)):
                self.name_argument(argument, call, function)
            for part in [one for one in self.now.of if starts_with(one, path)]:
                for other in self.holders(part):
                    if not starts_with(other, path) and not (is_outside(other) and other[0][:1] == "^"):
                        held = f"`{text_of(path)}` that {shown(other)} may hold"
                        raise Refused(call, f"`{function.name}` writes to arrays in {held}")
            self.note_items(path)


def _stands_for(path: Path, key: str) -> bool:
    """Whether a path is the array of an attribute of some object, which may be the one given by its key."""
    return path[0].startswith("!") and meets(path[0][1:], key)
