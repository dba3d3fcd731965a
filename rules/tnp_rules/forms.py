"""The two forms of a rule.

A rule is a function with NumPy's signature and TensorFlow's body. The translator reads rules as text; tests
run them. The decorators return the function unchanged and only note it in `RULES`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

Direct = Literal["float", "inexact", "wide", "sequence", "arrays", "parameters"]
Body = TypeVar("Body")


@dataclass(frozen=True)
class Rule:
    """A rule as it runs: the NumPy names it stands for, its form, and its function (or indexable class)."""

    targets: tuple[str, ...]
    form: Literal["inline", "helper"]
    body: object
    direct: Direct | None


RULES: dict[str, Rule] = {}


def inline(*targets: str, direct: Direct | None = None) -> Callable[[Body], Body]:
    """Mark a rule whose returned expression replaces the call in the user's code.

    The body is a docstring and a ladder of `if p is None:` or `if p == constant:`, each with one `return`,
    then a last `return`. Free names are `tnp`, `tf`, `np` only.
    """
    return _register(targets, "inline", direct)


def helper(*targets: str, direct: Direct | None = None) -> Callable[[Body], Body]:
    """Mark a rule that is copied into the user's helper module, with the functions it calls.

    `direct` names what has to be proven of the first argument for plain `tnp` to be right without the rule:
    a float32 or float64 array ("float"), that or complex ("inexact"), any dtype but bool and the 8 and 16 bit
    ones ("wide"), a list or tuple ("sequence"). Two ask for no proof: with "arrays" no argument may be seen to be a
    Python list, tuple or number, and what is left raises; with "parameters" plain tnp is right for the calls that give
    no parameter which it lacks or gets wrong.
    """
    return _register(targets, "helper", direct)


def _register(
    targets: tuple[str, ...], form: Literal["inline", "helper"], direct: Direct | None
) -> Callable[[Body], Body]:
    def note(body: Body) -> Body:
        for target in targets:
            if target in RULES:
                raise ValueError(f"two rules for {target}")
            RULES[target] = Rule(targets, form, body, direct)
        return body

    return note


def load_rules() -> dict[str, Rule]:
    """Import every rule module and return all rules by NumPy name."""
    package = importlib.import_module("tnp_rules")
    for module in pkgutil.iter_modules(package.__path__, "tnp_rules."):
        importlib.import_module(module.name)
    return RULES
