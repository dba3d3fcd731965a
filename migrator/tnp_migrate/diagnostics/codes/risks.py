"""3xx: analysis found a risk; the program runs, and this is what it rests on."""

from __future__ import annotations

from tnp_migrate.diagnostics.codes.entry import Code

RISKS = (
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
        meaning="NumPy draws random numbers inside a function that runs under `tf.function`: one that is decorated "
        "with it, passed to it, or called by such a function. With `--random tensorflow`, a generator is made there.",
        why="Python code runs once, while tracing; its result becomes a constant of the graph. Every later call gets "
        'the same "random" numbers. A generator of TensorFlow holds its state in a variable, which a traced function '
        "may not make each time it is traced.",
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
        advice="Draw outside and pass the numbers in, which keeps NumPy's stream, or draw with `tf.random` inside: "
        "`--random tensorflow` writes that. Make generators outside.",
    ),
    Code(
        "TNP307",
        "a GPU adds in any order",
        "warning",
        "manual",
        "low",
        meaning="`np.add.at`, `np.subtract.at` or `np.bincount` with weights sums numbers that may be floats at places "
        "that may repeat.",
        why="On a CPU such sums are taken in order. A GPU takes them as they come, so that the last digits are others "
        "in each run: 20 runs with a million numbers gave 20 results, up to 3e-15 (float64) and 2e-6 (float32) of the "
        "largest apart. Integers are exact. (What else a scatter does otherwise on a GPU, places out of range and "
        "repeated ones in an assignment, the helpers settle as NumPy does.)",
        before="""\
np.add.at(histogram, bins, weights)
""",
        after="""\
tf.config.experimental.enable_op_determinism()

histogram = tnh.add_at(histogram, bins, weights)
""",
        advice="Nothing where the last digits do not matter. `tf.config.experimental.enable_op_determinism()` gives "
        "the same bits in each run, and takes longer.",
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
    Code(
        "TNP317",
        "TensorFlow raises here and NumPy does not",
        "warning",
        "manual",
        "low",
        meaning="The operation has no implementation in TensorFlow for the dtypes of its operands: powers of unsigned "
        "integers, the remainder of bools, `a < b < c` of complex numbers or of bools.",
        why="TensorFlow's kernels are compiled for some dtypes only: it raises InvalidArgumentError there. A power of "
        "bools is computed in another dtype: `np.array([True]) ** 2` is int8 in NumPy and int64 in TensorFlow.",
        before="""\
levels = np.arange(4, dtype=np.uint8)
weights = levels**2
""",
        after="""\
levels = tnp.arange(4, dtype=tnp.uint8)
weights = tnp.asarray(tnp.asarray(levels, tnp.int64) ** 2, tnp.uint8)
""",
        advice="Cast the operands to a dtype that TensorFlow has the operation for, and the result back.",
    ),
    Code(
        "TNP320",
        "singular vectors or eigenvectors may have other signs",
        "warning",
        "manual",
        "low",
        meaning="The vectors of `np.linalg.svd` or `np.linalg.eigh` are used. Each may be NumPy's times -1 (complex "
        "ones times a number of size 1); those of equal values may be any basis of the same space.",
        why="The sign of such a vector is free: NumPy promises none either, and another LAPACK gives others. What is "
        "computed from a vector together with its partner, such as `u @ np.diag(s) @ vt`, does not depend on it.",
        before="""\
components = np.linalg.svd(centred)[2]
scores = centred @ components.T
""",
        after="""\
components = tnh.svd(centred)[2]
largest = tnp.argmax(tnp.abs(components), axis=1)[:, None]
signs = tnp.sign(tnp.take_along_axis(components, largest, axis=1))
components = components * signs
scores = centred @ tnp.transpose(components)
""",
        advice="Nothing if the signs do not matter to what follows. Where they do, fix them, by the largest entry of "
        "each vector say: then the numbers are the same everywhere.",
    ),
    Code(
        "TNP321",
        "error that is caught may be TensorFlow's",
        "warning",
        "manual",
        "low",
        meaning="A handler that catches what NumPy raises, and now what TensorFlow raises in its place, reads the "
        "error: its class, its text or its arguments.",
        why="TensorFlow raises `tf.errors.InvalidArgumentError` where shapes do not fit, with a text of its own; it is "
        "no ValueError.",
        before="""\
try:
    total = a + b
except ValueError as error:
    names.append(type(error).__name__)
""",
        after="""\
try:
    total = a + b
except (ValueError, tf.errors.InvalidArgumentError):
    names.append("ValueError")
""",
        advice="Nothing if the error is only shown or logged. Where its class or its text decides, test what leads to "
        "it before the call, or write out what is meant.",
    ),
    Code(
        "TNP323",
        "arrays or functions are told apart by what they are",
        "warning",
        "manual",
        "low",
        meaning="The code asks whether two arrays are one object, by `is` or `id`, or whether a function is a "
        "`np.ufunc`.",
        why="A tensor never changes, so that a copy or a view of it may be the tensor itself, and a write to an array "
        "binds its name to another tensor. The functions that stand for NumPy's are Python's own, and no ufuncs.",
        before="""\
if copy.deepcopy(x) is not x and isinstance(f, np.ufunc):
    y = f(x)
""",
        after="""\
if callable(f):
    y = f(x)
""",
        advice="Ask for what the answer is needed for: compare the numbers, keep a flag, or look at a function's name.",
    ),
    Code(
        "TNP330",
        "another file has to be migrated with this one",
        "warning",
        "manual",
        "low",
        meaning="The file was translated as in a run over the whole project, and imports, or is imported by, a file "
        "that such a run would change too and that was not given.",
        why="A function that writes to its argument returns it once it is translated, and its callers take the result: "
        "a caller and a function of which only one is translated lose the write, or fail.",
        before="""\
import subprocess

subprocess.run(["tnp-migrate", "pkg/use.py"], check=True)
""",
        after="""\
import subprocess

subprocess.run(["tnp-migrate", "pkg/use.py", "pkg/lib.py"], check=True)
""",
        advice="Migrate the files that the message names as well, before the code runs; `tnp-migrate .` does all of "
        "them. Each file gets the same text whenever it is given.",
    ),
)
