"""How deeply a file may be nested, and how large it may be.

What walks over trees calls itself, and Python ends that at some depth. A file that is deeper, or has a list of a
million numbers in it, is left out before anything is analysed, so that no other one pays for it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tnp_migrate.program.nodes import children

DEPTH = 500  # nodes in each other
_FRAMES = 10  # calls in each other for each of them, at most
NODES = 500_000  # some 50,000 lines of code
TOO_DEEP = "is nested too deeply to be analysed"
TOO_LARGE = "is too large to be analysed"


def excess_of(tree: ast.AST) -> str | None:
    """What is too much of a tree to be analysed, None for nothing; found without recursion."""
    depth, number, level = 0, 0, [tree]
    while level:
        depth, number = depth + 1, number + len(level)
        if depth > DEPTH or number > NODES:
            return TOO_DEEP if depth > DEPTH else TOO_LARGE
        level = [child for node in level for child in children(node)]
    return None


@contextmanager
def recursion_allowed() -> Iterator[None]:
    """Let functions call themselves as often as the deepest file needs."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(DEPTH * _FRAMES, before))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
