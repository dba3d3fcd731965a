"""Values that a body makes only to draw them: `plt.imshow(np.ma.array(z, mask=m))`.

What gives them stays NumPy's, in a function that is translated: no tensor has to hold them. What other libraries
compute of a masked array is likely to be another, which is computed with.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from tnp_migrate.ir.instructions import Body, Instruction
from tnp_migrate.ir.lowering import lower_module
from tnp_migrate.numpy_facts.libraries import DRAWING
from tnp_migrate.program.called_libraries import library_called
from tnp_migrate.program.index import Index, Module

_SAME = frozenset({"copy", "phi"})


def is_only_shown(index: Index, module: Module, call: ast.AST | None) -> bool:
    """Whether all that becomes of what a call gives, by whatever variables, is that it is drawn."""
    for body in _bodies(module):
        for one in body.instructions:
            if one.operation == "call" and one.node is call:
                return _is_only_drawn(index, module, body, one)
    return False


@lru_cache(maxsize=1)
def _bodies(module: Module) -> list[Body]:
    return lower_module(module.source.tree, module.names.scopes).bodies


def _is_only_drawn(index: Index, module: Module, body: Body, made: Instruction) -> bool:
    same, pending, is_shown = {made.result}, [made.result], False
    while pending:
        register = pending.pop()
        for one in body.instructions:
            if register not in one.operands:
                continue
            if one.operation in _SAME:
                pending += [one.result] if one.result not in same else []
                same.add(one.result)
            elif not _is_drawn(index, module, one, register):
                return False
            else:
                is_shown = True
    return is_shown


def _is_drawn(index: Index, module: Module, one: Instruction, register: int) -> bool:
    """Whether an instruction draws what a register has."""
    if one.operation != "call" or not isinstance(one.node, ast.Call) or one.operands[0] == register:
        return False
    return library_called(index, module, one.node) in DRAWING


def is_shown(index: Index, module: Module, node: ast.AST) -> bool:
    """Whether an expression is an argument of a call that draws it."""
    call = module.names.scopes.parent.get(node)
    call = module.names.scopes.parent.get(call) if isinstance(call, ast.keyword) else call
    return isinstance(call, ast.Call) and call.func is not node and library_called(index, module, call) in DRAWING
