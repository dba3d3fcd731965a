"""Why a test fails under the rules: the first call that was not NumPy's, or what the test itself raised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Class:
    """A class of failures: the kinds of differences that belong to it, and a word of the detail where it needs one."""

    kinds: tuple[str, ...]
    words: tuple[str, ...] = ()

    def holds(self, kind: str, detail: str) -> bool:
        """Whether a difference belongs here."""
        return kind in self.kinds and (not self.words or any(word in detail for word in self.words))


# In the order in which a failing test is laid at them: what no tensor can be comes first, what may be a bug after it.
CLASSES = {
    "not run": Class(()),
    "crash or time": Class(()),
    "object": Class(("no tensor", "raised"), ("dtype O", "Unsupported object type", "object arr")),
    "protocol": Class(("raised",), ("Cannot interpret '<", "Attempt to convert a value (<", "Could not convert <")),
    "text, dates": Class(("no tensor",), tuple(f"dtype {kind}" for kind in "SUMmT")),
    "structured": Class(("no tensor",), ("dtype V",)),
    "longdouble": Class(("no tensor",), ("longdouble",)),
    "subclass": Class(("no tensor",), ("subclass",)),
    "rank": Class(("no tensor",)),
    "value": Class(("value",)),
    "shape": Class(("shape",)),
    "dtype": Class(("dtype",)),
    "structure": Class(("structure",)),
    "no kernel": Class(
        ("raised",), ("Value for attr '", "UnimplementedError", "NotFoundError", "complex numbers have no")
    ),
    "raised": Class(("raised",)),
    "errstate": Class(("accepted",), ("FloatingPointError",)),
    "accepted": Class(("accepted",)),
    "other error": Class(("other error",)),
    "warning": Class(("warning",)),
    "python number": Class(("python number",)),
    "rounding": Class(("rounding",)),
    "message": Class(()),
    "calls equal": Class(()),
}

# The columns of the table.
GROUPS = {
    "no tensor": ("object", "protocol", "text, dates", "structured", "longdouble", "subclass", "rank"),
    "result": ("value", "shape", "dtype", "structure"),
    "no kernel": ("no kernel",),
    "raised": ("raised",),
    "errors, warnings": ("errstate", "accepted", "other error", "warning", "message"),
    "rounding": ("rounding",),
    "not the value": ("python number", "calls equal"),
    "time": ("crash or time", "not run"),
}


def class_of(line: dict[str, Any]) -> str:
    """The class of a failing test."""
    error = line.get("error", "")
    if error == "not collected":
        return "not run"
    if error.startswith("the process ended") or "Timeout" in error[:60]:
        return "crash or time"
    found = _by_events(line.get("events", ()))
    if found == "calls equal" and ("does not match" in error or "did not match" in error):
        return "message"
    return found


def _by_events(events: Sequence[Sequence[str]]) -> str:
    """The first class, in their order, that one of the differences belongs to."""
    for name, one in CLASSES.items():
        if not one.kinds:
            continue
        if any(one.holds(kind, detail) for _, kind, detail in events):
            return name
    return "calls equal"
