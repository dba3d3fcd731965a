"""Imported by the process that jobs are forked from, and called by the server: loads what every look needs, once."""

from __future__ import annotations

import gc
from pathlib import Path

from tnp_migrate.program.config import Config
from tnp_migrate.project import migrate
from tnp_migrate.server import edited  # noqa: F401  # what jobs call
from tnp_migrate.text.discovery import Found

_TEXT = b"""\
import numpy as np
from numpy import median, save


def f(a):
    b = median(a)
    a[0] += b
    save("a", np.sort(a))
    return a[1:]
"""


def load() -> None:
    """Translate a few lines: rules, tables and modules are read on the way, such as only some texts need.

    One is LibCST, for an import that loses a part: it costs more to load than an answer.
    """
    place = Path("_warm.py")
    migrate([Found(place, place.name, Path())], Config(), texts={place: _TEXT})
    gc.collect()
    gc.freeze()  # what stays is not looked through again


load()
