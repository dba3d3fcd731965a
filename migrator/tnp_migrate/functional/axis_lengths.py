"""How long the axes of arrays are, as far as the text says: a number, or a variable or an axis and a number.

`n = len(x)` and `out = np.zeros(n - 1)` make the length of `out` that of `x` less one. Only variables that are bound
once, on all ways to where they are read, count as known.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from tnp_migrate.functional.unit import Unit
from tnp_migrate.program.nodes import walk

_SHAPED = frozenset({"numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full"})
_ALIKE = frozenset({f"numpy.{name}_like" for name in ("zeros", "ones", "empty", "full")} | {"numpy.copy"})
_RESHAPING = frozenset({"shape", "resize", "setfield"})
Statement = ast.stmt


@dataclass(frozen=True)
class Extent:
    """A length: `plus` alone, or added to what `symbol` stands for."""

    symbol: str
    plus: int = 0


@dataclass(eq=False)
class Extents:
    """The lengths that the variables of one function have, at some of its statements."""

    unit: Unit

    def number(self, node: ast.expr, at: Statement) -> Extent | None:
        """What an integer expression comes to."""
        if isinstance(node, ast.Constant):
            return Extent("", node.value) if type(node.value) is int else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            left, right = self.number(node.left, at), self.number(node.right, at)
            if left is None or right is None:
                return None
            if not right.symbol:
                return replace(left, plus=left.plus + (right.plus if isinstance(node.op, ast.Add) else -right.plus))
            plain = isinstance(node.op, ast.Add) and not left.symbol
            return replace(right, plus=left.plus + right.plus) if plain else None
        if isinstance(node, ast.Name):
            return self._of_name(node.id, at)
        array, axis = _axis_asked_for(node)
        if isinstance(node, ast.Call) and self.unit.scope.owner("len") is not None:
            return None
        return self.axis(array.id, axis, at) if array is not None else None

    def _of_name(self, name: str, at: Statement) -> Extent | None:
        if not self.is_settled(name, at):
            return None
        found = self._binding(name)
        if found is None:
            return Extent(name)
        target = found.targets[0] if len(found.targets) == 1 else None
        if isinstance(target, ast.Name):
            return self.number(found.value, found) or Extent(name)
        value = found.value
        shape = value.value if isinstance(value, ast.Attribute) and value.attr == "shape" else None
        if not isinstance(target, ast.Tuple) or not isinstance(shape, ast.Name):
            return Extent(name)
        names = [one.id if isinstance(one, ast.Name) else "" for one in target.elts]
        return self.axis(shape.id, names.index(name), found) if names.count(name) == 1 else None

    def axis(self, name: str, axis: int, at: Statement) -> Extent | None:
        """How long an axis of a variable's array is."""
        if not self.is_settled(name, at):
            return None
        own = Extent(f"{name}.shape[{axis}]")
        found = self._binding(name)
        if found is None or not isinstance(found.value, ast.Call) or not isinstance(found.targets[0], ast.Name):
            return own
        return self._made(found.value, axis, found) or own

    def _made(self, call: ast.Call, axis: int, at: Statement) -> Extent | None:
        """How long an axis of an array that is made by a call is."""
        function = self.unit.qualified(call.func)
        words = {word.arg: word.value for word in call.keywords}
        copied = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == "copy" else None
        if isinstance(copied, ast.Name) and self.unit.value(copied).is_array:
            return self.axis(copied.id, axis, at)
        first = call.args[0] if call.args else None
        if first is None or isinstance(first, ast.Starred) or None in words:
            return None
        if function in _SHAPED:
            sizes = first.elts if isinstance(first, ast.Tuple | ast.List) else [first]
            known = axis < len(sizes) and not any(isinstance(one, ast.Starred) for one in sizes)
            return self.number(sizes[axis], at) if known else None
        if function == "numpy.arange":
            return self.number(first, at) if len(call.args) == 1 and not words.keys() - {"dtype"} else None
        if function == "numpy.linspace":
            count = call.args[2] if len(call.args) > 2 else words.get("num")
            return self.number(count, at) if count is not None and axis == 0 and "axis" not in words else None
        if function in _ALIKE and isinstance(first, ast.Name) and "shape" not in words and len(call.args) == 1:
            return self.axis(first.id, axis, at) if self.unit.value(first).is_array else None
        return None

    def rank(self, name: str, at: Statement) -> int | None:
        """How many axes a variable's array has: by what made it, or by `n, m = a.shape`."""
        if not self.is_settled(name, at):
            return None
        found = self._binding(name)
        root = self.unit.function.node if self.unit.function is not None else at
        for node in walk(root):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                value = self.unit.value(node)
                if value.is_array and value.rank is not None:
                    return value.rank
            elif isinstance(node, ast.Assign) and ast.unparse(node.value) == f"{name}.shape":
                target = node.targets[0]
                if isinstance(target, ast.Tuple) and not any(isinstance(one, ast.Starred) for one in target.elts):
                    return len(target.elts)
        call = found.value if found is not None else None
        first = call.args[0] if isinstance(call, ast.Call) and call.args else None
        alike = isinstance(call, ast.Call) and self.unit.qualified(call.func) in _ALIKE
        return self.rank(first.id, found) if alike and isinstance(first, ast.Name) and found is not None else None

    def is_float(self, node: ast.expr, at: Statement) -> bool:
        """Whether an expression surely gives one of Python's floats."""
        if isinstance(node, ast.Constant):
            return type(node.value) is float
        if isinstance(node, ast.Name):
            found = self._binding(node.id) if self.is_settled(node.id, at) else None
            plain = found is not None and len(found.targets) == 1 and isinstance(found.targets[0], ast.Name)
            return plain and found is not None and self.is_float(found.value, found)
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            return False
        sides = (node.left, node.right)
        floats = [one for one in sides if self.is_float(one, at)]
        lengths = [one for one in sides if one not in floats and self._is_length(one, at)]
        return len(floats) + len(lengths) == 2 and (bool(floats) or isinstance(node.op, ast.Div))

    def _is_length(self, node: ast.expr, at: Statement) -> bool:
        """Whether an expression is surely one of Python's integers: a length of an array, with a number perhaps."""
        found = self.number(node, at)
        return found is not None and (not found.symbol or ".shape[" in found.symbol)

    def is_settled(self, name: str, at: Statement) -> bool:
        """Whether a variable of the function has had its only value before a statement, and keeps it."""
        unit, function = self.unit, self.unit.function
        if function is None or unit.scope.owner(name) is not unit.scope:
            return False
        if name in unit.scope.globals | unit.scope.nonlocals or len(unit.scope.bound.get(name, ())) != 1:
            return False
        for node in function.nodes:
            if isinstance(node, ast.Nonlocal | ast.Global) and name in node.names:
                return False
            reshaped = isinstance(node, ast.Attribute) and node.attr in _RESHAPING and isinstance(node.value, ast.Name)
            if reshaped and (node.attr != "shape" or not isinstance(node.ctx, ast.Load)):  # type: ignore[attr-defined]
                return False
        binding = self._binding(name)
        return name in function.parameters if binding is None else self._is_behind(at, binding)

    def _binding(self, name: str) -> ast.Assign | None:
        """The assignment that binds a variable; None for a parameter, and for what else binds one."""
        node: ast.AST | None = self.unit.scope.bound[name][0]
        parent = self.unit.module.names.scopes.parent
        while node is not None and not isinstance(node, ast.stmt | ast.arg | ast.comprehension | ast.NamedExpr):
            node = parent.get(node)
        return node if isinstance(node, ast.Assign) else None

    def _is_behind(self, at: Statement, binding: ast.Assign) -> bool:
        """Whether every way to a statement has just come through another one, in the same body or around it."""
        scopes = self.unit.module.names.scopes
        block = scopes.parent.get(binding)
        bodies = [body for name in ("body", "orelse", "finalbody") if (body := getattr(block, name, None))]
        body = next((one for one in bodies if isinstance(one, list) and binding in one), None)
        if body is None:
            return False
        around: list[ast.AST] = [at, *scopes.ancestors(at)]
        return any(one in body and body.index(one) > body.index(binding) for one in around if isinstance(one, ast.stmt))


def _axis_asked_for(node: ast.expr) -> tuple[ast.Name | None, int]:
    """The array and the axis in `len(a)` and `a.shape[0]`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
        plain = len(node.args) == 1 and not node.keywords and isinstance(node.args[0], ast.Name)
        return (node.args[0], 0) if plain else (None, 0)  # type: ignore[return-value]
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Attribute):
        return None, 0
    axis, array = node.slice, node.value.value
    if node.value.attr != "shape" or not isinstance(array, ast.Name) or not isinstance(axis, ast.Constant):
        return None, 0
    return (array, axis.value) if type(axis.value) is int and axis.value >= 0 else (None, 0)
