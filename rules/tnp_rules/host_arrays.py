"""Arrays that say more than a tensor can: masks, matrices, a user's subclasses of ndarray."""

from __future__ import annotations

from typing import Any

import numpy as np


def keep_masks() -> None:
    """Let what would lose its mask, or its own `*`, raise where it is to become a tensor; NumPy goes on taking it.

    TensorFlow reads any subclass of ndarray as the plain array below: the mean of a masked array would count what is
    masked. Only tf.constant and joins of lists do not ask.
    """
    keep_subclass(np.ma.MaskedArray)
    keep_subclass(np.matrix)


def keep_subclass(kind: type[Any]) -> None:
    """Let no array of this subclass of ndarray become a tensor; memory maps are plain arrays."""
    if not hasattr(kind, "__tf_tensor__") and kind is not np.memmap:
        kind.__tf_tensor__ = _refuse_to_be_a_tensor


def _refuse_to_be_a_tensor(array: Any, *_: Any, **__: Any) -> Any:
    masked = isinstance(array, np.ma.MaskedArray)
    advice = "compute with NumPy here, or fill it first: x.filled(0)" if masked else "convert it first: np.asarray(x)"
    raise TypeError(f"a tensor would be a {type(array).__name__} no longer, and lose what that adds: {advice}")
