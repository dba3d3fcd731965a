"""NumPy names: calls, values, annotations and constants.

Input `np.degrees(np.clip(x, 0, None))`, output `tnp.rad2deg(tnp.maximum(x, 0))`. Each reference gets one `Outcome`.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from tnp_migrate.backend.argument_evidence import (
    all_host,
    argument_finding,
    host_finding,
    in_host_call,
    is_direct,
    is_joined,
    may_know_arrays,
    needs_numpy,
    protocol_finding,
    sign_finding,
    weights_finding,
)
from tnp_migrate.backend.arguments import (
    fit_arguments,
    is_harmless,
    starred_finding,
    stays_for,
    unsupported,
    words_by_star,
)
from tnp_migrate.backend.callbacks import calls_back
from tnp_migrate.backend.identity import accept_both
from tnp_migrate.backend.inline import Expansion, Refused, expand
from tnp_migrate.backend.kept_calls import feeds_islands, keep_call, keep_value
from tnp_migrate.backend.library_calls import is_neighbour
from tnp_migrate.backend.mixed_arrays import convert_mixed
from tnp_migrate.backend.operators import with_operands
from tnp_migrate.backend.passed_functions import pass_on
from tnp_migrate.backend.sites import Site, end, short, wrap
from tnp_migrate.backend.types import annotate, check_type
from tnp_migrate.diagnostics.decisions import Decision, Outcome
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.ledger import Bin
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.names_table import REMOVED_CONSTANTS, dtype_problem, flagged, kept_reason
from tnp_migrate.numpy_facts.results import is_placeholder
from tnp_migrate.numpy_facts.rulebook import Rule
from tnp_migrate.numpy_facts.signatures import (
    NO_VALUE,
    Bound,
    Signature,
    Unbindable,
    bind_call,
    names_of,
    numpy_names,
)
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.names import Reference, is_module, is_numpy, is_ufunc_method

_OPERATORS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Attribute, ast.Subscript, ast.Await, ast.IfExp)


def translate_reference(site: Site, reference: Reference) -> Outcome:
    """Decide one reference."""
    reason = site.islands.holds(site.module, reference.node)
    problem = _problem(site, reference)
    if problem is not None and (reason is None or problem.code.startswith("TNP4")):
        return Outcome(reference.span, "flagged", (), (problem,))
    if reason is not None and reference.context != "annotation":
        return end(reference, "island")
    if reference.context == "annotation":
        settled = reason is not None or site.is_settled(reference.node)
        return end(reference, "kept") if settled else annotate(site, reference)
    typed = check_type(site, reference)
    if typed is not None:
        return typed
    above = site.parent(reference.node)
    if reference.context == "call" and isinstance(above, ast.Call):
        if _is_converted(site, above) or feeds_islands(site, reference, above):
            return end(reference, "kept")
        if reference.name == "numpy.ndarray":
            return _make_array(site, reference, above)
        alone = len(above.args) == 1 and not above.keywords and not isinstance(above.args[0], ast.Starred)
        if reference.name == "numpy.where" and alone:
            reference = replace(reference, name="numpy.nonzero")  # which NumPy says that it stands for
        outcome = translate_call(site, reference, above)
        if outcome.bin not in ("kept", "flagged"):
            outcome = with_operands(site, outcome, above, reference.name)
            said = [sign_finding(site, reference, above), weights_finding(site, reference, above)]
            outcome = replace(outcome, findings=(*outcome.findings, *filter(None, said)))
        first = site.value(above.args[0]) if above.args else UNKNOWN
        if reference.name == "numpy.isscalar" and first.rank != 0 and first.is_array:
            message = "a tensor without dimensions stands for NumPy's scalars and for its 0-d arrays"
            found = site.finding("TNP312", site.span(above), message, reference.name)
            outcome = replace(outcome, findings=(*outcome.findings, found))
        return outcome
    if is_neighbour(site, site.parent(above) if isinstance(above, ast.keyword) else above):
        return end(reference, "kept")  # it is called on ndarrays there
    if calls_back(site, reference.node):
        return end(reference, "kept")  # on what is in a data frame
    return accept_both(site, reference, pass_on(site, reference, translate_value(site, reference)))


def _make_array(site: Site, reference: Reference, call: ast.Call) -> Outcome:
    """`np.ndarray(shape, dtype)` makes a new array, as np.empty does; of memory that is there it stays NumPy's."""
    if len(call.args) <= 2 and all(word.arg in ("shape", "dtype") for word in call.keywords):
        return end(reference, "renamed", site.tnp("empty"))
    message = "np.ndarray of memory that is there has no equivalent: the call stays on NumPy"
    found = site.finding("TNP202", site.span(call), message, reference.name)
    return Outcome(reference.span, "flagged", (), (found,))


def _is_converted(site: Site, call: ast.Call) -> bool:
    """Whether a NumPy call already stands in `tnp.asarray(...)`, as an earlier run writes what NumPy is to compute."""
    above = site.parent(call)
    if not isinstance(above, ast.Call) or above.args[:1] != [call]:
        return False
    return site.qualified(above.func) == "tensorflow.experimental.numpy.asarray"


def _problem(site: Site, reference: Reference) -> Finding | None:
    """What is wrong with the reference itself: stores, modules as values, names without equivalent."""
    name = reference.name
    if reference.context == "store":
        return site.finding("TNP206", reference.span, f"{short(name)} is assigned to: tnp does not see it", name)
    if reference.context == "module":
        above = site.parent(reference.node)
        if isinstance(above, ast.Call) and isinstance(above.func, ast.Name) and above.func.id in ("getattr", "hasattr"):
            return site.finding(
                "TNP204", reference.span, f"which name of {short(name)} is taken here is not known", name
            )
        if site.module.names.follows(above):
            return None
        return site.finding("TNP205", reference.span, f"the module {short(name)} is passed on as a value", name)
    if site.rulebook.find(name) is not None:
        return None
    found = flagged(name)
    if found is None and name.startswith("cupy."):
        found = ("TNP420" if "Kernel" in name else "TNP421", "CUDA devices and kernels are TensorFlow's own business.")
    if found is None and name not in site.table.tnp and kept_reason(name) is None and name not in REMOVED_CONSTANTS:
        known = name in site.table.numpy or is_ufunc_method(name, site.table.numpy)
        found = ("TNP201", "TensorFlow has no such function.") if known else ("TNP211", "NumPy has no such name.")
        if name.startswith("builtins."):
            return None
    if found is None or (name in site.table.tnp and not _is_array_type(name)):
        return None
    code, advice = found
    return site.finding(code, reference.span, f"{short(name)} stays on NumPy. {advice}", name)


def _is_array_type(name: str) -> bool:
    return dtype_problem(name) is not None


def translate_call(site: Site, reference: Reference, call: ast.Call) -> Outcome:
    """Decide a call: a rule, the same name in tnp, or NumPy as it is."""
    problem = argument_finding(site, call)
    if problem is not None:
        return Outcome(reference.span, "flagged", (), (problem,))
    if is_placeholder(site.value(call), call) or is_joined(site, reference.name, call):
        return Outcome(reference.span, "kept")
    host = host_finding(site, reference, call)
    if host is not None:
        return Outcome(reference.span, "flagged", (), (host,))
    if reference.name in traits.CONVERSIONS and may_know_arrays(site, call):
        span = site.span(call)
        return Outcome(reference.span, "rewritten", (wrap(span, f"{site.tnp('asarray')}("),))
    mixed = convert_mixed(site, reference, call)
    if mixed is not None:
        return mixed
    if needs_numpy(site, reference.name, call):
        span = site.span(call)
        return Outcome(reference.span, "kept", (wrap(span, f"{site.tnp('asarray')}("),))
    protocol = protocol_finding(site, reference, call)
    if protocol is not None:
        return Outcome(reference.span, "flagged", (), (protocol,))
    rule = site.rulebook.find(reference.name)
    if rule is not None and not is_direct(site, rule, call, reference.name):
        return apply_rule(site, reference, call, rule, site.table.numpy.get(reference.name))
    signature = site.table.tnp.get(reference.name)
    if kept_reason(reference.name) is not None and (signature is None or reference.name.startswith("numpy.random.")):
        return keep_call(site, reference, call)
    if signature is None:
        return _type_call(site, reference, call)
    if all_host(site, call) and reference.name in traits.FLOATING:
        return end(reference, "kept")
    outcome = _direct(site, reference, call, signature)
    if outcome.bin == "flagged" and rule is not None:  # what is proven would do, but tnp lacks a parameter
        return apply_rule(site, reference, call, rule, site.table.numpy.get(reference.name))
    return outcome


def apply_rule(
    site: Site,
    reference: Reference,
    call: ast.Call,
    rule: Rule,
    signature: Signature | None,
    receiver: ast.expr | None = None,
) -> Outcome:
    """Write a rule out at a call, or call its function in the helper module."""
    supported = [name for name, _ in rule.parameters]
    signature = signature or rule.signature[0 if receiver is None else 1 :]
    try:
        bound = bind_call(call, signature, "NumPy" if is_numpy(reference.name) else "its rule")
    except Unbindable as error:
        return _unbound(site, reference, call, rule, error, receiver)
    if receiver is not None:
        bound = replace(bound, given={supported[0]: receiver, **bound.given})
    lacking = None if rule.takes_anything else unsupported(bound, supported)
    if lacking is not None:
        return stays_for(site, reference, call, lacking)
    whole = bound
    given = {name: node for name, node in bound.given.items() if name in supported or rule.takes_anything}
    bound = replace(bound, given=given)
    if rule.form == "inline":
        try:
            return _inlined(site, reference, call, rule, bound)
        except Refused as refused:
            found = site.finding(
                "TNP102", site.span(call), f"{short(reference.name)} became a helper: {refused.reason}", reference.name
            )
            return replace(helper_call(site, reference, call, rule, whole, receiver), findings=(found,))
    return helper_call(site, reference, call, rule, whole, receiver)


def _unbound(
    site: Site, reference: Reference, call: ast.Call, rule: Rule, error: Unbindable, receiver: ast.expr | None
) -> Outcome:
    if error.starred:
        words = words_by_star(site, call, None if rule.takes_anything else [name for name, _ in rule.parameters])
        if words.lacking is not None:
            return stays_for(site, reference, call, words.lacking)
        outcome = helper_call(site, reference, call, rule, None, receiver)
        return replace(outcome, findings=(*outcome.findings, starred_finding(site, reference, call, error)))
    stays = "on NumPy" if is_numpy(reference.name) else "as it is"
    message = f"{short(reference.name)}: {error.reason}; the call stays {stays}"
    return Outcome(reference.span, "flagged", (), (site.finding("TNP202", site.span(call), message, reference.name),))


def _inlined(site: Site, reference: Reference, call: ast.Call, rule: Rule, bound: Bound) -> Outcome:
    required = {one.name for one in site.table.numpy.get(reference.name, ()) if one.default == NO_VALUE}
    known = {name for name, node in bound.given.items() if site.value(node).kind not in ("unknown", "none")}
    never = frozenset(known | required)
    if "np" not in site.aliases and any(isinstance(n, ast.Name) and n.id == "np" for n in ast.walk(rule.node)):
        raise Refused("the rule uses NumPy itself, which this file does not import")
    made = expand(rule, bound, site.source, site.table, site.aliases, never_none=never)
    span = site.span(call)
    renamed = _same_arguments(made, call)
    if renamed is not None:
        return end(reference, "rewritten", renamed, span=site.span(call.func))
    if _loses_comment(site, call, made):
        raise Refused("a comment stands between the arguments")
    parts = made.parts
    above = site.parent(call)
    text = "".join(part if isinstance(part, str) else site.source.text(part) for part in parts)
    if isinstance(above, ast.Call) and site.source.text(site.span(above)) == text:  # an earlier run has written this
        return end(reference, "kept")
    if not isinstance(made.tree, ast.Call | ast.Attribute | ast.Name | ast.Subscript) and isinstance(
        site.parent(call), _OPERATORS
    ):
        parts = ("(", *parts, ")")
    return Outcome(reference.span, "rewritten", (Decision(span, parts, rule=reference.name),))


def _same_arguments(made: Expansion, call: ast.Call) -> str | None:
    """The new function's name, where the arguments can stay exactly as they are written."""
    tree = made.tree
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Attribute):
        return None
    slots = [*tree.args, *(word.value for word in tree.keywords)]
    given = [*call.args, *(word.value for word in call.keywords)]
    words = [word.arg for word in tree.keywords] == [word.arg for word in call.keywords]
    if not words or len(slots) != len(given) or len(made.holes) != len(given):
        return None
    if not all(isinstance(slot, ast.Name) for slot in slots) or any(
        one is not two for one, two in zip(made.holes, given, strict=True)
    ):
        return None
    return ast.unparse(tree.func)


def _loses_comment(site: Site, call: ast.Call, made: Expansion) -> bool:
    """Whether bytes outside the holes hold a comment."""
    reached, text = site.span(call).start, ""
    for hole in sorted(site.span(one) for one in made.holes):
        text += site.source.text(replace(hole, start=reached, end=hole.start)) if hole.start > reached else ""
        reached = max(reached, hole.end)
    span = site.span(call)
    return "#" in text + site.source.text(replace(span, start=reached))


def helper_call(
    site: Site, reference: Reference, call: ast.Call, rule: Rule, bound: Bound | None, receiver: ast.expr | None = None
) -> Outcome:
    """Call the rule's function in the helper module with the arguments as they are written, fitted where known."""
    new = site.helper(rule.name)
    target = [name for name, _ in rule.parameters]
    if receiver is not None:
        before = site.span(call.func)
        opening = site.source.text(replace(before, start=before.end, end=before.end + 1))
        if opening != "(":
            return Outcome(
                reference.span, "flagged", (), (site.finding("TNP203", site.span(call), "not a plain call"),)
            )
        span = site.span(receiver)
        first = replace(before, end=before.end + 1)
        comma = ", " if call.args or call.keywords else ""
        decisions = [Decision(first, (f"{new}(", span, comma), rule=reference.name)]
        if bound is not None and rule.variadic is None:
            decisions += fit_arguments(site, call, bound, target[1:])
    else:
        decisions = [Decision(reference.span, (new,), rule=reference.name)]
        if bound is not None and rule.variadic is None and not rule.takes_anything:
            decisions += fit_arguments(site, call, bound, target)
    return Outcome(reference.span, "helper", tuple(decisions), (), frozenset({rule.name}))


def _direct(site: Site, reference: Reference, call: ast.Call, signature: Signature) -> Outcome:
    name = reference.name
    target = numpy_names(signature, site.table.numpy.get(name, ()))
    try:
        bound = bind_call(call, site.table.numpy.get(name, signature))
    except Unbindable as error:
        if error.starred and not any(one.kind == "keywords" for one in signature):
            words = words_by_star(site, call, target)
            if words.lacking is not None:
                return stays_for(site, reference, call, words.lacking)
            outcome = end(reference, "renamed", site.tnp(name[6:]))
            return replace(outcome, findings=() if words.is_whole else (starred_finding(site, reference, call, error),))
        message = f"{short(name)}: {error.reason}; the call stays on NumPy"
        code = "TNP203" if error.starred else "TNP202"
        return Outcome(reference.span, "flagged", (), (site.finding(code, site.span(call), message, name),))
    if any(one.kind == "variadic" for one in signature):
        return end(reference, "renamed", site.tnp(name[6:]))
    unfit = {
        parameter for parameter in site.table.unfit.get(name, ()) if not _is_integer(bound.given.get(parameter))
    }  # what tnp gets wrong is measured on axis=None and tuples; an integer axis is right everywhere
    lacking = unsupported(bound, [one for one in target if one not in unfit])
    if lacking is not None:
        return stays_for(site, reference, call, lacking)
    own = dict(zip(target, names_of(signature), strict=True))
    fitted = tuple(fit_arguments(site, call, bound, [one for one in target if one not in unfit], own))
    kind: Bin = "rewritten" if fitted else "renamed"
    outcome = end(reference, kind, site.tnp(name[6:]))
    return replace(outcome, decisions=(*outcome.decisions, *fitted))


def _is_integer(node: ast.expr | None) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _type_call(site: Site, reference: Reference, call: ast.Call) -> Outcome:
    """`np.float32(x)`: of a number it is a NumPy scalar as before, of an array it is a cast."""
    name = reference.name
    if name in site.table.tnp and traits.dtype_named(name):
        if len(call.args) == 1 and not call.keywords and site.value(call.args[0]).is_array:
            span = site.span(call.args[0])
            parts = (f"{site.tnp('asarray')}(", span, f", {site.tnp(name[6:])})")
            return Outcome(reference.span, "rewritten", (Decision(site.span(call), parts, rule=name),))
        return end(reference, "renamed", site.tnp(name[6:]))
    return translate_value(site, reference)


def translate_value(site: Site, reference: Reference) -> Outcome:
    """Decide a name that is not called: a constant, a dtype, a function passed on."""
    name = reference.name
    if is_module(name):
        return end(reference, "kept")
    if name in ("numpy.pi", "numpy.e") and in_host_call(site, reference.node):
        return end(reference, "kept")
    if name in REMOVED_CONSTANTS:
        return end(reference, "rewritten", REMOVED_CONSTANTS[name].replace("numpy.inf", site.tnp("inf")))
    if name.startswith("builtins."):
        return end(reference, "rewritten", name.removeprefix("builtins."))
    rule = site.rulebook.find(name)
    if rule is not None:
        new = site.helper(rule.name)
        outcome = end(reference, "helper", new)
        findings = () if isinstance(rule.node, ast.ClassDef) else (_passed_on(site, reference, new),)
        return replace(outcome, helpers=frozenset({rule.name}), findings=findings)
    if name in site.table.tnp and not name.startswith("numpy.random."):
        new = site.tnp(name[6:])
        outcome = end(reference, "renamed", new)
        is_function = site.table.tnp[name] is not None and reference.context == "value"
        return replace(outcome, findings=(_passed_on(site, reference, new),)) if is_function else outcome
    return keep_value(reference)


def _passed_on(site: Site, reference: Reference, new: str) -> Finding:
    return site.finding("TNP110", reference.span, f"{short(reference.name)} is passed on as {new}", reference.name)


__all__ = ["apply_rule", "helper_call", "is_harmless", "translate_call", "translate_reference"]
