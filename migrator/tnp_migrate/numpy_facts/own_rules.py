"""The user's own rules: files named in the settings, read as text as ours are, with effects that they declare.

Never imported to translate. What is wrong with a file is an error that names its line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tnp_migrate.numpy_facts.effects import Effects, effects_of
from tnp_migrate.numpy_facts.rule_lints import declarations, defined_names, find_problems, unknown_names
from tnp_migrate.numpy_facts.rulebook import Definition, Rule, Rulebook, parse_rules


class RulesError(Exception):
    """Files of rules that cannot be used: one line for each problem, `file:line:column: what, and what to do`."""


@dataclass(frozen=True, eq=False)
class OwnRules:
    """The user's rules and declarations by qualified name, and all that their files define."""

    rules: Mapping[str, Rule] = field(default_factory=dict)
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    effects: Mapping[str, Effects] = field(default_factory=dict)

    @cached_property
    def targets(self) -> frozenset[str]:
        """The functions of other libraries that a rule translates."""
        return frozenset(one for one in self.rules if one.partition(".")[0] != "numpy")

    @cached_property
    def roots(self) -> frozenset[bytes]:
        """The names of the libraries that are spoken of, as files that use them write them."""
        return frozenset(one.partition(".")[0].encode() for one in (*self.rules, *self.effects)) - {b"numpy"}

    def over(self, book: Rulebook) -> Rulebook:
        """A rulebook with these rules in front of its own."""
        return book.below(self.rules, self.definitions) if self.rules else book


NO_RULES = OwnRules()


def read_own_rules(paths: Iterable[Path], book: Rulebook) -> OwnRules:
    """Read files of rules; raises `RulesError` with every problem of all of them. `book` are the rules there are."""
    rules: dict[str, Rule] = {}
    definitions: dict[str, Definition] = {}
    effects: dict[str, Effects] = {}
    problems: list[str] = []
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
            tree = ast.parse(text)
        except SyntaxError as error:
            problems.append(f"{path}:{error.lineno}:{error.offset}: does not parse: {error.msg}")
            continue
        except (OSError, ValueError) as error:
            problems.append(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}")
            continue
        found = [*find_problems(tree), *_clashes(tree, book, rules, definitions), *_unknown(tree)]
        if found:
            found.sort(key=lambda one: (getattr(one[0], "lineno", 1), getattr(one[0], "col_offset", 0)))
            problems += [_line(path, *one) for one in found]
            continue
        own, defined = parse_rules(text, tree, str(path))
        rules |= own
        definitions |= {name: one for name, one in defined.items() if not _is_beside(one.node)}
        effects |= _declared(tree)
    if problems:
        raise RulesError("\n".join(problems))
    return OwnRules(rules, definitions, effects)


def _line(path: Path, node: ast.AST, message: str) -> str:
    return f"{path}:{getattr(node, 'lineno', 1)}:{getattr(node, 'col_offset', 0) + 1}: {message}"


def _is_beside(node: ast.stmt) -> bool:
    """Whether a definition is a declaration or gives samples, which no helper module needs."""
    forms = {form for form, _ in declarations(node)}
    return bool(forms) and not forms & {"inline", "helper"}


def _clashes(
    tree: ast.Module, book: Rulebook, rules: Mapping[str, Rule], definitions: Mapping[str, Definition]
) -> Iterator[tuple[ast.AST, str]]:
    """Names that the helper module has for something else, and targets that have a rule already."""
    seen = set(rules)
    for node in tree.body:
        for name in [] if _is_beside(node) else defined_names(node):
            if name in book.definitions or name in definitions:
                yield node, f"`{name}` is another rule's name in the helper module: choose one of your own"
        for form, decorator in declarations(node):
            targets = [one.value for one in decorator.args if isinstance(one, ast.Constant)]
            for target in targets if form in ("inline", "helper") else ():
                if target in seen:
                    yield decorator, f"{target} has two rules"
                seen.add(str(target))


def _unknown(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    imports = (node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))
    known = {alias.asname or alias.name.partition(".")[0] for node in imports for alias in node.names}
    known |= {name for node in tree.body for name in defined_names(node)}
    for node in tree.body:
        yield from unknown_names(node, known)


def _declared(tree: ast.Module) -> dict[str, Effects]:
    found: dict[str, Effects] = {}
    for node in tree.body:
        for form, decorator in declarations(node):
            if form == "effects" and isinstance(node, ast.FunctionDef):
                made = effects_of(node, decorator)
                found |= {one.value: made for one in decorator.args if isinstance(one, ast.Constant)}  # type: ignore[misc]
    return found
