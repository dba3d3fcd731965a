"""Objects of other libraries that have got nothing of the project's but what their methods are given.

`model = KMeans(n_clusters=k)`, `model.fit(x)`, `model.labels_`: its methods are its library's, whatever classes of the
project have methods of these names. Nobody but the function that has made it knows it.
"""

from __future__ import annotations

import ast

from tnp_migrate.numpy_facts.libraries import CHOICES, library_of
from tnp_migrate.program.index import Module

_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant)  # of a method's arguments: no display hides an object


def given_to_library_object(module: Module, receiver: ast.AST) -> list[ast.expr] | None:
    """What the methods of such an object are given; None for whatever else an expression may be."""
    scopes = module.names.scopes
    if not isinstance(receiver, ast.Name) or receiver.id not in module.names.of_library_classes:
        return None
    name, owner = receiver.id, scopes.around(receiver).owner(receiver.id)
    if owner is None or owner.kind != "function":
        return None
    if not all(_is_made(module, scopes.parent.get(one)) for one in owner.bound[name]):
        return None
    given: list[ast.expr] = []
    for use in scopes.uses.get(name, ()):
        if use.scope.owner(name) is not owner:
            continue
        above = scopes.parent.get(use.node)
        if isinstance(above, ast.Call) and above.func is use.node and len(use.attributes) == 1:
            given += [*above.args, *(one.value for one in above.keywords)]
        elif not use.attributes or not isinstance(use.node.ctx, ast.Load) or not use.attributes[-1].endswith("_"):
            return None  # by other names than scikit-learn gives results something may be put into it
    return given if all(isinstance(one, _PLAIN) for one in given) else None


def _is_made(module: Module, statement: ast.AST | None) -> bool:
    """Whether a statement binds a variable to what a class of a library makes of numbers, names and choices alone."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    made = statement.value
    if not isinstance(made, ast.Call) or not module.names.is_of_library(made.func):
        return False
    qualified = module.names.within(made.func, module.names.scopes.module) or ""
    if library_of(qualified) is None or not qualified.rpartition(".")[2][:1].isupper():
        return False
    return all(isinstance(one, ast.Constant) for one in made.args) and all(
        one.arg in CHOICES or (one.arg is not None and isinstance(one.value, ast.Constant)) for one in made.keywords
    )
