"""What rules have to look like so that they can be read as text; needs no TensorFlow."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy1 import NUMPY1
from rule_samples import numpy_object

FOLDER = Path(__file__).parent.parent / "rules" / "tnp_rules"
MODULES = {
    path.stem: ast.parse(path.read_bytes())
    for path in sorted(FOLDER.glob("*.py"))
    if path.stem not in ("__init__", "forms")
}
Definition = ast.FunctionDef | ast.ClassDef
VENDORED_IMPORTS = {
    "import ast",
    "import builtins",
    "import hashlib",
    "import json",
    "import os",
    "import queue",
    "import time",
    "import warnings",
    "import dis",
    "import inspect",
    "import operator",
    "import sys",
    "import textwrap",
    "import types",
    "import math",
    "import functools",
    "import threading",
    "import collections",
    "import numpy as np",
    "import tensorflow as tf",
    "import tensorflow.experimental.numpy as tnp",
}
# Parameters that NumPy documents, and takes, under a name that its signature does not show.
DOCUMENTED = {
    "numpy.arange": ["start", "stop", "step", "dtype"],
    "numpy.pad": ["array", "pad_width", "mode", "stat_length", "constant_values", "end_values", "reflect_type"],
}


def _form(node: ast.stmt) -> tuple[str, ast.Call] | None:
    for decorator in getattr(node, "decorator_list", []):
        if (
            isinstance(decorator, ast.Call)
            and isinstance(decorator.func, ast.Name)
            and decorator.func.id in ("inline", "helper")
        ):
            return decorator.func.id, decorator
    return None


def _rules() -> list[Any]:
    found = []
    for module, tree in MODULES.items():
        for node in tree.body:
            form = _form(node)
            if form is not None:
                targets = [ast.literal_eval(target) for target in form[1].args]
                found.append(pytest.param(node, form[0], targets, id=f"{module}.{node.name}"))  # type: ignore[attr-defined]
    return found


RULES = _rules()
every_rule = pytest.mark.parametrize(("node", "form", "targets"), RULES)
every_module = pytest.mark.parametrize("module", MODULES)


def _module_names(tree: ast.Module) -> list[str]:
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.append(node.target.id)
    return names


def test_names_are_unique_in_the_helper_module() -> None:
    """Helpers of all families are copied into one flat module."""
    counts = Counter(name for tree in MODULES.values() for name in _module_names(tree))
    assert not [name for name, count in counts.items() if count > 1]


@every_module
def test_imports_are_those_of_the_helper_module(module: str) -> None:
    """What a helper uses must be there when it is copied."""
    for node in ast.walk(MODULES[module]):
        if isinstance(node, ast.Import):
            assert ast.unparse(node) in VENDORED_IMPORTS
        elif isinstance(node, ast.ImportFrom):
            inside = "tensorflow." if module == "compiled_inside" else "tnp_rules."  # the one place of private names
            known = node.module in ("__future__", "typing", "collections.abc", "pathlib")
            assert known or str(node.module).startswith((inside, "tnp_rules."))
            assert not any(name.asname for name in node.names), "an imported name is vendored under its own name"


@every_module
def test_functions_do_not_use_builtins_that_rules_shadow(module: str) -> None:
    """In the flat helper module `max` is the rule for `np.max` whenever the user's code needs that."""
    rules = {param.values[0].name for param in RULES}  # type: ignore[union-attr]
    shadowed = (rules & set(dir(builtins))) | {"max", "min", "sum", "all", "any", "round", "abs", "pow", "divmod"}
    imports = [node for node in MODULES[module].body if isinstance(node, ast.ImportFrom)]
    from_rules = [node for node in imports if str(node.module).startswith("tnp_rules.")]
    shadowed -= {name.name for node in from_rules for name in node.names}  # there it is the rule itself
    for function in MODULES[module].body:
        if isinstance(function, Definition):
            used = {
                node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
            } - _bound(function)
            assert not used & shadowed, f"{function.name} uses {sorted(used & shadowed)}"


@every_rule
def test_rule_says_why(node: Definition, form: str, targets: list[str]) -> None:
    """A rule's docstring says why NumPy and TensorFlow differ there."""
    assert targets, form
    assert ast.get_docstring(node)


@every_rule
def test_rule_carries_the_name_of_its_target(node: Definition, form: str, targets: list[str]) -> None:
    """The helper module is read by users, who look for NumPy's name."""
    assert form in ("inline", "helper")
    names = set()
    for target in targets:
        *outer, name = target.removeprefix("numpy.").split(".")
        names |= {name} if outer[:1] in ([], ["linalg"], ["fft"], ["random"], ["lib"]) else set()
        names.add("_".join([*outer, name]))
        names.add("_".join([*outer[-1:], name]))
    assert node.name in names


@every_rule
def test_inline_rule_is_a_ladder(node: Definition, form: str, targets: list[str]) -> None:
    """`if p is None / p == constant: return expression`, then `return expression`, on tnp, tf and np only."""
    if form != "inline":
        return
    assert isinstance(node, ast.FunctionDef), targets
    parameters = _bound(node)
    *ladder, last = node.body[1:]
    for step in ladder:
        assert isinstance(step, ast.If), "only `if` may precede the last return"
        assert not step.orelse
        assert len(step.body) == 1
        assert isinstance(step.body[0], ast.Return)
        assert _is_condition(step.test, parameters), ast.unparse(step.test)
    assert isinstance(last, ast.Return)
    for step in node.body[1:]:
        free = {name.id for name in ast.walk(step) if isinstance(name, ast.Name)} - parameters
        assert free <= {"tnp", "tf", "np", "True", "False", "None"} | _TYPES, free - {"tnp", "tf", "np"}


_TYPES = {"bool", "int", "float", "complex"}


def _is_condition(test: ast.expr, parameters: set[str]) -> bool:
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and test.left.id in parameters
        and len(test.ops) == 1
        and isinstance(test.ops[0], ast.Is | ast.IsNot | ast.Eq | ast.NotEq)
        and isinstance(test.comparators[0], ast.Constant | ast.UnaryOp | ast.Tuple)
    )


def _bound(function: Definition) -> set[str]:
    """Return parameters and assigned names anywhere inside."""
    names = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    return names | {
        node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


@every_rule
def test_parameters_are_those_of_numpy(node: Definition, form: str, targets: list[str]) -> None:
    """Names, order and defaults are NumPy's; what is left out is not supported."""
    assert form
    if isinstance(node, ast.ClassDef):
        return
    for target in targets:
        wanted = _numpy_parameters(target)
        if wanted is None:
            continue
        order = list(wanted)
        arguments = node.args
        names = [argument.arg for argument in arguments.posonlyargs + arguments.args]
        if target.startswith("numpy.ndarray."):
            assert names, f"{target} lacks the array"
            names = names[1:]
        everything = names + [a.arg for a in (arguments.vararg, *arguments.kwonlyargs) if a is not None]
        assert set(everything) <= set(order), f"{target} has no {sorted(set(everything) - set(order))}"
        assert sorted(names, key=order.index) == names, f"{target}: the order is {order}"
        for name, default in _defaults(arguments).items():
            if name in order:
                _check_default(f"{target}({name})", wanted[name], default)


def _numpy_parameters(target: str) -> dict[str, Any] | None:
    """Return the parameters of a NumPy callable with their defaults, None for what is not a callable."""
    found = numpy_object(target)
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):
        return None
    empty = inspect.Parameter.empty
    parameters = {p.name: p.default for p in signature.parameters.values() if p.name != "self"}
    if target.startswith("numpy.ndarray.") and "kwargs" in parameters:
        function = getattr(np, target.rpartition(".")[2], None)
        more = inspect.signature(function).parameters if function is not None else {}
        parameters |= {name: p.default for name, p in list(more.items())[1:] if name not in parameters}
    if target.endswith((".reduce",)):
        parameters |= {"keepdims": False, "initial": np._NoValue, "where": True}
    if target in NUMPY1:
        parameters = {p.name: p.default for p in inspect.signature(NUMPY1[target]).parameters.values()}
    if target in DOCUMENTED:
        parameters = {name: parameters.get(name, empty) for name in DOCUMENTED[target]}
    return parameters


def _defaults(arguments: ast.arguments) -> dict[str, ast.expr | None]:
    positional = arguments.posonlyargs + arguments.args
    given: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    found = dict(zip([a.arg for a in positional], given, strict=True))
    return found | dict(zip([a.arg for a in arguments.kwonlyargs], arguments.kw_defaults, strict=True))


def _check_default(what: str, wanted: Any, default: ast.expr | None) -> None:
    if wanted is inspect.Parameter.empty:
        return  # NumPy shows no default, or documents one in words
    assert default is not None, f"{what} is optional in NumPy"
    if isinstance(wanted, type):
        assert ast.unparse(default) == wanted.__name__, what
    elif wanted is np._NoValue:
        assert ast.unparse(default) in ("None", "False", "True", "0", "-1"), f"{what}: NumPy marks what is not given"
    else:
        value = ast.literal_eval(default)
        assert (type(value), value) == (type(wanted), wanted), f"{what} = {wanted!r} in NumPy"


@every_module
def test_branches_annotate_no_names(module: str) -> None:
    """AutoGraph makes the names that a branch binds nonlocal, which Python does not allow with an annotation."""
    branches = [node for node in ast.walk(MODULES[module]) if isinstance(node, ast.If | ast.For | ast.While)]
    found = [node.lineno for branch in branches for node in ast.walk(branch) if isinstance(node, ast.AnnAssign)]
    assert not found
