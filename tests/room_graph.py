"""The rooms of the translator, the imports between them, and the page that shows both.

`python tests/room_graph.py` writes the generated parts of `docs/architecture.md`.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
MIGRATOR = ROOT / "migrator" / "tnp_migrate"
PAGE = ROOT / "docs" / "architecture.md"
# A room imports only from rooms before it. Each is a folder, but for most of the last fifteen, which are modules.
ROOMS = """
    text numpy_facts diagnostics program ir analysis functional islands backend compiled rewriting cache proof reports
    parts state rounds project evidence run library explanation server verification
    report_output proof_cli server_cli explain_cli completion cli __main__
""".split()


def modules(folder: Path) -> dict[str, Path]:
    """Modules by dotted name below the package, packages' own `__init__` under the package's name."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix("__init__").rstrip(".")
        found[name] = path
    return found


def imported(path: Path, package: str) -> set[str]:
    """Every module that a file names in an import, wherever the import stands; what is taken from it is named too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: imports are absolute"
            found.add(node.module or "")
            if (node.module or "").partition(".")[0] == package:
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


MODULES = {name: path for name, path in modules(MIGRATOR).items() if name}


def room_of(module: str) -> str:
    """The room that a module stands in: the folder below the package, or a module beside the folders."""
    return module.partition(".")[0]


def own_imports(module: str) -> set[str]:
    """The modules of the translator that one of them imports; names of types alone are imports as well."""
    named = {name.removeprefix("tnp_migrate.") for name in imported(MODULES[module], "tnp_migrate")}
    return named & set(MODULES)


def picture() -> str:
    """A row for each room and a column for each room above it: whether the row imports from the column."""
    present = [room for room in ROOMS if any(room_of(name) == room for name in MODULES)]
    edges = {(room_of(name), room_of(other)) for name in MODULES for other in own_imports(name)}
    width = max(map(len, present)) + 2
    lines = [" " * width + "  ".join(present[:-1])]
    for row, room in enumerate(present):
        cells = [("x" if (room, other) in edges else ".").rjust(len(other)) for other in present[:row]]
        lines.append(f"{room:{width}}" + "  ".join(cells))
    return "\n".join(["```text", *(line.rstrip() for line in lines), "```"])


def doors() -> str:
    """What each room says that it takes and gives, from its `__init__`; of a module its first sentence."""
    lines = ["| room | what its door says |", "|---|---|"]
    for room in ROOMS:
        if room in MODULES:
            text = ast.get_docstring(ast.parse(MODULES[room].read_bytes())) or ""
            is_folder = MODULES[room].name == "__init__.py"
            said = " ".join((text if is_folder else text.partition("\n\n")[0]).split())
            lines.append(f"| `{room}{'/' if is_folder else '.py'}` | {said} |")
    return "\n".join(lines)


def with_generated(page: str) -> str:
    """The page with its generated parts as they are now."""
    for name, text in (("doors", doors()), ("imports", picture())):
        between = re.compile(rf"(?<=<!-- generated: {name} -->\n\n).*?(?=\n\n<!-- end -->)", re.DOTALL)
        assert between.search(page), f"{PAGE} has no generated part {name!r}"
        page = between.sub(lambda _, text=text: text, page)
    return page


if __name__ == "__main__":
    PAGE.write_text(with_generated(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
