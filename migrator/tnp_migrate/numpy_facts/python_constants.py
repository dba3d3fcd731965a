"""Texts and numbers that modules of Python have: they are no memory, whoever is given them."""

from __future__ import annotations

import cmath
import math
import os
import string
import sys

from tnp_migrate.numpy_facts.values import SCALAR, Value

_MODULES = {one.__name__: one for one in (cmath, math, string, sys, os)} | {"os.path": os.path}


def python_constant(qualified: str | None) -> Value | None:
    """What a qualified name such as `string.ascii_letters` or `math.pi` is, if it is a text or a number."""
    module, _, name = (qualified or "").rpartition(".")
    value = getattr(_MODULES.get(module), name, None)
    if isinstance(value, str | bytes):
        return Value("str")
    if isinstance(value, int | float):
        return SCALAR
    return Value("scalar", "complex128") if isinstance(value, complex) else None
