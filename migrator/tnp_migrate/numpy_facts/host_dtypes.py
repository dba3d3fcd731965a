"""Arrays that no tensor holds, by the dtype or the data that a call of NumPy is given: records, objects, text.

Input `np.zeros(3, [("x", float)])`, answer `structured`; input `np.where(x > 2, "hi", "lo")`, answer `str`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from tnp_migrate.numpy_facts.names_table import dtype_problem
from tnp_migrate.numpy_facts.results import given_dtype, holds_text, is_text
from tnp_migrate.numpy_facts.traits import BOOLEAN
from tnp_migrate.numpy_facts.values import HOST_DTYPES, Value, element_of

ValueOf = Callable[[ast.expr], Value]
Named = Callable[[ast.expr], str | None]
# Where data is given that is the result's: by position, and by name.
_DATA: dict[str, tuple[int, ...]] = {
    "array": (0,),
    "asarray": (0,),
    "asanyarray": (0,),
    "where": (1, 2),
    "select": (1, 2),
    "choose": (1,),
    "full": (1,),
    "full_like": (1,),
    "repeat": (0,),
    "tile": (0,),
    "append": (0, 1),
    "insert": (0, 2),
    "concatenate": (0,),
    "hstack": (0,),
    "vstack": (0,),
    "stack": (0,),
    "take": (0,),
    "unique": (0,),
    "sort": (0,),
    "roll": (0,),
    "flip": (0,),
    "reshape": (0,),
    "ravel": (0,),
    "delete": (0,),
    "broadcast_to": (0,),
    "extract": (1,),
    "compress": (1,),
    "union1d": (0, 1),
    "intersect1d": (0, 1),
    "setdiff1d": (0, 1),
}
_DATA_WORDS = frozenset({"fill_value", "default", "x", "y"})


def host_dtype(name: str, call: ast.Call, value_of: ValueOf, named: Named) -> str | None:
    """Give the key in `HOST_DTYPES` of what `name(...)` makes, if no tensor holds that."""
    cast = name in ("numpy.ndarray.astype", "numpy.ndarray.view") and call.args
    wanted = call.args[0] if cast else given_dtype(name, call)
    if wanted is not None:
        return dtype_kind(wanted, value_of, named)
    last = name.removeprefix("numpy.")
    if name in BOOLEAN or last not in _DATA:
        return None
    data = [call.args[one] for one in _DATA[last] if one < len(call.args)]
    data += [word.value for word in call.keywords if word.arg in _DATA_WORDS]
    if last == "full" and any(isinstance(one, ast.Constant) and one.value is None for one in data):
        return "object"
    return next(_kinds_of(data, value_of), None)


def text_argument(call: ast.Call, value_of: ValueOf) -> ast.expr | None:
    """The first argument of a call that is an array of text, or a list of it."""
    return next((one for one in call.args if _holds(one, value_of(one)) and value_of(one).kind != "str"), None)


def objects_argument(call: ast.Call, value_of: ValueOf) -> ast.expr | None:
    """The first argument of a call that is a list of objects, of which NumPy makes an array of objects."""
    return next((one for one in call.args if holds_objects(value_of(one))), None)


def holds_objects(value: Value) -> bool:
    """Whether a list or tuple holds instances of a class of the project that NumPy reads no array from."""
    while value.kind in ("list", "tuple"):
        value = element_of(value)
        if value.kind == "instance":
            inherits = len(value.ref.bases) < len(value.ref.node.bases)  # from a class of another library
            return value.sure and not inherits and not any(map(value.ref.method, ("__array__", "__len__")))
    return False


def _kinds_of(data: Sequence[ast.expr], value_of: ValueOf) -> Iterator[str]:
    for one in data:
        value = value_of(one)
        if value.is_array and value.dtype in HOST_DTYPES:
            yield str(value.dtype)
        elif _holds(one, value):
            yield "str"
        elif holds_objects(value):
            yield "object"


def _holds(node: ast.expr, value: Value) -> bool:
    return value.kind == "str" or (value.is_array and value.dtype == "str") or is_text(node) or holds_text(node, value)


def dtype_kind(node: ast.expr, value_of: ValueOf, named: Named) -> str | None:
    """Give the key in `HOST_DTYPES` of a dtype that no tensor has, however it is spelled."""
    value = value_of(node)
    if value.kind in ("list", "dict", "tuple") or isinstance(node, ast.List | ast.Dict | ast.Tuple):
        return "structured"
    if value.kind == "dtype":
        return value.dtype
    spelled = node.value if isinstance(node, ast.Constant) else named(node)
    if spelled is None and isinstance(node, ast.Name) and node.id in ("object", "str", "bytes"):
        spelled = node.id
    code = dtype_problem(spelled)
    return next((kind for kind, (known, _) in HOST_DTYPES.items() if known == code), None)
