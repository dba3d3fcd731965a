"""Arrays and objects that have several names, or are put away: templates of `handed_out_pieces`."""

from handed_out_forms import Holder, named

NAMES: dict[str, tuple[Holder, ...]] = {
    "composed": (
        named(
            "",
            "xs$n = [$new, $new]\nys$n = [$new]",
            *("[x for x in xs$n][1]", "(xs$n + ys$n)[2]", "sum([xs$n, ys$n], [])[0]", "[*xs$n, *ys$n][2]"),
            *("[[x, 1] for x in xs$n][0][0]", "next(x for x in xs$n)", "xs$n[0]", "xs$n[1]", "ys$n[0]"),
        ),
        named(
            "",
            'd$n = {"w": $new}\ne$n = {"u": $new}',
            *('{k: v for k, v in d$n.items()}["w"]', '(d$n | e$n)["u"]', '{**d$n, **e$n}["w"]'),
            *('dict(d$n, u=1)["w"]', "[d$n[k] for k in d$n][0]", 'd$n["w"]', 'e$n["u"]'),
        ),
    ),
    "put_away": tuple(
        named("", f"a$n = $new\n{put}", "a$n", *held)
        for put, held in (
            ("xs$n = [$new]\nxs$n += [a$n]", ("xs$n[-1]", "xs$n[0]")),
            ("xs$n = [$new, $new]\nxs$n[0], xs$n[1] = $new, a$n", ("xs$n[0]", "xs$n[1]")),
            ("xs$n = (a$n,) * 2", ("xs$n[0]", "xs$n[1]")),
            ("xs$n = [a$n] * len(a$n)", ("xs$n[0]", "xs$n[-1]")),
            ('d$n = {"x": 1} | {"w": a$n}', ('d$n["w"]',)),
            ('d$n = dict.fromkeys("uv", a$n)', ('d$n["u"]', 'd$n["v"]')),
            ("xs$n = [(c$n := a$n * 2), 1]", ("c$n", "xs$n[0]")),
            ("xs$n = []\nxs$n.append((c$n := a$n[1:]))", ("c$n", "xs$n[0]")),
            ("xs$n = [(k, a$n) for k in range(2)]", ("xs$n[0][1]", "xs$n[1][1]")),
            ("for xs$n in [[a$n]]:\n    pass", ("xs$n[0]",)),
        )
    ),
    "bound_anew": tuple(
        named(
            """
def grow$n(m):
    m.w = m.w * 2 + 1
    return m.w
""",
            f"m$n = SimpleNamespace(w=$new)\na$n = m$n.w\n{held}",
            *("a$n", "m$n.w", *places),
        )
        for held, places in (
            ("p$n, q$n = m$n.w, ${m}grow$n(m$n)", ("p$n", "q$n")),
            ("p$n = [m$n.w, ${m}grow$n(m$n)]", ("p$n[0]", "p$n[1]")),
            ("p$n = (a$n, (a$n := a$n * 2))", ("p$n[0]", "p$n[1]")),
            ("p$n = (m$n.w, (${m}grow$n(m$n), m$n.w)[1])", ("p$n[0]", "p$n[1]")),
        )
    ),
    "two_names": tuple(
        named(
            """
class M$n:
    def __init__(self):
        self.w = None
        self.me = self

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def same(self):
        return self
""",
            f"m$n = ${{m}}M$n()\na$n = $new\n{second}\nu$n.w = a$n",
            *("m$n.w", "u$n.w", "a$n"),
        )
        for second in (
            "u$n = [m$n][0]",
            'u$n = {"k": m$n}["k"]',
            "u$n = m$n if len(a$n) else ${m}M$n()",
            "u$n = m$n.me",
            "u$n = m$n.same()",
            "with m$n as u$n:\n    pass",
            "for u$n in (m$n,):\n    pass",
            "u$n, = [m$n]",
            "u$n = m$n",
            "o$n = SimpleNamespace(m=m$n)\nu$n = o$n.m",
        )
    ),
    "two_names_of_class": tuple(
        named(
            """
class C$n:
    w = None
""",
            f"{second}\na$n = $new\nu$n.w = a$n",
            *("m$n.w", "u$n.w", "a$n", "${m}C$n.w"),
        )
        for second in (
            "m$n, u$n = [${m}C$n] * 2",
            "m$n = u$n = ${m}C$n",
            "m$n = ${m}C$n\nfor u$n in (m$n,):\n    pass",
            "m$n = ${m}C$n\nu$n = ${m}C$n().__class__",
        )
    ),
    "two_names_of_container": tuple(
        named("", f"{second}\na$n = $new\nu${{n}}{place} = a$n", *(f"m${{n}}{place}", f"u${{n}}{place}", "a$n"))
        for made, place in (("[None]", "[0]"), ('{"w": None}', '["w"]'))
        for second in (
            f"m$n = u$n = {made}",
            f"m$n, u$n = [{made}] * 2",
            f"m$n = {made}\nu$n = [m$n][0]",
            f"m$n = {made}\nfor u$n in (m$n,):\n    pass",
        )
    ),
    "slot_of_class": tuple(
        named(
            """
class C$n:
    w = None

    def step(self):
        self.w *= 2
        return self.w

    @classmethod
    def put(cls, w):
        cls.w = w


class D$n(C$n):
    pass
""",
            f"a$n = $new\n{bound}\nc$n = ${{m}}D$n()",
            *("c$n.w", "a$n", "c$n.step()"),
        )
        for bound in (
            "${m}C$n.w = a$n",
            "${m}D$n.w = a$n",
            "${m}D$n.put(a$n)",
            "${m}D$n().put(a$n)",
            "[${m}D$n][0].w = a$n",
            "${m}D$n().__class__.w = a$n",
            "${m}D$n.__base__.w = a$n",
            "${m}D$n.__mro__[1].w = a$n",
        )
    ),
}
