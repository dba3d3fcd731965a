"""The hooks, run by pre-commit itself from a clone of this repository's last commit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PRE_COMMIT = Path(sys.executable).with_name("pre-commit")
GOOD = "import numpy as np\n\n\ndef f(x):\n    return np.exp(x)\n"
LEFT = "import numpy as np\n\n\ndef look(x):\n    return np.lib.stride_tricks.as_strided(x, (2, 2))\n"
NO_NETWORK = ("Could not find a version", "Failed to establish", "Temporary failure", "Connection", "timed out")

pytestmark = [
    pytest.mark.skipif(not PRE_COMMIT.is_file(), reason="pre-commit is not installed beside this Python"),
    pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("git"), reason="not run from a repository"),
]


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps the environment that all tests here share."""
    return tmp_path_factory.mktemp("pre-commit")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    config = f"repos:\n- repo: {ROOT}\n  rev: {git(ROOT, 'rev-parse', 'HEAD')}\n  hooks:\n"
    (tmp_path / ".pre-commit-config.yaml").write_text(config + "  - id: tnp-migrate-check\n  - id: tnp-migrate\n")
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "pyproject.toml").write_text("[tool.tnp-migrate]\nexclude = ['vendored/']\n")
    (tmp_path / "vendored").mkdir()
    (tmp_path / "vendored/left.py").write_text(LEFT)
    git(tmp_path, "add", ".")
    return tmp_path


def hook(repository: Path, home: Path, name: str) -> subprocess.CompletedProcess[str]:
    own = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [PRE_COMMIT, "run", name, "--all-files", "--color", "never"],
        cwd=repository,
        env={**own, "PRE_COMMIT_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    log = done.stdout + done.stderr
    if done.returncode not in (0, 1) and any(words in log for words in NO_NETWORK):
        pytest.skip("the package index, from which pre-commit installs the hook, cannot be reached")
    assert done.returncode in (0, 1), log
    return done


def test_check_hook_passes_and_reports_findings(repository: Path, home: Path) -> None:
    done = hook(repository, home, "tnp-migrate-check")
    assert done.returncode == 0, done.stdout
    assert "Passed" in done.stdout
    (repository / "left.py").write_text(LEFT)
    git(repository, "add", ".")
    done = hook(repository, home, "tnp-migrate-check")
    assert done.returncode == 1
    assert "left.py:5:" in done.stdout
    assert "vendored" not in done.stdout
    assert git(repository, "diff") == ""


def test_migrate_hook_rewrites_what_is_staged_once(repository: Path, home: Path) -> None:
    done = hook(repository, home, "tnp-migrate")
    assert done.returncode == 1
    assert "files were modified by this hook" in done.stdout
    assert "tnp.exp(" in (repository / "good.py").read_text()
    assert (repository / "_tnp_helpers.py").is_file()
    assert (repository / "vendored/left.py").read_text() == LEFT
    git(repository, "add", ".")
    assert hook(repository, home, "tnp-migrate").returncode == 0
