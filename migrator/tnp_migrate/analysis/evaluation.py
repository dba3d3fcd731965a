"""The state of evaluating one body: its registers as nodes, its calls, and what the text says of its expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Container, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as data_field
from typing import Any

from tnp_migrate.analysis.argument_binding import binds_receiver
from tnp_migrate.analysis.calls import Argument, call_again, call_body
from tnp_migrate.analysis.common_methods import that_calls
from tnp_migrate.analysis.delegation import handed_on
from tnp_migrate.analysis.graphs import Call, Deferred, Graph, ItemStore, Unseen, Write
from tnp_migrate.analysis.heap import (
    ARRAY,
    MADE,
    OBJECT,
    STORED_INTO,
    Node,
    container_of,
    field,
    find,
    give_classes,
    mark,
    second_of,
    unify,
)
from tnp_migrate.analysis.implicit_calls import UNNAMED
from tnp_migrate.analysis.late_calls import run_by_partial
from tnp_migrate.analysis.members import member_calls, waiting_calls
from tnp_migrate.analysis.open_calls import join_alike
from tnp_migrate.analysis.partials import is_partial, partial_calls
from tnp_migrate.analysis.resolution import Resolution
from tnp_migrate.analysis.slots import Slots
from tnp_migrate.analysis.stores import put_into, put_item
from tnp_migrate.ir.instructions import Body, CallShape, Instruction
from tnp_migrate.numpy_facts.signatures import given_to_class
from tnp_migrate.numpy_facts.values import NOTHING, UNKNOWN, Value
from tnp_migrate.program.classes import may_be_arrays
from tnp_migrate.program.index import Function, Module

NOT_WRITTEN = NOTHING | {"list", "dict", "tuple", "set", "instance", "function", "class", "module"}
_READS = frozenset({"attribute", "item", "global", "cell", "call"})
_MAKES = frozenset("constant operator display slice function class rest unknown".split())
_MOST_WAITING = 200  # stores of one body that may copy: those of one that has more are taken to put
Handler = Callable[["Transfer", Instruction], Any]


@dataclass(eq=False)
class Transfer:
    """The state of evaluating one body."""

    graph: Graph
    slots: Slots
    graphs: dict[Body, Graph]
    done: set[Body]
    together: Container[Body] = ()  # the bodies that are evaluated in turns with it, for they call each other
    decorated: list[tuple[int, int, int]] = data_field(default_factory=list)  # decorator, function and result

    def __post_init__(self) -> None:
        """Give each instruction a node of its own."""
        self.module: Module = self.graph.module
        self.body = self.graph.body
        self.registers = self.graph.registers
        self.resolution = Resolution(self.graph, self.slots, self.graphs)
        self.registers += [Node() for _ in self.body.instructions]

    def run(self, handlers: Mapping[str, Handler], then: Callable[[Transfer], None]) -> None:
        """Evaluate all instructions, and `then` the calls of what has turned out to be a function."""
        for one in self.body.instructions:
            handler = handlers.get(one.operation)
            if handler is not None:
                handler(self, one)
            value = self.value(one.node)
            if one.operation in _READS and is_surely_array(value):
                mark(self.registers[one.result], ARRAY)
            if one.operation in _MAKES or value.kind in NOTHING:
                mark(self.registers[one.result], MADE)
        then(self)
        self._constructed()
        self._recall()
        self.settle()
        self._dress()

    def settle(self) -> None:
        """Run calls of functions that are known by now, until no more become known."""
        changed = True
        while changed:
            changed = self._put() | join_alike(self.graph)
            self.resolution.forget()
            for one in self._grown():
                if one.method is None and "()" in find(one.function).fields:  # it keeps what it gives
                    unify(one.result, field(one.function, "()"))
                    self.resolution.forget()
                found = [*partial_calls(one), *member_calls(one, self.body), *handed_on(one, self.graph, self.slots)]
                if found or (one.method is None and is_partial(one.function)):
                    self.resolution.forget()
                self.graph.deferred += found
                alike = self.resolution.made_alike(one)
                give_classes(one.result, alike)
                changed = changed or bool(found or alike)
                for body, receiver in self.resolution.kept(one):
                    if body in one.done:
                        continue
                    one.done.add(body)
                    changed = True
                    self.resolution.forget()
                    given = one.arguments if receiver is None else with_receiver(receiver, one.arguments)
                    made = None if one.iterates and not self._gives_items(one, body) else self._run(one, body, given)
                    one.calls += [made] if made is not None else []

    def _gives_items(self, one: Deferred, body: Body) -> bool:
        """Let an object have the items that a method gives which it is gone through by; say whether that is one."""
        owner = getattr(self.graphs[body].function, "owner", None)
        by_place = one.method == "__getitem__" and one.iterates == "each"
        if by_place and owner is not None and owner.method("__iter__") is not None:
            return False
        unify(field(one.result, "[]") if one.method == "__iter__" else one.result, field(one.function, "[]"))
        return True

    def _put(self) -> bool:
        """Put items into what has turned out to be a container."""
        waiting = self.graph.item_stores
        all_put = len(waiting) >= _MOST_WAITING
        put = [one for one in waiting if all_put or find(one.holder).flags & OBJECT]
        if put:
            known = set(put)
            self.graph.item_stores = [one for one in waiting if one not in known]
        for one in put:
            put_item(self.graph, one)
        for into, item in self.graph.paired:
            second = second_of(item)
            if second is not None:
                unify(field(into, "[]"), second)
        return bool(put)

    def take_items_of_container(self, one: Instruction, holder: Node, made: Node, *, read: bool = False) -> None:
        """Let what is made of an object have its items, if that turns out to be a container; an array's are copied."""
        self.graph.item_stores.append(ItemStore(one, holder, "[]", field(made, "[]"), read))

    def _grown(self) -> Iterator[Deferred]:
        """The calls that may have come to mean more since they were looked at: what their function may be only grows.

        Those that run others come to it while one runs: each is looked at when its turn comes.
        """
        for one in list(self.graph.deferred):
            node = find(one.function)
            size = len(node.classes) + len(node.bodies) + len(node.fields) + len(node.members)
            if one.seen_as is not node or one.seen_with != size:
                one.seen_as, one.seen_with = node, size
                yield one

    def _dress(self) -> None:
        """What a decorator of another library gives may keep the results of the function."""
        for decorator, function, result in self.decorated:
            made = find(self.registers[decorator])
            if not made.bodies and not made.classes and not is_partial(made):
                self.slots.cached.update(find(self.registers[function]).bodies)
                unify(self.registers[result], self.registers[function])

    def late(self) -> dict[Deferred, list[Body]]:
        """The bodies that calls of it have turned out to run only after it was evaluated."""
        found: dict[Deferred, list[Body]] = {}
        said: dict[tuple[Node, str | None], tuple[list[Body], Collection[Body]]] = {}  # of one object many ask the same
        nothing: list[Body] = []
        for one in self.graph.deferred:
            key = find(one.function), one.method
            before = one.left
            if key not in said:
                one.left = nothing
                said[key] = [body for body, _ in self.resolution.of(one)], one.left
            bodies, left = said[key]
            one.left = before if left is nothing else left
            late = [*(body for body in bodies if body not in one.done), *run_by_partial(one)]
            late += [body for call in waiting_calls(one, self.body).values() for body, _ in self.resolution.of(call)]
            if late:
                found[one] = late
        return found

    def _recall(self) -> None:
        """Let calls know what turned out only after them in an earlier round."""
        for one in self.graph.deferred:
            late = self.slots.late.get((one.instruction, one.method))
            if late is not None:
                late.recall(one.function)

    def store(self, one: Instruction, place: Node, value: Node) -> None:
        """Put something into an object, or into a variable that outlives the call."""
        put_into(self.graph, one, place, value)

    # What the text says of an expression.

    def value(self, node: ast.AST | None) -> Value:
        """What is known of an expression."""
        return self.module.values.get(node, UNKNOWN) if node is not None else UNKNOWN

    def kind(self, node: ast.AST) -> str:
        """The kind of an expression; numbers that NumPy gives are scalars, what is only likely an array is unknown."""
        value = self.value(node)
        if value.is_number and not isinstance(node, ast.Name):
            return "scalar"
        return "unknown" if value.is_array and not value.sure else value.kind

    def kind_of(self, register: int) -> str:
        """The kind of what a register has, as its expression says."""
        place = self.body.instructions[register].node
        return "unknown" if place is None else self.kind(place)

    def is_plain_array(self, node: ast.AST | None) -> bool:
        """Whether an expression surely gives an array, and one of which no class of the project says what it does."""
        return is_surely_array(self.value(node)) and not may_be_arrays(self.slots.index)

    def is_blind(self, node: ast.AST) -> bool:
        """Whether nothing tells the functional stage that an expression is an array: it stays as it is then."""
        return self.value(node).kind == "unknown"

    def method_of_self(self, node: ast.AST | None) -> Function | None:
        """The method that is evaluated, if an expression is its `self`, as it was passed."""
        method = self.graph.function
        register = self.body.registers.get(node) if node is not None else None
        if method is None or register is None or not method.takes_self or method.takes_class:
            return None
        given = self.body.behind_copies(register)
        return method if given.operation == "parameter" and method.parameters[:1] == [given.detail] else None

    def node(self, place: ast.expr) -> Node:
        """The node of an expression."""
        register = self.body.registers.get(place.value if isinstance(place, ast.Starred) else place)
        return Node() if register is None else self.registers[register]

    def write(self, one: Instruction, target: ast.expr) -> None:
        """Note a write to the memory of an expression."""
        register = self.body.registers.get(target)
        if register is not None:
            self.write_register(one, register)

    def write_register(self, one: Instruction, register: int) -> None:
        """Note a write to the memory that a register has."""
        mark(self.registers[register], STORED_INTO)
        self.graph.writes.append(Write(one, [self.registers[register]], register))

    # Calls.

    def call(
        self, body: Body, arguments: list[Argument], result: Node, instruction: Instruction, depth: int = 0
    ) -> Call | None:
        """Run a body of the project; give the call, if it is one."""
        callee = self.graphs[body]
        if callee.function is None and callee.body.name == "holds" and self._names_class(instruction.node):
            return None  # `make_object` has made it
        key = (instruction, callee, find(result), *((place, find(node)) for place, node in arguments))
        before = self.graph.found_calls.get(key)
        if before is not None and before[1] <= depth:  # it would be given, and give, what it was and did
            return before[0]
        is_done = body in self.done
        if self.waits_for(body):
            return None
        made, is_news = call_body(self.graph, callee, arguments, result, instruction, done=is_done, depth=depth)
        if is_done or self.graph.joined.get((instruction, callee)) is not made:
            self.graph.found_calls[key] = made, depth
        if is_news and not self._is_shown(instruction, callee):
            own = callee.function is not None and callee.function.takes_self
            given = [node for place, node in arguments if place != 0 or not own]
            given += [held for place, node in arguments if place is None for held in find(node).fields.values()]
            self.graph.unseen.append(Unseen(instruction, result, given, made))
        return made

    def waits_for(self, body: Body) -> bool:
        """Whether what a body does is left to the next round, which evaluates it before; the last leaves nothing."""
        if body in self.done or body in self.together or self.slots.waiting is None:
            return False
        self.slots.waiting.setdefault(self.body, {})[body] = None
        return True

    def _run(self, one: Deferred, body: Body, given: list[Argument]) -> Call | None:
        """Run what a call turns out to mean: a method that is not named gives the text nothing, and is run once."""
        if one.method not in UNNAMED:
            return self.call(body, given, one.result, one.instruction, one.depth + 1)
        key = body, *((place, find(node)) for place, node in given)
        known = self.graph.run_unnamed.get(key, {})
        if one.instruction in known:
            return known[one.instruction]
        before = next(iter(known.values()), None)
        if before is not None:
            made: Call | None = call_again(self.graph, before, one.instruction)
        else:
            made = self.call(body, given, Node(), one.instruction, one.depth + 1)
        if made is not None and body in self.done:
            self.graph.run_unnamed.setdefault(key, {})[one.instruction] = made
        return made

    def _is_shown(self, instruction: Instruction, callee: Graph) -> bool:
        """Whether the text says that a call runs a function: what others give the functional stage takes for new."""
        call, function = instruction.node, callee.function
        if instruction.operation == "attribute" and function is not None:
            return function.node.name == instruction.detail  # a property
        if not isinstance(call, ast.Call):
            return False  # what operators run no text names
        named = self.slots.callees(self.module, call)
        if function is None and isinstance(call.func, ast.Attribute):  # that of many methods of a name
            return callee.body.name == that_calls(call.func.attr) and bool(named)
        if function is None or function not in named:
            return False
        if function.takes_self and not isinstance(call.func, ast.Attribute):  # a method by another name
            return function.node.name in ("__init__", "__new__")
        return function.outermost in (function, self.module.outermost(self.body.scope))

    def _names_class(self, call: ast.AST | None) -> bool:
        """Whether a call is of a class of a library by its name."""
        return isinstance(call, ast.Call) and bool(
            given_to_class(call, self.module.names.of(call.func, self.body.scope))
        )

    def defer(self, call: ast.Call, function: Node, arguments: list[Argument], result: Node) -> None:
        """Run what turns out to be a function."""
        instruction = self.body.instructions[self.body.registers[call]]
        self.graph.deferred.append(Deferred(function, arguments, result, instruction))

    def method_of_classes(
        self, name: str, receiver: Node, given: list[Node], result: Node, one: Instruction, *, iterates: str = ""
    ) -> None:
        """Run a special method of what turns out to be an instance of a class of the project."""
        if self.slots.has_method(name):
            made = Deferred(receiver, [*enumerate(given)], result, one, set(), name, iterates=iterates)
            self.graph.deferred.append(made)

    def iterated(self, holder: Node, one: Instruction) -> None:
        """Take what an iteration over an instance of a class of the project gives for the items of the instance.

        All items of what turns out to be no such instance are not taken for one.
        """
        iterator = Node()
        self.method_of_classes("__iter__", holder, [], iterator, one, iterates="each")
        self.method_of_classes("__getitem__", holder, [Node(MADE)], Node(), one, iterates="each")
        for special in ("__next__", "__anext__"):
            for each in (holder, iterator) if self.slots.has_method("__iter__") else (holder,):
                self.method_of_classes(special, each, [], Node(), one, iterates="each")

    def enter(self, manager: Node, result: Node, one: Instruction) -> None:
        """Take what a context manager gives: what its `__enter__` does, or what a generator yields."""
        if not find(manager).classes:
            unify(result, field(manager, "[]"))  # of a generator that `contextmanager` decorates
        self.method_of_classes("__enter__", manager, [], result, one)
        self.method_of_classes("__aenter__", manager, [], result, one)

    def functions(
        self,
        functions: list[Function],
        given: list[Argument],
        result: Node,
        one: Instruction,
        *,
        receiver: Node | None,
        kind: str = "instance",
    ) -> None:
        """Run functions of the project; `receiver`, a value of some kind, is what they are read from."""
        for function in functions:
            body = self.slots.bodies.get(function.node)
            if body is None:
                continue
            bound = not isinstance(one.node, ast.Call) or binds_receiver(function, kind, one.node)
            first = receiver if function.takes_self and bound else None
            if function.owner is not None and function.takes_class:
                first = self.slots.class_of(function.owner)
            self.call(body, given if first is None else with_receiver(first, given), result, one)

    def arguments(self, one: Instruction) -> list[Argument]:
        """What a call gives, by position and by name."""
        shape = one.detail
        assert isinstance(shape, CallShape)
        nodes = [self.registers[register] for register in one.operands[1:]]
        found: list[Argument] = []
        for position, node in enumerate(nodes[: shape.positional]):
            found.append(
                (None if position in shape.starred or None in [place for place, _ in found] else position, node)
            )
            if found[-1][0] is None and position not in shape.starred:  # behind `*x` its place is not known
                found[-1] = (None, container_of(node))
        words = zip(shape.keywords, nodes[shape.positional :], strict=True)
        return found + [("**" if word is None else word, node) for word, node in words]

    def _constructed(self) -> None:
        """Note which defaults a body's parameters may have."""
        for name, node in self.graph.parameters.items():
            default = self.slots.has_default(self.body, name)
            if default is not None:
                unify(node, default)


def is_surely_array(value: Value) -> bool:
    """Whether a value is an array by proof."""
    return value.is_array and value.sure


def with_receiver(receiver: Node, given: list[Argument]) -> list[Argument]:
    """The arguments of a method that is called on an object."""
    return [(0, receiver), *((place + 1 if isinstance(place, int) else place, node) for place, node in given)]
