"""What only a module's own statements name is to these what a local is to a function."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from handed_out_programs import Program
from handed_out_runs import judge

_SCRIPT = Path(__file__).parents[1] / "fixtures/mutation/module_variables_of_a_script.py"
_OTHER = "import numpy as np\n\na = np.zeros(3)\nrows = [a]\n"
_USER = "import numpy as np\n{}\n\n\ndef run():\n    q = {}[0]\n    q[0] = 5\n    return [{} * 1, q * 1]\n"


def test_history_of_a_script_is_translated(tensorflow: Any) -> None:
    assert judge(Program({"main.py": _SCRIPT.read_text("utf-8")}, ())).kind == "native"


@pytest.mark.parametrize(
    ("imports", "rows", "a"),
    [
        ("import other", "other.rows", "other.a"),
        ("from other import *", "rows", "a"),
        ("from other import rows, a", "rows", "a"),
        ("import other", "vars(other)['rows']", "vars(other)['a']"),
        ("import importlib", "getattr(importlib.import_module('other'), 'rows')", "importlib.import_module('other').a"),
    ],
)
def test_what_other_modules_get_at_is_followed(imports: str, rows: str, a: str, tensorflow: Any) -> None:
    verdict = judge(Program({"main.py": _USER.format(imports, rows, a), "other.py": _OTHER}, ()))
    assert verdict.kind in ("island", "native"), verdict.why


@pytest.mark.parametrize(
    "read",
    [
        "globals()['rows'][0][0] = 5",
        "eval('rows')[0][0] = 5",
        "first = (lambda: rows[0])()\nfirst[0] = 5",
        "class Kept:\n    first = rows[0]\n\n\nKept.first[0] = 5",
        "first = next(row for row in rows)\nfirst[0] = 5",
        "import sys\nsys.modules[__name__].rows[0][0] = 5",
    ],
)
def test_what_functions_and_texts_get_at_is_followed(read: str, tensorflow: Any) -> None:
    program = f"{_OTHER}{read}\nOUT = [a * 1, rows[0] * 1]\n\n\ndef run():\n    return OUT\n"
    verdict = judge(Program({"main.py": program}, ()))
    assert verdict.kind in ("island", "native"), verdict.why
