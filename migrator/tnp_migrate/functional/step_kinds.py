"""What comes of the numbers of a loop's steps when arrays take their place: the same numbers, or it is not known.

NumPy's operators give for arrays what they give for their elements. Python's own numbers are weaker: a loop's variable
as an array decides about dtypes, which it does not as a number.
"""

from __future__ import annotations

import ast

# "number" a literal; "float" one of Python's floats; "one" a number of any kind; "step" a loop's variable, perhaps
# shifted; "product" an integer from that; "weak" a float from that; "double" numbers of NumPy's float64; "each"
# numbers of NumPy; "gone" what is not to be read.
Kind = str

_ALONE = frozenset({"number", "float", "one"})
_ARRAYS = frozenset({"each", "double"})
_STEPS = frozenset({"step", "product"})
_LARGEST = 1000  # that a step may be multiplied with, which keeps products well inside of 64 bits
_CIRCULAR = "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh".split()
_FLOATS = frozenset(f"numpy.{name}" for name in (*_CIRCULAR, *"exp expm1 log log1p log2 log10 sqrt".split()))
_UNARY = _FLOATS | {f"numpy.{name}" for name in "abs absolute fabs square sign floor ceil negative isnan".split()}
_BINARY = frozenset(f"numpy.{name}" for name in "minimum maximum add subtract multiply divide arctan2 hypot".split())


def operated(node: ast.BinOp, left: Kind, right: Kind) -> Kind | None:
    """The kind of `left op right`; None where arrays may not do what their elements do, or where it may raise."""
    if "gone" in (left, right):
        return None
    if {left, right} <= _ALONE:
        return _of_numbers(node, left, right)
    if isinstance(node.op, ast.Pow | ast.MatMult | ast.LShift | ast.RShift):
        two = isinstance(node.right, ast.Constant) and node.right.value == 2 and type(node.right.value) is int
        return "product" if left == "step" and two and isinstance(node.op, ast.Pow) else None
    if {left, right} & _STEPS:
        return _of_steps(node, left, right)
    if "weak" in (left, right):
        other = right if left == "weak" else left
        if isinstance(node.op, ast.Div) and right != "double" and not _is_number_but_zero(node.right):
            return None
        plain = isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div)
        kinds = {"number": "weak", "float": "weak", "weak": "weak", "double": "double"}
        return kinds.get(other) if plain else None
    return "double" if {left, right} <= {"double", "number", "float"} else "each"


def _of_numbers(node: ast.BinOp, left: Kind, right: Kind) -> Kind | None:
    """Numbers from before the loop, whose operation must not raise: a loop without steps never comes to it."""
    positive = isinstance(node.right, ast.Constant) and type(node.right.value) is int and node.right.value >= 0
    whole = {ast.Add: True, ast.Sub: True, ast.Mult: True, ast.Pow: positive, ast.Div: _is_number_but_zero(node.right)}
    if not whole.get(type(node.op), False):
        return None
    return "float" if {left, right} <= {"float", "number"} and "float" in (left, right) else "one"


def _of_steps(node: ast.BinOp, left: Kind, right: Kind) -> Kind | None:
    """Integers from a loop's variable with literals, with each other and with floats."""
    constant = node.right if left in _STEPS else node.left
    value = constant.value if isinstance(constant, ast.Constant) else None
    is_left = left in _STEPS
    small = type(value) is int and abs(value) <= _LARGEST
    if isinstance(node.op, ast.Div):
        return "weak" if is_left and _is_number_but_zero(node.right) else None
    if isinstance(node.op, ast.FloorDiv | ast.Mod):
        return left if is_left and small and isinstance(value, int) and value > 0 else None
    if not isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
        return None
    if {left, right} <= _STEPS:
        if isinstance(node.op, ast.Mult):
            return "product" if left == right == "step" else None
        return "product" if "product" in (left, right) else "step"
    if small:
        multiplied = isinstance(node.op, ast.Mult)
        both = {left, right} & _STEPS
        return (None if "product" in both else "product") if multiplied else both.pop()
    other = right if is_left else left
    if type(value) is float or other in ("float", "weak"):
        return "weak"
    return "double" if other == "double" else None


def _is_number_but_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value != 0


def compared(operator: ast.cmpop, left: Kind, right: Kind) -> Kind | None:
    """The kind of a comparison, which gives truth values one by one."""
    if isinstance(operator, ast.In | ast.NotIn | ast.Is | ast.IsNot) or not {left, right} <= _ALONE | _ARRAYS:
        return None
    return "each" if {left, right} & _ARRAYS else None


def called(name: str | None, kinds: list[Kind]) -> Kind | None:
    """The kind of a call of one of NumPy's functions that go element by element."""
    given = set(kinds)
    if name in _FLOATS and len(kinds) == 1 and kinds[0] in (*_STEPS, "weak", "double"):
        return "double"
    count = 1 if name in _UNARY else 2 if name in _BINARY else 3 if name in ("numpy.where", "numpy.clip") else None
    if count != len(kinds) or not given <= _ALONE | _ARRAYS:
        return None
    if name == "numpy.where" and kinds[0] not in _ARRAYS:
        return None
    return "each" if given & _ARRAYS else "one"
