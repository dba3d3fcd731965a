"""The public names of the installed NumPy by namespace: `python tests/public_names.py` writes the snapshot of them.

The translator never imports NumPy; what it lists in `tnp-migrate coverage` is this snapshot.
"""

from __future__ import annotations

import importlib
import json
import sys
import types
import warnings
from pathlib import Path
from typing import Any

import numpy as np

SNAPSHOT = Path(__file__).parent.parent / "migrator" / "tnp_migrate" / "numpy_facts" / "data" / "public_names.json"
NAMESPACES = """
    numpy numpy.linalg numpy.fft numpy.random numpy.lib numpy.lib.array_utils numpy.lib.format numpy.lib.introspect
    numpy.lib.mixins numpy.lib.npyio numpy.lib.recfunctions numpy.lib.stride_tricks numpy.lib.user_array
    numpy.polynomial numpy.polynomial.polynomial numpy.polynomial.chebyshev numpy.polynomial.hermite
    numpy.polynomial.hermite_e numpy.polynomial.laguerre numpy.polynomial.legendre numpy.polynomial.polyutils
    numpy.emath numpy.ma numpy.ma.mrecords numpy.char numpy.strings numpy.rec numpy.testing numpy.testing.overrides
    numpy.exceptions numpy.dtypes numpy.typing numpy.ctypeslib numpy.f2py
""".split()
CLASSES = {
    "numpy.ndarray": np.ndarray,
    "numpy.random.Generator": np.random.Generator,
    "numpy.random.RandomState": np.random.RandomState,
}
# `__all__` of these is empty, and what they define is public by the documentation.
_FORMAT = """descr_to_dtype dtype_to_descr header_data_from_array_1_0 isfileobj magic open_memmap read_array
    read_array_header_1_0 read_array_header_2_0 read_magic write_array write_array_header_1_0
    write_array_header_2_0""".split()


def public_names() -> dict[str, list[str]]:
    """Names by namespace, modules left out; the methods of ufuncs by ufunc."""
    found = {namespace: _names_of(namespace) for namespace in NAMESPACES}
    for name, cls in CLASSES.items():
        found[name] = [member for member in dir(cls) if not member.startswith("_")]
    found["numpy.ufunc"] = sorted(_ufunc_methods())
    return {namespace: sorted(names) for namespace, names in found.items()}


def _names_of(namespace: str) -> list[str]:
    module: Any = np.emath if namespace == "numpy.emath" else importlib.import_module(namespace)
    names = _FORMAT if namespace == "numpy.lib.format" else getattr(module, "__all__", None)
    if names is None:
        names = [name for name in dir(module) if not name.startswith("_")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sorted({name for name in names if not isinstance(getattr(module, name, None), types.ModuleType)})


def _ufunc_methods() -> list[str]:
    """`add.reduce` and so on, each ufunc under its own name and with the methods that do not always raise."""
    ufuncs = [one for one in map(vars(np).get, np.__all__) if isinstance(one, np.ufunc)]
    methods = set()
    for ufunc in ufuncs:
        if ufunc.signature is None and ufunc.nout == 1:
            wanted = ["at"] if ufunc.nin == 1 else ["accumulate", "at", "outer", "reduce", "reduceat"]
            methods |= {f"{ufunc.__name__}.{method}" for method in wanted}
    return sorted(methods)


def text() -> str:
    """The snapshot as JSON, a namespace a line."""
    lines = [f'  "{namespace}": "{" ".join(names)}"' for namespace, names in public_names().items()]
    return f'{{\n "numpy": "{np.__version__}",\n "names": {{\n' + ",\n".join(lines) + "\n }\n}\n"


if __name__ == "__main__":
    SNAPSHOT.write_text(text(), encoding="utf-8", newline="\n")
    total = sum(len(names.split()) for names in json.loads(text())["names"].values())
    sys.stdout.write(f"{total} names\n")
