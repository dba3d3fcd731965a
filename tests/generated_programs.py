"""A drawn call as a program: its text, what the translator makes of that, and both as functions of the arrays.

`np.median(a, axis=0)` with an array becomes `def call(a0): return np.median(a0, axis=0)`. Arrays are parameters,
everything else is written out, so that the translator decides on what it sees in users' code. What it leaves on NumPy
(kept, flagged, an island) is right by definition and is not run.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from fixture_cases import own_members

from tnp_migrate.numpy_facts.rulebook import read_rulebook
from tnp_migrate.program.config import Config
from tnp_migrate.project import migrate_text, report_of
from tnp_migrate.rewriting.helpers import write_helpers

INDEXED = frozenset(f"numpy.{name}" for name in "c_ r_ s_ index_exp mgrid ogrid".split())
IN_PLACE = frozenset(
    "numpy.copyto numpy.fill_diagonal numpy.place numpy.put numpy.put_along_axis numpy.putmask numpy.ndarray.fill "
    "numpy.ndarray.partition numpy.ndarray.put numpy.ndarray.resize numpy.ndarray.sort".split()
)


# tnp gives a list for NumPy's tuple; what they hold is compared.
LISTS = frozenset(f"numpy.{name}" for name in "atleast_1d atleast_2d atleast_3d broadcast_arrays".split())


@dataclass(frozen=True)
class Text:
    """Source text that stands in a call as it is: a dtype, a function, a slice."""

    source: str

    def __repr__(self) -> str:
        return self.source


@dataclass(frozen=True)
class Call:
    """A call of a NumPy name. With `proven`, the program says the dtype of each array before the call."""

    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    proven: bool = False

    @property
    def arrays(self) -> list[np.ndarray[Any, Any]]:
        """The arrays among the arguments, in the order of the text."""
        found: list[np.ndarray[Any, Any]] = []
        _written([*self.args, *self.kwargs.values()], found)
        return found

    @property
    def dtypes(self) -> set[str]:
        """The names of the operands' dtypes, and of that which NumPy computes them in."""
        found = [one for name, value in enumerate_operands(self) for one in _dtypes(value)]
        return {one.name for one in [*found, *([np.result_type(*found)] if found else [])]}

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the first operand."""
        return np.shape(self.args[0]) if self.args else ()

    @property
    def in_place(self) -> bool:
        """Whether the call writes to its first argument."""
        return self.name in IN_PLACE or self.name.endswith(".at")

    def text(self) -> str:
        """The program."""
        arrays: list[np.ndarray[Any, Any]] = []
        args = [_written(value, arrays) for value in self.args]
        words = [f"{name}={_written(value, arrays)}" for name, value in self.kwargs.items()]
        lines = [f"def call({', '.join(f'a{n}' for n in range(len(arrays)))}):"]
        if self.proven or self.in_place or self.name.startswith("numpy.ndarray."):
            dtypes = ["bool" if one.dtype == bool else f"np.{one.dtype.name}" for one in arrays]
            lines += [f"    a{n} = np.array(a{n}, dtype={dtype})" for n, dtype in enumerate(dtypes)]
        if self.name.startswith("numpy.ndarray."):
            made, member = args.pop(0), self.name[14:]
            made += f".{member}" if member in ATTRIBUTES else f".{member}({', '.join(args + words)})"
        elif self.name in INDEXED:
            made = f"np{self.name[5:]}[{', '.join(args)}]"
        else:
            made = f"np{self.name[5:]}({', '.join(args + words)})"
        if self.name in LISTS and len(args) > 1:
            made = f"[*{made}]"
        lines += [f"    {made}", "    return a0"] if self.in_place else [f"    return {made}"]
        return "\n".join(["import numpy as np", "", "", *lines, ""])

    def __repr__(self) -> str:
        arrays = ", ".join(f"a{n}={one!r}" for n, one in enumerate(self.arrays))
        return f"{self.text().partition('def ')[2]}    with {' '.join(arrays.split())}"


_NOT_OPERANDS = frozenset("axis axes where indices ind initial decimals n k offset".split())


def enumerate_operands(call: Call) -> Iterator[tuple[Any, Any]]:
    """The arguments whose dtypes decide what is computed in."""
    args = call.args[:1] + call.args[2:] if call.name.endswith((".at", ".reduceat")) else call.args
    yield from enumerate(args)
    yield from ((name, value) for name, value in call.kwargs.items() if name not in _NOT_OPERANDS)


def _dtypes(value: Any) -> list[np.dtype[Any]]:
    """The dtypes of an operand: of each part of a list of arrays; a Python number has that of its kind."""
    if isinstance(value, np.ndarray):
        return [value.dtype]
    if isinstance(value, list | tuple) and any(isinstance(one, np.ndarray) for one in value):
        return [dtype for one in value for dtype in _dtypes(one)]
    if isinstance(value, list | tuple | complex):
        made = (
            np.asarray(value)
            if not any(isinstance(one, Text | str) for one in np.ravel(np.array(value, object)))
            else None
        )
        return [made.dtype] if made is not None and made.dtype.kind in "biufc" else []
    return []


ATTRIBUTES = frozenset("T dtype flat imag itemsize mT nbytes ndim real shape size".split())


def _written(value: Any, arrays: list[np.ndarray[Any, Any]]) -> str:
    """Write a value as source, with `a0`, `a1` ... for its arrays, which are collected."""
    if isinstance(value, np.ndarray):
        arrays.append(value)
        return f"a{len(arrays) - 1}"
    if isinstance(value, list):
        return f"[{', '.join(_written(one, arrays) for one in value)}]"
    if isinstance(value, tuple):
        return (
            f"({''.join(_written(one, arrays) + ', ' for one in value).removesuffix(' ' if len(value) == 1 else ', ')})"
        )
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_written(one, arrays)}' for key, one in value.items())}}}"
    if isinstance(value, float) and not np.isfinite(value):
        return f"float('{value}')"
    return repr(value)


def original(text: str) -> Callable[..., Any]:
    """The program as it was written, on NumPy."""
    return _function(text)


def translated(text: str, tensorflow: str, numpy: str) -> Callable[..., Any] | None:
    """The program as the translator writes it for these versions; None where NumPy still has a part in it."""
    made = translation(text, tensorflow, numpy)
    return None if made is None else _function(made)


@cache
def translation(text: str, tensorflow: str, numpy: str) -> str | None:
    """The text that the translator gives; None where NumPy still has a part in it."""
    config = Config(tensorflow=_known(tensorflow), numpy=_known(numpy))
    project = migrate_text(text.encode(), config)
    made = project.outputs.get(Path("-"))
    ledger = report_of(project).files[0].ledger
    if made is None or ledger.kept or ledger.flagged or ledger.island:
        return None
    return made.decode()


def _known(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _function(text: str) -> Callable[..., Any]:
    namespace: dict[str, Any] = {}
    exec(compile(text, "<call>", "exec"), namespace)
    found: Callable[..., Any] = namespace["call"]
    return found


@contextlib.contextmanager
def helper_module() -> Iterator[None]:
    """Let programs import the helper module that a project with every rule and every method would get."""
    with own_members():
        made = ModuleType("_tnp_helpers")
        exec(compile(_helper_text(), "_tnp_helpers.py", "exec"), vars(made))
        sys.modules[made.__name__] = made
        try:
            yield
        finally:
            del sys.modules[made.__name__]


@cache
def _helper_text() -> str:
    rulebook = read_rulebook()
    members = {name.removeprefix("numpy.ndarray.") for name in rulebook.rules if name.startswith("numpy.ndarray.")}
    return write_helpers(rulebook, rulebook.definitions, members)
