"""What a run does with what an earlier one has written: the translation, the functional stage's, and what is new."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from click.testing import CliRunner

from tnp_migrate.cli import main

PROGRAM = """
import numpy as np


class Store:
    def __init__(self, n):
        self.rows = np.zeros(n)


def fill(n):
    x = np.zeros(n)
    x[0] = np.sum(np.ones(3))
    x[1:] += np.arange(n - 1)
    return x // 2


LOW = np.linspace(0, 1, 4)
HIGH = fill(3) + LOW[:3]
"""


def migrated(source: Path, out: Path, *options: str) -> str:
    result = CliRunner().invoke(main, ["migrate", str(source), "--out-dir", str(out), "--no-cache", *options])
    assert result.exit_code in (0, 1), result.output
    return (out / "code.py").read_text("utf-8")


def written(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "code.py").write_text(dedent(text), "utf-8")
    return folder


def test_what_the_functional_stage_wrote_is_translated_as_the_program_itself(tmp_path: Path) -> None:
    source = written(tmp_path / "source", PROGRAM)
    at_once = migrated(source, tmp_path / "at_once")
    between = migrated(source, tmp_path / "between", "--stage", "functional")
    assert "tnh.index_update(x, 0, np.sum(np.ones(3)))" in between
    assert migrated(tmp_path / "between", tmp_path / "after").splitlines()[4:] == at_once.splitlines()[4:]


def test_what_is_new_in_a_translated_file_is_translated(tmp_path: Path) -> None:
    once = migrated(written(tmp_path / "source", PROGRAM), tmp_path / "once")
    new = "\n\ndef mean(x):\n    y = np.cumsum(x)\n    y[0] = 1.0\n    return y // 3\n"
    grown = once.replace("import tensorflow.exp", "import numpy as np\nimport tensorflow.exp", 1) + new
    (tmp_path / "once" / "code.py").write_text(grown, "utf-8")
    twice = migrated(tmp_path / "once", tmp_path / "twice")
    added = twice[twice.index("def mean") :]
    assert "tnh.cumsum(x)" in added or "tnp.cumsum(x)" in added
    assert "index_update(y, 0, 1.0)" in added
    assert "tnh.floor_divide(y, 3)" in added
    assert twice[: twice.index("def mean")].rstrip().endswith(once.rstrip().splitlines()[-1])


def test_statements_with_names_of_tensorflow_and_annotations_of_classes_stay(tmp_path: Path) -> None:
    text = """
    import numpy as np
    import tensorflow as tf
    import tensorflow.experimental.numpy as tnp
    import _tnp_helpers as tnh
    from numpy.testing import assert_equal


    class Result:
        rows: np.ndarray


    def ties(counts, frame):
        assert_equal(tnh.shape_tuple(frame.shape), (2,))
        return tnp.sum(counts // 2) + np.sqrt(2)
    """
    source = written(tmp_path / "source", text)
    assert migrated(source, tmp_path / "out") == (source / "code.py").read_text("utf-8")
