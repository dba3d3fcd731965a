"""What each operation of the intermediate representation does to the heap."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tnp_migrate.analysis import definitions, invocation, items, places
from tnp_migrate.analysis.class_bindings import assigned_methods
from tnp_migrate.analysis.common_methods import SPECIAL, class_made_by, makes_records, run_by
from tnp_migrate.analysis.evaluation import Handler, Transfer, with_receiver
from tnp_migrate.analysis.graphs import Deferred
from tnp_migrate.analysis.heap import Node
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.program.decorators import is_property


def _call(state: Transfer, one: Instruction) -> None:
    """A call, all methods of a name, or what makes an instance of a class that is called by its value."""
    methods = run_by(state.slots.index, state.module, state.body)
    owner = class_made_by(state.slots.index, state.module, state.body)
    if owner is not None:
        invocation.construct(state, one, owner, state.arguments(one))
    elif makes_records(state.module, state.body):
        invocation.record(state, one)
    elif methods and isinstance(one.node, ast.Call):
        func = one.node.func
        receiver = state.node(func.value if isinstance(func, ast.Attribute) else func)
        given, result = state.arguments(one), state.registers[one.result]
        for each in methods:
            made = Node() if state.body.name == SPECIAL else result  # what runs unnamed gives nothing to the text
            if each.owner is not None:
                state.functions([each], given, made, one, receiver=receiver)
            elif each.node in state.slots.bodies:  # a function in the place of a method
                state.call(state.slots.bodies[each.node], with_receiver(receiver, given), made, one)
        name = str(getattr(func, "attr", ""))
        if not all(assigned_methods(state.slots.index).get(name, {}).values()):  # some of which have no name
            state.graph.deferred.append(Deferred(receiver, given, result, one, set(), name))
    else:
        invocation.call(state, one)


def _attribute(state: Transfer, one: Instruction) -> None:
    """The value of an attribute, or all properties of a name; of one without a name, whichever has an array."""
    methods = run_by(state.slots.index, state.module, state.body)
    if one.detail is None:
        state.graph.picked.append((state.registers[one.operands[0]], state.registers[one.result]))
    elif methods:
        getters = [each for each in methods if is_property(each)]
        state.functions(getters, [], state.registers[one.result], one, receiver=state.registers[one.operands[0]])
    else:
        places.attribute(state, one)


HANDLERS: Mapping[str, Handler] = {
    "phi": places.same,
    "copy": places.same,
    "either": places.same,
    "await": places.awaited,
    "parameter": places.parameter,
    "global": places.global_,
    "set_global": places.set_global,
    "cell": places.cell,
    "set_cell": places.set_cell,
    "attribute": _attribute,
    "set_attribute": places.set_attribute,
    "delete_attribute": places.delete_attribute,
    "item": items.item,
    "set_item": items.set_item,
    "delete_item": items.delete_item,
    "augmented": items.augmented,
    "operator": items.operator,
    "display": items.display,
    "append": items.append,
    "next": items.next_,
    "iterate": items.iterate,
    "unpack": items.unpack,
    "function": definitions.function,
    "class": definitions.class_,
    "import": definitions.import_,
    "enter": definitions.enter,
    "exit": definitions.exit_,
    "decorated": definitions.decorated,
    "return": definitions.return_,
    "yield": definitions.yield_,
    "raise": definitions.raise_,
    "exception": definitions.exception,
    "unknown": definitions.unknown,
    "call": _call,
}
