"""Sample calls of NumPy functions: how a family of rules says what it is compared on.

A sample module holds generators marked with `samples_of`, each yielding calls made with `call`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy1 import NUMPY1

Comparison = Callable[[tuple[Any, ...], Any, Any], None]


@dataclass(frozen=True)
class Sample:
    """One call, and how its result is compared."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    graph_obstacle: str | None = None
    compare: Comparison | None = None
    rtol: float | None = None
    atol: float | None = None
    magnitudes: bool = False
    bits: bool = False

    def not_in_graph(self, reason: str) -> Sample:
        """Leave out `tf.function`, with the reason why the call cannot be traced."""
        return replace(self, graph_obstacle=reason)

    def compared_by(self, compare: Comparison) -> Sample:
        """Compare with `compare(args, expected, actual)`, which asserts; tensors reach it as ndarrays."""
        return replace(self, compare=compare)

    def up_to_sign(self) -> Sample:
        """Compare magnitudes only, for decompositions whose vectors have a free sign or phase."""
        return replace(self, magnitudes=True)

    def within(self, rtol: float, atol: float = 0.0) -> Sample:
        """Compare floating results with these tolerances instead of those of their dtype."""
        return replace(self, rtol=rtol, atol=atol)

    def exactly(self) -> Sample:
        """Compare floating results bit by bit, the sign of zero included."""
        return replace(self, bits=True)


def call(*args: Any, **kwargs: Any) -> Sample:
    """Make a sample of the call `target(*args, **kwargs)`."""
    return Sample(args, kwargs)


Generator = Callable[[], Iterator[Sample]]
_GENERATORS: dict[str, list[Generator]] = {}
_REFERENCES: dict[str, Callable[..., Any]] = {}


def samples_of(*targets: str, reference: Callable[..., Any] | None = None) -> Callable[[Generator], Generator]:
    """Mark a generator of samples for NumPy names.

    `reference` computes the expected result where the installed NumPy has no such name or cannot be asked.
    """

    def note(generator: Generator) -> Generator:
        for target in targets:
            _GENERATORS.setdefault(target, []).append(generator)
            if reference is not None:
                _REFERENCES[target] = reference
        return generator

    return note


@cache
def all_samples() -> dict[str, list[Sample]]:
    """Import every sample module and return the samples by NumPy name, in order."""
    for path in sorted(Path(__file__).parent.joinpath("samples").glob("[!_]*.py")):
        importlib.import_module(f"samples.{path.stem}")
    with np.errstate(all="ignore"):
        return {
            target: [sample for make in makers for sample in make()] for target, makers in sorted(_GENERATORS.items())
        }


def numpy_object(target: str) -> Any:
    """Return what `numpy.a.b` names, for a function NumPy 2 dropped the one that it stands for."""
    if target in NUMPY1:
        return NUMPY1[target]
    found: Any = np
    for name in target.split(".")[1:]:
        found = getattr(found, name)
    return found


def is_in_numpy(target: str) -> bool:
    """Whether the installed NumPy has what the target names."""
    try:
        return target in _REFERENCES or target.startswith("numpy.ndarray.") or numpy_object(target) is not None
    except AttributeError:
        return False


def numpy_result(target: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Do on NumPy what the sample says: call a function or a method, read an attribute, index `np.r_`."""
    if target in _REFERENCES:
        return _REFERENCES[target](*args, **kwargs)
    if target.startswith("numpy.ndarray.") and target not in NUMPY1:
        found = getattr(args[0], target.removeprefix("numpy.ndarray."))
        return found(*args[1:], **kwargs) if callable(found) else found
    return as_function(target, numpy_object(target))(*args, **kwargs)


def as_function(target: str, body: Any) -> Callable[..., Any]:
    """Return a rule's body as a function; what NumPy indexes (`np.r_[...]`) is indexed with the arguments."""
    if target.startswith("numpy.ndarray.") or callable(numpy_object(target)):
        return body
    return lambda *args: body[args[0] if len(args) == 1 else args]
