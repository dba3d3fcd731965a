"""6xx: what replaying the recorded calls of the user's own program has shown."""

from __future__ import annotations

from tnp_migrate.diagnostics.codes.entry import Code

PROOF = (
    Code(
        "TNP601",
        "translated function gives other results than NumPy",
        "error",
        "manual",
        "medium",
        meaning="A recorded call of the function was replayed on the original and on the translation, and a result, an "
        "array that it writes to or an exception is not the same: another value, dtype, shape or kind. What rounding "
        "inside of the function explains is not held against it.",
        why="The translation changes what your program computes. The message says in which form of the call (with "
        "tensors, with ndarrays, in a graph), where in the result, and the first line that has other values.",
        before="""\
def share(x):
    return x / x.sum()
""",
        after="""\
def share(x):
    return x / tnp.sum(x, axis=0)  # TNP601: `return`: (4,) with NumPy, (4, 2) here
""",
        advice="Look at the first line that differs. Where you have changed the translation by hand, it may be your "
        "change; where not, please report it with the function. Where the difference is wanted, say so with "
        "`# tnp: ignore[TNP601] reason` at the function's `def`.",
    ),
    Code(
        "TNP602",
        "translated function raises where NumPy does not",
        "error",
        "manual",
        "medium",
        meaning="A recorded call of the function, replayed on the translation, raises, crashes or takes longer than "
        "the limit, and does not on the original. Calls inside of `tf.function` do not count here.",
        why="A function that worked stops working for arguments that your own program passes.",
        before="""\
def table(values):
    return np.array(values, dtype=object)
""",
        after="""\
def table(values):
    return tnp.array(values)  # TNP602: ValueError: ... values of different shapes
""",
        advice="The message has the exception and the line. `tnp-migrate record PATH --show` lists what the function "
        "is called with.",
    ),
)
