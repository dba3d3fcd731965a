"""What AutoGraph does with helpers: it calls them as they are."""

from __future__ import annotations

import inspect
import sys
from typing import Any


def left_as_it_is(function: Any) -> Any:
    """Let AutoGraph call a function as it is written, at no cost for its eager calls; give it back."""
    function.autograph_info__ = None
    return function


def leave_helpers_as_written() -> None:
    """Let AutoGraph call helpers as they are written: to convert one takes it a quarter of a second, for nothing.

    It converts those that are given a function, so that it comes to that function, which is the user's.
    """
    home = __name__.removesuffix("autograph_marks")  # the rules' package, or a module that has a copy of what it needs
    for module in [one for name, one in sys.modules.items() if name.startswith(home)]:
        for one in vars(module).values():
            if inspect.isfunction(one) and one.__module__ == module.__name__:
                parameters = one.__code__.co_varnames[: one.__code__.co_argcount]
                if not [name for name in parameters if "func" in name]:
                    left_as_it_is(one)
