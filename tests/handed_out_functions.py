"""Functions, closures and containers that hand out arrays: the templates of `handed_out_pieces`."""

from handed_out_forms import Holder, getter, getter_class, named

FUNCTIONS: dict[str, tuple[Holder, ...]] = {
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
            """
BUF$n = None


def get$n():
    global BUF$n
    if BUF$n is None:
        BUF$n = $new
    return BUF$n
"""
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
    "function_attribute": (
        getter("def get$n():\n    return get$n.buf\n\n\nget$n.buf = $new", "${m}get$n()", "${m}get$n.buf"),
        getter('def get$n():\n    if not hasattr(get$n, "buf"):\n        get$n.buf = $new\n    return get$n.buf'),
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
    "by_name": (
        getter_class(
            "def get(self, name):\n    return getattr(self, name)",
            'm$n.get("_w")',
            'getattr(m$n, "_w")',
            'vars(m$n)["_w"]',
        ),
        named("", 'd$n = {"w": $new, "b": $new}', 'd$n.get("w")', 'itemgetter("w")(d$n)', "list(d$n.values())[0]"),
    ),
    "context_manager": (
        named(
            """
@contextmanager
def opened$n(a):
    yield a[:2]
    a += 1
""",
            "a$n = $new\nwith ${m}opened$n(a$n) as v$n:\n    v$n += 2",
            *("v$n", "a$n"),
        ),
        named(
            """
STACK$n = [$new]


@contextmanager
def top$n():
    yield STACK$n[-1]
""",
            "with ${m}top$n() as v$n:\n    v$n[0] = 6",
            *("v$n", "${m}STACK$n[0]"),
        ),
    ),
    "iterators": (
        named("", "a$n = $new\nxs$n = list(zip([a$n], [1]))", "xs$n[0][0]", "a$n"),
        named("", "a$n = $new\nb$n = $new\nxs$n = [*chain([a$n], [b$n])]", "xs$n[1]", "b$n", "xs$n[0]", "a$n"),
        named("", "a$n = $new\nb$n = $new\nxs$n = sorted([a$n, b$n], key=len)", "xs$n[0]", "a$n", "xs$n[-1]"),
        named("", "a$n = $new\nx$n = max([a$n], key=len)", "x$n", "a$n"),
        named("", "a$n = $new\nxs$n = list(map(np.asarray, [a$n]))", "xs$n[0]", "a$n"),
        named("def pick$n(x, y):\n    return x", "a$n = $new\nx$n = reduce(${m}pick$n, [a$n, a$n + 1])", "x$n", "a$n"),
    ),
    "star_arguments": (
        named(
            "def pack$n(*xs, **more):\n    return xs, more",
            "a$n = $new\nb$n = $new\np$n, q$n = ${m}pack$n(a$n, w=b$n)",
            "p$n[0]",
            'q$n["w"]',
            "a$n",
            "b$n",
        ),
        named(
            "def all$n(*xs):\n    for x in xs:\n        x += 1\n    return xs",
            "a$n = $new\np$n = ${m}all$n(a$n)",
            "p$n[0]",
            "a$n",
        ),
        named("", "a$n = $new\nb$n = $new\nx$n, *rest$n = [a$n, b$n]", "rest$n[0]", "b$n", "x$n", "a$n"),
    ),
    "variable": (
        named("A$n = $new", "", "${m}A$n", "${m}A$n * 1"),
        named('T$n = {"x": $new, "y": [$new]}', "", '${m}T$n["x"]', '${m}T$n["y"][0]'),
        named(
            "class C$n:\n    a = $new\n\n    class D:\n        b = $new",
            "",
            "${m}C$n.a",
            "${m}C$n.D.b",
            "${m}C$n.a + 0",
        ),
        named("def f$n():\n    return f$n.a\n\n\nf$n.a = $new", "", "${m}f$n.a", "${m}f$n()"),
        named(
            "A$n = $new\n\n\ndef grow$n():\n    global A$n\n    A$n = A$n * 2",
            "",
            "${m}A$n",
            "(${m}grow$n(), ${m}A$n)[1]",
        ),
    ),
    "pairs": (
        named("", 'a$n = $new\nd$n = dict(map(lambda k: (k, a$n), "xy"))', 'd$n["x"]', "a$n", 'd$n["y"]'),
        named("", 'a$n = $new\nd$n = dict(sorted({"x": a$n}.items()))', 'd$n["x"]', "a$n"),
        named(
            "def table$n(pairs):\n    d = {}\n    d.update(pairs)\n    return d",
            'a$n = $new\nb$n = $new\nd$n = ${m}table$n(zip("xy", [a$n, b$n]))',
            *('d$n["x"]', "a$n", 'd$n["y"]', "b$n"),
        ),
        named("", "a$n = $new\nwith contextlib.nullcontext(a$n) as c$n:\n    pass", "c$n", "a$n"),
        named(
            "",
            "a$n = $new\nwith contextlib.ExitStack() as s$n:\n    c$n = s$n.enter_context(contextlib.nullcontext(a$n))",
            "c$n",
            "a$n",
        ),
    ),
    "mixed": (
        getter(
            'A$n = $new\nT$n = {"n": 1}\n\n\ndef get$n(k="x"):\n    T$n[k] = A$n\n    return T$n[k]',
            "${m}get$n()",
            "${m}A$n",
        ),
        getter(
            "A$n = $new\nXS$n = [len, 3]\n\n\ndef get$n():\n    XS$n.append(A$n)\n    return XS$n[-1]",
            "${m}get$n()",
            "${m}A$n",
        ),
        named(
            "class Box$n:\n    n = 1\n\n\ndef first$n(*xs):\n    for x in xs:\n        pass\n    return xs[0]",
            "a$n = $new\nb$n = ${m}first$n(a$n, ${m}Box$n(), len)",
            *("b$n", "a$n"),
        ),
        named(
            "def twice$n(x):\n    x *= 2\n    return x\n\n\ndef other$n():\n    return twice$n(3), twice$n([1])",
            "a$n = $new",
            *("${m}twice$n(a$n)", "a$n"),
        ),
        named(
            """
class Box$n:
    def __init__(self, **more):
        self.n = 0
        self.__dict__.update(more)
""",
            "a$n = $new\nbox$n = ${m}Box$n(x=a$n, f=len)",
            *("box$n.x", "a$n"),
        ),
    ),
}
