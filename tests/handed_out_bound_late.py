"""Attributes that start as a placeholder and get an array later, and classes that a table or an object gives."""

from handed_out_forms import Holder, named

_KEPT = """
class Kept$n:
    def __init__(self, w={start}):
        self.w = w

    @classmethod
    def of(cls, w):
        return cls(w)

    def like(self, w):
        return type(self)(w)

    def put(self, w):
        self.w = w


EMPTY$n = Kept$n({start})
Pair$n = namedtuple("Pair$n", "n kind")


class Sub$n(Kept$n):
    kind: Kept$n

    def put(self, w):
        self.w = w.copy()


def make$n(w):
    {body}
"""
_STARTS = ("None", "0", "()", "[]", '""', "1.0", "False")
_MADE = (
    "return Kept$n.of(w)",
    "return EMPTY$n.like(w)",
    "return EMPTY$n.__class__(w)",
    "return type(EMPTY$n)(w)",
    "return {1: Kept$n}[1](w)",
    'return Sub$n.__annotations__["kind"](w)',
    "return Pair$n(1, Kept$n).kind(w)",
    'return type("Made", (Kept$n,), {})(w)',
    "return next(map(Kept$n, [w]))",
    "return functools.partial(Kept$n, w)()",
    "x = Sub$n()\n    super(Sub$n, x).put(w)\n    return x",
    "x = Kept$n()\n    x.put(w)\n    return x",
    "x = Kept$n()\n    for x.w in [w]:\n        pass\n    return x",
    "x, i = Kept$n(), 0\n    x.w, i = w, 1\n    return x",
    "x = Kept$n()\n    x.w = w if len(w) else x.w\n    return x",
    "x = Kept$n()\n    vars(x).update(w=w)\n    return x",
    'return {k: v for k, v in globals().items()}["Kept$n"](w)',
    'return next(v for k, v in globals().items() if k == "Kept$n")(w)',
    'return operator.itemgetter("Kept$n")(globals())(w)',
)
_TUPLE = """
class Row$n:
    items = ()

    def add(self, w):
        self.items += (w,)
        return self


def grow$n(t, w):
    t += (w,)
    return t
"""

BOUND_LATE: dict[str, tuple[Holder, ...]] = {
    "bound_late": tuple(
        named(
            _KEPT.format(start=_STARTS[position % len(_STARTS)], body=body),
            "a$n = $new\nm$n = ${m}make$n(a$n)",
            *("m$n.w", "a$n"),
        )
        for position, body in enumerate((*_MADE, *_MADE))
    ),
    "tuple_that_grows": (
        named(_TUPLE, "a$n = $new\nm$n = ${m}Row$n().add(a$n)", "m$n.items[0]", "a$n"),
        named(_TUPLE, "a$n = $new\nm$n = ${m}grow$n(${m}grow$n((), 1), a$n)", "m$n[1]", "a$n"),
        named("", "a$n = $new\nm$n = ()\nm$n += (a$n, a$n * 2)", "m$n[0]", "m$n[1]", "a$n"),
    ),
    "cut_in_two": (
        named("", "a$n = $new\np$n, q$n = np.array_split(a$n, 2)", "p$n", "q$n", "a$n"),
        named(
            "",
            "a$n = $new\np$n, q$n = np.array_split(a$n, 2)\nr$n, s$n = np.array_split(a$n, [1])",
            "q$n",
            "s$n",
            "a$n",
        ),
        named("", "p$n, q$n = np.array([$new, $new])", "p$n", "q$n"),
        named(
            "", "a$n = np.array([$new, $new])\np$n, q$n = a$n\nr$n, *s$n = a$n", "p$n", "q$n", "r$n", "s$n[0]", "a$n"
        ),
    ),
}
