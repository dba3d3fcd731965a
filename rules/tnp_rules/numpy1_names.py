"""Functions that NumPy 2 has removed and that have no other name there."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.dtype_attributes import numpy_dtype
from tnp_rules.forms import helper, inline
from tnp_rules.reductions_order import sort
from tnp_rules.support import _tensor


@helper("numpy.asfarray")
def asfarray(a: Any, dtype: Any = float) -> tf.Tensor:
    """NumPy 2 has removed it; any dtype that is not inexact means float64."""
    wanted = numpy_dtype(dtype)
    return tf.cast(_tensor(a), wanted if np.issubdtype(wanted, np.inexact) else np.float64)


@helper("numpy.asscalar")
def asscalar(a: Any) -> Any:
    """NumPy 2 has removed it for `a.item()`. A Python number is on the host, which cannot be read while tracing."""
    return tnp.asarray(a).numpy().item()


@helper("numpy.msort")
def msort(a: Any) -> tf.Tensor:
    """NumPy 2 has removed it for `sort` along the first axis."""
    return sort(a, 0)


@helper("numpy.alen")
def alen(a: Any) -> int:
    """NumPy 2 has removed it for `len`, which numbers do not have."""
    shape = np.shape(a)
    return int(shape[0]) if shape else 1


@inline("numpy.fastCopyAndTranspose")
def fastCopyAndTranspose(a: Any) -> tf.Tensor:  # noqa: N802 (NumPy's name)
    """NumPy 2 has removed it; a tensor is never written to, so nothing has to be copied."""
    return tnp.transpose(a)


@helper("numpy.find_common_type")
def find_common_type(array_types: Any, scalar_types: Any) -> Any:
    """NumPy 2 has removed it for `result_type`; here a scalar's type counts only where its kind is higher."""
    arrays, scalars = [[numpy_dtype(one) for one in types] for types in (array_types, scalar_types)]
    if not arrays or not scalars:
        return np.result_type(*arrays, *scalars) if arrays or scalars else None
    array, scalar = np.result_type(*arrays), np.result_type(*scalars)
    return scalar if "buifc".index(scalar.kind) > "buifc".index(array.kind) else array


@helper("numpy.issubclass_")
def issubclass_(arg1: Any, arg2: Any) -> bool:
    """NumPy 2 has removed it for `issubclass`, which raises for what is no class."""
    try:
        return issubclass(arg1, arg2)
    except TypeError:
        return False


@helper("numpy.issctype")
def issctype(rep: Any) -> bool:
    """NumPy 2 has removed it; it says whether something stands for a dtype other than object's."""
    if not isinstance(rep, (type, np.dtype, tf.DType)):
        return False
    found = obj2sctype(rep)
    return found is not None and found is not np.object_


@helper("numpy.obj2sctype")
def obj2sctype(rep: Any, default: Any = None) -> Any:
    """NumPy 2 has removed it for `np.dtype(rep).type`."""
    if isinstance(rep, type) and issubclass(rep, np.generic):
        return rep
    try:
        return numpy_dtype(getattr(rep, "dtype", rep)).type
    except (TypeError, ValueError):
        return default


@helper("numpy.sctype2char")
def sctype2char(sctype: Any) -> str:
    """NumPy 2 has removed it for `np.dtype(sctype).char`."""
    found = obj2sctype(sctype)
    if found is None:
        raise ValueError("unrecognized type")
    return str(np.dtype(found).char)
