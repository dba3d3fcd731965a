"""1xx: the site was translated; these say where a look is worth it."""

from __future__ import annotations

from tnp_migrate.diagnostics.codes.entry import Code

DONE = (
    Code(
        "TNP101",
        "method call left to dispatch on the value",
        "info",
        "likely",
        "low",
        meaning="A method was called on a value whose kind is not known. The call stays as it was: a tensor answers it "
        "with the ndarray method that the helper module gives to `tf.Tensor`, any other object with its own.",
        why="`x.sum()` may be called on an array, a DataFrame or an object of yours. A rewrite to `tnp.sum(x)` would "
        "be wrong for two of the three, and plain tensors lack `.sum`, `.any`, `.argmax` and 50 more.",
        before="""\
def total(x):
    return x.sum(axis=0)
""",
        after="""\
def total(x):
    return x.sum(axis=0)
""",
        advice="Nothing, if you are content with methods on `tf.Tensor`. An annotation (`x: np.ndarray`) proves the "
        "kind and makes the call `tnp.sum(x, axis=0)`; `--no-tensor-methods` flags every such call instead.",
    ),
    Code(
        "TNP102",
        "call became a helper function",
        "info",
        "safe",
        "low",
        meaning="The rule for this function is a short expression, but this site could not take it, so the call goes "
        "to a copy of the rule in the helper module. The message names what stood in the way.",
        why="An expression may only be put in place of a call when no argument is evaluated twice or in another order, "
        "and when the text of the call decides every condition of the rule.",
        before="""\
low = np.clip(weights, 0, None)
any_bound = np.clip(weights, 0, limit)
""",
        after="""\
low = tnp.maximum(weights, 0)
any_bound = clip(weights, 0, limit)
""",
        advice="Nothing: the helper computes the same. If you know the answer (here: `limit` is never None), write the "
        "short form yourself.",
    ),
    Code(
        "TNP103",
        "result is a 0-d tensor where NumPy gave a scalar",
        "info",
        "likely",
        "low",
        meaning="The result has NumPy's value and dtype, but NumPy returned a scalar such as `np.float64` here and "
        "TensorFlow returns a tensor of rank 0.",
        why="`np.float64` is a subclass of `float` and can be hashed; a tensor is neither, so `isinstance(m, float)`, "
        "a dict key, `json.dumps` and a list index behave differently.",
        before="""\
mean = np.mean(losses)
history[mean] = epoch
""",
        after="""\
mean = tnp.mean(losses)
history[float(mean)] = epoch
""",
        advice="Put `float(...)` or `int(...)` where the value leaves array code: dict keys, JSON, logging, indices. "
        "Leave it a tensor where the gradient or a graph needs it.",
    ),
    Code(
        "TNP104",
        "isinstance check widened to tensors",
        "info",
        "safe",
        "low",
        meaning="A test against `np.ndarray` now accepts `tf.Tensor` as well, but for one without dimensions.",
        why="The translated program passes tensors where it passed arrays, and `isinstance(tensor, np.ndarray)` is "
        "False: without the change the other branch would run. What NumPy gives as a number, `x.sum()` or `x[0]`, is a "
        "tensor without dimensions and no array to `tnh.ndarray`, as it is none to NumPy.",
        before="""\
if isinstance(x, np.ndarray):
    x = x.tolist()
""",
        after="""\
if isinstance(x, tnh.ndarray):
    x = x.tolist()
""",
        advice="Check that the branch is right for tensors: it must not write into `x` nor hand it to a library that "
        "insists on ndarrays.",
    ),
    Code(
        "TNP105",
        "kept on NumPy on purpose",
        "info",
        "safe",
        "low",
        meaning="This reference still uses NumPy: files, printing, error state, dtype objects, tests and the like.",
        why="TensorFlow has nothing better for it, or no array is involved. NumPy functions read tensors through "
        "`__array__`, so the call still works in eager mode.",
        before="""\
table = np.loadtxt("measured.csv", delimiter=",")
np.set_printoptions(precision=3)
""",
        after="""\
table = tnp.asarray(np.loadtxt("measured.csv", delimiter=","))
np.set_printoptions(precision=3)
""",
        advice="Nothing. Move such calls out of functions that you decorate with `tf.function`: there they would run "
        "once, while tracing.",
    ),
    Code(
        "TNP106",
        "numbers drawn by NumPy, then converted",
        "info",
        "safe",
        "low",
        meaning="The random numbers still come from NumPy's stream and are converted to a tensor.",
        why="The same seed gives other numbers in TensorFlow: `seed(0); rand(2)` starts with 0.549 in NumPy and 0.336 "
        "in tnp. Keeping the stream keeps results, tests and published figures.",
        before="""\
np.random.seed(0)
noise = np.random.randn(3)
""",
        after="""\
np.random.seed(0)
noise = tnp.asarray(np.random.randn(3))
""",
        advice="Where only the distribution matters and draws should happen on the device, run with "
        "`--random tensorflow`. Inside `tf.function` you must: see TNP305.",
    ),
    Code(
        "TNP107",
        "public function still receives ndarrays",
        "info",
        "likely",
        "low",
        meaning="Callers outside the project, or still on NumPy, pass ndarrays to this function. Its operators then "
        "compute on NumPy, on the CPU and without gradients; only its `tnp` calls reach TensorFlow.",
        why="`a * 2` runs the code of `a`'s type. For an ndarray that is NumPy, whatever the module imports.",
        before="""\
def scale(x: np.ndarray) -> np.ndarray:
    return (x - 3) * 2
""",
        after="""\
def scale(x):
    x = tnp.asarray(x)
    return (x - 3) * 2
""",
        advice="Convert where the function begins, as shown, or pass tensors from the caller. The numbers are the same "
        "either way.",
    ),
    Code(
        "TNP108",
        "helper module was changed by hand and is kept",
        "info",
        "manual",
        "low",
        meaning="The helper module on disk differs from what the tool last wrote, so it was not overwritten.",
        why="The helper module is yours to edit; a second run must not undo your edits. Helpers that this run needs "
        "and the module lacks are added at its end.",
        before="""\
from _tnp_helpers import median
""",
        after="""\
from _tnp_helpers import median, percentile
""",
        advice="See that what was added goes with your edits, or delete the module and run again to get a fresh one.",
    ),
    Code(
        "TNP109",
        "name removed in NumPy 2 translated as its successor",
        "info",
        "safe",
        "low",
        meaning="The code uses a name that NumPy 2 no longer has; it was translated as the name that replaced it.",
        why="NumPy 1 code still has `np.product`, `np.in1d`, `np.trapz`, `np.float_` or `np.NaN`. They mean exactly "
        "what `np.prod`, `np.isin`, `np.trapezoid`, `np.float64` and `np.nan` mean.",
        before="""\
cells = np.product(shape)
gap = np.NaN
""",
        after="""\
cells = tnp.prod(shape)
gap = np.nan
""",
        advice="Nothing. `numpy` 2 can be a requirement of the project from now on.",
    ),
    Code(
        "TNP110",
        "function passed as a value was replaced",
        "info",
        "likely",
        "low",
        meaning="A NumPy function is handed over without being called, as in `map(np.sqrt, xs)`. It became the tnp "
        "function or the helper of the same meaning. In the statements of a class a ufunc, of which NumPy makes no "
        "method, becomes a `staticmethod`. Where some functions stay on NumPy, one that may give back the memory of "
        "its argument becomes `tnh.either(np.asarray, tnp.asarray)`: NumPy's for an ndarray, else the one on tensors. "
        "Where the project calls what a variable holds with `out=`, `where=` or `dtype=`, it becomes "
        "`tnh.taking_options(tnp.sqrt)`, which takes them at their defaults. Where it asks one for `nin` or `reduce`, "
        "a ufunc becomes `tnh.as_ufunc(np.add, tnp.add)`, which has what NumPy's has; NumPy computes its methods.",
        why="The calls happen elsewhere, so their arguments cannot be checked here: a keyword that the replacement "
        "lacks would be an error when it is called.",
        before="""\
activations = {"tanh": np.tanh, "exp": np.exp}
""",
        after="""\
activations = {"tanh": tnp.tanh, "exp": tnp.exp}
""",
        advice="Look at where the value is called, and at tests such as `if f is np.exp`: both sides must have moved. "
        "A library that calls it, as pandas does in `frame.p.apply(np.sqrt)`, now gets tensors and may keep them as "
        "objects: say the same by what the library has itself, such as `frame.p**0.5`.",
    ),
    Code(
        "TNP111",
        "numbers drawn by TensorFlow instead of NumPy",
        "info",
        "manual",
        "low",
        meaning="With `--random tensorflow` draws come from TensorFlow's generator: same distribution, shape and "
        "dtype, other numbers. This is said where a stream is seeded or made, and at the first draw of a file that "
        "seeds none.",
        why="The two libraries use different generators, so a seed that reproduced a result in NumPy reproduces "
        "another one now. `tnh.random.seed` seeds NumPy's stream as well, for what is still drawn there (in islands, "
        "say); `np.random.seed` in code that is not translated does not reach TensorFlow's.",
        before="""\
np.random.seed(0)
noise = np.random.standard_normal((3, 3))
""",
        after="""\
tnh.random.seed(0)
noise = tnh.random.standard_normal((3, 3))
""",
        advice="Update tests that compare with stored numbers to compare statistics. Draw many numbers at once: a draw "
        "of one costs a call of TensorFlow, hundreds of times NumPy's. Without `--random tensorflow` the "
        "stream stays NumPy's.",
    ),
    Code(
        "TNP112",
        "arrays converted where they leave for another library",
        "info",
        "safe",
        "low",
        meaning="A tensor goes to a library that expects ndarrays (plotting, data frames, files), so the argument is "
        "converted there.",
        why="Many libraries test for `np.ndarray` or iterate over the values one by one, which on tensors is slow or "
        "fails: `plt.hist` draws one histogram for each row of a tensor.",
        before="""\
plt.hist(residuals)
""",
        after="""\
plt.hist(np.asarray(residuals))
""",
        advice="Nothing. The conversion costs a copy from the device; keep it out of inner loops.",
    ),
    Code(
        "TNP113",
        "rests on what a recorded run has seen",
        "info",
        "likely",
        "low",
        meaning="With `--evidence` a parameter was taken for what all recorded calls gave for it: a Python number, a "
        "text, an array of one dtype or rank, an instance of one class. The message names the parameter and the calls. "
        "`tnh.seen(...)` at the beginning of the function raises `TypeError` for anything else.",
        why="Without it more would stay on NumPy: where a parameter may be an array, it may share its memory with "
        "others. That it never is one in your tests makes it likely, not certain, and so it is checked in each call.",
        before="""\
def scaled(x, factor):
    x *= factor
    return x
""",
        after="""\
def scaled(x, factor):
    tnh.seen("number", factor=factor)
    x = x * factor
    return x
""",
        advice="Nothing, if the function is called with that only; an annotation says it as well. Where it is called "
        "with something else, too, add a test that does, record again and translate again: what calls give several "
        "kinds for is not assumed.",
    ),
    Code(
        "TNP114",
        "file has changed since it was recorded",
        "info",
        "safe",
        "low",
        meaning="`--evidence` was given a recording of another text of this file. What it has seen of the functions in "
        "the file is not used.",
        why="A function that was changed may be called with something else now.",
        before="""\
def scaled(x, factor):  # recorded as: return x * factor
    x *= factor
    return x
""",
        after="""\
def scaled(x, factor):  # translated as if nothing had been recorded
    x = tnh.in_place(x, x * factor)
    return x
""",
        advice="Record again, before the translation and after the last change.",
    ),
    Code(
        "TNP150",
        "link out of what was given is left alone",
        "info",
        "manual",
        "low",
        meaning="A symbolic link leads to a file or folder that is in none of the given paths. It was not followed.",
        why="What is written through such a link changes files that nobody named, of another project perhaps.",
        before="""\
import subprocess

subprocess.run(["tnp-migrate", "app/"], check=True)  # app/shared is a link to ../shared
""",
        after="""\
import subprocess

subprocess.run(["tnp-migrate", "app/", "shared/"], check=True)
""",
        advice="Give the path that the link leads to as well, if it is to be translated.",
    ),
)
