"""What NumPy 2 has removed, as NumPy 1.26 computed it: the rules of these names are compared with it."""

from __future__ import annotations

from typing import Any

import numpy as np

_KINDS = "buifcSUVO"


def _in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False, *, kind: str | None = None) -> Any:
    return np.isin(np.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert, kind=kind)


def _asfarray(a: Any, dtype: Any = float) -> Any:
    return np.asarray(a, dtype=dtype if np.issubdtype(dtype, np.inexact) else np.float64)


def _asscalar(a: Any) -> Any:
    return a.item()


def _msort(a: Any) -> Any:
    found = np.array(a, copy=True)
    found.sort(0)
    return found


def _alen(a: Any) -> int:
    try:
        return len(a)
    except TypeError:
        return len(np.array(a, ndmin=1))


def _fast_copy_and_transpose(a: Any) -> Any:
    return np.asarray(a).T.copy()


def _find_common_type(array_types: Any, scalar_types: Any) -> Any:
    arrays = np.result_type(*array_types) if array_types else None
    scalars = np.result_type(*scalar_types) if scalar_types else None
    if arrays is None or scalars is None:
        return arrays or scalars
    return scalars if _KINDS.index(scalars.kind) > _KINDS.index(arrays.kind) else arrays


def _issubclass(arg1: Any, arg2: Any) -> bool:
    try:
        return issubclass(arg1, arg2)
    except TypeError:
        return False


def _obj2sctype(rep: Any, default: Any = None) -> Any:
    if isinstance(rep, type) and issubclass(rep, np.generic):
        return rep
    if isinstance(rep, np.ndarray):
        return rep.dtype.type
    try:
        return np.dtype(rep).type
    except (TypeError, ValueError):
        return default


def _issctype(rep: Any) -> bool:
    if not isinstance(rep, type | np.dtype):
        return False
    found = _obj2sctype(rep)
    return found is not None and found is not np.object_


def _sctype2char(sctype: Any) -> str:
    found = _obj2sctype(sctype)
    if found is None:
        raise ValueError("unrecognized type")
    return np.dtype(found).char


def _ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    return np.ptp(a, axis, out, keepdims=keepdims)


def _tostring(a: Any, order: Any = "C") -> bytes:
    return a.tobytes(order)


NUMPY1 = {
    "numpy.alen": _alen,
    "numpy.asfarray": _asfarray,
    "numpy.asscalar": _asscalar,
    "numpy.fastCopyAndTranspose": _fast_copy_and_transpose,
    "numpy.find_common_type": _find_common_type,
    "numpy.in1d": _in1d,
    "numpy.issctype": _issctype,
    "numpy.issubclass_": _issubclass,
    "numpy.msort": _msort,
    "numpy.ndarray.ptp": _ptp,
    "numpy.ndarray.tostring": _tostring,
    "numpy.obj2sctype": _obj2sctype,
    "numpy.sctype2char": _sctype2char,
}
