"""Command line options of the golden tests, for conftest.py to register."""

import pytest


def add_options(parser: pytest.Parser) -> None:
    """Add `--accept`; `--device` is the option that the rules' tests have."""
    parser.addoption(
        "--accept", action="store_true", help="rewrite the golden files under fixtures/ with what came out"
    )
