"""Attributes and variables that are bound without being named at a dot, or at all: the text shows not all they hold.

`setattr(self, name, value)`, `self.__dict__.update(more)` and `vars(x)[name] = value` bind any attribute of the
object; `setattr(x, "n", value)` binds `n` of any. Of a module that are its variables, as by `globals()[name] = value`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from tnp_migrate.analysis.reflection import module_meant
from tnp_migrate.analysis.value_flow import Flows
from tnp_migrate.analysis.written_texts import Texts
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.index import Class, Index, Module
from tnp_migrate.program.namespaces import names_asked_of, object_of
from tnp_migrate.program.nodes import text_in

_OF_RECORDS = frozenset("namedtuple NamedTuple make_dataclass SimpleNamespace Namespace type".split())
_READING = frozenset("get keys values items copy".split())
_LOOKING = frozenset("dict list tuple set sorted len iter str repr print".split())
_REPLACING = frozenset({"replace", "_replace", "__replace__", "evolve"})  # of dataclasses, `copy`, named tuples, attrs


def is_open(index: Index, owner: Class, attribute: str) -> bool:
    """Whether an attribute of a class may hold what nothing at a dot binds to it."""
    names, owners = _open(index)
    return attribute in names or owner in owners


def is_open_variable(index: Index, module: Module, name: str) -> bool:
    """Whether a variable of a module may hold what no statement binds to it."""
    names, owners = _open(index)
    return name in names or module in owners


def may_be_replaced(index: Index, module: Module, name: str) -> bool:
    """Whether something may be bound in the place of a module's function: `module.step = f`, `globals()[name] = f`."""
    return name in index.attribute_stores or is_open_variable(index, module, name)


def names_bound_unseen(index: Index) -> frozenset[str] | None:
    """The names of attributes and variables that are bound at no dot and by no statement; None where any may be."""
    names, owners = _open(index)
    return None if owners else names


@lru_cache(maxsize=1)
def _open(index: Index) -> tuple[frozenset[str], frozenset[Class | Module]]:
    """The names that are bound on any object, and the classes of whose objects, and modules of which any name is."""
    names: set[str] = set()
    owners: set[Class | Module] = set()
    texts = Texts(index, Flows())
    for module in index.modules.values():
        for node in module.names.scopes.parent:
            for holder, name in _bound(module, node):
                given = None if name is not None else _names_given(texts, module, node)
                names.update([name] if name is not None else given or ())
                if name is None and given is None:
                    owners.update(_owners(index, module, holder))
    return frozenset(names), frozenset(owners)


def _names_given(texts: Texts, module: Module, node: ast.AST) -> list[str] | None:
    """The names by which `setattr` binds, where all of them are written out."""
    if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "setattr":
        return None
    listed = _listed(module, node.args[1])
    given = texts.of(module, node.args[1]) if listed is None else listed
    found = None if given is None else [text_in(one) for one in given]
    return None if found is None or None in found else [one for one in found if one is not None]


def _listed(module: Module, name: ast.expr) -> list[ast.expr] | None:
    """The items of a list that is written out at the head of the loop whose variable something is."""
    scope = module.names.scopes.around(name)
    if not isinstance(name, ast.Name) or len(scope.bound.get(name.id, ())) != 1:
        return None
    for above in module.names.scopes.ancestors(name):
        if isinstance(above, ast.For) and isinstance(above.target, ast.Name) and above.target.id == name.id:
            return above.iter.elts if isinstance(above.iter, ast.List | ast.Tuple | ast.Set) else None
    return None


@lru_cache(maxsize=1)
def hands_namespaces_on(index: Index) -> bool:
    """Whether something else than reading is done with the namespace of an object, or with what binds attributes."""
    return any(_is_handed_on(module, node) for module in index.modules.values() for node in module.names.scopes.parent)


def _is_handed_on(module: Module, node: ast.AST) -> bool:
    above = module.names.scopes.parent.get(node)
    if isinstance(node, ast.Name) and node.id in ("setattr", "vars"):
        return not (isinstance(above, ast.Call) and above.func is node)
    if object_of(node) is None or isinstance(above, ast.Subscript | ast.Compare | ast.Starred | ast.FormattedValue):
        return False
    if isinstance(above, ast.Attribute):
        return above.attr not in _READING and above.attr not in traits.KEEPING_METHODS
    if isinstance(above, ast.Call):
        return getattr(above.func, "id", "") not in _LOOKING
    if isinstance(above, ast.For | ast.comprehension):
        return above.iter is not node
    return not (isinstance(above, ast.keyword) and above.arg is None)


@lru_cache(maxsize=1)
def attributes_without_class(index: Index) -> frozenset[str]:
    """The attributes of what no class in the text defines: of modules, named tuples, namespaces, what `type` makes."""
    found: set[str] = set()
    for module in index.modules.values():
        found.update(module.names.scopes.module.bound)
        for call in module.names.scopes.parent:
            if isinstance(call, ast.Call) and getattr(call.func, "attr", getattr(call.func, "id", "")) in _OF_RECORDS:
                found.update(word.arg for word in call.keywords if word.arg is not None)
                for node in ast.walk(call):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        found.update(node.value.replace(",", " ").split())
    return frozenset(found)


def _bound(module: Module, node: ast.AST) -> Iterator[tuple[ast.expr, str | None]]:
    """The objects of which a node binds an attribute that stands at no dot, and its name where that is written out."""
    if isinstance(node, ast.Call) and len(node.args) > 1:
        if getattr(node.func, "id", "") == "setattr":
            yield node.args[0], text_in(node.args[1])
            return
        if isinstance(node.func, ast.Attribute) and node.func.attr == "__setattr__":  # of `object`, of `super()`
            yield node.args[0] if len(node.args) > 2 else node.func.value, text_in(node.args[-2])
            return
    if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in _REPLACING:
        yield from ((node, word.arg) for word in node.keywords if word.arg is not None)
        return
    above = module.names.scopes.parent.get(node)
    holder = object_of(node)
    if holder is None and isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("globals", "vars"):
        holder = node
    stored = isinstance(above, ast.Subscript) and isinstance(above.ctx, ast.Store)
    if holder is not None and (stored or (isinstance(above, ast.Attribute) and above.attr in traits.KEEPING_METHODS)):
        names = names_asked_of(module, node)
        yield from ((holder, name) for name in (names if names is not None else [None]))


def _owners(index: Index, module: Module, holder: ast.expr) -> Iterator[Class | Module]:
    """The module that an object is, or the classes that it may be of: those whose `self` it is, else all."""
    scope = module.names.scopes.around(holder)
    meant = module_meant(index, module, scope, holder) or index.modules.get(module.names.of(holder, scope) or "")
    method = module.function_around(holder)
    name = getattr(holder, "id", None)
    if meant is not None:
        yield meant
    elif method is not None and method.owner is not None and method.takes_self and method.parameters[:1] == [name]:
        yield from method.owner.kin
    else:
        for one in index.modules.values():
            yield from one.classes.values()
