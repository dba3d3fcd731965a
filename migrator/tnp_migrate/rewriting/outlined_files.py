"""Loops that become functions of their own, in the text between the stages: before the function that they stood in."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tnp_migrate.compiled.host_effects import Effects
from tnp_migrate.compiled.loop_draws import Draw, LoopDraws
from tnp_migrate.compiled.outline_names import Outline
from tnp_migrate.compiled.outlining import outlines
from tnp_migrate.compiled.own_attributes import attributes_in, owner_of
from tnp_migrate.program.index import Module
from tnp_migrate.program.nodes import walk
from tnp_migrate.rewriting.between_stages import joined_source
from tnp_migrate.rewriting.files import File, Functional
from tnp_migrate.rewriting.translated_file import Analysis, aliases_of
from tnp_migrate.text.source import Source, SourceError, Span

Pieces = list[str | Span]
Texts = list[tuple[Span, str]]  # what stands instead of a span
_ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Subscript, ast.Attribute)


Made = dict[tuple[str, str], str]  # functions that were made, by file and name: the function that each was a part of


def outline_files(
    files: list[File], analysis: Analysis, taken: dict[str, set[str]], left: set[tuple[str, str]]
) -> Made:
    """Give files a new source in which loops and blocks are functions; those of the functions in `left` stay."""
    effects = Effects(analysis.index, analysis.islands, analysis.summaries)
    made: Made = {}
    for file in files:
        if file.module is None or file.cells is not None or file.is_stub:
            continue
        found = [
            one
            for function in file.module.functions.values()
            if not function.node.name.startswith(("test_", "Test")) and (file.name, function.name) not in left
            for one in outlines(function, effects)
        ]
        if found:
            made |= _outline_file(file, file.module, found, taken.get(file.name, set()))
    return made


def _outline_file(file: File, module: Module, found: list[Outline], taken: set[str]) -> Made:
    names = _names(module, found, taken)
    source = file.source
    edits: list[tuple[Span, Pieces]] = []
    for one, name in zip(found, names, strict=True):
        start = _definition_start(source, one)
        edits.append(
            (Span(start, start), _definition(source, one, name, one.body, one.draws, _bound_anew(source, one)))
        )
        edits.append((_span(source, one.body), _call(source, one, name, aliases_of(module.names)["tnh"])))
    try:
        made = joined_source(source, _pieces(source, edits))
        made.tree  # noqa: B018  # a cached property, which raises
    except (SourceError, ValueError):
        return {}
    if file.first is None:
        written = file.written or module
        references = tuple(dict.fromkeys(one.span for one in written.names.references))
        file.first = Functional(written.source, references, (), aliases_of(module.names)["tnh"])
    first = file.first.source
    text = [_numpy_text(first, one, name) for one, name in zip(found, names, strict=True)]
    file.source, file.module, file.outlined = made, None, tuple(text)
    return {(file.name, name): one.function.name for one, name in zip(found, names, strict=True)}


def _names(module: Module, found: list[Outline], taken: set[str]) -> list[str]:
    """A name for each new function that nothing in its module or taken from it has."""
    known = taken | {name for scope in module.names.scopes.of.values() for name in scope.bound}
    names: list[str] = []
    for one in found:
        stem = f"_{one.function.node.name.strip('_')}_{'loop' if one.is_loop else 'body'}"
        name, number = stem, 1
        while name in known:
            number += 1
            name = f"{stem}_{number}"
        known.add(name)
        names.append(name)
    return names


def _definition_start(source: Source, one: Outline) -> int:
    """Where the statement of the module begins that the function stands in."""
    parents = one.function.module.names.scopes.parent
    node: ast.AST = one.function.node
    while not isinstance(parents[node], ast.Module):
        node = parents[node]
    assert isinstance(node, ast.stmt)
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(each.lineno for each in decorators)])
    return source.line_starts[first - 1]


def _span(source: Source, body: Sequence[ast.stmt]) -> Span:
    """The bytes of statements, with the comment on their last line."""
    last = source.span(body[-1]).end
    line = source.body[last:].split(b"\n", 1)[0].rstrip(b"\r")
    is_comment = line.strip().startswith(b"#")
    return Span(source.span(body[0]).start, last + len(line.rstrip()) if is_comment else last)


def _definition(
    source: Source, one: Outline, name: str, body: Sequence[ast.stmt], draws: LoopDraws, anew: Texts
) -> Pieces:
    """The pieces of the new function: its head, the lines of the loop as far out as they go, what it gives."""
    newline = source.newline
    span = _span(source, body)
    depth = body[0].col_offset
    pieces: Pieces = [f"def {name}({', '.join(one.inputs)}):{newline}    "]
    renamed = [*_renamed(source, one, body, draws), *anew]
    first, last = body[0].lineno, body[-1].end_lineno or 0
    for line in range(first + 1, last + 1):
        start = source.line_starts[line - 1]
        indent = len(source.body[start : start + depth]) - len(source.body[start : start + depth].lstrip(b" \t"))
        renamed.append((Span(start, start + indent), "    " if source.lines[line - 1].strip() else ""))
    pieces += _with_texts(sorted(renamed, key=lambda one: (one[0].start, -one[0].end)), span)
    return [*pieces, f"{newline}    return {', '.join(one.outputs)}{newline}{newline}{newline}"]


def _renamed(source: Source, one: Outline, body: Sequence[ast.stmt], draws: LoopDraws) -> Texts:
    """New texts in statements: names for the attributes of `self`, and for what was drawn."""
    new = dict(one.attributes)
    attributes = attributes_in(body, owner_of(one.function) if new else "")
    found = [(source.span(node), text) for node, text in draws.texts().items()]
    return found + [(source.span(node), new[node.attr]) for node in attributes if node.attr in new]


def _bound_anew(source: Source, one: Outline) -> Texts:
    """`x = x + y` for `x += y` of what the function is passed: it is plain then that what was passed is not written to.

    A tensor or a number does the same for both.
    """
    new = dict(one.attributes)
    found = []
    for node in (node for statement in one.body for node in walk(statement) if isinstance(node, ast.AugAssign)):
        target = node.target
        name = new.get(target.attr) if isinstance(target, ast.Attribute) else getattr(target, "id", None)
        if name in one.inputs:
            between = Span(source.span(target).end, source.span(node.value).start)
            operator, _, before = source.text(between).partition("=")
            end = source.span(node.value).end
            is_one = isinstance(node.value, _ATOMS) or "(" in before
            found.append((between, f" = {name} {operator.strip()}{before}{'' if is_one else '('}"))
            found += [] if is_one else [(Span(end, end), ")")]
    return found


def _with_texts(texts: Texts, whole: Span) -> Pieces:
    """The bytes of a span with new texts in them; what stands inside of another one is left out."""
    pieces: Pieces = []
    reached = whole.start
    for span, text in texts:
        if reached <= span.start and span.end <= whole.end:
            pieces += [Span(reached, span.start), text]
            reached = span.end
    return [*pieces, Span(reached, whole.end)]


def _call(source: Source, one: Outline, name: str, helpers: str) -> Pieces:
    """The pieces of what stands where the loop was: its draws, if it has any, and the call."""
    given = ", ".join(one.outside(each) for each in one.inputs)
    call = f"{', '.join(one.outside(each) for each in one.outputs)} = {name}({given})"
    draws = one.draws.draws
    if not draws:
        return [call]
    start = source.line_starts[one.body[0].lineno - 1]
    indent = source.body[start : start + one.body[0].col_offset].decode()
    return [*_drawn(source, one, helpers), f"{source.newline}{indent}{call}"]


def _drawn(source: Source, one: Outline, helpers: str) -> Pieces:
    """The pieces of `a, b = tnh.drawn(((rng.random(3), rng.random()) for _ in range(n)), 2)`."""
    draws, heads = one.draws.draws, one.draws.heads
    if one.draws.at_once is not None:
        return _drawn_at_once(source, draws[0], one.draws.at_once)
    several = len(draws) > 1 and bool(heads)
    pieces: Pieces = [f"{', '.join(each.name for each in draws)} = "]
    pieces += [f"{helpers}.drawn({'(' if several else ''}"] * len(heads)
    pieces += ["("] if several else []
    for place, each in enumerate(draws):
        pieces += [", "] if place else []
        pieces += _in_one_line(source, source.span(each.call))
    pieces += [")"] if several else []
    end = f"), {len(draws)})" if several else ")"
    return [*pieces, *(f" {one.draws.again(head)}{end}" for head in reversed(heads))]


def _drawn_at_once(source: Source, draw: Draw, arguments: Sequence[ast.expr | ast.keyword | str]) -> Pieces:
    """The pieces of `draws = rng.normal(0, 1, size=(n, 3))`."""
    pieces: Pieces = [f"{draw.name} = ", *_in_one_line(source, source.span(draw.call.func)), "("]
    for place, each in enumerate(arguments):
        pieces += [", "] if place else []
        pieces += [each] if isinstance(each, str) else _in_one_line(source, source.span(each))
    return [*pieces, ")"]


def _in_one_line(source: Source, span: Span) -> Pieces:
    """The pieces of an expression without its line breaks; as it is where comments stand in it."""
    text = source.body[span.start : span.end]
    if b"\n" not in text or b"#" in text:
        return [span]
    pieces: Pieces = []
    start, opened = span.start, True
    for line in text.split(b"\n"):
        bare = line.strip()
        pieces += [] if opened or bare.startswith((b")", b"]", b"}")) else [" "]
        first = start + len(line) - len(line.lstrip())
        pieces.append(Span(first, first + len(bare)))
        start, opened = start + len(line) + 1, bare.endswith((b"(", b"[", b"{"))
    return pieces


def _pieces(source: Source, edits: list[tuple[Span, Pieces]]) -> tuple[str | Span, ...]:
    found: Pieces = []
    reached = 0
    for span, pieces in sorted(edits, key=lambda edit: edit[0]):
        found += [Span(reached, span.start), *pieces]
        reached = span.end
    found.append(Span(reached, len(source.body)))
    return tuple(one for one in found if one != "" and not (isinstance(one, Span) and one.start == one.end))


def _numpy_text(first: Source, one: Outline, name: str) -> str:
    """The new function with the loop as the user wrote it; it writes to copies of what it is passed."""
    pieces = _definition(first, one, name, one.original, one.written, [])
    text = "".join(piece if isinstance(piece, str) else first.text(piece) for piece in pieces)
    head, newline, rest = text.partition(first.newline)
    given = [each for each in one.outputs if each in one.inputs]
    if not given:
        return text
    listed = ", ".join(given)
    copies = f"{listed}{',' if len(given) == 1 else ''} = map(__import__('copy').copy, ({listed},))"
    return f"{head}{newline}    {copies}{newline}{rest}"
