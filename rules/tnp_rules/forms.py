"""The two forms of a rule.

A rule is a function with NumPy's signature and TensorFlow's body. The translator reads rules as text; tests
run them. The decorators return the function unchanged and only note it in `RULES`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar, cast

Direct = Literal[
    "float", "inexact", "wide", "matrix", "sequence", "items", "arrays", "parameters", "counted", "divisor"
]
Body = TypeVar("Body")


@dataclass(frozen=True)
class Rule:
    """A rule as it runs: the NumPy names it stands for, its form, and its function (or indexable class)."""

    targets: tuple[str, ...]
    form: Literal["inline", "helper"]
    body: object
    direct: Direct | None
    until: str | None = None


RULES: dict[str, Rule] = {}
OLDER: dict[str, Rule] = {}


def inline(*targets: str, direct: Direct | None = None) -> Callable[[Body], Body]:
    """Mark a rule whose returned expression replaces the call in the user's code.

    The body is a docstring and a ladder of `if p is None:` or `if p == constant:`, each with one `return`,
    then a last `return`. Free names are `tnp`, `tf`, `np` only.
    """
    return _register(targets, "inline", direct)


def helper(*targets: str, direct: Direct | None = None, until: str | None = None) -> Callable[[Body], Body]:
    """Mark a rule that is copied into the user's helper module, with the functions it calls.

    `direct` names what has to be proven of the first argument for plain `tnp` to be right without the rule:
    a float32 or float64 array ("float"), that or complex ("inexact"), any dtype but bool and the 8 and 16 bit
    ones ("wide"), one of those with at least two axes ("matrix"), a list or tuple ("sequence"), one that is
    written with items ("items"). Two ask for no proof:
    with "arrays" no argument may be seen to be a Python list, tuple or number, and what is left raises; with
    "parameters" plain tnp is right for the calls that give no parameter which it lacks or gets wrong; with "counted"
    it is for written numbers, or tuples of them, that are not negative, with "divisor" for floats and for a second
    argument that is a written number but 0. `until` is the version ("tensorflow 2.20")
    that no longer needs the rule: those are in `older/`.
    """
    return _register(targets, "helper", direct, until)


def effects(
    *_targets: str,
    gives: str = "unknown",  # read as text, as all of these are
    shares: str | tuple[str, ...] = (),
    writes: str | tuple[str, ...] = (),
    keeps: str | tuple[str, ...] = (),
    host: bool = False,
    takes: Literal["tensors", "ndarrays"] = "tensors",
) -> Callable[[Body], Body]:
    """Declare what functions of other libraries do; the function below has their parameters, its body does not count.

    `gives` is what comes back ("array", "arrays" for a tuple of them, "number", "text", "list", "tuple", "dict", "none"
    or "unknown"), `shares` the parameters whose memory that may be, `writes` those that are written to, `keeps` those
    that somebody still has afterwards. With `host` the functions print, read files or draw random numbers. What takes
    "ndarrays" is never passed a tensor.
    """
    return lambda body: body


@dataclass(frozen=True)
class Sample:
    """One call that a rule is compared on."""

    args: tuple[object, ...]
    kwargs: dict[str, object]


def call(*args: object, **kwargs: object) -> Sample:
    """Make a sample of the call `target(*args, **kwargs)`."""
    return Sample(args, kwargs)


SAMPLES: dict[str, list[Callable[[], Iterable[Sample]]]] = {}


def samples(*targets: str) -> Callable[[Body], Body]:
    """Mark a generator of calls that `tnp-migrate rule --test` compares rules of some targets on."""

    def note(body: Body) -> Body:
        for target in targets:
            SAMPLES.setdefault(target, []).append(cast("Callable[[], Iterable[Sample]]", body))
        return body

    return note


def _register(
    targets: tuple[str, ...], form: Literal["inline", "helper"], direct: Direct | None, until: str | None = None
) -> Callable[[Body], Body]:
    def note(body: Body) -> Body:
        for target in targets:
            known = OLDER if until else RULES
            if target in known:
                raise ValueError(f"two rules for {target}")
            known[target] = Rule(targets, form, body, direct, until)
        return body

    return note


def load_rules(**versions: str) -> dict[str, Rule]:
    """Import every rule module and return all rules by NumPy name, those for older versions where `versions` are."""
    for name in ("tnp_rules", "tnp_rules.older"):
        for module in pkgutil.iter_modules(importlib.import_module(name).__path__, f"{name}."):
            importlib.import_module(module.name)
    return {**RULES, **{target: rule for target, rule in OLDER.items() if _is_needed(rule, versions)}}


def _is_needed(rule: Rule, versions: dict[str, str]) -> bool:
    library, _, version = (rule.until or "").partition(" ")
    return library in versions and _numbers(versions[library]) < _numbers(version)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])
