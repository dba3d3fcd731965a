"""The NumPy form of a compiled function: its text before the migration, which stands in a file beside its own.

`kernels.py` has `_numpy_kernels.py`. A function that was changed since the migration has no NumPy form any more, nor
have those that call it: what ran would be what it was once.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import json
import textwrap
import types
import warnings
from pathlib import Path
from typing import Any

import tensorflow as tf

from tnp_rules.compiled_arguments import names_in_code
from tnp_rules.compiled_inside import memory_of
from tnp_rules.runtime import map_leaves, to_numpy

_MARK = "# tnp-migrate: the NumPy form of "
_texts: dict[str, Any] = {}


class NoNumpyForm(Exception):
    """Why a function has no NumPy form."""


def shape_of_code(node: Any) -> Any:
    """Give the structure of a syntax tree, which neither layout, comments, docstrings nor Python's version change."""
    if isinstance(node, list):
        return [shape_of_code(one) for one in node]
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = {name: value for name, value in ast.iter_fields(node) if name not in {"ctx", "kind", "type_comment"}}
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        fields["decorator_list"] = []
        if ast.get_docstring(node, clean=False) is not None:
            fields["body"] = node.body[1:]
    given = {name: value for name, value in fields.items() if value is not None and value != []}
    return [type(node).__name__, *[[name, shape_of_code(value)] for name, value in sorted(given.items())]]


def digest_of_code(node: Any) -> str:
    """Give a short hash of a function's syntax tree."""
    return hashlib.sha256(json.dumps(shape_of_code(node)).encode()).hexdigest()[:16]


class NumpyText:
    """The file with the NumPy form of a module: its tree, and the digests of the functions that were made of its."""

    def __init__(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        notes = [line for line in text.splitlines()[-1:] if line.startswith(_MARK)]
        if not notes:
            raise NoNumpyForm(f"{path.name} has no note of tnp-migrate in its last line")
        self.digests: dict[str, str] = json.loads(notes[0].partition("; functions: ")[2])
        self.path = path
        self.tree = ast.parse(text)
        self.definitions: dict[str, Any] = {}
        self.imports = [one for one in self.tree.body if isinstance(one, (ast.Import, ast.ImportFrom))]
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef):
                self.definitions[node.name] = node
            elif isinstance(node, ast.ClassDef):
                methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
                self.definitions.update({f"{node.name}.{one.name}": one for one in methods})


def numpy_text(module_file: str) -> NumpyText:
    """Read the NumPy form of a module's file, once."""
    if module_file not in _texts:
        path = Path(module_file)
        try:
            _texts[module_file] = NumpyText(path.with_name(f"_numpy_{path.name}"))
        except (OSError, ValueError) as error:
            _texts[module_file] = NoNumpyForm(f"there is no NumPy form of {path.name}: {error}")
        except NoNumpyForm as error:
            _texts[module_file] = error
    found = _texts[module_file]
    if isinstance(found, NoNumpyForm):
        raise found
    return found  # type: ignore[no-any-return]


class NumpyModule:
    """Functions of one module in their NumPy form, made when they are asked for; they see the module's variables."""

    def __init__(self, variables: dict[str, Any], file: str) -> None:
        self.variables = variables
        self.text = numpy_text(file)
        names = ("__name__", "__package__", "__spec__", "__file__")
        self.namespace: dict[str, Any] = {name: variables[name] for name in names if name in variables}
        self.namespace["__builtins__"] = builtins
        self.fresh: dict[str, Any] = {}
        self.made: dict[str, Any] = {}
        self.imported = self._imports()

    def _imports(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for node in self.text.imports:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                continue
            scope = dict(self.namespace)
            try:
                exec(compile(ast.Module([node], []), str(self.text.path), "exec"), scope)  # noqa: S102
            except ImportError:
                continue
            names = [(one.asname or one.name).partition(".")[0] for one in node.names]
            found.update({name: scope[name] for name in names if name in scope})
        return found

    def function(self, place: str) -> Any:
        """Give a function by its name, with all that it uses; raises NoNumpyForm."""
        if place in self.made:
            return self.made[place]
        node = self.text.definitions.get(place)
        if node is None:
            raise NoNumpyForm(f"`{place}` does not stand in {self.text.path.name}")
        self._check_unchanged(place)
        scope: dict[str, Any] = self.namespace
        code = compile(ast.Module([_plain(node)], []), str(self.text.path), "exec", dont_inherit=True)
        made = types.FunctionType(_code_in(code, node.name), scope, node.name, *_defaults(node, self))
        made.__kwdefaults__ = _keyword_defaults(node, self)
        self.made[place] = made
        if "." not in place:
            self.namespace[place] = made
        for name in sorted(names_in_code(made.__code__)):
            self._provide(name)
        return made

    def _check_unchanged(self, place: str) -> None:
        owner: Any = self.variables
        for name in place.split("."):
            owner = owner.get(name) if isinstance(owner, dict) else vars(owner).get(name)
            if owner is None:
                raise NoNumpyForm(f"`{place}` is not in its module any more")
        function = getattr(owner, "__func__", owner)
        function = inspect.unwrap(getattr(function, "compiled_from", function))
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except (OSError, SyntaxError, TypeError):
            raise NoNumpyForm(f"the text of `{place}` is not to be had") from None
        if digest_of_code(tree.body[0]) != self.text.digests.get(place):
            raise NoNumpyForm(f"`{place}` was changed since it was migrated: run tnp-migrate on its NumPy code again")

    def _provide(self, name: str) -> None:
        """Give a function's namespace what a name means in it."""
        if name in self.namespace or hasattr(builtins, name):
            return
        if name in self.text.definitions:
            self.function(name)
            return
        value = self.imported.get(name, self.variables.get(name, self))
        if value is self:
            return  # a name of an attribute, or one that is bound nowhere
        if isinstance(value, type) and getattr(value, "__module__", "") == self.variables.get("__name__"):
            if not issubclass(value, (Exception, tuple)):
                raise NoNumpyForm(f"it makes objects of the class `{name}`")
        elif name in self.imported:
            self.namespace[name] = numpy_function(value) if is_migrated(value) else value
            return
        self.fresh[name] = value
        self.namespace[name] = to_numpy(value)

    def refresh(self) -> None:
        """Take over what the module's variables hold now."""
        for name in self.fresh:
            value = self.variables.get(name)
            if value is not self.fresh[name]:
                self.fresh[name] = value
                self.namespace[name] = to_numpy(value)


def is_migrated(value: Any) -> bool:
    """Say whether something imported is a function of migrated code."""
    function = getattr(value, "compiled_from", value)
    return (
        inspect.isfunction(function)
        and "_numpy_" not in function.__code__.co_filename
        and builtins.any(
            isinstance(one, types.ModuleType) and getattr(one, "__name__", "").endswith("_tnp_helpers")
            for one in function.__globals__.values()
        )
    )


_modules: dict[int, NumpyModule] = {}


def numpy_module(function: Any) -> NumpyModule:
    """Give the NumPy form of the module of a function."""
    key = id(function.__globals__)
    if key not in _modules:
        _modules[key] = NumpyModule(function.__globals__, function.__code__.co_filename)
    return _modules[key]


def numpy_function(function: Any) -> Any:
    """Give the NumPy form of a function; raises NoNumpyForm where it has none."""
    function = inspect.unwrap(getattr(function, "compiled_from", function))
    return numpy_module(function).function(function.__qualname__)


def numpy_instance(instance: Any, function: Any) -> Any:
    """Give an object like the one that a method is called of, with ndarrays, and methods in their NumPy form."""
    key = type(instance), function
    if key not in _classes:
        _classes[key] = _numpy_class(*key)
    twin: Any = object.__new__(_classes[key])
    twin.__dict__.update(map_leaves(read_only, dict(vars(instance))))
    return twin


_classes: dict[Any, Any] = {}


def _numpy_class(owner: Any, function: Any) -> Any:
    """Give a class like another, with the methods that a method calls in their NumPy form."""
    module = numpy_module(function)
    methods: dict[str, Any] = {}
    pending = [function.__name__]
    while pending:
        name = pending.pop()
        found = inspect.getattr_static(owner, name, None)
        plain = getattr(found, "__func__", found)
        if name in methods or not inspect.isfunction(getattr(plain, "compiled_from", plain)):
            continue
        plain = inspect.unwrap(getattr(plain, "compiled_from", plain))
        made = module.function(plain.__qualname__) if plain.__globals__ is module.variables else None
        if made is None or plain.__closure__:
            raise NoNumpyForm(f"`{plain.__qualname__}` stands in another module, or refers to its class")
        methods[name] = type(found)(made) if isinstance(found, (staticmethod, classmethod)) else made
        pending += names_in_code(made.__code__)
    return type(owner.__name__, (owner,), methods)


def read_only(value: Any) -> Any:
    """Give a tensor as an ndarray that raises where it is written to: it is the tensor's own memory."""
    if not isinstance(value, tf.Tensor):
        return value
    array = memory_of(value)
    if array.ndim == 0:
        return array[()]
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


def _plain(node: Any) -> Any:
    """Give a definition without what is computed when it is made: decorators, defaults and annotations."""
    arguments = ast.parse(ast.unparse(node)).body[0].args  # type: ignore[attr-defined]
    arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]
    arguments.kw_defaults = [one and ast.Constant(None) for one in arguments.kw_defaults]
    for one in ast.walk(arguments):
        if isinstance(one, ast.arg):
            one.annotation = None
    made = ast.FunctionDef(node.name, arguments, node.body, [], None, None)
    made.type_params = []  # type: ignore[attr-defined]
    return ast.fix_missing_locations(ast.copy_location(made, node))


def _code_in(code: Any, name: str) -> Any:
    return next(one for one in code.co_consts if inspect.iscode(one) and one.co_name == name)


def _defaults(node: Any, module: NumpyModule) -> tuple[Any, ...]:
    return (tuple([_default(one, module) for one in node.args.defaults]) or None,)


def _keyword_defaults(node: Any, module: NumpyModule) -> Any:
    pairs = zip(node.args.kwonlyargs, node.args.kw_defaults)
    return {name.arg: _default(value, module) for name, value in pairs if value is not None} or None


def _default(node: Any, module: NumpyModule) -> Any:
    for name in [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]:
        module._provide(name)  # noqa: SLF001
    return eval(compile(ast.Expression(node), str(module.text.path), "eval"), module.namespace)  # noqa: S307


def warn_once(message: str, said: set[str] = set()) -> None:  # noqa: B006 - what was said already
    """Warn of something once in a process."""
    if message not in said:
        said.add(message)
        warnings.warn(message, RuntimeWarning, stacklevel=3)
