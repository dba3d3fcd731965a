"""What becomes of a NumPy name that no rule translates: kept on NumPy on purpose, or flagged with advice.

A rule or a same-named tnp function comes first; these tables answer for the rest. Names are qualified
("numpy.random.normal") and canonical (`canonical`).
"""

from __future__ import annotations

import re
from typing import TypeVar

from tnp_migrate.numpy_facts.flagged_names import FLAGGED, FLAGGED_PREFIXES, MEMBERS, TENSOR_MEMBERS
from tnp_migrate.numpy_facts.kept_names import (
    KEPT,
    KEPT_PREFIXES,
    NEEDS_NDARRAY,
    NEEDS_NUMPY_DTYPE,
    SIZE_POSITION,
    Result,
    result_of,
)
from tnp_migrate.numpy_facts.numpy_api import (
    ALIASES,
    NUMPY_MODULES,
    REMOVED_CONSTANTS,
    RENAMED_IN_NUMPY2,
    STAR_NAMES,
    canonical,
)

__all__ = [
    "ALIASES",
    "DTYPE_NAMES",
    "FLAGGED",
    "KEPT",
    "MEMBERS",
    "NEEDS_NDARRAY",
    "NEEDS_NUMPY_DTYPE",
    "NUMPY_MODULES",
    "REMOVED_CONSTANTS",
    "RENAMED_IN_NUMPY2",
    "SIZE_POSITION",
    "STAR_NAMES",
    "TENSOR_MEMBERS",
    "Result",
    "canonical",
    "dtype_problem",
    "flagged",
    "kept_reason",
    "member_problem",
    "result_of",
    "returns_array",
]

_Entry = TypeVar("_Entry")

_NUMERIC = """
    bool bool_ byte short intc int int_ long longlong intp int8 int16 int32 int64 ubyte ushort uintc uint ulong
    ulonglong uintp uint8 uint16 uint32 uint64 half single double float float16 float32 float64 csingle cdouble
    complex complex64 complex128 float_ complex_ cfloat singlecomplex int0 uint0 b h i l q p n B H I L Q P N e f d
    F D ? b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16
"""
# A dtype spelled as a name or a string constant -> the diagnostic's code, or None where a tensor can hold it.
DTYPE_NAMES: dict[str, str | None] = {
    **dict.fromkeys(_NUMERIC.split()),
    **dict.fromkeys("object object_ object0 O O8".split(), "TNP409"),
    **dict.fromkeys("void void0 record recarray V".split(), "TNP410"),
    **dict.fromkeys("str str_ str0 bytes bytes_ bytes0 unicode unicode_ string_ U S a c".split(), "TNP411"),
    **dict.fromkeys("datetime64 timedelta64 M m M8 m8".split(), "TNP412"),
    **dict.fromkeys(
        """longdouble clongdouble longfloat clongfloat longcomplex float96 float128 complex192 complex256 g G f12 f16
        c24 c32""".split(),
        "TNP418",
    ),
}
_SIZED = re.compile(r"(?P<kind>[USaV]|datetime64|timedelta64|M8|m8)(\d+|\[.*\])")


def kept_reason(name: str) -> str | None:
    """Say why the name stays on NumPy, or None where it does not."""
    if name in FLAGGED:
        return None
    return KEPT.get(name) or _below(name, KEPT_PREFIXES)


def flagged(name: str) -> tuple[str, str] | None:
    """Give the diagnostic code and the advice for a name without equivalent, or None."""
    if name in KEPT:
        return None
    return FLAGGED.get(name) or _below(name, FLAGGED_PREFIXES)


def returns_array(name: str, *, call_has_size: bool) -> bool:
    """Whether a kept call certainly gives an array; `call_has_size` says that the call has a size or dimensions."""
    result = result_of(name)
    return result == "always" or (result == "if size" and call_has_size)


def dtype_problem(dtype: object) -> str | None:
    """Give the diagnostic code for a dtype that no tensor can hold.

    `dtype` is the constant in the source ("U3", [("x", "f4")]) or the name there ("float", "numpy.object_").
    A name that is not known here is not a problem: it may be a variable.
    """
    if isinstance(dtype, (list, dict, tuple)):
        return "TNP410"
    if not isinstance(dtype, str):
        return None
    name = dtype.removeprefix("numpy.").removeprefix("builtins.").strip()
    name = name.lstrip("<>=|") if len(name) > 1 else name
    if name in DTYPE_NAMES:
        return DTYPE_NAMES[name]
    if sized := _SIZED.fullmatch(name):
        return DTYPE_NAMES[sized["kind"]]
    if "," in name or name.startswith("(") or re.fullmatch(r"\d+\w+", name):
        return "TNP410"  # "i4,f8" and "(2,)f4": fields and sub-arrays
    return None


def member_problem(member: str) -> str | None:
    """Give the diagnostic code for an array's attribute or method that a tensor cannot have."""
    return MEMBERS.get(member)


def _below(name: str, table: dict[str, _Entry]) -> _Entry | None:
    """Look up the name or the nearest module above it."""
    while name:
        if name in table:
            return table[name]
        name = name.rpartition(".")[0]
    return None
