"""Rules read as text: what each NumPy name becomes, without importing TensorFlow.

`@inline("numpy.degrees") def degrees(x): return tnp.rad2deg(x)` gives a `Rule` with its parsed function.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Literal, TypeVar

from tnp_migrate.numpy_facts.signatures import Parameter, Signature

Form = Literal["inline", "helper"]
_Entry = TypeVar("_Entry")
_NUMPY_STAGE = "numpy_stage"
_OLDER = "older"
_DECORATOR = re.compile(r"^@(?:inline|helper)\((?P<arguments>[^)]*)\)", re.MULTILINE)
_TARGET = re.compile(r'"(numpy\.[\w.]+)"')
_DEFINED = re.compile(
    r"^(?:(?:def|class)[ ]+(?P<function>\w+)|(?P<constants>(?:[A-Za-z_]\w*(?:[ ]*:[^=\n]+)?[ ]*=(?!=)[ ]*)+))",
    re.MULTILINE,
)
_CONSTANT = re.compile(r"(\w+)(?:[ ]*:[^=\n]+)?[ ]*=")


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule: the name it has in the helper module, its form, its definition and the module it stands in."""

    name: str
    form: Form
    direct: str | None
    node: ast.FunctionDef | ast.ClassDef
    module: str
    until: str = ""

    @cached_property
    def parameters(self) -> tuple[tuple[str, ast.expr | None], ...]:
        """Names and defaults of the parameters that can be given by name; none for an indexable class."""
        function = _called(self.node)
        if function is None:
            return ()
        arguments = function.args
        named = [*arguments.posonlyargs, *arguments.args][function is not self.node :]
        defaults: list[ast.expr | None] = [None] * (len(named) - len(arguments.defaults))
        pairs = list(zip(named, [*defaults, *arguments.defaults], strict=True))
        pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        return tuple((argument.arg, default) for argument, default in pairs)

    @cached_property
    def variadic(self) -> str | None:
        """The name of the `*parameter`, if there is one."""
        if isinstance(self.node, ast.ClassDef) or self.node.args.vararg is None:
            return None
        return self.node.args.vararg.arg

    @property
    def signature(self) -> Signature:
        """Its parameters as those of a function of NumPy's, all of which have to be given."""
        named = [Parameter(name, "normal", None) for name, _ in self.parameters]
        return (*named, *([Parameter(self.variadic, "variadic", None)] if self.variadic else []))

    @property
    def takes_anything(self) -> bool:
        """Whether the rule takes `**kwargs`."""
        return isinstance(self.node, ast.FunctionDef) and self.node.args.kwarg is not None


def _called(node: ast.FunctionDef | ast.ClassDef) -> ast.FunctionDef | None:
    """What runs when the rule's name is called: of a class `__init__`, if it has one."""
    if isinstance(node, ast.FunctionDef):
        return node
    return next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)


@dataclass(frozen=True, eq=False)
class Definition:
    """A top-level definition of a rule module: its text, the module as a tree, which has its imports, and its name.

    `home` is `islands` or `numpy_stage/updates` for a module of the package, else the path of the user's file.
    """

    name: str
    node: ast.stmt
    text: str
    module: ast.Module
    home: str


@dataclass(frozen=True, eq=False)
class Rulebook:
    """All rules by qualified NumPy name, and all top-level definitions of the rule modules by name."""

    rules: Mapping[str, Rule]
    definitions: Mapping[str, Definition]

    def find(self, name: str) -> Rule | None:
        """The rule for a qualified NumPy name."""
        return self.rules.get(name)

    def below(self, rules: Mapping[str, Rule], definitions: Mapping[str, Definition]) -> Rulebook:
        """This rulebook with others' rules and definitions in front of its own."""
        return Rulebook(_Over(rules, self.rules), _Over(definitions, self.definitions))


class ClashError(Exception):
    """Two rule modules define the same name, of which the flat helper module would have only one."""

    def __init__(self, name: str, first: Path, second: Path) -> None:
        super().__init__(f"{second}: `{name}` is one thing in the helper module, and {first} defines it too: rename it")


def rules_folder() -> Path:
    """Where the rules are installed. The package is located, not imported."""
    spec = importlib.util.find_spec("tnp_rules")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("the package tnp_rules, which holds the rules, is not installed")
    return Path(next(iter(spec.submodule_search_locations)))


@dataclass(frozen=True, eq=False)
class _Lazy(Mapping[str, _Entry]):
    """A table whose keys a search of the text finds, and whose modules are parsed when one is looked up."""

    homes: Mapping[str, Path]
    read: Callable[[Path], Mapping[str, _Entry]]

    def __getitem__(self, name: str) -> _Entry:
        return self.read(self.homes[name])[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.homes)

    def __len__(self) -> int:
        return len(self.homes)


@dataclass(frozen=True, eq=False)
class _Over(Mapping[str, _Entry]):
    """A table in front of another."""

    first: Mapping[str, _Entry]
    then: Mapping[str, _Entry]

    def __getitem__(self, name: str) -> _Entry:
        return self.first[name] if name in self.first else self.then[name]

    def __iter__(self) -> Iterator[str]:
        yield from self.first
        yield from (name for name in self.then if name not in self.first)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@cache
def read_rulebook(tensorflow: str = "", numpy: str = "") -> Rulebook:
    """Find every rule; a rule module is parsed when something of it is needed, which keeps the start short.

    For versions older than the newest, rules of `older/` come first, where those versions need them.
    """
    book = _read(rules_folder())
    versions = {library: version for library, version in (("tensorflow", tensorflow), ("numpy", numpy)) if version}
    if not versions:
        return book
    older = _read(rules_folder() / _OLDER)
    _check_older(older, book)
    wanted = {target: rule for target, rule in older.rules.items() if _is_needed(rule, versions)}
    left_out = {rule.name for rule in older.rules.values()} - {rule.name for rule in wanted.values()}
    definitions = {name: one for name, one in older.definitions.items() if name not in left_out} if wanted else {}
    return book.below(wanted, definitions)


def _check_older(older: Rulebook, book: Rulebook) -> None:
    """Refuse what would take the place of another definition without being a rule for older versions of it."""
    replaced = {rule.name for rule in older.rules.values()}
    for name in sorted((older.definitions.keys() & book.definitions.keys()) - replaced):
        raise ClashError(name, rules_folder() / _OLDER, rules_folder())


def _is_needed(rule: Rule, versions: Mapping[str, str]) -> bool:
    library, _, version = rule.until.partition(" ")
    return library in versions and _numbers(versions[library]) < _numbers(version)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


@cache
def read_numpy_stage() -> Rulebook:
    """Find the helpers of the code between the stages: they have the names of helpers of the other rulebook."""
    return _read(rules_folder() / _NUMPY_STAGE)


def _read(folder: Path) -> Rulebook:
    rules: dict[str, Path] = {}
    definitions: dict[str, Path] = {}
    for path in sorted(folder.glob("*.py")):
        if path.name in ("__init__.py", "forms.py"):
            continue
        text = path.read_text(encoding="utf-8")
        for decorator in _DECORATOR.finditer(text):
            rules.update(dict.fromkeys(_TARGET.findall(decorator["arguments"]), path))
        for found in _DEFINED.finditer(text):
            for name in [found["function"]] if found["function"] else _CONSTANT.findall(found["constants"]):
                if definitions.setdefault(name, path) != path:
                    raise ClashError(name, definitions[name], path)
    return Rulebook(_Lazy(rules, lambda path: _parse(path)[0]), _Lazy(definitions, lambda path: _parse(path)[1]))


@cache
def _parse(path: Path) -> tuple[dict[str, Rule], dict[str, Definition]]:
    """Give the rules and the top-level definitions of a rule module of ours."""
    folder = path.parent.name
    module = f"{folder}/{path.stem}" if folder in (_NUMPY_STAGE, _OLDER) else path.stem
    text = path.read_text(encoding="utf-8")
    return parse_rules(text, ast.parse(text), module)


def parse_rules(text: str, tree: ast.Module, module: str) -> tuple[dict[str, Rule], dict[str, Definition]]:
    """Give the rules by target, and the top-level definitions by name, of a rule module of anybody's."""
    rules: dict[str, Rule] = {}
    definitions: dict[str, Definition] = {}
    lines = text.splitlines(keepends=True)
    for node in tree.body:
        for name in _defined(node):
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
            block = "".join(lines[first - 1 : node.end_lineno])
            definitions[name] = Definition(name, node, block, tree, module)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            rules.update(_rules_of(node, module))
    return rules, definitions


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    return []


def _rules_of(node: ast.FunctionDef | ast.ClassDef, module: str) -> dict[str, Rule]:
    found: dict[str, Rule] = {}
    for decorator in node.decorator_list:
        if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Name):
            continue
        form = decorator.func.id
        if form not in ("inline", "helper"):
            continue
        direct = next((keyword.value for keyword in decorator.keywords if keyword.arg == "direct"), None)
        proof = direct.value if isinstance(direct, ast.Constant) and isinstance(direct.value, str) else None
        until = next((ast.literal_eval(keyword.value) for keyword in decorator.keywords if keyword.arg == "until"), "")
        rule = Rule(node.name, "inline" if form == "inline" else "helper", proof, node, module, until)
        for target in decorator.args:
            if isinstance(target, ast.Constant) and isinstance(target.value, str):
                found[target.value] = rule
    return found
