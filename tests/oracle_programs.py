"""The programs that the oracle looks at, by name, and the findings that are known of them."""

from pathlib import Path

from fixture_cases import FIXTURES, find_traps
from handed_out_programs import Files, generate
from program_generator import generate as generate_aliasing

HANDED_OUT = FIXTURES / "handed_out"
NOT_SEEN = {"mutation/out_resize_then_views"}  # `resize` counts references to the array, of which the tracer has one


def handed_out() -> list[Path]:
    """The programs `fixtures/handed_out/<name>.py` and folders with a `main.py`."""
    files = [path for path in HANDED_OUT.glob("*.py") if path.stem != "__init__"]
    return sorted([*files, *(path.parent for path in HANDED_OUT.glob("*/main.py"))])


_FIXED = [f"handed_out/{path.stem}" for path in handed_out()]
_FIXED += [f"{kind}/{path.stem}" for kind in ("mutation", "traps") for path in find_traps(kind)]
_RANDOM = [f"{kind}/{number}" for kind in ("random_handed_out", "random_aliasing") for number in range(200)]
PROGRAMS = [one for one in [*_FIXED, *_RANDOM] if one not in NOT_SEEN]
SAMPLE = [*_FIXED[::16], *_RANDOM[::20]]


def files_of(program: str) -> Files:
    """The files of a program by its name: a fixture, or a random program of a number."""
    kind, name = program.split("/")
    if kind == "random_handed_out":
        return generate(0, int(name)).files
    if kind == "random_aliasing":
        return {"main.py": generate_aliasing(0, int(name))}
    folder = FIXTURES / kind / name
    if folder.is_dir():
        return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in sorted(folder.rglob("*.py"))}
    return {"main.py": folder.with_suffix(".py").read_text("utf-8")}


def read_findings(path: Path) -> dict[str, list[str]]:
    """The recorded findings of each program that has some."""
    found: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines() if path.exists() else []:
        name, text = line.split(": ", 1)
        found.setdefault(name, []).append(text)
    return found


def write_findings(path: Path, findings: dict[str, list[str]]) -> None:
    """Record findings, one line each, sorted by program."""
    lines = [f"{name}: {text}\n" for name, found in sorted(findings.items()) for text in found]
    path.write_text("".join(lines), "utf-8")
