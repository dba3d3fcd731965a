"""What a loop draws, made before it: one draw after the other, so that a generator's stream is what it was."""

from __future__ import annotations

import builtins
import collections
import itertools
import math
from typing import Any

import numpy as np
import tensorflow as tf

_MOST_DRAWN = 2**30  # bytes that are kept at once


def drawn(draws: Any, columns: int = 0) -> Any:
    """Give what the trips of a loop draw, stacked: `draws` yields a trip's draw, or a tuple of `columns` draws.

    Shape (trips, *shape of a draw), the draws' dtype; float64 or int64 for Python's numbers. What takes more than a
    gigabyte, or changes its shape, is not stacked: it is drawn when the loop reads it, from its first trip to its last.
    """
    trips = iter(draws)
    kept = list(itertools.islice(trips, 1))
    size = builtins.sum([_bytes_of(one) for trip in kept for one in (trip if columns else (trip,))])
    kept += itertools.islice(trips, int(_MOST_DRAWN / builtins.max(size, 1)))
    each = [*zip(*kept)] if columns and kept else [kept] * builtins.max(columns, 1)
    stacked = [_stacked_draws(one) for one in each] if size * len(kept) <= _MOST_DRAWN else [None]
    if builtins.any(one is None for one in stacked):
        trips_read = _Trips(kept, trips)
        stacked = [DrawnAsRead(trips_read, place if columns else None) for place in range(builtins.max(columns, 1))]
    return stacked if columns else stacked[0]


class DrawnAsRead:
    """Draws of a loop that are made when it reads them; `column` is the place of one among those of a trip."""

    def __init__(self, trips: _Trips, column: Any) -> None:
        self.trips, self.column = trips, column

    def __getitem__(self, key: Any) -> Any:
        """Give the draw of a trip, which is not before the one that was asked for last; a tuple reads in that draw."""
        trip, *inner = key if isinstance(key, tuple) else (key,)
        found = self.trips.at(trip)
        found = found if self.column is None else found[self.column]
        return found[tuple(inner) if len(inner) > 1 else inner[0]] if inner else found


class _Trips:
    """The draws of a loop, trip by trip: those that were made already, and then the others."""

    def __init__(self, kept: list[Any], rest: Any) -> None:
        self.kept, self.rest = collections.deque(kept), rest
        self.place, self.now = -1, None

    def at(self, place: int) -> Any:
        while self.place < place:
            self.now = self.kept.popleft() if self.kept else next(self.rest)
            self.place += 1
        return self.now


def _bytes_of(draw: Any) -> float:
    if isinstance(draw, DrawnAsRead):
        return math.inf  # its own draws come before those of the next trip
    return float(getattr(draw, "nbytes", 0) or 8 * int(np.size(draw)))


def _stacked_draws(draws: Any) -> Any:
    """Stack draws; None where they are of several shapes or types."""
    kinds = {*map(type, draws)}
    if DrawnAsRead in kinds and len(draws) > 1:  # what it has not drawn yet comes too late
        raise MemoryError("draws of a loop in a loop take more than a gigabyte in some trips only")
    if len(kinds) > 1 or DrawnAsRead in kinds:
        return None
    try:
        return tf.stack(draws) if draws and isinstance(draws[0], tf.Tensor) else np.array(draws)
    except (ValueError, tf.errors.InvalidArgumentError):
        return None
