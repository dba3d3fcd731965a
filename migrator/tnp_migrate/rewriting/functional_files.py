"""The functional stage on a project's files: each that changes gets the text between the stages as its source."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tnp_migrate.analysis.shared_names import SharedNames
from tnp_migrate.analysis.veto import Objection
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.functional.stage import Functionalised, functionalise
from tnp_migrate.functional.unit import Refused
from tnp_migrate.islands.kept_functions import Islands, Reason
from tnp_migrate.program.attributes import attribute_name, meeting
from tnp_migrate.program.index import Class, Function, Index, Module
from tnp_migrate.program.nodes import walk
from tnp_migrate.rewriting.between_stages import functional_source
from tnp_migrate.rewriting.files import File, Functional
from tnp_migrate.rewriting.translated_file import Analysis, aliases_of
from tnp_migrate.rewriting.unfolded_files import Unfolding, as_written
from tnp_migrate.text.source import Source, SourceError, Span

Refusals = dict[tuple[str, str], Refused]
# Islands for these reasons are islands because they write to arrays: what this stage is for.
_WRITES = frozenset({"TNP301", "TNP306"})


class Unparsable(Exception):
    """The text between the stages is no Python in some file."""


def functionalise_files(
    files: list[File],
    analysis: Analysis,
    imported: dict[str, set[str]],
    refusals: Refusals,
    unfolding: Unfolding,
    shared: SharedNames,
) -> set[tuple[str, str]]:
    """Run the stage; files whose text it changes get a new source in place. Fills in `refusals`, keeps what is in it.

    Gives the functions that it changed, as names of modules and of functions in them. Functions of a file whose new
    text does not parse, a mistake of ours, are refused: the files have to be restored then and the stage run again.
    Where statements are to become several ones first, raises `Unfolded` with nothing else done.
    """
    kept = {one for one, reason in analysis.islands.functions.items() if reason.code not in _WRITES}
    kept |= {one for one in analysis.index.functions() if (one.module.name, one.place) in refusals}
    taken = frozenset(name for names in imported.values() for name in names)
    helpers = {module: aliases_of(module.names)["tnh"] for module in analysis.index.modules.values()}
    walks = analysis.walks
    made = functionalise(analysis.index, analysis.summaries, kept, taken, helpers, unfolding, shared, walks)
    unfolding.unfold(files, made)
    changed = set(unfolding.names)
    for file in files:
        found = made.get(file.module) if file.module is not None else None
        if found is None or file.module is None:
            continue
        refused = found.refusals.items()
        refusals.update({(file.name, _name(body)): as_written(refusal, file.source) for body, refusal in refused})
        if not found.decisions and not found.edits and file.written is None:
            continue
        written = file.written or file.module
        references = tuple(dict.fromkeys(one.span for one in written.names.references))
        findings = tuple(_findings(file.source, found))
        file.first = Functional(written.source, references, findings, helpers[file.module])
        names = found.changed or {""}
        changed |= {(file.name, name) for name in names}
        try:
            file.source = functional_source(file.source, found.decisions, found.edits)
        except SourceError:
            nodes = {one.place: one.node for one in file.module.functions.values()}
            why = "the text that the functional stage makes of it does not parse: please report it"
            refusals.update(
                {(file.name, name): Refused(nodes.get(name, file.module.source.tree), why) for name in names}
            )
            raise Unparsable from None
        file.module = None
    return changed


def restore(modules: list[tuple[File, Module | None]]) -> None:
    """Put the user's own sources back, and the modules that they were analysed as."""
    for file, module in modules:
        file.source, file.first, file.module, file.written = file.as_read, None, module, None


def refused_by(objections: dict[tuple[str, str], Objection]) -> Refusals:
    """What the heap objects to, as refusals of the stage."""
    return {key: Refused(one.node, one.message, one.other, because=one.because) for key, one in objections.items()}


def refused_bodies(index: Index, refusals: Refusals) -> Islands:
    """The functions, classes and modules that stay on NumPy because the stage refused them or what is in them."""
    islands = Islands()
    functions, modules = islands.functions, islands.modules
    shared = {one.attribute: (key, one) for key, one in refusals.items() if one.attribute is not None}
    for module in index.modules.values():
        for one, attribute in _users_of(module, shared):
            first, refusal = shared[attribute]
            reason = Reason("TNP306", one.node, refusal.message, whole=True, because=first)
            if isinstance(one, Class):
                islands.classes.setdefault(one, reason)
            else:
                functions.setdefault(one, reason)
        own = refusals.get((module.name, ""))
        if own is not None:
            modules[module] = Reason("TNP308", module.source.tree, why(own), whole=True, because=own.because)
        for function in module.functions.values():
            own = refusals.get((module.name, function.place))
            if own is not None:
                reason = Reason("TNP301", function.node, why(own), whole=True, because=own.because)
                functions.setdefault(function.outermost, reason)
    return islands


def _users_of(module: Module, attributes: Iterable[str]) -> Iterator[tuple[Function | Class, str]]:
    """The methods that use one of some attributes, given by their keys, and the classes that bind one themselves."""
    for owner in module.classes.values() if attributes else ():
        parts: list[tuple[Function | Class, Iterable[str]]] = [(owner, owner.scope.bound)]
        parts += [(method, _attributes_in(method.node)) for method in owner.methods.values()]
        for one, names in parts:
            found = next((key for name in names if (key := meeting(f"{owner.family}:{name}", attributes))), None)
            if found is not None:
                yield one, found


def _attributes_in(node: ast.AST) -> Iterator[str]:
    return (one.attr for one in walk(node) if isinstance(one, ast.Attribute))


def why(refusal: Refused) -> str:
    """The reason of a refusal with the lines that conflict."""
    lines = [one.lineno for one in (refusal.node, refusal.other) if one is not None and hasattr(one, "lineno")]
    places = " and ".join(str(line) for line in dict.fromkeys(lines))
    return f"{refusal.message} (line{'s' if ' ' in places else ''} {places})" if places else refusal.message


def _name(body: Function | Module) -> str:
    return body.place if isinstance(body, Function) else ""


def _findings(source: Source, made: Functionalised) -> Iterator[Finding]:
    for function, convention in made.conventions.items():
        names = " and ".join(f"`{name}`" for name in convention.parameters)
        also = "also returns" if convention.result == "value" else "returns"
        others = convention.alike.issuperset(convention.parameters)
        which = "which others of its name write to" if others else "which it writes to"
        which += ", as before" if convention.result == "same" else ""
        message = f"`{function.name}` {also} {names}, {which}: callers outside this project must take it"
        yield finding_at(source, "TNP310", _head(source, function), message, function.name)
    for function, name, node in made.missed:
        message = f"`{name}` may be the array that the caller passed, which NumPy changes: a tensor stays as it is"
        assert isinstance(node, ast.stmt)
        yield finding_at(source, "TNP318", source.span(node), message, function.name)
    for function, attribute in made.handed_out:
        name = attribute_name(attribute)
        message = f"`{function.name}` returns `.{name}`, which is written to: who holds on to it sees no later change"
        yield finding_at(source, "TNP316", _head(source, function), message, function.name)
    for function, name, attribute in made.taken_in:
        message = (
            f"`{function.name}` keeps `{name}` in `.{attribute}`, which is written to: who passed it sees no change"
        )
        yield finding_at(source, "TNP322", _head(source, function), message, function.name)
    for function, name in made.given:
        message = f"`{function.name}` returns `{name}`, which is written to: who holds on to it sees no later change"
        yield finding_at(source, "TNP316", _head(source, function), message, function.name)
    for store, is_kept in made.slow_loops:
        assert isinstance(store, ast.Subscript)
        name = ast.unparse(store.value)
        stored = f"one element of `{name}` is stored at a time: in eager mode each store copies the array"
        computed = f"`{name}` is computed one item at a time: in eager mode each operation costs some ten microseconds"
        yield finding_at(source, "TNP501", source.span(store), computed if is_kept else stored, name)


def _head(source: Source, function: Function) -> Span:
    start = source.offset(function.node.lineno, function.node.col_offset)
    return Span(start, start + len("def ") + len(function.node.name))


def finding_at(source: Source, code: str, span: Span, message: str, symbol: str) -> Finding:
    """A finding on bytes of a source."""
    line, column = source.place(span.start)
    end_line, end_column = source.place(span.end)
    return Finding(code, source.path, line, column, end_line, end_column, message, symbol)
