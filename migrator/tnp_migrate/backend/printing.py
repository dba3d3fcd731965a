"""What is printed, written into texts or hashed shows what NumPy shows: what may be an array goes through NumPy there.

Input `print("best", {"loss": loss})`, output `print("best", tnh.to_numpy({"loss": loss}))`, right whatever `loss` is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import partial

from tnp_migrate.backend.sites import Site, wrap
from tnp_migrate.diagnostics.decisions import Decision, Extra
from tnp_migrate.numpy_facts.values import CONTAINERS, Value, element_of
from tnp_migrate.program.names import is_array_library
from tnp_migrate.text.source import Span

# Python's own functions whose results hold nothing of their arguments.
_PLAIN = frozenset(
    "len str repr type id input open chr ord hex oct bin format isinstance issubclass int float bool hasattr callable "
    "hash range dir ascii bytes complex set frozenset".split()
)
_OF_TEXT = frozenset(
    "format join strip lstrip rstrip lower upper title capitalize replace split rsplit splitlines startswith endswith "
    "encode decode ljust rjust center zfill strftime isoformat hexdigest partition read readline readlines keys".split()
)
_TEXT_TYPES = frozenset({"str", "bytes", "bool", "Path"})
_LOGGING = frozenset("debug info warning warn error critical exception log".split())
_READS = re.compile(r"!|\{\w*\.")  # `{x!r}` writes a text of its own, `{x.dtype}` an attribute
_DTYPE_OF_PART = re.compile(r"\{\w*[.\[][^{}]*\.dtype")  # `{0.x.dtype}`
_OWN_NAME = "the dtype of a tensor writes another text: put `x.dtype.name` there"
_WALKS = frozenset({"zip", "enumerate", "reversed"})
_DEPTH = 5  # how many names and containers are followed


def as_numpy(site: Site, nodes: Iterable[ast.expr]) -> Iterator[Extra]:
    """Take what is an array, or a container of them, to NumPy; dtypes too, which write themselves otherwise."""
    yield from _converted(site, nodes, lambda node: holds_array(site.value(node)))


def shown(site: Site, nodes: Iterable[ast.expr]) -> Iterator[Extra]:
    """Take to NumPy what may be an array, or hold one, where Python makes a text of it."""
    yield from _converted(site, nodes, lambda node: may_show(site, node))


def shown_inside(site: Site, nodes: Iterable[ast.expr]) -> Iterator[Extra]:
    """Take containers of arrays to NumPy where they are formatted: of what may turn out to be one, tensors write that.

    What an array itself writes there TensorFlow writes as well.
    """
    for node in nodes:
        found = [*as_numpy(site, [node] if not site.value(node).is_array else [])]
        if not found and not site.value(node).is_array and may_show(site, node):
            found = [Extra((), (), frozenset({"write_as_arrays"}))]
        yield from found


def may_show(site: Site, node: ast.expr) -> bool:
    """Whether an expression may be a tensor, or a container of some, as far as a few looks tell."""
    return _may_show(site, node, _DEPTH)


def _converted(site: Site, nodes: Iterable[ast.expr], wanted) -> Iterator[Extra]:  # type: ignore[no-untyped-def]  # noqa: ANN001
    for node in nodes:
        kind = site.value(node).kind
        if isinstance(node, ast.Attribute) and node.attr == "dtype" and kind in ("dtype", "unknown"):
            yield Extra((wrap(site.span(node), f"{site.helper('numpy_dtype')}("),), (), frozenset({"numpy_dtype"}))
        elif isinstance(node, ast.GeneratorExp):
            yield from _converted(site, [node.elt], wanted)
        elif isinstance(node, ast.Starred):
            yield from _converted(site, [node.value], wanted)
        elif wanted(node) and not _is_done(site, node):
            yield Extra((wrap(site.span(node), f"{site.helper('to_numpy')}("),), (), frozenset({"to_numpy"}))


def _is_done(site: Site, node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and (site.qualified(node.func) or "").endswith("_tnp_helpers.to_numpy")


def holds_array(value: Value, depth: int = _DEPTH) -> bool:
    """Whether a value is an array or a container that has one, a few levels deep."""
    inside = [*(value.items or ()), *([value.element] if value.element else [])]
    return value.is_array or (depth > 0 and any(holds_array(one, depth - 1) for one in inside))


def _may_show(site: Site, node: ast.expr, depth: int) -> bool:
    value = site.value(node)
    if holds_array(value):
        return True
    if value.kind in ("list", "tuple", "dict"):  # a set holds no tensor
        if isinstance(node, ast.ListComp):
            return _may_show(site, node.elt, depth)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return any(_may_show(site, one, depth) for one in node.elts)
        if isinstance(node, ast.Dict):
            return any(_may_show(site, one, depth) for one in node.values)
        return element_of(value).kind == "unknown" and depth > 0
    return value.kind == "unknown" and depth > 0 and _may_be(site, node, depth - 1)


def _may_be(site: Site, node: ast.expr, depth: int) -> bool:
    """Whether what nothing is known of may be a tensor: it does not come from another library, nor is it text."""
    if isinstance(node, ast.Call):
        return _may_give(site, node, depth)
    if isinstance(node, ast.Attribute):
        return not (node.attr.startswith("__") or _is_of_others(site, node) or _is_of_path(site, node, depth))
    if isinstance(node, ast.BinOp):
        sides = [node.left, node.right]
        return all(site.value(one).kind != "str" for one in sides) and any(_may_show(site, one, depth) for one in sides)
    if isinstance(node, ast.Name):
        return _may_name(site, node, depth)
    if isinstance(node, ast.IfExp):
        return _may_show(site, node.body, depth) or _may_show(site, node.orelse, depth)
    if isinstance(node, ast.Subscript | ast.Starred | ast.Await):
        return _may_show(site, node.value, depth)
    return isinstance(node, ast.BoolOp | ast.UnaryOp | ast.Compare | ast.NamedExpr | ast.DictComp)


def _may_give(site: Site, call: ast.Call, depth: int) -> bool:
    func = call.func
    if isinstance(func, ast.Name) and not site.is_bound(func):
        return func.id not in _PLAIN and any(_may_show(site, one, depth) for one in call.args)
    if isinstance(func, ast.Attribute) and func.attr in _OF_TEXT:
        return False
    if isinstance(func, ast.Attribute) and func.attr == "fromkeys":
        return any(_may_show(site, one, depth) for one in call.args)
    return not _is_of_others(site, func) and not _is_of_path(site, call, depth)


def _is_of_path(site: Site, node: ast.expr, depth: int) -> bool:
    """Whether something is read from a path of `pathlib`: that is another one, or text."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(node, ast.Call) and (site.qualified(node.func) or "").startswith("pathlib."):
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    owner = site.module.names.scopes.around(node).owner(node.id) if isinstance(node, ast.Name) else None
    if owner is None or not isinstance(node, ast.Name) or depth <= 0:
        return False
    above = [site.parent(one) for one in owner.bound[node.id]]
    values = [one.value for one in above if isinstance(one, ast.Assign) and len(one.targets) == 1]
    return len(values) == len(above) and all(_is_of_path(site, one, depth - 1) for one in values)


def _is_of_others(site: Site, node: ast.expr) -> bool:
    """Whether a name is imported from a library that gives no tensors of its own."""
    qualified = site.qualified(node)
    return qualified is not None and not is_array_library(qualified) and qualified.split(".")[0] not in _roots(site)


def _roots(site: Site) -> set[str]:
    return {name.partition(".")[0] for name in site.index.modules}


def _may_name(site: Site, node: ast.Name, depth: int) -> bool:
    """Whether one of the values that a name is bound to may be a tensor."""
    owner = site.module.names.scopes.around(node).owner(node.id)
    if owner is None or node.id in ("self", "cls"):
        return False
    return any(_may_bind(site, one, depth) for one in owner.bound[node.id])


def _may_bind(site: Site, node: ast.AST, depth: int) -> bool:
    if isinstance(node, ast.arg):
        types = {getattr(one, "id", getattr(one, "attr", "")) for one in ast.walk(node.annotation or node)}
        return not types & _TEXT_TYPES
    if not isinstance(node, ast.Name):  # what is imported, defined, caught or matched
        return isinstance(node, ast.MatchAs | ast.MatchStar)
    above = site.parent(node)
    while isinstance(above, ast.Tuple | ast.List | ast.Starred):
        above = site.parent(above)
    if isinstance(above, ast.For | ast.comprehension):
        return any(_may_show(site, one, depth) for one in _gone_over(site, above.iter))
    if isinstance(above, ast.withitem):
        return _may_show(site, above.context_expr, depth)
    source = getattr(above, "value", None)
    return not isinstance(source, ast.expr) or _may_show(site, source, depth)


def _gone_over(site: Site, iterable: ast.expr) -> list[ast.expr]:
    """What a loop goes over: of `zip(a, b)` and `enumerate(a)` both, and `a`, of `d.items()` the dict."""
    func = iterable.func if isinstance(iterable, ast.Call) else None
    if not isinstance(iterable, ast.Call) or func is None:
        return [iterable]
    if isinstance(func, ast.Name) and func.id in _WALKS and not site.is_bound(func):
        return [each for one in iterable.args for each in _gone_over(site, one)]
    return [func.value] if isinstance(func, ast.Attribute) and func.attr in ("items", "values") else [iterable]


def translate_texts(site: Site, call: ast.Call) -> Iterator[Extra]:
    """Calls that make texts of their arguments: `print`, `str`, `"{}".format`, logging, `pprint`."""
    func = call.func
    values = [*call.args, *(word.value for word in call.keywords)]
    if isinstance(func, ast.Name) and not site.is_bound(func):
        if func.id in ("print", "str", "repr"):
            yield from shown(site, call.args)
        elif func.id == "format":
            yield from shown_inside(site, call.args[:1])
        elif func.id == "map" and isinstance(call.args[0], ast.Name) and call.args[0].id in ("str", "repr"):
            yield from shown(site, call.args[1:])
    elif (site.qualified(func) or "").startswith("pprint."):
        yield from shown(site, call.args)
    elif (given := _formatted(site, call)) is not None:
        literal = given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else None
        as_text = literal is None or _READS.search(literal) is not None  # whatever a variable asks of its values
        values = values[int(given in call.args) :]
        yield from (shown if as_text else shown_inside)(site, values)
        if literal is not None and _DTYPE_OF_PART.search(literal) and not all(map(partial(_holds, site), values)):
            yield Extra((), (site.finding("TNP209", site.span(call), _OWN_NAME, "format"),))
    elif isinstance(func, ast.Attribute) and func.attr in _LOGGING and _is_logger(site, func.value):
        yield from shown(site, call.args[1 if func.attr == "log" else 0 :])
    elif any(isinstance(one, ast.Constant) and isinstance(one.value, str) and "%s" in one.value for one in call.args):
        yield from as_numpy(site, call.args)  # which puts them into the text later


def _holds(site: Site, node: ast.expr) -> bool:
    return site.value(node).kind != "instance" and may_show(site, node)


def _formatted(site: Site, call: ast.Call) -> ast.expr | None:
    """The text that `"{}".format(x)`, `"{x}".format_map(d)` or `str.format("{}", x)` puts values into."""
    func = call.func
    if not isinstance(func, ast.Attribute) or func.attr not in ("format", "format_map"):
        return None
    if isinstance(func.value, ast.Name) and func.value.id == "str" and not site.is_bound(func.value):
        return call.args[0] if call.args else None
    return func.value if site.value(func.value).kind in ("str", "scalar") else None


def _is_logger(site: Site, node: ast.expr) -> bool:
    """Whether something is a logger, by its name: `self._log`, `logging`, `LOGGER`, `getLogger("a")`."""
    node = node.func if isinstance(node, ast.Call) else node
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return "log" in name.lower() or site.qualified(node) in ("warnings", "logging")


def translate_percent(site: Site, node: ast.BinOp) -> Iterator[Extra]:
    """`"%s" % x` writes `x` as `str` does; `%d` and `%f` ask for its number."""
    literal = node.left.value if isinstance(node.left, ast.Constant) else None
    is_text = isinstance(literal, str) and ("%s" in literal or "%r" in literal or ")s" in literal or ")r" in literal)
    is_text = is_text or (literal is None and site.value(node.left).kind == "str")
    if isinstance(node.op, ast.Mod) and is_text:
        yield from shown(site, node.right.elts if isinstance(node.right, ast.Tuple) else [node.right])


def translate_formatted(site: Site, node: ast.JoinedStr) -> Iterator[Extra]:
    """`f"{x}"` formats a tensor as NumPy does; `f"{x!r}"`, a dtype and what is in a container it writes its own way."""
    for part in node.values:
        if not isinstance(part, ast.FormattedValue):
            continue
        is_dtype = isinstance(part.value, ast.Attribute) and part.value.attr == "dtype"
        formats = part.conversion == -1 and site.value(part.value).kind not in CONTAINERS
        if formats and site.value(part.value).is_array and not is_dtype and not _spells(site, part):
            continue
        if _is_placed(site, part.value):
            yield from (shown_inside if formats and not is_dtype else shown)(site, [part.value])
            yield from _spelled(site, part)


def _is_placed(site: Site, node: ast.expr) -> bool:
    """Whether an expression of an f-string stands where it says: before Python 3.12 that can be wrong."""
    text = site.source.text(site.span(node))
    try:
        return text == ast.unparse(node) or ast.dump(ast.parse(f"({text})", mode="eval").body) == ast.dump(node)
    except SyntaxError:
        return False


def _spells(site: Site, part: ast.FormattedValue) -> bool:
    """Whether a place in an f-string writes out its own text, as `f"{x=}"` does."""
    end = site.span(part.value).end
    after = site.source.body[end : end + 20].lstrip(b" )")
    return after.startswith(b"=") and not after.startswith(b"==")


def _spelled(site: Site, part: ast.FormattedValue) -> Iterator[Extra]:
    """`f"{x=}"` becomes `f"x={x!r}"`, so that it writes the user's text."""
    span, body = site.span(part.value), site.source.body
    if _spells(site, part) and body[span.start - 1 : span.start] == b"{" and body[span.end : span.end + 1] == b"=":
        text = site.source.text(span).replace("{", "{{").replace("}", "}}")
        conversion = "!r" if body[span.end + 1 : span.end + 2] == b"}" else ""
        whole = Span(span.start - 1, span.end + 1)
        yield Extra((Decision(whole, (f"{text}={{", span, conversion), rule="spelled"),))
