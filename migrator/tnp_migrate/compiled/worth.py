"""Whether a function is worth compiling: a loop over arrays, a gradient, or many operations on arrays.

`for i in range(n): a[i] = a[i - 1] + x[i]` is; `return x + 1` is not: a compiled call costs a hundred microseconds.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from tnp_migrate.analysis.effects import callees
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.index import Function, Index
from tnp_migrate.program.names import is_numpy
from tnp_migrate.program.nodes import walk
from tnp_migrate.program.scopes import Scope

_OPERATIONS = 5  # that a function without a loop has at least: from there on one call is less than that many
_LARGE = re.compile(  # operations that take more than one pass over their arrays are worth a call of their own
    r"numpy\.(linalg|fft)\.|numpy\.(dot|matmul|inner|vdot|tensordot|einsum|kron|convolve|correlate|cov|corrcoef|"
    r"histogram|histogram2d|histogramdd|sort|argsort|unique)$"
)
_DEEP = 4  # calls in calls whose operations are counted
_NO_NUMBERS = frozenset("str list tuple dict set module function class instance none dtype file rng super".split())


def loops_of(function: Function) -> list[ast.For | ast.While]:
    """The outermost loops in a function's own text that compute with arrays, or with what may be one."""
    found: list[ast.For | ast.While] = []
    pending: list[ast.AST] = list(reversed(function.node.body))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.For | ast.While) and _computes(function, node):
            found.append(node)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            pending += reversed(list(ast.iter_child_nodes(node)))
    return found


def _computes(function: Function, loop: ast.For | ast.While) -> bool:
    """Whether a loop does arithmetic on numbers or arrays, or calls NumPy."""
    for statement in loop.body:
        for node in walk(statement):
            if isinstance(node, ast.BinOp | ast.AugAssign | ast.Compare) and _is_numeric(function, node):
                return True
            if isinstance(node, ast.Call) and _is_numpy_call(function, node):
                return True
    return False


def _is_numeric(function: Function, node: ast.BinOp | ast.AugAssign | ast.Compare) -> bool:
    """Whether an operand is or may be an array or a number that comes of one; two known numbers are none."""
    operands: list[ast.expr] = []
    if isinstance(node, ast.Compare):
        operands += [one for one in (node.left, *node.comparators) if isinstance(one, ast.Subscript | ast.BinOp)]
    else:
        operands += [node.left, node.right] if isinstance(node, ast.BinOp) else [node.target, node.value]
    if any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in operands):
        return False
    kinds = [(function.module.value(one) or UNKNOWN).kind for one in operands]
    return not _NO_NUMBERS.intersection(kinds) and any(kind in ("array", "unknown") for kind in kinds)


def is_helper(node: ast.expr, scope: Scope) -> bool:
    """Whether a call is one of the helper module, which the functional stage has written: nothing binds its name."""
    owner = node.value if isinstance(node, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id.rstrip("_") == "tnh" and scope.owner(owner.id) is None


def _is_numpy_call(function: Function, node: ast.Call) -> bool:
    scope = function.module.names.scopes.around(node)
    if is_helper(node.func, scope):
        return True
    name = function.module.names.of(node.func, scope)
    if name is not None and is_numpy(name):
        return not name.startswith(("numpy.random", "numpy.testing"))
    if not isinstance(node.func, ast.Attribute):
        return False
    receiver = function.module.value(node.func.value)
    return receiver is not None and receiver.is_array


def _operations_of_call(function: Function, node: ast.Call, heavy: int) -> int:
    name = function.module.names.of(node.func, function.module.names.scopes.around(node))
    is_large = _LARGE.match(name or "") or (isinstance(node.func, ast.Attribute) and node.func.attr == "dot")
    return _is_numpy_call(function, node) * (heavy if is_large else 1)


def operations_of(function: Function, index: Index, deep: int = _DEEP) -> int:
    """Count the operations on arrays in a function's text and in those that it calls."""
    return operations_in(function, function.node.body, index, deep)


def operations_in(
    function: Function, body: Sequence[ast.stmt], index: Index, deep: int = _DEEP, *, small: bool = False
) -> int:
    """Count the operations on arrays in statements and in the functions that they call; from enough on, not all.

    A product or a decomposition counts as several, but not where arrays are taken for `small`; there, nothing counts
    that may as well be of numbers, or that is compiled by an earlier run.
    """
    heavy = 1 if small else _OPERATIONS
    count = 0
    for statement in body:
        for node in walk(statement):
            if isinstance(node, ast.BinOp):
                is_one = _is_numeric(function, node) and not (small and _is_beside_number(function, node))
                count += heavy if isinstance(node.op, ast.MatMult) else is_one
            elif isinstance(node, ast.Call):
                count += _operations_of_call(function, node, heavy)
                reached = callees(function.module, index, node)[:1] if deep else []
                inside = (one for one in reached if one is not function and not (small and is_decorated(one)))
                count += sum(operations_in(one, one.node.body, index, deep - 1, small=small) for one in inside)
            if count >= _OPERATIONS:
                return count
    return count


def _is_beside_number(function: Function, node: ast.BinOp) -> bool:
    """Whether an operation is of a number, and of something that is not known to be an array."""
    kinds = {(function.module.value(one) or UNKNOWN).kind for one in (node.left, node.right)}
    return "array" not in kinds and "scalar" in kinds


def _has_arrays(function: Function) -> bool:
    """Whether a function has something that is surely an array, and not numbers of Python's alone."""
    return any(
        _is_numpy_call(function, node)
        if isinstance(node, ast.Call)
        else isinstance(node, ast.expr) and (function.module.value(node) or UNKNOWN).is_array
        for statement in function.node.body
        for node in walk(statement)
    )


def takes_gradient(function: Function) -> bool:
    """Whether a function takes a gradient itself."""
    return any(
        isinstance(node, ast.Call) and function.module.names.of(node.func, function.scope) == "tensorflow.GradientTape"
        for statement in function.node.body
        for node in walk(statement)
    )


def is_worth_a_call(operations: int) -> bool:
    """Whether so many operations on arrays cost more than the call of a compiled function."""
    return operations >= _OPERATIONS


def is_worth(function: Function, index: Index) -> bool:
    """Whether a function, with those that it calls, is worth compiling."""
    return (
        bool(loops_of(function))
        or takes_gradient(function)
        or (_has_arrays(function) and operations_of(function, index) >= _OPERATIONS)
        or any(loops_of(one) for one in functions_inside(function, index))
    )


def functions_inside(function: Function, index: Index) -> list[Function]:
    """The functions that a function calls, and those that these call."""
    found: list[Function] = []
    pending = [function]
    while pending:
        one = pending.pop()
        for statement in one.node.body:
            for node in walk(statement):
                reached = callees(one.module, index, node) if isinstance(node, ast.Call) else []
                new = [callee for callee in reached if callee not in found and callee is not function]
                found += new
                pending += new
    return found


def is_decorated(function: Function) -> bool:
    """Whether an earlier run has put the decorator there."""
    for one in function.node.decorator_list:
        name = one.func if isinstance(one, ast.Call) else one
        if isinstance(name, ast.Attribute) and name.attr == "compiled":
            return True
    return False
