"""What stays on NumPy on purpose, with the conversions its neighbours need.

Input `x = np.random.randn(3)`, output `x = tnp.asarray(np.random.randn(3))`: NumPy's stream, a tensor for the rest.
"""

from __future__ import annotations

import ast

from tnp_migrate.analysis.effects import callees
from tnp_migrate.backend.library_calls import holds_tensors, may_hold_tensors
from tnp_migrate.backend.sites import Site, end
from tnp_migrate.diagnostics.decisions import Decision, Outcome
from tnp_migrate.numpy_facts.names_table import NEEDS_NDARRAY, SIZE_POSITION, kept_reason, returns_array
from tnp_migrate.numpy_facts.values import element_of
from tnp_migrate.program.names import Reference, is_numpy, split_name

_NEW = frozenset(f"numpy.{name}" for name in "zeros ones empty eye identity".split())


def keep_call(site: Site, reference: Reference, call: ast.Call) -> Outcome:
    """Keep a call; an array that it gives becomes a tensor, tensors that it cannot read become arrays."""
    decisions: list[Decision] = []
    helpers: set[str] = set()
    raising = [
        word
        for word in call.keywords
        if isinstance(word.value, ast.Constant) and word.value.value in ("raise", "warn", "call")
    ]
    if reference.name in ("numpy.errstate", "numpy.seterr") and raising:
        message = "TensorFlow neither raises nor warns of floating point errors"
        return Outcome(
            reference.span, "flagged", (), (site.finding("TNP313", site.span(call), message, reference.name),)
        )
    if reference.name in NEEDS_NDARRAY and not reference.name.endswith("shuffle"):
        for argument in (*call.args, *(word.value for word in call.keywords if word.arg)):
            given = argument.value if isinstance(argument, ast.Starred) else argument
            if _may_be_tensor(site, reference, given):
                span = site.span(given)
                decisions.append(Decision(span, (f"{site.helper('to_numpy')}(", span, ")"), rule="to_numpy"))
                helpers.add("to_numpy")
    if returns_array(reference.name, call_has_size=has_size(call, reference.name)) and not feeds_tensorflow(site, call):
        span = site.span(call)
        drawn = _drawn_from(site, reference, call)
        if drawn in ("array", "scalar", "shape"):
            decisions.append(Decision(span, (f"{site.tnp('asarray')}(", span, ")"), rule="asarray"))
        elif drawn not in ("str", "instance", "dict"):  # only arrays of numbers become tensors
            decisions.append(Decision(span, (f"{site.helper('to_tensor')}(", span, ")"), rule="to_tensor"))
            helpers.add("to_tensor")
    return Outcome(reference.span, "kept", tuple(decisions), (), frozenset(helpers))


def _may_be_tensor(site: Site, reference: Reference, argument: ast.expr) -> bool:
    """Whether an argument has to be converted: seeds are numbers unless they are known to be arrays."""
    if reference.name == "numpy.random.default_rng":
        return holds_tensors(site, argument)
    return may_hold_tensors(site, argument)


def _drawn_from(site: Site, reference: Reference, call: ast.Call) -> str:
    """The kind of what is drawn from, or shuffled: people and words are no numbers."""
    if reference.name.rpartition(".")[2] not in ("choice", "permutation", "permuted"):
        return "array"
    given = [*call.args, *(word.value for word in call.keywords if word.arg in ("a", "x"))]
    if not given or isinstance(given[0], ast.Starred):
        return "unknown"
    value = site.value(given[0])
    while value.kind in ("list", "tuple"):
        value = element_of(value)
    return value.kind


def keep_value(reference: Reference) -> Outcome:
    """Keep a name that is not called."""
    return end(reference, "kept")


def has_size(call: ast.Call, name: str) -> bool:
    """Whether a draw is given a size, and so gives an array."""
    position = SIZE_POSITION.get(name.rpartition(".")[2])
    if any(
        word.arg == "size" and not (isinstance(word.value, ast.Constant) and word.value.value is None)
        for word in call.keywords
    ):
        return True
    return (
        position is not None
        and len(call.args) > position
        and not any(isinstance(one, ast.Starred) for one in call.args)
    )


def feeds_tensorflow(site: Site, call: ast.expr) -> bool:
    """Whether a value goes straight into a translated NumPy call, which converts it by itself."""
    above = site.parent(call)
    if not isinstance(above, ast.Call) or call not in above.args:
        return False
    qualified = site.qualified(above.func)
    if qualified is None:
        return False
    if qualified.startswith("tensorflow.") or "_tnp_helpers." in qualified:
        return True
    return is_numpy(qualified) and kept_reason(split_name(qualified)[0]) is None


def feeds_islands(site: Site, reference: Reference, call: ast.Call) -> bool:
    """Whether a new array goes straight into functions that stay on NumPy, which may keep it and write to it."""
    if reference.name not in _NEW:
        return False
    above = site.parent(call)
    if not isinstance(above, ast.Assign) or len(above.targets) != 1 or not isinstance(above.targets[0], ast.Name):
        return _is_given_to_island(site, call)
    name, scopes = above.targets[0].id, site.module.names.scopes
    owner = scopes.around(call).owner(name)
    uses = [use.node for use in scopes.uses.get(name, ()) if use.scope.owner(name) is owner]
    given = [use for use in uses if _is_given_to_island(site, use)]
    return bool(given) and all(use in given or isinstance(site.parent(use), ast.If) for use in uses)


def _is_given_to_island(site: Site, node: ast.expr) -> bool:
    above = site.parent(node)
    above = site.parent(above) if isinstance(above, ast.keyword) else above
    if not isinstance(above, ast.Call) or above.func is node:
        return False
    called = callees(site.module, site.index, above)
    return bool(called) and all(one in site.islands.functions for one in called)
