"""Random numbers: TensorFlow's where the user wants them, and what is frozen where NumPy draws under `tf.function`.

Input `x = np.random.normal(0, 1, 3)`, output with `--random tensorflow` `x = tnh.random.normal(0, 1, 3)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from tnp_migrate.analysis.traced_functions import find_traced
from tnp_migrate.backend.kept_calls import keep_call
from tnp_migrate.backend.sites import Site, end, short
from tnp_migrate.diagnostics.decisions import Extra, Outcome
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.numpy_facts.random_draws import RANDOM_MAKERS, SEED_MATERIAL, Draw, drawn_by, draws_of
from tnp_migrate.numpy_facts.signatures import Unbindable, bind_call
from tnp_migrate.program.names import Reference

_MODULE = "numpy.random"
_STARTS = RANDOM_MAKERS | {"seed", "set_state"}


def translate_draw(site: Site, reference: Reference) -> Outcome | None:
    """Decide a name of numpy.random that TensorFlow is to draw; None for whatever the other passes decide."""
    if site.random != "tensorflow" or not reference.name.startswith(_MODULE) or reference.context == "store":
        return None
    if site.is_island(reference.node) and reference.name != f"{_MODULE}.seed":
        return None  # `tnh.random.seed` seeds what islands draw from as well
    if reference.name == _MODULE:
        return _module(site, reference)
    new = drawn_by(reference.name)
    if new is None:
        return _without_counterpart(site, reference)
    above = site.parent(reference.node)
    if reference.context == "call" and isinstance(above, ast.Call):
        return _call(site, reference, above, new)
    if reference.name.rpartition(".")[2] in ("Generator", "RandomState") and _is_type_test(site, reference):
        return _type_test(site, reference, new)
    return _renamed(site, reference, new)


def _renamed(site: Site, reference: Reference, new: str) -> Outcome:
    outcome = end(reference, "helper", site.helper(new))
    return replace(outcome, helpers=frozenset({new.partition(".")[0]}))


def _module(site: Site, reference: Reference) -> Outcome | None:
    """`rng=np.random` as a value: the helper module's global state has the same methods."""
    above = site.parent(reference.node)
    asked = isinstance(above, ast.Call) and isinstance(above.func, ast.Name) and above.func.id == "hasattr"
    if reference.context != "module" or asked or isinstance(above, ast.Assign):
        return None
    return _renamed(site, reference, "random")


def _call(site: Site, reference: Reference, call: ast.Call, new: str) -> Outcome:
    bare = reference.name.rpartition(".")[2]
    problem = None if bare in RANDOM_MAKERS else _misfit(site, call, draws_of("RandomState").get(bare), reference.name)
    if problem is not None:
        kept = keep_call(site, reference, call)
        return replace(kept, bin="flagged", findings=(problem,))
    outcome = _renamed(site, reference, new)
    findings = [*_other_numbers(site, reference, call)]
    if bare in RANDOM_MAKERS and _is_traced(site, call):
        message = f"{short(reference.name)} makes a variable, which a traced function cannot: make it outside"
        findings.append(site.finding("TNP305", site.span(call), message, reference.name))
    return replace(outcome, findings=tuple(findings))


def _misfit(site: Site, call: ast.Call, draw: Draw | None, name: str) -> Finding | None:
    """What a call gives that the helper module's method does not take."""
    if draw is None:
        return None
    try:
        bind_call(call, draw.signature)
    except Unbindable as error:
        if error.starred:
            return None
        message = f"{short(name)} is not drawn by TensorFlow: {error.reason}"
        return site.finding("TNP202", site.span(call), message, name)
    return None


def _other_numbers(site: Site, reference: Reference, call: ast.Call) -> Iterator[Finding]:
    """Say where a stream starts, or once that draws follow a seed set elsewhere, that the numbers are others."""
    bare = reference.name.rpartition(".")[2]
    if bare in _STARTS:
        if call.args or call.keywords:
            message = f"the stream of {short(reference.name)} is TensorFlow's: the same seed gives other numbers"
            yield site.finding("TNP111", site.span(call), message, reference.name)
        return
    references = site.module.names.references
    drawing = (one for one in references if one.context == "call" and _is_drawn(one) and not site.is_island(one.node))
    if next(drawing) is reference and not any(one.name == f"{_MODULE}.seed" for one in references):
        message = f"{short(reference.name)} is drawn by TensorFlow: a seed set on np.random does not reach it"
        yield site.finding("TNP111", site.span(call), message, reference.name)


def _is_drawn(reference: Reference) -> bool:
    return (drawn_by(reference.name) or "").startswith("random.")


def _without_counterpart(site: Site, reference: Reference) -> Outcome | None:
    """Names that TensorFlow has nothing for: NumPy draws, from its own stream."""
    bare = reference.name.removeprefix(f"{_MODULE}.")
    above = site.parent(reference.node)
    on_host = draws_of("RandomState").get(bare)
    if bare in SEED_MATERIAL or on_host is None or not isinstance(above, ast.Call) or reference.context != "call":
        return None
    message = f"{short(reference.name)} stays on NumPy: TensorFlow cannot draw it"
    found = site.finding("TNP201", site.span(above), message, reference.name)
    return replace(keep_call(site, reference, above), bin="flagged", findings=(found,))


def _is_type_test(site: Site, reference: Reference) -> bool:
    above = site.parent(reference.node)
    holder = site.parent(above) if isinstance(above, ast.Tuple) else above
    return isinstance(holder, ast.Call) and isinstance(holder.func, ast.Name) and holder.func.id == "isinstance"


def _type_test(site: Site, reference: Reference, new: str) -> Outcome:
    """A generator of NumPy's may come from outside, or from an island: accept both."""
    above = site.parent(reference.node)
    helper = site.helper(new)
    if isinstance(above, ast.Tuple) and any(ast.unparse(one) == helper for one in above.elts):
        return end(reference, "kept")  # an earlier run has written it
    both = f"{site.source.text(reference.span)}, {helper}"
    outcome = end(reference, "rewritten", both if isinstance(above, ast.Tuple) else f"({both})")
    return replace(outcome, helpers=frozenset({new}))


def note_frozen(site: Site, reference: Reference, outcome: Outcome) -> Outcome:
    """Add to what NumPy draws in a traced function that its numbers are constants of the graph."""
    if outcome.bin not in ("kept", "flagged", "island") or reference.context != "call":
        return outcome
    above = site.parent(reference.node)
    if not reference.name.startswith(f"{_MODULE}.") or not isinstance(above, ast.Call) or not _is_traced(site, above):
        return outcome
    return replace(outcome, findings=(*outcome.findings, _frozen(site, above, short(reference.name), reference.name)))


def _frozen(site: Site, call: ast.Call, what: str, symbol: str) -> Finding:
    message = f"{what} runs once, while tf.function traces: every later call has the same numbers"
    return site.finding("TNP305", site.span(call), message, symbol)


def _is_traced(site: Site, node: ast.AST) -> bool:
    traced = find_traced(site.index)
    around = list(site.module.names.scopes.ancestors(node)) if traced else []
    if site.is_island(node) and _takes_something(site, around):
        return False  # given a tensor, an island runs whenever the graph does
    return any(one in traced for one in around)


def _takes_something(site: Site, around: list[ast.AST]) -> bool:
    functions = [site.module.functions[one] for one in around if one in site.module.functions]
    return not functions or len(functions[-1].parameters) > functions[-1].takes_self


def translate_generators(site: Site) -> Iterator[Extra]:
    """Look at the draws of generators: what a helper module's cannot do, and NumPy's in traced functions."""
    if b"random" not in site.source.body:
        return
    for node in [*site.module.values]:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if site.value(node.func.value).kind == "rng":
            finding = None if site.is_settled(node) else _of_generator(site, node, node.func.attr)
            if site.is_island(node) and _is_traced(site, node):
                symbol = f"numpy.random.Generator.{node.func.attr}"
                finding = _frozen(site, node, f"`{ast.unparse(node.func)}`", symbol)
            if finding is not None:
                yield Extra((), (finding,))


def _of_generator(site: Site, call: ast.Call, name: str) -> Finding | None:
    symbol = f"numpy.random.Generator.{name}"
    if site.random != "tensorflow":
        return _frozen(site, call, f"`{ast.unparse(call.func)}`", symbol) if _is_traced(site, call) else None
    draw = draws_of("Generator").get(name) or draws_of("RandomState").get(name)
    if draw is None:
        message = f"`.{name}` of a generator has no counterpart in TensorFlow"
        return site.finding("TNP201", site.span(call), message, symbol)
    if draw.on_host:
        message = f"`.{name}` is drawn by NumPy, on the host: TensorFlow cannot draw it"
        return site.finding("TNP201", site.span(call), message, symbol)
    return _misfit(site, call, draw, symbol)
