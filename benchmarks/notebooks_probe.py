"""Runs notebooks for `notebooks.py`, and writes what each cell gave and what the variables hold, as plain values.

Reads lines `NOTEBOOK<tab>FOLDER<tab>SECONDS`, runs each notebook in a fork of itself, which has TensorFlow loaded, with
IPython's shell as a kernel would, and answers with a line. Tensors and arrays become ndarrays, so that two runs can be
compared without TensorFlow.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

_LONGEST = 1000  # items of a list that are looked at
_LARGEST = 2_000_000  # elements of an array
_LONGEST_TEXT = 20_000
_CELL = "cell "  # and its number: what tracebacks call it


def dump(shell: Any, last: Any, printed: str, number: int, folder: Path) -> None:
    """Write what cell `number` has given, printed and left behind."""
    names = {name: value for name, value in shell.user_ns.items() if not name.startswith("_")}
    hidden = set(shell.user_ns_hidden) | {"In", "Out", "exit", "quit", "get_ipython"}
    found = {name: plain(value) for name, value in names.items() if name not in hidden}
    found["the cell's value"] = plain(last.result)
    found["what the cell prints"] = printed
    error = last.error_in_exec or last.error_before_exec
    document = {
        "raised in": _cells_of(error),
        "error": None if error is None else f"{type(error).__name__}: {str(error)[:200]}",
        "values": {name: value for name, value in found.items() if value is not None},
    }
    with (folder / f"{number}.pickle").open("wb") as file:
        pickle.dump(document, file)


def _cells_of(error: BaseException | None) -> list[int]:
    """The cells whose lines were under way when an exception was raised."""
    frames = traceback.walk_tb(error.__traceback__) if error is not None else ()
    names = [frame.f_code.co_filename for frame, _ in frames]
    return [int(name.removeprefix(_CELL)) for name in names if name.startswith(_CELL)]


def plain(value: Any, depth: int = 3) -> Any:
    """The value as ndarrays, numbers, texts and containers of them; None for what is none of these."""
    module = type(value).__module__.partition(".")[0]
    if module == "tensorflow" and hasattr(value, "numpy") and not isinstance(value, type):
        value = value.numpy()
    if type(value).__name__ == "TensorShape" and value.rank is not None:  # what `x.shape` is of a tensor
        value = tuple(value)
    if isinstance(value, (bool, int, float, complex, np.generic)):
        return np.asarray(value)
    if isinstance(value, np.ndarray):
        kept = value.size <= _LARGEST and value.dtype.kind in "biufcSUmM" and type(value) is np.ndarray
        return np.array(value) if kept else None
    if isinstance(value, str):
        return str.__str__(value)  # not of a class of some library, which whoever compares has not
    if isinstance(value, (list, tuple)) and depth and len(value) <= _LONGEST:
        return [plain(item, depth - 1) for item in value]
    if isinstance(value, dict) and depth and len(value) <= _LONGEST:
        return {str(_key(key)): plain(item, depth - 1) for key, item in value.items()}
    return None


def _key(key: Any) -> Any:
    return key.numpy() if type(key).__module__.startswith("tensorflow") and hasattr(key, "numpy") else key


def main() -> None:
    """Run what standard input names; import first what most notebooks need."""
    import IPython  # noqa: F401
    import matplotlib.pyplot  # noqa: F401, ICN001
    import tensorflow  # noqa: F401, ICN001

    for line in sys.stdin:
        path, folder, seconds = line.rstrip("\n").split("\t")
        child = os.fork()
        if child == 0:
            signal.alarm(int(seconds))
            code = 1
            try:
                _run(Path(path), Path(folder))
                code = 0
            except BaseException:  # noqa: BLE001  # a fork never goes on with the parent's work
                traceback.print_exc()
            finally:
                os._exit(code)
        status = os.waitpid(child, 0)[1]
        print("done" if status == 0 else f"ended with {status}", file=sys.__stdout__, flush=True)


def _run(path: Path, folder: Path) -> None:
    """Run the code cells of one notebook; after each the variables are written."""
    from IPython.core.interactiveshell import InteractiveShell

    os.chdir(path.parent)
    sys.path.insert(0, str(path.parent))
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)  # what cells print
        sys.stdout = nowhere
        shell = InteractiveShell.instance(history_length=0)
        shell.run_cell("import numpy, random; numpy.random.seed(0); random.seed(0); del random, numpy")
        for number, cell in enumerate(json.loads(path.read_bytes())["cells"], 1):
            if cell["cell_type"] == "code":
                shell.compile.get_code_name = _named(number)
                with contextlib.redirect_stdout(io.StringIO()) as printed:
                    shell.displayhook.write_output_prompt = shell.displayhook.write_format_data = _nothing
                    result = shell.run_cell("".join(cell["source"]), store_history=True)
                text = printed.getvalue() if result.success else ""  # a traceback shows the text of the cell
                dump(shell, result, text[:_LONGEST_TEXT], number, folder)


def _named(number: int) -> Callable[..., str]:
    return lambda *_: f"{_CELL}{number}"


def _nothing(*_: Any) -> None:
    """Show nothing of a cell's value, which is compared as a value."""


if __name__ == "__main__":
    main()
