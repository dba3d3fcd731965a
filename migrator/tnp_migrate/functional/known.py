"""What is known of all functions while the functional stage goes on, and the questions that are asked of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.functional.access_paths import Path
from tnp_migrate.functional.alias_graph import Kind
from tnp_migrate.functional.known_callers import Running
from tnp_migrate.functional.reached import Reached
from tnp_migrate.functional.records import Log, Table
from tnp_migrate.functional.unit import Convention, Unit
from tnp_migrate.program.attributes import attribute_name, meeting
from tnp_migrate.program.index import Function, Module
from tnp_migrate.program.reachability import Closure
from tnp_migrate.program.rotations import rotating_with
from tnp_migrate.program.scopes import Scope


class Variable(NamedTuple):
    """A variable of a function or of the module that functions write to; `items` where it is a container of arrays."""

    scope: Scope
    name: str
    items: bool = False


Given = tuple[frozenset[Variable], frozenset[Path]]
Place = tuple[Scope, str]  # a variable by its scope
Relation = Kind | Literal[""]  # what a result is to a parameter
_NOTHING: Given = frozenset(), frozenset()


@dataclass(eq=False)
class Known:
    """What is known of all functions while the fixpoint runs. What does not hang on the text alone is noted, see `log`.

    What is asked of other than tables are methods that note their answers, and how to answer them again.
    """

    summaries: dict[Function | Module, Summary]
    running: Running
    unit_at: Callable[[Module, ast.AST], Unit]
    imported: frozenset[str] = frozenset()
    repeating: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)  # see `shared_names`
    touched: Closure[Function | str, str | None] | None = None
    log: Log = field(default_factory=Log)
    _escaping: dict[Function, frozenset[str]] = field(default_factory=dict)
    _returned: dict[Function, tuple[list[str], frozenset[str]]] = field(default_factory=dict)
    _written: tuple[object, frozenset[Place]] = (None, frozenset())
    _why_shared: tuple[int, dict[str, str | None]] = (0, {})

    def __post_init__(self) -> None:
        """Make the tables."""
        log = self.log
        self.conventions = Table[Function, Convention]("conventions", log)
        self.refused = Table[Function | Module, Exception]("refused", log)
        self.asked = Table[Function, Convention]("asked", log)  # to give back what others of their calls do
        self.unable = Table[Function, bool]("unable", log)  # which cannot give back more than what they write to
        self.results = Table[Function, dict[str, Relation]]("results", log)  # what they are to parameters
        self.shared_attributes = Table[str, str]("shared_attributes", log)
        self.written_attributes = Table[Function, frozenset[str]]("written_attributes", log)
        self.written_variables = Table[Function, frozenset[Variable]]("written_variables", log)
        self.shared_variables = Table[Place, str]("shared_variables", log)  # which may be written to at any time
        self.gives = Table[Function, Given]("gives", log)  # whose memory nested functions return
        self.rebinds = Table[Function, frozenset[Place]]("rebinds", log)  # variables bound to others
        self.rebound_at_any_time = Table[Place, bool]("rebound_at_any_time", log)
        self.runs = Table[Function, frozenset[Function]]("runs", log)  # by the calls that its walk has come by
        self.keeps = Table[Function, frozenset[tuple[str, Variable]]]("keeps", log)  # parameters, and where
        self.written_items = Table[Function, frozenset[str]]("written_items", log)
        log.answering |= {
            "is_written": lambda place: place in self._places_written(),
            "relation": self._relation,
            "given": lambda function: _given(dict.get(self.gives, function)),
            "why_shared": self._why,
            "shared_at": self._shared_at,
            "shared_names": lambda _: self._shared_names(),
            "rebound_at": self._rebound_at,
            "rebound_by": lambda key: self._rebound_by(*key),
            "first_refused": self._first_refused,
        }

    def is_written(self, scope: Scope, name: str) -> bool:
        """Whether a function writes to the array of a variable of the function around it, or of the module."""
        return self.log.note("is_written", (scope, name), (scope, name) in self._places_written())

    def _places_written(self) -> frozenset[Place]:
        sets = tuple(self.written_variables.values())
        if self._written[0] != sets:
            self._written = sets, frozenset(one[:2] for ones in sets for one in ones)
        return self._written[1]

    def relation(self, function: Function, parameter: str) -> Relation:
        """What a result of a function is to what it was given for a parameter."""
        return self.log.note("relation", (function, parameter), self._relation((function, parameter)))

    def _relation(self, key: tuple[Function, str]) -> Relation:
        return dict.get(self.results, key[0], dict[str, Relation]()).get(key[1], "may")

    def given(self, function: Function) -> Given:
        """The variables around a function whose memory it gives, and the places."""
        known = dict.get(self.gives, function, _NOTHING)
        self.log.note("given", function, _given(known))
        return known

    def shared_at(self, scope: Scope) -> frozenset[Variable]:
        """The variables that a scope sees and that may be written to at any time."""
        return self.log.note("shared_at", scope, self._shared_at(scope))

    def _shared_at(self, scope: Scope) -> frozenset[Variable]:
        return frozenset(Variable(one, name) for one, name in self.shared_variables if scope.owner(name) is one)

    def shared_names(self) -> frozenset[str]:
        """The bare names of all variables that may be written to at any time."""
        return self.log.note("shared_names", None, self._shared_names())

    def _shared_names(self) -> frozenset[str]:
        return frozenset(name for _, name in self.shared_variables)

    def rebound_at(self, scope: Scope) -> frozenset[Place]:
        """The variables that a scope sees and that may be bound to something else at any time."""
        return self.log.note("rebound_at", scope, self._rebound_at(scope))

    def _rebound_at(self, scope: Scope) -> frozenset[Place]:
        return frozenset(one for one in self.rebound_at_any_time if scope.owner(one[1]) is one[0])

    def rebound_by(self, function: Function, scope: Scope) -> frozenset[Place]:
        """The variables that a scope sees and a function binds to something else, by what it runs as well."""
        return self.log.note("rebound_by", (function, scope), self._rebound_by(function, scope))

    def _rebound_by(self, function: Function, scope: Scope) -> frozenset[Place]:
        return frozenset(one for one in self.rebinds_of(function) if scope.owner(one[1]) is one[0])

    def rebinds_of(self, function: Function) -> frozenset[Place]:
        """All variables that a function binds to something else, which no analysis of another one hangs on."""
        known = dict.get(self.rebinds, function)
        # What was not looked at has nothing in it that is an array and written to.
        return self.reached.declares.of_one(function) if known is None else known

    def first_refused(self, functions: tuple[Function, ...]) -> tuple[Function, Exception] | None:
        """Which of some functions was refused first, and why."""
        return self.log.note("first_refused", functions, self._first_refused(functions))

    def _first_refused(self, functions: tuple[Function, ...]) -> tuple[Function, Exception] | None:
        found = ((one, why) for one, why in self.refused.items() if one in functions) if functions else iter(())
        return next(((one, why) for one, why in found if isinstance(one, Function)), None)

    def why_shared(self, attribute: str) -> str | None:
        """Why others may hold the array of an attribute, given by its key; None where nobody does."""
        return self.log.note("why_shared", attribute, self._why(attribute))

    def _why(self, attribute: str) -> str | None:
        count = len(self.shared_attributes)  # nothing is ever taken out
        if self._why_shared[0] != count:
            self._why_shared = count, {}
        known = self._why_shared[1]
        if attribute not in known:
            keys = (meeting(one, self.shared_attributes) for one in rotating_with(self.running.index, attribute))
            known[attribute] = next((dict.get(self.shared_attributes, one) for one in keys if one is not None), None)
        return known[attribute]

    @cached_property
    def touched_by_python(self) -> frozenset[str]:
        """The attributes that the methods touch which operators and the like run."""
        ones = (one for name, methods in self.running.index.methods.items() if name[:2] == "__" for one in methods)
        names = (self.touched_in(one) for one in ones if one.node.name != "__init__" and one in self.summaries)
        return frozenset(name for each in names for name in each)

    def touched_in(self, function: Function) -> Iterator[str]:
        """The attributes whose arrays a function itself takes hold of, and those that it binds."""
        summary = self.summaries[function]
        yield from (attribute_name(key) for kind, key in summary.escaped | summary.returned if kind == "attribute")
        nodes = (one for one in function.nodes if isinstance(one, ast.Attribute))
        yield from (one.attr for one in nodes if function.yields or not isinstance(one.ctx, ast.Load))

    @cached_property
    def reached(self) -> Reached:
        """What functions do by all that they run."""
        return Reached(self.summaries, self.running)

    def is_quiet(self, function: Function) -> bool:
        """Whether a function keeps nothing of its arguments, and writes to no attribute or item."""
        writes = function in self.written_attributes or function in self.written_items
        return not self.escaping(function) and not writes and not self.keeps.get(function)

    def escaping(self, function: Function) -> frozenset[str]:
        """The parameters of which a function keeps what it is given, out of sight."""
        if function not in self._escaping:
            summary = self.summaries.get(function)
            self._escaping[function] = summary.escaping if summary is not None else frozenset()
        return self._escaping[function]

    def returned(self, function: Function) -> tuple[list[str], frozenset[str]]:
        """The attributes, by their keys, and the parameters whose arrays a function may return."""
        if function not in self._returned:
            summary = self.summaries.get(function)
            roots = sorted(summary.returned) if summary else []
            parameters = frozenset(name for kind, name in roots if kind == "parameter")
            self._returned[function] = [name for kind, name in roots if kind == "attribute"], parameters
        return self._returned[function]

    def shared(self) -> tuple[int, ...]:
        """How much is known to be written to, and to have holders out of sight."""
        written, rebound = self._places_written(), self.rebound_at_any_time
        asked = sum(1 + len(one.parameters) + (one.result == "value") for one in self.asked.values())
        return len(self.shared_attributes), len(self.shared_variables), len(rebound), len(written), asked


def _given(known: Iterable[frozenset[Variable] | frozenset[Path]] | None) -> object:
    """The same answer for what is not known yet, and gives nothing."""
    return known if known is not None and any(known) else None
