"""4xx, first part: NumPy features of Python code that tensors do not have (see `native` for the rest)."""

from __future__ import annotations

from tnp_migrate.diagnostics.codes.entry import Code

INCOMPATIBLE = (
    Code(
        "TNP407",
        "Fortran order",
        "error",
        "manual",
        "low",
        meaning="The code asks for column-major memory: `order='F'`, `np.asfortranarray`, `flags.f_contiguous`.",
        why="A tensor has no memory order that a program can choose or see. Only where the order decides in which "
        "sequence elements are read, as in `ravel('F')`, does it have a meaning for values.",
        before="""\
a = np.asfortranarray(a)
column_by_column = a.ravel("F")
""",
        after="""\
column_by_column = tnp.ravel(tnp.transpose(a))
""",
        advice="Drop it where it was for speed or for a Fortran library. Where it orders elements, transpose first, as "
        "shown. Arrays for a Fortran library stay on NumPy.",
    ),
    Code(
        "TNP408",
        "strides and memory layout",
        "error",
        "manual",
        "medium",
        meaning="The code looks at or builds on memory layout: `.strides`, `.flags`, `as_strided`, assignment to "
        "`.shape` of a view.",
        why="Tensors have values and a shape, no address and no strides. Overlapping windows have to be copied out.",
        before="""\
step = x.strides[0]
windows = np.lib.stride_tricks.as_strided(x, (len(x) - 2, 3), (step, step))
""",
        after="""\
windows = tf.signal.frame(x, frame_length=3, frame_step=1)
""",
        advice="Sliding windows are `tf.signal.frame` or `tf.image.extract_patches`; broadcasting by zero strides is "
        "`tnp.broadcast_to`. Checks of `.flags` can go.",
    ),
    Code(
        "TNP409",
        "object dtype",
        "error",
        "manual",
        "high",
        meaning="An array holds Python objects: `dtype=object`, ragged lists, `np.frompyfunc`.",
        why="TensorFlow has no dtype for Python objects, and operations on them would run Python code for each "
        "element.",
        before="""\
rows = np.array([[1, 2], [3]], dtype=object)
lengths = np.array([len(row) for row in rows])
""",
        after="""\
rows = tf.ragged.constant([[1, 2], [3]])
lengths = rows.row_lengths()
""",
        advice="Rows of different lengths are a `tf.RaggedTensor`; collections of objects are a list. Big integers and "
        "fractions stay on NumPy.",
    ),
    Code(
        "TNP410",
        "structured dtype or record array",
        "error",
        "manual",
        "high",
        meaning="An array has named fields: a structured dtype, `np.rec`, `np.recarray`, `x['field']`.",
        why="A tensor has one dtype for all its elements.",
        before="""\
points = np.zeros(5, dtype=[("x", float), ("id", int)])
points["x"] = 1.5
""",
        after="""\
points = {"x": tnp.zeros(5), "id": tnp.zeros(5, dtype=int)}
points["x"] = tnp.full(5, 1.5)
""",
        advice="Make it a dictionary or a dataclass with one tensor a field; `tf.nest` and `tf.data` understand both. "
        "Reading and writing such files stays on NumPy.",
    ),
    Code(
        "TNP411",
        "text or bytes dtype",
        "error",
        "manual",
        "medium",
        meaning="An array holds text: dtype `str`, `bytes`, `'U10'`, `'S4'`, or a function of `np.char`/`np.strings`.",
        why="`tf.string` holds bytes of any length, on the CPU only, and tnp functions refuse it.",
        before="""\
names = np.char.upper(np.array(["ada", "grace"]))
""",
        after="""\
names = tf.strings.upper(tf.constant(["ada", "grace"]))
""",
        advice="Keep labels on NumPy or in lists and move only numbers. `tf.strings` has case, split, join, regular "
        "expressions and substrings if text must be in a graph.",
    ),
    Code(
        "TNP412",
        "dates and time spans",
        "error",
        "manual",
        "medium",
        meaning="The code uses `datetime64` or `timedelta64`.",
        why="TensorFlow has no dtype for time; a conversion of such an array raises.",
        before="""\
elapsed = (times - times[0]) / np.timedelta64(1, "s")
speed = np.gradient(position, elapsed)
""",
        after="""\
elapsed = tnp.asarray((times - times[0]) / np.timedelta64(1, "s"))
speed = gradient(position, elapsed)
""",
        advice="Keep dates on NumPy and convert to a number of seconds or days before they enter array code, as shown.",
    ),
    Code(
        "TNP413",
        "np.matrix",
        "error",
        "manual",
        "medium",
        meaning="The code uses `np.matrix`, `np.asmatrix` or `np.bmat`, whose `*` is the matrix product.",
        why="A tensor's `*` is element by element, and `.I`, `.H` and `.A` do not exist. NumPy advises against the "
        "class as well.",
        before="""\
a = np.matrix([[1.0, 2.0], [3.0, 4.0]])
b = a.I * a
""",
        after="""\
a = tnp.array([[1.0, 2.0], [3.0, 4.0]])
b = tf.linalg.inv(a) @ a
""",
        advice="Make it an array first, still in NumPy: `*` becomes `@`, `**` becomes `matrix_power`, and slices lose "
        "a dimension. Run the tests, then run the tool.",
    ),
    Code(
        "TNP414",
        "masked arrays",
        "error",
        "manual",
        "medium",
        meaning="The code uses `np.ma`.",
        why="A masked array is an ndarray subclass that carries a second array; tensors have no such pair.",
        before="""\
seen = np.ma.masked_invalid(x)
mean = seen.mean()
""",
        after="""\
seen = tf.math.is_finite(x)
mean = tnp.mean(tf.boolean_mask(x, seen))
""",
        advice="Carry values and mask as two tensors and combine them with `tnp.where` or `tf.boolean_mask`. With NaN "
        "as the mark of what is missing, the `nan` functions (`nanmean`) do.",
    ),
    Code(
        "TNP415",
        "memory-mapped file",
        "error",
        "manual",
        "low",
        meaning="An array lives in a file: `np.memmap`, `np.load(mmap_mode=...)`.",
        why="A tensor's memory belongs to TensorFlow. Converting a memory map reads the whole file.",
        before="""\
volume = np.memmap("scan.raw", dtype=np.float32, shape=(500, 512, 512))
brightest = np.max(volume[10])
""",
        after="""\
volume = np.memmap("scan.raw", dtype=np.float32, shape=(500, 512, 512))
brightest = tnp.max(tnp.asarray(volume[10]))
""",
        advice="Keep the map on NumPy and convert the part in use, as shown; `tf.data` can do so ahead of time. Writes "
        "into the map stay on NumPy.",
    ),
    Code(
        "TNP416",
        "subclass of ndarray",
        "error",
        "manual",
        "high",
        meaning="A class derives from `np.ndarray` or is used through `.view(Class)`.",
        why="`tf.Tensor` cannot usefully be subclassed: operations return plain tensors.",
        before="""\
class Signal(np.ndarray):
    rate = 44100
""",
        after="""\
class Signal(tf.experimental.ExtensionType):
    samples: tf.Tensor
    rate: int = 44100
""",
        advice="Hold the array in an attribute instead of being one. `tf.experimental.ExtensionType` passes through "
        "`tf.function` and can override TensorFlow functions for itself.",
    ),
    Code(
        "TNP417",
        "NumPy's override protocols",
        "error",
        "manual",
        "high",
        meaning="A class defines `__array_ufunc__`, `__array_function__`, `__array_wrap__` or `__array_priority__`.",
        why="tnp functions do not ask for these methods: they turn their arguments into tensors, or refuse them.",
        before="""\
class Metres:
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        values = [getattr(item, "value", item) for item in inputs]
        return getattr(ufunc, method)(*values, **kwargs)


total = np.add.reduce(length)
""",
        after="""\
class Metres:
    def __tf_tensor__(self, dtype=None, name=None):
        return tf.convert_to_tensor(self.value, dtype, name=name)


total = tnp.sum(tf.convert_to_tensor(length))
""",
        advice="Where it is enough that the object can be read as a tensor, define `__tf_tensor__` and convert it "
        "before a tnp call, as shown. To override functions, use `tf.experimental.dispatch_for_api` on an "
        "ExtensionType. `__array__` goes on working.",
    ),
    Code(
        "TNP418",
        "extended precision",
        "error",
        "manual",
        "medium",
        meaning="The code uses `longdouble`, `float128`, `float96` or their complex kinds.",
        why="TensorFlow's widest float is float64. A silent change of 64 to 53 bits of mantissa would change results.",
        before="""\
total = np.sum(x, dtype=np.longdouble)
""",
        after="""\
total = np.float64(math.fsum(x))
""",
        advice="Find out whether float64 is enough, with compensated summation if need be. Otherwise the function "
        "stays on NumPy: an island.",
    ),
    Code(
        "TNP423",
        "memory shared or reinterpreted",
        "error",
        "manual",
        "medium",
        meaning="The code handles an array's memory: `np.frombuffer`, `.data`, `.base`, `.view(dtype)`, `byteswap`, "
        "`setflags`.",
        why="A tensor's memory is read-only to Python and may be on another device.",
        before="""\
samples = np.frombuffer(packet, dtype=np.int16)
bits = x.view(np.int64)
""",
        after="""\
samples = tf.io.decode_raw(packet, tf.int16)
bits = tf.bitcast(x, tf.int64)
""",
        advice="`tf.io.decode_raw` reads bytes and `tf.bitcast` reinterprets. Questions such as `x.base is None` have "
        "no meaning for tensors and can go.",
    ),
    Code(
        "TNP424",
        "iterator over the elements of an array",
        "error",
        "manual",
        "medium",
        meaning="The code uses `np.nditer`, `np.nested_iters`, `np.broadcast` objects or `.flat` as an iterator that "
        "writes.",
        why="These objects walk an array's memory, and write into it. For tensors an element at a time is the slowest "
        "way there is.",
        before="""\
with np.nditer(x, op_flags=["readwrite"]) as it:
    for cell in it:
        cell[...] = max(cell, 0)
""",
        after="""\
x = tnp.maximum(x, 0)
""",
        advice="Write the loop's body for the whole array. Where that cannot be done, the function is best left an "
        "island.",
    ),
    Code(
        "TNP425",
        "stored arrays must stay NumPy",
        "error",
        "manual",
        "low",
        meaning="A pickle, an `.npz` of objects or another stored form holds ndarrays inside it, and what is loaded "
        "flows into translated code.",
        why="Files that exist hold ndarrays, and other programs read what this one writes. What comes out of a pickle "
        "is not known when the code is read.",
        before="""\
with open("model.pkl", "rb") as file:
    weights = pickle.load(file)["weights"]
""",
        after="""\
with open("model.pkl", "rb") as file:
    weights = tnp.asarray(pickle.load(file)["weights"])
""",
        advice="Convert after loading, as shown, and with `np.asarray` before storing. The files keep their format.",
    ),
    Code(
        "TNP426",
        "array shared between processes",
        "error",
        "manual",
        "high",
        meaning="An ndarray is laid over `multiprocessing.shared_memory`, `RawArray` or joblib's memory map.",
        why="A tensor cannot be laid over memory that another process writes, and TensorFlow does not survive a fork "
        "once it has started its threads.",
        before="""\
shared = np.ndarray((100,), dtype=np.float64, buffer=block.buf)
shared[worker] = result
""",
        after="""\
shared = np.ndarray((100,), dtype=np.float64, buffer=block.buf)
shared[worker] = np.asarray(result)
""",
        advice="Keep the shared array NumPy and convert at its edge, as shown, with the start method `spawn`. One "
        "process with a batched calculation usually replaces the pool.",
    ),
    Code(
        "TNP427",
        "text that is run as code",
        "error",
        "manual",
        "medium",
        meaning="A function runs a text with `eval` or `exec`, which reads and writes its variables. It stays on "
        "NumPy, as an island, and so do the functions that the text may call and that write to what they are passed.",
        why="The text is not read when code is translated: what it writes to in place, and which functions it calls, "
        "is known only when it runs.",
        before="""\
def evaluate(text, x):
    return eval(text)
""",
        after="""\
FORMS = {"square": lambda x: x * x, "norm": lambda x: tnp.sqrt(tnp.sum(x * x))}


def evaluate(name, x):
    return FORMS[name](x)
""",
        advice="Where the texts are few, write them as functions in a table, as shown. Where they are the user's own, "
        'pass `eval` the variables that it may see, `eval(text, {}, {"x": x})`: a text that has its own reads nothing '
        "else, and the function is translated.",
    ),
)
