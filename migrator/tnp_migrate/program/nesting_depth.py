"""How deeply a file may be nested: what walks over trees calls itself, and Python ends that at some depth.

A file that is deeper is left out before anything is analysed, so that no other one pays for it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tnp_migrate.program.nodes import children

DEPTH = 500  # nodes in each other
_FRAMES = 10  # calls in each other for each of them, at most
TOO_DEEP = "is nested too deeply to be analysed"


def is_too_deep(tree: ast.AST) -> bool:
    """Whether a tree is deeper than what is analysed; found without recursion."""
    depth, level = 0, [tree]
    while level and depth <= DEPTH:
        depth, level = depth + 1, [child for node in level for child in children(node)]
    return bool(level)


@contextmanager
def recursion_allowed() -> Iterator[None]:
    """Let functions call themselves as often as the deepest file needs."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(DEPTH * _FRAMES, before))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
