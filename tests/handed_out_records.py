"""Arrays in objects whose attributes and items no text names at a dot: templates of `handed_out_pieces`.

Namespaces and bunches that are made by name, objects of the standard library that keep what they are given, classes
whose attributes cannot be bound anew. Each is definitions, what makes the object of an array `a`, and what reads it.
"""

from random import Random

from handed_out_forms import Holder, named

BUNCH = "class R$n:\n    def __init__(self, **kw):\n        {}\n"
DICT = "class R$n(dict):\n    def {}\n"
GIVEN = "class R$n:\n    def __init__(self, *args):\n        {}\n"
PUT = "class R$n:\n    pass\n\n\ndef record$n(a):\n    r = R$n()\n    {}\n    return r\n"
FILLED = "def record$n(a):\n    r = {}\n    return r\n"
HELD = "class R$n:\n    def __init__(self, a):\n        self.kept = a\n\n    {}\n"
FROZEN = "@dataclass(frozen=True)\nclass R$n:\n    w: np.ndarray\n    n: int = 0\n"
BASE = (
    "@dataclass(frozen=True)\nclass B$n:\n    w: np.ndarray\n\n\n"
    "@dataclass(frozen=True)\nclass R$n(B$n):\n    n: int = 0\n"
)
PAIR = 'R$n = namedtuple("R$n", "w n")\n'
RECORDS = (
    ("", "SimpleNamespace(w=a)", "$o.w"),
    ("", "SimpleNamespace(w=a, part=a[:2], n=3)", "$o.part"),
    ("", 'SimpleNamespace(**{"w": a})', "$o.w"),
    ("", "SimpleNamespace(p=SimpleNamespace(w=a))", "$o.p.w"),
    ("", 'SimpleNamespace(p={"w": [a]})', '$o.p["w"][0]'),
    ("", "[SimpleNamespace(w=a)]", "$o[0].w"),
    ("", "copy.copy(SimpleNamespace(w=a))", "$o.w"),
    ("", "SimpleNamespace(w=a)", 'getattr($o, "w")'),
    ("", "SimpleNamespace(w=a)", 'vars($o)["w"]'),
    ("class R$n(SimpleNamespace):\n    pass\n", "${m}R$n(w=a)", "$o.w"),
    ("", "argparse.Namespace(w=a)", "$o.w"),
    (BUNCH.format("self.__dict__.update(kw)"), "${m}R$n(w=a)", "$o.w"),
    (BUNCH.format("for key, value in kw.items():\n            setattr(self, key, value)"), "${m}R$n(w=a)", "$o.w"),
    (BUNCH.format('self.kept = {**{"n": 3}, **kw}'), "${m}R$n(w=a)", '$o.kept["w"]'),
    (BUNCH.format("self.__dict__ = kw"), "${m}R$n(w=a)", "$o.w"),
    (GIVEN.format("self.kept = args"), "${m}R$n(a, 3)", "$o.kept[0]"),
    (
        GIVEN.format('for key, value in zip(("w", "n"), args):\n            setattr(self, key, value)'),
        "${m}R$n(a, 3)",
        "$o.w",
    ),
    (DICT.format("__getattr__(self, name):\n        return self[name]"), "${m}R$n(w=a)", "$o.w"),
    (
        DICT.format(
            "__init__(self, *args, **kw):\n        super().__init__(*args, **kw)\n        self.__dict__ = self"
        ),
        "${m}R$n(w=a)",
        "$o.w",
    ),
    (DICT.format('first(self):\n        return self["w"]'), "${m}R$n(w=a)", "$o.first()"),
    ("class R$n(list):\n    def first(self):\n        return self[0]\n", "${m}R$n([a])", "$o.first()"),
    (PUT.format('setattr(r, "w", a)'), "${m}record$n(a)", "$o.w"),
    (PUT.format('vars(r).update({"w": a})'), "${m}record$n(a)", "$o.w"),
    (PUT.format('r.__dict__["w"] = a'), "${m}record$n(a)", "$o.w"),
    (PUT.format("r.w = a"), "${m}record$n(a)", "$o.w"),
    ("", 'type("R", (), {"w": a})()', "$o.w"),
    ("def same$n(w):\n    return w\n", "partial(${m}same$n, a)", "$o.args[0]"),
    ("def same$n(w):\n    return w\n", "partial(${m}same$n, w=a)", '$o.keywords["w"]'),
    (FILLED.format('contextvars.ContextVar("r")\n    r.set(a)'), "${m}record$n(a)", "$o.get()"),
    (FILLED.format("futures.Future()\n    r.set_result(a)"), "${m}record$n(a)", "$o.result()"),
    (FILLED.format("weakref.ref(a)\n    KEPT$n.append(a)") + "\n\nKEPT$n = []\n", "${m}record$n(a)", "$o()"),
    (FILLED.format("threading.local()\n    r.w = a"), "${m}record$n(a)", "$o.w"),
    ("", "itertools.repeat(a)", "next($o)"),
    ("", "itertools.cycle([a])", "next($o)"),
    ("", "types.MappingProxyType({'w': a})", "$o['w']"),
    ("", "(a, 3)", "$o[0]"),
    ("", "(3, [a])", "$o[1][0]"),
    ("class R$n(Exception):\n    pass\n", "${m}R$n(a)", "$o.args[0]"),
    (PAIR, "${m}R$n(a, 3)", "$o.w"),
    (PAIR, "${m}R$n(0, 3)._replace(w=a)", "$o.w"),
    (PAIR, "${m}R$n._make([a, 3])", "$o[0]"),
    ("class R$n(NamedTuple):\n    w: np.ndarray\n", "${m}R$n(a)", "$o.w"),
    (FROZEN, "${m}R$n(a)", "$o.w"),
    (FROZEN, "replace(${m}R$n(0), w=a)", "$o.w"),
    (BASE, "${m}R$n(a)", "$o.w"),
    (HELD.format("w = property(lambda self: self.kept)"), "${m}R$n(a)", "$o.w"),
    (HELD.format("def get(self):\n        return self.kept\n\n    w = property(get)"), "${m}R$n(a)", "$o.w"),
    (HELD.format("@property\n    def w(self):\n        return self.kept"), "${m}R$n(a)", "$o.w"),
    (HELD.format("@cached_property\n    def w(self):\n        return self.kept"), "${m}R$n(a)", "$o.w"),
    (HELD.format("def __getattr__(self, name):\n        return vars(self)['kept']"), "${m}R$n(a)", "$o.w"),
)
ARRAYS = ("np.ones(3)", "np.arange(4.0)", "np.ones(4)[1:]", "np.arange(6.0).reshape(2, 3)[0]", "np.zeros(3)")
WRITES = ("{} += 1", "{}[0] = 5", "{}[1] += 2", "{}.fill(5)", "np.add({0}, 1, out={0})", "bump$n({})", "{}[1:] *= 4")
WRITES += ("x = {}\nx += 1", "x = {}\nx[0] = 7", "x = {}[:2]\nx[0] = 7", "{0}[0], {0}[1] = 4, 5", "{}.sort()")
MAKE = "def make$n():\n    a = {new}\n    return {made}\n"
RUN = (
    "class Run$n:\n    def __init__(self):\n        a = {new}\n        self.o = {made}\n\n"
    "    def step(self):\n        {write}\n"
)
# How the object comes to who writes to it: definitions, what is run of them, the object there and where it is read.
PLACES = (
    (MAKE, "o$n = ${m}make$n()\n{write}", "o$n", "o$n"),
    (f"{MAKE}\n\ndef step$n(o):\n    {{write}}\n", "o$n = ${m}make$n()\n${m}step$n(o$n)", "o", "o$n"),
    (f"{MAKE}\n\nO$n = make$n()\n\n\ndef step$n():\n    {{write}}\n", "${m}step$n()", "O$n", "${m}O$n"),
    (RUN, "k$n = ${m}Run$n()\nk$n.step()", "self.o", "k$n.o"),
    (f"{MAKE}\n\nclass Run$n:\n    o = make$n()\n", "{write}", "${m}Run$n.o", "${m}Run$n.o"),
    ("", "a = {new}\no$n = {made}\n{write}", "o$n", "o$n"),
)


def record(random: Random) -> Holder:
    """Make an object that holds an array, hand it to who writes to that, and read it where it was made."""
    definition, made, read = random.choice(RECORDS)
    text, run, there, name = random.choice(PLACES)
    target = read.replace("$o", there)
    write = random.choice(WRITES).format(target)
    is_fixed = any(word in definition.lower() for word in ("frozen", "tuple", "self.kept = a\n"))
    if write == f"{target} += 1" and (is_fixed or not read.endswith(".w")):
        write = f"x = {target}\nx += 1"  # what cannot be bound anew takes no operator
    inside = write.replace("\n", "\n        " if text is RUN else "\n    ")
    own = made.replace("${m}", "") if text else made
    parts = [definition, "def bump$n(a):\n    a += 1\n" if "bump$n" in write else ""]
    parts.append(text.replace("{new}", random.choice(ARRAYS)).replace("{made}", own).replace("{write}", inside))
    outside = write.replace("bump$n", "${m}bump$n")
    setup = run.replace("{new}", random.choice(ARRAYS)).replace("{made}", made).replace("{write}", outside)
    handed = read.replace("$o", name)
    return named("\n\n".join(one.strip("\n") + "\n" for one in parts if one).strip("\n"), setup, handed)


RECORDED = {"record": tuple(record(Random(f"record {number}")) for number in range(1000))}
