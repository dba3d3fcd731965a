"""Syntax trees become instructions: each node once, in the order in which Python evaluates.

`lower_module` gives the bodies of a module: its own statements first, then its functions and lambdas.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tnp_migrate.ir import expressions, statements
from tnp_migrate.ir.captures import find_cells
from tnp_migrate.ir.state import NOTHING, ModuleBodies, Tables
from tnp_migrate.program.scopes import Scopes

_TABLES = Tables(expressions.LOWERED, statements.LOWERED, expressions.unknown)


def lower_module(
    tree: ast.Module,
    scopes: Scopes,
    stand_ins: Mapping[ast.AST, ast.expr] = NOTHING,
    private: frozenset[str] = frozenset(),
) -> ModuleBodies:
    """Lower a module and all functions in it.

    `stand_ins` are what is read in place of some expressions, `private` the variables of the module that it reads and
    binds as a function does its own.
    """
    made = bodies_of(scopes)
    made.stand_ins, made.private = stand_ins, private
    made.add(tree, None)
    return made


def bodies_of(scopes: Scopes) -> ModuleBodies:
    """The bodies of a module, of which none has been lowered yet: `add` lowers one."""
    return ModuleBodies(scopes, _TABLES, find_cells(scopes))
