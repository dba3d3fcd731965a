"""Objects that hand out the arrays they hold: the templates of `handed_out_pieces`."""

from handed_out_forms import Holder, getter, getter_class, named

CLASSES: dict[str, tuple[Holder, ...]] = {
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
        getter_class("def __getattr__(self, name):\n    self.w = self._w[1:]\n    return self.w", "m$n.w", "m$n._w"),
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
    "dataclass": (
        named(
            "@dataclass\nclass S$n:\n    x: np.ndarray\n\n\ndef step$n(s):\n    s.x += 1",
            "a$n = $new\ns$n = ${m}S$n(a$n)\n${m}step$n(s$n)",
            *("s$n.x", "a$n"),
        ),
        named(
            """
@dataclass
class S$n:
    x: np.ndarray = field(default_factory=lambda: $new)

    def get(self):
        return self.x
""",
            "s$n = ${m}S$n()",
            *("s$n.x", "s$n.get()"),
        ),
        named(
            """
@dataclass(frozen=True)
class S$n:
    x: np.ndarray
    y: np.ndarray


def make$n():
    a = $new
    return S$n(a, a[1:])
""",
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
    "singleton": (
        getter(
            """
class One$n:
    made = None

    def __new__(cls):
        if cls.made is None:
            cls.made = super().__new__(cls)
            cls.made.x = $new
        return cls.made
""",
            *("${m}One$n().x", "${m}One$n.made.x"),
        ),
        getter(
            """
class Only$n:
    def __init__(self):
        self.x = $new


ONLY$n = Only$n()


def get$n():
    return ONLY$n
""",
            *("${m}get$n().x", "${m}ONLY$n.x"),
        ),
    ),
    "shallow_copy": (
        named(
            "class M$n:\n    def __init__(self):\n        self.w = $new\n        self.k = 1",
            "m$n = ${m}M$n()\nn$n = copy.copy(m$n)",
            *("n$n.w", "m$n.w"),
        ),
        named("", 'd$n = {"w": $new}\ne$n = dict(d$n)', 'e$n["w"]', 'd$n["w"]'),
        named("", "xs$n = [$new, $new]\nys$n = xs$n[:]", "ys$n[0]", "xs$n[0]", "(xs$n + ys$n)[2]", "(2 * ys$n)[1]"),
        named(
            """
class M$n:
    def __init__(self, w):
        self.w = w

    def same(self):
        return M$n(self.w)

    def fresh(self):
        return M$n(self.w.copy())
""",
            "m$n = ${m}M$n($new)\nn$n = m$n.same()\nf$n = m$n.fresh()",
            *("n$n.w", "m$n.w", "f$n.w"),
        ),
    ),
    "container_class": (
        named("class D$n(dict):\n    pass", "d$n = ${m}D$n(w=$new)", 'd$n["w"]', 'd$n.get("w")'),
        named(
            "class L$n(list):\n    def first(self):\n        return self[0]",
            "l$n = ${m}L$n([$new, $new])",
            "l$n.first()",
            "l$n[0]",
        ),
        named(
            """
class Node$n:
    def __init__(self, x, below=None):
        self.x = x
        self.below = below

    def deepest(self):
        return self if self.below is None else self.below.deepest()
""",
            "a$n = $new\nnode$n = ${m}Node$n($new, ${m}Node$n(a$n))",
            *("node$n.deepest().x", "node$n.below.x", "a$n", "node$n.x"),
        ),
    ),
}
