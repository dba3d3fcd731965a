"""Whether a file may have to do with arrays, by its bytes: nothing else of it is looked at where it does not."""

from __future__ import annotations

import re
from collections.abc import Collection

_LIBRARIES = (b"numpy", b"cupy", b"pylab")
# What only arrays take: `x[:, None]`, `x[..., 0]`, `x.sum(axis=1)`; and who else has such arrays.
_PART = rb"[^][(){}\"'\n]*"
_ARRAY_USE = re.compile(
    rb"[\w\])]\[" + _PART + rb"(?::" + _PART + rb",|," + _PART + rb":)" + _PART + rb"\]"
    rb"|\.(?:arg)?(?:min|max|sum|mean|std|var|sort|any|all|cumsum)\(axis=-?\d\)"
)
_OTHER_ARRAYS = re.compile(rb"\b(?:torch|tensorflow|jax|pandas|polars|xarray|mxnet|sympy|scipy)\b")


def is_concerned(data: bytes, own: Collection[bytes] = ()) -> bool:
    """Whether a file names an array library, or one that the user's rules speak of, or takes arrays all the same."""
    return any(library in data for library in (*_LIBRARIES, *own)) or takes_arrays(data)


def takes_arrays(data: bytes) -> bool:
    """Whether a file that names no array library uses what it is passed as only arrays can be used."""
    return _ARRAY_USE.search(data) is not None and _OTHER_ARRAYS.search(data) is None
