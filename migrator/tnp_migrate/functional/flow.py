"""The walk over a function: which places share memory at each statement, and what each write makes of it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from tnp_migrate.analysis.writes import writes
from tnp_migrate.functional.access_paths import ESCAPED, Path, entry, text_of
from tnp_migrate.functional.alias_graph import Link, Links
from tnp_migrate.functional.evaluation_order import roots_of
from tnp_migrate.functional.expression_calls import Rewrite, defined_by, leaves
from tnp_migrate.functional.loop_targets import Row
from tnp_migrate.functional.place_checks import Gathered
from tnp_migrate.functional.place_loops import PlaceLoops
from tnp_migrate.functional.points_to import origins
from tnp_migrate.functional.store_forms import augmented, augmented_store, is_part
from tnp_migrate.functional.text_parts import flat
from tnp_migrate.functional.unit import Refused, Unit
from tnp_migrate.program.scopes import defaults_of


@dataclass(eq=False)
class Flow(PlaceLoops):
    """The walk, with what it makes of each statement."""

    rewrites: dict[ast.stmt, Rewrite] = field(default_factory=dict)
    exits: list[tuple[ast.AST | None, Links]] = field(default_factory=list)
    continues: list[list[Links]] = field(default_factory=list)
    disordered: dict[ast.stmt, Refused] = field(default_factory=dict)
    ever: set[frozenset[str]] | None = None  # variables that were taken to share memory at one time, if that is asked

    def run(self) -> None:
        """Walk the whole body."""
        function = self.unit.function
        bound = {*(function.parameters if function else ()), *self.unit.kept.values()}
        self.links = Links(bound=bound, ever=self.ever)
        for name in function.parameters if function else ():
            if not (function and function.takes_self and name == function.parameters[0]):
                self.links.add((name,), entry(name), Link("same", function.node if function else ast.Pass()))
                if name in self.unit.kept:
                    for other in ((name,), entry(name)):
                        self.links.add((self.unit.kept[name],), other, Link("same", self.unit.body[0]))
        self.body(self.unit.body)
        if self.links is not None:
            self.exits.append((None, self.links))
        for refusal in self.disordered.values():
            raise refusal

    def body(self, body: list[ast.stmt]) -> None:
        """Walk statements in order."""
        for node in body:
            if self.links is None:
                return
            self.come_to(node)
            self.note_walked(node)
            self.note_displays(node)
            if node in self.disordered:
                self.skip(node)
                continue
            try:
                self.step(node)
            except Refused as refusal:
                if refusal.unfolding is None:
                    raise
                self.disordered[node] = refusal
                self.still_read = frozenset()
                self.skip(node)

    def skip(self, node: ast.stmt) -> None:
        """Go on behind a statement that is to be several ones, to find others of its kind."""
        self.statement = node
        if isinstance(node, ast.Return | ast.Raise):
            self.links = None

    def step(self, node: ast.stmt) -> None:  # noqa: PLR0912 - one branch a statement of the language
        """Walk one statement."""
        rewrite = Rewrite()
        if isinstance(node, ast.Assign):
            self.assign(node, rewrite)
        elif isinstance(node, ast.AugAssign):
            self.augment(node, rewrite)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self.evaluate(node.value, rewrite)
                self.refuse_stores(node.target, rewrite)
                self.bind([(node.target, node.value)])
        elif isinstance(node, ast.Expr):
            self.evaluate(node.value, rewrite)
        elif isinstance(node, ast.Return):
            self.give_back(node, rewrite)
        elif isinstance(node, ast.If):
            self.evaluate(node.test, rewrite)
            self.branches([node.body, node.orelse])
        elif isinstance(node, ast.For | ast.AsyncFor | ast.While):
            self.loop(node, rewrite)
        elif isinstance(node, ast.With | ast.AsyncWith):
            self.refuse_writes(*(item.context_expr for item in node.items[1:]))
            for item in node.items:
                self.evaluate(item.context_expr, rewrite)
                if item.optional_vars is not None:
                    self.refuse_stores(item.optional_vars, rewrite)
                    self.bind([(item.optional_vars, item.context_expr)])
            self.body(node.body)
        elif isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            self.attempt(node)  # type: ignore[arg-type]
        elif isinstance(node, ast.Match):
            self.evaluate(node.subject, rewrite)
            self.refuse_writes(*(case.guard for case in node.cases if case.guard is not None))
            self.branches([case.body for case in node.cases])
        elif isinstance(node, ast.Break | ast.Continue):
            (self.breaks if isinstance(node, ast.Break) else self.continues)[-1].append(self.now)
            self.links = None
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.refuse_writes(*defined_by(node))
            self.now.rebind((node.name,))
            self.hold_defaults(node)
        elif isinstance(node, ast.Assert | ast.Raise):
            for child in roots_of(node):
                self.evaluate(child, rewrite)
            self.links = None if isinstance(node, ast.Raise) else self.links
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                self.evaluate_target(target, rewrite)
                if isinstance(target, ast.Name):
                    self.now.bound.discard(target.id)
        self.rewrites[node] = rewrite

    def give_back(self, node: ast.Return, rewrite: Rewrite) -> None:
        """Leave the function."""
        if node.value is not None:
            self.evaluate(node.value, rewrite)
            self.note_given(node.value)
        self.exits.append((node, self.now.copy()))
        self.links = None

    def hold_defaults(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        """A function holds what its parameters have as defaults."""
        for value in defaults_of(node.args).values() if not isinstance(node, ast.ClassDef) else ():
            for path, _ in origins(self.unit, self.known, value):
                self.now.add((node.name,), path, Link("may", node))

    def branches(self, bodies: list[list[ast.stmt]]) -> None:
        """Walk alternatives; a single one may not be taken at all."""
        start, ends = self.now, []
        for body in bodies:
            self.links = start.copy()
            self.body(body)
            ends.append(self.links)
        if len(bodies) == 1:
            ends.append(start)
        self.links = _joined(ends)

    def loop(self, node: ast.For | ast.AsyncFor | ast.While, rewrite: Rewrite) -> None:
        """Walk a loop until nothing new is linked."""
        iterators, items = list[Path](), list[tuple[ast.expr, Path]]()
        rows, gathered = list[Row](), list[Gathered]()
        if not isinstance(node, ast.While):
            self.evaluate(node.iter, rewrite)
            if not self.stores_in_loop(node):
                self.refuse_stores(node.target, rewrite)
            gathered = self.gather_places(node, rewrite)
            items = self.items_of_places(node, gathered, rewrite)
            items = items or self.items_of_dict(node, rewrite) or self.items_of_lists(node, rewrite)
            for position, (path, _) in enumerate([] if items and not gathered else self.iterated(node)):
                iterators.append((f"!{node.lineno}:{node.col_offset}:{position}",))
                self.now.add(iterators[-1], path, Link("may", node.iter))
            rows = [] if gathered else self.note_rows(node, iterators, rewrite)
        stored = self.unit.fresh("value") if self.stores_in_loop(node) else ""
        if stored and isinstance(node, ast.For):
            rewrite.main = flat(f"for {stored} in ", self.unit.span(node.iter))
        kept = self.keep_stores(node, rewrite)
        head = self.now
        for number in range(8):
            self.links = head.copy()
            if isinstance(node, ast.While):
                self.come_to(node)
                self.evaluate(node.test, Rewrite() if number else rewrite)
            self.breaks.append([])
            self.continues.append([])
            if not isinstance(node, ast.While):
                self.bind_turn(node, rows, items, stored)
            self.body(node.body)
            back = _joined([self.links, *self.continues.pop()])
            left = self.breaks.pop()
            new = head if back is None else head.joined(back)
            if new.equals(head):
                break
            head = new
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
        self.links = None if endless else back if _runs(self.unit, node) else head.copy()
        self.body(node.orelse)
        self.links = _joined([self.links, *left])
        for iterator in iterators if self.links is not None else ():
            self.now.rebind(iterator)
        self.store_kept(node, kept)
        self.give_back_places(node, gathered, items)

    def attempt(self, node: ast.Try) -> None:
        """Walk a try statement: a handler may run after any of its statements."""
        seen = [self.now.copy()]
        before = len(self.exits)
        for statement in node.body:
            if self.links is None:
                break
            self.body([statement])
            seen += [self.links.copy()] if self.links is not None else []
        self.body(node.orelse)
        ends = [self.links]
        for handler in node.handlers:
            self.links = _joined(list(seen))
            self.body(handler.body)
            ends.append(self.links)
        self.links = _joined(ends)
        if node.finalbody:
            if self.links is None:
                self.links = _joined(list(seen))
                self.body(node.finalbody)
                self.links = None
            else:
                self.body(node.finalbody)
            returned = [one for one, _ in self.exits[before:] if isinstance(one, ast.Return) and one.value is not None]
            written = [one for one in node.finalbody if one in self.rewrites and self.rewrites[one].main is not None]
            if returned and written:
                raise Refused(written[0], "an array is written to after `return` has taken it", returned[0])

    def assign(self, node: ast.Assign, rewrite: Rewrite) -> None:
        """`a = v`, `a[k] = v`, `a.shape = s`, and several targets."""
        bound = [one for one in map(leaves, node.targets) if all(isinstance(leaf, ast.Name) for leaf in one)]
        names = frozenset(leaf.id for one in bound for leaf in one if isinstance(leaf, ast.Name))
        self.to_be_bound = frozenset() if self.is_caught() else names - self.inner_names - self.names_in_generators
        self.evaluate(node.value, rewrite, whole=node)
        self.to_be_bound = frozenset()
        for target in node.targets:
            self.evaluate_target(target, rewrite)
        stored = [one for target in node.targets for one in leaves(target) if self.is_write(one)]
        if not stored:
            self.bind([(node.targets[0], node.value)])
            first = self.unit.path(node.targets[0])
            for target in node.targets[1:]:
                same = [(first, Link("same", node))] if first and self.unit.may_be_array(node.value) else []
                self.bind_origins(target, same or origins(self.unit, self.known, node.value))
            return
        if self.put_kept(node, stored, rewrite):
            return
        self.check_places(node, stored, rewrite)
        if len(node.targets) == 1 and stored == [node.targets[0]]:
            value = rewrite.inside.get(node.value) or self.unit.value_parts(node.value)
            if rewrite.after or self.is_run_first(stored[0]):
                name = self.unit.fresh("value")
                rewrite.before += [flat(f"{name} = ", self.unit.line_parts(node.value)), *rewrite.after]
                rewrite.after, value, self.run_here = [], (name,), set()
            self.put(stored[0], value, rewrite, node.value)
            return
        self.put_all(node, rewrite)

    def augment(self, node: ast.AugAssign, rewrite: Rewrite) -> None:
        """`a[k] += v`, and `a += v` on an array that others hold or that NumPy would not promote."""
        self.operate(node, rewrite)
        kinds = {self.unit.value(one).kind for one in (node.target, node.value)}
        if kinds & {"list", "dict", "set", "tuple"} and "array" not in kinds:  # `xs += [b]` is `xs.extend([b])`
            holder = self.unit.path(node.target) or ESCAPED
            for path, _ in origins(self.unit, self.known, node.value):
                self.now.add(path, holder, Link("may", node))
        if isinstance(node.target, ast.Name):
            self.lose_items(node.target.id)
            self.now.forget_key(node.target.id)
        elif isinstance(node.target, ast.Attribute) and not self.unit.value(node.target).is_array:
            self.now.forget_attribute(node.target.attr)

    def operate(self, node: ast.AugAssign, rewrite: Rewrite) -> None:
        """Write to the target of an operation in place, where that is an array for others to see."""
        self.evaluate_target(node.target, rewrite)
        self.evaluate(node.value, rewrite)
        target = self.unit.path(node.target)
        if target is not None and self.is_in_tuple(target):
            raise Refused(node, "an operation in place on an item of a tuple, which then raises")
        if isinstance(node.target, ast.Subscript) and self.is_write(node.target):
            self.check_places(node, [node.target], rewrite)
            write = augmented_store(self.unit, node)
            if self.breaks and self.is_element(node.target):
                self.element_stores[node.target] = False
        else:
            found = next(((one, sure) for one, _, sure in writes(self.unit.summary, node) if one is node.target), None)
            path = target
            if path is None and found is not None and found[1] and is_part(node.target, self.unit.qualified):
                lines = self.apply(augmented(self.unit, node))
                rewrite.main, rewrite.after = lines[0], lines[1:]
                return
            if path is None:
                return
            others = self.now.exact(path) or self.now.possible({path})
            made = len(path) == 1 and self.unit.is_made_array(path[0])
            by_use = made or (len(path) == 1 and (self.unit.is_array_by_use(path[0]) or self.is_for_others(path)))
            is_array = self.unit.value(node.target).is_array or (
                by_use and self.unit.value(node.target).kind == "unknown"
            )
            if not (found is not None and found[1]) and not (others and is_array):
                return
            value = self.unit.value(node.target)
            if value.is_number and not self.unit.may_be_array(node.target):
                return  # a number: NumPy binds it anew as well
            may_be_number = not self.unit.rank(node.target) and not (value.has_axes or (value.is_object and value.sure))
            unsure = bool(others) and may_be_number and self.is_shared(path)
            item = unsure and self.whole_of(path) is not None
            if unsure and not self.is_row_or_number(path) and (item or not by_use):
                self.guessing = self.is_only_callers(path)
                if not self.guessing:
                    raise Refused(node, f"`{text_of(path)}` may be an array, which others hold, or a number")
            self.check_places(node, [node.target], rewrite)
            write = augmented(self.unit, node, item=item)
        self.row = self.row_at(node.target)
        lines = self.apply(write)
        self.guessing, self.row = False, ""
        rewrite.main, rewrite.after = lines[0], lines[1:]

    def is_row_or_number(self, path: Path) -> bool:
        """Whether a place holds a row of a known array or a number, which no other name has: that would keep it."""
        named = any(self.is_live(one) for one in self.now.same(path) if one != path)
        return self.whole_of(path) is not None and not named

    def is_for_others(self, path: Path) -> bool:
        """Whether a parameter is not read after this statement: an operation in place on it is there for the caller."""
        function = self.unit.function
        if function is None or path[0] not in function.parameters or self.is_live(path):
            return False
        return not any(isinstance(one, ast.Return) and one.value is not None for one in function.nodes)

    def refuse_stores(self, target: ast.expr, rewrite: Rewrite) -> None:
        """Refuse what a loop, a with statement or an annotated assignment stores into an array."""
        for one in leaves(target):
            self.evaluate_target(one, rewrite)
            if self.is_write(one):
                raise Refused(one, "an array is stored into by the target of no plain assignment")


def _runs(unit: Unit, node: ast.stmt) -> bool:
    """Whether a loop surely comes to its body: it goes over what is written out, or a range of so many numbers."""
    given = node.iter if isinstance(node, ast.For) else None
    if isinstance(given, ast.List | ast.Tuple):
        return any(not isinstance(one, ast.Starred) for one in given.elts)
    if not isinstance(given, ast.Call) or not isinstance(given.func, ast.Name) or given.func.id != "range":
        return False
    stop = given.args[0] if len(given.args) == 1 and unit.scope.owner("range") is None else None
    return isinstance(stop, ast.Constant) and isinstance(stop.value, int) and stop.value > 0


def _joined(ends: Sequence[Links | None]) -> Links | None:
    found: Links | None = None
    for end in ends:
        if end is not None:
            found = end if found is None else found.joined(end)
    return found
