"""Settings: `[tool.tnp-migrate]` of the nearest pyproject.toml, overridden by the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tnp_migrate.numpy_facts.own_rules import OwnRules
    from tnp_migrate.numpy_facts.rulebook import Rulebook

_CHOICES = {
    "stage": ("functional", "backend"),
    "random": ("numpy", "tensorflow"),
    "helpers": ("vendored", "installed"),
    "tensorflow": ("2.18", "2.19", "2.20", "2.21"),
    "numpy": ("2.0", "2.1", "2.2", "2.3", "2.4"),
}
_TYPES = {str: "a string", bool: "true or false", int: "a number"}


class ConfigError(Exception):
    """A setting or option that cannot be used; the message says which and where."""


@dataclass(frozen=True)
class Config:
    """What a run is told. `exclude` are git-style patterns; `per_file_ignores` patterns with codes; `rules` files.

    Patterns and files count from `folder`: that of the pyproject.toml in use, else the current one. No `jobs` (0)
    means that the size of the project decides. `tensorflow` and `numpy` are the oldest versions that the code is to
    run with.
    """

    stage: str = "backend"
    compile: bool = False
    random: str = "numpy"
    helpers: str = "vendored"
    tensorflow: str = _CHOICES["tensorflow"][-1]
    numpy: str = _CHOICES["numpy"][-1]
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    rules: tuple[str, ...] = ()
    tensor_methods: bool = True
    prefer_float32: bool = False
    clear_outputs: bool = False
    jobs: int = 0
    folder: Path | None = None

    @cached_property
    def own_rules(self) -> OwnRules:
        """The user's own rules; raises `ConfigError` with every line of them that cannot be used."""
        from tnp_migrate.numpy_facts.own_rules import NO_RULES, RulesError, read_own_rules  # noqa: PLC0415
        from tnp_migrate.numpy_facts.rulebook import read_rulebook  # noqa: PLC0415  # only where a rule is asked for

        if not self.rules:
            return NO_RULES
        try:
            return read_own_rules(self.rule_files, read_rulebook(self.tensorflow, self.numpy))
        except RulesError as error:
            raise ConfigError(str(error)) from error

    @property
    def own_roots(self) -> Collection[bytes]:
        """The libraries that the user's own rules speak of."""
        return self.own_rules.roots if self.rules else ()

    @property
    def rule_files(self) -> tuple[Path, ...]:
        """The files of the user's own rules."""
        return tuple((self.folder or Path()) / one for one in self.rules)

    @property
    def rulebook(self) -> Rulebook:
        """All rules: the user's own, then those for the versions that the code is to run with."""
        from tnp_migrate.numpy_facts.rulebook import read_rulebook  # noqa: PLC0415  # only where a rule is asked for

        return self.own_rules.over(read_rulebook(self.tensorflow, self.numpy))


def read_config(paths: Sequence[Path]) -> Config:
    """Read the nearest pyproject.toml with our table, at or above the folder that some paths have in common."""
    start = _common_folder(paths)
    for place in (start, *start.parents):
        file = place / "pyproject.toml"
        table = _table(file) if os.path.isfile(file) else None  # noqa: PTH113
        if table is not None:
            return with_rules(replace(_from_table(table, file), folder=place))
    return Config()


def with_rules(config: Config) -> Config:
    """Read the user's own rules now: what is wrong with them is a wrong setting, a `ConfigError`."""
    _ = config.own_rules if config.rules else None
    return config


def check_version(library: str, version: str, where: str) -> str:
    """Give a version as it is known, "2.18.1" as "2.18"; `ConfigError` for one that is not."""
    known = _CHOICES[library]
    short = ".".join(version.split(".")[:2])
    if short not in known:
        raise ConfigError(f"{where} must be one of {', '.join(known)}, not {version!r}")
    return short


def known_versions(library: str) -> tuple[str, ...]:
    """The versions of "tensorflow" or "numpy" that can be chosen, the oldest first."""
    return _CHOICES[library]


def choices(setting: str) -> tuple[str, ...]:
    """The values that a setting can have; none where it is not one of a few words."""
    return _CHOICES.get(setting, ())


def check_codes(codes: Iterable[str], where: str) -> tuple[str, ...]:
    """Give codes, or prefixes of codes, in capitals; `ConfigError` for what is the beginning of no code."""
    from tnp_migrate.diagnostics.findings import CODES  # noqa: PLC0415  # only where a code is given

    found = tuple(code.strip().upper() for code in codes)
    for code in found:
        if not code or not any(known.startswith(code) for known in CODES):
            raise ConfigError(f"{where}: there is no code `{code}`; they look like TNP203; TNP2 is all of 2xx")
    return found


def _common_folder(paths: Sequence[Path]) -> Path:
    places = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100  # links stay as the user wrote them
    return Path(os.path.commonpath([place if place.is_dir() else place.parent for place in places] or [Path.cwd()]))


def _table(file: Path) -> dict[str, Any] | None:
    """Our table of a pyproject.toml; None where it has none."""
    try:
        text = file.read_bytes()
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from error
    if b"tnp-migrate" not in text:
        return None
    if sys.version_info >= (3, 11):
        import tomllib  # noqa: PLC0415  # only where there is something to read
    else:
        import tomli as tomllib  # noqa: PLC0415
    try:
        tool = tomllib.loads(text.decode("utf-8")).get("tool", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from error
    if not isinstance(tool, dict) or "tnp-migrate" not in tool:
        return None
    if not isinstance(tool["tnp-migrate"], dict):
        raise ConfigError(f"{file}: `tool.tnp-migrate` must be a table")
    return tool["tnp-migrate"]


def _from_table(table: dict[str, Any], file: Path) -> Config:
    known = {field.name.replace("_", "-"): field.name for field in fields(Config) if field.name != "folder"}
    config = Config()
    for key, value in table.items():
        name = known.get(key.replace("_", "-"))
        if name is None:
            names = ", ".join(sorted(known))
            raise ConfigError(f"{file}: [tool.tnp-migrate] has no setting `{key}`; known are {names}")
        config = replace(config, **{name: _checked(name, value, getattr(config, name), f"{file}: `{key}`")})
    return config


def _checked(name: str, value: Any, default: Any, where: str) -> Any:
    """Give a value as `Config` holds it, or say what is wrong with it."""
    if name == "per_file_ignores":
        if not isinstance(value, dict) or not all(_is_list_of_strings(codes) for codes in value.values()):
            raise ConfigError(f'{where} must be a table of lists, such as {{"tests/**" = ["TNP2"]}}')
        return tuple((pattern, check_codes(codes, where)) for pattern, codes in value.items())
    if isinstance(default, tuple):
        if not _is_list_of_strings(value):
            raise ConfigError(f"{where} must be a list of strings")
        return tuple(value) if name in ("exclude", "rules") else check_codes(value, where)
    if type(value) is not type(default):
        raise ConfigError(f"{where} must be {_TYPES[type(default)]}")
    if name in ("tensorflow", "numpy"):
        return check_version(name, value, where)
    if value not in _CHOICES.get(name, (value,)):
        raise ConfigError(f"{where} must be {' or '.join(map(repr, _CHOICES[name]))}, not {value!r}")
    if name == "jobs" and value < 0:
        raise ConfigError(f"{where} must be at least 0")
    return value


def _is_list_of_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
