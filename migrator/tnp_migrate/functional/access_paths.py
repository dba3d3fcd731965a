"""Places that hold arrays, and views of them as expressions: `a`, `self.x`, `p["w"]`, and `a[1:].T`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache

from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.signatures import may_not_copy
from tnp_migrate.program.nodes import walk

Path = tuple[str, ...]  # ("self", ".x"); the caller's array behind a parameter is ("^a",), what left sight is ESCAPED
ESCAPED: Path = ("!",)
TEMPORARY = "__value"  # what names of values begin with while targets are bound
# Views that know the way back: what is stored into them can be put into their base.
_SHAPED = frozenset({"reshape", "ravel", "squeeze"})
_MIRRORED = frozenset({"transpose", "swapaxes"})
_NUMPY_SHAPED = frozenset(f"numpy.{name}" for name in ("reshape", "ravel", "squeeze", "expand_dims", "real", "imag"))
_NUMPY_MIRRORED = frozenset(
    f"numpy.{name}" for name in ("transpose", "swapaxes", "moveaxis", "flip", "fliplr", "flipud", "matrix_transpose")
)
Qualify = Callable[[ast.expr], "str | None"]
IsContainer = Callable[[ast.expr], bool]


def entry(name: str) -> Path:
    """The array that the caller holds when it passes a parameter."""
    return (f"^{name}",)


def out_of_sight(attribute: str) -> Path:
    """The array of an attribute, given by its key, of whatever object."""
    return (f"!{attribute}",)


def not_written(node: ast.AST) -> Path:
    """What holds a view that cannot be written to, and nothing else."""
    return (f"!read-only:{getattr(node, 'lineno', 0)}:{getattr(node, 'col_offset', 0)}",)


def is_not_written(path: Path) -> bool:
    """Whether a path stands for what holds a view that cannot be written to."""
    return path[0].startswith("!read-only:")


def is_outside(path: Path) -> bool:
    """Whether a path stands for what other code holds."""
    return path[0][:1] in "^!"


def path_of(node: ast.expr, is_container: IsContainer) -> Path | None:
    """The place that an expression names, None where it is no place."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        above = path_of(node.value, is_container)
        return (*above, f".{node.attr}") if above is not None else None
    if isinstance(node, ast.Call):
        name = attribute_read(node)
        above = path_of(node.args[0], is_container) if name is not None else None
        return (*above, f".{name}") if above is not None else None
    if isinstance(node, ast.Subscript) and is_container(node.value) and _is_key(node.slice):
        above = path_of(node.value, is_container)
        return (*above, key_text(node.slice)) if above is not None else None
    return None


def attribute_read(call: ast.Call) -> str | None:
    """The attribute that `getattr(x, "name")` reads."""
    is_read = isinstance(call.func, ast.Name) and call.func.id == "getattr" and len(call.args) == 2
    name = call.args[1].value if is_read and isinstance(call.args[1], ast.Constant) else None
    is_name = isinstance(name, str) and name.isidentifier() and name not in traits.VIEW_ATTRIBUTES
    return str(name) if is_name and not call.keywords else None


def key_text(node: ast.expr) -> str:
    """A key in its brackets, strings in double quotes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
        return f'["{node.value}"]'
    return f"[{ast.unparse(node)}]"


def _is_key(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant | ast.Name)


def text_of(path: Path) -> str:
    """The path as Python writes it."""
    return "".join(path)


def shown(path: Path) -> str:
    """A holder as messages name it."""
    return "something out of sight" if is_outside(path) else f"`{text_of(path)}`"


def may_be_one_slot(one: Path, other: Path) -> bool:
    """Whether two items of one container may be the same: `rows[i]` and `rows[-1]`, not `p["w"]` and `p["b"]`."""
    if len(one) < 2 or one[:-1] != other[:-1] or not (one[-1][0] == other[-1][0] == "["):
        return False
    try:
        keys = [ast.literal_eval(path[-1][1:-1]) for path in (one, other)]
    except ValueError:
        return True
    return keys[0] == keys[1] or any(isinstance(key, int) and key < 0 for key in keys)


@lru_cache(maxsize=4096)
def names_in(text: str) -> frozenset[str]:
    """The variables that an expression reads: of a path, its root and its keys."""
    return frozenset(node.id for node in walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name))


def starts_with(path: Path, prefix: Path) -> bool:
    """Whether a path goes through another."""
    return path[: len(prefix)] == prefix


def view_base(node: ast.expr, qualify: Qualify, is_view_index: Callable[[ast.Subscript], bool]) -> ast.expr | None:
    """What an expression is a view of, where a store into the view can be written to it; None for everything else."""
    if isinstance(node, ast.Subscript):
        return node.value if is_view_index(node) else None
    if isinstance(node, ast.Attribute):
        return node.value if node.attr in ("T", "mT", "flat", "real", "imag") else None
    if not isinstance(node, ast.Call):
        return None
    qualified = qualify(node.func)
    if qualified in _NUMPY_SHAPED | _NUMPY_MIRRORED and len(node.args) > 0:
        simple = qualified not in _NUMPY_MIRRORED or qualified != "numpy.transpose" or len(node.args) == 1
        return node.args[0] if simple and not (qualified == "numpy.transpose" and node.keywords) else None
    if qualified is None and isinstance(node.func, ast.Attribute):
        name = node.func.attr
        if name in _SHAPED and not node.keywords:
            return node.func.value
        if name == "swapaxes" or (name == "transpose" and not node.args):
            return node.func.value
    return None


def is_reshape(node: ast.expr) -> bool:
    """Whether a view is one only of an array that lies in one piece."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in ("reshape", "ravel")


def may_share(node: ast.expr, qualify: Qualify) -> ast.expr | None:
    """What an expression may or may not share its memory with."""
    if isinstance(node, ast.Attribute) and node.attr in traits.VIEW_ATTRIBUTES:
        return node.value
    if not isinstance(node, ast.Call):
        return None
    qualified = qualify(node.func)
    if qualified in traits.VIEW_FUNCTIONS and node.args:
        return node.args[0]
    if qualified in traits.COPY_FUNCTIONS and node.args and may_not_copy(node):
        return node.args[0]
    if qualified is None and isinstance(node.func, ast.Attribute):
        name = node.func.attr
        if name in traits.VIEW_METHODS or (name == "astype" and may_not_copy(node)):
            return node.func.value
    return None


def is_repeatable(node: ast.expr) -> bool:
    """Whether an expression may be evaluated again: it calls nothing but views and lengths."""
    allowed = (
        traits.VIEW_METHODS | {"len", "slice", "range"} | {name.rpartition(".")[2] for name in traits.VIEW_FUNCTIONS}
    )
    for one in ast.walk(node):
        if isinstance(one, ast.Call):
            name = one.func.attr if isinstance(one.func, ast.Attribute) else getattr(one.func, "id", "")
            if name not in allowed:
                return False
        elif isinstance(one, ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr | ast.Lambda):
            return False
    return True


def with_base(view: ast.expr, base: ast.expr, new: Path) -> ast.expr:
    """A view expression on another base: `a[1:]` on `b` is `b[1:]`."""
    wanted = ast.dump(base)

    class Exchange(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            if isinstance(node, ast.expr) and ast.dump(node) == wanted:
                return ast.parse(text_of(new), mode="eval").body
            return super().visit(node)  # type: ignore[no-any-return]

    copied = ast.parse(ast.unparse(view), mode="eval").body
    exchanged = Exchange().visit(copied)
    assert isinstance(exchanged, ast.expr)
    return exchanged
