"""Whether a walk has followed which variables share memory: the heap sees more ways for them to do so than the walk."""

from __future__ import annotations

import ast

from tnp_migrate.analysis.shared_names import Shared, SharedNames
from tnp_migrate.functional.bodies import Body, key_of
from tnp_migrate.functional.flow import Flow
from tnp_migrate.functional.unit import Refused
from tnp_migrate.program.index import Function, Index
from tnp_migrate.program.nodes import walk


def sharing(index: Index, shared: SharedNames) -> list[Body]:
    """The bodies in which variables share memory that is written to."""
    modules: list[Body] = list(index.modules.values())
    bodies = [*modules, *index.functions()] if shared.by_body else []
    return [one for one in bodies if key_of(one) in shared.by_body]


def note_links(body: Body, flow: Flow, shared: SharedNames) -> None:
    """Let a walk note which variables it links, where that is asked of it."""
    flow.ever = set() if key_of(body) in shared.by_body else None


def check_shared(body: Body, flow: Flow, shared: SharedNames) -> None:
    """Refuse a body in which a variable is written to whose memory another has, which the walk took for its own."""
    for one in shared.by_body.get(key_of(body), ()):
        if one.blind or not any(one.written in linked and one.other in linked for linked in flow.ever or ()):
            message = f"`{one.other}` may hold the same memory as `{one.written}`"
            if one.other == one.written:
                message = f"`{one.written}` may hold one array twice"
            if not one.other:
                message = f"nothing says that `{one.written}` is an array, which is stored into"
            raise Refused(_statement(body, flow, one), message)


def _statement(body: Body, flow: Flow, shared: Shared) -> ast.AST:
    """The statement that writes, where it still stands as it was read."""
    for top in flow.unit.body:
        for node in walk(top):
            if isinstance(node, ast.stmt) and node.lineno == shared.line:
                return node
    return body.node if isinstance(body, Function) else body.source.tree
