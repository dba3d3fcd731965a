"""A translated notebook in a kernel: its cells run, and what they leave behind is what NumPy leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from notebook_files import notebook

from tnp_migrate.cli import main

ROOT = Path(__file__).parent.parent
CELLS = [
    "text:# Heat on a rod",
    "%matplotlib --list\nimport numpy as np\n\nnp.random.seed(1)",
    "rod = np.zeros(9)\nsame = rod\nrod[4] = 1",
    "def step(u, k):\n    u[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2])",
    "%%time\nfor _ in range(5):\n    step(rod, 0.25)",
    "view = rod[2:5]\nview *= 2\n%timeit -n 1 -r 1 np.median(rod)",
    "noise = np.random.randn(3)\nhere = !echo {len(rod)}",
    "print 'of Python 2'",
    "import asyncio\n\nawait asyncio.sleep(0)\ntop = np.sort(rod)[::-1][:3]",
    "rod?",
    """result = {name: np.asarray(value).tolist() for name, value in dict(rod=rod, same=same, view=view).items()}
result |= {'noise': np.asarray(noise).tolist(), 'top': np.asarray(top).tolist(), 'here': int(here[0])}
result['dtype'] = str(np.asarray(rod).dtype)
import json
open('result.json', 'w').write(json.dumps(result))""",
]
RUN = """
import asyncio, sys, nbformat, nbclient
if sys.platform == "win32":
    asyncio.set_event_loop_policy(asyncio.WindowsSelectorEventLoopPolicy())
notebook = nbformat.read("a.ipynb", as_version=4)
nbformat.validate(notebook)
nbclient.NotebookClient(notebook, kernel_name="python3", timeout=300, allow_errors=True).execute()
kinds = [one.output_type for cell in notebook.cells for one in cell.get("outputs", ())]
assert kinds.count("error") == 1, [one for cell in notebook.cells for one in cell.get("outputs", ())]
"""


def executed(folder: Path) -> dict[str, Any]:
    """Run `a.ipynb` of a folder in a kernel of this Python, and read what its last cell has written."""
    environment = os.environ | {"PYTHONPATH": str(folder), "TF_CPP_MIN_LOG_LEVEL": "3", "MPLBACKEND": "agg"}
    code = textwrap.dedent(RUN)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads((folder / "result.json").read_text()))


def test_translated_notebook_gives_the_kernel_what_numpy_gives(tmp_path: Path) -> None:
    pytest.importorskip("nbclient", reason="the extra `notebooks` is not installed beside this Python")
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
        (folder / "a.ipynb").write_bytes(notebook(*CELLS))
        (folder / "pyproject.toml").write_text("")
    done = CliRunner().invoke(main, ["migrate", str(after / "a.ipynb")])
    assert done.exit_code == 1, done.output
    assert [line.split(": ")[1][:7] for line in done.output.split("\n") if ": TNP2" in line] == ["TNP213 "]
    text = (after / "a.ipynb").read_text()
    assert "tnh.index_update" in text
    wanted, found = executed(before), executed(after)
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        assert found[name] == (pytest.approx(value, rel=1e-12) if isinstance(value, list) else value), name
