"""What leaves an island: tensors, and NumPy's own arrays where something inside keeps their memory.

Who is handed memory that an object keeps, as by `return self._w`, sees what is written to it later, and may write to
it. A tensor would be a copy of that moment: such an array, list or dict is handed out as it is.
"""

from __future__ import annotations

import builtins
import sys
from typing import Any

import numpy as np

from tnp_rules.host_arrays import keep_subclass
from tnp_rules.runtime import rebuilt, to_tensor


def leave_island(holder: Any, key: Any, known: Any, *, held: bool = False) -> Any:
    """Give `holder[key]` as it leaves an island; the caller must hold it by `holder` alone.

    `known(array)` says what an array stands for that the border has made or seen, None for others. `held` is for parts
    of what something else reaches.
    """
    held = held or sys.getrefcount(holder[key]) > 2  # the holder's, and that of the count itself
    value = holder[key]
    if isinstance(value, np.ndarray):
        source = known(value)
        if source is not None:
            return source
        if type(value) is not np.ndarray:
            keep_subclass(type(value))
        return value if held or _lent(value, known) else to_tensor(value)
    if isinstance(value, dict):
        return value if held else rebuilt(value, {name: leave_island(value, name, known) for name in value})
    if isinstance(value, (list, tuple)):
        if held and isinstance(value, list):
            return value
        parts = [leave_island(value, place, known, held=held) for place in builtins.range(len(value))]
        return rebuilt(value, parts)
    return value


def _lent(array: Any, known: Any) -> bool:
    """Whether an array is a view of memory that something else holds and may write to."""
    while isinstance(array.base, np.ndarray):
        source = known(array.base)
        if source is not None:
            return source is array.base  # the caller's own, not made of a tensor for this call
        if sys.getrefcount(array.base) > 2:
            return bool(array.flags.writeable or array.base.flags.writeable)
        array = array.base
    return False
