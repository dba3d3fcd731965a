"""Rules written out at calls: what becomes of the text, and each reason to refuse."""
# ruff: noqa: E501  # a case a line reads best

from __future__ import annotations

import ast

import pytest

from tnp_migrate.backend.inline import Refused, expand, is_pure
from tnp_migrate.numpy_facts.rulebook import Rule
from tnp_migrate.numpy_facts.signatures import Parameter, Signature, SignatureTable, bind_call
from tnp_migrate.text.source import Source, Span

TABLE = SignatureTable(
    {},
    {
        "numpy.sum": tuple(
            Parameter(*one)
            for one in [("a", "normal", None), ("axis", "normal", "None"), ("keepdims", "normal", "None")]
        ),
        "numpy.zeros": (Parameter("shape", "normal", None), Parameter("dtype", "normal", "<class 'float'>")),
    },
    {},
    {},
)
ALIASES = {"tnp": "tnp", "tf": "tf", "np": "np"}


def rule(text: str) -> Rule:
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    return Rule(node.name, "inline", None, node, "module")


def signature(definition: Rule) -> Signature:
    assert isinstance(definition.node, ast.FunctionDef)
    named = {one.arg for one in definition.node.args.kwonlyargs}
    found = [
        Parameter(name, "keyword" if name in named else "normal", ast.unparse(default) if default else None)
        for name, default in definition.parameters
    ]
    if definition.variadic is not None:
        found.insert(len(found) - len(named), Parameter(definition.variadic, "variadic", None))
    return tuple(found)


def written(rule_text: str, call_text: str, **options: object) -> str:
    """What a call becomes, holes filled with the call's own text."""
    source = Source("a.py", call_text.encode())
    (statement,) = source.tree.body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Call)
    definition = rule(rule_text)
    aliases = options.pop("aliases", ALIASES)
    found = expand(definition, bind_call(statement.value, signature(definition)), source, TABLE, aliases, **options)  # type: ignore[arg-type]
    text = "".join(source.text(part) if isinstance(part, Span) else part for part in found.parts)
    assert [source.span(hole) for hole in found.holes] == [part for part in found.parts if isinstance(part, Span)]
    ast.parse(text)
    return text


def refusal(rule_text: str, call_text: str) -> str:
    with pytest.raises(Refused) as raised:
        written(rule_text, call_text)
    return raised.value.reason


DEGREES = "def degrees(x):\n    'Why.'\n    return tnp.rad2deg(x)\n"
POSITIVE = "def positive(x):\n    return +x\n"
DOUBLE = "def double(x):\n    return x + x\n"
REVERSED = "def rsub(a, b):\n    return tnp.subtract(b, a)\n"
FIRST = "def first(a, b=None):\n    return tnp.abs(a)\n"
CLIP = (
    "def clip(a, a_min=None, a_max=None):\n"
    "    if a_min is None:\n        return tnp.minimum(a, a_max)\n"
    "    if a_max is None:\n        return tnp.maximum(a, a_min)\n"
    "    return tnp.clip(a, a_min, a_max)\n"
)
SUM = "def sum(a, axis=None, keepdims=False):\n    return tnp.sum(a, axis=axis, keepdims=keepdims)\n"
EINSUM = "def einsum(*operands, optimize=False):\n    return tf.einsum(*operands)\n"


@pytest.mark.parametrize(
    ("rule_text", "call_text", "expected"),
    [
        pytest.param(DEGREES, "f(x)", "tnp.rad2deg(x)", id="a name"),
        pytest.param(DEGREES, "f(  a+b  )", "tnp.rad2deg(a+b)", id="the user's spacing inside an argument stays"),
        pytest.param(DEGREES, "f(x = (a+b))", "tnp.rad2deg(a+b)", id="a keyword"),
        pytest.param(DEGREES, "f((n := a))", "tnp.rad2deg((n := a))", id="a walrus keeps its parentheses"),
        pytest.param(DEGREES, "f(a for a in b)", "tnp.rad2deg((a for a in b))", id="a bare generator"),
        pytest.param(DEGREES, "f((1, 2))", "tnp.rad2deg((1, 2))", id="a tuple"),
        pytest.param(DEGREES, "f(lambda: 1)", "tnp.rad2deg(lambda: 1)", id="a lambda as an argument"),
        pytest.param(DEGREES, "f([a,\n   b])", "tnp.rad2deg([a,\n   b])", id="line breaks inside an argument"),
        pytest.param(DEGREES, "f('é')", "tnp.rad2deg('é')", id="wide characters"),
        pytest.param("def f(a, b):\n    return a ** b\n", "f(x, y)", "x ** y", id="operator on names"),
        pytest.param("def f(a, b):\n    return a ** b\n", "f(-x, y + z)", "(-x) ** (y + z)", id="operator on operators"),
        pytest.param("def f(a, b):\n    return a ** b\n", "f(x.T, y[0](1))", "x.T ** y[0](1)", id="operator on atoms"),
        pytest.param("def f(a):\n    return a.T\n", "f(x @ y)", "(x @ y).T", id="attribute of an operator"),
        pytest.param("def f(a):\n    return a.T\n", "f(x if y else z)", "(x if y else z).T", id="attribute of a condition"),
        pytest.param("def f(a):\n    return a.real\n", "f(5)", "(5).real", id="attribute of an int"),
        pytest.param("def f(a):\n    return a[0]\n", "f(not x)", "(not x)[0]", id="subscript of an operator"),
        pytest.param("def f(a, i):\n    return a[i]\n", "f(x, y + 1)", "x[y + 1]", id="index"),
        pytest.param("def f(a):\n    return -a\n", "f(x,\n)", "-x", id="trailing comma"),
        pytest.param("def f(a):\n    return -a\n", "f(b.c\n.d)", "-(b.c\n.d)", id="line break needs parentheses"),
        pytest.param(POSITIVE, "f(lambda: x)", "+(lambda: x)", id="lambda under an operator"),
        pytest.param(DOUBLE, "f(x)", "x + x", id="a name may be used twice"),
        pytest.param(DOUBLE, "f(2)", "(2) + (2)", id="a constant may be used twice"),
        pytest.param(FIRST, "f(x, y + 1)", "tnp.abs(x)", id="a pure argument may be dropped"),
        pytest.param(REVERSED, "f(x, y[0])", "tnp.subtract(y[0], x)", id="pure arguments may change places"),
        pytest.param(REVERSED, "f(x, g())", "tnp.subtract(g(), x)", id="one impure argument may move past a name"),
        pytest.param(REVERSED, "f(b=g(), a=h())", "tnp.subtract(g(), h())", id="keywords in the order of the result"),
        pytest.param(CLIP, "f(w, 0, None)", "tnp.maximum(w, 0)", id="None decides a ladder"),
        pytest.param(CLIP, "f(w, a_max=g())", "tnp.minimum(w, g())", id="a default decides a ladder"),
        pytest.param(CLIP, "f(w, -1, 1)", "tnp.clip(w, -1, 1)", id="numbers are not None"),
        pytest.param(CLIP, "f(w, a + 1, [1, 2])", "tnp.clip(w, a + 1, [1, 2])", id="operators and lists are not None"),
        pytest.param(SUM, "f(x)", "tnp.sum(x)", id="defaults of the target are left out"),
        pytest.param(SUM, "f(x, keepdims=True)", "tnp.sum(x, keepdims=True)", id="what is given stays"),
        pytest.param(SUM, "f(x, None, False)", "tnp.sum(x, axis=None, keepdims=False)", id="what is given stays, defaults too"),
        pytest.param("def f(a, axis=None):\n    return tnp.sum(a, axis)\n", "f(x)", "tnp.sum(x)", id="a default by position"),
        pytest.param("def f(a, dtype=float):\n    return tnp.zeros(a, dtype)\n", "f(x)", "tnp.zeros(x)", id="a default that is a type"),
        pytest.param("def f(a, dtype=int):\n    return tnp.zeros(a, dtype)\n", "f(x)", "tnp.zeros(x, int)", id="another default is written"),
        pytest.param("def f(a, n=-1):\n    if n == -1:\n        return tf.a(a)\n    return tf.b(a, n)\n", "f(x)", "tf.a(x)", id="negative default"),
        pytest.param("def f(a, n=1):\n    if n == -1:\n        return tf.a(a)\n    return tf.b(a, n)\n", "f(x, -2)", "tf.b(x, -2)", id="negative number"),
        pytest.param("def f(a, m=None):\n    if m != 'full':\n        return tf.a(a)\n    return tf.b(a)\n", "f(x, 'full')", "tf.b(x)", id="not equal"),
        pytest.param("def f(a, m=None):\n    if m is not None:\n        return tf.a(a)\n    return tf.b(a)\n", "f(x)", "tf.b(x)", id="is not"),
        pytest.param("def f(a, k=True):\n    if k is True:\n        return tf.a(a)\n    return tf.b(a)\n", "f(x, 1)", "tf.b(x)", id="1 is not True"),
        pytest.param(EINSUM, "f('ij,j', a, b)", "tf.einsum('ij,j', a, b)", id="variadic"),
        pytest.param(EINSUM, "f('i', g(), h())", "tf.einsum('i', g(), h())", id="variadic keeps its order"),
        pytest.param("def f(*a):\n    return tnp.stack(a)\n", "f(x, y + 1)", "tnp.stack((x, y + 1))", id="variadic as a tuple"),
        pytest.param("def f(a, b):\n    return tnp.g(tnp.h(a), b)\n", "f(x(), y())", "tnp.g(tnp.h(x()), y())", id="order is the evaluation's"),
    ],
)  # fmt: skip
def test_rule_is_written_out(rule_text: str, call_text: str, expected: str) -> None:
    assert written(rule_text, call_text) == expected


@pytest.mark.parametrize(
    ("rule_text", "call_text", "reason"),
    [
        pytest.param(DOUBLE, "f(g(x))", "`x` would be evaluated 2 times", id="impure twice"),
        pytest.param(DOUBLE, "f(a + b)", "`x` would be evaluated 2 times", id="costly twice"),
        pytest.param(FIRST, "f(x, g())", "`b` would not be evaluated", id="impure dropped"),
        pytest.param(FIRST, "f(x, (n := 1))", "`b` would not be evaluated", id="walrus dropped"),
        pytest.param(REVERSED, "f(g(), h())", "the arguments would be evaluated in another order", id="order"),
        pytest.param(
            REVERSED, "f((n := 1), g(n))", "the arguments would be evaluated in another order", id="walrus order"
        ),
        pytest.param(
            "def f(a, b):\n    return tnp.g(tnp.h(b), a)\n",
            "f(x(), y())",
            "the arguments would be evaluated in another order",
            id="order in nested calls",
        ),
        pytest.param(
            "def f(*a, k=0):\n    return tf.g(k, *a)\n",
            "f(x(), k=y())",
            "the arguments would be evaluated in another order",
            id="order of what is variadic",
        ),
        pytest.param("def f(*a):\n    return tf.g()\n", "f(x())", "`a` would not be evaluated", id="variadic dropped"),
        pytest.param(
            "def f(*a):\n    return tf.g(a, a)\n", "f(x)", "`a` would be evaluated 2 times", id="variadic twice"
        ),
        pytest.param(CLIP, "f(w, lo, 1)", "whether `a_min` is None is not known here", id="a name may be None"),
        pytest.param(CLIP, "f(w, g(), 1)", "whether `a_min` is None is not known here", id="a call may be None"),
        pytest.param(CLIP, "f(w, a if b else c, 1)", "whether `a_min` is None is not known here", id="a condition"),
        pytest.param(
            "def f(a, m='x'):\n    if m == 'full':\n        return tf.a(a)\n    return tf.b(a)\n",
            "f(x, mode)",
            "whether `m` is 'full' is not known here",
            id="an unknown string",
        ),
        pytest.param("def f(a, b):\n    return tnp.g(a, b)\n", "f(x)", "`b` is not given", id="missing"),
        pytest.param(
            "def f(a, n=0):\n    if n > 0:\n        return tf.a(a)\n    return tf.b(a)\n",
            "f(x, 1)",
            "the rule's condition has no form that can be decided",
            id="a comparison that is no equality",
        ),
        pytest.param(
            "def f(a):\n    if a is None:\n        raise ValueError\n    return tf.b(a)\n",
            "f(None)",
            "the rule has no form to write out",
            id="a rule that raises",
        ),
        pytest.param(
            "def f(a):\n    b = tf.a(a)\n    return b\n",
            "f(x)",
            "the rule has no form to write out",
            id="a rule with statements",
        ),
    ],
)
def test_rule_is_refused_with_its_reason(rule_text: str, call_text: str, reason: str) -> None:
    assert refusal(rule_text, call_text) == reason


def test_names_of_the_file_are_used() -> None:
    text = "def f(a, dtype=np.float64):\n    return tnp.cast(tf.abs(a), dtype)\n"
    aliases = {"tnp": "tnp_", "tf": "tensorflow", "np": "numpy"}
    assert written(text, "f(x)", aliases=aliases) == "tnp_.cast(tensorflow.abs(x), numpy.float64)"


def test_what_is_proven_not_to_be_none_decides() -> None:
    assert written(CLIP, "f(w, lo, None)", never_none=frozenset({"a_min"})) == "tnp.maximum(w, lo)"


def test_rule_is_not_changed_by_writing_it_out() -> None:
    definition = rule(CLIP)
    before = ast.dump(definition.node)
    source = Source("a.py", b"f(w, 0, 1)")
    (statement,) = source.tree.body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Call)
    bound = bind_call(statement.value, signature(definition))
    assert (
        expand(definition, bound, source, TABLE, ALIASES).parts
        == expand(definition, bound, source, TABLE, ALIASES).parts
    )
    assert ast.dump(definition.node) == before


@pytest.mark.parametrize(
    ("text", "pure"),
    [
        ("a", True),
        ("a.b[0] + 1", True),
        ("[i for i in a]", True),
        ("f()", False),
        ("[f(i) for i in a]", False),
        ("(n := 1)", False),
    ],
)
def test_is_pure(text: str, pure: bool) -> None:
    assert is_pure(ast.parse(text, mode="eval").body) is pure
