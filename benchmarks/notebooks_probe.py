"""Loaded into the kernels that `notebooks.py` starts: what a cell gave and what the variables hold, as plain values.

Tensors and arrays become ndarrays, so that two runs can be compared without TensorFlow.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np

_LONGEST = 1000  # items of a list that are looked at
_LARGEST = 2_000_000  # elements of an array


def dump(shell: Any, number: int, folder: str) -> None:
    """Write what cell `number` has left behind."""
    last = shell.last_execution_result
    names = {name: value for name, value in shell.user_ns.items() if not name.startswith("_")}
    hidden = set(shell.user_ns_hidden) | {"In", "Out", "exit", "quit", "get_ipython"}
    found = {name: plain(value) for name, value in names.items() if name not in hidden}
    found["the cell's value"] = plain(last.result)
    error = last.error_in_exec or last.error_before_exec
    document = {
        "error": None if error is None else f"{type(error).__name__}: {str(error)[:200]}",
        "values": {name: value for name, value in found.items() if value is not None},
    }
    with (Path(folder) / f"{number}.pickle").open("wb") as file:
        pickle.dump(document, file)


def plain(value: Any, depth: int = 3) -> Any:
    """The value as ndarrays, numbers, texts and containers of them; None for what is none of these."""
    module = type(value).__module__.partition(".")[0]
    if module == "tensorflow" and hasattr(value, "numpy") and not isinstance(value, type):
        value = value.numpy()
    if isinstance(value, (bool, int, float, complex, np.generic)):
        return np.asarray(value)
    if isinstance(value, np.ndarray):
        kept = value.size <= _LARGEST and value.dtype.kind in "biufcSUmM" and type(value) is np.ndarray
        return np.array(value) if kept else None
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)) and depth and len(value) <= _LONGEST:
        return [plain(item, depth - 1) for item in value]
    if isinstance(value, dict) and depth and len(value) <= _LONGEST:
        return {str(key): plain(item, depth - 1) for key, item in value.items()}
    return None
