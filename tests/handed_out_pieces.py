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


HOLDERS: dict[str, tuple[Holder, ...]] = {
    "getter": (
        getter_class("def weights(self):\n    return self._w", "m$n.weights()", "m$n.weights()", "m$n._w"),
        getter_class("def tail(self):\n    return self._w[1:]", "m$n.tail()", "m$n._w"),
        getter_class("def get(self):\n    w = self._w\n    return w", "m$n.get()", "m$n._w"),
        getter_class("def both(self):\n    return self._w, self._w[:1]", "m$n.both()[0]", "m$n.both()[1]"),
    ),
    "property": (
        getter_class("@property\ndef w(self):\n    return self._w", "m$n.w", "m$n.w", "m$n._w"),
        getter_class("@property\ndef head(self):\n    return self._w[:2]", "m$n.head", "m$n._w"),
        getter_class(
            "@property\ndef w(self):\n    return self._w\n\n@w.setter\ndef w(self, v):\n    self._w[:] = v",
            *("m$n.w", "m$n._w"),
        ),
    ),
    "cached_property": (
        getter_class("@cached_property\ndef w(self):\n    return self._w[1:]", "m$n.w", "m$n._w"),
        getter_class("@cached_property\ndef w(self):\n    return $new", "m$n.w", store="self.k = 1"),
    ),
    "table": (
        getter_class(
            "def get(self, k):\n    return self.p[k]",
            *('m$n.get("w")', 'm$n.p["w"]', 'm$n.get("b")'),
            store='self.p = {"w": $new, "b": $new}',
        ),
        getter_class(
            "def __getitem__(self, k):\n    return self.p[k]",
            *('m$n["w"]', 'm$n.p["w"]', 'm$n["b"]'),
            store='self.p = {"w": $new, "b": $new}',
        ),
        getter_class(
            "def get(self, i):\n    return self.p[i]", "m$n.get(0)", "m$n.p[0]", store="self.p = [$new, $new]"
        ),
    ),
    "lazy_attribute": (
        getter_class(
            "def get(self):\n    if self._w is None:\n        self._w = $new\n    return self._w",
            "m$n.get()",
            store="self._w = None",
        ),
        getter_class(
            'def get(self):\n    if not hasattr(self, "_w"):\n        self._w = $new\n    return self._w',
            "m$n.get()",
            store="self.k = 1",
        ),
    ),
    "method_cache": (
        getter_class(
            "def get(self, k):\n    if k not in self.c:\n        self.c[k] = $new\n    return self.c[k]",
            *("m$n.get(0)", "m$n.get(1)"),
            store="self.c = {}",
        ),
        getter_class("def get(self, k):\n    return self.c.setdefault(k, $new)", "m$n.get(0)", store="self.c = {}"),
    ),
    "special_methods": (
        getter_class("def __call__(self):\n    return self._w", "m$n()", "m$n._w"),
        getter_class("def __iter__(self):\n    return iter([self._w, self._w[1:]])", "list(m$n)[1]", "next(iter(m$n))"),
        getter_class(
            "def __enter__(self):\n    return self._w\n\ndef __exit__(self, *_):\n    pass", "m$n.__enter__()"
        ),
        getter_class("def __getattr__(self, name):\n    return self._w[1:]", "m$n.anything", "m$n._w"),
    ),
    "inherited": (
        named(
            """
class B$n:
    def __init__(self, w):
        self._w = w

    def get(self):
        return self._w


class M$n(B$n):
    def get(self):
        return super().get()[1:]
""",
            "a$n = $new\nm$n = ${m}M$n(a$n)",
            *("m$n.get()", "a$n", "m$n._w"),
        ),
    ),
    "dict_cache": (
        getter("C$n = {}\n\n\ndef get$n(k=0):\n    if k not in C$n:\n        C$n[k] = $new\n    return C$n[k]"),
        getter(
            """
C$n = {}


def get$n(k):
    try:
        return C$n[k]
    except KeyError:
        a = $new
        C$n[k] = a
        return a
""",
            *("${m}get$n(0)", "${m}get$n(1)"),
        ),
        getter(
            "C$n = {}\n\n\ndef get$n(k=0):\n    if (a := C$n.get(k)) is None:\n        a = C$n[k] = $new\n    return a"
        ),
        getter("C$n = defaultdict(lambda: $new)\n\n\ndef get$n(k=0):\n    return C$n[k]"),
    ),
    "setdefault": (getter("C$n = {}\n\n\ndef get$n(k=0):\n    return C$n.setdefault(k, $new)"),),
    "none_global": (
        getter(
            "BUF$n = None\n\n\ndef get$n():\n    global BUF$n\n    if BUF$n is None:\n        BUF$n = $new\n    return BUF$n"
        ),
        getter("BUF$n = $new\n\n\ndef get$n():\n    return BUF$n", "${m}get$n()", "${m}BUF$n"),
        getter("A$n = $new\nB$n = A$n\n\n\ndef get$n():\n    return B$n[:2]", "${m}get$n()", "${m}A$n"),
    ),
    "functools_cache": (
        getter("@cache\ndef get$n(k=0):\n    return $new"),
        getter("@lru_cache(maxsize=None)\ndef get$n():\n    return $new"),
        getter("@functools.lru_cache(4)\ndef get$n(k):\n    a = $new\n    return a[1:]", "${m}get$n(2)"),
        getter("def build$n():\n    return $new\n\n\nget$n = functools.cache(build$n)"),
    ),
    "memo_decorator": (
        getter(
            """
def memo$n(f):
    seen = {}

    def wrapped(*args):
        if args not in seen:
            seen[args] = f(*args)
        return seen[args]

    return wrapped


@memo$n
def get$n(k=0):
    return $new
"""
        ),
        getter(
            """
class Memo$n:
    def __init__(self, f):
        self.f = f
        self.seen = {}

    def __call__(self, k):
        if k not in self.seen:
            self.seen[k] = self.f(k)
        return self.seen[k]


@Memo$n
def get$n(k):
    return $new
""",
            "${m}get$n(0)",
        ),
    ),
    "default_argument": (
        getter("def get$n(k=0, c={}):\n    if k not in c:\n        c[k] = $new\n    return c[k]"),
        getter("def get$n(a=$new):\n    return a"),
        getter("def get$n(*, pool=[$new, $new]):\n    return pool[0]"),
    ),
    "closure": (
        getter(
            """
def maker$n():
    c = {}

    def get(k=0):
        if k not in c:
            c[k] = $new
        return c[k]

    return get


get$n = maker$n()
"""
        ),
        named(
            """
def maker$n(a):
    def read():
        return a

    return read
""",
            "a$n = $new\nread$n = ${m}maker$n(a$n)",
            *("read$n()", "a$n"),
        ),
        named("", "a$n = $new\nread$n = lambda: a$n[1:]", "read$n()", "a$n"),
        named(
            """
def maker$n():
    a = $new

    def read():
        return a

    def add(v):
        nonlocal a
        a += v
        return a

    return read, add
""",
            "read$n, add$n = ${m}maker$n()",
            *("read$n()", "add$n(1)"),
        ),
    ),
    "pool": (
        getter(
            "POOL$n = [$new, $new]\n\n\ndef take$n(i):\n    return POOL$n[i]",
            "${m}take$n(0)",
            "${m}POOL$n[0]",
            "${m}take$n(-1)",
        ),
        getter("POOL$n = deque([$new, $new])\n\n\ndef take$n():\n    return POOL$n[0]", "${m}take$n()"),
        getter(
            "ALL$n = np.zeros((3, 3))\n\n\ndef take$n(i):\n    return ALL$n[i]",
            "${m}take$n(0)",
            "${m}take$n(1)",
            "${m}ALL$n",
        ),
        named(
            "",
            "pool$n = [$new for _ in range(2)]\ntake$n = partial(list.__getitem__, pool$n)",
            "take$n(0)",
            "pool$n[0]",
        ),
    ),
    "class_attribute": (
        named("class K$n:\n    shared = $new", "k$n = ${m}K$n()", "k$n.shared", "${m}K$n.shared"),
        getter(
            "class K$n:\n    shared = $new\n\n    @classmethod\n    def get(cls):\n        return cls.shared",
            "${m}K$n.get()",
            "${m}K$n.shared",
        ),
        getter(
            """
class K$n:
    items = {}

    @classmethod
    def get(cls, k):
        return cls.items.setdefault(k, $new)
""",
            "${m}K$n.get(0)",
        ),
        getter(
            "class K$n:\n    shared = $new\n\n    @staticmethod\n    def get():\n        return K$n.shared[1:]",
            "${m}K$n.get()",
            "${m}K$n.shared",
        ),
    ),
    "function_attribute": (
        getter("def get$n():\n    return get$n.buf\n\n\nget$n.buf = $new", "${m}get$n()", "${m}get$n.buf"),
        getter('def get$n():\n    if not hasattr(get$n, "buf"):\n        get$n.buf = $new\n    return get$n.buf'),
    ),
    "dataclass": (
        named(
            "@dataclass\nclass S$n:\n    x: np.ndarray\n\n\ndef step$n(s):\n    s.x += 1",
            "a$n = $new\ns$n = ${m}S$n(a$n)\n${m}step$n(s$n)",
            *("s$n.x", "a$n"),
        ),
        named(
            "@dataclass\nclass S$n:\n    x: np.ndarray = field(default_factory=lambda: $new)\n\n    def get(self):\n        return self.x",
            "s$n = ${m}S$n()",
            *("s$n.x", "s$n.get()"),
        ),
        named(
            "@dataclass(frozen=True)\nclass S$n:\n    x: np.ndarray\n    y: np.ndarray\n\n\ndef make$n():\n    a = $new\n    return S$n(a, a[1:])",
            "s$n = ${m}make$n()",
            *("s$n.x", "s$n.y"),
        ),
        named(
            "@dataclass\nclass S$n:\n    x: np.ndarray",
            "a$n = $new\ns$n = ${m}S$n(a$n)\nt$n = replace(s$n)",
            "t$n.x",
            "s$n.x",
            "a$n",
        ),
    ),
    "named_tuple": (
        named(
            'P$n = namedtuple("P$n", "x y")',
            "a$n = $new\np$n = ${m}P$n(a$n, a$n[1:])",
            "p$n.x",
            "p$n[1]",
            "p$n.y",
            "a$n",
        ),
        named(
            "class P$n(NamedTuple):\n    x: np.ndarray\n    n: int\n\n\ndef make$n():\n    return P$n($new, 2)",
            "p$n = ${m}make$n()\nq$n = p$n._replace(n=3)",
            *("p$n.x", "q$n.x"),
        ),
    ),
    "tuple_of_views": (
        named("def make$n():\n    a = $new\n    return a, a[1:3]", "a$n, v$n = ${m}make$n()", "v$n", "a$n"),
        named(
            "def make$n():\n    a = $new\n    return a, a.T, a.reshape(-1)",
            "p$n = ${m}make$n()",
            "p$n[2]",
            "p$n[0]",
            "p$n[1]",
        ),
        named(
            "def make$n(a):\n    return [a[:2], a[1:]]", "a$n = $new\np$n = ${m}make$n(a$n)", "p$n[1]", "p$n[0]", "a$n"
        ),
        named(
            "def make$n(a):\n    return np.split(a, 2)",
            "a$n = np.zeros(4)\np$n = ${m}make$n(a$n)",
            "p$n[1]",
            "p$n[0]",
            "a$n",
        ),
        named(
            "def make$n(a):\n    return list(a)",
            "a$n = np.ones((2, 3))\np$n = ${m}make$n(a$n)",
            "p$n[1]",
            "p$n[0]",
            "a$n",
        ),
    ),
    "dict_of_views": (
        named(
            'def make$n():\n    a = $new\n    return {"all": a, "head": a[:1]}',
            "d$n = ${m}make$n()",
            'd$n["head"]',
            'd$n["all"]',
        ),
        named(
            "def make$n(a):\n    return {i: a[i] for i in range(2)}",
            "a$n = np.ones((2, 3))\nd$n = ${m}make$n(a$n)",
            "d$n[0]",
            "d$n[1]",
            "a$n",
        ),
        named(
            "def make$n():\n    a = $new\n    return SimpleNamespace(all=a, head=a[:1])",
            "d$n = ${m}make$n()",
            "d$n.head",
            "d$n.all",
        ),
    ),
    "object_in_object": (
        named(
            """
class Inner$n:
    def __init__(self, x):
        self.x = x

    def get(self):
        return self.x


class Outer$n:
    def __init__(self, x):
        self.inner = Inner$n(x)

    def part(self):
        return self.inner

    def get(self):
        return self.inner.get()
""",
            "a$n = $new\no$n = ${m}Outer$n(a$n)",
            *("o$n.get()", "o$n.inner.x", "o$n.part().x", "o$n.part().get()", "a$n"),
        ),
    ),
    "generator": (
        named(
            "def rows$n(a):\n    for i in range(len(a)):\n        yield a[i]",
            "a$n = np.ones((2, 3))",
            "next(${m}rows$n(a$n))",
            "list(${m}rows$n(a$n))[1]",
            "a$n",
        ),
        named(
            "def rows$n(a):\n    yield a\n    yield a[1:]",
            "a$n = $new",
            "list(${m}rows$n(a$n))[1]",
            "next(${m}rows$n(a$n))",
            "a$n",
        ),
        named(
            "def rows$n(a):\n    yield from a",
            "a$n = np.ones((2, 3))\nfor r$n in ${m}rows$n(a$n):\n    r$n[0] = 4",
            "a$n",
        ),
        named(
            "def rows$n(a):\n    return (a[i:] for i in range(2))",
            "a$n = $new\nr$n = list(${m}rows$n(a$n))",
            "r$n[1]",
            "a$n",
        ),
    ),
    "optimizer": (
        named(
            """
class SGD$n:
    def __init__(self, params):
        self.params = params
        self.v = {k: np.zeros_like(p) for k, p in params.items()}

    def step(self):
        for k, p in self.params.items():
            v = self.v[k]
            v -= 0.5
            p += v
""",
            'a$n = $new\nopt$n = ${m}SGD$n({"w": a$n})\nopt$n.step()',
            *('opt$n.params["w"]', "a$n", 'opt$n.v["w"]'),
        ),
        named(
            "def step$n(params, grads):\n    for p, g in zip(params, grads):\n        p -= 0.5 * g",
            "a$n = $new\nparams$n = [a$n]\n${m}step$n(params$n, [a$n + 1])",
            *("params$n[0]", "a$n"),
        ),
        named(
            """
class Layer$n:
    def __init__(self):
        self.w = $new

    def parameters(self):
        return [self.w]


def step$n(layer):
    for p in layer.parameters():
        p -= 0.5
""",
            "layer$n = ${m}Layer$n()\n${m}step$n(layer$n)",
            *("layer$n.w", "layer$n.parameters()[0]"),
        ),
    ),
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
    "double_buffer": (
        named(
            """
class Field$n:
    def __init__(self):
        self.now = $new
        self.then = self.now.copy()
        self.log = []

    def swap(self):
        self.now, self.then = self.then, self.now
        self.log.append(self.now)
        return self.now
""",
            "f$n = ${m}Field$n()\nf$n.swap()",
            *("f$n.now", "f$n.log[0]", "f$n.then", "f$n.swap()"),
        ),
    ),
    "by_name": (
        getter_class(
            "def get(self, name):\n    return getattr(self, name)",
            'm$n.get("_w")',
            'getattr(m$n, "_w")',
            'vars(m$n)["_w"]',
        ),
        named("", 'd$n = {"w": $new, "b": $new}', 'd$n.get("w")', 'itemgetter("w")(d$n)', "list(d$n.values())[0]"),
    ),
}
IMPORTS = {
    "cached_property": "from functools import cached_property",
    "defaultdict(": "from collections import defaultdict",
    "deque(": "from collections import deque",
    "namedtuple(": "from collections import namedtuple",
    "@cache\n": "from functools import cache",
    "@lru_cache": "from functools import lru_cache",
    "functools.": "import functools",
    "partial(": "from functools import partial",
    "@dataclass": "from dataclasses import dataclass, field",
    " replace(": "from dataclasses import replace",
    "NamedTuple)": "from typing import NamedTuple",
    "SimpleNamespace(": "from types import SimpleNamespace",
    "itemgetter(": "from operator import itemgetter",
}
