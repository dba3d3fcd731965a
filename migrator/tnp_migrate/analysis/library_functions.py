"""Functions of libraries as values: what a call of `np.asarray` does that goes by another name, a table or `map`.

Each is one of a few bodies that are written out here, and followed as the project's own: a call of what a variable
turns out to hold runs the body. A call by the function's own name is `call_library`'s.
"""

from __future__ import annotations

import ast
from functools import cache

from tnp_migrate.analysis.frames import as_numpy
from tnp_migrate.analysis.writes import writes_to_first
from tnp_migrate.ir.instructions import Body
from tnp_migrate.ir.lowering import lower_module
from tnp_migrate.ir.state import ModuleBodies
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.index import Module
from tnp_migrate.program.names import Names, is_module
from tnp_migrate.program.scopes import collect_scopes
from tnp_migrate.text.source import Source

LIBRARY = "<library>"  # the module that the bodies stand in
_TEXT = b"""\
from functools import partial


def gives(x, *others, out=None, **more):
    out[...] = 1
    return x


def gives_part(x, *others, **more):
    return x[others]


def reads_attribute(x, *others, **more):
    return getattr(x, others[0])


def reads_attributes(x, *others, **more):
    return [getattr(x, one) for one in others]


def calls_member(x, *others, **more):
    return getattr(x, others[0])(*others, **more)


def makes(x, *others, out=None, **more):
    out[...] = 1
    return x * 1


def makes_of_one(x, out=None, **more):
    out[...] = 1
    return x * 1


def makes_of_two(x, y, out=None, **more):
    out[...] = 1
    return x * y


def calls(function, *given, **named):
    return function(*given, **named)


def makes_partial(function, *given, **named):
    return partial(function, *given, **named)


def vectorized(function, *given, **named):
    return function(*given, **named) * 1


def writes(x, *others, **more):
    x[...] = 1
    return x


def sets_item(x, key, value):
    x[...] = 1
    x.append(value)


def holds(*given, **named):
    return Holder(*given, *named.values())


def method_gives(self, *others, **more):
    return self


def method_binds(self, bound, owner=None):
    if bound is None:
        return partial(self, owner)
    return partial(self, bound)


def method_gives_part(self, *others, **more):
    return self[others]


def method_makes(self, *others, out=None, **more):
    out[...] = 1
    return self * 1


def method_writes_to_argument(self, x, *others, **more):
    x[...] = 1


def method_writes(self, *others, **more):
    self[...] = 1
    return self


def method_keeps(self, *given, **named):
    for one in (*given, *named.values()):
        self.append(one)
        self.extend(one)
    return self[given]
"""
# What calls one of its arguments, at this place, with all that come after it, at once: read in NumPy, unittest, pytest.
CALLING = {
    **{f"numpy.testing.assert_{name}": 1 for name in ("raises", "warns")},
    **{f"numpy.testing.assert_no_{name}": 0 for name in ("warnings", "gc_cycles")},
    "numpy.testing.assert_raises_regex": 2,
    "pytest.raises": 1, "pytest.warns": 1, "pytest.deprecated_call": 0, "operator.call": 0,
}  # fmt: skip
CALLING_METHODS = {"assertRaises": 1, "assertWarns": 1, "assertRaisesRegex": 2, "assertWarnsRegex": 2}
MAKING = frozenset("abs round pow divmod sum deepcopy".split())  # of builtins and `copy`
_OTHERS = {
    "builtins.getattr": "reads_attribute", "inspect.getattr_static": "reads_attribute", "operator.call": "calls",
    "functools.partial": "makes_partial", "types.MethodType": "makes_partial",
}  # fmt: skip
PARTS = frozenset("operator.getitem operator.itemgetter operator.attrgetter operator.methodcaller".split())

ITEM_METHODS = frozenset("get get_nowait pop popleft popitem setdefault result __getitem__ __next__ send asend".split())
ITEMS_METHODS = frozenset("values copy __copy__ __iter__ most_common".split())
_OF_ARRAYS = {
    **dict.fromkeys(traits.MUTATING_METHODS, "method_writes"),
    **dict.fromkeys((name for name, kind in traits.ARRAY_METHODS.items() if kind == "array"), "method_makes"),
    **dict.fromkeys(traits.VIEW_METHODS, "method_gives"),
}
_OF_CONTAINERS = {
    **dict.fromkeys(ITEM_METHODS, "method_gives_part"),
    **dict.fromkeys(ITEMS_METHODS, "method_gives"),
    **dict.fromkeys((*traits.KEEPING_METHODS, "__setitem__"), "method_keeps"),
}
_OF_ANY = frozenset(traits.KEEPING_METHODS) | traits.MUTATING_METHODS | traits.VIEW_METHODS
_OF_ANY |= {"get", "pop", "popleft", "copy", "__getitem__"}
CONTAINERS = frozenset({"list", "dict", "set", "tuple"})


@cache
def library_bodies() -> tuple[Module, ModuleBodies]:
    """The module of the bodies, and the bodies."""
    source = Source(LIBRARY, _TEXT)
    scopes = collect_scopes(source.tree)
    return Module(LIBRARY, source, Names(scopes, LIBRARY, exports={})), lower_module(source.tree, scopes)


def body_like(qualified: str) -> str | None:
    """The name of the body that does what a function does with memory; None where it does nothing with arrays."""
    name = as_numpy(qualified)
    if name is None:
        owner, _, last = qualified.rpartition(".")
        if qualified in traits.MUTATED_ARGUMENT:
            return "sets_item" if last == "setitem" else "writes"
        if is_class_of_library(owner, last):
            return "holds"
        if owner.removeprefix("builtins.") in CONTAINERS:
            return next(iter(methods_like(last, owner.removeprefix("builtins."))), None)
        made = owner == "operator" or (owner in ("builtins", "copy") and last in MAKING)
        return _OTHERS.get(qualified) or ("gives_part" if qualified in PARTS else "makes" if made else None)
    if is_module(name):
        return None
    mutated = traits.MUTATED_ARGUMENT.get(name)
    method = name.removeprefix("numpy.ndarray.")
    if (mutated is not None and mutated[0] == 0) or writes_to_first(name) or method in traits.MUTATING_METHODS:
        return "writes"
    for count, names in traits.UFUNCS_AT.items():
        if name.removeprefix("numpy.") in names:
            return {1: "makes_of_one", 2: "makes_of_two"}[count]
    if name in traits.VIEW_FUNCTIONS or name in traits.COPY_FUNCTIONS or method in traits.VIEW_METHODS:
        return "gives"
    return "makes" if traits.RESULTS.get(name, "array") in ("array", "list", "tuple") else None


def is_class_of_library(owner: str, name: str) -> bool:
    """Whether a name is that of a class of the standard library whose instances hold what they are made with."""
    return owner in traits.CONTAINER_MODULES and (name[:1].isupper() or name in ("deque", "defaultdict"))


def methods_like(name: str, kind: str) -> list[str]:
    """The names of the bodies that do what a method of an array or a container does, as a value of its own.

    Of something of an unknown kind methods that seldom are names of anything else.
    """
    found = []
    if kind == "array" or (kind == "unknown" and name in _OF_ANY):
        found.append(_OF_ARRAYS.get(name))
    if kind == "rng" and name in traits.RNG_MUTATING_METHODS:
        found.append("method_writes_to_argument")
    if kind in CONTAINERS or (kind == "unknown" and name in _OF_ANY):
        found.append(_OF_CONTAINERS.get(name))
    if name == "__get__" and kind not in ("array", *CONTAINERS):
        found.append("method_binds")
    return [one for one in found if one is not None]


@cache
def harmless_functions() -> frozenset[Body]:
    """The bodies that write to nothing but what they are given as `out`, and keep nothing but in what they give."""
    names = ("gives", "makes", "method_gives", "method_makes", "holds")
    return frozenset(one for one in library_bodies()[1].bodies if one.name.startswith(names))


def is_called(module: Module, node: ast.AST | None) -> bool:
    """Whether an expression is what a call calls: by its own name, where it is a library's."""
    above = module.names.scopes.parent.get(node) if node is not None else None
    return isinstance(above, ast.Call) and above.func is node
