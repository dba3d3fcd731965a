"""NumPy in texts: what `eval` and the like run, and examples in docstrings.

Input `eval("np.sin(x)")`, output a finding: nothing of a text is translated, and the imports that it reads stay.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tnp_migrate.backend.sites import Site
from tnp_migrate.diagnostics.decisions import Extra
from tnp_migrate.program.nodes import walk

_RUNNING = frozenset("eval exec compile timeit.timeit timeit.repeat timeit.Timer".split())
_NAMESPACES = frozenset("globals locals vars".split())
_PROMPT = re.compile(r"^\s*(?:>>>|\.\.\.) (.*)", re.MULTILINE)
_WORD = re.compile(r"(?<![\w.])[^\W\d]\w*")
_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def find_texts(site: Site) -> Iterator[Extra]:
    """Say which texts name NumPy, or may."""
    runs, texts = list(_runs(site)), list(_examples(site))
    numpy = _numpy_names(site) if runs or texts else []
    for run in runs:
        named = sorted(_words(run.text) & {*numpy, "numpy"})
        if named:
            message = f"{named[0]} in the text that {run.shown} runs is not translated"
        elif run.may_read_more and numpy:
            message = f"what {run.shown} runs may name {numpy[0]}: the import of NumPy stays for it"
        else:
            continue
        yield Extra((), (site.finding("TNP208", site.span(run.call), message, run.shown),))
    examples = [node for node, code in texts if _words(code) & {*numpy, "numpy"}]
    if examples:
        count = f"{len(examples)} docstrings have" if len(examples) > 1 else "the docstring has"
        message = f"{count} examples that name NumPy: they are left as they are"
        yield Extra((), (site.finding("TNP214", site.span(examples[0]), message),))


def names_in_texts(site: Site) -> set[str]:
    """The module's names for NumPy that texts read: their imports stay."""
    runs, texts = list(_runs(site)), list(_examples(site))
    numpy, wanted = set(_numpy_names(site) if runs or texts else ()), set()
    for run in runs:
        wanted |= numpy if run.may_read_more else numpy & _words(run.text)
    for _, code in texts:
        wanted |= {name for name in numpy & _words(code) if not re.search(rf"\bimport\b[^;\n]*\b{name}\b", code)}
    return wanted


def _numpy_names(site: Site) -> list[str]:
    """What the module itself binds of NumPy."""
    given = site.module.names.exported().numpy
    return [name for name in site.module.names.scopes.module.bound if name in given]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))


@dataclass(frozen=True)
class _Run:
    """A call that runs a text: what the file has of it, and whether the rest can read the module's names."""

    call: ast.Call
    text: str
    may_read_more: bool

    @property
    def shown(self) -> str:
        return ast.unparse(self.call.func)


def _runs(site: Site) -> Iterator[_Run]:
    names = site.module.names
    if not names.reaches({one.partition(".")[0] for one in _RUNNING}):
        return
    for node in walk(site.source.tree):
        if not isinstance(node, ast.Call):
            continue
        called = names.called(node.func, names.scopes.around(node))
        if called in _RUNNING:
            given = node.args[:1] if "." not in called else [*node.args, *(word.value for word in node.keywords)]
            parts = [one for argument in given for text in _written(site, argument) for one in walk(text)]
            texts = [one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            is_whole = all(isinstance(one, ast.Constant | ast.BinOp) for one in parts)
            yield _Run(node, "\n".join(texts), not is_whole and _reads_own_names(node, called))


def _reads_own_names(call: ast.Call, called: str) -> bool:
    """Whether what is evaluated is not given names of its own."""
    space = call.args[1] if len(call.args) > 1 else None
    is_own = isinstance(space, ast.Call) and isinstance(space.func, ast.Name) and space.func.id in _NAMESPACES
    return called in ("eval", "exec") and (is_own or (space is None and not call.keywords))


def _written(site: Site, argument: ast.expr) -> list[ast.expr]:
    """An expression, or what the file assigns to the name that it is."""
    if not isinstance(argument, ast.Name):
        return [argument]
    owner = site.module.names.scopes.around(argument).owner(argument.id)
    above = [site.parent(node) for node in owner.bound[argument.id]] if owner is not None else []
    assigned = [one.value for one in above if isinstance(one, ast.Assign)]
    return assigned if assigned and len(assigned) == len(above) else [argument]


def _examples(site: Site) -> Iterator[tuple[ast.Expr, str]]:
    """The docstrings that have examples, and the code of these."""
    if b">>>" not in site.source.body:
        return
    scopes = site.module.names.scopes
    for node in [site.source.tree, *(node for node, _ in (*scopes.classes, *scopes.functions))]:
        assert isinstance(node, _Documented)
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            code = "\n".join(_PROMPT.findall(first.value.value))
            if code:
                yield first, code
