"""What a loop binds at each turn: rows of arrays, items of containers, numbers; and what it stores by its target."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tnp_migrate.analysis.argument_binding import passed
from tnp_migrate.analysis.effects import callees
from tnp_migrate.analysis.writes import writes
from tnp_migrate.functional.access_paths import Path, text_of
from tnp_migrate.functional.alias_graph import Link
from tnp_migrate.functional.element_loops import ElementLoops
from tnp_migrate.functional.expression_calls import Rewrite, leaves
from tnp_migrate.functional.points_to import Origin, origins
from tnp_migrate.functional.row_loops import is_array, lists_of, rows_of, writes_ahead
from tnp_migrate.functional.store_forms import store
from tnp_migrate.functional.text_parts import flat
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.nodes import walk

_WALKS = {"items": 2, "values": 1}  # with how many variables a loop has for them
Row = tuple[ast.expr, list[Origin], str]  # a loop's variable, the row that it takes, the counter


@dataclass(eq=False)
class Turns(ElementLoops):
    """The loops of a walk, turn by turn."""

    in_bodies: dict[ast.For | ast.AsyncFor, list[str]] = field(default_factory=dict)  # lines that bodies begin with
    # Of loops over places, what their other variables may share.
    apart: dict[ast.stmt, dict[ast.expr, list[Origin]]] = field(default_factory=dict)

    def bind_targets(
        self, node: ast.For | ast.AsyncFor, rows: list[Row], items: list[tuple[ast.expr, Path]], stored: str
    ) -> None:
        """Bind what a loop binds at each turn: to rows, to items of containers, or to what may share with these."""
        given = [(path, Link("may", node)) for path, _ in self.iterated(node)]
        self.live_inside = self.liveness.inside[node] | self.liveness.always
        for counter in sorted({counter for *_, counter in rows} | {path[-1][1:-1] for _, path in items}):
            self.rebind((counter,))
        views = {leaf: found for leaf, found, _ in rows}
        views |= {leaf: [(path, Link("same", node))] for leaf, path in items}
        if stored:
            self.store_in_loop(node, stored)
        for leaf in () if stored else leaves(node.target) if views else [node.target]:
            shares = not items and self.unit.may_be_array(leaf)
            self.bind_origins(leaf, views.get(leaf, given if shares else []))
        self.live_inside = None

    def iterated(self, node: ast.For | ast.AsyncFor) -> list[Origin]:
        """Whose memory a loop's variable may share: of a dict it only gets the keys."""
        if node in self.apart:
            return [one for found in self.apart[node].values() for one in found]
        keys = self.unit.value(node.iter).kind == "dict"
        return [] if keys else origins(self.unit, self.known, node.iter)

    def items_of_dict(self, node: ast.For | ast.AsyncFor, rewrite: Rewrite) -> list[tuple[ast.expr, Path]]:
        """The variable of `for name, value in params.items()` that is `params[name]`.

        A loop over `params.values()` that writes to them is given the key.
        """
        call, target = node.iter, node.target
        method = call.func if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
        if method is None or method.attr not in _WALKS or self.unit.value(method.value).kind != "dict":
            return []
        path, names = self.unit.path(method.value), [one for one in leaves(target) if isinstance(one, ast.Name)]
        if path is None or len(names) != len(leaves(target)) or len(names) != _WALKS[method.attr]:
            return []
        if method.attr == "items":
            return [(names[1], (*path, f"[{names[0].id}]"))]
        if not self.is_written(names[0].id, node) and not self.is_given_back(names[0].id, node):
            return []
        key, span = self.unit.fresh("key"), self.unit.span
        rewrite.main = flat("for ", key, ", ", span(target), " in ", span(method.value), ".items()")
        return [(names[0], (*path, f"[{key}]"))]

    def items_of_lists(self, node: ast.For | ast.AsyncFor, rewrite: Rewrite) -> list[tuple[ast.expr, Path]]:
        """The variable of `for x in xs` that is `xs[i]`: a loop that writes to it is given a counter."""
        pairs, counter = lists_of(self.unit, node) or ([], None)
        if not any(self.is_written(leaf.id, node) or self.is_given_back(leaf.id, node) for leaf, _ in pairs):
            return []
        if counter is None:
            counter = self.unit.fresh("i")
            self.count_turns(node, counter, rewrite)
        return [(leaf, (*path, f"[{counter}]")) for leaf, path in pairs]

    def count_turns(self, node: ast.For | ast.AsyncFor, counter: str, rewrite: Rewrite) -> None:
        """Give a loop a counter."""
        target = (self.unit.span(node.target),)
        shown = flat("(", *target, ")") if isinstance(node.target, ast.Tuple) else target
        rewrite.main = flat("for ", counter, ", ", shown, " in enumerate(", self.unit.span(node.iter), ")")

    def is_given_back(self, name: str, loop: ast.For | ast.AsyncFor) -> bool:
        """Whether a loop's body passes a variable to a function that writes to it."""
        calls = (one for statement in loop.body for one in ast.walk(statement) if isinstance(one, ast.Call))
        for call in calls:
            for function in callees(self.unit.module, self.unit.index, call):
                convention = self.known.conventions.get(function)
                for parameter, argument in passed(self.unit.module, function, call) if convention is not None else ():
                    is_it = isinstance(argument, ast.Name) and argument.id == name
                    written = set(convention.parameters) - convention.alike if convention is not None else ()
                    if is_it and parameter in written:
                        return True
        return False

    def stores_in_loop(self, node: ast.stmt) -> bool:
        """Whether a loop stores into an array by its target: `for a[0] in x`."""
        return isinstance(node, ast.For) and isinstance(node.target, ast.Subscript) and self.is_write(node.target)

    def store_in_loop(self, node: ast.For | ast.AsyncFor, value: str) -> None:
        """Store what a loop takes, on the first lines of its body."""
        assert isinstance(node.target, ast.Subscript)
        self.statement = node
        self.evaluate_target(node.target, Rewrite())
        lines = self.apply(store(self.unit, node.target, (value,), node.iter))
        text = self.unit.module.source.text
        self.in_bodies[node] = ["".join(one if isinstance(one, str) else text(one) for one in line) for line in lines]

    def note_rows(self, node: ast.For | ast.AsyncFor, iterators: list[Path], rewrite: Rewrite) -> list[Row]:
        """The rows that a loop goes over: views, which a counter names. A loop that writes to them is given one.

        An iterator has read row `i`, and none below it, when row `i` is stored.
        """
        found = rows_of(self.unit, node)
        if found is None:
            return []
        pairs, counter = found
        array = self.goes_ahead(node, counter)
        if array is None and counter is None:
            if not any(self.is_written(leaf.id, node) for leaf, _, kind in pairs if kind):
                return []
            counter = self.unit.fresh("i")
            self.count_turns(node, counter, rewrite)
        elif array is not None:
            counter = counter or self.unit.fresh("i")
            rewrite.main = flat("for ", counter, " in range(len(", self.unit.span(array), "))")
            self.in_bodies[node] = [f"{pairs[0][0].id} = {ast.unparse(array)}[{counter}]"]
            while iterators:
                self.now.rebind(iterators.pop())
        assert counter is not None
        arrays = {path for _, path, _ in pairs}
        for iterator, (path, _) in zip(iterators, self.iterated(node), strict=False):
            self.rows[iterator] = (counter, frozenset(arrays & self.now.same(path)))  # what this one goes over
        texts = ((leaf, path, kind, f"{text_of(path)}[{counter}]") for leaf, path, kind in pairs)
        return [(leaf, [(path, Link(kind, node, text))] if kind else [], counter) for leaf, path, kind, text in texts]

    def goes_ahead(self, node: ast.For | ast.AsyncFor, counter: str | None) -> ast.expr | None:
        """The array that a loop goes over by rows which it writes to before it comes there: its iterator sees that."""
        target, iterated = node.target, node.iter
        if counter is not None and isinstance(iterated, ast.Call) and isinstance(target, ast.Tuple):
            target, iterated = target.elts[1], iterated.args[0]
        plain = isinstance(target, ast.Name) and isinstance(node, ast.For) and self.unit.path(iterated) is not None
        if not plain or self.unit.scope.owner("range") is not None or not is_array(self.unit, iterated):
            return None
        return iterated if writes_ahead(self.unit, node, iterated, counter) else None

    def is_written(self, name: str, loop: ast.For | ast.AsyncFor) -> bool:
        """Whether a loop's body writes to the array of a variable."""
        for statement in loop.body:
            for node in walk(statement):
                for target, _, sure in writes(self.unit.summary, node):
                    if sure and any(isinstance(one, ast.Name) and one.id == name for one in walk(_written(target))):
                        return True
        return False


def _written(target: ast.expr) -> ast.expr:
    """What a write is to: of `b.velocity[0]` the attribute, which `b` is not bound anew for; nothing of it is `b`."""
    node = target
    while isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr in traits.VIEW_ATTRIBUTES):
        node = node.value
    return ast.Constant(None) if isinstance(node, ast.Attribute) else target
