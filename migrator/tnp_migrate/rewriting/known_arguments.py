"""Helpers cut to what their calls reach: a parameter that all calls leave out, or give the same, is no parameter.

`def pad(x, widths, mode="constant"): ...` of which the migrated code calls `pad(x, 1, mode="edge")` alone keeps what
the mode "edge" needs, and refuses the others. What a call may give is found for all functions together: a function
calls others with what is known of its own arguments.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from tnp_migrate.numpy_facts.rulebook import Definition
from tnp_migrate.program.scopes import defaults_of
from tnp_migrate.rewriting.call_shapes import Shape
from tnp_migrate.rewriting.folded_text import UnfoldableError, body_of
from tnp_migrate.rewriting.folding import Folder, folder_of, said_of
from tnp_migrate.rewriting.known_conditions import is_constant, source_of
from tnp_migrate.rewriting.unused_variables import without_unused

_ANY = ast.Name("?", ast.Load())
_WIDTH = 120
Values = dict[str, ast.expr]


class Fitting:
    """All definitions of a helper module, and what each parameter of each function may be."""

    def __init__(
        self,
        definitions: Mapping[str, Definition],
        roots: Mapping[str, Collection[Shape]],
        constants: Mapping[str, ast.expr],
    ) -> None:
        """Take the definitions by name, and what is known of names of the module.

        `roots` are called so by the migrated code, with no shape: in any way.
        """
        self.constants = constants
        self.texts = {name: one.text for name, one in definitions.items()}
        self.bodies = {name: body_of(one, self.texts) for name, one in definitions.items()}
        self.nodes = {name: one.node for name, one in self.bodies.items()}
        self.rigid = {name for name, node in self.nodes.items() if not _is_plain(node)}
        self.given = {
            name: {one for shape in shapes for one in self._given(name, shape)} for name, shapes in roots.items()
        }
        self.unread: set[str] = set()  # what is written in a way that is not followed
        self.roots = roots
        self.values: dict[str, Values] = {}
        self._settle()

    def _given(self, name: str, shape: Shape) -> Iterator[str]:
        yield from _parameters(self.nodes[name])[: shape.positional]
        yield from shape.keywords

    # What parameters may be

    def _settle(self) -> None:
        self.values, self.live = {}, list(self.roots)
        for name, shapes in self.roots.items():
            for shape in shapes:
                self._join_shape(name, shape)
            if not shapes:
                self._open(name)
        read: dict[str, str] = {}
        pending = True
        while pending:
            pending = False
            for name in self.live:
                now = self._said(name)
                if read.get(name) != now:
                    read[name] = now
                    self._read(name)
                    pending = True

    def _read(self, name: str) -> None:
        """Take from one function what it calls others with."""
        made = self._followed(name)
        for one in made.stuck:
            self.values.setdefault(name, {})[one] = _ANY
        for other in sorted(made.others):
            self._reach(other)
            self._open(other)
        for call, said in made.calls:
            other = call.func.id  # type: ignore[attr-defined]
            self._reach(other)
            self._join_call(other, call, said)

    def _followed(self, name: str) -> Folder:
        try:
            return self.folder(name)
        except (UnfoldableError, IndexError):
            self.rigid.add(name)
            self.unread.add(name)
            self._open(name)
            return self.folder(name)

    def folder(self, name: str) -> Folder:
        """Walk over a function with what is known of its parameters."""
        return folder_of(self.bodies[name], {**self._constants(name), **self.known(name)})

    def _constants(self, name: str) -> Values:
        free = self.bodies[name].free if name not in self.unread else ()
        return {key: value for key, value in self.constants.items() if key in free}

    def _said(self, name: str) -> str:
        return said_of(self.known(name))

    def known(self, name: str) -> Values:
        """The parameters of a function that are always the same, and what they are."""
        if name in self.rigid:
            return {}
        return {key: value for key, value in self.values.get(name, {}).items() if value is not _ANY}

    def _reach(self, name: str) -> None:
        if name not in self.live:
            self.live.append(name)

    def _open(self, name: str) -> None:
        values = self.values.setdefault(name, {})
        for one in _parameters(self.nodes[name]):
            values[one] = _ANY

    def _join(self, name: str, parameter: str, value: ast.expr | None) -> None:
        values = self.values.setdefault(name, {})
        known = values.get(parameter)
        if value is None or (known is not None and ast.dump(known) != ast.dump(value)):
            values[parameter] = _ANY
        elif known is None:
            values[parameter] = value

    def _join_shape(self, name: str, shape: Shape) -> None:
        parameters = _parameters(self.nodes[name])
        said = {**dict.fromkeys(parameters[: shape.positional]), **shape.keywords}
        defaults = _defaults(self.nodes[name])
        for one in parameters:
            self._join(name, one, said[one] if one in said else defaults.get(one))

    def _join_call(self, name: str, call: ast.Call, said: Mapping[int, ast.expr]) -> None:
        if any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
            self._open(name)
            return
        parameters = _parameters(self.nodes[name])
        given: dict[str, ast.expr | None] = {}
        for parameter, value in zip(_positional(self.nodes[name]), call.args, strict=False):
            given[parameter] = said.get(id(value))
        given |= {one.arg: said.get(id(one.value)) for one in call.keywords if one.arg}
        defaults = _defaults(self.nodes[name])
        for one in parameters:
            self._join(name, one, given[one] if one in given else defaults.get(one))

    # What is left

    def fitted(self) -> dict[str, str]:
        """The texts of what is reached, cut to what is known."""
        while True:
            made = {name: self._fitted(name) for name in self.live}
            new = {name: text for name, text in made.items() if text != self.texts[name]}
            broken = {name for name, text in new.items() if not _is_sound(text, self._dropped(name))}
            if not broken:
                return {**made, **{name: without_unused(text) for name, text in new.items()}}
            self.rigid |= broken
            self._settle()

    def _fitted(self, name: str) -> str:
        folder = self.folder(name)
        edits = list(self._signature(name, folder))
        for call, _ in folder.calls:
            other = call.func.id  # type: ignore[attr-defined]
            edits += _without(folder, call, self._positions(other, call))
        try:
            return folder.text(edits)
        except UnfoldableError:
            return "("

    def _dropped(self, name: str) -> set[str]:
        return self.known(name).keys() - self.given.get(name, set())

    def _positions(self, name: str, call: ast.Call) -> set[int]:
        """Which arguments of a call are of parameters that are none any more."""
        dropped, positional = self._dropped(name), _positional(self.nodes[name])
        found = {place for place, one in enumerate(positional[: len(call.args)]) if one in dropped}
        return found | {len(call.args) + place for place, one in enumerate(call.keywords) if one.arg in dropped}

    def _signature(self, name: str, folder: Folder) -> Iterator[tuple[int, int, str]]:
        """Take parameters out of the head; one that calls give, and always the same, is looked at."""
        node, known, dropped = self.nodes[name], self.known(name), self._dropped(name)
        if not isinstance(node, ast.FunctionDef) or not known:
            return
        if dropped:
            first = folder.starts[0], folder.starts[folder.header_end(1, node.returns)]
            yield *first, without_parameters(node, dropped)
        checks = {one: value for one, value in known.items() if one not in dropped}
        if checks:
            place = node.body[1 if ast.get_docstring(node) is not None and len(node.body) > 1 else 0].lineno
            start = folder.starts[place - 1]
            yield start, start, "".join(_check(name, one, value) for one, value in checks.items())


def without_parameters(node: ast.FunctionDef, dropped: Collection[str]) -> str:
    """The head of a function with fewer parameters: one line, or one line for each parameter."""
    old = node.args
    defaults = [None] * (len(old.posonlyargs) + len(old.args) - len(old.defaults)) + [*old.defaults]
    positional = list(zip([*old.posonlyargs, *old.args], defaults, strict=True))
    kept = [(one, default) for one, default in positional if one.arg not in dropped]
    named = [(one, value) for one, value in zip(old.kwonlyargs, old.kw_defaults, strict=True) if one.arg not in dropped]
    parts = [_parameter(one, default) for one, default in kept]
    count = sum(one in old.posonlyargs for one, _ in kept)
    parts[count:count] = ["/"] if count else []
    parts += [f"*{_parameter(old.vararg, None)}"] if old.vararg else ["*"] if named else []
    parts += [_parameter(one, default) for one, default in named]
    parts += [f"**{_parameter(old.kwarg, None)}"] if old.kwarg else []
    end = f") -> {ast.unparse(node.returns)}:" if node.returns else "):"
    line = f"def {node.name}({', '.join(parts)}{end}"
    if len(line) > _WIDTH:
        line = "\n".join([f"def {node.name}(", *(f"    {part}," for part in parts), end])
    return f"{line}\n"


def _parameter(one: ast.arg, default: ast.expr | None) -> str:
    noted = f"{one.arg}: {ast.unparse(one.annotation)}" if one.annotation else one.arg
    if default is None:
        return noted
    return f"{noted} = {source_of(default)}" if one.annotation else f"{noted}={source_of(default)}"


def _check(function: str, parameter: str, value: ast.expr) -> str:
    """Refuse what no call of the migrated code gives, and this copy does not have."""
    told = not isinstance(value, ast.Constant) or isinstance(value.value, str)
    only = source_of(value)
    message = f"{function} has only {parameter}={only} here: run tnp-migrate again to have others".replace('"', "'")
    test = f"{parameter} {'!=' if told else 'is not'} {only}"
    return f'    if {test}:\n        raise NotImplementedError("{message}")\n'


def _without(folder: Folder, call: ast.Call, gone: Collection[int]) -> Iterator[tuple[int, int, str]]:
    """Take arguments out of a call."""
    items: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    spans = [folder.span(one) for one in items]
    opened = folder.span(call.func)[1] + 1
    kept_before = opened
    for place, (start, end) in enumerate(spans):
        if place not in gone:
            kept_before = end
        elif kept_before != opened:
            yield (spans[place - 1][1] if place else opened), end, ""
        else:
            yield start, (spans[place + 1][0] if place + 1 < len(spans) else folder.span(call)[1] - 1), ""


def _is_plain(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and not node.decorator_list


def _positional(node: ast.stmt) -> list[str]:
    if not isinstance(node, ast.FunctionDef):
        return []
    return [one.arg for one in (*node.args.posonlyargs, *node.args.args)]


def _parameters(node: ast.stmt) -> list[str]:
    named = [one.arg for one in node.args.kwonlyargs] if isinstance(node, ast.FunctionDef) else []
    return [*_positional(node), *named]


def _defaults(node: ast.stmt) -> dict[str, ast.expr]:
    """The defaults that are the same everywhere."""
    if not isinstance(node, ast.FunctionDef):
        return {}
    return {name: value for name, value in defaults_of(node.args).items() if is_constant(value)}


def _is_sound(text: str, dropped: Collection[str]) -> bool:
    """Whether a text is one definition, and reads no parameter that it has no more."""
    try:
        (node,) = ast.parse(text).body
    except (SyntaxError, ValueError):
        return False
    names = [one for one in ast.walk(node) if isinstance(one, ast.Name) and one.id in dropped]
    made = {one.id for one in names if isinstance(one.ctx, ast.Store)}
    return {one.id for one in names} <= made
