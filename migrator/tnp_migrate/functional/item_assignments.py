"""Assignments to items of arrays: one store, or several with the values that NumPy has taken before the first."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from tnp_migrate.functional.access_paths import ESCAPED, Path, is_repeatable
from tnp_migrate.functional.alias_graph import Link, Links
from tnp_migrate.functional.expression_calls import Evaluation, Rewrite, leaves
from tnp_migrate.functional.points_to import origins
from tnp_migrate.functional.row_loops import row_of
from tnp_migrate.functional.store_forms import Write, attribute_store, listed, store, swap
from tnp_migrate.functional.text_parts import Parts, flat
from tnp_migrate.functional.unit import Refused

Taken = tuple[ast.expr, Parts, ast.expr, bool]  # a target, its value, where this comes from, whether it is read late


@dataclass(eq=False)
class Targets(Evaluation):
    """The evaluation of expressions, with what is stored in targets."""

    breaks: list[list[Links]] = field(default_factory=list)

    def put(self, target: ast.expr, value: Parts, rewrite: Rewrite, given: ast.expr | None) -> None:
        """Store one value. `given` is the expression that it comes from, where it is a view of something."""
        if isinstance(target, ast.Attribute):
            write = attribute_store(self.unit, target, value, given)
        else:
            assert isinstance(target, ast.Subscript)
            write = store(self.unit, target, value, given)
            self.check_overlap(write)
        if self.breaks and isinstance(target, ast.Subscript) and self.is_element(target):
            self.element_stores[target] = False
        self.row = self.row_at(target)
        lines = self.apply(write)
        self.row = ""
        if rewrite.main is None:
            rewrite.main, rewrite.after = lines[0], [*lines[1:], *rewrite.after]
        else:
            rewrite.after += lines

    def check_overlap(self, write: Write) -> None:
        """`a[a > 0] = a[::-1]` reads elements that it has just written, in NumPy's own order."""
        if write.apart is not None and self.overlap(write.target, write.apart):
            raise Refused(write.node, "what is stored by a mask is a view of the array itself")

    def put_all(self, node: ast.Assign, rewrite: Rewrite) -> None:
        """`a[i], b[j] = x, y` and `a[i] = b[j] = x`: the values first, then one store after the other."""
        nested = [one for one in node.targets if isinstance(one, ast.Tuple | ast.List)]
        pairs: list[Taken]
        if nested and len(node.targets) == 1:
            swapped = swap(self.unit, node)
            if swapped is not None:
                lines = self.apply(swapped)
                rewrite.main, rewrite.after = lines[0], [*lines[1:], *rewrite.after]
                return
            pairs = self.take(node, nested[0], rewrite)
        else:
            if nested:
                raise Refused(node, "an item assignment beside a nested target")
            late = self.reads_late(node, node.targets[:-1], node.targets[-1], node.value)
            plain = late or _is_number(node.value)
            repeated = plain and all(self.is_write(target) for target in node.targets)
            if late and not repeated:
                raise Refused(node, _may_be_read(node.value))
            name = ast.unparse(node.value) if repeated else self.unit.fresh("value")
            rewrite.main = None if repeated else flat(f"{name} = ", self.unit.line_parts(node.value))
            pairs = [(target, (name,), node.value, late) for target in node.targets]
        for position, (target, value, source, _) in enumerate(pairs):
            left = [part for to, _, one, is_late in pairs[position + 1 :] for part in ([to, one] if is_late else [to])]
            names = (one for part in left for one in ast.walk(part) if isinstance(one, ast.Name))
            self.still_read = frozenset(one.id for one in names)
            if self.is_write(target):
                self.put(target, value, rewrite, source)
            else:
                rewrite.after.append(flat(self.unit.span(target), " = ", value))
                found = origins(self.unit, self.known, source)
                self.bind_origins(
                    target, [(path, Link("may", node)) for path, _ in found] if source is node.value else found
                )

    def take(self, node: ast.Assign, target: ast.expr, rewrite: Rewrite) -> list[Taken]:
        """The targets inside one, each with its value: values are taken first, but for views of what is written."""
        found = leaves(target)
        given = list(node.value.elts) if isinstance(node.value, ast.Tuple | ast.List) else []
        flatly = isinstance(target, ast.Tuple | ast.List) and found == target.elts and len(given) == len(found)
        if not flatly or any(isinstance(one, ast.Starred) for one in given):
            self.check_apart(node, found)
            names = [self.unit.fresh("value") for _ in found]
            rewrite.main = flat(_with_leaves(target, iter(names)), " = ", self.shown(node))
            return [(leaf, (name,), node.value, False) for leaf, name in zip(found, names, strict=True)]
        late = [self.reads_late(node, found[:position], found[position], one) for position, one in enumerate(given)]
        first = [value for value, is_late in zip(given, late, strict=True) if not is_late]
        names = [self.unit.fresh("value") for _ in first]
        if first:
            shown = listed([self.unit.value_parts(one) for one in first])
            rewrite.main = flat(", ".join(names), " = ", self.shown(node) if len(first) == len(given) > 1 else shown)
        return [
            (leaf, self.unit.value_parts(value) if is_late else (names.pop(0),), value, is_late)
            for leaf, value, is_late in zip(found, given, late, strict=True)
        ]

    def shown(self, node: ast.Assign) -> Parts:
        """A value as it stands at the end of a line."""
        return (self.unit.span(node.value),) if isinstance(node.value, ast.Tuple) else self.unit.line_parts(node.value)

    def reads_late(self, node: ast.Assign, before: list[ast.expr], target: ast.expr, value: ast.expr) -> bool:
        """Whether a value is a view of what targets before its own write to: NumPy reads it when it is stored.

        False where it shares nothing with what is written till then; refused where it may be a view.
        """
        written = self.written_places(before)
        related = self.related(written)
        found = origins(self.unit, self.known, value)
        if not ({path for path, _ in found} & related) - {ESCAPED}:
            return False
        path, link = found[0]
        names = {one.id for one in ast.walk(value) if isinstance(one, ast.Name)}
        bound = {one.id for one in before if isinstance(one, ast.Name)}
        plain = len(found) == 1 and link.kind in ("view", "same") and is_repeatable(value) and self.is_write(target)
        whole = len(path) == 1 and self.unit.rank(value) != 0
        steady = not names & bound and not any((name,) in related for name in names - {path[0]})
        if not (plain and whole and steady):
            raise Refused(node, _may_be_read(value))
        return True

    def check_apart(self, node: ast.Assign, targets: list[ast.expr]) -> None:
        """`a[0], a[1] = a[::-1]` reads rows while it writes them: as NumPy does only where they are elements."""
        read = {path for path, _ in origins(self.unit, self.known, node.value)}
        if (read & self.related(self.written_places(targets))) - {ESCAPED}:
            raise Refused(node, _may_be_read(node.value))

    def written_places(self, targets: list[ast.expr]) -> set[Path]:
        """The places that targets of an assignment write to."""
        stored = [one.value for one in targets if isinstance(one, ast.Subscript | ast.Attribute) and self.is_write(one)]
        return {path for one in stored for path, _ in origins(self.unit, self.known, one)}

    def row_at(self, target: ast.expr) -> str:
        """The variable that picks the row of an array which a target is, or is in."""
        return row_of(target) if isinstance(target, ast.Subscript) and self.unit.path(target.value) else ""

    def is_element(self, target: ast.Subscript) -> bool:
        """Whether a store writes one element."""
        parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        rank = self.unit.rank(target.value)
        return all(self.unit.is_integer(part) for part in parts) and (rank is None or rank == len(parts))


def _with_leaves(target: ast.expr, names: Iterator[str], *, outer: bool = True) -> str:
    """A target of an assignment with names for what is assigned to: `value, (*value2, value3)`."""
    if isinstance(target, ast.Starred):
        return f"*{next(names)}"
    if not isinstance(target, ast.Tuple | ast.List):
        return next(names)
    inner = ", ".join([_with_leaves(one, names, outer=False) for one in target.elts])
    inner += "," if len(target.elts) == 1 else ""
    return inner if outer else f"({inner})"


def _may_be_read(value: ast.expr) -> str:
    return f"`{ast.unparse(value)}` may be a view of what is written before it is read"


def _is_number(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)
