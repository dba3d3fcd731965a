"""What the functions of `compiled_functions` are called with: the second arguments take other branches."""

from __future__ import annotations

from typing import Any

import numpy as np


def inputs_of(name: str, seed: int) -> list[Any]:
    """Give arguments of a function; other seeds give other numbers in arrays of the same shapes."""
    draw = np.random.default_rng(seed)
    vector, matrix = draw.random(9), draw.random((6, 6)) + 4 * np.eye(6)
    found: dict[str, list[Any]] = {
        "recurrence": [vector],
        "solved": [matrix, vector[:6]],
        "heat": [vector, 12],
        "windows": [vector, 3],
        "shells": [draw.random(40), draw.random(40), 6],
        "escape": [20, 8],
        "root": [vector + 1, 1e-9],
        "first_above": [vector, 0.9 - 0.3 * seed],
        "left_early": [vector],
        "checksum": [draw.integers(0, 256, 20).astype(np.uint8)],
        "paired": [draw.integers(0, 4, 8)],
        "weighted_rows": [matrix, vector[:6]],
        "followed": [vector, draw.integers(-9, 9, 9)],
        "absorbed": [vector],
        "single": [vector.astype(np.float32)],
        "powers": [vector],
        **{name: [vector, draw.random(9)] for name in KINDS},
        "collected": [draw.random(40)],
        "levels": [draw.random(64), 5],
        "leading": [matrix, 6],
        "through_places": [vector, [2, 0, [0, 1], -1, slice(1, None)], 9],
    }
    return found[name]


EXACT = """
    recurrence heat escape root first_above left_early checksum paired followed absorbed single powers collected
    levels through_places
""".split()
ROUNDED = ["solved", "windows", "shells", "weighted_rows"]  # sums in another order
# numbers that are Python's in some trips only
KINDS = ["widened", "chosen", "clipped", "flagged", "numbered", "directed"]
FUSED = ["recurrence", "heat"]  # XLA multiplies and adds with one rounding
REFUSED = {"powers": "it meets what NumPy raises for", "collected": "of Python that a loop or branch changes"}
