"""The NumPy form of a file with compiled functions: its text as it was, beside it, with what ties the two together.

`kernels.py` gets `_numpy_kernels.py`: the bytes of before, and a last line with a digest of each migrated function, by
which the helper module knows whether one was changed since.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

PREFIX = "_numpy_"
MARK = "# tnp-migrate: the NumPy form of "


def shape_of_code(node: object) -> object:
    """The structure of a syntax tree, which neither layout, comments, docstrings nor Python's version change.

    The rules have the same function, for when the code runs.
    """
    if isinstance(node, list):
        return [shape_of_code(one) for one in node]
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = {name: value for name, value in ast.iter_fields(node) if name not in {"ctx", "kind", "type_comment"}}
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        fields["decorator_list"] = []
        if ast.get_docstring(node, clean=False) is not None:
            fields["body"] = node.body[1:]
    given = {name: value for name, value in fields.items() if value is not None and value != []}
    return [type(node).__name__, *[[name, shape_of_code(value)] for name, value in sorted(given.items())]]


def digest_of_code(node: ast.AST) -> str:
    """A short hash of a function's syntax tree."""
    return hashlib.sha256(json.dumps(shape_of_code(node)).encode()).hexdigest()[:16]


def numpy_form(name: str, before: bytes, after: bytes, outlined: Iterable[str] = ()) -> bytes:
    """Give the file that is kept beside `name`, of its text before and after the migration.

    `outlined` are functions that loops of it have become.
    """
    digests: dict[str, str] = {}
    for node in ast.parse(after).body:
        if isinstance(node, ast.FunctionDef):
            digests[node.name] = digest_of_code(node)
        elif isinstance(node, ast.ClassDef):
            methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
            digests.update({f"{node.name}.{one.name}": digest_of_code(one) for one in methods})
    newline = b"\r\n" if b"\r\n" in before else b"\n"
    end = b"" if before.endswith((b"\n", b"\r")) or not before else newline
    note = f"{MARK}{name}; functions: {json.dumps(digests)}".encode()
    added = "".join(f"\n\n{one.rstrip()}\n" for one in outlined).replace("\r\n", "\n").encode()
    return before + end + added.replace(b"\n", newline) + note + newline


def is_numpy_form(path: Path, texts: Mapping[Path, bytes]) -> bool:
    """Whether a file is one that was kept so; `texts` are files that have been read already."""
    if not path.name.startswith(PREFIX):
        return False
    try:
        data = texts[path] if path in texts else path.read_bytes()
    except OSError:
        return False
    return data.rstrip().rpartition(b"\n")[2].startswith(MARK.encode())
