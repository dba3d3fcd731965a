"""Arguments that functions of NumPy give back, as a result or a part of one, though they are no views of the first.

`np.histogram(x, edges)` gives `edges` itself beside the counts, `np.diff(x, n=0)` is `x`. Measured with
`np.shares_memory` on the samples of all rules: `tests/test_given_back.py`.
"""

from __future__ import annotations

import ast

from tnp_migrate.numpy_facts.signatures import Unbindable, bind_call, may_not_copy, signature_table

_ALL = "*"
# The parameters that a function gives back.
_PARAMETERS: dict[str, str] = {
    **{f"numpy.{name}": "bins" for name in "histogram histogram_bin_edges histogram2d histogramdd".split()},
    **{f"numpy.{name}": _ALL for name in "ix_ broadcast_arrays atleast_1d atleast_2d atleast_3d asfarray".split()},
    "numpy.ndarray": "buffer",
}
# Functions that give their first argument where a parameter has a value: its name, and the value.
_WHERE: dict[str, tuple[str, object]] = {
    "numpy.diff": ("n", 0),
    "numpy.polyder": ("m", 0),
    "numpy.polyint": ("m", 0),
    "numpy.linalg.matrix_power": ("n", 1),
    **{f"numpy.fft.{name}": ("axes", ()) for name in "fft2 ifft2 fftn ifftn".split()},
}


def given_back(call: ast.Call, name: str) -> list[ast.expr]:
    """The arguments whose memory what a call of a function of NumPy gives may be, or a part of that."""
    parameter = _PARAMETERS.get(name)
    if parameter == _ALL or (name == "numpy.meshgrid" and may_not_copy(call)):
        return call.args
    if name == "numpy.einsum":  # of one operand: a diagonal, or with its axes in another order
        if any(isinstance(one, ast.List | ast.Tuple) for one in call.args[1:2]):  # `np.einsum(x, [0, 0], [0])`
            return call.args[:1] if len(call.args) <= 3 else []
        return call.args[1:] if len(call.args) == 2 else []
    given = _bound(call, name) if parameter is not None or name in _WHERE else {}
    if parameter is not None:
        return [given[parameter]] if parameter in given else []
    where, value = _WHERE.get(name, ("", None))
    return call.args[:1] if where in given and _may_be(given[where], value) else []


def _bound(call: ast.Call, name: str) -> dict[str, ast.expr]:
    """What a call gives for each parameter, as far as that is known."""
    signature = signature_table().numpy.get(name)
    words = {word.arg: word.value for word in call.keywords if word.arg is not None}
    if signature is None:
        return {**dict(zip(("shape", "dtype", "buffer"), call.args, strict=False)), **words}  # of a class: `np.ndarray`
    try:
        return dict(bind_call(call, signature).given)
    except Unbindable:
        return {**dict(zip((one.name for one in signature), call.args, strict=False)), **words}


def _may_be(given: ast.expr, value: object) -> bool:
    """Whether an argument may have a value: where it is written out, by that."""
    try:
        return bool(ast.literal_eval(given) == value)
    except (ValueError, TypeError, SyntaxError):
        return value != ()  # of axes hardly ever none at all
