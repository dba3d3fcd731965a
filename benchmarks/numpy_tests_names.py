"""NumPy's namespaces as a test module sees them: every covered function is the translator's, the rest is NumPy's.

The test files stay as they are installed. Their import statements get namespaces that look a function up by identity,
so that `np.linalg.norm`, `from numpy.linalg import norm` and `from numpy.linalg._linalg import norm` are one.
"""

from __future__ import annotations

import builtins
import types
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow.experimental.numpy as tnp
from numpy_tests_calls import Covered, Indexed

from tnp_migrate.reports.answers import Answer
from tnp_migrate.reports.coverage import rows
from tnp_rules.forms import load_rules

_KINDS = ("direct", "rule", "helper")
_METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")


def covered() -> dict[int, Any]:
    """What stands in for NumPy's objects, by their identity."""
    rules = load_rules()
    made: dict[int, Any] = {}
    methods: list[tuple[str, str, Any]] = []
    for row in rows():
        answer = row.answer
        original = _named(np, answer.target)
        if answer.kind not in _KINDS or original is None or answer.target.startswith("numpy.ndarray."):
            continue
        body = rules[answer.target].body if answer.target in rules else None
        above, _, last = answer.target.rpartition(".")
        if last in _METHODS and isinstance(_named(np, above), np.ufunc):
            if body is not None:  # what writes in place becomes an assignment, which is no function of that name
                methods.append((above, last, Covered(answer, original, body, None)))
            continue
        found = _stand_in(answer, original, body)
        if found is not None:
            made[id(original)] = found
    for above, last, method in methods:
        ufunc = _named(np, above)
        if id(ufunc) not in made:
            continue
        setattr(made[id(ufunc)], last, method)
    return made


def _stand_in(answer: Answer, original: Any, body: Any) -> Any:
    if isinstance(original, (type, np.generic, float, int, np.dtype)) or original is None:
        return None
    if not callable(original):
        return Indexed(answer, original, body) if body is not None else None
    plain = _named(tnp, answer.target)
    if body is None and not callable(plain):
        return None
    return Covered(answer, original, body, plain)


def _named(root: Any, target: str) -> Any:
    found = root
    with warnings.catch_warnings():  # np.str and the like, which NumPy will have
        warnings.simplefilter("ignore")
        for name in target.split(".")[1:]:
            found = getattr(found, name, None)
    return found


class Namespace(types.ModuleType):
    """A module of NumPy whose covered functions are looked up by identity."""

    def __init__(self, module: types.ModuleType, table: Mapping[int, Any]) -> None:
        super().__init__(module.__name__, module.__doc__)
        self._module = module
        self._table = table
        self.__dict__.update({name: table.get(id(found), found) for name, found in vars(module).items()})
        for name, found in vars(module).items():
            if _is_judged(found):
                del self.__dict__[name]
        self.__dict__.pop("__getattr__", None)  # NumPy's own, which would bring NumPy's own submodules

    def __getattr__(self, name: str) -> Any:
        """A submodule, or what the module makes on demand."""
        found = getattr(self._module, name)
        return Namespace(found, self._table) if _is_judged(found) else self._table.get(id(found), found)

    def __dir__(self) -> list[str]:
        return dir(self._module)


def _is_judged(found: Any) -> bool:
    """Whether it is a module of NumPy; what compares results in the tests stays NumPy's own."""
    name = found.__name__ if isinstance(found, types.ModuleType) else ""
    return f"{name}.".startswith("numpy.") and not name.startswith("numpy.testing")


def install(is_judged: Callable[[str], bool]) -> None:
    """Let the import statements of the modules whose file is judged bring these namespaces."""
    table = covered()
    plain_import = builtins.__import__

    def import_judged(
        name: str,
        globals_: Mapping[str, Any] | None = None,
        locals_: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        module = plain_import(name, globals_, locals_, fromlist or (), level)
        file = str((globals_ or {}).get("__file__", ""))
        if level or not f"{name}.".startswith("numpy.") or not is_judged(file):
            return module
        if fromlist and module.__name__.startswith("numpy.testing"):
            return module
        return Namespace(module, table)

    builtins.__import__ = import_judged
