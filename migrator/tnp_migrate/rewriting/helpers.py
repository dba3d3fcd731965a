"""The helper module of a project: the rules' functions it needs, as text that the user owns.

A package gets one `_tnp_helpers.py`, scripts in a folder share one beside them. Its header names the version and the
hash of the text below, so that a later run knows whether a person has changed it.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tnp_migrate import __version__
from tnp_migrate.numpy_facts import traits
from tnp_migrate.rewriting.call_shapes import (
    KEYWORDS_TOLD,
    MODULE,
    name_of,
    read_shapes,
    shape_of_member,
    written_shapes,
)
from tnp_migrate.rewriting.installed_rules import copied, imported_names, imports
from tnp_migrate.rewriting.needed_rules import free_names, needed_definitions

if TYPE_CHECKING:
    from tnp_migrate.numpy_facts.rulebook import Definition, Rulebook

FILE_NAME = f"{MODULE}.py"
_HEADER = re.compile(r"# Written by tnp-migrate (?P<version>\S+), sha256 (?P<hash>[0-9a-f]{16})\.")
_ATTRIBUTES = frozenset(traits.ARRAY_ATTRIBUTES) | traits.VIEW_ATTRIBUTES
# What lets NumPy compute calls that say more than a method of tensors takes.
_TAKING_ALL = "or_numpy"
# Operators that tensors lack: what does them, and how they are written.
_DIVMOD, _TO_LEFT, _TO_RIGHT, _ASKED = (
    re.compile(one)
    for one in (
        rb"(?<![\w.])divmod\(|__r?divmod__", rb"[\w\])] *<<=? *[\w(]", rb"[\w\])] *>>=? *[\w(]", rb"__contains__",
    )
)  # fmt: skip  # a shift is no doctest's prompt
_OPERATORS = {
    "__divmod__": ("numpy.divmod", _DIVMOD), "__rdivmod__": ("divmod_by", _DIVMOD),
    "__lshift__": ("numpy.left_shift", _TO_LEFT), "__rlshift__": ("left_shift_by", _TO_LEFT),
    "__rshift__": ("numpy.right_shift", _TO_RIGHT), "__rrshift__": ("right_shift_by", _TO_RIGHT),
    "__contains__": ("contains", _ASKED),
}  # fmt: skip
# Methods of NumPy's numbers, which arrays do not have.
_OF_NUMBERS = {name: f"number_{name}" for name in ("is_integer", "as_integer_ratio", "hex", "bit_count")}
# What every helper module calls when it is imported, and what it calls if something like this is written.
_ALWAYS_CALLED = (
    "hash_numbers", "keep_masks", "leave_helpers_as_written", "let_bools_compute", "let_lists_compute",
    "raise_index_errors",
)  # fmt: skip
_UNSIGNED = rb"uint|ubyte|ushort|\bu[1248]\b|packbits"
_SMALL = rb"int8|int16|\bshort\b|\b[<>]?i[12]\b|imread|\bcv2\b|\bPIL\b|imageio|" + _UNSIGNED
# Texts that are made out of sight: of what holds arrays, of errors, by functions and formats passed on.
_TEXTS = (
    rb"\bdataclass|\b[nN]amed_?[tT]uple\b|Namespace\b|\bTemplate\b|Formatter\b|\bformat_map\b|[\w)\]]\.format\b|"
    rb"\.format\b(?!\()|\b__(?:str|repr|format|dict)__\b|\b(?:raise|assert|reprlib|traceback)\b|%a|"
    rb"(?:Error|Exception|Warning|\b(?:deque|Counter|OrderedDict|defaultdict|frozenset|set|slice|exit|locals|vars))\(|"
    rb"[=(,] *(?:print|str|repr)\b(?! *\()"
)
_CALLED_IF = {
    "let_bools_have_magnitudes": re.compile(rb"(?<!\bnp\.)(?<!\btnp\.)(?<!\bnumpy\.)\babs\b"),
    "give_dtypes_numpy_attributes": re.compile(
        rb"\bdtype\b(?![ \t]*=[^=])|\b(?:[fi]info|result_type|can_cast|promote_types|common_type)\b"
    ),
    "let_others_compare": re.compile(rb"__array_ufunc__"),
    "let_complex_numbers_compare": re.compile(rb"\d[jJ]\b|complex|fft|\bconj|\beig|\broots\b|\bc(?:8|16)\b"),
    "let_integers_compare": re.compile(_SMALL),
    "let_small_integers_compute": re.compile(_SMALL),
    "let_unsigned_integers_negate": re.compile(rb"uint|ubyte|u[1248]\b|packbits"),
    "let_complex_numbers_square": re.compile(rb"\*\* *2(?!\d|\.[1-9])"),
    "let_reshaping_take_options": re.compile(
        rb"(?<!\bnp)(?<!\btnp)(?<!\bnumpy)\.ravel\b(?!\(\))|[\"'](?:ravel|reshape)[\"']|"
        rb"\breshape\b[^\n]*\n?[^\n]*(?:\b(?:copy|order) *=|\*\*)"
    ),
    "take_deques": re.compile(rb"\b(?:deque|UserList)\b"),
    "write_as_arrays": re.compile(_TEXTS),
    "let_numbers_divide": re.compile(rb"[\w\])] *(?://|%)=? *[\w(+-]"),
}
# What is called too where something else than NumPy and Python's own is imported: it asks tensors in its own ways.
_FOR_OTHERS = frozenset(
    {"give_dtypes_numpy_attributes", "let_bools_have_magnitudes", "let_others_compare", "write_as_arrays"}
)
_IMPORTED = re.compile(rb"^[ \t]*(?:from[ \t]+(\w+)[\w.]*[ \t]+import\b|import[ \t]+(\w[\w., \t]*))", re.MULTILINE)
# Names of members that a file gives to `getattr`, from a tuple say.
_TEXT = re.compile(rb"""["']([a-z]+)["']""")
# What calls may give to methods by name; with ** anything.
_KEYWORD = re.compile(rb"[(,]\s*(\w+)\s*=(?!=)|[(,]\s*(?=\*\*)")
_ON_IMPORT = frozenset({*_ALWAYS_CALLED, *_CALLED_IF})
_PURPOSE = "What the migrated code needs beside TensorFlow's NumPy API, which importing this module switches on."
_NUMPY_PURPOSE = "Writes to arrays as functions that give back what they wrote to."
_MEMBER = re.compile(rb"(?<!\bnp)(?<!\btnp)(?<!\btf)(?<!\btnh)(?<!\bnumpy)\.([a-zA-Z]\w*)")
_ALWAYS = "import numpy as np\nimport tensorflow as tf\nimport tensorflow.experimental.numpy as tnp\n"


def write_helpers(
    rulebook: Rulebook,
    names: Iterable[str],
    members: Iterable[str],
    *,
    prefer_float32: bool = False,
    installed: bool = False,
) -> str:
    """Give the text of a helper module: functions `names`, and array members that tensors are to have.

    It holds a copy of the functions and of what they need; where `installed`, it imports them from the rules' package.
    """
    from tnp_migrate.rewriting.fitted_rules import fitted_definitions, plain_definition  # noqa: PLC0415  # only where helpers are written

    names, given = set(names), _given(rulebook, members)
    on_import = {*_ALWAYS_CALLED, *(_CALLED_IF.keys() & set(members)), *(names & _ON_IMPORT)}
    shapes = names - _ON_IMPORT
    names = {name_of(one) for one in shapes}
    wanted = {*names, *given.values(), *on_import, *_around(given)}
    definitions = needed_definitions(rulebook, wanted)
    taken = imports(definitions, wanted, names) if installed else ""
    called = [one.name for one in definitions if one.name in _ON_IMPORT]
    if installed:
        definitions = [plain_definition(one) for one in copied(definitions)]
    else:
        once = {f"{name}(0)" for name in called}
        shapes |= {shape_of_member(rulebook.definitions[name].node, set(members)) for name in given.values()}
        outer = {_TAKING_ALL} & wanted
        definitions = fitted_definitions(definitions, shapes | once | outer)
    texts = [_imports(definitions, taken), _switch(prefer_float32=prefer_float32), *(one.text for one in definitions)]
    texts.append("".join(f"{name}()\n" for name in called))
    if given:
        texts.append(_members(given))
    if shapes:
        texts.append(written_shapes(shapes))
    body = "\n\n".join(text.strip("\n") + "\n" for text in texts if text)
    return _header(body, _PURPOSE) + body


def write_numpy_helpers(rulebook: Rulebook, names: Iterable[str], *, installed: bool = False) -> str:
    """Give the text of the helper module of the code between the stages, which needs NumPy alone."""
    names = {name_of(one) for one in names}
    definitions = needed_definitions(rulebook, names)
    taken = imports(definitions, names, names) if installed else ""
    definitions = copied(definitions) if installed else definitions
    own = _own_imports(definitions)
    numpy = ["import numpy as np"] if any("np" in free_names(one.node) for one in definitions) else []
    groups = [["from __future__ import annotations"], own, [*numpy, *([taken] if taken else [])]]
    head = "\n\n".join("\n".join(group) for group in groups if group)
    body = "\n\n".join(f"{text.strip(chr(10))}\n" for text in (head, *(one.text for one in definitions)))
    return _header(body, _NUMPY_PURPOSE) + body


def is_for_numpy(text: str) -> bool:
    """Whether a helper module is that of the code between the stages."""
    return not re.search(r"^import tensorflow\b", text, re.MULTILINE)


def without_numpy_helpers(text: str, rulebook: Rulebook) -> str:
    """Take out of a helper module that a person has changed what is as this tool wrote it for the code between."""
    lines = text.splitlines(keepends=True)
    for statement in reversed(ast.parse(text).body):
        ours = rulebook.definitions.get(getattr(statement, "name", ""))
        first, last = statement.lineno - 1, statement.end_lineno
        if ours is not None and ours.text.rstrip() == "".join(lines[first:last]).rstrip():
            del lines[first:last]
    return "".join(lines)


def is_unchanged(text: str) -> bool:
    """Whether a helper module is as this tool wrote it."""
    found = _HEADER.search(text)
    if found is None:
        return False
    body = text.partition('"""\n\n')[2]
    return _hash(body) == found["hash"]


def contents(text: str) -> tuple[set[str], set[str]]:
    """The functions that a helper module holds and the members that it gives to tensors: a run never takes any away."""
    names, members = set(), set()
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            names.add(statement.name)
        elif (listed := _exported(statement)) is not None:
            names |= listed
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Attribute):
            members.add(statement.targets[0].attr)
    return names, members


def kept_uses(text: str) -> set[str]:
    """What a run takes over from a helper module: how its functions are called, where it says so, and what it calls."""
    names, _ = contents(text)
    shapes = read_shapes(text)
    return names if shapes is None else shapes | (names & _ON_IMPORT)


def _exported(statement: ast.stmt) -> set[str] | None:
    """The functions that a helper module which imports them has for the migrated code, and those that it calls."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        called = getattr(statement.value.func, "id", "")
        return {called} if called in _ON_IMPORT else None
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    if not any(isinstance(one, ast.Name) and one.id == "__all__" for one in targets):
        return None
    return set(ast.literal_eval(statement.value))  # type: ignore[attr-defined]


def complete_by_hand(
    text: str, rulebook: Rulebook, names: Iterable[str], members: Iterable[str] = (), *, installed: bool = False
) -> str:
    """Add what is missing to a helper module that a person has changed; nothing in it is touched."""
    from tnp_migrate.rewriting.fitted_rules import plain_definition  # noqa: PLC0415  # only where helpers are written

    tree = ast.parse(text)
    shapes, names = set(names), {name_of(one) for one in names}
    froms = (one for one in tree.body if isinstance(one, ast.ImportFrom))
    defined = {name for one in froms for name in imported_names(one)} | {
        name.id if isinstance(name, ast.Name) else getattr(name, "name", "")
        for statement in tree.body
        for name in ([*statement.targets] if isinstance(statement, ast.Assign) else [statement])
    }
    asked = _given(rulebook, members)
    given = {one: name for one, name in asked.items() if one not in contents(text)[1]}
    wanted = {*names, *given.values(), *_around(given)}
    missing = [one for one in needed_definitions(rulebook, wanted) if one.name not in defined]
    taken = imports(missing, wanted, names, more="__all__" in defined) if installed else ""
    recorded = None if installed or "__all__" in defined else read_shapes(text)
    if recorded is None:
        missing = [plain_definition(one) for one in (copied(missing) if installed else missing)]
    else:
        shapes |= {shape_of_member(rulebook.definitions[one].node, set(members)) for one in asked.values()}
        outer = {*(wanted & {_TAKING_ALL}), *(f"{name}(0)" for name in _ON_IMPORT & defined)}
        before = recorded | (outer if _TAKING_ALL in defined else outer - {_TAKING_ALL})
        missing = _widened(rulebook, before, recorded | outer | shapes, _texts_in(text, tree))
        shapes |= recorded
        widened = {one.name for one in missing} & defined
        given |= {one: name for one, name in asked.items() if name in widened}
    if not missing and not given and not taken:
        return text
    present = {line.strip() for line in text.splitlines()}
    lines = [line for line in [*_own_imports(missing), *_ALWAYS.splitlines()] if line not in present]
    if is_for_numpy(text):
        lines += ["", _switch(prefer_float32=False)]
    blocks = ["\n".join(lines), taken, *(one.text for one in missing), _members(given) if given else ""]
    blocks += [written_shapes(shapes)] if recorded is not None else []
    return text.rstrip("\n") + "\n\n\n" + "\n\n".join(block.strip("\n") + "\n" for block in blocks if block)


def _widened(rulebook: Rulebook, old: set[str], new: set[str], present: Mapping[str, str]) -> list[Definition]:
    """What a module for calls `old` lacks for `new` ones.

    A function that has to be another one stands anew behind the old one, unless a person has changed it.
    """
    from tnp_migrate.rewriting.fitted_rules import fitted_definitions  # noqa: PLC0415  # only where helpers are written

    before, after = (
        fitted_definitions(needed_definitions(rulebook, {name_of(one) for one in shapes}), shapes)
        for shapes in (old, new)
    )
    written = {one.name: one.text.strip() for one in before}
    changed = {one.name for one in after if one.text.strip() != present.get(one.name)}
    found = {name for name in changed if name not in present or written.get(name) == present[name]}
    tables = {one.name for one in after if isinstance(one.node, ast.Assign | ast.AnnAssign)}
    found |= {one.name for one in after if one.name in tables and not found.isdisjoint(free_names(one.node))}
    return [one for one in after if one.name in found]


def _texts_in(text: str, tree: ast.Module) -> dict[str, str]:
    """The definitions of a module, those that stand last of each name."""
    lines = text.splitlines(keepends=True)
    found: dict[str, str] = {}
    for one in tree.body:
        targets = [*one.targets] if isinstance(one, ast.Assign) else [getattr(one, "target", None)]
        names = [getattr(one, "name", None), *(name.id for name in targets if isinstance(name, ast.Name))]
        first = min([one.lineno, *(mark.lineno for mark in getattr(one, "decorator_list", []))])
        found |= {name: "".join(lines[first - 1 : one.end_lineno]).strip() for name in names if name}
    return found


def _given(rulebook: Rulebook, members: Iterable[str]) -> dict[str, str]:
    """The functions that do what members of arrays and of NumPy's numbers do."""
    names = {member: name for member, (name, _) in _OPERATORS.items()}
    found = {member: rulebook.find(names.get(member, f"numpy.ndarray.{member}")) for member in members}
    ruled = {member: rule.name for member, rule in found.items() if rule is not None}
    own = {member: one for member, one in {**names, **_OF_NUMBERS}.items() if one in rulebook.definitions}
    return {**{member: own[member] for member in members if member in own}, **ruled}


def _around(members: Iterable[str]) -> set[str]:
    """What stands around the functions of methods of arrays, of which there are some among these members."""
    return {_TAKING_ALL for one in members if one not in _ATTRIBUTES | _OPERATORS.keys() | _OF_NUMBERS.keys()}


def _header(body: str, purpose: str) -> str:
    return (
        f"# Written by tnp-migrate {__version__}, sha256 {_hash(body)}. Yours to change: a changed file is kept.\n"
        f'"""{purpose}"""\n\n'
    )


def _hash(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:16]


def _switch(*, prefer_float32: bool) -> str:
    return (
        f"tnp.experimental_enable_numpy_behavior({'prefer_float32=True' if prefer_float32 else ''})\n"
        "tf.config.experimental.enable_tensor_float_32_execution(False)  # float32 keeps its digits on a GPU\n"
    )


def _members(given: dict[str, str]) -> str:
    methods = {member: name for member, name in sorted(given.items()) if member not in _ATTRIBUTES}
    attributes = {member: name for member, name in sorted(given.items()) if member in _ATTRIBUTES}
    lines = ["# What arrays have and tensors lack.\n"]
    for member, name in methods.items():
        lines.append(f"tf.Tensor.{member} = {f'{_TAKING_ALL}({name})' if _around([member]) else name}\n")
    lines += [f"tf.Tensor.{member} = property({name})\n" for member, name in attributes.items()]
    return "".join(lines)


def _imports(definitions: list[Definition], taken: str) -> str:
    """The head of the module: the imports that the definitions use, then those that every helper module has."""
    found = _own_imports(definitions)
    always = _ALWAYS if definitions or not taken else _ALWAYS.partition("\n")[2]  # no NumPy where nothing is copied
    groups = ["from __future__ import annotations\n", "\n".join(found), f"{always}{taken}"]
    return "\n".join(f"{one.rstrip()}\n" for one in groups if one)


def _own_imports(definitions: list[Definition]) -> list[str]:
    """The imports that definitions use beside NumPy and TensorFlow, as their own modules write them."""
    used = {name for one in definitions for name in free_names(one.node)}
    found: set[str] = set()
    for module in {one.module for one in definitions}:
        for statement in module.body:
            found |= set(_import_lines(statement, used - set(dir(builtins))))
    return sorted(found, key=lambda line: (line.startswith("from "), line))


def _import_lines(statement: ast.stmt, used: set[str]) -> list[str]:
    if isinstance(statement, ast.Import):
        own = [alias for alias in statement.names if (alias.asname or alias.name) in used]
        return [f"import {alias.name}" for alias in own if alias.asname not in ("np", "tf", "tnp")]
    if isinstance(statement, ast.ImportFrom) and statement.module not in (None, "__future__"):
        if (statement.module or "").startswith("tnp_rules"):
            return []
        return [f"from {statement.module} import {alias.name}" for alias in statement.names if alias.name in used]
    return []


def shared_between_folders(helpers: Mapping[Path, set[str]], alone: Collection[Path] = ()) -> dict[Path, set[str]]:
    """Give each folder that is no package the helpers of all: one program imports one module of that name only.

    So do packages of which files are run `alone`, and those around such folders: a program that is run there, or a test
    that has the whole project on its path, finds theirs under that name.
    """
    scripts = {top for top in helpers if not (top / "__init__.py").is_file()}
    around = {above for top in scripts for above in top.parents}
    folders = {top for top in helpers if top in scripts or top in around or top in alone}
    everything = set().union(*(helpers[top] for top in folders))
    return {top: everything if top in folders else names for top, names in helpers.items()}


def members_in(data: bytes) -> set[str]:
    """The attributes that a file takes of anything but the libraries themselves, and operators that tensors lack.

    What the helper module is to call for operators that tensors have otherwise is named among them.
    """
    operators = {name for name, (_, written) in _OPERATORS.items() if written.search(data)}
    called = called_for(data)
    named = _TEXT.findall(data) if b"getattr(" in data else []
    keywords = {f"{one.decode()}=" for one in _KEYWORD.findall(data)}
    return {one.decode() for one in {*_MEMBER.findall(data), *named}} | operators | called | keywords | {KEYWORDS_TOLD}


def called_for(data: bytes) -> set[str]:
    """What the helper module is to call when it is imported, for what a file writes."""
    called = {name for name, written in _CALLED_IF.items() if written.search(data)}
    return called | _FOR_OTHERS if _imports_others(data) else called


def _imports_others(data: bytes) -> bool:
    named = [one or several for one, several in _IMPORTED.findall(data)]
    roots = {part.strip().partition(b".")[0].partition(b" ")[0] for one in named for part in one.split(b",")}
    known = (sys.stdlib_module_names | {"", "numpy", "tensorflow", "tnp_rules", MODULE}) - {"importlib"}
    return bool({one.decode() for one in roots} - known)
