"""What a loop draws, made before it: one draw after the other, so that a generator's stream is what it was."""

from __future__ import annotations

import builtins
import collections
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
    kept: list[Any] = []
    size = 0.0
    for trip in trips:
        kept.append(trip)
        size += builtins.sum([_bytes_of(one) for one in (trip if columns else (trip,))])
        if size > _MOST_DRAWN:
            return _as_read(kept, trips, columns)
    if not columns:
        return _stacked_draws(kept) if _is_even(kept) else _as_read(kept, trips, columns)
    each = [[trip[place] for trip in kept] for place in range(columns)]
    return (
        [_stacked_draws(one) for one in each] if builtins.all(map(_is_even, each)) else _as_read(kept, trips, columns)
    )


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


def _as_read(kept: list[Any], trips: Any, columns: int) -> Any:
    shared = _Trips(kept, trips)
    return [DrawnAsRead(shared, place) for place in range(columns)] if columns else DrawnAsRead(shared, None)


def _bytes_of(draw: Any) -> float:
    if isinstance(draw, DrawnAsRead):
        return _MOST_DRAWN + 1  # its own draws come before those of the next trip
    return builtins.float(getattr(draw, "nbytes", 0) or 8 * int(np.size(draw)))


def _is_even(draws: list[Any]) -> bool:
    """Say whether all draws are of one type, and arrays of one shape and dtype."""
    kinds = {(type(one), getattr(one, "dtype", None), tuple(getattr(one, "shape", ()))) for one in draws}
    return len(kinds) <= 1 and not builtins.any(isinstance(one, DrawnAsRead) for one in draws)


def _stacked_draws(draws: list[Any]) -> Any:
    return tf.stack(draws) if draws and isinstance(draws[0], tf.Tensor) else np.array(draws)
