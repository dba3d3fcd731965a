"""The ports of NPBench's kernels that were written by hand for JAX and Numba, as functions without arguments."""

from __future__ import annotations

import copy
import importlib
import inspect
from pathlib import Path
from typing import Any

import numpy as np
from npbench_files import leaves, load


def port_of(port: str, name: str, folder: Path, function: str, inputs: dict[str, Any]) -> Any:
    """Give what runs a port on its own arguments until its numbers are there; raises where there is none."""
    return {"jax": _jax, "numba": _numba}[port](name, folder, function, inputs)


def _jax(name: str, folder: Path, function: str, inputs: dict[str, Any]) -> Any:
    jax: Any = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    ported = getattr(load(folder / f"{name}_jax.py"), function)
    plain = inspect.unwrap(ported)
    wanted = [one for one in inspect.signature(plain).parameters if one in inputs]
    given = [_as_jax(jax, inputs[one]) for one in wanted] if len(wanted) == len(inputs) else None
    given = given or [_as_jax(jax, one) for one in inputs.values()]

    def run() -> Any:
        return [
            leaf.block_until_ready() if hasattr(leaf, "block_until_ready") else leaf for leaf in leaves(ported(*given))
        ]

    return run


def _as_jax(jax: Any, value: Any) -> Any:
    return jax.numpy.asarray(value) if isinstance(value, np.ndarray) else value


def _numba(name: str, folder: Path, function: str, inputs: dict[str, Any]) -> Any:
    importlib.import_module("numba")
    paths = [folder / f"{name}_numba_{kind}.py" for kind in ("n", "np", "npr", "o", "op")]
    ported = getattr(load(next(path for path in paths if path.exists())), function)
    return lambda: ported(*copy.deepcopy(list(inputs.values())))
