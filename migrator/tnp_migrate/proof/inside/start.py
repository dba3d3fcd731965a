"""Start the recorder in a process of the user's command."""

from __future__ import annotations

import atexit
import builtins
import os
import sys

from tnp_migrate.proof.inside import branches
from tnp_migrate.proof.inside.import_hook import DECORATOR, Finder
from tnp_migrate.proof.inside.recorder import Recorder
from tnp_migrate.proof.inside.settings import Settings, from_environment

_OPTIONS_WITH_VALUE = ("-W", "-X", "--check-hash-based-pycs")


def start(hook: str) -> None:
    """Watch the project's modules from now on, and its script, if that is what this process runs.

    `hook` is the folder of the script that runs scripts.
    """
    settings = from_environment()
    if settings is None:
        return
    script = script_of(sys.orig_argv)
    if script is not None and os.name == "posix" and settings.covers(os.path.abspath(sys.orig_argv[script])):  # noqa: PTH100
        runner = os.path.join(hook, "run_script.py")  # noqa: PTH118  # pathlib is dear to import here
        os.execv(sys.executable, [sys.orig_argv[0], *sys.orig_argv[1:script], runner, *sys.orig_argv[script:]])  # noqa: S606
    install(settings)


def install(settings: Settings) -> Recorder:
    """Put the recorder into this process."""
    recorder = Recorder(settings)
    setattr(builtins, DECORATOR, recorder.watch)
    setattr(builtins, branches.NAME, branches.TAKEN)
    sys.meta_path.insert(0, Finder(settings))
    atexit.register(recorder.flush)

    def forked() -> None:
        recorder.forked()
        shared = sys.modules.get("multiprocessing.util")
        if shared is not None:  # its children leave without the functions of atexit, and forget those of their parent
            shared.register_after_fork(recorder, lambda own: shared.Finalize(None, own.flush, exitpriority=1))

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=forked)
    return recorder


def script_of(argv: list[str]) -> int | None:
    """The position of the script in a command line of Python; None for `-m`, `-c` and for a prompt."""
    position = 1
    while position < len(argv) and argv[position].startswith("-") and argv[position] != "-":
        word = argv[position]
        if word.startswith("--"):
            position += 2 if word in _OPTIONS_WITH_VALUE else 1
            continue
        letters = next((place for place, letter in enumerate(word) if place and letter in "cmWX"), None)
        if letters is not None and word[letters] in "cm":
            return None
        position += 2 if letters is not None and letters == len(word) - 1 else 1
    return position if position < len(argv) and argv[position].endswith(".py") else None
