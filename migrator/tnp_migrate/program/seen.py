"""What a recorded run has seen of parameters. It is likely, never proven: what rests on it is checked at entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Seen:
    """What the calls of a function gave for a parameter: `int`, `None`, `array float64 2d`, the names of classes.

    `calls` is the number of calls that were looked at, `test` where the first of them was made, if that is known.
    """

    words: frozenset[str]
    calls: int
    test: str = ""


Parameter = tuple[str, str, str]  # the path of a file, the function in it as `Class.method`, the parameter
Evidence = Mapping[Parameter, Seen]
