"""Bodies for calls that name no function: all methods of a name that many classes have, and what a class makes.

A call of such a method on something unknown takes one summary over, in which the many have been put together once. A
class that is a value, in a table or an argument, is a function that makes an instance.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from keyword import iskeyword

from tnp_migrate.analysis.class_bindings import assigned_methods, functions_assigned
from tnp_migrate.analysis.implicit_calls import UNNAMED, special_methods
from tnp_migrate.analysis.library_functions import LIBRARY
from tnp_migrate.ir.instructions import Body
from tnp_migrate.ir.lowering import lower_module
from tnp_migrate.ir.state import ModuleBodies
from tnp_migrate.program.decorators import is_property
from tnp_migrate.program.index import Class, Function, Index, Module
from tnp_migrate.program.names import Names
from tnp_migrate.program.nodes import text_in
from tnp_migrate.program.records import RECORDING, record_fields
from tnp_migrate.program.scopes import collect_scopes
from tnp_migrate.text.source import Source

MOST_GUESSED = 8  # methods of one name that a call on something unknown runs one by one
_TEXT_OF_CALL = """\
def call_{name}(self, *given, **named):
    return self.{name}(*given, **named)


"""
_TEXT_OF_READ = """\
def read_{name}(self):
    return self.{path}


"""
BY_PATTERN = "?"  # stands before a pattern in the place of a method's name: of those that a computed name may be
PROPERTIES = "properties "  # stands before a pattern in the place of a method's name: of properties that it may be
SPECIAL = "special"  # the body that runs the methods which run without being named
_TEXT_OF_SPECIAL = """\
def special(self):
    return self()


"""
_TEXT_OF_CLASS = """\
def {name}(*given, **named):
    return given(*given, **named)


"""
_TEXT_OF_RECORD = """\
def {name}({parameters}):
    return record({fields})


"""
_MAKER = "make_instance_of_class_"
_RECORDER = "make_record_"
_OF_CONSTRUCTION = frozenset(
    """__init__ __new__ __post_init__ __attrs_pre_init__ __attrs_post_init__ __del__ __init_subclass__
    __class_getitem__""".split()
)


def common_bodies(index: Index) -> tuple[Module, ModuleBodies]:
    """The bodies that call, and read, all methods and properties of a name; and the module that they stand in."""
    many = [name for name, methods in index.methods.items() if len(methods) > MOST_GUESSED]
    assigned = (name for name in assigned_methods(index) if name[:2] != "__")
    called = dict.fromkeys([*many, *assigned, *_named_in_calls(index, "methodcaller")])
    read = dict.fromkeys([*many, *_named_in_calls(index, "attrgetter")])
    text = "".join(
        _TEXT_OF_CALL.format(name=name) for name in called if name.isidentifier() and name not in _OF_CONSTRUCTION
    )
    text += "".join(
        _TEXT_OF_READ.format(name=_joined(name), path=name) for name in read if name not in _OF_CONSTRUCTION
    )
    made = "".join(_TEXT_OF_CLASS.format(name=name) for name in _classes(index).values())
    made += "".join(_text_of_record(name, fields) for name, fields in _records(index).values())
    source = Source(LIBRARY, (_TEXT_OF_SPECIAL + text + made).encode())
    scopes = collect_scopes(source.tree)
    return Module(LIBRARY, source, Names(scopes, LIBRARY, exports={})), lower_module(source.tree, scopes)


def _named_in_calls(index: Index, function: str) -> Iterator[str]:
    """The texts that calls of a function are given first: `methodcaller("step")`."""
    for module in index.modules.values():
        for node in module.names.scopes.parent if function.encode() in module.source.body else ():
            if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).endswith(function):
                text = text_in(node.args[0])
                names = text.split(".") if text is not None else [""]
                if text is not None and all(one.isidentifier() and not iskeyword(one) for one in names):
                    yield text


def _text_of_record(name: str, fields: list[str]) -> str:
    parameters = ", ".join(f"{one}=None" for one in fields)
    return _TEXT_OF_RECORD.format(name=name, parameters=parameters, fields=", ".join(fields))


def that_calls(name: str) -> str:
    """The name of the body that calls all methods of a name."""
    return SPECIAL if name in UNNAMED else f"call_{name}"


def that_reads(name: str) -> str:
    """The name of the body that reads all properties of a name."""
    return f"read_{_joined(name)}"


def _joined(path: str) -> str:
    """A name for the attributes on a path, `s.step`."""
    return path.replace(".", "_dot_")


def common_of(bodies: Mapping[object, Body], around: Body, call: ast.Call, functions: list[Function]) -> Body | None:
    """The body that a call runs, if what it may run has a name that many have."""
    if not isinstance(call.func, ast.Attribute) or len(functions) <= MOST_GUESSED:
        return None
    found = bodies.get(that_calls(call.func.attr))
    return None if found is around else found


@lru_cache(maxsize=1)
def _classes(index: Index) -> dict[Class, str]:
    """All classes, with the names of the bodies that make their instances."""
    classes = [one for module in index.modules.values() for one in module.classes.values()]
    return {one: f"{_MAKER}{number}" for number, one in enumerate(classes)}


@lru_cache(maxsize=1)
def _makers(index: Index) -> dict[str, Class]:
    return {name: owner for owner, name in _classes(index).items()}


def that_makes(index: Index, owner: Class) -> str:
    """The name of the body that makes an instance of a class, which is called by its value."""
    return _classes(index)[owner]


@lru_cache(maxsize=1)
def _records(index: Index) -> dict[ast.AST, tuple[str, list[str]]]:
    """The calls of a project that make a class of records, with the bodies that make these, by name, and the fields."""
    named = [one for one in index.modules.values() if any(name.encode() in one.source.body for name in RECORDING)]
    made = [(one, fields) for module in named for one in module.names.scopes.parent if (fields := record_fields(one))]
    return {one: (f"{_RECORDER}{number}", fields) for number, (one, fields) in enumerate(made)}


def that_records(index: Index, call: ast.Call) -> str | None:
    """The name of the body that makes a record of the class that a call makes; None for any other call."""
    known = _records(index).get(call)
    return None if known is None else known[0]


def makes_records(module: Module, body: Body) -> bool:
    """Whether a body makes the records of a class."""
    return module.name == LIBRARY and body.name.startswith(_RECORDER)


def class_made_by(index: Index, module: Module, body: Body) -> Class | None:
    """The class that one of these bodies makes an instance of; None for any other body."""
    if module.name != LIBRARY or not makes_instances(body):
        return None
    return _makers(index)[body.name]


def makers_apart(owners: Mapping[Body, Class | None]) -> dict[Body, list[Class]]:
    """Some bodies, of those that make instances alike the first alone, with the classes that it stands for besides.

    Given with the bodies are the classes that they make instances of.
    """
    found: dict[Body, list[Class]] = {}
    first: dict[Class, Body] = {}
    for body, owner in owners.items():
        if owner is None or (known := first.setdefault(_constructed_as(owner), body)) is body:
            found[body] = []
        else:
            found[known].append(owner)
    return found


def kinds_of(owners: Mapping[Body, Class | None]) -> int:
    """How many things some bodies do that have nothing to do with each other: what makes a base's classes does one."""
    return len({body if owner is None else owner.lineage[-1] for body, owner in owners.items()})


def _constructed_as(owner: Class) -> Class:
    """The class that says how instances are made: the base of one that says nothing of that itself."""
    while len(owner.bases) == 1 == len(owner.node.bases) and not (
        owner.node.decorator_list or owner.node.keywords or owner.scope.bound.keys() & _OF_CONSTRUCTION
    ):
        owner = owner.bases[0]
    return owner


def makes_instances(body: Body) -> bool:
    """Whether a body makes the instances of a class."""
    return body.name.startswith(_MAKER)


def run_by(index: Index, module: Module, body: Body) -> list[Function]:
    """What one of these bodies runs; nothing for any other body."""
    if module.name != LIBRARY or isinstance(body.node, ast.Module):
        return []
    if body.name == SPECIAL:
        return list(special_methods(index))
    kind, _, name = body.name.partition("_")
    methods = [*index.methods.get(name, ()), *functions_assigned(index, name)] if kind in ("call", "read") else []
    return [one for one in methods if is_property(one) == (kind == "read")]
