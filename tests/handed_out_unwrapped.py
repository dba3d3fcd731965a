"""Arrays taken out of what may hold them, however deep, and what a computed name of a module makes."""

from handed_out_forms import Holder, named

_BOX = """
class Box$n:
    def __init__(self, w):
        self.w = w


def inner$n(x):
    {}
"""
_UNWRAPPED = (
    "while isinstance(x, Box$n):\n        x = x.w\n    return x",
    "return inner$n(x.w) if isinstance(x, Box$n) else x",
    'return getattr(x, "w", x)',
    'return inner$n(x.w) if hasattr(x, "w") else x',
    "try:\n        return inner$n(x.w)\n    except AttributeError:\n        return x",
    'return np.asarray(getattr(x, "w", x))',
)

_POOL = """
class Pool$n:
    def __init__(self, w):
        self.ws = [w]


def copied$n(c):
    return {}
"""
_COPIED = (
    "c.copy()",
    'getattr(c, "copy")()',
    'getattr(c, "__add__")([])',
    'attrgetter("copy")(c)()',
    "type(c).copy(c)",
    "c.__class__(c)",
    "next(map(list.copy, [c]))",
    "[copied() for copied in [c.copy]][0]",
    "c[1:] + c[:1]",
    "random.sample(c, 1)",
)
_GIVEN_BACK = (
    "return [x][0]",
    'return {"k": x}.get("k")',
    "return list(one$n(x))[0]",
    "return (lambda z: z)(x)",
    "def inner():\n        return x\n\n    return inner()",
    "for y in [x]:\n        return y",
    'y = {}\n    y["a"] = x\n    return y["a"]',
    'return TABLE$n["k"](x)',
    "*_, y = (1, x)\n    return y",
    "with within$n(x) as y:\n        return y",
    'return type("T", (), {"w": x}).w',
    "return max([x], key=len)",
)

UNWRAPPED: dict[str, tuple[Holder, ...]] = {
    "unwrapped": tuple(
        named(
            _BOX.format(body),
            "a$n = $new\nb$n = ${m}Box$n(a$n)",
            "${m}inner$n(b$n)",
            "${m}inner$n(a$n)",
            "b$n.w",
            "a$n",
        )
        for body in _UNWRAPPED
    ),
    "wrapped_again": (
        named(
            """
class Box$n:
    def __init__(self, w):
        self.w = w


def wrap$n(x, times):
    for _ in range(times):
        x = Box$n(x)
    return x
""",
            "a$n = $new\nb$n = ${m}wrap$n(a$n, 2)",
            *("b$n.w.w", "a$n"),
        ),
        named(
            """
class Link$n:
    def __init__(self, w, rest):
        self.w = w
        self.rest = rest

    def last(self):
        return self.w if self.rest is None else self.rest.last()
""",
            "a$n = $new\nb$n = None\nfor _ in range(2):\n    b$n = ${m}Link$n(a$n, b$n)",
            *("b$n.last()", "b$n.rest.w", "b$n.w", "a$n"),
        ),
    ),
    "copied_list": tuple(
        named(
            _POOL.format(expression),
            "a$n = $new\nb$n = ${m}Pool$n(a$n)",
            *("${m}copied$n(b$n.ws)[0]", "b$n.ws[0]", "a$n"),
        )
        for expression in _COPIED
    ),
    "default_of_getattr": (
        named("", "a$n = $new", 'getattr(a$n, "w", a$n)', 'np.ravel(getattr(a$n, "w", a$n))', "a$n"),
        named("", "a$n = $new\nd$n = a$n", 'getattr(a$n, "w", a$n)', 'np.asarray(getattr(a$n, "w", a$n))', "d$n"),
        named("", "a$n = $new\nd$n = {}", "d$n.get(0, a$n)", "np.asarray(d$n.get(0, a$n))", "a$n"),
        named("", "a$n = $new\nd$n = [a$n]", "next(iter(d$n))", "np.asarray(next(iter(d$n), None))", "d$n[0]", "a$n"),
    ),
    "class_by_module": tuple(
        named(
            f"class Kept$n:\n    def __init__(self, w):\n        self.w = w\n\n\ndef make$n(kind, w):\n    {body}(w)",
            'a$n = $new\nm$n = ${m}make$n("Kept", a$n)',
            *("m$n.w", "a$n"),
        )
        for body in (
            'return getattr(sys.modules[__name__], kind + "$n")',
            'here = sys.modules[__name__]\n    return getattr(here, kind + "$n", None)',
            'return vars(sys.modules[__name__])[kind + "$n"]',
            'return sys.modules[__name__].__dict__[kind + "$n"]',
            'return globals()[kind + "$n"]',
            'return dict(inspect.getmembers(sys.modules[__name__]))[kind + "$n"]',
        )
    ),
    "given_back": tuple(
        named(
            f"""
def one$n(x):
    yield x


@contextmanager
def within$n(x):
    yield x


TABLE$n = {{"k": lambda x: x}}


def back$n(x):
    {body}
""",
            "a$n = $new\nt$n = a$n\nw$n = ${m}back$n(a$n)\nt$n = w$n",
            *("np.asarray(w$n)", "np.ravel(t$n)", "w$n", "a$n"),
        )
        for body in _GIVEN_BACK
    ),
}
