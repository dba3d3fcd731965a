"""Whether rounding explains how far a translation is from NumPy: what the function amplifies is not held against it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tnp_migrate.proof.inside.form_names import WILD

TIMES = 16  # of what moving each intermediate result by one unit in the last place moves the result


def settled(row: Mapping[str, Any], moved: Mapping[str, Any]) -> bool:
    """Whether all differences of a replayed call are within what moves its results. `moved` has this by path."""
    unsure = row.get("unsure", {})
    return len(unsure) == row.get("count") and all(_is_within(one, moved.get(path)) for path, one in unsure.items())


def _is_within(one: Mapping[str, Any], moved: Any) -> bool:
    if moved == WILD:
        return True
    if isinstance(moved, float) and "error" in one:
        return bool(one["error"] <= one["allowed"] + TIMES * moved)
    if isinstance(moved, list) and "values" in one:
        low, high = moved
        values = one["values"]
        return len(values) == len(low) and all(a <= x <= b for a, x, b in zip(low, values, high, strict=True))
    return False
