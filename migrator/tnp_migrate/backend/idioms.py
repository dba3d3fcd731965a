"""Expressions that survive the change of names and mean something else: shapes, dtypes, lists, text, in-place sums.

Input `if x.dtype == float:`, output `if x.dtype == tnp.float64:`; input `n = x.shape`, output `n = tuple(x.shape)`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tnp_migrate.backend.argument_evidence import order_finding
from tnp_migrate.backend.arguments import takes_shape
from tnp_migrate.backend.classes_told import translate_class, translate_type
from tnp_migrate.backend.failures import RAISED, may_fail
from tnp_migrate.backend.kinds_asked import translate_asked_kinds, translate_identity, translate_match
from tnp_migrate.backend.methods import sorted_expressions
from tnp_migrate.backend.mixed_arrays import is_tried
from tnp_migrate.backend.operators import is_refused, translate_augmented, translate_comparison, translate_operation
from tnp_migrate.backend.printing import as_numpy, translate_formatted, translate_percent, translate_texts
from tnp_migrate.backend.promotion import negate
from tnp_migrate.backend.sites import Site, wrap
from tnp_migrate.backend.told_apart import asked_for_class, asked_for_identity
from tnp_migrate.diagnostics.decisions import Decision, Extra
from tnp_migrate.program.names import is_array_library

_PYTHON_DTYPES = {"float": "float64", "int": "int64", "complex": "complex128", "bool": "bool_"}
_SHAPE_READERS = frozenset({"len", "tuple", "list", "range", "enumerate", "zip", "sum", "max", "min"})
_HASHED = frozenset({"round", "set", "frozenset"})  # and what rounds otherwise
# What asks for Python's or NumPy's numbers, and for no others that can be made a float.
_FOR_NUMBERS = frozenset(
    "math.trunc time.sleep time.gmtime time.localtime time.ctime datetime.datetime.fromtimestamp "
    "datetime.date.fromtimestamp datetime.datetime.utcfromtimestamp".split()
)
_BY_KEY = frozenset({"get", "pop", "setdefault", "add", "discard", "remove"})


def translate_idioms(site: Site) -> Iterator[Extra]:
    """Decide every such expression outside islands."""
    for node in sorted_expressions(site):
        handler = _HANDLERS.get(type(node))
        if handler is not None and not site.is_settled(node):
            yield from handler(site, node)
    yield from _handlers(site)
    yield from _statements(site)
    yield from _sums_in_place(site)


def _compare(site: Site, node: ast.Compare) -> Iterator[Extra]:
    operands = [node.left, *node.comparators]
    if any(isinstance(one, ast.Attribute) and one.attr == "dtype" for one in operands):
        for one in operands:
            if isinstance(one, ast.Name) and one.id in _PYTHON_DTYPES and not site.is_bound(one):
                span = site.span(one)
                yield Extra((Decision(span, (site.tnp(_PYTHON_DTYPES[one.id]),), rule="dtype"),))
    yield from translate_comparison(site, node)
    yield from asked_for_identity(site, node)
    if isinstance(node.ops[0], ast.Is | ast.IsNot) and len(operands) == 2:
        yield from translate_identity(site, *operands)
    if isinstance(node.ops[-1], ast.In | ast.NotIn):
        is_hashed = site.value(node.comparators[-1]).kind in ("dict", "set") and len(operands) == 2
        yield from as_numpy(site, [node.left if is_hashed else node.comparators[-1]])


def _operation(site: Site, node: ast.BinOp) -> Iterator[Extra]:
    yield from translate_operation(site, node)
    for one, other in ((node.left, node.right), (node.right, node.left)):
        repeated = isinstance(one, ast.Constant | ast.JoinedStr) or (isinstance(one, ast.List) and len(one.elts) == 1)
        kinds = site.value(one).kind in ("str", "list", "tuple") and site.value(other).is_array
        repeated = repeated or site.value(other).rank == 0  # a tensor would multiply each item
        if isinstance(node.op, ast.Mult) and repeated and kinds:
            yield from as_numpy(site, [other])
    yield from translate_percent(site, node)


def _attribute(site: Site, node: ast.Attribute) -> Iterator[Extra]:
    yield from translate_class(site, node)
    if node.attr != "shape" or not isinstance(node.ctx, ast.Load):
        return
    names = site.module.names
    if site.value(node.value).kind not in ("array", "unknown") or names.of(node, names.scopes.module):
        return
    outer: ast.expr = node
    above = site.parent(node)
    if isinstance(above, ast.Subscript) and above.value is node:
        if not isinstance(above.slice, ast.Slice):
            return
        outer, above = above, site.parent(above)
    if _reads_any_shape(site, outer, above):
        return
    if site.value(node.value).is_array:
        yield Extra((wrap(site.span(outer), "tuple("),))
    else:  # a user's own object may have a shape of another kind
        yield Extra((wrap(site.span(outer), f"{site.helper('shape_tuple')}("),), (), frozenset({"shape_tuple"}))


def _reads_any_shape(site: Site, node: ast.expr, above: ast.AST | None) -> bool:
    """Whether a TensorShape does as well as a tuple there."""
    if isinstance(above, ast.Call):
        if isinstance(above.func, ast.Name) and above.func.id in _SHAPE_READERS and not site.is_bound(above.func):
            return True
        return takes_shape(site, above, node) or (
            isinstance(above.func, ast.Attribute)
            and above.func.attr == "reshape"
            and not is_array_library(site.qualified(above.func))
        )
    if isinstance(above, ast.keyword):
        call = site.parent(above)
        return isinstance(call, ast.Call) and takes_shape(site, call, node)
    if isinstance(above, ast.Assign):
        return all(isinstance(target, ast.Tuple | ast.List) for target in above.targets)
    if isinstance(above, ast.Compare):
        others = [one for one in [above.left, *above.comparators] if one is not node]
        shapes = [isinstance(one, ast.Tuple) or getattr(one, "attr", None) == "shape" for one in others]
        return all(shapes) and all(isinstance(operator, ast.Eq | ast.NotEq) for operator in above.ops)
    return isinstance(above, ast.Starred | ast.For | ast.comprehension | ast.Expr)


def _handlers(site: Site) -> Iterator[Extra]:
    """What NumPy raises as ValueError or IndexError TensorFlow raises as InvalidArgumentError."""
    for node in sorted_tries(site):
        if site.is_settled(node) or not may_fail(site, [*node.body]):
            continue
        for handler in node.handlers:
            caught = handler.type
            if caught is None:
                continue
            names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
            if any(isinstance(one, ast.Attribute) and one.attr == "InvalidArgumentError" for one in names):
                continue
            if any(isinstance(one, ast.Name) and one.id in ("RuntimeWarning", "FloatingPointError") for one in names):
                message = "TensorFlow neither raises nor warns of floating point errors"
                yield Extra((), (site.finding("TNP313", site.span(caught), message, "except"),))
            for one in names[::-1]:
                plain = isinstance(one, ast.Name) and one.id in RAISED and not site.is_bound(one)
                if plain or (isinstance(one, ast.Attribute) and one.attr == "AxisError"):
                    error = site.tf("errors.InvalidArgumentError")
                    span = site.span(one)
                    inside = isinstance(caught, ast.Tuple)
                    parts = (span, f", {error}") if inside else ("(", span, f", {error})")
                    yield Extra((Decision(span, parts, rule="handler"),))
                    yield from _read_errors(site, handler)
                    break


def _read_errors(site: Site, handler: ast.ExceptHandler) -> Iterator[Extra]:
    """Name the first place at which a handler reads the error that it caught, other than to raise with it."""
    reads = [one for part in handler.body for one in ast.walk(part) if isinstance(one, ast.Name)]
    used = [one for one in reads if one.id == handler.name and not isinstance(site.parent(one), ast.Raise)]
    for one in sorted(used, key=lambda node: (node.lineno, node.col_offset))[:1]:
        message = f"`{one.id}` may be TensorFlow's InvalidArgumentError here: its class and its text are not NumPy's"
        yield Extra((), (site.finding("TNP321", site.span(one), message, "except"),))


def sorted_tries(site: Site) -> list[ast.Try]:
    """The try statements around code that the analysis reached."""
    scopes = site.module.names.scopes
    found = {one for one in scopes.parent.values() if isinstance(one, ast.Try) and one.handlers}
    return sorted(found, key=lambda node: node.lineno)


def _call(site: Site, node: ast.Call) -> Iterator[Extra]:
    yield from translate_texts(site, node)
    yield from translate_asked_kinds(site, node)
    yield from asked_for_class(site, node)
    added = next((one for one in ("add", "subtract") if ast.unparse(node.func) == site.helper(f"{one}_at")), None)
    if added is not None:  # what `np.add.at` has become
        found = order_finding(site, node, node.args[0], f"numpy.{added}.at")
        yield Extra((), (found,) if found is not None else ())
    if isinstance(node.func, ast.Attribute) and node.func.attr in _BY_KEY:
        receiver = site.value(node.func.value)
        inherited = receiver.kind == "instance" and receiver.ref.method(node.func.attr) is None
        if receiver.kind in ("dict", "set") or inherited:
            yield from as_numpy(site, node.args[:1])
        return
    if site.qualified(node.func) in _FOR_NUMBERS:
        yield from as_numpy(site, node.args[:1])
    if not isinstance(node.func, ast.Name) or site.is_bound(node.func) or not node.args:
        return
    name, first = node.func.id, node.args[0]
    if name == "dict":  # tensors have no hash
        yield from as_numpy(site, _keys_of_pairs(site, first))
    elif name in _HASHED:
        yield from as_numpy(site, [first])
    elif name == "map" and (getattr(first, "id", "") in {*_HASHED, "type"} or site.qualified(first) in _FOR_NUMBERS):
        yield from as_numpy(site, node.args[1:])
    elif name == "bool" and site.value(first).may_have_axes:
        message = "the truth of an empty array is an error to NumPy; of an empty tensor it is False"
        yield Extra((), (site.finding("TNP314", site.span(node), message, "truth"),))
    elif name == "type" and len(node.args) == 1:
        yield from translate_type(site, node)


def _keys_of_pairs(site: Site, node: ast.expr) -> list[ast.expr]:
    """What makes the keys among pairs that are zipped, or written one by one."""
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        return node.elt.elts[:1] if isinstance(node.elt, ast.Tuple | ast.List) else []
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or site.is_bound(node.func):
        return []
    return node.args[:1] if node.func.id == "zip" else []


def _keys(site: Site, node: ast.Dict | ast.DictComp) -> Iterator[Extra]:
    """Keys of dicts, which a tensor without a hash cannot be."""
    keys = [node.key] if isinstance(node, ast.DictComp) else node.keys
    yield from as_numpy(site, [key for key in keys if key is not None])


def _items(site: Site, node: ast.Set | ast.SetComp) -> Iterator[Extra]:
    """Items of sets, as keys of dicts."""
    yield from as_numpy(site, node.elts if isinstance(node, ast.Set) else [node.elt])


def _subscript(site: Site, node: ast.Subscript) -> Iterator[Extra]:
    """Indices that tensors read in another way: nested lists, and an integer and an array around a slice."""
    value = site.value(node.value)
    by_key = value.kind == "instance" and site.value(node.slice).rank == 0  # of the project's own tables
    if value.kind == "dict" or by_key:  # tensors have no hash
        yield from as_numpy(site, node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])
    parts_of = node.slice if isinstance(node.slice, ast.Tuple) else None
    masks = parts_of is not None and _has_wide_mask(site, parts_of)
    if not isinstance(node.ctx, ast.Load) or not value.is_array or not (value.sure or masks):
        return
    several = parts_of is not None and (_splits(site, parts_of) or _is_paired(site, parts_of))
    if _is_nested_list(site, node.slice) or masks or several:
        index = site.span(node.slice)
        literal = isinstance(node.slice, ast.Tuple)
        if literal and any(isinstance(part, ast.Slice) for part in getattr(node.slice, "elts", [])):
            numpy = site.aliases.get("np")
            if numpy is None:
                return
            parts = (f"{site.helper('getitem')}(", site.span(node.value), f", {numpy}.s_[", index, "])")
        else:
            bare = isinstance(node.slice, ast.Tuple) and site.source.is_bare(node.slice)
            before, after = (", (", "))") if bare else (", ", ")")
            parts = (f"{site.helper('getitem')}(", site.span(node.value), before, index, after)
        yield Extra((Decision(site.span(node), parts, rule="getitem"),), (), frozenset({"getitem"}))


def _is_nested_list(site: Site, index: ast.expr) -> bool:
    if not isinstance(index, ast.List):
        return False
    return any(
        isinstance(one, ast.List) or isinstance(getattr(one, "value", None), bool) or site.value(one).is_array
        for one in index.elts
    )


def _has_wide_mask(site: Site, index: ast.Tuple) -> bool:
    """Whether a mask of several dimensions stands beside other indices, which TensorFlow refuses."""
    return any(site.value(one).dtype == "bool" and site.value(one).rank != 1 for one in index.elts)


def _is_paired(site: Site, index: ast.Tuple) -> bool:
    """Whether several arrays index together: TensorFlow checks no bounds but the last then."""
    return sum(site.value(one).kind in ("array", "list") for one in index.elts) > 1


def _splits(site: Site, index: ast.Tuple) -> bool:
    kinds = ["slice" if isinstance(one, ast.Slice) else site.value(one).kind for one in index.elts]
    advanced = [position for position, kind in enumerate(kinds) if kind in ("scalar", "array", "list")]
    arrays = any(kinds[position] in ("array", "list") for position in advanced)
    between = len(advanced) > 1 and any(kinds[one] == "slice" for one in range(advanced[0], advanced[-1]))
    return arrays and between


def _statements(site: Site) -> Iterator[Extra]:
    """Statements: operations in place, and tests of whole arrays."""
    for node in site.module.names.scopes.parent:
        if isinstance(node, ast.AugAssign) and not site.is_settled(node):
            yield from translate_augmented(site, node)
        elif isinstance(node, ast.Match) and not site.is_settled(node):
            yield from translate_match(site, node)
        elif isinstance(node, ast.If | ast.While | ast.IfExp) and not site.is_settled(node):
            value = site.value(node.test)
            if value.is_array and value.sure and value.rank:
                message = "the truth of an empty array is an error to NumPy; of an empty tensor it is False"
                yield Extra((), (site.finding("TNP314", site.span(node.test), message, "truth"),))


def _sums_in_place(site: Site) -> Iterator[Extra]:
    """`x += y` keeps the dtype of x: `x = tf.cast(x + y, x.dtype)`, where the dtypes are not known to agree.

    `tnh.in_place(x, x + y)` raises where NumPy does: where it surely does, or may do and the text catches that.
    """
    for summary in site.summaries.values():
        if summary.module is not site.module:
            continue
        for node in summary.casts:
            if site.is_settled(node) or not isinstance(node.target, ast.Name):
                continue
            name, value = node.target.id, site.span(node.value)
            operator = site.source.text(site.span(node)).removeprefix(name).partition("=")[0].strip()
            simple = isinstance(node.value, ast.Name | ast.Call | ast.Attribute | ast.Subscript | ast.Constant)
            inner = (value,) if simple else ("(", value, ")")
            target = site.value(node.target)
            refused = is_refused(site, node) or not target.sure or (target.dtype is None and is_tried(site, node))
            start = f"{site.helper('in_place')}({name}, " if refused else f"{site.tf('cast')}("
            parts = (f"{name} = {start}{name} {operator} ", *inner, ")" if refused else f", {name}.dtype)")
            helpers = frozenset({"in_place"} if refused else ())
            yield Extra((Decision(site.span(node), parts, rule="augmented"),), (), helpers)


_HANDLERS: dict[type[ast.AST], Callable[..., Iterator[Extra]]] = {
    ast.Compare: _compare, ast.BinOp: _operation, ast.Attribute: _attribute, ast.Call: _call, ast.Subscript: _subscript,
    ast.JoinedStr: translate_formatted, ast.Dict: _keys, ast.DictComp: _keys, ast.UnaryOp: negate,
    ast.Set: _items, ast.SetComp: _items,
}  # fmt: skip
