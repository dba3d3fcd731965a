"""Every name that the tool put in is bound where it is read, in the order in which the module runs.

Input: the user's text `x = f(v)` and the new text `x = tnh.f(v)` with `import _tnp_helpers as tnh` below it. Output: an
error that names `tnh` and its line. What the user's own text reads too early is not the tool's to say.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import sys
from collections.abc import Collection, Iterable, Iterator

from tnp_migrate.program.nodes import children, walk
from tnp_migrate.program.scopes import Scopes, collect_scopes
from tnp_migrate.text.source import Source, SourceError

_ALWAYS = frozenset(dir(builtins)) | {"__file__", "__path__", "__class__", "__annotations__"}
# A name, and whether a function reads it: that may run as soon as it is defined, or after the module.
Unbound = tuple[str, bool]
Found = list[tuple[ast.expr, Unbound]]


def check_names(before: Source, known: Scopes, after: Source) -> None:
    """Raise `SourceError` TNP920 where the new text reads a name that it has not bound. `known` are the old scopes."""
    scopes = collect_scopes(after.tree)
    written = {name for name, uses in scopes.uses.items() if len(uses) > len(known.uses.get(name, ()))}
    found = [*_nowhere(scopes, known.uses), *_too_early(scopes, written)]
    if not found:
        return
    theirs = {what for _, what in (*_nowhere(known, known.uses), *_too_early(known, written))}
    wrong = [(node, name) for node, (name, inside) in found if (name, inside) not in theirs]
    if wrong:
        node, name = min(wrong, key=lambda one: _place(one[0]))
        text = after.lines[node.lineno - 1].strip()
        message = f"left as it was: `{name}` would not be bound where the new text reads it, in `{text}`"
        raise SourceError("TNP920", message, _line_before(before, after, node.lineno))


def _line_before(before: Source, after: Source, line: int) -> int:
    """The line of the old text that a line of the new one was, or that it is most like."""
    wanted = after.lines[line - 1]
    for tag, first, last, start, end in difflib.SequenceMatcher(None, before.lines, after.lines, False).get_opcodes():
        if start <= line - 1 < end and tag == "equal":
            return first + line - start
        if start <= line - 1 < end and first < last:
            likeness = [difflib.SequenceMatcher(None, one, wanted).ratio() for one in before.lines[first:last]]
            return first + likeness.index(max(likeness)) + 1
    return 1


def _nowhere(scopes: Scopes, users: Collection[str]) -> Found:
    """Names that no scope binds. A star import may bind any of the user's own, `users`."""
    starred = any(alias.name == "*" for node, _ in scopes.imports for alias in node.names)
    found: Found = []
    for name, uses in scopes.uses.items():
        if name not in _ALWAYS and not (starred and name in users):
            found += [(use.root, (name, False)) for use in uses if use.scope.owner(name) is None]
    return found


def _too_early(scopes: Scopes, names: Iterable[str]) -> Found:
    """Reads of the module's names before these are bound on every way there, or in functions defined before."""
    module = scopes.module
    own = [name for name in names if name in module.bound and not _is_plain(scopes, name)]
    reads: dict[ast.AST, str] = {}
    for name in own:
        reads |= {use.root: name for use in scopes.uses.get(name, ()) if use.scope.owner(name) is module}
        # `x *= 2` reads what it binds
        reads |= {node: name for node in module.bound[name] if isinstance(scopes.parent.get(node), ast.AugAssign)}
    assert isinstance(module.node, ast.Module)
    order = _Order(reads, {node: name for name in own for node in module.bound[name]})
    last = order.run(module.node.body, set()) if reads else None
    if last is not None:  # functions run after the module as well
        order.found += [(node, (name, True)) for node, name in order.later if name not in last]
    return order.found


def _is_plain(scopes: Scopes, name: str) -> bool:
    """Whether only imports bind a name, the first one on its way for sure and above all that reads the name."""
    return is_imported_first(scopes, name) and all(isinstance(one, ast.alias) for one in scopes.module.bound[name])


def is_imported_first(scopes: Scopes, name: str) -> bool:
    """Whether an import among the module's own statements binds a name above all that reads it."""
    first = _import_of(scopes, name)
    return first is not None and scopes.parent.get(first) is scopes.module.node and is_imported_above(scopes, name)


def is_imported_above(scopes: Scopes, name: str) -> bool:
    """Whether an import, in a `try` perhaps, binds a name above all that reads it."""
    first = _import_of(scopes, name)
    return first is not None and all(_place(use.root) > _place(first) for use in scopes.uses.get(name, ()))


def _import_of(scopes: Scopes, name: str) -> ast.Import | ast.ImportFrom | None:
    """The import that first binds a name of the module, if it is no matter of a condition."""
    first = scopes.parent.get(scopes.module.bound[name][0])
    runs = isinstance(scopes.parent.get(first), ast.Module | ast.Try) if first is not None else False
    return first if runs and isinstance(first, ast.Import | ast.ImportFrom) else None


def name_above(scopes: Scopes, named: Iterable[str], node: ast.AST) -> str | None:
    """The first of some names that an import binds above a function, or above what a module writes to first."""
    if isinstance(node, ast.Module):
        limit = min((_place(one) for one in _writes_of(node)), default=(sys.maxsize, 0))
    else:
        limit = _place(node)  # type: ignore[arg-type]
    for name in named:
        first = _import_of(scopes, name)
        if first is not None and _place(first) < limit:
            return name
    return None


def _writes_of(module: ast.Module) -> Iterator[ast.stmt | ast.expr]:
    """What may write to arrays among a module's own statements: `x[0] = 1`, `x += 1`, `x.sort()`."""
    pending: list[ast.AST] = [*module.body]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        stored = isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
        if (
            stored
            or isinstance(node, ast.AugAssign)
            or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
        ):
            yield node  # type: ignore[misc]
        pending += children(node)


def _place(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset


class _Order:
    """One walk along a module as it runs, with the names that are bound so far on every way."""

    def __init__(self, reads: dict[ast.AST, str], binds: dict[ast.AST, str]) -> None:
        self.reads, self.binds = reads, binds
        self.found: Found = []
        self.later: list[tuple[ast.expr, str]] = []

    def run(self, body: Iterable[ast.stmt], bound: set[str]) -> set[str] | None:
        """What is bound after statements; None where they end in `raise` or the like."""
        now: set[str] | None = bound
        for statement in body:
            if now is None:
                break
            now = self._statement(statement, now)
        return now

    def _statement(self, node: ast.stmt, bound: set[str]) -> set[str] | None:
        if isinstance(node, ast.If):
            self._reads(node.test, bound)
            return _joined([self.run(node.body, set(bound)), self.run(node.orelse, set(bound))])
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            self._reads(node.test if isinstance(node, ast.While) else node.iter, bound)
            inside = set(bound)
            if not isinstance(node, ast.While):
                self._reads(node.target, inside)
            self.run(node.body, inside)
            return self.run(node.orelse, bound - self._deleted(node.body))
        if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            return self._try(node, bound)  # type: ignore[arg-type]  # TryStar has the same parts
        if isinstance(node, ast.With | ast.AsyncWith):
            self._reads_all(node.items, bound)
            after = self.run(node.body, set(bound))
            swallows = any("suppress" in ast.dump(one.context_expr) for one in node.items)
            return _joined([after, bound - self._deleted(node.body)]) if swallows else after
        if isinstance(node, ast.Match):
            self._reads(node.subject, bound)
            return _joined([self._case(one, set(bound)) for one in node.cases] + [bound])
        return self._simple(node, bound)

    def _simple(self, node: ast.stmt, bound: set[str]) -> set[str] | None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            heads = [*node.decorator_list, *(node.bases if isinstance(node, ast.ClassDef) else [node.args])]
            self._reads_all(heads, bound)
            if isinstance(node, ast.ClassDef):
                self._reads_all(node.keywords, bound)
                self.run(node.body, set(bound))
            else:
                self._reads_all([*node.body, *filter(None, [node.returns])], bound, inside=True)
            self._bind(node, bound)
            return bound
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and node.value is not None:
            self._reads(node.value, bound)
            parts = [one for one in children(node) if one is not node.value]
            self._reads_all(parts, bound)
            return bound
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                self._bind(alias, bound)
            return bound
        self._reads(node, bound)
        return None if isinstance(node, ast.Raise | ast.Return | ast.Break | ast.Continue) else bound

    def _try(self, node: ast.Try, bound: set[str]) -> set[str] | None:
        least = bound - self._deleted(node.body)
        after = self.run(node.body, set(bound))
        ends = [None if after is None else self.run(node.orelse, after)]
        for handler in node.handlers:
            if handler.type is not None:
                self._reads(handler.type, set(least))
            ends.append(self.run(handler.body, set(least)))
        joined = _joined(ends)
        if not node.finalbody:
            return joined
        last = self.run(node.finalbody, set(least))
        return None if joined is None or last is None else (joined - self._deleted(node.finalbody)) | last

    def _case(self, node: ast.match_case, bound: set[str]) -> set[str] | None:
        self._reads_all([node.pattern, *filter(None, [node.guard])], bound)
        return self.run(node.body, bound)

    def _reads_all(self, nodes: Iterable[ast.AST], bound: set[str], *, inside: bool = False) -> None:
        for node in nodes:
            self._reads(node, bound, inside=inside)

    def _reads(self, node: ast.AST, bound: set[str], *, inside: bool = False) -> None:
        """Check an expression, or all of a function, which binds nothing of the module for sure."""
        name = self.reads.get(node) if isinstance(node, ast.Name) else None
        if name is not None and name not in bound:
            assert isinstance(node, ast.Name)
            self.found.append((node, (name, inside)))
        elif name is not None and inside:
            assert isinstance(node, ast.Name)
            self.later.append((node, name))
        inside = inside or isinstance(node, ast.Lambda)
        for child in children(node):
            self._reads(child, bound, inside=inside)
        if not inside:
            self._bind(node, bound)

    def _bind(self, node: ast.AST, bound: set[str]) -> None:
        if node not in self.binds:
            return
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
            bound.discard(self.binds[node])
        else:
            bound.add(self.binds[node])

    def _deleted(self, body: Iterable[ast.stmt]) -> set[str]:
        return {name for statement in body for name in self._deletes(statement)}

    def _deletes(self, statement: ast.stmt) -> Iterator[str]:
        for node in walk(statement):
            if node in self.binds and isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
                yield self.binds[node]


def _joined(ends: Iterable[set[str] | None]) -> set[str] | None:
    """What is bound whichever way was taken."""
    reached = [one for one in ends if one is not None]
    return set.intersection(*reached) if reached else None
