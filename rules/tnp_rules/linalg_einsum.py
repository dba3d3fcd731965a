"""Einstein summation."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.linalg_products import _kernel_dtype, _product_result
from tnp_rules.support import _promoted, _tensor

_LABELS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@helper("numpy.einsum")
def einsum(*operands: Any, optimize: Any = False) -> tf.Tensor:
    """tnp.einsum wants the form with a string, an explicit ellipsis, equal lengths and no small integers.

    The order of contraction changes no value but by rounding: a list of pairs in `optimize` is left to TensorFlow.
    """
    subscripts, arrays = _einsum_operands(operands)
    tensors = _promoted(*[_tensor(array) for array in arrays])
    dtype = tensors[0].dtype
    inputs, _, output = subscripts.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if "->" not in subscripts:
        output = _implicit_output(inputs)
    if len(terms) != len(tensors):
        raise ValueError("the number of operands does not equal the number of terms in the subscripts string")
    terms, tensors = _without_broadcast_labels(terms, [tf.cast(x, _kernel_dtype(dtype)) for x in tensors])
    strategy = optimize if isinstance(optimize, str) else "greedy"
    return _product_result(tf.einsum(f"{','.join(terms)}->{output}", *tensors, optimize=strategy), dtype)


def _einsum_operands(operands: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """Bring `einsum(a, [0, 1], b, [1, 2], [0, 2])` to the form with a string."""
    if isinstance(operands[0], str):
        return operands[0], list(operands[1:])
    pairs = len(operands) // 2
    terms = ",".join(_label_text(sublist) for sublist in operands[1 : 2 * pairs : 2])
    output = "" if len(operands) == 2 * pairs else "->" + _label_text(operands[-1])
    return terms + output, list(operands[: 2 * pairs : 2])


def _label_text(sublist: Any) -> str:
    return "".join("..." if label is Ellipsis else _LABELS[label] for label in sublist)


def _implicit_output(inputs: str) -> str:
    """Return what NumPy takes to follow the arrow: the ellipsis, then the labels that occur once, sorted."""
    labels = inputs.replace("...", "").replace(",", "")
    return ("..." if "..." in inputs else "") + "".join(sorted(x for x in set(labels) if labels.count(x) == 1))


def _without_broadcast_labels(terms: list[str], tensors: list[tf.Tensor]) -> tuple[list[str], list[tf.Tensor]]:
    """Drop axes of length 1 whose label is longer elsewhere; refuse other lengths that differ."""
    lengths: dict[str, Any] = {}
    places = [_labelled_axes(term, x.shape.rank) for term, x in zip(terms, tensors)]
    for labelled, x in zip(places, tensors):
        for axis, label in labelled.items():
            known = lengths.setdefault(label, x.shape[axis])
            if known in (1, None):
                lengths[label] = x.shape[axis]
            elif x.shape[axis] not in (1, None, known):
                raise ValueError(f"operands could not be broadcast together: {label} is {known} and {x.shape[axis]}")
    for index, (labelled, x) in enumerate(zip(places, tensors)):
        single = [axis for axis, label in labelled.items() if x.shape[axis] == 1 and lengths[label] not in (1, None)]
        if [axis for axis in single if terms[index].count(labelled[axis]) > 1]:
            raise ValueError(f"dimensions in operand {index} for collapsing one label do not match")
        if single:
            dropped = {labelled[axis] for axis in single}
            terms = [*terms[:index], "".join(x for x in terms[index] if x not in dropped), *terms[index + 1 :]]
            tensors = [*tensors[:index], tf.squeeze(x, single), *tensors[index + 1 :]]
    return terms, tensors


def _labelled_axes(term: str, rank: int) -> dict[int, str]:
    """Return the label of each axis that has one."""
    before, dots, after = term.partition("...")
    count = len(before) + len(after)
    if count > rank or (not dots and count != rank):
        raise ValueError(f"einstein sum subscripts string {term!r} does not fit an operand of {rank} dimensions")
    return dict(enumerate(before)) | {rank - len(after) + i: label for i, label in enumerate(after)}
