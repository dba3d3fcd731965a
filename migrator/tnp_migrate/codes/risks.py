"""3xx: analysis found a risk; the program runs, and this is what it rests on."""

from __future__ import annotations

from tnp_migrate.codes.entry import Code

RISKS = (
    Code(
        "TNP301",
        "function stays on NumPy as an island, because it mutates arrays",
        "warning",
        "likely",
        "medium",
        meaning="Writes to arrays become values that are bound again: `a[k] = v` becomes `a = index_update(a, k, v)`. "
        "In this function that would not be sound. It stays NumPy behind the `island` decorator, which converts "
        "tensors on the way in and results on the way out. The message says what is in the way, and names the line of "
        "the write and, where there is one, the line that it conflicts with. Functions that share arrays with an "
        "island, or call one that writes to its argument, can become islands too.",
        why="Tensors are values: a write reaches only the names that are bound again. It would be lost, or seen at the "
        "wrong time, by a list, a generator's consumer or another argument that may hold the same array. Some writes, "
        "such as `np.multiply.at` or a shuffle, have no functional form.",
        before="""\
def history(steps):
    state, seen = np.zeros(9), []
    for step in range(steps):
        state[step % 9] = step
        seen.append(state)
    return seen
""",
        after="""\
@tnh.island
def history(steps):
    state, seen = np.zeros(9), []
    for step in range(steps):
        state[step % 9] = step
        seen.append(state)
    return seen
""",
        advice="It is right as it is, and for scalar loops over small arrays it is also the fastest form. To move it "
        "to the device, keep one holder for each array that is written to: with `seen.append(state.copy())` the tool "
        "translates this function. (The numbers change then: as written, the list holds one array many times.)",
    ),
    Code(
        "TNP302",
        "island changes an argument of its caller",
        "warning",
        "likely",
        "medium",
        meaning="The function writes into a parameter and stays on NumPy, for the reason that TNP301 gives at the same "
        "place. Its callers must pass ndarrays that they keep. Callers in this project became islands too.",
        why="An island works on a copy when it gets a tensor: the write would not reach the caller. Only an ndarray is "
        "shared.",
        before="""\
def keep_largest(state, seen):
    seen.append(state)
    state[state < np.max(state)] = 0


def run(n):
    state, seen = np.random.rand(n), []
    keep_largest(state, seen)
    return state, seen
""",
        after="""\
@tnh.island(mutates=("state",))
def keep_largest(state, seen):
    seen.append(state)
    state[state < np.max(state)] = 0


@tnh.island
def run(n):
    state, seen = np.random.rand(n), []
    keep_largest(state, seen)
    return state, seen
""",
        advice="Remove what TNP301 names (here: append a copy), so that the function can return its argument instead "
        "(TNP310), and run the tool again. Or return the new array by hand and assign it where the function is called. "
        "Callers outside the project pass an ndarray as long as it is an island.",
    ),
    Code(
        "TNP303",
        "shape compared or used as a tuple",
        "warning",
        "likely",
        "low",
        meaning="`x.shape` is used in a way in which a `tf.TensorShape` differs from a tuple.",
        why='A TensorShape has no `.index`, `<` or `* 2`, its truth is that of "rank is known", and inside '
        "`tf.function` unknown dimensions are None, so that `x.shape == (3,)` is False without an error.",
        before="""\
if not x.shape:
    scale = 1
print("%s x %s" % x.shape)
""",
        after="""\
if len(x.shape) == 0:
    scale = 1
print("%s x %s" % tuple(x.shape))
""",
        advice="Write `tuple(x.shape)` where a tuple is meant, and `tf.shape(x)` where a graph needs the sizes of the "
        "actual input.",
    ),
    Code(
        "TNP304",
        "array compared with None by ==",
        "warning",
        "likely",
        "low",
        meaning="`x == None` or `x != None` on what may be an array.",
        why="For an ndarray the comparison is element by element and gives an array; for a tensor it gives one bool.",
        before="""\
if weights == None:
    weights = np.ones(3)
""",
        after="""\
if weights is None:
    weights = tnp.ones(3)
""",
        advice="`is None` is nearly always meant. Use it.",
    ),
    Code(
        "TNP305",
        "value is frozen when the function is traced",
        "warning",
        "manual",
        "medium",
        meaning="A NumPy call, typically a random draw, stands inside a function that runs under `tf.function`.",
        why="Python code runs once, while tracing; its result becomes a constant of the graph. Every later call gets "
        'the same "random" numbers.',
        before="""\
@tf.function
def noisy(x):
    return x + np.random.randn(3)
""",
        after="""\
@tf.function
def noisy(x, noise):
    return x + noise


y = noisy(x, tnp.asarray(np.random.randn(3)))
""",
        advice="Draw outside and pass the numbers in, which keeps NumPy's stream, or draw with `tf.random` inside.",
    ),
    Code(
        "TNP306",
        "class stays on NumPy as an island, because its methods share arrays",
        "warning",
        "likely",
        "high",
        meaning="Methods of the class write into an array that others may hold: a method returns it, keeps it "
        "elsewhere, or took it from its caller. Each method stays NumPy behind a boundary; the message names the "
        "attribute and the method that shares it. An attribute that nobody else holds is translated: `self.x[i] = v` "
        "becomes `self.x = index_update(self.x, i, v)`.",
        why="The analysis could not show that every holder of the array sees the update. Translating some of the "
        "methods would split one array into two that drift apart.",
        before="""\
class Trace:
    def __init__(self, n):
        self.data = np.zeros(n)

    def push(self, value):
        self.data[0] = value

    def values(self):
        return self.data
""",
        after="""\
class Trace:
    @tnh.island
    def __init__(self, n):
        self.data = np.zeros(n)

    @tnh.island
    def push(self, value):
        self.data[0] = value

    @tnh.island
    def values(self):
        return self.data
""",
        advice="Keep one owner for each array: with `return self.data.copy()` the tool translates this class. That is "
        "right where nobody relies on seeing later writes. Then run the tool again.",
    ),
    Code(
        "TNP307",
        "scatter behaves differently on a GPU",
        "warning",
        "manual",
        "medium",
        meaning="An update with indices that may repeat or be out of range became a TensorFlow scatter.",
        why="Out-of-range indices raise on the CPU and are dropped on a GPU. With repeated indices the last value wins "
        "on the CPU and any of them on a GPU. A test on the CPU cannot show either.",
        before="""\
table[slots] = values
""",
        after="""\
tf.debugging.assert_less(slots, len(table))
table = index_update(table, slots, values)
""",
        advice="Make sure that indices are unique and in range, by how they are made or by an assertion. Where "
        "repeats should add up, use `np.add.at`, which becomes an accumulating scatter.",
    ),
    Code(
        "TNP308",
        "module-level code stays on NumPy, because it mutates arrays",
        "warning",
        "likely",
        "low",
        meaning="Statements outside any function write into arrays in a way that has no sound functional form. They "
        "stay NumPy, all of the module's; its functions are translated. The message says what is in the way.",
        why="Only a function can be an island: module-level names are visible to other modules, which may hold the "
        "same array.",
        before="""\
window = np.zeros(64)
seen = [window]
for gain in range(3):
    window[gain] = gain
    seen.append(window)


def total(x):
    return np.sum(x)
""",
        after="""\
window = np.zeros(64)
seen = [window]
for gain in range(3):
    window[gain] = gain
    seen.append(window)


def total(x):
    return tnp.sum(x)
""",
        advice="Move the statements into a function that returns the finished arrays, or remove what the message names "
        "(here: append a copy). The names hold ndarrays: functions that are translated take them as they take any "
        "ndarray.",
    ),
    Code(
        "TNP309",
        "NumPy behaviour is switched on in a project that imports Keras",
        "warning",
        "manual",
        "medium",
        meaning="The translated code needs `experimental_enable_numpy_behavior()`, and the same project imports Keras "
        "or a library built on it.",
        why="The switch is global to TensorFlow: dtype promotion, indexing and operators change for all code in the "
        "process. hls4ml and keras-hub broke under it.",
        before="""\
import keras
import numpy as np

x = np.linspace(0, 1, 9)
""",
        after="""\
import keras
import tensorflow.experimental.numpy as tnp

tnp.experimental_enable_numpy_behavior()
x = tnp.linspace(0, 1, 9)
""",
        advice="Run the models' tests once with the switch on. If they change, keep array code and models in separate "
        "processes, or build the models before the helper module is imported.",
    ),
    Code(
        "TNP310",
        "function now returns the array that it used to change",
        "warning",
        "likely",
        "low",
        meaning="The function wrote into its parameter. Now it returns the new value, behind the result that it had, "
        "and the calls in this project assign it. Callers elsewhere have to do so too.",
        why="A tensor cannot be changed in place, so the caller's array no longer changes by itself. (An ndarray still "
        "does: the helpers write into it and give it back.)",
        before="""\
def normalise(weights):
    total = weights.sum()
    weights /= total
    return total


def blend(images):
    weights = np.ones(len(images))
    total = normalise(weights)
    return np.tensordot(weights, images, 1) * total
""",
        after="""\
def normalise(weights):
    total = weights.sum()
    weights = tnh.in_place(weights, weights / total)
    return total, weights


def blend(images):
    weights = tnp.ones(len(images))
    total, weights = normalise(weights)
    return tnh.tensordot(weights, images, 1) * total
""",
        advice="Tell users of the function: `t = f(a)` becomes `t, a = f(a)`, and `f(a)` without a result becomes "
        "`a = f(a)`. The message names the parameters in their order.",
    ),
    Code(
        "TNP311",
        "shape depends on the data in a function that is compiled",
        "warning",
        "manual",
        "medium",
        meaning="A boolean mask, `nonzero`, `unique` or the like stands in a function compiled with "
        "`jit_compile=True`.",
        why="XLA needs sizes while compiling and pads the result instead: `a[a > 1][-1]` reads the padding, and "
        "`cumsum` of a masked array crashes the process.",
        before="""\
@tf.function(jit_compile=True)
def total_above(a, limit):
    return tnp.sum(a[a > limit])
""",
        after="""\
@tf.function(jit_compile=True)
def total_above(a, limit):
    return tnp.sum(tnp.where(a > limit, a, 0.0))
""",
        advice="Mask with `tnp.where` and keep the size, or leave `jit_compile` off for this function.",
    ),
    Code(
        "TNP312",
        "0-d arrays and scalars are told apart",
        "warning",
        "manual",
        "low",
        meaning="The code asks whether a value is a scalar, and the value may be an array without dimensions.",
        why="NumPy gives scalars and 0-d arrays, TensorFlow 0-d tensors for both, so the question has one answer.",
        before="""\
def kind(x):
    return "number" if np.isscalar(x) else "array"
""",
        after="""\
def kind(x):
    return "number" if tnp.ndim(x) == 0 else "array"
""",
        advice="Ask for the number of dimensions.",
    ),
    Code(
        "TNP313",
        "floating point errors are to be raised or warned of",
        "warning",
        "manual",
        "medium",
        meaning="`np.errstate` or `np.seterr` asks for an exception or a warning on division by zero, overflow or NaN.",
        why="TensorFlow's kernels give infinities and NaN without a word, so the block never raises.",
        before="""\
with np.errstate(divide="raise"):
    ratio = a / b
""",
        after="""\
ratio = tf.debugging.check_numerics(a / b, "a / b")
""",
        advice="Check the result with `tf.debugging.check_numerics`, or the operands before.",
    ),
    Code(
        "TNP314",
        "NumPy raises here and TensorFlow does not",
        "warning",
        "manual",
        "low",
        meaning="The expression is an error to NumPy: a number that does not fit the dtype, a float added in place to "
        "integers, the truth of an empty array.",
        why="TensorFlow wraps the number, promotes the dtype or gives False, and goes on.",
        before="""\
counts = np.zeros(3, dtype=np.uint8)
counts = counts + 300
""",
        after="""\
counts = tnp.zeros(3, dtype=tnp.int64)
counts = counts + 300
""",
        advice="Take a dtype that holds the result, or check; code that relies on the exception must test itself.",
    ),
)
