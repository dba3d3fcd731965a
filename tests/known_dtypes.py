"""Known differences that go by the dtypes of a call: no kernel, or another width. Each is shown for each dtype."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from generated_programs import Call

from tnp_migrate.numpy_facts.limits import DIVIDED, FLOATED, LIMITS, NO_KERNEL, SMALL, bare_names, no_kernel


@dataclass(frozen=True)
class Difference:
    """What is different, in which calls of the names that users are told it of, and calls that show it."""

    reason: str
    when: Callable[[Call], bool]
    shown_by: tuple[Call, ...]

    @property
    def names(self) -> frozenset[str]:
        """The names that the coverage page gives the reason for."""
        return bare_names(LIMITS[self.reason])

    @property
    def traced(self) -> bool:
        """Whether it is so only under `tf.function`."""
        return self.reason.startswith("traced, ")


def has_dtype(dtypes: str) -> Callable[[Call], bool]:
    wanted = frozenset(dtypes.split())
    return lambda call: bool(call.dtypes & wanted)


def _simple(name: str, dtype: str) -> Call:
    """A call of a name on ones of a dtype."""
    ones, method = np.ones(2, dtype), name.rpartition(".")[2]
    if method in ("at", "reduceat"):
        binary = method == "at" and getattr(np, name.split(".")[-2]).nin == 2
        return Call(name, (ones, [0], *([ones[:1]] if binary else [])))
    if name.removeprefix("numpy.") in _ON_MATRICES:
        return Call(name, (np.ones((2, 2), dtype), np.ones((2, 2), dtype)))
    return Call(name, (ones, *[ones] * (operands(name) - 1), *_MORE.get(name.removeprefix("numpy."), ())))


_ON_MATRICES = frozenset("dot inner matmul linalg.matmul tensordot linalg.tensordot ndarray.dot matvec vecmat".split())
_MORE: dict[str, tuple[Any, ...]] = {
    "histogram2d": (np.array([True, False]),),
    **dict.fromkeys(("clip", "ndarray.clip"), (True, True)),
}


def operands(name: str) -> int:
    function, _, method = name.removeprefix("numpy.").rpartition(".")
    if method == "outer" or method in ("vdot", "vecdot"):
        return 2
    return getattr(getattr(np, method, None), "nin", 1) if not function else 1


def of_dtypes(reason: str, dtypes: str) -> Difference:
    """A difference that each of its names shows with each of the dtypes, where they are not proven."""
    names = sorted(bare_names(LIMITS[reason]))
    shown = tuple(_simple(name, dtype) for name in names for dtype in dtypes.split())
    return Difference(reason, has_dtype(dtypes), shown)


DTYPES: tuple[Difference, ...] = (
    *(of_dtypes(no_kernel(dtypes), dtypes) for dtypes in NO_KERNEL),
    of_dtypes(FLOATED, SMALL),
    of_dtypes(DIVIDED, "int8 uint8 int16 uint16"),
)
