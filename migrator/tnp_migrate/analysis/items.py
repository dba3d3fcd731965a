"""Items, displays, iteration and operators: what is a part of what, and what is written to in place."""

from __future__ import annotations

import ast
from typing import cast

from tnp_migrate.analysis.array_stores import is_only_for_arrays
from tnp_migrate.analysis.evaluation import NOT_WRITTEN, Transfer, is_surely_array
from tnp_migrate.analysis.graphs import Graph, ItemStore
from tnp_migrate.analysis.heap import (
    ARRAY,
    BLIND,
    COUNTED,
    MADE,
    OBJECT,
    PAIR,
    Node,
    field,
    find,
    is_array_alone,
    label_of,
    mark,
    part_of,
    unify,
)
from tnp_migrate.analysis.holds import is_read
from tnp_migrate.analysis.implicit_calls import OF_NUMBER
from tnp_migrate.analysis.known_functions import take_items
from tnp_migrate.analysis.lending import lend
from tnp_migrate.analysis.numbers_made import is_number
from tnp_migrate.analysis.operator_methods import run_operators
from tnp_migrate.analysis.places import named_in, same
from tnp_migrate.analysis.reflection import module_meant
from tnp_migrate.analysis.stores import put_into
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.values import CONTAINERS, NOTHING, UNKNOWN, iterated
from tnp_migrate.program.nodes import asks_at_once
from tnp_migrate.program.special_methods import OPERATORS

_OF_NUMBERS = frozenset(
    "Sub Div Pow FloorDiv MatMult USub UAdd Invert LShift RShift Eq NotEq Lt LtE Gt GtE".split()
)  # which give no lists


def item(state: Transfer, one: Instruction) -> None:
    """Read an item: a part of an array, or what a container holds."""
    node, result = one.node, state.registers[one.result]
    holder = state.registers[one.operands[0]]
    value = state.value(node)
    if value.kind in NOTHING or (value.is_number and not _has_ellipsis(node)):
        mark(result, MADE)
        _run_for_item(state, one, holder, Node())
        return
    copies = isinstance(node, ast.Subscript) and state.value(node.value).is_array and not _picks_part(state, node.slice)
    if copies or _makes_arrays(state, node):
        state.graph.fresh.add(one.result)  # which no list takes, and an array copies by
        mark(result, ARRAY | MADE)
        _run_for_item(state, one, holder, result)
        return
    kind = state.kind(node.value) if isinstance(node, ast.Subscript) else "unknown"
    if kind == "unknown" and isinstance(node, ast.Subscript) and _picks_many(state, node.slice):
        state.graph.fresh.add(one.result)
        state.graph.computed.append((result, [holder]))
        mark(result, MADE)
        return
    if kind == "array":
        mark(holder, ARRAY)
        unify(result, holder)
        return
    if isinstance(node, ast.Subscript) and isinstance(one.detail, str):
        known = named_in(state, node.value, one.detail)
        if known is not None:
            unify(result, known)
            return
    module = module_meant(state.slots.index, state.module, state.body.scope, node) if node is not None else None
    if module is not None:  # `sys.modules[__name__]`
        unify(result, state.slots.module_object(module))
    is_part = kind != "instance" and isinstance(node, ast.Subscript) and _takes_part(node.slice)
    unify(result, part_of(holder) if is_part else field(holder, label_of(one.detail)))
    if find(holder).flags & (MADE | OBJECT) == MADE:  # of what has been computed
        mark(result, MADE)
    of_class = state.value(node.value) if isinstance(node, ast.Subscript) else UNKNOWN
    chosen = of_class.ref.method("__class_getitem__") if of_class.kind == "class" else None
    if chosen is not None:
        state.functions([chosen], [(0, state.registers[one.operands[1]])], result, one, receiver=holder)
    _run_for_item(state, one, holder, result)


def _makes_arrays(state: Transfer, node: ast.AST | None) -> bool:
    """Whether an index makes new arrays: `np.mgrid[:3, :4]`."""
    name = state.module.names.of(node.value, state.body.scope) if isinstance(node, ast.Subscript) else None
    return name in traits.INDEXED_ARRAYS


def _run_for_item(state: Transfer, one: Instruction, holder: Node, result: Node) -> None:
    """Run what a class of the project does when an item of its instances is read."""
    for special in () if state.is_plain_array(getattr(one.node, "value", None)) else ("__getitem__", "__missing__"):
        state.method_of_classes(special, holder, [state.registers[one.operands[1]]], result, one)


def _picks_part(state: Transfer, index: ast.expr) -> bool:
    """Whether an index of an array may give a view: it has no lists and no arrays with axes."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    values = [state.value(part) for part in parts if not isinstance(part, ast.Slice)]
    return not any(one.kind == "list" or one.may_have_axes for one in values)


def _picks_many(state: Transfer, index: ast.expr) -> bool:
    """Whether an index is an array with axes: no list and no dict takes that, and an array copies by it."""
    value = state.value(index)
    is_many = value.is_array and value.sure and bool(value.rank)
    return is_many and not any(name in state.slots.index.methods for name in ("__getitem__", "__missing__"))


def _takes_part(index: ast.expr) -> bool:
    """Whether an index takes a part, and no item: it has a slice, or `...`, which no dict has for a key."""
    if isinstance(index, ast.Tuple):
        return any(map(_takes_part, index.elts))
    return isinstance(index, ast.Slice) or (isinstance(index, ast.Constant) and index.value is Ellipsis)


def _has_ellipsis(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Subscript) and any(
        isinstance(part, ast.Constant) and part.value is Ellipsis for part in ast.walk(node.slice)
    )


def set_item(state: Transfer, one: Instruction) -> None:
    """Bind an item, or write to an array."""
    holder, value = state.registers[one.operands[0]], state.registers[one.operands[2]]
    node = one.node
    target = node
    if node is None:  # the second half of `x[k] += v`, which has written to what the item gave
        inside = state.body.instructions[one.operands[2]].node
        target = inside.target if isinstance(inside, ast.AugAssign) else None
    kind = state.kind(target.value) if isinstance(target, ast.Subscript) else "unknown"
    if not state.is_plain_array(getattr(node, "value", None)):
        state.method_of_classes("__setitem__", holder, [state.registers[one.operands[1]], value], Node(), one)
    by_text = kind == "unknown" and _is_under_text(state, one)  # which no array takes that a tensor could be
    if kind not in NOT_WRITTEN and not by_text:
        state.write_register(one, one.operands[0])
        if isinstance(target, ast.Subscript) and state.is_blind(target.value) and not _shows_array(state, target):
            state.graph.blind.append(one)
    for special in OF_NUMBER if kind not in NOT_WRITTEN else ():
        state.method_of_classes(special, value, [], Node(), one)
    likely = isinstance(node, ast.Subscript) and state.value(node.value).is_array  # which copies what is stored
    if isinstance(node, ast.Subscript) and likely and state.value(node.value).dtype == "object":  # which holds it
        state.store(one, field(holder, "[]"), value)
        return
    if kind in ("array", "stores") or likely or _is_number(state, node):
        if by_text:
            mark(field(holder, label_of(one.detail)), MADE)
        return
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        _take_all(state, one, value)
        value = field(value, "[]")  # a list takes the items of what is stored
    label = label_of(one.detail)
    blind = state.body.instructions[one.operands[2]] in state.graph.blind
    if kind in NOT_WRITTEN:
        state.store(one, field(holder, label), value)
        mark(value, BLIND if blind else 0)
    elif not _is_part(one, state):
        read = is_read(state.graph, one.operands[2])
        state.graph.item_stores.append(ItemStore(one, holder, label, value, read, node is None, blind))


def _shows_array(state: Transfer, target: ast.Subscript) -> bool:
    """Whether a key is one that only arrays take: the functional stage takes what it is stored into for one then."""
    return is_only_for_arrays(state.slots.index, state.module, target.slice)


def _take_all(state: Transfer, one: Instruction, given: Node) -> None:
    """Run what a list does that takes all items of something: `xs += y`, `xs[:] = y`."""
    for special in ("__iter__", "__next__"):
        state.method_of_classes(special, given, [], Node(), one)


def _key(state: Transfer, one: Instruction) -> ast.expr | None:
    """The key that something is stored under."""
    target = one.node if one.node is not None else state.body.instructions[one.operands[2]].node
    return getattr(getattr(target, "target", target), "slice", None)


def _is_under_text(state: Transfer, one: Instruction) -> bool:
    """Whether a key is a text."""
    key = _key(state, one)
    return key is not None and state.kind(key) == "str"


def _is_part(one: Instruction, state: Transfer) -> bool:
    """Whether a key is a tuple with slices in it, which only what copies takes."""
    key = _key(state, one)
    parts = key.elts if isinstance(key, ast.Tuple) else []
    return any(isinstance(part, ast.Slice) for part in parts)


def _is_number(state: Transfer, node: ast.AST | None) -> bool:
    """Whether a number is stored."""
    above = state.module.names.scopes.parent.get(node) if node is not None else None
    return isinstance(above, ast.Assign) and state.kind(above.value) in NOTHING


def augmented(state: Transfer, one: Instruction) -> None:
    """An operator in place writes to an array, and extends a list."""
    node, before = one.node, one.operands[0]
    assert isinstance(node, ast.AugAssign)
    kind = state.kind(node.target)
    result, given = state.registers[one.result], state.registers[one.operands[1]]
    name = OPERATORS[type(node.op).__name__]
    run_operators(state, one, name, [state.registers[before], given], result, of_first=False)
    is_told = kind in NOTHING and state.value(node.target).sure
    is_surely = is_told or is_number(state.slots.index, state.graph, before)
    if kind in NOTHING or is_surely:
        mark(result, ARRAY if state.value(node.value).may_have_axes else 0)
        state.graph.computed.append((result, [given]))
        state.graph.made.append(one.result)
        if not is_surely:
            state.graph.counted.append(before)
            mark(state.registers[before], COUNTED)
        return
    unify(result, state.registers[before])
    if kind in ("list", "tuple") or (state.kind(node.value) == "tuple" and find(given).fields):
        mark(result, OBJECT)
        put_into(state.graph, one, field(result, "[]"), field(given, "[]"))
    elif kind == "dict" or (one.detail == "BitOr" and _is_container(given)):
        take_items(state.graph, result, given)
        put_into(state.graph, one, field(result, "[]"), field(result, "[]"))
    if kind not in NOT_WRITTEN and state.kind(node.value) != "str":  # which no array takes that a tensor could be
        state.write_register(one, before)
        if state.value(node.target).is_array and state.value(node.value).may_have_axes:
            mark(result, ARRAY)  # a number and an array with axes give one
        given_value = state.value(node.value)
        if not find(result).flags & OBJECT and not (given_value.is_array and given_value.rank == 0):
            state.graph.computed.append((result, [given]))  # it is one of both, whatever it was before
        if state.value(node.target).beside is not None:
            mark(result, MADE)  # what is added to a number is made by that
        if node in state.slots.bound_anew:
            state.graph.bound_anew.append(one)
        if state.is_blind(node.target):
            state.graph.blind.append(one)
            mark(result, ARRAY if _is_for_others(state, one, node) else 0)
    _take_all(state, one, state.registers[one.operands[1]])
    for special in () if state.is_plain_array(node.target) else (f"__i{name[2:]}", name):
        state.method_of_classes(special, result, [state.registers[one.operands[1]]], result, one)


def _is_for_others(state: Transfer, one: Instruction, node: ast.AugAssign) -> bool:
    """Whether only others can see what an operator with a number does to a name: a number would make no sense of it."""
    return (
        isinstance(node.target, ast.Name) and one.result not in state.body.read and state.kind(node.value) == "scalar"
    )


def delete_item(state: Transfer, one: Instruction) -> None:
    """`del x[k]` runs what the class of `x` has for it."""
    holder, key = (state.registers[operand] for operand in one.operands)
    state.method_of_classes("__delitem__", holder, [key], Node(), one)


def operator(state: Transfer, one: Instruction) -> None:
    """An operator makes something new, unless it joins lists."""
    kind = state.kind(one.node) if one.node is not None else "unknown"
    parts = [part for part in ast.iter_child_nodes(one.node) if isinstance(part, ast.expr)] if one.node else []
    kinds = [state.kind(part) for part in parts] or ["unknown"] * len(one.operands)
    result = state.registers[one.result]
    state.graph.numeric |= {one.result} if _is_computed(state.graph, one) else set()
    containers = [_is_container(state.registers[operand]) for operand in one.operands]
    joins = kind == "unknown" and (all(containers) or (one.detail == "BitOr" and any(containers)))  # `d | {"x": 0}`
    if joins or kind in ("list", "tuple") or "list" in kinds or "tuple" in kinds:
        mark(result, OBJECT)
        for operand in one.operands:
            if one.detail != "Mult" or not is_array_alone(state.registers[operand]):  # which says how often
                unify(field(result, "[]"), field(state.registers[operand], "[]"))
    elif kind == "array" or (kind == "unknown" and any(find(state.registers[o]).flags & ARRAY for o in one.operands)):
        mark(result, ARRAY)
        state.graph.fresh.add(one.result)
    elif kind == "unknown":
        state.graph.computed.append((result, [state.registers[operand] for operand in one.operands]))
        repeats = one.detail == "Mult" and any(map(_is_count, parts))
        may_join = one.detail in ("Add", "BitOr") and not any(each in NOTHING for each in kinds)
        if repeats or (may_join and one.result not in state.graph.numeric):
            for operand, each in zip(one.operands, kinds, strict=False):
                if each not in NOTHING:
                    state.take_items_of_container(one, state.registers[operand], result)
    state.graph.made.append(one.result)
    _lend_to_containers(state, one)
    first, *others = [state.registers[operand] for operand in one.operands] or [Node()]
    name = OPERATORS.get(str(one.detail), "")
    if name == "__contains__":
        for other in others:
            state.method_of_classes(name, other, [first], Node(), one)
        return
    plain = bool(parts) and state.is_plain_array(parts[0])
    run_operators(state, one, name, [first, *others], result, of_first=not plain)


def _lend_to_containers(state: Transfer, one: Instruction) -> None:
    """Run what containers and texts ask of what they meet: `[0] * n`, `"%s" % x`, `x in xs`, `[x] == [y]`."""
    kinds = {operand: state.kind_of(operand) for operand in one.operands}
    is_asked = any(kind in CONTAINERS or _is_container(state.registers[each]) for each, kind in kinds.items())
    if is_asked or one.detail in ("In", "NotIn", "Eq", "NotEq"):
        lend(state, one, [state.registers[each] for each, kind in kinds.items() if kind not in NOTHING])


def _is_computed(graph: Graph, one: Instruction) -> bool:
    """Whether an operator is one of arrays or numbers, as no list has it, `a - b`, or takes what such a one gives.

    Nothing that it gives has items which are joined. How often a list is repeated may be computed: `xs * (n - 1)`.
    """
    given = [graph.body.behind_copies(operand) for operand in one.operands]
    if one.detail in _OF_NUMBERS or any(isinstance(getattr(each.node, "value", None), float) for each in given):
        return True
    known = [each.result in graph.numeric for each in given]
    return all(known) if one.detail == "Mult" else any(known) and one.detail == "Add"


def _is_count(node: ast.expr) -> bool:
    """Whether a factor says how often a list is repeated, where it is no number of a formula: `xs * 2`."""
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_container(node: Node) -> bool:
    found = find(node)
    return found.flags & (ARRAY | OBJECT) == OBJECT and not found.classes and not found.bodies


def display(state: Transfer, one: Instruction) -> None:
    """A display holds its items."""
    result = state.registers[one.result]
    if isinstance(one.node, ast.Tuple) and not one.operands:
        mark(result, MADE)  # stands for nothing, as None does
        return
    pair = isinstance(one.node, ast.Tuple | ast.List) and len(one.operands) == 2
    mark(result, OBJECT | PAIR if pair else OBJECT)
    _, keys = cast("tuple[str, tuple[object, ...]]", one.detail)
    parts = _parts(one.node)
    for position, (key, operand) in enumerate(zip(keys, one.operands, strict=True)):
        part = parts[position] if position < len(parts) else None
        node = state.registers[operand]
        if key == "*":
            unify(field(result, "[]"), field(node, "[]"))
        elif part is None or state.kind(part) not in NOTHING:
            unify(field(result, label_of(key)), node)
        elif isinstance(key, str) and isinstance(one.node, ast.Dict):
            mark(field(result, label_of(key)), MADE)


def _parts(node: ast.AST | None) -> list[ast.expr]:
    if isinstance(node, ast.Dict):
        return node.values
    return node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []


def append(state: Transfer, one: Instruction) -> None:
    """A comprehension collects an item."""
    container, item = (state.registers[operand] for operand in one.operands)
    state.store(one, field(container, "[]"), item)
    _keep_for_later(state, one)


def _keep_for_later(state: Transfer, one: Instruction) -> None:
    """A generator has what it goes through until it is asked; `sum(x for x in xs)` asks at once."""
    instructions, parent = state.body.instructions, state.module.names.scopes.parent
    made = instructions[one.operands[0]]
    if isinstance(made.node, ast.GeneratorExp) and not asks_at_once(parent.get(made.node)):
        through = (each for each in instructions[made.result : one.result] if each.operation == "iterate")
        state.graph.kept |= {(one, state.registers[each.operands[0]]): None for each in through}


def next_(state: Transfer, one: Instruction) -> None:
    """A loop takes an item."""
    iterable = one.node.iter if isinstance(one.node, ast.For | ast.AsyncFor | ast.comprehension) else None
    value = state.value(iterable)
    item = iterated(value)
    holder, result = state.registers[one.operands[0]], state.registers[one.result]
    if item.kind in NOTHING or item.is_number or value.kind == "dict":
        mark(result, MADE)
        return
    unify(result, field(holder, "[]"))
    if is_surely_array(item):
        mark(result, ARRAY)


def iterate(state: Transfer, one: Instruction) -> None:
    """An iterator gives the items of what it goes through."""
    same(state, one)
    state.iterated(state.registers[one.operands[0]], one)


def unpack(state: Transfer, one: Instruction) -> None:
    """Taking apart gives items; those of a row of numbers are numbers."""
    state.iterated(state.registers[one.operands[0]], one)
    value = state.value(state.body.instructions[one.operands[0]].node)
    if value.is_array and value.rank == 1:
        mark(state.registers[one.result], MADE)
        return
    unify(state.registers[one.result], field(state.registers[one.operands[0]], label_of(one.detail)))
