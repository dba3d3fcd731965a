"""Reads the answers that `tests/analysis/*.py` write on the line, and what the analysis says of the same lines.

`b = a.T  #? array float64 2d` is the value of the expression assigned or returned there, `a[0] = 1  #! a` the roots of the
write in place there, `def f(a):  #= TNP301` the reason why the function stays on NumPy.
"""
# ruff: noqa: E501  # a case a line reads best

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

from tnp_migrate.analysis.arrays import infer_arrays
from tnp_migrate.analysis.effects import find_effects
from tnp_migrate.islands.kept_functions import find_islands
from tnp_migrate.islands.ndarray_needs import find_needs
from tnp_migrate.numpy_facts.rulebook import read_rulebook
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.config import Config
from tnp_migrate.program.index import Index, Module, build_index
from tnp_migrate.program.references import resolve_names
from tnp_migrate.program.scopes import collect_scopes
from tnp_migrate.project import migrate
from tnp_migrate.text.discovery import discover
from tnp_migrate.text.source import Source

FOLDER = Path(__file__).parent / "analysis"
Answers = dict[int, str]


def cases(kind: str) -> list[Path]:
    """The sources of one analysis."""
    return sorted(FOLDER.glob(f"{kind}_*.py"))


def answers(text: str, mark: str) -> Answers:
    """What the lines of a source say behind `mark`, by line number."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        match = re.search(re.escape(mark) + r" (.*)$", line)
        if match:
            found[number] = match[1].strip()
    return found


def analyse(**texts: str) -> Index:
    """Build the index of a project of modules given as text, with the values of all expressions."""
    modules = []
    for name, text in texts.items():
        source = Source(f"{name}.py", text.encode())
        modules.append(Module(name, source, resolve_names(source, collect_scopes(source.tree), name, {})))
    index = build_index(modules)
    infer_arrays(index)
    return index


def value_answers(text: str) -> Answers:
    """The values of what is assigned or returned, for the lines that have an answer."""
    module = analyse(case=text).modules["case"]
    found = {}
    for node in ast.walk(module.source.tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.Return | ast.AugAssign) and node.value is not None:
            expression = node.target if isinstance(node, ast.AugAssign) else node.value
            found[node.lineno] = str(module.values.get(expression, UNKNOWN))
    return {line: found.get(line, "no assignment") for line in answers(text, "#?")}


def write_answers(text: str) -> Answers:
    """The roots of every site of a write in place, by line: all of them, answered or not."""
    found: dict[int, set[str]] = {}
    for summary in find_effects(analyse(case=text)).values():
        for site in summary.sites:
            names = {name.removeprefix("case.").replace(":", ".") for _, name in site.roots} or {"-"}
            found.setdefault(site.node.lineno, set()).update(names)  # type: ignore[attr-defined]
    return {line: ", ".join(sorted(names)) for line, names in sorted(found.items())}


def island_answers(text: str) -> Answers:
    """The codes of every island function, by line of its `def`."""
    index = analyse(case=text)
    islands = find_islands(index, find_effects(index), find_needs(index, read_rulebook()))
    return {
        one.node.lineno: reason.code
        for one, reason in sorted(islands.functions.items(), key=lambda pair: pair[0].node.lineno)
    }


def islands_of(text: str, folder: Path) -> set[str]:
    """The functions of a program that stay on NumPy."""
    (folder / "program.py").write_text(textwrap.dedent(text))
    made = migrate(discover([folder / "program.py"]), Config())
    return {name for report in made.reports for name in report.islands}
