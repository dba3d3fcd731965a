"""5xx: the numbers are right and the speed may disappoint."""

from __future__ import annotations

from tnp_migrate.diagnostics.codes.entry import Code

PERFORMANCE = (
    Code(
        "TNP501",
        "loop over the elements of an array",
        "info",
        "manual",
        "medium",
        meaning="A Python loop writes one element of an array at a time. Where it also looks at the array, because "
        "each step needs the last, say, it became as many functional updates. Where it only fills the array, its "
        "stores are done at once behind it and the rest still runs element by element; a loop that is proven to be an "
        "assignment to a slice became one, and is not reported. Nor are loops that only read elements.",
        why="An eager TensorFlow operation costs some microseconds however small its operands, and each element update "
        "copies the array. Loops of this kind ran 300 to 2000 times slower than in NumPy.",
        before="""\
def smoothed(x):
    out = np.zeros(len(x))
    for i in range(1, len(x)):
        out[i] = 0.9 * out[i - 1] + 0.1 * x[i]
    return out
""",
        after="""\
def smoothed(x):
    out = tnp.zeros(len(x))
    for i in range(1, len(x)):
        out = tnh.index_update(out, i, 0.9 * out[i - 1] + 0.1 * x[i])
    return out
""",
        advice="Where the steps do not need each other, write whole-array expressions before running the tool: "
        "`out[1:] = x[1:] - x[:-1]` is one update. Where a row needs a function of its own, "
        "`tf.vectorized_map(f, rows)` takes some 35 ms a call, however many rows: less than the loop from about a "
        "hundred (the tool does not write it: its sums may differ in the last bits, and it traces `f` at each call). "
        "Where steps need each other, keep the last value in a variable and fill the array from that, try `tf.scan` or "
        "`tf.function(jit_compile=True)`, and measure.",
    ),
    Code(
        "TNP502",
        "value travels to the host and back",
        "info",
        "manual",
        "low",
        meaning="`float()`, `.item()`, `.tolist()`, `if tensor:` or a NumPy call forces the value to the host between "
        "two TensorFlow operations.",
        why="The device has to finish all pending work and copy the value before Python can go on; on a GPU this "
        "costs more than the calculation. In a graph it fails or is frozen.",
        before="""\
if float(np.max(error)) < 1e-6:
    step = float(step) * 2
""",
        after="""\
step = tnp.where(tnp.max(error) < 1e-6, step * 2, step)
""",
        advice="Decide with `tnp.where` or `tf.cond`, or look at the value only every so many iterations.",
    ),
    Code(
        "TNP503",
        "island called in a loop",
        "info",
        "manual",
        "medium",
        meaning="A function that stays on NumPy is called inside a loop of translated code.",
        why="Each call converts its arguments to ndarrays and its results back. On the CPU small arrays cost about 10 "
        "microseconds; on a GPU each call waits for the device.",
        before="""\
for _ in range(steps):
    state = relax(state)
    state = state * damping
""",
        after="""\
@island
def run(state, damping, steps):
    for _ in range(steps):
        state = relax(state)
        state = state * damping
    return state
""",
        advice="Move the loop into the island, or make the island translatable (TNP301 says what stands in the way).",
    ),
    Code(
        "TNP504",
        "operation is slower in TensorFlow",
        "info",
        "manual",
        "low",
        meaning="TensorFlow has the operation and it gives NumPy's result, but takes longer on the CPU: sorting, "
        "searching, sets, gathers with several index arrays.",
        why="NumPy sorts with vector instructions and TensorFlow through top-k: 17 to 21 times slower from 100,000 to "
        "10 million values, compiled or not.",
        before="""\
order = np.sort(samples)
""",
        after="""\
order = sort(samples)
""",
        advice="On the CPU do it once outside the loop, or keep that part on NumPy. Where only the extremes are "
        "needed, `tf.math.top_k` with a small k is fast.",
    ),
    Code(
        "TNP505",
        "arrays are too small to gain",
        "info",
        "manual",
        "low",
        meaning="The arrays of this function have fewer than about 100,000 elements, as far as their sizes are known.",
        why="Below that size the fixed cost of each operation outweighs the work in it. `tanh` on one CPU thread "
        "breaks even between 100,000 and 10 million elements.",
        before="""\
rotation = np.eye(3)
for axis in axes:
    rotation = rotation @ matrix(axis)
""",
        after="""\
rotations = tnp.stack([matrix(axis) for axis in axes])
rotation = tf.scan(tf.matmul, rotations)[-1]
""",
        advice="Batch: give all small problems one leading axis and treat them in one call. Otherwise leave the "
        "function on NumPy.",
    ),
    Code(
        "TNP506",
        "loop that is not compiled",
        "info",
        "manual",
        "medium",
        meaning="With `--compile`, functions with loops over arrays are compiled. This loop stands in one that is not: "
        "it prints, draws random numbers, catches errors, or calls something that may, and a graph does such things "
        "once, while it is traced, or not at all. A loop that does none of that beside such things becomes a function "
        "of its own, and draws that every trip makes alike are made before it; the message says why this one did not, "
        "and names what is compiled inside of it.",
        why="The loop runs eagerly: each operation costs some ten microseconds, where NumPy takes one, and a compiled "
        "loop less.",
        before="""\
def walk(steps):
    x = np.zeros(steps)
    for i in range(1, steps):
        x[i] = np.random.normal(0.9 * x[i - 1], 1)
    return x
""",
        after="""\
def walk(steps):
    return filtered(np.random.randn(steps))


def filtered(noise):
    x = np.zeros(len(noise))
    for i in range(1, len(noise)):
        x[i] = 0.9 * x[i - 1] + noise[i]
    return x
""",
        advice="Give the loop a function of its own, which takes arrays and numbers and returns what it makes; draw, "
        "print and store before or after it. The message says what stands in the way here.",
    ),
)
