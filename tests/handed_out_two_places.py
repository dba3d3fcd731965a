"""One array that is made once and put into two places: templates of `handed_out_pieces`.

Each is a way to make it, two ways to put it away, and an object that writes to it by one of them.
"""

import textwrap
from random import Random

from handed_out_forms import Holder, named

MADE = (
    "$new",
    "$new * 2",
    "np.asarray(list(range(3)), float)",
    "build$n()",
    "np.zeros(4)[1:]",
    "(np.ones(3) if k else $new)",
)
# What something has already, and where.
FOUND = (
    ("self.start", "m$n.start"),
    ("self.starts[0]", "m$n.starts[0]"),
    ("self.starts[-1][1:]", "m$n.starts[-1]"),
    ("self.starts.pop()", "m$n.start"),
    ("GIVEN$n[0]", "${m}GIVEN$n[0]"),
    ("[one for one in self.starts][0]", "m$n.starts[0]"),
    ("next(iter(self.starts))", "m$n.starts[0]"),
    ("self.given()", "m$n.start"),
    ("given$n()", "${m}GIVEN$n[0]"),
    ('vars(self)["start"]', "m$n.start"),
    ('getattr(self, "start")', "m$n.start"),
    ('self.named["s"]', 'm$n.named["s"]'),
    ('self.named.get("s")', 'm$n.named["s"]'),
    ("list(self.named.values())[0]", 'm$n.named["s"]'),
    ("type(self).started", "${m}M$n.started"),
    ("self.started", "${m}M$n.started"),
    ("(self.start if k else self.starts[0])", "m$n.starts[0]"),
    ("max(self.starts, key=len)", "m$n.starts[0]"),
)
# How `made` is put away, and what has it then.
PUT = (
    ("self.x = made", "m$n.x"),
    ("self.best = made", "m$n.best"),
    ("self.log.append(made)", "m$n.log[0]"),
    ("self.pair = (made, 1)", "m$n.pair[0]"),
    ('self.table["w"] = made', 'm$n.table["w"]'),
    ('self.table |= {"u": made}', 'm$n.table["u"]'),
    ("self.table.update(v=made)", 'm$n.table["v"]'),
    ("self.log[:] = [made]", "m$n.log[0]"),
    ("self.log += [made]", "m$n.log[0]"),
    ("self.log.insert(0, made)", "m$n.log[0]"),
    ('setattr(self, "by", made)', "m$n.by"),
    ("self.__dict__.update(of=made)", "m$n.of"),
    ("self.space.y = made", "m$n.space.y"),
    ("self.space = SimpleNamespace(y=made)", "m$n.space.y"),
    ("self.read = lambda: made", "m$n.read()"),
    ("self.read = partial(np.asarray, made)", "m$n.read()"),
    ("self.shape = made.reshape", "m$n.shape(-1)"),
    ("self.view = made[:2]", "m$n.view"),
    ("self.flat = made.ravel()", "m$n.flat"),
    ("type(self).shared = made", "${m}M$n.shared"),
    ("M$n.shared = made", "${m}M$n.shared"),
    ("KEPT$n.append(made)", "${m}KEPT$n[-1]"),
    ("keep$n(made)", "${m}KEPT$n[-1]"),
    ("self.keep(made)", "m$n.kept"),
    ("keep$n.last = made", "${m}keep$n.last"),
    ("global LAST$n\nLAST$n = made", "${m}last$n()"),
    ("self.rows = dict(a=made)", 'm$n.rows["a"]'),
    ('self.rows = dict.fromkeys("ab", made)', 'm$n.rows["b"]'),
    ("self.rows = {**self.rows, 'c': made}", 'm$n.rows["c"]'),
    ("self.ring = deque([made])", "m$n.ring[0]"),
    ("self.gen = iter([made])", "next(m$n.gen, np.ones(3))"),
    ("self.twin = Part$n(made)", "m$n.twin.x"),
    ("self.parts.append(Part$n(made))", "m$n.parts[0].x"),
    ("self.after = next(self.each(made))", "m$n.after"),
    ("CELL$n(made)", "${m}READ$n()"),
)
WRITES = ("{0}[0] = 3", "bump$n({0})", "{0}.fill(5)", "{0}[:1] -= 1", "np.negative({0}, out={0})", "{0} += 1")
TEXT = """
KEPT$n = []
LAST$n = None


def bump$n(a):
    a += 1


GIVEN$n = [$new]


def given$n():
    return GIVEN$n[0]


def build$n():
    return $new


def last$n():
    return LAST$n


def keep$n(a):
    KEPT$n.append(a)


def cell$n():
    held = None

    def put(a):
        nonlocal held
        held = a

    return put, lambda: held


CELLS$n = cell$n()
CELL$n = CELLS$n[0]
READ$n = CELLS$n[1]


class Part$n:
    def __init__(self, x):
        self.x = x


class M$n:
    shared = None
    started = $new

    def __init__(self, k=0):
        self.start = $new
        self.starts = [$new]
        self.named = {{"s": $new}}
        self.x = self.best = None
        self.log, self.parts = [], []
        self.table, self.rows = {{}}, {{}}
        self.space = SimpleNamespace()
{first}
    def again(self, k=1):
{later}
    def keep(self, a):
        self.kept = a

    def given(self):
        return self.start

    def each(self, a):
        yield a

    def step(self):
        {step}
        return 1


def fill$n(self, k=1):
{outside}
"""
PLACES = ("first", "later", "outside")


def two_places(random: Random) -> Holder:
    """Make an array, put it into two places, and write to it by one of them; or take one that has a place."""
    (first, second), place = random.sample(PUT, 2), random.choice(PLACES)
    made, found = random.choice(FOUND) if random.random() < 0.5 else (random.choice(MADE), "")
    put = [first, second] if not found or random.random() < 0.3 else [first]
    lines = [f"made = {made}", *(line for one, _ in put for line in one.splitlines())]
    lines.sort(key=lambda line: not line.startswith("global"))
    places = [had for _, had in put] + [found] * bool(found)
    written = random.choice(places).replace("m$n", "self").replace("${m}", "")
    is_bound = not written.endswith(")") and "pair" not in written  # which a tuple's items and a call's results are not
    write = random.choice(WRITES[: None if is_bound else -1]).format(written)
    parts = dict.fromkeys(PLACES, "pass\n") | {place: "\n".join(lines) + "\n"}
    indents = {"first": 8, "later": 8, "outside": 4}
    body = {one: textwrap.indent(text, " " * indents[one]) for one, text in parts.items()}
    text = TEXT.format(**body, step=write).strip("\n")
    setup = "m$n = ${m}M$n()" + {"first": "", "later": "\nm$n.again()", "outside": "\n${m}fill$n(m$n)"}[place]
    return named(text, setup, *places, "np.ones(m$n.step())")


TWO_PLACES = {"two_places": tuple(two_places(Random(f"two places {number}")) for number in range(1000))}
