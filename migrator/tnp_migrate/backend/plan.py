"""The passes in order over one file: decisions, and the ledger in which every reference has one bin."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tnp_migrate.backend.assumptions import check_assumptions
from tnp_migrate.backend.boundaries import translate_boundaries
from tnp_migrate.backend.callbacks import translate_callbacks
from tnp_migrate.backend.calls import translate_reference
from tnp_migrate.backend.draws import note_frozen, translate_draw, translate_generators
from tnp_migrate.backend.embedded_code import find_texts
from tnp_migrate.backend.failures import translate_failures
from tnp_migrate.backend.hidden_imports import find_sources
from tnp_migrate.backend.idioms import translate_idioms
from tnp_migrate.backend.iteration import translate_iteration
from tnp_migrate.backend.library_calls import translate_neighbours
from tnp_migrate.backend.methods import translate_methods
from tnp_migrate.backend.sites import Site
from tnp_migrate.diagnostics.decisions import Decision, Extra, Outcome
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.ledger import Ledger, tally
from tnp_migrate.diagnostics.suppressions import apply, find_suppressions
from tnp_migrate.islands.earlier_runs import settled_statements
from tnp_migrate.text.source import Edit, Span


@dataclass
class Plan:
    """What is to become of a file."""

    decisions: list[Decision] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    helpers: set[str] = field(default_factory=set)
    ledger: Ledger = field(default_factory=Ledger)
    references: dict[Span, Outcome] = field(default_factory=dict)


def make_plan(site: Site, compiled: Callable[[Site], tuple[list[Extra], list[Edit]]] | None = None) -> Plan:
    """Run the passes over a file, last the one of a later stage, if there is one."""
    plan = Plan()
    outcomes: dict[Span, Outcome] = {}
    for reference in site.module.names.references:
        outcome = translate_draw(site, reference) or translate_reference(site, reference)
        outcomes.setdefault(reference.span, note_frozen(site, reference, outcome))
    extras: list[Extra] = []
    for one in translate_methods(site):
        if isinstance(one, Outcome):
            outcomes.setdefault(one.reference, one)
        else:
            extras.append(one)
    extras += translate_idioms(site)
    extras += [*translate_neighbours(site), *translate_callbacks(site), *translate_failures(site)]
    extras += translate_generators(site)
    checks, lines = check_assumptions(site)
    boundaries, plan.edits = translate_boundaries(site)
    plan.edits += lines
    extras += [*checks, *boundaries, *find_texts(site), *find_sources(site)]
    if compiled is not None:
        marked, lines = compiled(site)
        extras += marked
        plan.edits += lines
    extras = _without_settled(site, outcomes, extras)
    _suppress(site, outcomes, extras, plan)
    around = list(translate_iteration(site))  # goes around what the others decide
    ends: list[Outcome | Extra] = [*around, *outcomes.values(), *extras]
    for one in ends:
        plan.decisions += one.decisions
        plan.helpers |= one.helpers
    plan.decisions = _without_conflicts([one for one in plan.decisions if not _is_done(site, one)])
    plan.decisions = _in_parentheses(site, plan.decisions)
    plan.references = outcomes
    plan.ledger = tally(len(outcomes), [outcome.bin for outcome in outcomes.values()])
    return plan


def _suppress(site: Site, outcomes: dict[Span, Outcome], extras: list[Extra], plan: Plan) -> None:
    """Honour the user's comments: what is suppressed is neither changed nor counted as flagged."""
    ends: list[Outcome | Extra] = [*outcomes.values(), *extras]
    found = [*site.said, *(finding for one in ends for finding in one.findings)]
    body = site.source.first.body
    suppressions = find_suppressions(body.decode()) if b"tnp:" in body else []
    marked, unused = apply(found, suppressions, site.source.path) if suppressions else (found, [])
    plan.findings = sorted([*marked, *unused], key=lambda one: (one.line, one.column, one.code, one.message))
    quiet = {id(before) for before, after in zip(found, marked, strict=True) if after.suppressed is not None}
    for span, outcome in outcomes.items():
        if outcome.bin == "flagged" and all(id(one) in quiet for one in outcome.findings):
            outcomes[span] = replace(outcome, bin="suppressed", decisions=(), helpers=frozenset())


def _without_settled(site: Site, outcomes: dict[Span, Outcome], extras: list[Extra]) -> list[Extra]:
    """Leave what an earlier run has written: that run knew more, from what was NumPy's then."""
    settled = settled_statements(site.module)
    if not settled:
        return extras
    starts = [one.start for one in settled]

    def is_inside(decision: Decision) -> bool:
        at = bisect_right(starts, decision.span.start) - 1
        return at >= 0 and decision.span.end <= settled[at].end

    for span, outcome in outcomes.items():
        if any(map(is_inside, outcome.decisions)):
            kind = outcome.bin if outcome.bin == "flagged" else "kept"
            outcomes[span] = replace(outcome, bin=kind, decisions=(), helpers=frozenset())
    return [
        replace(one, decisions=(), helpers=frozenset()) if any(map(is_inside, one.decisions)) else one for one in extras
    ]


def _is_done(site: Site, decision: Decision) -> bool:
    """Whether an earlier run has put that call around the expression."""
    first = decision.parts[0]
    if len(decision.parts) < 2 or decision.parts[1] != decision.span or not isinstance(first, str):
        return False
    start = decision.span.start
    return first.endswith("(") and site.source.body[max(0, start - len(first)) : start] == first.encode()


def _in_parentheses(site: Site, decisions: list[Decision]) -> list[Decision]:
    """Leave a call its parentheses where they are those of its only argument: `set(v for v in x)`."""
    scopes = site.module.names.scopes
    generators = [node for node in scopes.of if isinstance(node, ast.GeneratorExp)]
    calls = [(node, scopes.parent.get(node)) for node in generators]
    alone = {
        site.span(node)
        for node, call in calls
        if isinstance(call, ast.Call) and call.func is not node and site.span(call).end == site.span(node).end
    }
    return [replace(one, parts=("(", *one.parts, ")")) if one.span in alone else one for one in decisions]


def _without_conflicts(decisions: list[Decision]) -> list[Decision]:
    """Of two decisions on the same bytes the one nests in the other, or the first stands."""
    kept: dict[tuple[Span, str], Decision] = {}
    by_span: dict[Span, list[Decision]] = {}
    for one in decisions:
        if not any(other.parts == one.parts for other in by_span.get(one.span, ())):
            by_span.setdefault(one.span, []).append(one)
    for span, same in by_span.items():
        wraps = _without_round_trip([one for one in same if span in one.parts])
        others = [one for one in same if span not in one.parts][:1]
        if wraps or others:
            kept[span, "only"] = _nested([*wraps, *others], span)
    return list(kept.values())


def _without_round_trip(wraps: list[Decision]) -> list[Decision]:
    """What NumPy computes for a place that takes ndarrays does not become a tensor in between.

    What takes ndarrays goes through them itself.
    """
    calls = [str(one.parts[0]).rpartition(".")[2] for one in wraps]
    dropped: set[str] = set()
    if "to_numpy(" in calls:
        dropped = {"unstacked(", "asarray(", "to_numpy("} if "asarray(" in calls else {"unstacked("}
    return [one for one, call in zip(wraps, calls, strict=True) if call not in dropped]


def _nested(same: list[Decision], span: Span) -> Decision:
    """Put wrappers of one expression around each other and around what replaces it."""
    made = same[-1]
    for wrapper in reversed(same[:-1]):
        parts: list[str | Span] = []
        for part in wrapper.parts:
            parts += made.parts if part == span else (part,)
        made = replace(wrapper, parts=tuple(parts))
    return made
