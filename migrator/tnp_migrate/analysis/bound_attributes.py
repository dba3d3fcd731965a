"""What attributes hold, by all that a round over the project binds to them: the next round reads that.

In the first rounds a parameter is unknown of which no call has been read yet. What is bound to an attribute then would
be unknown for ever, if all rounds were taken together.
"""

from __future__ import annotations

from collections.abc import Iterator

from tnp_migrate.analysis.functions_as_values import classes_as_values
from tnp_migrate.numpy_facts.values import UNKNOWN, Value, join
from tnp_migrate.program.fields import fields_of, is_record, own_fields, start_of
from tnp_migrate.program.index import Class, Index


class _Known(dict[str, Value]):
    """What is bound in the first rounds, and known already."""

    def __setitem__(self, name: str, value: Value) -> None:
        if value != UNKNOWN:
            super().__setitem__(name, value)


def begin_binding(index: Index) -> None:
    """Let the first rounds read at once what they bind."""
    for owner in _owners(index):
        owner.attributes = owner.binding = _Known()


def take_bound(index: Index, *, joined: bool) -> bool:
    """Let what a round has bound to attributes be known to the next; say whether that is news.

    `joined` adds to what the round before has bound.
    """
    is_news = False
    for made in classes_as_values(index):
        if start_of(made) is None:  # its fields are whatever it is called with
            for one in fields_of(made):
                made.binding[one.name] = UNKNOWN
    for each in _owners(index):
        if isinstance(each, Class) and is_record(each) and any(map(start_of, each.derived)):
            for one in own_fields(each):  # which a constructor of the text may pass on, by whatever name
                if one.declared is not None and one.annotation is None:
                    each.binding[one.name] = UNKNOWN
    for owner in _owners(index):
        before, now = owner.attributes, owner.binding
        if joined:
            now |= {name: join(value, now.get(name)) for name, value in before.items()}
        is_news = is_news or before != now
        owner.attributes, owner.binding = dict(sorted(now.items())), {}
    return is_news


def _owners(index: Index) -> Iterator[Class | Index]:
    yield index
    for module in index.modules.values():
        yield from module.classes.values()
