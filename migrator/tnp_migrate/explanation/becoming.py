"""What a line of a text has become in the new text."""

from __future__ import annotations

from difflib import Differ, SequenceMatcher

_MOST_COMPARED = 200  # lines of one change that are compared letter by letter


def become(before: list[str], after: list[str], line: int) -> tuple[str, ...]:
    """The lines that stand for one line, counted from 1: itself where it stays, none where it is gone.

    Of lines that have become others together, without one being like another, it is all the new ones.
    """
    for tag, first, last, new_first, new_last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if first < line <= last:
            if tag == "equal":
                return (before[line - 1],)
            return _in_change(before[first:last], after[new_first:new_last], line - 1 - first)
    return ()


def _in_change(before: list[str], after: list[str], position: int) -> tuple[str, ...]:
    if len(before) + len(after) > _MOST_COMPARED:
        return tuple(after)
    groups: list[tuple[list[int], list[str]]] = [([], [])]  # old lines, and what they have become
    count = 0
    for one in Differ().compare(before, after):
        mark, text = one[:2], one[2:]
        if mark in ("- ", "  "):
            if groups[-1][1]:
                groups.append(([], []))
            groups[-1][0].append(count)
            count += 1
        if mark in ("+ ", "  "):
            groups[-1][1].append(text)
    return next((tuple(new) for old, new in groups if position in old), ())
