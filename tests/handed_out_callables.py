"""Functions that are passed on, held and returned, and give what they get: the templates of `handed_out_pieces`."""

from handed_out_forms import Holder, getter, named

CALLABLES: dict[str, tuple[Holder, ...]] = {
    "callback": (
        named("STATE$n = $new\n\n\ndef each$n(f):\n    f(STATE$n)", "${m}each$n(lambda a: a.fill(3))", "${m}STATE$n"),
        named("def each$n(f, a):\n    return f(a)", "a$n = $new\nt$n = ${m}each$n(lambda x: x[1:], a$n)", "t$n", "a$n"),
        named(
            """
class Bus$n:
    def __init__(self):
        self.hooks = []
        self.x = $new

    def on(self, f):
        self.hooks.append(f)

    def fire(self):
        for f in self.hooks:
            f(self.x)
""",
            "def hook$n(a):\n    a += 1\n\n\nbus$n = ${m}Bus$n()\nbus$n.on(hook$n)\nbus$n.fire()",
            *("bus$n.x",),
        ),
    ),
    "passed_through": (
        named("def same$n(x):\n    return np.asarray(x)", "a$n = $new", "${m}same$n(a$n)", "a$n"),
        named(
            "def pick$n(x, y, c):\n    return x if c else y",
            "a$n = $new\nb$n = $new",
            "${m}pick$n(a$n, b$n, True)",
            "${m}pick$n(a$n, b$n, len(b$n) > 9)",
            "a$n",
        ),
        named(
            "def tail$n(x, k=1):\n    return x[k:]",
            "a$n = $new",
            "${m}tail$n(a$n)",
            "${m}tail$n(${m}tail$n(a$n))",
            "a$n",
        ),
        named("def first$n(*xs):\n    return xs[0]", "a$n = $new\nb$n = $new", "${m}first$n(a$n, b$n)", "a$n"),
    ),
    "passed_function": (
        getter(
            'A$n = $new\nTABLE$n = {"view": np.ravel, "same": np.asarray}\n\n\n'
            "def get$n(k='same'):\n    return TABLE$n[k](A$n)",
            "${m}get$n()",
            "${m}A$n",
        ),
        getter(
            """
class View$n:
    convert = staticmethod(np.asarray)

    def get(self, x):
        return type(self).convert(x)


A$n = $new
""",
            *("${m}View$n().convert(${m}A$n)", "${m}A$n", "${m}View$n().get(${m}A$n)"),
        ),
        named(
            "class View$n:\n    def __init__(self, f):\n        self.f = f",
            "a$n = $new\nm$n = ${m}View$n(np.asarray)",
            *("m$n.f(a$n)", "a$n"),
        ),
        named("def pick$n():\n    return np.asarray", "a$n = $new", "${m}pick$n()(a$n)", "a$n"),
        named(
            """
TABLE$n = {}


def register$n(f):
    TABLE$n["k"] = f
    return f


@register$n
def first$n(x):
    return x[:1]
""",
            "a$n = $new",
            *('${m}TABLE$n["k"](a$n)', "a$n"),
        ),
        named(
            "def both$n(x, steps=(np.asarray, np.ravel)):\n    return reduce(lambda v, f: f(v), steps, x)",
            "a$n = $new",
            *("${m}both$n(a$n)", "a$n"),
        ),
    ),
    "unnamed_function": (
        named("same$n = lambda x: x", "a$n = $new", "${m}same$n(a$n)", "${m}same$n.__call__(a$n)", "a$n"),
        named("def fn$n(k, x):\n    return x", "a$n = $new\nf$n = partial(${m}fn$n, 2)", "f$n(a$n)", "a$n"),
        named("", "a$n = $new\nf$n = partial(lambda x: x, a$n)", "f$n()", "a$n"),
        named(
            "def outer$n(k):\n    def inner(x):\n        return x\n\n    return inner\n\n\nmade$n = outer$n(1)",
            "a$n = $new",
            *("${m}made$n(a$n)", "${m}outer$n(2)(a$n)", "a$n"),
        ),
        named(
            """
class Plain$n:
    def pick(self, x):
        return x * 2


class Own$n(Plain$n):
    def __init__(self):
        self.pick = lambda x: x
""",
            "a$n = $new\nm$n = ${m}Plain$n()\nm$n.pick = lambda x: x\nt$n = {0: ${m}Own$n()}",
            *("m$n.pick(a$n)", "t$n[0].pick(a$n)", "${m}Own$n().pick(a$n)", "a$n"),
        ),
        named(
            "class Plain$n:\n    def pick(self, x):\n        return x",
            "a$n = $new\nf$n = partial(${m}Plain$n.pick, ${m}Plain$n())\ng$n = ${m}Plain$n().pick",
            *("f$n(a$n)", "g$n(a$n)", "a$n"),
        ),
        named("", "a$n = $new\nd$n = {0: a$n}", "dict.get(d$n, 0)", "next(iter(d$n.values()))", "a$n"),
        named("", "a$n = $new\nxs$n = [a$n]", "list.__getitem__(xs$n, 0)", "xs$n.__iter__().__next__()", "a$n"),
        named(
            "@functools.wraps(len)\ndef fn$n(x):\n    return x\n\n\nother$n = functools.singledispatch(fn$n)",
            "a$n = $new",
            *("${m}fn$n(a$n)", "${m}other$n(a$n)", 'getattr(np, "asarray")(a$n)', "a$n"),
        ),
    ),
    "kept_unseen": (
        named(
            "K$n = []\nput$n = K$n.append\n\n\ndef note$n(x):\n    K$n.append(x)\n    return 0",
            "a$n = $new\n${m}put$n(a$n)\nb$n = $new\nsorted([b$n], key=${m}note$n)",
            *("a$n", "${m}K$n[0]", "b$n", "${m}K$n[1]"),
        ),
        named(
            """
class Keeper$n:
    def __init__(self):
        self.kept = {}

    def __call__(self, x):
        self.kept[0] = x

    def __lshift__(self, x):
        self.kept[1] = x
        return self

    def on_two(self, x):
        self.kept[2] = x

    def on(self, k, x):
        getattr(self, "on_" + k)(x)
""",
            "a$n = $new\nk$n = ${m}Keeper$n()\nk$n(a$n)\nb$n = $new\nk$n << b$n\nc$n = $new\nk$n.on('two', c$n)",
            *("a$n", "k$n.kept[0]", "b$n", "k$n.kept[1]", "c$n", "k$n.kept[2]"),
        ),
        named(
            "class Keeper$n:\n    def keep(self, x):\n        self.x = x",
            "a$n = $new\nk$n = ${m}Keeper$n()\nf$n = k$n.keep\nf$n(a$n)",
            *("a$n", "k$n.x"),
        ),
        named(
            "def sent$n(into):\n    while True:\n        x = yield\n        into.append(x)",
            "a$n = $new\nk$n = []\ng$n = ${m}sent$n(k$n)\nnext(g$n)\ng$n.send(a$n)",
            *("a$n", "k$n[0]"),
        ),
        named(
            """
class Making$n(type):
    def __call__(cls, x):
        made = super().__call__()
        made.x = x
        return made


class Made$n(metaclass=Making$n):
    def first(self):
        return self.x[:1]
""",
            "a$n = $new\nm$n = ${m}Made$n(a$n)",
            *("a$n", "m$n.x", "m$n.first()"),
        ),
        named(
            "T$n = {}\n\n\ndef put$n(x):\n    T$n[0] = x\n\n\ndef got$n():\n    return T$n[0]",
            "a$n = $new\nlist(map(${m}put$n, [a$n]))\nd$n = {}\nset$n = d$n.__setitem__\nset$n('w', a$n)",
            *("a$n", "${m}got$n()", "d$n['w']"),
        ),
    ),
}
