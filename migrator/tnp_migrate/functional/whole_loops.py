"""Loops over elements as whole-array assignments, where the text proves that these do the same.

`for i in range(1, n - 1): out[i] = x[i + 1] - x[i - 1]` becomes `out[1 : n - 1] = x[2:] - x[: n - 2]`: every index is
inside of its array, every slice has as many items as the loop has steps, the operators work element by element, and
they give for arrays what they give for numbers, bit by bit. `**` does not, nor does what makes numbers of Python's.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property

from tnp_migrate.diagnostics.decisions import Decision
from tnp_migrate.functional.axis_lengths import Extent, Extents
from tnp_migrate.functional.comprehension_loops import shown
from tnp_migrate.functional.statement_layout import comments_in, indent_of, stands_alone
from tnp_migrate.functional.step_kinds import Kind, called, compared, operated
from tnp_migrate.functional.text_parts import Parts, flat
from tnp_migrate.functional.unit import Impossible, Unit

_REAL = frozenset({"float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool"})
_WIDE = frozenset({"float64", "float32", "int64", "int32"})  # that take any integer of some size
# What takes any number, as an array as well as alone: alone an infinity is an error in an array of integers.
_TAKING = frozenset({"float64", "float32", "float16", "complex128", "complex64", "bool"})
_HELD = {"weak": {"float64"}, "product": {"float64", "int64"}, "step": {"float64", "int64"}}
_NUMBERS = frozenset({"numpy.pi", "numpy.e", "numpy.inf", "numpy.nan", "math.pi", "math.e", "math.inf", "math.nan"})


@dataclass(frozen=True)
class Axis:
    """A loop `for name in range(low, base + plus)`; `high` is where it ends, `base` a text or "" for a number."""

    name: str
    low: int
    high: Extent
    base: str
    plus: int

    def end(self, shift: int) -> str:
        """The end of the loop and a number."""
        plus = self.plus + shift
        if not self.base:
            return str(plus)
        return f"{self.base} {'+' if plus > 0 else '-'} {abs(plus)}" if plus else self.base

    def slice_of(self, length: Extent, shift: int) -> str:
        """The slice of an axis that has what the loop picks by `name + shift`, one by one."""
        start, stop = self.low + shift, self.high.plus + shift
        if start < 0 or length.symbol != self.high.symbol or stop > length.plus:
            raise Impossible
        if not length.symbol and self.high.plus <= self.low:
            raise Impossible
        shown_start = str(start) if start else ""
        if stop == length.plus:
            return f"{shown_start}:"
        if length.symbol and length.plus - stop - 2 > start:  # a negative end would be one from behind
            raise Impossible
        end = self.end(shift)
        return f"{shown_start} : {end}".lstrip() if " " in end else f"{shown_start}:{end}"

    def steps(self, shift: int = 0) -> str:
        """The arguments of a `range` that gives what the loop's variable is, and a number added."""
        low = self.low + shift
        return f"{low}, {self.end(shift)}" if low else self.end(shift)


Says = Callable[[str], bool]


def as_whole(
    unit: Unit, loop: ast.For, filled: Collection[str], *, is_bound: Says, is_number: Says, is_live: Says
) -> Decision | None:
    """A loop that fills arrays as assignments to slices of them; None where that is not proven.

    `is_bound` says of a variable whether it surely has a value before the loop, `is_number` whether that surely is a
    number if all that is known of it is one, and `is_live` whether it is read behind the loop.
    """
    try:
        return _Whole(unit, loop, filled, is_bound, is_number, is_live).decision()
    except Impossible:
        return None


@dataclass(eq=False)
class _Whole:
    """One loop, and what its variables are by now."""

    unit: Unit
    loop: ast.For
    filled: Collection[str]
    is_bound: Says
    is_number: Says
    is_live: Says
    axes: list[Axis] = field(default_factory=list)
    temporaries: dict[str, Kind] = field(default_factory=dict)
    replaced: dict[ast.expr, Parts] = field(default_factory=dict)
    dtypes: set[str | None] = field(default_factory=set)  # of the arrays that are read
    values: list[ast.expr] = field(default_factory=list)  # what is computed

    @cached_property
    def extents(self) -> Extents:
        """The lengths of the function's arrays."""
        return Extents(self.unit)

    def decision(self) -> Decision:
        """The assignments in place of the loop, behind its comments."""
        source = self.unit.module.source
        body = self.heads()
        if any(self.is_live(axis.name) for axis in self.axes) or not stands_alone(self.unit, self.loop):
            raise Impossible
        lines = [self.line(one) for one in body]
        span = self.unit.span(self.loop)
        made = "".join(part if isinstance(part, str) else source.text(part) for line in lines for part in line)
        lost: list[Parts] = [(one,) for one in comments_in(source.text(span)) if one not in made]
        behind = source.newline + indent_of(self.unit, self.loop)
        parts = flat(*(part for line in (*lost, *lines) for part in (behind, line)))
        return Decision(span, parts[1:], "functional", "whole")

    def heads(self) -> list[ast.stmt]:
        """Take in the heads of loops that stand in each other; give the innermost body."""
        node = self.loop
        while True:
            self.axes.append(self.head(node))
            if len(node.body) != 1 or not isinstance(node.body[0], ast.For):
                break
            node = node.body[0]
        if len({axis.name for axis in self.axes}) < len(self.axes):
            raise Impossible
        return node.body

    def head(self, node: ast.For) -> Axis:
        """`for i in range(low, high)` with numbers, or a number and a length."""
        call = node.iter
        plain = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if not plain or not isinstance(call, ast.Call) or call.keywords or len(call.args) not in (1, 2) or node.orelse:
            raise Impossible
        *lows, last = call.args
        extents = self.extents
        low = extents.number(lows[0], self.loop) if lows else Extent("")
        high = extents.number(last, self.loop)
        if not isinstance(node.target, ast.Name) or low is None or low.symbol or high is None:
            raise Impossible
        base, plus = _split(last)
        text = self.unit.module.source.text(self.unit.span(base)) if base is not None else ""
        return Axis(node.target.id, low.plus, high, text, plus if base is not None else high.plus)

    def line(self, node: ast.stmt) -> Parts:
        """A statement of the body for all steps at once."""
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            raise Impossible
        self.replaced = {}
        self.values.append(node.value)
        target, kind = node.targets[0], self.kind(node.value)
        value = shown(self.unit.span, self.unit.span(node.value), self.replaced)
        if isinstance(target, ast.Name):
            free = not self.is_live(target.id) and target.id not in {axis.name for axis in self.axes}
            if not free or self.unit.scope.owner(target.id) is not self.unit.scope or kind in _HELD:
                raise Impossible
            self.temporaries[target.id] = kind
            return (f"{target.id} = ", *value)
        return (f"{self.stored(target, kind)} = ", *value)

    def stored(self, target: ast.expr, kind: Kind) -> str:
        """The slice that a loop stores into: all axes of an array, each by a loop's variable."""
        if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
            raise Impossible
        name = target.value.id
        if name not in self.filled or name in self.temporaries:
            raise Impossible
        self.temporaries[name] = "gone"  # which a second store is not to meet, nor a read
        dtype = self.unit.value(target.value).dtype
        picked = self.picked(target)
        known = self.extents.rank(name, self.loop)
        if [axis for axis, _ in picked] != self.axes or known != len(self.axes):
            raise Impossible
        if dtype not in _HELD.get(kind, _TAKING) or not self.is_same_in_bits(dtype):
            raise Impossible
        return f"{name}[{self.slices(name, picked)}]"

    def is_same_in_bits(self, dtype: str | None) -> bool:
        """Whether arrays and literals are such that NumPy computes as it does with their elements.

        It has other last bits for products of complex arrays, and looks at literals where a loop makes no step.
        """
        real = dtype in _REAL or self.dtypes <= _REAL
        wide = {dtype, *self.dtypes} <= _WIDE
        return all((real or not _is_complex_apart(one)) and (wide or not _has_large(one)) for one in self.values)

    def picked(self, node: ast.Subscript) -> list[tuple[Axis, int]]:
        """The loops that a subscript goes along, with what it adds to their variables."""
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        axes = {axis.name: axis for axis in self.axes}
        found = []
        for part in parts:
            base, shift = _split(part)
            if not isinstance(base, ast.Name) or base.id not in axes:
                raise Impossible
            found.append((axes[base.id], shift))
        places = [self.axes.index(axis) for axis, _ in found]
        if places != sorted(set(places)):
            raise Impossible
        return found

    def slices(self, name: str, picked: list[tuple[Axis, int]]) -> str:
        """The index that goes along loops at once, with new axes for loops inside that it does not go along."""
        parts: list[str] = []
        shifts = {axis: (place, shift) for place, (axis, shift) in enumerate(picked)}
        for axis in self.axes[self.axes.index(picked[0][0]) :]:
            if axis not in shifts:
                parts.append("None")
                continue
            place, shift = shifts[axis]
            length = self.extents.axis(name, place, self.loop)
            if length is None:
                raise Impossible
            parts.append(axis.slice_of(length, shift))
        while len(parts) > 1 and parts[-1] == ":":
            parts.pop()
        return ", ".join(parts)

    # ---- expressions

    def kind(self, node: ast.expr) -> Kind:
        """What an expression is for all steps at once; notes what becomes of the subscripts in it."""
        if isinstance(node, ast.Constant):
            return _or_impossible("number" if type(node.value) in (int, float) else None)
        if isinstance(node, ast.Name):
            return self.variable(node)
        if isinstance(node, ast.Subscript):
            return self.read(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            return self.kind(node.operand)
        if isinstance(node, ast.BinOp):
            return _or_impossible(operated(node, self.kind(node.left), self.kind(node.right)))
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return _or_impossible(compared(node.ops[0], self.kind(node.left), self.kind(node.comparators[0])))
        if isinstance(node, ast.Call) and not node.keywords:
            name = self.unit.qualified(node.func)
            builtin = isinstance(node.func, ast.Name) and self.unit.scope.owner(node.func.id) is None
            name = f"numpy.{node.func.id}" if builtin and ast.unparse(node.func) == "abs" else name  # type: ignore[attr-defined]
            return _or_impossible(called(name, [self.kind(one) for one in node.args]))
        return _or_impossible("one" if self.unit.qualified(node) in _NUMBERS else None)

    def variable(self, node: ast.Name) -> Kind:
        """A loop's variable, one of the body, or a number from before the loop."""
        axis = next((one for one in self.axes if one.name == node.id), None)
        if axis is not None and self.unit.numpy is not None:
            inner = len(self.axes) - self.axes.index(axis) - 1
            new_axes = f"[:{', None' * inner}]" if inner else ""
            self.replaced[node] = (f"{self.unit.numpy}.arange({axis.steps()}){new_axes}",)
            return "step"
        if node.id in self.temporaries:
            return self.temporaries[node.id]
        value = self.unit.value(node)
        number = value.kind == "scalar" or (value.is_array and value.rank == 0)
        if not number or value.dtype in ("object", "str") or not self.is_kept(node.id) or not self.is_number(node.id):
            raise Impossible
        return "float" if self.extents.is_float(node, self.loop) else "one"

    def is_kept(self, name: str) -> bool:
        """Whether a variable has a value before the loop, which the loop leaves it."""
        inside = (one for one in ast.walk(self.loop) if isinstance(one, ast.Name) and one.id == name)
        return self.is_bound(name) and not any(isinstance(one.ctx, ast.Store) for one in inside)

    def read(self, node: ast.Subscript) -> Kind:
        """The elements that a loop reads, one by one."""
        unit, base = self.unit, node.value
        if not isinstance(base, ast.Name) or base.id in {*self.filled, *self.temporaries}:
            raise Impossible
        value = unit.value(base)
        if not (value.is_array or unit.is_array_by_use(base.id)) or value.dtype in ("object", "str"):
            raise Impossible
        picked = self.picked(node)
        known = self.extents.rank(base.id, self.loop) or value.rank
        alone = len(self.axes) == 1
        if not self.is_kept(base.id) or (known != len(picked) and not (known is None and alone)):
            raise Impossible  # an array with more axes has no elements here that a loop could store
        self.dtypes.add(value.dtype)
        try:
            index = self.slices(base.id, picked)
            self.replaced[node] = (base.id if index == ":" else f"{base.id}[{index}]",)
        except Impossible:
            if not alone or unit.numpy is None:
                raise
            steps = f"{unit.numpy}.arange({self.axes[0].steps(picked[0][1])})"
            self.replaced[node] = (f"{unit.numpy}.take({base.id}, {steps}, axis=0)",)  # counts, and raises, as the loop
        return "double" if value.dtype == "float64" and value.sure else "each"


def _or_impossible(kind: Kind | None) -> Kind:
    if kind is None:
        raise Impossible
    return kind


def _split(node: ast.expr) -> tuple[ast.expr | None, int]:
    """`n - 1` as `n` and -1; a number alone has no variable."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return None, node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        (left, plus), (right, more) = _split(node.left), _split(node.right)
        if right is None:
            return left, plus + (more if isinstance(node.op, ast.Add) else -more)
        if left is None and isinstance(node.op, ast.Add):
            return right, plus + more
    return node, 0


def _has_large(value: ast.expr) -> bool:
    """Whether an expression has an integer that some dtype does not take."""
    return any(
        isinstance(one, ast.Constant) and type(one.value) is int and (one.value > 127 or parent is not one)
        for parent in ast.walk(value)
        for one in ([parent.operand] if isinstance(parent, ast.UnaryOp) else [parent])
    )


def _is_complex_apart(value: ast.expr) -> bool:
    """Whether NumPy has other last bits for an array of complex numbers than for each of them."""
    return any(isinstance(one, ast.Call) or (isinstance(one, ast.BinOp) and not isinstance(one.op, ast.Add | ast.Sub))
               for one in ast.walk(value))  # fmt: skip
