"""Whose memory an expression may share: the names, parameters and attributes behind it.

`b = a[1:]` in `def f(a)` gives `b` the root `("parameter", "a")`; `a + 1` has none, its memory is fresh.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.analysis.argument_binding import passed
from tnp_migrate.analysis.array_stores import stores_in_array
from tnp_migrate.analysis.frames import as_numpy
from tnp_migrate.analysis.handed_back import Root
from tnp_migrate.analysis.summaries import Summary, kind_of, qualified_name
from tnp_migrate.analysis.value_flow import definitions, names_on_the_way
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.given_back import given_back
from tnp_migrate.numpy_facts.signatures import given_to_class, kept_by, may_not_copy, method_outputs, outputs
from tnp_migrate.numpy_facts.values import HOLDING, UNKNOWN
from tnp_migrate.program.attributes import attribute_key
from tnp_migrate.program.decorators import getters
from tnp_migrate.program.nodes import WRITTEN_OUT, walk
from tnp_migrate.program.rotations import rotated_by

ITEMS = frozenset("values items get pop popitem popleft setdefault".split())  # what containers give their items by
_DISPLAYS = (ast.Dict, ast.List, ast.ListComp, ast.DictComp)
_WHOLE = frozenset("list tuple zip enumerate reversed iter dict".split())
_PASS_ON = _WHOLE | frozenset("set frozenset map filter sorted next max min sum".split())
_SAME_OR_VIEW = traits.VIEW_METHODS | {"astype"}


def roots(summary: Summary, node: ast.expr) -> set[Root]:
    """The regions whose memory an expression may share."""
    if isinstance(node, ast.Name):
        return _roots_there(summary, node) if summary.body is not None else _name_roots(summary, node.id)
    if isinstance(node, ast.Attribute):
        if node.attr in traits.VIEW_ATTRIBUTES and kind_of(summary, node.value) in ("array", "unknown"):
            return roots(summary, node.value)
        key = attribute_key(summary.module, summary.scope, node)
        return {("attribute", key), *_of_property(summary, key)} if key is not None else set()
    if isinstance(node, ast.Subscript):
        return roots(summary, node.value) if _is_view_index(summary, node.slice) else set()
    if isinstance(node, ast.Starred | ast.NamedExpr | ast.Await):
        return roots(summary, node.value) | (roots(summary, node.target) if isinstance(node, ast.NamedExpr) else set())
    if isinstance(node, ast.IfExp | ast.BoolOp):
        either = [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.values
        return set().union(*(roots(summary, one) for one in either))
    if isinstance(node, WRITTEN_OUT):
        items = node.values if isinstance(node, ast.Dict) else node.elts
        return set().union(*(roots(summary, one) for one in items))
    if isinstance(node, ast.BinOp) and _joins(summary, node):
        return roots(summary, node.left) | roots(summary, node.right)
    shown = summary.index.stand_ins.get(node) if isinstance(node, ast.Call) else None
    if shown is not None:
        return roots(summary, shown)
    return _call_roots(summary, node) if isinstance(node, ast.Call) else set()


def _of_property(summary: Summary, key: str) -> Iterator[Root]:
    """The roots of what a property gives, if an attribute, given by its key, may be one."""
    for one in getters(summary.index.methods, key):
        yield from (root for root in summary.handed_back.get(one, ()) if root[0] == "attribute")


def _joins(summary: Summary, node: ast.BinOp) -> bool:
    """Whether an operation joins containers, or repeats one."""
    sides = (node.left, node.right) if isinstance(node.op, ast.Add | ast.Mult | ast.BitOr) else ()
    return any(isinstance(one, WRITTEN_OUT) or kind_of(summary, one) in HOLDING for one in sides)


def _name_roots(summary: Summary, name: str) -> set[Root]:
    known = summary.aliases.get(name, set())
    if summary.function is not None and name in summary.function.parameters:
        return known | {("parameter", name)}
    owner = summary.scope.owner(name)
    if owner is None:
        return set(known)
    return known | {("global" if owner.kind == "module" and summary.function else "local", name)}


def _roots_there(summary: Summary, node: ast.Name) -> set[Root]:
    """The regions of what a name has where it stands: of those that it may have anywhere, as others follow no more."""
    if node in summary.reaching:
        return set(summary.reaching[node])
    if node in summary.asked:  # a loop, in which what it is asked for is found
        return set()
    body = summary.body
    assert body is not None
    defined = [*definitions(body, node)]
    if None in defined or any(isinstance(one, ast.Call) and _picks(one) for one in defined):
        return _name_roots(summary, node.id)
    found: set[Root] = set()
    for name in names_on_the_way(body, node):
        found |= summary.held.get(name, set())
    summary.asked.add(node)
    for one in defined:
        found |= {("parameter", one)} if isinstance(one, str) else roots(summary, one) if one is not None else set()
    summary.asked.discard(node)
    found = {root for root in _name_roots(summary, node.id) if root[0] == "local" or root in found}
    if not summary.asked:
        summary.reaching[node] = frozenset(found)
    return found


def _picks(call: ast.Call) -> bool:
    """Whether a call may give one of its arguments, though these are numbers mostly: `h = min(h, rest)`."""
    return isinstance(call.func, ast.Name) and call.func.id in _PASS_ON - _WHOLE


def _is_view_index(summary: Summary, index: ast.expr) -> bool:
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    values = [summary.module.value(part) or UNKNOWN for part in parts if not isinstance(part, ast.Slice)]
    return not any(one.kind == "list" or one.may_have_axes for one in values)


def _call_roots(summary: Summary, node: ast.Call) -> set[Root]:
    qualified = qualified_name(summary, node.func)
    declared = summary.module.names.taught.effects.get(qualified or "")
    if declared is not None:
        return set().union(*(roots(summary, one) for one in declared.given(node, declared.shares)))
    name = as_numpy(qualified or "")
    if name is not None:
        views = name in traits.VIEW_FUNCTIONS or (name in traits.COPY_FUNCTIONS and may_not_copy(node))
        parts = node.args[:1] if views else outputs(node, name)
        return set().union(*(roots(summary, one) for one in (*parts, *given_back(node, name))))
    if node.args and (qualified == "copy.copy" or getattr(node.func, "attr", "") == "fromkeys"):
        return roots(summary, node.args[-1])
    if isinstance(node.func, ast.Attribute):
        if node.func.attr in traits.VIEW_METHODS:
            return roots(summary, node.func.value)
        if node.func.attr == "astype" and may_not_copy(node):
            return roots(summary, node.func.value)
        receiver = kind_of(summary, node.func.value)
        if receiver in ("array", "rng"):
            return set().union(*(roots(summary, one) for one in method_outputs(node)))
        if node.func.attr in ITEMS and receiver in ("dict", "list", "unknown"):
            return set().union(*(roots(summary, one) for one in (node.func.value, *node.args)))
    if isinstance(node.func, ast.Name) and node.func.id in _PASS_ON:
        parts = [*node.args, *(word.value for word in node.keywords)]
        given = [one for one in parts if node.func.id in _WHOLE or isinstance(one, WRITTEN_OUT)]  # else numbers
        return set().union(*(roots(summary, one) for one in given))
    if kind_of(summary, node.func) == "unknown" and (given := given_to_class(node, qualified)):
        return set().union(*(roots(summary, one) for one in given))
    return set(_handed_back(summary, node))


def _handed_back(summary: Summary, node: ast.Call) -> Iterator[Root]:
    """The roots of the arguments that a function of the project gives back, and the attributes that it does."""
    value = summary.module.value(node.func) or UNKNOWN
    if isinstance(node.func, ast.Attribute) and value.kind == kind_of(summary, node.func.value) == "unknown":
        yield from summary.handed_back.of_methods.get(node.func.attr, ())
    elif value.kind == "function":
        given = summary.handed_back.get(value.ref, set())
        yield from (root for root in given if root[0] == "attribute")
        for parameter, argument in passed(summary.module, value.ref, node):
            if ("parameter", parameter) in given:
                yield from roots(summary, argument)


def note_aliases(summary: Summary, node: ast.AST) -> None:
    """Note the names that a binding makes for memory that has another name already."""
    container, given = put_into_own(summary, node)
    if container:
        found = set().union(*(roots(summary, one) for one in given)) - {("local", container)}
        summary.aliases.setdefault(container, set()).update(found)
        summary.held.setdefault(container, set()).update(found)
        return
    for target, value, each in _bindings(node):
        for one, part in _taken_apart(summary, target, value, each=each):
            if isinstance(one, ast.Name):
                _alias(summary, one, part)


def note_stores(summary: Summary, node: ast.AST) -> None:
    """Note the memory that a binding puts into an attribute or an item: what the names have where it stands."""
    if put_into_own(summary, node)[0] or _only_rotates(summary, node):
        return
    for target, value, each in _bindings(node):
        for one, part in _taken_apart(summary, target, value, each=each):
            if isinstance(one, ast.Subscript) and not stores_in_array(summary, one):
                summary.escaped |= roots(summary, part)
            elif isinstance(one, ast.Attribute):
                _store(summary, one, part)


def _only_rotates(summary: Summary, node: ast.AST) -> bool:
    """Whether an assignment lets attributes change places, and no method of the project has a hand in that."""
    names = rotated_by(node)
    asked = names | {"__setattr__", "__getattr__", "__getattribute__", "__set__", "__get__"}
    return bool(names) and asked.isdisjoint(summary.index.methods)


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, bool]]:
    """The targets of a node with what they get, and whether they get that one by one."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value, False) for target in node.targets)
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        yield node.target, node.value, False
    elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        yield node.target, node.iter, True
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr, False


def put_into_own(summary: Summary, node: ast.AST) -> tuple[str, list[ast.expr]]:
    """What is put into a list or dict that the function has made for a variable, behind the variable; "" for none.

    It is `w` in `out.append(w)` and `out["w"] = w` after `out = []` and `out = {}`: who has `out` has it, too.
    """
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        container, given = node.func.value, kept_by(node)
    elif isinstance(node, ast.Assign) and isinstance(target, ast.Subscript):
        container, given = target.value, [node.value]
    else:
        return "", []
    own = isinstance(container, ast.Name) and given and summary.function is not None and _is_made(summary, container.id)
    return (container.id, given) if own and isinstance(container, ast.Name) else ("", [])


def _is_made(summary: Summary, name: str) -> bool:
    """Whether a variable of the function has nothing but lists and dicts that are written out for it."""
    if summary.scope.owner(name) is not summary.scope or name in summary.scope.globals | summary.scope.nonlocals:
        return False
    above = [summary.module.names.scopes.parent.get(one) for one in summary.scope.bound.get(name, ())]
    made = (isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.value, _DISPLAYS) for one in above)
    return bool(above) and all(made)


def _taken_apart(
    summary: Summary, target: ast.expr, value: ast.expr, *, each: bool
) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The names, attributes and items of a target, with what they get of a value; with `each`, of what it gives."""
    if not isinstance(target, ast.Tuple | ast.List):
        yield target, value
        return
    # what objects hold, others may share: all targets of such a loop are taken to get all of it
    each = each and not any(kind == "attribute" for kind, _ in roots(summary, value))
    for one, part in zip(target.elts, _parts(value, len(target.elts), each=each), strict=True):
        inner = one.value if isinstance(one, ast.Starred) else one
        yield from _taken_apart(summary, inner, part, each=each)


def _alias(summary: Summary, target: ast.Name, value: ast.expr) -> None:
    """Note what a variable gets of a value."""
    found = roots(summary, value) - {("local", target.id)}
    if found:
        summary.aliases.setdefault(target.id, set()).update(found)
    is_parameter = summary.function is not None and target.id in summary.function.parameters
    derived = summary.anew and any(isinstance(one, ast.Name) and one.id in summary.anew for one in walk(value))
    if _may_copy(summary, value) or (derived if found else is_parameter or _copies(value)):
        summary.anew.setdefault(target.id, value.lineno)


def _store(summary: Summary, target: ast.Attribute, value: ast.expr) -> None:
    """Note what an attribute gets of a value."""
    if isinstance(target.value, ast.Name) and ast.unparse(_whole(value, called=True)) == ast.unparse(target):
        return  # `self.x = self.x.ravel()`: what it held has no other holder
    if _is_read_from(summary, value, target):
        return
    found = roots(summary, value)
    summary.escaped |= found
    key = attribute_key(summary.module, summary.scope, target)
    outer = {root for root in found if root[0] != "local"}
    if key is not None and outer:
        summary.aliases.setdefault(f".{key}", set()).update(outer)


def _is_read_from(summary: Summary, value: ast.expr, target: ast.Attribute) -> bool:
    """Whether a variable has nothing but what it is stored into: `table = self.x`, and `self.x = table` behind it."""
    function, scope = summary.function, summary.scope
    if function is None or not isinstance(value, ast.Name) or not isinstance(target.value, ast.Name):
        return False
    if scope.owner(value.id) is not scope or not function.parameters or target.value.id != function.parameters[0]:
        return False
    if {target.attr, "__setattr__", "__getattr__", "__getattribute__"} & summary.index.methods.keys():
        return False  # a property, or as good as one
    stored = [one for one in scope.bound.get(target.value.id, ()) if not isinstance(one, ast.arg)]
    above = [summary.module.names.scopes.parent.get(one) for one in scope.bound.get(value.id, ())]
    read = [one for one in above if isinstance(one, ast.Assign) and ast.unparse(one.value) == ast.unparse(target)]
    return bool(read) and len(read) == len(above) and not stored


def _parts(value: ast.expr, count: int, *, each: bool) -> list[ast.expr]:
    """What each of some targets gets of a value, or of what it gives one by one."""
    if not each and isinstance(value, ast.Tuple | ast.List) and len(value.elts) == count:
        return value.elts
    name = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
    if each and isinstance(value, ast.Call) and not any(isinstance(one, ast.Starred) for one in value.args):
        if name == "zip" and len(value.args) == count:
            return value.args
        if name == "enumerate" and count == 2 and value.args:
            return [ast.copy_location(ast.Constant(0), value), value.args[0]]
    return [value] * count


def _may_copy(summary: Summary, value: ast.expr) -> bool:
    """Whether a value may be a copy, at times: `x.copy() if copy else x`, `np.array(x, copy=copy).T`."""
    words = [word for one in walk(value) if isinstance(one, ast.Call) for word in one.keywords]
    if isinstance(value, ast.IfExp) and not roots(summary, value.body) & roots(summary, value.orelse):
        return True
    return any(
        "copy" in (word.arg or "") and not (isinstance(word.value, ast.Constant) and word.value.value is False)
        for word in words
    )


def _copies(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "copy"


def sure_roots(summary: Summary, node: ast.expr) -> set[Root]:
    """The parameters and attributes whose memory an expression shares, whatever else its variables are bound to."""
    shared = {root for root in _by_definitions(summary, node, frozenset()) if root[0] == "parameter"}
    return shared | _by_names(summary, node)


def _by_definitions(summary: Summary, node: ast.expr, asked: frozenset[ast.expr]) -> set[Root]:
    """What all definitions share that reach a variable; `asked` are those for which that is asked already."""
    base = _whole(node)
    if not isinstance(base, ast.Name):
        return set() if _may_copy(summary, base) else roots(summary, base)
    defined = [*definitions(summary.body, base)] if summary.body is not None else [None]
    if None in defined or base in asked:
        return set()
    known = asked | {base}
    each = [
        {("parameter", one)} if isinstance(one, str) else _by_definitions(summary, one, known) for one in defined if one
    ]
    return set.intersection(*each) & roots(summary, node) if each else set()


def _by_names(summary: Summary, node: ast.expr) -> set[Root]:
    """What the variables share, but for those that may have been bound to a copy before the line."""
    base = _whole(node)
    line = getattr(node, "lineno", 0)
    anew = {name for name, first in summary.anew.items() if first < line}
    if _may_copy(summary, base) or any(isinstance(one, ast.Name) and one.id in anew for one in walk(base)):
        return set()
    bound = summary.scope.bound.get(base.id, []) if isinstance(base, ast.Name) else []
    above = [summary.module.names.scopes.parent.get(one) for one in bound]
    values = [_whole(one.value) for one in above if isinstance(one, ast.Assign)]
    kinds = {"parameter"} | {"attribute" for one in (base, *values) if isinstance(one, ast.Attribute)}
    return {root for root in roots(summary, node) if root[0] in kinds and root[1] not in anew}


def _whole(node: ast.expr, *, called: bool = False) -> ast.expr:
    """What an expression is a part or a view of; with `called`, `self.x` in `self.x.ravel()[1:]` as well."""
    while True:
        if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr in traits.VIEW_ATTRIBUTES):
            node = node.value
        elif (
            called
            and isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _SAME_OR_VIEW
        ):
            node = node.func.value
        else:
            return node
