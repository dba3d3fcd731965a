"""Puts the two import roots and this folder on the path, and chooses the device the rules are compared on."""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from fixture_options import add_options, choose

TESTS = Path(__file__).parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "migrator"), str(TESTS.parent / "rules")]
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="tnp-migrate-cache-")  # no test leaves notes with the user


# A busy machine draws slowly, which is no fault of what is tested.
hypothesis.settings.register_profile("patient", suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("patient")
hypothesis.settings.register_profile("thorough")  # `test_generated_calls` draws hundreds of calls of each name then


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--device`, `--thorough`, `--accept` and `--quick`."""
    add_options(parser)
    parser.addoption("--thorough", action="store_true", help="compile all samples of the rules, not two of each")
    parser.addoption("--device", choices=["cpu", "gpu"], default="cpu", help="where the rules are compared with NumPy")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the sample of the long suites, where that is asked for."""
    choose(config, items)


@pytest.fixture(scope="session")
def tensorflow() -> Any:
    """Import TensorFlow once, with NumPy behaviour on as translated code has it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # importing TensorFlow warns about its own dependencies
        import tensorflow as tf
        import tensorflow.experimental.numpy as tnp
    tnp.experimental_enable_numpy_behavior()
    return tf


@pytest.fixture(scope="session")
def rules(tensorflow: Any) -> dict[str, Any]:
    """Load every rule, once TensorFlow is there."""
    import numpy as np

    from tnp_rules.forms import load_rules

    return dict(load_rules(tensorflow=tensorflow.__version__, numpy=np.__version__))


@pytest.fixture(scope="session")
def tf(tensorflow: Any) -> Any:
    """Give TensorFlow under its usual name."""
    return tensorflow


@pytest.fixture(scope="session")
def device(request: pytest.FixtureRequest, tensorflow: Any) -> str:
    """Return the TensorFlow name of the chosen device; a missing one is not checked, which is not passed."""
    kind = str(request.config.getoption("--device")).upper()
    if kind == "GPU" and not tensorflow.config.list_physical_devices("GPU"):
        pytest.skip("not checked on GPU")
    return f"/{kind}:0"


@pytest.fixture
def own_choices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the choices of compiled functions in a file of the test's own."""
    monkeypatch.setenv("TNP_COMPILED_CHOICES", str(tmp_path / "choices.json"))
