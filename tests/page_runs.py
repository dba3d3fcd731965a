"""Pages of the docs that are followed from top to bottom: their files are written, their commands are run.

A fenced block below a line that ends with `` `name`: `` is the file of that name. In a `console` block each line behind
`$ ` is a command, and the lines below it are what it prints; `...` stands for what is left out of a line, or for lines.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
# What needs a network, or a person.
NOT_RUN = ("pip install", "python3 -m venv")
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_NAMED = re.compile(r"`([\w./-]+)`[^`\n]*:\s*\Z")
_TOOL = f'#!/bin/sh\nexec "{sys.executable}" -m tnp_migrate "$@"\n'
_PYTHON = f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'


@dataclass(frozen=True)
class Step:
    """A step of a page: a file to write, or a command with what it is said to print and to end with."""

    kind: str
    name: str
    text: str


def steps_of(page: str) -> list[Step]:
    """The steps of a page, in order."""
    found: list[Step] = []
    for block in _BLOCK.finditer(page):
        language, text = block.groups()
        named = _NAMED.search(page, 0, block.start())
        if language == "console":
            parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
            found += [Step("command", *one.partition("\n")[::2]) for one in parts]
        elif named is not None:
            found.append(Step("file", named[1], text))
    return found


def follow(page: str, folder: Path) -> list[str]:
    """Do the steps of a page in a folder; what came out otherwise than the page says, in words."""
    programs = folder / ".bin"
    programs.mkdir()
    for name, text in (("tnp-migrate", _TOOL), ("python", _PYTHON)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    around = dict(os.environ, PYTHONPATH=os.pathsep.join([str(ROOT / "migrator"), str(ROOT / "rules")]))
    around |= {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "TF_CPP_MIN_LOG_LEVEL": "3"}
    around |= {"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.org", "GIT_COMMITTER_NAME": "t"}
    around |= {"GIT_COMMITTER_EMAIL": "t@example.org", "COLUMNS": "200"}
    wrong: list[str] = []
    for step in steps_of(page):
        if step.kind == "file":
            (folder / step.name).parent.mkdir(parents=True, exist_ok=True)
            (folder / step.name).write_text(step.text)
        elif not step.name.startswith(NOT_RUN):
            done = subprocess.run(
                ["/bin/sh", "-c", step.name], cwd=folder, env=around, capture_output=True, text=True, check=False
            )
            shown = done.stdout + "".join(one for one in done.stderr.splitlines(True) if _is_said(one))
            if not matches(step.text, shown):
                wrong.append(f"$ {step.name}\nprinted\n{shown}\nand the page says\n{step.text}")
    return wrong


def _is_said(line: str) -> bool:
    """Whether a line of standard error is the tool's, and no progress or TensorFlow's greeting."""
    return not re.match(r"WARNING: All log|[IWE]\d{4} |\d{4}-\d\d-\d\d |To enable the|.*cpu_feature_guard", line)


def matches(said: str, printed: str) -> bool:
    """Whether what was printed is as a page says; a page may say nothing of what a command prints."""
    if not said.strip():
        return True
    lines = (re.escape(line.rstrip()).replace(r"\.\.\.", ".*") for line in said.strip("\n").splitlines())
    pattern = "\n".join("(?:.*\n)*?.*" if line == ".*" else line for line in lines)
    return re.fullmatch(pattern, "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())) is not None


def tool_calls(page: str) -> list[list[str]]:
    """The calls of the tool on a page, as words behind its name."""
    commands = [step.name for step in steps_of(page) if step.kind == "command"]
    return [shlex.split(one.partition(" >")[0])[1:] for one in commands if one.startswith("tnp-migrate ")]
