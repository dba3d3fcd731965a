"""What becomes of a NumPy name, decided from the tables that the passes decide by: one answer for each name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from tnp_migrate.numpy_facts.limits import limits_of
from tnp_migrate.numpy_facts.names_table import (
    REMOVED_CONSTANTS,
    TENSOR_MEMBERS,
    canonical,
    dtype_problem,
    flagged,
    kept_reason,
    member_problem,
)
from tnp_migrate.numpy_facts.random_draws import LACKING, RANDOM_MAKERS, SEED_MATERIAL, draws_of
from tnp_migrate.numpy_facts.rulebook import Rule, read_rulebook
from tnp_migrate.numpy_facts.signatures import Signature, names_of, numpy_names, signature_table
from tnp_migrate.numpy_facts.traits import MUTATED_ARGUMENT, MUTATING_METHODS, PROOFS, UFUNCS_AT
from tnp_migrate.program.names import is_module, is_ufunc_method

Kind = Literal["direct", "rule", "helper", "kept", "flagged"]
KINDS: tuple[Kind, ...] = ("direct", "rule", "helper", "kept", "flagged")
IN_PLACE = "writes into an array and has no functional form: the function that calls it stays on NumPy"
# What a call in place becomes, as `functional/call_forms.py` writes it: the helper, and the parameters that it lacks.
UPDATED: dict[str, tuple[str, frozenset[str]]] = {
    "numpy.copyto": ("copy_update", frozenset()),
    "numpy.fill_diagonal": ("diagonal_update", frozenset()),
    "numpy.place": ("place_update", frozenset()),
    "numpy.put": ("flat_update", frozenset()),
    "numpy.put_along_axis": ("along_axis_update", frozenset()),
    "numpy.putmask": ("mask_update", frozenset()),
    "numpy.random.shuffle": ("shuffled", frozenset()),
    **{f"numpy.{name}.at": ("ufunc_at", frozenset()) for names in UFUNCS_AT.values() for name in names},
    "numpy.add.at": ("add_at", frozenset()),
    "numpy.subtract.at": ("subtract_at", frozenset()),
    "numpy.ndarray.fill": ("index_update", frozenset()),
    "numpy.ndarray.partition": ("partition", frozenset({"kind", "order"})),
    "numpy.ndarray.put": ("flat_update", frozenset()),
    "numpy.ndarray.resize": ("resized", frozenset()),
    "numpy.ndarray.sort": ("sort", frozenset({"order"})),
}
_DIRECT = {
    "counted": "where no axis is negative",
    "arrays": "where no argument is a list, a tuple or a number",
    "parameters": "where the call gives only parameters that tnp has",
    "sequence": "where the first argument is a list or a tuple",
    "items": "where the first argument is written as a list or a tuple of some items",
    "divisor": "where the first argument is an array of floats, or the second a written number but 0",
}


@dataclass(frozen=True)
class Answer:
    """A name's class, what it becomes or why it stays, where that stands, and NumPy's parameters by support.

    `limits` say where a call of what the name becomes is known not to do as NumPy.
    """

    target: str
    kind: Kind
    text: str
    source: str
    code: str = ""
    supported: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    rule: Rule | None = None
    limits: tuple[str, ...] = ()


_ARRAY_TYPE = Answer("numpy.ndarray", "kept", "a type: where types are tested, tensors are accepted too", "types.py")


def answer_of(name: str) -> Answer | None:
    """Answer for a qualified name, in any of its spellings; None for a module and for what NumPy does not have."""
    target = canonical(name)
    answer = _answer(target)
    return answer and replace(answer, limits=limits_of(target))


def _answer(target: str) -> Answer | None:
    rule = read_rulebook().find(target)
    if rule is not None:
        return _by_rule(target, rule)
    if target in REMOVED_CONSTANTS:
        return Answer(target, "rule", REMOVED_CONSTANTS[target].replace("numpy", "np"), "numpy_api.py")
    if target.startswith("builtins."):
        return Answer(target, "rule", f"Python's own `{target[9:]}`", "numpy_api.py")
    if is_module(target):
        return None
    if target == _ARRAY_TYPE.target:
        return _ARRAY_TYPE
    return _by_table(target) or _by_place(target)


def when_direct(direct: str) -> str:
    """Say when plain tnp is right and the rule is not needed."""
    if direct in _DIRECT:
        return _DIRECT[direct]
    axes = ", with at least two axes" if direct == "matrix" else ""
    return f"where the first argument is proven an array of {', '.join(sorted(PROOFS[direct]))}{axes}"


def _by_rule(target: str, rule: Rule) -> Answer:
    names = [name for name, _ in rule.parameters]
    signature = signature_table().numpy.get(target)
    if signature is None and target.startswith("numpy.ndarray."):
        names = names[1:]
    wanted = names if signature is None else names_of(signature)
    supported = [name for name in wanted if name in names or rule.takes_anything]
    text = "written out at the call" if rule.form == "inline" else f"helper {rule.name}"
    if rule.direct is not None:
        text += f"; plain tnp {when_direct(rule.direct)}"
    return Answer(
        target,
        "rule" if rule.form == "inline" else "helper",
        text,
        f"rules/tnp_rules/{rule.module}.py",
        supported=tuple(supported),
        missing=tuple(name for name in wanted if name not in supported),
        rule=rule,
    )


def _by_table(target: str) -> Answer | None:
    """The same name in tnp, or the tables of what is kept and flagged, in the order in which the passes ask."""
    tnp = signature_table().tnp
    found, kept = flagged(target), kept_reason(target)
    if found is not None and (target not in tnp or dtype_problem(target) is not None):
        return Answer(target, "flagged", found[1], "flagged_names.py", found[0])
    if target in tnp and not (kept is not None and target.startswith("numpy.random.")):
        return _direct(target, tnp[target])
    if target in MUTATED_ARGUMENT or target.endswith(".at"):
        known = target in MUTATED_ARGUMENT or is_ufunc_method(target, signature_table().numpy)
        return _in_place(target) if known else None
    return Answer(target, "kept", kept + _when_tensorflow_draws(target), "kept_names.py") if kept is not None else None


def _when_tensorflow_draws(target: str) -> str:
    """What `--random tensorflow` makes of a name of numpy.random; nothing for other names."""
    if not target.startswith("numpy.random."):
        return ""
    owner, _, name = target.removeprefix("numpy.random.").rpartition(".")
    if not owner and name in RANDOM_MAKERS:
        return f"; with `--random tensorflow` `tnh.{name}`, on a tf.random.Generator"
    if not owner and name in SEED_MATERIAL:
        return "; with `--random tensorflow` too, where TensorFlow's generators are seeded from it"
    owner = owner or "RandomState"
    draw = draws_of(owner).get(name)
    if draw is None:
        return "; with `--random tensorflow` too: there is no counterpart"
    if draw.on_host:
        return "; with `--random tensorflow` too: TensorFlow cannot draw it"
    lacking = LACKING[owner].get(name, ())
    but = f", without {', '.join(lacking)}" if lacking else ""
    return f"; with `--random tensorflow` drawn by tf.random.Generator under the same name{but}"


def _by_place(target: str) -> Answer | None:
    """Members of arrays, and the functions that are NumPy's and nothing else."""
    member = target.removeprefix("numpy.ndarray.")
    if member != target:
        return _member(target, member)
    numpy = signature_table().numpy
    if target in numpy or is_ufunc_method(target, numpy):
        return Answer(target, "flagged", "TensorFlow has no such function.", "signatures.json", "TNP201")
    return None


def _in_place(target: str) -> Answer:
    """What writes to an array gives a value that is bound again, where it has such a form."""
    if target not in UPDATED:
        return Answer(target, "kept", IN_PLACE, "traits.py")
    helper, without = UPDATED[target]
    made = f"tnh.{helper}({'x, np.random.shuffle' if helper == 'shuffled' else 'x, ...'})"
    form = f"x = tnh.in_place(x, {made})" if helper in ("partition", "sort") else f"x = {made}"
    wanted = names_of(signature_table().numpy.get(target, ()))
    return Answer(
        target,
        "helper",
        f"`{form}`; where that is not sound, the function that calls it stays on NumPy",
        "functional/call_forms.py",
        supported=tuple(name for name in wanted if name not in without),
        missing=tuple(name for name in wanted if name in without),
    )


def _direct(target: str, signature: Signature | None) -> Answer:
    table = signature_table()
    source = table.numpy.get(target, ())
    fitting = () if signature is None else numpy_names(signature, source)
    unfit = table.unfit.get(target, frozenset())
    wanted = names_of(source) or list(fitting)
    supported = tuple(name for name in wanted if name in fitting and name not in unfit)
    missing = () if signature is None else tuple(name for name in wanted if name not in supported)
    return Answer(target, "direct", f"tnp{target[5:]}", "signatures.json", supported=supported, missing=missing)


def _member(target: str, member: str) -> Answer | None:
    code = member_problem(member)
    if code is not None:
        text = f"A tensor has no `{member}`; `tnp-migrate rule {code}` says what to do."
        return Answer(target, "flagged", text, "flagged_names.py", code)
    if member in MUTATING_METHODS:
        return _in_place(target)
    if member not in TENSOR_MEMBERS:
        return None
    signature = signature_table().numpy.get(target, ())
    wanted = names_of(signature)
    missing = tuple(name for name in wanted if name in TENSOR_MEMBERS[member])
    supported = tuple(name for name in wanted if name not in missing)
    text = f"a tensor's own {member}"
    return Answer(target, "direct", text, "flagged_names.py", supported=supported, missing=missing)
