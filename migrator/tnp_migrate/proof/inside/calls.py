"""One call while it runs: what it began with, and what it has done when it returns or raises."""

from __future__ import annotations

import dis
import itertools
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from tnp_migrate.proof.inside import branches
from tnp_migrate.proof.inside.encoding import Encoder, Ref
from tnp_migrate.proof.inside.keeping import Watched
from tnp_migrate.proof.inside.writing import Writer

MOST_ITEMS = 32  # of a generator, which may have no end


@cache
def global_names(code: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of its module that a function reads, and those that it binds."""
    stored = {one.argval for one in dis.get_instructions(code) if one.opname == "STORE_GLOBAL"}
    return code.co_names, tuple(sorted(stored))


def watched_globals(function: Any) -> dict[str, Any]:
    """Variables of the module that a call may change: arrays that it reads, and whatever it binds."""
    read, stored = global_names(function.__code__)
    namespace = function.__globals__
    return {name: namespace[name] for name in read if type(namespace.get(name)) is np.ndarray or name in stored}


def is_lazy(result: Any) -> bool:
    """Whether a result is a generator or iterator of Python's own, which has not computed its items yet."""
    return isinstance(result, Iterator) and type(result).__module__ in ("builtins", "itertools")


class Items:
    """A function that gives a generator, as one that gives its first items."""

    def __init__(self, function: Any) -> None:
        self.__wrapped__ = function
        self.__globals__ = getattr(function, "__globals__", {})

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function, and ask what it gives for items."""
        result = self.__wrapped__(*args, **kwargs)
        return list(itertools.islice(result, MOST_ITEMS)) if is_lazy(result) else result


class BegunCall:
    """A call that is kept, from its begin on."""

    def __init__(
        self,
        writer: Writer,
        watched: Watched,
        kind: Any,
        function: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        wanted: bool = True,  # noqa: FBT001, FBT002  # whatever branches it runs
    ) -> None:
        self._writer, self.watched, self.kind, self._function = writer, watched, kind, function
        self._args, self._kwargs = args, kwargs
        self.wanted, self.spent_before = wanted, watched.spent
        self._before = Encoder(writer.buffers, writer.settings)
        self._roots = self._encode(self._before)
        self._nodes = self._before.finish()
        self._random = random.getstate()
        self._numpy_random = np.random.get_state(legacy=False)  # noqa: NPY002  # it is the user's hidden stream
        self.before = branches.begin(watched.branches)

    def _encode(self, encoder: Encoder) -> dict[str, Any]:
        variables = watched_globals(self._function) if hasattr(self._function, "__globals__") else {}
        return {
            "args": encoder.refs(self._args),
            "kwargs": {name: encoder.ref(value) for name, value in self._kwargs.items()},
            "globals": {name: encoder.ref(value) for name, value in variables.items() if name in variables},
        }

    def finish(self, result: Any, error: BaseException | None) -> dict[str, Any]:
        """The call as it is written. Nodes that are as they were before stand there only."""
        encoder = Encoder(self._writer.buffers, self._writer.settings, self._before)
        after: dict[str, Any] = self._encode(encoder)
        lazy = is_lazy(result)
        after["return"] = encoder.ref(None if lazy else result)
        nodes = {number: node for number, node in encoder.finish().items() if self._nodes.get(number) != node}
        names = self._function.__code__.co_varnames[: self._function.__code__.co_argcount]
        extra = (f"*{place}" for place in range(len(self._args) - len(names)))
        call: dict[str, Any] = {
            "function": [self.watched.place, self.watched.name, self.watched.role],
            "names": [*names, *extra][: len(self._args)],
            "kind": repr(self.kind),
            "before": self._roots,
            "nodes": self._nodes,
            "after": after,
            "nodes_after": nodes,
        }
        if lazy:
            call["items"] = True  # which a replay asks for; asking here would take them from the program
        if error is not None:
            call["raised"] = encoder.exception(error)
        return call | self._streams(call["nodes"])

    def _streams(self, nodes: dict[int, Any]) -> dict[str, Ref]:
        """The hidden random streams as they were before the call, where it has drawn from them."""
        encoder = Encoder(self._writer.buffers, self._writer.settings, self._before)
        encoder.nodes = nodes
        found = {}
        if not _same(self._numpy_random, np.random.get_state(legacy=False)):  # noqa: NPY002
            found["numpy_random"] = encoder.ref(self._numpy_random)
        if self._random != random.getstate():
            version, words, gauss = self._random
            found["random"] = encoder.ref((version, np.array(words, np.uint32), gauss))
        encoder.finish()
        return found


def _same(one: Any, other: Any) -> bool:
    """Whether two states of a stream are the same."""
    return bool(one["state"]["pos"] == other["state"]["pos"] and (one["state"]["key"] == other["state"]["key"]).all())
