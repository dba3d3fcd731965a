"""What the decorator of a compiled function says of its parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tnp_migrate.library import Config, migrate_text

LOOP = "    for _ in range(steps):\n        t[1:-1, :] += np.abs(t[2:, :] - t[:-2, :])\n"


@pytest.mark.parametrize(
    ("body", "decorator"),
    [
        pytest.param(LOOP, '@tnh.compiled(writes=("t",))', id="the caller's"),
        pytest.param(f"    t = np.array(t, dtype=float)\n{LOOP}    return t\n", "@tnh.compiled", id="a copy"),
        pytest.param(f"    t = t * 1.0\n{LOOP}    return t\n", "@tnh.compiled", id="computed of it"),
    ],
)
def test_decorator_names_what_the_caller_sees_written(body: str, decorator: str) -> None:
    result = migrate_text(f"import numpy as np\n\n\ndef f(t, steps):\n{body}", Config(compile=True))
    assert f"\n{decorator}\ndef f(t, steps):\n" in result.texts[Path("-")].decode()
