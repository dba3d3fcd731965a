"""`--random tensorflow` in single files: how names are reached, what is said once, seeds inside islands, later runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tnp_migrate.cli import main
from tnp_migrate.program.config import Config
from tnp_migrate.project import migrate_text, report_of

HEAD = "import numpy as np\n\n\n"


def translated(text: str, random: str = "tensorflow") -> tuple[str, list[str]]:
    """Give the new text and the codes of the findings."""
    project = migrate_text(text.encode(), Config(random=random))
    after = project.outputs.get(Path("-"), text.encode()).decode()
    return after, [one.code for file in report_of(project).files for one in file.findings]


def program(folder: Path, text: str) -> Path:
    path = folder / "draws.py"
    path.write_text(text)
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.mark.parametrize("command", ["migrate", "check"])
def test_option_chooses_who_draws(command: str, tmp_path: Path) -> None:
    path = program(tmp_path, HEAD + "x = np.random.rand(3)\n")
    options = ["--diff"] if command == "migrate" else []
    result = run(command, path, "--random", "tensorflow", *options)
    shown = result.stdout + result.stderr
    assert "TNP111" in shown
    assert ("+x = tnh.random.rand(3)" in shown) == (command == "migrate")


def test_setting_chooses_and_option_wins(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.tnp-migrate]\nrandom = "tensorflow"\n')
    path = program(tmp_path, HEAD + "x = np.random.rand(3)\n")
    assert "+x = tnh.random.rand(3)" in run(path, "--diff").stdout
    assert "+x = tnp.asarray(np.random.rand(3))" in run(path, "--diff", "--random", "numpy").stdout


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from numpy.random import normal as draw\nx = draw(0, 1)\n", "x = tnh.random.normal(0, 1)"),
        ("from numpy import random\nx = random.sample(3)\n", "x = tnh.random.sample(3)"),
        ("import numpy as np\nx = getattr(np.random, 'rand')(3)\n", "x = tnh.random.rand(3)"),
        ("import numpy as np\nr = np.random\nx = r.rand(3)\n", "x = tnh.random.rand(3)"),
        ("import numpy as np\nx = hasattr(np.random, 'default_rng')\n", "x = hasattr(np.random, 'default_rng')"),
        ("import numpy as np\ndef f(r=np.random): return r.rand(3)\n", "def f(r=tnh.random)"),
        ("import numpy as np\ndef f(r: 'np.random.Generator'): return r\n", "def f(r: 'tnh.Generator')"),
        ("import numpy as np\nx = np.random.rand(*shape)\n", "x = tnh.random.rand(*shape)"),
        ("import numpy as np\nx = tnp.asarray(np.random.rand(3))\n", "x = tnp.asarray(tnh.random.rand(3))"),
        ("import numpy as np\nx = np.random.PCG64(3)\n", "x = np.random.PCG64(3)"),
        ("import numpy as np\nx = np.random.bytes(3)\n", "x = np.random.bytes(3)"),
    ],
)
def test_names_are_found_however_they_are_reached(before: str, after: str) -> None:
    assert after in translated(before)[0]


def test_other_numbers_are_said_once_in_a_file_without_seed() -> None:
    draws = "x = np.random.rand(3)\ny = np.random.randn(3)\n"
    assert translated(HEAD + draws)[1] == ["TNP111"]
    assert translated(HEAD + "np.random.seed(1)\n" + draws)[1] == ["TNP111"]
    assert translated(HEAD + "a = np.random.default_rng()\n")[1] == []
    assert translated(HEAD + "a = np.random.default_rng(1)\nb = np.random.RandomState(2)\n")[1] == ["TNP111"] * 2


def test_seed_in_an_island_reaches_both_streams() -> None:
    after, codes = translated(
        HEAD + "def f(x: np.ndarray):\n    np.random.seed(2)\n    x.resize(4)\n    return x + np.random.rand(4)\n"
    )
    assert "@tnh.island" in after
    assert "tnh.random.seed(2)" in after
    assert "np.random.rand(4)" in after
    assert {"TNP301", "TNP111"} <= set(codes)


@pytest.mark.parametrize(
    ("call", "codes"),
    [
        ("vonmises(0, 1, 3)", ["TNP201"]),
        ("bit_generator.jumped()", []),
        ("random(3, out=x)", ["TNP301", "TNP302"]),
        ("choice(5, 2, shuffle=False)", ["TNP202"]),
        ("normal(0, 1, 3)", []),
    ],
)
def test_methods_of_a_generator_are_checked(call: str, codes: list[str]) -> None:
    found = translated(HEAD + f"def f(x):\n    rng = np.random.default_rng()\n    return rng.{call}\n")[1]
    assert found == codes


def test_numpys_draws_are_frozen_where_tracing_reaches_them() -> None:
    traced = "import tensorflow as tf\n" + HEAD + "def g():\n    return np.random.rand(2)\n\n\n"
    for use in ("tf.function(lambda: g())", "tf.function(g, jit_compile=True)"):
        assert translated(f"{traced}h = {use}\n", "numpy")[1] == ["TNP305"]
        assert translated(f"{traced}h = {use}\n")[1] == ["TNP111"]
    assert translated(f"{traced}h = map(g, [])\n", "numpy")[1] == []


KERAS = """import tensorflow as tf
import numpy as np


class Noise(tf.keras.layers.Layer):
    def call(self, x):
        return x + np.random.rand()

    def other(self, x):
        return x + np.random.rand()


class Own:
    def call(self, x):
        return x + np.random.rand()
"""
ISLAND = """import tensorflow as tf
import numpy as np


def noise({parameters}):
    a = np.zeros(3)
    a.setflags(write=True)
    a[0] = {draw}
    return a


@tf.function
def step(x):
    return x + noise({arguments})
"""


def test_numpys_draws_are_frozen_where_keras_traces() -> None:
    assert translated(KERAS, "numpy")[1].count("TNP305") == 1


def test_numpys_draws_are_frozen_on_an_island_that_takes_nothing() -> None:
    for draw in ("np.random.rand()", "np.random.default_rng(0).normal()"):
        codes = translated(ISLAND.format(parameters="", arguments="", draw=draw), "numpy")[1]
        assert "TNP305" in codes, draw
        codes = translated(ISLAND.format(parameters="x", arguments="x", draw=draw), "numpy")[1]
        assert "TNP305" not in codes, draw
