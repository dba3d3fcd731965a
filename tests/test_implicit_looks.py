"""What methods that run without being named look at: by texts that name it, or that may look at anything."""

import pytest
from analysis_cases import analyse

from tnp_migrate.analysis.implicit_looks import implicit_looks, looks_at

PROJECT = """
import copy
import functools
import itertools
import numpy as np
from operator import attrgetter


def grab(m):
    return m.x


other_name = grab


def plain(**words):
    return words


def produce(m):
    while True:
        yield m.{suspended}


class Late:
    def __init__(self, m):
        self.y = m.x


class Base:
    def shown(self):
        return self.m.x


class Model:
    def __init__(self):
        self.x = None

    def taken(self):
        return self.x


class Monitor(Base):
    def __init__(self, m):
        self.m = m
        self.called = m.taken
        self.append = m.taken

    def __repr__(self):
        {text}
        return "monitor"
"""
LOOKING = (
    "self.m.x",
    "getattr(self.m, 'x')",
    "getattr(self.m, 'xy'[:1])",
    "vars(self.m)",
    "self.m.__dict__",
    "vars(self.m)['x']",
    "self.m.taken()",
    "grab(self.m)",
    "list(map(grab, [self.m]))",
    "self.called()",
    "self.append(1)",
    "attrgetter('x')(self.m)",
    "copy.copy(self.m)",
    "list(map(copy.copy, [self.m]))",
    "Late(self.m)",
    "type(self)(self.m)",
    "super().shown()",
    "(lambda m: m.x)(self.m)",
    "read = self.m.taken; read()",
    "other = self; vars(other)",
    "self = self.m; vars(self)",
    "list(map(self.called, [1]))",
    "list(map(other_name, [self.m]))",
    "sorted([self.m], key=other_name)",
    "sorted([self.m], key=self.called)",
    "grab = self.called; grab()",
    "other_name(self.m)",
    "np.vectorize(other_name)(self.m)",
    "next(iter(self.called, 1))",
    "list(itertools.accumulate(*self.ms))",
    "sorted(self.ms, **self.words)",
    "functools.reduce(self.called, self.ms)",
    "self.shown()",
    "eval('self.m.x')",
    "exec('self.m.x')",
)
# Made by others, they run when such a method asks for the next item.
KEPT_FOR_LATER = (
    "map(lambda m: m.x, models)",
    "filter(lambda m: m.x, models)",
    "itertools.filterfalse(lambda m: m.x, models)",
    "itertools.takewhile(lambda m: m.x, models)",
    "itertools.dropwhile(grab, models)",
    "itertools.accumulate(models, lambda a, m: m.x)",
    "itertools.accumulate(models, func=grab)",
    "itertools.groupby(models, lambda m: m.x)",
    "itertools.groupby(models, key=grab)",
    "iter(lambda: models[0].x, 1)",
    "as_long_as(grab, models)",
    "functools.partial(grab, models[0])",
    "(m.x for m in models)",
)
NOT_LOOKING = (
    "pass",
    "self.m",
    "len(vars(self))",
    "sorted(self.__dict__.items())",
    "type(self).__name__",
    "np.sum(self.m)",
    "'{}'.format(self.n)",
    "[str(one) for one in self.ms if one]",
    "getattr(self, 'n')",
    "super().__repr__()",
    "plain(**self.words)",
    "sorted(self.ms, key=str)",
    "list(map(float, self.ms))",
    "''.join(map('{}={}'.format, *zip(*vars(self).items())))",
    "sorted(self.ms, key=lambda one: one.n)",
)


def _looks(text: str, suspended: str = "n", rest: str = "") -> bool:
    index = analyse(main=PROJECT.format(text=text, suspended=suspended) + rest)
    model = next(
        one for module in index.modules.values() for one in module.classes.values() if one.node.name == "Model"
    )
    return looks_at(implicit_looks(index), "x", model)


@pytest.mark.parametrize("text", LOOKING)
def test_what_may_look_at_an_attribute_does(text: str) -> None:
    assert _looks(text)


@pytest.mark.parametrize("text", NOT_LOOKING)
def test_what_names_others_leaves_an_attribute_alone(text: str) -> None:
    assert not _looks(text)


def test_what_a_suspended_call_reads_counts() -> None:
    assert _looks("next(self.items)", suspended="x")


@pytest.mark.parametrize("text", KEPT_FOR_LATER)
def test_what_is_asked_for_items_later_looks_then(text: str) -> None:
    rest = f"\n\nfrom itertools import takewhile as as_long_as\ndef kept(models):\n    return {text}\n"
    assert _looks("next(self.items)", rest=rest)
    assert not _looks("next(self.items)", rest=rest.replace("m.x", "m.n").replace("].x", "].n").replace("grab", "str"))


def test_a_namespace_shows_all_of_its_own_class() -> None:
    index = analyse(main="class Model:\n    def __repr__(self):\n        return str(vars(self))\n")
    model = index.modules["main"].classes
    assert looks_at(implicit_looks(index), "x", next(iter(model.values())))
    assert looks_at(implicit_looks(index), "x", None)
