"""2xx: the site was left as it was, because only you know what it should become."""

from __future__ import annotations

from tnp_migrate.diagnostics.codes.entry import Code

LEFT = (
    Code(
        "TNP201",
        "no TensorFlow equivalent",
        "warning",
        "manual",
        "medium",
        meaning="TensorFlow has no function that does this, and no helper gives NumPy's result. The call still goes to "
        "NumPy.",
        why="A NumPy call on tensors works in eager mode by copying to the host: it returns an ndarray, stops the "
        "gradient and cannot be traced into a graph.",
        before="""\
kernel = np.lib.scimath.sqrt(signal)
""",
        after="""\
kernel = tf.sqrt(tf.cast(signal, tf.complex128))
""",
        advice="Write the calculation with functions that exist, move it out of the code that must run on the device, "
        "or accept the round trip: `tnp.asarray(np.f(np.asarray(x)))`. Then suppress the code with a reason.",
    ),
    Code(
        "TNP202",
        "parameter not supported",
        "warning",
        "manual",
        "low",
        meaning="The function has a translation, but not for the parameter named in the message.",
        why="A parameter that were accepted and ignored would give other numbers without a word; tnp does so with "
        "`linspace(dtype=)` and `pad(reflect_type=)`.",
        before="""\
np.sqrt(x, out=buffer)
shares = np.divide(part, total, where=total != 0, out=np.zeros(3))
""",
        after="""\
buffer = tnp.sqrt(x)
shares = tf.math.divide_no_nan(part, total)
""",
        advice="Say the same without the parameter: assign instead of `out=`, `tnp.where` or `tf.math.divide_no_nan` "
        "instead of `where=`, a cast instead of `casting=`.",
    ),
    Code(
        "TNP203",
        "call with star arguments cannot be checked",
        "warning",
        "manual",
        "low",
        meaning="The arguments are unpacked from `*args` or `**kwargs`, so it is not known which parameters are used.",
        why="A translation is only right for the parameters it supports. What the dictionary holds is known when the "
        "program runs, not when it is read.",
        before="""\
def spread(x, **options):
    return np.std(x, **options)
""",
        after="""\
def spread(x, axis=None, ddof=0):
    return std(x, axis=axis, ddof=ddof)
""",
        advice="Name the parameters, here and in the function that passes them on. If the callers are few, write out "
        "what they pass.",
    ),
    Code(
        "TNP204",
        "getattr on NumPy with a name that is computed",
        "warning",
        "manual",
        "medium",
        meaning="The name of the NumPy function is computed, so it is not known which function is meant.",
        why="`getattr(np, 'sum')` is translated; `getattr(np, name)` may be any of 500 names, of which some have no "
        "equivalent and others need a helper.",
        before="""\
def reduce_by(name, x):
    return getattr(np, name)(x)
""",
        after="""\
REDUCTIONS = {"sum": tnp.sum, "mean": tnp.mean, "max": tnp.max}


def reduce_by(name, x):
    return REDUCTIONS[name](x)
""",
        advice="Write the table of the names that really occur. Each entry is then translated and checked.",
    ),
    Code(
        "TNP205",
        "the NumPy module is passed as a value",
        "warning",
        "manual",
        "medium",
        meaning="`np` itself is assigned, passed or returned, so any attribute of it may be used elsewhere.",
        why="Array-backend code (`xp = np`) calls functions through a variable. `tnp` can stand in only if every "
        "function used through it exists there and behaves the same.",
        before="""\
def softmax(x, xp=np):
    return xp.exp(x) / xp.sum(xp.exp(x))
""",
        after="""\
def softmax(x, xp=tnp):
    return xp.exp(x) / xp.sum(xp.exp(x))
""",
        advice="List the functions used through the variable (`tnp-migrate rule NAME` shows each). If all are direct, "
        "pass `tnp`; otherwise give it an object that holds the helpers.",
    ),
    Code(
        "TNP206",
        "NumPy is monkeypatched",
        "warning",
        "manual",
        "medium",
        meaning="The program assigns to an attribute of the NumPy module.",
        why="Later uses of that name mean the new value. The translated program uses tnp, which the assignment does "
        "not touch, so calls and patch would part.",
        before="""\
np.float = float
values = np.zeros(3, dtype=np.float)
""",
        after="""\
values = tnp.zeros(3, dtype=float)
""",
        advice="Most patches bring back a name that NumPy removed: delete the patch and use the successor. Wrap a "
        "function of your own instead of replacing NumPy's.",
    ),
    Code(
        "TNP207",
        "star import cannot be resolved",
        "warning",
        "manual",
        "low",
        meaning="A star import of a module that re-exports NumPy (pylab, say), or one below `from numpy import *` of a "
        "module that is not part of the project, hides which names are NumPy's.",
        why="The star brings in about 500 names and shadows the builtins `sum`, `min`, `max`, `any`, `all`, `abs` and "
        "`round`. A name may also come from another star import.",
        before="""\
from numpy import *
from physics import *

energy = sum(mass * velocity**2) / 2
""",
        after="""\
import tensorflow.experimental.numpy as tnp
from physics import mass, velocity

energy = tnp.sum(mass * velocity**2) / 2
""",
        advice="Import the module under a name and qualify the uses, then run the tool again.",
    ),
    Code(
        "TNP208",
        "NumPy used inside a string that is executed",
        "warning",
        "manual",
        "medium",
        meaning="A string handed to `eval`, `exec` or `timeit` refers to NumPy, or may: it is not written in the file "
        "and can read its names.",
        why="Code in a string is built while the program runs; an edit of a part of it cannot be checked.",
        before="""\
f = eval("lambda x: np.sin(x) * " + gain)
""",
        after="""\
def f(x):
    return tnp.sin(x) * float(gain)
""",
        advice="Turn the string into a function. If it must stay text, change the names in it by hand and see that "
        "`tnp` is among the names given to `eval`.",
    ),
    Code(
        "TNP209",
        "expression on a dtype not translated",
        "warning",
        "manual",
        "low",
        meaning="The code asks an array's dtype something that a TensorFlow dtype does not answer.",
        why="A tensor's `dtype` is a `tf.DType`: it has no `kind`, `itemsize`, `char` or `type`, NumPy's `finfo`, "
        "`issubdtype` and `zeros` refuse it, and `dtype == float` is False.",
        before="""\
if x.dtype.kind == "f" and x.dtype.itemsize == 8:
    eps = np.finfo(x.dtype).eps
""",
        after="""\
if x.dtype.is_floating and x.dtype.size == 8:
    eps = np.finfo(x.dtype.as_numpy_dtype).eps
""",
        advice="Use `is_floating`, `is_integer`, `is_complex`, `is_bool` and `size`, or go back to NumPy's dtype with "
        "`x.dtype.as_numpy_dtype`.",
    ),
    Code(
        "TNP210",
        "suppression is not used",
        "warning",
        "manual",
        "low",
        meaning="A `# tnp: ignore` comment suppresses nothing: no such diagnostic arises there, the code does not "
        "exist, or the comment is not where it would work.",
        why="A comment left behind would hide the next real problem on its line.",
        before="""\
y = np.sqrt(x)  # tnp: ignore[TNP201] checked by hand
""",
        after="""\
y = np.sqrt(x)
""",
        advice="Delete the comment. To suppress, put it at the end of the line that the diagnostic names; "
        "`# tnp: ignore-file[CODE]` stands on a line of its own.",
    ),
    Code(
        "TNP211",
        "NumPy has no such name",
        "warning",
        "manual",
        "low",
        meaning="The program uses an attribute that neither NumPy 2 nor an earlier NumPy is known to have.",
        why="It is a misspelling, a name that something adds at run time, or newer than this tool. The line may never "
        "have run.",
        before="""\
angles = np.arctan3(y, x)
""",
        after="""\
angles = tnp.arctan2(y, x)
""",
        advice="Correct the name. If it is added at run time, see TNP206.",
    ),
    Code(
        "TNP212",
        "NumPy imported under a name that is computed",
        "warning",
        "manual",
        "medium",
        meaning="`importlib.import_module`, `__import__`, `pytest.importorskip` or `sys.modules` gets a name that may "
        "be NumPy, or what it gives is used on the spot.",
        why="`np = importlib.import_module('numpy')` is followed like an import. With a computed name it is not known "
        "whether the module is NumPy at all.",
        before="""\
xp = importlib.import_module(os.environ.get("BACKEND", "numpy"))
""",
        after="""\
backend = os.environ.get("BACKEND", "tensorflow.experimental.numpy")
xp = importlib.import_module(backend)
""",
        advice="Decide which backends remain and give each its own import statement; then TNP205 applies.",
    ),
    Code(
        "TNP213",
        "notebook cell is not Python",
        "warning",
        "manual",
        "low",
        meaning="A cell does not parse, or a cell magic hands it to something else (`%%cython`, `%%writefile`) and it "
        "names NumPy. It is as it was; the other cells are translated, without what this one binds.",
        why="Only what parses can be read. A cell magic may run the cell as another language or in another process, so "
        "its text is not part of the module that the other cells form.",
        before="""\
get_ipython().run_cell_magic("cython", "", "import numpy as np")
""",
        after="""\
get_ipython().run_cell_magic("cython", "", "import numpy as np")
""",
        advice="Mend the cell, or change it by hand. A cell of Python 2 can be changed with `2to3`.",
    ),
    Code(
        "TNP214",
        "examples in docstrings name NumPy",
        "warning",
        "manual",
        "low",
        meaning="The examples behind `>>>` in docstrings were left as they were, and the import that they read stays. "
        "A file has one such finding, at its first docstring of this kind.",
        why="What they print is part of them: NumPy's `array([1., 2.])` is `<tf.Tensor: ...>` now, and doctest "
        "compares texts.",
        before="""\
def halves(x):
    \"\"\"
    >>> halves(np.arange(2))
    array([0. , 0.5])
    \"\"\"
    return x / 2
""",
        after="""\
def halves(x):
    \"\"\"
    >>> halves(tnp.arange(2)).numpy()
    array([0. , 0.5])
    \"\"\"
    return x / 2
""",
        advice="If they are run, take `.numpy()` of what they print; if not, see that they still say the truth.",
    ),
    Code(
        "TNP215",
        "magic of a notebook is left as it is",
        "warning",
        "manual",
        "low",
        meaning="A magic names NumPy (`%pylab`, `%prun np.dot(a, b)`), or times code that writes to an array of the "
        "notebook. The line, or the cell that is timed, is as it was; the rest is translated.",
        why="Magics are not Python. What is timed runs in a function of its own, where `a = update(a)` would bind a "
        "local name.",
        before="""\
a = np.zeros(3)
# %timeit a[0] = 1
""",
        after="""\
a = tnp.zeros(3)
# %timeit a[0] = 1
""",
        advice="Change the line by hand: a tensor cannot be written to, so time a function that returns the new array. "
        "Write `import numpy as np` in the place of `%pylab`.",
    ),
)
