"""What functions of other libraries do, as the user declares it: one table, by qualified name.

`@effects("ourlib.scale", writes="x", shares="x") def scale(x, factor): ...` says that `ourlib.scale(a, 2)` writes to
`a` and gives memory of it. What is not declared is taken to give something of its own, and to write to nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tnp_migrate.numpy_facts.libraries import Library
from tnp_migrate.numpy_facts.values import NONE, SCALAR, UNKNOWN, Value, array

GIVES: dict[str, Value] = {
    "unknown": UNKNOWN, "array": array(sure=False), "number": SCALAR, "text": Value("str"), "none": NONE,
    "list": Value("list"), "tuple": Value("tuple"), "dict": Value("dict"),
    "arrays": Value("tuple", element=array(sure=False)),
}  # fmt: skip
TAKES = ("tensors", "ndarrays")
OF_PARAMETERS = ("shares", "writes", "keeps")


@dataclass(frozen=True)
class Effects:
    """The name under which a function is declared, its parameters by position, and what it does.

    It gives a value like `value`, which may share memory with the parameters `shares`, writes to the parameters
    `writes`, and keeps memory of the parameters `keeps`. On the `host` it prints, reads files or draws.
    """

    name: str
    positional: tuple[str, ...]
    variadic: str | None = None
    value: Value = UNKNOWN
    shares: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    keeps: frozenset[str] = frozenset()
    host: bool = False
    takes: str = "tensors"

    @property
    def library(self) -> Library | None:
        """How arguments are passed to it, as for a library of `LIBRARIES`; None where tensors do."""
        return Library("ndarrays") if self.takes == "ndarrays" else None

    def given(self, call: ast.Call, names: Iterable[str]) -> list[ast.expr]:
        """What a call gives for some parameters; all arguments where a star hides which is which."""
        wanted = frozenset(names)
        if not wanted:
            return []
        starred: list[ast.expr] = [one for one in call.args if isinstance(one, ast.Starred)]
        starred += [one.value for one in call.keywords if one.arg is None]
        return [value for name, value in self._bound(call) if starred or name in wanted]

    def _bound(self, call: ast.Call) -> Iterator[tuple[str | None, ast.expr]]:
        for position, one in enumerate(call.args):
            name = self.positional[position] if position < len(self.positional) else self.variadic
            yield name, one.value if isinstance(one, ast.Starred) else one
        for word in call.keywords:
            yield word.arg, word.value


def effects_of(node: ast.FunctionDef, decorator: ast.Call) -> Effects:
    """Read a declaration that the lints have let pass."""
    said = {word.arg: ast.literal_eval(word.value) for word in decorator.keywords if word.arg}
    named = {key: _names(said.get(key, ())) for key in OF_PARAMETERS}
    arguments = node.args
    return Effects(
        node.name,
        tuple(one.arg for one in (*arguments.posonlyargs, *arguments.args)),
        arguments.vararg.arg if arguments.vararg is not None else None,
        GIVES[said.get("gives", "unknown")],
        **named,
        host=said.get("host", False),
        takes=said.get("takes", "tensors"),
    )


def _names(said: str | tuple[str, ...]) -> frozenset[str]:
    return frozenset([said] if isinstance(said, str) else said)
