"""Load a program of several files from memory, and forget it afterwards."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import PurePosixPath
from types import CodeType, ModuleType
from typing import Any


class Loader(InspectLoader):
    """Finds and loads the modules of a program, whose texts stand under the names of its files."""

    def __init__(self, files: Mapping[str, str], folder: str) -> None:
        self.files = {module_name(name): (name, text) for name, text in files.items()}
        self.folder = folder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return spec_from_loader(name, self, origin=self.get_filename(name)) if name in self.files else None

    def is_package(self, name: str) -> bool:
        return self.files[name][0].endswith("__init__.py")

    def get_source(self, name: str) -> str:
        return self.files[name][1]

    def get_filename(self, name: str) -> str:
        return f"{self.folder}/{self.files[name][0]}"

    def get_code(self, name: str) -> CodeType:
        return compiled(self.get_source(name), self.get_filename(name))


@lru_cache(maxsize=64)
def compiled(text: str, path: str) -> CodeType:
    code: CodeType = compile(text, path, "exec", dont_inherit=True)
    return code


def module_name(file: str) -> str:
    """The dotted name of a file of the program."""
    parts = PurePosixPath(file).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@contextmanager
def loaded(files: Mapping[str, str], folder: str = "<program>", main: str = "main") -> Iterator[ModuleType]:
    """Import the program's main module; its modules are forgotten at the end, others of their names are back."""
    loader: Any = Loader(files, folder)
    hidden = {name: sys.modules.pop(name) for name in loader.files if name in sys.modules}
    sys.meta_path.insert(0, loader)
    try:
        yield import_module(main)
    finally:
        sys.meta_path.remove(loader)
        for name in loader.files:
            sys.modules.pop(name, None)
        sys.modules.update(hidden)
