"""What docstrings say parameters are, in the types of numpydoc and Google style: arrays, or single numbers.

`n : int, optional` tells a number, and `tol : float` does not: arrays are passed where `float` is written. Where the
function itself takes items or attributes of a parameter, or its default is something else, the text is not believed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from tnp_migrate.numpy_facts.values import Value, array
from tnp_migrate.program.index import Function

_ARRAY = re.compile(
    r"^\s*\*{0,2}(?P<name>\w+)\s*:\s*[^\n]*?\b(?P<type>ndarray|np\.array|numpy\.array|numpy array)\b", re.MULTILINE
)
_ENTRY = re.compile(r"^[ \t]*(?P<name>\w+)\s*(?:\((?P<google>[^\n)]*)\))?\s*:(?P<type>[^\n]*)$", re.MULTILINE)
# What follows a type: `, optional (default=3)`, `= 3`, `> 0`.
_BESIDE = re.compile(r"\(?\boptional\b.*|[\s,(]*\bdefaults?\b.*|(?<![<>!])=(?!=).*|[<>]=?\s*[\w.]+")
_NUMBERS = frozenset("int integer bool boolean number scalar [scalar] scalar(int) scalar(float)".split())
_BESIDE_NUMBERS = frozenset("float positive non-negative nonnegative unsigned or".split())
_LIKELY_NUMBER = Value("scalar", sure=False)


def documented(function: Function) -> Mapping[str, Value]:
    """What the docstring of a function says its parameters are."""
    node = function.node
    text = ast.get_docstring(node, clean=False) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else None
    if not text:
        return {}
    arrays = {found["name"]: array(sure=False) for found in _ARRAY.finditer(text)}
    entries = [(found["name"], found["google"] or found["type"]) for found in _ENTRY.finditer(text)]
    numbers = {name for name, said in entries if _is_number(said)}
    others = {name for name, said in entries if not _is_number(said)} | _used_otherwise(function)
    return dict.fromkeys(numbers - others, _LIKELY_NUMBER) | arrays


def _is_number(said: str) -> bool:
    """Whether the text of a type is one of single numbers, and names nothing else."""
    words = {*re.sub(r"[,\s]+", " ", _BESIDE.sub(" ", said)).split()}
    return bool(words & _NUMBERS) and words <= _NUMBERS | _BESIDE_NUMBERS


def _used_otherwise(function: Function) -> set[str]:
    """The names that a function takes items or attributes of, or goes through."""
    found = [one.value for one in function.nodes if isinstance(one, ast.Subscript | ast.Attribute | ast.Starred)]
    found += [one.iter for one in function.nodes if isinstance(one, ast.For | ast.AsyncFor | ast.comprehension)]
    return {one.id for one in found if isinstance(one, ast.Name)}
