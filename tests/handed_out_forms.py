"""What hands out stored memory: getters, caches, pools, closures, views in tuples, generators, each as a template.

In a template `$n` is the number of the holder, `$new` makes an array, `$m` stands before each name of the module's top
level and names the module where that is another one.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Holder:
    """The text at a module's top level, statements of `run`, and expressions for the arrays handed out."""

    definition: str
    setup: str = ""
    handed: tuple[str, ...] = ()


def getter_class(body: str, *handed: str, store: str = "self._w = $new") -> Holder:
    """A class whose objects `m$n` hold arrays."""
    lines = "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
    text = f"class M$n:\n    def __init__(self):\n        {store}\n\n{lines}"
    return Holder(text, "m$n = ${m}M$n()", handed)


def getter(body: str, *handed: str) -> Holder:
    """Module-level text with a function `get$n`."""
    return Holder(body.strip("\n"), handed=handed or ("${m}get$n()",))


def named(body: str, setup: str, *handed: str) -> Holder:
    """Module-level text, and names in `run` that are bound to what it hands out."""
    return Holder(body.strip("\n"), setup, handed)
