"""An array that something has while a suspended call goes on, which changes it: templates of `handed_out_pieces`.

Each is a generator, a context manager or a function that is run by another one, how it comes to its object, what has
the array of that meanwhile, and what lets it go on.
"""

import textwrap
from random import Random

from handed_out_forms import Holder, named

WRITES = ("m.w[0] += 1", "m.step()", "m.w = m.w * 2", "m.w[:2] = 7", "m.w, m.v = m.v, m.w\nm.w[0] = 3")
CLASS = """
class M$n:
    def __init__(self):
        self.w = $new
        self.v = $new

    def step(self):
        self.w[0] += 1
        return 1

    def each(self):
        m = self
{write}
        yield m
{write}
        yield m
{write}
        yield m
"""
INNER = "def each$n(m):\n    def inner():\n        m.step()\n        return m\n\n    return inner\n"
ITERATOR = """
class I$n:
    def __init__(self, m):
        self.m = m

    def __iter__(self):
        return self

    def __next__(self):
        self.m.step()
        return self.m
"""
# What goes on by and by: definitions, what is made in the caller, and what lets it go on once.
GENERATORS = (
    ("", "m$n.each()"),
    ("def each$n(m):\n    for _ in range(3):\n{write}\n        yield m\n", "${m}each$n(m$n)"),
    ("def each$n(m):\n    while True:\n        yield m\n{write}\n", "islice(${m}each$n(m$n), 4)"),
    ("def each$n(m):\n    def inner():\n        yield from m.each()\n\n    return inner()\n", "${m}each$n(m$n)"),
    (INNER, "iter(${m}each$n(m$n), 1)"),
    ("def each$n(m):\n    return (one for one in m.each())\n", "${m}each$n(m$n)"),
    (ITERATOR, "${m}I$n(m$n)"),
    ("", "map(lambda one: one, m$n.each())"),
    ("", "(one for one, _ in zip(m$n.each(), range(9)))"),
)  # fmt: skip
GOING_ON = (
    "next(i$n)",
    "[next(i$n) for _ in range(2)]",
    "${m}more$n(i$n)",
    "(lambda: next(i$n))()",
    "f$n = lambda: next(i$n)\nf$n()",
    "for _ in islice(i$n, 1):\n    pass",
    "_ = next(i$n, None)",
    "_, _ = islice(i$n, 2)",
    "max(1 for _ in islice(i$n, 1))",
    "k$n = ${m}Keep$n(i$n)\nk$n.more()",
)
# What has the array, and how one comes to it.
HAD = (
    ("b$n = m$n.w", "b$n"),
    ("b$n = m$n.w[:2]", "b$n"),
    ("b$n = (m$n.w, 1)", "b$n[0]"),
    ("b$n = [m$n.w]", "b$n[0]"),
    ('b$n = {"w": m$n.w}', 'b$n["w"]'),
    ("b$n = SimpleNamespace(w=m$n.w)", "b$n.w"),
    ("c$n = m$n.w\nb$n = lambda: c$n", "b$n()"),
    ("b$n = lambda w=m$n.w: w", "b$n()"),
    ("b$n = partial(np.asarray, m$n.w)", "b$n()"),
    ('b$n = getattr(m$n, "w")', "b$n"),
    ("b$n = m$n.w if m$n else None", "b$n"),
    ("b$n = ${m}same$n(m$n.w)", "b$n"),
    ("b$n = m$n.w.T", "b$n"),
    ("b$n = m$n", "b$n.w"),
    ("b$n = 1", "np.ones(1)"),
)
MORE = "def more$n(i):\n    return next(i)\n\n\ndef same$n(a):\n    return a\n"
KEEP = "class Keep$n:\n    def __init__(self, i):\n        self.i = i\n\n" + textwrap.indent(
    "def more(self):\n    return next(self.i)\n", "    "
)
FINALLY = """
@contextmanager
def around():
    try:
        yield m
    finally:
        m.step()
with around() as o:
    b = o.w
"""
WRAPPED = """
def wrap(f):
    def wrapper():
        m.step()
        return f()

    return wrapper

@wrap
def plain():
    return 1

b = m.w
plain()
"""
AWAITED = """
async def go():
    m.step()

async def main():
    waits = go()
    b = m.w
    await waits
    return b

b = asyncio.run(main())
"""
# What runs in the middle of something else: statements with `m`, in a function that gives what has the array.
RUN = (
    "@contextmanager\ndef around():\n    yield m\n{write}\nwith around():\n    b = m.w",
    FINALLY.strip(),
    "def inner():\n{write}\nb = m.w\ninner()",
    "def inner():\n    return m.step()\nb = m.w\n[inner() for _ in range(2)]",
    "b = m.w\nsorted([2, 1], key=lambda one: m.step())",
    "b = m.w\nlist(map(lambda one: m.step(), [1]))",
    WRAPPED.strip(),
    "class O:\n    def __bool__(self):\n        m.step()\n        return True\n\nb = m.w if O() else None",
    "class O:\n    @property\n    def p(self):\n        return m.step()\n\nb = m.w\nO().p",
    AWAITED.strip(),
)  # fmt: skip


def resumed(random: Random) -> Holder:
    """Have an array of an object while something goes on that changes it."""
    write = random.choice(WRITES)
    if random.random() < 0.3:
        body = random.choice(RUN).replace("{write}", textwrap.indent(write, "    "))
        text = f"def run$n(m):\n{textwrap.indent(body, '    ')}\n    return b, m.w\n"
        setup, handed = "m$n = ${m}M$n()\nb$n = ${m}run$n(m$n)", ("b$n[0]", "b$n[1]", "m$n.w")
    else:
        (text, made), (had, place) = random.choice(GENERATORS), random.choice(HAD)
        text = text.replace("{write}", textwrap.indent(write, "        "))
        first, then = random.choice((["next(i$n)"], [])), random.choice(GOING_ON)
        setup, handed = "\n".join(["m$n = ${m}M$n()", f"i$n = {made}", *first, had, then]), (place, "m$n.w")
    parts = [CLASS.replace("{write}", textwrap.indent(write, "        ")), text, MORE, KEEP]
    return named("\n\n".join(one.strip("\n") + "\n" for one in parts if one).strip("\n"), setup, *handed)


RESUMED = {"resumed": tuple(resumed(Random(f"resumed {number}")) for number in range(1000))}
