"""One file of an analysed project: planned, rewritten, given the imports it needs; what goes wrong stays with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.backend.embedded_code import names_in_texts
from tnp_migrate.backend.imports import edit_imports
from tnp_migrate.backend.plan import Plan, make_plan
from tnp_migrate.backend.sites import HELPERS, Site
from tnp_migrate.compiled.marks import mark_compiled, needs_numpy_form
from tnp_migrate.compiled.numpy_forms import numpy_form
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.ledger import Bin, FileReport, Status, tally
from tnp_migrate.functional.recorded_reads import Walks
from tnp_migrate.islands.kept_functions import Islands
from tnp_migrate.numpy_facts.signatures import signature_table
from tnp_migrate.program.bound_names import check_names, is_imported_above, is_imported_first
from tnp_migrate.program.config import Config
from tnp_migrate.program.failed_files import failure_of
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.names import Names
from tnp_migrate.program.references import resolve_names
from tnp_migrate.program.scopes import collect_scopes
from tnp_migrate.rewriting.call_shapes import shapes_in
from tnp_migrate.rewriting.files import File, Functional, Translated, failure
from tnp_migrate.rewriting.helpers import FILE_NAME, called_for
from tnp_migrate.rewriting.rewrite import apply_decisions
from tnp_migrate.text.source import Source, SourceError, splice

Summaries = dict[Function | Module, Summary]


@dataclass(frozen=True)
class Analysis:
    """What is known of all files together."""

    index: Index
    islands: Islands
    summaries: Summaries
    walks: Walks = field(default_factory=dict)  # of the functional stage, which may be run over it again


def _site(module: Module, analysis: Analysis, config: Config, said: tuple[Finding, ...]) -> Site:
    table = signature_table(config.tensorflow, config.numpy)
    book, aliases = config.rulebook, aliases_of(module.names)
    index, islands, summaries = analysis.index, analysis.islands, analysis.summaries
    return Site(index, module, islands, summaries, book, table, aliases, config.tensor_methods, config.random, said)


def planned(file: File, analysis: Analysis, config: Config) -> tuple[Site, Plan]:
    """What is to become of a file that was resolved, with what it was decided by."""
    assert file.module is not None
    site = _site(file.module, analysis, config, file.said)
    return site, make_plan(site, mark_compiled if config.compile and file.cells is None else None)


def aliases_of(names: Names) -> dict[str, str]:
    """The file's names for tnp, tf, the helpers and np: its own where it has them, free ones else."""
    taken = {name for scope in names.scopes.of.values() for name in scope.bound}
    found: dict[str, str] = {}
    for wanted, qualified in (("tf", "tensorflow"), ("tnp", "tensorflow.experimental.numpy"), (HELPERS, "")):
        own = _own_name(names, qualified) if qualified else None
        free = wanted
        while own is None and free in taken and not _is_helper_import(names, free):
            free += "_"
        found[wanted] = own or free
    numpy = _own_name(names, "numpy")
    if numpy is not None and is_imported_above(names.scopes, numpy):
        found["np"] = numpy
    return found


def _own_name(names: Names, qualified: str) -> str | None:
    """What a module calls a library everywhere: no function means something else by it."""
    module, scopes = names.scopes.module, names.scopes.of.values()
    for name in module.bound:
        if names.root(name, module) == qualified and all(
            names.root(name, scope) == qualified for scope in scopes if name in scope.bound
        ):
            return name
    return None


def _is_helper_import(names: Names, name: str) -> bool:
    root = names.root(name, names.scopes.module)
    return root is not None and root.rpartition(".")[2] == FILE_NAME.removesuffix(".py")


def translate(file: File, analysis: Analysis, imported: set[str], config: Config, *, rewrite: bool) -> Translated:
    """Plan one file and, where `rewrite`, give its new text. `imported` are the names other modules take from it."""
    source = file.source
    data = file.as_read.data
    assert file.module is not None
    try:
        site, plan = planned(file, analysis, config)
        after = _rewritten(file, site, plan, imported) if rewrite else data
        after = data if file.first is not None and not rewrite else after
    except Exception as error:  # noqa: BLE001  # a mistake of ours must not take the user's other files with it
        return Translated(failure(source.path, data, failure_of(error)))
    if file.first is not None:
        _account(file.first, plan, source)
    if not plan.ledger.balanced():
        message = f"the ledger does not balance: {plan.ledger}"
        return Translated(failure(source.path, data, SourceError("TNP910", message)))
    helpers = plan.helpers | helpers_in_use(site.module.names)
    islands = tuple(one.name for one in site.module.functions.values() if one in site.islands.functions)
    changed = after != data or (not rewrite and (plan.decisions or file.first is not None))
    status: Status = "translated" if changed else "unchanged"
    if islands and plan.ledger.island == plan.ledger.references:
        status = "island"
    report = FileReport(source.path, status, plan.ledger, tuple(plan.findings), islands, data, after)
    calls = helpers or (after != data and not file.is_stub)
    kept = config.compile and file.cells is None and rewrite and after != data and needs_numpy_form(site)
    form = numpy_form(file.found.location.name, data, after, file.outlined) if kept else None
    if not calls:
        return Translated(report, None, numpy_form=form)
    shapes = shapes_in(helpers, [after, *([form] if form is not None else [])]) | called_for(after)
    return Translated(report, frozenset(shapes), numpy_form=form)


def _account(first: Functional, plan: Plan, source: Source) -> None:
    """Count the user's own references: those still there, and those that the functional stage did away with."""
    assert source.origin is not None
    ended = {source.origin.was(span): outcome.bin for span, outcome in plan.references.items()}
    bins: list[Bin] = [ended.get(span, "rewritten") for span in first.references]
    plan.ledger = tally(len(first.references), bins)


def helpers_in_use(names: Names) -> set[str]:
    """The helpers that a file already calls, from an earlier run."""
    module = FILE_NAME.removesuffix(".py")
    found = set()
    for root, uses in names.scopes.uses.items():
        qualified = names.root(root, uses[0].scope) or ""
        if qualified.rpartition(".")[2] == module:
            found |= {use.attributes[0] for use in uses if use.attributes}
    return found


def _rewritten(file: File, site: Site, plan: Plan, imported: set[str]) -> bytes:
    source = file.source
    if not plan.decisions and not plan.edits and source.origin is None:
        return source.data
    body = apply_decisions(source, plan.decisions, plan.edits)
    moved = Source(source.path, source.encode(body))
    scopes = collect_scopes(moved.tree)
    is_package = file.found.location.name == "__init__.py"
    exports = site.module.names.exports
    names = resolve_names(moved, scopes, file.name, exports, is_package=is_package, apart=file.apart)
    added = _new_imports(file, site, names)
    read = imported | names_in_texts(site)
    edits = edit_imports(moved, names, added, exported=read, before=site.module.names)
    made = source.encode(splice(body, edits))
    known = site.module.names.scopes if file.as_read is source else collect_scopes(file.as_read.tree)
    check_names(file.as_read, known, Source(source.path, made))
    return made


def _new_imports(file: File, site: Site, names: Names) -> list[str]:
    """The import lines that the rewritten text needs and lacks."""
    uses, bound = names.scopes.uses, names.scopes.module.bound
    lines = []
    tf, tnp, helpers = site.aliases["tf"], site.aliases["tnp"], site.aliases[HELPERS]
    lacks = {one for one in (tf, tnp) if one in uses and not (one in bound and is_imported_first(names.scopes, one))}
    if tf in lacks:
        lines.append("import tensorflow as tf" if tf == "tf" else f"import tensorflow as {tf}")
    if tnp in lacks:
        lines.append(f"import tensorflow.experimental.numpy as {tnp}")
    if helpers not in bound and (helpers in uses or (lines and not file.is_stub)):
        lines.extend(helper_import(file, helpers, used=helpers in uses))
    return lines


def helper_import(file: File, alias: str, *, used: bool) -> list[str]:
    """The lines that import the helper module, relative in a package; two ways where the file also runs alone."""
    module = FILE_NAME.removesuffix(".py")
    name = f"{module} as {alias}" if used else module
    note = "" if used else "  # noqa: F401  # switches NumPy behaviour on"
    depth = len(file.found.location.parent.resolve().relative_to(file.top.resolve()).parts)
    if file.cells is not None or not (file.top / "__init__.py").is_file():
        return [f"import {name}{note}"]
    relative = f"from {'.' * (depth + 1)} import {name}{note}"
    if not file.runs_alone:
        return [relative]
    return ["try:", f"    {relative}", "except ImportError:  # run as a script", f"    import {name}{note[:14]}"]
