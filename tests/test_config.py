"""Settings: where they are read, which patterns they hold, and what a mistake in them says."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tnp_migrate.cli import main
from tnp_migrate.program.config import Config, ConfigError, check_codes, read_config

LEFT = "import numpy as np\n\n\ndef look(x):\n    return np.lib.stride_tricks.as_strided(x, (2, 2))\n"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: `src/left.py` has one finding, TNP408."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/left.py").write_text(LEFT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings(folder: Path, *lines: str) -> None:
    (folder / "pyproject.toml").write_text("\n".join(["[tool.tnp-migrate]", *lines, ""]))


def test_no_file_means_defaults(folder: Path) -> None:
    assert read_config([folder / "src"]) == Config()


def test_every_setting_is_read(folder: Path) -> None:
    settings(
        folder,
        'select = ["TNP2", "tnp408"]',
        'ignore = ["TNP203"]',
        'exclude = ["build/"]',
        "tensor-methods = false",
        "prefer_float32 = true",
        "jobs = 3",
        'stage = "backend"',
        'random = "tensorflow"',
        'tensorflow = "2.18.1"',
        'numpy = "2.0"',
        "[tool.tnp-migrate.per-file-ignores]",
        '"tests/**" = ["TNP2"]',
    )
    assert read_config([folder / "src/left.py"]) == Config(
        random="tensorflow",
        tensorflow="2.18",
        numpy="2.0",
        select=("TNP2", "TNP408"),
        ignore=("TNP203",),
        exclude=("build/",),
        per_file_ignores=(("tests/**", ("TNP2",)),),
        tensor_methods=False,
        prefer_float32=True,
        jobs=3,
        folder=folder,
    )


def test_nearest_file_with_our_table_counts(folder: Path) -> None:
    settings(folder, "jobs = 5")
    (folder / "src/pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert read_config([folder / "src/left.py"]).jobs == 5
    settings(folder / "src", "jobs = 7")
    assert read_config([folder / "src/left.py"]).jobs == 7
    assert read_config([folder / "src/left.py", folder]).jobs == 5


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "colour = true",
            "has no setting `colour`; known are clear-outputs, compile, exclude, helpers, ignore, jobs, numpy",
        ),
        ("folder = 'x'", "has no setting `folder`"),
        ("jobs = 'many'", "`jobs` must be a number"),
        ("jobs = true", "`jobs` must be a number"),
        ("jobs = -1", "`jobs` must be at least 0"),
        ("tensor-methods = 1", "`tensor-methods` must be true or false"),
        ("select = 'TNP2'", "`select` must be a list of strings"),
        ("exclude = [1]", "`exclude` must be a list of strings"),
        ("ignore = ['E501']", "`ignore`: there is no code `E501`"),
        ("ignore = ['']", "`ignore`: there is no code ``"),
        ("random = 'jax'", "`random` must be 'numpy' or 'tensorflow', not 'jax'"),
        ("tensorflow = '2.17'", "`tensorflow` must be one of 2.18, 2.19, 2.20, 2.21, not '2.17'"),
        ("numpy = 2.1", "`numpy` must be a string"),
        ("stage = 'both'", "`stage` must be 'functional' or 'backend', not 'both'"),
        ("per-file-ignores = ['x']", "`per-file-ignores` must be a table of lists"),
        ("per-file-ignores = {'x' = 'TNP2'}", "`per-file-ignores` must be a table of lists"),
        ("per-file-ignores = {'x' = ['F401']}", "`per-file-ignores`: there is no code `F401`"),
        ("jobs =", "pyproject.toml: Invalid value"),
    ],
)
def test_mistake_is_named_with_its_file_and_ends_with_2(folder: Path, line: str, message: str) -> None:
    settings(folder, line)
    result = run("migrate", "src")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {folder}/pyproject.toml: ")
    assert message in result.stderr
    assert (folder / "src/left.py").read_text() == LEFT


def test_our_entry_has_to_be_a_table(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool]\ntnp-migrate = 3\n")
    with pytest.raises(ConfigError, match="must be a table"):
        read_config([folder])


def test_flags_win_over_the_file(folder: Path) -> None:
    settings(folder, "select = ['TNP1']")
    assert run("check", "src").exit_code == 0
    assert run("check", "src", "--select", "TNP4").exit_code == 1
    settings(folder, "ignore = ['TNP408']")
    assert run("check", "src").exit_code == 0


@pytest.mark.parametrize("current", [".", "src"])
def test_patterns_count_from_the_folder_of_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, current: str
) -> None:
    monkeypatch.chdir(folder / current)
    path = str(folder / "src")
    settings(folder, "exclude = ['/src/left.py']")
    assert run("check", path).exit_code == 0
    settings(folder, "exclude = ['/left.py']")
    assert run("check", path).exit_code == 1
    settings(folder, "per-file-ignores = {'/src/*.py' = ['TNP4']}")
    assert run("check", path).exit_code == 0
    settings(folder, "per-file-ignores = {'/*.py' = ['TNP4'], 'src/left.py' = ['TNP1']}")
    assert run("check", path).exit_code == 1


def test_excluded_file_given_by_name_is_looked_at_unless_forced(folder: Path) -> None:
    settings(folder, "exclude = ['left.py']")
    assert run("check", "src/left.py").exit_code == 1
    assert run("check", "src/left.py", "--force-exclude").exit_code == 0
    assert run("check", "src", "--exclude", "nothing").exit_code == 0


def test_codes_are_prefixes_in_any_case() -> None:
    assert check_codes([" tnp2", "TNP408"], "here") == ("TNP2", "TNP408")
    with pytest.raises(ConfigError, match="here: there is no code `TNP4088`"):
        check_codes(["TNP4088"], "here")
