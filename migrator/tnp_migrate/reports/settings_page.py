"""The page of all settings, `docs/settings.md`: defaults and choices from `Config`, and what each is for."""

from __future__ import annotations

from dataclasses import dataclass, fields

from tnp_migrate.program.config import Config, choices

GENERATED = (
    "<!-- Generated from migrator/tnp_migrate/settings_page.py: edit there, then run "
    "`python -m tnp_migrate.reports.docs_pages docs`. -->"
)
LEAD = """\
Settings stand in the table `[tool.tnp-migrate]` of a `pyproject.toml`. The nearest one that has this table counts, from
the folder that all given paths have in common upwards; others are not read. Options of the command line win over it;
those of `ignore` and `exclude` add to it. A name may be written with `-` or `_`. A setting that does not exist, or a
value of the wrong kind, ends the run with exit code 2 before anything is written."""


@dataclass(frozen=True)
class Setting:
    """What a setting is for, a value in TOML as an example, and the option that does the same."""

    meaning: str
    example: str
    option: str = ""


SETTINGS: dict[str, Setting] = {
    "stage": Setting(
        "Where to stop. `functional` makes values of writes in place and stays on NumPy: the same program with the "
        "same bits. `backend` goes on to TensorFlow.",
        '"functional"',
        "`--stage`",
    ),
    "compile": Setting(
        "Whether functions that are worth it are compiled: each gets a decorator, which measures whether a graph, XLA "
        "or NumPy's own code, kept in a file beside it, is the fastest that gives the same numbers "
        "([compiled](compiled.md)). Of the other functions with loops it is said why not (TNP506).",
        "true",
        "`--compile`",
    ),
    "random": Setting(
        "Who draws random numbers. With `numpy` they are drawn by NumPy and converted, so that seeds keep their "
        "meaning. With `tensorflow` they are drawn on the device: other numbers of the same distributions (TNP111).",
        '"tensorflow"',
        "`--random`",
    ),
    "helpers": Setting(
        "Where the functions are that translated code calls. With `vendored` the helper module has a copy of those "
        "that it needs, which is yours. With `installed` it is a page of imports from the package `tnp_rules`, which "
        "comes with the tool: translated code runs where that is installed, in the version that the module names "
        "([the helper module](usage.md#the-helper-module)).",
        '"installed"',
        "`--helpers`",
    ),
    "tensorflow": Setting(
        "The oldest TensorFlow that the translated code is to run with.", '"2.18"', "`--tensorflow VERSION`"
    ),
    "numpy": Setting("The oldest NumPy that the translated code is to run with.", '"2.0"', "`--numpy VERSION`"),
    "select": Setting(
        "Report only these codes. A prefix stands for all codes that begin with it: `TNP4` for all of 4xx. "
        "An empty list is all codes. Input errors (`TNP9`) are always reported.",
        '["TNP2", "TNP301"]',
        "`--select CODES`, which takes its place",
    ),
    "ignore": Setting(
        "Leave these codes, or prefixes of codes, out of the report. What is translated does not change.",
        '["TNP1"]',
        "`--ignore CODES`, which adds to it",
    ),
    "exclude": Setting(
        "Files and folders to leave out, as patterns of `.gitignore`, which count from the folder of the "
        "`pyproject.toml`. A file that is given by name is looked at all the same, unless there is `--force-exclude`, "
        "as in the pre-commit hooks. Left-out files are neither reported nor written.",
        '["tests/", "*_generated.py"]',
        "`--exclude PATTERN`, which adds to it",
    ),
    "per-file-ignores": Setting(
        "Codes, or prefixes of codes, to leave out of the report for files that a pattern of the same kind matches.",
        '{ "scripts/**" = ["TNP501"], "legacy.py" = ["TNP2", "TNP4"] }',
    ),
    "rules": Setting(
        "Files of your own rules and declarations for functions of other libraries, from the folder of the "
        "`pyproject.toml` ([own rules](rules.md)). They are read as text, and checked: a file that cannot be used ends "
        "the run with exit code 2.",
        '["our_rules.py"]',
    ),
    "tensor-methods": Setting(
        "Whether the helper module gives tensors the array methods they lack (`x.sum()`). With `false`, a method call "
        "on a value of unknown kind is reported instead.",
        "false",
        "`--no-tensor-methods`",
    ),
    "prefer-float32": Setting(
        "Whether TensorFlow makes float32 of Python numbers, where NumPy makes float64. The numbers then have fewer "
        "digits than NumPy's.",
        "true",
    ),
    "clear-outputs": Setting(
        "Whether a notebook whose cells change loses the outputs of all its cells, which are those of the old code.",
        "true",
        "`--clear-outputs`",
    ),
    "jobs": Setting(
        "How many processes. With 0 the size of the project decides: one below 20,000 lines.", "4", "`--jobs`"
    ),
}


def settings_page() -> str:
    """Return the text of `settings.md`: a table, then a section for each setting in the order of `Config`."""
    names = [field.name.replace("_", "-") for field in fields(Config) if field.name != "folder"]
    table = ["| Setting | Default | Option |", "|---|---|---|"]
    table += [f"| [`{name}`](#{name}) | `{_default(name)}` | {SETTINGS[name].option or 'none'} |" for name in names]
    sections = [_section(name, SETTINGS[name]) for name in names]
    return "\n\n".join([GENERATED, "# Settings", LEAD, "\n".join(table), *sections]) + "\n"


def _section(name: str, setting: Setting) -> str:
    allowed = choices(name)
    values = f" One of {', '.join(f'`{one}`' for one in allowed)}." if allowed else ""
    example = f"```toml\n[tool.tnp-migrate]\n{name} = {setting.example}\n```"
    return f"## {name}\n\n{setting.meaning}{values}\n\n{example}"


def _default(name: str) -> str:
    """Write the default of a setting as TOML."""
    value = getattr(Config(), name.replace("-", "_"))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "{}" if name == "per-file-ignores" else "[]"
    return f'"{value}"' if isinstance(value, str) else str(value)
