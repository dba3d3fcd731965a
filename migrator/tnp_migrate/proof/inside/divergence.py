"""The values of a function's variables line by line, so that the first line at which two copies part can be found.

A trace is a list of steps `[line, values, frame]`: before each line of the function what has changed since the last
step, by name (`x`, `self.gain`, `xs[0]`), behind its last line also what it returns. Frames are numbered as they are
called, so that a function that calls itself is not taken for one that goes on. Behind the last step there is one of the
line `RAISED` where the call raised, of the line `CUT` where there was no room for more.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

from tnp_migrate.proof.inside.form_names import CUT, RAISED
from tnp_migrate.proof.inside.forms import ENDS, Arguments
from tnp_migrate.proof.inside.leaves import is_tensor

STEPS = 20_000
NUMBERS = 200_000  # of all steps
SECONDS = 5.0  # of processor time
ITEMS = 64  # of one array
PARTS = 16  # of one list
ATTRIBUTES = 64  # of one instance
SUMMED = 1_000_000
HELD = 10_000  # items of a tensor that is held, to be known again
Digest = list[Any]


class _Trace:
    """The steps of one call, as long as there is room for more."""

    def __init__(self, file: str, name: str) -> None:
        self.steps: list[list[Any]] = []
        self.is_cut = False
        self._file, self._name = file, name
        self._frames: dict[FrameType, tuple[int, dict[str, Digest]]] = {}
        self._tensors: dict[int, tuple[Any, Digest | None]] = {}
        self._numbers = 0
        self._until = time.process_time() + SECONDS

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame not in self._frames:
            code = frame.f_code
            if event != "call" or _name_of(code, self._name) != self._name:
                return None
            if os.path.realpath(code.co_filename) != self._file:
                return None
            self._frames[frame] = (len(self._frames), {})
        if event in ("line", "return"):
            self._note(frame, {**frame.f_locals, **({"return": argument} if event == "return" else {})})
        return self

    def _note(self, frame: FrameType, variables: Mapping[str, Any]) -> None:
        if len(self.steps) >= STEPS or self._numbers > NUMBERS or time.process_time() > self._until:
            self.is_cut = True
            return
        number, known = self._frames[frame]
        changed = {}
        for name, value in _parts(variables):
            digest = self._digest(value)
            if digest is not None and digest != known.get(name):
                changed[name] = known[name] = digest
                self._numbers += len(digest[1])
        self.steps.append([frame.f_lineno, changed, number])

    def _digest(self, value: Any) -> Digest | None:
        if not is_tensor(value):
            return _digest(value)
        held = self._tensors.get(id(value))
        if held is not None:
            return held[1]
        array = value.numpy() if hasattr(value, "numpy") else None
        if is_tensor(value) and array is not None and array.size <= HELD:
            self._tensors[id(value)] = (value, _digest(array))  # held, so that no other one comes to have its `id`
        return _digest(array)


def lines_of(function: Any, given: Arguments, file: Path, name: str) -> list[list[Any]]:
    """Run a call and note, before each line of the function, the line and its variables as short lists of numbers."""
    trace = _Trace(os.path.realpath(file), name)
    sys.settrace(trace)
    try:
        function(*given.args, **given.kwargs)
        raised = False
    except ENDS:  # the line that it is raised at is the last one
        raised = True
    finally:
        sys.settrace(None)
    end = [CUT] if trace.is_cut else [RAISED] if raised else []
    return [*trace.steps, *([line, {}, 0] for line in end)]


def _name_of(code: CodeType, wanted: str) -> str:
    """The qualified name of a function; before Python 3.11 code has the last part only, which may be a namesake's."""
    if hasattr(code, "co_qualname"):
        return str(code.co_qualname)
    return wanted if code.co_name == wanted.rpartition(".")[2] else code.co_name


def _parts(variables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Variables, and one level into lists and instances of classes written in Python: what a function writes to."""
    for name, value in variables.items():
        yield name, value
        if isinstance(value, (list, tuple)):
            yield f"len({name})", len(value)
            yield from ((f"{name}[{place}]", item) for place, item in enumerate(value[:PARTS]))
        elif isinstance(own := getattr(value, "__dict__", None), dict) and not isinstance(value, np.ndarray):
            yield from ((f"{name}.{attribute}", own[attribute]) for attribute in [*own][:ATTRIBUTES])


def _digest(value: Any) -> Digest | None:
    """The shape, some numbers and the dtype of a value; None for what has none."""
    if isinstance(value, (bool, int, float, complex, np.generic, np.ndarray)):
        array = np.asarray(value)
        if array.dtype.kind in "biufc":
            flat = array.reshape(-1)
            flat = flat.view(flat.real.dtype) if array.dtype.kind == "c" else flat
            chosen = flat[:: max(1, -(-flat.size // ITEMS))]
            sums = [flat] if ITEMS < flat.size <= SUMMED else []
            numbers = [*map(float, chosen), *(float(one.sum(dtype=float)) for one in sums)]
            return [list(array.shape), numbers, str(array.dtype)]
    return None
