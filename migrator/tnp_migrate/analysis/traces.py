"""What the evaluation of a function read of others and wrote to them, in order.

While all that was read is the same, evaluating the function again would write the same: that is done without it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tnp_migrate.numpy_facts.values import Value, join
from tnp_migrate.program.index import Function

Cell = tuple[Any, str, Any]  # an object, its attribute, and the key where that is a dict
Act = Literal["read", "set", "join", "reshape"]


@dataclass(eq=False)
class Trace:
    """The steps of one evaluation; `whole` where they are all that it hangs on."""

    steps: list[tuple[Cell, Act, Value | None]] = field(default_factory=list)
    unknown: dict[tuple[Function, str], bool] = field(default_factory=dict)  # parameters; whether they may be arrays
    whole: bool = True

    def read(self, owner: object, name: str, key: object = None) -> Value | None:
        """Read what is known of a value."""
        cell = (owner, name, key)
        found = _now(cell)
        self.steps.append((cell, "read", found))
        return found

    def write(self, owner: object, name: str, key: object, act: Act, value: Value | None = None) -> None:
        """Note a value for others."""
        cell = (owner, name, key)
        self.steps.append((cell, act, value))
        _set(cell, _after(_now(cell), act, value))

    def note_unknown(self, function: Function, parameter: str, *, anything: bool) -> None:
        """Note that something unknown is passed; with `anything`, what may be an array."""
        pair = (function, parameter)
        self.unknown[pair] = self.unknown.get(pair, False) or anything
        function.unknown.add(parameter)
        if anything:
            function.anything.add(parameter)

    def replay(self) -> bool:
        """Write the same once more, if evaluating the function would; say whether it is so."""
        states: dict[Cell, Value | None] = {}
        for cell, act, value in self.steps if self.whole else ():
            state = states[cell] if cell in states else _now(cell)
            if act != "read":
                states[cell] = _after(state, act, value)
            elif state is not value and state != value:
                return False
        for cell, state in states.items():
            _set(cell, state)
        for (function, parameter), anything in self.unknown.items() if self.whole else ():
            self.note_unknown(function, parameter, anything=anything)
        return self.whole


def _now(cell: Cell) -> Value | None:
    owner, name, key = cell
    held = getattr(owner, name)
    found: Value | None = held if key is None else held.get(key)
    return found


def _set(cell: Cell, value: Value | None) -> None:
    owner, name, key = cell
    if key is None:
        setattr(owner, name, value)
    elif value is not None:
        getattr(owner, name)[key] = value


def _after(state: Value | None, act: Act, value: Value | None) -> Value | None:
    """What a value is after a step."""
    if act == "join":
        return join(state, value)
    if act == "reshape":
        return replace(state, rank=None) if state is not None else None
    return value
