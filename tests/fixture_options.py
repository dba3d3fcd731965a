"""Command line options of the golden tests, for conftest.py to register."""

import pytest


def add_options(parser: pytest.Parser) -> None:
    """Add `--accept` and `--device`; conftest.py exposes this as pytest's hook."""
    group = parser.getgroup("fixtures")
    group.addoption("--accept", action="store_true", help="rewrite the golden files under fixtures/ with what came out")
    group.addoption(
        "--device",
        action="append",
        choices=["cpu", "gpu"],
        help="run translated programs on this device (repeatable; default: cpu)",
    )
