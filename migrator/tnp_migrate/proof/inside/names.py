"""Functions, classes and modules by name: what may be written down as a name, and what a recording may ask for.

A recording may come from somebody else. It can name what the project itself defines, and outside of it only what stands
on the lists here: nothing that opens files, runs programs or evaluates text.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from tnp_migrate.proof.inside.refusals import Refused

MODULES = frozenset(
    """
    math cmath decimal fractions datetime numbers collections
    numpy numpy.linalg numpy.fft numpy.ma numpy.polynomial numpy.exceptions numpy.random
    numpy.polynomial.polynomial numpy.polynomial.chebyshev numpy.polynomial.legendre numpy.polynomial.hermite
    scipy.special scipy.linalg scipy.stats scipy.optimize scipy.spatial.distance scipy.interpolate scipy.integrate
    scipy.signal scipy.ndimage scipy.sparse scipy.sparse.linalg scipy.fft scipy.cluster.vq
    """.split()
)
FILES = frozenset(
    """
    load loadtxt genfromtxt fromfile fromregex fromstring save savez savez_compressed savetxt memmap DataSource
    open_memmap show_config info source lookfor get_include test show_runtime safe_eval save_npz load_npz
    namedtuple f2py testing distutils ctypeslib lib errstate seterrcall
    """.split()
)
BUILTINS = frozenset(
    """
    abs all any bool bytes bytearray callable complex dict divmod enumerate filter float frozenset hash id int
    isinstance issubclass iter len list map max min next object ord pow range repr reversed round set slice sorted str
    sum tuple type zip
    """.split()
)
OPERATORS = frozenset(
    """
    abs add and_ eq floordiv ge gt index inv invert le lshift lt matmul mod mul ne neg not_ or_ pos pow rshift sub
    truediv xor
    """.split()
)
_BY_MODULE = {"builtins": BUILTINS, "operator": OPERATORS, "_operator": OPERATORS}


def is_listed(module: str, path: str) -> bool:
    """Whether a name outside of the project may be asked for."""
    first = path.partition(".")[0]
    if module in _BY_MODULE:
        return path in _BY_MODULE[module] or (module == "builtins" and _is_exception(path))
    return module in MODULES and first not in FILES and not first.startswith("_")


def _is_exception(name: str) -> bool:
    found = getattr(sys.modules["builtins"], name, None)
    return isinstance(found, type) and issubclass(found, Exception)


def name_of(value: Any) -> tuple[str, str] | None:
    """The module and the path in it by which this very object is found again; None where there is none."""
    path = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if not isinstance(path, str) or "<" in path:
        return None
    module = getattr(value, "__module__", None)
    ufunc = type(value).__name__ == "ufunc"
    for place in (module, "numpy", "scipy.special") if ufunc else (_public(module), module, "numpy", "builtins"):
        found: Any = sys.modules.get(place) if isinstance(place, str) else None
        for part in path.split("."):
            found = getattr(found, part, None)
        if found is not None and (found is value or getattr(found, "__wrapped__", None) is value):
            return str(place), path
    return None


def _public(module: Any) -> str | None:
    """The listed module that hands out what a private one defines: `scipy.stats` for `scipy.stats._stats_py`."""
    parts = module.split(".") if isinstance(module, str) else []
    for end in range(len(parts), 0, -1):
        if ".".join(parts[:end]) in MODULES:
            return ".".join(parts[:end])
    return None


class Names:
    """What names of a recording lead to. `project` says whether a module belongs to the project, and imports it.

    `base` is the copy of the project that runs, `origin` the one that was recorded: local functions are known by it.
    """

    def __init__(
        self, project: Callable[[str], ModuleType | None], origin: Path | None = None, base: Path | None = None
    ) -> None:
        self._project, self._origin, self._base = project, origin, base

    def recorded_file(self, module: ModuleType) -> Path:
        """The file of a module as it was when it was recorded."""
        file = Path(str(module.__file__))
        if self._origin is None or self._base is None:
            return file
        return self._origin / file.resolve().relative_to(self._base.resolve())

    def are_of_the_project(self, module: str) -> bool:
        """Whether the names of a module are the project's own, and no library's."""
        return self._project(module) is not None

    def module(self, name: str) -> ModuleType:
        """A module by name. Raises `Refused` for one that is neither of the project nor on the list."""
        found = self._project(name)
        if found is not None:
            return found
        if name in MODULES:
            return importlib.import_module(name)
        raise Refused(f"module {name!r} is neither of the project nor on the list of what a recording may name")

    def find(self, module: str, path: str) -> Any:
        """What a name leads to: a class, a function or a ufunc. Raises `Refused` for everything else."""
        place = self._project(module)
        if place is None:
            if not is_listed(module, path):
                raise Refused(
                    f"`{module}:{path}` is neither of the project nor on the list of what a recording may name"
                )
            place = importlib.import_module(module)
        found: Any = place
        for part in path.split("."):
            if part.startswith("__") or not (found is place or isinstance(found, type)):
                raise Refused(f"`{module}:{path}` leads through something that is no class")
            try:
                found = inspect.getattr_static(found, part)
            except AttributeError:
                raise Refused(f"`{module}:{path}` is not there") from None
        if isinstance(found, (staticmethod, classmethod)):
            found = found.__func__
        if isinstance(found, ModuleType) or not callable(found):
            raise Refused(f"`{module}:{path}` is no function and no class")
        if not self._is_at_home(found):
            raise Refused(f"`{module}:{path}` leads out of the project, to `{getattr(found, '__module__', '?')}`")
        return found

    def _is_at_home(self, found: Any) -> bool:
        """Whether what was found is defined by the project or by a listed module: `from os import system` is not."""
        home = getattr(found, "__module__", None) or "builtins"
        path = str(getattr(found, "__qualname__", None) or getattr(found, "__name__", ""))
        if type(found).__name__ == "ufunc" or self._project(home) is not None:
            return True
        return is_listed(_public(home) or home, path)
