"""Functions that use what only an ndarray has: they stay on NumPy as islands."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.analysis.reflection import is_reading, run_texts
from tnp_migrate.islands.kept_functions import Reason
from tnp_migrate.islands.shown import is_only_shown, is_shown
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.names_table import flagged, member_problem
from tnp_migrate.numpy_facts.results import is_placeholder
from tnp_migrate.numpy_facts.rulebook import Rulebook
from tnp_migrate.numpy_facts.values import HOST_DTYPES, UNKNOWN
from tnp_migrate.program.index import Class, Function, Index, Module
from tnp_migrate.program.names import is_numpy
from tnp_migrate.program.scopes import Scope

# Strides, structured, text, time, matrix, masked, mapped and extended-precision arrays, and iterators over memory.
_HOST_ONLY = frozenset("TNP408 TNP410 TNP411 TNP412 TNP413 TNP414 TNP415 TNP418 TNP424".split())
_OF_CLASSES = frozenset("__name__ __qualname__ __module__ __doc__ __class__ __mro__".split())
_NO_TENSOR = "no tensor is one of `{}`, whose class derives from a NumPy class"


def find_needs(index: Index, rulebook: Rulebook | None) -> dict[Function | Module, Reason]:
    """Find functions that take memory layout, flags or other members of a proven array, and ndarray's subclasses.

    A module stands for its own statements.
    """
    found: dict[Function | Module, Reason] = {}
    for module in index.modules.values():
        for search in (_host_only_names, _objects_and_members, _methods_of_ndarray):
            for scope, reason in search(index, module, rulebook):
                owner = module.outermost(scope)
                if owner is not None:
                    found.setdefault(owner, reason)
                elif isinstance(reason.node, ast.Attribute) and reason.node.attr == "flags":
                    found.setdefault(module, reason)
        for owner, node in exact_numbers(module):
            text = f"`{ast.unparse(node)}` is used beside NumPy here: no tensor holds such numbers"
            if owner is not None:
                found.setdefault(owner, Reason("TNP409", node, text, whole=True))
        for scope, call in run_texts(module):
            owner = module.outermost(scope)
            if owner is not None and not is_reading(call):
                text = f"`{ast.unparse(call.func)}` runs a text that sees its variables"
                found.setdefault(owner, Reason("TNP427", call, text, whole=True))
        for owner, derived in _methods_of_subclasses(module):
            found.setdefault(owner, Reason("TNP416", derived, "its class derives from a NumPy class", whole=True))
    return found


def _objects_and_members(index: Index, module: Module, rulebook: Rulebook | None) -> Iterator[tuple[Scope, Reason]]:
    scopes = module.names.scopes
    for node, value in module.values.items():
        code = text = None
        if value.is_array and value.dtype in HOST_DTYPES and isinstance(node, ast.expr):
            code, made = HOST_DTYPES[value.dtype]
            text = f"no tensor is an array of {made}"
            passed_on = _is_stored_placeholder(module, node) or _is_passed_on(module, node)
            if passed_on or is_shown(index, module, node) or is_only_shown(index, module, node):
                code = None
        elif value.kind == "instance" and isinstance(node, ast.expr) and _is_computed_with(module, node):
            code = "TNP416" if _array_base(value.ref) is not None else None
            text = f"no tensor is one of `{value.ref.node.name}`, whose class derives from a NumPy class"
        elif value.kind == "class" and _is_asked_for_as_view(module, node) and _array_base(value.ref) is not None:
            code, text = (
                "TNP416",
                f"no tensor is one of `{value.ref.node.name}`, whose class derives from a NumPy class",
            )
        elif isinstance(node, ast.Attribute) and _names_type_of_view(module, node):
            code, text = "TNP416", "`.view(type=...)` gives an array of a class derived from ndarray"
        elif isinstance(node, ast.Attribute):
            receiver = module.values.get(node.value)
            code = member_problem(node.attr) if receiver is not None and receiver.is_array and receiver.sure else None
            text = f"`.{node.attr}` is for ndarrays only"
            if rulebook is not None and rulebook.find(f"numpy.ndarray.{node.attr}") is not None:
                code = None
        if code is not None and text is not None:
            scope = scopes.around(node)
            yield scope, Reason(code, node, text, whole=True)


def _is_passed_on(module: Module, node: ast.expr) -> bool:
    """Whether a variable, or what a function of the project gives, is bound or returned: nothing is computed of it."""
    parent = module.names.scopes.parent
    above: ast.AST | None = parent.get(node)
    while isinstance(above, ast.Tuple | ast.List):
        above = parent.get(above)
    if not isinstance(above, ast.Return | ast.Assign | ast.Expr):
        return False
    value = module.values.get(node.func) if isinstance(node, ast.Call) else None
    return isinstance(node, ast.Name) or (value is not None and value.kind == "function")


def _is_stored_placeholder(module: Module, node: ast.expr) -> bool:
    """Whether an array of None is an attribute's first value: nobody computes with it before numbers replace it."""
    around: ast.AST | None = node
    while isinstance(around, ast.Attribute | ast.Call):
        around = module.names.scopes.parent.get(above := around)
    if not isinstance(around, ast.Assign) or above is not around.value:
        return False
    attributes = all(isinstance(one, ast.Attribute) for one in around.targets)
    return attributes and is_placeholder(module.values.get(around.value, UNKNOWN), around.value)


def _host_only_names(index: Index, module: Module, rulebook: Rulebook | None) -> Iterator[tuple[Scope, Reason]]:
    for reference in module.names.references:
        flaw = flagged(reference.name)
        if flaw is None or flaw[0] not in _HOST_ONLY or reference.context == "annotation":
            continue
        if reference.context == "call" and is_only_shown(index, module, module.names.scopes.parent.get(reference.node)):
            continue
        if rulebook is None or rulebook.find(reference.name) is None:
            text = f"np{reference.name[5:]} gives what no tensor can hold"
            yield reference.scope, Reason(flaw[0], reference.node, text, whole=True)


def _methods_of_ndarray(_index: Index, module: Module, _: Rulebook | None) -> Iterator[tuple[Scope, Reason]]:
    """Methods of ndarrays by the class, as values or called: `map(np.ndarray.sort, m)`. Tensors are of another class.

    A call that writes is left to the functional stage, which has a form for it or refuses it.
    """
    parent = module.names.scopes.parent
    for reference in module.names.references if b"ndarray." in module.source.body else ():
        method = parent.get(reference.node)
        if reference.name != "numpy.ndarray" or not isinstance(method, ast.Attribute):
            continue
        above = parent.get(method)
        if isinstance(above, ast.Call) and above.func is method and method.attr in traits.MUTATING_METHODS:
            continue
        if method.attr in traits.ARRAY_METHODS or (method.attr[:2] == "__" and method.attr not in _OF_CLASSES):
            text = f"`{ast.unparse(method)}` is for ndarrays only"
            yield reference.scope, Reason("TNP301", method, text, whole=True)


def _methods_of_subclasses(module: Module) -> Iterator[tuple[Function, ast.AST]]:
    for one in module.classes.values():
        if _array_base(one) is not None:
            yield from ((method, one.node) for method in one.methods.values())


def _array_class(module: Module, one: Class) -> str | None:
    """The class of NumPy's that a class is derived from."""
    bases = (module.names.of(base, one.scope.parent or module.names.scopes.module) for base in one.node.bases)
    return next((base for base in bases if base and base.startswith("numpy.")), None)


def _array_base(one: Class) -> str | None:
    """The class of NumPy's that a class or one that it is derived from derives from."""
    return next((found for base in one.lineage if (found := _array_class(base.module, base)) is not None), None)


def _names_type_of_view(module: Module, node: ast.Attribute) -> bool:
    """Whether an attribute is the `view` of `x.view(type=kind)`, whatever class that is."""
    call = module.names.scopes.parent.get(node)
    named = call.keywords if isinstance(call, ast.Call) and call.func is node and node.attr == "view" else []
    return any(one.arg == "type" for one in named)


def _is_asked_for_as_view(module: Module, node: ast.AST) -> bool:
    """Whether a class is what `x.view(Signal)` makes of an array."""
    call = module.names.scopes.parent.get(node)
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "view"


def _is_computed_with(module: Module, node: ast.expr) -> bool:
    """Whether an expression is an operand, or what NumPy is called with."""
    above = module.names.scopes.parent.get(node)
    if isinstance(above, ast.Call) and node in above.args:
        name = module.names.of(above.func, module.names.scopes.around(above))
        return name is not None and is_numpy(name)
    return isinstance(above, ast.BinOp | ast.UnaryOp | ast.Compare | ast.AugAssign)


def exact_numbers(module: Module) -> Iterator[tuple[Function | None, ast.expr]]:
    """Functions that use Decimal or Fraction beside NumPy, which computes with them as objects, and the first such use.

    A use where nothing is NumPy's comes with None: the module's other functions may be passed such numbers.
    """
    if not any(name in module.source.body for name in (b"decimal", b"fractions")):
        return
    users = {module.outermost(one.scope) for one in module.names.references if one.context != "annotation"}
    found: dict[Function | None, ast.expr] = {}
    for name in ("Decimal", "Fraction", "decimal", "fractions"):
        for use in module.names.scopes.uses.get(name, ()):
            if (module.names.of(use.node, use.scope) or "").partition(".")[0] in ("decimal", "fractions"):
                owner = module.outermost(use.scope)
                found.setdefault(owner if owner in users else None, use.node)
    yield from found.items()
