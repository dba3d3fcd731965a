"""Settings: `[tool.tnp-migrate]` of the nearest pyproject.toml, overridden by the command line."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any


class ConfigError(Exception):
    """A setting that cannot be used; the message says which and where."""


@dataclass(frozen=True)
class Config:
    """What a run is told. `exclude` are git-style patterns; `per_file_ignores` patterns with codes."""

    stage: str = "backend"
    random: str = "numpy"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    tensor_methods: bool = True
    prefer_float32: bool = False
    jobs: int = 1


def read_config(start: Path) -> Config:
    """Read the settings of the nearest pyproject.toml at or above a place."""
    folder = start if start.is_dir() else start.parent
    for place in (folder.resolve(), *folder.resolve().parents):
        file = place / "pyproject.toml"
        if file.is_file():
            return _from_table(_table(file), file)
    return Config()


def _table(file: Path) -> dict[str, Any]:
    text = file.read_bytes()
    if b"tnp-migrate" not in text:
        return {}
    try:
        import tomllib  # noqa: PLC0415  # only where there is something to read
    except ModuleNotFoundError:  # Python 3.10
        import tomli as tomllib  # noqa: PLC0415
    try:
        table = tomllib.loads(text.decode("utf-8")).get("tool", {}).get("tnp-migrate", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from error
    return dict(table)


def _from_table(table: dict[str, Any], file: Path) -> Config:
    known = {field.name: field for field in fields(Config)}
    config = Config()
    for key, value in table.items():
        name = key.replace("-", "_")
        if name not in known:
            raise ConfigError(f"{file}: [tool.tnp-migrate] has no setting `{key}`; known are {', '.join(sorted(known))}")
        current = getattr(config, name)
        if name == "per_file_ignores":
            if not isinstance(value, dict):
                raise ConfigError(f"{file}: `{key}` must be a table of patterns and codes")
            value = tuple((pattern, tuple(codes)) for pattern, codes in value.items())
        elif isinstance(current, tuple):
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                raise ConfigError(f"{file}: `{key}` must be a list of strings")
            value = tuple(value)
        elif type(value) is not type(current):
            raise ConfigError(f"{file}: `{key}` must be a {type(current).__name__}")
        config = replace(config, **{name: value})
    return config
