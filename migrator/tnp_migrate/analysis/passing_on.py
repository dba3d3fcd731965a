"""What functions and objects of Python's own library hand on: they compute nothing of arrays, and copy none.

`heapq.nlargest(1, arrays)[0]` is one of the arrays. The functions that the heap knows by name it follows; of all others
what they give may be, or hold, whatever they were given.
"""

from __future__ import annotations

import ast
import builtins
import sys

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import find
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts import traits

_LEADS = frozenset("copy phi either await enter attribute item unpack next iterate rest augmented display".split())
FOLLOWED = frozenset("list tuple zip enumerate reversed iter dict set map filter sorted next max min".split())
_NEW = frozenset(
    "abs round pow divmod len range str repr format int float complex bool bytes ord chr hash id isinstance issubclass "
    "callable print open input any all bin hex deepcopy loads bytearray".split()
)


_KEEPS_NOTHING = frozenset(
    "math cmath random time datetime calendar os pathlib json csv struct array re string decimal fractions statistics "
    "io pickle shutil tempfile glob subprocess argparse logging warnings platform zlib gzip hashlib base64 urllib uuid "
    "textwrap pprint numbers ast locale configparser sqlite3 xml html http socket email zipfile tarfile getpass".split()
)


def hands_on(qualified: str) -> bool:
    """Whether a function is of a part of Python's own library that handles objects, whatever these are."""
    root, _, last = qualified.partition(".")
    if hasattr(builtins, root) and not last:
        return root not in _NEW
    return root in sys.stdlib_module_names and root not in _KEEPS_NOTHING and last not in _NEW


def passed_on(graph: Graph, register: int) -> list[int]:
    """The arguments of calls of Python's own library, not followed by name, that what a register has may be in."""
    passing = [one for one in _calls_to(graph, register) if passes_on(graph, one) and not _is_followed(one)]
    return list(dict.fromkeys(operand for one in passing for operand in one.operands[1:]))


def _is_followed(call: Instruction) -> bool:
    return isinstance(call.node, ast.Call) and getattr(call.node.func, "id", "") in FOLLOWED


def _calls_to(graph: Graph, register: int) -> list[Instruction]:
    """The calls that what a register has may have come through."""
    found: list[Instruction] = []
    pending, seen = [register], {register}
    while pending:
        one = graph.body.instructions[pending.pop()]
        onward: tuple[int, ...] = ()
        if one.operation in _LEADS:
            onward = one.operands if one.operation in ("phi", "either", "display") else one.operands[:1]
        elif one.operation == "call" and one.result not in graph.fresh:
            found.append(one)
            onward = one.operands
            if not passes_on(graph, one):  # a view, or what a function gives back
                onward = tuple(each for each in onward if _may_be_part_of(graph, one, each))
        pending += [operand for operand in onward if operand not in seen]
        seen.update(onward)
    return found


def _may_be_part_of(graph: Graph, call: Instruction, operand: int) -> bool:
    """Whether what a call gives may be in the memory of an operand, or of the object whose method is called."""
    given = graph.body.instructions[operand]
    if given.operation == "attribute":
        operand = given.operands[0]
    return find(graph.registers[operand]) is find(graph.registers[call.result])


def is_builtin(graph: Graph, name: ast.Name) -> bool:
    """Whether a name is Python's own, which no text binds."""
    return graph.body.scope.owner(name.id) is None and hasattr(builtins, name.id)


def gives_something_new(graph: Graph, call: Instruction) -> bool:
    """Whether a call is of a function of Python's own that keeps nothing of what it is given, and gives none of it."""
    func = call.node.func if isinstance(call.node, ast.Call) else None
    return isinstance(func, ast.Name) and func.id in _NEW and is_builtin(graph, func)


def passes_on(graph: Graph, one: Instruction) -> bool:
    """Whether a call is of Python's own library, of an object of it, or of a class that a function makes."""
    assert isinstance(one.node, ast.Call)
    func = one.node.func
    qualified = graph.module.names.of(func, graph.body.scope)
    root, _, last = (qualified or "").rpartition(".")
    if isinstance(func, ast.Name) and is_builtin(graph, func):
        return func.id not in _NEW and (func.id != "sum" or len(one.node.args) > 1)
    if root.partition(".")[0] in sys.stdlib_module_names:
        return last not in _NEW and qualified not in traits.MUTATED_ARGUMENT  # `operator.iadd` is followed
    return qualified is None and _is_of_library(graph, one.operands[0])


def _is_of_library(graph: Graph, register: int) -> bool:
    """Whether what is called is, or is a method of, what a call of Python's own library gives, or a class made here."""
    one = graph.body.instructions[register]
    while one.operation in ("copy", "attribute", "enter", "decorated"):
        one = graph.body.instructions[one.operands[-1]]
    return one.operation == "class" or (one.operation == "call" and passes_on(graph, one))
