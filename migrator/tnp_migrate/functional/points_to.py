"""Whose memory an expression gives: the places it is the same as, a view of, or may share with."""

from __future__ import annotations

import ast
from dataclasses import replace

from tnp_migrate.analysis.argument_binding import given_alone, passed
from tnp_migrate.analysis.effects import callees
from tnp_migrate.analysis.memory import ITEMS
from tnp_migrate.analysis.passing_on import FOLLOWED
from tnp_migrate.functional.access_paths import (
    ESCAPED,
    Path,
    is_repeatable,
    not_written,
    out_of_sight,
    text_of,
    with_base,
)
from tnp_migrate.functional.alias_graph import COPY, Kind, Link
from tnp_migrate.functional.callee_results import given_by, item_made, item_of, on_root
from tnp_migrate.functional.contiguity import is_picked
from tnp_migrate.functional.known import Known
from tnp_migrate.functional.own_objects import is_of_lists, makes_object
from tnp_migrate.functional.store_forms import IN_PLACE, shares, view_chain
from tnp_migrate.functional.unit import Unit
from tnp_migrate.functional.view_stability import is_steady
from tnp_migrate.functional.views import gives_itself, has_parts, may_copy, read_only, surely_view
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.given_back import given_back
from tnp_migrate.numpy_facts.signatures import given_to_class, method_outputs, outputs
from tnp_migrate.program.attributes import attribute_key
from tnp_migrate.program.decorators import getters
from tnp_migrate.program.index import Function
from tnp_migrate.program.names import is_numpy, split_name
from tnp_migrate.program.scopes import defaults_of

Origin = tuple[Path, Link]
_CONTAINER_READS = ITEMS | {"copy", "__getitem__"}


def origins(unit: Unit, known: Known, node: ast.expr) -> list[Origin]:
    """The places whose memory an expression gives, nearest first."""
    composed = _of_parts(unit, known, node)
    return _of_place(unit, known, node) if composed is None else composed


def _of_parts(unit: Unit, known: Known, node: ast.expr) -> list[Origin] | None:
    """What an expression gives that gives or holds what other expressions do; None where it is none."""
    if isinstance(node, ast.NamedExpr):
        return [((node.target.id,), Link("same", node)), *origins(unit, known, node.value)]
    if isinstance(node, ast.Starred):
        return origins(unit, known, node.value)
    if isinstance(node, ast.Await | ast.Yield | ast.YieldFrom):
        return [(ESCAPED, Link("may", node))]
    if isinstance(node, ast.IfExp):
        return _either(unit, known, node)
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        item = node.value if isinstance(node, ast.DictComp) else node.elt
        if not unit.may_be_array(item) or _is_fresh(item):
            return []
        within = replace(unit, scope=unit.module.names.scopes.of.get(node, unit.scope))
        given = origins(within, known, item)
        bound = {one.id for part in node.generators for one in ast.walk(part.target) if isinstance(one, ast.Name)}
        if any(path[0] in bound for path, _ in given):  # what it is made from: `[x[1:] for x in xs]`
            given += [one for part in node.generators for one in origins(within, known, part.iter)]
        return _perhaps([one for one in given if one[0][0] not in bound], node)
    parts = _parts(unit, node)
    if parts is None:
        return None
    often = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)  # it holds one array many times
    found = _perhaps([one for part in parts for one in origins(unit, known, part)], node)
    return [(ESCAPED, Link("may", node)), *found] if often else found


def _parts(unit: Unit, node: ast.expr) -> list[ast.expr] | None:
    """The expressions that a display, a choice or joined lists take what they give from."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return node.elts
    if isinstance(node, ast.Dict | ast.BoolOp):
        return node.values
    return [node.left, node.right] if isinstance(node, ast.BinOp) and is_of_lists(unit, node) else None


def _either(unit: Unit, known: Known, node: ast.IfExp) -> list[Origin]:
    """`x if inplace else x.copy()` is `x` or shares nothing with it."""
    sides = [(one, origins(unit, known, one)) for one in (node.body, node.orelse)]
    given = [found for _, found in sides if found]
    made = any(not found and makes_object(unit, one) for one, found in sides)
    kind: Kind = "either" if made and len(given) == 1 else "may"
    return [
        (path, link if link.is_copy else Link(kind if link.kind in ("same", "either") else "may", node))
        for found in given
        for path, link in found
    ]


def _is_fresh(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare | ast.Constant | ast.JoinedStr)


def _perhaps(found: list[Origin], node: ast.AST) -> list[Origin]:
    return [(path, Link("may", node)) for path, _ in found]


def _of_place(unit: Unit, known: Known, node: ast.expr) -> list[Origin]:
    chain = list(view_chain(unit, node))
    root = chain[-1]
    if not unit.may_be_array(node) or unit.qualified(root) in traits.INDEXED_ARRAYS:  # `np.mgrid[:3, :4]` is new
        return []
    item = item_of(unit, chain)
    if item is not None:
        return _of_result(unit, known, on_root(chain[:-1], item), node)
    path = unit.path(root)
    if path is not None:
        given = _of_properties(unit, known, root, node)
        if len(chain) == 1 or unit.is_container(root):
            return [(path, Link("same" if len(chain) == 1 else "may", node)), *given]
        surely = surely_view(unit, node) and has_parts(unit, chain)
        is_array = unit.value(root).is_array or (isinstance(root, ast.Name) and unit.is_array_by_use(root.id))
        kind: Kind = "view" if surely else "item" if isinstance(node, ast.Subscript) and is_array else "may"
        exact = kind != "may" and is_repeatable(node) and is_steady(unit, chain) and not may_copy(unit, chain)
        text = ast.unparse(with_base(node, root, path)) if exact else ""
        return [(path, Link(kind, node, text) if exact else Link("may", node)), *given]
    stands_for = given_by(unit, root) if isinstance(root, ast.Call) else None
    if stands_for is not None:
        return _of_result(unit, known, on_root(chain, stands_for), node)
    found = _of_root(unit, known, root)
    return found if len(chain) == 1 else _perhaps(found, node)


def _of_properties(unit: Unit, known: Known, place: ast.expr, node: ast.expr) -> list[Origin]:
    """The attributes whose arrays a place has where it is read through a property."""
    found: list[Origin] = []
    while isinstance(place, ast.Attribute | ast.Subscript):
        for one in properties(unit, place):
            found += [(out_of_sight(name), Link("may", node)) for name in known.returned(one)[0]]
        place = place.value
    return found


def properties(unit: Unit, node: ast.expr) -> list[Function]:
    """The properties that an expression may read."""
    key = attribute_key(unit.module, unit.scope, node) if isinstance(node, ast.Attribute) else None
    return getters(unit.index.methods, key) if key is not None else []


def _of_result(unit: Unit, known: Known, stands_for: ast.expr, node: ast.expr) -> list[Origin]:
    """What a call gives that is a view of an argument, and what is a view of that."""
    chain = list(view_chain(unit, stands_for))
    whole = unit.value(chain[-1])
    if whole.is_array and whole.rank is not None and unit.rank(stands_for) == 0 and len(chain) > 1:
        return [] if not unit.makes_numbers_arrays else _perhaps(origins(unit, known, chain[-1]), node)
    return [(path, replace(link, node=node)) for path, link in origins(unit, known, stands_for)]


def _of_root(unit: Unit, known: Known, root: ast.expr) -> list[Origin]:
    """What an expression gives that is neither a place nor surely a view."""
    fixed = read_only(unit, root)
    if fixed is not None:
        found = origins(unit, known, fixed)
        texts = [link.text or text_of(path) for path, link in found if link.kind in ("same", "view")]
        if texts == [ast.unparse(fixed)] and is_repeatable(root) and is_steady(unit, [root, fixed]):
            return [(not_written(root), Link("may", root)), (found[0][0], Link("view", root, ast.unparse(root)))]
        return [(ESCAPED, Link("may", root)), *_perhaps(found, root)]
    inner = shares(unit, root)
    if inner is not None and isinstance(root, ast.Call) and gives_itself(unit, root):
        of_dtype = len(root.args) > 1 or any(word.arg == "dtype" for word in root.keywords)
        kind: Kind = "same" if unit.value(inner).is_array and unit.value(inner).sure and not of_dtype else "either"
        return [
            (path, Link(kind if link.kind == "same" else "may", root)) for path, link in origins(unit, known, inner)
        ]
    if inner is not None:
        return _perhaps(origins(unit, known, inner), root)
    if isinstance(root, ast.Subscript):  # an index that may be basic, or an item of a container
        return [] if is_picked(unit, root) else _perhaps(origins(unit, known, root.value), root)
    composed = _of_parts(unit, known, root)
    if composed is not None:
        return _perhaps(composed, root)
    if isinstance(root, ast.Name | ast.Attribute) and unit.qualified(root) is not None:  # another module's
        return [(ESCAPED, Link("may", root))]
    if isinstance(root, ast.Attribute) and root.attr in unit.index.attribute_stores:  # of what a call gives
        key = attribute_key(unit.module, unit.scope, root)
        return [(out_of_sight(key), Link("may", root))] if key is not None else []
    return _of_call(unit, known, root) if isinstance(root, ast.Call) else []


def _of_call(unit: Unit, known: Known, call: ast.Call) -> list[Origin]:
    builtin = call.func.id if isinstance(call.func, ast.Name) and unit.scope.owner(call.func.id) is None else ""
    joins = builtin == "sum" and len(call.args) == 2 and unit.value(call.args[1]).kind in ("list", "tuple")
    if builtin in FOLLOWED or joins:
        copies = builtin == "dict"  # other functions see the keys of one
        inside = [part for part in call.args if copies or unit.value(part).kind != "dict"]
        inside += [word.value for word in call.keywords] if copies else []
        return _perhaps([one for part in inside for one in origins(unit, known, part)], call)
    if getattr(call.func, "attr", "") == "fromkeys" and len(call.args) > 1:
        return [(ESCAPED, Link("may", call)), *_perhaps(origins(unit, known, call.args[1]), call)]
    if unit.qualified(call.func) == "copy.copy" and call.args:
        return _perhaps(origins(unit, known, call.args[0]), call) if unit.is_container(call.args[0]) else []
    declared = unit.module.names.declared(call.func, unit.scope)
    given = declared.given(call, declared.shares) if declared else given_back(call, unit.qualified(call.func) or "")
    if given or declared is not None:
        return _perhaps([one for part in given for one in origins(unit, known, part)], call)
    holder = call.func.value if isinstance(call.func, ast.Attribute) else None
    reads = holder is not None and getattr(call.func, "attr", "") in _CONTAINER_READS
    by_use = isinstance(holder, ast.Name) and unit.is_array_by_use(holder.id)
    if holder is not None and reads and not by_use and unit.value(holder).kind in ("list", "dict", "unknown"):
        item = item_made(unit, call)
        if item is not None and not origins(unit, known, call.args[1]):
            return [(item, Link("same", call))]
        text = COPY if getattr(call.func, "attr", "") == "copy" and unit.value(holder).kind == "unknown" else ""
        read: list[Origin] = [(path, Link("may", call, text)) for path, _ in origins(unit, known, holder)]
        missing = (one for part in call.args[1:] for one in origins(unit, known, part))
        return [*read, *_perhaps([*missing], call)]
    functions = callees(unit.module, unit.index, call)
    kept = given_to_class(call, unit.qualified(call.func)) if unit.value(call.func).kind == "unknown" else []
    if kept and not functions:
        return _perhaps([one for part in kept for one in origins(unit, known, part)], call)
    outs = _outs(unit, call)
    if outs:
        found = [one for out in outs for one in origins(unit, known, out)]
        return found if len(outs) == 1 else _perhaps(found, call)
    return _of_functions(unit, known, call, functions)


def _of_functions(unit: Unit, known: Known, call: ast.Call, functions: list[Function]) -> list[Origin]:
    """What functions of the project give, of attributes, of variables around them and of their arguments."""
    found: list[Origin] = []
    may, seen = Link("may", call), set[str]()
    bound: dict[tuple[object, ...], list[tuple[str, ast.expr]]] = {}  # many methods of one name are alike
    given_by_argument: dict[ast.expr, list[Origin]] = {}
    for function in functions:
        convention = known.conventions.get(function)
        kind: Kind = "same" if convention is not None and convention.result == "same" else "may"
        found += _of_variables(unit, known, function, call)
        attributes, given = known.returned(function)
        if not seen.issuperset(attributes):
            found += [(out_of_sight(name), may) for name in attributes if name not in seen]
            seen.update(attributes)
        if given and function.shape not in bound:
            bound[function.shape] = passed(unit.module, function, call)
        for parameter, argument in bound[function.shape] if given else ():
            if parameter in given:
                if argument not in given_by_argument:
                    given_by_argument[argument] = origins(unit, known, argument)
                links = given_by_argument[argument]
                relation = known.relation(function, parameter)
                if kind == "same":
                    found += links
                elif relation:
                    found += [(path, Link(relation if one.kind == "same" else "may", call)) for path, one in links]
    return found


def _of_variables(unit: Unit, known: Known, function: Function, call: ast.Call) -> list[Origin]:
    """The variables around a function that it gives; of a function inside another its arguments as well."""
    variables, places = known.given(function)
    if not variables and not places:
        return []
    given = given_alone(unit.module, function, call)
    defaults = defaults_of(function.node.args)
    seen = sorted(one.name for one in variables if unit.scope.owner(one.name) is one.scope)
    found: list[Origin] = [((name,), Link("may", call)) for name in seen]
    for path in sorted(places):
        name = path[0][1:]
        if not path[0].startswith("^"):
            found.append((path, Link("may", call)))
        elif name in given:
            found += _perhaps(origins(unit, known, given[name]), call)
        elif not isinstance(defaults.get(name), ast.Constant):
            found.append((ESCAPED, Link("may", call)))
    return found


def _outs(unit: Unit, call: ast.Call) -> list[ast.expr]:
    """What a call of NumPy, or of a method of an array or a generator, is given as `out=`, and gives back."""
    qualified = unit.qualified(call.func)
    if qualified in traits.IN_PLACE_FUNCTIONS:
        return call.args[:1]
    if qualified is not None:
        return outputs(call, split_name(qualified)[0] if is_numpy(qualified) else None)
    if isinstance(call.func, ast.Attribute) and call.func.attr in IN_PLACE and unit.value(call.func.value).is_array:
        return [call.func.value]
    of_array = isinstance(call.func, ast.Attribute) and unit.value(call.func.value).kind in ("array", "rng")
    return method_outputs(call) if of_array else []
