"""How a NumPy name is translated, for `tnp-migrate rule np.median`."""

from __future__ import annotations

from tnp_migrate.names import is_module
from tnp_migrate.names_table import REMOVED_CONSTANTS, canonical, flagged, kept_reason
from tnp_migrate.rulebook import read_rulebook
from tnp_migrate.signatures import signature_table


def explain_name(name: str) -> str | None:
    """Say what becomes of a name: the same in tnp, a rule with its text, kept, or flagged with advice."""
    qualified = "numpy" + name[2:] if name.startswith("np.") else name
    if not qualified.startswith("numpy."):
        qualified = f"numpy.{qualified}"
    target = canonical(qualified)
    short = "np" + target[5:] if target.startswith("numpy") else target
    rule = read_rulebook().find(qualified) or read_rulebook().find(target)
    table = signature_table()
    if rule is not None:
        definition = read_rulebook().definitions[rule.name].text
        where = "written out at the call" if rule.form == "inline" else "a helper in the module _tnp_helpers.py"
        direct = f"\nWhere the first argument is proven `{rule.direct}`, plain tnp is used.\n" if rule.direct else ""
        return f"{short}: {where}\n{direct}\n{definition}"
    found = flagged(target)
    if found is not None and target not in table.tnp:
        return f"{short}: flagged ({found[0]}). {found[1]}"
    if target in table.tnp:
        parameters = table.tnp[target]
        names = ", ".join(one.name for one in parameters) if parameters else ""
        call = f"({names})" if parameters else ""
        return f"{short}: the same name in tnp\n\n    tnp{target[5:]}{call}"
    reason = kept_reason(target)
    if reason is not None:
        return f"{short}: kept on NumPy on purpose: {reason}"
    if target in REMOVED_CONSTANTS:
        return f"{short}: becomes {REMOVED_CONSTANTS[target]}"
    if target in table.numpy and not is_module(target):
        return f"{short}: no translation yet; the call stays on NumPy and is reported as TNP201"
    return None


