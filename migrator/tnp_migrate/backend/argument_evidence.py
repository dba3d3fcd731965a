"""What is known of a call's arguments that makes NumPy the one to compute it: numbers, protocols, dtypes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.memory_orders import memory_order_finding
from tnp_migrate.backend.sites import Site, short
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.host_dtypes import objects_argument, text_argument
from tnp_migrate.numpy_facts.host_values import host_of
from tnp_migrate.numpy_facts.libraries import LIBRARIES
from tnp_migrate.numpy_facts.limits import FLOATED, LIMITS, REAL_PARTS, SMALL, bare_names, lacking_kernel
from tnp_migrate.numpy_facts.names_table import dtype_problem
from tnp_migrate.numpy_facts.results import is_ufunc_or_reduction
from tnp_migrate.numpy_facts.rulebook import Rule
from tnp_migrate.numpy_facts.values import HOST_DTYPES, Value
from tnp_migrate.program.names import Reference

_OF_SHAPES = frozenset({"numpy.size", "numpy.ndim", "numpy.shape"})
_FLOATED, _REAL_PARTS = bare_names(LIMITS[FLOATED]), bare_names(LIMITS[REAL_PARTS])


def host_finding(site: Site, reference: Reference, call: ast.Call) -> Finding | None:
    """A call that makes records, objects or text, or is given text or masked numbers: no tensor can hold that."""
    made = site.value(call)
    held = HOST_DTYPES.get(made.dtype or "") if made.is_array else None
    if held is not None:
        message = f"{short(reference.name)} makes an array of {held[1]}: it stays on NumPy"
        return site.finding(held[0], site.span(call), message, reference.name)
    given = host_of(*(site.value(one) for one in _parts(call)))
    if given is not None:
        code, arrays = HOST_DTYPES[given]
        message = f"{short(reference.name)} is given {arrays}: it stays on NumPy"
        return site.finding(code, site.span(call), message, reference.name)
    translated = site.table.tnp.get(reference.name) or site.rulebook.find(reference.name)
    for code, what, asked in (("TNP411", "text", text_argument), ("TNP409", "objects", objects_argument)):
        part = asked(call, site.value) if translated else None
        if part is not None:
            message = f"{short(reference.name)} is given {what}, `{ast.unparse(part)}`: it stays on NumPy"
            return site.finding(code, site.span(call), message, reference.name)
    return None


def _parts(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a call, and what stands in lists among them."""
    for one in (*call.args, *(word.value for word in call.keywords)):
        yield from one.elts if isinstance(one, ast.List | ast.Tuple) else [one]


def is_joined(site: Site, name: str, call: ast.Call) -> bool:
    """Whether a function is given an object of a library that takes part in it: a column comes out of it, say."""
    libraries = (site.value(one).library for one in call.args)
    if name in _OF_SHAPES and any(_is_read_by_numpy(site.value(one)) for one in call.args[:1]):
        return True
    return is_ufunc_or_reduction(name) and any(one is not None and LIBRARIES[one].joins for one in libraries)


def needs_numpy(site: Site, name: str, call: ast.Call) -> bool:
    """Whether what is proven of the arguments makes NumPy the one that gets the numbers right."""
    first = site.value(call.args[0]) if call.args else None
    if first is None:
        return False
    parts = (part for one in call.args for part in (one.elts if isinstance(one, ast.List | ast.Tuple) else [one]))
    if traits.RESULTS.get(name, "array") == "array" and any(_is_read_by_numpy(site.value(one)) for one in parts):
        return True
    if _lacks_kernel(site, name, call) or _may_be_read_otherwise(name, first):
        return True
    if _is_counted_otherwise(site, name, call) or (name == "numpy.arange" and _rounds_steps(call)):
        return True
    if name not in traits.CONVERSIONS or not isinstance(call.args[0], ast.List | ast.Tuple):
        return False
    inside = [one for one in ast.walk(call.args[0]) if isinstance(one, ast.Call)]
    if any(isinstance(one.func, ast.Attribute) and one.func.attr in traits.DTYPES for one in inside):
        return True  # NumPy's own scalars, whose dtypes it promotes together
    wanted = next((word.value for word in call.keywords if word.arg == "dtype"), None)
    whole = isinstance(wanted, ast.Name) and wanted.id == "int"
    floats = [one for one in ast.walk(call.args[0]) if isinstance(one, ast.Attribute) and one.attr in ("nan", "inf")]
    return whole and bool(floats or inside)  # NumPy refuses what has no integer value


def _is_read_by_numpy(value: Value) -> bool:
    """Whether only NumPy makes an array of this: an array.array, or an own object with `__array__` or with items."""
    members = {name for one in value.ref.lineage for name in one.methods} if value.kind == "instance" else set()
    return "__array__" in members or {"__len__", "__getitem__"} <= members or value.library == "array"


def _lacks_kernel(site: Site, name: str, call: ast.Call) -> bool:
    """Whether what the operands are known to promote to is a dtype that TensorFlow has no kernel for."""
    lacking, rule = lacking_kernel(name), site.rulebook.find(name)
    if rule is not None and rule.direct == "arrays":  # the rule casts
        return False
    if not lacking or any(isinstance(one, ast.Starred) for one in call.args):
        return False
    arrays = [one for one in map(site.value, call.args) if one.is_array and one.dtype is not None]
    others = [one for one in call.args if not _is_whole(one) and not site.value(one).is_array]
    if any((one.dtype or "").startswith("complex") for one in arrays):
        return "complex128" in lacking
    return bool(arrays) and not others and all(one.dtype in lacking for one in arrays)


def _may_be_read_otherwise(name: str, first: Value) -> bool:
    """Whether the first operand is likely of a dtype that tnp computes with otherwise; a proven one is cast."""
    dtype = first.dtype if first.is_array and not first.sure else None
    return (name in _FLOATED and dtype in SMALL.split()) or (
        name in _REAL_PARTS and dtype is not None and dtype.startswith("complex")
    )


def _is_counted_otherwise(site: Site, name: str, call: ast.Call) -> bool:
    """Whether a size, a shift or the end of a range is an array's number of a dtype that tnp takes otherwise."""
    if name == "numpy.arange":
        counts, taken = call.args, {None, "int64", "float64"}
    else:
        counts = call.args[:1] if name in traits.CREATION else call.args[1:2] if name == "numpy.roll" else []
        taken = {None, "int32", "int64"}
    return any(one.is_array and one.dtype not in taken for one in map(site.value, counts))


def _is_whole(node: ast.expr) -> bool:
    """Whether a number is written that takes the dtype of the integers beside it."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int | None)


def _rounds_steps(call: ast.Call) -> bool:
    """Whether `np.arange` is given a dtype that NumPy rounds its steps to."""
    wanted = next(
        (word.value for word in call.keywords if word.arg == "dtype"), (*call.args, None, None, None, None)[3]
    )
    named = isinstance(wanted, ast.Name | ast.Attribute) and traits.dtype_named(ast.unparse(wanted).rpartition(".")[2])
    return bool(named) and (
        len(call.args) > 2
        or any(word.arg == "step" for word in call.keywords)
        or any(isinstance(one, ast.Constant) and isinstance(one.value, float) for one in call.args)
    )


def is_direct(site: Site, rule: Rule, call: ast.Call, name: str) -> bool:
    """Whether what is proven of the first argument makes plain tnp right, so that the rule is not needed."""
    if rule.direct == "parameters":
        return True
    if rule.direct is None or not call.args or site.table.tnp.get(name) is None:
        return False
    first = call.args[0]
    if rule.direct == "counted":
        return all(_is_counted(one) for one in (*call.args[1:], *(word.value for word in call.keywords)))
    if rule.direct == "divisor":
        return _divides(site, call)
    if rule.direct == "arrays":
        known = {site.value(one).dtype for one in call.args} - {None}
        return not (known and known <= lacking_kernel(name)) and not any(
            isinstance(one, ast.List | ast.Tuple) or site.value(one).kind in ("list", "tuple", "scalar")
            for one in call.args
        )
    if rule.direct == "items":
        return isinstance(first, ast.List | ast.Tuple) and any(not isinstance(one, ast.Starred) for one in first.elts)
    if rule.direct == "sequence":
        written = isinstance(first, ast.List | ast.Tuple | ast.ListComp) or site.value(first).kind == "tuple"
        return written or (site.value(first).kind == "list" and not _has_deques(site))
    value = site.value(first)
    if rule.direct == "matrix" and (value.rank or 0) < 2:
        return False
    return value.is_array and value.sure and value.dtype in traits.PROOFS[rule.direct]


def _has_deques(site: Site) -> bool:
    """Whether a list may be a deque, which tnp takes for one array where several are wanted."""
    return any(b"deque" in module.source.data for module in site.index.modules.values())


def _divides(site: Site, call: ast.Call) -> bool:
    """Whether the second argument is a written number but 0, or the first is proven an array of floats."""
    first, second = site.value(call.args[0]), call.args[1] if len(call.args) > 1 else None
    written = isinstance(second, ast.Constant) and isinstance(second.value, int | float) and second.value != 0
    return written or (first.sure and (first.dtype or "").startswith("float") and not call.keywords)


def _is_counted(node: ast.expr) -> bool:
    """Whether a number, or each of a tuple, is written and not negative."""
    if isinstance(node, ast.Tuple | ast.List):
        return bool(node.elts) and all(_is_counted(one) for one in node.elts)
    return isinstance(node, ast.Constant) and isinstance(node.value, int | None)


def may_know_arrays(site: Site, call: ast.Call) -> bool:
    """Whether the argument may be one of the project's objects that NumPy, not TensorFlow, can make an array of."""
    if not call.args or site.value(call.args[0]).kind not in ("unknown", "instance"):
        return False
    library = site.value(call.args[0]).library
    if library is not None:
        return LIBRARIES[library].converts
    if isinstance(call.args[0], ast.List | ast.ListComp | ast.Tuple):
        return False
    return any(
        name in one.methods
        for module in site.index.modules.values()
        for one in module.classes.values()
        for name in ("__array__", "__array_interface__", "__array_struct__")
    )


_PROTOCOLS = {
    "__array_ufunc__": "TNP417", "__array_function__": "TNP417", "__array_interface__": "TNP406",
    "__array_struct__": "TNP406",
}  # fmt: skip


def protocol_finding(site: Site, reference: Reference, call: ast.Call) -> Finding | None:
    """An argument whose class takes part in NumPy's own protocols, which TensorFlow does not know."""
    for argument in call.args:
        value = site.value(argument)
        if value.kind != "instance":
            continue
        for one in value.ref.lineage:
            names = [*one.methods, *one.attributes]
            found = next((name for name in names if name in _PROTOCOLS), None)
            if found is not None:
                message = f"{short(reference.name)} stays on NumPy: `{one.node.name}` takes part in it by `{found}`"
                return site.finding(_PROTOCOLS[found], site.span(call), message, reference.name)
    return None


def all_host(site: Site, call: ast.Call) -> bool:
    """Whether a function of scalars has only Python numbers to work on, which NumPy does best."""
    return bool(call.args) and not call.keywords and all(_is_host_number(site, one) for one in call.args)


def in_host_call(site: Site, node: ast.expr) -> bool:
    """Whether a constant is part of the argument of a call that stays on NumPy because it is about numbers."""
    above = site.parent(node)
    while isinstance(above, ast.BinOp | ast.UnaryOp):
        above = site.parent(above)
    if not isinstance(above, ast.Call) or not all_host(site, above):
        return False
    name = next((one.name for one in site.module.names.references if one.node is above.func), "")
    return name in traits.FLOATING and site.rulebook.find(name) is None


def _is_host_number(site: Site, node: ast.expr) -> bool:
    if site.value(node).kind != "scalar":
        return False
    return all(
        isinstance(one, ast.Constant | ast.Name | ast.BinOp | ast.UnaryOp | ast.Load | ast.operator | ast.unaryop)
        or (isinstance(one, ast.Attribute) and one.attr in ("pi", "e"))
        for one in ast.walk(node)
    )


def argument_finding(site: Site, call: ast.Call) -> Finding | None:
    """Find a dtype or a memory order among the arguments that no tensor has."""
    for word in call.keywords:
        if word.arg == "dtype":
            return dtype_finding(site, word.value)
        if word.arg == "order" and isinstance(word.value, ast.Constant) and word.value.value == "F":
            return site.finding("TNP407", site.span(word.value), "Fortran order: tensors are always row-major", "order")
    return memory_order_finding(site, call)


def dtype_finding(site: Site, node: ast.expr) -> Finding | None:
    """A dtype that no tensor can hold."""
    spelled: object = None
    if isinstance(node, ast.Constant):
        spelled = node.value
    elif isinstance(node, ast.List):
        spelled = []
    elif isinstance(node, ast.Name | ast.Attribute):
        qualified = site.qualified(node)
        spelled = qualified or (
            node.id if isinstance(node, ast.Name) and node.id in ("object", "str", "bytes") else None
        )
    code = dtype_problem(spelled) if spelled is not None else None
    if code is None:
        return None
    return site.finding(
        code, site.span(node), f"no tensor has the dtype {ast.unparse(node)}: this stays on NumPy", "dtype"
    )


def order_finding(site: Site, call: ast.Call, into: ast.expr, symbol: str) -> Finding | None:
    """Sums at places that may repeat, unless they are proven to be `into` integers: a GPU rounds them in any order."""
    if (site.value(into).dtype or "").startswith(("int", "uint", "bool")):
        return None
    message = "a GPU adds at repeated places in any order: the last digits of floats are others in each run"
    return site.finding("TNP307", site.span(call), message, symbol)


def weights_finding(site: Site, reference: Reference, call: ast.Call) -> Finding | None:
    """What is to be said of `np.bincount(x, weights)`; without weights it counts, which is exact."""
    given = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "weights")]
    return order_finding(site, call, given[0], reference.name) if reference.name == "numpy.bincount" and given else None


# Where the vectors stand in what these give, and under which name their other results.
_VECTORS = {"numpy.linalg.svd": ({0, 2}, {"S"}), "numpy.linalg.eigh": ({1}, {"eigenvalues"})}


def sign_finding(site: Site, reference: Reference, call: ast.Call) -> Finding | None:
    """Singular vectors and eigenvectors that are used: their signs are free, and TensorFlow chooses others."""
    if reference.name not in _VECTORS or not _takes_vectors(site, call, *_VECTORS[reference.name]):
        return None
    of = "singular vectors" if reference.name.endswith("svd") else "eigenvectors"
    message = f"the {of} may have other signs than NumPy's: what depends on them differs"
    return site.finding("TNP320", site.span(call), message, reference.name)


def _takes_vectors(site: Site, call: ast.Call, places: set[int], others: set[str]) -> bool:
    given = {word.arg: word.value for word in call.keywords}
    computes = given.get("compute_uv", call.args[2] if len(call.args) > 2 else None)
    if isinstance(computes, ast.Constant) and not computes.value:
        return False
    above = site.parent(call)
    if isinstance(above, ast.Attribute):
        return above.attr not in others
    if isinstance(above, ast.Subscript) and above.value is call and isinstance(above.slice, ast.Constant):
        return above.slice.value in places
    target = above.targets[0] if isinstance(above, ast.Assign) else None
    if isinstance(target, ast.Tuple) and not any(isinstance(one, ast.Starred) for one in target.elts):
        named = [target.elts[place] for place in places if place < len(target.elts)]
        return not all(isinstance(one, ast.Name) and one.id.strip("_") == "" for one in named)
    return True
