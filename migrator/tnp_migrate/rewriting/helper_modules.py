"""The helper modules of a project: which folders get one, and what becomes of one that is there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tnp_migrate.program.config import Config
from tnp_migrate.rewriting.call_shapes import name_of
from tnp_migrate.rewriting.helpers import (
    FILE_NAME,
    complete_by_hand,
    contents,
    is_for_numpy,
    is_unchanged,
    kept_uses,
    shared_between_folders,
    without_numpy_helpers,
    write_helpers,
    write_numpy_helpers,
)

# What a person who edits a helper module leaves in it: its first line, or the switch of NumPy behaviour.
_SIGNS = re.compile(r"^(# Written by tnp-migrate |tnp\.experimental_enable_numpy_behavior\()", re.MULTILINE)
_STRANGER = "was not written by tnp-migrate, whose helper module has this name"
_RENAME = "nothing was written; rename the file, and its imports"


class NotOurs(Exception):
    """A file stands where a helper module has to be, and is none."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.message = message


@dataclass(frozen=True)
class HelperModule:
    """A helper module: its bytes `before` the run (None: there is none) and `after`. A person changed it `by_hand`."""

    path: Path
    before: bytes | None
    after: bytes
    by_hand: bool = False


def helper_modules(
    helpers: Mapping[Path, set[str]],
    wanted: Collection[Path],
    members: set[str],
    config: Config,
    alone: Collection[Path] = (),
) -> Iterator[HelperModule]:
    """Give the helper modules of the folders `wanted`; `helpers` are the functions that each folder's files call.

    In the folders `alone`, files of a package are run as if there were none.

    Raises `NotOurs` for a file of that name that this tool has not written.
    """
    for top, names in sorted(shared_between_folders(helpers, alone).items()):
        if top in wanted:
            yield _helper_module(top / FILE_NAME, names, members if config.tensor_methods else set(), config)


def _helper_module(path: Path, names: set[str], members: set[str], config: Config) -> HelperModule:
    from tnp_migrate.numpy_facts.rulebook import read_numpy_stage  # noqa: PLC0415  # only where helpers are written

    book = config.rulebook
    before = _present(path)
    present = before.decode() if before is not None else ""
    known, had = kept_uses(present), contents(present)[1]
    installed = config.helpers == "installed"
    if installed:  # of a copy that was made before, what is the rules' own is no concern of who calls them
        known = {name for name in known if not name.startswith("_")}
    if config.stage == "functional" and is_for_numpy(present):
        book, members = read_numpy_stage(), set()
        text = write_numpy_helpers(book, names | known, installed=installed)
    else:
        kept = names | {one for one in known if name_of(one) in book.definitions}
        text = write_helpers(book, kept, members | had, prefer_float32=config.prefer_float32, installed=installed)
    by_hand = bool(present) and not is_unchanged(present)
    if by_hand:
        if config.stage != "functional" and is_for_numpy(present):
            present = without_numpy_helpers(present, read_numpy_stage())
        text = complete_by_hand(present, book, names, members, installed=installed)
    return HelperModule(path, before, text.encode(), by_hand)


def _present(path: Path) -> bytes | None:
    """The bytes of a helper module that this tool wrote, by a person's hand changed or not."""
    if path.is_symlink() and path.parent.resolve() not in path.resolve().parents:
        raise NotOurs(path, f"is a link out of its folder, to {path.resolve()}: nothing was written; remove the link")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotOurs(path, f"cannot be read, and the helper module has to be there: {error.strerror}") from error
    try:
        text = data.decode()
        contents(text)
    except (UnicodeDecodeError, SyntaxError, ValueError) as error:
        raise NotOurs(path, f"{_STRANGER} ({type(error).__name__}): {_RENAME}") from error
    if text.strip() and _SIGNS.search(text) is None:
        raise NotOurs(path, f"{_STRANGER}: {_RENAME}")
    return data
