"""The names that `lazy_loader` gives a package lead to its functions, by a stub or by what is written out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tnp_migrate.program.config import Config
from tnp_migrate.project import migrate
from tnp_migrate.text.discovery import Found

STUB = "__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)\n"
MAIN = "import numpy as np\nimport pkg\n\n\ndef run():\n    a = np.ones(3)\n    pkg.scale(a)\n    return a\n"
LISTED = "__getattr__, __dir__, __all__ = lazy.attach(__name__, ['tools'], submod_attrs={'tools': ['scale']})\n"


@pytest.mark.parametrize("attached", [STUB, LISTED])
def test_write_of_a_function_that_is_given_lazily_is_followed(attached: str, tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": f"import lazy_loader as lazy\n\n{attached}",
        "pkg/__init__.pyi": "from .tools import scale as scale\n",
        "pkg/tools.py": "import numpy as np\n\n\ndef scale(x):\n    x *= 2.0\n",
        "main.py": MAIN,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    found = [Found(tmp_path / name, name, tmp_path) for name in files]
    translated = {one.path: one.after for one in migrate(found, Config(jobs=1)).reports}
    assert b"    a = pkg.scale(a)\n" in translated["main.py"]
    assert b"    return x\n" in translated["pkg/tools.py"]
