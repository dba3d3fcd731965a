"""Which calls of a function are kept, and what is known of all of them: counts by kind, and why some are not kept.

By kind the 1st, 2nd, 4th, 7th, 14th ... call; a new kind takes the place of a call of the most frequent one. Beyond
these, as many calls again that run a branch which no kept call has run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Hashable
from dataclasses import dataclass, field

from tnp_migrate.proof.inside import branches
from tnp_migrate.proof.inside.kinds import is_power_rounded_up, kinds_by_parameter

QUIET = 64  # calls without news, after which only one in SELDOM is looked at
SELDOM = 251  # a prime, so as not to fall in step with the user's loops
KINDS = 256  # of one function that are told apart
TRIES = 3  # to keep a call of a kind
IN_VAIN = 0.02  # seconds for one function
SHARE = 8  # of the bytes, one part of so many is for one function


@dataclass(eq=False)
class Watched:
    """One function while it is recorded. `kept` are the numbers of its kept calls by kind, `not_kept` reasons."""

    place: str
    module: str
    name: str
    line: int
    role: str
    branches: tuple[int, int] = (0, 0)
    runs: dict[int, frozenset[int]] = field(default_factory=dict)  # branches, by the numbers of kept calls
    further: int = 0  # calls that are kept for their branches
    wakes: int = 0
    in_vain: float = 0.0  # seconds that were spent on calls that ran no new branch
    written: int = 0  # bytes
    calls: int = 0
    quiet: int = 0
    spent: float = 0.0
    kinds: dict[Hashable, int] = field(default_factory=dict)
    positional: tuple[str, ...] = ()
    tests: dict[Hashable, str] = field(default_factory=dict)  # in which the first call of a kind was made
    kept: dict[Hashable, list[int]] = field(default_factory=dict)
    failures: dict[Hashable, int] = field(default_factory=dict)
    not_kept: dict[str, int] = field(default_factory=dict)

    def count(self, kind: Hashable) -> int:
        """Count a call of a kind; how many there have been of it, this one with them."""
        number = self.kinds.get(kind, 0) + 1
        if number == 1 and len(self.kinds) >= KINDS:
            return 0
        self.kinds[kind] = number
        if number == 1:
            self.tests[kind] = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" (")[0]
        self.quiet = 0 if number == 1 else self.quiet + 1
        return number

    def is_looked_at(self) -> bool:
        """Whether a call is worth more than a count: after many without news few are.

        Where a branch has run meanwhile that no kept call has run, the next ones are looked at again, once after 251
        calls, once after 502, and so on.
        """
        if self.quiet <= QUIET:
            return True
        if self.calls % SELDOM:
            return False
        if self.calls >= SELDOM << self.wakes and self.has_untold_branches():
            self.quiet, self.wakes = 0, self.wakes + 1
        return True

    @property
    def ran(self) -> frozenset[int]:
        """The branches that kept calls have run."""
        return frozenset().union(*self.runs.values())

    def has_untold_branches(self) -> bool:
        """Whether some call has run a branch that no kept call has run."""
        return len(self.ran) < self.branches[1] and not branches.taken(self.branches) <= self.ran

    def seen(self) -> dict[str, dict[str, tuple[int, str]]]:
        """What was given for each parameter: how often, of the calls that were looked at, and in which test first."""
        found: dict[str, dict[str, tuple[int, str]]] = {}
        if len(self.kinds) >= KINDS:
            return found  # there may have been others
        for kind, count in self.kinds.items():
            assert isinstance(kind, tuple)
            for name, words in kinds_by_parameter(kind, self.positional):
                own = found.setdefault(name, {})
                before, test = own.get(words, (0, self.tests.get(kind, "")))
                own[words] = (before + count, test)
        return found

    def refuse(self, kind: Hashable, reason: str) -> None:
        """Note why a call is not kept."""
        self.failures[kind] = self.failures.get(kind, 0) + 1
        self.not_kept[reason] = self.not_kept.get(reason, 0) + 1


@dataclass(eq=False)
class Choice:
    """Chooses the calls of one process within its limits: `keep` of a function, a share of the time, bytes in all."""

    keep: int
    budget: float
    total_bytes: int
    began: float = field(default_factory=time.perf_counter)
    spent: float = 0.0
    over: bool = False

    def wants(self, watched: Watched, kind: Hashable, number: int) -> bool:
        """Whether a call of a kind, the `number`-th of it, is to be kept, whatever it runs."""
        if number == 0 or self.is_over(watched, kind):
            return False
        total = sum(map(len, watched.kept.values()))
        if total >= self.keep and (kind in watched.kept or max(map(len, watched.kept.values())) < 2):
            return False
        return kind not in watched.kept or is_power_rounded_up(number)

    def is_over(self, watched: Watched, kind: Hashable) -> bool:
        """Whether nothing more of a kind is kept: the bytes are used up, or calls of it cannot be kept."""
        return self.over or watched.written > self.total_bytes / SHARE or watched.failures.get(kind, 0) >= TRIES

    def may_run_news(self, watched: Watched, kind: Hashable, number: int) -> bool:
        """Whether a call that is not wanted may run a branch that no kept call has run, and is to be kept then.

        Taking note of a call costs as much as keeping it: little time is spent on that in vain, and as much again each
        time that such a branch is known to have run. The first of a kind is always worth it.
        """
        room = watched.further < self.keep and len(watched.ran) < watched.branches[1]
        has_time = number == 1 or (watched.quiet <= QUIET and watched.in_vain < IN_VAIN * (1 + watched.wakes))
        return room and has_time and not self.is_over(watched, kind)

    def has_time(self, watched: Watched) -> bool:
        """Whether the share of the time is not used up, in all and by this function, which may take a sixth of it."""
        ran = time.perf_counter() - self.began - self.spent
        return self.spent < 0.5 + self.budget * ran and watched.spent < 0.05 + self.budget * ran / 6

    def room_for(self, watched: Watched, kind: Hashable) -> tuple[bool, int | None]:
        """Whether a call that was wanted still has its place (recursion keeps too), and whose number it takes."""
        if sum(map(len, watched.kept.values())) < self.keep:
            return True, None
        longest = max(watched.kept.values(), key=len)
        if kind in watched.kept or len(longest) < 2:
            return False, None
        return True, longest.pop()
