"""The dtypes that NumPy 2 gives results, by name: promotion, reductions, floating functions. None is not known."""

from __future__ import annotations

from collections.abc import Iterable

SINGLE = frozenset({"float16", "float32", "complex64"})  # beside these small integers and Python's numbers stay so
_REAL_OF = {"complex64": "float32", "complex128": "float64"}
_SUMS = frozenset("sum prod nansum nanprod trace cumsum cumprod nancumsum nancumprod".split())
_MEANS = frozenset("mean average median nanmean nanmedian percentile quantile nanpercentile nanquantile".split())
_SPREADS = frozenset("std var nanstd nanvar norm".split())
_PICKS = frozenset("max min amax amin nanmax nanmin ptp".split())
_POSITIONS = frozenset("argmax argmin nanargmax nanargmin count_nonzero".split())


def result_type(dtypes: Iterable[str]) -> str | None:
    """Promote arrays, as `np.result_type`: `uint8` and `int8` to `int16`, `int64` and `float32` to `float64`."""
    found: str | None = "bool"
    for dtype in dtypes:
        found = _promoted(found, dtype) if found is not None else None
    return found


def _promoted(one: str, other: str) -> str | None:
    kinds = {_kind(one), _kind(other)}
    if None in kinds:
        return None
    if "bool" in (one, other):
        return one if other == "bool" else other
    if kinds <= {"int", "uint"}:
        return max(one, other, key=_bits) if len(kinds) == 1 else _integer(one, other)
    bits = max(map(_float_bits, (one, other)))
    return f"complex{2 * max(bits, 32)}" if "complex" in kinds else f"float{bits}"


def _integer(one: str, other: str) -> str:
    """Promote a signed and an unsigned integer."""
    signed, unsigned = (one, other) if _kind(one) == "int" else (other, one)
    if _bits(signed) > _bits(unsigned):
        return signed
    return f"int{2 * _bits(unsigned)}" if _bits(unsigned) < 64 else "float64"


def _kind(dtype: str) -> str | None:
    kind = dtype.rstrip("0123456789")
    return kind if kind in ("bool", "int", "uint", "float", "complex") else None


def _bits(dtype: str) -> int:
    return int(dtype.lstrip("abcdefghijklmnopqrstuvwxyz") or 8)


def _float_bits(dtype: str) -> int:
    """The width of the float that holds a number, or the parts of a complex one."""
    if _kind(dtype) in ("int", "uint"):
        return {8: 16, 16: 32}.get(_bits(dtype), 64)
    return _bits(dtype) // (2 if dtype.startswith("complex") else 1)


def is_exact(dtype: str | None) -> bool:
    """Whether a dtype is one of integers or bools."""
    return dtype is not None and _kind(dtype) in ("bool", "int", "uint")


def floating(dtype: str | None) -> str | None:
    """What `np.sin` and its like make of a dtype: `float16` of 8 bits, `float32` of 16, `float64` of more."""
    return f"float{_float_bits(dtype if dtype != 'bool' else 'int8')}" if dtype and is_exact(dtype) else dtype


def divided(dtype: str | None) -> str | None:
    """What `/` makes of what its operands promote to."""
    return "float64" if is_exact(dtype) else dtype


def real(dtype: str | None) -> str | None:
    """The dtype of the parts of complex numbers; others are their own."""
    return _REAL_OF.get(dtype or "", dtype)


def reduced(name: str, dtype: str | None) -> str | None:
    """What a reduction, or a running sum or product, makes of a dtype."""
    if name in _POSITIONS:
        return "int64"
    if name in ("all", "any"):
        return "bool"
    if dtype is None or _kind(dtype) is None:
        return None
    if name in _PICKS:
        return dtype
    if name in _SUMS and is_exact(dtype):
        return "uint64" if dtype.startswith("uint") else "int64"
    if name in _MEANS or name in _SPREADS:
        made = divided(dtype)
        return real(made) if name in _SPREADS else made
    return dtype if name in _SUMS else None
