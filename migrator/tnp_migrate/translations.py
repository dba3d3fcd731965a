"""How a NumPy name is translated, for `tnp-migrate rule np.median`."""

from __future__ import annotations

from tnp_migrate.facts import PROOFS
from tnp_migrate.names import is_module
from tnp_migrate.names_table import REMOVED_CONSTANTS, canonical, flagged, kept_reason, member_problem
from tnp_migrate.rulebook import Rule, read_rulebook
from tnp_migrate.signatures import signature_table

_METHODS = frozenset("at reduce accumulate outer reduceat".split())  # of a ufunc


def explain_name(name: str) -> str | None:
    """Say what becomes of a name: the same in tnp, a rule with its text, kept, flagged with advice; None if unknown."""
    qualified = "numpy" + name[2:] if name.startswith("np.") else name
    if not qualified.startswith("numpy."):
        qualified = f"numpy.{qualified}"
    target = canonical(qualified)
    short = f"np{target[5:]}"
    rule = read_rulebook().find(qualified) or read_rulebook().find(target)
    if rule is not None:
        return _rule(short if rule.name == target.rpartition(".")[2] else f"np{qualified[5:]}", rule)
    if target in REMOVED_CONSTANTS:
        return f"{short}: becomes {REMOVED_CONSTANTS[target].replace('numpy', 'np')}"
    if target.startswith("builtins."):
        return f"np{qualified[5:]}: becomes Python's own `{target[9:]}`, whose name it was until NumPy 1.24"
    return _by_table(target, short)


def _rule(short: str, rule: Rule) -> str:
    definition = read_rulebook().definitions[rule.name].text
    where = "written out at the call" if rule.form == "inline" else "a helper in the module _tnp_helpers.py"
    direct = f"\nPlain tnp is used {_when(rule.direct)}.\n" if rule.direct is not None else ""
    return f"{short}: {where}\n{direct}\n{definition}"


def _when(direct: str) -> str:
    """Say when the rule is not needed."""
    if direct in _DIRECT:
        return _DIRECT[direct]
    return f"where the first argument is proven an array of {', '.join(sorted(PROOFS[direct]))}"


_DIRECT = {
    "arrays": "where no argument is a list, a tuple or a number",
    "parameters": "where the call gives only parameters that tnp has",
    "sequence": "where the first argument is a list or a tuple",
}


def _by_table(target: str, short: str) -> str | None:
    """Decide as the passes do for a name without a rule."""
    table = signature_table()
    found, kept = flagged(target), kept_reason(target)
    if found is not None and target not in table.tnp:
        return f"{short}: flagged ({found[0]}). {found[1]}"
    if target in table.tnp and not (kept is not None and target.startswith("numpy.random.")):
        parameters = table.tnp[target]
        call = f"({', '.join(one.name for one in parameters)})" if parameters else ""
        return f"{short}: the same name in tnp\n\n    tnp{target[5:]}{call}"
    if is_module(target):
        return f"{short}: a module; ask for one of its names, such as {short}.{_first_name(target)}"
    if kept is not None:
        return f"{short}: kept on NumPy on purpose: {kept}"
    member = target.removeprefix("numpy.ndarray.")
    if member != target and (code := member_problem(member)) is not None:
        return f"{short}: flagged ({code}). A tensor has no `{member}`; `tnp-migrate rule {code}` says what to do"
    function, _, method = target.rpartition(".")
    if target in table.numpy or (function in table.numpy and method in _METHODS):
        return f"{short}: no translation yet; what calls it stays on NumPy, and the report says so"
    return None


def _first_name(module: str) -> str:
    """A name that the module has, for an example."""
    names = sorted(name for name in signature_table().numpy if name.startswith(f"{module}."))
    return next((name.rpartition(".")[2] for name in names), "...")
