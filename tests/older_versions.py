"""Where older versions of NumPy and TensorFlow do otherwise than the rules, which do as the newest.

By library and the first version that does as the newest; each target with what is different before. Most raise there.
What gives another value without an error gets a rule of its own for the older version (`rules/tnp_rules/older`).
"""

from __future__ import annotations

DIFFERENT_BEFORE: dict[tuple[str, str], dict[str, str]] = {
    ("numpy", "2.1"): {
        "numpy.clip": "NumPy refuses a bound beyond the dtype, wants both bounds and has no min and max",
        "numpy.ndarray.clip": "NumPy refuses a bound beyond the dtype",
        "numpy.nonzero": "NumPy takes 0-d arrays, with a deprecation warning",
        "numpy.ndarray.nonzero": "NumPy takes 0-d arrays, with a deprecation warning",
    },
    ("numpy", "2.2"): {
        "numpy.insert": "NumPy takes a mask for positions, with a warning",
        "numpy.trim_zeros": "NumPy takes one-dimensional arrays only, no axis, and any letters for `trim`",
    },
    ("numpy", "2.3"): {
        "numpy.linalg.cond": "NumPy gives a complex number for a complex matrix",
        "numpy.linalg.norm": "NumPy refuses empty arrays",
        "numpy.unique": "NumPy has no `sorted`",
    },
    ("numpy", "2.4"): {
        "numpy.pad": "NumPy takes no dict of widths",
        "numpy.clip": "NumPy wants both bounds, or `min` or `max`",
        "numpy.linalg.matrix_rank": "NumPy refuses empty arrays",
        "numpy.take_along_axis": "NumPy wants an axis",
    },
    ("tensorflow", "2.19"): {
        "numpy.kron": "TensorFlow cannot multiply bools: the call raises",
        "numpy.outer": "TensorFlow cannot multiply bools: the call raises",
    },
}


def difference(target: str, **versions: str) -> str | None:
    """What is different for a target in these versions, None if nothing is known to be."""
    for (library, version), targets in DIFFERENT_BEFORE.items():
        if target in targets and numbers(versions[library]) < numbers(version):
            return targets[target]
    return None


def numbers(version: str) -> tuple[int, ...]:
    """Give the first two numbers of a version."""
    return tuple(int(part) for part in version.split(".")[:2])
