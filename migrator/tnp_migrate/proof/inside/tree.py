"""One copy of the project inside a replaying process: its modules, its functions, and nothing from anywhere else."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from tnp_migrate.proof.inside.refusals import Refused


class Tree:
    """A copy of the project at `base`; `path` are the folders in it that its programs import from."""

    def __init__(self, base: Path, path: Sequence[str]) -> None:
        self.base = base
        self._places = [os.path.normpath(base / place) for place in path]
        sys.path[:0] = [place for place in self._places if place not in sys.path]
        os.chdir(base)

    def module(self, name: str) -> ModuleType | None:
        """A module of the project by its name, or by its file after `@`; None where it is not of the project."""
        if name.startswith("@"):
            return self._script(name[1:])
        parts = name.split(".")
        if not all(part.isidentifier() for part in parts):
            return None
        for place in self._places:
            stem = os.path.join(place, *parts)  # noqa: PTH118  # of many names, for each name of a recording
            if os.path.isfile(stem + ".py") or os.path.isfile(os.path.join(stem, "__init__.py")):  # noqa: PTH113, PTH118
                module = importlib.import_module(name)
                return module if self.holds(getattr(module, "__file__", None)) else None
        return None

    def holds(self, file: str | None) -> bool:
        """Whether a file is of this copy."""
        return file is not None and os.path.realpath(file).startswith(os.path.realpath(self.base) + os.sep)

    def _script(self, place: str) -> ModuleType | None:
        """A file that was run as a program, as the module that it is."""
        file = self.base / place
        if not place.endswith(".py") or not file.is_file() or not self.holds(str(file)):
            return None
        name = place[:-3].replace("/", "_").replace("-", "_")
        known = sys.modules.get(name)
        if known is not None and os.path.realpath(str(known.__file__)) == os.path.realpath(file):
            return known
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            return None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def function(self, place: str, module: str, name: str, role: str) -> Any:
        """A function of the project by its file, module and qualified name. Raises `Refused` where there is none."""
        found: Any = self.module(module)
        if found is None or os.path.realpath(str(found.__file__)) != os.path.realpath(self.base / place):
            raise Refused(f"module `{module}` is not in the project")
        for part in name.split("."):
            if part.startswith("__") and not part.endswith("__") and isinstance(found, type):
                part = f"_{found.__name__.lstrip('_')}{part}"  # noqa: PLW2901  # private to its class
            try:
                found = inspect.getattr_static(found, part)
            except AttributeError:
                raise Refused(f"`{module}` has no `{name}` any more") from None
        if isinstance(found, property):
            found = {"setter": found.fset, "deleter": found.fdel}.get(role, found.fget)
        elif isinstance(found, (staticmethod, classmethod)):
            found = found.__func__
        elif not inspect.isroutine(found):
            found = _decorated(found, name) or found
        if not callable(found) or isinstance(found, type):
            raise Refused(f"`{module}:{name}` is no function any more")
        return found


def _decorated(made: Any, name: str) -> Any:
    """The function of which a decorator has made an object that keeps it, as `functools.cached_property` does."""
    own = getattr(made, "__dict__", {})
    return next((one for one in own.values() if inspect.isroutine(one) and one.__qualname__ == name), None)
