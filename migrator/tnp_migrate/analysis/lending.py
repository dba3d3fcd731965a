"""What is given to builtins and libraries, or asked for its truth, its text or its hash: methods of it may be run."""

from __future__ import annotations

import ast

from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.frames import as_numpy
from tnp_migrate.analysis.graphs import Deferred
from tnp_migrate.analysis.heap import Node, find
from tnp_migrate.analysis.implicit_calls import ANY, CALLED_BACK, may_write
from tnp_migrate.analysis.library_functions import CALLING, CALLING_METHODS, CONTAINERS
from tnp_migrate.analysis.passing_on import is_builtin
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts.values import NOTHING
from tnp_migrate.program.fields import is_record

# The special methods that builtins run of what they are given, of those that do not run just any of them.
_RUN_BY = {
    **dict.fromkeys("id callable type super getattr".split(), ()),
    "hasattr": ("__getattr__", "__getattribute__"),
    "isinstance": ("__instancecheck__",), "issubclass": ("__subclasscheck__",),
    "len": ("__len__",), "bool": ("__bool__", "__len__"), "repr": ("__repr__",), "hash": ("__hash__",),
}  # fmt: skip
# What calls functions that it is given, of what else calls none: NumPy's, builtins, and of Python's own modules.
_NUMPYS_CALLING = frozenset(
    """apply_along_axis apply_over_axes fromfunction piecewise vectorize frompyfunc pad loadtxt genfromtxt fromregex
    array2string array_str array_repr set_printoptions printoptions set_string_function seterrcall errstate fromiter
    chebinterpolate""".split()
)
_BUILTINS_CALLING = frozenset(
    """map filter sorted min max iter property classmethod staticmethod __import__ exec eval breakpoint next""".split()
)
_CALLING_NONE = frozenset(
    """math cmath random time datetime calendar pathlib struct array decimal fractions statistics zlib gzip hashlib
    base64 uuid textwrap numbers platform glob warnings logging
    scipy.linalg scipy.special scipy.fft scipy.fftpack""".split()
)
_NAMES_CALLING_NONE = frozenset(
    """itertools.product itertools.chain itertools.chain.from_iterable itertools.count itertools.cycle itertools.repeat
    itertools.islice itertools.zip_longest itertools.permutations itertools.combinations itertools.pairwise
    itertools.combinations_with_replacement itertools.tee itertools.compress re.match re.search re.fullmatch re.compile
    re.findall re.split copy.copy copy.deepcopy pytest.approx pytest.param pytest.skip pytest.fail""".split()
)
_SORTING = frozenset(("scipy.linalg.schur", "scipy.linalg.qz", "scipy.linalg.ordqz"))  # by a function
_KEEPING_ALONE = frozenset("append appendleft extend extendleft insert".split())
_ITERATING = frozenset("__iter__ __getitem__ __next__".split())


def lend_arguments(state: Transfer, one: Instruction, call: ast.Call, receiver: Node | None) -> None:
    """Give what a call of a library is given to what it calls; numbers and texts have no methods of the project."""
    nodes = [state.registers[register] for register in one.operands[1:] if state.kind_of(register) not in NOTHING]
    name = call.func.id if isinstance(call.func, ast.Name) and is_builtin(state.graph, call.func) else ""
    if name not in _RUN_BY or (name == "type" and len(call.args) != 1):
        lend(state, one, nodes, receiver)
        return
    for special in _RUN_BY[name]:
        for node in _with_items(nodes):
            state.method_of_classes(special, node, [], Node(), one)


def calls_none(state: Transfer, call: ast.Call, qualified: str | None) -> bool:
    """Whether what is called runs none of the functions that it is given, or that what it is given may turn out to be.

    Containers keep them, NumPy's functions and the builtins take numbers, arrays and texts.
    """
    if any(word.arg in (None, "key", "default", "func", "out") for word in call.keywords):
        return False
    name = as_numpy(qualified) if qualified else None
    if name is not None:
        root, _, last = name.rpartition(".")
        is_test = root == "numpy.testing" and (not last.startswith("assert_") or name in CALLING)
        return not is_test and last not in _NUMPYS_CALLING
    if isinstance(call.func, ast.Name) and is_builtin(state.graph, call.func):
        return call.func.id not in _BUILTINS_CALLING
    if qualified is not None:
        root = qualified.rpartition(".")[0]
        return qualified in _NAMES_CALLING_NONE or (root in _CALLING_NONE and qualified not in _SORTING)
    if not isinstance(call.func, ast.Attribute):
        return False
    kind = state.kind(call.func.value)
    if kind in ("array", *CONTAINERS):
        return call.func.attr != "sort" or kind == "array"
    return call.func.attr in _KEEPING_ALONE


def calls_through(state: Transfer, one: Instruction, call: ast.Call, qualified: str | None) -> bool:
    """Run what `assert_raises(ValueError, f, x)` and its like call, with what they call it with; say if it is one."""
    place = CALLING.get(qualified or "")
    if place is None and qualified is None and isinstance(call.func, ast.Attribute):
        place = CALLING_METHODS.get(call.func.attr)
    if place is None or len(call.args) <= place:
        return False
    if any(isinstance(part, ast.Starred) for part in call.args[: place + 1]):
        return False
    given = [(at - place - 1 if isinstance(at, int) else at, node) for at, node in state.arguments(one)]
    passed = [(at, node) for at, node in given if not isinstance(at, int) or at >= 0]
    state.graph.deferred.append(Deferred(state.node(call.args[place]), passed, state.registers[one.result], one))
    return True


def lend(state: Transfer, one: Instruction, nodes: list[Node], receiver: Node | None = None) -> None:
    """Give objects, and what containers hold, to a library's function, or to a method that an object has inherited."""
    if may_write(state.slots.index):
        if receiver is not None:
            state.graph.deferred.append(Deferred(receiver, [], Node(), one, set(), CALLED_BACK))
        inside = _with_items(nodes) | dict.fromkeys(_items([receiver] if receiver is not None else []))
        state.graph.deferred += [Deferred(node, [], Node(), one, set(), ANY) for node in inside]


def _with_items(nodes: list[Node]) -> dict[Node, None]:
    """Nodes, with what they hold as containers, and what those do."""
    items = _items(nodes)
    return dict.fromkeys(map(find, (*nodes, *items, *_items(items))))


def _items(nodes: list[Node]) -> list[Node]:
    """What containers hold, and dataclasses, whose methods Python has made."""
    found = []
    for node in map(find, nodes):
        kinds = "[." if any(map(is_record, node.classes)) else "["
        found += [find(held) for label, held in node.fields.items() if label[0] in kinds]
    return found


def note_uses(state: Transfer) -> None:
    """Run what truth values, texts, sets, keys and `*x` do."""
    if any(map(state.slots.has_method, _ITERATING)):
        _unpack(state)
    if not may_write(state.slots.index):
        return
    has_keys = state.slots.has_method("__index__") or state.slots.has_method("__hash__")
    for one in state.body.instructions:
        asked = one.operands if one.operation == "asked" else _keys(one) if has_keys else ()
        nodes = [state.registers[each] for each in asked if state.kind_of(each) not in NOTHING]
        if nodes:
            lend(state, one, nodes)


def _unpack(state: Transfer) -> None:
    """Take the items of what displays and calls unpack: they are made, or called, when it has been asked for them."""
    parent = state.module.names.scopes.parent
    for node, register in [*state.body.registers.items()]:
        above, holder = parent.get(node), state.registers[register]
        starred = isinstance(above, ast.Starred) and isinstance(above.ctx, ast.Load)
        if above is None or not (starred or _is_unpacked(above, node)):
            continue
        around = above if isinstance(above, ast.Dict) else parent[above]
        one = state.body.instructions[state.body.registers.get(around, register)]
        if starred:
            state.iterated(holder, one)
        else:
            state.method_of_classes("__getitem__", holder, [Node()], Node(), one, iterates="by key")


def _is_unpacked(above: ast.AST | None, node: ast.AST) -> bool:
    """Whether a mapping is asked for all of its items: `**x`."""
    pairs = zip(above.keys, above.values, strict=True) if isinstance(above, ast.Dict) else ()
    in_dict = any(key is None and value is node for key, value in pairs)
    return in_dict or (isinstance(above, ast.keyword) and above.arg is None)


def _keys(one: Instruction) -> tuple[int, ...]:
    """The registers that an instruction asks for their number or their hash, to find an item."""
    if one.operation == "slice":
        return one.operands
    return one.operands[1:2] if one.operation in ("item", "set_item", "delete_item") else ()
