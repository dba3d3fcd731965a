"""The name of what a run finds: all that it depends on, in one digest.

That is the tool itself with its rules, Python, the settings, and every file of the project: its bytes, its names, and
what is beside it that decides how it is imported.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path

from tnp_migrate.numpy_facts.rulebook import rules_folder
from tnp_migrate.program.config import Config
from tnp_migrate.rewriting.files import File

_FORMAT = "1"  # of what is kept
_NO_INPUT = frozenset({"jobs", "folder"})  # settings that change nothing in what is found


def key_of(
    files: Iterable[File],
    on_disk: Mapping[Path, bytes],
    config: Config,
    is_given: Callable[[Path], bool],
    *,
    rewrite: bool,
) -> str:
    """Name what a run over files finds. Raises `OSError` where something of the tool cannot be read.

    Which files are given decides what is rewritten; a report about others finds the same.
    """
    made = hashlib.sha256()
    for part in (_FORMAT, _tool(), platform.python_implementation(), platform.python_version(), *_settings(config)):
        _add(made, part.encode("utf-8", "surrogateescape"))
    for file in files:
        for one in _of_file(file):
            _add(made, one)
        if rewrite:
            place = file.found.location
            now = on_disk.get(place)
            _add(made, bytes([is_given(place), now is not None]))
            _add(made, b"" if now is None or now == _bytes_of(file) else now)
    return made.hexdigest()


def _add(made: hashlib._Hash, part: bytes) -> None:
    made.update(len(part).to_bytes(8, "big"))  # so that no two lists of parts are the same bytes
    made.update(part)


def _of_file(file: File) -> Iterator[bytes]:
    """What one file is: its bytes, and how others import it."""
    apart = [text for pair in sorted(file.apart.items()) for text in pair]
    package = (file.top / "__init__.py").is_file()
    for text in (str(file.found.location), file.found.shown, file.name, str(file.top), *apart):
        yield os.fsencode(text)
    yield bytes([len(apart) % 256, file.runs_alone, package, file.cells is not None])
    yield _bytes_of(file)


def _bytes_of(file: File) -> bytes:
    return file.source.data if file.cells is None else file.cells.notebook.text.encode("utf-8", "surrogatepass")


def _settings(config: Config) -> Iterator[str]:
    for field in fields(config):
        if field.name not in _NO_INPUT:
            yield f"{field.name}={getattr(config, field.name)!r}"
    for path in config.rule_files:
        yield path.read_bytes().decode("latin-1")


@cache
def _tool() -> str:
    """The bytes of the tool and of its rules: a version that is worked on has one number for many of them."""
    made = hashlib.sha256()
    for root in (Path(__file__).parent.parent, rules_folder()):
        for path in sorted(root.rglob("*")):
            if path.suffix != ".pyc" and path.is_file():
                _add(made, path.relative_to(root).as_posix().encode())
                _add(made, path.read_bytes())
    return made.hexdigest()
