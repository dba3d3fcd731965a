"""Tables that note what the analysis of one body reads in them and writes to them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar, overload

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
D = TypeVar("D")
Question = tuple[str, Any]  # the name of a table or of another question, and of what it is asked


@dataclass(eq=False)
class Record:
    """What one analysis was told, and what it has said: while it would be told the same, it would say the same."""

    answers: dict[Question, object] = field(default_factory=dict)
    writes: list[tuple[str, str, tuple[Any, ...]]] = field(default_factory=list)  # the table, the method, what it got
    written: set[Question] = field(default_factory=set)

    def note(self, name: str, key: object, answer: object) -> None:
        """Note an answer, if it is none that the analysis has given itself; "nothing" and "unknown" are the same."""
        question = name, key
        if question not in self.answers and question not in self.written:
            self.answers[question] = answer or None


@dataclass(eq=False)
class Log:
    """The record that is being made, if one is, and how questions are answered."""

    record: Record | None = None
    answering: dict[str, Callable[[Any], object]] = field(default_factory=dict)
    tables: dict[str, Table[Any, Any]] = field(default_factory=dict)

    def note(self, name: str, key: object, answer: V) -> V:
        """Note what has been answered, and give it."""
        if self.record is not None:
            self.record.note(name, key, answer)
        return answer

    def says_the_same(self, record: Record) -> bool:
        """Whether all that an analysis was told still holds."""
        answering = self.answering
        return all((answering[name](key) or None) == answer for (name, key), answer in record.answers.items())

    def say_again(self, record: Record) -> None:
        """Write what an analysis has written."""
        for name, method, given in record.writes:
            getattr(self.tables[name], method)(*given)


class Table(dict[K, V]):
    """A table by bodies and the like. Only single entries are noted: who goes through it all is no analysis."""

    def __init__(self, name: str, log: Log) -> None:
        """Make an empty table that questions are asked of by its name."""
        super().__init__()
        self.name, self.log = name, log
        log.tables[name] = self
        log.answering[name] = super().get
        log.answering[f"in {name}"] = super().__contains__

    @overload
    def get(self, key: K, default: None = None, /) -> V | None: ...

    @overload
    def get(self, key: K, default: D, /) -> V | D: ...

    def get(self, key: K, default: object = None, /) -> object:
        """Look an entry up."""
        found = super().get(key)
        self.log.note(self.name, key, found)
        return default if found is None else found

    def __getitem__(self, key: K) -> V:
        """Look up an entry that is there."""
        return self.log.note(self.name, key, super().__getitem__(key))

    def __contains__(self, key: object) -> bool:
        """Ask whether there is an entry, whatever it says."""
        return self.log.note(f"in {self.name}", key, super().__contains__(key))

    def has_any(self, keys: Iterable[K]) -> bool:
        """Whether there is an entry for one of some keys."""
        if self.log.record is None:
            return not self.keys().isdisjoint(keys)
        return any(key in self for key in keys)

    def __setitem__(self, key: K, value: V) -> None:
        """Make an entry."""
        self._note_write("__setitem__", key, value)
        super().__setitem__(key, value)

    def setdefault(self, key: K, default: V, /) -> V:
        """Make an entry where there is none; who writes what is there all the same has not asked."""
        self._note_write("setdefault", key, default, decides=False)
        return super().setdefault(key, default)

    def pop(self, key: K, default: V | None = None) -> V | None:  # type: ignore[override]
        """Forget an entry, and say what it was, which is no question."""
        self._note_write("pop", key, default)
        return super().pop(key, default)

    def widen(self, key: K, more: Any) -> None:
        """Add to an entry that is a set, which is no question."""
        self._note_write("widen", key, more, decides=False)
        super().__setitem__(key, super().get(key, frozenset()) | more)

    def _note_write(self, method: str, key: K, given: object, *, decides: bool = True) -> None:
        record = self.log.record
        if record is not None:
            record.writes.append((self.name, method, (key, given)))
            record.written |= {(self.name, key), (f"in {self.name}", key)} if decides else set()
