"""Every reference to NumPy in a module: the places that name it, in code and in the text of annotations.

`la.norm(x)` below `from numpy import linalg as la` is a reference `numpy.linalg.norm` at `la.norm`, a call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from tnp_migrate.program.names import Context, Exports, Names, Reference, bind_names, is_module, is_numpy, split_name
from tnp_migrate.program.scopes import Scope, Scopes, Use
from tnp_migrate.text.source import Source, Span


def resolve_names(source: Source, scopes: Scopes, module: str, exports: Mapping[str, Exports], **known: Any) -> Names:
    """Find every reference to NumPy in a module. `exports` says what the project's other modules pass on."""
    names = bind_names(scopes, module, exports, **known)
    find_references(source, names)
    return names


def find_references(source: Source, names: Names) -> None:
    """Note every reference to NumPy."""
    scopes = names.scopes
    references = [found for use in _all_uses(scopes) for found in _references(source, names, use)]
    references += [found for text in _quoted(scopes) for found in _in_string(source, names, *text)]
    names.references = sorted(references, key=lambda reference: reference.span)


def _all_uses(scopes: Scopes) -> Iterator[Use]:
    for uses in scopes.uses.values():
        yield from uses


def _references(source: Source, names: Names, use: Use) -> Iterator[Reference]:
    root = names.root(use.root.id, use.scope)
    root = None if root and names.is_python_still(use.root, use.scope) else root
    qualified = names.onward(".".join([root, *use.attributes])) if root else ""
    if not is_numpy(qualified) and qualified not in names.taught.targets:
        return
    name, rest = split_name(qualified) if is_numpy(qualified) else (qualified, ())
    imported = max(0, len(rest) - len(use.attributes))  # from a module of NumPy's that is nobody else's to know
    name, rest = ".".join([name, *rest[:imported]]), rest[imported:]
    node: ast.expr = use.node
    for _ in rest:
        assert isinstance(node, ast.Attribute)
        node = node.value
    context = _context(names.scopes, node, name)
    above = names.scopes.parent.get(node)
    if context == "getattr" and isinstance(above, ast.Call):
        wanted = above.args[1]
        assert isinstance(wanted, ast.Constant)
        name, _ = split_name(f"{name}.{wanted.value!s}")
        yield Reference(name, source.span(above), above, use.scope, context)
        return
    yield Reference(name, source.span(node), node, use.scope, context, rest)


def _context(scopes: Scopes, node: ast.expr, name: str) -> Context:
    above = scopes.parent.get(node)
    if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return "store"
    if isinstance(above, ast.Call) and above.func is node:
        return "call"
    if is_module(name):
        return "getattr" if _is_constant_getattr(above, node) else "module"
    for annotation in (node, *scopes.ancestors(node)):
        holder = scopes.parent.get(annotation)
        if isinstance(holder, ast.arg) or _annotates(holder, annotation):
            return "annotation"
        if isinstance(annotation, ast.stmt | ast.Call):
            break
    return "value"


def _annotates(holder: ast.AST | None, node: ast.AST) -> bool:
    if isinstance(holder, ast.AnnAssign):
        return holder.annotation is node
    return isinstance(holder, ast.FunctionDef | ast.AsyncFunctionDef) and holder.returns is node


def _is_constant_getattr(call: ast.AST | None, module: ast.expr) -> bool:
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "getattr"
        and len(call.args) == 2  # with a default the program asks whether NumPy has the name
        and call.args[0] is module
        and isinstance(call.args[1], ast.Constant)
        and isinstance(call.args[1].value, str)
        and call.args[1].value.isidentifier()
    )


def _quoted(scopes: Scopes) -> Iterator[tuple[ast.Constant, Scope]]:
    """The strings inside annotations."""
    for annotation, scope in scopes.annotations:
        for node in ast.walk(annotation):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node, scope


def _in_string(source: Source, names: Names, text: ast.Constant, scope: Scope) -> Iterator[Reference]:
    span = source.span(text)
    literal = source.text(span)
    if literal[1:-1] != text.value or not text.value.isascii() or "\n" in text.value:
        return
    try:
        tree = ast.parse(text.value, mode="eval")
    except SyntaxError:
        return
    inner = {child for node in ast.walk(tree) if isinstance(node, ast.Attribute) for child in [node.value]}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name | ast.Attribute) or node in inner:
            continue
        qualified = names.of(node, scope)
        if qualified and is_numpy(qualified):
            start = span.start + 1 + node.col_offset
            name, _ = split_name(qualified)
            yield Reference(name, Span(start, span.start + 1 + (node.end_col_offset or 0)), node, scope, "annotation")
