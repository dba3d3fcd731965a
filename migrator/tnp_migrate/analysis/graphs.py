"""What the evaluation of a body leaves: its registers as nodes of the heap, its calls, and its writes."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from tnp_migrate.analysis.conflicts import Conflicts
from tnp_migrate.analysis.heap import (
    HELD,
    SHARED,
    STORED,
    WRITTEN,
    Node,
    find,
    mark,
    parts_of,
    unify,
    views_of,
)
from tnp_migrate.analysis.implicit_looks import Looks
from tnp_migrate.analysis.summary_nodes import Summary
from tnp_migrate.ir.instructions import Body, Instruction
from tnp_migrate.program.index import Function, Module


@dataclass(slots=True, eq=False)
class Write:
    """A write to an array's memory. `target` is the register that it goes by, -1 where a call writes."""

    instruction: Instruction
    nodes: list[Node]
    target: int
    is_own: bool = False  # whether nothing else has what it writes to


@dataclass(slots=True, eq=False)
class Call:
    """A call of a body of the project: for each node of the callee's summary the node that it is here.

    `passed` are those of what it is given, or outlives it: all others are made anew by each call.
    """

    instruction: Instruction
    callee: Graph
    mapping: list[tuple[Node, Node]]
    passed: list[tuple[Node, Node]]
    waiting: list[Deferred] = field(default_factory=list)  # the calls of it that its caller has taken over
    lent: list[Node] = field(default_factory=list)  # of what it is given, what it writes to, as far as others have it

    def flagged(self, flags: int, among: list[tuple[Node, Node]] | None = None) -> list[tuple[Node, Node]]:
        """The nodes of the callee of which one of some flags says something, with what they are here."""
        given = self.mapping if among is None else among
        return [
            (root, here) for there, here in given if (root := there if there.up is None else find(there)).flags & flags
        ]

    @property
    def written(self) -> dict[Node, None]:
        """The nodes that it writes to, and that are not of its own making."""
        if not self.callee.has_effects:  # whatever else writes to what it reads
            return {}
        found = dict.fromkeys([find(here) for _, here in self.flagged(WRITTEN, self.passed)])
        for node in self.callee.shared_writes:
            found[find(node)] = None
        return found

    def here(self, nodes: Iterable[Node]) -> list[Node]:
        """What nodes of the callee are for its caller: written variables around it are the same for both."""
        wanted = {find(one) for one in nodes}
        if not wanted:
            return []
        found = [find(here) for there, here in self.mapping if (there if there.up is None else find(there)) in wanted]
        return [*found, *(one for one in map(find, self.callee.shared_writes) if one in wanted)]

    @property
    def kept(self) -> list[Node]:
        """The nodes that it puts into objects."""
        return [find(here) for _, here in self.flagged(STORED)]

    @property
    def kept_behind(self) -> list[Node]:
        """The nodes that it puts into objects which its caller has, or which outlive calls; an array copies items."""
        put = None if self.callee.puts is None else {find(one) for one in self.callee.puts}
        if put is None:
            found = [(there, find(here)) for there, here in self.flagged(STORED)]
        else:
            roots = [(there if there.up is None else find(there), here) for there, here in self.mapping if put]
            found = [(there, find(here)) for there, here in roots if there in put]
        if not found:
            return []
        holders: dict[Node, list[Node]] = {there: [] for there, _ in found if not there.flags & SHARED}
        for there, here in [(find(one), find(other)) for one, other in self.mapping] if holders else ():
            for one in there.fields.values():
                held = one if one.up is None else find(one)
                if held in holders:
                    holders[held].append(here)
        return [
            here
            for there, here in found
            if there.flags & SHARED or any(holder is not here for holder in holders[there])
        ]


# A write of a body, or of what it calls: where, to what, and by which registers.
Effect: TypeAlias = "tuple[Instruction, dict[Node, None], tuple[int, ...]]"
# By a node the registers that have it, see `Graph.having`.
Having: TypeAlias = "dict[Node, list[int]]"


@dataclass(slots=True, eq=False)
class Unseen:
    """A call of which no text shows what it runs; `call` is what it runs of the project, if that is known.

    `given` is what it is passed but for the object that a method is called on, whose slots are bound.
    """

    instruction: Instruction
    result: Node
    given: list[Node]
    call: Call | None = None


@dataclass(slots=True, eq=False)
class Deferred:
    """A call of something that is not known yet: a parameter, or what one holds."""

    function: Node
    arguments: list[tuple[str | int | None, Node]]  # by position, by name, or None for starred ones
    result: Node
    instruction: Instruction  # the first that it stands at
    done: set[Body] = field(default_factory=set)
    method: str | None = None  # of the object `function`, where it is not a function itself
    depth: int = 0  # how many callers it has been handed on to
    followed: frozenset[object] = frozenset()  # ways in which its function, a partial or a member, has been run
    calls: list[Call] = field(default_factory=list)  # what it has been found to run
    conflicts: Conflicts = field(default_factory=Conflicts)
    origin: tuple[Graph, Deferred] | None = None  # the call of the project that has been handed on
    others: dict[tuple[Graph, Deferred], None] = field(default_factory=dict)  # and those that it stands for as well
    into: Deferred | None = None  # that which stands for it
    of_variable: bool = False  # whether what it calls has been reached from a variable that bodies share
    left: Collection[Body] = ()  # what it may run, of so much that none of it is followed
    # How what is given are items of the object, which is known once something is run: "each" of it, or "by key".
    iterates: str = ""
    is_written: bool = False  # whether the text says how many arguments it is given
    seen_as: Node | None = None  # its function, and how much that held, when it was looked at last
    seen_with: int = -1
    # The results of the other instructions that run it: of calls that have taken it over together.
    elsewhere: set[int] = field(default_factory=set)

    @property
    def nodes(self) -> list[Node]:
        """What is called, what is given, and what comes of it."""
        return [self.function, self.result, *(node for _, node in self.arguments)]

    def run_again(self, done: set[Body]) -> None:
        """Note that of what it has run before it was handed on only some has been run wherever it stands."""
        here = {call.callee.body for call in self.calls}
        if not self.done <= done | here:
            self.done &= done | here
            self.seen_as = None

    def stand_at(self, places: set[int]) -> bool:
        """Note that instructions of some results run it; say whether that is news."""
        news = places - self.elsewhere - {self.instruction.result}
        self.elsewhere |= news
        return bool(news)


@dataclass(slots=True, eq=False)
class ItemStore:
    """A store under a key into what may be an array, which copies, or a container, which then holds the value.

    `read` says that an object held the value before, `again` that it held it under that key, as in `x[k] += 1`, and
    `blind` that nothing says there whether it is an array.
    """

    instruction: Instruction
    holder: Node
    label: str
    value: Node
    read: bool
    again: bool = False
    blind: bool = False


@dataclass(slots=True, eq=False)
class Hold:
    """Memory that a call has handed out, and the write that is in conflict with it, or what holds on to it.

    Or memory that is put into two places by `call` and `conflict`.
    """

    node: Node
    call: Instruction
    conflict: Instruction
    twice: bool = False


@dataclass(eq=False)
class Graph:
    """One body. `handed` are nodes that the result of a call leads to and something else does, too."""

    body: Body
    module: Module
    function: Function | None  # the function of the project whose body it is; None for lambdas and modules
    registers: list[Node] = field(default_factory=list)
    result: Node = field(default_factory=Node)  # of a generator, or what all returns give of a body that calls itself
    returned: list[Node] = field(default_factory=list)  # what the returns of any other body give, each on its own
    calls_itself: bool = False
    raised: Node = field(default_factory=Node)  # the exceptions that it raises, or what it calls does
    parameters: dict[str, Node] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)
    deferred: list[Deferred] = field(default_factory=list)
    joined: dict[tuple[Instruction, Graph], Call] = field(default_factory=dict)  # the last that has no copy to itself
    # Those with a copy, and how deep they were found, by the instruction, the callee and what was given then.
    found_calls: dict[tuple[object, ...], tuple[Call, int]] = field(default_factory=dict)
    taken_over: dict[object, Deferred] = field(default_factory=dict)  # from callees, by what they run with what
    alike: dict[object, list[Deferred]] = field(default_factory=dict)  # of these, by what they ask of what
    # Calls of methods that run without being named, by the method and what it is given, and by where they run.
    run_unnamed: dict[tuple[object, ...], dict[Instruction, Call]] = field(default_factory=dict)
    # Of those of a body that is evaluated, those that callers may resolve; None until one has asked.
    open_calls: list[Deferred] | None = None
    circle: list[Graph] = field(default_factory=list)  # the bodies that hand on theirs together, where they are many
    has_its_own: bool = False  # whether those that it does not lead to are left out of what its circle hands on
    summed_up: Summary | None = None
    copies_of: dict[Graph, Summary] = field(default_factory=dict)  # those of what it calls that calls have together
    stores: list[tuple[Instruction, Node]] = field(default_factory=list)  # what is put into objects
    item_stores: list[ItemStore] = field(default_factory=list)  # of which nothing says whether they put or copy
    asked_to_put: set[tuple[Node, str, Node]] = field(default_factory=set)  # by what it calls
    put: list[ItemStore] = field(default_factory=list)  # those that have turned out to put
    computed: list[tuple[Node, list[Node]]] = field(default_factory=list)  # arrays, if what they are made of is one
    paired: dict[tuple[Node, Node], None] = field(default_factory=dict)  # dicts, and what may turn out to be pairs
    picked: list[tuple[Node, Node]] = field(default_factory=list)  # objects, and what an attribute of any name gives
    copied_objects: list[tuple[int, Node]] = field(default_factory=list)  # registers with shallow copies of objects
    lasting_puts: list[Node] = field(default_factory=list)  # what it puts into what its callers have
    given_twice: list[Node] = field(default_factory=list)  # what callers get in two places of the objects it gives
    fresh: set[int] = field(default_factory=set)  # registers with arrays that NumPy and operators make
    copied: set[int] = field(default_factory=set)  # registers with what `x.copy()` gives, of whatever has that
    numeric: set[int] = field(default_factory=set)  # registers with what operators give of arrays and numbers alone
    made: list[int] = field(default_factory=list)  # registers with what calls of libraries and operators give
    handed: dict[int, list[Node]] = field(default_factory=dict)  # by the register of the call's result
    hidden: list[tuple[Instruction, list[Node]]] = field(default_factory=list)  # arguments had by what objects hold
    # Instructions that make objects by a constructor which no text shows: what that runs writes by their attributes.
    constructing: set[Instruction] = field(default_factory=set)
    of_classes: set[int] = field(default_factory=set)  # registers with arrays that an object may have of its class
    unseen: list[Unseen] = field(default_factory=list)
    # Calls of which no text shows what they keep, and what an object has since then.
    kept: dict[tuple[Instruction, Node], None] = field(default_factory=dict)
    gives: list[Node] = field(default_factory=list)  # what its own result hands out
    puts: list[Node] | None = None  # what it and what it calls put into objects; None until it is known
    stored_attributes: list[Instruction] = field(default_factory=list)  # as only arrays have, of what may be anything
    blind: list[Instruction] = field(default_factory=list)  # writes by operators to what may be no array
    bound_anew: list[Instruction] = field(default_factory=list)  # those that the text takes for nobody else's business
    counted: list[int] = field(default_factory=list)  # registers that operators work on in place as on numbers
    fails_late: bool = True  # it may raise after it has written to what it is passed; until it is known, it may
    # Two objects that it comes by, of one of which it has read an array and still uses it when it writes to the same
    # of the other, to what, and where.
    held_across: dict[tuple[Node, Node, Node], Instruction] = field(default_factory=dict)
    unfollowed: dict[Node, None] = field(default_factory=dict)  # what it writes to and nothing says where it comes from
    holds: list[Hold] = field(default_factory=list)  # of what calls have handed out to it
    _held: set[Node] = field(default_factory=set)
    rebound: frozenset[Node] = frozenset()  # what it, and what it calls, binds to attributes and has made for these
    cells_reached: frozenset[object] | None = None  # the variables of others that it, and what it calls, reads
    # What it and what it calls put into objects, and write to, where no text shows it.
    hidden_stores: list[tuple[Instruction, Node]] = field(default_factory=list)
    hidden_writes: list[Node] = field(default_factory=list)
    rotated: frozenset[Node] = frozenset()  # what it and what it calls move from one attribute to another
    # Of what it binds to attributes, the parameters that this comes from.
    stored_parameters: Mapping[Node, frozenset[str]] = field(default_factory=dict)
    given_own: set[int] = field(default_factory=set)  # registers with what calls give of bodies that do so
    running: frozenset[Instruction] = frozenset()  # what may run bodies of the project, which give and get anything
    asking: frozenset[Instruction] = frozenset()  # and those that run methods of what they are given, on that alone
    waiting: frozenset[Instruction] = frozenset()  # what may run bodies that are not known yet
    implicit: Mapping[Instruction, Looks] = field(default_factory=dict)  # what methods look at that nothing there names
    attributes_named: Looks = None  # what it and what it calls read or bind
    gives_own: bool = False  # whether all that it gives are arrays that it has made and that nothing else has
    private: frozenset[int] = frozenset()  # registers with arrays that nothing else gets, but for what it gives so
    own_writes: set[Instruction] = field(default_factory=set)  # to arrays that nothing else has, as far as is known
    shared_writes: dict[Node, None] = field(default_factory=dict)  # of it and of what it calls
    resumes: bool = False  # whether it, or something that it calls, may let a suspended call go on
    is_done: bool = False  # whether all calls of it are known, and of all bodies that it is in a circle with
    has_effects: bool = True  # whether it, or something that it calls, writes to anything; so may what is not known yet

    @cached_property
    def key(self) -> tuple[str, str]:
        """The module and the outermost function that the body stands in; "" for the module's own statements."""
        function = self.function or self.module.outermost(self.body.scope)
        return (self.module.name, function.outermost.place if function is not None else "")

    @property
    def own_key(self) -> tuple[str, str]:
        """The module and the place of the body's own function in it; "" for what is no function of the project."""
        return (self.module.name, self.function.place if self.function is not None else "")

    @property
    def itself(self) -> Node | None:
        """The object that a method is called on."""
        function = self.function
        names = function.parameters[:1] if function is not None and function.takes_self else []
        return self.parameters.get(names[0]) if names else None

    @property
    def results(self) -> list[Node]:
        """What a call may give: one of these."""
        return [self.result, *self.returned]

    def give(self, node: Node) -> None:
        """Note what a return gives."""
        if self.calls_itself:
            unify(self.result, node)
        else:
            self.returned.append(node)

    def join_results(self) -> None:
        """Take what all returns give for one, as the body is called before each of them is known."""
        self.calls_itself = True
        for node in self.returned:
            unify(self.result, node)

    @cached_property
    def signature(self) -> tuple[list[str], frozenset[str], str, str]:
        """The names of parameters: by position, all but the last two, and those of `*x` and `**x`, or ""."""
        node = self.body.node
        if isinstance(node, ast.Module):
            return [], frozenset(), "", ""
        given, vararg, kwarg = node.args, node.args.vararg, node.args.kwarg
        positional = [one.arg for one in (*given.posonlyargs, *given.args)]
        named = frozenset((*positional, *(one.arg for one in given.kwonlyargs)))
        return positional, named, vararg.arg if vararg else "", kwarg.arg if kwarg else ""

    @property
    def gathered(self) -> list[Node]:
        """The tuple of `*x` and the dict of `**x`, which each call makes for what it passes."""
        return [self.parameters[name] for name in self.signature[2:] if name]

    def variables(self, *kinds: str) -> list[Node]:
        """What the variables of a kind hold, "cell" or "global", that the body reads or binds, once it is evaluated."""
        if not self.registers:
            return []
        binding = {f"set_{kind}" for kind in kinds}
        return [
            self.registers[one.operands[0] if one.operation in binding else one.result]
            for one in self.body.instructions
            if one.operation in binding or one.operation in kinds
        ]

    def places(self, waiting: Deferred) -> list[Instruction]:
        """The instructions that run what is not known yet."""
        return [waiting.instruction, *(self.body.instructions[one] for one in waiting.elsewhere)]

    def hold(self, node: Node, call: Instruction, conflict: Instruction, *, twice: bool = False) -> None:
        """Note that a call has handed out memory which a conflict stands against: the first such of a node."""
        if not self.is_held(node):
            self._held.add(find(node))
            self.holds.append(Hold(node, call, conflict, twice))
            mark(node, HELD | WRITTEN if conflict in self.own_writes else HELD)

    def is_held(self, node: Node) -> bool:
        """Whether a hold of a node has been noted here."""
        return find(node) in self._held

    def having(self) -> Having:
        """The registers that have each node, a part of it if it is an array, or a part of what it is a view of."""
        alone: dict[Node, list[int]] = {}
        for register, node in enumerate(self.registers):
            alone.setdefault(find(node), []).append(register)
        found = {node: [register for part in parts_of(node) for register in alone.get(part, ())] for node in alone}
        whole = [(found[node], views_of(node)) for node in alone]
        for registers, views in whole:
            for view in views:
                known = found.setdefault(view, [])
                known += [one for one in registers if one not in known]
        return found

    def all_writes(self) -> Iterator[Effect]:
        """The writes of the body and of what it calls."""
        for write in self.writes:
            yield write.instruction, dict.fromkeys(map(find, write.nodes)), (write.target,)
        of_calls: dict[Instruction, dict[Node, None]] = {}  # one may run many bodies, which write to the same
        for call in self.calls:
            of_calls.setdefault(call.instruction, {}).update(call.written)
        yield from ((one, nodes, one.operands) for one, nodes in of_calls.items() if nodes)

    def written(self) -> dict[Node, None]:
        """What the body writes to, and what it calls, that something else may have."""
        found = {find(node): None for write in self.writes if not write.is_own for node in write.nodes}
        for call in self.calls:
            found |= call.written
        return found

    def unshown(self) -> set[Instruction]:
        """The instructions that call what no text names: what turns out to be a function, a property, an operator."""
        others = {call.instruction for call in self.calls if call.instruction.operation != "call"}
        return {one.instruction for one in self.unseen} | others
