"""Where a file has names from: imports that hide what is NumPy's, and Keras, which shares TensorFlow's switch.

Input `from pylab import *`, output a finding: what such an import brings is not translated.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.sites import Site
from tnp_migrate.diagnostics.decisions import Extra
from tnp_migrate.numpy_facts.numpy_api import STAR_NAMES
from tnp_migrate.program.names import IMPORTING, STAR_RIVALS, is_numpy
from tnp_migrate.program.nodes import walk

_GIVE_NUMPY = frozenset("numpy pylab matplotlib.pylab scipy".split())  # to a star import


def find_sources(site: Site) -> Iterator[Extra]:
    """Say which imports are not followed, and what else depends on one."""
    yield from _modules_by_name(site)
    yield from _unknown_stars(site)
    yield from _keras(site)


def _modules_by_name(site: Site) -> Iterator[Extra]:
    """NumPy imported by a call, except `np = importlib.import_module("numpy")`, whose names are followed."""
    names = site.module.names
    if not names.reaches({one.partition(".")[0] for one in IMPORTING}):
        return
    for node in walk(site.source.tree):
        if not isinstance(node, ast.Call | ast.Subscript) or not _asks_for_numpy(site, node):
            continue
        above = site.parent(node)
        if not isinstance(above, ast.Expr) and not names.follows(above):
            message = f"what {ast.unparse(node)} gives is not followed: its uses are not translated"
            yield Extra((), (site.finding("TNP212", site.span(node), message),))


def _asks_for_numpy(site: Site, node: ast.Call | ast.Subscript) -> bool:
    place = node.func if isinstance(node, ast.Call) else node.value
    names = site.module.names
    if names.called(place, names.scopes.around(node)) not in IMPORTING:
        return False
    asked = node.args if isinstance(node, ast.Call) else [node.slice]
    texts = [one.value for argument in asked for one in walk(argument) if isinstance(one, ast.Constant)]
    return any(isinstance(text, str) and is_numpy(text) for text in texts)


def _unknown_stars(site: Site) -> Iterator[Extra]:
    """Star imports of modules outside the project that bring NumPy's names, or may hide them."""
    names, module = site.module.names, site.module.names.scopes.module
    used = {name for name in names.scopes.uses if module.owner(name) is None}
    above: set[str] = set()  # what the stars before bring of NumPy
    for node, _ in names.scopes.imports:
        if not isinstance(node, ast.ImportFrom) or node.names[0].name != "*":
            continue
        source = names.absolute(node)
        if source in STAR_NAMES or source in names.exports:
            above |= STAR_NAMES.get(source) or set(names.exports[source].numpy)
            continue
        taken = sorted(used & above)
        if source in _GIVE_NUMPY or is_numpy(source):
            message = f"the star import of {source} brings names of NumPy, which are not translated"
        elif taken and source not in STAR_RIVALS:
            message = f"{', '.join(taken[:3])} may come from {source}, and not from NumPy as is taken here"
        else:
            continue
        yield Extra((), (site.finding("TNP207", site.span(node), message, source),))


def _keras(site: Site) -> Iterator[Extra]:
    """The first place where a file has Keras."""
    names = site.module.names
    imports: list[tuple[ast.stmt | ast.expr, str]] = []
    for node, _ in names.scopes.imports:
        base = f"{node.module or ''}." if isinstance(node, ast.ImportFrom) else ""
        imports += [(node, f"{base}{one.name}") for one in node.names]
    for uses in names.scopes.uses.values():
        imports += [(one.node, site.qualified(one.node) or "") for one in uses if one.attributes[:1] == ("keras",)]
    found = [node for node, name in imports if f"{name}.".startswith(("keras.", "tf_keras.", "tensorflow.keras."))]
    if found:
        message = "NumPy behaviour is switched on for all of TensorFlow, and so for Keras"
        yield Extra((), (site.finding("TNP309", site.span(found[0]), message, "keras"),))
