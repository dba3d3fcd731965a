"""A recorded call as it is read for a replay: its line, checked, and what hangs on it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tnp_migrate.proof.inside.decoding import Decoder
from tnp_migrate.proof.inside.refusals import BadRecording

_WHEN = ("nodes", "nodes_after")


def read_call(one: dict[str, Any]) -> dict[str, Any]:
    """The line of a call, checked as far as the parts that everything else hangs on."""
    with Path(one["file"]).open("rb") as file:
        file.seek(one["start"])
        try:
            call = json.loads(file.read(one["length"]))
        except (ValueError, RecursionError) as error:
            raise BadRecording(f"the call cannot be read: {error}") from None
    wanted = {"before": dict, "after": dict, "nodes": dict, "nodes_after": dict, "names": list, "kind": str}
    if not isinstance(call, dict) or any(not isinstance(call.get(name), cls) for name, cls in wanted.items()):
        raise BadRecording("the call is not what the recorder writes")
    if any(name not in call[when] for when in ("before", "after") for name in ("args", "kwargs", "globals")):
        raise BadRecording("the call is not what the recorder writes")
    if not isinstance(call["before"]["args"], list) or len(call["names"]) != len(call["before"]["args"]):
        raise BadRecording("the call has other names than arguments")
    return call


def values_of(decoder: Decoder, refs: Any) -> Iterator[tuple[str, Any]]:
    """Values by name. Raises `BadRecording`."""
    if not isinstance(refs, dict):
        raise BadRecording("keywords are no object")
    return ((str(name), decoder.value(ref)) for name, ref in refs.items())


def bound_attributes(call: dict[str, Any]) -> set[str]:
    """The attributes of its first argument that a call has bound to something else than before."""
    number = str(call["before"]["args"][0][1])
    nodes = (call[when].get(number, {}) for when in _WHEN)
    before, after = (
        {name[1]: ref for kind in ("attributes", "slots") for name, ref in one.get(kind, [])} for one in nodes
    )
    return {name for name, ref in after.items() if before.get(name) != ref}


def set_streams(call: dict[str, Any], decoder: Decoder) -> None:
    """Put the hidden random streams into the state that they had before the call, where it draws from them."""
    if "numpy_random" in call:
        np.random.set_state(decoder.value(call["numpy_random"]))  # noqa: NPY002  # the user's hidden stream
    else:
        np.random.seed(0)  # noqa: NPY002
    if "random" in call:
        version, words, gauss = decoder.value(call["random"])
        random.setstate((version, tuple(map(int, words)), gauss))
