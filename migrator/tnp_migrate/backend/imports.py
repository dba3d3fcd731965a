"""Imports after a file's names have moved: new ones placed once, NumPy's removed where nothing is left of them.

Input: the rewritten text with its old imports. Output: edits of it. `import numpy as np` that is still read stays.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable

from tnp_migrate.program.names import Names, is_numpy, listed_names
from tnp_migrate.program.scopes import Scopes
from tnp_migrate.text.cells import has_cells
from tnp_migrate.text.source import Edit, Source, Span


def edit_imports(
    source: Source, names: Names, added: list[str], *, exported: Iterable[str], before: Names
) -> list[Edit]:
    """Give the edits of import statements. `added` are new lines, `exported` names that other modules import."""
    keep = set(exported) | listed_names(source.tree)
    edits: list[Edit] = []
    last: ast.stmt | None = None
    replaced = False
    limit = _first_reader(names.scopes, source.tree, added)
    for node, scope in names.scopes.imports:
        if not _imports_numpy(names, node):
            continue
        top = names.scopes.parent.get(node) is source.tree and _place(node) < limit
        unused = [
            alias for alias in node.names if _is_unused(names, scope, alias, keep) and _was_used(before, node, alias)
        ]
        whole = len(unused) == len(node.names)
        lines = added if top and not replaced and _is_first(names, node, source.tree) else []
        if unused and whole and _may_go(names.scopes, node):
            edits.append(_replace(source, node, lines))
            replaced = replaced or bool(lines)
        elif unused and not whole:
            edits.append(Edit(source.span(node), _without(source.text(source.span(node)), unused)))
        if top and not (whole and unused):
            last = node
    if added and not replaced:
        edits.append(_insert(source, last, added, limit))
    return edits


def _first_reader(scopes: Scopes, tree: ast.Module, added: list[str]) -> tuple[int, int]:
    """Where the first of the module's statements stands that reads what new lines bind, itself or in a function."""
    imported = [one for one in ast.walk(ast.parse("\n".join(added))) if isinstance(one, ast.alias)]
    reading = {
        ([node for node in (use.root, *scopes.ancestors(use.root)) if isinstance(node, ast.stmt)])[-1]
        for alias in imported
        for use in scopes.uses.get(alias.asname or alias.name, ())
    }
    first = next((one for one in tree.body if one in reading), None)
    return min(map(_place, [first, *getattr(first, "decorator_list", [])])) if first is not None else (sys.maxsize, 0)


def _place(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _imports_numpy(names: Names, node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.Import):
        return any(is_numpy(alias.name) for alias in node.names)
    module = names.absolute(node)
    return is_numpy(module) or any(names.passed_on(module, alias.name) for alias in node.names)


def _is_unused(names: Names, scope, alias: ast.alias, keep: set[str]) -> bool:  # type: ignore[no-untyped-def]  # noqa: ANN001
    if alias.name == "*" or scope.kind == "class":  # whose names are attributes
        return False
    bound = alias.asname or alias.name.split(".")[0]
    if bound in keep or not _stands_for_numpy(names, alias):
        return False
    owner = scope.owner(bound)  # the module, where a function declares the name `global`
    return not any(use.scope.owner(bound) is owner for use in names.scopes.uses.get(bound, ()))


def _stands_for_numpy(names: Names, alias: ast.alias) -> bool:
    above = names.scopes.parent[alias]
    if isinstance(above, ast.Import):
        return is_numpy(alias.name)
    assert isinstance(above, ast.ImportFrom)
    module = names.absolute(above)
    return is_numpy(module) or names.passed_on(module, alias.name) is not None


def _was_used(before: Names, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
    """Whether the original read the name: an import that nothing read is there for others."""
    bound = alias.asname or alias.name.split(".")[0]
    if isinstance(node, ast.Import) and not alias.asname and "." in alias.name:
        return True
    quoted = any(bound in reference.name or reference.context == "annotation" for reference in before.references)
    return bool(before.scopes.uses.get(bound)) or quoted


def _is_first(names: Names, node: ast.stmt, tree: ast.Module) -> bool:
    tops = [
        one for one, _ in names.scopes.imports if _imports_numpy(names, one) and names.scopes.parent.get(one) is tree
    ]
    return bool(tops) and tops[0] is node


def _may_go(scopes: Scopes, node: ast.stmt) -> bool:
    """Whether a block stays whole without the statement."""
    above = scopes.parent.get(node)
    if isinstance(above, ast.Try) or type(above).__name__ == "TryStar":
        return False
    blocks = [getattr(above, name, None) for name in ("body", "orelse", "finalbody")]
    return isinstance(above, ast.Module) or all(not (isinstance(block, list) and block == [node]) for block in blocks)


def _in_one_line(lines: list[str]) -> list[str]:
    """The statements without a `try` and its other way, which cannot stand before a semicolon."""
    end = lines.index("try:") if "try:" in lines else len(lines)
    return [*lines[:end], *(line.strip() for line in lines[end + 1 : end + 2])]


def _replace(source: Source, node: ast.stmt, lines: list[str]) -> Edit:
    span = source.span(node)
    if lines:
        rest = source.text(Span(span.end, _line_end(source, node)))
        if rest.lstrip().startswith(";"):
            return Edit(span, "; ".join(line.partition("  #")[0] for line in _in_one_line(lines)))
        return Edit(span, source.newline.join(lines))
    start = source.line_starts[node.lineno - 1]
    following = _line_end(source, node)
    alone = source.text(Span(start, span.start)).strip() == "" and source.text(Span(span.end, following)).strip() == ""
    if alone:
        return Edit(Span(start, following), "")
    after = source.text(Span(span.end, following))
    if after.lstrip().startswith("#"):  # the comment stays, on a line of its own
        return Edit(Span(span.start, span.end + len(after) - len(after.lstrip())), "")
    if after.lstrip().startswith(";"):
        extra = len(after) - len(after.lstrip()) + 1
        extra += len(after[extra:]) - len(after[extra:].lstrip(" \t"))
        return Edit(Span(span.start, span.end + extra), "")
    return Edit(span, "pass")


def _line_end(source: Source, node: ast.stmt) -> int:
    """The byte after the line on which a statement ends."""
    line = node.end_lineno or node.lineno
    return source.line_starts[line] if line < len(source.line_starts) else len(source.body)


def _without(text: str, unused: list[ast.alias]) -> str:
    """Take names out of an import statement; LibCST keeps its comments and layout."""
    import libcst  # only where an import loses a part: it costs 0.2 s to load  # noqa: PLC0415

    gone = {(alias.name, alias.asname) for alias in unused}
    statement = libcst.parse_statement(text)
    assert isinstance(statement, libcst.SimpleStatementLine)
    small = statement.body[0]
    assert isinstance(small, libcst.Import | libcst.ImportFrom)
    assert not isinstance(small.names, libcst.ImportStar)
    kept = [one for one in small.names if (one.evaluated_name, one.evaluated_alias) not in gone]
    parenthesised = isinstance(small, libcst.ImportFrom) and small.lpar is not None
    if not parenthesised or not isinstance(kept[-1].comma, libcst.Comma):
        kept[-1] = kept[-1].with_changes(comma=libcst.MaybeSentinel.DEFAULT)
    changed = statement.with_changes(body=[small.with_changes(names=kept)])
    return libcst.Module([]).code_for_node(changed).rstrip("\r\n")


def _insert(source: Source, after: ast.stmt | None, lines: list[str], limit: tuple[int, int]) -> Edit:
    """Put lines below a statement, or below the imports, in any case above the place `limit`."""
    tree = source.tree
    if after is None:
        imports = [one for one in tree.body if isinstance(one, ast.Import | ast.ImportFrom) and _place(one) < limit]
        docstring = tree.body and isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Constant)
        after = imports[-1] if imports else tree.body[0] if docstring else None
    text = source.newline.join(lines) + source.newline
    if after is None:
        start = above_the_first(source) if has_cells(source.body) else _after_comments(source)
        defines = bool(tree.body) and isinstance(tree.body[0], ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        blank = source.newline * 2 if defines else ""
        return Edit(Span(start, start), text + blank)
    line = after.end_lineno or after.lineno
    if any(one.lineno <= line <= (one.end_lineno or 0) for one in tree.body if one is not after):
        start = source.line_starts[after.lineno - 1]  # other statements share its line and may need the names
        return Edit(Span(start, start), text)
    if line < len(source.line_starts):
        end = source.line_starts[line]
        return Edit(Span(end, end), text)
    return Edit(Span(len(source.body), len(source.body)), source.newline + text)


def above_the_first(source: Source) -> int:
    """Above the first statement of a module that is written in cells, where it does something: in a cell of code."""
    for one in source.tree.body:
        if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Name)):  # a magic, which may begin its cell
            line: int = min(node.lineno for node in (one, *getattr(one, "decorator_list", [])))
            return source.line_starts[line - 1]
    return len(source.body)


def _after_comments(source: Source) -> int:
    """Below the shebang and the encoding line."""
    line = 0
    while line < min(2, len(source.lines)) and source.lines[line].startswith("#"):
        line += 1
    return source.line_starts[line] if line < len(source.line_starts) else len(source.body)
