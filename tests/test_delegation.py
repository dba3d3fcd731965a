"""What a `__getattr__` hands on: read from its text where it does nothing else."""

import pytest
from analysis_cases import analyse

from tnp_migrate.analysis.delegation import Way, delegated, ways_of

ATTRIBUTE = Way((".inner",), "attribute")


def methods(body: str, name: str = "__getattr__") -> str:
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    return f"class Box:\n    def {name}(self, name):\n{lines}\n"


@pytest.mark.parametrize(
    ("body", "ways"),
    [
        ("return getattr(self.inner, name)", (ATTRIBUTE,)),
        ("return getattr(self.__dict__['inner'], name)", (ATTRIBUTE,)),
        ("return getattr(object.__getattribute__(self, 'inner'), name, None)", (ATTRIBUTE,)),
        ("inner = vars(self)['inner']\nreturn getattr(inner, name)", (ATTRIBUTE,)),
        ("if name.startswith('_'):\n    raise AttributeError(name)\nreturn getattr(self.inner, name)", (ATTRIBUTE,)),
        ("return self[name]", (Way((), "item"),)),
        ("try:\n    return self[name]\nexcept KeyError:\n    raise AttributeError(name) from None", (Way((), "item"),)),
        ("return self.inner.get(name)", (Way((".inner",), "item"),)),
        ("return self.parts[0][name]", (Way((".parts", "[0]"), "item"),)),
        ("return self.__dict__[name]", (Way((), "attribute"),)),
        ("return self.one if name == 'inner' else self[name]", (Way((".one",), "itself"), Way((), "item"))),
        ("self.count += 1\nreturn getattr(self.inner, name)", None),
        ("self.seen.append(name)\nreturn getattr(self.inner, name)", None),
        ("if self.load(name):\n    return None\nreturn self[name]", None),
        ("return getattr(self.inner, name + '_')", None),
        ("return self.make(name)", None),
        ("for inner in self.all:\n    return getattr(inner, name)", None),
    ],
)
def test_ways_are_read_from_the_text(body: str, ways: tuple[Way, ...] | None) -> None:
    (method,) = analyse(case=methods(body)).methods["__getattr__"]
    assert ways_of(method) == ways


def test_own_attributes_are_not_asked_for() -> None:
    text = methods("return getattr(self.inner, name)") + "    def __init__(self, inner):\n        self.inner = inner\n"
    (method,) = analyse(case=text).methods["__getattr__"]
    assert method.owner is not None
    assert delegated(method.owner, "inner") == ()
    assert delegated(method.owner, "w") == (ATTRIBUTE,)


def test_all_attributes_are_asked_for() -> None:
    text = methods("return getattr(self.inner, name)", "__getattribute__")
    text += "    def __init__(self, inner):\n        self.inner = inner\n"
    (method,) = analyse(case=text).methods["__getattribute__"]
    assert method.owner is not None
    assert delegated(method.owner, "inner") == (ATTRIBUTE,)


def test_methods_of_dict_are_assigned() -> None:
    (one,) = analyse(case="class Result(dict):\n    __getattr__ = dict.__getitem__\n").modules["case"].classes.values()
    assert delegated(one, "w") == (Way((), "item"),)
