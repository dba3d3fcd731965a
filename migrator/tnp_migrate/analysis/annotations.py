"""What annotations say of values, in the text or in the stub file beside it."""

from __future__ import annotations

import ast

from tnp_migrate.analysis.frames import Frame
from tnp_migrate.numpy_facts.values import NONE, SCALAR, UNKNOWN, Value, array, join
from tnp_migrate.program.index import Function, Index
from tnp_migrate.program.names import is_numpy, split_name
from tnp_migrate.program.scopes import all_arguments

_ARRAY_TYPES = frozenset({"numpy.ndarray", "numpy.typing.NDArray", "cupy.ndarray"})


def stubbed(index: Index, function: Function, name: str) -> Value | None:
    """What the stub file beside a function's module says of a parameter."""
    home = function.module.name
    module = index.modules.get(f"{home}-stub") or index.modules.get(f"{home}.__init__-stub")
    stubs = [one for one in module.functions.values() if one.place == function.place] if module is not None else []
    if len(stubs) != 1:  # none, or several signatures
        return None
    found = [one.annotation for one in all_arguments(stubs[0].node.args) if one.arg == name]
    return annotated(Frame(index, stubs[0].module, stubs[0].outer), found[0]) if found else None


def annotated(frame: Frame, annotation: ast.expr | None) -> Value | None:
    """What an annotation says of what it stands at; None where it says nothing."""
    if annotation is None:
        return None
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return None
    inner = _but_none(frame, annotation)
    if inner is not None:
        found = annotated(frame, inner)
        return join(found, NONE) if found is not None and found.is_array else None
    head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    qualified = frame.module.names.of(head, frame.scope)
    if qualified and is_numpy(qualified) and split_name(qualified)[0] in _ARRAY_TYPES:
        return array()
    plain = head.id if isinstance(head, ast.Name) else head.attr if isinstance(head, ast.Attribute) else ""
    if plain in ("int", "float", "complex", "bool") and not isinstance(annotation, ast.Subscript):
        return SCALAR if plain in ("int", "bool") else UNKNOWN  # arrays are passed where `float` is written
    kinds = {"str": "str", "list": "list", "List": "list", "dict": "dict", "Dict": "dict", "set": "set", "Set": "set"}
    element = None if plain == "str" else UNKNOWN
    return Value(kinds[plain], element=element) if plain in kinds else None  # type: ignore[arg-type]


def _but_none(frame: Frame, annotation: ast.expr) -> ast.expr | None:
    """The `T` of `T | None` and of `Optional[T]`."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        sides = [annotation.left, annotation.right]
        others = [one for one in sides if not (isinstance(one, ast.Constant) and one.value is None)]
        return others[0] if len(others) == 1 else None
    if isinstance(annotation, ast.Subscript):
        qualified = frame.module.names.of(annotation.value, frame.scope)
        return annotation.slice if qualified in ("typing.Optional", "typing_extensions.Optional") else None
    return None
