"""The functional stage over a whole project: a fixpoint over what functions write to and how they give it back.

A function in which a write cannot be made a value is refused: it stays as it is, and so does nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Container
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from tnp_migrate.analysis.functions_as_values import Uses, uses_as_values
from tnp_migrate.analysis.shared_names import SharedNames
from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.diagnostics.decisions import Decision
from tnp_migrate.functional.access_paths import Path
from tnp_migrate.functional.assembly import decisions_of, edits_of
from tnp_migrate.functional.bodies import Bodies, Body, key_of
from tnp_migrate.functional.callers import is_seen, results_of
from tnp_migrate.functional.calling_conventions import convention_of
from tnp_migrate.functional.calls_left import calls_left, selections
from tnp_migrate.functional.flow import Flow
from tnp_migrate.functional.known import Known, Variable
from tnp_migrate.functional.known_callers import Running
from tnp_migrate.functional.liveness import Liveness, ends_of_cells, find_liveness
from tnp_migrate.functional.recorded_reads import Settling, Walk, Walks, end_of, start_of, take_end
from tnp_migrate.functional.records import Record
from tnp_migrate.functional.shared_attributes import (
    given_by_special_methods,
    given_variables,
    handed_out,
    share_what_islands_take,
    taken_in,
)
from tnp_migrate.functional.shared_names import check_shared, note_links, sharing
from tnp_migrate.functional.unit import NOTHING, Convention, Refused, Unit
from tnp_migrate.program.attributes import family_of
from tnp_migrate.program.bound_names import name_above
from tnp_migrate.program.failed_files import described
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.nodes import outermost_of, walk
from tnp_migrate.text.source import Edit

ROUNDS = 12


@dataclass(eq=False)
class Functionalised:
    """What the stage decides for one module."""

    decisions: list[Decision] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    conventions: dict[Function, Convention] = field(default_factory=dict)
    refusals: dict[Body, Refused] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    slow_loops: list[tuple[ast.expr, bool]] = field(default_factory=list)
    handed_out: list[tuple[Function, str]] = field(default_factory=list)
    unfoldings: dict[Body, list[Decision]] = field(default_factory=dict)
    missed: list[tuple[Function, str, ast.AST]] = field(default_factory=list)
    given: list[tuple[Function, str]] = field(default_factory=list)
    taken_in: list[tuple[Function, str, str]] = field(default_factory=list)


def functionalise(
    index: Index,
    summaries: dict[Function | Module, Summary],
    kept: set[Function],
    imported: frozenset[str],
    helpers: dict[Module, str],
    whole: Container[tuple[str, str]],
    shared: SharedNames,
    walks: Walks,
) -> dict[Module, Functionalised]:
    """Decide every write of the project. `kept` are functions that stay on NumPy for other reasons.

    In those of `whole`, named by module and function, no statement becomes several ones. What `shared` names has to
    have been followed. `walks` are those of earlier runs over the same text, which get those of this one.
    """
    stage = _Stage(index, summaries, kept, imported, helpers, whole, shared, walks=walks)
    stage.run()
    return stage.results()


@dataclass(eq=False)
class _Stage:
    index: Index
    summaries: dict[Function | Module, Summary]
    kept: set[Function]
    imported: frozenset[str]
    helpers: dict[Module, str]
    whole: Container[tuple[str, str]] = ()
    shared: SharedNames = field(default_factory=SharedNames)
    unfoldings: dict[Body, list[Decision]] = field(default_factory=dict)
    units: dict[Body, Unit] = field(default_factory=dict)
    flows: dict[Body, Flow] = field(default_factory=dict)
    uses: Uses = field(default_factory=Uses)
    walks: Walks = field(default_factory=dict)  # those of earlier runs, too
    last: dict[Body, Walk] = field(default_factory=dict)

    @cached_property
    def bodies(self) -> Bodies:
        """What there is to look at."""
        return Bodies(self.index, self.summaries)

    @cached_property
    def known(self) -> Known:
        """What is known of all functions, which grows."""
        running = Running(self.index, self.summaries)
        return Known(self.summaries, running, self.unit_at, imported=self.imported, repeating=self.shared.repeating)

    @cached_property
    def settling(self) -> Settling:
        """What bodies ask about each other."""
        return Settling(self.known)

    def unit_at(self, module: Module, node: ast.AST) -> Unit:
        """The innermost body around a node."""
        return self.unit(self.bodies.innermost(module, node))

    def run(self) -> None:
        bodies = list(dict.fromkeys([*self.bodies.with_writes, *sharing(self.index, self.shared)]))
        if not bodies:
            return
        self.uses = uses_as_values(self.index)
        self.known.shared_attributes.update(given_by_special_methods(self.summaries))
        for function in self.kept:
            self.known.refused[function] = Refused(function.node, "it stays on NumPy for another reason")
        for function in self.bodies.rarely_meant():
            name = function.node.name
            why = f"it writes to an argument, and is called as `.{name}()` of something unknown, which hardly ever does"
            self.known.refused.setdefault(function, Refused(function.node, why))
        for number in count(1):
            shared = self.known.shared()
            wanted = [*bodies, *self.bodies.callers(self.known), *self.bodies.users(self.known), *self.known.asked]
            changed = [body for body in self.bodies.in_order(list(dict.fromkeys(wanted))) if self.has_changed(body)]
            self.settling.spread_attributes(self.bodies)
            share_what_islands_take(self.known, self.bodies)
            if not changed and self.known.shared() == shared and not self.refuse_unlike():
                return
            for body in changed if number > ROUNDS else ():  # what is refused stays so: this comes to an end
                if body not in self.known.refused:
                    self.refuse(body, Refused(_node(body), "its calls go round in a circle that does not settle"))

    def has_changed(self, body: Body) -> bool:
        """Analyse a body where what is around it has changed since the last time; say whether it has come to differ."""
        if body in self.known.refused:
            return False
        log, last = self.known.log, self.last.get(body)
        if last is not None and log.says_the_same(last.record):
            return False
        before = self.settling.state(body)
        start = start_of(self.unit(body), is_whole=key_of(body) in self.whole)
        known = self.walks.setdefault(body, [])
        walk = next((one for one in known if one.start == start and log.says_the_same(one.record)), None)
        if walk is None:
            walk = self.walked(body, start)
            known.append(walk)
        else:
            self.take(body, walk)
        self.last[body] = walk
        self.settling.forget(body)
        spreads = isinstance(body, Function) and self.settling.spread_rebinds(body)
        return last is None or spreads or self.settling.state(body) != before

    def walked(self, body: Body, start: tuple[object, ...]) -> Walk:
        """Analyse a body, and note what that asks and says."""
        record = self.known.log.record = Record()
        unfolding = self.unfoldings.get(body)
        try:
            self.analyse(body)
        except RecursionError:
            self.refuse(body, Refused(_node(body), "it is nested too deeply to be followed"))
        except Exception as error:  # noqa: BLE001  # a mistake of ours costs this function, and no other
            self.refuse(body, Refused(_node(body), f"of an internal error, please report it: {described(error)}"))
        finally:
            self.known.log.record = None
        unit, made = self.unit(body), self.unfoldings.get(body)
        return Walk(start, record, unit, end_of(unit), self.flows.get(body), None if made is unfolding else made)

    def take(self, body: Body, walk: Walk) -> None:
        """Take what an analysis in another run has come to, which would come to the same now."""
        self.known.log.say_again(walk.record)
        self.units[body] = take_end(walk)
        if walk.flow is not None:
            self.flows[body] = walk.flow
        else:
            self.flows.pop(body, None)
        if walk.unfolding is not None:
            self.unfoldings[body] = walk.unfolding

    # ---- one body

    def unit(self, body: Body) -> Unit:
        if body not in self.units:
            module = body.module if isinstance(body, Function) else body
            names = module.names.scopes
            found = [name for name in names.module.bound if module.names.root(name, names.module) == "numpy"]
            around = body.outermost.node if isinstance(body, Function) else names.module.node
            numpy = name_above(names, found, around)
            function = body if isinstance(body, Function) else None
            self.units[body] = Unit(
                self.index, module, function, body.scope if isinstance(body, Function) else names.module,
                self.bodies.summary_around(body), numpy, self.helpers[module], writes=body in self.bodies.with_writes,
            )  # fmt: skip
        return self.units[body]

    def analyse(self, body: Body) -> None:
        unit = self.unit(body)
        names = unit.module.names.scopes
        if isinstance(body, Function):
            inside = [one for one in body.nodes if isinstance(one, ast.Name)]
            unit.taken = {one.id for one in inside} | set(body.parameters) | set(body.scope.bound)
        else:
            unit.taken = {name for scope in names.of.values() for name in scope.bound} | set(names.uses)
        unit.taken |= set(unit.kept.values())
        flow = Flow(unit, self.known, self.liveness(body))
        flow.unfolds = key_of(body) not in self.whole
        try:
            self.check_nested(body)
            note_links(body, flow, self.shared)
            flow.run()
            check_shared(body, flow, self.shared)
            asked = self.known.asked.get(body, NOTHING) if isinstance(body, Function) else NOTHING
            convention = convention_of(flow, self.uses, asked)
            self.note_hands(body, flow)
        except Refused as refusal:
            self.try_otherwise(body, flow, refusal)
            return
        self.flows[body] = flow
        if isinstance(body, Function):
            if not body.yields and not body.node.decorator_list:
                self.known.results[body] = results_of(flow)
            if convention is not None:
                self.known.conventions[body] = convention
            if flow.attributes:
                self.known.written_attributes.widen(body, flow.attributes)
            if flow.outer:
                self.known.written_variables[body] = frozenset(flow.outer)
            if flow.items:
                self.known.written_items[body] = frozenset(flow.items)

    def try_otherwise(self, body: Body, flow: Flow, refusal: Refused) -> None:
        """Refuse a body, if it is not a function that can keep what it was passed, or be asked for less."""
        if refusal.unfolding is not None:
            self.unfoldings[body] = [one.unfolding for one in flow.disordered.values() if one.unfolding]
        if isinstance(body, Function) and refusal.parameter not in (None, *flow.unit.kept):
            self.keep_parameter(body, str(refusal.parameter), surely=refusal.parameter in flow.written)
        elif isinstance(body, Function) and body in self.known.asked:
            self.known.asked.pop(body)
            self.known.unable[body] = True
        else:
            self.refuse(body, refusal)
            return
        self.analyse(body)

    def liveness(self, body: Body) -> Liveness:
        pauses = ends_of_cells(body.source) if isinstance(body, Module) else frozenset[ast.stmt]()
        return find_liveness(self.unit(body).body, self.always_live(body), pauses)

    def keep_parameter(self, function: Function, name: str, *, surely: bool) -> None:
        """Give the array that a caller passed a name of its own, or see that no caller asks for what is written to it.

        That goes where NumPy may or may not write to it: after `x = np.asarray(x)`, say.
        """
        unit = self.unit(function)
        is_passed_on = function in self.uses.functions or function.node.name in self.uses.attributes
        if not surely and name not in unit.left and not is_passed_on:
            at = lambda module, call: self.liveness(self.bodies.innermost(module, call))  # noqa: E731
            if not is_seen(function, name, self.summaries, at):
                unit.left.add(name)
                return
        unit.left.discard(name)
        unit.kept[name] = unit.fresh(f"given_{name}")

    def note_hands(self, body: Body, flow: Flow) -> None:
        """Note what a body hands on: refuse, or have those refused that write to it, where that is not followed."""
        known = self.known
        kept, lasting = flow.kept(links for _, links in flow.exits)
        given = [one for one in sorted(flow.given_variables, key=lambda one: one.name) if known.is_written(*one[:2])]
        followed = not isinstance(body, Function) or known.running.is_only_called(body)
        followed = followed and not any(self.is_called_elsewhere(body, one) for one in given)
        name = getattr(body, "name", "the module")
        for variable, holder in [*lasting, *((one, f"what calls `{name}`") for one in ([] if followed else given))]:
            if variable.scope.kind != "module":
                raise Refused(_node(body), f"{holder} may hold the array of `{variable.name}`, which is written to")
            known.shared_variables.setdefault((variable.scope, variable.name), f"{holder} may hold it")
        if isinstance(body, Function):
            if kept and body.nested and not followed:
                raise Refused(body.node, f"`{name}` keeps what it is given and is passed on as a value")
            places = frozenset(flow.given_places) if body.nested else frozenset[Path]()
            self.settling.note_rebinds(body, frozenset(flow.rebound | flow.own_rebinds()))
            self.known.runs.widen(body, frozenset(flow.ran))
            known.gives[body] = frozenset(flow.given_variables), places
            known.keeps[body] = kept if body.nested else frozenset(one for one in kept if known.is_written(*one[1][:2]))

    def is_called_elsewhere(self, body: Body, variable: Variable) -> bool:
        """Whether modules that do not see a variable call a function which returns its array."""
        return variable.scope.kind == "module" and any(
            module.names.scopes.module is not variable.scope
            for module, _ in (self.known.running.calls_to(body) if isinstance(body, Function) else ())
        )

    def always_live(self, body: Body) -> frozenset[str]:
        """The names of a module that its functions read; a function's names that outlive it."""
        if isinstance(body, Module):
            inside = outermost_of(body.source.tree.body, (ast.FunctionDef, ast.Lambda))
            return frozenset(n.id for one in inside for n in walk(one) if isinstance(n, ast.Name))
        return frozenset(body.scope.globals | body.scope.nonlocals)

    def check_nested(self, body: Body) -> None:
        """Refuse a function with a function inside or around that was refused: both stay on NumPy together."""
        if not isinstance(body, Function):
            return
        around = body.module.names.scopes.ancestors
        for one in around(body.node):
            outer = body.module.functions.get(one)
            if outer is not None and outer in self.known.refused:
                message = f"the function `{outer.node.name}` around it stays on NumPy"
                raise Refused(body.node, message, because=(outer.module.name, outer.place))
        first = self.known.first_refused(self.bodies.inside(body))
        if first is not None:
            other, why = first
            because = why.because if isinstance(why, Refused) else None
            raise Refused(other.node, f"the function `{other.node.name}` inside it: {why}", because=because)

    def refuse(self, body: Body, refusal: Refused) -> None:
        if refusal.attribute is None and body in self.summaries:
            own = body.owner.family if isinstance(body, Function) and body.owner else ""
            written = sorted(name for kind, name in self.summaries[body].surely if kind == "attribute")
            # What its own class stores it finds: `find_islands` sees to that, attribute by attribute.
            refusal.attribute = next((name for name in written if family_of(name) not in ("", own)), None)
        self.known.refused[body] = refusal
        self.settling.forget(body)
        self.flows.pop(body, None)
        if isinstance(body, Function):
            self.known.conventions.pop(body, None)
            self.known.results.pop(body, None)
            self.known.written_attributes.pop(body, None)
            self.known.written_variables.pop(body, None)
            self.known.written_items.pop(body, None)

    def results(self) -> dict[Module, Functionalised]:
        found: dict[Module, Functionalised] = {}
        for body, flow in self.flows.items():
            module = flow.unit.module
            into = found.setdefault(module, Functionalised())
            convention = self.known.conventions.get(body) if isinstance(body, Function) else None
            decisions, edits = list(decisions_of(flow, convention)), list(edits_of(flow, convention))
            into.slow_loops += flow.slow_loops()
            if isinstance(body, Function):
                into.missed += [(body, name, node) for name, node in flow.missed.items()]
            into.decisions += decisions
            into.edits += edits
            if isinstance(body, Function) and (decisions or edits):
                into.changed.add(body.place)
            if isinstance(body, Function) and convention is not None:
                into.conventions[body] = convention
        for body, refusal in self.known.refused.items():
            module = body.module if isinstance(body, Function) else body
            into = found.setdefault(module, Functionalised())
            if isinstance(refusal, Refused) and not (isinstance(body, Function) and body in self.kept):
                into.refusals[body] = refusal
        whole = {body: list(flow.whole_loops.values()) for body, flow in self.flows.items() if flow.whole_loops}
        for body, decisions in [*self.unfoldings.items(), *whole.items()]:
            into = found.setdefault(body.module if isinstance(body, Function) else body, Functionalised())
            into.unfoldings[body] = decisions
        self._note_shared(found)
        for module, selection in selections(calls_left(self.bodies, self.known, self.flows), self.known):
            found.setdefault(module, Functionalised()).decisions.append(selection)
        return found

    def _note_shared(self, found: dict[Module, Functionalised]) -> None:
        """Note what translated functions give to callers, or take from them, and is written to."""
        refused = self.known.refused
        for function, names in handed_out(self.known):
            if function not in refused:
                found.setdefault(function.module, Functionalised()).handed_out += [(function, name) for name in names]
        for function, variables in given_variables(self.known):
            if function not in refused and not function.nested:
                into = found.setdefault(function.module, Functionalised())
                into.given += [(function, one.name) for one in variables]
        for one in taken_in(self.known):
            if one[0] not in refused:
                found.setdefault(one[0].module, Functionalised()).taken_in.append(one)

    def refuse_unlike(self) -> bool:
        """Refuse functions whose result a call left as it is takes for that of another; say whether there are any."""
        known = self.known.conventions
        groups = [functions for _, _, functions in calls_left(self.bodies, self.known, self.flows)]
        unlike = [group for group in groups if len({known[one].result if one in known else "" for one in group}) > 1]
        for function in dict.fromkeys(one for group in unlike for one in group if one in known):
            why = f"a call that may run `{function.name}` takes the result of another one"
            self.refuse(function, Refused(function.node, why))
        return bool(unlike)


def _node(body: Body) -> ast.AST:
    return body.node if isinstance(body, Function) else body.source.tree
