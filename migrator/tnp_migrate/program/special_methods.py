"""Methods that expressions run which name none: operators, items, calls of objects."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tnp_migrate.numpy_facts.values import Value
from tnp_migrate.program.dispatch import methods_meant
from tnp_migrate.program.index import Function

OPERATORS = {
    "Add": "__add__", "Sub": "__sub__", "Mult": "__mul__", "Div": "__truediv__", "MatMult": "__matmul__",
    "FloorDiv": "__floordiv__", "Mod": "__mod__", "Pow": "__pow__", "LShift": "__lshift__", "RShift": "__rshift__",
    "BitOr": "__or__", "BitAnd": "__and__", "BitXor": "__xor__", "USub": "__neg__", "UAdd": "__pos__",
    "Invert": "__invert__", "Eq": "__eq__", "NotEq": "__ne__", "Lt": "__lt__", "LtE": "__le__", "Gt": "__gt__",
    "GtE": "__ge__", "In": "__contains__", "NotIn": "__contains__",
}  # fmt: skip
REFLECTED = {
    "__eq__": "__eq__", "__ne__": "__ne__", "__lt__": "__gt__", "__le__": "__ge__", "__gt__": "__lt__",
    "__ge__": "__le__",
}  # fmt: skip
_OF_BUILTINS = {
    **dict.fromkeys("list tuple sorted max min sum".split(), "__iter__"),
    "next": "__next__", "abs": "__abs__", "round": "__round__", "reversed": "__reversed__",
}  # fmt: skip


def methods_run(node: ast.AST, value: Callable[[ast.AST], Value]) -> list[Function]:
    """The methods of the project that an operator, an item or attribute that is read, or a call of an object runs."""
    if isinstance(node, ast.Attribute) and value(node).kind != "unknown":
        return []  # an attribute that the object has
    return [method for holder, name in _asked(node) for method in methods_meant(value(holder), name)]


def _asked(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """The operands of an expression, with the method that each is asked for."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value, "__getitem__"
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        yield node.value, "__getattr__"
    elif isinstance(node, ast.Call):
        yield node.func, "__call__"
        if isinstance(node.func, ast.Name) and node.func.id in _OF_BUILTINS and len(node.args) == 1:
            yield node.args[0], _OF_BUILTINS[node.func.id]
    elif isinstance(node, ast.UnaryOp) and type(node.op).__name__ in OPERATORS:
        yield node.operand, OPERATORS[type(node.op).__name__]
    elif isinstance(node, ast.BinOp):
        name = OPERATORS[type(node.op).__name__]
        yield node.left, name
        yield node.right, f"__r{name[2:]}"
