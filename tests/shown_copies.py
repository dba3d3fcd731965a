"""Programs that show copies of what they work on, or one array alone, where generators return the arrays themselves.

What a function returns its callers have: an array that is returned and written to is followed, or keeps the function on
NumPy, whatever else has it. A program that returns copies shows what a translation does with what is only its own.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from random import Random

import numpy as np
from handed_out_programs import Program, evaluate


def with_copies(program: Program, seed: str) -> Program:
    """The program, with a copy of each array that `run` returns, or of one of them; itself where that is not plain."""
    tree = ast.parse(program.files["main.py"])
    run = next((one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == "run"), None)
    last = run.body[-1] if run is not None else None
    values = evaluate(program.files)
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.List) or not isinstance(values, list):
        return program
    parts = last.value.elts
    if len(parts) != len(values) or any(isinstance(one, ast.Starred) for one in parts):
        return program
    copied = [made for part, value in zip(parts, values, strict=True) if (made := _copied(part, value)) is not None]
    if not copied:
        return program
    random = Random(seed)
    last.value.elts = [random.choice(copied)] if random.random() < 0.6 else copied
    made = replace(program, files=program.files | {"main.py": ast.unparse(ast.fix_missing_locations(tree)) + "\n"})
    return made if evaluate(made.files) is not None else program


def _copied(part: ast.expr, value: object) -> ast.expr | None:
    """An expression for a copy of what another one gives: of an array, of a list of arrays, or of a number."""
    text = ast.unparse(part)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
        return ast.parse(f"{text} * 1", mode="eval").body
    if (
        isinstance(value, list)
        and value
        and all(isinstance(one, np.ndarray) and one.dtype.kind in "biufc" for one in value)
    ):
        return ast.parse(f"[one_ * 1 for one_ in {text}]", mode="eval").body
    return part if isinstance(value, int | float) else None


def _is_of_numbers(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "biufc"
