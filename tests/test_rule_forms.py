"""What rules have to look like so that they can be read as text; needs no TensorFlow."""

from __future__ import annotations

import ast
import builtins
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy1 import NUMPY1
from rule_samples import numpy_object

from tnp_migrate.numpy_facts import rulebook
from tnp_migrate.numpy_facts.rule_lints import HIDDEN_BUILTINS, declarations, find_problems
from tnp_migrate.numpy_facts.rulebook import read_numpy_stage, read_rulebook

FOLDER = Path(__file__).parent.parent / "rules" / "tnp_rules"
MODULES = {
    path.stem: ast.parse(path.read_bytes())
    for path in sorted(FOLDER.glob("*.py"))
    if path.stem not in ("__init__", "forms")
}
Definition = ast.FunctionDef | ast.ClassDef
VENDORED_IMPORTS = {
    "import ast",
    "import contextlib",
    "import itertools",
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


def _rules() -> list[Any]:
    found = []
    for module, tree in MODULES.items():
        for node in tree.body:
            for form, decorator in declarations(node):
                targets = [ast.literal_eval(target) for target in decorator.args]
                found.append(pytest.param(node, form, targets, id=f"{module}.{node.name}"))  # type: ignore[attr-defined]
    return found


RULES = _rules()
every_rule = pytest.mark.parametrize(("node", "form", "targets"), RULES)
every_module = pytest.mark.parametrize("module", MODULES)


def test_names_are_unique_in_the_helper_module() -> None:
    """Helpers of all families are copied into one flat module; rules for older versions may replace rules alone."""
    read_rulebook()
    read_numpy_stage()
    read_rulebook("2.18", "2.0")


@pytest.mark.parametrize(
    ("folder", "first", "second"),
    [
        pytest.param("", "def _size(x):\n    return x\n", "def _size(x):\n    return 1\n", id="functions"),
        pytest.param("", "_LIMIT = 3\n", "_LIMIT: int = 4\n", id="constants"),
        pytest.param("", "class _Size:\n    pass\n", "_Size = 3\n", id="class and constant"),
        pytest.param("older", "def _size(x):\n    return x\n", "def _size(x):\n    return 1\n", id="older"),
    ],
)
def test_private_names_that_two_modules_share_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, first: str, second: str
) -> None:
    """The last one would silently stand for both in the helper module."""
    (tmp_path / "older").mkdir()
    (tmp_path / "a.py").write_text(first, encoding="utf-8")
    (tmp_path / folder / "b.py").write_text(second, encoding="utf-8")
    monkeypatch.setattr(rulebook, "rules_folder", lambda: tmp_path)
    with pytest.raises(rulebook.ClashError, match="is one thing in the helper module"):
        read_rulebook.__wrapped__("2.18", "2.0")


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
def test_modules_pass_the_lints_that_users_rules_pass(module: str) -> None:
    """A docstring that says why, the form of an inline rule, no builtin that a rule hides, and so on."""
    hidden = ({param.values[0].name for param in RULES} & set(dir(builtins))) | HIDDEN_BUILTINS  # type: ignore[union-attr]
    found = [f"{node.lineno}: {message}" for node, message in find_problems(MODULES[module], hidden)]  # type: ignore[attr-defined]
    assert not found


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


_INLINE = '@inline("l.f")\ndef f(x, p=None):\n    "why"\n'
_HELPER = '@helper("l.f")\ndef f(x):\n    "why"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(_INLINE + "    y = x\n    return y", "before the last `return`", id="statement in a ladder"),
        pytest.param(_INLINE + "    if x.ndim: return x\n    return x", "decides by `p is None`", id="condition"),
        pytest.param(_INLINE + "    return other(x)", "not other; make it a helper", id="free name"),
        pytest.param(_INLINE + "    return", "ends with `return`", id="no result"),
        pytest.param('@inline("l.f")\ndef f(x):\n    return x', "has no docstring", id="docstring"),
        pytest.param(_INLINE.replace("l.f", "f") + "    return x", "names what it is for", id="target"),
        pytest.param(_HELPER + "    return max(x)", "write `builtins.max`", id="hidden builtin"),
        pytest.param(_HELPER + "    if x:\n        y: int = 1\n    return x", "annotates no name", id="annotation"),
        pytest.param("import scipy as sp", "without `as sp`", id="alias"),
        pytest.param("import numpy", "import numpy as np", id="no alias"),
        pytest.param("from . import x", "relative import", id="relative import"),
        pytest.param("from x import *", "star import", id="star import"),
        pytest.param("import scipy.special", "from scipy.special import", id="dotted import"),
        pytest.param("A = 1\nA = 2", "defined twice", id="twice"),
        pytest.param('@effects("l.f", writes="y")\ndef f(x): ...', "has x", id="no such parameter"),
        pytest.param('@effects("l.f", gives="tensor")\ndef f(x): ...', "`gives` is one of", id="gives"),
        pytest.param('@effects("l.f", takes="lists")\ndef f(x): ...', "`takes` is one of", id="takes"),
        pytest.param('@effects("l.f", pure=True)\ndef f(x): ...', "has no `pure`", id="keyword"),
    ],
)
def test_lint_says_what_is_wrong(text: str, message: str) -> None:
    problems = [found for _, found in find_problems(ast.parse(text))]
    assert len(problems) == 1
    assert message in problems[0]
