"""4xx, second part: code outside Python, and the bridges to it."""

from __future__ import annotations

from tnp_migrate.diagnostics.codes.entry import Code

NATIVE = (
    Code(
        "TNP401",
        "NumPy C API",
        "error",
        "manual",
        "high",
        meaning="A C or C++ file includes `numpy/arrayobject.h` or another NumPy header and works on `PyArrayObject`.",
        why="The C API reads and writes an ndarray's memory. A tensor is no PyArrayObject, and its memory may be on a "
        "device.",
        before="""\
import _smooth

y = _smooth.filter(x, 5)
""",
        after="""\
import _smooth

y = tnp.asarray(_smooth.filter(np.ascontiguousarray(x), 5))
""",
        advice="Keep the extension and convert at the call, as shown. If the calculation itself has to move, rewrite "
        "it in Python with tnp, or as a TensorFlow custom operation.",
    ),
    Code(
        "TNP402",
        "Cython code that uses NumPy",
        "error",
        "manual",
        "high",
        meaning="A `.pyx` or `.pxd` file has `cimport numpy`, or typed memoryviews of ndarrays.",
        why="Cython compiles to the C API and to loops over an ndarray's memory; neither works on tensors.",
        before="""\
from ._distance import pairwise

d = pairwise(points)
""",
        after="""\
from ._distance import pairwise

d = tnp.asarray(pairwise(np.ascontiguousarray(points)))
""",
        advice="Convert at the call, as shown. Loops written in Cython for speed are often a few lines of whole-array "
        "code, which `tf.function(jit_compile=True)` compiles.",
    ),
    Code(
        "TNP403",
        "SWIG interface with numpy.i",
        "error",
        "manual",
        "high",
        meaning="A SWIG interface file includes `numpy.i`, which maps C pointers to ndarrays.",
        why="The typemaps of `numpy.i` use the NumPy C API and let C code write into ndarrays (`INPLACE_ARRAY1`).",
        before="""\
import solver

solver.advance(state)
""",
        after="""\
import solver

buffer = np.array(state)
solver.advance(buffer)
state = tnp.asarray(buffer)
""",
        advice="Keep the interface and convert at the call. Where the C side writes into its argument, hand it a copy "
        "and read the result from that, as shown.",
    ),
    Code(
        "TNP404",
        "f2py module",
        "error",
        "manual",
        "high",
        meaning="The project builds Fortran code with f2py, or calls a module built so.",
        why="f2py modules use the NumPy C API and expect ndarrays in Fortran order.",
        before="""\
from flib import integrate

u = integrate(u, dt)
""",
        after="""\
from flib import integrate

u = tnp.asarray(integrate(np.asfortranarray(u), dt))
""",
        advice="Keep the module and convert at the call, as shown. Inside `tf.function`, wrap the call in "
        "`tf.numpy_function`.",
    ),
    Code(
        "TNP405",
        "build against NumPy's headers",
        "error",
        "manual",
        "medium",
        meaning="A build script uses `np.get_include()`, `numpy.distutils` or `npymath`.",
        why="It shows that compiled code of the project depends on NumPy; `numpy.distutils` is gone since Python 3.12.",
        before="""\
from numpy.distutils.core import setup

setup(name="solver")
""",
        after="""\
from setuptools import setup

setup(name="solver")
""",
        advice="The script stays as long as the extension does (TNP401, TNP402). Replace `numpy.distutils` with "
        "setuptools or meson-python in any case.",
    ),
    Code(
        "TNP406",
        "address of an array handed to foreign code",
        "error",
        "manual",
        "high",
        meaning="The code uses `ctypes`, `np.ctypeslib.ndpointer`, `.ctypes.data` or `__array_interface__` to pass an "
        "array's address.",
        why="A tensor gives no address, and foreign code that writes there would change a value that TensorFlow takes "
        "for constant.",
        before="""\
lib.scale(x.ctypes.data_as(ctypes.c_void_p), x.size)
""",
        after="""\
buffer = np.array(x)
lib.scale(buffer.ctypes.data_as(ctypes.c_void_p), buffer.size)
x = tnp.asarray(buffer)
""",
        advice="Copy to an ndarray, call, and convert the result, as shown. An island does the same for a whole "
        "function.",
    ),
    Code(
        "TNP419",
        "Numba kernel",
        "error",
        "likely",
        "medium",
        meaning="The function is compiled by Numba (`njit`, `jit`, `vectorize`, `guvectorize`). It stays as it is, as "
        "an island.",
        why="Numba compiles NumPy code for ndarrays and knows nothing of tensors. It is also the fastest form of a "
        "scalar loop on the CPU.",
        before="""\
@numba.njit
def march(x):
    for i in range(1, x.size):
        x[i] += 0.5 * x[i - 1]
    return x
""",
        after="""\
@island
@numba.njit
def march(x):
    for i in range(1, x.size):
        x[i] += 0.5 * x[i - 1]
    return x
""",
        advice="Nothing on the CPU. For the GPU or for gradients, drop the decorator, write whole-array code or "
        "`tf.scan`, and let `tf.function(jit_compile=True)` compile it.",
    ),
    Code(
        "TNP420",
        "CUDA kernel source",
        "error",
        "manual",
        "high",
        meaning="The program compiles CUDA C at run time (PyCUDA, `cupy.RawKernel`, `numba.cuda`).",
        why="TensorFlow manages device memory and streams itself; foreign kernels need a custom operation or DLPack.",
        before="""\
add = cupy.RawKernel(source, "add")
add((blocks,), (256,), (x, y, out))
""",
        after="""\
out = x + y
""",
        advice="Write the calculation in tnp and let XLA fuse it: `tf.function(jit_compile=True)`. What has no such "
        "form becomes a custom operation, or stays in CuPy behind DLPack (TNP422).",
    ),
    Code(
        "TNP421",
        "CuPy device or stream",
        "error",
        "manual",
        "medium",
        meaning="The program chooses devices, streams or memory pools through CuPy.",
        why="TensorFlow places operations by itself or by `tf.device`, and orders them on its own stream.",
        before="""\
with cupy.cuda.Device(1):
    y = cupy.asnumpy(cupy.fft.fft(x))
cupy.cuda.Stream.null.synchronize()
""",
        after="""\
with tf.device("/GPU:1"):
    y = fft(x).numpy()
""",
        advice="Replace device choice with `tf.device`. Streams, events and memory pools can go: reading a value waits "
        "for it. Limit memory with `tf.config.set_logical_device_configuration`.",
    ),
    Code(
        "TNP422",
        "bridge to PyTorch or DLPack",
        "error",
        "manual",
        "low",
        meaning="Arrays are handed to another framework by `torch.from_numpy`, `np.from_dlpack` or `__dlpack__`.",
        why="`torch.from_numpy` wants an ndarray and shares its memory: a write on one side shows on the other, which "
        "cannot be with a tensor.",
        before="""\
batch = torch.from_numpy(x)
""",
        after="""\
batch = torch.from_numpy(np.array(x))
""",
        advice="Copy, as shown, where speed does not matter. "
        "`torch.from_dlpack(tf.experimental.dlpack.to_dlpack(x))` shares device memory; neither side may then write.",
    ),
)
