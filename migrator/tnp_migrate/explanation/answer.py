"""The answer to "why does this line become that": a run over the project around the file, asked about one line."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tnp_migrate.analysis.effects import callees
from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import ARRAY, find, is_mixed
from tnp_migrate.explanation.address import Address, NoSuchLine
from tnp_migrate.explanation.becoming import become
from tnp_migrate.explanation.holders import NOT_MEMORY, Held, Holders, short
from tnp_migrate.explanation.places import Place, Places
from tnp_migrate.explanation.reasons import Reasons, Step, line_of
from tnp_migrate.numpy_facts.values import UNKNOWN, Value, join
from tnp_migrate.program.config import Config
from tnp_migrate.program.index import Function, Module
from tnp_migrate.rewriting.files import File
from tnp_migrate.rewriting.notebook_files import file_of
from tnp_migrate.rewriting.translated_file import planned
from tnp_migrate.rounds import WorkedOut
from tnp_migrate.run import Run, absolute, run_over
from tnp_migrate.state import report_of
from tnp_migrate.text.discovery import Found
from tnp_migrate.text.source import Source, SourceError, Span

_KEPT = "__kept_"  # what stands for a magic in the module of a notebook


@dataclass(frozen=True)
class Variable:
    """A variable or an attribute on the line, what it is, who else may have its memory, and what writes to that.

    Where that is the same as of another variable on the line, `same_as` names it, and nothing is said twice.
    """

    text: str
    kind: str
    held: tuple[Held, ...] = ()
    written: tuple[Held, ...] = ()
    same_as: str | None = None


@dataclass(frozen=True)
class Called:
    """A function of the project that the line calls or may call, and whether it stays on NumPy."""

    name: str
    place: Place
    stays: bool


@dataclass(frozen=True)
class Explanation:
    """What is known of a line. `function` is the innermost around it, `reasons` why that stays on NumPy, if it does.

    Where a file is not `reached` by NumPy nothing is known of it. `references` are NumPy's names on the line and what
    becomes of each; `findings` codes and messages at the line; `becomes` the lines that stand for it in the new text,
    None where the file stays as it is.
    """

    where: str
    text: str
    reached: bool
    function: Called | None
    reasons: tuple[Step, ...]
    references: tuple[tuple[str, str], ...]
    variables: tuple[Variable, ...]
    calls: tuple[Called, ...]
    findings: tuple[tuple[str, str], ...]
    becomes: tuple[str, ...] | None


def explain_line(address: Address, config: Config) -> Explanation:
    """Analyse the project around a file and say what is known of one line. Raises `NoSuchLine`."""
    line, text = _asked(address)
    seen: list[WorkedOut] = []
    run = run_over([address.path], config, rewrite=True, say=lambda _: None, study=seen.append)
    file = _file(run, address)
    report = report_of(run.project)
    own = next((one for one in report.files if one.path == file.found.shown), None)
    at_line = [one for one in (own.findings if own else ()) if one.line <= line <= one.end_line]
    known = _Known(seen[0], file, line) if seen and file.module is not None else None
    return Explanation(
        f"{file.found.shown}:{address.where}",
        text.strip(),
        known is not None,
        known.called(known.function) if known and known.function else None,
        tuple(known.reasons_here()) if known else (),
        tuple(known.references()) if known else (),
        tuple(known.variables()) if known else (),
        tuple(known.calls()) if known else (),
        tuple((one.code, one.message) for one in at_line),
        _becomes(own.before, own.after, line) if own and own.after != own.before else None,
    )


def _asked(address: Address) -> tuple[int, str]:
    """The line in the module and its text, from the file alone: what is wrong with the question is said at once."""
    found = Found(absolute(address.path), str(address.path), address.path)
    try:
        file = file_of(found, found.location.read_bytes())
        _ = file.source.tree
    except SourceError as error:
        raise NoSuchLine(f"{address.path}:{error.line}:{error.column}: {error.code} {error.message}") from None
    except OSError as error:
        raise NoSuchLine(f"{address.path}: cannot be read: {error.strerror}") from None
    line = address.line_in(file.cells)
    return line, _text_of(file, line, address)


def _file(run: Run, address: Address) -> File:
    """The file as a run has it; raises `NoSuchLine` where the run could not work on it, or not on this text."""
    place, project = absolute(address.path), run.project
    file = next((one for one in project.files if one.found.location == place), None)
    if run.originals.get(place, place.read_bytes()) != place.read_bytes():
        raise NoSuchLine(f"{address.path}: is new text of a migration that is not finished: give the other files first")
    if file is None:
        raise NoSuchLine(f"{address.path}: is left out by `exclude`, or a copy of another file")
    for one in project.reports:
        if one.status == "error" and one.path == file.found.shown:
            raise NoSuchLine(f"{one.path}:{one.findings[0].where}: {one.findings[0].code} {one.findings[0].message}")
    return file


def _text_of(file: File, line: int, address: Address) -> str:
    lines = _lines(file.as_shown)
    count = len(lines)
    if not 0 < line <= count:
        raise NoSuchLine(f"{address.path} has {count} lines: there is no line {line}")
    text = lines[line - 1]
    if not text.strip() or text.lstrip().startswith("#"):
        what = "blank" if not text.strip() else "a comment"
        raise NoSuchLine(f"{address}: the line is {what}: there is nothing to explain")
    return text


def _becomes(before: bytes, after: bytes, line: int) -> tuple[str, ...]:
    return become(_lines(before), _lines(after), line)


def _lines(data: bytes) -> list[str]:
    """The lines as Python counts them; the end of the last one begins none."""
    lines = Source("", data).lines
    return lines[:-1] if not lines[-1] else lines


class _Known:
    """What a run knows of one line of one file."""

    def __init__(self, run: WorkedOut, file: File, line: int) -> None:
        assert run.first is not None
        assert file.module is not None
        first, veto = run.first
        self.run, self.file, self.line = run, file, line
        self.index = first.index
        self.module: Module = first.index.modules[file.module.name]
        self.places = Places({one.found.shown: one.cells for one in run.files if one.cells is not None})
        self.holders = Holders(veto.regions, self.places)
        self.graphs = [one for one in veto.regions.solution.graphs.values() if one.module is self.module]
        self.reasons = Reasons(run.analysis.index, run.analysis.islands, run.refusals, self.places)
        self.nodes = [one for one in self.module.names.scopes.parent if getattr(one, "lineno", 0) == line]
        self.nodes.sort(key=lambda one: (one.col_offset, -(one.end_col_offset or 0)))  # type: ignore[attr-defined]
        inside = (one for one in self.module.functions.values() if _holds(one, line))
        self.function = max(inside, key=lambda one: one.node.lineno, default=None)

    def called(self, function: Function) -> Called:
        """Name a function of the project."""
        line = line_of(function.node, function.module.source)
        place = self.places.at(function.module.source.path, line)
        return Called(function.place, place, bool(self.reasons.around((function.module.name, function.place))))

    def reasons_here(self) -> list[Step]:
        """Why the function around the line stays on NumPy; the module's statements where there is none."""
        place = self.function.place if self.function is not None else ""
        return self.reasons.around((self.module.name, place))

    def references(self) -> Iterator[tuple[str, str]]:
        """NumPy's names on the line and what becomes of them."""
        ended = self._bins()
        for one in sorted(self.module.names.references, key=lambda one: one.span):
            if self.module.source.place(one.span.start)[0] == self.line:
                yield self.module.source.text(one.span), ended.get(one.span, "rewritten")

    def _bins(self) -> dict[Span | None, str]:
        """What has become of the references of the user's text; the functional stage did away with what is missing."""
        assert self.file.module is not None
        origin = self.file.source.origin
        if self.run.config.stage == "functional":
            now = {one.span: "kept" for one in self.file.module.names.references}
        else:
            _, plan = planned(self.file, self.run.analysis, self.run.config)
            now = {span: outcome.bin for span, outcome in plan.references.items()}
        return {(span if origin is None else origin.was(span)): end for span, end in now.items()}

    def variables(self) -> Iterator[Variable]:
        """The variables and attributes on the line, each once."""
        seen: set[str] = set()
        said: dict[tuple[Held, ...], str] = {}
        for node in self.nodes:
            text = self._written(node)
            if text is None or text in seen or self._is_no_place(node) or text.startswith(_KEPT):
                continue
            seen.add(text)
            graph, register = self._register(node)
            value = self._value(node, graph, register)
            kind = _kind(value, graph, register)
            if graph is None or register is None or value.kind in NOT_MEMORY:
                if not isinstance(node, ast.Call):
                    yield Variable(text, kind)
                continue
            everything = self.holders.held(graph, graph.registers[register])
            held = tuple(one for one in everything if not self._is_itself(one, text))
            written = self.holders.written(graph, graph.registers[register])
            same = said.setdefault((*everything, *written), text) if held or written else text
            yield Variable(text, kind, same_as=same) if same != text else Variable(text, kind, held, tuple(written))

    def _written(self, node: ast.AST) -> str | None:
        """How something is written that may have memory of its own or of others; None for what is none."""
        if isinstance(node, ast.arg):
            return node.arg
        if isinstance(node, ast.Call) and callees(self.module, self.index, node):
            return short(node)
        if isinstance(node, ast.Subscript):
            if (self.module.value(node.value) or UNKNOWN).is_array or not isinstance(node.slice, ast.Constant):
                return None
            graph, register = self._register(node)
            whole = graph.body.registers.get(node.value) if graph is not None else None
            if graph is None or register is None or whole is None:
                return None
            return None if find(graph.registers[whole]) is find(graph.registers[register]) else short(node)
        return _text(node)

    def _is_no_place(self, node: ast.AST) -> bool:
        """Whether a name or an attribute is of an imported module, or a method that is called."""
        scopes = self.module.names.scopes
        around = scopes.parent.get(node)
        if isinstance(node, ast.Attribute) and isinstance(around, ast.Call) and around.func is node:
            return True
        known = self.module.value(node) or UNKNOWN
        if known.kind in ("function", "class", "module"):
            return True
        return isinstance(node, ast.expr) and self.module.names.of(node, scopes.around(node)) is not None

    def _is_itself(self, one: Held, text: str) -> bool:
        here = self.function.place if self.function is not None else ""
        return one.place.path == self.module.source.path and one.function == here and one.what.endswith(f"`{text}`")

    def _register(self, node: ast.AST) -> tuple[Graph | None, int | None]:
        """The body that an expression or a target stands in, and the register that it has."""
        for graph in self.graphs:
            for one in graph.body.instructions:
                if one.node is node and one.operation.startswith("set_"):
                    return graph, one.operands[-1]
                if one.node is node and one.operation == "parameter":
                    return graph, one.result
            if node in graph.body.registers:
                return graph, graph.body.registers[node]
        return None, None

    def _value(self, node: ast.AST, graph: Graph | None, register: int | None) -> Value:
        """What is known of an expression; of a variable that is bound here, what is known where it is read."""
        known = self.module.value(node)
        if known is not None or graph is None or register is None:
            return known or UNKNOWN
        alike = graph.body.behind_copies(register)
        for other, has in graph.body.registers.items():
            if graph.body.behind_copies(has) is alike and (value := self.module.value(other)) is not None:
                known = value if known is None else join(known, value)
        return known or UNKNOWN

    def calls(self) -> Iterator[Called]:
        """The functions of the project that the line calls."""
        seen: set[Function] = set()
        for node in self.nodes:
            for one in callees(self.module, self.index, node) if isinstance(node, ast.Call) else ():
                if one not in seen:
                    seen.add(one)
                    yield self.called(one)


def _holds(function: Function, line: int) -> bool:
    first = min([function.node.lineno, *(one.lineno for one in function.node.decorator_list)])
    return first <= line <= (function.node.end_lineno or 0)


def _text(node: ast.AST) -> str | None:
    """A variable, or an attribute of one, as it is written."""
    whole = node
    while isinstance(node, ast.Attribute):
        node = node.value
    return ast.unparse(whole) if isinstance(node, ast.Name) and isinstance(whole, ast.expr) else None


def _kind(value: Value, graph: Graph | None, register: int | None) -> str:
    """A value in words."""
    if value.kind == "instance":
        return f"an instance of `{value.ref.node.name}`" + ("" if value.sure else " or of a class derived from it")
    if value.kind == "unknown" and value.library is not None:
        return f"an object of {value.library}"
    if value.kind == "unknown" and graph is not None and register is not None:
        node = find(graph.registers[register])
        return "unknown; taken for an array" if node.flags & ARRAY and not is_mixed(node) else "unknown"
    held = f" of {_kind(value.element, None, None)}" if value.element is not None else ""
    return f"{value}{held}"
