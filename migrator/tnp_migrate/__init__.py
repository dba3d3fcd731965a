"""Rewrite NumPy programs for TensorFlow's NumPy API.

`check`, `migrate` and `migrate_text` are the tool as a library, see `tnp_migrate.library`; they are imported when they
are asked for, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tnp_migrate.library import (
        Config,
        ConfigError,
        Finding,
        Ledger,
        Report,
        Result,
        Uncommitted,
        UnknownState,
        check,
        migrate,
        migrate_text,
        read_config,
    )

__version__ = "0.1.0"
__all__ = [
    "Config",
    "ConfigError",
    "Finding",
    "Ledger",
    "Report",
    "Result",
    "Uncommitted",
    "UnknownState",
    "__version__",
    "check",
    "migrate",
    "migrate_text",
    "read_config",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tnp_migrate import library  # noqa: PLC0415  # the whole tool

    return getattr(library, name)


def __dir__() -> list[str]:
    return __all__
