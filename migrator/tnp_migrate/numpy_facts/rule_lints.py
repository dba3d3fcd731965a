"""What a file of rules has to look like so that it can be read as text, copied and trusted: ours and the user's.

Each problem comes with its node. Rules are marked `@inline(...)` and `@helper(...)`, declarations `@effects(...)`.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from tnp_migrate.numpy_facts.effects import GIVES, OF_PARAMETERS, TAKES

FORMS = ("inline", "helper")
_DECLARATIONS = (*FORMS, "effects", "samples")
_ALIASES = {"numpy": "np", "tensorflow": "tf", "tensorflow.experimental.numpy": "tnp"}
_INLINE_NAMES = frozenset({"tnp", "tf", "np", "True", "False", "None", "bool", "int", "float", "complex"})
# Rules of NumPy's names have these names in the flat helper module, and so hide Python's functions.
HIDDEN_BUILTINS = frozenset({"max", "min", "sum", "all", "any", "round", "abs", "pow", "divmod"})
Definition = ast.FunctionDef | ast.ClassDef
Problem = tuple[ast.AST, str]


def find_problems(tree: ast.Module, hidden: AbstractSet[str] = HIDDEN_BUILTINS) -> Iterator[Problem]:
    """Everything that is wrong with a module of rules; `hidden` are names of Python's that rules have."""
    yield from _duplicates(tree)
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _import_problems(node)
        if isinstance(node, Definition):
            yield from _rule_problems(node)
            yield from _hiding(tree, node, hidden)
            yield from _annotations_in_branches(node)


def declarations(node: ast.stmt) -> list[tuple[str, ast.Call]]:
    """The decorators by which a function is a rule, declares effects, or gives samples."""
    found = [one for one in getattr(node, "decorator_list", []) if isinstance(one, ast.Call)]
    return [(one.func.id, one) for one in found if isinstance(one.func, ast.Name) and one.func.id in _DECLARATIONS]


def bound_names(function: Definition) -> set[str]:
    """The parameters and assigned names anywhere inside a function."""
    stored = (one for one in ast.walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    return {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)} | {one.id for one in stored}


def defined_names(node: ast.stmt) -> list[str]:
    """The names that a statement at the top of a module defines."""
    if isinstance(node, Definition):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [part.id for one in targets for part in ast.walk(one) if isinstance(part, ast.Name)]


def _duplicates(tree: ast.Module) -> Iterator[Problem]:
    seen: set[str] = set()
    for node in tree.body:
        for name in defined_names(node):
            if name in seen:
                yield node, f"`{name}` is defined twice: the helper module is flat, a name is one thing in it"
            seen.add(name)


def _import_problems(node: ast.Import | ast.ImportFrom) -> Iterator[Problem]:
    """What is imported has to be imported the same way in the helper module."""
    if isinstance(node, ast.ImportFrom) and node.level:
        yield node, "a relative import means something else in the helper module: name the package"
    for alias in node.names:
        wanted = _ALIASES.get(alias.name) if isinstance(node, ast.Import) else None
        if alias.name == "*":
            yield node, "a star import hides what a rule uses: name what it needs"
        elif alias.asname != wanted and (alias.asname is not None or wanted is not None):
            spelled = f"import {alias.name} as {wanted}" if wanted else f"{alias.name}, without `as {alias.asname}`"
            yield node, f"import it as the helper module does: {spelled}"
        elif isinstance(node, ast.Import) and "." in alias.name and wanted is None:
            yield node, f"write `from {alias.name} import ...`: the helper module imports names"


def _rule_problems(node: Definition) -> Iterator[Problem]:
    for name, decorator in declarations(node):
        targets = [one.value if isinstance(one, ast.Constant) else None for one in decorator.args]
        if not targets or not all(isinstance(one, str) and one.count(".") for one in targets):
            yield decorator, f'`@{name}` names what it is for with its module, such as `@{name}("ourlib.norm")`'
        if name == "effects":
            yield from _effects_problems(node, decorator)
        if name in FORMS and not ast.get_docstring(node):
            yield node, f"the rule `{node.name}` has no docstring: say why the original and TensorFlow differ"
        if name == "inline":
            yield from _ladder_problems(node)


def _effects_problems(node: Definition, decorator: ast.Call) -> Iterator[Problem]:
    if not isinstance(node, ast.FunctionDef):
        yield node, "`@effects` stands on a function with the parameters of what it is about"
        return
    arguments = node.args
    every = (*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg)
    parameters = {one.arg for one in every if one is not None}
    for word in decorator.keywords:
        said = _literal(word.value)
        if word.arg in OF_PARAMETERS:
            names = [said] if isinstance(said, str) else said
            if not isinstance(names, tuple | list) or not set(names) <= parameters:
                has = ", ".join(sorted(parameters)) or "none"
                yield word, f"`{word.arg}` names parameters of `{node.name}`, which has {has}"
        elif word.arg == "gives" and said not in GIVES:
            yield word, f"`gives` is one of {', '.join(GIVES)}"
        elif word.arg == "takes" and said not in TAKES:
            yield word, f"`takes` is one of {', '.join(TAKES)}"
        elif word.arg == "host" and not isinstance(said, bool):
            yield word, "`host` is True or False"
        elif word.arg not in (*OF_PARAMETERS, "gives", "takes", "host"):
            yield word, f"`@effects` has no `{word.arg}`; it has gives, shares, writes, keeps, host and takes"


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def _ladder_problems(node: Definition) -> Iterator[Problem]:
    """`if p is None / p == constant: return expression`, then `return expression`, on tnp, tf and np only."""
    if not isinstance(node, ast.FunctionDef):
        yield node, "an inline rule is a function"
        return
    parameters = bound_names(node)
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    for step in body[:-1]:
        if not isinstance(step, ast.If) or step.orelse or len(step.body) != 1 or not _returns(step.body[0]):
            yield step, "before the last `return` an inline rule has only `if ...: return ...`; make it a helper"
        elif not _is_condition(step.test, parameters):
            yield step.test, "an inline rule decides by `p is None` or `p == constant`, which a call's text tells"
    if not body or not _returns(body[-1]):
        yield node, "an inline rule ends with `return` and an expression"
    for step in body:
        free = {one.id for one in ast.walk(step) if isinstance(one, ast.Name)} - parameters - _INLINE_NAMES
        if free:
            names = ", ".join(sorted(free))
            yield step, f"an inline rule uses only its parameters, tnp, tf and np, not {names}; make it a helper"


def _returns(node: ast.stmt) -> bool:
    return isinstance(node, ast.Return) and node.value is not None


def _is_condition(test: ast.expr, parameters: set[str]) -> bool:
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and test.left.id in parameters
        and len(test.ops) == 1
        and isinstance(test.ops[0], ast.Is | ast.IsNot | ast.Eq | ast.NotEq)
        and isinstance(test.comparators[0], ast.Constant | ast.UnaryOp | ast.Tuple)
    )


def _hiding(tree: ast.Module, node: Definition, hidden: AbstractSet[str]) -> Iterator[Problem]:
    """In the flat helper module `max` is the rule for `np.max` whenever the user's code needs that."""
    imports = [one for one in tree.body if isinstance(one, ast.ImportFrom)]
    from_rules = [one for one in imports if str(one.module).startswith("tnp_rules.")]
    there = {alias.name for one in from_rules for alias in one.names}  # it is the rule itself
    bound = bound_names(node)
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and one.id in hidden - there - bound:
            yield one, f"`{one.id}` may be the rule for np.{one.id} in the helper module: write `builtins.{one.id}`"


def _annotations_in_branches(node: Definition) -> Iterator[Problem]:
    """AutoGraph makes the names that a branch binds nonlocal, which Python does not allow with an annotation."""
    for branch in ast.walk(node):
        if isinstance(branch, ast.If | ast.For | ast.While):
            inside = (one for one in ast.walk(branch) if isinstance(one, ast.AnnAssign))
            yield from ((one, "a branch annotates no name: AutoGraph cannot have that") for one in inside)


def unknown_names(node: ast.stmt, known: AbstractSet[str]) -> Iterator[Problem]:
    """The names that a definition uses and that will stand for nothing in the helper module."""
    if not isinstance(node, Definition) or any(form == "samples" for form, _ in declarations(node)):
        return
    inner = {one.name for one in ast.walk(node) if isinstance(one, Definition)}
    caught = {one.name for one in ast.walk(node) if isinstance(one, ast.ExceptHandler) and one.name}
    local = bound_names(node) | inner | caught | known
    for statement in node.body:
        for one in ast.walk(statement):
            if isinstance(one, ast.Name) and one.id not in local and not hasattr(builtins, one.id):
                yield one, f"`{one.id}` is neither defined in this file nor imported by it"
