"""How a NumPy name is translated, for `tnp-migrate rule np.median`."""

from __future__ import annotations

from tnp_migrate.numpy_facts.names_table import canonical
from tnp_migrate.numpy_facts.rulebook import Rule, read_rulebook
from tnp_migrate.numpy_facts.signatures import signature_table
from tnp_migrate.program.names import is_module
from tnp_migrate.reports.answers import Answer, answer_of, when_direct


def explain_name(name: str) -> str | None:
    """Say what becomes of a name: the same in tnp, a rule with its text, kept, flagged with advice; None if unknown."""
    qualified = "numpy" + name[2:] if name.startswith("np.") else name
    if not qualified.startswith("numpy."):
        qualified = f"numpy.{qualified}"
    target = canonical(qualified)
    short = f"np{target[5:]}" if target.startswith("numpy.") else f"np{qualified[5:]}"
    if is_module(target):
        return f"{short}: a module; ask for one of its names, such as {short}.{_first_name(target)}"
    answer = answer_of(target)
    if answer is None:
        return None
    return _rule(short, answer.rule) if answer.rule is not None else f"{short}: {_words(answer)}"


def _rule(short: str, rule: Rule) -> str:
    definition = read_rulebook().definitions[rule.name].text
    where = "written out at the call" if rule.form == "inline" else "a helper in the module _tnp_helpers.py"
    direct = f"\nPlain tnp is used {when_direct(rule.direct)}.\n" if rule.direct is not None else ""
    return f"{short}: {where}\n{direct}\n{definition}"


def _words(answer: Answer) -> str:
    """Tell the answer of a name without a rule."""
    if answer.kind == "direct" and answer.text.startswith("tnp."):
        parameters = signature_table().tnp[answer.target]
        call = f"({', '.join(one.name for one in parameters)})" if parameters else ""
        return f"the same name in tnp\n\n    {answer.text}{call}"
    if answer.kind == "direct":
        return answer.text
    if answer.kind == "kept":
        return f"kept on NumPy on purpose: {answer.text}"
    if answer.kind == "flagged":
        return f"flagged ({answer.code}). {answer.text}"
    old = ", whose name it was until NumPy 1.24" if answer.target.startswith("builtins.") else ""
    return f"becomes {answer.text}{old}"


def _first_name(module: str) -> str:
    """A name that the module has, for an example."""
    names = sorted(name for name in signature_table().numpy if name.startswith(f"{module}."))
    return next((name.rpartition(".")[2] for name in names), "...")
