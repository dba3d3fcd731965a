"""How each form replays a call: what its arrays are handed in as, and where it runs.

A form is a function that takes a `Prepared` call and gives what the call has done.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tnp_migrate.proof.inside.decoding import LIBRARY, as_recorded
from tnp_migrate.proof.inside.leaves import Leaf, is_tensor, leaves_of

ENDS = (Exception, SystemExit)  # a call may end its program; it is not to end the replay of others
# What XLA computes with seven digits, whatever the dtype: by operation, the attribute that asks for it, and its name.
# The run time of compiled functions refuses the same (`tnp_rules.compiled_forms`), so nobody gets such numbers.
IMPRECISE = {"Svd": ("compute_uv", "singular vectors"), "SelfAdjointEigV2": ("compute_v", "eigenvectors")}
Slot = tuple[str, str]
Hand = Callable[[Any, "Slot | None"], Any]


class _Every(frozenset["Slot | None"]):
    """Every attribute; what is no attribute's value has the slot None."""

    def __contains__(self, slot: object) -> bool:
        return slot is not None


Stays = frozenset["Slot | None"]  # attributes that hold ndarrays in the translated program
EVERY_ATTRIBUTE: Stays = _Every()


class NotCompiled(Exception):
    """A graph has what XLA does not compute as NumPy does; the message says what."""


@dataclass(frozen=True)
class Convention:
    """How a translated function gives back what it writes to: names of parameters, behind its result if it has one.

    It may be what the function has returned before as well.
    """

    names: tuple[str, ...] = ()
    behind_result: bool = False
    is_result: bool = False


@dataclass(frozen=True)
class Arguments:
    """A call's arguments as they are handed in, with the names of the positional ones."""

    names: tuple[str, ...]
    args: list[Any]
    kwargs: dict[str, Any]
    variables: dict[str, Any]  # of the function's module


@dataclass(frozen=True)
class Prepared:
    """A call that can be replayed: `decode` makes its arguments anew, each array through a `Hand`.

    A second function, if it is given one, is what floats go through.
    """

    function: Callable[..., Any]
    decode: Callable[..., Arguments]
    convention: Convention = Convention()
    stays: Stays = frozenset()


@dataclass
class Done:
    """What a replayed call has done: leaves by path, or the exception that it raised; and how long it took.

    `roots` are the values that the leaves are of.
    """

    leaves: Mapping[str, Leaf] = field(default_factory=dict)
    error: BaseException | None = None
    seconds: float = 0.0
    roots: Mapping[str, Any] = field(default_factory=dict)


def run(prepared: Prepared, hand: Hand = as_recorded, number: Callable[[Any], Any] | None = None) -> Done:
    """Replay a call with its arrays handed in through `hand`, and its floats through `number`."""
    given = prepared.decode(hand, number)
    getattr(prepared.function, "__globals__", {}).update(given.variables)
    began = time.perf_counter()
    try:
        result = prepared.function(*given.args, **given.kwargs)
    except ENDS as error:  # what it raises is what is compared
        return Done(error=error, seconds=time.perf_counter() - began)
    seconds = time.perf_counter() - began
    roots = _roots(prepared, given, result)
    return Done(leaves_of(roots), seconds=seconds, roots=roots)


def _roots(prepared: Prepared, given: Arguments, result: Any) -> dict[str, Any]:
    """What is compared after a call: arguments, variables of the module, result; as if they were written in place."""
    convention, namespace = prepared.convention, getattr(prepared.function, "__globals__", {})
    variables = {name: namespace.get(name) for name in given.variables}
    roots = dict(zip(given.names, given.args, strict=True)) | given.kwargs
    back: tuple[Any, ...] = ()
    if convention.names and convention.behind_result and isinstance(result, tuple):
        result, *rest = result
        back = tuple(rest)
    elif convention.names and not convention.behind_result:
        back = result if len(convention.names) > 1 and isinstance(result, tuple) else (result,)
        result = result if convention.is_result else None
    roots |= {name: value for name, value in zip(convention.names, back, strict=False) if name in roots}
    roots |= {f"global {name}": value for name, value in variables.items()}
    return {**roots, "return": result}


def to_tensor(array: Any) -> Any:
    """The tensor of an array; text, objects, records and long doubles stay, because no tensor holds them."""
    if array.dtype.kind in "biufc" and array.dtype not in (np.longdouble, np.clongdouble):
        return tensorflow().constant(array.copy())
    return array


def tensorflow() -> Any:
    """TensorFlow, imported as late as can be."""
    return importlib.import_module("tensorflow")  # in the user's process, where the translated program runs


def as_tensors(stays: Stays) -> Hand:
    """Hand arrays in as tensors, but for what holds ndarrays in the translated program: attributes, and libraries."""
    return lambda array, slot: array if slot in stays or slot == LIBRARY else to_tensor(array)


def on_numpy(prepared: Prepared) -> Done:
    """The original, and the functional stage: arrays as they were recorded."""
    return run(prepared)


def on_arrays(prepared: Prepared) -> Done:
    """The translation, called with ndarrays, as callers outside of the project call it."""
    return run(prepared)


def eagerly(prepared: Prepared) -> Done:
    """The translation, called with tensors."""
    return run(prepared, as_tensors(prepared.stays))


def compiled(prepared: Prepared) -> Done:
    """The translation inside of `tf.function`, compiled by XLA as a whole."""
    return in_a_graph(prepared, jit_compile=True)


def in_a_graph(prepared: Prepared, *, jit_compile: bool = False) -> Done:
    """The translation inside of `tf.function`: its arrays are symbols, everything else is as it is."""
    tf = tensorflow()
    tensors: list[Any] = []

    def gather(array: Any, slot: Slot | None) -> Any:
        value = as_tensors(prepared.stays)(array, slot)
        if is_tensor(value):
            tensors.append(value)
        return value

    prepared.decode(gather)
    traced = Done()
    symbols: list[Any] = []

    ours = tf.autograph.experimental.do_not_convert  # what is converted is the user's function, and nothing around it

    def begin(given: tuple[Any, ...]) -> Arguments:
        """Decode on symbols: arrays are decoded in one order, so that the n-th symbol is the n-th array's."""
        left = iter(given)
        hand = as_tensors(prepared.stays)
        arguments = prepared.decode(lambda array, slot: next(left) if is_tensor(hand(array, slot)) else array, None)
        getattr(prepared.function, "__globals__", {}).update(arguments.variables)
        return arguments

    def end(arguments: Arguments, result: Any) -> list[Any]:
        traced.roots = _roots(prepared, arguments, result)
        symbols[:] = [leaf.value for leaf in leaves_of(traced.roots).values() if leaf.kind == "symbol"]
        return symbols

    begun, ended = ours(begin), ours(end)

    def body(*given: Any) -> Any:
        arguments = begun(given)
        return ended(arguments, prepared.function(*arguments.args, **arguments.kwargs))

    graph = tf.function(body, jit_compile=jit_compile)
    try:
        if jit_compile:
            _refuse_imprecise(graph.get_concrete_function(*tensors).graph.as_graph_def())
        found = graph(*tensors)
        leaves = _filled(leaves_of(traced.roots), symbols, found)
        began = time.perf_counter()
        graph(*tensors)
    except Exception as error:  # noqa: BLE001  # what it raises is what is compared
        return Done(error=error)
    return Done(leaves, seconds=time.perf_counter() - began)


def _refuse_imprecise(definition: Any) -> None:
    """Raise NotCompiled for a graph with an operation that XLA computes with fewer digits than its dtype has."""
    for node in [*definition.node, *[node for one in definition.library.function for node in one.node_def]]:
        asked, name = IMPRECISE.get(node.op, ("", ""))
        if name and node.attr[asked].b:
            raise NotCompiled(f"{name} of XLA have seven digits, whatever the dtype")


def _filled(leaves: Mapping[str, Leaf], symbols: list[Any], found: list[Any]) -> dict[str, Leaf]:
    """The leaves of a trace, as they are after the graph has run, with the values that it gave their symbols."""
    values = {id(symbol): value for symbol, value in zip(symbols, found, strict=True)}
    return {
        path: Leaf("array", values[id(leaf.value)].numpy(), is_tensor=True) if leaf.kind == "symbol" else leaf
        for path, leaf in leaves.items()
    }


def on_a_gpu(replay: Callable[[Prepared], Done]) -> Callable[[Prepared], Done]:
    """A form with its arrays and operations on the first GPU; what has no kernel for it runs on the CPU beside it."""

    def placed(prepared: Prepared) -> Done:
        with tensorflow().device("/GPU:0"):
            return replay(prepared)

    return placed


def has_gpu() -> bool:
    """Whether TensorFlow sees a GPU."""
    return bool(tensorflow().config.list_physical_devices("GPU"))


REPLAY: dict[str, Callable[[Prepared], Done]] = {
    "original": on_numpy,
    "again": on_numpy,
    "functional": on_numpy,
    "eager": eagerly,
    "arrays": on_arrays,
    "graph": in_a_graph,
    "compiled": compiled,
    "gpu": on_a_gpu(eagerly),
    "gpu graph": on_a_gpu(in_a_graph),
    "gpu compiled": on_a_gpu(compiled),
}
