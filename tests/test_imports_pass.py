"""Imports after the names have moved: what is read stays, what nothing reads goes, new lines stand once."""
# ruff: noqa: E501  # a case a line reads best

from __future__ import annotations

import pytest

from tnp_migrate.backend.imports import edit_imports
from tnp_migrate.program.references import resolve_names
from tnp_migrate.program.scopes import collect_scopes
from tnp_migrate.text.source import Source, splice

TNP = "import tensorflow.experimental.numpy as tnp"


def moved(before: str, after: str, *added: str, exported: tuple[str, ...] = ()) -> str:
    """Edit the imports of `after`, the rewritten text of `before`."""
    old, new = Source("a.py", before.encode()), Source("a.py", after.encode())
    was = resolve_names(old, collect_scopes(old.tree), "a", {})
    names = resolve_names(new, collect_scopes(new.tree), "a", {})
    edits = edit_imports(new, names, list(added), exported=exported, before=was)
    return splice(new.body, edits).decode()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("import numpy as np\nnp.save(x)\n", id="still read"),
        pytest.param("import numpy as np\n", id="never read: it may be there for others"),
        pytest.param("from numpy import *\nsave(x)\n", id="star"),
        pytest.param("import os\nos.sep\n", id="no NumPy"),
        pytest.param("import numpy as np\n__all__ = ['np']\nnp.save(x)\n", id="in __all__"),
        pytest.param("try:\n    import numpy as np\nexcept ImportError:\n    np = None\nnp.save(x)\n", id="try"),
    ],
)
def test_imports_stay_where_nothing_moved(text: str) -> None:
    assert moved(text, text) == text


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("import numpy as np\nnp.sum(x)\n", "import numpy as np\ntnp.sum(x)\n", f"{TNP}\ntnp.sum(x)\n", id="replaced"),
        pytest.param(
            "import numpy as np\nnp.sum(np.save)\n", "import numpy as np\ntnp.sum(np.save)\n",
            f"import numpy as np\n{TNP}\ntnp.sum(np.save)\n", id="kept beside the new one",
        ),
        pytest.param(
            "import numpy as np  # why\nnp.sum(x)\n", "import numpy as np  # why\ntnp.sum(x)\n",
            f"{TNP}  # why\ntnp.sum(x)\n", id="comment stays",
        ),
        pytest.param(
            "import numpy as np\r\nnp.sum(np.save)\r\n", "import numpy as np\r\ntnp.sum(np.save)\r\n",
            f"import numpy as np\r\n{TNP}\r\ntnp.sum(np.save)\r\n", id="line ends are the file's",
        ),
        pytest.param(
            "import os, numpy as np\nnp.sum(x)\n", "import os, numpy as np\ntnp.sum(x)\n",
            f"import os\n{TNP}\ntnp.sum(x)\n", id="one of several names",
        ),
        pytest.param(
            "from numpy import sin, save\nsin(save)\n", "from numpy import sin, save\ntnp.sin(save)\n",
            f"from numpy import save\n{TNP}\ntnp.sin(save)\n", id="one of several from",
        ),
        pytest.param(
            "from numpy import (\n    sin,  # a\n    save,  # b\n)\nsin(save)\n",
            "from numpy import (\n    sin,  # a\n    save,  # b\n)\ntnp.sin(save)\n",
            f"from numpy import (\n    save,  # b\n)\n{TNP}\ntnp.sin(save)\n", id="comments of the names that stay",
        ),
        pytest.param(
            "import numpy as np; x = np.sum(1)\n", "import numpy as np; x = tnp.sum(1)\n",
            f"{TNP}; x = tnp.sum(1)\n", id="semicolon",
        ),
        pytest.param(
            "#!/usr/bin/env python\n# coding: utf-8\nx = 1\n", "#!/usr/bin/env python\n# coding: utf-8\ntnp.x = 1\n",
            f"#!/usr/bin/env python\n# coding: utf-8\n{TNP}\ntnp.x = 1\n", id="below shebang and encoding",
        ),
        pytest.param(
            '"""Doc."""\nfrom __future__ import annotations\nx = 1\n', '"""Doc."""\nfrom __future__ import annotations\ntnp.x = 1\n',
            f'"""Doc."""\nfrom __future__ import annotations\n{TNP}\ntnp.x = 1\n', id="below the future",
        ),
    ],
)  # fmt: skip
def test_imports_follow_the_names(before: str, after: str, expected: str) -> None:
    assert moved(before, after, TNP) == expected


def test_import_without_a_use_in_a_function_goes() -> None:
    before = "def f(x):\n    import numpy as np\n    return np.sum(x)\n"
    after = "def f(x):\n    import numpy as np\n    return tnp.sum(x)\n"
    assert "import numpy as np" not in moved(before, after, TNP)


def test_only_statement_of_a_block_does_not_go() -> None:
    before = "if x:\n    import numpy as np\ny = np.sum(1)\n"
    after = before.replace("np.sum", "tnp.sum")
    assert moved(before, after, TNP).count("    import numpy as np") == 1


def test_name_that_other_modules_import_stays() -> None:
    before, after = "import numpy as np\nnp.sum(1)\n", "import numpy as np\ntnp.sum(1)\n"
    assert "import numpy as np\n" in moved(before, after, TNP, exported=("np",))
